"""Tournaments: pairings, TOML files and their faults, real games."""

import argparse
import contextlib
import importlib
import json
import re
import shlex
from collections.abc import Callable
from errno import ENOSPC
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.engines.spec import EngineSpec
from arena.rules.referee import Rule
from arena.run.store import GameStore, read_store
from arena.tournament.arguments import anchor_argument
from arena.tournament.conditions import Conditions
from arena.tournament.file import plan_from, read_draft
from arena.tournament.presets import PRESETS
from arena.tournament.run import links_to
from arena.tournament.tournament import Kind, Plan, PlanError, jobs_of
from arena.util.exits import Exit
from tests.support.fakes import fake

# Plans


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


# Files

GOOD = """\
name = "Home cup"
preset = "standard"
games = 4
turn = "50ms"
openings = "none"

[[engine]]
name = "A"
command = "./brain.sh --fast 'two words'"
nodes = 5000
cwd = "."

[[engine]] # with more
name = "B"
command = ["./brain.sh"]
elo = 1500

[engine.info]
level = 3
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    brain = tmp_path / "brain.sh"
    brain.write_text("#!/bin/sh\n")
    brain.chmod(0o755)
    path = tmp_path / "cup.toml"
    path.write_text(GOOD)
    return path


def test_a_file_is_read(cup: Path) -> None:
    made = plan_from(read_draft(cup))
    brain = str(cup.with_name("brain.sh"))
    one, other = made.engines
    assert one.command == (brain, "--fast", "two words")
    assert (one.nodes, one.cwd) == (5000, str(cup.parent))
    assert (other.command, other.info) == ((brain,), (("level", "3"),))
    assert made.anchors == (("B", 1500.0),)
    assert (made.name, made.games, made.total) == ("Home cup", 4, 4)
    assert (made.settings.rule, made.settings.turn_ms) == (Rule.STANDARD, 50)
    assert made.manager.name == "gomocup"


@pytest.mark.parametrize(
    "old,new,words",
    [
        ("games = 4", "games = 4x", r"cup.toml, line 3, .*: expected TOML"),
        ("games = 4", "games = 0", r"line 3: games: 0: expected a whole number from 1"),
        ("games = 4", 'games = "4"', r"line 3: games: '4': expected a whole number"),
        ("games = 4", "games = true", r"line 3: games: True: expected a whole number"),
        ("games = 4", "gams = 4", r"line 3: gams: unknown key; known: .*games"),
        ('"50ms"', '"soon"', r"line 4: turn: 'soon': expected a time with its unit"),
        ('"50ms"', "50", r"line 4: turn: 50: expected a time with its unit"),
        ('"standard"', '"chess"', r"line 2: preset: 'chess': expected one of .*renju"),
        ('"none"', '"no.txt"', r"line 5: openings: .*no.txt: no such file"),
        ('"none"', '"cup.toml"', r"cup.toml: openings: .*cup.toml:1: "),
        ("games = 4", "rule = 3", r"line 3: rule: 3: expected a rule: freestyle"),
        ("games = 4", "like = 'x'", r"line 3: like: 'x': expected one of strict, piskvork"),
        ("games = 4", "memory = 'x'", r"line 3: memory: 'x': expected MiB"),
        ("games = 4", "kind = 'swiss'", r"line 3: kind: .*expected one of round-robin"),
        ("games = 4", "challenger = 'A'", r"line 3: challenger: only a gauntlet has one"),
        ("games = 4", "size = 4", r"line 3: size: 4: expected a whole number from 5 to 22"),
        ("5000", "0", r"line 10: engine 1, nodes: 0: expected a whole number from 1"),
        ('cwd = "."', 'cwd = "x"', r"line 11: engine 1, cwd: 'x': no such folder"),
        ('name = "B"', 'nam = "B"', r"line 13: engine 2, name: is missing: expected a text"),
        ('name = "B"', 'name = " "', r"line 14: engine 2, name: is empty"),
        ('name = "B"', 'name = "A"', r"cup.toml: engine: 'A' and 'A': expected different names"),
        ('["./brain.sh"]', '"./no.sh"', r"line 15: engine 2, command: .*no such file"),
        ('["./brain.sh"]', "[]", r"line 15: engine 2, command: is missing: expected a"),
        ('["./brain.sh"]', "\"./brain.sh '\"", r"line 15: engine 2, command: No closing quot"),
        ("1500", "'high'", r"line 16: engine 2, elo: 'high': expected a number"),
        ("1500", "inf", r"line 16: engine 2, elo: inf: expected a number"),
        ("level = 3", "level = [3]", r"line 18: engine 2, info: level = \[3\]: expected a text"),
        ("level = 3", "'a b' = 3", r"line 18: engine 2, info: .*expected KEY=VALUE"),
        ("[[engine]]", "[[engin]]", r"engine: .*: expected tables that begin with"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_told(cup: Path, old: str, new: str, words: str) -> None:
    assert old in GOOD
    cup.write_text(GOOD.replace(old, new))
    with pytest.raises(PlanError, match=words) as caught:
        plan_from(read_draft(cup))
    assert str(caught.value).startswith(str(cup))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"nothing.toml: cannot be read: No such file"):
        read_draft(tmp_path / "nothing.toml")
    with pytest.raises(PlanError, match="cannot be read: Is a directory"):
        read_draft(tmp_path)
    (tmp_path / "odd.toml").write_bytes(b"name = 'a'\nkind = '\xff'\n")
    with pytest.raises(PlanError, match=r"odd.toml, line 2: expected UTF-8"):
        read_draft(tmp_path / "odd.toml")


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(st.integers(0, len(GOOD) - 1), st.integers(0, 4), st.text("[]{}=\"'.,#-0\n é\0", max_size=3))
def test_a_damaged_file_is_read_or_refused(cup: Path, at: int, cut: int, added: str) -> None:
    cup.write_text(GOOD[:at] + added + GOOD[at + cut :], encoding="utf-8")
    with contextlib.suppress(PlanError):
        assert plan_from(read_draft(cup)).total > 0


def test_anchors_on_the_command_line() -> None:
    assert anchor_argument("rapfi=2100") == ("rapfi", 2100.0)
    assert anchor_argument("a=b = -12.5") == ("a=b", -12.5)
    for text in ("rapfi", "=5", "rapfi=", "rapfi=high", "rapfi=nan", "rapfi=1e9"):
        with pytest.raises(argparse.ArgumentTypeError, match="expected NAME=ELO"):
            anchor_argument(text)


# Games

# Unless somebody stops it, five in a row: against a brain that plays the first free squares the
# first player wins. The third brain crashes at its second move.
ROW = "/".join(f"{x},7" for x in range(3, 8))
BRAINS = {"row": fake(moves=ROW), "first": fake(), "crash": fake("crash", moves="9,9")}


def toml(*names: str, games: int = 2) -> str:
    lines = ['name = "Tiny cup"', f"games = {games}", 'turn = "9s"', 'openings = "none"']
    for name in names:
        lines += ["[[engine]]", f'name = "{name}"', f"command = {json.dumps(BRAINS[name])}"]
    return "\n".join(lines)


def call(command: str, *words: object) -> int:
    """Runs a command of the arena in this process."""
    module = importlib.import_module(f"arena.cli.{command}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    code: int = module.run(parser.parse_args([str(word) for word in words]))
    return code


def results(folder: Path) -> dict[tuple[str, str], tuple[str | None, str]]:
    records = [game.record for game in read_store(folder / "games.jsonl")]
    return {(r.black.name, r.white.name): (r.winner, r.reason.value) for r in records}


@pytest.mark.usefixtures("nothing_is_left")
def test_a_tiny_tournament(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, out = tmp_path / "cup.toml", tmp_path / "games"
    file.write_text(toml("row", "first"))
    assert call("tournament", file, "--out", out, "--concurrency", 2) == 0
    assert results(out) == {
        ("row", "first"): ("black", "five"),
        ("first", "row"): ("black", "five"),
    }
    before = (out / "games.jsonl").read_bytes()

    # The same folder again without --resume, and under other conditions.
    assert call("tournament", file, "--out", out) == 2
    assert "already has games" in capsys.readouterr().err
    assert call("tournament", file, "--out", out, "--resume", "--turn", "8s") == 2
    assert "turn_ms was 9000 and is now 8000" in capsys.readouterr().err

    # A page that cannot be written is reported before the first game.
    assert call("tournament", file, "--out", out, "--resume", "--page", file / "x.html") == 2
    assert f"--page: {file / 'x.html'}: " in capsys.readouterr().err

    # One more engine joins; the games of the others stay.
    file.write_text(toml("crash", "row", "first"))
    assert call("tournament", file, "--out", out, "--resume") == Exit.FORFEITED
    text = capsys.readouterr().out
    assert (out / "games.jsonl").read_bytes().startswith(before)
    found = results(out)
    assert len(found) == 6
    for (black, white), (winner, reason) in found.items():
        if "crash" in (black, white):
            assert (winner, reason) == ("white" if black == "crash" else "black", "crash")
    assert "2 of 6 games were played before" in text
    assert "black forfeits (crash)" in text
    page = (out / "index.html").read_text(encoding="utf-8")
    assert page.count('<details class="game"') == 6
    for kind in ("psq", "sgf"):
        assert len(list((out / kind).glob(f"*.{kind}"))) == 6
        links = re.findall(rf'href="([^"]*\.{kind})"', page)
        assert len(links) == 6 and all((out / link).is_file() for link in links)

    # --report plays nothing, and prints the same.
    (out / "index.html").unlink()
    assert call("tournament", file, "--out", out, "--report") == 0
    table = text[text.index(" # engine") : text.index("page ")]
    assert table in capsys.readouterr().out
    assert (out / "index.html").read_text(encoding="utf-8").count('<details class="game"') == 6
    assert call("tournament", file, "--out", tmp_path / "typo", "--report") == 2
    assert "--report: there are no games in" in capsys.readouterr().err
    assert not (tmp_path / "typo").exists()

    # While another run writes there, its conditions stay.
    kept = (out / "tournament.json").read_text()
    with GameStore(out / "games.jsonl"):
        assert call("tournament", file, "--out", out, "--resume") == 2
    assert "another run is writing" in capsys.readouterr().err
    assert (out / "tournament.json").read_text() == kept


@pytest.mark.usefixtures("nothing_is_left")
def test_games_of_another_command_are_not_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, cup, pair = tmp_path / "cup.toml", tmp_path / "cup", tmp_path / "pair"
    file.write_text(toml("row", "first"))
    pairing = [*(shlex.join(BRAINS[name]) for name in ("row", "first")), "--games", "1"]
    assert call("tournament", file, "--out", cup) == 0
    assert call("match", *pairing, "--out", pair) == 0
    kept = [(folder / "games.jsonl").read_bytes() for folder in (cup, pair)]
    capsys.readouterr()
    assert call("match", *pairing, "--out", cup, "--resume") == 2
    assert f"{cup} has the games of a tournament, not of a match" in capsys.readouterr().err
    for option in ("--resume", "--report"):
        assert call("tournament", file, "--out", pair, option) == 2
        assert f"{pair} has the games of a match, not of a tournament" in capsys.readouterr().err
    assert not (pair / "index.html").exists()
    assert [(folder / "games.jsonl").read_bytes() for folder in (cup, pair)] == kept
    assert not (cup / "match.json").exists() and not (pair / "tournament.json").exists()


@pytest.mark.usefixtures("nothing_is_left")
def test_a_full_disk_ends_a_tournament_as_a_breakdown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "cup.toml", tmp_path / "games"
    file.write_text(toml("row", "first"))
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if (out / "psq").exists():  # there was room for the first page and one line of a game
            raise OSError(ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert call("tournament", file, "--out", out) == Exit.BROKE_DOWN
    said = capsys.readouterr().err
    assert ".psq: No space left on device; --resume continues" in said and "--page" not in said


@pytest.mark.usefixtures("nothing_is_left")
@pytest.mark.parametrize("name", ["tournament.json", "index.html"])
def test_a_full_disk_is_no_wrong_argument(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, out = tmp_path / "cup.toml", tmp_path / "games"
    file.write_text(toml("row", "first"))
    write = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        if path.name == f"{name}.part":
            raise OSError(ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    assert call("tournament", file, "--out", out) == Exit.BROKE_DOWN
    assert "No space left on device; --resume continues" in capsys.readouterr().err


@pytest.mark.usefixtures("nothing_is_left")
def test_a_gauntlet_places_an_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "games"
    words = [f"{name}={shlex.join(command)}" for name, command in BRAINS.items()]
    options = ("--openings", "none", "--turn", "9s", "--out", out)
    code = call("gauntlet", *words, "--anchor", "first=1500", *options)
    assert code == Exit.FORFEITED
    assert set(results(out)) == {
        ("row", "first"), ("first", "row"), ("row", "crash"), ("crash", "row")
    }  # fmt: skip
    lines = capsys.readouterr().out.splitlines()
    (placed,) = [line.split() for line in lines if line.split()[1:2] == ["row"] and "%" in line]
    assert placed[2] == "1500"  # one game each with the anchor, whatever the third did
    (anchor,) = [line.split() for line in lines if line.split()[1:2] == ["first"] and "%" in line]
    assert anchor[2:4] == ["1500", "anchor"]
    assert call("gauntlet", *words, "--anchor", "row=1", *options, "--resume") == 2
    assert "row is the engine to rate" in capsys.readouterr().err
    assert call("gauntlet", *words, "--anchor", "nobody=1", *options, "--resume") == 2
    assert "anchor: unknown engine 'nobody'" in capsys.readouterr().err
    assert call("gauntlet", words[0], "/no/such/brain", *options) == 2
    assert "/no/such/brain: no such file" in capsys.readouterr().err


def test_a_gauntlet_against_a_file_takes_its_anchors(tmp_path: Path) -> None:
    from arena.cli import gauntlet

    file = tmp_path / "cup.toml"
    file.write_text(toml("row", "first", "crash") + "\nelo = 900")
    draft = gauntlet._draft(EngineSpec("first", ("brain",)), [str(file)])
    made = plan_from(draft)
    assert made.names == ("first", "row", "crash") and made.engines[0].command == ("brain",)
    assert made.challengers == ("first",) and dict(made.anchors) == {"crash": 900}
    assert {a.name for a, _ in made.meetings()} == {"first"}


def test_no_engine_of_a_tournament_is_told_another_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text(toml("row", "first") + "\ninfo = { rule = 4 }\n")
    assert call("tournament", file, "--out", tmp_path / "games") == Exit.USAGE
    assert "rule=4, but the games are played under rule 0 (freestyle)" in capsys.readouterr().err
    assert not (tmp_path / "games").exists()


@pytest.mark.usefixtures("nothing_is_left")
def test_names_with_control_characters_are_shown_escaped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "cup.toml", tmp_path / "games"
    text = toml("row", "first").replace('name = "row"', r'name = "r\u001b[31m\nw", elo = 1500')
    text = text.replace(", elo = 1500", "\nelo = 1500").replace("Tiny cup", r"Tiny\u0007cup")
    file.write_text(text)
    assert call("tournament", file, "--out", out) == 0
    shown = capsys.readouterr().out
    page = (out / "index.html").read_text(encoding="utf-8")
    for told in (shown, page):
        assert r"r\x1b[31m\nw" in told and "Tiny\\x07cup" in told
        assert "\x1b" not in told and "\x07" not in told
    assert "anchor" in shown
    for path in (*out.glob("psq/*"), *out.glob("sgf/*")):
        assert "\x1b" not in path.read_text()


def test_links_from_a_page_elsewhere(tmp_path: Path) -> None:
    games, page = tmp_path / "a b" / "games", tmp_path / "pages" / "cup.html"
    assert links_to(games, page, ["00001-A--B"]) == [
        ("../a%20b/games/psq/00001-A--B.psq", "../a%20b/games/sgf/00001-A--B.sgf")
    ]
