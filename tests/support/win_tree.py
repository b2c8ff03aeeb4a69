"""Positions with wins by threats, and a verifier of the engine's claims.

The referee checks each claim. The attacker plays the engine's moves. At each turn of the defender
every reply that may matter is tried, and the engine must claim the position after it again. The
verifier finds these replies on the board: after a four, the lines of the five; after a three, the
threatened win, the lines of its fives, and the defender's own fours. A few other replies are tried,
too; `everything` tries all.
"""

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import Color, Engine, Rule
from tests.support.paths import DATA
from tests.support.slow_solver import Board

MAX_NODES = 300_000
SAMPLE = 2

Case = dict[str, Any]


def load(name: str) -> list[Case]:
    """Returns the positions of a data file."""
    cases: list[Case] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


def setup(case: Case) -> dict[str, Any]:
    """Returns the arguments of `set_position` of the engine."""
    return {
        "black": [tuple(m) for m in case["black"]],
        "white": [tuple(m) for m in case["white"]],
        "to_move": Color(case["to_move"]),
    }


def engine(case: Case) -> Engine:
    """Returns an engine with the position of a case."""
    e = Engine(size=case["size"], rule=Rule[case["rule"].upper()], memory_mib=1)
    e.set_position(**setup(case))
    return e


def missed() -> list[Case]:
    """Returns renju problems with a forced win that a root search misses at depth 30."""
    found: list[Case] = json.loads((DATA / "vct_missed.json").read_text(encoding="utf-8"))[
        "positions"
    ]
    return [{**case, "id": number} for number, case in enumerate(found)]


def board_of(case: Case) -> Board:
    """Returns the slow solver's board with the position of a case."""
    given = setup(case)
    return Board(
        rule=referee.Rule[case["rule"].upper()],
        size=case["size"],
        black=given["black"],
        white=given["white"],
        attacker=referee.Color(case["to_move"]),
    )


def name_of(case: Case) -> str:
    """Returns the name of a case for the report."""
    return str(case["id"])


def play_line(case: Case, line: list[Point]) -> None:
    """The referee plays a line: legal to its end, which the side to move wins."""
    game = Position(size=case["size"], rule=referee.Rule[case["rule"].upper()])
    attacker = referee.Color(case["to_move"])
    game.set_position(**{**setup(case), "to_move": attacker})
    for m in line:
        assert not game.is_over
        game.play(m)
    assert game.winner is attacker


class NotProvenError(AssertionError):
    """A claimed win that the defender escapes."""


class WinTree:
    """Walks through the whole tree of a claimed win with a referee."""

    def __init__(self, case: Case, *, everything: bool = False) -> None:
        """everything: tries every legal reply after a three."""
        self._e = engine(case)
        self._everything = everything
        self._game = Position(size=case["size"], rule=referee.Rule[case["rule"].upper()])
        self._attacker = referee.Color(case["to_move"])
        self._game.set_position(**{**setup(case), "to_move": self._attacker})
        self._board = board_of(case)
        self._random = random.Random(str(case["id"]))
        self._proven: set[frozenset[tuple[Point, referee.Color]]] = set()

    def walk(self) -> list[Point]:
        """Verifies the claim for the position of the case and returns its line."""
        line = self._claim()
        self._attack(line)
        return line

    def _claim(self) -> list[Point]:
        """Returns the engine's claim for the position on the board, the attacker to move."""
        grid = self._board.grid
        self._e.set_position(
            black=grid.squares(referee.Color.BLACK.letter),
            white=grid.squares(referee.Color.WHITE.letter),
            to_move=Color(self._attacker.value),
        )
        line = self._e.vcf(max_nodes=MAX_NODES) or self._e.vct(max_nodes=MAX_NODES)
        if line is None:
            raise NotProvenError(f"after {self._game.moves} nothing is claimed")
        return line

    @contextmanager
    def _played(self, move: Point) -> Iterator[bool]:
        """Plays a move for the `with` block; says whether the attacker has won by it."""
        mover = self._game.to_move
        if not self._game.legal(move):
            raise NotProvenError(f"{move} after {self._game.moves} is not legal")
        outcome = self._game.play(move)
        if self._game.is_over and outcome.winner is not self._attacker:
            raise NotProvenError(f"{self._game.moves} ends the game")
        with self._board.stone(move, mover):
            yield self._game.is_over
        self._game.undo()

    def _attack(self, line: list[Point]) -> None:
        """Plays the first move of a line for the attacker, and has every reply refuted."""
        with self._played(line[0]) as won:
            if not won:
                self._defend()

    def _defend(self) -> None:
        key = frozenset(self._game.stones.items())
        if key in self._proven:
            return
        for reply in self._replies():
            with self._played(reply):
                self._attack(self._claim())
        self._proven.add(key)

    def _replies(self) -> list[Point]:
        """Returns the replies to the last move that may matter, and a few others."""
        if self._board.fives(self._attacker.other):
            raise NotProvenError(f"after {self._game.moves} the defender has a five")
        empty = self._board.empty()
        fives = self._board.fives(self._attacker)
        if fives:
            matter = self._board.around(fives[:1])
        elif self._everything:
            matter = empty
        else:
            matter = self._matter_after_three()
        others = sorted({*empty} - {*matter})
        tried = [*matter, *self._random.sample(others, min(SAMPLE, len(others)))]
        return [m for m in tried if self._game.legal(m)]

    def _matter_after_three(self) -> list[Point]:
        """Returns the squares of the win after a pass, of the lines of its fives, and of fours.

        A four of the defender may hold stones that the win makes him put.
        """
        moves: set[Point] = set()
        fives: set[Point] = set()
        replies: set[Point] = set()
        self._collect_fours(moves, fives, replies)
        with ExitStack() as put:
            for reply in replies:
                put.enter_context(self._board.stone(reply, self._attacker.other))
            fours = self._board.gaps(self._attacker.other, 3)
        return sorted({*moves, *replies, *self._board.around(fives), *fours})

    def _collect_fours(self, moves: set[Point], fives: set[Point], replies: set[Point]) -> None:
        """Collects a win by fours in all its variations, the attacker to move."""
        board, defender = self._board, self._attacker.other
        move = self._claim()[0]
        moves.add(move)
        if move in board.fives(self._attacker):
            fives.add(move)
            return
        with board.stone(move, self._attacker):
            five = board.fives(self._attacker)[0]
            fives.add(five)
            for reply in board.around([five]):
                if board.legal(reply, defender):
                    with board.stone(reply, defender):
                        if five not in board.fives(self._attacker):
                            replies.add(reply)
                            self._collect_fours(moves, fives, replies)
