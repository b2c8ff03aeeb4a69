"""Plays thousands of short games under each manager's profile, with disturbances:

    python -m arena.stress.soak EXE --games 2000 --journal FILE

Three pairs of brains play game after game in the same processes, as in c-gomoku-cli, in Piskvork's
window, and under the arena's own profile. Other games start new brains, as GomocupJudge and
Piskvork's tournaments do. The run looks for forfeits, illegal and late moves, growing memory, and
files left behind. The journal has a line for each game. An interrupted run continues at the end of
the journal, with new processes.
"""

import argparse
import contextlib
import json
import os
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import msgspec

from ..engines.arguments import brain_command, file_path, run_main, whole_number
from ..engines.brain import Command
from ..engines.managers import PISKVORK, PROFILES, STRICT, Clocked, ManagerProfile
from ..engines.scratch import temporary_folder
from ..game.game import GameSettings, play_game
from ..game.record import EndReason, GameRecord
from ..rules.referee import MAX_SIZE, MIN_SIZE, Rule
from ..util.exits import Exit, exit_lines
from ..util.json_text import read_json
from ..util.output import Parser, complain, say
from .disturbed import DisturbedBrain
from .selfplay import random_opening

__all__ = ["Played", "Soak", "main", "summary_lines"]

TURN_MS = 20
TOLERANCE_MS = 5000
"""A late move is only noted, because the run examines the engine's own clock."""
MATCH_MS = (None, None, 30_000, 60_000)
"""Long enough for waits for a core on a busy machine."""
SETTLED = 20
"""The first game for comparing memory: all rules were played and all tables exist."""
GROWTH = 0.02
"""The growth above which memory leaks: docs/reliability.md."""
KEPT = "kept"
FRESH = "fresh"
_WINDOW = replace(PISKVORK, clocked=Clocked.NOTHING)
GRACE_S = 5.0
"""The time to exit after END on a busy machine. A slower brain is killed, with a note."""
WAYS: tuple[tuple[str, ManagerProfile, str], ...] = (
    ("strict", STRICT, KEPT),
    ("c-gomoku-cli", PROFILES["c-gomoku-cli"], KEPT),
    ("piskvork's window", _WINDOW, KEPT),
    ("gomocup", PROFILES["gomocup"], FRESH),
    ("strict", STRICT, KEPT),
    ("c-gomoku-cli", PROFILES["c-gomoku-cli"], KEPT),
    ("piskvork's window", _WINDOW, KEPT),
    ("piskvork", PISKVORK, FRESH),
)


@dataclass(frozen=True)
class Played:
    """Holds the result of one game.

    `late`: ms beyond the limit, ms of waits for a core, and the last disturbance. `resident`: the
    memory of each of two kept brains after the game, with cleared tables. `life`: the number of the
    processes that played it; 0 for processes of its own.
    """

    game: int
    way: str
    rule: int
    size: int
    moves: int
    disturbances: int
    reason: str
    forfeit: bool
    excused: bool
    """The game is a forfeit by time that a wait for a core explains."""
    detail: str
    notes: tuple[str, ...] = ()
    late: tuple[tuple[float, float, str], ...] = ()
    resident: tuple[int, ...] = ()
    life: str = ""
    lines: tuple[str, ...] = ()

    @property
    def late_by_itself(self) -> list[tuple[float, float, str]]:
        """Returns the late moves that no wait for a core explains."""
        return [late for late in self.late if late[1] < late[0]]

    def to_json(self) -> str:
        """Returns one line of JSON without its line end."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> "Played":
        """Reads the output of `to_json`; raises ValueError for anything else."""
        try:
            return msgspec.convert(read_json(text), cls)
        except ValueError as error:
            raise ValueError(f"not a line of a soak journal: {error}: {text[:80]!r}") from None


@dataclass
class Soak:
    """Plays the games; a context manager that ends the kept brains."""

    command: Command
    turn_ms: int = TURN_MS
    threads: int = 1
    seed: int = 1
    _pairs: dict[str, tuple[DisturbedBrain, DisturbedBrain]] = field(default_factory=dict)
    _life: int = 0

    def __enter__(self) -> "Soak":
        """Returns itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the brains."""
        for way in list(self._pairs):
            self.end(way)

    def end(self, way: str) -> tuple[str, ...]:
        """Ends a kept pair; returns notes on faults at the end."""
        return tuple(note for brain in self._pairs.pop(way, ()) for note in brain.end())

    def play(self, number: int) -> Played:
        """Plays the game of a number, from 1. Equal numbers give equal games."""
        way, manager, life = WAYS[number % len(WAYS)]
        manager = replace(manager, end_grace_s=GRACE_S)
        chance = random.Random(f"{self.seed} {number}")
        settings = self._settings(number, chance, max(TOLERANCE_MS, manager.tolerance_ms))
        brains = self._brains(way, manager, keep=life == KEPT)
        info = self._info(chance)
        for brain in brains:
            drawn = random.Random(chance.random())
            brain.prepare(drawn, info, settings.tolerance_ms * manager.tolerance_share)
        record = play_game(*brains, settings, manager=manager)
        return self._played(number, way, life, record, brains)

    def _settings(self, number: int, chance: random.Random, tolerance_ms: int) -> GameSettings:
        """Returns the settings of a game. Every rule meets every size and many limits."""
        rules = list(Rule)
        rule = rules[number % len(rules)]
        size = chance.randint(MIN_SIZE, MAX_SIZE)
        return GameSettings(
            size=size,
            rule=rule,
            turn_ms=self.turn_ms,
            match_ms=chance.choice(MATCH_MS),
            memory_mib=chance.choice((0, 80, 350, 350)),
            tolerance_ms=tolerance_ms,
            opening=random_opening(size, rule, chance),
        )

    def _info(self, chance: random.Random) -> list[tuple[str, str]]:
        """Returns the INFO lines. Keys that persist are sent with each game."""
        return [
            ("thread_num", str(self.threads)),
            ("max_node", chance.choice(("-1", "3000", "500"))),
            ("max_depth", chance.choice(("-1", "-1", "4"))),
            ("hash_size", chance.choice(("0", "0", "4096"))),
            ("level", chance.choice(("10", "10", "10", "3"))),
        ]

    def _brains(
        self, way: str, manager: ManagerProfile, *, keep: bool
    ) -> tuple[DisturbedBrain, DisturbedBrain]:
        if keep and way in self._pairs:
            return self._pairs[way]
        first, second = (DisturbedBrain(self.command, manager=manager, keep=keep) for _ in range(2))
        if keep:
            self._life += 1
            self._pairs[way] = first, second
        return first, second

    def _played(
        self,
        number: int,
        way: str,
        life: str,
        record: GameRecord,
        brains: tuple[DisturbedBrain, DisturbedBrain],
    ) -> Played:
        notes = [*record.black.notes, *record.white.notes]
        resident: tuple[int, ...] = ()
        name = ""
        if life == KEPT and record.is_forfeit:
            notes += self.end(way)  # both start again, whoever was at fault
        elif life == KEPT:
            resident = tuple(brain.resident_bytes() for brain in brains)
            name = f"{os.getpid()} {way}"
        return Played(
            game=number,
            way=way,
            rule=record.rule,
            size=record.size,
            moves=len(record.moves),
            disturbances=sum(brain.disturbances for brain in brains),
            reason=record.reason.value,
            forfeit=record.is_forfeit,
            excused=record.reason is EndReason.TIME
            and any(brain.late and brain.late[-1].is_excused for brain in brains),
            detail=record.detail,
            notes=tuple(notes),
            late=tuple(
                (round(late.over_ms, 3), round(late.waited_ms, 3), late.after)
                for brain in brains
                for late in brain.late
            ),
            resident=resident,
            life=name,
            lines=record.lines,
        )


def read_journal(path: Path) -> list[Played]:
    """Returns the games of a journal without a torn last line; raises ValueError."""
    if not path.exists():
        return []
    whole, end, torn = path.read_text(encoding="ascii").rpartition("\n")
    games = [Played.from_json(line) for line in whole.splitlines()]
    if torn:
        path.write_text(whole + end, encoding="ascii")
    return games


def growth_of(games: Sequence[Played]) -> dict[str, tuple[int, int, int, int]]:
    """Returns a first and a last game for each pair of processes, with the memory after each.

    The first is the pair's first one from game `SETTLED` of its life on.
    """
    lives: dict[str, list[Played]] = {}
    for game in games:
        if game.life:
            lives.setdefault(game.life, []).append(game)
    begun = {life: played[0].game for life, played in lives.items()}
    found = {}
    for life, played in lives.items():
        settled = [game for game in played if game.game - begun[life] >= SETTLED - len(WAYS)]
        if len(settled) > 1:
            first, last = settled[0], settled[-1]
            found[life] = first.game, sum(first.resident), last.game, sum(last.resident)
    return found


def summary_lines(games: Sequence[Played]) -> list[str]:
    """Returns the totals of the games."""
    late = [pair for game in games for pair in game.late]
    alone = [pair for game in games for pair in game.late_by_itself]
    lines = [
        f"games         {len(games)}, {sum(game.moves for game in games)} moves, "
        f"{sum(game.disturbances for game in games)} times disturbed",
        f"forfeits      {sum(game.forfeit for game in games)}, of them "
        f"{sum(game.forfeit and not game.excused for game in games)} not by waiting for a core",
        f"illegal       {sum(game.reason == 'illegal' for game in games)}",
        f"late          {len(late)}, of them {len(alone)} not by waiting for a core"
        + (f" (worst {max(late[0] for late in alone):.1f} ms)" if alone else ""),
        f"notes         {sum(len(game.notes) for game in games)}",
    ]
    for life, (first, held, last, held_last) in growth_of(games).items():
        growth = 100 * (held_last / held - 1)
        lines.append(
            f"memory        {life.partition(' ')[2]}: game {first} {held / 2**20:.2f} MiB, "
            f"game {last} {held_last / 2**20:.2f} MiB, {growth:+.2f} %"
        )
    return lines


def has_grown(games: Sequence[Played]) -> bool:
    """Says whether the memory of a pair of processes grew too much."""
    return any(last > held * (1 + GROWTH) for _, held, _, last in growth_of(games).values())


@contextlib.contextmanager
def scratch() -> Iterator[Path]:
    """Gives brains and managers their own temporary folder, to find files left behind."""
    with temporary_folder("soak-") as folder:
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
        try:
            yield folder
        finally:
            tempfile.tempdir = None
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before


def run(
    soak: Soak, numbers: Sequence[int], journal: Path | None, *, loud: bool = True
) -> tuple[list[Played], list[str]]:
    """Plays games; returns them, with the names of files left behind."""
    games = []
    with scratch() as folder:
        with soak:
            for number in numbers:
                game = soak.play(number)
                games.append(game)
                if journal is not None:
                    with journal.open("a", encoding="ascii") as file:
                        file.write(game.to_json() + "\n")
                if loud:
                    say(_line(game))
        left = sorted(path.name for path in folder.iterdir())
    return games, left


def _line(game: Played) -> str:
    rule = Rule(game.rule).name.lower()
    text = f"{game.game:>5}  {game.way:<17} {rule:<14} {game.size:>2}  {game.moves:>3} moves  "
    text += game.reason
    if game.late:
        text += f"  late {len(game.late)}"
    if game.forfeit or game.notes or game.late_by_itself:
        text += f"\n       {game.detail} {game.notes} {game.late_by_itself}"
        text += "".join(f"\n       {line}" for line in game.lines)
    return text


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the games that the journal lacks; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        done = [] if options.journal is None else read_journal(options.journal)
    except (OSError, ValueError) as error:
        complain(f"soak: {options.journal}: {error}")
        return Exit.USAGE
    known = {game.game for game in done}
    numbers = [n for n in range(1, options.games + 1) if n not in known]
    soak = Soak(options.brain, options.turn_ms, options.threads, options.seed)
    games, left = run(soak, numbers, options.journal)
    games = [*done, *games]
    say(*summary_lines(games), f"left behind   {', '.join(left) or 'nothing'}")
    wrong = any(
        (game.forfeit and not game.excused) or game.notes or game.late_by_itself for game in games
    )
    return Exit.FOUND_WRONG if wrong or left or has_grown(games) else Exit.DONE


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m arena.stress.soak",
        description="Plays many short games of an engine against itself, disturbs it, "
        "and counts the faults.",
        epilog=exit_lines(Exit.DONE, Exit.FOUND_WRONG, Exit.USAGE, done="all checks passed"),
    )
    add = parser.add_argument
    add("brain", type=brain_command, metavar="EXE", help="path, or command line in quotes")
    add("--games", type=whole_number(1), default=2000, help="number of games (default: 2000)")
    add(
        "--turn-ms",
        type=whole_number(1),
        default=TURN_MS,
        help=f"time for each move (default: {TURN_MS})",
    )
    add("--threads", type=whole_number(1, 64), default=1, help="search threads (default: 1)")
    add(
        "--seed",
        type=int,
        default=1,
        help="seed of the openings, limits and disturbances (default: 1)",
    )
    add(
        "--journal",
        type=file_path,
        metavar="FILE",
        help="write a line for each game; continue the games of an existing file",
    )
    return parser


if __name__ == "__main__":
    run_main(main, "soak")
