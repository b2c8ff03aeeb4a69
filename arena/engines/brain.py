"""A brain as a player: the commands of the Piskvork protocol, as a manager sends them."""

import re
import shlex
import shutil
import time
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path

from ..rules.referee import Color, Point
from ..util.paths import exists, is_file
from .clock import UNLIMITED_MS
from .lines import Answer
from .managers import STRICT, Clocked, ManagerProfile, Measured, Opens
from .player import MoveRequest, Reply, StartRequest
from .process import BrainProcess
from .reports import read_thought
from .scratch import ScratchFolder

__all__ = ["Brain", "Command", "CommandError", "resolve_command"]

Command = str | PathLike[str] | Sequence[str]
"""A path, or a program with its arguments."""

LAST_LINES = 16
_ANYTHING = re.compile(r".*\S.*")
_SWAP2_POINT = r"\d{1,2},\d{1,2}"
_SWAP2 = re.compile(
    rf"\s*(?:SWAP|(?:UNKNOWN|ERROR)\b.*|{_SWAP2_POINT}(?:\s+{_SWAP2_POINT}){{0,2}})\s*",
    re.IGNORECASE,
)


class CommandError(ValueError):
    """The command names no program that can be started."""


def resolve_command(command: Command) -> tuple[str, ...]:
    """Returns the program and its arguments, with an absolute path of the program.

    A string is a path if such a file exists. Otherwise it is split into words as a shell would. A
    name without a folder is looked up on PATH, even if there is a folder of that name. Raises
    CommandError if the file is missing, a folder or not executable, or if PATH has no such program.
    """
    words = _words(command)
    if not words or not words[0]:
        raise CommandError("engine: the command is empty")
    program = words[0]
    if Path(program).name == program and not is_file(program):
        found = shutil.which(program)
        if found is not None:
            return (found, *words[1:])
        if not exists(program):
            raise CommandError(f"engine: {program}: no such file or command")
    path = Path(program).absolute()
    if not exists(path):
        raise CommandError(f"engine: {program}: no such file")
    if path.is_dir():
        raise CommandError(f"engine: {program}: is a folder: expected a program")
    if shutil.which(str(path)) is None:
        raise CommandError(f"engine: {program}: is not executable (use chmod +x)")
    return (str(path), *words[1:])


class Brain:
    """Plays by asking a process that speaks the Piskvork protocol, as `manager` does.

    The arena's own profile follows Piskvork: START, then the INFO lines after its OK. The first
    request is BEGIN on an empty board, TURN after one stone, BOARD after more. Later requests are
    TURN. `INFO time_left` precedes each request.
    """

    def __init__(
        self,
        command: Command,
        *,
        name: str | None = None,
        line_end: str | None = None,
        cwd: Path | None = None,
        manager: ManagerProfile = STRICT,
        info: Sequence[tuple[str, str]] = (),
        on_line: Callable[[str, str], None] | None = None,
    ) -> None:
        """Stores the command without starting it; raises CommandError if it cannot be started.

        `info` has further INFO keys and values. With `line_end` None the manager's line end is
        used. `on_line` is called with the mark and the text of each line of the conversation, from
        any thread.
        """
        self._command = resolve_command(command)
        self._name = name or Path(self._command[0]).name
        self._line_end = manager.line_end if line_end is None else line_end
        self._cwd = cwd
        self._manager = manager
        self._info = tuple(info)
        self._on_line = on_line
        self._process: BrainProcess | None = None
        self._due: list[str] | None = None
        self._folder: ScratchFolder | None = None
        self._notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Returns the given name, or the file name of the program."""
        return self._name

    @property
    def pid(self) -> int | None:
        """Returns the process id; None before the start."""
        return None if self._process is None else self._process.pid

    def launch(self) -> None:
        """Starts the process unless a clock covers its start; a second call does nothing."""
        if self._manager.clocked is Clocked.NOTHING:
            self._start()

    def open(self, request: StartRequest) -> float:
        """Sends START, waits for OK, sends the limits; returns the ms until OK.

        If the game clock covers the start, the result counts from the start of the process. If the
        clock of the first move covers it, nothing is sent yet and the result is 0.
        """
        start = f"START {request.size}"
        infos = self._info_lines(request)
        if self._manager.clocked is Clocked.FIRST_MOVE:
            self._due = [start, *infos]
            return 0.0
        self._start()
        if self._manager.about:
            self._running.ask("ABOUT", form=_ANYTHING, limit_ms=request.start_ms)
        answer = self._running.ask(start, form=self._manager.reading.ok, limit_ms=request.start_ms)
        self._running.send(*infos)
        self._pause()
        if self._manager.clocked is Clocked.MATCH:
            return (answer.at - self._running.started_at) * 1000
        return answer.ms

    def move(self, request: MoveRequest) -> Reply:
        """Asks for a move and returns it with its time; raises BrainFault."""
        lines = [f"INFO time_left {request.time_left}", *position_lines(request, self._manager)]
        if self._due is None:
            answer = self._ask(lines, request)
        else:
            due, self._due = self._due, None
            since = time.monotonic()
            self._start()
            answer = self._ask([*due, *lines], request, since=since)
        self._pause()
        x, y = answer.text.split(",")[:2]
        found = re.match(r"\s*[+-]?\d+", y)
        assert found, "the reading lets no other move through"
        return Reply((int(x), int(found[0])), answer.ms, read_thought(answer.messages))

    def swap2(self, stones: Sequence[Point], limit_ms: float) -> str | None:
        """Returns the answer to SWAP2BOARD with these stones; None if the brain refuses.

        After a refusal the brain may send one more line for each stone. Do not use it any further.
        """
        lines = ["SWAP2BOARD", *(f"{x},{y}" for x, y in stones), "DONE"]
        since, first = None, None
        if self._due is not None:
            lines, self._due = [*self._due, *lines], None
            since = time.monotonic()
            first = None if self._manager.reading.rest_is_skipped else self._manager.reading.ok
            self._start()
        answer = self._running.ask(*lines, form=_SWAP2, limit_ms=limit_ms, since=since, first=first)
        self._pause()
        text = answer.text.strip()
        return None if text.upper().startswith(("UNKNOWN", "ERROR")) else text

    def _ask(
        self, lines: Sequence[str], request: MoveRequest, since: float | None = None
    ) -> Answer:
        reading = self._manager.reading
        limit_ms = request.limit_ms
        # A manager that skips unknown lines does not check for OK either.
        first = None if since is None or reading.rest_is_skipped else reading.ok
        answer = self._running.ask(
            *lines, form=reading.move, limit_ms=limit_ms, since=since, first=first
        )
        if not answer.text.lower().startswith("suggest "):
            return answer
        play = "PLAY " + answer.text[len("suggest ") :]
        since = answer.at - answer.ms / 1000
        return self._running.ask(play, form=reading.played, limit_ms=limit_ms, since=since)

    def memory_bytes(self) -> int:
        """Returns the memory in use as the manager measures it; 0 if it does not measure."""
        if self._process is None:
            return 0
        if self._manager.measured is Measured.ROOT_PEAK:
            return self._process.root_peak_bytes()
        used = self._process.memory_bytes()
        return used if self._manager.measured is Measured.TREE else 0

    @property
    def peak_bytes(self) -> int:
        """Returns the largest memory use that was measured."""
        return 0 if self._process is None else self._process.peak_bytes

    @property
    def last_lines(self) -> list[str]:
        """Returns the end of the conversation: `>` to the brain, `<` from it, `!` its stderr."""
        if self._process is None:
            return []
        return [f"{mark} {text}" for mark, text in list(self._process.transcript)[-LAST_LINES:]]

    def close(self) -> tuple[str, ...]:
        """Ends the process; returns notes on faults at the end."""
        if self._process is not None:
            ending = self._process.close(
                grace_s=self._manager.end_grace_s, close_input=self._manager.closes_input
            )
            self._notes = ending.notes
        if self._folder is not None:
            self._folder.remove()
        return self._notes

    @property
    def _running(self) -> BrainProcess:
        assert self._process is not None, "open() comes before the first move"
        return self._process

    def _start(self) -> None:
        """Starts the process unless it runs already. Raises CannotStartError."""
        if self._process is None:
            self._process = BrainProcess(
                self._command,
                line_end=self._line_end,
                cwd=self._cwd,
                reading=self._manager.reading,
                on_line=self._on_line,
            )

    def _pause(self) -> None:
        if self._manager.suspend:
            self._running.suspend()

    def _info_lines(self, request: StartRequest) -> list[str]:
        """Returns the INFO lines that the manager sends after START, in its order."""
        values = {
            "max_memory": request.memory_mib << 20,
            "timeout_match": request.match_ms or self._manager.no_match_limit,
            "timeout_turn": request.turn_ms or request.match_ms,
            "game_type": self._manager.game_type,
            "rule": request.rule,
            "time_left": UNLIMITED_MS if request.match_ms is None else request.match_ms,
        }
        lines: list[str] = []
        for key in self._manager.info_order:
            if key == "extra":
                lines += [f"INFO {name} {value}" for name, value in self._info]
            elif key == "folder":
                if self._folder is None:
                    self._folder = ScratchFolder("arena-folder-")
                lines.append(f"INFO folder {self._folder.path}")
            else:
                lines.append(f"INFO {key} {values[key]}")
        if request.increment_ms:
            # A key of Yixin and Rapfi. Other engines ignore it and read time_left.
            lines.append(f"INFO time_increment {request.increment_ms}")
        return lines


def position_lines(request: MoveRequest, manager: ManagerProfile = STRICT) -> list[str]:
    """Returns the lines that ask for a move in this position."""
    opens = manager.opens
    if request.last is not None and opens is not Opens.ALWAYS_BOARD:
        return [_turn(*request.last)]
    if not request.stones and opens is not Opens.BOARD:
        return ["BEGIN"]
    one_of_theirs = len(request.stones) == 1 and request.stones[0][1] is not request.color
    if one_of_theirs and opens is Opens.TURN:
        return [_turn(*request.stones[0][0])]
    lines = ["BOARD"]
    lines += [f"{x},{y},{1 if color is request.color else 2}" for (x, y), color in request.stones]
    lines.append("DONE")
    if any(request.captures):
        black, white = request.captures
        own, theirs = (black, white) if request.color is Color.BLACK else (white, black)
        lines.insert(0, f"INFO captures {own},{theirs}")
    return lines


def _turn(x: int, y: int) -> str:
    return f"TURN {x},{y}"


def _words(command: Command) -> list[str]:
    if isinstance(command, PathLike):
        return [str(Path(command))]
    if not isinstance(command, str):
        return list(command)
    if exists(command):
        return [command]
    try:
        return shlex.split(command)
    except ValueError as error:
        raise CommandError(f"engine: {command}: {error}") from None
