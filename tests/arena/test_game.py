"""Whole games: every end by the rules, every forfeit, and the lines sent to a brain."""

import random
import shlex
from pathlib import Path

import pytest

from arena.engines.brain import Brain, position_lines
from arena.engines.player import MoveRequest
from arena.game.game import GameSettings, play_brains, play_game
from arena.game.record import EndReason, GameRecord, MoveRecord
from arena.rules.referee import Color, Point, Position, Rule
from arena.stress.selfplay import Plan, main, play_plan, random_opening, summary_lines
from arena.util.exits import Exit
from tests.support.fakes import SCRIPT, fake

TURN_MS = 60_000


pytestmark = pytest.mark.usefixtures("nothing_is_left")


def played(
    black: list[Point],
    white: list[Point],
    rule: Rule = Rule.FREESTYLE,
    size: int = 15,
    opening: tuple[Point, ...] = (),
) -> GameRecord:
    """Returns the record of a game between two brains with listed moves."""

    def brain(moves: list[Point]) -> list[str]:
        return fake(moves="/".join(f"{x},{y}" for x, y in moves))

    settings = GameSettings(size=size, rule=rule, turn_ms=TURN_MS, opening=opening)
    record = play_brains(brain(black), brain(white), settings)
    assert GameRecord.from_json(record.to_json()) == record
    return record


def result(record: GameRecord) -> tuple[str | None, EndReason]:
    return record.winner, record.reason


CORNERS: list[Point] = [(0, 0), (14, 0), (0, 14), (14, 14), (0, 7), (14, 7)]


def test_a_five_wins() -> None:
    record = played([(x, 7) for x in range(3, 8)], CORNERS)
    assert result(record) == ("black", EndReason.FIVE)
    assert not record.is_forfeit
    assert [move.point for move in record.moves][-2:] == [(14, 14), (7, 7)]
    assert [move.color for move in record.moves][:2] == ["black", "white"]
    assert all(0 < move.ms < TURN_MS == move.limit_ms for move in record.moves)
    assert record.summary() == "black wins after 9 moves: five in a row"
    assert record.black.peak_bytes > 1 << 20
    assert (record.black.notes, record.white.notes, record.lines) == ((), (), ())


def test_a_forbidden_move_of_renju_is_a_loss_but_no_forfeit() -> None:
    record = played([(5, 7), (6, 7), (7, 5), (7, 6), (7, 7)], CORNERS, Rule.RENJU)
    assert result(record) == ("white", EndReason.FORBIDDEN)
    text = record.to_json()
    assert text.count('"forbidden"') == 1
    assert GameRecord.from_json(text.replace('"forbidden"', '"foul"')) == record, "an older version"
    assert not record.is_forfeit
    assert record.detail == "black plays 7,7, which is forbidden"
    assert len(record.moves) == 8


def test_the_forbidden_square_of_ninuki_is_an_illegal_move() -> None:
    record = played([(5, 7), (6, 7), (7, 5), (7, 6), (7, 7)], CORNERS, Rule.NINUKI)
    assert result(record) == ("white", EndReason.ILLEGAL)
    assert "forbidden" in record.detail


def test_captures_are_executed_by_the_referee_and_five_pairs_win() -> None:
    rows = range(0, 10, 2)
    black = [(0, y) for y in rows] + [(9, 9)] + [(3, y) for y in rows]
    white = [(1, y) for y in rows] + [(2, y) for y in rows]
    # White moves after Black's tempo at (9, 9): each second stone is captured at once.
    record = played(black, white, Rule.NINUKI, size=10)
    assert result(record) == ("black", EndReason.CAPTURES)
    assert record.captures == (5, 0)
    assert record.moves[-1].captured == ((1, 8), (2, 8))


FIVE_TO_BREAK: list[Point] = [(3, 5), (2, 4), (4, 4), (5, 4), (6, 4), (3, 4)]


def test_a_five_that_is_not_broken_wins() -> None:
    record = played(FIVE_TO_BREAK, [(3, 3), *CORNERS], Rule.NINUKI)
    assert result(record) == ("black", EndReason.FIVE_NOT_BROKEN)
    assert record.moves[-1].color == "white"


def test_a_five_that_is_broken_does_not_end_the_game() -> None:
    # The corners and (3, 6), which takes (3, 4) and (3, 5); Black then plays on his own stone.
    white = [(3, 3), *CORNERS[:4], (3, 6)]
    record = played([*FIVE_TO_BREAK, (2, 4)], white, Rule.NINUKI)
    assert result(record) == ("white", EndReason.ILLEGAL)
    assert record.moves[-1].captured == ((3, 4), (3, 5))


def test_a_full_board_is_a_draw() -> None:
    rows = ["BBWWB", "WWBBW", "BBWWB", "WWBBW", "BBWWB"]
    squares = [(x, y) for y in range(5) for x in range(5)]
    black = [(x, y) for x, y in squares if rows[y][x] == "B"]
    white = [(x, y) for x, y in squares if rows[y][x] == "W"]
    record = played(black, white, size=5)
    assert result(record) == (None, EndReason.BOARD_FULL)
    assert record.summary() == "draw after 25 moves: the board is full"


def test_no_legal_move_is_a_draw() -> None:
    # The last empty square, (3, 3), would make an overline for Black.
    names = (
        "b4 d1 f4 c3 d2 f7 g7 e7 e4 d5 g3 c2 e5 e2 g6 c7 g2 d6 f6 g4 g1 b1 c4 a2 "
        "f3 c6 g5 a1 e6 f2 b5 b2 b7 c1 a5 e3 f1 b6 e1 a6 d3 c5 f5 b3 a4 a7 d7 a3"
    )
    moves = [(ord(name[0]) - ord("a"), int(name[1]) - 1) for name in names.split()]
    record = played([], [moves[-1]], Rule.RENJU, size=7, opening=tuple(moves[:-1]))
    assert result(record) == (None, EndReason.NO_LEGAL_MOVE)


@pytest.mark.parametrize(
    ("fault", "reason", "moves"),
    [
        ("crash", EndReason.CRASH, 3),
        ("stall", EndReason.TIME, 3),
        ("late", EndReason.TIME, 3),
        ("occupied", EndReason.ILLEGAL, 3),
        ("says", EndReason.PROTOCOL, 3),
        ("on-stderr", EndReason.PROTOCOL, 3),
        ("twice", EndReason.PROTOCOL, 5),
        ("memory", EndReason.MEMORY, 3),
        ("start-crash", EndReason.CRASH, 0),
        ("start-stall", EndReason.TIME, 0),
        ("start-text", EndReason.PROTOCOL, 0),
    ],
)
def test_each_fault_forfeits_the_game(
    fault: str, reason: EndReason, moves: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.engines.process.LATE_WAIT_S", 0.4)
    turn_ms = 400 if reason is EndReason.TIME else TURN_MS
    start_ms = 500 if fault == "start-stall" else 10_000
    settings = GameSettings(turn_ms=turn_ms, memory_mib=64, start_ms=start_ms)
    text = "15,3\\n" if fault == "says" else "no\\n"
    if fault == "says":
        # A square off the board has the right form.
        reason = EndReason.ILLEGAL
    record = play_brains(fake(), fake(fault, text=text, ms=500), settings)
    assert result(record) == ("black", reason), record
    assert record.is_forfeit
    assert len(record.moves) == moves
    assert record.detail.startswith(f"white forfeits ({reason.value}): ")
    assert record.lines[0] == "> START 15"
    if fault == "late":
        assert record.over_ms is not None
        assert record.worst_over_ms == record.over_ms >= 100
    assert GameRecord.from_json(record.to_json()) == record


def test_black_can_forfeit_too() -> None:
    record = play_brains(fake("crash", at=1), fake(), GameSettings(turn_ms=TURN_MS))
    assert result(record) == ("white", EndReason.CRASH)
    assert record.summary().startswith("white wins after 0 moves: black forfeits (crash)")


def test_what_does_not_start_loses(tmp_path: Path) -> None:
    broken = tmp_path / "brain"
    broken.write_bytes(b"\0\1\2")
    broken.chmod(0o755)
    record = play_brains(fake(), broken, GameSettings())
    assert result(record) == ("black", EndReason.CRASH)
    assert "cannot start" in record.detail


def test_the_game_clock_runs_out_over_several_moves() -> None:
    black = [(x, 7) for x in range(15)]
    settings = GameSettings(turn_ms=None, match_ms=3000, rule=Rule.STANDARD)
    slow = Brain(fake("late", ms=3200, at=3, moves="/".join(f"{x},{y}" for x, y in black)))
    record = play_game(slow, Brain(fake()), settings)
    assert result(record) == ("white", EndReason.TIME)
    assert len(record.moves) == 4
    limits = [move.limit_ms for move in record.moves if move.color == "black"]
    assert limits[0] == 3000
    assert limits[1] < 3000
    sent = [line for line in record.lines if line.startswith("> INFO time")]
    assert sent[0] == "> INFO timeout_match 3000"
    assert sent[1] == "> INFO timeout_turn 3000"
    assert sent[2:4] == ["> INFO time_left 3000"] * 2
    assert 0 < int(sent[-1].split()[-1]) < 3000


def test_a_tolerance_forgives_and_is_not_told() -> None:
    settings = GameSettings(turn_ms=200, tolerance_ms=TURN_MS, size=10)
    record = play_brains(fake("late", ms=300), fake(), settings)
    assert record.reason is EndReason.FIVE
    assert record.worst_over_ms is not None
    assert record.worst_over_ms >= 100
    assert max(record.moves, key=lambda move: move.ms).limit_ms == 200


def test_the_hook_sees_each_move_with_the_position_after_it() -> None:
    seen: list[tuple[Point, int]] = []

    def on_move(position: Position, move: MoveRecord) -> None:
        seen.append((move.point, len(position.stones)))

    opening = ((0, 0), (4, 4), (2, 2))
    settings = GameSettings(size=10, turn_ms=TURN_MS, opening=opening)
    record = play_brains(fake(), fake(), settings, on_move=on_move)
    assert seen == [(move.point, 4 + i) for i, move in enumerate(record.moves)]
    assert record.moves[0].color == "white"


def request(
    stones: str, color: Color, last: Point | None = None, captures: tuple[int, int] = (0, 0)
) -> MoveRequest:
    """Returns a request; stones as b7,7 w8,8."""
    placed = tuple(
        ((int(x), int(y)), Color.BLACK if text[0] == "b" else Color.WHITE)
        for text in stones.split()
        for x, y in [text[1:].split(",")]
    )
    return MoveRequest(color, placed, captures, last, limit_ms=100, time_left=100)


def test_brains_are_told_positions_as_piskvork_tells_them() -> None:
    black, white = Color.BLACK, Color.WHITE
    assert position_lines(request("", black)) == ["BEGIN"]
    assert position_lines(request("b7,8", white)) == ["TURN 7,8"]
    assert position_lines(request("b7,8 w3,4", black)) == ["BOARD", "7,8,1", "3,4,2", "DONE"]
    assert position_lines(request("b7,8 w3,4 b1,2", white)) == [
        "BOARD",
        "7,8,2",
        "3,4,1",
        "1,2,2",
        "DONE",
    ]
    assert position_lines(request("b7,8 w3,4", black, last=(3, 4))) == ["TURN 3,4"]
    taken = request("b7,8 w3,4", white, captures=(1, 2))
    assert position_lines(taken)[:2] == ["INFO captures 2,1", "BOARD"]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"size": 4}, "size: 4"),
        ({"opening": ((1, 1), (1, 1))}, r"opening: move 2: .*occupied"),
        ({"opening": ((9, 15),)}, "opening: move 1: .*off the board"),
        (
            {"opening": tuple((x, y) for x in range(5) for y in (0, 5))[:9]},
            "its last move ends the game",
        ),
        ({"turn_ms": None}, "turn_ms, match_ms"),
        ({"memory_mib": -1}, "memory_mib"),
        ({"start_ms": 0}, "start_ms"),
    ],
)
def test_settings_that_make_no_game_are_refused(values: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        GameSettings(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format":2}', '{"format":1,"rule_name":""}'])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a game record"):
        GameRecord.from_json(text)


def test_plans_cover_rules_and_sizes_and_repeat_themselves() -> None:
    plan = Plan(games=30)
    games = plan.settings()
    assert len({(game.rule, game.size) for game in games}) == 30
    assert {game.rule for game in games[:20]} == set(Rule)
    assert games == plan.settings()
    assert games != Plan(games=30, seed=2).settings()
    square = Plan(games=4, rules=(Rule.RENJU, Rule.CARO), sizes=(5, 6)).settings()
    assert len({(game.rule, game.size) for game in square}) == 4


def test_random_openings_are_legal_and_end_no_game() -> None:
    for number in range(60):
        for size, rule in ((5, Rule.NINUKI), (6, Rule.RENJU), (20, Rule.FREESTYLE)):
            opening = random_opening(size, rule, random.Random(number))
            assert len(opening) <= 6
            GameSettings(size=size, rule=rule, opening=opening)


def test_selfplay_plays_its_plan_one_by_one_or_at_once() -> None:
    plan = Plan(games=3, rules=(Rule.FREESTYLE, Rule.CARO), sizes=(5, 6), turn_ms=TURN_MS)
    numbers: list[int] = []
    alone = play_plan(fake(), plan, on_record=lambda number, record: numbers.append(number))
    together = play_plan(fake(), plan, concurrency=2)
    assert numbers == [1, 2, 3]
    assert [r.summary() for r in alone] == [r.summary() for r in together]
    lines = "\n".join(summary_lines(alone))
    assert "games     3 (" in lines
    assert "forfeits  none" in lines
    assert "before its limit (game " in lines


def test_selfplay_counts_forfeits_and_says_so_by_its_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "games.jsonl"
    command = shlex.join(fake("crash", at=1))
    arguments = [command, "--games", "2", "--sizes", "5,7", "--rules", "0,ninuki"]
    assert main([*arguments, "--turn-ms", "5000", "--json", str(kept)]) == Exit.FORFEITED
    text = capsys.readouterr().out
    assert "forfeits  crash 2" in text
    records = [GameRecord.from_json(line) for line in kept.read_text().splitlines()]
    assert [(record.rule, record.size) for record in records] == [(0, 5), (16, 7)]


def test_the_fakes_use_nothing_of_the_project() -> None:
    assert "arena" not in SCRIPT.read_text()
