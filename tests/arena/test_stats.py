"""Statistics of matches, compared with published values of fishtest and fastchess."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.likelihood import llr_of_mean, llr_of_t_value
from arena.stats.sprt import Elo, EloModel, Pentanomial, Score, Sprt, SprtResult, elo_of, score_of

LOGISTIC, NORMALIZED = EloModel.LOGISTIC, EloModel.NORMALIZED
ALL_WON_PAIRS = Pentanomial(0, 0, 0, 0, 5550)

# github.com/Disservin/fastchess, app/tests/sprt_test.cpp: there with a tolerance of 1 %; its order
# of single games is wins, losses, draws, and of pairs LL, LD, WL, DD, WD, WW.
FASTCHESS_SPRT = [
    (Score(36433, 68692, 36027), 0, 2, NORMALIZED, 0.92),
    (Score(10871, 20431, 10650), -1.75, 0.25, NORMALIZED, 2.30),
    (Score(4250, 0, 0), 0, 10, NORMALIZED, 120.56),
    (Score(21404, 40708, 21184), 0.5, 2.5, LOGISTIC, -1.57),
    (Score(57433, 106593, 57030), 0, 2, LOGISTIC, -2.59),
    (Pentanomial(365, 16618, 36029 + 200, 16974, 390), 0, 2, NORMALIZED, 2.25),
    (Pentanomial(127, 4883, 10311 + 401, 5150, 104), -1.75, 0.25, NORMALIZED, 3.01),
    (ALL_WON_PAIRS, 0, 5, NORMALIZED, 111.82),
    (Pentanomial(223, 9863, 20279 + 1000, 10037, 246), 0.5, 2.5, LOGISTIC, -3.07),
    (Pentanomial(871, 26175, 55003 + 980, 26678, 821), 0, 2, LOGISTIC, -4.98),
]

# Tests of fishtest, quoted in pull requests of github.com/official-stockfish/Stockfish: the number,
# Ptnml(0-2), and the bounds, {logistic} or <normalized>.
FISHTEST_SPRT = [
    (3209, (253, 4282, 17604, 4431, 286), -0.25, 1.25, LOGISTIC, 2.94),
    (3209, (58, 3302, 33130, 3518, 84), 0.25, 1.25, LOGISTIC, 2.97),
    (3098, (491, 7345, 29693, 7670, 465), -0.25, 1.25, LOGISTIC, 2.96),
    (2971, (17, 253, 1042, 337, 39), -0.5, 1.5, LOGISTIC, 2.96),
    (2971, (11, 407, 3238, 513, 11), 0.25, 1.75, LOGISTIC, 2.93),
    (3331, (115, 2196, 11328, 2317, 136), -0.25, 1.25, LOGISTIC, 2.94),
    (5712, (831, 31795, 68460, 32448, 834), 0, 2, NORMALIZED, 2.93),
    (5712, (307, 54901, 140959, 56230, 281), 0.5, 2.5, NORMALIZED, 2.95),
    (4194, (371, 10263, 24989, 10642, 379), 0, 2, NORMALIZED, 2.95),
    (4194, (47, 8181, 25234, 8575, 47), 0.5, 2.5, NORMALIZED, 2.94),
]

# github.com/Disservin/fastchess, app/tests/elo_test.cpp: normalized Elo and its error, Elo and its
# error, and the likelihood of superiority in %; None where it is not given.
FASTCHESS_ELO = [
    (Score(76, 123, 89), -20.76, 40.13, None, None, 15.53),
    (Score(136, 111, 96), 49.77, 36.77, 40.70, 30.43, 99.60),
    (Score(34, 0, 356), -508.44, 34.48, None, None, None),
    (Pentanomial(34, 54, 31 + 32, 64, 75), 57.94, 28.28, 55.58, 27.65, 100.00),
    (Pentanomial(332, 433, 457 + 41, 333, 334), -9.17, 10.96, -8.64, 10.33, 5.05),
    (Pentanomial(7895, 8757, 5485 + 200, 568, 9999), -19.01, 2.65, -21.04, 2.95, None),
]

# An ablation study of agents in "Advanced Game Search Algorithms (2)": bounds 0 and 50 Elo, no
# draws.
AGENTS = [
    (Score(222, 0, 211), -2.885, SprtResult.GOES_ON),
    (Score(222, 0, 212), -3.040, SprtResult.H0),
    (Score(25, 0, 2), 3.031, SprtResult.H1),
    (Score(41, 0, 16), 3.010, SprtResult.H1),
    (Score(43, 0, 18), 2.968, SprtResult.H1),
    (Score(186, 0, 180), -2.914, SprtResult.GOES_ON),
    (Score(23, 0, 0), 3.073, SprtResult.H1),
]

NUMBERS = st.integers(0, 5000)
COUNTS: st.SearchStrategy[Score | Pentanomial] = st.one_of(
    st.builds(Score, NUMBERS, NUMBERS, NUMBERS),
    st.builds(Pentanomial, NUMBERS, NUMBERS, NUMBERS, NUMBERS, NUMBERS),
).filter(lambda counts: counts.samples > 0)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "model", "llr"), FASTCHESS_SPRT)
def test_llr_is_that_of_fastchess(
    counts: Score | Pentanomial, elo0: float, elo1: float, model: EloModel, llr: float
) -> None:
    assert Sprt(elo0, elo1, model=model).llr(counts) == pytest.approx(llr, rel=1e-3, abs=0.005)


@pytest.mark.parametrize(("pull", "counts", "elo0", "elo1", "model", "llr"), FISHTEST_SPRT)
def test_llr_is_that_of_fishtest(
    pull: int,
    counts: tuple[int, int, int, int, int],
    elo0: float,
    elo1: float,
    model: EloModel,
    llr: float,
) -> None:
    found = Sprt(elo0, elo1, model=model).llr(Pentanomial(*counts))
    assert found == pytest.approx(llr, abs=0.0051), pull


@pytest.mark.parametrize(("score", "llr", "result"), AGENTS)
def test_llr_is_that_of_a_study_of_agents(score: Score, llr: float, result: SprtResult) -> None:
    state = Sprt(0, 50).state(score)
    assert state.llr == pytest.approx(llr, abs=0.0006)
    assert (round(state.lower, 3), round(state.upper, 3)) == (-2.944, 2.944)
    assert state.result is result


@pytest.mark.parametrize(("counts", "nelo", "nerror", "elo", "error", "los"), FASTCHESS_ELO)
def test_elo_is_that_of_fastchess(
    counts: Score | Pentanomial,
    nelo: float,
    nerror: float,
    elo: float | None,
    error: float | None,
    los: float | None,
) -> None:
    normalized, logistic = counts.normalized_elo(), counts.elo()
    assert normalized.value == pytest.approx(nelo, abs=0.006)
    assert normalized.error == pytest.approx(nerror, abs=0.006)
    if elo is not None:
        assert logistic.value == pytest.approx(elo, abs=0.006)
        assert logistic.error == pytest.approx(error, abs=0.006)
    if los is not None:
        assert counts.los() * 100 == pytest.approx(los, abs=0.006)


def test_the_bounds_are_where_they_should_be() -> None:
    lower, upper = Sprt(0, 5, 0.05, 0.05).bounds
    assert (round(lower, 3), round(upper, 3)) == (-2.944, 2.944)
    lower, upper = Sprt(0, 5, 0.05, 0.10).bounds
    assert (round(lower, 3), round(upper, 3)) == (-2.251, 2.890)
    assert str(Sprt(0, 50).state(Score(25, 0, 2))) == "LLR +3.031 [-2.944, +2.944] H1 accepted"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"elo0": 5, "elo1": 5}, "elo0, elo1: 5 is not less than 5"),
        ({"elo0": 6, "elo1": 5}, "elo0, elo1"),
        ({"elo0": 0, "elo1": math.nan}, "elo1: nan is not a finite number"),
        ({"elo0": 0, "elo1": 5, "alpha": 0}, "alpha: 0 is not between"),
        ({"elo0": 0, "elo1": 5, "beta": 0.5}, "beta: 0.5 is not between"),
        ({"elo0": 0, "elo1": 9000}, "must be from -2000"),
    ],
)
def test_what_makes_no_test_is_refused(values: dict[str, float], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        Sprt(**values)  # type: ignore[arg-type]


@given(COUNTS, st.floats(-400, 400), st.floats(1, 400), st.sampled_from(EloModel))
def test_mirrored_results_mirror_the_llr(
    counts: Score | Pentanomial, elo0: float, width: float, model: EloModel
) -> None:
    mirrored = type(counts)(*reversed([getattr(counts, name) for name in fields(counts)]))
    here = Sprt(elo0, elo0 + width, model=model).llr(counts)
    there = Sprt(-elo0 - width, -elo0, model=model).llr(mirrored)
    assert here == pytest.approx(-there, rel=1e-6, abs=1e-6)
    assert counts.elo().value == pytest.approx(-mirrored.elo().value, rel=1e-9, abs=1e-9)
    assert counts.los() == pytest.approx(1 - mirrored.los(), abs=1e-12)


def fields(counts: Score | Pentanomial) -> tuple[str, ...]:
    """The names of the counts, from one end to the other."""
    return tuple(type(counts).__dataclass_fields__)


@given(COUNTS, st.floats(-20, 20), st.floats(1, 20))
def test_llr_is_a_real_ratio_of_likelihoods(
    counts: Score | Pentanomial, elo0: float, width: float
) -> None:
    # Hypotheses for which the score is at either end: the observed one is the likeliest.
    scores, shares, _ = counts.distribution()
    mean = sum(score * share for score, share in zip(scores, shares, strict=True))
    away = mean + 0.05 if mean < 0.5 else mean - 0.05
    assert llr_of_mean(scores, shares, away, mean) > 0
    low, high = Sprt(elo0, elo0 + width), Sprt(elo0 + width, elo0 + 2 * width)
    whole = Sprt(elo0, elo0 + 2 * width)
    assert whole.llr(counts) == pytest.approx(low.llr(counts) + high.llr(counts), abs=1e-6)
    assert llr_of_t_value(scores, shares, 0.01, 0.01) == pytest.approx(0, abs=1e-9)


def test_without_draws_the_llr_is_that_of_coin_tosses() -> None:
    p0, p1 = score_of(0), score_of(30)
    tosses = 70 * math.log(p1 / p0) + 50 * math.log((1 - p1) / (1 - p0))
    assert Sprt(0, 30).llr(Score(70, 0, 50)) == pytest.approx(tosses, abs=1e-4)


def test_the_error_of_elo_is_that_of_a_share() -> None:
    elo = Score(60, 0, 40).elo()
    # 60 % of 100, as any table of intervals has it (normal approximation).
    low, high = 0.503982, 0.696018
    assert elo.error == pytest.approx((elo_of(high) - elo_of(low)) / 2, abs=1e-3)
    assert elo.value == pytest.approx(70.44, abs=0.005)


def test_elo_and_score_are_inverse() -> None:
    assert score_of(0) == 0.5
    assert elo_of(score_of(123.4)) == pytest.approx(123.4)
    assert (elo_of(0.0), elo_of(1.0)) == (-math.inf, math.inf)


def test_no_game_and_one_sided_games_break_nothing() -> None:
    for nothing in (Score(), Pentanomial()):
        assert math.isnan(nothing.elo().value)
        assert str(nothing.normalized_elo()) == "not enough games"
        assert (nothing.los(), nothing.score) == (0.5, 0.5)
        assert Sprt(0, 5).state(nothing).llr == 0
    assert str(Score(5, 0, 0).elo()) == "every game won"
    assert str(Score(0, 0, 5).normalized_elo()) == "every game lost"
    assert Score(5, 0, 0).los() == 1
    assert Score(0, 0, 5).normalized_elo() == Elo(-math.inf, math.inf)
    assert Score(0, 9, 0).elo() == Elo(0, 0)
    # One pair, only draws, no games: no figure is better than one without meaning.
    for few in (Score(1, 0, 1), Score(0, 2, 0), Pentanomial(0, 0, 1, 0, 0), Score()):
        assert str(few.elo()) == "not enough games" and not few.elo().is_known
    assert Score(0, 9, 0).los() == 0.5
    assert Sprt(0, 5).llr(Score(0, 9, 0)) < 0 < Sprt(0, 5).llr(Score(9, 0, 0))


def test_pairs_and_games_are_counted() -> None:
    pairs = Pentanomial.of([(1, 1), (0, 0), (1, 0), (0.5, 0.5), (0, 0.5), (1, 0.5), (0.5, 1)])
    assert pairs == Pentanomial(ll=1, ld=1, wl_or_dd=2, wd=2, ww=1)
    assert (pairs.games, pairs.samples, str(pairs)) == (14, 7, "[1 1 2 2 1]")
    score = Score.of([1, 0, 0.5, 1])
    assert (score.wins, score.draws, score.losses, score.points) == (2, 1, 1, 2.5)
    assert str(score) == "+2 =1 -1"


def decide(true_elo: float, test: Sprt, draw: random.Random) -> SprtResult:
    """Plays coin-toss pairs until the test decides."""
    p = score_of(true_elo)
    counts = [0] * 5
    while True:
        for _ in range(5):
            counts[2 * ((draw.random() < p) + (draw.random() < p))] += 1
        state = test.state(Pentanomial(*counts))
        if state.result is not SprtResult.GOES_ON:
            return state.result


def test_the_test_errs_about_as_seldom_as_it_says() -> None:
    draw = random.Random(1)
    test = Sprt(0, 60, 0.05, 0.05)
    false_h1 = sum(decide(0, test, draw) is SprtResult.H1 for _ in range(120))
    false_h0 = sum(decide(60, test, draw) is SprtResult.H0 for _ in range(120))
    # 5 % of 120 are 6; more than 16 come by chance less than once in 10,000 times.
    assert false_h1 <= 16
    assert false_h0 <= 16
