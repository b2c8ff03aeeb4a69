"""Records from trees of games: the main line, replayed by the referee."""

import contextlib
from dataclasses import replace

from records.errors import FormatError
from records.squares import PASS, renju_name_of
from records.tree import BLACK, GameTree, refuse_set_up

from ..rules.referee import RefereeError, Rule
from .record import EMPTY_BOARD, GameRecord, Setup, Side
from .replayed import Frame, Told, checked_size, record_of, replay, start
from .sgf_games import with_result

__all__ = ["from_tree"]


def from_tree(tree: GameTree, rule: Rule | None = None) -> GameRecord:
    """Returns the record of a tree's main line; raises FormatError for an illegal move.

    Passes after the last move are removed from the tree. `rule` applies if the tree names none. The
    last move may be illegal if the game has a result, or if renju forbids it: its player then lost.
    """
    passes = tree.drop_last_passes()
    named = rule if tree.rule is None else Rule(tree.rule)
    frame = Frame(
        size=checked_size(tree.size, tree.size),
        rule=named or Rule.FREESTYLE,
        rule_is_assumed=named is None,
        black=tree.black or "black",
        white=tree.white or "white",
        setup=_setup(tree),
        notes=_notes(tree, passes),
    )
    frame = with_result(frame, tree.result.strip())
    _refuse_set_up(tree, frame)
    played = replay(_told(tree), frame)
    if played.offence is not None and frame.winner is not None:
        frame = replace(frame, winner=played.offence.color.other.value)
    return record_of(played, frame, 0)


def _notes(tree: GameTree, passes: int) -> tuple[str, ...]:
    """Returns notes on the contents that the record does not hold."""
    notes = () if tree.is_one_line else ("variations are left out",)
    if not passes:
        return notes
    return (*notes, f"{passes} pass{'' if passes == 1 else 'es'} after the last move")


def _setup(tree: GameTree) -> Setup:
    if not tree.has_setup:
        return EMPTY_BOARD
    first: Side = "black" if tree.first == BLACK else "white"
    return Setup(tree.set_up_black, tree.set_up_white, first)


def _refuse_set_up(tree: GameTree, frame: Frame) -> None:
    """Raises FormatError for stones that are set up during the game."""
    position = start(frame)
    for node in tree.root.main_line():
        if node.sets_up:
            stones = {point: color.value for point, color in position.stones.items()}
            refuse_set_up(node, len(position.moves), stones, tree.size)
        if node.move is not None:
            with contextlib.suppress(RefereeError):  # the replay reports an illegal move
                position.play(node.move)


def _told(tree: GameTree) -> list[Told]:
    told: list[Told] = []
    for node in tree.root.main_line():
        if node.move is None:
            continue
        name = f"move {len(told) + 1}"
        if node.move == PASS:
            raise FormatError(f"{name}: a pass: expected a square", line=node.line or None)
        text = f"{name}, {renju_name_of(node.move, tree.size)}"
        told.append(Told(node.move, line=node.line or None, text=text))
    return told
