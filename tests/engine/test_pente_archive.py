"""Games of people replay under Pente: a sample of an archive, by core and referee."""

import json

import pytest

from pyengine import Engine, Rule
from tests.support.paths import DATA
from tools.pente_games import GameError, HumanGame, is_far, read_game, replayed

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
