"""Keeps the engine at the position of the session: makes and takes back only the moves that differ.

The search therefore knows the last moves, and no position is built twice. A game that starts from
other stones is set up anew.
"""

from itertools import takewhile
from typing import Final

from protocol.commands import Square
from protocol.port import EnginePort
from protocol.position import Game, Setup
from pyengine import Color, NoUndoError, Rule

_NO_PAIRS: Final = (0, 0)


class Follower:
    """Knows the game that the engine has. Used by one thread."""

    def __init__(self, engine: EnginePort) -> None:
        self._engine = engine
        self._board: tuple[int, Rule] | None = None  # None: unknown
        self._start: Setup | None = None  # None: unknown
        self._moves: list[Square] = []

    def reset(self, size: int, rule: Rule) -> None:
        """Empties the engine's board and table. Raises what the engine raises."""
        self._board = self._start = None
        self._moves = []
        self._engine.reset(size=size, rule=rule)
        self._board = size, rule
        self._start = Setup(size, (), (), (), _NO_PAIRS, Color.BLACK)

    def lose(self) -> None:
        """Forgets the engine's game, so that the next one is set up anew."""
        self._start, self._moves = None, []

    def follow(self, game: Game) -> None:
        """Brings the engine to a game. Raises what the engine raises."""
        try:
            self._follow(game)
        except BaseException:
            self.lose()
            raise

    def _follow(self, game: Game) -> None:
        if self._board != (game.start.size, game.rule):
            self.reset(game.start.size, game.rule)
        if self._start != game.start or not self._take_back(game.moves):
            self._set_up(game.start)
        for square in game.moves[len(self._moves) :]:
            self._engine.place(square)
            self._moves.append(square)

    def _take_back(self, moves: tuple[Square, ...]) -> bool:
        """Takes back the moves that are not in the game; returns False if the engine cannot."""
        both = zip(self._moves, moves, strict=False)
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], both))
        while len(self._moves) > common:
            try:
                self._engine.undo()
            except NoUndoError:  # a game that went on far beyond its end
                return False
            self._moves.pop()
        return True

    def _set_up(self, start: Setup) -> None:
        self._start, self._moves = None, []
        self._engine.set_position(
            black=start.black,
            white=start.white,
            captures=start.captures,
            to_move=start.to_move,
            neutral=start.neutral,
        )
        self._start = start
