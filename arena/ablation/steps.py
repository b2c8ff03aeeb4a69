"""Defines the ablation study: each step adds a part of the search and plays the step before it."""

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ..engines.spec import EngineSpec
from ..game.record import GameRecord
from ..match.tally import Tally
from ..rules.referee import Color
from ..stats.sprt import NORMAL, Elo, Score, Sprt, SprtResult, elo_of

__all__ = [
    "SWITCHES",
    "Deadline",
    "Means",
    "Step",
    "StepResult",
    "ablation_steps",
    "means_of",
    "reach",
    "result_of",
]

_ORDER = (
    ("plain negamax", ()),
    ("alpha-beta", ("alphabeta",)),
    ("iterative deepening", ("deepening",)),
    ("table for ordering", ("tt_order",)),
    ("table cutoffs", ("tt",)),
    ("PVS", ("pvs",)),
    ("killers and countermoves", ("killers",)),
    ("history", ("history",)),
    ("aspiration", ("aspiration",)),
    ("VCF at the horizon", ("vcf",)),
    ("... without lone fours", ("vcf_lean",)),
    ("standing pat", ("stand_pat",)),
    ("defence moves only", ("open_four_defence",)),
    ("threat extension", ("threat_ext",)),
    ("late move reductions", ("lmr",)),
    ("... by move score", ("lmr_score",)),
    ("... in PV nodes", ("lmr_pv",)),
    ("... at the root", ("lmr_root",)),
    ("... with a deeper research", ("lmr_research",)),
    ("late move pruning", ("move_count_pruning",)),
    ("... by move score", ("move_score_pruning",)),
    ("... of all moves", ("move_count_pruning_all",)),
    ("futility", ("futility",)),
    ("reverse futility", ("rfp",)),
    ("fail-high reduction", ("fail_high_reduction",)),
    ("razoring into VCF", ("razoring",)),
    ("internal reductions", ("iir",)),
    ("network for the order", ("policy",)),
    ("confirmed wins", ("confirm_win",)),
    ("VCT at the root", ("vct",)),
    ("proofs kept from move to move", ("kept_proofs",)),
    ("answers to a VCF", ("vcf_defence",)),
    ("history of table cutoffs", ("tt_history",)),
    ("network for the order of the root", ("policy_root",)),
    ("damping of scores outside of the window", ("damping",)),
    ("null move", ("nmp",)),
    ("singular extension", ("singular",)),
    ("continuation history", ("conthist",)),
)
_DEEPENING = "deepening"

SWITCHES = tuple(name for _, added in _ORDER for name in added)
"""Every `prune.NAME` of the engine, in the order of the steps."""


@dataclass(frozen=True)
class Step:
    """Holds one step: its name, the switch that it turns on, and all switches that are on.

    `depth` is the fixed depth of the search; None from iterative deepening on.
    """

    number: int
    title: str
    added: tuple[str, ...]
    on: frozenset[str]
    depth: int | None

    @property
    def name(self) -> str:
        """Returns a name for the engine and its folder, as 03-deepening."""
        return f"{self.number:02}-{'-'.join(self.added) or 'negamax'}"

    @property
    def switches_text(self) -> str:
        """Returns the change of this step in the form of the command line."""
        said = [f"prune.{name}=1" for name in self.added] or ["every prune.* = 0"]
        if self.depth is not None:
            said.append(f"max_depth={self.depth}")
        return ", ".join(said)

    def engine(self, engine: EngineSpec) -> EngineSpec:
        """Returns an engine with every switch of this step set, on or off."""
        info = tuple((f"prune.{name}", str(int(name in self.on))) for name in SWITCHES)
        return replace(engine, name=self.name, info=(*engine.info, *info), depth=self.depth)


def ablation_steps(depths: tuple[int, int] = (2, 3)) -> tuple[Step, ...]:
    """Returns the steps from plain negamax to the full search.

    `depths` are the fixed depths of plain negamax and of alpha-beta. Choose depths that finish in
    time.
    """
    steps: list[Step] = []
    on: frozenset[str] = frozenset()
    for number, (title, added) in enumerate(_ORDER):
        on = on.union(added)
        depth = None if _DEEPENING in on else depths[min(number, 1)]
        steps.append(Step(number, title, added, on, depth))
    return tuple(steps)


@dataclass(frozen=True)
class Means:
    """Holds averages over the moves with a report of the engine; None without reports."""

    depth: float | None = None
    nodes: float | None = None


def means_of(records: Iterable[tuple[GameRecord, Color]]) -> Means:
    """Returns an engine's averages over its games, each with its colour."""
    moves = [m for record, color in records for m in record.moves if m.color == color.value]
    depths = [move.depth for move in moves if move.depth is not None]
    nodes = [move.nodes for move in moves if move.nodes is not None]
    return Means(_mean(depths), _mean(nodes))


def _mean(values: Sequence[int]) -> float | None:
    return sum(values) / len(values) if values else None


NO_GAMES = Score()


@dataclass(frozen=True)
class StepResult:
    """Holds the result of a step against the step before. The first step has no games."""

    step: Step
    means: Means
    score: Score = NO_GAMES
    llr: float = 0.0
    verdict: SprtResult | None = None
    forfeits: int = 0

    @property
    def elo(self) -> Elo:
        """Returns the difference in Elo to the step before.

        It counts single games: a few pairs that all ended 1:1 would have no error.
        """
        return self.score.elo()

    @property
    def verdict_text(self) -> str:
        """Returns the verdict, with the LOS if the test was cut short."""
        if self.verdict is None or not self.score.samples:
            return "-"
        if self.verdict is SprtResult.H1:
            return "stronger (H1)"
        if self.verdict is SprtResult.H0:
            return "not stronger (H0)"
        return f"undecided, LOS {self.score.los():.1%}"


def result_of(step: Step, tally: Tally, means: Means, test: Sprt) -> StepResult:
    """Returns a step's result from its games, in which it is the first engine."""
    state = test.state(tally.pairs)
    return StepResult(step, means, tally.rated, state.llr, state.result, tally.forfeits)


def reach(score: Score) -> tuple[float, float, float]:
    """Returns an Elo difference and its 95 % interval, all finite for the plot.

    The interval is Wilson's. Its ends are not 0 or 1 even if all games had the same result. A score
    of 0 or 1 is drawn half a point away from it.
    """
    games = score.samples
    if not games:
        return 0.0, 0.0, 0.0
    z = NORMAL.inv_cdf(0.975)
    middle = (score.score + z * z / (2 * games)) / (1 + z * z / games)
    spread = score.score * (1 - score.score) / games + z * z / (4 * games * games)
    half = z * math.sqrt(spread) / (1 + z * z / games)
    edge = 0.5 / games
    drawn = min(max(score.score, edge), 1 - edge)
    low, high = max(middle - half, edge / 4), min(middle + half, 1 - edge / 4)
    return elo_of(drawn), elo_of(min(low, drawn)), elo_of(max(high, drawn))


class Deadline:
    """Divides the time among the steps: each gets an equal share of the remaining time."""

    def __init__(
        self, seconds: float | None, steps: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Takes the time for all steps; None means no limit."""
        self._clock = clock
        self._end = None if seconds is None else clock() + seconds
        self._left = steps
        self._step_end: float | None = None

    def next_step(self) -> None:
        """Starts the share of the next step."""
        assert self._left > 0
        if self._end is not None:
            now = self._clock()
            self._step_end = now + max(0.0, self._end - now) / self._left
        self._left -= 1

    @property
    def is_over(self) -> bool:
        """Says whether the share of the step is used up."""
        return self._step_end is not None and self._clock() >= self._step_end
