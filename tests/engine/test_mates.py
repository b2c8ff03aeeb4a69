"""An announced mate is never late: each is played out before the referee.

The winner plays the engine's moves, one search a move. The loser follows the announced line, or
searches for the longest defence with another engine. A later search may find a shorter win, never a
longer one.
"""

import json
import random
from typing import Any

import pytest

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import Color, Engine, Limits, Rule
from tests.support.paths import DATA
from tests.support.scenes import ALL_RULES, Setup, scattered

NODES = 20_000
LONGEST_GAME = 120

Case = tuple[str, Rule, int, Setup]


def suite(name: str) -> list[Case]:
    """Returns the positions of a data file."""
    return [
        (
            str(case["id"]),
            Rule[case["rule"].upper()],
            case["size"],
            {
                "black": [tuple(m) for m in case["black"]],
                "white": [tuple(m) for m in case["white"]],
                "captures": tuple(case.get("captures", (0, 0))),
                "to_move": Color(case["to_move"]),
            },
        )
        for case in json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    ]


class LateError(AssertionError):
    """A win takes longer than announced."""


class PlayOut:
    """Plays out an announced win."""

    def __init__(self, size: int, rule: Rule, setup: Setup) -> None:
        """Takes a position, the winner to move."""
        self._size, self._rule, self._setup = size, rule, setup

    def announced(self, *, stubborn: bool, nodes: int = NODES) -> int:
        """Plays the win out; returns the plies announced first, 0 without a mate.

        stubborn: the loser searches for a defence instead of following the line. Raises LateError.
        """
        game = Position(size=self._size, rule=referee.Rule(self._rule))
        color = referee.Color(self._setup["to_move"].value)
        game.set_position(**{**self._setup, "to_move": color})
        with (
            Engine(size=self._size, rule=self._rule, memory_mib=2) as winner,
            Engine(size=self._size, rule=self._rule, memory_mib=2) as loser,
        ):
            winner.set_position(**self._setup)
            loser.set_position(**self._setup)
            first = 0
            told: list[int] = []
            while len(game.moves) < LONGEST_GAME:
                r = winner.search(Limits(nodes=nodes))
                mate = r.mate or 0
                if not first and mate <= 0:
                    return 0
                first = first or mate
                told.append(mate)
                if not 0 < mate <= first - len(game.moves):
                    raise LateError(f"after {game.moves} {told} plies were announced")
                self._play(r.move, game, winner, loser)
                if not game.is_over:
                    follows = len(r.pv) > 1 and not stubborn
                    reply = r.pv[1] if follows else loser.search(Limits(nodes=nodes)).move
                    self._play(reply, game, winner, loser)
                if game.is_over:
                    assert game.winner is color
                    assert len(game.moves) <= first
                    return first
        raise LateError(f"no end after {game.moves}")

    def _play(self, move: Point, game: Position, *engines: Engine) -> None:
        """Plays a move in all engines and the referee."""
        game.play(move)
        for e in engines:
            e.play(move)


SUITES = [*suite("vcf_wins.json"), *suite("vct_wins.json")]


def name(case: Any) -> str:
    """Returns the name of a case for the report."""
    return str(case[0])


@pytest.mark.parametrize("case", SUITES, ids=name)
def test_a_win_of_the_suites_comes_in_time(case: Case) -> None:
    """An announced win of the suites is not late against either defence."""
    _, rule, size, setup = case
    game = PlayOut(size, rule, setup)
    game.announced(stubborn=False)
    game.announced(stubborn=True)


def random_wins(rule: Rule, rng: random.Random, *, positions: int) -> int:
    """Plays out the wins announced in random positions; returns their number."""
    wins = 0
    for _ in range(positions):
        size = rng.choice((9, 11, 15))
        setup = scattered(rng.getrandbits(32), size, rng.randint(14, 24), rule=rule)
        game = PlayOut(size, rule, setup)
        try:
            wins += any([game.announced(stubborn=stubborn) for stubborn in (False, True)])
        except LateError as error:
            error.add_note(f"{rule!r}, size {size}, {setup}")
            raise
    return wins


@ALL_RULES
def test_random_wins_come_in_time(rule: Rule) -> None:
    """The same in a few random positions of each rule."""
    assert random_wins(rule, random.Random(7), positions=10) >= 2


@pytest.mark.soak
@ALL_RULES
def test_many_random_wins_come_in_time(rule: Rule) -> None:
    """The same with new positions, for longer."""
    seed = random.SystemRandom().getrandbits(32)
    assert random_wins(rule, random.Random(seed), positions=150) >= 20, seed


LONG = next(case for case in SUITES if case[0] == "std_found_23")


def test_the_shortest_win_is_announced() -> None:
    """A win by fours in 23 plies is shortened to 19."""
    _, rule, size, setup = LONG
    with Engine(size=size, rule=rule, memory_mib=2) as e:
        e.set_position(**setup)
        line = e.vcf()
        assert line is not None and len(line) <= 19


def test_a_known_win_is_not_forgotten() -> None:
    """After the proof a search of few nodes still announces the win and its length."""
    _, rule, size, setup = LONG
    with Engine(size=size, rule=rule, memory_mib=2) as e:
        e.set_position(**setup)
        assert e.vcf(max_nodes=1) is None
        line = e.vcf()
        assert line is not None
        assert e.vcf(max_nodes=1) == line
        for m in line[:2]:
            e.play(m)
        assert e.vcf(max_nodes=1) == line[2:]
        r = e.search(Limits(nodes=1))
        assert r.mate == len(line) - 2
