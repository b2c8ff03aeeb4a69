"""Solves ninuki positions exhaustively: whether the side to move can force a win.

It uses the arena's referee and shares no code with the engine. It tries every legal move of both
sides until the end of the game, with captures and pending fives. It is for small boards with few
empty squares only.

`python -m tests.support.exhaustive` solves the positions of tests/data/ninuki_solved.json.
"""

import argparse
import json
import sys
from typing import Any

from arena.rules.referee import Color, Point, Position, Rule
from tests.support.paths import DATA

Setup = dict[str, Any]
SUITE = DATA / "ninuki_solved.json"
MOST_NODES = 20_000


class TooHardError(Exception):
    """A solution needs too many positions."""


class Solver:
    """Solves one position and its successors."""

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
        """Returns the legal moves, winning moves first."""
        p = self._position
        ending: list[Point] = []
        others: list[Point] = []
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


def main() -> int:
    """Solves the suite; returns 1 if an answer differs from it."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.exhaustive", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.parse_args()
    wrong = 0
    for number, case in enumerate(json.loads(SUITE.read_text(encoding="utf-8"))["cases"]):
        won = Solver(set_up(case["size"], case)).wins()
        wrong += won is not case["won"]
        print(f"{number:3} {'won' if won else 'not won':7} {case['captures']}", flush=True)
    print(f"{wrong} answers are wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
