"""Plays many refereed games of a brain against itself: `python -m arena.stress.selfplay EXE`.

It does not measure strength. It looks for late and illegal moves, crashes and failures at the end,
over many rules, sizes and openings.
"""

import argparse
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..engines.arguments import (
    RULE_NAMES,
    brain_command,
    file_path,
    rule_list,
    run_main,
    size_list,
    whole_number,
)
from ..engines.brain import Command
from ..game.game import GameSettings, play_brains
from ..game.record import EndReason, GameRecord
from ..rules.board_view import name_of
from ..rules.referee import Point, Position, Rule
from ..run.scheduler import LocalExecutor
from ..util.exits import Exit, exit_lines
from ..util.output import Parser, say

__all__ = ["Plan", "main", "play_plan", "random_opening", "summary_lines"]

SIZES = (5, 10, 15, 19, 20)
OPENING_MOVES = 6
OPENING_REACH = 3
"""The largest distance of opening moves from the centre."""


@dataclass(frozen=True)
class Plan:
    """Holds the games to play. Equal plans give equal openings and settings."""

    games: int
    rules: tuple[Rule, ...] = tuple(Rule)
    sizes: tuple[int, ...] = SIZES
    turn_ms: int | None = 30
    match_ms: int | None = None
    memory_mib: int = 0
    tolerance_ms: int = 0
    seed: int = 1

    def settings(self) -> list[GameSettings]:
        """Returns the settings of each game: every pair of rule and size before one repeats."""
        pairs = _pairs(self.rules, self.sizes)
        return [self._game(number, *next(pairs)) for number in range(self.games)]

    def _game(self, number: int, rule: Rule, size: int) -> GameSettings:
        draw = random.Random(f"{self.seed} {number}")
        return GameSettings(
            size=size,
            rule=rule,
            turn_ms=self.turn_ms,
            match_ms=self.match_ms,
            memory_mib=self.memory_mib,
            tolerance_ms=self.tolerance_ms,
            opening=random_opening(size, rule, draw),
        )


def _pairs(rules: Sequence[Rule], sizes: Sequence[int]) -> Iterator[tuple[Rule, int]]:
    """Yields all pairs along diagonals, without an end: each rule and size comes early."""
    step = math.lcm(len(rules), len(sizes))
    number = 0
    while True:
        shift = number // step
        yield rules[number % len(rules)], sizes[(number + shift) % len(sizes)]
        number += 1


def random_opening(size: int, rule: Rule, draw: random.Random) -> tuple[Point, ...]:
    """Returns 0 to 6 random legal moves near the centre that do not end the game."""
    wanted = draw.randint(0, OPENING_MOVES)
    low, high = max(0, size // 2 - OPENING_REACH), min(size - 1, size // 2 + OPENING_REACH)
    near = [(x, y) for x in range(low, high + 1) for y in range(low, high + 1)]
    position = Position(size=size, rule=rule)
    while len(position.moves) < wanted:
        position.play(draw.choice([move for move in near if position.legal(move)]))
        if position.is_over:
            position.undo()
    return tuple(position.moves)


def play_plan(
    command: Command,
    plan: Plan,
    *,
    concurrency: int = 1,
    on_record: Callable[[int, GameRecord], None] | None = None,
) -> list[GameRecord]:
    """Plays the games of a plan; returns their records in the plan's order.

    Concurrent games run in processes of their own: threads of one interpreter would delay each
    other's clocks.
    """
    records: list[GameRecord] = []

    def take(record: GameRecord) -> None:
        records.append(record)
        if on_record is not None:
            on_record(len(records), record)

    games = plan.settings()
    if concurrency == 1:
        for settings in games:
            take(play_brains(command, command, settings))
        return records
    executor = LocalExecutor(concurrency)
    try:
        futures = [executor.submit(play_brains, command, command, settings) for settings in games]
        for future in futures:
            take(future.result())
    finally:
        executor.abort()
    return records


def summary_lines(records: Sequence[GameRecord]) -> list[str]:
    """Returns the totals: ends, forfeits by reason, the latest answer."""
    moves = sum(len(record.moves) for record in records)
    taken = sum(len(move.captured) for record in records for move in record.moves)
    results: Counter[str] = Counter(record.winner or "draw" for record in records)
    ends = Counter(record.reason.value for record in records if not record.is_forfeit)
    forfeits = Counter(record.reason.value for record in records if record.is_forfeit)
    notes = Counter(note for record in records for note in record.black.notes + record.white.notes)
    return [
        f"games     {len(records)} ({_counts(results)}), {moves} moves, {taken} stones captured",
        f"ends      {_counts(ends)}",
        f"forfeits  {_counts(forfeits)}",
        f"latest    {latest_text(records)}",
        *(f"note      {note} ({count} times)" for note, count in notes.most_common(5)),
    ]


def latest_text(records: Sequence[GameRecord]) -> str:
    """Returns a sentence on the answer that was nearest to its limit, or farthest beyond it."""
    overs = [
        (over, number, record)
        for number, record in enumerate(records, 1)
        if (over := record.worst_over_ms) is not None
    ]
    if not overs:
        return "no answer"
    never = sum(r.reason is EndReason.TIME and r.over_ms is None for r in records)
    missing = f"; {never} never came" if never else ""
    over, number, record = max(overs, key=lambda item: item[0])
    where = f"game {number}, {_board(record)}"
    return f"{abs(over):.1f} ms {'after' if over > 0 else 'before'} its limit ({where}){missing}"


def record_line(number: int, record: GameRecord) -> str:
    """Returns one line on one game."""
    opening = " ".join(name_of(move) for move in record.opening) or "empty board"
    return f"{number:>4}  {_board(record):<22} {record.summary()}  [{opening}]"


def _board(record: GameRecord) -> str:
    return f"{Rule(record.rule).name.lower()} {record.size}x{record.size}"


def _counts(counts: "Counter[str]") -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the games that the arguments describe and returns the exit code."""
    options = _parser().parse_args(arguments)
    plan = Plan(
        games=options.games,
        rules=options.rules,
        sizes=options.sizes,
        turn_ms=options.turn_ms,
        match_ms=options.match_ms,
        memory_mib=options.memory_mib,
        tolerance_ms=options.tolerance_ms,
        seed=options.seed,
    )

    def report(number: int, record: GameRecord) -> None:
        say(record_line(number, record))
        if record.is_forfeit:
            say(*(f"        {line}" for line in record.lines))
        if options.json is not None:
            with options.json.open("a", encoding="ascii") as file:
                file.write(record.to_json() + "\n")

    records = play_plan(options.brain, plan, concurrency=options.concurrency, on_record=report)
    say(*summary_lines(records))
    return Exit.FORFEITED if any(record.is_forfeit for record in records) else Exit.DONE


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="python -m arena.stress.selfplay",
        description="Plays games of an engine against itself and counts the faults.",
        epilog=f"rules: {RULE_NAMES}. {exit_lines(Exit.DONE, Exit.FORFEITED, Exit.USAGE)}. "
        "With more than one game at once the engines share the machine and answer later.",
    )
    number = whole_number
    parser.add_argument("brain", type=brain_command, metavar="EXE", help="path, or command line")
    add = parser.add_argument
    add("--games", type=number(1), default=20, help="number of games (default: 20)")
    add("--turn-ms", type=number(1), default=30, help="time for each move (default: 30)")
    add("--match-ms", type=number(1), help="time for all moves of a player (default: no limit)")
    add("--memory-mib", type=number(0, 1 << 20), default=0, help="memory limit; 0: none (default)")
    add("--tolerance-ms", type=number(0), default=0, help="how late a move may be (default: 0)")
    add("--sizes", type=size_list, default=SIZES, help="e.g. 15,20 (default: 5,10,15,19,20)")
    add("--rules", type=rule_list, default=tuple(Rule), help="e.g. 0,renju,16 (default: all)")
    add("--seed", type=int, default=1, help="seed of the openings (default: 1)")
    add("--concurrency", type=number(1, 256), default=1, help="games at once (default: 1)")
    add("--json", type=file_path, metavar="FILE", help="append a line of JSON for each game")
    return parser


if __name__ == "__main__":
    run_main(main, "selfplay")
