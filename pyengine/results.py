"""The results of searches and proofs, as frozen values that can be compared.

Scores are integers from the view of the side to move. Times are milliseconds.
"""

from dataclasses import dataclass
from enum import StrEnum

from pyengine.types import Rule, Square, name_of, names_of
from records.winrate import Wdl, score_text, wdl, win_rate


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


class _Scored:
    """The common part of a line and a result: a score, and a line of play."""

    depth: int
    score: int
    mate: int | None
    pv: list[Square]
    size: int
    rule: Rule
    placed: int

    @property
    def names(self) -> list[str]:
        """The names of the line's squares."""
        return names_of(self.pv, self.size)

    @property
    def win_rate(self) -> float:
        """The expected result, 0 to 1, a draw as half a win; docs/analysis.md defines it."""
        return win_rate(self.rule, self.score, self.mate)

    @property
    def wdl(self) -> Wdl:
        """The chances of the side to move to win, draw and lose; docs/analysis.md defines them."""
        return wdl(self.rule, self.score, self.mate, size=self.size, placed=self.placed)

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
    placed: stones that were placed before the search, captured ones too; for the chance of a draw.
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
    placed: int = 0

    @property
    def name(self) -> str:
        """The name of the line's first move, as h8."""
        return name_of(self.pv[0], self.size)


@dataclass(frozen=True)
class View:
    """The results of a running search so far.

    lines: the newest line of each of the best moves, the best first. During the search of a
           depth, the last lines are still those of the previous depth.
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

    @property
    def wdl(self) -> Wdl:
        """The chances of the best line."""
        return self.lines[0].wdl

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
    placed:  stones that were placed before the search, captured ones too; for the chance of a draw.
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
    placed: int = 0
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
    place:     of the move in the order at the root, from 0.
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
        """The row as text, such as `depth 9 place 0 h8 score 35 (exact) ...`."""
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
