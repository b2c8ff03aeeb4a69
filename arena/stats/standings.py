"""The standings of a tournament, for each player and for each pair."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..game.record import GameRecord
from ..rules.referee import Color
from .ratings import Encounter, Rating, rate

__all__ = ["Standing", "Table", "encounters_of", "rating_lines", "table_lines", "table_of"]

NAME_WIDTH = 20
LINE_WIDTH = 80
CELL_WIDTH = 9


@dataclass(frozen=True)
class Standing:
    """Holds one player's games and rating. Depth and speed are None if no game reports them.

    `forfeits` counts the games lost by a fault, by reason. `nps` is in nodes per second.
    """

    rating: Rating
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: tuple[tuple[str, int], ...] = ()
    depth: float | None = None
    nps: float | None = None

    @property
    def name(self) -> str:
        """Returns the player's name."""
        return self.rating.name

    @property
    def games(self) -> int:
        """Returns the number of games."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Returns the points: 1 for a win, 1/2 for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float | None:
        """Returns the share of the possible points; None without games."""
        return self.points / self.games if self.games else None


@dataclass(frozen=True)
class Table:
    """Holds the standings, the strongest player first, and the results of each pair that met."""

    rows: tuple[Standing, ...]
    encounters: tuple[Encounter, ...]
    notes: tuple[str, ...] = ()
    zero: float = 0.0
    warnings: tuple[str, ...] = ()
    """Text above the table: reasons not to trust the ratings."""

    def cell(self, name: str, other: str) -> Encounter | None:
        """Returns the games of two players from the view of `name`; None if there are none."""
        for encounter in self.encounters:
            if {encounter.first, encounter.second} == {name, other}:
                return encounter.seen_by(name)
        return None


def encounters_of(records: Iterable[GameRecord]) -> tuple[Encounter, ...]:
    """Returns the results of each pair of players, by the names in the records."""
    counts: dict[tuple[str, str], list[int]] = {}
    for record in records:
        black, white = record.black.name, record.white.name
        pair = (min(black, white), max(black, white))
        winner = None if record.winner is None else record.player(Color(record.winner)).name
        place = 1 if winner is None else 0 if winner == pair[0] else 2
        counts.setdefault(pair, [0, 0, 0])[place] += 1
    return tuple(Encounter(*pair, *results) for pair, results in counts.items())


def table_of(
    players: Sequence[str],
    records: Sequence[GameRecord],
    anchors: Mapping[str, float] | None = None,
    *,
    count_forfeits: bool = False,
) -> Table:
    """Returns the standings of the players after the games, rated by `ratings.rate`.

    Points and cross table count all games. Ratings count forfeits only with `count_forfeits`.
    """
    rated = [record for record in records if count_forfeits or not record.is_forfeit]
    ratings = rate(players, encounters_of(rated), anchors)
    rows = tuple(_standing(rating, records) for rating in ratings.rows)
    warnings = _forfeit_warnings(records, counted=count_forfeits)
    return Table(rows, encounters_of(records), ratings.notes, ratings.zero, warnings)


def _forfeit_warnings(records: Sequence[GameRecord], *, counted: bool) -> tuple[str, ...]:
    """Returns warnings about forfeits, to be read before the ratings."""
    reasons = Counter(record.reason.value for record in records if record.is_forfeit)
    if not reasons:
        return ()
    told = ", ".join(f"{name} {count}" for name, count in reasons.most_common())
    do = "count them" if counted else "leave them out"
    games = f"{reasons.total()} of {len(records)} games were forfeited ({told})"
    return (f"{games}: do not trust the ratings, which {do}",)


def _standing(rating: Rating, records: Sequence[GameRecord]) -> Standing:
    wins = draws = losses = nodes = 0
    forfeits: Counter[str] = Counter()
    depths: list[int] = []
    node_ms = 0.0
    for record in records:
        for color in Color:
            if record.player(color).name != rating.name:
                continue
            if record.winner is None:
                draws += 1
            elif record.winner == color.value:
                wins += 1
            else:
                losses += 1
                if record.is_forfeit:
                    forfeits[record.reason.value] += 1
            own = [move for move in record.moves if move.color == color.value]
            depths += [move.depth for move in own if move.depth is not None]
            nodes += sum(move.nodes or 0 for move in own)
            node_ms += sum(move.ms for move in own if move.nodes is not None)
    return Standing(
        rating,
        wins,
        draws,
        losses,
        tuple(forfeits.most_common()),
        depth=sum(depths) / len(depths) if depths else None,
        nps=1000 * nodes / node_ms if node_ms > 0 else None,
    )


def elo_text(rating: Rating) -> tuple[str, str]:
    """Returns a rating and its error as text, with a sign if the scale has no anchor."""
    if rating.elo is None:
        return "-", ""
    return f"{round(rating.elo) + 0}", "anchor" if rating.anchored else f"{rating.error or 0:.0f}"


def table_lines(table: Table) -> list[str]:
    """Returns the rating table and the cross table as plain text of up to 80 columns.

    Warnings and notes may be longer.
    """
    width = _name_width(table)
    lines = [*table.warnings, *rating_lines(table)]
    return [*lines, "", *_cross_lines(table, width), *(f"note: {note}" for note in table.notes)]


def rating_lines(table: Table) -> list[str]:
    """Returns the rating table as plain text of up to 80 columns."""
    width = _name_width(table)
    lines = [
        f"{'#':>2} {'engine':<{width}} {'Elo':>5} {'±95%':>6} {'LOS':>4} {'score':>6}"
        f" {'+':>4} {'=':>4} {'-':>4} {'forf':>4} {'depth':>5} {'nps':>5}",
    ]
    for place, row in enumerate(table.rows, 1):
        elo, error = elo_text(row.rating)
        superior = row.rating.superior
        cells = [
            f"{place:>2} {_short(row.name, width)} {elo:>5} {error:>6}",
            f"{'' if superior is None else f'{superior:.0%}':>4}",
            f"{'-' if row.share is None else f'{row.share:.1%}':>6}",
            f"{row.wins:>4} {row.draws:>4} {row.losses:>4}",
            f"{sum(count for _, count in row.forfeits):>4}",
            f"{'-' if row.depth is None else f'{row.depth:.1f}':>5}",
            f"{'-' if row.nps is None else speed_text(row.nps):>5}",
        ]
        lines.append(" ".join(cells))
    return lines


def _name_width(table: Table) -> int:
    return max(6, min(NAME_WIDTH, max((len(row.name) for row in table.rows), default=0)))


def _short(name: str, width: int) -> str:
    return f"{name if len(name) <= width else name[: width - 1] + '…':<{width}}"


def _cross_lines(table: Table, width: int) -> list[str]:
    """Returns the cross table in blocks that fit the width."""
    step = (LINE_WIDTH - 3 - width) // CELL_WIDTH
    lines: list[str] = []
    for first in range(0, len(table.rows), step):
        others = list(enumerate(table.rows, 1))[first : first + step]
        head = "".join(f"{place:>{CELL_WIDTH}}" for place, _ in others)
        lines += [""] if lines else []
        lines.append(f"{'#':>2} {'':<{width}}{head}")
        for place, row in enumerate(table.rows, 1):
            cells = "".join(_cross_cell(table, row, other) for _, other in others)
            lines.append(f"{place:>2} {_short(row.name, width)}{cells}".rstrip())
    return lines


def _cross_cell(table: Table, row: Standing, other: Standing) -> str:
    cell = None if other is row else table.cell(row.name, other.name)
    text = "" if cell is None else f"{cell.points:g}/{cell.games}"
    return f"{'·' if other is row else text:>{CELL_WIDTH}}"


def speed_text(nps: float) -> str:
    """Returns nodes per second with about three digits, as 1.25M."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if nps >= limit:
            return f"{nps / limit:.3g}{unit}"
    return f"{nps:.0f}"
