"""The .psq file: a game or a position in the format of Piskvork and Gomocup.

    Piskvorky 15x15, 11:11, 0     board, two numbers of the players, the first player (0 or 1)
    8,8,0                         column and row from 1, milliseconds
    9,9,12
    A.zip                         the players, in tournaments; the header says which one begins
    B.zip
    -1                            Piskvork's code of the end
    1,Renju                       Gomocup, since 2018: 0, 1 or 2, and the league

Gomocup's last line names a player: 1 moves first after the opening, so it is White after an odd
number of moves. The two names stand with Black first.
"""

import re
from dataclasses import dataclass, field

from records.errors import FormatError, quoted
from records.squares import Point
from records.text import plain

__all__ = [
    "PsqGame",
    "PsqMove",
    "clean_name",
    "is_psq",
    "opening_run",
    "read_psq",
    "winner_by_result",
    "write_psq",
]

_HEADER = re.compile(r"Piskvorky\s+(\d{1,4})x(\d{1,4})\s*,(?:.*,\s*([01])|.*)")
_MOVE = re.compile(r"(-?\d{1,4})\s*,\s*(-?\d{1,4})\s*(?:,\s*(-?\d{1,12})\s*)?")
_TIMED = re.compile(r"-?\d{1,4}\s*,\s*-?\d{1,4}\s*,\s*-?\d{1,12}")
_CODE = re.compile(r"-?\d{1,4}")
_JUDGES_NAME = re.compile(r"\d+_\d+_\d+_([012])\.psq", re.IGNORECASE)
_COLORS = ("black", "white")
_RESULT = re.compile(r"([012?])\s*,(.*)")


@dataclass(frozen=True)
class PsqMove:
    """Holds a move, which may be off the board, its time in ms, and its line."""

    point: Point
    ms: int = 0
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class PsqGame:
    """Holds the contents of a .psq file.

    `names` are in the file's order; player `starts` (0 or 1) moves first. `result` is the digit of
    Gomocup's last line, `league` the text after it. `result` is None without such a line or with a
    question mark, which the arena writes for a game without a result.
    """

    size: int
    moves: tuple[PsqMove, ...] = ()
    names: tuple[str, str] | None = None
    starts: int = 0
    code: int | None = None
    result: int | None = None
    league: str = ""

    @property
    def players(self) -> tuple[str, str] | None:
        """Returns the names of Black and White."""
        if self.names is None or self.starts == 0:
            return self.names
        return (self.names[1], self.names[0])


def is_psq(text: str) -> bool:
    """Says whether a text begins like a .psq file."""
    return plain(text).lstrip().startswith("Piskvorky")


def read_psq(text: str) -> PsqGame:
    """Reads a .psq file; raises FormatError."""
    lines = [(n, line.strip()) for n, line in enumerate(plain(text).split("\n"), 1)]
    lines = [(n, line) for n, line in lines if line] or [(1, "")]
    number, first = lines[0]
    header = _HEADER.fullmatch(first)
    if header is None:
        problem = f"{quoted(first)}: expected Piskvorky 15x15, 11:11, 0 in line 1"
        raise FormatError(problem, line=number)
    if int(header[1]) != int(header[2]):
        problem = f"size: {header[1]}x{header[2]}: expected a square board"
        raise FormatError(problem, line=number)
    moves: list[PsqMove] = []
    for number, line in lines[1:]:
        found = _MOVE.fullmatch(line)
        if found is None:
            break
        moves.append(PsqMove((int(found[1]) - 1, int(found[2]) - 1), int(found[3] or 0), number))
    names, code, result, league = _read_end(lines[1 + len(moves) :])
    return PsqGame(
        size=int(header[1]),
        moves=tuple(moves),
        names=names,
        starts=int(header[3] or 0),
        code=code,
        result=result,
        league=league,
    )


def _read_end(
    lines: list[tuple[int, str]],
) -> tuple[tuple[str, str] | None, int | None, int | None, str]:
    """Reads the lines after the moves: names, code, result and league."""
    if any(_TIMED.fullmatch(line) for _, line in lines):
        # A line that ends the moves early would hide all moves after it.
        number, line = lines[0]
        problem = (
            f"{quoted(line)}: expected a move such as `8,8,0`: column and row from 1, and its time"
        )
        raise FormatError(problem, line=number)
    at = next((i for i, (_, line) in enumerate(lines) if _CODE.fullmatch(line)), None)
    code = None if at is None else int(lines[at][1])
    rest = lines if at is None else lines[:at]
    told = lines if at is None else lines[at + 1 :]
    found = _RESULT.fullmatch(told[-1][1]) if told else None
    if found is not None and at is None:
        rest = lines[:-1]
    if len(rest) not in (0, 2):
        number, line = rest[0]
        problem = f"{quoted(line)}: expected a move such as `8,8,0`, or the names of two players"
        raise FormatError(problem, line=number)
    names = (rest[0][1], rest[1][1]) if rest else None
    if found is None:
        return names, code, None, ""
    result = None if found[1] == "?" else int(found[1])
    return names, code, result, found[2].strip()


def opening_run(game: PsqGame) -> int:
    """Returns the number of moves with 0 ms at the start: the opening, or a little more."""
    return next((i for i, move in enumerate(game.moves) if move.ms > 0), len(game.moves))


def winner_by_result(game: PsqGame, name: str = "") -> tuple[str | None, str]:
    """Returns "black" or "white" by Gomocup's digit, and a note if the reading is uncertain.

    None is a draw or a missing result. `name` is the file's: Gomocup's referee writes the winner's
    color there. The digit names a player; 1 moved first after the opening. The file does not have
    the length of the opening: its moves took 0 ms, but brains answer in 0 ms as well. If the moves
    of 0 ms cannot be the opening alone, the side to move has lost, because the file does not record
    late moves, crashes and forbidden moves. The caller knows the rules and gives the result on the
    board priority.
    """
    if game.result not in (1, 2):
        return None, ""
    run = opening_run(game)
    by_run = _COLORS[(run + game.result - 1) % 2]
    other = _COLORS[(run + game.result) % 2]
    if run == 0:
        return by_run, ""
    named = _JUDGES_NAME.fullmatch(name)
    if named is not None and named[1] != "0":
        return _COLORS[int(named[1]) - 1], ""
    if by_run != _COLORS[len(game.moves) % 2]:
        return by_run, ""
    if any(move.ms == 0 for move in game.moves[run:]):
        return other, ""
    return by_run, (
        f"{by_run} wins after an opening of {run} moves; with one move less, "
        f"{other} would win: the file does not say how long the opening was"
    )


def write_psq(game: PsqGame) -> str:
    """Returns the text of a .psq file; names are changed if they look like moves."""
    lines = [f"Piskvorky {game.size}x{game.size}, 11:11, {game.starts}"]
    lines += [f"{m.point[0] + 1},{m.point[1] + 1},{m.ms}" for m in game.moves]
    if game.names is not None:
        lines += [clean_name(name) for name in game.names]
    lines.append(str(-1 if game.code is None else game.code))
    if game.result is not None or game.league:
        league = " ".join(game.league.split())
        lines.append(f"{'?' if game.result is None else game.result},{league}")
    return "\n".join(lines) + "\n"


def clean_name(name: str) -> str:
    """Returns a name as a line that does not look like a move, a code or a result."""
    one_line = "".join(letter if letter.isprintable() else " " for letter in name)
    spaced = " ".join(one_line.replace(",", " ").split()) or "?"
    return spaced if spaced[0].isalpha() or spaced[0] == "_" else f"_{spaced}"
