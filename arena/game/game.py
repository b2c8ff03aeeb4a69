"""One game: two players, a referee, clocks and a record."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ..engines.brain import Brain, Command
from ..engines.clock import Clock, Limits, TimeControl
from ..engines.managers import STRICT, Clocked, ManagerProfile, Measured
from ..engines.player import MoveRequest, Player, StartRequest
from ..rules.referee import Color, Point, Position, RefereeError, Rule
from ..util.faults import BrainFault, Fault
from .adjudication import Adjudication
from .record import EndReason, GameRecord, MoveRecord, PlayerRecord, end_words

__all__ = ["GameSettings", "MoveHook", "play_brains", "play_game"]

START_MS = 10_000

MoveHook = Callable[[Position, MoveRecord], None]
"""Called after each move with the position after it. The clocks do not run meanwhile."""


@dataclass(frozen=True)
class GameSettings:
    """Holds the conditions of a game; raises ValueError with the name of a wrong field.

    The opening's squares are played in turn, Black first. `memory_mib` 0 means no limit. `start_ms`
    is the time for START's OK, which is on no clock. `increment_ms` and `moves_to_go` are those of
    `TimeControl`. `adjudication` ends games early; None means never.
    """

    size: int = 15
    rule: Rule = Rule.FREESTYLE
    turn_ms: int | None = 1000
    match_ms: int | None = None
    memory_mib: int = 0
    tolerance_ms: int = 0
    opening: tuple[Point, ...] = ()
    start_ms: int = START_MS
    increment_ms: int = 0
    moves_to_go: int = 0
    adjudication: Adjudication | None = None

    def __post_init__(self) -> None:
        """Checks each field, and the opening by the referee."""
        _ = self.time_control
        if self.memory_mib < 0:
            raise ValueError(f"memory_mib: {self.memory_mib} is less than 0")
        if self.start_ms < 1:
            raise ValueError(f"start_ms: {self.start_ms} is less than 1 ms")
        self.position()

    @property
    def time_control(self) -> TimeControl:
        """Returns the time limits of each player."""
        return TimeControl(
            self.turn_ms, self.match_ms, self.tolerance_ms, self.increment_ms, self.moves_to_go
        )

    def under(self, limits: Limits | None) -> "GameSettings":
        """Returns the settings of a player with its own limits; raises ValueError.

        A player's own time control replaces that of the game as a whole.
        """
        if limits is None:
            return self
        memory = self.memory_mib if limits.memory_mib is None else limits.memory_mib
        increment = self.increment_ms if limits.increment_ms is None else limits.increment_ms
        moves = self.moves_to_go if limits.moves_to_go is None else limits.moves_to_go
        own = replace(self, memory_mib=memory)
        if limits.has_time:
            has_match = limits.match_ms is not None
            return replace(
                own,
                turn_ms=limits.turn_ms,
                match_ms=limits.match_ms,
                increment_ms=increment if has_match else limits.increment_ms or 0,
                moves_to_go=moves if has_match else limits.moves_to_go or 0,
            )
        return replace(own, increment_ms=increment, moves_to_go=moves)

    def position(self) -> Position:
        """Returns a new position after the opening; raises ValueError if it is illegal."""
        position = Position(size=self.size, rule=self.rule)
        for number, move in enumerate(self.opening, 1):
            try:
                position.play(move)
            except RefereeError as error:
                raise ValueError(f"opening: move {number}: {error}") from None
        if position.is_over:
            raise ValueError("opening: its last move ends the game")
        return position


def play_game(
    black: Player,
    white: Player,
    settings: GameSettings,
    *,
    position: Position | None = None,
    on_move: MoveHook | None = None,
    manager: ManagerProfile = STRICT,
    limits: Mapping[Color, Limits | None] | None = None,
) -> GameRecord:
    """Plays one game to its end, closes both players, and returns the record.

    A fault of a player loses the game for it and raises nothing. `position` replaces the position
    of the settings and includes the opening. `manager` decides about clocks, memory and draws.
    `limits` are the own limits of a player.
    """
    players = {Color.BLACK: black, Color.WHITE: white}
    table = _Table(players, settings, on_move, manager, limits or {})
    if position is not None:
        table.position = position
    try:
        result = table.play()
        for player in (black, white):
            # The last measurement of memory. The limit was checked after each move.
            player.memory_bytes()
    finally:
        notes = {color: player.close() for color, player in table.players.items()}
    return table.record(result, notes)


def play_brains(
    black: Command, white: Command, settings: GameSettings, *, on_move: MoveHook | None = None
) -> GameRecord:
    """Starts two brains, plays one game between them, and ends both."""
    return play_game(Brain(black), Brain(white), settings, on_move=on_move)


@dataclass(frozen=True)
class _Result:
    winner: Color | None
    reason: EndReason
    detail: str
    over_ms: float | None = None


@dataclass
class _Table:
    """Holds a game in progress."""

    players: dict[Color, Player]
    settings: GameSettings
    on_move: MoveHook | None
    manager: ManagerProfile
    limits: Mapping[Color, Limits | None]
    own: dict[Color, GameSettings] = field(init=False)
    """The settings of each player, which differ if a player has its own limits."""
    position: Position = field(init=False)
    moves: list[MoveRecord] = field(default_factory=list)
    clocks: dict[Color, Clock] = field(init=False)
    start_ms: dict[Color, float] = field(default_factory=dict)
    asked: set[Color] = field(default_factory=set)
    order: list[Point] = field(init=False)

    def __post_init__(self) -> None:
        self.position = self.settings.position()
        self.order = list(self.settings.opening)
        self.own = {color: self.settings.under(self.limits.get(color)) for color in Color}
        self.clocks = {color: Clock.of(self.control(color)) for color in Color}

    def control(self, color: Color) -> TimeControl:
        """Returns a player's time limits, with the tolerance that the manager really grants."""
        share = round(self.settings.tolerance_ms * self.manager.tolerance_share)
        return replace(self.own[color].time_control, tolerance_ms=share)

    def play(self) -> _Result:
        """Plays to the end. Each pass of the loop is one move."""
        color = Color.BLACK
        try:
            # Launch both before waiting for either, because a start takes time.
            for color in Color:
                self.players[color].launch()
            for color in Color:
                self._open(color)
            while not self.position.is_over:
                color = self.position.to_move
                result = self._turn(color) or self._called_draw() or self._adjudicated()
                if result is not None:
                    return result
        except BrainFault as fault:
            detail = f"{color.value} forfeits ({fault.kind.value}): {fault.detail}"
            over = fault.over_ms
            if over is not None:
                over += self.control(color).tolerance_ms
            return _Result(color.other, EndReason(fault.kind.value), detail, over)
        assert self.position.reason is not None
        reason = EndReason(self.position.reason.value)
        return _Result(self.position.winner, reason, end_words(self.settings.rule, reason))

    def _open(self, color: Color) -> None:
        settings = self.own[color]
        request = StartRequest(
            size=settings.size,
            rule=int(settings.rule),
            turn_ms=settings.turn_ms,
            match_ms=settings.match_ms,
            memory_mib=settings.memory_mib,
            start_ms=self._start_limit(settings),
            increment_ms=settings.increment_ms,
        )
        ms = self.players[color].open(request)
        if self.manager.clocked is not Clocked.FIRST_MOVE:
            self.start_ms[color] = ms
        if self.manager.clocked is Clocked.MATCH:
            clock = self.clocks[color]
            self.clocks[color] = replace(clock, left_ms=clock.left_ms - ms)

    def _start_limit(self, settings: GameSettings) -> int:
        """Returns the ms within which START must be answered."""
        if self.manager.start_within_tolerance and settings.tolerance_ms:
            return settings.tolerance_ms
        if self.manager.clocked is Clocked.MATCH and settings.match_ms is not None:
            return settings.match_ms + settings.tolerance_ms
        return settings.start_ms

    def _called_draw(self) -> _Result | None:
        """Returns the draw that some managers declare before the board is full."""
        settings = self.settings
        empty = settings.size**2 - len(self.position.stones)
        if self.position.is_over or not self.manager.draws_at(int(settings.rule), empty):
            return None
        detail = f"{empty} squares are empty, which is a draw for {self.manager.name}"
        return _Result(None, EndReason.BOARD_FULL, detail)

    def _adjudicated(self) -> _Result | None:
        """Returns the end of the game by its scores or its number of moves."""
        rules = self.settings.adjudication
        if self.position.is_over or rules is None:
            return None
        decision = rules.judge(self.moves, len(self.settings.opening))
        if decision is None:
            return None
        return _Result(decision.winner, EndReason.ADJUDICATED, decision.detail)

    def _turn(self, color: Color) -> _Result | None:
        """Asks for one move and plays it; returns a result only for a forbidden one."""
        player, clock = self.players[color], self.clocks[color]
        reply = player.move(self._request(color, clock))
        self.asked.add(color)
        self.clocks[color] = clock.after(max(0.0, reply.ms - self.manager.free_ms))
        self._refuse_memory(color)
        if self._is_forbidden(color, reply.move):
            detail = f"black plays {reply.move[0]},{reply.move[1]}, which is forbidden"
            return _Result(Color.WHITE, EndReason.FORBIDDEN, detail)
        try:
            outcome = self.position.play(reply.move)
        except RefereeError as error:
            raise BrainFault(Fault.ILLEGAL, str(error)) from None
        thought = reply.thought
        record = MoveRecord(
            *reply.move,
            color=color.value,
            ms=round(reply.ms, 3),
            limit_ms=round(clock.budget_ms, 3),
            depth=thought.depth,
            nodes=thought.nodes,
            score=thought.score,
            mate=thought.mate,
            captured=tuple(outcome.captured),
        )
        self.order.append(reply.move)
        self.moves.append(record)
        if self.on_move is not None:
            self.on_move(self.position, record)
        return None

    def _request(self, color: Color, clock: Clock) -> MoveRequest:
        return MoveRequest(
            color=color,
            stones=self._stones_in_order(),
            captures=self.position.captures,
            last=self.order[-1] if color in self.asked else None,
            limit_ms=clock.limit_ms,
            time_left=clock.time_left,
        )

    def _stones_in_order(self) -> tuple[tuple[Point, Color], ...]:
        """Returns the stones on the board in the order in which they were played last."""
        stones = self.position.stones
        latest = dict.fromkeys(reversed(self.order))
        ordered = [point for point in reversed(latest) if point in stones]
        return tuple((point, stones[point]) for point in ordered)

    def _refuse_memory(self, color: Color) -> None:
        player, memory_mib = self.players[color], self.own[color].memory_mib
        limit = memory_mib << 20
        if self.manager.measured is Measured.NOTHING:
            return
        if limit and (used := player.memory_bytes()) > limit:
            text = f"{used / (1 << 20):.1f} MiB in use, limit {memory_mib} MiB"
            raise BrainFault(Fault.MEMORY, text)

    def _is_forbidden(self, color: Color, move: Point) -> bool:
        """Says whether Black plays a forbidden square under renju, which loses by the rules.

        Under ninuki a forbidden square is an illegal move like any other.
        """
        is_renju = self.position.rule is Rule.RENJU
        return is_renju and color is Color.BLACK and self.position.is_forbidden(move)

    def record(self, result: _Result, notes: dict[Color, tuple[str, ...]]) -> GameRecord:
        """Returns the record of the game."""
        settings = self.settings
        loser = None if result.winner is None else self.players[result.winner.other]
        told = loser is not None and result.reason.is_forfeit
        return GameRecord(
            black=self._player_record(Color.BLACK, notes),
            white=self._player_record(Color.WHITE, notes),
            size=settings.size,
            rule=int(settings.rule),
            turn_ms=settings.turn_ms,
            match_ms=settings.match_ms,
            memory_mib=settings.memory_mib,
            tolerance_ms=settings.tolerance_ms,
            opening=settings.opening,
            moves=tuple(self.moves),
            winner=None if result.winner is None else result.winner.value,
            reason=result.reason,
            detail=result.detail,
            captures=self.position.captures,
            over_ms=None if result.over_ms is None else round(result.over_ms, 3),
            lines=tuple(loser.last_lines) if told and loser is not None else (),
            increment_ms=settings.increment_ms,
            moves_to_go=settings.moves_to_go,
        )

    def _player_record(self, color: Color, notes: dict[Color, tuple[str, ...]]) -> PlayerRecord:
        player = self.players[color]
        start_ms = self.start_ms.get(color)
        return PlayerRecord(
            name=player.name,
            start_ms=None if start_ms is None else round(start_ms, 3),
            peak_bytes=player.peak_bytes,
            notes=notes[color],
            limits=self.limits.get(color),
        )
