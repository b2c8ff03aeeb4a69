"""Arguments and results of the engine, as frozen values that can be compared.

Squares are `(x, y)` from 0: x = column from the left, y = row from the top. Names of squares
have a1 at the bottom left: `h8`. Scores are integers from the view of the side to move. Times are
milliseconds.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from typing import Protocol, runtime_checkable

from pyengine import constants
from records.winrate import score_text, win_rate

Square = tuple[int, int]


def name_of(m: Square, size: int) -> str:
    """The name of a square, with a1 at the bottom left of a board of this size."""
    x, y = m
    return f"{chr(ord('a') + x)}{size - y}"


def names_of(squares: Iterable[Square], size: int) -> list[str]:
    """The names of squares."""
    return [name_of(m, size) for m in squares]


class Rule(IntEnum):
    """The rule sets, by the numbers that `INFO rule` uses."""

    FREESTYLE = constants.RULE_FREESTYLE
    STANDARD = constants.RULE_STANDARD
    RENJU = constants.RULE_RENJU
    CARO = constants.RULE_CARO
    CARO_STANDARD = constants.RULE_CARO_STANDARD
    NINUKI = constants.RULE_NINUKI
    PENTE = constants.RULE_PENTE
    KERYO = constants.RULE_KERYO

    @property
    def has_captures(self) -> bool:
        """Whether stones are captured under this rule."""
        return self in constants.RULES_WITH_CAPTURES

    def has_forbidden_moves(self, color: "Color") -> bool:
        """Whether a side may have forbidden squares under this rule."""
        if color is Color.BLACK:
            return self in constants.RULES_WITH_FORBIDDEN_BLACK_MOVES
        return self in constants.RULES_WITH_FORBIDDEN_WHITE_MOVES

    @property
    def captured_lengths(self) -> tuple[int, ...]:
        """How many stones in a row are captured together; empty without captures."""
        if self in constants.RULES_WITH_TRIPLES:
            return (2, 3)
        return (2,) if self.has_captures else ()

    @property
    def counts_stones(self) -> bool:
        """Whether captures are counted in stones; in pairs otherwise."""
        return self in constants.RULES_WITH_COUNTED_STONES

    @property
    def captures_to_win(self) -> int:
        """How many captures win, in the rule's count; 0 without captures."""
        if not self.has_captures:
            return 0
        return constants.WIN_STONES if self.counts_stones else constants.WIN_PAIRS

    @property
    def most_captures(self) -> int:
        """The highest count: one less than wins, and eight rows captured by the last move."""
        if not self.has_captures:
            return 0
        return self.captures_to_win - 1 + self.count_captured(8 * max(self.captured_lengths))

    def count_captured(self, stones: int) -> int:
        """Returns the captures that so many captured stones are in the rule's count."""
        return stones if self.counts_stones else stones // 2

    def captured_stones(self, captures: int) -> int:
        """Returns the number of stones of so many captures in the rule's count."""
        return captures if self.counts_stones else 2 * captures


class Color(Enum):
    """A side. Black moves first."""

    BLACK = "black"
    WHITE = "white"

    @property
    def other(self) -> "Color":
        """The opponent."""
        return Color.WHITE if self is Color.BLACK else Color.BLACK


class Status(StrEnum):
    """The state of the game. `PENDING`: ninuki, a five that one move may still break."""

    ONGOING = "ongoing"
    PENDING = "pending"
    WIN = "win"
    DRAW = "draw"


class Reason(StrEnum):
    """Why a game has ended."""

    FIVE = "five"
    CAPTURES = "captures"
    FIVE_NOT_BROKEN = "five_not_broken"
    BOARD_FULL = "board_full"
    NO_LEGAL_MOVE = "no_legal_move"


class Forbidden(StrEnum):
    """Why a square is forbidden: the first reason that applies."""

    OVERLINE = "overline"
    DOUBLE_FOUR = "double_four"
    DOUBLE_THREE = "double_three"


class Threat(StrEnum):
    """What a stone on a square threatens. A four threatens a five, a three an open four."""

    THREE = "three"
    THREES = "threes"
    FOUR = "four"
    FOUR_THREE = "four_three"
    FOURS = "fours"
    OPEN_FOUR = "open_four"
    FIVE = "five"


class ProofAnswer(StrEnum):
    """The answer of a proof search.

    `NO_WIN` is a proof: no sequence of the threats that the search knows wins. `NOT_FOUND` means
    that the limit or a stop ended the search first.
    """

    NOT_FOUND = "not_found"
    NO_WIN = "no_win"
    WIN = "win"


@dataclass(frozen=True)
class Proof:
    """The result of a proof search. It is true if there is a win.

    moves: the moves of both sides, with the longest defence; empty without a win.
    """

    answer: ProofAnswer
    moves: list[Square]

    def __bool__(self) -> bool:
        return self.answer is ProofAnswer.WIN


class Stage(StrEnum):
    """The step of a search that decided the move. The steps run in this order."""

    STATIC = "static"
    ANSWER_FIVE = "answer_five"
    WIN = "win"
    BLOCK = "block"
    VCF = "vcf"
    VCT = "vct"
    ANSWER_VCF = "answer_vcf"
    SEARCH = "search"


@dataclass(frozen=True)
class Setup:
    """The position before the first move: stones, captures, and the side that moves first."""

    black: tuple[Square, ...] = ()
    white: tuple[Square, ...] = ()
    neutral: tuple[Square, ...] = ()
    captures: tuple[int, int] = (0, 0)
    turn: Color = Color.BLACK


@runtime_checkable
class GamePosition(Protocol):
    """The part of a `Position` that a search needs."""

    @property
    def size(self) -> int:
        """The side of the board."""

    @property
    def rule(self) -> Rule:
        """The rule that is played."""

    @property
    def setup(self) -> Setup:
        """The position before the first move."""

    @property
    def squares(self) -> list[Square]:
        """The moves."""


@dataclass(frozen=True)
class Limits:
    """The limits of a search. Without any, it runs until `Engine.stop()` or a proof.

    time_ms:  hard limit; 0 = answer at once.
    soft_ms:  planned time. The search takes more, up to time_ms, while the best move changes or
              its score falls, and less while nothing changes. None = it takes all of time_ms.
    depth:    plies.
    nodes:    positions visited.
    lines:    the number of best lines to find; the first decides the move.
    excluded: squares that must not be played, by coordinates or name.
    analysis: True = search a single legal move like any other position. False = play it at once,
              with a known score or that of a short search.
    """

    time_ms: int | None = None
    depth: int | None = None
    nodes: int | None = None
    soft_ms: int | None = None
    lines: int = 1
    excluded: Sequence[Square | str] = ()
    analysis: bool = False


@dataclass(frozen=True)
class Option:
    """An option of an engine under one rule, with its default and bounds.

    default: the value in a new engine; it may depend on the rule.
    rule:    the rule that the value holds for; None = the same value for every rule.
    """

    name: str
    default: int
    minimum: int
    maximum: int
    value: int
    rule: Rule | None


@dataclass(frozen=True)
class Outcome:
    """The effect of a move: the captured stones, sorted, and the state of the game after it."""

    captured: list[Square]
    status: Status
    winner: Color | None
    reason: Reason | None


class _Scored:
    """The common part of a line and a result: a score, and a line of play."""

    depth: int
    score: int
    mate: int | None
    pv: list[Square]
    size: int
    rule: Rule

    @property
    def names(self) -> list[str]:
        """The names of the line's squares."""
        return names_of(self.pv, self.size)

    @property
    def win_rate(self) -> float:
        """The chance of the side to move to win, 0 to 1; docs/analysis.md defines it."""
        return win_rate(self.rule, self.score, self.mate)

    def __str__(self) -> str:
        """Depth, score with win rate, and the line: `depth 9  +35 (53.8 %)  h8 i9 j10`."""
        told = score_text(self.rule, self.score, self.mate)
        return f"depth {self.depth}  {told}  {' '.join(self.names)}"


@dataclass(frozen=True)
class Line(_Scored):
    """One finished iteration of one line of a search.

    seq:  1, 2, ... within one search.
    line: 0 = the best.
    mate: plies to the end, negative when losing; None = no end seen.
    size, rule: of the game, for names and win rate.
    """

    seq: int
    line: int
    depth: int
    seldepth: int
    score: int
    mate: int | None
    time_ms: int
    nodes: int
    pv: list[Square]
    size: int = 15
    rule: Rule = Rule.FREESTYLE

    @property
    def name(self) -> str:
        """The name of the line's first move, as h8."""
        return name_of(self.pv[0], self.size)


@dataclass(frozen=True)
class View:
    """The results of a running search so far.

    lines: the newest line of each of the best moves, the best first. While a depth is searched,
           the last lines are still of the depth before.
    """

    lines: tuple[Line, ...]

    @property
    def depth(self) -> int:
        """The depth of the best line in plies."""
        return self.lines[0].depth

    @property
    def score(self) -> int:
        """The score of the best line."""
        return self.lines[0].score

    @property
    def nodes(self) -> int:
        """Positions visited when the newest line was finished."""
        return max(line.nodes for line in self.lines)

    @property
    def time_ms(self) -> int:
        """The time when the newest line was finished."""
        return max(line.time_ms for line in self.lines)

    @property
    def win_rate(self) -> float:
        """The win rate of the best line."""
        return self.lines[0].win_rate

    def __str__(self) -> str:
        """One row for each line."""
        return "\n".join(map(str, self.lines))


@dataclass(frozen=True)
class StageNote:
    """The result of one stage of a search.

    found: whether the stage found a win, or a threat to answer.
    nodes: positions visited by the stage.
    """

    stage: Stage
    found: bool
    nodes: int


@dataclass(frozen=True)
class SearchResult(_Scored):
    """The move of a search, with its score and line.

    mate:    plies to the end, negative when losing; None = no end seen.
    pv:      the expected line, the move first.
    nodes:   positions visited by all threads.
    threads: threads that searched; 1 if the move was found without a search.
    threads_refused, table_refused_kib: threads, and KiB of the tables of positions and proofs,
             that the system refused.
    size, rule: of the game, for names and win rate.
    passed:  the stages that ran, in order; the stage that decided is `stage`.
    """

    move: Square
    score: int
    depth: int
    seldepth: int
    nodes: int
    time_ms: int
    pv: list[Square]
    stage: Stage
    mate: int | None
    table_permille: int
    threads: int = 1
    threads_refused: int = 0
    table_refused_kib: int = 0
    size: int = 15
    rule: Rule = Rule.FREESTYLE
    passed: tuple[StageNote, ...] = ()

    @property
    def name(self) -> str:
        """The name of the move, as h8."""
        return name_of(self.move, self.size)


class Traced(StrEnum):
    """The result of one search of a root move, or the reason why the move was left out."""

    EXACT = "exact"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"
    ABORTED = "aborted"
    FORBIDDEN = "forbidden"
    EXCLUDED = "excluded"
    NO_CANDIDATE = "no_candidate"
    NO_ANSWER = "no_answer"
    LOSES_TO_VCF = "loses_to_vcf"
    HIDDEN = "hidden"


@dataclass(frozen=True)
class TraceRow:
    """One search of a root move, or a root move that was left out.

    depth:     plies of the iteration; 0 = left out: only `move` and `outcome` count.
    place:     in the order of the root, from 0.
    alpha, beta: the window. score: a bound if `outcome` says so.
    reduction: plies by which the first search was reduced.
    """

    move: Square
    outcome: Traced
    depth: int
    place: int
    alpha: int
    beta: int
    reduction: float
    score: int
    nodes: int
    size: int = 15

    def __str__(self) -> str:
        """The row for people, such as `depth 9 place 0 h8 score 35 (exact) ...`."""
        name = name_of(self.move, self.size)
        outcome = self.outcome.value.replace("_", " ")
        if self.depth == 0:
            return f"left out {name}: {outcome}"
        return (
            f"depth {self.depth} place {self.place} {name} score {self.score} ({outcome}) "
            f"window {self.alpha} to {self.beta} reduction {self.reduction:.2f} nodes {self.nodes}"
        )


@dataclass(frozen=True)
class BenchRow:
    """One position of the bench, searched to a fixed depth."""

    index: int
    size: int
    rule: Rule
    depth: int
    move: Square
    score: int
    nodes: int
    time_us: int
