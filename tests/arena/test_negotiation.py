"""Openings between engines: choices by scores, SWAP2BOARD, faults, matches with opening rules."""

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from arena.cli import match, tournament
from arena.engines.managers import manager_profile
from arena.game.files import load_games
from arena.game.game import GameSettings
from arena.game.record import EndReason, GameRecord
from arena.match import run as match_run
from arena.openings.negotiation import Negotiated, OpeningFault, SearchAdviser, Verdict, negotiate
from arena.rules.opening_rules import Declare, Offer, Opening, OpeningRule, Option, Seat
from arena.rules.referee import Point, Rule
from arena.run.jobs import Job, make_player, paired_jobs, play_job
from arena.run.opening_play import OpeningPlay, default_think_ms, open_game
from arena.run.store import read_store
from arena.tournament.file import plan_from, read_draft
from arena.util.exits import Exit
from tests.support.jobs import engine
from tests.support.matches import named, planned, run

Value = Callable[[Sequence[Point]], int | None]
"""Returns the worth of a position for Black."""


@dataclass
class FakeJudge:
    """Scores positions by a function; plays the square nearest to the corner."""

    value: Value
    name: str = "judge"
    swaps: list[str] = field(default_factory=list)

    def judge(self, stones: Sequence[Point]) -> Verdict:
        value = self.value(stones)
        score = None if value is None else value if len(stones) % 2 == 0 else -value
        free = ((x, y) for x in range(15) for y in range(15))
        return Verdict(next(p for p in free if p not in stones), score)

    def swap2(self, stones: Sequence[Point]) -> str | None:
        return self.swaps.pop(0) if self.swaps else None


def adviser(value: Value, **keys: object) -> SearchAdviser:
    return SearchAdviser(FakeJudge(value, **keys))  # type: ignore[arg-type]


def made(rule: OpeningRule, value: Value, game: Rule = Rule.RENJU) -> tuple[Opening, str]:
    """Returns an opening of two advisers with the same judgement, and its log."""
    opening = Opening.begin(rule, game, 15)
    done = negotiate(opening, {Seat.FIRST: adviser(value), Seat.SECOND: adviser(value)})
    return done.opening, "\n".join(done.log)


def near_centre(stones: Sequence[Point]) -> int:
    """Scores stones near the centre, for both colours."""
    worth = [10 - abs(x - 7) - abs(y - 7) for x, y in stones]
    return sum(worth[::2]) - sum(worth[1::2])


@pytest.mark.parametrize("rule", OpeningRule)
def test_every_rule_comes_to_an_end(rule: OpeningRule) -> None:
    opening, log = made(rule, near_centre)
    assert opening.is_over and len(opening.stones) in (3, 5)
    assert log.count("\n") + 1 >= len(opening.stones)
    again, _ = made(rule, near_centre)
    assert again == opening


@pytest.mark.parametrize(("worth", "black"), [(50, Seat.SECOND), (-50, Seat.FIRST)])
@pytest.mark.parametrize("rule", [OpeningRule.SWAP, OpeningRule.RIF])
def test_the_better_color_is_taken(rule: OpeningRule, worth: int, black: Seat) -> None:
    opening, _ = made(rule, lambda _: worth)
    assert opening.black is black


class NearJudge(FakeJudge):
    """Plays the free square nearest to the centre."""

    def judge(self, stones: Sequence[Point]) -> Verdict:
        free = [(x, y) for x in range(15) for y in range(15) if (x, y) not in stones]
        nearest = min(free, key=lambda p: max(abs(p[0] - 7), abs(p[1] - 7)))
        return replace(super().judge(stones), move=nearest)


def test_an_engine_that_plays_too_near_gets_another_square() -> None:
    """Its move stands next to the centre; its best square outside counts instead."""
    opening = Opening.begin(OpeningRule.PRO, Rule.PENTE, 15)
    advisers = dict.fromkeys(Seat, SearchAdviser(NearJudge(near_centre)))
    x, y = negotiate(opening, advisers).opening.stones[2]
    assert max(abs(x - 7), abs(y - 7)) == 3


def test_the_third_stone_is_balanced() -> None:
    def value(stones: Sequence[Point]) -> int:
        x, y = stones[-1]
        return 3 if (x + y) % 2 else 500

    opening = Opening.begin(OpeningRule.RIF, Rule.RENJU, 15).answer((7, 7)).answer((7, 6))
    chosen = set()
    for seed in range(8):
        choice = SearchAdviser(FakeJudge(value), seed=seed).choose(opening)
        assert value((*opening.stones, choice)) == 3  # type: ignore[arg-type]
        chosen.add(choice)
    assert len(chosen) > 1, "other games begin otherwise"


def fifths(opening: Opening, value: Value) -> tuple[int, tuple[Point, ...]]:
    """Returns the declared number and the offers of Soosyrv-8 after the fourth stone."""
    number = adviser(value).choose(opening)
    assert isinstance(number, int)
    opening = opening.answer(number).answer(Option.STAY)
    offers = adviser(value).choose(opening)
    assert isinstance(offers, tuple)
    opening.answer(offers)
    return number, offers  # type: ignore[return-value]


def test_the_number_and_the_offers_go_by_rank() -> None:
    opening = Opening.begin(OpeningRule.SOOSYRV_8, Rule.RENJU, 15)
    for choice in ((7, 7), (7, 6), (8, 6), Option.STAY, (9, 9)):
        opening = opening.answer(choice)
    assert isinstance(opening.ask.step, Declare)
    best: dict[Point, int] = {(6, 6): 300, (6, 7): 200, (8, 8): 5, (9, 8): -90}

    def value(stones: Sequence[Point]) -> int:
        return best.get(stones[4], -400) if len(stones) == 5 else 0

    number, offers = fifths(opening, value)
    assert (number, offers) == (3, ((6, 6), (6, 7), (8, 8)))
    # White picks the worst move for Black.
    after = opening.answer(3).answer(Option.STAY).answer(offers)
    assert adviser(value).choose(after) == (8, 8)
    # With a losing offer Black swaps, with a winning one Black stays.
    assert adviser(value).choose(opening.answer(2)) is Option.STAY
    assert adviser(value).choose(opening.answer(4)) is Option.SWAP


def test_ten_moves_are_offered_if_the_tenth_is_good() -> None:
    opening = Opening.begin(OpeningRule.TARAGUCHI_10, Rule.RENJU, 15).answer((7, 7))
    for choice in (Option.STAY, (8, 8), Option.STAY, (9, 9), Option.STAY, (10, 8)):
        opening = opening.answer(choice)
    assert adviser(lambda _: 20).choose(opening) is Option.OFFER_TEN
    assert adviser(lambda _: -20).choose(opening) is Option.SWAP
    ten = opening.answer(Option.OFFER_TEN)
    assert isinstance(ten.ask.step, Offer)
    offers = adviser(lambda _: 20).choose(ten)
    assert isinstance(offers, tuple) and len(ten.answer(offers).offers) == 10


def test_an_engine_without_scores_is_named() -> None:
    mute = adviser(lambda _: None, name="mute")
    opening = Opening.begin(OpeningRule.SOOSYRV_8, Rule.RENJU, 15)
    done = negotiate(opening, {Seat.FIRST: mute, Seat.SECOND: mute})
    assert done.opening.is_over and done.opening.black is Seat.FIRST
    (note,) = mute.notes
    count = len(mute._scores)
    assert note == f"mute reported no score for {count} of {count} positions"


def test_positions_without_a_score_come_last() -> None:
    opening = Opening.begin(OpeningRule.RIF, Rule.RENJU, 15)
    for choice in ((7, 7), (7, 6), (8, 6), Option.STAY, (9, 9)):
        opening = opening.answer(choice)
    known: dict[Point, int] = {(6, 6): -300, (6, 7): -200, (8, 8): -500}
    some = adviser(lambda stones: known.get(stones[4]))
    assert some.choose(opening) == ((6, 7), (6, 6))
    assert some.choose(opening.answer(((10, 10), (6, 7)))) == (6, 7)
    assert len(some.notes) == 1 and " reported no score for 22 of 25 positions" in some.notes[0]


def test_swap2_by_swap2board() -> None:
    opening = Opening.begin(OpeningRule.SWAP2, Rule.STANDARD, 15)
    first = adviser(near_centre, swaps=["7,7 8,8 9,9", "SWAP"])
    second = adviser(near_centre, swaps=["0,0 1,1"])
    done = negotiate(opening, {Seat.FIRST: first, Seat.SECOND: second})
    assert done.opening.stones == ((7, 7), (8, 8), (9, 9), (0, 0), (1, 1))
    assert done.opening.black is Seat.SECOND
    second = adviser(near_centre, swaps=["10,10"])
    first = adviser(near_centre, swaps=["7,7 8,8 9,9"])
    done = negotiate(opening, {Seat.FIRST: first, Seat.SECOND: second})
    assert (len(done.opening.stones), done.opening.black) == (3, Seat.FIRST)
    for answer, said in [
        ("7,7 7,7 9,9", "has a stone|not empty|occupied"),
        ("7,7 8,8", "answer to SWAP2BOARD"),
        ("7,7 8,8 99,9", "expected it on the board"),
    ]:
        first = adviser(near_centre, swaps=[answer])
        with pytest.raises(OpeningFault, match=said):
            negotiate(opening, {Seat.FIRST: first, Seat.SECOND: second})


# With processes


def jobs(rule: OpeningRule, game: Rule) -> list[Job]:
    settings = GameSettings(size=9, rule=game, turn_ms=60_000)
    a, b = (engine(name, scores="5") for name in "AB")
    play = OpeningPlay(rule, 60_000)
    return list(paired_jobs(a, b, settings, [()], 2, opening_play=play))


@pytest.mark.parametrize(
    ("rule", "game"),
    [
        (OpeningRule.SOOSYRV_8, Rule.RENJU),
        (OpeningRule.TARAGUCHI_10, Rule.RENJU),
        (OpeningRule.SWAP2, Rule.CARO),
    ],
)
def test_a_game_begins_with_the_opening_that_was_made(rule: OpeningRule, game: Rule) -> None:
    job = jobs(rule, game)[0]
    record = play_job(job)
    assert record.opening_rule == rule and len(record.opening) in (3, 5)
    assert not record.is_forfeit, record.detail
    swaps = sum(line.endswith(": swap") for line in record.opening_log)
    assert record.black.name == ("B" if swaps % 2 else "A")
    assert {record.black.name, record.white.name} == {"A", "B"}
    assert GameRecord.from_json(record.to_json()) == record
    assert record.moves[0].color == ("white" if len(record.opening) % 2 else "black")


def test_swap2board_is_used_where_an_engine_knows_it() -> None:
    a = engine("A", swap2="1,1_2,3_5,1")
    settings = GameSettings(size=9, rule=Rule.FREESTYLE, turn_ms=60_000)
    play = OpeningPlay(OpeningRule.SWAP2, 60_000)
    stones = ("A: black 1,1", "A: white 2,3", "A: black 5,1")
    for b, last in [
        (engine("B", swap2="SWAP"), "B: swap"),
        (engine("B", scores="-5"), "B: swap"),
        (engine("B", scores="5"), "B: stay"),
    ]:
        (job,) = paired_jobs(a, b, settings, [()], 1, opening_play=play)
        record = play_job(job)
        assert record.opening == ((1, 1), (2, 3), (5, 1))
        assert record.opening_log == (*stones, last)
        assert record.black.name == ("B" if last == "B: swap" else "A")


@pytest.mark.parametrize("like", ["gomocup", "c-gomoku-cli"])
def test_openings_under_each_manager_profile(like: str) -> None:
    settings = GameSettings(size=9, rule=Rule.RENJU, turn_ms=60_000)
    a, b = (engine(name, scores="5") for name in "AB")
    play = OpeningPlay(OpeningRule.RIF, 60_000)
    (job,) = paired_jobs(
        a, b, settings, [()], 1, manager=manager_profile(like, suspend=False), opening_play=play
    )
    record = play_job(job)
    assert len(record.opening) == 5 and not record.is_forfeit, record.detail


def test_a_seed_makes_other_openings() -> None:
    settings = GameSettings(size=15, rule=Rule.FREESTYLE, turn_ms=60_000)
    a, b = (engine(name, scores="0") for name in "AB")
    stones = []
    for seed in (1, 1, 2):
        play = OpeningPlay(OpeningRule.SWAP, 60_000, seed)
        (job,) = paired_jobs(a, b, settings, [()], 1, opening_play=play)
        opened = open_game(
            play,
            {Seat.FIRST: job.black, Seat.SECOND: job.white},
            settings,
            make_player,
            manager=job.manager,
            pair=job.pair,
        )
        assert isinstance(opened, Negotiated)
        stones.append(opened.opening.stones)
    assert stones[0] == stones[1] != stones[2]


def test_a_fault_in_the_opening_loses_the_game() -> None:
    settings = GameSettings(size=15, rule=Rule.RENJU, turn_ms=60_000)
    play = OpeningPlay(OpeningRule.RIF, 60_000)
    sound, broken = engine("A", scores="5"), engine("B", "crash", at=1)
    for number, job in enumerate(paired_jobs(sound, broken, settings, [()], 2, opening_play=play)):
        record = play_job(job)
        assert record.reason is EndReason.CRASH and record.moves == ()
        loser = record.black if record.winner == "white" else record.white
        assert loser.name == "B"
        assert "forfeits in the opening (crash): ended its output: exit code 3" in record.detail
        assert len(record.opening) == (2 if number else 3)
        assert GameRecord.from_json(record.to_json()) == record


def test_a_match_with_an_opening_rule(
    in_here: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split("--games 2 --turn 60s --rule renju --size 9 --opening-rule rif")
    words += ["--out", str(tmp_path / "m")]
    a, b = named("A", scores="7"), named("B", scores="7")
    assert run(match, a, b, *words) == 0
    assert "openings: made by rif, 1000 ms a position, seed 1" in capsys.readouterr().out
    games = read_store(tmp_path / "m" / "games.jsonl")
    assert [len(game.record.opening) for game in games] == [5, 5]
    firsts = {game.record.opening_log[0].split(":")[0] for game in games}
    assert firsts == {"A", "B"}
    sgf = (tmp_path / "m" / "sgf" / "00000a.sgf").read_text()
    assert "RU[renju]ON[rif]" in sgf and load_games(tmp_path / "m" / "sgf" / "00000a.sgf")
    assert len({game.record.opening[:3] for game in games}) == 1, "a pair shares its seed"
    assert run(match, a, b, *words, "--resume", "--opening-time", "5s") == Exit.USAGE
    assert "opening_rule was OpeningPlay(" in capsys.readouterr().err


def test_the_arguments_of_opening_rules(capsys: pytest.CaptureFixture[str]) -> None:
    plan = planned("--opening-rule", "swap2", "--turn", "500ms")
    assert plan.opening_play == OpeningPlay(OpeningRule.SWAP2, 250)
    assert planned("--opening-rule", "swap", "--opening-time", "2s").opening_play == OpeningPlay(
        OpeningRule.SWAP, 2000
    )
    other = planned("--opening-rule", "swap", "--seed", "5").opening_play
    assert other == OpeningPlay(OpeningRule.SWAP, 500, 5)
    assert default_think_ms(GameSettings(turn_ms=10)) == 100
    assert default_think_ms(GameSettings(turn_ms=None, match_ms=100_000)) == 1000
    for words, said in [
        (("--opening-rule", "rif"), "rif belongs to renju: expected renju, not freestyle"),
        (("--opening-time", "1s"), "--opening-time: needs --opening-rule"),
        (("--opening-rule", "swap", "--openings", "x.txt"), "leave out --openings"),
        (("--opening-rule", "long-pro"), "invalid choice: 'long-pro'"),
    ]:
        assert run(match, named("A"), named("B"), *words) == Exit.USAGE
        assert said in capsys.readouterr().err


def test_a_tournament_with_an_opening_rule(
    in_here: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = vars(match_run)["open_executor"]
    monkeypatch.setattr("arena.tournament.run.open_executor", threads)
    path = tmp_path / "cup.toml"
    words = {name: named(name, scores="7").partition("=")[2] for name in "AB"}
    engines = "".join(f"[[engine]]\nname = {n!r}\ncommand = {w!r}\n" for n, w in words.items())
    head = 'rule = "renju"\nsize = 9\nturn = "60s"\nopening_rule = "taraguchi-10"\n'
    path.write_text(head + engines)
    assert run(tournament, str(path), "--out", str(tmp_path / "t")) == 0
    games = read_store(tmp_path / "t" / "games.jsonl")
    assert len(games) == 2 and all(len(game.record.opening) == 5 for game in games)
    assert {game.record.opening_rule for game in games} == {"taraguchi-10"}
    page = (tmp_path / "t" / "index.html").read_text()
    assert "opening by taraguchi-10: " in page and "made by taraguchi-10, 1000 ms" in page
    plan = plan_from(read_draft(path))
    assert plan.opening_play == OpeningPlay(OpeningRule.TARAGUCHI_10, 1000)
    for wrong, said in [
        ('openings = "none"\n', "the engines make the openings: leave out --openings"),
        ('opening_time = "never"\n', "opening_time: 'never': expected a time with its unit"),
    ]:
        path.write_text(head + wrong + engines)
        with pytest.raises(ValueError, match=re.escape(said)):
            plan_from(read_draft(path))
    path.write_text(head.replace("renju", "caro") + engines)
    with pytest.raises(ValueError, match="taraguchi-10 belongs to renju: expected renju, not caro"):
        plan_from(read_draft(path))
