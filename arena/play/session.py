"""Runs a game at the board from the first move to the end, with the commands of a person."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..game.record import GameRecord
from ..rules.referee import Color, Point, RefereeError, Rule
from ..util.faults import BrainFault, Fault
from ..util.paths import game_path, replace_text
from .commands import Command, InputError, Place, Places, read_command
from .engine import Analysis, Engine
from .notation import Notation, Squares
from .screen import Screen
from .table import Table

__all__ = ["Asked", "Options", "Reviewer", "Session"]

ANALYSIS_LINES = 3
NAMED = 10
"""So many dropped moves are named."""

Asked = Callable[[str], str]
"""A function that asks a person for a line; raises EOFError at the end of the input."""
Reviewer = Callable[[GameRecord, Path | None], list[str]]
"""A function that reviews a game, writes pages to a folder if there is one, and returns lines.

Raises ValueError, OSError or BrainFault."""


@dataclass(frozen=True)
class Options:
    """Says how engines move, and what is shown without a command.

    `delay_ms` are the bounds of the least time to a move, which is drawn anew for each move.
    `analyse` is the number of lines that are shown before each move of a person, 0 for none.
    `review` says whether a game is reviewed when it ends.
    """

    delay_ms: tuple[int, int] = (0, 0)
    analyse: int = 0
    review: bool = False


@dataclass
class Session:
    """Plays one game. A colour without an engine belongs to a person."""

    table: Table
    engines: dict[Color, Engine]
    advisor: Engine | None
    screen: Screen
    ask: Asked
    options: Options = field(default_factory=Options)
    reviewer: Reviewer | None = None
    _proposals: tuple[Point, ...] = ()
    _queue: list[Point] = field(default_factory=list)
    """The moves of a line that are still to be played."""
    _written: dict[Path, None] = field(default_factory=dict)
    """The files that were written, the latest one last."""
    _waited_ms: float = 0.0
    """The time that a person has taken for the current move."""
    _is_left: bool = False
    _shown: int = -1
    _analysed: int = -1
    _reviewed: bool = False

    @property
    def people(self) -> list[Color]:
        """Returns the colours that people play."""
        return [color for color in Color if color not in self.engines]

    def run(self) -> None:
        """Plays until the game is over or the person leaves; ends the engines in any case."""
        try:
            self.screen.title(self.table)
            while not self._is_left:
                self._show_board()
                if self.options.review and self.table.end is not None and not self._reviewed:
                    self._review("")
                if self.table.end is not None:
                    if not self.people:
                        return
                    self._person("game over> ")
                elif (engine := self.engines.get(self.table.to_move)) is not None:
                    self._engine(engine)
                else:
                    self._person(f"{self.table.to_move.value}> ")
        except EOFError:
            self.screen.say("")
        finally:
            for engine in (*self.engines.values(), self.advisor):
                if engine is not None:
                    engine.stop()

    def _show_board(self) -> None:
        """Draws the board if it has changed, and the result if the game is over.

        Between a person's move and the engine's answer no board is drawn: the next one shows both.
        """
        table = self.table
        answers = self.people and table.to_move in self.engines and table.end is None
        is_between = self._queue and table.end is None
        if self._shown == len(table.moves) or is_between or (answers and table.moves):
            return
        self._shown = len(table.moves)
        self.screen.board(table, show_bans=table.to_move in self.people)
        self.screen.result(table)
        is_asked = table.end is None and table.to_move in self.people
        if self.options.analyse and is_asked and self._analysed != len(table.moves):
            self._analysed = len(table.moves)
            self._analyse(self.options.analyse)

    # Engines

    def _engine(self, engine: Engine) -> None:
        color, table = self.table.to_move, self.table
        is_new = engine.seen != len(table.moves) - 1
        began = time.monotonic()
        limit = float(table.settings.turn_ms or 0)
        try:
            reply = engine.move(table.request(limit_ms=limit, is_new=is_new))
        except BrainFault as fault:
            self._broke_down(engine, color, fault)
            return
        least_ms = random.uniform(*self.options.delay_ms)
        rest = least_ms / 1000 - (time.monotonic() - began)
        if rest > 0:
            time.sleep(rest)
        if table.position.rule is Rule.RENJU and table.position.is_forbidden(reply.move):
            # Under renju a forbidden move counts as played, and loses.
            name = self._notation.name(reply.move)
            self.screen.say("", f"{engine.name} plays {name}, which is forbidden")
            table.play_forbidden(color, reply.move)
            self.screen.result(table)
            engine.seen = -1
            return
        try:
            table.play(reply.move, reply.ms, limit_ms=limit, thought=reply.thought)
        except RefereeError as error:
            self._broke_down(engine, color, BrainFault(Fault.ILLEGAL, str(error)))
            return
        engine.seen = len(table.moves)
        self.screen.move(table)

    def _broke_down(self, engine: Engine, color: Color, fault: BrainFault) -> None:
        self.screen.fault(engine.name, str(fault), engine.last_lines)
        engine.stop()
        self.table.forfeit(color, fault)
        self.screen.result(self.table)

    # People

    def _person(self, prompt: str) -> None:
        """Plays the next move of the last line, or asks for a line and obeys it."""
        if self._queue:
            self._place_first(self._queue.pop(0), 0.0)
            return
        began = time.monotonic()
        try:
            line = self.ask(prompt)
            self._waited_ms += (time.monotonic() - began) * 1000
            typed = read_command(line, self.table.position.size)
        except (InputError, ValueError) as error:
            # Bytes that are not text raise ValueError.
            self.screen.say(str(error))
            return
        if typed is None:
            return
        if isinstance(typed, Place):
            self._place(typed.point, self._waited_ms)
        elif isinstance(typed, Places):
            point, *self._queue = typed.points
            self._place_first(point, self._waited_ms)
        else:
            self._obey(typed)

    def _place_first(self, point: Point, ms: float) -> None:
        """Plays one of several moves; drops the others if it is illegal."""
        if not self._place(point, ms) and self._queue:
            names = self._notation.names(self._queue[:NAMED])
            more = " ..." if len(self._queue) > NAMED else ""
            self.screen.say(f"also not played: {names}{more}")
            self._queue = []

    def _place(self, point: Point, ms: float) -> bool:
        """Plays a person's move; returns False and prints the reason if it is illegal."""
        table = self.table
        if table.end is not None:
            self.screen.say("the game is over; undo, save FILE or quit")
            return False
        name = self._notation.name(point)
        stone = table.position.stones.get(point)
        reason = table.position.why_forbidden(point)
        if stone is not None:
            self.screen.say(f"{name} already has a {stone.value} stone")
        elif reason is not None:
            self.screen.say(f"{name} is forbidden for {table.to_move.value}: {reason.value}")
        else:
            table.play(point, ms)
            self._proposals = ()
            self._waited_ms = 0.0
            self.screen.move(table)
            return True
        return False

    def _obey(self, command: Command) -> None:
        match command.name:
            case "undo":
                self._undo(command.number)
            case "redo":
                self._redo(command.number)
            case "hint":
                self._hint()
            case "analyse":
                self._analyse(command.number or ANALYSIS_LINES)
            case "take":
                self._take(command.number or 1)
            case "board":
                self._shown = -1
            case "moves":
                self.screen.moves(self.table)
            case "save":
                self._save(command.text, replaces=command.replaces)
            case "squares":
                self.screen.squares = Squares(command.text)
                self._shown = -1
            case "review":
                self._review(command.text)
            case "resign":
                self._resign()
            case "help":
                self.screen.help(self.table.position.size)
            case "quit":
                self._is_left = True

    def _undo(self, number: int | None) -> None:
        """Takes back `number` moves; None = to the person's last turn."""
        table = self.table
        count = len(table.moves)
        if number is None:
            # After a resignation, a person who is to move goes on without taking a move back.
            if table.end is not None and not table.position.is_over and self._is_persons(count):
                number = 0
            else:
                number = next((n for n in range(1, count + 1) if self._is_persons(count - n)), None)
        if number is None or number > count:
            played = "none of your moves" if number is None else f"only {count} move(s)"
            self.screen.say(f"{played} can be taken back")
            return
        table.undo(number)
        self._moved_about()

    def _redo(self, number: int | None) -> None:
        """Plays `number` moves again; None = to the person's next turn."""
        table = self.table
        count, undone = len(table.moves), table.undone
        if number is None:
            turns = (n for n in range(1, undone + 1) if self._is_persons(count + n))
            number = next(turns, undone)
        if not 0 < number <= undone:
            self.screen.say(f"only {undone} move(s) can be played again")
            return
        table.redo(number)
        self._moved_about()

    def _moved_about(self) -> None:
        """Forgets the state that belongs to another position."""
        for engine in self.engines.values():
            engine.seen = -1
        self._proposals = ()
        self._waited_ms = 0.0
        self._shown = -1
        self._reviewed = False

    def _is_persons(self, moves: int) -> bool:
        """Says whether it is a person's turn after so many moves."""
        return self.table.color_after(moves) in self.people

    def _resign(self) -> None:
        if self.table.end is not None:
            self.screen.say("the game is over")
            return
        self.table.resign(self.table.to_move)
        self.screen.result(self.table)

    def _advice(self, lines: int) -> Analysis | None:
        """Asks the advisor; prints the reason if there is no advice."""
        if self.table.end is not None:
            self.screen.say("the game is over")
            return None
        if self.advisor is None:
            self.screen.say("no engine is available; use --engine")
            return None
        request = self.table.request(limit_ms=0.0, is_new=True)
        try:
            analysis = self.advisor.analyse(request, lines)
        except BrainFault as fault:
            self.screen.fault(self.advisor.name, str(fault), self.advisor.last_lines)
            self.advisor.stop()
            return None
        legal = [v for v in analysis.variations if self.table.position.legal(v.moves[0])]
        if not legal:
            self.screen.say(f"{self.advisor.name} proposes no legal move")
            return None
        self._proposals = tuple(variation.moves[0] for variation in legal)
        return Analysis(tuple(legal), analysis.ms, analysis.raw)

    def _hint(self) -> None:
        analysis = self._advice(1)
        if analysis is not None:
            move = self._notation.both(self._proposals[0])
            self.screen.say(f"hint: {move}; `take` plays it")

    def _analyse(self, lines: int) -> None:
        analysis = self._advice(lines)
        if analysis is not None and self.advisor is not None:
            self.screen.analysis(analysis, self.advisor.name, self.table)

    def _take(self, number: int) -> None:
        if not self._proposals:
            self.screen.say("there is no proposed move; type hint or analyse first")
        elif number > len(self._proposals):
            self.screen.say(f"there is no line {number}; the last is {len(self._proposals)}")
        else:
            self._place(self._proposals[number - 1], self._waited_ms)

    def _review(self, folder: str) -> None:
        """Prints the turning points of the game, or why it cannot be reviewed."""
        self._reviewed = self.table.end is not None
        if self.reviewer is None:
            self.screen.say("no engine is available; use --engine")
            return
        try:
            path = Path(folder).expanduser() if folder else None
            lines = self.reviewer(self.table.record(self._names), path)
        except (BrainFault, OSError, RuntimeError, ValueError) as error:
            self.screen.say(f"the game cannot be reviewed: {error}")
        else:
            self.screen.say("", *lines)

    def _save(self, name: str, *, replaces: bool) -> None:
        """Writes the game to the file of this name, or to the last file if there is no name."""
        if name or self._written:
            self.save(Path(name) if name else next(reversed(self._written)), replaces=replaces)
        else:
            self.screen.say("save needs a file name, e.g. save game.psq")

    def save(self, path: Path, *, replaces: bool = False) -> None:
        """Writes the game to a file; prints the path or an error. `replaces`: any old file."""
        try:
            path = game_path(path)
            if path.exists() and path not in self._written and not replaces:
                self.screen.say(
                    f"{path} already exists; choose another name, or `save as` to replace it"
                )
                return
            replace_text(path, self.table.as_file(path.suffix, self._names))
        except (OSError, RuntimeError, ValueError) as error:
            text = getattr(error, "strerror", None) or error
            self.screen.say(f"{path} cannot be written: {text}")
            return
        self._written.pop(path, None)
        self._written[path] = None
        self.screen.say(f"saved to {path}")

    @property
    def _names(self) -> dict[Color, str]:
        """Returns the names of the players."""
        engines = self.engines
        return {c: engines[c].name if c in engines else "human" for c in Color}

    @property
    def _notation(self) -> Notation:
        """Returns how squares are written."""
        return self.screen.notation(self.table.position.size)
