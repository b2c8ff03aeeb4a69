"""Opening rules at the terminal: a person's choices, and the game that follows."""

import io
import shlex
from collections.abc import Iterable

import pytest

from arena.openings.negotiation import negotiate
from arena.play.opening import PersonAdviser
from arena.play.screen import Screen
from arena.play.table import Table
from arena.rules.opening_rules import Opening, OpeningRule, Seat
from arena.rules.referee import Color, Rule
from tests.support.fakes import fake
from tests.support.terminal import playing

pytestmark = pytest.mark.usefixtures("nothing_is_left")


def person(lines: Iterable[str]) -> tuple[PersonAdviser, list[str], io.StringIO]:
    """Returns a person with typed lines, the prompts, and the output."""
    typed, prompts, out = iter(lines), [], io.StringIO()

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    return PersonAdviser("human", ask, Screen(out, {}, plain=True)), prompts, out


def test_a_person_makes_a_whole_opening() -> None:
    lines = ["h8", "h7", "h6", "swap", "a1", "nine", "9", "2", "st", "7,8", "i7 j6", "i6", "i7"]
    adviser, prompts, out = person(lines)
    opening = Opening.begin(OpeningRule.SOOSYRV_8, Rule.RENJU, 15)
    done = negotiate(opening, {Seat.FIRST: adviser, Seat.SECOND: adviser}, adviser._screen.say)
    assert len(done.opening.stones) == 5 and done.opening.black is Seat.SECOND
    assert done.opening.stones[4] == (8, 8)
    wanted = [prompt.removeprefix("human: ").removesuffix("> ") for prompt in prompts]
    assert wanted == [
        "stone 1 (black, central 1x1)",
        "stone 2 (white, central 3x3)",
        "stone 3 (black, central 5x5)",
        "you have white: stay or swap",
        "stone 4 (white)",
        *["number of fifth moves, 1 to 8"] * 3,
        "you have black: stay or swap",
        *["2 fifth moves"] * 2,
        *["pick i7 or j6"] * 2,
    ]
    shown = out.getvalue()
    for text in (
        "expected a number from 1 to 8",
        "9: expected a number of fifth moves from 1 to 8",
        "expected 2 squares to offer",
        "(8, 9) is not offered: expected one of",
        "human: 2 fifth moves",
    ):
        assert text in shown


@pytest.mark.parametrize("line", ["quit", "exit"])
def test_a_person_can_leave(line: str) -> None:
    adviser, _, _ = person(["", "xyzzy", "a1", line])
    opening = Opening.begin(OpeningRule.RIF, Rule.RENJU, 15)
    with pytest.raises(EOFError):
        adviser.choose(opening)


def test_a_table_begins_with_the_stones_of_an_opening() -> None:
    table = Table(15, Rule.RENJU, 1000, ((7, 7), (7, 6), (8, 8)))
    assert (table.to_move, table.moves) == (Color.WHITE, [])
    table.play((0, 0), 1.0)
    request = table.request(limit_ms=1000, is_new=True)
    assert [point for point, _ in request.stones] == [(7, 7), (7, 6), (8, 8), (0, 0)]
    assert table.record(dict.fromkeys(Color, "x")).opening == ((7, 7), (7, 6), (8, 8))
    table.undo(1)
    assert len(table.position.stones) == 3


def test_a_game_against_an_engine_begins_with_an_opening() -> None:
    rival = shlex.join(fake(scores="300"))
    arguments = ("--white", rival, "--opening-rule", "swap", "--size", "9", "--turn", "20s")
    with playing(*arguments) as terminal:
        terminal.expect(r"human \(first\): stone 1 \(black\)> ")
        for number, square in enumerate(("a9", "c3", "e5"), 1):
            terminal.type(square)
            if number < 3:
                terminal.expect(rf"stone {number + 1} \((?:black|white)\)> ")
        # The engine prefers White, so it stays and moves.
        terminal.expect(r"brain: stay")
        terminal.expect(r"black human.*white")
        terminal.expect("black> ")
        terminal.type("undo 2")
        terminal.expect(r"only 1 move\(s\)")
        terminal.type("quit")
        assert terminal.exit_code() == 0


def test_a_rule_that_does_not_fit_is_refused() -> None:
    with playing("--opening-rule", "rif") as terminal:
        terminal.expect("--opening-rule: rif belongs to renju: expected renju, not freestyle")


def test_pente_begins_by_the_tournament_opening() -> None:
    with playing("--white", "human", "--rule", "pente") as terminal:
        terminal.expect(r"human \(first\): stone 1 \(black, central 1x1\)> ")
        terminal.type("a1")
        terminal.expect("pro: stone 1 on .*: expected it on the 1x1 squares in the centre")
        terminal.type("j10")
        terminal.expect(r"human \(second\): stone 2 \(white\)> ")
        terminal.type("k11")
        terminal.expect(r"stone 3 \(black, outside the central 5x5\)> ")
        terminal.type("l10")
        terminal.expect("expected it outside the 5x5 squares in the centre")
        terminal.type("m10")
        terminal.expect("white> ")
        terminal.type("quit")
        assert terminal.exit_code() == 0


def test_an_opening_rule_can_be_switched_off() -> None:
    with playing("--white", "human", "--rule", "pente", "--opening-rule", "none") as terminal:
        terminal.expect("black> ")
        terminal.type("a1")
        terminal.expect("white> ")
        terminal.type("quit")
        assert terminal.exit_code() == 0
