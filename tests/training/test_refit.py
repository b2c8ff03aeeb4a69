"""The start and the exit status of refit.py, without a fit."""

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

import build_weights
from training import fitters, refit
from training.write_weights import network_of, with_network


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Runs `main` with options; the programs are replaced."""

    def run_fit(command: list[str]) -> None:
        (tmp_path / "fitted-0.json").write_text("{}")
        (tmp_path / "fit-0.state").write_text("")

    def run(*options: str) -> int:
        command = ["refit.py", str(tmp_path / "a.toml"), "--out", str(tmp_path), *options]
        monkeypatch.setattr(sys, "argv", command)
        return refit.main()

    weights = build_weights.read(build_weights.ASSETS / "freestyle.tgw")
    monkeypatch.setattr(refit, "find_files", lambda *_, **__: ())
    monkeypatch.setattr(refit, "build_programs", lambda *_: [Path("network"), Path("judge")])
    monkeypatch.setattr(refit, "run_fit", run_fit)
    monkeypatch.setattr(refit, "judge", lambda *_: None)
    monkeypatch.setattr(refit, "with_network", lambda *_: weights)
    monkeypatch.setattr(refit, "write", lambda *_: tmp_path / "freestyle.tgw")
    return run


@pytest.mark.parametrize("place", ["find_files", "judge"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_outside_of_the_fit(
    place: str,
    number: signal.Signals,
    main: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The state is kept until the end of the judging."""
    usual, before = getattr(refit, place), signal.getsignal(number)
    monkeypatch.setattr(refit, place, lambda *_, **__: signal.raise_signal(number))
    assert main() == 128 + number and signal.getsignal(number) == before
    assert capsys.readouterr().err == "refit: stopped\n"
    assert (tmp_path / "fit-0.state").exists() == (place == "judge")
    monkeypatch.setattr(refit, place, usual)
    assert main() == 0 and not (tmp_path / "fit-0.state").exists()


def test_a_missing_yardstick_is_an_error(
    main: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main("--yardstick", str(tmp_path / "none.txt")) == 1
    assert "none.txt" in capsys.readouterr().err


def test_a_rule_without_a_yardstick(main: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The usual file has no pente. It is not judged, and the program says so."""
    assert refit.choose_yardstick(None, 32) is None
    assert "has no position of rule 32" in capsys.readouterr().out
    assert refit.choose_yardstick(None, 0) == refit.YARDSTICK
    assert refit.choose_yardstick(refit.YARDSTICK, 32) == refit.YARDSTICK, "as the user says"


@pytest.mark.parametrize("status", [130, 143])
def test_a_fit_that_was_stopped_alone(status: int) -> None:
    with pytest.raises(fitters.Stopped) as stopped:
        fitters.run_fit(["sh", "-c", f"exit {status}"])
    assert stopped.value.status == status


def fit_from(start: Path | None, rule: int) -> refit.Fit:
    """Returns a fit that begins with a weights file."""
    return refit.Fit(rule, (), 1, 0.5, None, False, start, None, None, False, None)


def test_the_options_of_numbers_reach_the_program(
    main: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[str] = []

    def run_fit(command: list[str]) -> None:
        given.extend(command)
        raise OSError("enough")

    monkeypatch.setattr(refit, "run_fit", run_fit)
    options = ["--rate", "0.0007", "--result-share", "0.25", "--lines", "3.0", "--recent", "2.0"]
    assert main(*options, "--positions", "70", "--epochs", "9") == 1
    assert given[1] == "9"
    for name, value in zip(options[::2], options[1::2], strict=True):
        assert given[given.index(name) + 1] == value
    assert given[given.index("--positions") + 1] == "70"
    for name, value in [("--rate", "1e-07"), ("--rate", "0.1"), ("--result-share", "0.0")]:
        assert main(name, value) == 1
        assert given[-20:][given[-20:].index(name) + 1] == value
    given.clear()
    assert main() == 1 and given and "--rate" not in given


@pytest.mark.parametrize(
    ("name", "value", "bounds"),
    [
        ("--rate", "0", "1e-07 to 0.1"),
        ("--rate", "nan", "1e-07 to 0.1"),
        ("--rate", "fast", "1e-07 to 0.1"),
        ("--result-share", "1.1", "0 to 1"),
        ("--lines", "-1", "0 to 3.4e+38"),
        ("--recent", "inf", "0 to 3.4e+38"),
        ("--epochs", "0", "1 to 10000"),
        ("--epochs", "10001", "1 to 10000"),
        ("--positions", "-5", "1 to 1000000000000000"),
    ],
)
def test_a_number_out_of_bounds_is_refused_at_once(
    name: str, value: str, bounds: str, main: Any, capsys: Any
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(name, value)
    assert ended.value.code == 2
    assert f"argument {name}: {value}: expected a number, {bounds}" in capsys.readouterr().err


def test_a_fit_may_start_from_another_rule() -> None:
    """Both laws of renju begin with freestyle's only one; the parts without laws are the same."""
    freestyle, renju = (build_weights.ASSETS / f"{name}.tgw" for name in ("freestyle", "renju"))
    own = refit.start_network(fit_from(None, 0), freestyle)
    borrowed = refit.start_network(fit_from(freestyle, 4), renju)
    assert own == network_of(build_weights.read(freestyle))
    assert borrowed != network_of(build_weights.read(renju))
    for part, numbers in own.items():
        twice = part in {"square", "lines", "recent"}
        assert borrowed[part] == (numbers * 2 if twice else numbers), part
    weights = with_network(build_weights.read(renju), borrowed)
    assert build_weights.unpack(build_weights.pack(weights)) == weights
    with pytest.raises(build_weights.WeightsError, match="has 2 laws, rule 0 has 1"):
        refit.start_network(fit_from(renju, 0), freestyle)


def test_a_start_is_read_or_named(main: Any, tmp_path: Path, capsys: Any) -> None:
    """A file that is missing is named; --fresh has no start."""
    assert main("--start", str(tmp_path / "none.tgw")) == 1
    assert "none.tgw" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main("--fresh", "--start", "a.tgw")
    assert ended.value.code == 2
    assert "not allowed with argument --fresh" in capsys.readouterr().err


@pytest.mark.parametrize("start", [("--fresh",), ("--start", "a.tgw")])
def test_kept_squares_are_the_built_in_ones(start: tuple[str, ...], main: Any, capsys: Any) -> None:
    """The policy network that is kept would not fit the squares of another start."""
    with pytest.raises(SystemExit) as ended:
        main("--keep-squares", *start)
    assert ended.value.code == 2
    assert "--keep-squares keeps the policy network" in capsys.readouterr().err
