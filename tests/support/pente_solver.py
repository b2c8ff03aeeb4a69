"""Wins of Pente and Keryo-Pente by trying every move, with the plain referee."""

from tests.support.pente_referee import OTHER, Point, Referee


def winning_square(game: Referee, color: str, first: list[Point]) -> Point | None:
    """Returns a square where a stone of the colour wins at once; `first` are tried first."""
    for at in first:
        if at not in game.stones and game.wins_by(at, color):
            return at
    return next(iter(game.winning_squares(color)), None)


def wins_within(game: Referee, plies: int) -> Point | None:
    """Returns a move of the side to move that wins within so many plies, its own included."""
    mover = game.to_move
    if at := winning_square(game, mover, []):
        return at
    if plies < 3:
        return None
    for at in game.allowed():
        game.play(at)
        lost = not game.over and loses_within(game, plies - 1)
        game.undo()
        if lost:
            return at
    return None


def loses_within(game: Referee, plies: int) -> bool:
    """Says whether every move of the side to move loses within so many plies, its own included."""
    return surviving_move(game, plies) is None


def surviving_move(game: Referee, plies: int) -> Point | None:
    """Returns a move after which the opponent has no win within the plies that are left."""
    mover, winner = game.to_move, OTHER[game.to_move]
    if at := winning_square(game, mover, []):
        return at
    threats = game.winning_squares(winner)
    for at in sorted(game.allowed(), key=lambda at: at not in threats):
        game.play(at)
        safe = game.over or not (
            winning_square(game, winner, threats) or (plies > 2 and wins_within(game, plies - 1))
        )
        game.undo()
        if safe:
            return at
    return None


def wins_by_fours(game: Referee, plies: int) -> Point | None:
    """Returns the first move of a win in which each move of the winner threatens a five.

    The last move may also win by captures. Every reply is tried.
    """
    mover = game.to_move
    if at := winning_square(game, mover, []):
        return at
    if plies < 3:
        return None
    for at in game.allowed():
        game.play(at)
        won = not game.over and threatens_five(game, mover) and all_replies_lose(game, plies - 1)
        game.undo()
        if won:
            return at
    return None


def threatens_five(game: Referee, color: str) -> bool:
    """Says whether some stone of the colour would make a five."""
    return any(game.longest_line(at, color) >= 5 for at in game.allowed())


def all_replies_lose(game: Referee, plies: int) -> bool:
    """Says whether the opponent wins by fours after every move of the side to move."""
    mover, winner = game.to_move, OTHER[game.to_move]
    if winning_square(game, mover, []):
        return False
    threats = game.winning_squares(winner)
    for at in sorted(game.allowed(), key=lambda at: at not in threats):
        game.play(at)
        lost = not game.over and (
            winning_square(game, winner, threats) or wins_by_fours(game, plies - 1)
        )
        game.undo()
        if not lost:
            return False
    return True
