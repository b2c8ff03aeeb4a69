"""Opening rules accept only legal choices and assign the colors correctly."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.rules.opening_rules import (
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
    shape_of,
    usual_opening,
)
from arena.rules.referee import Color, Point, Position, Rule

RENJU_RULES = (OpeningRule.RIF, OpeningRule.SOOSYRV_8, OpeningRule.TARAGUCHI_10)
SIZE = 15
CENTRE = (7, 7)


def chebyshev(point: Point) -> int:
    """Returns the distance of a square from the centre of a 15x15 board."""
    return max(abs(point[0] - 7), abs(point[1] - 7))


def mirrored(stones: list[Point], number: int) -> list[Point]:
    """Returns one of the eight images of stones."""
    images = []
    for x, y in stones:
        x, y = (-x if number & 1 else x), (-y if number & 2 else y)
        images.append((y, x) if number & 4 else (x, y))
    return images


def is_copy(stones: list[Point], one: Point, other: Point) -> bool:
    """Says whether two next stones make the same pattern, by trying all symmetries."""

    def marked(points: list[Point]) -> set[tuple[int, int, int]]:
        left, top = min(x for x, _ in points), min(y for _, y in points)
        return {(x - left, y - top, n % 2) for n, (x, y) in enumerate(points)}

    target = marked([*stones, other])
    return any(marked(mirrored([*stones, one], number)) == target for number in range(8))


def draw_choice(opening: Opening, data: st.DataObject) -> Choice:
    """Returns a random legal choice."""
    step = opening.ask.step
    match step:
        case Put():
            return data.draw(st.sampled_from(opening.squares()), label="stone")
        case Decide():
            return data.draw(st.sampled_from([option for option, _ in step.options]))
        case Declare():
            return data.draw(st.integers(step.least, step.most))
        case Offer():
            squares = data.draw(st.permutations(opening.squares()[::3] + opening.squares()[1::3]))
            offers: dict[object, Point] = {}
            for point in squares:
                offers.setdefault(opening.shape_with(point), point)
                if len(offers) == opening.offer_count:
                    break
            return tuple(offers.values())
        case Pick():
            return data.draw(st.sampled_from(opening.offers))


def refuse_wrong_choices(opening: Opening, data: st.DataObject) -> None:
    """Checks that this step refuses illegal choices."""
    step = opening.ask.step
    wrong: list[object] = [None, "swap it", (99, 0), (-1, 3), 9, 0, True, (), ((3, 3),) * 20]
    match step:
        case Put(zone=zone, outside=outside):
            wrong += [*opening.stones, Option.SWAP, Option.STAY]
            if zone is not None:
                others = [(x, y) for x in range(SIZE) for y in range(SIZE)]
                others = [p for p in others if (chebyshev(p) > zone // 2) is not outside]
                wrong.append(data.draw(st.sampled_from(others)))
        case Decide():
            wrong += [CENTRE, *(set(Option) - {option for option, _ in step.options})]
        case Declare():
            wrong += [step.least - 1, step.most + 1, CENTRE]
        case Offer():
            count = opening.offer_count
            legal = draw_choice(opening, data)
            assert isinstance(legal, tuple) and len(legal) == count
            wrong += [(*legal, *legal), legal[:-1], (*legal[:-1], opening.stones[0])]
        case Pick():
            wrong += [*opening.stones, opening.offers]
    for choice in wrong:
        with pytest.raises(OpeningRuleError, match=str(opening.rule)):
            opening.answer(choice)  # type: ignore[arg-type]


GAMES = [(rule, Rule.RENJU) for rule in RENJU_RULES] + [
    (rule, game) for rule in (OpeningRule.PRO, OpeningRule.SWAP, OpeningRule.SWAP2) for game in Rule
]


@pytest.mark.parametrize(("rule", "game"), GAMES)
@settings(max_examples=6)
@given(data=st.data())
def test_only_legal_choices_lead_to_the_end(
    rule: OpeningRule, game: Rule, data: st.DataObject
) -> None:
    opening = Opening.begin(rule, game, SIZE)
    swaps = 0
    steps: list[object] = []
    while not opening.is_over:
        refuse_wrong_choices(opening, data)
        ask, before = opening.ask, opening
        choice = draw_choice(opening, data)
        opening = opening.answer(choice)
        swaps += choice is Option.SWAP
        steps.append(ask.step)
        if isinstance(ask.step, Put) and ask.step.seat is None:
            assert before.color_of(ask.seat) is before.to_move
        if isinstance(ask.step, Offer):
            stones = list(before.stones)
            assert len(opening.offers) == before.offer_count
            assert not any(is_copy(stones, a, b) for a, b in combinations(opening.offers, 2))
        if isinstance(ask.step, Decide):
            assert ask.seat is not before.last
    assert opening.black is (Seat.SECOND if swaps % 2 else Seat.FIRST)
    assert opening.color_of(Seat.FIRST) is opening.color_of(Seat.SECOND).other
    position = opening.position()
    assert position.moves == list(opening.stones) and not position.is_over
    assert position.captures == (0, 0)
    expected = {
        OpeningRule.PRO: (3,),
        OpeningRule.SWAP: (3,),
        OpeningRule.SWAP2: (3, 5),
        OpeningRule.RIF: (5,),
        OpeningRule.SOOSYRV_8: (5,),
        OpeningRule.TARAGUCHI_10: (5,),
    }
    assert len(opening.stones) in expected[rule]
    if rule in RENJU_RULES:
        zones = [0, 1, 2, 3 if rule is OpeningRule.TARAGUCHI_10 else 7]
        assert all(chebyshev(p) <= far for p, far in zip(opening.stones, zones, strict=False))
        assert steps[-1] == Pick() or isinstance(steps[-1], Decide)
    with pytest.raises(OpeningRuleError, match="the opening is over"):
        opening.answer(CENTRE)


def played(rule: OpeningRule, *choices: Choice, game: Rule = Rule.RENJU) -> Opening:
    """Returns the opening after these choices."""
    opening = Opening.begin(rule, game, SIZE)
    for choice in choices:
        opening = opening.answer(choice)
    return opening


PATTERN: tuple[Choice, ...] = ((7, 7), (7, 6), (8, 6))


def test_rif_by_hand() -> None:
    opening = played(OpeningRule.RIF, *PATTERN)
    assert opening.ask.seat is Seat.SECOND
    opening = opening.answer(Option.SWAP)
    assert (opening.black, opening.ask.seat) == (Seat.SECOND, Seat.FIRST)
    opening = opening.answer((0, 0))
    assert (opening.ask.seat, opening.offer_count) == (Seat.SECOND, 2)
    opening = opening.answer(((6, 6), (5, 5)))
    assert opening.ask.seat is Seat.FIRST
    opening = opening.answer((5, 5))
    assert opening.is_over and opening.to_move is Color.WHITE
    assert opening.stones[-1] == (5, 5) and opening.seat_of(Color.WHITE) is Seat.FIRST


def test_soosyrv_by_hand() -> None:
    opening = played(OpeningRule.SOOSYRV_8, *PATTERN, Option.STAY, (9, 9))
    assert (opening.ask.seat, opening.ask.step) == (Seat.SECOND, Declare(1, 8))
    opening = opening.answer(3)
    assert opening.ask.seat is Seat.FIRST and isinstance(opening.ask.step, Decide)
    opening = opening.answer(Option.SWAP)
    assert (opening.ask.seat, opening.offer_count) == (Seat.SECOND, 3)
    opening = opening.answer(((1, 1), (2, 2), (3, 3)))
    assert opening.ask.seat is Seat.FIRST
    assert opening.answer((2, 2)).black is Seat.SECOND


def test_taraguchi_by_hand() -> None:
    opening = played(OpeningRule.TARAGUCHI_10, (7, 7), Option.SWAP)
    assert (opening.black, opening.ask.seat) == (Seat.SECOND, Seat.FIRST)
    opening = opening.answer((8, 8)).answer(Option.STAY)
    assert opening.ask.seat is Seat.SECOND
    opening = opening.answer((9, 9)).answer(Option.SWAP)
    assert (opening.black, opening.ask.seat) == (Seat.FIRST, Seat.SECOND)
    opening = opening.answer((10, 10))
    assert opening.ask.seat is Seat.FIRST
    ten = opening.answer(Option.OFFER_TEN)
    assert (ten.ask.seat, ten.offer_count) == (Seat.FIRST, 10)
    one = opening.answer(Option.SWAP)
    assert (one.black, one.ask.seat, one.ask.step) == (Seat.SECOND, Seat.SECOND, Put(9))
    last = one.answer((3, 3))
    assert last.ask.seat is Seat.FIRST
    assert last.answer(Option.SWAP).black is Seat.FIRST


def test_swap2_by_hand() -> None:
    three: tuple[Choice, ...] = ((0, 0), (14, 14), (7, 7))
    opening = played(OpeningRule.SWAP2, *three, game=Rule.STANDARD)
    assert opening.ask.seat is Seat.SECOND
    assert opening.answer(Option.STAY).black is Seat.FIRST
    assert opening.answer(Option.SWAP).black is Seat.SECOND
    more = opening.answer(Option.TWO_MORE)
    assert more.ask.seat is Seat.SECOND and more.ask.color is Color.WHITE
    more = more.answer((1, 1)).answer((2, 2))
    assert more.ask.seat is Seat.FIRST
    assert more.answer(Option.SWAP).black is Seat.SECOND
    assert more.answer(Option.STAY).is_over


def test_the_offers_of_a_symmetric_position_are_compared_by_pattern() -> None:
    # All four stones are in a row, so the squares above mirror those below.
    stones: tuple[Choice, ...] = ((7, 7), (8, 7), (9, 7))
    opening = played(OpeningRule.RIF, *stones, Option.STAY, (10, 7))
    with pytest.raises(OpeningRuleError, match="symmetric copies"):
        opening.answer(((7, 6), (7, 8)))
    with pytest.raises(OpeningRuleError, match="symmetric copies"):
        opening.answer(((7, 6), (7, 6)))
    assert opening.answer(((7, 6), (8, 8))).offers == ((7, 6), (8, 8))
    # The axis of this pattern is not an axis of the board.
    stones = ((7, 7), (8, 7), (8, 6))
    opening = played(OpeningRule.RIF, *stones, Option.STAY, (7, 6))
    with pytest.raises(OpeningRuleError, match="symmetric copies"):
        opening.answer(((6, 7), (8, 5)))


def test_there_are_26_patterns() -> None:
    """13 have the second stone beside the first, 13 across: the named openings of renju."""
    patterns = {False: set(), True: set()}  # type: dict[bool, set[object]]
    opening = played(OpeningRule.RIF, (7, 7))
    for second in opening.squares():
        after = opening.answer(second)
        for third in after.squares():
            is_across = second[0] != 7 and second[1] != 7
            patterns[is_across].add(shape_of(((7, 7), second, third)))
    assert {is_across: len(found) for is_across, found in patterns.items()} == {
        False: 13,
        True: 13,
    }


def test_a_stone_of_an_opening_takes_nothing_and_ends_nothing() -> None:
    three: tuple[Choice, ...] = ((0, 0), (1, 0), (9, 9))
    opening = played(OpeningRule.SWAP2, *three, game=Rule.NINUKI).answer(Option.TWO_MORE)
    opening = opening.answer((2, 0))
    assert (3, 0) not in opening.squares()
    with pytest.raises(OpeningRuleError, match="it captures: expected a stone that takes none"):
        opening.answer((3, 0))
    position = Position(size=SIZE, rule=Rule.NINUKI)
    for stone in opening.stones:
        position.play(stone)
    assert position.play((3, 0)).captured


def test_where_a_rule_cannot_be_played() -> None:
    for rule in RENJU_RULES:
        with pytest.raises(OpeningRuleError, match="belongs to renju: expected renju, not caro"):
            Opening.begin(rule, Rule.CARO_STANDARD, SIZE)
        for size in (7, 16):
            with pytest.raises(OpeningRuleError, match="expected a board with a centre"):
                Opening.begin(rule, Rule.RENJU, size)
    assert not Opening.begin(OpeningRule.SWAP2, Rule.CARO, 5).is_over


def test_pro_by_hand() -> None:
    """The tournament opening of Pente: the centre, any square, and a square outside 5x5."""
    opening = played(OpeningRule.PRO, (7, 7), (8, 8), game=Rule.PENTE)
    assert (opening.ask.seat, opening.ask.color) == (Seat.FIRST, Color.BLACK)
    with pytest.raises(OpeningRuleError, match="expected it outside the 5x5 squares in the centre"):
        opening.answer((9, 5))
    with pytest.raises(OpeningRuleError, match="expected it on the board"):
        opening.answer((99, 5))
    assert len(opening.squares()) == SIZE * SIZE - 25
    assert opening.answer((10, 7)).is_over
    with pytest.raises(OpeningRuleError, match="expected it on the 1x1 squares"):
        played(OpeningRule.PRO, (7, 8), game=Rule.PENTE)


def test_pro_needs_squares_outside() -> None:
    with pytest.raises(OpeningRuleError, match="pro on 6x6: expected a board of 7x7 or larger"):
        Opening.begin(OpeningRule.PRO, Rule.PENTE, 6)


@pytest.mark.parametrize("game", Rule)
def test_only_pente_begins_by_a_rule_by_default(game: Rule) -> None:
    is_pente = game in (Rule.PENTE, Rule.KERYO)
    assert usual_opening(game, 19) is (OpeningRule.PRO if is_pente else None)
    assert usual_opening(game, 6) is None
