"""Fits of the value network to files of games."""

import json
import re
import signal
import subprocess
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

import build_weights
from tests.support.generations import MANIFEST, generate, start_script
from tests.support.selfplay import play, said
from training.write_weights import network_of, with_network

FREESTYLE = build_weights.ASSETS / "freestyle.tgw"


def fit(
    fitter: Path, target: Path, *options: object, weights: Path = FREESTYLE
) -> subprocess.CompletedProcess[str]:
    """Fits for one epoch on top of the shipped tables."""
    command = [str(fitter), "1", str(target), str(weights), *map(str, options)]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


def test_the_fit_reads_files_of_games(
    player: Path, reader: Path, fitter: Path, tmp_path: Path
) -> None:
    """A file of games gives the same fit as its text; the label options take effect."""
    paths = [play(player, tmp_path / f"{n}.tg", "--engine", str(n), count=120) for n in (1, 2)]
    listed = tmp_path / "list.txt"
    listed.write_text("".join(f"{path}\n" for path in paths))
    first = fit(fitter, tmp_path / "a.json", "--games", listed)
    assert first.returncode == 0 and "epoch 1" in first.stdout, first.stderr
    text = said(reader, "print", *paths).stdout
    command = [str(fitter), "1", str(tmp_path / "b.json"), str(FREESTYLE)]
    assert subprocess.run(command, input=text, text=True, check=True, capture_output=True)
    network = (tmp_path / "a.json").read_text()
    assert (tmp_path / "b.json").read_text() == network
    half = fit(fitter, tmp_path / "c.json", "--games", listed, "--result-share", "0.5")
    assert half.returncode == 0 and (tmp_path / "c.json").read_text() != network
    for rate, same in (("0.002", True), ("1e-7", False)):
        other = fit(fitter, tmp_path / "e.json", "--games", listed, "--rate", rate)
        assert other.returncode == 0, other.stderr
        assert ((tmp_path / "e.json").read_text() == network) is same
    few = fit(fitter, tmp_path / "d.json", "--games", listed, "--positions", "1500")
    learned = [int(done.stdout.split()[1]) for done in (first, few)]
    assert learned[1] < 1600 < learned[0]


def test_the_fit_refuses_what_is_damaged_or_of_another_rule(
    player: Path, fitter: Path, tmp_path: Path
) -> None:
    good = play(player, tmp_path / "good.tg", count=3)
    other = play(player, tmp_path / "other.tg", count=3, rule=1)
    bad = tmp_path / "bad.tg"
    bad.write_bytes(good.read_bytes()[:-1])
    listed = tmp_path / "list.txt"
    for path, text in ((other, "other.tg is of another rule"), (bad, "bad.tg is cut short")):
        listed.write_text(f"{good}\n{path}\n")
        done = fit(fitter, tmp_path / "a.json", "--games", listed)
        assert done.returncode == 1 and text in done.stderr
        assert not (tmp_path / "a.json").exists()
    assert fit(fitter, tmp_path / "a.json", "--result-share", "2").returncode == 2
    (tmp_path / "empty.txt").write_text("")
    for name, why in (
        ("none.txt", "none.txt cannot be read"),
        ("empty.txt", "empty.txt names no file of games"),
        ("", f"{tmp_path} cannot be read"),
    ):
        done = fit(fitter, tmp_path / "a.json", "--games", tmp_path / name)
        assert done.returncode == 1 and why in done.stderr


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("my notes", "cannot be read"),
        ("0 15 1 0 7,7,0;8,8", "cannot be read"),
        ("0 15 1 0 7,7,99999;", "cannot be read"),
        ("0 4 1 0 1,1,0;", "has no board size of the engine"),
        ("0 99 1 0 7,7,0;", "has no board size of the engine"),
        ("0 15 1 0 7,15,0;", "has a move outside of the board"),
        ("0 15 1 0 -1,7,0;", "has a move outside of the board"),
        ("0 15 1 0 7,7,0;7,7,0;", "has a move on a stone"),
    ],
)
def test_a_damaged_line_of_games_is_named(
    line: str, why: str, fitter: Path, tmp_path: Path
) -> None:
    command = [str(fitter), "1", str(tmp_path / "a.json"), str(FREESTYLE)]
    text = f"0 15 1 0 7,7,0;8,8,-5!;\n{line}\n"
    done = subprocess.run(command, input=text, text=True, check=False, capture_output=True)
    assert done.returncode == 1 and done.stderr == f"network: line 2 of the games {why}\n"


def test_the_fit_goes_on_from_a_network_of_two_laws(
    root: Path, player: Path, fitter: Path, tmp_path: Path
) -> None:
    """A fit from renju's network has a lower loss than a fit from random numbers."""
    renju = build_weights.ASSETS / "renju.tgw"
    (tmp_path / "start.json").write_text(json.dumps(network_of(build_weights.read(renju))))
    path = play(player, tmp_path / "a.tg", count=400, rule=4, size=15)
    (tmp_path / "list.txt").write_text(f"{path}\n")
    target = tmp_path / "a.json"
    options = (tmp_path / "start.json", "--games", tmp_path / "list.txt")
    begun = fit(fitter, target, *options, weights=renju).stdout
    parts = ("--lines", "1", "--recent", "1")
    fresh = fit(fitter, tmp_path / "fresh.json", *parts, *options[1:], weights=renju).stdout
    losses = [re.search(r"epoch 1: loss ([\d.]+)", said) for said in (begun, fresh)]
    assert losses[0] is not None and losses[1] is not None, begun + fresh
    assert float(losses[0][1]) < float(losses[1][1]) - 0.02, begun + fresh
    assert len(json.loads(target.read_text())["square"]) == 2 * build_weights.layout().constant(
        "NET_CODES"
    )


def test_a_network_in_the_form_of_the_fit_is_the_one_that_ships() -> None:
    """The shipped network, read and written back, gives the same bytes."""
    for path in build_weights.ASSETS.glob("*.tgw"):
        weights = build_weights.read(path)
        again = with_network(weights, json.loads(json.dumps(network_of(weights))))
        whole = replace(again, shapes=weights.shapes, policy=weights.policy)
        assert build_weights.pack(whole) == path.read_bytes()
        assert again.policy is None, "it stood on another network"


@pytest.fixture(scope="module")
def generation(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a manifest and its games."""
    folder = tmp_path_factory.mktemp("generation")
    text = MANIFEST.replace("share = 2", "share = 20").replace("2500", "6000")
    assert generate(root, folder, text=text).returncode == 0
    yardstick = (root / "tests" / "data" / "yardstick.txt").read_text().splitlines()[:40]
    (folder / "y.txt").write_text("\n".join(yardstick) + "\n")
    return folder


def start_refit(root: Path, generation: Path, out: Path, *options: str) -> subprocess.Popen[str]:
    """Starts a fit of one epoch to the games of a generation."""
    usual = ("--epochs", "1", "--out", str(out), "--yardstick", str(generation / "y.txt"))
    return start_script(root, generation, "refit.py", *usual, *options)


def refit(root: Path, generation: Path, out: Path, *options: str) -> tuple[int, str, str]:
    """Returns the exit status and the output of a complete run."""
    with start_refit(root, generation, out, *options) as running:
        said, errors = running.communicate()
    return running.returncode, said, errors


def test_a_network_is_fitted_to_a_generation_and_judged(
    root: Path, generation: Path, tmp_path: Path
) -> None:
    code, text, errors = refit(root, generation, tmp_path)
    assert code == 0, errors
    rows = [line for line in text.splitlines() if line.startswith(("freestyle", "renju"))]
    assert len(rows) == 4 and rows[0] != rows[2] and rows[1] == rows[3]
    value = re.search("yardstick 16  (value .*)", text)
    assert value and value[1] in rows[2], "the yardstick after the epoch"
    fitted = build_weights.read(tmp_path / "weights" / "freestyle.tgw")
    shipped = build_weights.read(FREESTYLE)
    assert fitted.codes == shipped.codes and fitted.policy == shipped.policy
    assert fitted.network != shipped.network
    code, _, errors = refit(root, generation, tmp_path, "--rule", "4")
    assert code == 1 and "no games of rule 4" in errors


def test_a_stopped_fit_to_a_generation_continues(
    root: Path, generation: Path, tmp_path: Path
) -> None:
    """Its state is refused by another fit, and removed after the last epoch."""
    epochs = ("--epochs", "3")
    state = tmp_path / "fit-0.state"
    (tmp_path / "fitted-0.json").write_text("{}")  # of an earlier fit
    with start_refit(root, generation, tmp_path, *epochs) as running:
        assert running.stdout
        while "epoch 1" not in running.stdout.readline():
            assert running.poll() is None
        running.send_signal(signal.SIGTERM)
        assert "the same command continues" in running.communicate()[0]
    assert running.returncode == 128 + signal.SIGTERM and state.exists()
    assert not (tmp_path / "weights").exists()
    code, _, errors = refit(root, generation, tmp_path)
    assert code == 1 and f"{state} is of a fit with other options: EPOCHS differs" in errors
    assert (tmp_path / "fitted-0.json").read_text() == "{}", "a refused fit keeps it"
    code, text, errors = refit(root, generation, tmp_path, *epochs)
    assert code == 0 and "continued after step" in text, errors
    assert (tmp_path / "weights" / "freestyle.tgw").exists() and not state.exists()


def check_goes_on(before: list[list[int]], after: list[list[int]]) -> None:
    """Asserts that a further fit began with these rows."""
    pairs = zip(chain.from_iterable(before), chain.from_iterable(after), strict=True)
    moved = sum(abs(one - other) for one, other in pairs)
    assert moved < sum(map(abs, chain.from_iterable(before))) / 2


def test_lines_are_learned_and_learned_on(player: Path, fitter: Path, tmp_path: Path) -> None:
    """One thread and two give the same numbers. A further fit keeps the lines."""
    path = play(player, tmp_path / "a.tg", count=150, size=15)
    (tmp_path / "list.txt").write_text(f"{path}\n")
    start = tmp_path / "start.json"
    without_lines = replace(build_weights.read(FREESTYLE), lines=None)
    start.write_text(json.dumps(network_of(without_lines)))
    games = ("--games", tmp_path / "list.txt")
    found = []
    for threads in (1, 2):
        target = tmp_path / f"{threads}.json"
        done = fit(fitter, target, start, *games, "--lines", "2", "--threads", threads)
        assert done.returncode == 0, done.stderr
        found.append(target.read_bytes())
    assert found[0] == found[1]
    learned = json.loads(found[0])
    weights = with_network(build_weights.read(FREESTYLE), learned)
    assert weights.lines is not None and network_of(weights) == learned
    assert build_weights.unpack(build_weights.pack(weights)) == weights
    rows = learned["lines"]
    assert len(rows) == 3 * build_weights.layout().constant("LINE_CLASSES")
    assert any(map(any, rows))
    with_lines = tmp_path / "1.json"
    again = fit(fitter, tmp_path / "again.json", with_lines, *games)
    assert again.returncode == 0, again.stderr
    fitted_on = json.loads((tmp_path / "again.json").read_text())
    check_goes_on(rows, fitted_on["lines"])
    kept = fit(fitter, tmp_path / "kept.json", with_lines, *games, "--squares", "keep")
    assert kept.returncode == 0, kept.stderr
    after = json.loads((tmp_path / "kept.json").read_text())
    assert all(after[name] == learned[name] for name in ("square", "factor", "bias", "lines"))
    assert any(after[name] != learned[name] for name in ("hidden", "out", "recent"))
    refused = fit(fitter, tmp_path / "x.json", start, *games, "--lines", "1", "--squares", "keep")
    assert refused.returncode == 2 and "keep leaves no lines to learn" in refused.stderr
    wide = [row * 2 for row in rows]
    (tmp_path / "wide.json").write_text(json.dumps({**learned, "lines": wide}))
    refused = fit(fitter, tmp_path / "x.json", tmp_path / "wide.json", *games)
    assert refused.returncode == 1 and "a row of lines to start from has not 8" in refused.stderr
    assert fit(fitter, tmp_path / "x.json", *games, "--lines", "-1").returncode == 2
    assert fit(fitter, tmp_path / "x.json", *games, "--threads", "0").returncode == 2


def test_the_last_stones_are_learned_and_learned_on(
    player: Path, fitter: Path, tmp_path: Path
) -> None:
    """One thread and two give the same numbers. With `--squares keep` the squares stay."""
    path = play(player, tmp_path / "a.tg", count=400, size=15)
    (tmp_path / "list.txt").write_text(f"{path}\n")
    whole = network_of(build_weights.read(FREESTYLE))
    begun = {name: part for name, part in whole.items() if not name.startswith("recent")}
    start = tmp_path / "start.json"
    start.write_text(json.dumps(begun))
    games = ("--games", tmp_path / "list.txt")
    runs = {
        "one": ("--squares", "keep", "--threads", "1"),
        "two": ("--squares", "keep", "--threads", "2"),
        "free": ("--threads", "1"),
    }
    found = {}
    for name, options in runs.items():
        done = fit(fitter, tmp_path / f"{name}.json", start, *games, "--recent", "1", *options)
        assert done.returncode == 0, done.stderr
        assert "without the last stones: validation " in done.stdout
        found[name] = json.loads((tmp_path / f"{name}.json").read_text())
    learned = found["one"]
    assert learned == found["two"]
    for field in ("square", "factor", "bias"):
        assert learned[field] == begun[field]
    assert learned["hidden"] != begun["hidden"] and found["free"]["square"] != begun["square"]
    weights = with_network(build_weights.read(FREESTYLE), learned)
    assert weights.recent is not None and network_of(weights) == learned
    assert build_weights.unpack(build_weights.pack(weights)) == weights
    rows = learned["recent"]
    assert len(rows) == 2 * build_weights.layout().constant("LINE_CLASSES")
    assert any(map(any, rows)) and any(map(any, learned["recent_absent"]))
    again = fit(fitter, tmp_path / "again.json", tmp_path / "one.json", *games)
    assert again.returncode == 0, again.stderr
    fitted_on = json.loads((tmp_path / "again.json").read_text())
    check_goes_on(rows, fitted_on["recent"])
    assert fit(fitter, tmp_path / "x.json", *games, "--recent", "-1").returncode == 2
    assert fit(fitter, tmp_path / "x.json", *games, "--squares", "learn").returncode == 2


def test_a_target_that_cannot_be_written_is_named_at_once(fitter: Path, tmp_path: Path) -> None:
    """The games, which do not exist, are not read before. Files that exist are kept."""
    games = ("--games", tmp_path / "none.txt")
    for target, why in (("none/a.json", "No such file"), (".", "Is a directory")):
        refused = fit(fitter, tmp_path / target, *games)
        assert refused.returncode == 1
        said = f"network: {tmp_path / target} cannot be written: {why}"
        assert refused.stderr.startswith(said), refused.stderr
    old, part = tmp_path / "old.json", tmp_path / "old.json.part"
    for path in (old, part):
        path.write_text("{}")
    assert "none.txt cannot be read" in fit(fitter, old, *games).stderr
    assert sorted(tmp_path.iterdir()) == [old, part]
    assert old.read_text() == part.read_text() == "{}"


@pytest.mark.parametrize("length", [0, 20000, -1, -2])
def test_a_start_that_is_cut_short_is_named(length: int, fitter: Path, tmp_path: Path) -> None:
    start = tmp_path / "start.json"
    start.write_text(json.dumps(network_of(build_weights.read(FREESTYLE)))[:length])
    done = fit(fitter, tmp_path / "x.json", start)
    assert done.returncode == 1 and done.stderr == f"network: {start} is cut short\n"


@pytest.mark.parametrize("name", ["columns", "Columns", "", "a_name_that_is_longer_than_any"])
def test_a_start_with_an_unknown_part_is_refused(
    name: str, player: Path, fitter: Path, tmp_path: Path
) -> None:
    """The fit does not begin with a part of a network, and names the file."""
    path = play(player, tmp_path / "a.tg", count=20, size=15)
    (tmp_path / "list.txt").write_text(f"{path}\n")
    start = tmp_path / "start.json"
    start.write_text(json.dumps(network_of(build_weights.read(FREESTYLE)) | {name: [1]}))
    done = fit(fitter, tmp_path / "x.json", start, "--games", tmp_path / "list.txt")
    assert done.returncode == 1
    assert "start.json cannot be read, or has an unknown part" in done.stderr
