"""Opening rules as state machines: who puts which stone, who chooses a color, who offers moves.

An opening is a program of steps. `Opening.ask` says what is wanted of whom, `Opening.answer` takes
a choice and returns the opening after it. The machine accepts legal choices only; who makes them,
an engine or a person, is not its business. Sources of the rules: docs/decisions/0130.
"""

import enum
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .grid import Color, Point
from .referee import Position, RefereeError, Rule

__all__ = [
    "Ask",
    "Choice",
    "Decide",
    "Declare",
    "Offer",
    "Opening",
    "OpeningRule",
    "OpeningRuleError",
    "Option",
    "Pick",
    "Put",
    "Seat",
    "shape_of",
    "usual_opening",
]

LEAST_RENJU_SIZE = 9
LEAST_PRO_SIZE = 7
"""The smallest board with squares outside the 5x5 squares in the centre."""


class OpeningRuleError(ValueError):
    """Says which choice an opening rule refuses, and what it expects."""


class OpeningRule(enum.StrEnum):
    """The opening rules."""

    PRO = "pro"
    """Pente's tournament opening: the second black stone is far from the centre."""
    SWAP = "swap"
    SWAP2 = "swap2"
    RIF = "rif"
    SOOSYRV_8 = "soosyrv-8"
    TARAGUCHI_10 = "taraguchi-10"


class Seat(enum.Enum):
    """A player by the order at the start: FIRST places the first stone (tentative Black)."""

    FIRST = "first"
    SECOND = "second"

    @property
    def other(self) -> "Seat":
        """Returns the opponent's seat."""
        return Seat.SECOND if self is Seat.FIRST else Seat.FIRST


class Option(enum.StrEnum):
    """A decision that a player may take instead of placing a stone."""

    STAY = "stay"
    SWAP = "swap"
    TWO_MORE = "two more"
    """Place two more stones and leave the choice of colors to the opponent (swap2)."""
    OFFER_TEN = "offer ten"
    """Offer ten fifth moves instead of one (Taraguchi-10)."""


@dataclass(frozen=True)
class Put:
    """Asks for a stone within the central square of side `zone` (None: anywhere), or outside it.

    The player of its color places it, or `seat`.
    """

    zone: int | None = None
    seat: Seat | None = None
    outside: bool = False


@dataclass(frozen=True)
class Decide:
    """Asks the player who did not place the last stone for an option, each with its next steps."""

    options: tuple[tuple[Option, tuple["Step", ...]], ...]


@dataclass(frozen=True)
class Declare:
    """Asks White for the number of fifth moves that Black will offer."""

    least: int
    most: int


@dataclass(frozen=True)
class Offer:
    """Asks Black for `count` moves without symmetric copies; None is the declared number."""

    count: int | None = None


@dataclass(frozen=True)
class Pick:
    """Asks White for one of the offered moves."""


Step = Put | Decide | Declare | Offer | Pick
Choice = Point | Option | int | tuple[Point, ...]
"""A stone or a picked offer, an option, a declared number, or the offered moves."""


def _swap(*rest: Step) -> Decide:
    return Decide(((Option.STAY, rest), (Option.SWAP, rest)))


_FIRST, _SECOND = Seat.FIRST, Seat.SECOND
_PATTERN = (Put(1, _FIRST), Put(3, _FIRST), Put(5, _FIRST))
"""One of the 26 patterns: Black on the centre, White next to it, Black within 5x5."""
_ANYWHERE = (Put(None, _FIRST),) * 3
_TARAGUCHI_END: tuple[tuple[Option, tuple[Step, ...]], ...] = (
    (Option.STAY, (Put(9), _swap())),
    (Option.SWAP, (Put(9), _swap())),
    (Option.OFFER_TEN, (Offer(10), Pick())),
)
_PROGRAMS: dict[OpeningRule, tuple[Step, ...]] = {
    OpeningRule.PRO: (Put(1), Put(), Put(5, outside=True)),
    OpeningRule.SWAP: (*_ANYWHERE, _swap()),
    OpeningRule.SWAP2: (
        *_ANYWHERE,
        Decide(
            (
                (Option.STAY, ()),
                (Option.SWAP, ()),
                (Option.TWO_MORE, (Put(None, _SECOND), Put(None, _SECOND), _swap())),
            )
        ),
    ),
    OpeningRule.RIF: (*_PATTERN, _swap(Put(), Offer(2), Pick())),
    OpeningRule.SOOSYRV_8: (*_PATTERN, _swap(Put(), Declare(1, 8), _swap(Offer(), Pick()))),
    OpeningRule.TARAGUCHI_10: (
        Put(1),
        _swap(Put(3), _swap(Put(5), _swap(Put(7), Decide(_TARAGUCHI_END)))),
    ),
}
_RENJU_ONLY = (OpeningRule.RIF, OpeningRule.SOOSYRV_8, OpeningRule.TARAGUCHI_10)


@dataclass(frozen=True)
class Ask:
    """Holds the next request and its player; `color` is that of the next stone."""

    seat: Seat
    step: Step
    color: Color


@dataclass(frozen=True)
class Opening:
    """Holds an opening in progress. It is immutable: each choice makes a new value."""

    rule: OpeningRule
    game: Rule
    size: int
    rest: tuple[Step, ...]
    stones: tuple[Point, ...] = ()
    black: Seat = Seat.FIRST
    last: Seat = Seat.SECOND
    """The player who placed the last stone."""
    declared: int | None = None
    offers: tuple[Point, ...] = ()

    @classmethod
    def begin(cls, rule: OpeningRule, game: Rule, size: int) -> "Opening":
        """Returns the opening before its first stone; raises OpeningRuleError."""
        if rule in _RENJU_ONLY and game is not Rule.RENJU:
            name = game.name.lower().replace("_", " ")
            raise OpeningRuleError(f"{rule} belongs to renju: expected renju, not {name}")
        if rule in _RENJU_ONLY and (size % 2 == 0 or size < LEAST_RENJU_SIZE):
            raise OpeningRuleError(
                f"{rule} on {size}x{size}: expected a board with a centre, of 9x9 or larger"
            )
        if rule is OpeningRule.PRO and size < LEAST_PRO_SIZE:
            least = f"a board of {LEAST_PRO_SIZE}x{LEAST_PRO_SIZE} or larger"
            raise OpeningRuleError(f"{rule} on {size}x{size}: expected {least}")
        return cls(rule, game, size, _PROGRAMS[rule])

    @property
    def is_over(self) -> bool:
        """Says whether all choices are made. The game then continues with the color to move."""
        return not self.rest

    @property
    def to_move(self) -> Color:
        """Returns the color of the next stone."""
        return Color.WHITE if len(self.stones) % 2 else Color.BLACK

    @property
    def ask(self) -> Ask:
        """Returns the next request. The opening must not be finished."""
        step = self.rest[0]
        return Ask(self._seat_of(step), step, self.to_move)

    @property
    def offer_count(self) -> int:
        """Returns the number of moves to offer, if the next step is an offer."""
        step = self.rest[0]
        assert isinstance(step, Offer)
        return step.count or self.declared or 1

    def seat_of(self, color: Color) -> Seat:
        """Returns the current player of a color."""
        return self.black if color is Color.BLACK else self.black.other

    def color_of(self, seat: Seat) -> Color:
        """Returns the current color of a player."""
        return Color.BLACK if seat is self.black else Color.WHITE

    def position(self) -> Position:
        """Returns the board with the placed stones, without offers."""
        position = Position(size=self.size, rule=self.game)
        for stone in self.stones:
            position.play(stone)
        return position

    def squares(self) -> list[Point]:
        """Returns the allowed squares, if the next step is a stone or an offer."""
        step, position = self.rest[0], self.position()
        wanted = self._area(step) if isinstance(step, Put) else self._zone(None)
        return [p for p in wanted if _refusal(position, p) is None]

    def answer(self, choice: Choice) -> "Opening":
        """Returns the opening after a choice; raises OpeningRuleError without a change."""
        if self.is_over:
            raise OpeningRuleError(f"{self.rule}: the opening is over")
        step, rest = self.rest[0], self.rest[1:]
        match step:
            case Put():
                return self._put(step, self._point(choice), rest)
            case Decide():
                return self._decide(step, choice)
            case Declare():
                return self._declare(step, choice, rest)
            case Offer():
                offers = self._checked_offers(choice)
                return replace(self, offers=offers, rest=rest)
            case Pick():
                point = self._point(choice)
                if point not in self.offers:
                    raise self._error(f"{point} is not offered: expected one of {self.offers}")
                return replace(self._with(point, self.black, rest), offers=())

    def _seat_of(self, step: Step) -> Seat:
        match step:
            case Put():
                return step.seat or self.seat_of(self.to_move)
            case Decide():
                return self.last.other
            case Offer():
                return self.black
            case Declare() | Pick():
                return self.black.other

    def _put(self, step: Put, point: Point, rest: tuple[Step, ...]) -> "Opening":
        if point not in self._area(step):
            where = "on the board"
            if step.zone is not None and point in self._zone(None):
                how = "outside" if step.outside else "on"
                where = f"{how} the {step.zone}x{step.zone} squares in the centre"
            raise self._error(f"stone {len(self.stones) + 1} on {point}: expected it {where}")
        self._refuse(point)
        return self._with(point, self._seat_of(step), rest)

    def _with(self, point: Point, seat: Seat, rest: tuple[Step, ...]) -> "Opening":
        return replace(self, stones=(*self.stones, point), last=seat, rest=rest)

    def _decide(self, step: Decide, choice: Choice) -> "Opening":
        for option, steps in step.options:
            if option is choice:
                black = self.black.other if option is Option.SWAP else self.black
                return replace(self, black=black, rest=steps)
        known = ", ".join(option for option, _ in step.options)
        raise self._error(f"{choice!r}: expected one of: {known}")

    def _declare(self, step: Declare, choice: Choice, rest: tuple[Step, ...]) -> "Opening":
        is_number = isinstance(choice, int) and not isinstance(choice, bool)
        if not is_number or not step.least <= int(str(choice)) <= step.most:
            wanted = f"a number of fifth moves from {step.least} to {step.most}"
            raise self._error(f"{choice!r}: expected {wanted}")
        return replace(self, declared=int(str(choice)), rest=rest)

    def _checked_offers(self, choice: Choice) -> tuple[Point, ...]:
        count = self.offer_count
        if not isinstance(choice, tuple) or len(choice) != count:
            raise self._error(f"{choice!r}: expected {count} squares to offer")
        seen: dict[object, Point] = {}
        offers = []
        for each in choice:
            if not isinstance(each, tuple):
                raise self._error(f"{each!r}: expected a square")
            point = self._point(each)
            self._refuse(point)
            shape = self.shape_with(point)
            if shape in seen:
                raise self._error(
                    f"{point} and {seen[shape]}: the offers are symmetric copies of each other"
                )
            seen[shape] = point
            offers.append(point)
        return tuple(offers)

    def shape_with(self, point: Point) -> object:
        """Returns a value that is equal for two next stones that make symmetric copies."""
        return shape_of((*self.stones, point))

    def _refuse(self, point: Point) -> None:
        why = _refusal(self.position(), point)
        if why is not None:
            raise self._error(f"stone {len(self.stones) + 1} on {point}: {why}")

    def _area(self, step: Put) -> list[Point]:
        """Returns the squares on which a step wants its stone."""
        zone = self._zone(step.zone)
        return [p for p in self._zone(None) if p not in zone] if step.outside else zone

    def _zone(self, side: int | None) -> list[Point]:
        """Returns the squares of the central square of this side; None for the whole board."""
        reach = self.size if side is None else side // 2
        low, high = max(0, self.size // 2 - reach), min(self.size - 1, self.size // 2 + reach)
        return [(x, y) for x in range(low, high + 1) for y in range(low, high + 1)]

    def _point(self, choice: Choice) -> Point:
        match choice:
            case (int(x), int(y)):
                return (x, y)
        raise self._error(f"{choice!r}: expected a square")

    def _error(self, problem: str) -> OpeningRuleError:
        return OpeningRuleError(f"{self.rule}: {problem}")


def usual_opening(game: Rule, size: int) -> OpeningRule | None:
    """Returns the opening rule by which people play a game by default; None for most rules."""
    if game in (Rule.PENTE, Rule.KERYO) and size >= LEAST_PRO_SIZE:
        return OpeningRule.PRO
    return None


def _refusal(position: Position, point: Point) -> str | None:
    """Returns why a stone of an opening is not allowed on a square; None if it is."""
    try:
        outcome = position.play(point)
    except RefereeError as error:
        return str(error).removeprefix("move: ")
    is_over = position.is_over
    position.undo()
    if outcome.captured:
        return "it captures: expected a stone that takes none"
    return "it ends the game: expected a stone that does not" if is_over else None


def shape_of(stones: Iterable[Point]) -> tuple[tuple[int, int, int], ...]:
    """Returns a value that is equal for shifted or symmetric copies of a set of stones.

    The colors alternate, Black first. The edge of the board does not matter, as when players
    compare patterns.
    """
    marked = [(x, y, number % 2) for number, (x, y) in enumerate(stones)]
    images = []
    for sign_x, sign_y, swapped in (
        (sx, sy, swap) for sx in (1, -1) for sy in (1, -1) for swap in (False, True)
    ):
        image = [(sign_x * x, sign_y * y, color) for x, y, color in marked]
        if swapped:
            image = [(y, x, color) for x, y, color in image]
        left, top = min(x for x, _, _ in image), min(y for _, y, _ in image)
        images.append(tuple(sorted((x - left, y - top, color) for x, y, color in image)))
    return min(images)
