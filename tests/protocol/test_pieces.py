"""Input that arrives in pieces means the same as in one piece, wherever its bytes are split."""

import subprocess
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.engines.lines import MAX_LINE, LineSplitter
from protocol import stdio

BOM = b"\xef\xbb\xbf"
LONG = b"x" * 9000
# Made of what has a meaning to a reader, and of what has none.
TOKENS = st.sampled_from(
    [b"\r", b"\n", b"\r\n", BOM, BOM[:1], BOM[1:], b"TURN 7,7", b"\xc3\xbc", b"\0", LONG, b" "]
)
TEXTS = st.lists(TOKENS | st.binary(max_size=4), max_size=12).map(b"".join)


@st.composite
def split_texts(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """A text, and the same text in pieces."""
    text = draw(TEXTS)
    cuts = draw(st.sets(st.integers(0, len(text)), max_size=8))
    return text, pieces_of(text, cuts)


def pieces_of(text: bytes, cuts: Iterable[int]) -> list[bytes]:
    """A text cut at these places."""
    places = sorted({0, len(text), *cuts})
    return [text[a:b] for a, b in pairwise(places)]


def brain_lines(pieces: Sequence[bytes]) -> list[str]:
    """Returns the lines that the engine reads. It skips blank lines, as between CR and LF."""
    rest = iter(pieces)
    return [line for line, _ in stdio.lines(lambda: next(rest, b"")) if line.strip()]


def arena_lines(pieces: Sequence[bytes]) -> list[tuple[bytes, str]]:
    """Returns the lines that the arena reads from an engine. It cuts long lines."""
    splitter = LineSplitter()
    found = [line for piece in pieces for line in splitter.feed(piece)] + splitter.end()
    return [(line[:MAX_LINE], broken) for line, broken in found]


@given(split_texts())
@example((BOM + b"START 15\n", pieces_of(BOM + b"START 15\n", range(12))))
@example((BOM + LONG, pieces_of(BOM + LONG, range(9000))))
@example((LONG + b"\nOK", pieces_of(LONG + b"\nOK", range(9000))))
def test_both_readers_see_the_same_lines(texts: tuple[bytes, list[bytes]]) -> None:
    whole, pieces = texts
    assert brain_lines(pieces) == brain_lines([whole])
    assert arena_lines(pieces) == arena_lines([whole])


def test_a_mark_before_the_first_line_is_dropped_and_no_other() -> None:
    assert brain_lines([b"\xef", b"\xbb\xbfSTART 15\n", BOM + b"END"]) == [
        "START 15",
        (BOM + b"END").decode("latin-1"),
    ]
    assert brain_lines([BOM]) == []


def test_a_line_that_never_ends_is_told_at_once() -> None:
    splitter = LineSplitter()
    assert [broken for _, broken in splitter.feed(LONG)] == ["too long"]
    assert splitter.feed(LONG) == []
    assert splitter.feed(b"x\n7,7\n") == [(b"7,7", "")]
    assert splitter.end() == []


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_the_brain_itself_answers_the_same(root: Path, size: int) -> None:
    text = BOM + b"START 15\r\nINFO max_node 500\r\nBOARD\r\n7,7,1\r\n8,8,2\r\nDONE\r\nTURN 0,0\r\n"
    answers = []
    for pieces in ([text], pieces_of(text, range(0, len(text), size))):
        with subprocess.Popen(
            [sys.executable, "-m", "protocol"],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        ) as brain:
            assert brain.stdin and brain.stdout
            for piece in pieces:
                brain.stdin.write(piece)
            said = (line for line in brain.stdout if not line.startswith(b"MESSAGE"))
            answers.append([next(said) for _ in range(3)])
            brain.stdin.write(b"END\n")
    assert answers[0] == answers[1] and answers[0][0] == b"OK\n"
