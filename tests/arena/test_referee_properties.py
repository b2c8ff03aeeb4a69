"""The referee's refusals, its undo, and properties of random positions.

A second implementation of the definitions, of another kind, must agree with the referee.
"""

import json
import random
import re
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules import renju
from arena.rules.grid import Grid
from arena.rules.referee import Color, Point, Position, Reason, RefereeError, Rule, Status
from tests.support.paths import DATA

BLACK, WHITE = Color.BLACK, Color.WHITE
STEPS: list[Point] = [(1, 0), (0, 1), (1, 1), (1, -1)]
RENJU_CASES: list[dict[str, Any]] = json.loads(
    (DATA / "renju_forbidden.json").read_text(encoding="utf-8")
)["cases"]
RANDOM = settings(max_examples=40, deadline=None)
seeds = st.integers(min_value=0, max_value=2**32 - 1)


# --- refusals and undo --------------------------------------------------------------------------


@pytest.mark.parametrize("size", [4, 23, 0, -1, 15.0, "15", None])
def test_bad_size(size: Any) -> None:
    """Sizes from 5 to 22 are accepted; the error names the argument."""
    with pytest.raises(RefereeError, match="size"):
        Position(size=size, rule=Rule.FREESTYLE)


@pytest.mark.parametrize("rule", [2, 3, -1, "renju", None])
def test_bad_rule(rule: Any) -> None:
    """Only existing rules are accepted."""
    with pytest.raises(RefereeError, match="rule"):
        Position(size=15, rule=rule)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"black": [(15, 0)]}, "black: .* off the board"),
        ({"black": [(0, -1)]}, "black: .* off the board"),
        ({"black": [(1, 2, 3)]}, "black"),
        ({"black": [1]}, "black"),
        ({"white": [("a", 1)]}, "white"),
        ({"black": [(1, 1), (1, 1)]}, "black: .* already"),
        ({"black": [(1, 1)], "white": [(1, 1)]}, "white: .* already"),
        ({"white": [(1, 1)], "neutral": [(1, 1)]}, "neutral: .* already"),
        ({"captures": (0, -1)}, "captures"),
        ({"captures": (0,)}, "captures"),
        ({"captures": (0.5, 1)}, "captures"),
        ({"captures": 3}, "captures"),
        ({"captures": (5, 5)}, "captures"),
        ({"to_move": "black"}, "to_move"),
    ],
)
def test_bad_set_up_is_named_and_changes_nothing(arguments: dict[str, Any], named: str) -> None:
    """Every bad argument is named by the error, and the position stays as it was."""
    position = Position(size=15, rule=Rule.NINUKI)
    position.set_position(black=[(3, 3)], white=[(4, 4)], captures=(1, 2), to_move=WHITE)
    position.play((5, 5))
    before = snapshot(position)
    with pytest.raises(RefereeError, match=named):
        position.set_position(**arguments)
    assert snapshot(position) == before


def test_captures_need_a_rule_that_captures() -> None:
    """Captured pairs are refused under rules without captures."""
    with pytest.raises(RefereeError, match="captures"):
        Position(size=15, rule=Rule.RENJU).set_position(captures=(1, 0))


@pytest.mark.parametrize(
    ("move", "named"),
    [((15, 3), "off the board"), ((3, -1), "off the board"), ((7, 7), "occupied"), (3, "move")],
)
def test_illegal_moves_are_named_and_change_nothing(move: Any, named: str) -> None:
    """A refused move says what is wrong with it."""
    position = Position(size=15, rule=Rule.RENJU)
    position.play((7, 7))
    before = snapshot(position)
    with pytest.raises(RefereeError, match=named):
        position.play(move)
    assert snapshot(position) == before


def test_a_new_game() -> None:
    """On an empty board Black moves first, no square is forbidden, and undo has no move."""
    for rule in Rule:
        position = Position(size=19, rule=rule)
        assert (position.size, position.rule, position.to_move) == (19, rule, BLACK)
        assert (position.status, position.winner, position.reason) == (Status.ONGOING, None, None)
        assert (position.stones, position.neutral, position.moves) == ({}, [], [])
        assert position.forbidden() == []
        assert len(position.legal_moves()) == 19 * 19
        with pytest.raises(RefereeError, match="undo"):
            position.undo()


def test_undo_stops_at_the_set_up_position() -> None:
    """Setting up a position clears the moves before it."""
    position = Position(size=15, rule=Rule.FREESTYLE)
    position.play((1, 1))
    position.set_position(black=[(2, 2)])
    with pytest.raises(RefereeError, match="undo"):
        position.undo()


# --- properties ---------------------------------------------------------------------------------


def snapshot(position: Position) -> tuple[object, ...]:
    """Returns everything visible of a position except the forbidden squares."""
    return (
        position.stones,
        position.neutral,
        position.captures,
        position.to_move,
        position.status,
        position.winner,
        position.reason,
        position.moves,
    )


def crowd(seed: int, *, rule: Rule, sizes: tuple[int, ...] = (7, 9, 12)) -> dict[str, Any]:
    """Returns the arguments of a random crowded position, with its size."""
    rng = random.Random(seed)
    size = rng.choice(sizes)
    share = {"B": rng.uniform(0.1, 0.5), "W": rng.uniform(0.0, 0.4), "N": 0.02}
    stones: dict[str, list[Point]] = {"B": [], "W": [], "N": []}
    for x in range(size):
        for y in range(size):
            letter = rng.choices("BWN.", [*share.values(), max(0.1, 1 - sum(share.values()))])[0]
            if letter != ".":
                stones[letter].append((x, y))
    captures = (rng.randrange(5), rng.randrange(5)) if rule.has_captures else (0, 0)
    return {
        "size": size,
        "black": stones["B"],
        "white": stones["W"],
        "neutral": stones["N"],
        "captures": captures,
        "to_move": rng.choice(list(Color)),
    }


def set_up(rule: Rule, arguments: dict[str, Any]) -> Position:
    """Returns a position from the arguments of `crowd`."""
    rest = {name: value for name, value in arguments.items() if name != "size"}
    position = Position(size=arguments["size"], rule=rule)
    position.set_position(**rest)
    return position


@RANDOM
@given(seed=seeds, rule=st.sampled_from(list(Rule)), from_empty=st.booleans())
def test_undo_restores_everything(seed: int, rule: Rule, from_empty: bool) -> None:
    """Undo of a random game gives the same positions in reverse order."""
    position = Position(size=7, rule=rule) if from_empty else set_up(rule, crowd(seed, rule=rule))
    rng = random.Random(seed)
    seen = [snapshot(position)]
    while not position.is_over:
        outcome = position.play(rng.choice(position.legal_moves()))
        assert (outcome.status, outcome.winner, outcome.reason) == seen_end(position)
        assert outcome.captured == sorted(outcome.captured)
        seen.append(snapshot(position))
    for before in reversed(seen[:-1]):
        position.undo()
        assert snapshot(position) == before


def seen_end(position: Position) -> tuple[object, ...]:
    """Returns the state of the game in a position."""
    return (position.status, position.winner, position.reason)


def turned(point: Point, size: int, way: int) -> Point:
    """Returns a square under one of the eight symmetries of the board."""
    x, y = point
    if way & 1:
        x = size - 1 - x
    if way & 2:
        y = size - 1 - y
    return (y, x) if way & 4 else (x, y)


@RANDOM
@given(seed=seeds, rule=st.sampled_from(list(Rule)), way=st.integers(min_value=1, max_value=7))
def test_symmetries(seed: int, rule: Rule, way: int) -> None:
    """Turned and mirrored positions have the same forbidden squares, legal moves and outcomes."""
    arguments = crowd(seed, rule=rule)
    size = arguments["size"]
    mirrored = dict(arguments)
    for name in ("black", "white", "neutral"):
        mirrored[name] = [turned(point, size, way) for point in arguments[name]]
    here, there = set_up(rule, arguments), set_up(rule, mirrored)
    assert seen_end(here) == seen_end(there)
    assert sorted(turned(point, size, way) for point in here.forbidden()) == there.forbidden()
    moves = here.legal_moves()
    assert sorted(turned(point, size, way) for point in moves) == there.legal_moves()
    for move in [] if here.is_over else moves:
        outcome, other = here.play(move), there.play(turned(move, size, way))
        assert sorted(turned(point, size, way) for point in outcome.captured) == other.captured
        assert seen_end(here) == seen_end(there)
        here.undo()
        there.undo()


@RANDOM
@given(seed=seeds)
def test_colours_can_be_swapped(seed: int) -> None:
    """Except for renju the colours have the same rules."""
    for rule in Rule:
        arguments = crowd(seed, rule=rule)
        swapped = {
            **arguments,
            "black": arguments["white"],
            "white": arguments["black"],
            "captures": arguments["captures"][::-1],
            "to_move": arguments["to_move"].other,
        }
        here, there = set_up(rule, arguments), set_up(rule, swapped)
        if rule is Rule.RENJU:
            assert WHITE in (here.to_move, there.to_move)
            continue
        assert here.legal_moves() == there.legal_moves()
        for move in [] if here.is_over else here.legal_moves()[:20]:
            outcome, other = here.play(move), there.play(move)
            assert (outcome.captured, outcome.status) == (other.captured, other.status)
            assert (outcome.winner and outcome.winner.other) == other.winner
            here.undo()
            there.undo()


# --- a second reading of the definitions --------------------------------------------------------


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
