"""Plans of tournaments: pairings, presets and conditions."""

from collections.abc import Callable

import pytest

from arena.engines.spec import EngineSpec
from arena.rules.referee import Rule
from arena.tournament.conditions import Conditions
from arena.tournament.presets import PRESETS
from arena.tournament.tournament import Kind, Plan, PlanError, jobs_of


def engines(*names: str) -> tuple[EngineSpec, ...]:
    return tuple(EngineSpec(name, ("brain",)) for name in names)


def plan(
    *names: str, games: int = 2, kind: Kind = Kind.ROUND_ROBIN, who: tuple[str, ...] = ()
) -> Plan:
    free = Conditions().settings()
    some = [((7, 7),), ((7, 8),), ((8, 8),)]
    return Plan("cup", engines(*names), free, some, games, kind, who)


def test_a_round_robin_goes_round_by_openings() -> None:
    jobs = list(jobs_of(plan("A", "B", "C", games=3)))
    pairs = [(job.black.name + job.white.name, job.settings.opening[0]) for job in jobs]
    first, second = (7, 7), (7, 8)
    assert pairs == [
        *(("AB", first), ("BA", first), ("AC", first), ("CA", first), ("BC", first), ("CB", first)),
        *(("AB", second), ("AC", second), ("BC", second)),
    ]
    assert len({job.id for job in jobs}) == 9 == plan("A", "B", "C", games=3).total


def test_a_game_keeps_its_id_when_engines_are_added_or_moved() -> None:
    before = {job.id for job in jobs_of(plan("A", "B"))}
    assert before < {job.id for job in jobs_of(plan("new", "B", "A", games=4))}


def test_long_names_fit_into_the_name_of_a_file() -> None:
    long = [word * 60 for word in ("名", "字", "é", "x")]
    jobs = list(jobs_of(plan(*long)))
    assert len({job.id for job in jobs}) == len(jobs)
    assert max(len(f"{job.id}.psq.part".encode()) for job in jobs) <= 255


def test_in_a_gauntlet_only_challengers_meet_the_others() -> None:
    met = {j.black.name + j.white.name for j in jobs_of(plan("A", "B", "C", kind=Kind.GAUNTLET))}
    assert met == {"AB", "BA", "AC", "CA"}
    two = plan("A", "B", "C", kind=Kind.GAUNTLET, who=("C", "A"))
    assert [(a.name, b.name) for a, b in two.meetings()] == [("A", "B"), ("C", "B")]


@pytest.mark.parametrize(
    "make,words",
    [
        (lambda: plan("A"), "two or more"),
        (lambda: plan("A", "A"), "different names"),
        (lambda: plan("A b", "A/b"), "different names"),
        (lambda: plan("A", "B", games=0), "games: 0"),
        (lambda: plan("A", "B", who=("C",)), "challenger: unknown engine 'C'"),
        (
            lambda: plan("A", "B", kind=Kind.GAUNTLET, who=("A", "B")),
            "expected at least one opponent",
        ),
    ],
)
def test_plans_that_cannot_be(make: Callable[[], Plan], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        make()


def test_presets_are_gomocups() -> None:
    told = {
        name: (p.size, int(p.rule), p.turn_ms, p.match_ms, p.memory_mib, p.tolerance_ms)
        for name, p in PRESETS.items()
    }
    assert told == {
        "freestyle20": (20, 0, 30_000, 180_000, 350, 1000),
        "freestyle15": (15, 0, 30_000, 180_000, 350, 1000),
        "fastgame": (20, 0, 5_000, 120_000, 350, 1000),
        "standard": (15, 1, 30_000, 180_000, 350, 1000),
        "renju": (15, 4, 300_000, 1_000_000, 350, 1000),
        "caro": (15, 8, 300_000, 1_000_000, 350, 1000),
        "caro9": (15, 9, 300_000, 1_000_000, 350, 1000),
        "ninuki": (19, 16, 30_000, 180_000, 350, 1000),
        "pente": (19, 32, 30_000, 180_000, 350, 1000),
        "keryo": (19, 64, 30_000, 180_000, 350, 1000),
    }
    for name in PRESETS:
        conditions = Conditions(preset=name, openings="none").with_preset()
        assert conditions.settings().rule is PRESETS[name].rule
        assert conditions.manager().name == PRESETS[name].like


def test_who_says_later_outranks_the_preset() -> None:
    file = Conditions(preset="renju", turn_ms=500, memory_mib=0)
    line = Conditions(preset="ninuki", size=15)
    merged = line.over(file).with_preset()
    made = merged.settings()
    assert (made.size, made.rule, made.turn_ms) == (15, Rule.NINUKI, 500)
    assert (made.match_ms, made.memory_mib, made.tolerance_ms) == (180_000, 0, 1000)


def test_conditions_without_a_word_have_sensible_values() -> None:
    free = (EngineSpec("A", ("x",), nodes=5), EngineSpec("B", ("x",), depth=3))
    assert Conditions().settings().turn_ms == 1000
    assert Conditions().settings(free).turn_ms == 60_000
    assert Conditions(match_ms=9000).settings().turn_ms is None
    assert Conditions(rule=Rule.NINUKI).settings().size == 19
    assert Conditions(like="piskvork").settings().tolerance_ms == 1000
