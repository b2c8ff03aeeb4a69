"""Wins by continuous fours: found where they are, claimed nowhere else, and true in every variation.

A claim is believed only when the referee has seen it: the line is played out, and on each of the
defender's turns every legal reply is tried. After each the attacker must have a win at once, or
`vcf()` must claim one again, which is then looked at in the same way.
"""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena import referee
from arena.referee import Point, Position
from pyengine import Color, Engine, Rule

DATA = Path(__file__).parent / "data"
ALL_RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
STEPS: list[Point] = [(1, 0), (0, 1), (1, 1), (1, -1)]
MAX_NODES = 20_000

Setup = dict[str, Any]
"""The arguments of `set_position` for the engine."""


def load(name: str) -> list[dict[str, Any]]:
    """The positions of one data file."""
    cases: list[dict[str, Any]] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


def read(case: dict[str, Any]) -> tuple[Rule, int, Setup]:
    """The rule, the size and the position of a case."""
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
    """Looks at claims of one engine, and trusts none of them."""

    def __init__(self, e: Engine, *, max_nodes: int = MAX_NODES) -> None:
        """Takes an engine, whose position it changes."""
        self._e = e
        self._max_nodes = max_nodes
        self._position = Position(size=e.size, rule=referee.Rule(e.rule))
        self._proven: set[object] = set()
        self._hints: list[Point] = []

    def claim(self, setup: Setup) -> list[Point] | None:
        """What `vcf()` says of a position; a claim has been verified. Raises NotProvenError."""
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
        """Every legal reply loses, that of the line by the line."""
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
        """Whether one of the squares that won lately wins now."""
        for m in reversed(self._hints):
            if self._position.legal(m):
                outcome = self._position.play(m)
                self._position.undo()
                if outcome.winner is attacker:
                    return True
        return False

    def _verify_again(self) -> None:
        """Asks the engine for a new line, which is verified as well."""
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
            self._hints = [m for m in self._hints if m != line[0]][-3:] + [line[0]]
        self._verify(line)
        self._proven.add(key)

    def _fail(self, reason: str) -> None:
        """Raises NotProvenError with the moves that led here."""
        raise NotProvenError(f"after {self._position.moves}: {reason}")


def setup_of(position: Position) -> Setup:
    """The referee's position for the engine."""
    stones = position.stones
    return {
        "black": [m for m, color in stones.items() if color is referee.Color.BLACK],
        "white": [m for m, color in stones.items() if color is referee.Color.WHITE],
        "neutral": position.neutral,
        "captures": position.captures,
        "to_move": Color(position.to_move.value),
    }


# --- the hunt -----------------------------------------------------------------------------------


def rich_position(rng: random.Random, rule: Rule, size: int) -> Setup:
    """A random position with lines and pairs, in which fours are likely."""
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
    pairs = (rng.randrange(5), rng.randrange(5)) if rule is Rule.NINUKI else (0, 0)
    return {
        **{
            name: [m for m, s in sorted(stones.items()) if s == name]
            for name in ("black", "white", "neutral")
        },
        "captures": pairs,
        "to_move": Color(attacker),
    }


def block_wins(e: Engine, setup: Setup) -> None:
    """Puts the defender's stones where the attacker would win at once, so that less is trivial."""
    defender = setup["to_move"].other.value
    for _ in range(8):
        e.set_position(**setup)
        line = e.vcf(max_nodes=10)
        if line is None or len(line) > 1 or line[0] in setup[defender]:
            return
        setup[defender] = [*setup[defender], line[0]]


def hunt(rule: Rule, rng: random.Random, *, positions: int) -> list[int]:
    """Verifies every claim on random positions; returns the lengths of the claimed lines."""
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
