"""Each manager starts, asks, reads, measures and ends a brain in its own way."""

import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from arena.engines import process
from arena.engines.brain import Brain
from arena.engines.managers import PROFILES, Clocked, ManagerProfile, Opens, manager_profile
from arena.engines.player import MoveRequest, StartRequest
from arena.game.game import GameSettings, play_game
from arena.game.record import EndReason, GameRecord
from arena.rules.referee import Color, Point, Rule
from arena.util.faults import BrainFault, Fault
from tests.support.fakes import fake, no_brain_is_left

PATIENT_MS = 60_000
SHORT_MS = 300
STRICT, PISKVORK, GOMOCUP, CGC = PROFILES.values()


@pytest.fixture(autouse=True)
def nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    # The delay of a late answer does not matter here.
    monkeypatch.setattr(process, "LATE_WAIT_S", 0.02)
    yield
    assert no_brain_is_left()


def request(*stones: Point, limit_ms: float = PATIENT_MS, last: bool = False) -> MoveRequest:
    """Returns a request after alternating stones, Black's first."""
    colors = (Color.BLACK, Color.WHITE)
    placed = tuple((point, colors[number % 2]) for number, point in enumerate(stones))
    to_move = colors[len(stones) % 2]
    previous = stones[-1] if last and stones else None
    return MoveRequest(to_move, placed, (0, 0), previous, limit_ms, 2_147_483_647)


def opened(brain: Brain, start_ms: int = PATIENT_MS) -> Brain:
    """Opens a brain up to its first request for a move."""
    brain.launch()
    brain.open(StartRequest(15, 1, 1000, None, 350, start_ms))
    return brain


def told(brain: Brain) -> list[str]:
    """Returns the lines that the manager has written so far."""
    return [line[2:] for line in brain.last_lines if line.startswith("> ")]


def conversation(manager: ManagerProfile) -> list[str]:
    """Returns the lines sent to a brain up to its second move."""
    brain = opened(Brain(fake(), manager=manager, info=(("level", "3"),)))
    try:
        brain.move(request())
        brain.move(request((0, 0), (1, 1), last=True))
        return told(brain)
    finally:
        brain.close()


LEFT = "INFO time_left 2147483647"


def test_the_order_of_each_manager() -> None:
    second = [LEFT, "TURN 1,1"]
    ours = ["INFO max_memory 367001600", "INFO timeout_match 0", "INFO timeout_turn 1000"]
    rest = ["INFO rule 1", LEFT, "INFO level 3", LEFT, "BEGIN", *second]
    assert conversation(STRICT) == ["START 15", *ours, "INFO game_type 1", *rest]
    assert conversation(PISKVORK) == ["START 15", *ours, "INFO game_type 2", *rest]
    lines = conversation(GOMOCUP)
    folder = lines.pop(6)
    assert folder.startswith("INFO folder ") and not Path(folder.split(" ", 2)[2]).exists()
    assert lines == [
        "START 15",
        "INFO timeout_turn 1000",
        "INFO timeout_match 2147483647",
        "INFO max_memory 367001600",
        "INFO game_type 3",
        "INFO rule 1",
        "INFO level 3",
        LEFT,
        "BOARD",
        "DONE",
        *second,
    ]
    assert conversation(CGC) == [
        "ABOUT",
        "START 15",
        "INFO rule 1",
        "INFO timeout_turn 1000",
        "INFO timeout_match 0",
        "INFO max_memory 367001600",
        "INFO level 3",
        LEFT,
        "BEGIN",
        *second,
    ]


def test_a_position_is_told_by_board_where_the_manager_does_so() -> None:
    one = request((3, 4))
    assert asked(STRICT, one) == asked(PISKVORK, one) == ["TURN 3,4"]
    assert asked(CGC, one) == asked(GOMOCUP, one) == ["BOARD", "3,4,2", "DONE"]
    always = replace(CGC, opens=Opens.ALWAYS_BOARD)
    assert asked(always, request((3, 4), (5, 6), last=True)) == ["BOARD", "3,4,1", "5,6,2", "DONE"]
    assert asked(always, request()) == ["BEGIN"]


def asked(manager: ManagerProfile, what: MoveRequest) -> list[str]:
    """Returns the lines that ask for a move."""
    brain = opened(Brain(fake(), manager=manager))
    try:
        brain.move(what)
        lines = told(brain)
        return lines[max(n for n, line in enumerate(lines) if line.startswith("INFO")) + 1 :]
    finally:
        brain.close()


# The output for the first move, and the verdict of each manager: t is TIME, p is PROTOCOL, . is the
# move 7,7.
ANSWERS = [
    (r"7,7\n", "...."),
    (r"7,7\r\n", "p..."),
    (r"7, 7\n", "p..."),
    (r"7 ,7\n", "pp.t"),
    (r"  7,7\n", "p..."),
    (r"7,7  \n", "p..t"),
    (r"7,7 text\n", "p.tt"),
    (r"7,7,1\n", "p.tt"),
    (r"+7,07\n", "p..."),
    (r"h8\n", "pptt"),
    (r"7,7", "tttt"),
    (r"SUGGEST 7,7\n", "p.tt"),
    (r"\n7,7\n", "p..."),
    (r"   \n7,7\n", "pp.."),
    (r"message hi\n7,7\n", "p..."),
    (r"MESSAGE\n7,7\n", "pp.."),
    (r"MESSAGE\thi\n7,7\n", "pp.."),
    (r"MESSAGE 3,4\n7,7\n", "...."),
    (r"depth 3\n7,7\n", "pp.."),
    (r"\xef\xbb\xbf7,7\n", "pptt"),
]


def test_a_brain_that_suggests_for_ever_loses(tmp_path: Path) -> None:
    program = tmp_path / "brain.py"
    program.write_text(
        "for line in open(0):\n"
        "    word = line.split()[0]\n"
        "    if word == 'START': print('OK', flush=True)\n"
        "    if word in ('BEGIN', 'PLAY'): print('SUGGEST 3,3', flush=True)\n"
    )
    brain = opened(Brain([sys.executable, str(program)], manager=PISKVORK))
    try:
        with pytest.raises(BrainFault):
            brain.move(request())
    finally:
        brain.close()


def test_a_folder_may_have_any_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "tü"
    home.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(home))
    assert any(line.startswith(f"INFO folder {home}") for line in conversation(GOMOCUP))


@pytest.mark.parametrize(("text", "verdicts"), ANSWERS)
def test_answers_are_read_as_each_manager_reads_them(text: str, verdicts: str) -> None:
    for manager, verdict in zip(PROFILES.values(), verdicts, strict=True):
        limit_ms = SHORT_MS if verdict == "t" else PATIENT_MS
        command = fake("says", at=1, text=text)
        brain = opened(Brain(command, manager=manager))
        try:
            assert outcome(brain, limit_ms) == verdict, manager.name
        finally:
            brain.close()


def outcome(brain: Brain, limit_ms: float) -> str:
    """Asks for a move; returns the verdict as one letter."""
    try:
        move = brain.move(request(limit_ms=limit_ms)).move
    except BrainFault as fault:
        return {Fault.TIME: "t", Fault.PROTOCOL: "p"}[fault.kind]
    assert move == (7, 7)
    return "."


def test_ok_is_read_as_each_manager_reads_it() -> None:
    verdicts = {
        r"OK\r\n": "p..",
        r"ok\n": "p.t",
        r"OK \n": "ppt",
        r"OK - everything is good\n": "ppt",
    }
    for text, expected in verdicts.items():
        for manager, verdict in zip((STRICT, PISKVORK, CGC), expected, strict=True):
            brain = Brain(fake("start-text", text=text, moves="7,7"), manager=manager)
            try:
                opened(brain, SHORT_MS if verdict == "t" else PATIENT_MS)
                found = outcome(brain, PATIENT_MS)
            except BrainFault as fault:
                found = {Fault.TIME: "t", Fault.PROTOCOL: "p"}[fault.kind]
            finally:
                brain.close()
            assert found == verdict, (text, manager.name)


def test_gomocup_does_not_look_for_ok_at_all() -> None:
    brain = opened(Brain(fake("start-text", text=r"hello\n", moves="7,7"), manager=GOMOCUP))
    assert outcome(brain, PATIENT_MS) == "."
    brain.close()


def test_stderr_and_answers_to_info() -> None:
    for manager, expected in ((STRICT, "p"), (PISKVORK, "p"), (GOMOCUP, "."), (CGC, ".")):
        for fault in ("on-stderr", "answers-info"):
            brain = opened(Brain(fake(fault, at=1, moves="7,7", ms=50), manager=manager))
            try:
                assert outcome(brain, PATIENT_MS) == expected, (manager.name, fault)
            finally:
                brain.close()


def game(manager: ManagerProfile, black: list[str], **settings: object) -> GameRecord:
    """Plays a game of a brain against a good one."""
    values = {"size": 7, "turn_ms": PATIENT_MS, "tolerance_ms": 0, **settings}
    players = (Brain(black, manager=manager), Brain(fake(), manager=manager))
    return play_game(*players, GameSettings(**values), manager=manager)  # type: ignore[arg-type]


def test_two_answers_lose_in_the_way_of_each_manager() -> None:
    reasons = {
        manager.name: game(manager, fake("twice", at=1)).reason for manager in PROFILES.values()
    }
    # The second answer counts as the next move, which is on a stone.
    assert reasons == {
        "strict": EndReason.PROTOCOL,
        "piskvork": EndReason.ILLEGAL,
        "gomocup": EndReason.ILLEGAL,
        "c-gomoku-cli": EndReason.ILLEGAL,
    }


def test_a_slow_start_costs_what_the_manager_says() -> None:
    slow = fake("start-slow", ms=2000)
    turn = {"turn_ms": 1500}
    assert game(STRICT, slow, **turn).reason is EndReason.FIVE
    late = game(GOMOCUP, slow, **turn)
    assert (late.reason, late.moves) == (EndReason.TIME, ())
    on_clock = manager_profile("strict", start_on_clock=True)
    assert on_clock.clocked is Clocked.FIRST_MOVE
    assert game(on_clock, slow, **turn).reason is EndReason.TIME
    assert game(on_clock, slow, turn_ms=PATIENT_MS).moves[0].ms > 2000


def test_a_slow_start_costs_time_of_the_game_where_the_manager_says_so() -> None:
    slow = fake("start-slow", ms=600)
    clock = {"turn_ms": None, "match_ms": 60_000}
    assert game(STRICT, slow, **clock).moves[0].limit_ms == 60_000
    assert 50_000 < game(PISKVORK, slow, **clock).moves[0].limit_ms <= 60_000 - 600
    cannot = game(PISKVORK, slow, turn_ms=None, match_ms=300)
    assert (cannot.reason, cannot.moves) == (EndReason.TIME, ())


@pytest.mark.parametrize(("manager", "free_ms"), [(STRICT, 0), (GOMOCUP, 10)])
def test_the_game_clock_is_charged_as_the_manager_does(
    manager: ManagerProfile, free_ms: float
) -> None:
    moves = game(manager, fake("late", ms=40, at=2), turn_ms=None, match_ms=60_000).moves
    blacks = [move for move in moves if move.color == "black"]
    assert blacks[1].ms >= 40
    for move, following in pairwise(blacks):
        charged = move.limit_ms - following.limit_ms
        assert charged == pytest.approx(max(0, move.ms - free_ms), abs=0.01)


def test_the_share_of_the_tolerance_that_a_move_has() -> None:
    late = fake("late", ms=1400, at=2)
    limits = {"turn_ms": 600, "tolerance_ms": 2400}
    assert game(replace(CGC, tolerance_share=1.0), late, **limits).reason is EndReason.FIVE
    record = game(replace(CGC, tolerance_share=0.1), late, **limits)
    assert record.reason is EndReason.TIME
    assert "within 840 ms" in record.detail


def test_memory_is_measured_as_the_manager_does() -> None:
    hungry = fake("memory", at=2)
    reasons = {
        manager.name: game(manager, hungry, memory_mib=64).reason for manager in PROFILES.values()
    }
    assert reasons["c-gomoku-cli"] is EndReason.FIVE
    assert {reasons[name] for name in ("strict", "piskvork", "gomocup")} == {EndReason.MEMORY}


def test_draws_are_called_where_the_manager_calls_them() -> None:
    opening = ((0, 0),)
    for manager, rule, drawn in (
        (PISKVORK, Rule.FREESTYLE, True),
        (GOMOCUP, Rule.FREESTYLE, False),
        (GOMOCUP, Rule.RENJU, True),
        (STRICT, Rule.RENJU, False),
    ):
        record = game(manager, fake(), size=5, rule=rule, opening=opening)
        called = record.reason is EndReason.BOARD_FULL and len(record.moves) == 1
        assert called is drawn, (manager.name, rule)
        assert not drawn or f"a draw for {manager.name}" in record.detail


def test_a_suspended_brain_stands_still_with_its_children(tmp_path: Path) -> None:
    ticks = tmp_path / "ticks"
    command = fake("ticks", text=str(ticks))
    brain = Brain(command, manager=manager_profile("strict", suspend=True))
    try:
        opened(brain)
        assert brain.pid is not None
        root = psutil.Process(brain.pid)
        for stones in ((), ((0, 0), (1, 1))):
            tree = [root, *root.children(recursive=True)]
            assert len(tree) == 2
            assert {each.status() for each in tree} == {psutil.STATUS_STOPPED}
            before = ticks.stat().st_size if ticks.exists() else 0
            time.sleep(0.15)
            assert (ticks.stat().st_size if ticks.exists() else 0) == before
            brain.move(request(*stones, last=bool(stones)))
    finally:
        notes = brain.close()
    assert ticks.stat().st_size > before
    assert notes == ("left 1 process(es) behind, which were killed",)


def test_the_clock_of_a_suspended_brain_stands_too() -> None:
    manager = manager_profile("strict", suspend=True)
    slow = fake("late", ms=2500, at=1)
    players = (Brain(fake(), manager=manager), Brain(slow, manager=manager))
    record = play_game(*players, GameSettings(size=6, turn_ms=PATIENT_MS), manager=manager)
    # Black is not charged for White's time.
    assert max(move.ms for move in record.moves if move.color == "black") < 2000


@pytest.mark.parametrize("fault", ["stall", "crash", "ignores-end"])
def test_suspended_brains_are_ended_whatever_they_do(fault: str) -> None:
    manager = manager_profile("gomocup")
    record = game(manager, fake(fault, at=2), turn_ms=2000)
    assert record.is_forfeit is (fault != "ignores-end")


def test_unknown_managers_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown manager: 'fritz'; known: strict, piskvork"):
        manager_profile("fritz")
