"""Draws the end of a game as an SVG: `python -m arena.page.picture GAME >picture.svg`.

Every stone bears the number of its move; a pair that was captured leaves a small cross of its
colour. The last move is ringed. Stones that a file sets up have no number.
"""

import sys
from collections.abc import Sequence

from records.errors import FormatError

from ..engines.arguments import add_game_number, file_path, one_rule, one_size, run_main
from ..game.files import FORMATS, game_at
from ..game.record import GameRecord
from ..rules.board_view import star_points
from ..rules.referee import Color, Point
from ..util.exits import Exit
from ..util.output import Parser, complain

__all__ = ["draw", "main"]

STEP, EDGE = 24, 26
WOOD, INK, WHITE, RING = "#f3ddab", "#222222", "#ffffff", "#c0392b"
FONT = "font-family='sans-serif' text-anchor='middle'"


def draw(record: GameRecord) -> str:
    """Returns the SVG of a game's last position, one square of the board to 24 units."""
    position = record.start()
    moves = [*record.opening, *((m.x, m.y) for m in record.moves)]
    numbers: dict[Point, int] = {}
    gone: dict[Point, Color] = {}
    for number, move in enumerate(moves, 1):
        for taken in position.play(move).captured:
            gone[taken] = position.to_move
        numbers[move] = number
    stones = position.stones
    side = 2 * EDGE + STEP * (record.size - 1)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {side} {side}' width='{side}' "
        f"height='{side}' role='img'>",
        f"<title>{len(moves)} moves, {record.size}x{record.size}</title>",
        f"<rect width='{side}' height='{side}' fill='{WOOD}'/>",
        *_lines(record.size),
        *(_cross(m, color) for m, color in sorted(gone.items()) if m not in stones),
        *(_stone(m, color, numbers.get(m)) for m, color in sorted(stones.items())),
    ]
    if moves and moves[-1] in stones:
        x, y = _at(moves[-1])
        parts.append(f"<circle cx='{x}' cy='{y}' r='11.5' fill='none' stroke='{RING}' {_WIDE}/>")
    return "\n".join([*parts, "</svg>"]) + "\n"


_WIDE = "stroke-width='2'"


def _at(point: Point) -> tuple[int, int]:
    """Returns where the middle of a square lies in the picture."""
    return EDGE + STEP * point[0], EDGE + STEP * point[1]


def _lines(size: int) -> list[str]:
    """Returns the board's lines, its marks, and the names of columns and rows."""
    far = EDGE + STEP * (size - 1)
    parts: list[str] = []
    for i in range(size):
        at = EDGE + STEP * i
        parts.append(
            f"<path d='M{EDGE} {at}H{far}M{at} {EDGE}V{far}' stroke='{INK}' stroke-width='0.6'/>"
        )
        parts.append(_words(at, 11, chr(ord("a") + i), INK, 9))
        parts.append(_words(9, at + 3, str(size - i), INK, 9))
    for point in sorted(star_points(size)):
        x, y = _at(point)
        parts.append(f"<circle cx='{x}' cy='{y}' r='2.5' fill='{INK}'/>")
    return parts


def _stone(point: Point, color: Color, number: int | None) -> str:
    x, y = _at(point)
    fill, ink = (INK, WHITE) if color is Color.BLACK else (WHITE, INK)
    disc = f"<circle cx='{x}' cy='{y}' r='10.5' fill='{fill}' stroke='{INK}' stroke-width='0.8'/>"
    return disc if number is None else disc + _words(x, y + 3, str(number), ink, 9)


def _cross(point: Point, color: Color) -> str:
    x, y = _at(point)
    ink = INK if color is Color.BLACK else WHITE
    path = f"M{x - 4} {y - 4}L{x + 4} {y + 4}M{x - 4} {y + 4}L{x + 4} {y - 4}"
    return f"<path d='{path}' stroke='{ink}' {_WIDE}/>"


def _words(x: float, y: float, text: str, ink: str, size: int) -> str:
    return f"<text x='{x}' y='{y}' fill='{ink}' font-size='{size}' {FONT}>{text}</text>"


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes the picture of a game to stdout; exits with 2, saying what is wrong with a file."""
    parser = Parser(
        prog="python -m arena.page.picture",
        description="Draws the last position of a game as an SVG.",
    )
    add = parser.add_argument
    add("file", type=file_path, metavar="GAME", help=FORMATS)
    add_game_number(parser)
    add("--rule", type=one_rule, help="rule, if the file names none (default: freestyle)")
    add("--size", type=one_size, default=15, help="board for moves as text (default: 15)")
    options = parser.parse_args(arguments)
    try:
        record = game_at(options.file, options.game, rule=options.rule, size=options.size)
    except FormatError as error:
        parser.error(str(error))
    for note in record.notes:
        complain(f"{options.file}: {note}")
    sys.stdout.write(draw(record))
    return Exit.DONE


if __name__ == "__main__":
    run_main(main, "picture")
