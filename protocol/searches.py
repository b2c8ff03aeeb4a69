"""Answers the requests that need a search: a move, the best lines, even moves, a choice of swap2.

Each request gets its limits from the clock. Notes come before the answer, the books are kept after
it, and pondering follows a move.
"""

from dataclasses import replace
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
from protocol.commands import Square
from protocol.configuration import Configuration
from protocol.interrupt import Interrupt
from protocol.log import Entry
from protocol.position import Position, Setup, Side
from protocol.request import Request
from protocol.settings import FULL_STRENGTH, Settings
from protocol.thinking import Job, Thinker, Thought
from protocol.voice import Voice

FULL: Final = "board is full"


class Searches:
    """Answers requests by searching, and keeps the books of the game's time.

    excluded: squares that the engine must not play.
    """

    def __init__(
        self,
        thinker: Thinker,
        configuration: Configuration,
        interrupt: Interrupt,
        voice: Voice,
        startup_ms: float,
    ) -> None:
        self._thinker = thinker
        self._configuration = configuration
        self._interrupt = interrupt
        self._voice = voice
        self._startup_ms = startup_ms
        self._ledger = Ledger()
        self._reserve = Reserve()
        self._pondered: tuple[Setup, float] | None = None
        self.excluded: dict[Square, None] = {}

    @property
    def _settings(self) -> Settings:
        return self._configuration.settings

    def begin_game(self) -> None:
        """Forgets the state of the last game."""
        self.excluded = {}
        self.forget_pondering()
        if self._ledger.moves:
            # The last `time_left` belongs to the game that is over.
            self._configuration.forget(time_left=True)
        self._ledger = Ledger()

    def forget_pondering(self) -> None:
        """Forgets the result of pondering."""
        self._pondered = None

    def time_told(self) -> None:
        """Notes that the manager has just sent `time_left`."""
        self._ledger.told()

    def move(self, request: Request, position: Position) -> None:
        """Searches, answers with a move, then updates the books and ponders."""
        position.to_move = Side.OWN
        game = position.game(self._settings.rule)
        self._voice.notes(self._configuration.notes())
        job = self._job(request, position.placed(Side.OWN), position.free)
        planned = job.budget
        if self._pondered is not None and self._pondered[0] == game.now:
            job = replace(job, budget=after_pondering(planned, self._pondered[1]))
        thought = self._thinker.think(game, job)
        self._voice.failure()
        if thought.move is None:
            self._voice.error(FULL)
            return
        self._keep_pace(request, planned)
        spent = self._reply(request, job, replies.move(thought.move))
        number = 1 + position.placed(Side.OWN) + position.placed(Side.OPPONENT)
        position.play(thought.move, Side.OWN, game.rule)
        self._configuration.log.write(
            Entry(
                number,
                game.rule,
                game.now,
                thought.move,
                spent,
                thought.result,
                self._thinker.trace() if self._settings.trace else (),
            )
        )
        self._ponder(request, position, thought)

    def nbest(self, request: Request, lines: int, position: Position) -> None:
        """Answers with the best move, and reports several lines.

        The position and the game's time do not change. Without a limit, the search runs until STOP.
        """
        game = position.game(self._settings.rule)
        self._voice.notes(self._configuration.notes())
        job = self._job(request, position.placed(Side.OWN), position.free, default_turn_ms=None)
        job = replace(job, lines=max(1, min(lines, position.free)), every_line=True)
        thought = self._thinker.think(game, job)
        self._voice.failure()
        if thought.move is None:
            self._voice.error(FULL)
            return
        self._voice.say(replies.move(thought.move))

    def balance(self, request: Request, moves: int, score: int, position: Position) -> None:
        """Answers with the most even one or two moves. Position and game's time do not change."""
        word = "YXBALANCEONE" if moves == 1 else "YXBALANCETWO"
        if position.free < moves:
            free = f"{position.free} square{'' if position.free == 1 else 's'}"
            self._voice.error(f"{word}: the board has only {free} left")
            return
        self._voice.notes(self._configuration.notes())
        job = self._job(request, position.placed(Side.OWN), position.free)
        stopped = self._interrupt.stopped
        balancer = Balancer(
            self._thinker, position, self._settings.rule, job, lambda: stopped(request.number)
        )
        even = balancer.one(score) if moves == 1 else balancer.two(score)
        self._voice.failure()
        if even is None:
            what = "move leaves" if moves == 1 else "two moves leave"
            self._voice.error(f"{word}: no {what} the game open")
            return
        self._voice.say_all(replies.progress(balancer.report(even), numbered=False))
        self._voice.say(replies.moves(even.moves))

    def swap2(self, request: Request, stones: list[Square], size: int) -> None:
        if len(stones) not in (0, 3, 5):
            self._voice.error(f"SWAP2BOARD: 0, 3 or 5 stones, not {len(stones)}")
            return
        self._voice.notes(self._configuration.notes())
        job = self._job(request, len(stones) // 2, size**2 - len(stones))
        rule = self._settings.rule
        if stones:
            answer = swap2.choose(self._thinker, stones, size, rule, job)
        else:
            stopped = self._interrupt.stopped
            answer = swap2.propose(self._thinker, size, rule, job, lambda: stopped(request.number))
        self._voice.failure()
        self._keep_pace(request, job.budget)
        self._reply(request, job, answer)

    def _job(
        self,
        request: Request,
        moves_made: int,
        free: int,
        default_turn_ms: int | None = DEFAULT_TURN_MS,
    ) -> Job:
        """Returns the limits of a search for this request.

        moves_made: the engine's stones. free: the number of empty squares. default_turn_ms: the
        time of the turn if the manager never sent a limit.
        """
        settings = self._settings
        turn, left = limits(settings, self._ledger.used_ms, default_turn_ms=default_turn_ms)
        began = now()
        spent = (began - request.read_at) * 1000
        if (
            request.read_at <= self._voice.ready_at
        ):  # the line was sent before the first answer: it pays for the start
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
            excluded=tuple(self.excluded),
        )

    def _reply(self, request: Request, job: Job, answer: str) -> float:
        """Answers a request, charges its time, and returns the milliseconds that it took.

        The clock is read before the answer, because a manager may suspend the process after it.
        """
        at = now()
        spent = (at - request.read_at) * 1000
        self._reserve.learn(job.budget, (at - job.began) * 1000)
        self._ledger.charge(spent, self._settings.time_increment)
        self._voice.say(answer)
        return spent

    def _keep_pace(self, request: Request, planned: Budget) -> None:
        """Delays an answer to a human pace, within the planned time."""
        spent = (now() - request.read_at) * 1000
        wait = pause_ms(planned, drawn_ms(self._settings.delay_ms), spent)
        if wait > 0:
            self._interrupt.pause(request.number, wait / 1000)

    def _ponder(self, request: Request, position: Position, thought: Thought) -> None:
        """Searches on the opponent's time: the expected reply, or else all replies.

        Levels below full strength do not ponder.
        """
        self._pondered = None
        result = thought.result
        if not self._settings.ponder or self._settings.level < FULL_STRENGTH:
            return
        if result is not None and result.mate == 1:
            return  # that was the last move
        game = position.game(self._settings.rule)
        expected = result.pv[1] if result is not None and len(result.pv) > 1 else None
        if expected is not None and game.now.is_free(expected):
            position.play(expected, Side.OPPONENT, game.rule)
            game = position.game(self._settings.rule)
            position.undo()
        self._pondered = game.now, self._thinker.ponder(game, request.number)
