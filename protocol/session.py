"""The brain's side of a game: one request in, its answer out. Knows no stdin and no threads.

Every request gets its answer before the next one is handled; INFO gets none. Bad input changes
nothing. Requests come from one thread; stops come to the `Interrupt` that both sides share.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from protocol import replies, swap2
from protocol.balance import Balancer
from protocol.clock import (
    DEFAULT_TURN_MS,
    Budget,
    Ledger,
    Reserve,
    after_pondering,
    budget,
    drawn_ms,
    limits,
    now,
    pause_ms,
)
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
from protocol.log import Entry
from protocol.memory import give_back
from protocol.port import EnginePort
from protocol.position import Game, Position, Setup, Side
from protocol.settings import FULL_STRENGTH, Settings
from protocol.thinking import Job, Thinker, Thought
from protocol.tuning import Host
from pyengine import Color
from pyengine.constants import MAX_SIZE, MIN_SIZE

_NO_GAME: Final = "no game: send START first"
_FULL: Final = "board is full"
_FAULT: Final = "internal error"
_DEFAULTS: Final = Settings()


@dataclass(frozen=True)
class Request:
    """A command with the number of its last line, and when its first was read (`clock.now`)."""

    command: Command
    number: int
    read_at: float


def _name(command: Command) -> str:
    """What a person calls a command."""
    match command:
        case Word():
            return command.value
        case Block(word=word) | Unknown(word=word):
            return word
    return type(command).__name__.upper()


class Session:
    """The state of a brain: settings, the game, the engine."""

    def __init__(
        self,
        engine: EnginePort,
        interrupt: Interrupt,
        guard: Guard,
        say: Callable[[str], None],
        host: Host,
        settings: Settings = _DEFAULTS,
    ) -> None:
        self._interrupt = interrupt
        self._guard = guard
        self._write = say
        self._answered = False
        self._configuration = Configuration(engine, guard, host, settings)
        self._thinker = Thinker(engine, interrupt, guard, self._say)
        self._ledger = Ledger()
        self._reserve = Reserve()
        self._position: Position | None = None
        self._no_weights: str | None = None  # why there is no game, if that is the reason
        self._excluded: dict[Square, None] = {}
        self._startup_ms = host.startup_ms
        self._ready_at = 0.0  # when the manager first heard from us; 0 = not yet
        self._pondered: tuple[Setup, float] | None = None

    @property
    def _settings(self) -> Settings:
        return self._configuration.settings

    def handle(self, request: Request) -> None:
        """Answers one request. Raises nothing."""
        self._answered = False

        def dispatch() -> bool:
            self._dispatch(request)
            return True

        what = _name(request.command)
        if not self._guard.run(what, dispatch, False) and not self._answered:
            self._rescue(request)

    def _dispatch(self, request: Request) -> None:
        # All patterns of this file name their fields: to match by place Python makes a new name
        # each time, and keeps up to 4,096 of them.
        match request.command:
            case Info() as info:
                self._info(info)
            case Start(width=width, height=height):
                self._start(width, height)
            case Word.ABOUT:
                self._say(replies.ABOUT)
            case Word.END | Word.STOP:
                pass  # the reader's part
            case Word.CLEAR_TABLE:
                self._thinker.forget()
                self._pondered = None
                give_back()
            case Word.UNBLOCK_ALL:
                self._excluded = {}
            case Word.SHOW_INFO:
                self._show_info()
            case Block(kind=BlockKind.QUERY, word=word):
                for line in replies.nothing_stored(word):
                    self._say(line)
            case Block(kind=BlockKind.EDIT, word=word):
                self._error(f"{word}: {NO_DATABASE}")
            case Malformed(text=text):
                self._error(text)
            case Unknown(word=word) | Block(kind=BlockKind.UNSUPPORTED, word=word):
                self._say(replies.unknown(word))
            case command:
                if self._position is None:
                    self._error(self._no_weights or _NO_GAME)
                else:
                    self._in_game(request, command, self._position)

    def _in_game(self, request: Request, command: Command, position: Position) -> None:
        match command:
            case Word.RESTART:
                self._start(position.size, position.size)
            case Word.BEGIN:
                self._clear(position.size)
                self._move(request)
            case Turn(square=square):
                self._turn(request, square, position)
            case Takeback(square=square):
                self._takeback(square, position)
            case Play(square=square):
                if self._may_put(square, position):
                    self._put(square, Side.OWN, position)
                    self._say(replies.move(square))
            case Block():
                self._block(request, command, position)
            case NBest(lines=lines):
                self._nbest(request, lines, position)
            case Balance(moves=moves, score=score):
                self._balance(request, moves, score, position)
            case Word.SHOW_FORBIDDEN:
                self._show_forbidden(position)

    def _rescue(self, request: Request) -> None:
        """Answers somehow, after a fault of ours: a move where one was asked for."""
        position, command = self._position, request.command
        match command:
            case Info() | Word.CLEAR_TABLE | Word.UNBLOCK_ALL | Word.SHOW_INFO:
                return
            case Block(kind=BlockKind.YXBOARD | BlockKind.BLOCK | BlockKind.UNBLOCK):
                return
        answer: str | None = None
        if position is not None:
            answer = self._guard.run("rescue", lambda: self._some_move(command, position), None)
        self._say(answer or replies.error(_FAULT))

    def _some_move(self, command: Command, position: Position) -> str | None:
        """A legal answer without a search; None when no move was asked for."""
        match command:
            case Block(kind=BlockKind.SWAP2BOARD, rows=rows):
                return swap2.SWAP if rows else replies.moves(swap2.openings(position.size)[0])
            case Turn(square=square) if square not in position and position.on_board(square):
                self._put(square, Side.OPPONENT, position)
        match command:
            case Word.BEGIN | Turn() | NBest() | Block(kind=BlockKind.BOARD):
                self._say_failure()
                if not isinstance(command, NBest):
                    position.to_move = Side.OWN
                move = self._thinker.stand_in(self._game(position))
                if move is None:
                    return replies.error(_FULL)
                if not isinstance(command, NBest):
                    self._put(move, Side.OWN, position)
                return replies.move(move)
        return None

    # Games and positions

    def _start(self, width: int, height: int) -> None:
        if width != height or not MIN_SIZE <= width <= MAX_SIZE:
            self._error(f"the board must be square, {MIN_SIZE} to {MAX_SIZE}, e.g. 15 or 20")
            return
        self._reset(width)
        if self._no_weights is not None:
            self._error(self._no_weights)
            return
        self._configuration.fit_table()
        self._clear(width)
        self._excluded = {}
        self._pondered = None
        if self._ledger.moves:
            # The time that was left belongs to the game that is over.
            self._configuration.forget(time_left=True)
        self._ledger = Ledger()
        give_back()
        self._say(replies.OK)

    def _reset(self, size: int) -> None:
        """Brings the rule to the engine. There is no game under a rule without weights."""
        self._no_weights = self._thinker.reset(size, self._settings.rule)
        if self._no_weights is not None:
            self._position = None

    def _clear(self, size: int) -> None:
        self._position = Position(size)
        self._configuration.forget(captures=True)

    def _turn(self, request: Request, square: Square, position: Position) -> None:
        if self._may_put(square, position):
            self._put(square, Side.OPPONENT, position)
            self._move(request)

    def _game(self, position: Position) -> Game:
        return position.game(self._settings.rule)

    def _may_put(self, square: Square, position: Position) -> bool:
        """Whether a stone can go there; says an ERROR when not."""
        if not position.on_board(square):
            self._error(f"{replies.move(square)} is outside the board")
        elif square in position:
            self._error(f"{replies.move(square)} is occupied")
        else:
            return True
        return False

    def _put(self, square: Square, side: Side, position: Position) -> None:
        """Plays a stone of either side, with what it captures."""
        position.play(square, side, self._settings.rule)

    def _takeback(self, square: Square, position: Position) -> None:
        if square not in position:
            self._error(f"{replies.move(square)} is empty")
        elif not self._settings.rule.has_captures:
            position.remove(square)
            self._say(replies.OK)
        elif position.is_last(square):
            position.undo()
            self._say(replies.OK)
        else:
            self._error(f"{replies.move(square)} is not the last move")

    def _block(self, request: Request, block: Block, position: Position) -> None:
        if block.bad is not None:
            self._error(f"{block.word}: {block.bad}")
            return
        squares = [(row[0], row[1]) for row in block.rows]
        for at, square in enumerate(squares):
            if not position.on_board(square):
                self._error(f"{block.word}: {replies.move(square)} is outside the board")
                return
            if square in squares[:at]:
                self._error(f"{block.word}: {replies.move(square)} is given twice")
                return
        match block.kind:
            case BlockKind.BOARD:
                self._set_up(block, position)
                self._move(request)
            case BlockKind.YXBOARD:
                self._set_up(block, position)
            case BlockKind.BLOCK:
                self._excluded |= dict.fromkeys(squares)
            case BlockKind.UNBLOCK:
                for square in squares:
                    self._excluded.pop(square, None)
            case _:
                self._swap2(request, squares, position.size)

    def _set_up(self, block: Block, known: Position) -> None:
        rule = self._settings.rule
        position = Position(known.size)
        for x, y, side in block.rows:
            position.set_up((x, y), Side(side))
        if rule.has_captures:
            position.set_pairs(*self._settings.captures)
            self._configuration.forget(captures=True)
            if known.goes_on_as(position, rule):
                return  # what was captured on the way is known there, and not in a BOARD
        self._position = position

    # Moves

    def _job(
        self,
        request: Request,
        moves_made: int,
        free: int,
        default_turn_ms: int | None = DEFAULT_TURN_MS,
    ) -> Job:
        """The limits of a search for this request, from what is left of its time.

        moves_made: the brain's stones. free: squares on which there is still room.
        default_turn_ms: its time when no limit was ever sent.
        """
        settings = self._settings
        turn, left = limits(settings, self._ledger.used_ms, default_turn_ms=default_turn_ms)
        began = now()
        spent = (began - request.read_at) * 1000
        if request.read_at <= self._ready_at:  # nobody waited for us: the start is in its time
            spent += self._startup_ms
        self._startup_ms = 0.0
        return Job(
            number=request.number,
            budget=budget(
                turn_ms=turn,
                left_ms=left,
                increment_ms=settings.time_increment,
                moves_made=moves_made,
                moves_possible=(free + 1) // 2,
                spent_ms=spent,
                reserve=self._reserve,
            ),
            began=began,
            depth=settings.max_depth,
            nodes=settings.max_nodes,
            excluded=tuple(self._excluded),
        )

    def _reply(self, request: Request, job: Job, answer: str) -> float:
        """Answers a request that was thought about, and returns the milliseconds that it took.

        The clock is looked at first: with the answer out, a manager may suspend us at once.
        """
        at = now()
        spent = (at - request.read_at) * 1000
        self._reserve.learn(job.budget, (at - job.began) * 1000)
        self._ledger.charge(spent, self._settings.time_increment)
        self._say(answer)
        return spent

    def _move(self, request: Request) -> None:
        """Thinks, answers, and only then keeps the books."""
        position = self._position
        assert position is not None
        position.to_move = Side.OWN
        game = self._game(position)
        self._say_notes()
        job = self._job(request, position.placed(Side.OWN), position.free)
        planned = job.budget
        if self._pondered is not None and self._pondered[0] == game.now:
            job = replace(job, budget=after_pondering(planned, self._pondered[1]))
        thought = self._thinker.think(game, job)
        self._say_failure()
        if thought.move is None:
            self._error(_FULL)
            return
        self._keep_pace(request, planned)
        spent = self._reply(request, job, replies.move(thought.move))
        number = 1 + position.placed(Side.OWN) + position.placed(Side.OPPONENT)
        self._put(thought.move, Side.OWN, position)
        self._configuration.log.write(
            Entry(number, game.rule, game.now, thought.move, spent, thought.result)
        )
        self._ponder(request, position, thought)

    def _keep_pace(self, request: Request, planned: Budget) -> None:
        """Holds an answer back until a person would have given it, in what was planned for it."""
        spent = (now() - request.read_at) * 1000
        wait = pause_ms(planned, drawn_ms(self._settings.delay_ms), spent)
        if wait > 0:
            self._interrupt.pause(request.number, wait / 1000)

    def _ponder(self, request: Request, position: Position, thought: Thought) -> None:
        """Thinks on the opponent's time: about the answer that is expected, else about all.

        A lower level thinks no further than it does on its own time.
        """
        self._pondered = None
        result = thought.result
        if not self._settings.ponder or self._settings.level < FULL_STRENGTH:
            return
        if result is not None and result.mate == 1:
            return  # that was the last move
        game = self._game(position)
        expected = result.pv[1] if result is not None and len(result.pv) > 1 else None
        if expected is not None and game.now.is_free(expected):
            self._put(expected, Side.OPPONENT, position)
            game = self._game(position)
            position.undo()
        self._pondered = game.now, self._thinker.ponder(game, request.number)

    def _nbest(self, request: Request, lines: int, position: Position) -> None:
        """The best moves for whoever is to move; the position stays, and so does the game's time.

        Where no limit was sent it goes on until it is stopped.
        """
        game = self._game(position)
        self._say_notes()
        job = self._job(request, position.placed(Side.OWN), position.free, default_turn_ms=None)
        job = replace(job, lines=max(1, min(lines, position.free)), every_line=True)
        thought = self._thinker.think(game, job)
        self._say_failure()
        if thought.move is None:
            self._error(_FULL)
            return
        self._say(replies.move(thought.move))

    def _balance(self, request: Request, moves: int, score: int, position: Position) -> None:
        """The most even next one or two moves; the position stays, and so does the game's time."""
        word = "YXBALANCEONE" if moves == 1 else "YXBALANCETWO"
        if position.free < moves:
            free = f"{position.free} square{'' if position.free == 1 else 's'}"
            self._error(f"{word}: the board has only {free} left")
            return
        self._say_notes()
        job = self._job(request, position.placed(Side.OWN), position.free)
        stopped = self._interrupt.stopped
        balancer = Balancer(
            self._thinker, position, self._settings.rule, job, lambda: stopped(request.number)
        )
        even = balancer.one(score) if moves == 1 else balancer.two(score)
        self._say_failure()
        if even is None:
            what = "move leaves" if moves == 1 else "two moves leave"
            self._error(f"{word}: no {what} the game open")
            return
        for line in replies.progress(even.line, numbered=False):
            self._say(line)
        self._say(replies.moves(even.moves))

    def _swap2(self, request: Request, stones: list[Square], size: int) -> None:
        if len(stones) not in (0, 3, 5):
            self._error(f"SWAP2BOARD: 0, 3 or 5 stones, not {len(stones)}")
            return
        self._say_notes()
        job = self._job(request, len(stones) // 2, size**2 - len(stones))
        rule = self._settings.rule
        if stones:
            answer = swap2.choose(self._thinker, stones, size, rule, job)
        else:
            stopped = self._interrupt.stopped
            answer = swap2.propose(self._thinker, size, rule, job, lambda: stopped(request.number))
        self._say_failure()
        self._keep_pace(request, job.budget)
        self._reply(request, job, answer)

    def _show_info(self) -> None:
        for line in replies.abilities(
            threads=self._configuration.most_threads,
            table_kib=self._configuration.largest_table // 1024,
        ):
            self._say(line)

    def _show_forbidden(self, position: Position) -> None:
        game = self._game(position)
        is_black = game.now.to_move is Color.BLACK
        self._say(replies.forbidden(self._thinker.forbidden(game) if is_black else []))

    # Settings and lines

    def _info(self, info: Info) -> None:
        before = self._settings
        if self._configuration.take(info):
            self._pondered = None  # thought under other settings
        if self._settings.rule is not before.rule and self._position is not None:
            self._reset(self._position.size)
        if info.key == "time_left" and self._settings is not before:
            self._ledger.told()

    def _say_notes(self) -> None:
        for note in self._configuration.notes():
            self._say(replies.message(note))

    def _say_failure(self) -> None:
        """Says what failed first since the last move. Comes once, just before the answer."""
        if (note := self._guard.note()) is not None:
            self._say(replies.message(note))

    def _say(self, line: str) -> None:
        if not line.startswith("MESSAGE"):
            self._answered = True
            self._ready_at = self._ready_at or now()
        self._write(line)

    def _error(self, text: str) -> None:
        self._say(replies.error(text))
