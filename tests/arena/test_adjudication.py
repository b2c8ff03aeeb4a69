"""Games that end early, clocks with increments, and limits of one engine."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli import match
from arena.engines.clock import Clock, Limits, TimeControl
from arena.engines.reports import read_thought
from arena.game.adjudication import Adjudication, DrawRule, ResignRule, points_of
from arena.game.game import GameSettings, play_brains, play_game
from arena.game.record import EndReason, GameRecord, MoveRecord, Side
from arena.rules.referee import Color
from arena.run.jobs import make_player
from arena.run.store import read_store
from arena.tournament.file import plan_from, read_draft
from arena.util.exits import Exit
from tests.support.fakes import fake
from tests.support.jobs import engine
from tests.support.matches import named, planned, run


def moves_of(*scores: str | None) -> list[MoveRecord]:
    """Returns moves with these reported scores, Black's first; `M5` and `-M5` are mates."""
    made = []
    for number, score in enumerate(scores):
        side: Side = "white" if number % 2 else "black"
        thought = read_thought([] if score is None else [f"MESSAGE ev {score}"])
        made.append(MoveRecord(number, 0, side, 1.0, 10.0, score=thought.score, mate=thought.mate))
    return made


CASES: list[tuple[Adjudication, list[str | None], Color | str | None]] = [
    (Adjudication(resign=ResignRule(2, 100)), ["100", "-100", "150", "-999"], Color.BLACK),
    (Adjudication(resign=ResignRule(2, 100)), ["-100", "100", "-150", "+999"], Color.WHITE),
    (Adjudication(resign=ResignRule(2, 100)), ["99", "-100", "150", "-999"], "goes on"),
    (Adjudication(resign=ResignRule(2, 100)), ["100", "100", "150", "-999"], "goes on"),
    (Adjudication(resign=ResignRule(2, 100)), ["100", None, "150", "-999"], "goes on"),
    (Adjudication(resign=ResignRule(2, 100)), ["100", "-100", "150"], "goes on"),
    (Adjudication(resign=ResignRule(2, 100)), ["100", "-100", "M9", "-M8"], Color.BLACK),
    (Adjudication(mates=True), ["-M8", "+M7"], Color.WHITE),
    (Adjudication(mates=True), ["M9", "M7"], "goes on"),
    (Adjudication(mates=True), ["9000", "-M8"], "goes on"),
    (Adjudication(draw=DrawRule(2, 10)), ["10", "-10", "0", "3"], None),
    (Adjudication(draw=DrawRule(2, 10)), ["11", "-10", "0", "3"], "goes on"),
    (Adjudication(draw=DrawRule(2, 10)), ["M3", "-10", "0", "3"], "goes on"),
    (Adjudication(draw=DrawRule(1, 10, start=5)), ["0", "0", "0", "3"], "goes on"),
    (Adjudication(draw=DrawRule(1, 10, start=4)), ["0", "0", "0", "3"], None),
    (Adjudication(max_moves=3), [None, None, None], None),
    (Adjudication(max_moves=4), [None, None, None], "goes on"),
    (Adjudication(), ["M3", "-M2"], "goes on"),
]


@pytest.mark.parametrize(("rules", "scores", "expected"), CASES)
def test_what_ends_a_game_early(
    rules: Adjudication, scores: list[str | None], expected: Color | str | None
) -> None:
    decision = rules.judge(moves_of(*scores), 0)
    assert ("goes on" if decision is None else decision.winner) == expected


def test_stones_of_the_opening_count() -> None:
    assert Adjudication(max_moves=4).judge(moves_of(None), 3) is not None
    assert Adjudication(draw=DrawRule(1, 0, start=6)).judge(moves_of("0", "0"), 4) is not None


SCORES = st.lists(
    st.one_of(st.none(), st.integers(-300, 300).map(str), st.sampled_from(["M5", "-M4"])),
    max_size=12,
)


@given(scores=SCORES, count=st.integers(1, 3), least=st.integers(1, 200))
def test_nobody_wins_against_a_report_of_the_other_side(
    scores: list[str | None], count: int, least: int
) -> None:
    moves = moves_of(*scores)
    decision = Adjudication(resign=ResignRule(count, least), mates=True).judge(moves, 0)
    if decision is None:
        return
    assert decision.winner is not None
    last = {move.color: points_of(move) for move in moves}
    won, lost = last[decision.winner.value], last[decision.winner.other.value]
    assert won is not None and lost is not None
    assert won >= least and lost <= -least


@pytest.mark.parametrize(
    ("message", "score", "mate"),
    [
        ("MESSAGE depth 5-8 ev 123 n 1.5M", "123", None),
        ("MESSAGE DEPTH 5-8 SCORE 29990 MATE 7 NODES 100", "29990", 7),
        ("MESSAGE DEPTH 5-8 SCORE -29990 MATE -6 NODES 100", "-29990", -6),
        ("MESSAGE depth 5 ev +M11", "+M11", 11),
        ("MESSAGE depth 5 ev -M12", "-M12", -12),
        ("MESSAGE checkmate is near", None, None),
    ],
)
def test_a_mate_is_read(message: str, score: str | None, mate: int | None) -> None:
    thought = read_thought(["MESSAGE depth 2 ev 3", message] if score else [message])
    assert (thought.score, thought.mate) == (score, mate)


def test_a_later_score_takes_a_mate_back() -> None:
    assert read_thought(["MESSAGE ev +M3", "MESSAGE ev 500"]).mate is None


def test_a_clock_with_increments_and_periods() -> None:
    clock = Clock.of(TimeControl(match_ms=1000, increment_ms=50, moves_to_go=2))
    left = []
    for _ in range(4):
        clock = clock.after(100)
        left.append(clock.time_left)
    assert left == [950, 1900, 1850, 2800]
    for wrong in ({"increment_ms": 5}, {"moves_to_go": 5}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))}: needs a limit for the game"):
            TimeControl(turn_ms=5, **wrong)


def test_an_engine_is_told_its_own_clock() -> None:
    settings = GameSettings(
        size=6, turn_ms=None, match_ms=40_000, increment_ms=30_000, adjudication=Adjudication(4)
    )
    black, white = (make_player(engine(name)) for name in "AB")
    lines: dict[str, list[str]] = {}
    limits = {Color.BLACK: Limits(turn_ms=9000, memory_mib=64)}
    record = play_game(
        black,
        white,
        settings,
        limits=limits,
        on_move=lambda *_: lines.update(A=black.last_lines, B=white.last_lines),
    )
    assert (record.reason, record.winner) == (EndReason.ADJUDICATED, None)
    assert "> INFO timeout_turn 9000" in lines["A"] and "> INFO timeout_match 0" in lines["A"]
    assert f"> INFO max_memory {64 << 20}" in lines["A"]
    assert "> INFO timeout_match 40000" in lines["B"] and "> INFO max_memory 0" in lines["B"]
    assert "> INFO time_increment 30000" in lines["B"]
    assert not any("time_increment" in line for line in lines["A"])
    left = [int(line.split()[-1]) for line in lines["B"] if "time_left" in line]
    assert left[-1] > 60_000 > 40_000 == left[0]
    assert {move.limit_ms for move in record.moves if move.color == "black"} == {9000}
    assert GameRecord.from_json(record.to_json()) == record
    assert record.black.limits == limits[Color.BLACK] and record.increment_ms == 30_000


def test_a_record_of_a_plain_game_has_no_new_fields() -> None:
    text = play_brains(fake(), fake(), GameSettings(size=6, turn_ms=60_000)).to_json()
    assert all(word not in text for word in ("limits", "increment", "moves_to_go", "mate"))


def test_a_match_is_adjudicated(
    in_here: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--size", "15", "--turn", "60s", "--games", "2", "--out", str(tmp_path / "m"))
    a, b = named("A", scores="5/800/900"), named("B", scores="-5/-800/-900")
    assert run(match, a, b, *words, "--resign", "2,700", "--openings", _empty(tmp_path)) == 0
    for game in read_store(tmp_path / "m" / "games.jsonl"):
        record = game.record
        assert record.reason is EndReason.ADJUDICATED and not record.is_forfeit
        assert record.winner == ("black" if record.black.name == "A" else "white")
        assert record.detail.endswith("ahead by 700 or more for 2 moves of each")
    assert "ends      adjudicated 2" in capsys.readouterr().out
    code = run(match, a, b, *words, "--resume", "--mates", "--openings", _empty(tmp_path))
    assert code == Exit.USAGE
    assert "adjudication was Adjudication(" in capsys.readouterr().err


def _empty(folder: Path) -> str:
    """An opening file of one stone."""
    path = folder / "one.txt"
    path.write_text("0,0\n")
    return str(path)


def test_the_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    plan = planned("--game", "1m", "--increment", "500ms", "--moves-to-go", "40", "--turn-b", "2s")
    assert "60 s for 40 moves + 0.5 s a move" in plan.title
    assert plan.settings.time_control.moves_to_go == 40
    assert (plan.first.limits, plan.second.limits) == (None, Limits(turn_ms=2000))
    assert plan.settings.under(plan.second.limits).time_control == TimeControl(2000, None, 1000)
    assert "turn_ms=2000" in plan.conditions()["engine B"]
    plan = planned("--nodes", "100", "--nodes-b", "50", "--depth-a", "3")
    assert plan.first.extra_info == (("max_depth", "3"), ("max_node", "100"))
    assert plan.second.extra_info == (("max_node", "50"),)
    plan = planned("--draw", "8,10,60", "--resign", "3,500", "--max-moves", "200", "--mates")
    rules = Adjudication(200, DrawRule(8, 10, 60), ResignRule(3, 500), True)
    assert plan.settings.adjudication == rules
    assert planned().settings.adjudication is None
    assert "adjudication" not in planned().conditions()
    for words, said in [
        (("--draw", "8"), "expected MOVES,SCORE"),
        (("--draw", "0,5"), "expected one move or more"),
        (("--resign", "2,0"), "expected a score of 1 or more"),
        (("--resign", "2,5,6"), "expected MOVES,SCORE"),
        (("--increment", "1s"), "increment_ms: needs a limit for the game"),
        (("--increment-a", "1s"), "A: increment_ms: needs a limit for the game"),
    ]:
        assert run(match, named("A"), named("B"), *words) == Exit.USAGE
        assert said in capsys.readouterr().err


def test_a_tournament_file_names_limits_and_adjudication(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(
        'game = "1m"\nincrement = "1s"\nresign = "4,900"\ndraw = "5,10"\nmates = true\n'
        'max_moves = 150\n[[engine]]\nname = "A"\ncommand = "true"\nturn = "50ms"\nmemory = 64\n'
        '[[engine]]\nname = "B"\ncommand = "true"\n'
    )
    plan = plan_from(read_draft(path))
    assert plan.settings.adjudication == Adjudication(
        150, DrawRule(5, 10), ResignRule(4, 900), True
    )
    assert plan.settings.increment_ms == 1000
    assert [one.limits for one in plan.engines] == [Limits(turn_ms=50, memory_mib=64), None]
    path.write_text(path.read_text().replace('"4,900"', '"4"'))
    with pytest.raises(ValueError, match="line 3: resign: '4': expected \"MOVES,SCORE\""):
        read_draft(path)
    path.write_text(
        path.read_text().replace('"4"', '"4,9"').replace('turn = "50ms"', "increment=1")
    )
    with pytest.raises(ValueError, match="increment: 1: expected 0, or a time"):
        read_draft(path)
