"""A game at the board from the first move to the end, with all that a person asks meanwhile."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..rules.board_view import name_of
from ..rules.referee import Color, Point, RefereeError, Rule
from ..util.faults import BrainFault, Fault
from ..util.paths import game_path
from .engine import Analysis, Engine
from .screen import Screen
from .table import Table
from .words import Place, Places, Word, WordError, read_word

__all__ = ["Asked", "Options", "Session"]

ANALYSIS_LINES = 3
NAMED = 10
"""So many dropped moves are named."""

Asked = Callable[[str], str]
"""Asks a person for a line; raises EOFError at the end of the input."""


@dataclass(frozen=True)
class Options:
    """Says how engines move (`delay_ms` is the least time to a move) and what is shown unasked.

    `analyse` is the number of lines that are shown before each move of a person, 0 for none.
    """

    delay_ms: int = 0
    analyse: int = 0


@dataclass
class Session:
    """Plays one game. An engine stands for its colour; a colour without one is a person's."""

    table: Table
    engines: dict[Color, Engine]
    advisor: Engine | None
    screen: Screen
    ask: Asked
    options: Options = field(default_factory=Options)
    _proposals: tuple[Point, ...] = ()
    _queue: list[Point] = field(default_factory=list)
    """The moves of a line that are still to be played."""
    _written: set[Path] = field(default_factory=set)
    _is_left: bool = False
    _shown: int = -1
    _analysed: int = -1

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
        """Draws the board where it has changed since, and says where the game is over.

        While an engine answers a person, its move is waited for: one board shows both.
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
        rest = self.options.delay_ms / 1000 - (time.monotonic() - began)
        if rest > 0:
            time.sleep(rest)
        if table.position.rule is Rule.RENJU and table.position.is_forbidden(reply.move):
            # The one forbidden move that counts as played: it loses.
            self.screen.say("", f"{engine.name} plays {name_of(reply.move)}, which is forbidden")
            table.foul(color, reply.move)
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
        """Asks for one line and does what it says; first come the moves of the line before."""
        if self._queue:
            self._place_first(self._queue.pop(0), 0.0)
            return
        began = time.monotonic()
        try:
            word = read_word(self.ask(prompt), self.table.position.size)
        except (WordError, ValueError) as error:
            # A ValueError comes of bytes that are no text.
            self.screen.say(str(error))
            return
        if word is None:
            return
        ms = (time.monotonic() - began) * 1000
        if isinstance(word, Place):
            self._place(word.point, ms)
        elif isinstance(word, Places):
            point, *self._queue = word.points
            self._place_first(point, ms)
        else:
            self._word(word)

    def _place_first(self, point: Point, ms: float) -> None:
        """Plays one of several moves; where it cannot be, those after it are dropped."""
        if not self._place(point, ms) and self._queue:
            names = " ".join(name_of(left) for left in self._queue[:NAMED])
            more = " ..." if len(self._queue) > NAMED else ""
            self.screen.say(f"also not played: {names}{more}")
            self._queue = []

    def _place(self, point: Point, ms: float) -> bool:
        """Plays a person's move and says whether it could; says why not where it cannot."""
        table = self.table
        if table.end is not None:
            self.screen.say("the game is over; undo, save FILE or quit")
            return False
        name = name_of(point)
        stone = table.position.stones.get(point)
        reason = table.position.why_forbidden(point)
        if stone is not None:
            self.screen.say(f"{name} already has a {stone.value} stone")
        elif reason is not None:
            self.screen.say(f"{name} is forbidden for {table.to_move.value}: {reason.value}")
        else:
            table.play(point, ms)
            self._proposals = ()
            self.screen.move(table)
            return True
        return False

    def _word(self, word: Word) -> None:
        match word.name:
            case "undo":
                self._undo(word.number)
            case "hint":
                self._hint()
            case "analyse":
                self._analyse(word.number or ANALYSIS_LINES)
            case "take":
                self._take(word.number or 1)
            case "board":
                self._shown = -1
            case "moves":
                self.screen.moves(self.table)
            case "save":
                self.save(Path(word.text))
            case "resign":
                self._resign()
            case "help":
                self.screen.help()
            case "quit":
                self._is_left = True

    def _undo(self, number: int | None) -> None:
        """Takes back so many moves, else to where it was a person's turn last."""
        table = self.table
        count = len(table.moves)
        if number is None:
            # A game that was given up is only taken up again where the person is to move anyway.
            if table.end is not None and not table.position.is_over and self._is_persons(count):
                number = 0
            else:
                number = next((n for n in range(1, count + 1) if self._is_persons(count - n)), None)
        if number is None or number > count:
            played = "none of your moves" if number is None else f"only {count} move(s)"
            self.screen.say(f"{played} can be taken back")
            return
        table.undo(number)
        for engine in self.engines.values():
            engine.seen = -1
        self._proposals = ()
        self._shown = -1

    def _is_persons(self, moves: int) -> bool:
        """Says whether it is a person's turn after so many moves."""
        return (Color.BLACK if moves % 2 == 0 else Color.WHITE) in self.people

    def _resign(self) -> None:
        if self.table.end is not None:
            self.screen.say("the game is over")
            return
        self.table.resign(self.table.to_move)
        self.screen.result(self.table)

    def _advice(self, lines: int) -> Analysis | None:
        """Asks the advisor; says why there is no advice where there is none."""
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
            x, y = self._proposals[0]
            self.screen.say(f"hint: {name_of((x, y))} ({x},{y}); `take` plays it")

    def _analyse(self, lines: int) -> None:
        analysis = self._advice(lines)
        if analysis is not None and self.advisor is not None:
            rule = int(self.table.settings.rule)
            self.screen.analysis(analysis, self.advisor.name, rule)

    def _take(self, number: int) -> None:
        if not self._proposals:
            self.screen.say("there is no proposed move; type hint or analyse first")
        elif number > len(self._proposals):
            self.screen.say(f"there is no line {number}; the last is {len(self._proposals)}")
        else:
            self._place(self._proposals[number - 1], 0.0)

    def save(self, path: Path) -> None:
        """Writes the game to a file; says where, or why not."""
        try:
            path = game_path(path)
            if path.exists() and path not in self._written:
                self.screen.say(f"{path} already exists; choose another name")
                return
            names = {color: self._player_name(color) for color in Color}
            path.write_text(self.table.as_file(path.suffix, names), encoding="utf-8")
        except (OSError, RuntimeError, ValueError) as error:
            text = getattr(error, "strerror", None) or error
            self.screen.say(f"{path} cannot be written: {text}")
            return
        self._written.add(path)
        self.screen.say(f"saved to {path}")

    def _player_name(self, color: Color) -> str:
        engine = self.engines.get(color)
        return "human" if engine is None else engine.name
