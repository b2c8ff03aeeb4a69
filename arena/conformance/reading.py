"""Classifies one line of a brain, as leniently as possible, with its oddities."""

import re
from dataclasses import dataclass

from ..engines.lines import MAX_LINE, Source
from ..rules.referee import Point
from .verdicts import Oddity
from .wire import RawLine

__all__ = ["Kind", "Reading", "read_about", "read_line"]

_MOVE = re.compile(r"(\s*)([+-]?\d{1,9})(\s*),(\s*)([+-]?\d{1,9})(.*)", re.DOTALL)
_OTHER_MOVE = re.compile(r"\s*(?:(\d{1,3})\s+(\d{1,3})|([A-Za-z])(\d{1,2}))\s*")
_SUGGEST = re.compile(r"suggest (.*)", re.IGNORECASE)
_TALK = re.compile(r"(message|debug)(.*)", re.IGNORECASE | re.DOTALL)
_PAIR = r'\s*[A-Za-z_]+\s*=\s*"[^"]*"\s*'
_ABOUT = re.compile(rf"{_PAIR}(?:,{_PAIR})*")
_VALUE = re.compile(r'"([^"]*)"')


class Kind:
    """The kinds of lines."""

    MOVE = "move"
    OK = "OK"
    ERROR = "ERROR"
    UNKNOWN = "UNKNOWN"
    TALK = "talk"
    OTHER = "other"


@dataclass(frozen=True)
class Reading:
    """Holds the kind of a line, its oddities, and its square if it is a move."""

    kind: str
    oddities: tuple[Oddity, ...] = ()
    move: Point | None = None


def read_line(line: RawLine) -> Reading:
    """Reads any line. Nothing that a brain writes is refused."""
    text = line.data.decode("latin-1")
    if line.source is Source.ERR:
        # Piskvork reads stderr and stdout as one stream, so a message is harmless there.
        is_message = text.upper().startswith(("DEBUG ", "MESSAGE "))
        return Reading(Kind.TALK, () if is_message else (Oddity.STDERR,))
    odd: list[Oddity] = []
    if text.startswith("\xef\xbb\xbf"):
        text = text[3:]
        odd.append(Oddity.BOM)
    if not line.ended:
        odd.append(Oddity.MOVE_CR if text.endswith("\r") else Oddity.UNENDED)
    has_cr = text.endswith("\r")
    text = text.removesuffix("\r")
    if not text.isascii():
        odd.append(Oddity.NOT_ASCII)
    found = _read_text(text)
    if found.kind == Kind.MOVE and has_cr and line.ended:
        odd.append(Oddity.MOVE_CR_LF)
    return Reading(found.kind, (*odd, *found.oddities), found.move)


def _read_text(text: str) -> Reading:
    if not text:
        return Reading(Kind.TALK, (Oddity.EMPTY_LINE,))
    if not text.strip():
        return Reading(Kind.TALK, (Oddity.BLANK_LINE,))
    if (talk := _TALK.match(text)) and (not talk[2] or talk[2][0].isspace()):
        return _read_talk(talk[1], talk[2], len(text))
    if found := _SUGGEST.fullmatch(text):
        inner = _read_text(found[1])
        return Reading(Kind.MOVE, (Oddity.SUGGEST,), inner.move)
    if found := _MOVE.fullmatch(text):
        return _read_move(found)
    if found := _OTHER_MOVE.fullmatch(text):
        x, y, letter, row = found.groups()
        point = (int(x), int(y)) if x else (ord(letter.lower()) - ord("a"), int(row) - 1)
        return Reading(Kind.MOVE, (Oddity.NOT_A_MOVE,), point)
    word = text.split()[0].upper()
    if word in (Kind.ERROR, Kind.UNKNOWN):
        return Reading(word)
    if word.startswith(Kind.OK) and not word[2:3].isalnum():
        return Reading(Kind.OK, _oddities_of_ok(text))
    return Reading(Kind.OTHER)


def _oddities_of_ok(text: str) -> tuple[Oddity, ...]:
    if text == "OK":
        return ()
    if text.strip() == "OK":
        return (Oddity.OK_BLANK,)
    return (Oddity.OK_LOWER,) if text.strip().upper() == "OK" else (Oddity.OK_MORE,)


def _read_talk(word: str, rest: str, length: int) -> Reading:
    odd: list[Oddity] = []
    if not rest:
        odd.append(Oddity.BARE_MESSAGE)
    elif rest[0] != " ":
        odd.append(Oddity.TAB_MESSAGE)
    elif not rest.strip():
        odd.append(Oddity.EMPTY_MESSAGE)
    if word != word.upper():
        odd.append(Oddity.LOWER_MESSAGE)
    if length > MAX_LINE:
        odd.append(Oddity.LONG_MESSAGE)
    return Reading(Kind.TALK, tuple(odd))


def _read_move(found: "re.Match[str]") -> Reading:
    lead, x, before, behind, y, rest = found.groups()
    odd = []
    if lead:
        odd.append(Oddity.LEADING_BLANKS)
    if before:
        odd.append(Oddity.BLANK_BEFORE_COMMA)
    if behind:
        odd.append(Oddity.BLANK_AFTER_COMMA)
    if rest:
        odd.append(Oddity.TEXT_AFTER_MOVE if rest.strip() else Oddity.TRAILING_BLANKS)
    return Reading(Kind.MOVE, tuple(odd), (int(x), int(y)))


def read_about(text: str) -> tuple[Oddity, ...]:
    """Returns the oddities of an answer to ABOUT."""
    if _ABOUT.fullmatch(text.removesuffix("\r")) is None:
        return (Oddity.ABOUT_FORM,)
    if any("," in value or "=" in value for value in _VALUE.findall(text)):
        return (Oddity.ABOUT_PLAIN,)
    return ()
