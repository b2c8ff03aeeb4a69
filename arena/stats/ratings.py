"""Ratings from results: the Bradley-Terry model, fitted as a binomial regression.

A player of strength b beats one of strength c with odds exp(b - c); a draw is half a win and half a
loss. Draws and colour-swapped pairs vary less than the binomial law assumes. The errors are
therefore too wide rather than too narrow.
"""

import importlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import NormalDist
from typing import Any

__all__ = [
    "ELO_PER_UNIT",
    "Encounter",
    "MissingLibraryError",
    "Rating",
    "Ratings",
    "check_libraries",
    "rate",
]

ELO_PER_UNIT = 400 / math.log(10)
NORMAL = NormalDist()
Z95 = NORMAL.inv_cdf(0.975)
# Precision of the fit in the model's unit (174 Elo), far below what a table shows.
TOLERANCE = 1e-12
MAX_ITERATIONS = 200


class MissingLibraryError(RuntimeError):
    """A library is missing; the text says which, and how to install it."""


@dataclass(frozen=True)
class Encounter:
    """Holds the results of all games between two players, from the view of `first`."""

    first: str
    second: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """Returns the number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Returns the points of `first`: 1 for a win, 1/2 for a draw."""
        return self.wins + self.draws / 2

    def seen_by(self, name: str) -> "Encounter":
        """Returns the results from the view of `name`, one of the two players."""
        if name == self.first:
            return self
        return Encounter(self.second, self.first, self.losses, self.draws, self.wins)


@dataclass(frozen=True)
class Rating:
    """Holds a player's strength in Elo and half the width of its 95 % interval.

    `elo` is None for a player who cannot be compared with the others. The error of an anchor is 0.
    `superior` is the likelihood of being stronger than the next player in the list; None for the
    last.
    """

    name: str
    elo: float | None
    error: float | None = None
    anchored: bool = False
    superior: float | None = None

    @property
    def low(self) -> float:
        """Returns the lower end of the interval."""
        return (self.elo or 0.0) - (self.error or 0.0)

    @property
    def high(self) -> float:
        """Returns the upper end of the interval."""
        return (self.elo or 0.0) + (self.error or 0.0)


@dataclass(frozen=True)
class Ratings:
    """Holds the ratings and notes: the strongest player first, players without a rating last."""

    rows: tuple[Rating, ...]
    notes: tuple[str, ...] = ()
    zero: float = 0.0
    """The middle of the scale: the mean of the anchors, or 0 without anchors."""

    def of(self, name: str) -> Rating:
        """Returns the rating of a player; raises KeyError for an unknown name."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)


def rate(
    players: Sequence[str],
    encounters: Iterable[Encounter],
    anchors: Mapping[str, float] | None = None,
) -> Ratings:
    """Returns the likeliest ratings with their errors.

    Anchors keep their rating. Without an anchor the mean of all ratings is 0, and the errors are
    those of the distance from that mean. A player gets no rating if no chain of games connects them
    to the anchors, or without anchors to the largest group. If a player won or lost all games,
    their rating would be infinite: one drawn game is then added to each pair that met, and a note
    says so.
    """
    fixed = {name: elo for name, elo in (anchors or {}).items() if name in players}
    played = [e for e in encounters if e.games and {e.first, e.second} <= set(players)]
    group = _largest_group(players, played, fixed)
    # Games between anchors carry no information: their ratings are fixed.
    inside = [
        e for e in played if e.first in group and not (e.first in fixed and e.second in fixed)
    ]
    notes: list[str] = []
    scores = [(e.first, e.second, e.points, e.games - e.points) for e in inside]
    if scores and not _has_finite_ratings(group, inside, fixed):
        scores = [(first, second, won + 0.5, lost + 0.5) for first, second, won, lost in scores]
        notes.append(
            "a player won or lost all games: one drawn game is added to each pair that met, "
            "which brings the ratings closer together"
        )
    outside = [name for name in players if name not in group]
    if outside and played:
        notes.append(f"no games join these to the others, so they have no rating: {_list(outside)}")
    rows = _fitted(sorted(group, key=players.index), scores, fixed)
    zero = sum(fixed.values()) / len(fixed) if fixed else 0.0
    return Ratings((*rows, *(Rating(name, None) for name in outside)), tuple(notes), zero)


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)


def _largest_group(
    players: Sequence[str], played: Sequence[Encounter], fixed: Mapping[str, float]
) -> set[str]:
    """Returns the players connected by games to the anchors; without anchors the largest group."""
    left, groups = set(players), []
    while left:
        # The anchors form one group from the start, because their distances are known.
        seed = set(fixed) & left or {min(left, key=players.index)}
        group, size = seed, 0
        while len(group) != size:
            size = len(group)
            met = [e for e in played if e.first in group or e.second in group]
            group = group.union(*({e.first, e.second} for e in met))
        groups.append(group)
        if fixed:
            break
        left -= group
    largest = max(groups, key=len, default=set())
    return largest if fixed or len(largest) > 1 else set()


def _has_finite_ratings(
    group: set[str], played: Sequence[Encounter], fixed: Mapping[str, float]
) -> bool:
    """Says whether each player took points from each other one, by a chain of results.

    The anchors count as one player. Otherwise there are two groups, one of which won every game
    between them. Their distance would then have no maximum of likelihood.
    """
    beats: dict[str, set[str]] = {}
    loses: dict[str, set[str]] = {}
    for encounter in played:
        one, two = ("" if n in fixed else n for n in (encounter.first, encounter.second))
        if encounter.points:
            beats.setdefault(one, set()).add(two)
            loses.setdefault(two, set()).add(one)
        if encounter.points < encounter.games:
            beats.setdefault(two, set()).add(one)
            loses.setdefault(one, set()).add(two)
    nodes = {"" if name in fixed else name for name in group}
    start = min(nodes)
    return all(_reached(start, edges) >= nodes for edges in (beats, loses))


def _reached(start: str, edges: Mapping[str, set[str]]) -> set[str]:
    reached, open_nodes = {start}, [start]
    while open_nodes:
        new = edges.get(open_nodes.pop(), set()) - reached
        reached |= new
        open_nodes += new
    return reached


def _fitted(
    names: Sequence[str],
    scores: Sequence[tuple[str, str, float, float]],
    fixed: Mapping[str, float],
) -> list[Rating]:
    """Returns the ratings of connected players, the strongest first."""
    free = [name for name in names if name not in fixed]
    if not free or not scores:
        return _ranked([Rating(n, fixed[n], 0.0, anchored=True) for n in names if n in fixed], {})
    numpy = _library("numpy")
    # Without an anchor one player is at 0 during the fit; all are centred afterwards.
    estimated = free if fixed else free[1:]
    betas, covariance = _regression(estimated, scores, fixed)
    mean = numpy.array([fixed.get(name, 0.0) / ELO_PER_UNIT for name in names])
    full = numpy.zeros((len(names), len(names)))
    places = [names.index(name) for name in estimated]
    mean[places] = betas
    full[numpy.ix_(places, places)] = covariance
    if not fixed:
        centre = numpy.eye(len(names)) - 1 / len(names)
        mean, full = centre @ mean, centre @ full @ centre.T
    elo, spread = mean * ELO_PER_UNIT, full * ELO_PER_UNIT**2
    rows = [
        Rating(name, float(elo[i]), Z95 * math.sqrt(max(0.0, spread[i, i])), anchored=name in fixed)
        for i, name in enumerate(names)
    ]
    deviation = {
        (one, two): math.sqrt(max(0.0, spread[i, i] + spread[j, j] - 2 * spread[i, j]))
        for i, one in enumerate(names)
        for j, two in enumerate(names)
    }
    return _ranked(rows, deviation)


def _regression(
    estimated: Sequence[str],
    scores: Sequence[tuple[str, str, float, float]],
    fixed: Mapping[str, float],
) -> tuple[Any, Any]:
    """Returns the estimated strengths and their covariance.

    The method is Newton's, on the log-likelihood of the binomial regression. The likelihood is
    concave, and `_has_finite_ratings` holds for the scores, so there is a single maximum. A step
    that does not raise the likelihood is halved. The covariance is the inverse of the information
    at the maximum.
    """
    numpy = _library("numpy")
    design = numpy.array(
        [
            [float(name == first) - float(name == second) for name in estimated]
            for first, second, _, _ in scores
        ]
    )
    offset = numpy.array(
        [
            (fixed.get(first, 0.0) - fixed.get(second, 0.0)) / ELO_PER_UNIT
            for first, second, _, _ in scores
        ]
    )
    points = numpy.array([won for _, _, won, _ in scores])
    games = points + numpy.array([lost for _, _, _, lost in scores])

    def likelihood(betas: Any) -> float:
        odds = design @ betas + offset
        # log(1 + exp(odds)) without overflow
        return float(points @ odds - games @ numpy.logaddexp(0.0, odds))

    def information(betas: Any) -> tuple[Any, Any]:
        chance = 1 / (1 + numpy.exp(-(design @ betas + offset)))
        weight = games * chance * (1 - chance)
        return design.T @ (points - games * chance), design.T @ (design * weight[:, None])

    betas = numpy.zeros(len(estimated))
    for _ in range(MAX_ITERATIONS):
        gradient, curvature = information(betas)
        step = numpy.linalg.solve(curvature, gradient)
        before = likelihood(betas)
        while likelihood(betas + step) < before and numpy.abs(step).max() > TOLERANCE:
            step = step / 2
        betas = betas + step
        if numpy.abs(step).max() <= TOLERANCE:
            break
    return betas, numpy.linalg.inv(information(betas)[1])


def _ranked(rows: list[Rating], deviation: Mapping[tuple[str, str], float]) -> list[Rating]:
    """Returns the rows sorted, each with the likelihood of being stronger than the next."""
    # Rounded: equal ratings keep their order whatever their last digits are.
    rows.sort(key=lambda row: -round(row.elo or 0.0, 6))
    ranked = rows[-1:]
    for row, after in reversed(list(pairwise(rows))):
        width = deviation.get((row.name, after.name), 0.0)
        if width > 0:
            distance = (row.elo or 0.0) - (after.elo or 0.0)
            row = replace(row, superior=NORMAL.cdf(distance / width))
        ranked.insert(0, row)
    return ranked


def _library(name: str) -> Any:
    """Returns a module that only the ratings need; raises MissingLibraryError."""
    try:
        return importlib.import_module(name)
    except ImportError:
        missing = name.partition(".")[0]
        raise MissingLibraryError(
            f"ratings need {missing}, which is not installed: pip install tengen-arena"
        ) from None


def check_libraries() -> None:
    """Raises MissingLibraryError if ratings cannot be computed. Call it before the first game."""
    _library("numpy")
