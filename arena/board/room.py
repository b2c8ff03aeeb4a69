"""The room behind the page: its brains, the running game, and the events for the page.

Events come from the threads of a game and go through a queue to whoever shows them. Lines of a
conversation wait in a list with an end, so that a brain that floods us cannot fill the memory.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..engines.brain import CommandError
from ..engines.player import MoveRequest
from ..engines.spec import EngineSpec, with_options
from ..game.record import GameRecord, MoveRecord
from ..rules.referee import Color
from ..run.store import StoreError
from .analyst import Analyst
from .games import Events, Game, plies_to_undo
from .keeping import Keeper
from .messages import Analyse, Halt, Message, Move, Resign, Start, Stop, Undo

__all__ = ["Event", "Room"]

Event = dict[str, Any]
KEPT_LINES = 400
"""So many lines of the conversation are shown to a page that is loaded again."""
WAITING_LINES = 200
"""So many lines may wait for the next look at them; older ones are dropped and counted."""


class Room:
    """Holds one board. `handle` and `close` come from one thread at a time."""

    def __init__(
        self,
        brains: Sequence[EngineSpec],
        keeper: Keeper,
        tell: Callable[[Event], None],
        *,
        own: str | None = None,
    ) -> None:
        """Makes a room without a game.

        tell: receives each event, from any thread. own: the name of Tengen among the brains.
        """
        self._brains = {brain.name: brain for brain in brains}
        self._keeper = keeper
        self._tell = tell
        self._own = own
        self._analyst = None if own is None else Analyst(self._brains[own], tell)
        self._game: Game | None = None
        self._start: Start | None = None
        self._number = 0
        self._turn: Event | None = None
        self._end: Event | None = None
        self._is_undoing = False
        self._lock = threading.Lock()
        self._waiting: deque[list[str]] = deque()
        self._dropped = 0
        self._said: deque[list[str]] = deque(maxlen=KEPT_LINES)

    def greeting(self) -> Event:
        """Returns what a page is told first: the brains, and the game as it stands."""
        brains = [{"name": name, "own": name == self._own} for name in self._brains]
        return {"is": "hello", "brains": brains, "game": self._state()}

    def handle(self, message: Message) -> None:
        """Does what the page asks for; what cannot be done is told as refused. May block."""
        match message:
            case Start():
                self._begin(message)
            case Move(at, ply):
                self._with_game(lambda game: game.answer(at, ply))
            case Resign():
                self._with_game(lambda game: game.resign())
            case Stop():
                self._with_game(lambda game: game.stop())
            case Undo():
                self._undo()
            case Analyse():
                self._analyse(message)
            case Halt():
                self.halt()

    def _analyse(self, asked: Analyse) -> None:
        if self._analyst is None:
            self.refuse("Tengen is not installed as a native engine")
        else:
            self._analyst.begin(asked)

    def halt(self) -> None:
        """Ends the analysis, where there is one."""
        if self._analyst is not None:
            self._analyst.halt()

    def news(self) -> list[Event]:
        """Returns what has gathered since the last call: lines that were said, lines of play."""
        found = [self.lines(), None if self._analyst is None else self._analyst.news()]
        return [event for event in found if event is not None]

    def lines(self) -> Event | None:
        """Returns the lines said since the last call, None where there are none."""
        with self._lock:
            lines, dropped = list(self._waiting), self._dropped
            self._waiting.clear()
            self._dropped = 0
        if not lines:
            return None
        return {"is": "said", "game": self._number, "lines": lines, "dropped": dropped}

    def close(self) -> None:
        """Stops the game, ends every brain, and closes the files."""
        if self._analyst is not None:
            self._analyst.close()
        if self._game is not None:
            self._game.stop()
        self._keeper.close()

    def refuse(self, why: str) -> None:
        """Tells the page that something cannot be done."""
        self._tell({"is": "refused", "why": why})

    def _with_game(self, act: Callable[[Game], None]) -> None:
        if self._game is None or not self._game.is_running:
            self.refuse("no game is being played")
        else:
            act(self._game)

    def _begin(self, start: Start, follows: int | None = None) -> None:
        """Begins a game. follows: after an undo, the number of the game before it."""
        names = {Color.BLACK: start.black, Color.WHITE: start.white}
        unknown = [name for name in names.values() if name is not None and name not in self._brains]
        if unknown:
            self.refuse(f"no engine is called {unknown[0]!r}")
            return
        if self._game is not None:
            self._game.stop()
        brains = {c: self._told(n, start.level) for c, n in names.items() if n is not None}
        self._number += 1
        try:
            game = Game(brains, start.settings, self._events())
        except CommandError as error:
            self.refuse(str(error))
            return
        with self._lock:
            self._waiting.clear()
            self._said.clear()
            self._dropped = 0
        self._start, self._game, self._turn, self._end = start, game, None, None
        self._tell({"is": "game", **self._head(game), "follows": follows})
        game.start()

    def _told(self, name: str, level: int) -> EngineSpec:
        brain = self._brains[name]
        if name != self._own or level == 10:
            return brain
        return with_options(brain, info=[("level", str(level))])

    def _undo(self) -> None:
        """Begins again from a position in which the person is to move once more."""
        game, start = self._game, self._start
        if game is None or start is None or not game.people:
            self.refuse("you have no move to take back")
            return
        squares = game.squares
        count = plies_to_undo(len(squares), game.people)
        if not count:
            self.refuse("you have no move to take back")
            return
        self._is_undoing = True
        game.stop()
        self._is_undoing = False
        opening = tuple(squares[: len(squares) - count])
        settings = replace(start.settings, opening=opening)
        self._begin(Start(start.black, start.white, settings, start.level), self._number)

    def _events(self) -> Events:
        number = self._number
        return Events(
            turn=lambda color, request: self._on_turn(number, color, request),
            move=lambda move: self._tell({"is": "move", "game": number, **_move(move)}),
            line=self._on_line,
            refused=self.refuse,
            end=lambda record, problem: self._on_end(number, record, problem),
        )

    def _on_turn(self, number: int, color: Color, request: MoveRequest) -> None:
        limited = self._game is not None and self._game.settings.match_ms is not None
        left = request.time_left if limited else None
        self._turn = {"is": "turn", "game": number, "color": color.value, "left_ms": left}
        self._tell(self._turn)

    def _on_line(self, color: Color, mark: str, text: str) -> None:
        line = [color.value, mark, text]
        with self._lock:
            self._said.append(line)
            self._waiting.append(line)
            if len(self._waiting) > WAITING_LINES:
                self._waiting.popleft()
                self._dropped += 1

    def _on_end(self, number: int, record: GameRecord | None, problem: str) -> None:
        """Keeps a game that has moves, and tells the verdict."""
        files: list[str] = []
        if record is not None and record.moves and not self._is_undoing:
            try:
                files = self._keeper.keep(record)
            except StoreError as error:
                problem = f"{problem}; {error}" if problem else str(error)
        self._end = {
            "is": "end",
            "game": number,
            "winner": None if record is None else record.winner,
            "reason": None if record is None else record.reason.value,
            "forfeit": record is not None and record.is_forfeit,
            "verdict": "" if record is None else record.summary(),
            "notes": [] if record is None else _notes(record),
            "files": files,
            "problem": problem,
            "undone": self._is_undoing,
        }
        self._tell(self._end)

    def _head(self, game: Game) -> Event:
        settings = game.settings
        return {
            "game": self._number,
            "black": game.names[Color.BLACK],
            "white": game.names[Color.WHITE],
            "people": [color.value for color in game.people],
            "rule": int(settings.rule),
            "size": settings.size,
            "turn_ms": settings.turn_ms,
            "match_ms": settings.match_ms,
            "opening": list(settings.opening),
        }

    def _state(self) -> Event | None:
        game = self._game
        if game is None:
            return None
        with self._lock:
            said = list(self._said)
            self._waiting.clear()
        moves = [_move(move) for move in list(game.moves)]
        state = {**self._head(game), "moves": moves, "said": said}
        return {**state, "turn": self._turn, "end": self._end}


def _move(move: MoveRecord) -> Event:
    return {
        "at": list(move.point),
        "color": move.color,
        "ms": round(move.ms),
        "depth": move.depth,
        "nodes": move.nodes,
        "score": move.score,
    }


def _notes(record: GameRecord) -> list[str]:
    players = (record.black, record.white)
    return [f"{player.name}: {note}" for player in players for note in player.notes]
