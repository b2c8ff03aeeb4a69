"""The shipped sets of openings: legal, readable by others, and documented."""

import re
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

from arena.openings.book import Kind, OpeningError, examine, shipped, shipped_name, shipped_sizes
from arena.rules.referee import Position, Rule
from tests.support.openings import SHIPPED, to_edge


@pytest.mark.parametrize(("rule", "size"), SHIPPED)
def test_shipped_sets_are_sound(rule: Rule, size: int) -> None:
    assert size in shipped_sizes(rule)
    path = resources.files("arena.openings") / "data" / shipped_name(rule, size)
    assert isinstance(path, Path)
    report = examine(path, size=size, rule=rule, kind=Kind.OFFSET)
    assert not report.problems
    assert not report.copies
    openings = [opening.moves for opening in report.openings]
    assert openings == shipped(rule, size)
    assert len(openings) >= 200
    lengths = Counter(len(moves) for moves in openings)
    assert set(lengths) == {3, 4, 5, 6, 7}
    near_edge = [moves for moves in openings if any(to_edge(move, size) <= 1 for move in moves)]
    central = [moves for moves in openings if all(to_edge(move, size) >= 4 for move in moves)]
    assert len(near_edge) >= 10
    assert len(central) >= (50 if size > 15 else 15)  # on 15x15 the middle is 7x7 squares
    for moves in openings:
        position = Position(size=size, rule=rule)
        assert not any(position.play(move).captured for move in moves)


@pytest.mark.parametrize(("rule", "size"), SHIPPED)
def test_shipped_files_mean_the_same_to_other_readers(rule: Rule, size: int) -> None:
    name = shipped_name(rule, size)
    data = (resources.files("arena.openings") / "data" / name).read_bytes()
    assert data.endswith(b"\n")
    assert not data.startswith(b"\n") and b"\n\n" not in data and b"\r" not in data
    assert re.fullmatch(rb"(-?\d+,-?\d+(, -?\d+,-?\d+)*\n)+", data)
    # GomocupJudge removes all blanks from a line and reads each two numbers as x and y.
    lines = [re.sub(r"\s+", "", line).split(",") for line in data.decode().splitlines()]
    half = size // 2
    assert shipped(rule, size) == [
        tuple((half + int(x), half + int(y)) for x, y in zip(line[::2], line[1::2], strict=True))
        for line in lines
    ]
    # c-gomoku-cli leaves out numbers that are not from -16 to 15.
    assert all(-16 <= int(number) <= 15 for line in lines for number in line)


def test_other_boards_get_the_nearest_smaller_set() -> None:
    moved = [tuple((x + 1, y + 1) for x, y in moves) for moves in shipped(0, 15)]
    larger = shipped(0, 16)  # 8 is the middle of 16, 7 that of 15
    assert larger == [moves for moves in moved if moves in larger]
    assert len(larger) >= len(moved) - 2  # some are copies of each other on the larger board only
    assert shipped(Rule.STANDARD, 22)[0] == tuple(
        (x + 1, y + 1) for x, y in shipped(Rule.STANDARD, 20)[0]
    )
    assert len(shipped(Rule.RENJU, 19)) >= 190
    assert len(shipped(Rule.NINUKI, 20)) >= 190
    with pytest.raises(OpeningError, match=r"shipped for caro 14x14.*15x15, 20x20"):
        shipped(Rule.CARO, 14)
    with pytest.raises(OpeningError, match=r"ninuki 15x15: .* for 19x19 and larger"):
        shipped(Rule.NINUKI, 15)


def test_the_way_they_were_made_is_told() -> None:
    text = (resources.files("arena.openings") / "data" / "README.md").read_text("utf-8")
    for rule, size in SHIPPED:
        assert f"`{shipped_name(rule, size)}`" in text
