"""Tournaments: real games, their page, --resume and full disks."""

import argparse
import importlib
import json
import re
import shlex
from errno import ENOSPC
from pathlib import Path

import pytest

from arena.engines.spec import EngineSpec
from arena.run.store import GameStore, read_store
from arena.tournament.file import plan_from
from arena.tournament.run import links_to
from arena.util.exits import Exit
from tests.support.fakes import fake

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
