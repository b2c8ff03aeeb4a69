"""Fits the value network of one rule to the games of a generation, and judges it.

    python training/refit.py training/generations/freestyle-1.toml --result-share 0.5

It checks the files of the generation, fits a network on top of the built-in tables
(training/network.c), and writes a weights file under --out. Then it judges the built-in weights and
the file by the yardstick. The policy network depends on the squares of the value network. The file
keeps the old policy network; fit it again afterwards (training/policy.c), unless --keep-squares was
given. Both fits read the list of files that is written under --out.

Ctrl-C or SIGTERM stops the fit. The same command continues it, from a state file under --out. The
file is removed at the end, after the judging. A state of another fit, or one that a running fit
uses, is refused. The exit status is 130 after Ctrl-C and 143 after SIGTERM.
"""

import argparse
import json
import subprocess
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import build_toolchain  # noqa: E402
from build_weights import ASSETS, WeightsError, file_name, laws, read, write  # noqa: E402
from training.arguments import at_least_one, file_path, number_between  # noqa: E402
from training.fitters import Stopped, list_files, run_fit, stop  # noqa: E402
from training.gamefiles import GamesError, Header, build_programs, read_file  # noqa: E402
from training.generate import games_folder  # noqa: E402
from training.manifest import RULES, ManifestError, read_manifest  # noqa: E402
from training.nodes import nodes_of, none_of, searches_of  # noqa: E402
from training.signals import handling  # noqa: E402
from training.textfile import replace_text  # noqa: E402
from training.write_weights import network_of, with_network  # noqa: E402

HERE = ROOT / "training"
# The bounds of the program `network`.
RATE_LEAST, RATE_MOST = 1e-7, 0.1
DECAY_MOST = 3.4e38
EPOCHS_MOST = 10_000
POSITIONS_MOST = 10**15
PARTS_BY_LAW = ("square", "lines", "recent")
YARDSTICK = ROOT / "tests" / "data" / "yardstick.txt"


@dataclass(frozen=True)
class Fit:
    """The options of a fit, and the files of its rule."""

    rule: int
    files: tuple[Path, ...]
    epochs: int
    result_share: float
    positions: int | None
    fresh: bool
    start: Path | None
    line_decay: float | None
    recent_decay: float | None
    keeps_squares: bool
    rate: float | None


def find_files(manifest: Path, rule: int, *, nodes: bool = False) -> tuple[Path, ...]:
    """Returns the good files of a rule, ordered by name: games, then nodes. Raises GamesError."""
    folder = games_folder() / read_manifest(manifest).name
    paths = sorted(folder.glob(f"{rule}-*.tg"))
    if not paths:
        raise GamesError(f"{folder}: there are no games of rule {rule}")
    headers = {path: read_file(path).header for path in paths}
    for path, header in headers.items():
        if header.rule != rule:
            raise GamesError(f"{path} is of another rule than its name says")
    return (*paths, *(find_nodes(headers) if nodes else ()))


def find_nodes(games: dict[Path, Header]) -> list[Path]:
    """Returns the checked files of nodes of these games. Raises GamesError."""
    found = {nodes_of(path): header for path, header in games.items() if not none_of(path).exists()}
    if missing := [path for path in found if not path.exists()]:
        raise GamesError(f"{missing[0]} is missing; training/nodes.py makes it")
    for path, header in found.items():
        searches_of(header, read_file(path).header, path)
    return list(found)


def state_path(fit: Fit, out: Path) -> Path:
    """Returns the path of the state of an unfinished fit."""
    return out / f"fit-{fit.rule}.state"


def fitted_path(fit: Fit, out: Path) -> Path:
    """Returns the path of the fitted network."""
    return out / f"fitted-{fit.rule}.json"


def start_network(fit: Fit, builtin: Path) -> dict[str, Any]:
    """Returns the network with which the fit starts: the built-in one, or that of --start.

    A network of a rule with one law serves both laws of another. Raises WeightsError.
    """
    weights = read(fit.start or builtin)
    if weights.network is None:
        raise WeightsError(f"{fit.start or builtin} has no network")
    theirs, ours = laws(weights.rule), laws(fit.rule)
    if theirs > ours:
        raise WeightsError(f"{fit.start} has {theirs} laws, rule {fit.rule} has {ours}")
    network = network_of(weights)
    repeated = {part: network[part] * (ours // theirs) for part in PARTS_BY_LAW if part in network}
    return {**network, **repeated}


def fit_command(fit: Fit, weights: Path, out: Path) -> list[str]:
    """Returns the arguments of the fit after its program, and writes the files that they name.

    The fit starts with the network of the weights, or with random numbers.
    """
    command = [str(fit.epochs), str(fitted_path(fit, out)), str(weights)]
    if not fit.fresh:
        start = out / f"start-{fit.rule}.json"
        replace_text(start, json.dumps(start_network(fit, weights)))
        command.append(str(start))
    command += list_files(out / f"games-{fit.rule}.txt", fit.files)
    command += ["--result-share", str(fit.result_share)]
    if fit.line_decay is not None:
        command += ["--lines", str(fit.line_decay)]
    if fit.recent_decay is not None:
        command += ["--recent", str(fit.recent_decay)]
    if fit.rate is not None:
        command += ["--rate", str(fit.rate)]
    if fit.keeps_squares:
        command += ["--squares", "keep"]
    if fit.positions is not None:
        command += ["--positions", str(fit.positions)]
    return [*command, "--state", str(state_path(fit, out))]


def choose_yardstick(named: Path | None, rule: int) -> Path | None:
    """Returns the yardstick of the command line, or the usual one if it has the rule.

    Raises OSError if the file is missing.
    """
    if named:
        return named.resolve(strict=True)
    rules = {line.split(maxsplit=1)[0] for line in YARDSTICK.read_text().splitlines()}
    if str(rule) in rules:
        return YARDSTICK
    print(f"{YARDSTICK} has no position of rule {rule}; the fit is not judged", flush=True)
    return None


def judge(program: Path, yardstick: Path, name: str, *options: str) -> None:
    """Prints the output of the judge."""
    print(f"yardstick, {name}:", flush=True)
    subprocess.run([str(program), str(yardstick), *options], check=True)


def refit(fit: Fit, out: Path, yardstick: Path | None) -> None:
    """Checks, fits, writes and judges."""
    out.mkdir(parents=True, exist_ok=True)
    fitter, judging = build_programs("network", "judge")
    builtin = ASSETS / file_name(fit.rule)
    command = fit_command(fit, builtin, out)
    run_fit([str(fitter), *command, *(["--yardstick", str(yardstick)] if yardstick else [])])
    old = read(builtin)
    fitted = with_network(old, json.loads(fitted_path(fit, out).read_text()))
    target = write(out / "weights", replace(fitted, shapes=old.shapes, policy=old.policy))
    if yardstick:
        judge(judging, yardstick, "before")
        judge(judging, yardstick, "after", "--weights", str(target))
    print(f"weights: {target}; play with them by --weights {target}", flush=True)
    state_path(fit, out).unlink(missing_ok=True)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds what is fitted to what, and the files."""
    add = parser.add_argument
    add("manifest", type=file_path, help="manifest of the generation (TOML)")
    add("--rule", type=int, default=0, choices=RULES, help="rule (default: 0)")
    add(
        "--epochs",
        type=partial(at_least_one, most=EPOCHS_MOST),
        default=3,
        metavar="N",
        help="number of epochs (default: 3)",
    )
    add(
        "--result-share",
        type=number_between(0, 1),
        default=0.5,
        metavar="S",
        help="share of the game's result in a label; the rest is the score (default: 0.5)",
    )
    add(
        "--rate",
        type=number_between(RATE_LEAST, RATE_MOST),
        metavar="R",
        help="highest learning rate (default: 0.002)",
    )
    add("--nodes", action="store_true", help="also learn the nodes of searches (training/nodes.py)")
    add(
        "--positions",
        type=partial(at_least_one, most=POSITIONS_MOST),
        metavar="N",
        help="use the first N quiet positions only",
    )
    add(
        "--out",
        type=file_path,
        default=ROOT / "build" / "refit",
        help="folder (default: build/refit)",
    )
    add(
        "--yardstick",
        type=file_path,
        metavar="FILE",
        help="yardstick (default: that of tests/data)",
    )


def add_parts(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the parts of the network."""
    add = parser.add_argument
    decay = number_between(0, DECAY_MOST)
    add("--lines", type=decay, metavar="DECAY", help="also learn lines, with this weight decay")
    add(
        "--recent",
        type=decay,
        metavar="DECAY",
        help="also learn the surroundings of the last two stones, with this weight decay",
    )
    add(
        "--keep-squares",
        action="store_true",
        help="learn the layers only, so the policy network stays valid",
    )
    start = parser.add_mutually_exclusive_group()
    start.add_argument(
        "--fresh",
        action="store_true",
        help="start from random numbers, not from the shipped network",
    )
    start.add_argument(
        "--start",
        type=file_path,
        metavar="WEIGHTS",
        help="start from the network of this weights file, which may be of another rule",
    )


def read_arguments() -> argparse.Namespace:
    """Reads the command line; ends the program with 2 after the reason of a refusal."""
    parser = argparse.ArgumentParser(description="Fits a network to the games of a generation.")
    add_options(parser)
    add_parts(parser)
    args = parser.parse_args()
    if args.nodes and args.positions:
        parser.error("--positions would leave out the nodes, which come last")
    if args.keep_squares and (args.fresh or args.start):
        parser.error("--keep-squares keeps the policy network, which has the built-in squares")
    return args


def fit_of(args: argparse.Namespace) -> Fit:
    """Returns the fit of the command line. Raises GamesError and ManifestError."""
    return Fit(
        args.rule,
        find_files(args.manifest, args.rule, nodes=args.nodes),
        args.epochs,
        args.result_share,
        args.positions,
        args.fresh,
        args.start,
        args.lines,
        args.recent,
        args.keep_squares,
        args.rate,
    )


def run(args: argparse.Namespace) -> int:
    """Fits; returns 1 after the reason of a failure, 2 for an argument that `network` refuses."""
    try:
        yardstick = choose_yardstick(args.yardstick, args.rule)
        refit(fit_of(args), args.out.resolve(), yardstick)
    except (
        ManifestError,
        GamesError,
        build_toolchain.BuildError,
        WeightsError,
        OSError,
        subprocess.CalledProcessError,
    ) as error:
        print(f"refit: {error}", file=sys.stderr)
        refused = isinstance(error, subprocess.CalledProcessError) and error.returncode == 2
        return 2 if refused else 1
    return 0


def main() -> int:
    """Runs the command line; returns 128 and the number of a signal that stopped it."""
    try:
        with handling(stop):
            return run(read_arguments())
    except Stopped as stopped:
        print("refit: stopped", file=sys.stderr)
        return stopped.status


if __name__ == "__main__":
    sys.exit(main())
