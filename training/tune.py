"""Makes weights from nothing: self-play, features, fits, and a weights file for each rule.

    python training/tune.py               a hundredth of the recipe, as a test
    python training/tune.py --share 1     the whole recipe

The files are a candidate: play them against the built-in weights with `--weights`. If they win,
copy them to csrc/assets/. Each fit uses only earlier results of the same run.

Finished parts stay under --out and are not repeated. Games are in files of 100 games. A file with
fewer games is played again from its first game. The fits of networks write their state every ten
minutes, and after Ctrl-C or SIGTERM. So the same command continues an interrupted run. It refuses
the state of a fit of another recipe, and names the file. Every rule needs games in the recipe, or
borrows from a rule named under [borrowed].

Exit status: 0; 1 after a fault; 2 after a wrong argument; 130 after Ctrl-C; 143 after SIGTERM.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import build_toolchain  # noqa: E402
from build_weights import WeightsError, file_name, has_captures  # noqa: E402
from training.arguments import at_least_one, file_path, share_of_games  # noqa: E402
from training.chunk import Chunk, ChunkError, Player  # noqa: E402
from training.fitters import Stopped, fit_games, input_of, is_done, stop  # noqa: E402
from training.gamefiles import GamesError, build_programs, engine_text, read_file  # noqa: E402
from training.recipe import (  # noqa: E402
    CHUNK,
    RULES,
    GameSet,
    NetworkFit,
    PolicyFit,
    Recipe,
    RecipeError,
    read_recipe,
)
from training.signals import handling  # noqa: E402
from training.textfile import replace_text  # noqa: E402

HERE = ROOT / "training"
# The folders of weights files: tables only, with a value network, with everything.
TABLES, NETWORKS, WHOLE = "tables", "networks", "weights"


def has_games(target: Path, count: int) -> bool:
    """Says whether a file has so many games. Raises GamesError if it is damaged."""
    return target.exists() and read_file(target).header.count == count


def play(player: Player, games: GameSet, start: int, target: Path) -> None:
    """Plays one chunk, unless its file has all games. Raises GamesError, ChunkError and OSError."""
    count, seed = min(CHUNK, games.games - start), games.seed + start
    if has_games(target, count):
        return
    chunk = Chunk(games.rule, games.size, games.nodes, seed, count, engine_text(), mix=(100, 0, 0))
    if not player.play(chunk, target) or not has_games(target, count):
        raise ChunkError(f"{target}: selfplay was stopped before its last game")
    print(f"  games {target.relative_to(target.parent.parent)}", flush=True)


Played = dict[GameSet, list[Path]]


def chunk_files(games: GameSet, out: Path) -> list[Path]:
    """Returns the files of a set in order, and makes their folder."""
    folder = out / "games" / f"{games.rule}-{games.size}-{games.nodes}"
    folder.mkdir(parents=True, exist_ok=True)
    return [folder / f"{games.seed + start}.tg" for start in range(0, games.games, CHUNK)]


def play_all(program: Path, recipe: Recipe, out: Path, workers: int) -> Played:
    """Plays the missing games; returns the files of each set in order.

    Raises GamesError, ChunkError and OSError. Raises Stopped after SIGTERM or SIGINT, which end the
    running games.
    """
    files = {games: chunk_files(games, out) for games in recipe.sets}
    player = Player(program)
    numbers: list[int] = []

    def end(number: int) -> None:
        numbers.append(number)
        player.stop()

    try:
        with handling(end), ThreadPoolExecutor(workers) as pool:
            jobs = [
                pool.submit(play, player, games, number * CHUNK, target)
                for games, targets in files.items()
                for number, target in enumerate(targets)
            ]
            try:
                for job in jobs:
                    job.result()
            except BaseException:
                player.stop()
                raise
    except ChunkError:
        if not numbers:
            raise
    if numbers:
        raise Stopped(numbers[0])
    return files


def files_of(played: Played, learner: str) -> dict[int, list[Path]]:
    """Returns the files of each rule for one use: "weights", "networks" or "policies"."""
    files: dict[int, list[Path]] = {}
    for games, paths in played.items():
        if getattr(games, learner):
            files.setdefault(games.rule, []).extend(paths)
    return files


def pour(command: list[str], files: list[Path], printer: Path) -> None:
    """Runs a command with the games of the files, as text, as its input.

    Raises CalledProcessError if the command fails or a file is damaged. The output of the command
    is then useless, because it has read only some files.
    """
    with (
        subprocess.Popen(command, stdin=subprocess.PIPE) as running,
        subprocess.Popen(
            [str(printer), "print", *map(str, files)], stdout=running.stdin
        ) as printing,
    ):
        assert running.stdin
        running.stdin.close()
        try:
            running.wait()
        except BaseException:  # of a signal, which has not reached the programs
            for program in (printing, running):
                program.kill()
            raise
    for program in (printing, running):
        if program.returncode not in (0, -signal.SIGPIPE):
            raise subprocess.CalledProcessError(program.returncode, program.args)


def fit_rule(rule: int, reader: Path, printer: Path, files: list[Path], out: Path) -> Path:
    """Fits one rule to its games unless it is done."""
    target, note = out / f"fit-{rule}.json", out / f"fit-{rule}.games"
    names = "\n".join(str(path.relative_to(out)) for path in files)
    if is_done(target, note, names):
        return target
    stem = out / f"features-{rule}"
    pour([str(reader), str(stem)], files, printer)
    # one thread: the work is bound by memory, and threads would wait for each other
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, str(HERE / "fit.py"), str(rule), str(stem), str(target)]
    subprocess.run(command, check=True, env=environment)
    for ending in ("heads", "values", "moves"):
        Path(f"{stem}.{ending}").unlink()
    replace_text(note, names)
    return target


def network_of(rule: int, out: Path) -> Path:
    """Returns the path of a rule's network."""
    return out / f"network-{rule}.json"


def fit_network(fit: NetworkFit, fitter: Path, files: list[Path], out: Path) -> Path:
    """Fits the value network of one rule on top of the new tables, unless it is done.

    It is done if tables and start are the same.
    """
    target = network_of(fit.rule, out)
    below = [out / TABLES / file_name(fit.rule)]
    below += [] if fit.start is None else [network_of(fit.start, out)]
    command = [str(fitter), str(fit.epochs), str(target), *map(str, below)]
    fit_games(command, target, files, input_of(fit.epochs, below, files, out))
    return target


def fit_policy(fit: PolicyFit, fitter: Path, files: list[Path], out: Path) -> Path:
    """Fits the policy network of one rule on top of the new value network, unless it is done."""
    target = out / f"policy-{fit.rule}.json"
    below = out / NETWORKS / file_name(fit.rule)
    command = [str(fitter), str(fit.epochs), str(target), str(below)]
    fit_games(command, target, files, input_of(fit.epochs, [below], files, out))
    return target


def borrow(rule: int, fit: Path, out: Path) -> Path:
    """Writes one rule's fit under another rule's number."""
    target = out / f"fit-{rule}.json"
    replace_text(target, json.dumps({**json.loads(fit.read_text()), "rule": rule}))
    return target


def write_files(step: str, *arguments: object) -> None:
    """Runs write_weights.py to write weights files."""
    command = [sys.executable, HERE / "write_weights.py", step, *arguments]
    subprocess.run(list(map(str, command)), check=True)


def tune_tables(recipe: Recipe, files: dict[int, list[Path]], out: Path) -> None:
    """Fits the tables of all rules and writes them."""
    reader, printer = build_programs("features", "games")
    fits = {rule: fit_rule(rule, reader, printer, files[rule], out) for rule in files}
    for rule in RULES:
        if rule not in fits:
            fits[rule] = borrow(rule, fits[recipe.borrowed[rule]], out)
    write_files("tables", out / TABLES, *(fits[rule] for rule in RULES))


def tune_networks(recipe: Recipe, files: dict[int, list[Path]], out: Path) -> None:
    """Fits the networks and adds them to the tables."""
    (fitter,) = build_programs("network")
    found: dict[int, Path] = {}
    for fit in recipe.networks:
        print(f"rule {fit.rule}", flush=True)
        found[fit.rule] = fit_network(fit, fitter, files[fit.rule], out)
    lend(found, recipe, files)
    pairs = [f"{rule}={path}" for rule, path in found.items()]
    write_files("networks", out / NETWORKS, out / TABLES, *pairs)


def tune_policies(recipe: Recipe, files: dict[int, list[Path]], out: Path) -> None:
    """Fits the policy networks and adds them to the files."""
    (fitter,) = build_programs("policy")
    found: dict[int, Path] = {}
    for fit in recipe.policies:
        print(f"rule {fit.rule}", flush=True)
        found[fit.rule] = fit_policy(fit, fitter, files[fit.rule], out)
    lend(found, recipe, files)
    pairs = [f"{rule}={path}" for rule, path in found.items()]
    write_files("policies", out / WHOLE, out / NETWORKS, *pairs)


def lend(found: dict[int, Path], recipe: Recipe, files: dict[int, list[Path]]) -> None:
    """Gives a rule without games the network of the rule that it borrows from.

    A rule with captures gets none: the other networks have not seen captures.
    """
    for rule, lender in recipe.borrowed.items():
        if rule not in files and lender in found and not has_captures(rule):
            found[rule] = found[lender]


def tune(recipe: Recipe, out: Path, workers: int) -> None:
    """Runs all steps. The weights files are in the folder WHOLE of `out`."""
    out.mkdir(parents=True, exist_ok=True)
    (program,) = build_programs("selfplay")
    played = play_all(program, recipe, out, workers)
    tune_tables(recipe, files_of(played, "weights"), out)
    tune_networks(recipe, files_of(played, "networks"), out)
    tune_policies(recipe, files_of(played, "policies"), out)
    print(f"weights: {out / WHOLE}; play with them by --weights {out / WHOLE}")


def main() -> int:
    """Runs; returns 1 after the reason of a failure, 128 and the number of a signal that came."""
    parser = argparse.ArgumentParser(
        description="Runs self-play, the fits and the making of weights, by a recipe."
    )
    parser.add_argument("--recipe", type=file_path, default=HERE / "recipe.toml", help="TOML file")
    parser.add_argument(
        "--share",
        type=share_of_games,
        default=0.01,
        help="share of the games of each set (default: 0.01)",
    )
    parser.add_argument("--out", type=file_path, default=ROOT / "build" / "tune", help="folder")
    parser.add_argument(
        "--workers",
        type=at_least_one,
        default=os.cpu_count(),
        help="games at once (default: one for each processor)",
    )
    args = parser.parse_args()
    out = args.out.resolve()
    try:
        with handling(stop):
            tune(read_recipe(args.recipe, args.share), out, args.workers)
    except Stopped as stopped:
        print("tune: stopped; the same command continues", file=sys.stderr)
        return stopped.status
    except (
        RecipeError,
        GamesError,
        ChunkError,
        build_toolchain.BuildError,
        WeightsError,
        OSError,
        subprocess.CalledProcessError,
    ) as error:
        print(f"tune: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
