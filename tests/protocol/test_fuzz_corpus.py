"""Replays the inputs kept from fuzzing; `make fuzz` searches for more.

The inputs for the core's boundary are played by a C program, which `make test` runs too.
"""

import random
from pathlib import Path

import pytest

from protocol import replies
from protocol.session import Session
from tests.fuzz import session
from tests.fuzz.session import Broken
from tests.support.paths import ROOT

CORPUS = sorted((ROOT / "tests" / "fuzz" / "protocol").iterdir())
A_GAME = bytes([0]) + b"INFO timeout_turn 100\nSTART 15\nTURN 7,7\nBOARD\n7,7,2\nDONE\nABOUT\n"


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: str(path.name))
def test_the_kept_conversations(path: Path) -> None:
    session.play(path.read_bytes())


@pytest.mark.parametrize("count", [50, pytest.param(1_000, marks=pytest.mark.soak)])
def test_conversations_made_of_pieces_of_the_kept(count: int) -> None:
    """A fuzzer without coverage: pieces of two inputs, some bytes of them changed."""
    chance = random.Random(5)
    inputs = [path.read_bytes() for path in CORPUS]
    for _ in range(count):
        first, second = (bytearray(chance.choice(inputs)) for _ in range(2))
        data = first[: chance.randrange(len(first) + 1)] + second[chance.randrange(len(second)) :]
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        session.play(bytes(data))


def test_every_byte_is_read() -> None:
    assert session.text_of(bytes(range(256))).count(b"\n") > 20
    assert session.text_of(bytes([255, 200, 255, 255])) == bytes([200, 255])


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("move", lambda square: f"{square[0]}, {square[1]}"),
        ("ABOUT", "Tengen"),
        ("OK", "MESSAGE OK"),
    ],
)
def test_a_wrong_word_is_seen(monkeypatch: pytest.MonkeyPatch, name: str, broken: object) -> None:
    session.play(A_GAME)
    monkeypatch.setattr(replies, name, broken)
    with pytest.raises(Broken):
        session.play(A_GAME)


def test_a_rescue_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "_turn", lambda *_: 1 // 0)
    with pytest.raises(Broken, match="ZeroDivisionError"):
        session.play(A_GAME)
