"""Opening rules between engines: asks for each choice, checks it, and records it.

An adviser chooses for one player. `SearchAdviser` uses the scores of an engine for positions, and
SWAP2BOARD if the engine supports it (docs/decisions/0130).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..rules.grid import Color, Point
from ..rules.opening_rules import (
    Choice,
    Decide,
    Declare,
    Offer,
    Opening,
    OpeningRule,
    OpeningRuleError,
    Option,
    Pick,
    Put,
    Seat,
)
from ..util.faults import BrainFault, Fault

__all__ = [
    "Adviser",
    "Negotiated",
    "OpeningFault",
    "SearchAdviser",
    "Verdict",
    "negotiate",
]

PUT_CANDIDATES = 12
FIFTH_CANDIDATES = 24
NEAR = 2
"""The largest distance of the first stones from the centre under swap and swap2."""


class OpeningFault(RuntimeError):
    """A fault of a player in the opening, with the player's seat."""

    def __init__(self, opening: Opening, seat: Seat, fault: BrainFault) -> None:
        """Takes the opening at the time of the request."""
        super().__init__(fault.detail)
        self.opening = opening
        self.seat = seat
        self.fault = fault


class Adviser(Protocol):
    """Chooses for one player; raises each fault as BrainFault."""

    @property
    def name(self) -> str:
        """Returns the player's name."""

    def choose(self, opening: Opening) -> Choice:
        """Returns the choice for the next step."""


@dataclass(frozen=True)
class Negotiated:
    """Holds a finished opening, and each choice in words."""

    opening: Opening
    log: tuple[str, ...]


def negotiate(
    opening: Opening,
    advisers: Mapping[Seat, Adviser],
    on_choice: Callable[[str], None] = lambda _: None,
) -> Negotiated:
    """Asks for one choice after the other until the opening is finished.

    `on_choice` is called with each choice in words. Raises OpeningFault for a fault of a player or
    an illegal choice.
    """
    log: list[str] = []
    while not opening.is_over:
        seat = opening.ask.seat
        adviser = advisers[seat]
        try:
            choice = adviser.choose(opening)
            after = opening.answer(choice)
        except BrainFault as fault:
            raise OpeningFault(opening, seat, fault) from None
        except OpeningRuleError as error:
            illegal = BrainFault(Fault.ILLEGAL, str(error))
            raise OpeningFault(opening, seat, illegal) from None
        log.append(f"{adviser.name}: {_words(opening, choice)}")
        on_choice(log[-1])
        opening = after
    return Negotiated(opening, tuple(log))


def _words(opening: Opening, choice: Choice) -> str:
    """Returns a choice in words."""
    step = opening.ask.step
    if isinstance(step, Declare):
        return f"{choice} fifth moves"
    if isinstance(step, Offer):
        assert isinstance(choice, tuple)
        offers = [square for square in choice if isinstance(square, tuple)]
        return "offers " + " ".join(_square(point) for point in offers)
    if isinstance(choice, tuple):
        verb = "picks" if isinstance(step, Pick) else opening.ask.color.value
        return f"{verb} {_square((int(str(choice[0])), int(str(choice[1]))))}"
    return str(choice)


def _square(point: Point) -> str:
    return f"{point[0]},{point[1]}"


@dataclass(frozen=True)
class Verdict:
    """Holds an engine's judgement of a position: its move, and the score of the side to move."""

    move: Point
    score: int | None


class Judge(Protocol):
    """Judges positions by an engine."""

    @property
    def name(self) -> str:
        """Returns the engine's name."""

    def judge(self, stones: Sequence[Point]) -> Verdict:
        """Returns the judgement of the position after these stones, Black's first."""

    def swap2(self, stones: Sequence[Point]) -> str | None:
        """Returns the answer to SWAP2BOARD; None if the engine does not support it."""


@dataclass
class SearchAdviser:
    """Chooses by the scores of an engine, by the table in decision 0130."""

    engine: Judge
    seed: int | str = 1
    _scores: dict[frozenset[tuple[Point, bool]], int | None] = field(default_factory=dict)
    _due: list[Choice] = field(default_factory=list)
    """Choices already made by an answer to SWAP2BOARD."""

    @property
    def name(self) -> str:
        """Returns the engine's name."""
        return self.engine.name

    @property
    def notes(self) -> tuple[str, ...]:
        """Returns notes about positions for which the engine reported no score."""
        silent = list(self._scores.values()).count(None)
        if not silent:
            return ()
        return (f"{self.name} reported no score for {silent} of {len(self._scores)} positions",)

    def choose(self, opening: Opening) -> Choice:
        """Returns the choice for the next step; raises BrainFault."""
        if self._due:
            return self._due.pop(0)
        if opening.rule is OpeningRule.SWAP2 and (due := self._asked(opening)):
            self._due = due[1:]
            return due[0]
        match opening.ask.step:
            case Put() as step:
                return self._put(opening, step)
            case Decide() as step:
                return self._decide(opening, step)
            case Declare() as step:
                values = [_farness(value) for value, _ in self._fifths(opening, step.most)]
                return step.least + values.index(min(values))
            case Offer():
                ranked = self._fifths(opening, opening.offer_count)
                return tuple(point for _, point in ranked)
            case Pick():
                return min(opening.offers, key=lambda p: _rank(self._worth(opening, p), 1))

    # Scores

    def _score(self, stones: Sequence[Point]) -> int | None:
        """Returns the score of the side to move; None if the engine reports none."""
        key = frozenset((stone, number % 2 == 0) for number, stone in enumerate(stones))
        if key not in self._scores:
            self._scores[key] = self.engine.judge(stones).score
        return self._scores[key]

    def _worth(self, opening: Opening, fifth: Point) -> int | None:
        """Returns the worth of a fifth move for Black; None if the engine reports no score."""
        score = self._score((*opening.stones, fifth))
        return None if score is None else -score

    def _fifths(self, opening: Opening, count: int) -> list[tuple[int | None, Point]]:
        """Returns `count` fifth moves without copies and their worth, the best for Black first."""
        points = _distinct(opening, _by_distance(opening))[: max(count, FIFTH_CANDIDATES)]
        valued = [(self._worth(opening, point), point) for point in points]
        return sorted(valued, key=lambda pair: _rank(pair[0], -1))[:count]

    # Choices

    def _put(self, opening: Opening, step: Put) -> Point:
        squares = opening.squares()
        if len(squares) == 1:
            return squares[0]
        following = opening.rest[1] if len(opening.rest) > 1 else None
        if isinstance(following, Put) and following.seat is step.seat is not None:
            return self._drawn(opening, squares)
        if isinstance(following, Decide | Declare):
            near = _distinct(opening, _by_distance(opening))[: 2 * PUT_CANDIDATES]
            draw = random.Random(f"{self.seed} {len(opening.stones)}")
            some = draw.sample(near, min(PUT_CANDIDATES, len(near)))
            return min(some, key=lambda p: _farness(self._score((*opening.stones, p))))
        move = self.engine.judge(opening.stones).move
        if move not in squares and step.outside:
            return self._best(opening)  # the engine does not know where it may play
        if move not in squares:
            raise BrainFault(
                Fault.ILLEGAL, f"{_square(move)} is not a legal stone of {opening.rule}"
            )
        return move

    def _best(self, opening: Opening) -> Point:
        """Returns the square with the worst score for the opponent, of those near the stones."""
        some = _distinct(opening, _by_distance(opening))[:PUT_CANDIDATES]
        return min(some, key=lambda p: _rank(self._score((*opening.stones, p)), 1))

    def _drawn(self, opening: Opening, squares: list[Point]) -> Point:
        """Returns a random square near the centre; equal seeds give equal squares."""
        middle = opening.size // 2
        near = [p for p in squares if max(abs(p[0] - middle), abs(p[1] - middle)) <= NEAR]
        return random.Random(f"{self.seed} {len(opening.stones)}").choice(near or squares)

    def _decide(self, opening: Opening, step: Decide) -> Option:
        options = [option for option, _ in step.options]
        if Option.OFFER_TEN in options and (self._fifths(opening, 10)[-1][0] or 0) > 0:
            return Option.OFFER_TEN
        color = opening.color_of(opening.ask.seat)
        return Option.SWAP if self._own_value(opening, color) < 0 else Option.STAY

    def _own_value(self, opening: Opening, color: Color) -> int:
        """Returns the value of a color in the current opening; 0 without a score."""
        if opening.declared is not None:
            black = self._fifths(opening, opening.declared)[-1][0] or 0
            return black if color is Color.BLACK else -black
        score = self._score(opening.stones) or 0
        return score if color is opening.to_move else -score

    # SWAP2BOARD

    def _asked(self, opening: Opening) -> list[Choice]:
        """Returns the engine's choices by SWAP2BOARD; none if it does not support it."""
        text = self.engine.swap2(opening.stones)
        if text is None:
            return []
        if text.strip().upper() == "SWAP":
            return [Option.SWAP]
        points: list[Choice] = [_point(word) for word in text.split()]
        stones, ask = len(opening.stones), opening.ask.step
        if isinstance(ask, Put) and stones == 0 and len(points) == 3:
            return points
        if isinstance(ask, Decide) and stones == 3 and len(points) == 2:
            return [Option.TWO_MORE, *points]
        # One stone is the next move of White, who thereby keeps the color. The game asks for it
        # again.
        if isinstance(ask, Decide) and len(points) == 1:
            return [Option.STAY]
        raise BrainFault(Fault.ILLEGAL, f"answer to SWAP2BOARD with {stones} stones: {text[:80]!r}")


def _farness(score: int | None) -> tuple[bool, int]:
    """Returns the distance of a score from even; the largest of all without a score."""
    return (score is None, abs(score or 0))


def _rank(worth: int | None, sign: int) -> tuple[bool, int]:
    """Returns the rank by worth (1) or against worth (-1); the last without a worth."""
    return (worth is None, sign * (worth or 0))


def _point(word: str) -> Point:
    x, _, y = word.partition(",")
    return (int(x), int(y))


def _by_distance(opening: Opening) -> list[Point]:
    """Returns the squares for the next stone, the nearest to the stones first."""
    stones = opening.stones or ((opening.size // 2, opening.size // 2),)
    middle_x = sum(x for x, _ in stones) / len(stones)
    middle_y = sum(y for _, y in stones) / len(stones)
    return sorted(
        opening.squares(), key=lambda p: ((p[0] - middle_x) ** 2 + (p[1] - middle_y) ** 2, p)
    )


def _distinct(opening: Opening, points: Sequence[Point]) -> list[Point]:
    """Returns the squares without symmetric copies of earlier ones."""
    seen: dict[object, Point] = {}
    for point in points:
        seen.setdefault(opening.shape_with(point), point)
    return list(seen.values())
