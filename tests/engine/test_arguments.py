"""The binding refuses bad arguments: errors name the fault, and nothing changes."""

from typing import Any

import pytest

from pyengine import (
    Color,
    Engine,
    EngineError,
    Limits,
    NotASquareError,
    OffBoardError,
    OptionError,
    OutOfRangeError,
    Rule,
    WrongTypeError,
)


def test_rules_may_be_given_by_number() -> None:
    with Engine(rule=16) as e:
        assert e.rule is Rule.NINUKI


NO_SQUARES: list[Any] = [
    "8h",
    None,
    7,
    (7,),
    (1, 2, 3),
    (1.0, 2),
    (float("nan"), 1),
    ("a", 1),
    (True, 1),
    {},
]
OFF_BOARD = [(15, 0), (0, 15), (-1, 7), (7, -1), (256, 0), (2**31, 7), (0, 2**64), (10**5000, 0)]


@pytest.mark.parametrize("square", NO_SQUARES, ids=repr)
def test_what_is_no_square_is_refused(square: Any) -> None:
    with Engine() as e:
        for call in (e.play, e.place, e.legal, lambda m: e.set_position(black=[m])):
            with pytest.raises(NotASquareError, match="a square") as info:
                call(square)
            assert isinstance(info.value, EngineError) and isinstance(info.value, ValueError)
            assert repr(square) in str(info.value)


@pytest.mark.parametrize("index", range(len(OFF_BOARD)))
def test_off_the_board(index: int) -> None:
    square = OFF_BOARD[index]
    with Engine() as e:
        assert e.legal(square) is False
        limits = Limits(time_ms=1, excluded=[square])
        for call in (
            lambda: e.play(square),
            lambda: e.place(square),
            lambda: e.set_position(white=[square]),
            lambda: e.search(limits),
        ):
            with pytest.raises(OffBoardError) as info:
                call()
            assert isinstance(info.value, ValueError)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"size": 4}, OutOfRangeError),
        ({"size": 23}, OutOfRangeError),
        ({"size": -1}, OutOfRangeError),
        ({"size": 2**40}, OutOfRangeError),
        ({"size": 15.0}, WrongTypeError),
        ({"size": "15"}, WrongTypeError),
        ({"rule": 3}, OutOfRangeError),
        ({"rule": -1}, OutOfRangeError),
        ({"rule": 2**70}, OutOfRangeError),
        ({"rule": "chess"}, OutOfRangeError),
        ({"threads": 0}, OutOfRangeError),
        ({"threads": 65}, OutOfRangeError),
        ({"threads": 2**32 + 1}, OutOfRangeError),
        ({"threads": 1.5}, WrongTypeError),
        ({"memory_mib": 0}, OutOfRangeError),
        ({"memory_mib": -64}, OutOfRangeError),
        ({"memory_mib": 2**40}, OutOfRangeError),
        ({"memory_mib": 0.01}, OutOfRangeError),
        ({"memory_mib": float("nan")}, OutOfRangeError),
        ({"memory_mib": float("inf")}, OutOfRangeError),
        ({"memory_mib": "64"}, WrongTypeError),
        ({"memory_mib": None}, WrongTypeError),
    ],
    ids=str,
)
def test_bad_arguments_are_named(arguments: dict[str, Any], error: type[EngineError]) -> None:
    (value,) = arguments.values()
    with pytest.raises(error) as info:
        Engine(**arguments)
    assert repr(value) in str(info.value)


def test_the_bounds_of_the_memory_are_those_that_are_told() -> None:
    """The message has the core's own limit. It once named twice that limit."""
    least, most = 0.0625, 1048576
    with Engine(memory_mib=least) as e:
        e.resize_table(most)
        e.resize_table(least)
        for wrong in (least - 1 / 1024, most + 1 / 1024, 2097151, 10**400):
            for call in (e.resize_table, lambda mib: Engine(memory_mib=mib)):
                with pytest.raises(OutOfRangeError, match=f"from {least} to {most}, not"):
                    call(wrong)
    Engine(memory_mib=most).close()


def test_the_number_of_threads_ends_where_the_core_says() -> None:
    with Engine(threads=64) as e:
        e.set_option("threads", 64)
        with pytest.raises(OptionError, match="threads must be from 1 to 64, not 65"):
            e.set_option("threads", 65)


@pytest.mark.parametrize(
    ("limits", "error"),
    [
        (Limits(time_ms=-1), OutOfRangeError),
        (Limits(time_ms=2**31), OutOfRangeError),
        (Limits(time_ms=0.5), WrongTypeError),  # type: ignore[arg-type]
        (Limits(soft_ms="1"), WrongTypeError),  # type: ignore[arg-type]
        (Limits(depth=-3), OutOfRangeError),
        (Limits(depth=2**31), OutOfRangeError),
        (Limits(depth=True), WrongTypeError),
        (Limits(nodes=-1), OutOfRangeError),
        (Limits(nodes=2**63), OutOfRangeError),
        (Limits(time_ms=1, lines=0), OutOfRangeError),
        (Limits(time_ms=1, lines=2**31), OutOfRangeError),
        (Limits(time_ms=1, excluded=None), WrongTypeError),  # type: ignore[arg-type]
        (Limits(time_ms=1, excluded="h8"), NotASquareError),
        (None, OutOfRangeError),
        (500, WrongTypeError),
    ],
    ids=str,
)
def test_bad_limits(limits: Limits, error: type[EngineError]) -> None:
    with Engine() as e, pytest.raises(error):
        e.search(limits)


def test_a_refused_position_leaves_the_old_one() -> None:
    with Engine(size=15) as e:
        e.set_position(black=[(7, 7)], white=[(8, 8)], neutral=[(1, 1)], to_move=Color.BLACK)
        bad: list[dict[str, Any]] = [
            {"black": [(3, 3), (3, 3)]},
            {"black": [(3, 3)], "white": [(3, 3)]},
            {"black": [(3, 3)], "neutral": [(3, 3)]},
            {"black": [(15, 3)]},
            {"captures": (-1, 0)},
            {"captures": (0, 2**31)},
            {"captures": (0, 1.0)},
            {"captures": 3},
            {"captures": (1, 2, 3)},
            {"to_move": "red"},
            {"black": None},
            {"white": 7},
            {"neutral": "h8"},
        ]
        for arguments in bad:
            with pytest.raises(EngineError):
                e.set_position(**arguments)
            assert e.legal((3, 3))
            assert not any(e.legal(m) for m in [(7, 7), (8, 8), (1, 1)])


def test_options() -> None:
    with Engine() as e:
        names = e.option_names()
        assert "threads" in names and len(set(names)) == len(names)
        prunes = [name for name in names if name.startswith("prune.")]
        assert prunes
        for name in prunes:
            e.set_option(name, 0)
            e.set_option(name, True)
            with pytest.raises(OptionError):
                e.set_option(name, 2)
        for name in ("", "no such", "threads\0x", "prüne", "\udc80", "x" * 10_000):
            with pytest.raises(OptionError):
                e.set_option(name, 1)
        with pytest.raises(WrongTypeError):
            e.set_option(b"threads", 1)  # type: ignore[arg-type]
        with pytest.raises(WrongTypeError):
            e.set_option("threads", 1.0)  # type: ignore[arg-type]
        for value in (65, 0, 2**63, -(2**63), 10**5000):
            with pytest.raises(OptionError, match="threads must be from 1 to 64"):
                e.set_option("threads", value)
