"""Prints the board and messages to a person, in any terminal."""

import os
from collections.abc import Iterable, Mapping
from typing import TextIO

from ..rules.board_view import ASCII, charset_for, coloured, draw_board
from ..rules.referee import Color, Point, Position
from ..util.output import shown
from .commands import help_lines
from .demo import move_text
from .engine import Analysis, variation_text
from .notation import Notation, Squares
from .table import Table

__all__ = ["Screen"]


class Screen:
    """Prints to one stream. It never erases anything, so that it works on every terminal."""

    def __init__(
        self,
        out: TextIO,
        names: dict[Color, str],
        *,
        plain: bool = False,
        ascii_only: bool = False,
        squares: Squares = Squares.A1,
    ) -> None:
        """Takes the stream and the names; uses colours on a terminal that supports them."""
        self.squares = squares
        self._out = out
        self._names = names
        charset = ASCII if ascii_only else charset_for(out.encoding)
        wants = out.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")
        self._charset = coloured(charset) if wants and not plain else charset

    def say(self, *lines: str) -> None:
        """Prints lines, with control characters escaped."""
        self._show(*(shown(line) for line in lines))

    def _show(self, *lines: str) -> None:
        """Prints lines with their colours; replaces characters that the terminal cannot show."""
        encoding = self._out.encoding or "ascii"
        for line in lines:
            text = line.encode(encoding, "replace").decode(encoding)
            self._out.write(text + "\n")
        self._out.flush()

    def name(self, color: Color) -> str:
        """Returns a side with its stone and its player."""
        return f"{self._charset.stone(color)} {color.value} {shown(self._names[color])}"

    def title(self, table: Table) -> None:
        """Prints who plays what."""
        settings = table.settings
        sides = " - ".join(self.name(color) for color in Color)
        board = f"{settings.rule.name.lower().replace('_', ' ')} {settings.size}x{settings.size}"
        self._show(f"{sides}, {board}. Type `help` for the commands.")

    def stones(self, position: Position) -> None:
        """Prints the board during an opening."""
        last = position.moves[-1] if position.moves else None
        self._show("", *self._drawn(position, last))

    def notation(self, size: int) -> Notation:
        """Returns how squares are written on a board of this size."""
        return Notation(size, self.squares)

    def _drawn(
        self, position: Position, last: Point | None, marks: Mapping[Point, str] | None = None
    ) -> list[str]:
        return draw_board(
            position.size,
            position.stones,
            last=last,
            marks=marks,
            charset=self._charset,
            labels=self.notation(position.size).labels,
        )

    def board(self, table: Table, *, show_bans: bool) -> None:
        """Prints the board with the clocks, the captures and the forbidden squares."""
        position = table.position
        last = table.moves[-1].point if table.moves else None
        forbidden = position.forbidden() if show_bans and table.end is None else []
        marks = dict.fromkeys(forbidden, self._charset.forbidden)
        self._show("", *self._drawn(position, last, marks))
        self.say("  ".join(["time used:", *(self._clock(table, color) for color in Color)]))
        if position.rule.has_captures:
            black, white = position.captures
            rule = position.rule
            enough = rule.winning_captures.split()[0]
            self.say(f"captured {rule.capture_unit}: black {black}, white {white} ({enough} win)")
        if forbidden:
            names = self.notation(position.size).names(forbidden)
            self._show(f"{self._charset.forbidden} forbidden for {position.to_move.value}: {names}")
        if table.is_pending:
            side = position.to_move
            self.say(f"{side.other.value} has a five: {side.value} must break it now")

    def move(self, table: Table) -> None:
        """Prints the last move."""
        move = table.moves[-1]
        notation = self.notation(table.position.size)
        text = shown(move_text(move, notation.both, rule=int(table.settings.rule)))
        self._show("", f"{len(table.moves)}. {self.name(Color(move.color))}: {text}")

    @staticmethod
    def _clock(table: Table, color: Color) -> str:
        """Returns a side with the time that it has used, as `white 1:05.3`."""
        minutes, tenths = divmod(round(table.spent_ms(color) / 100), 600)
        return f"{color.value} {minutes}:{tenths / 10:04.1f}"

    def moves(self, table: Table) -> None:
        """Prints all moves, ten on a line."""
        if not table.moves:
            self.say("no move yet")
        notation = self.notation(table.position.size)
        for first in range(0, len(table.moves), 10):
            names = notation.names(move.point for move in table.moves[first : first + 10])
            self.say(f"{first + 1:>3}. {names}")

    def analysis(self, analysis: Analysis, name: str, table: Table) -> None:
        """Prints the lines of an analysis, and how to play one."""
        rule, notation = int(table.settings.rule), self.notation(table.position.size)
        self.say(f"{name}, {analysis.ms / 1000:.1f} s:")
        for number, variation in enumerate(analysis.variations, 1):
            self.say(f"  {variation_text(number, variation, rule, notation.name)}")
        self.say(*(f"  message: {text}" for text in analysis.raw))
        others = ", `take 2` line 2" if len(analysis.variations) > 1 else ""
        self.say(f"`take` plays line 1{others}")

    def fault(self, name: str, text: str, lines: Iterable[str]) -> None:
        """Prints the fault of an engine, with the last lines of the conversation."""
        self.say("", f"{name} failed: {text}")
        told = list(lines)
        if told:
            self.say("the last lines (> to it, < from it, ! its stderr):")
            self.say(*(f"  {line}" for line in told))

    def result(self, table: Table) -> None:
        """Prints how the game ended."""
        if table.end is not None:
            self.say("", f"result: {table.record(self._names).summary()}")

    def help(self, size: int) -> None:
        """Prints the commands."""
        self.say(*help_lines(self.squares, size))
