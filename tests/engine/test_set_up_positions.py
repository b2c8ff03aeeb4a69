"""Set-up positions: the engine finds every win in one, and short claimed mates are true.

A set-up position need not come from play. Under ninuki it may have a standing five: one of the side
to move counts at its next move, one of the other side is pending. The referee, which shares no code
with the engine, tries every move of both sides.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import Color, Engine, Limits, Rule, SearchResult, Stage, Status
from tests.support.scenes import ALL_RULES, BLACK, WHITE, Setup, squares

POSITIONS, SOAK_POSITIONS = 100, 20_000
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
LONGEST_MATE = 5
"""The longest mate, in plies, that the referee can check by trying every move."""

# Of 230 positions with a five of the side to move, one that the search scored as a mate against
# it: White's six from (2, 0) to (7, 5) stand, and only after (6, 6) no capture breaks them.
MISSED: Setup = {
    "black": [
        (4, 4), (5, 2), (3, 3), (3, 0), (4, 3), (6, 2), (3, 4), (4, 5), (6, 3),
        (4, 1), (7, 0), (3, 2), (7, 2), (4, 6), (5, 0), (5, 5), (3, 5),
    ],
    "white": [
        (5, 3), (6, 4), (3, 1), (4, 2), (2, 0), (4, 0), (2, 4), (1, 5),
        (6, 1), (2, 2), (6, 0), (7, 5), (6, 5), (5, 6), (7, 1), (2, 3),
    ],
    "captures": (4, 0),
    "to_move": WHITE,
}  # fmt: skip


# --- by the referee ------------------------------------------------------------------------------


def position_of(size: int, rule: Rule, setup: Setup) -> Position:
    """Returns the referee's position."""
    position = Position(size=size, rule=referee.Rule(rule))
    position.set_position(**{**setup, "to_move": referee.Color(setup["to_move"].value)})
    return position


def wins_in_one(position: Position) -> list[Point]:
    """Returns the moves that win at once."""
    mover, wins = position.to_move, []
    for m in position.legal_moves():
        if position.play(m).winner is mover:
            wins.append(m)
        position.undo()
    return wins


class TooHardError(Exception):
    """A check needs too many positions."""


class Forced:
    """Checks whether a side wins within some plies against every defence."""

    def __init__(self, position: Position, attacker: referee.Color) -> None:
        self._position, self._attacker = position, attacker
        self._known: dict[object, bool] = {}
        self._hints: list[Point] = []
        self._left = 60_000

    def within(self, plies: int) -> bool:
        """Tries every move of both sides. Raises TooHardError."""
        p = self._position
        if p.is_over or plies <= 0:
            return p.winner is self._attacker
        key = frozenset(p.stones.items()), p.captures, p.to_move, p.status, plies
        if key not in self._known:
            self._known[key] = self._any_move(plies)
        return self._known[key]

    def _any_move(self, plies: int) -> bool:
        """Tries the moves that decided lately first."""
        p = self._position
        attacking = p.to_move is self._attacker
        for m in sorted(p.legal_moves(), key=lambda m: m not in self._hints):
            self._left -= 1
            if self._left < 0:
                raise TooHardError
            p.play(m)
            won = self.within(plies - 1)
            p.undo()
            if won is attacking:
                self._hints = [m, *(hint for hint in self._hints[:6] if hint != m)]
                return won
        return not attacking


# --- random positions ----------------------------------------------------------------------------


def some_row(rng: random.Random, size: int, length: int) -> list[Point]:
    """Returns squares in a row, anywhere on the board."""
    while True:
        (dx, dy), x, y = rng.choice(DIRECTIONS), rng.randrange(size), rng.randrange(size)
        found = [(x + i * dx, y + i * dy) for i in range(length)]
        if all(0 <= i < size for m in found for i in m):
            return found


def random_setup(rng: random.Random, rule: Rule) -> tuple[int, Setup]:
    """Returns a small crowded board with standing fives, fours, neutral stones and captures."""
    size = rng.choice((5, 6, 6, 7, 7, 8, 9))
    mover, other = rng.sample("bw", 2)
    stones: dict[Point, str] = {}
    plan = rng.choice(("nothing", "own", "own", "theirs", "both", "fours", "fours"))
    if plan in ("own", "both"):
        length = min(size, rng.choice((5, 5, 6)))
        stones.update(dict.fromkeys(some_row(rng, size, length), mover))
    if plan in ("theirs", "both"):
        stones.update(dict.fromkeys(some_row(rng, size, 5), other))
    if plan == "fours":
        for _ in range(2):
            row = [m for m in some_row(rng, size, 5) if rng.random() < 0.8]
            stones.update(dict.fromkeys(row, rng.choice("bw")))
    free = [m for m in squares(size) if m not in stones]
    rng.shuffle(free)
    empty = rng.randint(3, rng.choice((8, 14, 22, 34)))
    neutral = rng.choice((0, 0, 0.1, 0.5))
    for m in free[: max(0, len(free) - empty)]:
        stones[m] = "n" if rng.random() < neutral else rng.choice("bw")
    pairs = [rng.choice((0, 0, 1, 2, 3, 4, 4)) if rule.has_captures else 0 for _ in range(2)]
    return size, {
        "black": [m for m, owner in stones.items() if owner == "b"],
        "white": [m for m, owner in stones.items() if owner == "w"],
        "neutral": [m for m, owner in stones.items() if owner == "n"],
        "captures": (pairs[0], pairs[1]),
        "to_move": BLACK if mover == "b" else WHITE,
    }


def owns_five(setup: Setup) -> bool:
    """Says whether the side to move has a standing five."""
    own = set(setup[setup["to_move"].value])
    rows = ([(x + i * dx, y + i * dy) for i in range(5)] for x, y in own for dx, dy in DIRECTIONS)
    return any(own.issuperset(row) for row in rows)


# --- one position --------------------------------------------------------------------------------


@dataclass
class Trial:
    """An engine and the referee on one position."""

    engine: Engine
    position: Position
    rng: random.Random
    seen: Counter[str]

    def run(self) -> None:
        """Compares all answers of the engine about the position."""
        self.seen["positions"] += 1
        assert self.engine.forbidden() == self.position.forbidden()
        wins = wins_in_one(self.position)
        self.seen["won in one"] += bool(wins)
        for line in (self.engine.vcf(max_nodes=3000), self.engine.vct(max_nodes=3000)):
            if wins:
                assert line is not None and len(line) == 1
            if line is not None:
                self._check_mate(line[0], len(line), wins)
        self._search(wins)

    def _search(self, wins: Sequence[Point]) -> None:
        """Searches with random level, lines, limits, and excluded winning squares."""
        rng = self.rng
        excluded = rng.sample(wins, rng.randint(0, len(wins) - 1)) if wins else []
        level = rng.choice((10, 10, 10, 1, 3, 6))
        self.engine.set_option("level", level)
        limits = Limits(
            depth=rng.randint(1, 6),
            nodes=20_000,
            lines=rng.choice((1, 1, 1, 2, 3, len(self.position.legal_moves()))),
            excluded=excluded if rng.random() < 0.3 else (),
        )
        r = self.engine.search(limits)
        assert self.position.legal(r.move) and r.move not in limits.excluded, r
        if wins:
            assert r.move in wins and r.mate == 1, (level, limits, wins, r)
        # a lower level omits moves: its loss need not be a loss of the position
        elif r.mate is not None and (r.mate > 0 or level == 10):
            self._check_mate(r.move, r.mate, wins)

    def _check_mate(self, move: Point, mate: int, wins: Sequence[Point]) -> None:
        """Tries every move if the mate is short enough."""
        p = self.position
        if mate == 1 or abs(mate) > LONGEST_MATE:
            assert mate != 1 or move in wins
            return
        before = len(p.moves)
        try:
            if mate > 0:
                forced = Forced(p, p.to_move)
                p.play(move)
                assert forced.within(mate - 1), (move, mate)
            else:
                assert Forced(p, p.to_move.other).within(-mate), (move, mate)
            self.seen["claims"] += 1
            self.seen[f"mates of {abs(mate)}"] += 1
        except TooHardError:
            self.seen["too hard"] += 1
        while len(p.moves) > before:
            p.undo()


def run_trials(rule: Rule, seed: int, positions: int) -> Counter[str]:
    """Checks random positions; returns the counts of events."""
    seen: Counter[str] = Counter()
    for number in range(positions):
        rng = random.Random(f"{seed} {number} {rule}")
        size, setup = random_setup(rng, rule)
        position = position_of(size, rule, setup)
        with Engine(size=size, rule=rule, memory_mib=1) as e:
            e.set_position(**setup)
            assert e.outcome().status.value == position.status.value
            if position.is_over:
                continue
            own, status = owns_five(setup), position.status.value
            try:
                Trial(e, position, rng, seen).run()
            except AssertionError as error:
                error.add_note(f"{rule!r}, seed {seed}, position {number}: size {size}, {setup}")
                raise
            seen[f"{status}, own five"] += own
            seen[status] += 1
    return seen


def assert_seen(rule: Rule, seen: Counter[str]) -> None:
    """Checks that the important events have occurred often enough."""
    positions = seen["positions"]
    assert seen["won in one"] > positions // 5
    assert seen["claims"] > positions // 40
    assert seen["mates of 2"] and seen["mates of 3"]
    assert seen["too hard"] <= seen["claims"] // 5
    if rule is Rule.NINUKI:
        assert seen["ongoing, own five"] > positions // 8
        assert seen["pending, own five"] > positions // 40
        assert seen["pending"] > positions // 4


@ALL_RULES
def test_wins_in_one_are_found_and_short_mates_are_true(rule: Rule) -> None:
    """Search, VCF and VCT are right about random set-up positions."""
    assert_seen(rule, run_trials(rule, 2, POSITIONS))


@pytest.mark.soak
@ALL_RULES
def test_the_same_of_many_positions(rule: Rule) -> None:
    """With new positions, for longer."""
    seed = random.SystemRandom().getrandbits(32)
    seen = run_trials(rule, seed, SOAK_POSITIONS)
    print(rule.name, seed, dict(seen))
    assert_seen(rule, seen)


# --- fives that stand ----------------------------------------------------------------------------


def search(setup: Setup, limits: Limits, *, size: int = 9) -> SearchResult:
    """Searches a ninuki position."""
    with Engine(size=size, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(**setup)
        return e.search(limits)


@pytest.mark.parametrize("lines", [1, 2, 8])
def test_the_move_that_leaves_an_own_five_unbroken_wins(lines: int) -> None:
    """The engine once scored this as a mate in 2 against the side that wins."""
    r = search(MISSED, Limits(depth=6, lines=lines))
    assert (r.move, r.mate) == ((6, 6), 1)
    with Engine(size=9, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(**MISSED)
        assert e.vcf() == [(6, 6)] and e.vct() == [(6, 6)]
        assert e.play((6, 6)).winner is Color.WHITE


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_any_move_wins_with_a_five_that_cannot_be_broken(to_move: Color) -> None:
    """Also a distant move on a large board wins, and with one move excluded."""
    own, theirs = [(x, 0) for x in range(5)], [(0, 3), (2, 5), (4, 7)]
    setup: Setup = {
        "black": own if to_move is BLACK else theirs,
        "white": theirs if to_move is BLACK else own,
        "captures": (0, 0),
        "to_move": to_move,
    }
    first = search(setup, Limits(depth=2), size=19)
    assert (first.mate, first.stage) == (1, Stage.WIN)
    second = search(setup, Limits(depth=2, excluded=[first.move]), size=19)
    assert (second.mate, second.stage) == (1, Stage.WIN) and second.move != first.move


# Black's five on row 1 can be broken on (3, 3), by the pair (3, 1), (3, 2); White needs one pair.
BREAKABLE: Setup = {
    "black": [(1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (3, 2)],
    "white": [(3, 0), (8, 8)],
    "captures": (0, 0),
    "to_move": BLACK,
}


def test_a_break_is_taken_away() -> None:
    """A stone on the only breaking square wins at once."""
    with Engine(size=9, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(**BREAKABLE)
        r = e.search(Limits(depth=4))
        assert r.mate == 1
        assert e.play(r.move).winner is Color.BLACK
        e.undo()
        assert e.play((7, 7)).status is Status.PENDING


def test_the_break_that_takes_the_fifth_pair_is_not_forgotten() -> None:
    """White has four pairs and would win by the break; the move that prevents it wins."""
    r = search({**BREAKABLE, "captures": (0, 4)}, Limits(depth=4))
    assert r.mate == 1


# Both sides' fives stand: White to move breaks Black's on (3, 3), and keeps its own on row 6.
BOTH: Setup = {
    "black": BREAKABLE["black"],
    "white": [(3, 0), *((x, 6) for x in range(1, 6))],
    "captures": (0, 0),
    "to_move": WHITE,
}


def test_with_fives_of_both_the_break_wins() -> None:
    """After the break only the own five stands, and nothing can break it."""
    with Engine(size=9, rule=Rule.NINUKI, memory_mib=1) as e:
        e.set_position(**BOTH)
        assert e.outcome().status is Status.PENDING
        r = e.search(Limits(nodes=1))
        assert (r.move, r.mate, r.stage) == ((3, 3), 1, Stage.WIN)
        assert e.vcf() == [(3, 3)] and e.vct() == [(3, 3)]
        assert e.forbidden() == [] and e.legal((8, 8))
        assert e.play((3, 3)).winner is Color.WHITE
