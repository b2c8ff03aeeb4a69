"""Plays one game between two engines and shows it: `python -m arena.play.demo A B`."""

import argparse
import sys
from collections.abc import Callable, Sequence

from ..engines.arguments import (
    RULE_NAMES,
    brain_command,
    one_rule,
    one_size,
    run_main,
    whole_number,
)
from ..engines.brain import Brain
from ..game.game import START_MS, GameSettings, play_game
from ..game.record import GameRecord, MoveRecord
from ..rules.board_view import Charset, charset_for, draw_board
from ..rules.referee import MAX_SIZE, MIN_SIZE, Color, Point, Position, Rule
from ..util.exits import Exit, exit_lines
from ..util.faults import CannotStartError
from ..util.output import Parser, say
from .engine import worth
from .notation import Notation

__all__ = ["main"]

EPILOG = f"""\
rules     {RULE_NAMES}
engines   A path, or a command line in quotes. The engine speaks the Piskvork protocol on stdin and
          stdout.
clocks    The clock runs from the write of a request to the last byte of its answer. A late answer
          loses (see --tolerance-ms).
squares   h8 (7,7): the letter is the column from the left, the number the row from the bottom.
          The pair is Piskvork's x,y from 0 at the top left.
{exit_lines(Exit.DONE, Exit.FORFEITED, Exit.USAGE, done="played")}

examples
  python -m arena.play.demo dist/pbrain-tengen dist/pbrain-tengen --turn-ms 200
  python -m arena.play.demo ./pbrain-a ./pbrain-b --rule renju --match-ms 60000
  python -m arena.play.demo "python3 -m protocol" ./pbrain-b --rule ninuki --size 19
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the game that the arguments describe, shows it, and returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        settings = GameSettings(
            size=options.size,
            rule=options.rule,
            turn_ms=options.turn_ms,
            match_ms=options.match_ms,
            memory_mib=options.memory_mib,
            tolerance_ms=options.tolerance_ms,
            start_ms=max(START_MS, options.tolerance_ms),
        )
    except ValueError as error:
        parser.error(str(error))
    black, white = Brain(options.black), Brain(options.white)
    try:
        for player in (black, white):
            player.launch()
    except CannotStartError as error:
        black.close()
        parser.error(error.detail)
    show = _Show(black.name, white.name, charset_for(sys.stdout.encoding))
    if not options.quiet:
        say(show.title(settings))
    on_move = None if options.quiet else show.on_move
    record = play_game(black, white, settings, on_move=on_move)
    say(*result_lines(record))
    return Exit.FORFEITED if record.is_forfeit else Exit.DONE


class _Show:
    """Prints a game as it goes on."""

    def __init__(self, black: str, white: str, charset: Charset) -> None:
        self._names = {Color.BLACK: black, Color.WHITE: white}
        self._charset = charset
        self._count = 0

    def title(self, settings: GameSettings) -> str:
        """Returns the line above the game: who plays what, under which limits."""
        stones = [f"{self._charset.stone(c)} {c.value} {name}" for c, name in self._names.items()]
        limits = [f"{settings.turn_ms} ms a move" if settings.turn_ms else "no limit a move"]
        if settings.match_ms:
            limits.append(f"{settings.match_ms} ms a game")
        if settings.memory_mib:
            limits.append(f"{settings.memory_mib} MiB")
        board = f"{settings.rule.name.lower()} {settings.size}x{settings.size}"
        return f"{' - '.join(stones)}, {board}, {', '.join(limits)}"

    def on_move(self, position: Position, move: MoveRecord) -> None:
        """Prints a move and the board after it."""
        self._count += 1
        color = Color(move.color)
        name = f"{self._charset.stone(color)} {color.value} {self._names[color]}"
        notation = Notation(position.size)
        say("", f"{self._count}. {name}: {move_text(move, notation.both)}")
        lines = draw_board(
            position.size,
            position.stones,
            last=move.point,
            charset=self._charset,
            labels=notation.labels,
        )
        say(*lines)
        if position.rule.has_captures:
            black, white = position.captures
            say(f"captured {position.rule.capture_unit}: black {black}, white {white}")


def move_text(move: MoveRecord, square: Callable[[Point], str], *, rule: int | None = None) -> str:
    """Returns a move with its time and the player's report.

    `square` writes a square. With a rule, a score has its win rate.
    """
    score = move.score
    if score is not None and rule is not None:
        score += worth(score, rule)
    parts = [square(move.point), f"{move.ms:.0f} ms"]
    parts += [
        f"{name} {value}"
        for name, value in (("depth", move.depth), ("score", score), ("nodes", move.nodes))
        if value is not None
    ]
    if move.captured:
        parts.append("takes " + " ".join(square(point) for point in move.captured))
    return "  ".join(parts)


def result_lines(record: GameRecord) -> list[str]:
    """Returns the result with its reason, and facts about both players."""
    lines = ["", f"result: {record.summary()} [{record.reason.value}]"]
    for color in Color:
        player = record.player(color)
        times = [move.ms for move in record.moves if move.color == color.value]
        slowest = max(times, default=0.0)
        parts = [f"{len(times)} moves", f"{sum(times) / 1000:.1f} s", f"slowest {slowest:.0f} ms"]
        if player.peak_bytes:
            parts.append(f"{player.peak_bytes / (1 << 20):.0f} MiB")
        lines.append(f"  {color.value} {player.name}: {', '.join(parts)}")
        lines += [f"    note: {note}" for note in player.notes]
    if record.lines:
        lines.append(
            "the last lines of the engine that forfeits (> to it, < from it, ! its stderr):"
        )
        lines += [f"  {line}" for line in record.lines]
    return lines


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m arena.play.demo",
        description="Plays one game between two engines and draws the board after each move.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add(
        "black", type=brain_command, metavar="EXE_A", help="engine that plays Black and moves first"
    )
    add("white", type=brain_command, metavar="EXE_B", help="engine that plays White")
    add(
        "--rule",
        type=one_rule,
        default=Rule.FREESTYLE,
        help="rule, by number or name (default: 0)",
    )
    add(
        "--size",
        type=one_size,
        default=15,
        help=f"side of the board, {MIN_SIZE} to {MAX_SIZE} (default: 15)",
    )
    add("--turn-ms", type=whole_number(1), default=200, help="time for each move (default: 200)")
    add(
        "--match-ms",
        type=whole_number(1),
        help="time for all moves of a player (default: no limit)",
    )
    memory = "private memory of all processes of an engine, in MiB (default: 0, no limit)"
    add("--memory-mib", type=whole_number(0, 1 << 20), default=0, help=memory)
    tolerance = "how late an answer may be; the engine is not told (default: 0)"
    add("--tolerance-ms", type=whole_number(0), default=0, help=tolerance)
    add("--quiet", action="store_true", help="print only the result")
    return parser


if __name__ == "__main__":
    run_main(main, "demo")
