"""Pente and Keryo-Pente: core, arena's referee and a plain reading of the rules agree.

`tests/support/pente_referee.py` was written from the text of the rules, without a look at the code.
"""

import random
from collections import Counter

import pytest

from pyengine import Engine, NoUndoError, Rule
from tests.support.capture_games import (
    RULES,
    DifferenceError,
    Style,
    Table,
    crowd,
    drawn_move,
    play_game,
    play_star,
    star,
)
from tests.support.pente_referee import KERYO, OTHER, PENTE, RAYS, Played, Point, Referee, Variant

BOTH_RULES = pytest.mark.parametrize("rule", list(RULES), ids=lambda rule: rule.name)

IN_GAMES = {
    "won by five",
    "won by captures",
    "draw",
    "undone",
    "row of 1 enclosed",
    "row of 4 enclosed",
    "row at the edge",
    "stone put between",
    "captured square played again",
}


def games(rule: Rule, *, seeds: range) -> Counter[str]:
    """Plays random games and returns what was in them."""
    seen: Counter[str] = Counter()
    with Engine(rule=rule, memory_mib=1) as engine, Engine(rule=rule, memory_mib=1) as fresh:
        for seed in seeds:
            rng = random.Random(seed)
            size, variant = rng.choice((5, 9, 10, 12, 15, 19)), RULES[rule]
            game = crowd(rng, variant, size) if size == 5 else Referee(variant, size)
            play_game(Table(rule, engine, game, seen), rng, fresh=fresh)
    return seen


def stars(rule: Rule, *, seeds: range) -> Counter[str]:
    """Plays into the middle of random stars and returns what happened."""
    seen: Counter[str] = Counter()
    with Engine(rule=rule, memory_mib=1) as engine, Engine(rule=rule, memory_mib=1) as fresh:
        for seed in seeds:
            rng = random.Random(seed)
            game, middle = star(rng, RULES[rule], rng.choice((9, 13, 15, 19)))
            play_star(Table(rule, engine, game, seen), middle, rng, fresh=fresh)
    return seen


@BOTH_RULES
def test_random_games(rule: Rule) -> None:
    """The three agree on captures, boards, squares, counts and ends of random games, undo too."""
    seen = games(rule, seeds=range(30))
    rows = {"captured 2", "captured 4"} | ({"captured 3"} if rule is Rule.KERYO else set())
    assert set(seen) >= IN_GAMES | rows, seen


@BOTH_RULES
def test_stars(rule: Rule) -> None:
    """The three agree on moves that capture in several directions at once, and on two wins."""
    seen = stars(rule, seeds=range(300))
    assert set(seen) >= {"captured 6", "captured 8", "won by captures and five"}, seen


@pytest.mark.soak
@BOTH_RULES
def test_many_random_games_and_stars(rule: Rule) -> None:
    """The same with new seeds, for longer."""
    first = random.randrange(2**40)
    games(rule, seeds=range(first, first + 1_000))
    stars(rule, seeds=range(first, first + 10_000))


class TakesAtTheEdge(Referee):
    """Reads the edge as a stone of the mover."""

    def captured_by(self, at: Point, color: str) -> list[Point]:
        """Captures rows that end at the edge as well."""
        last = self.size
        edge = [(x, y) for x in range(-1, last + 1) for y in range(-1, last + 1)]
        framed = Referee(self.variant, last, dict(self.stones))
        framed.stones |= {m: color for m in edge if min(m) < 0 or max(m) >= last}
        return framed.captured_by(at, color)


class TakesBetween(Referee):
    """Captures a stone that is put between two stones of the opponent, with its neighbour."""

    def play(self, at: Point) -> Played:
        """Plays, and removes an own pair that is enclosed."""
        color, played = self.to_move, super().play(at)
        for dx, dy in RAYS:
            pair = [at, (at[0] + dx, at[1] + dy)]
            ends = [(at[0] - dx, at[1] - dy), (at[0] + 2 * dx, at[1] + 2 * dy)]
            if [self.stones.get(m) for m in pair] == [color] * 2 and [
                self.stones.get(m) for m in ends
            ] == [OTHER[color]] * 2:
                del self.stones[pair[1]]
                break
        return played


class WinsByFiveOnly(Referee):
    """Reads six in a line as nothing."""

    def longest_line(self, at: Point, color: str) -> int:
        """Returns nothing for six or more."""
        length = super().longest_line(at, color)
        return length if length <= 5 else 0


MISTAKES: list[tuple[Rule, type[Referee], Variant]] = [
    (Rule.PENTE, Referee, Variant(rows=(2, 3), stones_to_win=10)),
    (Rule.PENTE, Referee, Variant(rows=(2,), stones_to_win=12)),
    (Rule.KERYO, Referee, Variant(rows=(2,), stones_to_win=15)),
    (Rule.KERYO, Referee, Variant(rows=(2, 3, 4), stones_to_win=15)),
    (Rule.KERYO, Referee, Variant(rows=(2, 3), stones_to_win=14)),
    (Rule.KERYO, TakesAtTheEdge, KERYO),
    (Rule.PENTE, TakesBetween, PENTE),
    (Rule.KERYO, WinsByFiveOnly, KERYO),
]


@pytest.mark.parametrize(("rule", "reader", "variant"), MISTAKES)
def test_a_wrong_reading_is_noticed(rule: Rule, reader: type[Referee], variant: Variant) -> None:
    """The comparison fails for a referee with one mistake, within a few games."""
    with (
        Engine(rule=rule, memory_mib=1) as engine,
        Engine(rule=rule, memory_mib=1) as fresh,
        pytest.raises(DifferenceError),
    ):
        for seed in range(1_000):
            rng = random.Random(seed)
            game = reader(variant, rng.choice((7, 9)))
            play_game(Table(rule, engine, game, Counter()), rng, fresh=fresh, whole=1)


class Endless(Referee):
    """A game that continues after a win, as a manager may let it."""

    @property
    def over(self) -> bool:
        """Whether the board is full."""
        return self.full


def test_a_game_that_continues_after_its_end() -> None:
    """A thousand moves are placed, compared and all taken back, also those the core forgot."""
    rng, style = random.Random(3), Style(capture=0.95, bait=0.8, between=0.05, five=1, near=1)
    game = Endless(KERYO, 9)
    boards = [dict(game.stones)]
    with Engine(size=9, rule=Rule.KERYO, memory_mib=1) as engine:
        for _ in range(1_000):
            played = game.play(drawn_move(rng, game, style))
            assert sorted(engine.place(played.at).captured) == sorted(played.captured)
            boards.append(dict(game.stones))
        for number in range(1_000, -1, -1):
            if number % 100 == 0:
                board = {m: color.value for m, color in engine.position.board.items()}
                assert board == boards[number]
            if number:
                engine.undo()
        with pytest.raises(NoUndoError):
            engine.undo()
