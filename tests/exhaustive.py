"""Ninuki solved by looking at everything: whether the side to move can force a win.

Knows the rules from the arena's referee and nothing of the engine: every legal move of both sides
is tried until the game is over, captures and pending fives included. For small boards with few
empty squares only.

`python -m tests.exhaustive SEED` draws positions and prints those of tests/data/ninuki_solved.json:
captures in them, neither won nor lost at the next ply, half of them won.
"""

import json
import random
import sys
from typing import Any

from arena.referee import Color, Point, Position, Rule, Status

Setup = dict[str, Any]
MOST_NODES = 2_000
WANTED = 50


class TooHardError(Exception):
    """More positions than are allowed."""


class Solver:
    """Answers for one position and those that follow from it."""

    def __init__(self, position: Position, *, max_nodes: int = MOST_NODES) -> None:
        """Takes a position that is not over, and the attacker: the side to move."""
        self._position, self._attacker = position, position.to_move
        self._left = max_nodes
        self._known: dict[object, bool] = {}

    def wins(self) -> bool:
        """Says whether the attacker can force a win. Raises TooHardError."""
        key = self._key()
        if key not in self._known:
            attacking = self._position.to_move is self._attacker
            # the attacker needs one move that wins, the defender one that does not lose
            found = any(self._after(m) is attacking for m in self._moves())
            self._known[key] = found is attacking
        return self._known[key]

    def _key(self) -> object:
        p = self._position
        return frozenset(p.stones.items()), p.captures, p.to_move, p.status

    def _moves(self) -> list[Point]:
        """Moves that end the game come first."""
        p, ending, others = self._position, [], []
        for m in p.legal_moves():
            p.play(m)
            (ending if p.is_over else others).append(m)
            p.undo()
        return ending + others

    def _after(self, m: Point) -> bool:
        """Says whether the attacker wins after a move."""
        self._left -= 1
        if self._left < 0:
            raise TooHardError
        p = self._position
        p.play(m)
        won = p.winner is self._attacker if p.is_over else self.wins()
        p.undo()
        return won


def set_up(size: int, setup: Setup) -> Position:
    """Returns the referee's position."""
    position = Position(size=size, rule=Rule.NINUKI)
    position.set_position(
        black=[(x, y) for x, y in setup["black"]],
        white=[(x, y) for x, y in setup["white"]],
        neutral=[(x, y) for x, y in setup["neutral"]],
        captures=tuple(setup["captures"]),
        to_move=Color(setup["to_move"]),
    )
    return position


# --- drawing positions --------------------------------------------------------------------------


def draw(rng: random.Random) -> tuple[int, Setup]:
    """Returns a board nearly full of stones, some of nobody, with five to eight empty squares."""
    size = rng.choice((7, 7, 9))
    squares = [(x, y) for x in range(size) for y in range(size)]
    rng.shuffle(squares)
    empty = rng.randint(5, 8)
    neutral = rng.uniform(0.1, 0.4)
    stones: dict[str, list[Point]] = {"black": [], "white": [], "neutral": []}
    for m in squares[empty:]:
        name = rng.choice(("black", "white")) if rng.random() > neutral else "neutral"
        stones[name].append(m)
    pairs = (rng.randint(0, 4), rng.randint(0, 4))
    return size, {**stones, "captures": pairs, "to_move": rng.choice(("black", "white"))}


def captures_matter(position: Position) -> bool:
    """Says whether somebody can capture, and the side to move has no win at once."""
    mover, taken = position.to_move, 0
    for m in position.legal_moves():
        outcome = position.play(m)
        taken += len(outcome.captured)
        won = position.is_over and position.winner is mover
        position.undo()
        if won:
            return False
    return taken > 0


def solved(rng: random.Random) -> tuple[int, Setup, bool] | None:
    """Draws a position; returns it with its answer, or None when it is not of use."""
    size, setup = draw(rng)
    position = set_up(size, setup)
    if position.status is not Status.ONGOING or not captures_matter(position):
        return None
    try:
        return size, setup, Solver(position).wins()
    except TooHardError:
        return None


def main() -> int:
    """Prints positions until there are enough of both kinds."""
    rng = random.Random(int(sys.argv[1]))
    cases: dict[bool, list[dict[str, Any]]] = {True: [], False: []}
    while min(map(len, cases.values())) < WANTED:
        found = solved(rng)
        if found and len(cases[found[2]]) < WANTED:
            size, setup, won = found
            cases[won].append({"size": size, **setup, "won": won})
    about = f"Nearly full boards of ninuki, solved: python -m tests.exhaustive {sys.argv[1]}"
    rows = ",\n  ".join(json.dumps(case) for case in cases[True] + cases[False])
    print(f'{{\n "about": {json.dumps(about)},\n "cases": [\n  {rows}\n ]\n}}')
    return 0


if __name__ == "__main__":
    sys.exit(main())
