"""policy, network and write_weights.py name the fault of bad input and keep old files."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.selfplay import play, said
from training.gamefiles import build_programs

STANDARD = ROOT / "csrc" / "assets" / "standard.tgw"
GOOD = "1 15 0 0 7,7,0;7,8,5;\n"


def run(program: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Runs a program of training/ without input."""
    command = [build_programs(program)[0], *arguments]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("program", ["policy", "network"])
@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("garbage\n", "cannot be read"),
        ("1 99 0 0 50,50,0;60,60,0;\n", "has no board size of the engine"),
        ("1 15 0 0 7,7,0;garb;7,8,5;\n", "cannot be read"),
        ("1 15 0 0 7,7,0;7,7,0;\n", "has a move on a stone"),
        ("1 15 0 0 7,7,0;7,8,", "is cut short"),
    ],
)
def test_games_as_text_are_checked(program: str, line: str, what: str, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    out.write_text("the old one")
    done = subprocess.run(
        [build_programs(program)[0], "1", out, STANDARD],
        input=GOOD + line,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == f"{program}: line 2 of the games {what}\n"
    assert list(tmp_path.iterdir()) == [out]
    assert out.read_text() == "the old one"


@pytest.mark.parametrize("program", ["policy", "network"])
def test_a_move_outside_of_the_board_is_refused(program: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [build_programs(program)[0], "1", tmp_path / "out.json", STANDARD],
        input="1 15 0 0 7,7,0;400,300,0;7,8,5;\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == f"{program}: line 1 of the games has a move outside of the board\n"


@pytest.mark.parametrize(
    "number", ["1x", "x", "", "0", "-1", "1.5", "10001", "99999999999999999999"]
)
def test_a_number_of_epochs_is_whole(number: str, tmp_path: Path) -> None:
    for program in ("policy", "network"):
        done = run(program, number, tmp_path / "out.json", STANDARD)
        assert done.returncode == 2 and f"usage: {program} EPOCHS" in done.stderr


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("games", ("print", "--rule", "foo", "a.tg")),
        ("games", ("print", "--rule", "1x", "a.tg")),
        ("games", ("print", "--rule", "3", "a.tg")),
        ("games", ("print", "--rule", "-1", "a.tg")),
        ("games", ("print", "--rule")),
        ("judge", ("a.txt", "--first", "5x")),
        ("judge", ("a.txt", "--first", "0")),
        ("yardstick", ("out.txt", "5x", ".")),
        ("nodes", ("a.tg", "b.tg", "--searches", "2x")),
        ("nodes", ("a.tg", "b.tg", "--nodes")),
        ("selfplay", ("0", "15", "100", "10", "5x", "a.tg")),
        ("selfplay", ("0", "15", "100", "10", " 5", "a.tg")),
        ("network", ("1", "out.json", "a.tgw", "--threads", "1x")),
        ("network", ("1", "out.json", "a.tgw", "--lines", "nan")),
    ],
)
def test_a_number_of_an_option_is_checked(program: str, arguments: tuple[str, ...]) -> None:
    done = run(program, *arguments)
    assert done.returncode == 2 and f"usage: {program} " in done.stderr


def test_policy_says_at_once_where_it_cannot_write(tmp_path: Path) -> None:
    done = run("policy", "1", tmp_path / "none" / "out.json", STANDARD)
    assert done.returncode == 1
    assert "none/out.json cannot be written: No such file or directory" in done.stderr


def run_in_small_files(
    program: str, *arguments: object, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs a program of training/ that may write files of 1 KiB only."""
    command = ["bash", "-c", 'ulimit -f 1; exec "$@"', "-", build_programs(program)[0], *arguments]
    words = list(map(str, command))
    return subprocess.run(words, input=stdin, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("program", ["policy", "network"])
def test_a_network_that_is_too_large_keeps_the_old_one(
    program: str, player: Path, reader: Path, tmp_path: Path
) -> None:
    games = said(reader, "print", play(player, tmp_path / "games.tg", count=150)).stdout
    out = tmp_path / "out.json"
    out.write_text("the old one")
    weights = STANDARD.with_name("freestyle.tgw")
    done = run_in_small_files(program, 1, out, weights, stdin=games)
    assert done.returncode == 1
    assert done.stderr == f"{program}: {out} cannot be written: File too large\n"
    assert out.read_text() == "the old one"
    assert not out.with_name("out.json.part").exists()


def test_the_features_name_the_file_that_is_too_large(
    player: Path, reader: Path, tmp_path: Path
) -> None:
    games = said(reader, "print", play(player, tmp_path / "games.tg", count=10)).stdout
    done = run_in_small_files("features", tmp_path / "out", stdin=games)
    assert done.returncode == 1
    assert f"features: {tmp_path / 'out'}.heads cannot be written: File too large\n" in done.stderr


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("games", ("print", "games.tg")),
        ("judge", (ROOT / "tests" / "data" / "yardstick.txt", "--each")),
    ],
)
def test_a_full_disk_ends_what_is_printed(
    program: str,
    arguments: tuple[str | Path, ...],
    player: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    play(player, tmp_path / "games.tg", count=5)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [build_programs(program)[0], *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr == f"{program}: the output cannot be written: No space left on device\n"


def write_weights(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = ROOT / "training" / "write_weights.py"
    command = [sys.executable, program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("argument", "text", "what"),
    [
        ("1=none.json", None, "No such file or directory"),
        ("part.json", "{}", "expected the number of a rule"),
        ("standard=part.json", "{}", "expected the number of a rule"),
        ("1=part.json", '{"shapes": [', "part.json"),
        ("1=part.json", "[]", "expected an object"),
        ("1=part.json", '{"square": []}', "is not what this step writes"),
    ],
)
def test_parts_of_weights_are_checked(
    argument: str, text: str | None, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        Path("part.json").write_text(text)
    done = write_weights("policies", "out", ROOT / "csrc" / "assets", argument)
    assert done.returncode == 1
    assert done.stderr.startswith("write_weights: ") and what in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("paths", [("", ROOT / "csrc" / "assets", "1=0"), ("out", "", "1=0")])
def test_an_empty_folder_of_weights_is_refused(paths: tuple[str | Path, ...]) -> None:
    done = write_weights("borrowed", *paths)
    assert done.returncode == 2 and "an empty path; the current folder is ." in done.stderr


def test_a_part_that_goes_is_named(tmp_path: Path) -> None:
    done = write_weights("policies", tmp_path, ROOT / "csrc" / "assets")
    assert done.returncode == 0
    assert f"{tmp_path / 'standard.tgw'}: without this part" in done.stdout


@pytest.mark.parametrize(
    ("program", "name"),
    [(p, name) for p in ("policy", "network") for name in ("OUT", "WEIGHTS", "--games")]
    + [("network", "START")],
)
def test_an_empty_path_of_a_fit_is_refused(program: str, name: str, tmp_path: Path) -> None:
    out = "" if name == "OUT" else tmp_path / "out.json"
    weights = "" if name == "WEIGHTS" else STANDARD
    more = {"--games": ["--games", ""], "START": [""]}.get(name, [])
    done = run(program, "1", out, weights, *more)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{program}: {name} cannot be ''\nusage: {program} ")
