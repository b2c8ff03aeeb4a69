"""The core is told the game: the same stones by `Engine.play` and through the protocol are the same
position to evaluation, levels and search, however they came there.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from protocol.position import Position, Side
from pyengine import (
    Color,
    Engine,
    EngineError,
    Limits,
    Outcome,
    Rule,
    SearchResult,
    Status,
)
from tests.support.table import Table

Square = tuple[int, int]
RULES = pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
SIZE = 11
NODES = 3_000
SEEDS = [0, 1, *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 8))]
MIDDLE = range(2, 9)


@dataclass(frozen=True)
class Known:
    """Returns the answer of an engine that has forgotten all earlier searches."""

    score: int
    level_2: Square
    move: Square
    found: int
    nodes: int


def measured(evaluate: Callable[[], int], search: Callable[[int, int], SearchResult]) -> Known:
    """Measurements of a position. search: results by level and nodes, with empty tables."""
    low, full = search(2, NODES), search(10, NODES)
    return Known(evaluate(), low.move, full.move, full.score, full.nodes)


def by_play(rule: Rule, moves: Sequence[Square], captures: tuple[int, int] = (0, 0)) -> Known:
    """Returns the measurements of a position that was played move by move."""
    with Engine(size=SIZE, rule=rule, memory_mib=1) as engine:
        engine.set_position(captures=captures)
        for move in moves:
            engine.place(move)

        def search(level: int, nodes: int) -> SearchResult:
            engine.clear_table()
            engine.set_option("level", level)
            return engine.search(Limits(nodes=nodes, analysis=True))  # as YXNBEST does

        return measured(engine.evaluate, search)


def random_game(rule: Rule, seed: int, most: int = 30) -> list[Square]:
    """Legal moves in the middle of the board, none of which ends the game."""
    chance = random.Random(seed)
    moves: list[Square] = []
    with Engine(size=SIZE, rule=rule, memory_mib=1) as engine:
        while len(moves) < most:
            legal = [(x, y) for x in MIDDLE for y in MIDDLE if engine.legal((x, y))]
            taking = [square for square in legal if captures(engine, square)]
            move = chance.choice(taking if len(moves) > 12 and taking else legal)
            if engine.play(move).status is Status.ONGOING:
                moves.append(move)
            else:
                engine.undo()
                most -= 1
    return moves


def captures(engine: Engine, square: Square) -> int:
    """Returns the number of stones that a move captures."""
    count = len(engine.place(square).captured)
    engine.undo()
    return count


def captures_of(rule: Rule, moves: Sequence[Square]) -> list[int]:
    """Returns the number of stones that each move captures."""
    with Engine(size=SIZE, rule=rule, memory_mib=1) as engine:
        return [len(engine.place(move).captured) for move in moves]


class RecordingEngine(Engine):
    """The real engine, which records each search and each position that is set up.

    faults: by method, how many of its next calls fail.
    """

    def __init__(self, rule: Rule) -> None:
        super().__init__(size=SIZE, rule=rule, memory_mib=1)
        self.results: list[SearchResult] = []
        self.set_up = 0
        self.placed = 0
        self.faults: dict[str, int] = {}

    def search(  # type: ignore[override]  # as the session asks
        self, limits: Limits, *, armed: bool = False
    ) -> SearchResult:
        self._fault("search")
        self.results.append(super().search(limits, armed=armed))
        return self.results[-1]

    def set_position(self, **stones: object) -> None:  # type: ignore[override]
        self._fault("set_position")
        self.set_up += 1
        super().set_position(**stones)  # type: ignore[arg-type]

    def place(self, m: Square | str) -> Outcome:
        self._fault("place")
        self.placed += 1
        return super().place(m)

    def _fault(self, method: str) -> None:
        if self.faults.get(method, 0) > 0:
            self.faults[method] -= 1
            raise EngineError(f"{method} fails")


class Brain(Table):
    """A session that plays with the real engine, without a limit of time."""

    def __init__(self, rule: Rule) -> None:
        self.real = RecordingEngine(rule)
        super().__init__(self.real)  # type: ignore[arg-type]
        self.send(f"INFO rule {rule.value}", "INFO timeout_match 0", "INFO max_node 40")
        assert self.ask(f"START {SIZE}") == "OK"

    def known(self) -> Known:
        """Returns the measurements of the session's position, in which the engine is to move."""

        def search(level: int, nodes: int) -> SearchResult:
            self.send(f"INFO level {level}", f"INFO max_node {nodes}", "YXHASHCLEAR")
            self.ask("YXNBEST 1")
            return self.real.results[-1]

        return measured(self.real.evaluate, search)

    def turns(
        self, moves: Sequence[Square], between: Callable[[int], object] | None = None
    ) -> None:
        """Plays the moves; after the last of them the brain is to move.

        Each TURN is answered by the brain. Its move is taken back and the one of the game played.
        """
        for number, (x, y) in enumerate(moves):
            if between:
                between(number)
            if (len(moves) - number) % 2 == 0:
                assert self.ask(f"PLAY {x},{y}") == f"{x},{y}"
            else:
                answer = self.ask(f"TURN {x},{y}")
                assert self.ask(f"TAKEBACK {answer}") == "OK"


def board(moves: Sequence[Square]) -> list[str]:
    """A BOARD of stones that were played in turn, the last of them by the opponent."""
    owners = [1 + (len(moves) - number) % 2 for number in range(len(moves))]
    rows = [f"{x},{y},{owner}" for (x, y), owner in zip(moves, owners, strict=True)]
    return ["BOARD", *rows, "DONE"]


@RULES
@pytest.mark.parametrize("seed", SEEDS)
def test_turns_plays_and_takebacks_are_told(rule: Rule, seed: int) -> None:
    moves = random_game(rule, seed)
    if rule.has_captures:
        assert any(captures_of(rule, moves))
    brain = Brain(rule)
    brain.turns(moves)
    assert brain.known() == by_play(rule, moves)
    assert brain.real.set_up == 0, "no position is set up in a game from its first move on"


@RULES
@pytest.mark.parametrize("seed", SEEDS)
def test_a_board_is_told_in_its_order(rule: Rule, seed: int) -> None:
    moves = random_game(rule, seed)
    if rule.has_captures:  # a BOARD says nothing of captures
        moves = moves[: next(n for n, taken in enumerate(captures_of(rule, moves)) if taken)]
    assert len(moves) > 4
    brain = Brain(rule)
    answer = brain.ask(*board(moves))
    brain.send(f"TAKEBACK {answer}")
    if not rule.has_captures:
        brain.ask(f"PLAY {answer}")
        brain.ask(f"TAKEBACK {answer}")
    assert brain.known() == by_play(rule, moves)
    brain.send("YX" + board(moves[:-2])[0], *board(moves[:-2])[1:])
    assert brain.known() == by_play(rule, moves[:-2])


@RULES
def test_the_order_of_a_board_matters(rule: Rule) -> None:
    """Another last stone is another score, so the order is not lost on the way."""
    moves = [(5, 5), (4, 4), (5, 6), (6, 4), (7, 7), (8, 2)]
    brain = Brain(rule)
    scores = []
    for first in (0, 2, 4):  # two orders may have the same score by chance
        order = moves[first:] + moves[:first]
        brain.send("YXBOARD", *board(order)[1:])
        scores.append(brain.known().score)
        assert scores[-1] == by_play(rule, order).score
    assert len(set(scores)) > 1


def test_what_follows_a_board_that_is_not_in_turn_is_told() -> None:
    """Own stones first, then the opponent's: only the last stone can have been a move."""
    brain = Brain(Rule.FREESTYLE)
    own, opponent = [(5, 5), (5, 6)], [(4, 4), (6, 6)]
    rows = [*(f"{x},{y},1" for x, y in own), *(f"{x},{y},2" for x, y in opponent)]
    brain.send("YXBOARD", *rows, "DONE")
    known = brain.known()
    with Engine(size=SIZE, memory_mib=1) as engine:
        engine.set_position(black=own, white=opponent[:1], to_move=Color.WHITE)
        engine.place(opponent[-1])
        assert known.score == engine.evaluate()
        engine.set_position(black=own, white=opponent)
        assert known.score != engine.evaluate(), "without its last move it is another score"


@RULES
@pytest.mark.parametrize("seed", SEEDS)
def test_errors_leave_no_trace(rule: Rule, seed: int) -> None:
    moves = random_game(rule, seed)
    brain = Brain(rule)

    def err(number: int) -> None:
        if number:
            x, y = moves[number - 1]
            assert brain.ask(f"TURN {x},{y}").startswith("ERROR")
            assert brain.ask("TURN 0,99").startswith("ERROR")
            assert brain.ask("BOARD", "1,1,1", "1,1,2", "DONE").startswith("ERROR")
            assert brain.ask("SWAP2BOARD", "1,1", "DONE").startswith("ERROR")
            assert brain.ask("TAKEBACK 0,0").startswith("ERROR")

    brain.turns(moves, err)
    assert brain.known() == by_play(rule, moves)


@RULES
@pytest.mark.parametrize("seed", SEEDS)
def test_failures_and_rescues_leave_no_trace(
    rule: Rule, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves = random_game(rule, seed)
    brain = Brain(rule)
    think = "protocol.thinking.Thinker.think"

    def break_down(number: int) -> None:
        monkeypatch.undo()
        if number % 5 == 4:

            def fail(*_: object) -> None:
                raise ZeroDivisionError

            monkeypatch.setattr(think, fail)
        for method, every in (("search", 3), ("place", 4), ("set_position", 7)):
            brain.real.faults[method] = int(number % every == every - 1)

    brain.turns(moves, break_down)
    monkeypatch.undo()
    brain.real.faults.clear()
    assert brain.real.set_up > 0, "after a failure the position is set up anew"
    assert brain.known() == by_play(rule, moves)


@RULES
def test_a_game_is_played_stone_by_stone(rule: Rule) -> None:
    brain = Brain(rule)
    brain.real.placed = 0
    moves = [brain.ask("BEGIN")]
    for x, y in random_game(rule, 5, 24):
        if f"{x},{y}" not in moves:
            answer = brain.ask(f"TURN {x},{y}")
            moves += [f"{x},{y}", answer] if not answer.startswith("ERROR") else []
    assert len(moves) > 15
    assert brain.real.set_up == 0
    assert brain.real.placed == len(moves) - 1, "all but the last, each of them once"


@RULES
@pytest.mark.parametrize("seed", SEEDS)
def test_a_board_at_each_move_goes_on_with_the_game(rule: Rule, seed: int) -> None:
    """Some managers send the whole board each time: what is known of the game stays known."""
    moves = random_game(rule, seed, 31)
    brain = Brain(rule)
    position = Position(SIZE)
    for number, move in enumerate(moves):
        side = Side.OPPONENT if (len(moves) - number) % 2 else Side.OWN
        position.play(move, side, rule)
        if side is Side.OWN:
            brain.ask("PLAY {},{}".format(*move))
            continue
        now = position.game(rule).now
        owned = {square: 2 for square in (now.black if number % 2 == 0 else now.white)}
        owned |= {square: 1 for square in (now.white if number % 2 == 0 else now.black)}
        alive = [square for square in dict.fromkeys(reversed(moves[: number + 1]))]
        rows = [f"{x},{y},{owned[x, y]}" for x, y in reversed(alive) if (x, y) in owned]
        own, other = (position.captures(side, rule) for side in (Side.OWN, Side.OPPONENT))
        brain.send(f"INFO captures {own},{other}")
        answer = brain.ask("BOARD", *rows, "DONE")
        brain.ask(f"TAKEBACK {answer}")
    assert brain.known() == by_play(rule, moves)
    assert brain.real.set_up == 0


def test_another_board_is_set_up_anew() -> None:
    brain = Brain(Rule.NINUKI)
    brain.turns([(5, 5), (6, 5), (1, 1), (7, 5), (8, 5)])  # the last one captures a pair
    brain.send("YXBOARD", "5,5,2", "8,5,2", "1,1,2", "DONE")
    assert brain.known().score == _set_up([(5, 5), (8, 5), (1, 1)], [], (0, 0), Color.WHITE), (
        "the same stones, but no pair was taken"
    )
    assert brain.real.set_up == 1


def _set_up(
    black: list[Square], white: list[Square], captures: tuple[int, int], to_move: Color
) -> int:
    with Engine(size=SIZE, rule=Rule.NINUKI, memory_mib=1) as engine:
        black, last = black[:-1], black[-1]
        engine.set_position(black=black, white=white, captures=captures, to_move=to_move.other)
        engine.place(last)
        return engine.evaluate()


@RULES
@pytest.mark.parametrize("stones", [3, 5])
def test_swap2_tells_the_order_of_its_stones(rule: Rule, stones: int) -> None:
    moves = [(5, 5), (4, 4), (6, 3), (7, 7), (2, 5)][:stones]
    brain = Brain(rule)
    brain.send(f"INFO max_node {NODES}")
    brain.send("SWAP2BOARD", *(f"{x},{y}" for x, y in moves), "DONE")
    result, known = brain.real.results[-1], by_play(rule, moves)
    assert (result.move, result.score, result.nodes) == (known.move, known.found, known.nodes)
    assert brain.real.evaluate() == known.score


@pytest.mark.parametrize("rules", [(16, 0, 16), (0, 16), (4, 1, 0, 8, 16, 9)])
def test_the_game_stays_known_when_the_rule_changes(rules: tuple[int, ...]) -> None:
    """Captures stay as they were made; the moves since then are those that the new rule tells."""
    moves = random_game(Rule.NINUKI, 7)
    brain = Brain(Rule(rules[0]))
    parts = [moves[n :: len(rules)] for n in range(len(rules))]
    for rule, part in zip(rules, parts, strict=True):
        brain.send(f"INFO rule {rule}")
        for x, y in part:
            if brain.ask(f"PLAY {x},{y}").startswith("ERROR"):
                continue
        brain.ask("YXNBEST 1")
        assert brain.real.results, rule
    assert not [line for line in brain.said if "FAILED" in line]


def test_captures_are_those_of_the_core() -> None:
    """The position scans for captures by itself; the core knows them from its tables."""
    seen = 0
    for seed in range(40):
        chance = random.Random(seed)
        position = Position(SIZE)
        squares = [(x, y) for x in MIDDLE for y in MIDDLE]
        side = Side.OWN
        with Engine(size=SIZE, rule=Rule.NINUKI, memory_mib=1) as engine:
            for _ in range(80):
                free = [square for square in squares if square not in position]
                if not free:
                    break
                square = chance.choice(free)
                before = position.free
                position.play(square, side, Rule.NINUKI)
                captured = engine.place(square).captured
                assert position.free == before - 1 + len(captured)
                assert not any(taken in position for taken in captured)
                seen += len(captured)
                side = side.other
    assert seen > 500
