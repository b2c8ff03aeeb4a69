"""The tables of a tournament: 80 columns, and live during the games."""

import io

import pytest
import rich.console
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.game.record import EndReason, GameRecord, PlayerRecord
from arena.stats.standings import LINE_WIDTH, Table, rating_lines, table_lines, table_of
from arena.tournament.live import PlainStandings, TerminalStandings, _Pace


def game(black: str, white: str, winner: str | None = "black") -> GameRecord:
    """Returns a game without moves."""
    return GameRecord(
        black=PlayerRecord(black),
        white=PlayerRecord(white),
        size=15,
        rule=0,
        turn_ms=1000,
        match_ms=None,
        memory_mib=0,
        tolerance_ms=0,
        opening=(),
        moves=(),
        winner=winner,  # type: ignore[arg-type]
        reason=EndReason.FIVE,
        detail="five",
    )


def all_play_all(names: list[str], rounds: int = 1) -> Table:
    games = [
        game(one, other, "black" if n % 3 else None)
        for n, one in enumerate(names)
        for other in names[n + 1 :]
        for _ in range(rounds)
    ]
    return table_of(names, games)


NAMES = st.lists(
    st.text(st.characters(codec="ascii", categories=["L", "N"]), min_size=1, max_size=60),
    min_size=2,
    max_size=12,
    unique=True,
)


@settings(max_examples=25)
@given(names=NAMES, rounds=st.sampled_from([1, 7, 40]))
def test_tables_fit_80_columns(names: list[str], rounds: int) -> None:
    table = all_play_all(names, rounds)
    lines = [line for line in table_lines(table) if not line.startswith("note")]
    assert max(map(len, lines)) <= LINE_WIDTH == 80
    assert len({len(line) for line in rating_lines(table)}) == 1, "columns stand below each other"


def test_a_wide_cross_table_comes_in_blocks() -> None:
    names = [f"engine number {number:02}" for number in range(14)]
    lines = table_lines(all_play_all(names, 2))
    heads = [line.split() for line in lines if line.startswith(" # ") and "engine" not in line]
    assert [int(place) for head in heads for place in head[1:]] == list(range(1, 15))
    assert len(heads) > 1
    results = " ".join(lines[15:]).split()
    assert sum("/2" in word for word in results) == 14 * 13
    assert results.count("·") == 14


def test_plain_standings_come_between_the_games(capsys: pytest.CaptureFixture[str]) -> None:
    shown = PlainStandings(first_s=0.0)
    shown.start()
    shown.say("1/4  A - B  1-0")
    shown.beat(1, lambda: all_play_all(["A", "B"]))
    shown.beat(1, lambda: pytest.fail("nothing new"))
    shown.beat(2, lambda: pytest.fail("too soon"))
    shown.stop()
    out = capsys.readouterr().out
    assert out.startswith("1/4  A - B  1-0\n\nafter 1 games\n # engine")
    assert out.count("engine") == 1


def test_the_standings_of_a_terminal_are_redrawn_below_the_games() -> None:
    out = io.StringIO()
    console = rich.console.Console(file=out, force_terminal=True, width=80)
    shown = TerminalStandings(console)
    shown.start()
    shown.beat(1, lambda: all_play_all(["Alpha", "Beta"]))
    shown.say("1/4  Alpha - Beta  1-0")
    shown.stop()
    shown.stop()
    text = out.getvalue()
    assert "after 1 games" in text and text.index("engine") < text.rindex("1/4  Alpha - Beta")


def test_standings_that_take_long_come_seldom() -> None:
    pace = _Pace(0.0, 2.0)
    assert pace.is_due(1) and not pace.is_due(2)
    pace = _Pace(0.0, 0.0)
    pace._next = 0.0
    pace.slow_down(1000.0)
    assert not pace.is_due(1)
