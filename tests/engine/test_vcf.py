"""Wins by continuous fours: all are found, none is claimed wrongly, every variation is true.

The referee checks each claim. It plays the line out, and tries every legal reply of the defender.
After each reply the attacker must win at once, or `vcf()` must claim another win, which is checked
in the same way.
"""

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import Color, Engine, Rule
from tests.support.paths import DATA
from tests.support.scenes import Setup, setup_of

ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
STEPS: list[Point] = [(1, 0), (0, 1), (1, 1), (1, -1)]
MAX_NODES = 1_000_000


def load(name: str) -> list[dict[str, Any]]:
    """Returns the positions of a data file."""
    cases: list[dict[str, Any]] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


def read(case: dict[str, Any]) -> tuple[Rule, int, Setup]:
    """Returns rule, size and position of a case."""
    setup = {
        "black": [tuple(m) for m in case["black"]],
        "white": [tuple(m) for m in case["white"]],
        "captures": tuple(case["captures"]),
        "to_move": Color(case["to_move"]),
    }
    return Rule[case["rule"].upper()], case["size"], setup


# --- the verifier -------------------------------------------------------------------------------


class NotProvenError(AssertionError):
    """A claimed win that the defender escapes."""


class Verifier:
    """Verifies the claims of one engine."""

    def __init__(self, e: Engine, *, max_nodes: int = MAX_NODES) -> None:
        """Takes an engine, whose position it changes."""
        self._e = e
        self._max_nodes = max_nodes
        self._position = Position(size=e.size, rule=referee.Rule(e.rule))
        self._proven: set[object] = set()
        self._hints: list[Point] = []

    def claim(self, setup: Setup) -> list[Point] | None:
        """Returns the verified claim of `vcf()`. Raises NotProvenError."""
        self._e.set_position(**setup)
        line = self._e.vcf(max_nodes=self._max_nodes)
        if line is not None:
            color = referee.Color(setup["to_move"].value)
            self._position.set_position(**{**setup, "to_move": color})
            self._verify(line)
        return line

    def _verify(self, line: Sequence[Point]) -> None:
        """Plays a line from the position, the attacker to move, and tries every other defence."""
        attacker = self._position.to_move
        if not self._position.legal(line[0]):
            self._fail(f"{line[0]} of the line is not legal")
        outcome = self._position.play(line[0])
        if len(line) == 1 and outcome.winner is not attacker:
            self._fail("the line ends without a win")
        if len(line) > 1:
            if len(line) % 2 == 0 or self._position.is_over:
                self._fail(f"the line goes on with {line[1:]}")
            self._verify_replies(attacker, line)
        self._position.undo()

    def _verify_replies(self, attacker: referee.Color, line: Sequence[Point]) -> None:
        """Checks that every legal reply loses; the line refutes its own one."""
        replies = self._position.legal_moves()
        if line[1] not in replies:
            self._fail(f"the reply {line[1]} of the line is not legal")
        for reply in replies:
            outcome = self._position.play(reply)
            if self._position.is_over:
                if outcome.winner is not attacker:
                    self._fail("the reply ends the game")
            elif reply == line[1]:
                self._verify(line[2:])
            elif not self._wins_at_once(attacker):
                self._verify_again()
            self._position.undo()

    def _wins_at_once(self, attacker: referee.Color) -> bool:
        """Says whether one of the recent winning squares wins now."""
        for m in reversed(self._hints):
            if self._position.legal(m):
                outcome = self._position.play(m)
                self._position.undo()
                if outcome.winner is attacker:
                    return True
        return False

    def _verify_again(self) -> None:
        """Asks the engine for a new line and verifies it."""
        setup = setup_of(self._position)
        key = (frozenset(setup["black"]), frozenset(setup["white"]), setup["captures"])
        if key in self._proven:
            return
        self._e.set_position(**setup)
        line = self._e.vcf(max_nodes=self._max_nodes)
        if line is None:
            self._fail("and nothing is claimed")
            return
        if len(line) == 1:
            self._hints = [*[m for m in self._hints if m != line[0]][-3:], line[0]]
        self._verify(line)
        self._proven.add(key)

    def _fail(self, reason: str) -> None:
        """Raises NotProvenError with the moves that led here."""
        raise NotProvenError(f"after {self._position.moves}: {reason}")


# --- the hunt -----------------------------------------------------------------------------------


def rich_position(rng: random.Random, rule: Rule, size: int) -> Setup:
    """Returns a random position with lines and pairs, in which fours are likely."""
    stones: dict[Point, str] = {}
    attacker = rng.choice(("black", "white"))
    for _ in range(rng.randint(2, 6)):
        color = attacker if rng.random() < 0.7 else rng.choice(("black", "white"))
        (dx, dy), x, y = rng.choice(STEPS), rng.randrange(size), rng.randrange(size)
        for i in range(rng.randint(3, 6)):
            m = (x + i * dx, y + i * dy)
            if m[0] < size and 0 <= m[1] < size and rng.random() < 0.7:
                stones[m] = color
    free = [(x, y) for x in range(size) for y in range(size) if (x, y) not in stones]
    names = rng.choices(("black", "white", "neutral"), (9, 9, 1), k=len(free))
    rng.shuffle(free)
    stones.update(zip(free[: rng.randrange(len(free) * 2 // 3)], names, strict=False))
    pairs = (rng.randrange(5), rng.randrange(5)) if rule.has_captures else (0, 0)
    return {
        **{
            name: [m for m, s in sorted(stones.items()) if s == name]
            for name in ("black", "white", "neutral")
        },
        "captures": pairs,
        "to_move": Color(attacker),
    }


def block_wins(e: Engine, setup: Setup) -> None:
    """Blocks the attacker's immediate wins, so that fewer positions are trivial."""
    defender = setup["to_move"].other.value
    for _ in range(8):
        e.set_position(**setup)
        line = e.vcf(max_nodes=10)
        if line is None or len(line) > 1 or line[0] in setup[defender]:
            return
        setup[defender] = [*setup[defender], line[0]]


def hunt(rule: Rule, rng: random.Random, *, positions: int) -> list[int]:
    """Verifies every claim on random positions; returns the lengths of the lines."""
    lengths = []
    for _ in range(positions):
        size = rng.randint(6, 10)
        setup = rich_position(rng, rule, size)
        with Engine(size=size, rule=rule, memory_mib=1) as e:
            block_wins(e, setup)
            try:
                line = Verifier(e, max_nodes=2000).claim(setup)
            except NotProvenError as error:
                error.add_note(f"{rule!r}, size {size}, {setup}")
                raise
        if line is not None:
            lengths.append(len(line))
    return lengths


# --- tests --------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", load("vcf_wins.json"), ids=lambda case: str(case["id"]))
def test_each_win_is_found_and_true(case: dict[str, Any]) -> None:
    """The engine claims the win; its line and every variation win before the referee."""
    rule, size, setup = read(case)
    with Engine(size=size, rule=rule, memory_mib=1) as e:
        line = Verifier(e).claim(setup)
        assert line is not None and len(line) % 2 == 1
        e.set_position(**setup)
        for m in line:
            outcome = e.play(m)
        assert outcome.winner is setup["to_move"]


@pytest.mark.parametrize("case", load("vcf_none.json"), ids=lambda case: str(case["id"]))
def test_nothing_is_claimed_where_there_is_no_win(case: dict[str, Any]) -> None:
    """No number of nodes gives a claim, also in a second call."""
    rule, size, setup = read(case)
    with Engine(size=size, rule=rule, memory_mib=1) as e:
        e.set_position(**setup)
        assert e.outcome().status.value == "ongoing"
        for max_nodes in (1, 10, 1000, 100_000, 100_000):
            assert e.vcf(max_nodes=max_nodes) is None


@pytest.mark.parametrize("case", load("vcf_wins.json")[::6], ids=lambda case: str(case["id"]))
def test_wins_do_not_depend_on_the_view(case: dict[str, Any]) -> None:
    """The engine finds the win in every view, and with exchanged colours except under renju."""
    assert_found_in_every_view(case)


@pytest.mark.soak
@pytest.mark.parametrize("case", load("vcf_wins.json"), ids=lambda case: str(case["id"]))
def test_no_win_depends_on_the_view(case: dict[str, Any]) -> None:
    """The same for all cases."""
    assert_found_in_every_view(case)


def assert_found_in_every_view(case: dict[str, Any]) -> None:
    """Searches eight views of a case."""
    rule, size, setup = read(case)

    def mirrored(m: Point) -> Point:
        return size - 1 - m[0], m[1]

    def turned(m: Point) -> Point:
        return m[1], size - 1 - m[0]

    with Engine(size=size, rule=rule, memory_mib=1) as e:
        for way in range(8):
            e.set_position(**setup)
            line = e.vcf(max_nodes=MAX_NODES)
            assert line is not None, way
            if rule is not Rule.RENJU:
                setup["black"], setup["white"] = setup["white"], setup["black"]
                setup["captures"], setup["to_move"] = (
                    setup["captures"][::-1],
                    setup["to_move"].other,
                )
            view = mirrored if way == 3 else turned
            for name in ("black", "white"):
                setup[name] = [view(m) for m in setup[name]]


@ALL_RULES
def test_random_claims_are_true(rule: Rule) -> None:
    """Every win claimed on random positions is a win."""
    lengths = hunt(rule, random.Random(20), positions=100)
    assert sum(length > 1 for length in lengths) >= 5


@pytest.mark.soak
@ALL_RULES
def test_many_random_claims_are_true(rule: Rule) -> None:
    """The same with new positions, for longer."""
    seed = random.SystemRandom().getrandbits(32)
    lengths = hunt(rule, random.Random(seed), positions=1000 if rule.has_captures else 4000)
    assert sum(length > 1 for length in lengths) >= 5, seed


def test_suites_cover_every_rule() -> None:
    """The suites have wins and near misses under each rule and for both sides."""
    wins, none = load("vcf_wins.json"), load("vcf_none.json")
    assert len(wins) >= 100 and len(none) >= 50
    for cases in (wins, none):
        assert {Rule[case["rule"].upper()] for case in cases} == set(Rule)
        assert {case["to_move"] for case in cases} == {"black", "white"}
        assert len({case["id"] for case in cases}) == len(cases)
        assert all(len(case["reason"]) > 10 for case in cases)


def test_a_limit_of_nodes_is_kept() -> None:
    """One node is not enough for a win that needs many."""
    rule, size, setup = read(next(c for c in load("vcf_wins.json") if c["id"] == "free_found_23"))
    with Engine(size=size, rule=rule, memory_mib=1) as e:
        e.set_position(**setup)
        assert e.vcf(max_nodes=1) is None
        assert e.vcf(max_nodes=MAX_NODES) is not None


# --- the verifier itself ------------------------------------------------------------------------


class FakeEngine:
    """Makes scripted claims."""

    size, rule = 9, Rule.FREESTYLE

    def __init__(self, *lines: list[Point] | None) -> None:
        """Takes the answers; the last one repeats."""
        self._lines = list(lines)

    def set_position(self, **_setup: object) -> None:
        """Does nothing."""

    def vcf(self, *, max_nodes: int) -> list[Point] | None:
        """Returns the next answer."""
        assert max_nodes > 0
        return self._lines.pop(0) if len(self._lines) > 1 else self._lines[0]


OPEN_THREE: Setup = {
    "black": [(3, 4), (4, 4), (5, 4)],
    "white": [(0, 0), (8, 8)],
    "captures": (0, 0),
    "to_move": Color.BLACK,
}


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ([[(6, 4)]], "without a win"),
        ([[(3, 4)]], "not legal"),
        ([[(6, 4), (7, 4)]], "goes on"),
        ([[(6, 4), (3, 4), (7, 4)]], "is not legal"),
        ([[(6, 4), (7, 4), (0, 1)]], "without a win|not legal"),
        ([[(6, 5), (7, 4), (6, 4)], None], "nothing is claimed"),
        ([[(7, 4), (6, 4), (2, 4)], None], "nothing is claimed"),
        ([[(6, 4), (2, 4), (7, 4)], [(0, 1)]], "without a win|not legal"),
    ],
)
def test_the_verifier_believes_no_lies(lines: list[list[Point] | None], reason: str) -> None:
    """The verifier rejects false lines, and true ones with an unrefuted defence."""
    e: Any = FakeEngine(*lines)
    with pytest.raises(NotProvenError, match=reason):
        Verifier(e).claim(OPEN_THREE)


def test_the_verifier_believes_a_proof() -> None:
    """The verifier accepts the real engine's claim on the same position."""
    with Engine(size=9, memory_mib=1) as e:
        line = Verifier(e).claim(OPEN_THREE)
    assert line is not None and len(line) == 3
