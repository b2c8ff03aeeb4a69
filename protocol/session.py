"""Answers the requests of a manager, one after the other. Knows no stdin and no threads.

Every request but INFO gets an answer before the next request. Bad input changes nothing. Requests
come from one thread; stops reach the search through the shared `Interrupt`.
"""

from collections.abc import Callable
from typing import Final

from protocol import replies, swap2
from protocol.commands import (
    NO_DATABASE,
    Balance,
    Block,
    BlockKind,
    Command,
    Info,
    Malformed,
    NBest,
    Play,
    Square,
    Start,
    Takeback,
    Turn,
    Unknown,
    Word,
)
from protocol.configuration import Configuration
from protocol.guard import Guard
from protocol.interrupt import Interrupt
from protocol.memory import give_back
from protocol.port import EnginePort
from protocol.position import Game, Position, Side
from protocol.request import Request
from protocol.searches import FULL, Searches
from protocol.settings import Settings
from protocol.thinking import Thinker
from protocol.tuning import Host
from protocol.voice import Voice
from pyengine import Color
from pyengine.constants import MAX_SIZE, MIN_SIZE

__all__ = ["Request", "Session"]

_NO_GAME: Final = "no game: send START first"
_FAULT: Final = "internal error"
_DEFAULTS: Final = Settings()


class Session:
    """The state of the engine's side: settings, the game, the engine."""

    def __init__(
        self,
        engine: EnginePort,
        interrupt: Interrupt,
        guard: Guard,
        say: Callable[[str], None],
        host: Host,
        settings: Settings = _DEFAULTS,
    ) -> None:
        self._guard = guard
        self._voice = Voice(say, guard)
        self._configuration = Configuration(engine, guard, host, settings)
        self._thinker = Thinker(engine, interrupt, guard, self._voice.say)
        self._searches = Searches(
            self._thinker, self._configuration, interrupt, self._voice, host.startup_ms
        )
        self._position: Position | None = None
        self._no_weights: str | None = None  # why there is no game, if that is the reason

    @property
    def _settings(self) -> Settings:
        return self._configuration.settings

    def handle(self, request: Request) -> None:
        """Answers one request. Raises nothing."""
        self._voice.answered = False

        def dispatch() -> bool:
            self._dispatch(request)
            return True

        done = self._guard.run(request.name, dispatch, False)
        if not done and not self._voice.answered:
            self._rescue(request)

    def _dispatch(self, request: Request) -> None:
        # All patterns of this file name their fields. To match by position, Python would make a new
        # name each time, and keep up to 4,096 of them.
        match request.command:
            case Info() as info:
                self._info(info)
            case Start(width=width, height=height):
                self._start(width, height)
            case Word.ABOUT:
                self._voice.say(replies.ABOUT)
            case Word.END | Word.STOP:
                pass  # done by the reader
            case Word.CLEAR_TABLE:
                self._thinker.forget()
                self._searches.forget_pondering()
                give_back()
            case Word.UNBLOCK_ALL:
                self._searches.excluded = {}
            case Word.SHOW_INFO:
                self._show_info()
            case Block(kind=BlockKind.QUERY, word=word):
                self._voice.say_all(replies.nothing_stored(word))
            case Block(kind=BlockKind.EDIT, word=word):
                self._voice.error(f"{word}: {NO_DATABASE}")
            case Malformed(text=text):
                self._voice.error(text)
            case Unknown(word=word) | Block(kind=BlockKind.UNSUPPORTED, word=word):
                self._voice.say(replies.unknown(word))
            case command:
                if self._position is None:
                    self._voice.error(self._no_weights or _NO_GAME)
                else:
                    self._in_game(request, command, self._position)

    def _in_game(self, request: Request, command: Command, position: Position) -> None:
        match command:
            case Word.RESTART:
                self._start(position.size, position.size)
            case Word.BEGIN:
                self._searches.move(request, self._clear(position.size))
            case Turn(square=square):
                self._turn(request, square, position)
            case Takeback(square=square):
                self._takeback(square, position)
            case Play(square=square):
                if self._may_put(square, position):
                    self._put(square, Side.OWN, position)
                    self._voice.say(replies.move(square))
            case Block():
                self._block(request, command, position)
            case NBest(lines=lines):
                self._searches.nbest(request, lines, position)
            case Balance(moves=moves, score=score):
                self._searches.balance(request, moves, score, position)
            case Word.SHOW_FORBIDDEN:
                self._show_forbidden(position)

    def _rescue(self, request: Request) -> None:
        """Answers after an internal error: with a legal move if the request needs a move."""
        position, command = self._position, request.command
        match command:
            case Info() | Word.CLEAR_TABLE | Word.UNBLOCK_ALL | Word.SHOW_INFO:
                return
            case Block(kind=BlockKind.YXBOARD | BlockKind.BLOCK | BlockKind.UNBLOCK):
                return
        answer: str | None = None
        if position is not None:
            answer = self._guard.run("rescue", lambda: self._some_move(command, position), None)
        self._voice.say(answer or replies.error(_FAULT))

    def _some_move(self, command: Command, position: Position) -> str | None:
        """Returns a legal answer without a search; None if the request needs no move."""
        match command:
            case Block(kind=BlockKind.SWAP2BOARD, rows=rows):
                return swap2.SWAP if rows else replies.moves(swap2.openings(position.size)[0])
            case Turn(square=square) if square not in position and position.on_board(square):
                self._put(square, Side.OPPONENT, position)
        match command:
            case Word.BEGIN | Turn() | NBest() | Block(kind=BlockKind.BOARD):
                self._voice.failure()
                if not isinstance(command, NBest):
                    position.to_move = Side.OWN
                move = self._thinker.stand_in(self._game(position))
                if move is None:
                    return replies.error(FULL)
                if not isinstance(command, NBest):
                    self._put(move, Side.OWN, position)
                return replies.move(move)
        return None

    # Games and positions

    def _start(self, width: int, height: int) -> None:
        if width != height or not MIN_SIZE <= width <= MAX_SIZE:
            self._voice.error(f"the board must be square, {MIN_SIZE} to {MAX_SIZE}, e.g. 15 or 20")
            return
        self._reset(width)
        if self._no_weights is not None:
            self._voice.error(self._no_weights)
            return
        self._configuration.fit_table()
        self._clear(width)
        self._searches.begin_game()
        give_back()
        self._voice.say(replies.OK)

    def _reset(self, size: int) -> None:
        """Tells the engine the rule. Without weights for the rule there is no game."""
        self._no_weights = self._thinker.reset(size, self._settings.rule)
        if self._no_weights is not None:
            self._position = None

    def _clear(self, size: int) -> Position:
        self._position = Position(size)
        self._configuration.forget(captures=True)
        return self._position

    def _turn(self, request: Request, square: Square, position: Position) -> None:
        if self._may_put(square, position):
            self._put(square, Side.OPPONENT, position)
            self._searches.move(request, position)

    def _game(self, position: Position) -> Game:
        return position.game(self._settings.rule)

    def _may_put(self, square: Square, position: Position) -> bool:
        """Returns whether a stone can go there; answers ERROR if not."""
        if not position.on_board(square):
            self._voice.error(f"{replies.move(square)} is outside the board")
        elif square in position:
            self._voice.error(f"{replies.move(square)} is occupied")
        else:
            return True
        return False

    def _put(self, square: Square, side: Side, position: Position) -> None:
        """Plays a stone of either side."""
        position.play(square, side, self._settings.rule)

    def _takeback(self, square: Square, position: Position) -> None:
        if square not in position:
            self._voice.error(f"{replies.move(square)} is empty")
        elif not self._settings.rule.has_captures:
            position.remove(square)
            self._voice.say(replies.OK)
        elif position.is_last(square):
            position.undo()
            self._voice.say(replies.OK)
        else:
            self._voice.error(f"{replies.move(square)} is not the last move")

    def _block(self, request: Request, block: Block, position: Position) -> None:
        if block.bad is not None:
            self._voice.error(f"{block.word}: {block.bad}")
            return
        squares = [(row[0], row[1]) for row in block.rows]
        for at, square in enumerate(squares):
            if not position.on_board(square):
                self._voice.error(f"{block.word}: {replies.move(square)} is outside the board")
                return
            if square in squares[:at]:
                self._voice.error(f"{block.word}: {replies.move(square)} is given twice")
                return
        match block.kind:
            case BlockKind.BOARD:
                self._searches.move(request, self._set_up(block, position))
            case BlockKind.YXBOARD:
                self._set_up(block, position)
            case BlockKind.BLOCK:
                self._searches.excluded |= dict.fromkeys(squares)
            case BlockKind.UNBLOCK:
                for square in squares:
                    self._searches.excluded.pop(square, None)
            case _:
                self._searches.swap2(request, squares, position.size)

    def _set_up(self, block: Block, known: Position) -> Position:
        """Sets up a BOARD and returns the new position."""
        rule = self._settings.rule
        position = Position(known.size)
        for x, y, side in block.rows:
            position.set_up((x, y), Side(side))
        if rule.has_captures:
            position.set_captures(*self._settings.captures, rule)
            self._configuration.forget(captures=True)
            if known.goes_on_as(position, rule):
                return known  # a BOARD does not tell the captures before it
        self._position = position
        return position

    def _show_info(self) -> None:
        self._voice.say_all(
            replies.abilities(
                threads=self._configuration.most_threads,
                table_kib=self._configuration.largest_table // 1024,
            )
        )

    def _show_forbidden(self, position: Position) -> None:
        game = self._game(position)
        is_black = game.now.to_move is Color.BLACK
        self._voice.say(replies.forbidden(self._thinker.forbidden(game) if is_black else []))

    # Settings and lines

    def _info(self, info: Info) -> None:
        before = self._settings
        if self._configuration.take(info):
            self._searches.forget_pondering()  # searched under other settings
        if self._settings.rule is not before.rule and self._position is not None:
            self._reset(self._position.size)
        if info.key == "time_left" and self._settings is not before:
            self._searches.time_told()
