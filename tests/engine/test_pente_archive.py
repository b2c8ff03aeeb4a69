"""Games of people replay under Pente: a sample of an archive, by core and referee."""

import json
import re
from pathlib import Path

import pytest

from pyengine import Engine, Rule
from tests.support.paths import DATA
from tools.pente_games import (
    GameError,
    HumanGame,
    Question,
    chance_after,
    is_far,
    levels,
    read_game,
    replayed,
)

TEXT = """\
[Game "Pente"]
[Date "11/03/2012"]
[Player 1 Rating "1835"]
[Player 2 Rating "2139"]
[Result "1-0"]

1. K10 G9 2. G12 J9 3. J12 H9 4. F9 L9 5. K9 K11 6. H11 K8 7. K9 J10 8. G10 F13
9. H11 G13 10. K13 1-0
"""


def sample() -> list[HumanGame]:
    """Returns the games of the sample."""
    lines = (DATA / "pente_games.jsonl").read_text(encoding="utf-8").splitlines()
    games = []
    for line in lines:
        told = json.loads(line)
        moves = [tuple(map(int, word.split(","))) for word in told["moves"].split()]
        games.append(
            HumanGame(
                told["game"],
                told["date"],
                tuple(told["ratings"]),
                told["winner"],
                moves,  # type: ignore[arg-type]
            )
        )
    return games


def test_the_sample_replays() -> None:
    """No move is illegal, core and referee agree, and so do the recorded winners."""
    total: dict[str, int] = {}
    with Engine(size=19, rule=Rule.PENTE, memory_mib=1) as e:
        for game in sample():
            for name, count in replayed(e, game).items():
                total[name] = total.get(name, 0) + count
    assert total["games"] == 60 and not total.get("recorded winner differs")
    assert total["won by five"] > 30 and total["won by captures"] > 3
    assert total["captured stones"] > 200


def test_the_sample_follows_the_tournament_opening() -> None:
    assert all(is_far(game.moves[2]) for game in sample() if len(game.moves) > 2)


def test_a_game_of_the_site_is_read() -> None:
    game = read_game(TEXT, "one")
    assert game.moves[:3] == ((9, 9), (6, 10), (6, 7)) and len(game.moves) == 19
    assert (game.ratings, game.winner, game.date) == ((1835, 2139), "black", "11/03/2012")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("K10", "I10"), "'I10' is no square of a 19x19 board"),
        (("K10", "K20"), "'K20' is no square of a 19x19 board"),
        (("K13 1-0", "K13"), "expected a result at the end"),
        (('[Player 1 Rating "1835"]', ""), "Player 1 Rating"),
    ],
)
def test_a_text_that_is_no_game_is_refused(change: tuple[str, str], said: str) -> None:
    with pytest.raises(GameError, match=f"one: .*{said}"):
        read_game(TEXT.replace(*change), "one")


def test_an_illegal_move_is_reported_with_its_place() -> None:
    game = read_game(TEXT.replace("G9 2. G12", "G9 2. G9"), "one")
    with (
        Engine(size=19, rule=Rule.PENTE, memory_mib=1) as e,
        pytest.raises(AssertionError, match=r"one, move 3, \(6, 10\)"),
    ):
        replayed(e, game)


def test_the_worth_of_a_move() -> None:
    """A five wins. A move that leaves the other side an open four loses."""
    black, white = [(9, 9), (10, 9), (11, 9), (12, 9)], [(2, 2), (4, 2), (6, 2), (8, 2)]
    four = Question(tuple(m for pair in zip(black, white, strict=True) for m in pair), (8, 9))
    with Engine(size=19, rule=Rule.PENTE, memory_mib=1) as e:
        assert chance_after(e, four, (13, 9), 1000) == 1
        open_four = Question(four.moves[:-1], (0, 0))
        assert chance_after(e, open_four, (0, 0), 1000) < 0.01


def test_the_table_of_levels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each row has the level, the share of the same moves, and the chance to win."""
    (tmp_path / "one").write_text(TEXT.replace('"1835"', '"2000"'))
    assert levels(tmp_path, wanted=[1], rating=2000, count=1, nodes=500, judged=500) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[:2] == [
        "1 positions, the winner's rating at least 2000",
        "| level | the same move | chance to win |",
    ]
    assert re.fullmatch(r"\| 1 \| (0|100)\.0 % \| \d+\.\d % \|", rows[3])
    assert re.fullmatch(r"\| the players \| 100\.0 % \| \d+\.\d % \|", rows[4])
    assert levels(tmp_path, wanted=[1], rating=2500, count=1, nodes=500, judged=500) == 1
