"""Plays the swap2 opening: offers three stones, or chooses a side by search.

The stones are black, white, black, white, black. After three and after five stones White is to
move, so that a search tells the score for White.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from protocol import replies
from protocol.clock import Budget, now
from protocol.commands import Square
from protocol.position import Game, Position, Side
from protocol.thinking import Job, Thinker
from pyengine import Rule

SWAP: Final = "SWAP"
# The longest search of one opening for a proposal.
_LONGEST_LOOK_MS: Final = 2000
# White is to move against two black stones. In the middle Black stands better, in a corner White.
# The balance lies between, and the search finds it.
_OPENINGS: Final[tuple[tuple[Square, Square, Square], ...]] = (
    ((2, 3), (4, 3), (6, 2)),
    ((3, 2), (3, 4), (1, 5)),
    ((1, 2), (3, 3), (5, 1)),
    ((1, 1), (2, 3), (4, 2)),
    ((0, 2), (2, 2), (3, 0)),
    ((4, 4), (5, 5), (1, 1)),
    ((7, 7), (6, 6), (1, 1)),
    ((7, 7), (6, 7), (0, 7)),
    ((2, 7), (4, 7), (1, 5)),
    ((5, 1), (6, 3), (8, 1)),
)


def openings(size: int) -> list[tuple[Square, Square, Square]]:
    """Returns the openings that fit on a board, at least one."""
    fitting = [opening for opening in _OPENINGS if max(max(square) for square in opening) < size]
    return fitting or [((0, 0), (size // 2, size // 2), (0, size - 1))]


def game_of(stones: Sequence[Square], size: int, rule: Rule) -> Game:
    """Returns the game of swap2 stones in their order. These stones capture nothing."""
    position = Position(size)
    sides = (Side.OWN, Side.OPPONENT) if len(stones) % 2 == 0 else (Side.OPPONENT, Side.OWN)
    for number, square in enumerate(stones):
        position.set_up(square, sides[number % 2])
    return position.game(rule)


def propose(thinker: Thinker, size: int, rule: Rule, job: Job, stopped: Callable[[], bool]) -> str:
    """Returns three stones after which both sides stand about equal.

    All searches share the time of the job; each gets an equal part of the rest.
    """
    candidates = openings(size)
    best, smallest = candidates[0], None
    for number, opening in enumerate(candidates):
        left = job.time_left().soft_ms
        look = _LONGEST_LOOK_MS
        if left is not None:
            look = min(look, left // (len(candidates) - number))
        if look < 1 or stopped():
            break
        look_job = replace(job, budget=Budget(look, look), began=now())
        found = thinker.look(game_of(opening, size, rule), look_job)
        if found is not None and (smallest is None or abs(found.score) < smallest):
            best, smallest = opening, abs(found.score)
    return replies.moves(best)


def choose(thinker: Thinker, stones: Sequence[Square], size: int, rule: Rule, job: Job) -> str:
    """Chooses the better side: White by a move, Black by `SWAP`.

    Never puts two more stones: that would leave the choice of the better side to the opponent.
    """
    thought = thinker.think(game_of(stones, size, rule), job)
    if thought.move is None or thought.result is None or thought.result.score < 0:
        return SWAP
    return replies.move(thought.move)
