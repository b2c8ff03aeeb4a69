"""The time of a process: turns, pondering, analysis, the human pace, and a whole game."""

import random
import re
import time
from collections.abc import Sequence

import psutil
import pytest

from pyengine import Color, Engine, Rule
from tests.support.brains import ALL_BRAINS, ALL_PLAYERS, BRAINS
from tests.support.protocol_runner import (
    MODULE,
    PATIENCE_S,
    Brain,
)
from tests.support.stopwatch import Stopwatch

# Clocks and ends


def test_a_turn_takes_its_time_and_no_more() -> None:
    with Brain(BRAINS["fake"]) as brain:
        brain.ask("START 15", "INFO timeout_turn 250")
        brain.ask("BEGIN")  # pays for the start
        for x in range(3):
            watch = Stopwatch()
            brain.ask(f"TURN {x},0")
            assert watch.wall_s > 0.15 and watch.own_s < 0.25


def test_the_clock_of_a_board_runs_from_its_first_line() -> None:
    with Brain(BRAINS["fake"]) as brain:
        brain.ask("START 15", "INFO timeout_turn 500")
        brain.ask("BEGIN")
        watch = Stopwatch()
        brain.send("BOARD")
        time.sleep(0.3)
        brain.ask("DONE")
        assert watch.own_s < 0.6


@ALL_BRAINS
def test_thinking_is_told_in_good_form_and_not_after_the_answer(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("START 15", "INFO timeout_turn 1300")
        brain.send("BEGIN")
        said = [brain.line()]
        while said[-1][1].startswith("MESSAGE"):
            said.append(brain.line())
        told = said[:-1]
        assert told
        for at, _ in told:
            assert sum(at <= other < at + 0.95 for other, _ in told) <= 20
        depths = [text.split(" SCORE")[0] for _, text in told]
        assert len(set(depths)) == len(depths)
        brain.silent(0.2)


def cpu_seconds(brain: Brain) -> float:
    ours = psutil.Process(brain.process.pid)
    times = [process.cpu_times() for process in [ours, *ours.children(recursive=True)]]
    return sum(time.user + time.system for time in times)


def is_thinking(brain: Brain) -> bool:
    """Whether the brain works for a tenth of a second within the time that a busy machine needs."""
    before, until = cpu_seconds(brain), time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if cpu_seconds(brain) - before > 0.1:
            return True
        time.sleep(0.05)
    return False


@ALL_PLAYERS
def test_only_pondering_thinks_on_the_opponents_time(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("INFO timeout_turn 100", "START 15")
        brain.ask("TURN 7,7")
        before = cpu_seconds(brain)
        time.sleep(0.5)
        assert cpu_seconds(brain) - before < 0.05
        brain.ask("INFO ponder 1", "TURN 0,0")
        assert is_thinking(brain)
        brain.silent(0)
        watch = Stopwatch()
        brain.ask("INFO timeout_turn 0", "TURN 0,1")
        assert watch.own_s < 0.2
        brain.send("END")
        assert brain.gone() == []


@pytest.mark.parametrize("rule", list(Rule), ids=lambda rule: rule.name)
def test_a_game_to_the_last_square(rule: Rule) -> None:
    """Random answers on a small board: every move of the brain is free, and legal where any is."""
    chance = random.Random(rule.value)
    size, referee = 9, Engine(size=9, rule=rule, memory_mib=1)
    free = {(x, y) for x in range(size) for y in range(size)}
    squares = list(free)
    stones: dict[tuple[int, int], Color] = {}

    def put(square: tuple[int, int], color: Color) -> None:
        stones[square] = color
        captured = referee.place(square).captured
        free.discard(square)
        free.update(captured)

    with Brain() as brain:
        brain.ask(f"INFO rule {rule.value}", "INFO timeout_turn 0", f"START {size}")
        request = "BEGIN"
        for _ in range(200):
            x, y = map(int, brain.ask(request).split(","))
            assert (x, y) in free, brain.told()
            assert referee.legal((x, y)) or not any(map(referee.legal, squares)), brain.told()
            put((x, y), Color.BLACK)
            if not free:
                break
            theirs = chance.choice(sorted(free))
            put(theirs, Color.WHITE)
            request = f"TURN {theirs[0]},{theirs[1]}"
            if not free:  # a captured triple leaves the last square to the other side
                assert brain.ask(request) == "ERROR board is full"
                break
        if not free:
            assert brain.ask("YXNBEST 1") == "ERROR board is full"


@ALL_PLAYERS
def test_an_analysis_goes_on_until_it_is_stopped(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("START 15")
        brain.send("YXBOARD", "7,7,1", "8,8,2", "DONE", "YXNBEST 3")
        time.sleep(0.6)
        assert is_thinking(brain), "it is at it still"
        watch = Stopwatch()
        first = brain.ask("STOP")
        assert watch.own_s < 0.2
        assert re.fullmatch(r"\d+,\d+", first)
        told = [line.split(" multipv ")[1] for line in brain.transcript if " multipv " in line]
        assert {line.split()[0] for line in told} == {"1", "2", "3"}
        before = cpu_seconds(brain)
        time.sleep(0.3)
        assert cpu_seconds(brain) - before < 0.05, "it has ended"
        assert brain.ask("INFO timeout_turn 100", f"PLAY {first}") == first, "nothing was played"


@pytest.mark.linux
@ALL_PLAYERS
def test_a_brain_suspended_while_it_ponders_goes_on(command: Sequence[str]) -> None:
    with Brain(command) as brain:
        brain.ask("INFO timeout_turn 300", "INFO ponder 1", "START 15")
        for turn in ("TURN 7,7", "TURN 0,0", "TURN 14,0"):
            brain.ask(turn)
            ours = psutil.Process(brain.process.pid)
            processes = [ours, *ours.children(recursive=True)]
            for process in processes:
                process.suspend()
            time.sleep(0.3)
            for process in processes:
                process.resume()
            watch = Stopwatch()
            brain.ask("ABOUT")
            assert watch.own_s < 0.1
        brain.send("END")
        assert brain.gone() == []


def test_a_human_pace() -> None:
    with Brain((*MODULE, "--level", "1", "--delay", "400")) as brain:
        brain.ask("START 15", "INFO timeout_turn 5000")
        for turn in ("BEGIN", "TURN 0,0"):
            watch = Stopwatch()
            brain.ask(turn)
            assert watch.wall_s > 0.35 and watch.own_s < 0.8
        watch = Stopwatch()
        brain.send("TURN 0,1")
        time.sleep(0.1)
        brain.ask("STOP")
        assert watch.own_s < 0.3
        assert not any(re.search(r"depth [2-9]", line) for line in brain.transcript), "level 1"
