"""Reports of engines about their search: lines in several forms, those of Rapfi and ours included.

These are read, as whole lines of play:

    MESSAGE depth 9-14 multipv 2 ev 35 n 1.5M n/ms 676 tm 120 pv 7,7 8,8
    MESSAGE Depth 9-14 | Eval 35 | Time 120ms | H8 I9
    MESSAGE (2) 35 | 9-14 | H8 I9
    MESSAGE LINE 2 DEPTH 9-14 SCORE 29993 MATE 7 WINRATE 100.0% NODES 81234 TIME 120 PV 7,7 8,8

Of any other message depth, nodes and score are read where words of the field name them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from records.squares import NAME, named, renju_named

from ..rules.referee import Point
from .player import Thought

__all__ = ["Report", "points_of", "read_report", "read_thought"]

_DEPTH = re.compile(r"\bdepth\W{0,3}(\d{1,6})", re.IGNORECASE)
_NODES = re.compile(
    r"\b(?:nodes?\W{0,3}|n[ =:]{1,3})(\d{1,18}(?:\.\d{1,6})?)([kmg]?)\b", re.IGNORECASE
)
_VALUE = r"[+-]?[a-z]{0,4}[+-]?\d{1,9}"
_SCORE = re.compile(rf"\b(?:score|eval|ev)\b[ :=|]{{1,3}}({_VALUE})", re.IGNORECASE)
_MATE = re.compile(r"\bmate\b[ :=|]{1,3}([+-]?\d{1,4})\b", re.IGNORECASE)
_MATE_SCORE = re.compile(r"([+-]?)[a-z]{1,4}([+-]?)(\d{1,4})", re.IGNORECASE)
_WHICH = re.compile(r"\b(?:multipv|line) +(\d{1,3})\b|MESSAGE +\((\d{1,3})\)", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}
_PV = r"(?P<pv>[a-z0-9, ]+)"
_FORMS = tuple(
    re.compile(rf"MESSAGE\s+{form}\s*", re.IGNORECASE)
    for form in (
        rf"depth (?P<depth>\d+)\S*(?: multipv (?P<line>\d+))? ev (?P<score>{_VALUE}).* pv {_PV}",
        r"(?:\[pondering\] *)?"
        rf"depth (?P<depth>\d+)\S* *\| *eval (?P<score>{_VALUE}) *\|.*\| *{_PV}",
        rf"\((?P<line>\d+)\) *(?P<score>{_VALUE}) *\|(?:.*\|)? *(?P<depth>\d+)-\d+ *\|.*?{_PV}",
        rf"(?:line (?P<line>\d+) )?depth (?P<depth>\d+)\S* score (?P<score>{_VALUE})"
        rf"(?: mate (?P<mate>-?\d+))?.* pv {_PV}",
    )
)
_PAIR = re.compile(r"\d{1,2},\d{1,2}")


@dataclass(frozen=True)
class Report:
    """Holds one line of play as an engine told it.

    line: 1 = the best. score: as told. mate: plies to a proven end, negative when losing.
    pv: the squares as told, `7,7` or `h8`; at least one.
    """

    line: int
    depth: int
    score: str
    mate: int | None
    pv: tuple[str, ...]


def read_report(message: str) -> Report | None:
    """Returns the line of play that a message tells, None where it tells none."""
    for form in _FORMS:
        found = form.fullmatch(message)
        if found is None:
            continue
        told = found.groupdict()
        words = tuple(w for w in told["pv"].split() if _PAIR.fullmatch(w) or NAME.fullmatch(w))
        if words:
            score = told["score"]
            mate = int(told["mate"]) if told.get("mate") else _mate_of(score)
            line = int(told.get("line") or 1)
            return Report(line, int(told["depth"]), score, mate or None, words)
    return None


def points_of(report: Report, size: int, *, from_top: bool = False) -> tuple[Point, ...]:
    """Returns the squares of a report up to the first that is off the board.

    from_top: whether the engine's letters have a1 at the top left. At the bottom left is Rapfi's.
    """
    points: list[Point] = []
    for word in report.pv:
        if "," in word:
            x, y = word.split(",")
            point = (int(x), int(y))
        else:
            point = named(word) if from_top else renju_named(word, size)
        if not all(0 <= value < size for value in point):
            break
        points.append(point)
    return tuple(points)


def read_thought(messages: Sequence[str]) -> Thought:
    """Returns depth, nodes, score and mate as last told; each None where no message tells it.

    A mate belongs to a score: it is `MATE 7` in the message of the last score, or the score itself
    is one, as `+M7`. Of several lines of play the best one counts.
    """
    depth = nodes = mate = None
    score = None
    for text in messages:
        which = _WHICH.search(text)
        if which is not None and int(which[1] or which[2]) > 1:
            continue
        if found := _DEPTH.search(text):
            depth = int(found[1])
        if found := _NODES.search(text):
            nodes = round(float(found[1]) * _UNITS[found[2].lower()])
        if found := _SCORE.search(text):
            score = found[1]
            said = _MATE.search(text)
            mate = int(said[1]) if said else _mate_of(score)
    return Thought(depth, nodes, score, mate or None)


def _mate_of(score: str) -> int | None:
    """Returns the mate that a score is, as `+M7` or `-mate7`, None for a number."""
    found = _MATE_SCORE.fullmatch(score)
    if found is None:
        return None
    return -int(found[3]) if "-" in found[1] + found[2] else int(found[3])
