"""The referee agrees with a second, different implementation of the definitions."""

import random
import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given

from arena.rules import renju
from arena.rules.grid import Grid
from arena.rules.referee import Point, Position, Reason, Rule, Status
from tests.support.crowds import BLACK, RANDOM, RENJU_CASES, STEPS, WHITE, crowd, seeds, set_up


class SetBoard:
    """Holds black stones and occupied squares as sets, and judges renju by trying all subsets.

    It uses sets of stones where the referee uses windows of a line.
    """

    def __init__(self, size: int, black: set[Point], taken: set[Point]) -> None:
        """Takes the black stones and all occupied squares."""
        self.size, self.black, self.taken = size, black, taken

    def plus(self, point: Point) -> "SetBoard":
        """Returns this board with one more black stone."""
        return SetBoard(self.size, self.black | {point}, self.taken | {point})

    def line(self, point: Point, step: Point) -> list[Point]:
        """Returns all squares of the board in line with one, in order."""
        steps = range(-self.size, self.size)
        squares = [(point[0] + step[0] * i, point[1] + step[1] * i) for i in steps]
        return [(x, y) for x, y in squares if 0 <= x < self.size and 0 <= y < self.size]

    def run(self, point: Point, step: Point) -> set[Point]:
        """Returns the black stones in an unbroken row with one."""
        line, run = self.line(point, step), {point}
        for part in (line[line.index(point) + 1 :], line[: line.index(point)][::-1]):
            for square in part:
                if square not in self.black:
                    break
                run.add(square)
        return run

    def sets_with(self, point: Point, step: Point, count: int) -> list[tuple[Point, ...]]:
        """Returns every set of `count` black stones on a line through the point."""
        stones = [square for square in self.line(point, step) if square in self.black]
        return [chosen for chosen in combinations(stones, count) if point in chosen]

    def fours(self, point: Point) -> int:
        """Counts the sets of four that one more stone turns into exactly five."""
        found = set()
        for step in STEPS:
            for four in self.sets_with(point, step, 4):
                for extra in set(self.line(point, step)) - self.taken:
                    if self.plus(extra).run(extra, step) == {*four, extra}:
                        found.add((step, four))
        return len(found)

    def is_straight(self, four: list[Point], step: Point) -> bool:
        """Says whether four stones are adjacent and either end makes exactly five."""
        first, last = four[0], four[-1]
        if last != (first[0] + 3 * step[0], first[1] + 3 * step[1]):
            return False
        before = (first[0] - step[0], first[1] - step[1])
        after = (last[0] + step[0], last[1] + step[1])
        return all(
            end in self.line(first, step)
            and end not in self.taken
            and len(self.plus(end).run(end, step)) == 5
            for end in (before, after)
        )

    def threes(self, point: Point) -> int:
        """Counts the sets of three that an allowed stone turns into a straight four."""
        found = set()
        for step in STEPS:
            line = self.line(point, step)
            for three in self.sets_with(point, step, 3):
                for extra in set(line) - self.taken:
                    four = sorted([*three, extra], key=line.index)
                    if self.plus(extra).is_straight(four, step) and self.allows_fourth(extra):
                        found.add((step, three))
        return len(found)

    def allows_fourth(self, point: Point) -> bool:
        """Says whether a stone is neither a five nor forbidden."""
        after = self.plus(point)
        fives = any(len(after.run(point, step)) == 5 for step in STEPS)
        return not fives and self.why_forbidden(point) is None

    def why_forbidden(self, point: Point) -> str | None:
        """Returns the first reason why a square is forbidden for Black."""
        after = self.plus(point)
        lengths = [len(after.run(point, step)) for step in STEPS]
        if 5 in lengths:
            return None
        if max(lengths) > 5:
            return "overline"
        if after.fours(point) >= 2:
            return "double_four"
        return "double_three" if after.threes(point) >= 2 else None


def same_forbidden(size: int, black: set[Point], others: set[Point]) -> int:
    """Compares both implementations on every empty square; returns the number of forbidden ones."""
    position = Position(size=size, rule=Rule.RENJU)
    position.set_position(black=black, neutral=others)
    board = SetBoard(size, black, black | others)
    grid = Grid(size=size)
    for point in black:
        grid.put(point, BLACK.letter)
    for point in others:
        grid.put(point, WHITE.letter)
    forbidden = 0
    for x in range(size):
        for y in range(size):
            if (x, y) not in board.taken:
                reason = position.why_forbidden((x, y))
                assert (reason.value if reason else None) == board.why_forbidden((x, y)), (x, y)
                assert renju.judge(grid, (x, y)) == reason, "the short cut changes nothing"
                forbidden += reason is not None
    return forbidden


@RANDOM
@given(seed=seeds)
def test_renju_forbidden_in_two_readings(seed: int) -> None:
    """The referee and the sets forbid the same squares, for the same reason."""
    rng = random.Random(seed)
    size = rng.choice((6, 8, 11))
    stones: dict[str, set[Point]] = {"B": set(), "W": set(), ".": set()}
    weights = [rng.uniform(0.15, 0.4), rng.uniform(0.0, 0.15), 0.5]
    for x in range(size):
        for y in range(size):
            stones[rng.choices("BW.", weights)[0]].add((x, y))
    same_forbidden(size, stones["B"], stones["W"])


@pytest.mark.parametrize("case", RENJU_CASES, ids=lambda case: str(case["id"]))
def test_renju_cases_in_two_readings(case: dict[str, Any]) -> None:
    """Around each case both implementations agree on the whole board."""
    black = {(x, y) for x, y in case["black"]}
    white = {(x, y) for x, y in case["white"]}
    assert same_forbidden(case["size"], black, white) >= case["forbidden"]


def ray_text(position: Position, point: Point, step: Point) -> str:
    """Returns the contents of the squares after one, in a direction, with `#` for the edge."""
    stones, size = position.stones, position.size
    text = ""
    x, y = point[0] + step[0], point[1] + step[1]
    while 0 <= x < size and 0 <= y < size:
        letter = "N" if (x, y) in position.neutral else "."
        text += stones[(x, y)].letter if (x, y) in stones else letter
        x, y = x + step[0], y + step[1]
    return text + "#"


@RANDOM
@given(seed=seeds)
def test_ninuki_double_threes_and_captures_in_two_readings(seed: int) -> None:
    """Captures and double threes agree with those found by patterns in a text."""
    position = set_up(Rule.NINUKI, crowd(seed, rule=Rule.NINUKI, sizes=(7, 9)))
    mine, theirs = position.to_move.letter, position.to_move.other.letter
    group = re.compile(f"{mine}*(?:[.]{mine}+)?")
    for x, y in set(position.legal_moves()) | set(position.forbidden()):
        pairs, threes = 0, 0
        for dx, dy in STEPS:
            rays = [ray_text(position, (x, y), step) for step in ((dx, dy), (-dx, -dy))]
            pairs += sum(ray.startswith(f"{theirs}{theirs}{mine}") for ray in rays)
            sides = [found.group() for ray in rays if (found := group.match(ray))]
            ends = [ray[len(side)] for ray, side in zip(rays, sides, strict=True)]
            stones, span = "".join(sides).count(mine) + 1, len("".join(sides)) + 1
            threes += stones == 3 and span <= 4 and ends == [".", "."]
        assert position.is_forbidden((x, y)) == (threes >= 2 and pairs == 0)
        if position.legal((x, y)) and not position.is_over:
            assert len(position.play((x, y)).captured) == 2 * pairs
            position.undo()


@RANDOM
@given(seed=seeds)
def test_pending_means_that_a_reply_breaks(seed: int) -> None:
    """A new five is pending exactly if some capturing reply leaves the owner without a five."""
    rng = random.Random(seed)
    arguments = crowd(seed, rule=Rule.NINUKI, sizes=(7, 9))
    mover = arguments["to_move"]
    row, start = rng.randrange(arguments["size"]), rng.randrange(arguments["size"] - 4)
    line = [(start + i, row) for i in range(5)]
    for name in ("black", "white", "neutral"):
        arguments[name] = [point for point in arguments[name] if point not in line]
    move = line.pop(rng.randrange(5))
    arguments[mover.value] = arguments[mover.value] + line
    arguments["captures"] = (0, 0)
    position = set_up(Rule.NINUKI, arguments)
    if position.status is not Status.ONGOING or not position.legal(move):
        return
    outcome = position.play(move)
    if outcome.reason is Reason.CAPTURES:
        return
    again = Position(size=position.size, rule=Rule.NINUKI)
    again.set_position(
        black=[point for point, color in position.stones.items() if color is BLACK],
        white=[point for point, color in position.stones.items() if color is WHITE],
        neutral=position.neutral,
        to_move=position.to_move,
    )
    assert again.status is Status.PENDING
    breaks = False
    for reply in again.legal_moves():
        if again.play(reply).captured:
            letter = mover.letter
            breaks = breaks or not any(
                letter * 5 in ray_text(again, edge, step)
                for edge in edges(again.size)
                for step in (*STEPS, (-1, 1), (-1, -1))
            )
        again.undo()
    assert outcome.status is (Status.PENDING if breaks else Status.WIN)


def edges(size: int) -> list[Point]:
    """Returns the squares just outside the board; each of its lines starts at one."""
    outside = [(-1, i) for i in range(-1, size + 1)] + [(i, -1) for i in range(size)]
    return [*outside, *((i, size) for i in range(size))]
