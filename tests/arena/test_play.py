"""The board at the terminal: input, output, and no process left behind."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena.game.formats import from_psq, from_sgf
from arena.game.record import EndReason
from arena.play.commands import COMMANDS
from arena.util.exits import Exit
from tests.support.fakes import fake
from tests.support.paths import ROOT, SUPPORT
from tests.support.stopwatch import Stopwatch
from tests.support.terminal import PLAY, are_gone, playing

CONFIGURABLE = SUPPORT / "fakes" / "configurable_brain.py"
GAME = "tests/data/games/odd_forfeit.psq"
GOOD = shlex.join((sys.executable, "-S", "-E", str(CONFIGURABLE)))


pytestmark = pytest.mark.usefixtures("nothing_is_left")


# Through a terminal


def test_a_game_with_every_kind_of_mistake(tmp_path: Path) -> None:
    game = tmp_path / "game.psq"
    with playing("--white", GOOD, "--turn", "20s") as terminal:
        terminal.expect(r"black human.*white configurable_brain, freestyle 15x15")
        terminal.expect("black> ")
        mistakes = {
            "xyzzy": "is not a square",
            "z9": "is off the board",
            "15,15": r"off the board, which goes from a1 \(0,14\) to o15 \(14,0\)",
            "-1,3": "off the board",
            "take": "there is no proposed move",
            "undo": "none of your moves",
            "undo 3": r"only 0 move\(s\)",
            "undo x": "is not a number",
            "save": "save needs a file name",
            "save /no/such/folder/game": "cannot be written: No such file",
            "quit now": "takes no argument",
            "\x1b[A": "takes no argument|is not a square",
            "h8h8h8" * 400: "1200 moves: the board has 225 squares",
        }
        for line, said in mistakes.items():
            terminal.type(line)
            terminal.expect(said)
            terminal.expect("black> ")
        terminal.press(b"\xff\xfe\xc3\n")
        terminal.expect("is not a square")
        terminal.type("h8")
        terminal.expect(r"1\. . black human: h8 \(7,7\)")
        terminal.expect(r"2\. . white configurable_brain: g9 \(6,6\)")
        terminal.expect(r"9 .*\[○\]")
        terminal.expect(r"time used:  black 0:\d\d\.\d  white 0:\d\d\.\d\n")
        terminal.type("g9", "H8", "6,6")
        for _ in range(3):
            terminal.expect("already has a")
        terminal.type("6, 8")
        terminal.expect(r"4\. . white configurable_brain")
        terminal.type(f"save {game.with_suffix('')}", "moves")
        terminal.expect(r"saved to")
        terminal.expect(r"1\. h8 g9 g7 \w+")
        terminal.type("undo", "moves")
        terminal.expect(r"1\. h8 g9\n")
        terminal.type("g7")
        terminal.expect(r"4\. . white configurable_brain")
        terminal.type("help")
        for word in COMMANDS:
            terminal.expect(word)
        terminal.type("resign")
        terminal.expect("result: white wins after 4 moves: black resigns")
        terminal.type("a1")
        terminal.expect("the game is over; undo")
        terminal.type("quit")
        assert terminal.exit_code() == 0
        assert "\x1b[1;36m●" in terminal.raw
    record = from_psq(game.read_text())
    assert [move.point for move in record.moves][:3] == [(7, 7), (6, 6), (6, 8)]
    assert (record.winner, record.reason) == (None, EndReason.UNKNOWN)


def test_two_people_play_to_the_end_and_think_again(tmp_path: Path) -> None:
    with playing("--white", "human", "--size", "9", "--plain") as terminal:
        for x in range(4):
            terminal.type(f"{x},0", f"{x},8")
        terminal.type("e9")
        terminal.expect("result: black wins after 9 moves: five in a row")
        terminal.expect("game over> ")
        terminal.type("undo")
        terminal.expect("black> ")
        terminal.type("e8", "i1", "quit")
        terminal.expect(r"10\. ○ white human: i1 \(8,8\)")
        assert terminal.exit_code() == 0
        assert "\x1b[1;36m" not in terminal.raw


@pytest.mark.parametrize("keys", [b"\x04", b"quit\n"])
def test_the_end_of_the_input_ends_the_game(keys: bytes) -> None:
    with playing("--white", GOOD, "--turn", "20s") as terminal:
        terminal.type("h8")
        terminal.expect(r"2\. .*\n(?:.*\n)*black> ")
        running = terminal.engines(1)
        terminal.press(keys)
        assert terminal.exit_code() == 0
    assert are_gone(running)


def test_ctrl_c_at_the_prompt() -> None:
    with playing("--white", GOOD) as terminal:
        terminal.type("h8")
        terminal.expect(r"2\. .*\n(?:.*\n)*black> ")
        running = terminal.engines(1)
        terminal.press(b"\x03")
        assert terminal.exit_code() == 130
    assert are_gone(running)


@pytest.mark.parametrize("end", ["ctrl-c", "sigterm"])
def test_the_end_while_an_engine_thinks(end: str) -> None:
    stalling = shlex.join(fake("stall", at=1))
    with playing("--white", stalling, "--turn", "60s") as terminal:
        terminal.type("h8")
        terminal.expect(r"1\. .*h8")
        running = terminal.engines(1)
        time.sleep(0.3)
        if end == "ctrl-c":
            terminal.press(b"\x03")
        else:
            terminal.signal(signal.SIGTERM)
        watch = Stopwatch()
        assert terminal.exit_code() == (130 if end == "ctrl-c" else 128 + signal.SIGTERM)
        assert watch.own_s < 8
    assert are_gone(running)


def test_an_engine_that_breaks_down_is_told_and_can_be_tried_again() -> None:
    crashing = shlex.join(fake("crash", at=2))
    with playing("--white", crashing, "--turn", "20s") as terminal:
        terminal.type("h8")
        terminal.expect(r"2\. .*a15")
        terminal.type("h7")
        terminal.expect("fake_brain failed: crash: .*exit code 3")
        terminal.expect("> TURN 7,8")
        terminal.expect(r"result: black wins after 3 moves: white forfeits \(crash\)")
        terminal.expect("game over> ")
        terminal.type("undo")
        terminal.expect("black> ")
        terminal.type("h7")
        terminal.expect(r"4\. .*white")
        terminal.type("quit")
        assert terminal.exit_code() == 0


def test_our_own_engine_hints_and_analyses() -> None:
    with playing("--turn", "400ms", "--level", "1", "--size", "15") as terminal:
        terminal.type("h8")
        terminal.expect(r"2\. . white tengen: \w+")
        terminal.type("hint")
        hint = terminal.expect(r"hint: (\w+) \(\d+,\d+\)")
        terminal.type("take")
        terminal.expect(rf"3\. . black human: {hint[1]} ")
        terminal.expect(r"4\. . white tengen: \w+")
        terminal.type("analyse 3")
        terminal.expect(r"tengen, \d\.\d s:")
        second = terminal.expect(r" 1  \w+ .*\n +2  (\w+) ")
        terminal.expect("`take` plays line 1, `take 2` line 2")
        terminal.type("take 9", "take 2")
        terminal.expect("there is no line 9")
        terminal.expect(rf"5\. . black human: {second[1]} ")
        terminal.expect(r"6\. .*\n(?:.*\n)*black> ")
        terminal.press(b"\x04")
        assert terminal.exit_code() == 0


def test_renju_shows_and_refuses_forbidden_squares() -> None:
    with playing("--white", "human", "--rule", "renju") as terminal:
        terminal.type("7,6", "0,0", "7,8", "0,14", "6,7", "14,0", "8,7", "14,14")
        terminal.expect("x forbidden for black: h8\n")
        terminal.type("h8")
        terminal.expect(r"h8 is forbidden for black: double.three")
        terminal.type("quit")
        assert terminal.exit_code() == 0
        assert re.search(r"\n  8 .* x .*8\n", terminal.seen)


def test_ninuki_shows_captured_pairs() -> None:
    with playing("--white", "human", "--rule", "16", "--ascii", "--plain") as terminal:
        terminal.expect("ninuki 19x19")
        terminal.type("3,3", "4,3", "10,10", "5,3", "6,3")
        terminal.expect(r"5\. X black human: g16 \(6,3\).* takes e16 \(4,3\) f16 \(5,3\)")
        terminal.expect("captured pairs: black 1, white 0")
        terminal.type("undo 1")
        terminal.expect("captured pairs: black 0, white 0")
        terminal.type("quit")
        assert terminal.exit_code() == 0
        assert terminal.seen.isascii()


def test_keryo_shows_captured_stones() -> None:
    options = ("--white", "human", "--rule", "keryo", "--opening-rule", "none")
    with playing(*options, "--ascii", "--plain") as terminal:
        terminal.expect("keryo 19x19")
        terminal.type("3,3", "4,3", "10,10", "5,3", "12,12", "6,3", "7,3")
        terminal.expect(r"captured stones: black 3, white 0 \(fifteen win\)")
        terminal.type("quit")
        assert terminal.exit_code() == 0


def test_two_engines_play_before_your_eyes(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    words = ["--black", GOOD, "--white", GOOD, "--turn", "20s", "--delay", "20", "--size", "7"]
    began = time.monotonic()
    with playing(*words, "--save", str(path)) as terminal:
        terminal.expect("result: ")
        assert terminal.exit_code() == 0
    record = from_sgf(path.read_text())
    assert len(record.moves) * 0.02 < time.monotonic() - began
    assert record.reason in (EndReason.FIVE, EndReason.BOARD_FULL)


def test_an_engine_that_forfeits_makes_the_exit_code() -> None:
    illegal = shlex.join(fake("occupied", at=2))
    with playing("--black", GOOD, "--white", illegal, "--turn", "20s") as terminal:
        terminal.expect("fake_brain failed: illegal: .*is occupied")
        assert terminal.exit_code() == Exit.FORFEITED


def test_a_game_of_a_file_is_played_on(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("h8 i9 j8 a1\n")
    with playing("--load", str(path), "--white", "human") as terminal:
        terminal.expect(r"game\.txt: 4 moves; undo goes back through them")
        terminal.expect("black> ")
        terminal.type("moves", "undo 2", "moves", "redo", "moves", "a2", "redo", "moves", "quit")
        terminal.expect(r"1\. h8 i9 j8 a1\n")
        terminal.expect(r"1\. h8 i9\n")
        terminal.expect(r"1\. h8 i9 j8\n")
        terminal.expect(r"only 0 move\(s\) can be played again")
        terminal.expect(r"1\. h8 i9 j8 a2\n")
        assert terminal.exit_code() == 0


def test_a_game_with_stones_set_up_is_played_on(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;FF[4]GM[4]SZ[9]RU[renju]AB[aa][bb]AW[cc]PL[W];W[ee];B[ff])")
    saved = tmp_path / "saved.sgf"
    with playing("--load", str(path), "--black", GOOD, "--white", "human") as terminal:
        terminal.expect("renju 9x9")
        terminal.expect("white> ")
        terminal.type("undo")
        terminal.expect("none of your moves|white> ")
        terminal.type(f"save {saved}", "quit")
        terminal.expect("saved to")
        assert terminal.exit_code() == 0
    record = from_sgf(saved.read_text())
    assert (record.setup.black, record.setup.white) == (((0, 0), (1, 1)), ((2, 2),))
    assert record.setup.first == "white"


def test_a_game_is_reviewed_at_its_end(tmp_path: Path) -> None:
    # White leaves an open three, then an open four, alone.
    moves = ["e5", "a9", "e6", "a8", "e4", "i1", "e7", "i2", "e3"]
    words = ["--white", "human", "--size", "9", "--turn", "200ms", "--review", "--plain"]
    with playing(*words) as terminal:
        terminal.type(" ".join(moves), f"review {tmp_path}", "quit")
        terminal.expect("result: black wins after 9 moves")
        terminal.expect("review by tengen, 200 ms for each position:")
        terminal.expect(r"2 +white +a9 +\w+ +\d+ %")
        terminal.expect("game over> ")
        terminal.expect(r"wrote .*review\.html")
        assert terminal.exit_code() == 0
    assert "e7" in (tmp_path / "review.json").read_text()


# Without a terminal


def piped(
    *arguments: str, stdin: bytes = b"", **environment: str
) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [*PLAY, *arguments],
        input=stdin,
        capture_output=True,
        timeout=60,
        cwd=ROOT,
        env={**os.environ, **environment},
    )


def test_any_output_can_show_the_board() -> None:
    done = piped("--white", "human", stdin=b"h8\n\xff\xff\nd4\n", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stderr == b""
    text = done.stdout.decode("ascii")
    assert "[X]" in text and "is not a square" in text and "\x1b" not in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--white", "no/such/engine"], "no such file"),
        (["--engine", "no-such-command-anywhere"], "no such file or command"),
        (["--size", "99"], "99"),
        (["--rule", "chess"], "unknown rule"),
        (["--level", "11"], "11"),
        (["--turn", "soon"], "soon"),
        (["--delay", "soon"], "soon"),
        (["--delay", "900-500"], "the range ends before it begins"),
        (["--load", "no-such-game.psq"], "no-such-game.psq"),
        (["--load", "LICENSE"], "LICENSE"),
        (["--load", GAME, "--size", "19"], "the size is 15: expected the same --size, or none"),
        (["--load", GAME, "--game", "2"], "there is no game 2"),
        (["--load", GAME, "--opening-rule", "swap"], "--opening-rule"),
        (["--squares", "h8"], "h8"),
        (["--save", "LICENSE"], "already exists"),
        (["--save", "x" * 300], "File name too long"),
        (["--save", "/"], "--save: /"),
        (["--save", ""], "argument --save: an empty path"),
    ],
)
def test_wrong_arguments_are_told(arguments: list[str], words: str) -> None:
    done = piped(*arguments)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
