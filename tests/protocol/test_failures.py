"""Engines that fail: one guarded place, the traceback in the log, one MESSAGE, a legal move."""

import ast
import itertools
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.position import Game, Setup
from protocol.replies import ABOUT
from protocol.settings import Settings
from pyengine import Color, Engine, EngineError, Line, Rule
from tests.support.fake_engine import FakeEngine
from tests.support.table import Table

METHODS = (
    "reset",
    "resize_table",
    "clear_table",
    "set_option",
    "set_position",
    "legal",
    "forbidden",
    "place",
    "undo",
    "arm",
    "stop",
    "search",
    "progress",
)
ERRORS = (ZeroDivisionError("out of luck"), EngineError("no engine"), MemoryError(), OSError(5))
FAILED = re.compile(r"MESSAGE [A-Z0-9_ ]+ FAILED: [A-Z.]+(: .*)?")


def raising(error: Exception, count: list[str] | None = None) -> Callable[..., None]:
    """A method that raises an error, whatever it is given; count: gets the error each time."""

    def method(*_: object, **__: object) -> None:
        if count is not None:
            count.append(str(error))
        raise type(error)(*error.args)

    return method


def broken(
    *methods: str, error: Exception = ERRORS[0], count: list[str] | None = None
) -> FakeEngine:
    """An engine on which each of the named methods raises."""
    engine = FakeEngine(think_s=0.02)
    for method in methods:
        assert hasattr(engine, method)
        setattr(engine, method, raising(error, count))
    return engine


def talk(table: Table, rule: int) -> Iterator[list[str]]:
    """Returns the answers to the requests of a short game, with some other commands in between."""
    yield table.send(f"INFO rule {rule}", "INFO thread_num 3", "INFO level 10", "START 15")
    yield table.send("YXSHOWFORBID")
    yield table.send("INFO timeout_turn 200", "INFO ponder 1", "BEGIN")
    yield table.send("TURN 0,0")
    yield table.send("YXHASHCLEAR", "INFO rule 4", f"INFO rule {rule}", "TURN 0,1")
    yield table.send("TAKEBACK 14,14", "YXNBEST 2")
    yield table.send("BOARD", "7,7,1", "8,8,2", "7,8,1", "8,7,2", "DONE")
    yield table.send("SWAP2BOARD", "DONE")
    yield table.send("SWAP2BOARD", "7,7", "8,8", "9,9", "DONE")
    yield table.send("RESTART", "INFO timeout_turn 0", "TURN 3,3")


CASES = [
    *(((method,), ERRORS[0], rule) for method in METHODS for rule in (0, 4, 16)),
    *((METHODS, error, rule) for error in ERRORS for rule in (0, 4, 16)),
    (("search",), MemoryError(), 0),
]


@pytest.mark.parametrize(("methods", "error", "rule"), CASES)
def test_an_engine_that_raises_still_plays(
    methods: tuple[str, ...], error: Exception, rule: int, capfd: pytest.CaptureFixture[str]
) -> None:
    count: list[str] = []
    table = Table(broken(*methods, error=error, count=count), settings=Settings(level=8))
    answers, told = [], 0
    for said in talk(table, rule):
        failures = [line for line in said if FAILED.fullmatch(line)]
        assert len(failures) <= 1, said
        told += len(failures)
        answers.append([line for line in said if not line.startswith("MESSAGE ")])
    start, showing, *moves, analysis, board, openings, choice, again = answers
    assert (start, showing, analysis[0]) == (["OK"], ["FORBID ."], "ERROR 14,14 is empty")
    for move in [*(move for (move,) in [*moves, board]), analysis[1]]:
        assert re.fullmatch(r"\d+,\d+", move), move
    assert re.fullmatch(r"\d+,\d+( \d+,\d+){2}", openings[0])
    assert re.fullmatch(r"SWAP|\d+,\d+", choice[0])
    assert again[0] == "OK" and re.fullmatch(r"\d+,\d+", again[1])
    assert len({*(move for (move,) in moves), "0,0", "0,1"}) == len(moves) + 2, "all different"
    assert bool(told) == bool(count), "no failure without a word, no word without a failure"
    assert ("Traceback" in capfd.readouterr().err) == bool(count)
    assert count or methods in (("legal",), ("undo",), ("stop",)), "the others are all asked"


def test_the_failure_is_told_once_with_the_next_move(capfd: pytest.CaptureFixture[str]) -> None:
    table = Table(broken("search"))
    table.send("INFO timeout_turn 100", "START 15")
    note = "MESSAGE SEARCH FAILED: ZERODIVISIONERROR: OUT OF LUCK"
    assert table.send("BEGIN") == [note, "7,7"]
    assert table.send("TURN 0,0") == [note, "6,6"]
    assert capfd.readouterr().err.count("ZeroDivisionError: out of luck") == 2


def test_a_failed_setting_is_told_with_the_next_move(table: Table) -> None:
    table.engine.set_option = raising(RuntimeError("no"))  # type: ignore[method-assign]
    said = table.send("INFO level 3", "INFO thread_num 2", "ABOUT", "TAKEBACK 1,1")
    assert said == [ABOUT, "ERROR 1,1 is empty"]
    assert table.send("BEGIN") == ["MESSAGE LEVEL FAILED: RUNTIMEERROR: NO", "7,7"]
    assert table.send("TURN 0,0") == ["6,6"]


def test_a_failure_that_passes_leaves_no_trace(table: Table) -> None:
    """After errors and stand-in moves the engine stands at the game again."""
    table.send("INFO rule 16")
    table.engine.place = raising(RuntimeError("no"))  # type: ignore[method-assign,assignment]
    table.send("BOARD", "5,5,2", "6,5,1", "7,5,1", "DONE")
    table.send("TURN 8,5")
    del table.engine.place
    table.ask("YXNBEST 1")
    position = table.engine.setups[-1]
    assert position["captures"] == (0, 1), "the pair is gone, though the engine had failed"
    assert position["white"] == [(5, 5), (8, 5)]
    assert table.engine.played[-1] != (8, 5), "the move that stood in is known as well"
    assert table.engine.played[-2:-1] == [(8, 5)]


@pytest.mark.parametrize("rule", [Rule.RENJU, Rule.NINUKI])
def test_without_an_engine_no_forbidden_move_is_played(rule: Rule) -> None:
    table = Table(broken(*METHODS))
    table.send("INFO timeout_turn 0", f"INFO rule {rule.value}", "START 15")
    forbidden = 0
    with Engine(size=15, rule=rule, memory_mib=1) as engine:
        for seed in range(30):
            chance = random.Random(seed)
            near = list(itertools.product(range(3, 12), range(3, 12)))
            stones = chance.sample(near, 20 + seed)
            lines = [f"{x},{y},{1 + n % 2}" for n, (x, y) in enumerate(stones)]
            to_move = Color.WHITE if len(stones) % 2 else Color.BLACK
            if to_move is Color.WHITE:  # the side with more stones is Black
                lines = [f"{x},{y},{2 - n % 2}" for n, (x, y) in enumerate(stones)]
            engine.set_position(black=stones[0::2], white=stones[1::2], to_move=to_move)
            forbidden += len(engine.forbidden())
            setup = Setup(15, tuple(stones[0::2]), tuple(stones[1::2]), (), (0, 0), to_move)
            game = Game(rule, setup, (), setup)
            surely = [square for square in setup.empty() if not game.may_be_forbidden(square)]
            assert len(surely) > 50 and all(map(engine.legal, surely))
            x, y = map(int, table.ask("BOARD", *lines, "DONE").split(","))
            assert engine.legal((x, y)), (seed, x, y)
    assert forbidden > 10, "there was something to avoid"


def test_a_failure_of_the_thread_that_tells_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    class Mute(FakeEngine):
        def progress(self, after: int = 0) -> list[Line]:
            raise RuntimeError("mute")

    table = Table(Mute(think_s=0.3))
    table.send("INFO timeout_turn 1000", "START 15")
    assert table.send("BEGIN") == ["MESSAGE PROGRESS FAILED: RUNTIMEERROR: MUTE", "7,7"]
    assert "RuntimeError: mute" in capfd.readouterr().err


def test_a_reader_with_an_engine_that_cannot_stop_goes_on() -> None:
    table = Table(broken("stop"))
    table.send("INFO timeout_turn 50", "START 15")
    table.interrupt.stop(1)
    began = time.monotonic()
    note = "MESSAGE STOP FAILED: ZERODIVISIONERROR: OUT OF LUCK"
    assert table.send("STOP", "BEGIN")[-2:] == [note, "7,7"]
    assert time.monotonic() - began < 5


def test_there_is_one_place_that_catches_everything(root: Path) -> None:
    """Elsewhere only errors that are expected are caught, by their names."""
    found = []
    for path in sorted((root / "protocol").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler):
                names = ast.unparse(node.type) if node.type else "everything"
                reraised = any(isinstance(n, ast.Raise) for n in itertools.chain(node.body))
                if names in ("everything", "Exception", "BaseException") and not reraised:
                    found.append(path.name)
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("suppress"):
                caught = {ast.unparse(argument) for argument in node.args}
                assert not {"Exception", "EngineError"} & caught, path.name
    assert found == ["guard.py"]
