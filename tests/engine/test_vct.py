"""Wins by continuous fours and threes: all are found, none is claimed wrongly.

The referee checks each claim. The attacker plays the engine's moves. At each turn of the defender
every reply that may matter is tried, and the engine must claim the position after it again. The
test finds these replies on the board: after a four, the lines of the five; after a three, the
threatened win, the lines of its fives, and the defender's own fours. A few other replies are tried,
too; the long tests try all.
"""

import json
import random
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from arena.rules import referee
from arena.rules.referee import Point, Position
from pyengine import Color, Engine, Limits, OutOfRangeError, ProofAnswer, Rule, Stage
from tests.support.paths import DATA
from tests.support.scenes import squares
from tests.support.slow_solver import Board
from tests.support.stopwatch import Stopwatch

RULES = [rule for rule in Rule if not rule.has_captures]
MAX_NODES = 300_000
FINAL_NODES = 1_000_000
SAMPLE = 2

Case = dict[str, Any]


def load(name: str) -> list[Case]:
    """Returns the positions of a data file."""
    cases: list[Case] = json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]
    return cases


def setup(case: Case) -> dict[str, Any]:
    """Returns the arguments of `set_position` of the engine."""
    return {
        "black": [tuple(m) for m in case["black"]],
        "white": [tuple(m) for m in case["white"]],
        "to_move": Color(case["to_move"]),
    }


def engine(case: Case) -> Engine:
    """Returns an engine with the position of a case."""
    e = Engine(size=case["size"], rule=Rule[case["rule"].upper()], memory_mib=1)
    e.set_position(**setup(case))
    return e


# --- the verifier -------------------------------------------------------------------------------


class NotProvenError(AssertionError):
    """A claimed win that the defender escapes."""


class WinTree:
    """Walks through the whole tree of a claimed win with a referee."""

    def __init__(self, case: Case, *, everything: bool = False) -> None:
        """everything: tries every legal reply after a three."""
        self._e = engine(case)
        self._everything = everything
        self._rule = referee.Rule[case["rule"].upper()]
        self._game = Position(size=case["size"], rule=self._rule)
        given = setup(case)
        self._attacker = referee.Color(case["to_move"])
        self._game.set_position(**{**given, "to_move": self._attacker})
        self._board = Board(
            rule=self._rule,
            size=case["size"],
            black=given["black"],
            white=given["white"],
            attacker=self._attacker,
        )
        self._random = random.Random(str(case["id"]))
        self._proven: set[frozenset[tuple[Point, referee.Color]]] = set()

    def walk(self) -> list[Point]:
        """Verifies the claim for the position of the case and returns its line."""
        line = self._claim()
        self._attack(line)
        return line

    def _claim(self) -> list[Point]:
        """Returns the engine's claim for the position on the board, the attacker to move."""
        grid = self._board.grid
        self._e.set_position(
            black=grid.squares(referee.Color.BLACK.letter),
            white=grid.squares(referee.Color.WHITE.letter),
            to_move=Color(self._attacker.value),
        )
        line = self._e.vcf(max_nodes=MAX_NODES) or self._e.vct(max_nodes=MAX_NODES)
        if line is None:
            raise NotProvenError(f"after {self._game.moves} nothing is claimed")
        return line

    @contextmanager
    def _played(self, move: Point) -> Iterator[bool]:
        """Plays a move for the `with` block; says whether the attacker has won by it."""
        mover = self._game.to_move
        if not self._game.legal(move):
            raise NotProvenError(f"{move} after {self._game.moves} is not legal")
        outcome = self._game.play(move)
        if self._game.is_over and outcome.winner is not self._attacker:
            raise NotProvenError(f"{self._game.moves} ends the game")
        with self._board.stone(move, mover):
            yield self._game.is_over
        self._game.undo()

    def _attack(self, line: list[Point]) -> None:
        """Plays the first move of a line for the attacker, and has every reply refuted."""
        with self._played(line[0]) as won:
            if not won:
                self._defend()

    def _defend(self) -> None:
        key = frozenset(self._game.stones.items())
        if key in self._proven:
            return
        for reply in self._replies():
            with self._played(reply):
                self._attack(self._claim())
        self._proven.add(key)

    def _replies(self) -> list[Point]:
        """Returns the replies to the last move that may matter, and a few others."""
        if self._board.fives(self._attacker.other):
            raise NotProvenError(f"after {self._game.moves} the defender has a five")
        empty = self._board.empty()
        fives = self._board.fives(self._attacker)
        if fives:
            matter = self._board.around(fives[:1])
        elif self._everything:
            matter = empty
        else:
            matter = self._matter_after_three()
        others = sorted({*empty} - {*matter})
        tried = [*matter, *self._random.sample(others, min(SAMPLE, len(others)))]
        return [m for m in tried if self._game.legal(m)]

    def _matter_after_three(self) -> list[Point]:
        """What is played in the win that a pass would allow, the lines of its fives, and fours.

        A four of the defender may hold stones that the win makes him put.
        """
        moves: set[Point] = set()
        fives: set[Point] = set()
        replies: set[Point] = set()
        self._collect_fours(moves, fives, replies)
        with ExitStack() as put:
            for reply in replies:
                put.enter_context(self._board.stone(reply, self._attacker.other))
            fours = self._board.gaps(self._attacker.other, 3)
        return sorted({*moves, *replies, *self._board.around(fives), *fours})

    def _collect_fours(self, moves: set[Point], fives: set[Point], replies: set[Point]) -> None:
        """Collects a win by fours in all its variations, the attacker to move."""
        board, defender = self._board, self._attacker.other
        move = self._claim()[0]
        moves.add(move)
        if move in board.fives(self._attacker):
            fives.add(move)
            return
        with board.stone(move, self._attacker):
            five = board.fives(self._attacker)[0]
            fives.add(five)
            for reply in board.around([five]):
                if board.legal(reply, defender):
                    with board.stone(reply, defender):
                        if five not in board.fives(self._attacker):
                            replies.add(reply)
                            self._collect_fours(moves, fives, replies)


def play_line(case: Case, line: list[Point]) -> None:
    """The referee plays a line: legal to its end, which the side to move wins."""
    game = Position(size=case["size"], rule=referee.Rule[case["rule"].upper()])
    attacker = referee.Color(case["to_move"])
    game.set_position(**{**setup(case), "to_move": attacker})
    for m in line:
        assert not game.is_over
        game.play(m)
    assert game.winner is attacker


# --- the suites ---------------------------------------------------------------------------------

WINS, NONE = load("vct_wins.json"), load("vct_none.json")


def names(case: Case) -> str:
    """Returns the name of a case for the report."""
    return str(case["id"])


@pytest.mark.parametrize("case", WINS, ids=names)
def test_each_win_is_found(case: Case) -> None:
    """The win needs threes; the line of the claim wins before the referee, like the answer's."""
    play_line(case, [tuple(m) for m in case["answer"]])
    with engine(case) as e:
        assert e.vcf(max_nodes=MAX_NODES) is None
        line = e.vct(max_nodes=MAX_NODES)
        assert line is not None
        play_line(case, line)


@pytest.mark.parametrize("case", sorted(WINS, key=lambda c: len(c["answer"]))[::9], ids=names)
def test_the_tree_of_a_win_is_true(case: Case) -> None:
    """Every reply that may matter is refuted."""
    WinTree(case).walk()


@pytest.mark.soak
@pytest.mark.parametrize("case", WINS, ids=names)
def test_the_tree_of_each_win_is_true(case: Case) -> None:
    """The same for all cases."""
    WinTree(case).walk()


@pytest.mark.soak
@pytest.mark.parametrize("case", sorted(WINS, key=lambda c: len(c["answer"]))[:5], ids=names)
def test_no_reply_at_all_helps(case: Case) -> None:
    """Every legal reply to every three is refuted, wherever it is."""
    WinTree(case, everything=True).walk()


@pytest.mark.parametrize("case", NONE, ids=names)
def test_nothing_is_claimed_where_there_is_no_win(case: Case) -> None:
    """No number of nodes gives a claim, also in a second call."""
    with engine(case) as e:
        for max_nodes in (1, 100, 10_000, MAX_NODES, MAX_NODES):
            answers = e.prove_vct(max_nodes=max_nodes)
            assert not answers and not answers.moves
            assert answers.answer is not ProofAnswer.WIN


@pytest.mark.parametrize("case", NONE, ids=names)
def test_that_there_is_no_win_is_said_only_when_it_is_proved(case: Case) -> None:
    """One node proves nothing. With enough of them the answer is final, and stays so."""
    with engine(case) as e:
        assert e.prove_vct(max_nodes=1).answer is ProofAnswer.NOT_FOUND
        found = e.prove_vct(max_nodes=FINAL_NODES)
        assert found.answer in (ProofAnswer.NO_WIN, ProofAnswer.NOT_FOUND)
        if found.answer is ProofAnswer.NO_WIN:
            board = Board(
                rule=referee.Rule[case["rule"].upper()],
                size=case["size"],
                black=setup(case)["black"],
                white=setup(case)["white"],
                attacker=referee.Color(case["to_move"]),
            )
            assert not board.wins_by_fours()


MISSED: list[Case] = json.loads((DATA / "vct_missed.json").read_text(encoding="utf-8"))["positions"]


@pytest.mark.parametrize("number", [1, 3, 4])
def test_wins_by_quiet_threes_are_proved(number: int) -> None:
    """Positions of public collections that a root search misses at depth 30."""
    case = {**MISSED[number], "id": number}
    with engine(case) as e:
        found = e.prove_vct(max_nodes=5_000_000)
        assert found.answer is ProofAnswer.WIN
        assert found.moves[0] == tuple(case["winning_move"])
        play_line(case, found.moves)


def test_a_second_call_goes_on_where_the_first_one_ended() -> None:
    """Many calls with a few nodes each prove what one call with many nodes proves."""
    case = {**MISSED[4], "id": 4}
    with engine(case) as e:
        answers = [e.prove_vct(max_nodes=50_000) for _ in range(60)]
        assert answers[0].answer is ProofAnswer.NOT_FOUND
        assert any(answers)


def test_the_search_goes_on_with_the_proof_between_iterations() -> None:
    """The VCT gets a share of the nodes: a win that takes more than it gets at first is found."""
    case = {**MISSED[4], "id": 4}
    with engine(case) as e:
        result = e.search(Limits(nodes=6_000_000))
        assert result.stage is Stage.VCT
        assert result.move == tuple(case["winning_move"])


@pytest.mark.soak
@pytest.mark.parametrize("case", NONE, ids=names)
def test_the_slow_solver_finds_nothing_either(case: Case) -> None:
    """Within the bound of the case."""
    board = Board(
        rule=referee.Rule[case["rule"].upper()],
        size=case["size"],
        black=setup(case)["black"],
        white=setup(case)["white"],
        attacker=referee.Color(case["to_move"]),
    )
    assert not board.wins_by_threats(case["bound"])


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_slow_solver_finds_short_wins(rule: Rule) -> None:
    """The solver is only useful on positions without a win if it finds existing wins."""
    white = [(3, 4), (4, 4), (5, 5), (5, 6)]  # two twos, which meet in two threes on (5, 4)

    def board(black: list[Point]) -> Board:
        return Board(
            rule=referee.Rule(rule),
            size=9,
            black=black,
            white=white,
            attacker=referee.Color.WHITE,
        )

    assert not board([(0, 0)]).wins_by_fours()
    assert board([(0, 0)]).wins_by_threats(1)
    assert not board([(2, 4), (6, 4)]).wins_by_threats(1)
    with Engine(size=9, rule=rule, memory_mib=1) as e:
        e.set_position(white=white, black=[(0, 0)], to_move=Color.WHITE)
        assert e.vcf() is None
        assert e.vct() is not None


FORBIDDEN = [case for case in load("renju_forbidden.json") if case["to_move"] == "black"]


@pytest.mark.parametrize("case", FORBIDDEN, ids=names)
def test_no_win_begins_on_a_forbidden_square(case: Case) -> None:
    """A claimed line does not begin with a forbidden move, and wins before the referee."""
    case = {**case, "rule": "renju"}
    square = tuple(case["move"])
    with engine(case) as e:
        for line in (e.vcf(max_nodes=MAX_NODES), e.vct(max_nodes=MAX_NODES)):
            if line is not None:
                assert line[0] != square or not case["forbidden"]
                play_line(case, line)


def test_suites_cover_the_rules() -> None:
    """The suites have wins and positions without one under every rule."""
    assert len(WINS) >= 40 and len(NONE) >= 20
    for cases in (WINS, NONE):
        assert {Rule[case["rule"].upper()] for case in cases} == set(RULES)
        assert {case["to_move"] for case in cases} == {"black", "white"}
        assert len({case["id"] for case in cases}) == len(cases)


# --- the call -----------------------------------------------------------------------------------

LONG = max(WINS, key=lambda c: len(c["answer"]))


def test_limits_are_kept() -> None:
    """Too few nodes or no time prove nothing; a stop ends the search."""
    with engine(LONG) as e:
        assert e.vct(max_nodes=5) is None
        assert e.vct(time_ms=0) is None
        assert e.vct(max_nodes=MAX_NODES) is not None
        with pytest.raises(OutOfRangeError):
            e.vct(max_nodes=0)
        with pytest.raises(OutOfRangeError):
            e.vct(time_ms=-1)


def test_the_largest_limit_is_none() -> None:
    with engine(LONG) as e:
        assert e.vct(max_nodes=2**63 - 1) is not None
    with engine(LONG) as e:
        line = e.vct(max_nodes=MAX_NODES)
        assert line is not None
        for move in line:
            if e.vcf(max_nodes=2**63 - 1) is not None:
                break
            e.play(move)
        else:
            pytest.fail("no win by fours on the way")


def test_a_fresh_engine_gives_the_same_line() -> None:
    """With one thread and a node limit the search is reproducible."""
    lines = []
    for _ in range(2):
        with engine(LONG) as e:
            lines.append(e.vct(max_nodes=MAX_NODES))
    assert lines[0] == lines[1]


def test_a_stop_ends_it() -> None:
    """A stop from another thread ends a search that would take seconds."""
    rng = random.Random(121)
    dots = [(x, y) for x in range(1, 19, 2) for y in range(1, 20, 2)]
    black = rng.sample(dots, 22)
    white = rng.sample([m for m in squares(20) if m not in black], 34)
    with Engine(size=20, memory_mib=1) as e:
        e.set_position(black=black, white=white)
        assert e.prove_vct(max_nodes=2**40, time_ms=2000).answer is ProofAnswer.NOT_FOUND
        for delay in (0.05, 0.2):
            timer = threading.Timer(delay, e.stop)
            timer.start()
            watch = Stopwatch()
            e.vct(max_nodes=2**40, time_ms=30_000)
            assert watch.own_s < 0.5
            timer.join()


# --- the search ---------------------------------------------------------------------------------


def test_the_search_plays_the_win() -> None:
    """With enough nodes the stage is its own, and the mate that it names is the line's or later."""
    played = 0
    for case in WINS:
        with engine(case) as e:
            r = e.search(Limits(nodes=2_000_000))
            if r.stage is Stage.BLOCK:  # a five has to be stopped first
                continue
            assert r.stage is Stage.VCT and r.mate is not None and r.mate >= len(r.pv)
            play_line(case, r.pv)
            e.set_option("prune.vct", 0)
            e.set_option("prune.kept_proofs", 0)
            assert e.search(Limits(nodes=5000)).stage is not Stage.VCT
            played += 1
    assert played >= 5


def test_a_threat_of_fours_is_answered() -> None:
    """Against a threatened win by fours only defences are searched."""
    three = [(6, 7), (7, 7), (8, 7)]
    for rule in Rule:
        with Engine(size=15, rule=rule, memory_mib=1) as e:
            e.set_position(white=three, black=[(2, 2), (11, 3), (4, 12)], to_move=Color.BLACK)
            r = e.search(Limits(depth=3, nodes=20_000))
            assert r.stage is Stage.ANSWER_VCF
            assert r.move[1] == 7 or rule.has_captures
            e.play(r.move)
            assert e.vcf() is None
            e.undo()
            e.set_option("prune.vcf_defence", 0)
            assert e.search(Limits(depth=3, nodes=20_000)).stage is Stage.SEARCH
