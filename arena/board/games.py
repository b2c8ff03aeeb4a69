"""One game at the page, played in a thread of its own by the code that plays matches."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from ..engines.player import MoveRequest
from ..engines.spec import EngineSpec
from ..game.game import GameSettings, play_game
from ..game.record import EndReason, GameRecord, MoveRecord, PlayerRecord
from ..rules.referee import Color, Point, Position
from ..util.faults import BrainFault
from .players import Interrupted, Person, ReportingBrain, Resigned

__all__ = ["Events", "Game", "plies_to_undo"]

JOIN_S = 0.2


@dataclass(frozen=True)
class Events:
    """Holds the functions that a game calls at its events, from its own threads."""

    turn: Callable[[Color, MoveRequest], None]
    move: Callable[[MoveRecord], None]
    line: Callable[[Color, str, str], None]
    refused: Callable[[str], None]
    end: Callable[[GameRecord | None, str], None]
    """Gets the record, or None with what broke down."""


@dataclass
class Game:
    """Plays one game between brains and people; a side without a brain is a person's."""

    brains: dict[Color, EngineSpec]
    settings: GameSettings
    events: Events
    moves: list[MoveRecord] = field(default_factory=list)
    _position: Position = field(init=False)
    _players: dict[Color, Person | ReportingBrain] = field(init=False)
    _thread: threading.Thread = field(init=False)
    _is_stopped: bool = False
    _is_over: bool = False
    _resigner: Color | None = None

    def __post_init__(self) -> None:
        """Makes the players; raises CommandError where a brain is not there any more."""
        self._position = self.settings.position()
        self._players = {color: self._player(color) for color in Color}
        self._thread = threading.Thread(target=self._play, name="game", daemon=True)

    def _player(self, color: Color) -> Person | ReportingBrain:
        brain = self.brains.get(color)
        if brain is None:
            return Person(color, self._position, self.events.turn, self.events.refused)
        return ReportingBrain(brain, color, self.events.turn, self.events.line)

    @property
    def names(self) -> dict[Color, str]:
        """Returns what the players are called."""
        return {color: player.name for color, player in self._players.items()}

    @property
    def people(self) -> list[Color]:
        """Returns the colours that people play."""
        return [color for color in Color if color not in self.brains]

    @property
    def is_running(self) -> bool:
        """Says whether the game is still played; False before its end is told."""
        return self._thread.is_alive() and not self._is_over

    @property
    def squares(self) -> list[Point]:
        """Returns all moves so far, those of the opening first."""
        return [*self.settings.opening, *(move.point for move in self.moves)]

    def start(self) -> None:
        """Begins to play; returns at once."""
        self._thread.start()

    def answer(self, point: Point, ply: int) -> None:
        """Hands over a person's move; one for another position than the present one is refused."""
        person = self._person_to_move()
        if person is None or ply != len(self.squares):
            self.events.refused("it is not your move")
        else:
            person.answer(point)

    def resign(self) -> None:
        """Gives the game up for the person to move, else for the only person."""
        people = [player for player in self._players.values() if isinstance(player, Person)]
        person = self._person_to_move() or (people[0] if people else None)
        if person is None or not self.is_running:
            self.events.refused("you have no game to resign")
            return
        self._resigner = self._color_of(person)
        self._break_off(Resigned())

    def stop(self) -> None:
        """Ends the game and every process of it; returns when nothing of it is left."""
        if self._thread.ident is None:
            return
        self._break_off(Interrupted())

    def _break_off(self, why: Interrupted) -> None:
        self._is_stopped = True
        while True:
            for player in self._players.values():
                if isinstance(player, ReportingBrain):
                    player.stop()
                else:
                    player.answer(why)
            self._thread.join(JOIN_S)
            if not self._thread.is_alive():
                return

    def _person_to_move(self) -> Person | None:
        player = self._players[self._position.to_move]
        return player if isinstance(player, Person) and self.is_running else None

    def _color_of(self, person: Person) -> Color:
        return next(color for color, player in self._players.items() if player is person)

    def _play(self) -> None:
        black, white = (self._players[color] for color in Color)
        try:
            record: GameRecord | None = play_game(
                black, white, self.settings, position=self._position, on_move=self._moved
            )
            problem = ""
        except Interrupted:
            record, problem = None, ""
        except (BrainFault, OSError, RuntimeError) as error:
            record, problem = None, f"the game broke off: {error}"
        if record is None or (self._is_stopped and record.is_forfeit):
            # A brain that we have ended did not crash.
            record = self._unfinished()
        self._is_over = True
        self.events.end(record, problem)

    def _moved(self, _position: Position, move: MoveRecord) -> None:
        self.moves.append(move)
        self.events.move(move)

    def _unfinished(self) -> GameRecord:
        """Returns the record of a game that was stopped or given up."""
        loser, settings, names = self._resigner, self.settings, self.names
        return GameRecord(
            black=PlayerRecord(names[Color.BLACK]),
            white=PlayerRecord(names[Color.WHITE]),
            size=settings.size,
            rule=int(settings.rule),
            turn_ms=settings.turn_ms,
            match_ms=settings.match_ms,
            memory_mib=settings.memory_mib,
            tolerance_ms=settings.tolerance_ms,
            opening=settings.opening,
            moves=tuple(self.moves),
            winner=None if loser is None else loser.other.value,
            reason=EndReason.UNKNOWN,
            detail="the game was stopped" if loser is None else f"{loser.value} resigns",
            captures=self._position.captures,
        )


def plies_to_undo(played: int, people: list[Color]) -> int:
    """Returns how many moves to take back so that a person is to move again; 0 where none can.

    Black has the first move of the `played` ones.
    """
    for count in range(1, played + 1):
        if (Color.BLACK if (played - count) % 2 == 0 else Color.WHITE) in people:
            return count
    return 0
