"""Tries the Windows packages out under wine, beside the Linux executable: `make test-windows`.

    python -m tests.support.windows_trial [STEP ...]

needs dist/windows/ and dist/pbrain-tengen. The steps, all of them unless some are named:

    contents   what the package's programs load is in the package, or in every Windows since 10
    bench      the signature of the search is the same on both systems
    scripts    the scripts of tests/protocol/scripts/, one-file and one-folder; nothing stays in the
               temporary folder
    paths      a package and a log in folders with blanks in their names
    conformance  `arena conform`: all scenarios for the tournament package, those of END for the
               one-file
    match      20 games, Windows against Linux: at fixed nodes both play the same moves
"""

import argparse
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from arena.engines.brain import Brain
from arena.game.game import GameSettings, play_game
from arena.game.record import GameRecord, MoveRecord
from arena.openings.book import shipped
from arena.rules.referee import Rule
from arena.util.exits import Exit
from tests.support.paths import ROOT
from tests.support.protocol_runner import SCRIPTS, ScriptError, run_script
from tests.support.protocol_runner import Brain as Talk
from tools.windows import wine
from tools.windows.__main__ import DIST

ONE_FILE = DIST / "pbrain-tengen.exe"
PACKAGE = DIST / "pbrain-tengen.zip"
LINUX = ROOT / "dist" / "pbrain-tengen"
FOLDER = wine.HOME / "a package"
ONE_FOLDER = FOLDER / ONE_FILE.name
# Libraries of Windows 10 and later, with the C runtime.
OF_WINDOWS: Final = {
    "advapi32.dll", "bcrypt.dll", "comctl32.dll", "gdi32.dll", "kernel32.dll", "msvcrt.dll",
    "user32.dll", "version.dll", "ws2_32.dll",
}  # fmt: skip
OF_WINDOWS_TOO: Final = ("api-ms-win-crt-", "api-ms-win-core-")
PAIRS: Final = 10
NODES: Final = 10_000
# The same on both sides, whatever else the process holds.
TABLE_KIB: Final = 8192
LEAVING: Final = "end-,eof-"


class TrialError(Exception):
    """The packages are not as they should be; the text says what is wrong."""


def contents() -> str:
    """Nothing is loaded that a bare Windows lacks: wine has more of its own than Windows."""
    with zipfile.ZipFile(PACKAGE) as package:
        names = {Path(name).name.lower() for name in package.namelist()}
    lacking = []
    programs = [path for path in FOLDER.rglob("*") if path.suffix in (".exe", ".dll", ".pyd")]
    for path in programs:
        for library in imported(path):
            if library not in names | OF_WINDOWS and not library.startswith(OF_WINDOWS_TOO):
                lacking.append(f"{path.name} needs {library}")
    if lacking:
        raise TrialError("; ".join(lacking))
    if len(programs) < 3:
        raise TrialError(f"there are only {len(programs)} programs in {PACKAGE.name}")
    return f"{len(programs)} programs and libraries load nothing from outside"


def imported(program: Path) -> list[str]:
    """The libraries that a Windows program or library names, in lower case."""
    tool = wine.COMPILER.replace("gcc", "objdump")
    said = subprocess.run([tool, "-p", str(program)], capture_output=True, text=True, check=True)
    mark = "DLL Name: "
    lines = [line.strip() for line in said.stdout.splitlines()]
    return [line.removeprefix(mark).lower() for line in lines if line.startswith(mark)]


def bench() -> str:
    """Both systems search the same trees, with the plain library and with the best one."""
    rows = []
    commands = (wine.command(ONE_FOLDER), wine.command(ONE_FILE), (str(LINUX),))
    for command, cpu in itertools.product(commands, ("", "baseline")):
        said = subprocess.run(
            [*command, "--bench"],
            env={**os.environ, "TENGEN_CPU": cpu},
            capture_output=True,
            text=True,
            check=False,
        )
        lines = said.stdout.splitlines()
        if said.returncode != 0 or len(lines) < 3:
            raise TrialError(f"{shlex.join(command)} --bench: {said.stdout}{said.stderr}")
        rows.append(lines)
    signatures = [lines[-2] for lines in rows]
    if len(set(signatures)) != 1:
        raise TrialError(f"the signatures differ: {signatures}")
    return f"{signatures[0]}; wine {rows[0][-1]}, Linux {rows[4][-1]}"


def scripts() -> str:
    """Every script, played against both packages."""
    paths = sorted(SCRIPTS.glob("*.txt"))
    before = unpacked()
    for program in (ONE_FOLDER, ONE_FILE):
        for path in paths:
            try:
                run_script(path, wine.command(program))
            except ScriptError as error:
                raise TrialError(f"{program}: {error}") from None
    until = time.monotonic() + 2.0  # the parent removes the files after its child has left
    while (left := unpacked() - before) and time.monotonic() < until:
        time.sleep(0.05)
    if left:
        raise TrialError(f"left behind: {', '.join(path.name for path in left)}")
    return f"{len(paths)} scripts, one-folder and one-file; the temporary folder is empty"


def unpacked() -> set[Path]:
    """The folders that one-file executables have unpacked, and not removed."""
    return set((wine.PREFIX / "drive_c" / "users").glob("*/**/Temp/_MEI*"))


def paths() -> str:
    """FOLDER has a blank in its name, and so has the log's; `INFO folder` gets no answer."""
    log = wine.HOME / "a log" / "of a game.txt"
    shutil.rmtree(log.parent, ignore_errors=True)
    log.parent.mkdir()
    with Talk(wine.command(ONE_FOLDER), line_end="\r\n") as brain:
        brain.send(r"INFO folder C:\Program Files\no such folder")
        brain.send(f"INFO log {wine.windows_path(log)}", "INFO timeout_turn 100")
        brain.ask("START 15")
        move = brain.ask("BEGIN")
        brain.send("END")
        brain.gone()
    if f"move 1 black {move}" not in log.read_text(encoding="ascii"):
        raise TrialError(f"{move} is not in the log: {log.read_text(encoding='ascii')!r}")
    return "a program, a log and a folder with blanks in their names"


def conformance() -> str:
    """A scenario that fails is tried once more: a busy machine is not busy twice over."""
    told = []
    for name, program, only in (
        ("one-folder", ONE_FOLDER, ""),
        ("one-file", ONE_FILE, LEAVING),
    ):
        count, noted, lost = conform(program, only)
        again = conform(program, ",".join(lost))[2] if lost else []
        if again:
            raise TrialError(f"{name}: lost twice: {', '.join(again)}")
        repeated = f", good at the second try: {', '.join(lost)}" if lost else ""
        told.append(f"{name}: {count} scenarios, nothing lost, {len(noted)} noted{repeated}")
        told += [f"    {text}" for text in noted]
    return "\n".join(told)


def conform(program: Path, only: str) -> tuple[int, list[str], list[str]]:
    """Runs `arena conform`: how many scenarios, what was noted, the ids that somebody lost."""
    command = [sys.executable, "-m", "arena", "conform", shlex.join(wine.command(program))]
    said = subprocess.run(
        [*command, "--json", *(["--only", only] if only else [])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if said.returncode not in (Exit.DONE, Exit.FOUND_WRONG):
        raise TrialError(f"conform ended with {said.returncode}: {said.stderr}")
    found = json.loads(said.stdout)
    noted = [
        f"{scenario['id']}: {one['text']} {one['detail']}"
        for scenario in found["scenarios"]
        for one in scenario["found"]
    ]
    lost = sorted({name for names in found["losses"].values() for name in names})
    return len(found["scenarios"]), noted, lost


def match() -> str:
    """Each opening is played twice with colours swapped: two equal players play it twice over."""
    moves = 0
    for number in range(PAIRS):
        rule = list(Rule)[number % len(Rule)]
        size = 19 if rule.has_captures else (15, 20)[number // len(Rule)]
        opening = shipped(rule, size)[number]
        settings = GameSettings(size=size, rule=rule, turn_ms=60_000, opening=opening)
        games = [play(settings, windows_first=first) for first in (True, False)]
        for game in games:
            notes = [note for note in (*game.black.notes, *game.white.notes) if not of_wine(note)]
            if game.is_forfeit or notes:
                raise TrialError(f"{rule.name}: {game.summary()} {notes} {game.lines}")
        if parted := difference(*(game.moves for game in games)):
            raise TrialError(f"{rule.name}, opening {opening}: {parted}")
        moves += sum(len(game.moves) for game in games)
    return f"{2 * PAIRS} games, {moves} moves, {NODES} nodes each: 0 forfeits, the same moves"


def of_wine(note: str) -> bool:
    """Whether a note is about wine's own processes and folder, which its first program starts."""
    return note.startswith("left 'wine-") or re.match(r"left \d+ process", note) is not None


def play(settings: GameSettings, *, windows_first: bool) -> GameRecord:
    """One game at fixed nodes."""
    info = [("max_node", str(NODES)), ("hash_size", str(TABLE_KIB))]
    brains = [
        Brain(command, name=name, info=info)
        for name, command in (("Windows", wine.command(ONE_FOLDER)), ("Linux", (str(LINUX),)))
    ]
    black, white = brains if windows_first else brains[::-1]
    return play_game(black, white, settings)


def difference(first: Sequence[MoveRecord], second: Sequence[MoveRecord]) -> str:
    """Describes the first difference of two games; empty if they are the same.

    Nodes and score count where both were told: a brain tells no more than 20 lines a second.
    """
    for number, (one, other) in enumerate(zip(first, second, strict=False), 1):
        told = [(move.nodes, move.score) for move in (one, other) if move.nodes is not None]
        if one.point != other.point or len(set(told)) > 1:
            return f"move {number}: {one} and {other}"
    return "" if len(first) == len(second) else f"{len(first)} and {len(second)} moves"


STEPS: Final[dict[str, Callable[[], str]]] = {
    step.__name__: step for step in (contents, bench, scripts, paths, conformance, match)
}


def main() -> int:
    """Goes the steps; 1 with what is wrong when one fails."""
    parser = argparse.ArgumentParser(description="Tries the Windows packages out under wine.")
    parser.add_argument("steps", nargs="*", metavar="STEP", help=", ".join(STEPS))
    args = parser.parse_args()
    if unknown := set(args.steps) - set(STEPS):
        parser.error(f"there is no step {', '.join(sorted(unknown))}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    with zipfile.ZipFile(PACKAGE) as package:
        package.extractall(FOLDER)
    os.environ.update(wine.environment())  # for every process that is started from here
    with wine.kept_running():
        for name in args.steps or STEPS:
            began = time.monotonic()
            try:
                told = STEPS[name]()
            except TrialError as error:
                print(f"{name}: FAILED\n{error}")
                return 1
            print(f"{name}: {told} ({time.monotonic() - began:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
