"""Fits the value's network of one rule to the games of a generation, and judges it.

    python training/refit.py training/generations/freestyle-1.toml --result-share 0.5

It checks the files of the generation, fits the network to them (training/network.c), puts it beside
the networks of the other rules into a copy of the core under --out, and judges the core as it is
and with the new network by the yardstick. With --install the new tables go into csrc/eval/. The
network for the order of moves stands on the value's: fit it again afterwards (training/policy.c).
"""

import argparse
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import build_core  # noqa: E402
from pyengine import cpu_path  # noqa: E402
from training.gamefiles import GamesError, build_programs, read_file  # noqa: E402
from training.generate import games_folder  # noqa: E402
from training.manifest import RULES, ManifestError, read_manifest  # noqa: E402

HERE = ROOT / "training"
TABLES = "weights_network.c", "weights_network_ninuki.c"
YARDSTICK = ROOT / "tests" / "data" / "yardstick.txt"
NO_NETWORK = 3  # the status of `export`


@dataclass(frozen=True)
class Fit:
    """What is fitted: the files of one rule, and how."""

    rule: int
    files: tuple[Path, ...]
    epochs: int
    result_share: float
    positions: int | None
    fresh: bool


def find_files(manifest: Path, rule: int) -> tuple[Path, ...]:
    """Returns the good files of a rule, in the order of their names. Raises GamesError."""
    folder = games_folder() / read_manifest(manifest).name
    paths = sorted(folder.glob(f"{rule}-*.tg"))
    if not paths:
        raise GamesError(f"{folder}: there are no games of rule {rule}")
    for path in paths:
        if read_file(path).header.rule != rule:
            raise GamesError(f"{path} is of another rule than its name says")
    return tuple(paths)


def export(exporter: Path, rule: int, target: Path) -> bool:
    """Writes the network that a rule has now; False where it has none."""
    with target.open("wb") as file:
        done = subprocess.run([str(exporter), str(rule)], stdout=file, check=False)
    if done.returncode not in (0, NO_NETWORK):
        raise subprocess.CalledProcessError(done.returncode, done.args)
    return done.returncode == 0


def fit_network(fit: Fit, fitter: Path, shipped: Path | None, out: Path) -> Path:
    """Fits the network; begins with the one that ships, unless it is to begin by chance."""
    listed = out / f"games-{fit.rule}.txt"
    listed.write_text("".join(f"{path}\n" for path in fit.files))
    target = out / f"fitted-{fit.rule}.json"
    command = [str(fitter), str(fit.epochs), str(target)]
    if shipped and not fit.fresh:
        command.append(str(shipped))
    command += ["--games", str(listed), "--result-share", str(fit.result_share)]
    if fit.positions:
        command += ["--positions", str(fit.positions)]
    subprocess.run(command, check=True)
    return target


def judge(tree: Path, out: Path, yardstick: Path, name: str) -> None:
    """Builds the judge in a tree and prints what it says."""
    program = subprocess.run(
        [sys.executable, "-c", BUILD_JUDGE, str(out / f"judge-{name}"), cpu_path()],
        cwd=tree,
        check=True,
        capture_output=True,
        text=True,
    )
    print(f"yardstick, {name}:", flush=True)
    subprocess.run([program.stdout.splitlines()[-1], str(yardstick)], check=True)


BUILD_JUDGE = """
import sys
from pathlib import Path
import build_core
builder = build_core.Builder("release", build_core.find_toolchain(), Path(sys.argv[1]))
print(builder.for_cpu(sys.argv[2]).program(build_core.ROOT / "training" / "judge.c"))
"""


def refit(fit: Fit, out: Path, yardstick: Path | None, install: bool) -> None:
    """Does all of it."""
    out.mkdir(parents=True, exist_ok=True)
    fitter, exporter = build_programs(ROOT / "build" / "tools", "network", "export")
    shipped: dict[int, Path] = {}
    for rule in RULES:
        target = out / f"shipped-{rule}.json"
        if export(exporter, rule, target):
            shipped[rule] = target
    found = shipped | {fit.rule: fit_network(fit, fitter, shipped.get(fit.rule), out)}
    tree = out / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("csrc", "training"):
        shutil.copytree(ROOT / folder, tree / folder)
    for file in ROOT.glob("build_*.py"):
        shutil.copy(file, tree)
    pairs = [f"{rule}={path}" for rule, path in found.items()]
    target = tree / "csrc" / "eval" / TABLES[0]
    subprocess.run(
        [sys.executable, str(HERE / "write_networks.py"), str(target), *pairs], check=True
    )
    if yardstick:
        judge(ROOT, out, yardstick, "before")
        judge(tree, out, yardstick, "after")
    if install:
        for name in TABLES:
            shutil.copy(target.with_name(name), ROOT / "csrc" / "eval")
    print(f"network: {found[fit.rule]}; tables: {target.parent}")


def main() -> int:
    """Runs; 1 with the reason when something fails."""
    parser = argparse.ArgumentParser(description="Fit a network to a generation's games.")
    add = parser.add_argument
    add("manifest", type=Path, help="the generation (TOML)")
    add("--rule", type=int, default=0, choices=RULES, help="whose network (0)")
    add("--epochs", type=int, default=3, metavar="N", help="passes through the positions (3)")
    add("--result-share", type=float, default=0.5, metavar="S", help="of the label (0.5)")
    add("--positions", type=int, metavar="N", help="learn from the first N quiet positions only")
    add("--fresh", action="store_true", help="begin by chance, not with the network that ships")
    add("--out", type=Path, default=ROOT / "build" / "refit", help="where to work (build/refit)")
    add("--yardstick", type=Path, default=YARDSTICK, help="positions to judge by")
    add("--install", action="store_true", help="put the tables into csrc/eval/")
    args = parser.parse_args()
    try:
        fit = Fit(
            args.rule,
            find_files(args.manifest, args.rule),
            args.epochs,
            args.result_share,
            args.positions,
            args.fresh,
        )
        yardstick = args.yardstick.resolve() if args.yardstick.exists() else None
        refit(fit, args.out.resolve(), yardstick, args.install)
    except (
        ManifestError,
        GamesError,
        build_core.BuildError,
        OSError,
        subprocess.CalledProcessError,
    ) as error:
        print(f"refit: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
