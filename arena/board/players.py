"""The players at the page: a person, and a brain whose conversation is shown."""

import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path

from ..engines.brain import Brain
from ..engines.player import MoveRequest, Reply, StartRequest
from ..engines.spec import EngineSpec
from ..rules.referee import Color, Point, Position

__all__ = ["HUMAN", "Interrupted", "OnLine", "OnTurn", "Person", "ReportingBrain", "Resigned"]

HUMAN = "human"

OnTurn = Callable[[Color, MoveRequest], None]
"""Called before each move of a player, from the thread of the game."""
OnLine = Callable[[Color, str, str], None]
"""Called with each line of a conversation: `>` to the brain, `<` from it, `!` its stderr."""


class Interrupted(Exception):
    """Says that the game was stopped from outside."""


class Resigned(Interrupted):
    """Says that the person to move gives the game up."""


class Person:
    """Waits for the moves of the person at the page; has no clock and plays only legal moves."""

    def __init__(
        self, color: Color, position: Position, on_turn: OnTurn, refuse: Callable[[str], None]
    ) -> None:
        """Takes the position that the game is played on, which is only read."""
        self._color = color
        self._position = position
        self._on_turn = on_turn
        self._refuse = refuse
        self._answers: queue.SimpleQueue[Point | Interrupted] = queue.SimpleQueue()

    @property
    def name(self) -> str:
        """Returns what the person is called in records."""
        return HUMAN

    @property
    def peak_bytes(self) -> int:
        """Returns 0: a person is no process."""
        return 0

    @property
    def last_lines(self) -> list[str]:
        """Returns nothing: there is no conversation."""
        return []

    def launch(self) -> None:
        """Does nothing."""

    def open(self, request: StartRequest) -> float:
        """Returns 0: a person is ready."""
        return 0.0

    def move(self, request: MoveRequest) -> Reply:
        """Waits for a legal move; raises Interrupted when the game is stopped or given up."""
        self._on_turn(self._color, request)
        began = time.monotonic()
        while True:
            answer = self._answers.get()
            if isinstance(answer, Interrupted):
                raise answer
            why = self._why_not(answer)
            if not why:
                return Reply(answer, (time.monotonic() - began) * 1000)
            self._refuse(why)

    def memory_bytes(self) -> int:
        """Returns 0."""
        return 0

    def close(self) -> tuple[str, ...]:
        """Ends the wait for a move; there is nothing to note."""
        self._answers.put(Interrupted())
        return ()

    def answer(self, answer: Point | Interrupted) -> None:
        """Hands over a move, or the end of the game; may be called from any thread."""
        self._answers.put(answer)

    def _why_not(self, point: Point) -> str:
        """Returns why a move cannot be played, nothing where it can."""
        x, y = point
        if not (0 <= x < self._position.size and 0 <= y < self._position.size):
            return f"{x},{y} is off the board"
        if point in self._position.stones:
            return f"{x},{y} is taken"
        reason = self._position.why_forbidden(point)
        return "" if reason is None else f"{x},{y} is forbidden: {reason.value}"


class ReportingBrain:
    """A brain that reports its turns and lines, and that any thread can stop."""

    def __init__(self, spec: EngineSpec, color: Color, on_turn: OnTurn, on_line: OnLine) -> None:
        """Takes what to start; raises CommandError where nothing of that name can be started."""
        self._brain = Brain(
            spec.command,
            name=spec.name,
            cwd=None if spec.cwd is None else Path(spec.cwd),
            info=spec.extra_info,
            on_line=lambda mark, text: on_line(color, mark, text),
        )
        self._color = color
        self._on_turn = on_turn
        self._stopped = threading.Event()

    @property
    def name(self) -> str:
        """Returns the name of the brain."""
        return self._brain.name

    @property
    def peak_bytes(self) -> int:
        """Returns the most memory that was seen in use."""
        return self._brain.peak_bytes

    @property
    def last_lines(self) -> list[str]:
        """Returns the end of the conversation."""
        return self._brain.last_lines

    def launch(self) -> None:
        """Starts the process. Raises Interrupted if the game was stopped before."""
        self._brain.launch()
        self._refuse_stopped()

    def open(self, request: StartRequest) -> float:
        """Sends START and the limits; returns the ms that the OK took."""
        self._refuse_stopped()
        return self._brain.open(request)

    def move(self, request: MoveRequest) -> Reply:
        """Asks for a move."""
        self._refuse_stopped()
        self._on_turn(self._color, request)
        return self._brain.move(request)

    def memory_bytes(self) -> int:
        """Returns the memory in use now."""
        return self._brain.memory_bytes()

    def close(self) -> tuple[str, ...]:
        """Ends the process and returns notes on what was wrong with that."""
        return self._brain.close()

    def stop(self) -> None:
        """Ends the process whatever it does, from any thread; the game breaks off."""
        self._stopped.set()
        self._brain.close()

    def _refuse_stopped(self) -> None:
        if self._stopped.is_set():
            raise Interrupted
