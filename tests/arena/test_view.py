"""The drawing of a board, and the demonstration that shows it."""

import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.play import demo
from arena.rules.board_view import ASCII, UNICODE, charset_for, draw_board, name_of, star_points
from arena.rules.referee import MAX_SIZE, MIN_SIZE, Color
from arena.util.exits import Exit
from tests.support.fakes import fake, no_brain_is_left
from tests.support.paths import ROOT


def shell(fault: str = "none", **keys: object) -> str:
    """Returns a fake brain as one argument of a command line."""
    return shlex.join(fake(fault, **keys))


def test_a_small_board_in_full() -> None:
    stones = {(0, 0): Color.BLACK, (3, 1): Color.WHITE}
    assert draw_board(5, stones, last=(3, 1), marks={(4, 4): "x"}) == [
        "    a b c d e",
        "  1 X . . . . 1",
        "  2 . . .[O]. 2",
        "  3 . . + . . 3",
        "  4 . . . . . 4",
        "  5 . . . . x 5",
        "    a b c d e",
    ]


def test_the_last_move_is_marked_at_the_edges_too() -> None:
    lines = draw_board(5, {(4, 0): Color.BLACK, (0, 4): Color.WHITE}, last=(4, 0), charset=UNICODE)
    assert lines[1] == "  1 · · · ·[●]1"
    assert draw_board(5, {(0, 4): Color.WHITE}, last=(0, 4))[5] == "  5[O]. . . . 5"


def test_every_size_is_a_rectangle_with_all_names() -> None:
    for size in range(MIN_SIZE, MAX_SIZE + 1):
        lines = draw_board(size, {})
        assert len(lines) == size + 2
        assert {line[: 4 + 2 * size - 1][-1] for line in lines[1:-1]} <= {".", "+"}
        assert lines[0].split() == [name_of((x, 0))[0] for x in range(size)]
        assert all(0 <= x < size and 0 <= y < size for x, y in star_points(size))
        # The star points have the eight symmetries of the board.
        assert {(size - 1 - x, y) for x, y in star_points(size)} == star_points(size)
        assert {(y, x) for x, y in star_points(size)} == star_points(size)
    assert len(star_points(15)) == 5
    assert len(star_points(19)) == 9


def test_squares_are_named_by_letter_and_number() -> None:
    assert [name_of(p) for p in [(0, 0), (7, 7), (21, 0), (3, 9)]] == ["a1", "h8", "v1", "d10"]


def test_the_characters_suit_the_output() -> None:
    assert charset_for("utf-8") is UNICODE
    assert [charset_for(name) for name in ("ascii", "latin-1", None, "nonsense")] == [ASCII] * 4


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the demonstration as a user does, with an ASCII output."""
    command = [sys.executable, "-X", "utf8=0", "-m", "arena.play.demo", *arguments]
    return subprocess.run(
        command,
        cwd=ROOT,
        env={"PYTHONIOENCODING": "ascii", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_game_is_shown_to_its_end() -> None:
    black = shell("says-first", text=r"MESSAGE depth 4 score 12\n", at=1)
    done = run(black, shell(), "--size", "10", "--turn-ms", "60000")
    assert (done.returncode, done.stderr) == (0, "")
    assert "1. X black " in done.stdout
    assert "a10 (0,0)" in done.stdout
    assert "depth 4  score 12" in done.stdout
    assert " 10[X]. . . . . . . . . 10\n" in done.stdout
    assert "result: black wins after 41 moves: five in a row [five]\n" in done.stdout
    assert no_brain_is_left()


def test_a_forfeit_has_an_exit_code_and_shows_the_last_lines() -> None:
    done = run(shell(), shell("says", text=r"h8\n", at=1), "--turn-ms", "60000", "--quiet")
    assert done.returncode == Exit.FORFEITED
    assert "white forfeits (protocol): answer to TURN: 'h8' [protocol]" in done.stdout
    assert "\n  > TURN 0,0\n  < h8\n" in done.stdout
    assert "a b c" not in done.stdout
    assert no_brain_is_left()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["/no/such/brain", "B"], "/no/such/brain: no such file"),
        ([str(ROOT), "B"], "is a folder"),
        ([__file__, "B"], "is not executable"),
        (["B", "B", "--size", "4"], "4 is not from 5 to 22"),
        (["B", "B", "--size", "23"], "23 is not from 5 to 22"),
        (["B", "B", "--size", "big"], "'big' is not a whole number"),
        (["B", "B", "--rule", "3"], "unknown rule: '3'; known: 0 freestyle"),
        (["B", "B", "--rule", "chess"], "unknown rule: 'chess'"),
        (["B", "B", "--turn-ms", "0"], "0 is not from 1"),
        (["B", "B", "--memory-mib", "-5"], "-5 is not from 0"),
        (["B"], "EXE_B"),
    ],
)
def test_bad_arguments_are_exit_code_2_and_said(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        demo.main([shell() if word == "B" else word for word in arguments])
    assert left.value.code == 2
    assert words in capsys.readouterr().err


def test_what_the_system_cannot_run_is_a_bad_argument(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "pbrain-broken"
    broken.write_bytes(b"\0\1\2")
    broken.chmod(0o755)
    with pytest.raises(SystemExit) as left:
        demo.main([shell(), str(broken)])
    assert left.value.code == 2
    assert f"cannot start {broken}" in capsys.readouterr().err
    assert no_brain_is_left()


def test_help_teaches(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        demo.main(["--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
    for word in ("exit code", "examples", "16 ninuki", "--turn-ms", "h8 (7,7)"):
        assert word in text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_demonstration_and_its_brains(number: signal.Signals) -> None:
    arguments = [shell(), shell("stall", at=1), "--turn-ms", "60000"]
    shown = subprocess.Popen(
        [sys.executable, "-m", "arena.play.demo", *arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert shown.stdout
    while b"1. " not in shown.stdout.readline():
        pass
    time.sleep(0.1)
    shown.send_signal(number)
    assert shown.wait(20) == (130 if number == signal.SIGINT else 143)
    shown.stdout.close()
    assert no_brain_is_left()
