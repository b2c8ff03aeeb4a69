"""Random games of Pente and Keryo-Pente: core, arena's referee and the plain referee side by side.

The games are biased towards captures: rows of two and three are offered, enclosed and captured.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from arena.rules import referee as arena
from pyengine import Engine, GameOverError, NoUndoError, OccupiedError, Rule, Threat
from tests.support.pente_referee import (
    KERYO,
    OTHER,
    PENTE,
    RAYS,
    Played,
    Point,
    Referee,
    Variant,
)

RULES = {Rule.PENTE: PENTE, Rule.KERYO: KERYO}


class DifferenceError(AssertionError):
    """Two readings of the rules differ; the text has the position and the answers."""


@dataclass(frozen=True)
class Style:
    """The probabilities of the moves of a random game."""

    capture: float  # of a capture, if one is among the squares that are tried
    bait: float  # of a stone that the opponent can capture
    between: float  # of a stone between two of the opponent, in a row that would be captured
    five: float  # of playing a five that was drawn
    near: float  # of a square near a stone


def some_style(rng: random.Random) -> Style:
    """Returns a random style; fives are mostly avoided, so that captures may decide."""
    return Style(
        capture=rng.choice((0.05, 0.3, 0.6, 0.9)),
        bait=rng.choice((0.1, 0.3, 0.6)),
        between=rng.choice((0.05, 0.2)),
        five=rng.choice((0, 0.02, 0.3, 1)),
        near=rng.choice((0.6, 0.95, 1)),
    )


def drawn_move(rng: random.Random, game: Referee, style: Style) -> Point:
    """Returns a random move of a style."""
    color = game.to_move
    tried = [some_square(rng, game, style) for _ in range(rng.choice((1, 4, 10)))]
    wanted: Iterable[Point] = ()
    if rng.random() < style.capture:
        wanted = (at for at in tried if game.captured_by(at, color))
    elif rng.random() < style.bait:
        wanted = (at for at in tried if can_be_captured(game, at, color))
    elif rng.random() < style.between:
        wanted = (at for at in tried if enclosed_rows(game, at, color))
    first = next(iter(wanted), tried[0])
    if rng.random() < style.five or game.longest_line(first, color) < 5:
        return first
    return next((at for at in tried if game.longest_line(at, color) < 5), first)


def some_square(rng: random.Random, game: Referee, style: Style) -> Point:
    """Returns a random empty square, of a chance near a stone."""
    for _ in range(20):
        if game.stones and rng.random() < style.near:
            x, y = rng.choice(list(game.stones))
            reach = rng.choice((1, 1, 2, 3))
            at = (x + rng.randint(-reach, reach), y + rng.randint(-reach, reach))
        else:
            at = (rng.randrange(game.size), rng.randrange(game.size))
        if at not in game.stones and 0 <= at[0] < game.size and 0 <= at[1] < game.size:
            return at
    return rng.choice(game.allowed())


def can_be_captured(game: Referee, at: Point, color: str) -> bool:
    """Says whether the opponent could capture the stone after the move."""
    trial = Referee(game.variant, game.size, game.stones, game.taken, color)
    trial.play(at)
    for dx, dy in RAYS:
        for steps in range(1, max(game.variant.rows) + 1):
            end = (at[0] + steps * dx, at[1] + steps * dy)
            on_board = 0 <= end[0] < game.size and 0 <= end[1] < game.size
            if on_board and end not in trial.stones:
                if at in trial.captured_by(end, OTHER[color]):
                    return True
                break
    return False


def enclosed_rows(game: Referee, at: Point, color: str) -> int:
    """Counts the rows that the opponent would capture, and encloses before the move already."""
    rows = 0
    for dx, dy in RAYS[:4]:
        row, ends = [at], []
        for way in (1, -1):
            x, y = at[0] + way * dx, at[1] + way * dy
            while game.stones.get((x, y)) == color:
                row.append((x, y))
                x, y = x + way * dx, y + way * dy
            ends.append(game.stones.get((x, y)))
        rows += len(row) in game.variant.rows and ends == [OTHER[color]] * 2
    return rows


def star(rng: random.Random, variant: Variant, size: int) -> tuple[Referee, Point]:
    """Returns a position of rows around one square, which is empty, and this square.

    The rows have zero to five stones of one side, and end at its opponent, at a gap or at the edge.
    Some rows are long enough to make a five.
    """
    middle = (rng.randrange(size), rng.randrange(size))
    mover = rng.choice(("black", "white"))
    stones: dict[Point, str] = {}
    for dx, dy in RAYS:
        length = rng.choice((0, 1, 2, 2, 2, 3, 3, 3, 4, 5))
        inner, end = rng.choice(
            ((OTHER[mover], mover),) * 6
            + ((OTHER[mover], None), (mover, OTHER[mover]), (mover, None))
        )
        length = min(length, 4 if inner == OTHER[mover] else 3)
        for steps in range(1, length + 2):
            at = (middle[0] + steps * dx, middle[1] + steps * dy)
            color = inner if steps <= length else end
            if color and 0 <= at[0] < size and 0 <= at[1] < size:
                stones[at] = color
    for _ in range(rng.choice((0, 3, 12))):
        at = (rng.randrange(size), rng.randrange(size))
        if at != middle:
            stones.setdefault(at, rng.choice(("black", "white")))
    most = variant.stones_to_win - 1
    taken = {color: rng.randint(0, most) for color in OTHER}
    if variant.rows == (2,):
        taken = {color: n - n % 2 for color, n in taken.items()}
    game = Referee(variant, size, without_fives(stones), taken, mover)
    return game, middle


def crowd(rng: random.Random, variant: Variant, size: int) -> Referee:
    """Returns a position with few empty squares, from which the board may become full."""
    squares = [(x, y) for x in range(size) for y in range(size)]
    rng.shuffle(squares)
    stones = {at: rng.choice(("black", "white")) for at in squares[rng.randint(2, 8) :]}
    return Referee(variant, size, without_fives(stones), to_move=rng.choice(("black", "white")))


def without_fives(stones: dict[Point, str]) -> dict[Point, str]:
    """Leaves stones out, in their order, that would make five in a line."""
    kept = Referee(PENTE, 22)
    for at, color in stones.items():
        if kept.longest_line(at, color) < 5:
            kept.stones[at] = color
    return kept.stones


def in_count(rule: Rule, stones: int) -> int:
    """Returns captured stones in the count of the rule: stones under keryo, pairs under pente."""
    return stones if rule is Rule.KERYO else stones // 2


class Table:
    """The three readings of one game, kept at the same move."""

    def __init__(self, rule: Rule, engine: Engine, game: Referee, seen: Counter[str]) -> None:
        self.rule, self.engine, self.game, self.seen = rule, engine, game, seen
        black, white = ([m for m, c in game.stones.items() if c == side] for side in OTHER)
        taken = (in_count(rule, game.taken["black"]), in_count(rule, game.taken["white"]))
        if (engine.size, engine.rule) != (game.size, rule):
            engine.reset(size=game.size, rule=rule)
        engine.set_position(black=black, white=white, captures=taken, to_move=game.to_move)
        self.arena = arena.Position(size=game.size, rule=arena.Rule(rule))
        self.arena.set_position(
            black=black, white=white, captures=taken, to_move=arena.Color(game.to_move)
        )

    def same(self, what: str, plain: object, core: object, judge: object) -> None:
        """Raises DifferenceError unless the three answers are equal."""
        if not plain == core == judge:
            raise DifferenceError(
                f"{what}: plain {plain}, core {core}, arena {judge}; {self.rule.name}, size"
                f" {self.game.size}, {self.game.to_move} to move, taken {self.game.taken},"
                f" moves {[p.at for p in self.game.history]}, stones {self.game.stones}"
            )

    def play(self, at: Point) -> Played:
        """Plays a move in the three and compares its effect."""
        self.note_rows(at)
        played = self.game.play(at)
        core, judge = self.engine.play(at), self.arena.play(at)
        captured = sorted(played.captured)
        self.same("captured", captured, sorted(core.captured), sorted(judge.captured))
        status = "win" if played.won_by else "draw" if self.game.full else "ongoing"
        self.same("status", status, core.status.value, judge.status.value)
        winner = played.color if played.won_by else None
        self.same(
            "winner",
            winner,
            core.winner and core.winner.value,
            judge.winner and judge.winner.value,
        )
        told = core.reason and core.reason.value
        reasons = played.won_by or ({"board_full"} if self.game.full else {None})
        plain = told if told in reasons else reasons  # the rules do not order two wins of one move
        self.same("reason", plain, told, judge.reason and judge.reason.value)
        self.seen[f"{len(played.won_by)} wins, reason {told}"] += 1
        self.compare_counts()
        self.note(played, status)
        return played

    def note_rows(self, at: Point) -> None:
        """Counts the cases that a wrong reading of the rules would miss."""
        game, mover = self.game, self.game.to_move
        for dx, dy in RAYS:
            length, x, y = 0, at[0] + dx, at[1] + dy
            while game.stones.get((x, y)) == OTHER[mover]:
                length, x, y = length + 1, x + dx, y + dy
            if length and game.stones.get((x, y)) == mover:
                self.seen[f"row of {min(length, 4)} enclosed"] += 1
            if length in (2, 3) and not (0 <= x < game.size and 0 <= y < game.size):
                self.seen["row at the edge"] += 1
        if enclosed_rows(game, at, mover):
            self.seen["stone put between"] += 1
        if any(at in played.captured for played in game.history):
            self.seen["captured square played again"] += 1

    def note(self, played: Played, status: str) -> None:
        """Counts what a move did."""
        self.seen["moves"] += 1
        self.seen[status] += 1
        if played.captured:
            self.seen["captures"] += 1
            self.seen[f"captured {len(played.captured)}"] += 1
        if played.won_by:
            self.seen["won by " + " and ".join(sorted(played.won_by))] += 1

    def undo(self) -> None:
        """Takes a move back in the three."""
        self.game.undo()
        self.engine.undo()
        self.arena.undo()
        self.seen["undone"] += 1
        self.compare_counts()

    def compare_counts(self) -> None:
        """Compares captures and the side to move; the core's counts come with `compare`."""
        game = self.game
        counts = tuple(in_count(self.rule, game.taken[side]) for side in OTHER)
        self.same("captures", counts, counts, self.arena.captures)
        self.same("to move", game.to_move, game.to_move, self.arena.to_move.value)

    def compare(self) -> None:
        """Compares boards, counts, legal squares, and the squares of a five."""
        game, engine = self.game, self.engine
        side = range(game.size)
        everywhere = [(x, y) for x in side for y in side]
        position = engine.position
        board = sorted(game.stones.items())
        self.same(
            "board",
            board,
            sorted((m, c.value) for m, c in position.board.items()),
            sorted((m, c.value) for m, c in self.arena.stones.items()),
        )
        counts = tuple(in_count(self.rule, game.taken[side]) for side in OTHER)
        self.same("captures", counts, position.captures, self.arena.captures)
        self.same("to move", game.to_move, position.turn.value, self.arena.to_move.value)
        self.same("forbidden", [], engine.forbidden(), self.arena.forbidden())
        empty = [m for m in everywhere if m not in game.stones]
        core = [m for m in everywhere if engine.legal(m)]
        self.same("legal", empty, core, self.arena.legal_moves())  # neither looks at the end
        for color in OTHER:
            stones = [m for m, c in game.stones.items() if c == color]
            beside = {(x + dx, y + dy) for x, y in stones for dx, dy in RAYS} & set(empty)
            fives = sorted(m for m in beside if game.longest_line(m, color) >= 5)
            threats = engine.threats(color)
            told = sorted(m for m, threat in threats.items() if threat is Threat.FIVE)
            self.same(f"fives of {color}", fives, told, fives)
        self.seen["compared"] += 1

    def compare_ends(self, rng: random.Random) -> None:
        """Core and arena refuse moves on stones, and every move after the end."""
        over = self.game.over
        some = rng.choice(list(self.game.stones)) if self.game.stones else None
        if some and not over:
            refused_by(self.engine.play, some, OccupiedError)
            refused_by(self.arena.play, some, arena.RefereeError)
        side = range(self.game.size)
        empty = [(x, y) for x in side for y in side if (x, y) not in self.game.stones]
        if over and empty:
            at = rng.choice(empty)
            refused_by(self.engine.play, at, GameOverError)
            refused_by(self.arena.play, at, arena.RefereeError)

    def compare_evaluation(self, fresh: Engine) -> None:
        """Compares with an engine that knows only the last two moves and the position before them.

        The evaluation depends on the position, captures included, and on these moves.
        """
        game = self.game
        if game.over:
            return
        last = [game.undo().at for _ in game.history[-2:]]
        before = Referee(game.variant, game.size, game.stones, game.taken, game.to_move)
        Table(self.rule, fresh, before, Counter())
        for at in reversed(last):
            game.play(at)
            fresh.play(at)
        plain = fresh.evaluate()
        self.same("evaluation", plain, self.engine.evaluate(), plain)
        self.seen["evaluated"] += 1


def refused_by(play: Callable[[Point], object], at: Point, error: type[Exception]) -> None:
    """Raises DifferenceError unless the move is refused with the error."""
    try:
        play(at)
    except error:
        return
    raise DifferenceError(f"{at} is not refused")


def play_game(table: Table, rng: random.Random, *, fresh: Engine, whole: float = 0.1) -> None:
    """Plays a random game to its end, some moves taken back, and then takes all moves back.

    fresh: another engine, for the evaluation of set-up positions.
    whole: the chance that a whole board is compared after a move; after the last move it always is.
    """
    game, style = table.game, some_style(rng)
    before = dict(game.stones), dict(game.taken), game.to_move
    while not game.over:
        table.play(drawn_move(rng, game, style))
        if game.over or rng.random() < whole:
            table.compare()
            table.compare_ends(rng)
            table.compare_evaluation(fresh)
        if rng.random() < 0.05:
            for _ in range(rng.randint(1, min(6, len(game.history)))):
                table.undo()
            if rng.random() < max(whole, 0.1):
                table.compare()
            table.compare_evaluation(fresh)
    take_all_back(table, whole=True)
    table.same("first position", before, (game.stones, game.taken, game.to_move), before)


def play_star(
    table: Table, middle: Point, rng: random.Random, *, fresh: Engine, whole: float = 0.3
) -> None:
    """Plays into the middle of a star, and now and then on; takes all moves back.

    fresh, whole: as `play_game` has them.
    """
    before = dict(table.game.stones), dict(table.game.taken), table.game.to_move
    table.play(middle)
    if rng.random() < whole:
        table.compare()
        table.compare_evaluation(fresh)
    if rng.random() < 0.1:
        play_on(table, rng)
    take_all_back(table, whole=rng.random() < whole)
    table.same(
        "first position", before, (table.game.stones, table.game.taken, table.game.to_move), before
    )


def play_on(table: Table, rng: random.Random) -> None:
    """Plays a few random moves, if the game is not over."""
    style = some_style(rng)
    for _ in range(10):
        if table.game.over:
            break
        table.play(drawn_move(rng, table.game, style))


def take_all_back(table: Table, *, whole: bool) -> None:
    """Takes all moves back, and may compare the whole board of the first position."""
    while table.game.history:
        table.undo()
    if whole:
        table.compare()
    refused = (table.engine.undo, NoUndoError), (table.arena.undo, arena.RefereeError)
    for undo, error in refused:
        try:
            undo()
        except error:
            continue
        raise DifferenceError("a move before the first one is taken back")
