"""Games between two sets of search parameters, in one process."""

import json
from dataclasses import dataclass
from pathlib import Path

from pyengine import Color, Engine, EngineError, Limits, Rule, Square, Status
from pyengine.constants import PROVEN_SCORE

OPENINGS = Path(__file__).resolve().parent.parent / "arena" / "openings" / "data"
LONGEST = 150  # moves after which a game is a draw


@dataclass(frozen=True)
class Board:
    """A rule, a board size, and the openings of its games."""

    rule: Rule
    size: int
    openings: tuple[tuple[Square, ...], ...]


def read_openings(path: Path, size: int) -> tuple[tuple[Square, ...], ...]:
    """Reads openings of the arena: one a line, squares as offsets from the centre."""
    lines = [line for line in path.read_text().splitlines() if line.strip() and line[0] != "#"]
    middle = size // 2
    return tuple(
        tuple((x + middle, y + middle) for x, y in json.loads(f"[[{line.replace(', ', '],[')}]]"))
        for line in lines
    )


def read_boards(rows: list[tuple[str, int, int]]) -> list[Board]:
    """Reads boards by the name of their openings, the rule and the size."""
    return [
        Board(Rule(rule), size, read_openings(OPENINGS / f"{name}.txt", size))
        for name, rule, size in rows
    ]


def check_values(values: dict[str, tuple[int, ...]]) -> None:
    """Raises ValueError for an unknown parameter, or a value beyond the engine's bounds."""
    with Engine(memory_mib=1) as engine:
        known = engine.option_names()
        for name, some in values.items():
            if name not in known:
                raise ValueError(f"{name}: the engine has no such number")
            try:
                for value in some:
                    engine.set_option(name, value)
            except EngineError as error:
                raise ValueError(f"{name}: {error}") from None


class Player:
    """One side of a game: an engine and its parameters."""

    def __init__(self, memory_mib: float) -> None:
        """Creates an engine with one thread."""
        self.engine = Engine(memory_mib=memory_mib)

    def start(self, board: Board, opening: tuple[Square, ...], values: dict[str, int]) -> None:
        """Sets up the opening and clears the engine's memory."""
        self.engine.reset(size=board.size, rule=board.rule)
        for name, value in values.items():
            self.engine.set_option(name, value)
        for square in opening:
            self.engine.play(square)


def play_game(black: Player, white: Player, stones: int, nodes: int) -> int:
    """Plays on after `stones` stones; returns 1 if Black won, 0 for a draw, -1 if White won.

    A proven score ends the game.
    """
    players = (black, white)
    for ply in range(stones, stones + LONGEST):
        mover = players[ply % 2]
        result = mover.engine.search(Limits(nodes=nodes))
        sign = 1 if ply % 2 == 0 else -1
        if abs(result.score) > PROVEN_SCORE:
            return sign if result.score > 0 else -sign
        for player in players:
            outcome = player.engine.play(result.move)
        if outcome.status in (Status.WIN, Status.DRAW):
            return 0 if outcome.winner is None else (1 if outcome.winner is Color.BLACK else -1)
    return 0


def play_pair(
    players: tuple[Player, Player],
    board: Board,
    opening: tuple[Square, ...],
    values: tuple[dict[str, int], dict[str, int]],
    nodes: int,
) -> int:
    """Plays an opening with both colours; returns the points of the first player, -2 to 2."""
    points = 0
    for black in (0, 1):
        for player, of_side in zip(players, values, strict=True):
            player.start(board, opening, of_side)
        won = play_game(players[black], players[1 - black], len(opening), nodes)
        points += won if black == 0 else -won
    return points
