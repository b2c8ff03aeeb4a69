"""The page of a tournament has every game, is well formed, and loads nothing from outside."""

import base64
import json
import random
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.game.record import EndReason, GameRecord, MoveRecord, PlayerRecord, Side
from arena.page import Report, modules, render_page, write_page
from arena.page.charts import axis_ticks
from arena.page.evaluations import chances_of, evaluation_graph
from arena.page.replay import final_stones, steps_of, winning_line
from arena.rules.referee import Color, Point, Position, Rule
from arena.stats.standings import table_of
from records.squares import renju_name_of
from records.winrate import CURVES

VOID = {"meta", "link", "input", "br"}
PLAYERS = ["Tengen & Co", 'a "quoted" <b>name</b>', "</script><script>alert(1)"]


class Page(HTMLParser):
    """Reads a page into a list of elements; fails if tags do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[dict[str, Any]] = []
        self.elements: list[dict[str, Any]] = []
        self.feed(text)
        self.close()
        assert self.open == [], "elements are left open"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        parents = [element["tag"] for element in self.open]
        inside = next((e for e in reversed(self.open) if e["tag"] == "details"), None)
        element = {"tag": tag, "attrs": dict(attrs), "text": "", "in": parents, "game": inside}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1]["tag"] == tag, f"</{tag}> closes <{self.open[-1]['tag']}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        for element in self.open:
            element["text"] += data

    def find(self, tag: str, kind: str = "", game: dict[str, Any] | None = None) -> list[Any]:
        """Returns the elements of a tag and a class, all or those inside one game."""
        return [
            element
            for element in self.elements
            if element["tag"] == tag
            and kind in ["", *(element["attrs"].get("class") or "").split()]
            and (game is None or element["game"] is game)
        ]


def random_record(rule: Rule, size: int, seed: int, most: int = 60) -> GameRecord:
    """Returns a game of random moves near the centre, with captures if the rule has them."""
    draw = random.Random(seed)
    position = Position(size=size, rule=rule)
    moves: list[MoveRecord] = []
    opening: list[Point] = []
    middle = [(x, y) for x in range(4, size - 4) for y in range(4, size - 4)]
    while not position.is_over and len(moves) < most:
        color = position.to_move
        move = next((m for m in draw.sample(middle, len(middle)) if position.legal(m)), None)
        if move is None:
            break
        taken = tuple(position.play(move).captured)
        if len(opening) < 3:
            opening.append(move)
        else:
            number = len(moves)
            made = MoveRecord(*move, color=color.value, ms=12.5, limit_ms=1e3, captured=taken)
            if number % 3:
                made = replace(made, depth=number % 9, nodes=1000 * number, score="+M3")
            moves.append(made)
    winner = position.winner
    names = draw.sample(PLAYERS, 2)
    return GameRecord(
        black=PlayerRecord(names[0], notes=("exits with code 5 <&>",)),
        white=PlayerRecord(names[1]),
        size=size,
        rule=int(rule),
        turn_ms=1000,
        match_ms=None,
        memory_mib=0,
        tolerance_ms=0,
        opening=tuple(opening),
        moves=tuple(moves),
        winner=None if winner is None else winner.value,
        reason=EndReason(position.reason.value) if position.reason else EndReason.BOARD_FULL,
        detail="as it <came>",
        captures=position.captures,
    )


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    games = [random_record(rule, 15, seed) for seed, rule in enumerate(Rule)]
    games += [random_record(Rule.NINUKI, 19, seed) for seed in range(5)]
    lost = replace(
        games[0], winner="white", reason=EndReason.CRASH, lines=("> TURN 1,1", "! </pre>", "< x")
    )
    nothing = replace(lost, opening=(), moves=(), black=replace(lost.black, name=PLAYERS[2]))
    return [*games, lost, replace(nothing, white=replace(lost.white, name=PLAYERS[1]))]


@pytest.fixture(scope="module")
def html(records: list[GameRecord]) -> str:
    table = table_of(PLAYERS, records)
    return render_page(Report("Cup <i>of</i> $title & all", table, tuple(records)))


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def data_of(page: Page, game: dict[str, Any]) -> dict[str, Any]:
    """Returns the JSON of a game for the viewer."""
    (script,) = page.find("script", game=game)
    assert script["attrs"]["type"] == "application/json"
    values: dict[str, Any] = json.loads(script["text"])
    return values


def test_every_game_is_there_with_what_its_board_needs(
    page: Page, records: list[GameRecord]
) -> None:
    cards = page.find("details", "game")
    assert [card["attrs"]["id"] for card in cards] == [f"g{i + 1}" for i in range(len(records))]
    for card, record in zip(cards, records, strict=True):
        told = data_of(page, card)
        assert told["size"] == record.size
        assert [tuple(move[:2]) for move in told["moves"]] == [s.point for s in steps_of(record)]
        # without JavaScript the moves are text
        (plain,) = page.find("noscript", game=card)
        names = [renju_name_of(step.point, record.size) for step in steps_of(record)]
        assert plain["text"].split() == names


def test_the_moves_tell_time_depth_and_score(page: Page, records: list[GameRecord]) -> None:
    for card, record in zip(page.find("details", "game"), records, strict=True):
        moves = data_of(page, card)["moves"]
        assert [len(move) for move in moves[: len(record.opening)]] == [4] * len(record.opening)
        told = [move[4:] for move in moves[len(record.opening) :]]
        assert told == [[round(m.ms), m.depth, m.score, m.nodes] for m in record.moves]


def test_captures_replay_to_the_referees_position(page: Page, records: list[GameRecord]) -> None:
    taken = 0
    for card, record in zip(page.find("details", "game"), records, strict=True):
        position = Position(size=record.size, rule=Rule(record.rule))
        stones: dict[Point, Color] = {}
        for x, y, color, captured, *_ in data_of(page, card)["moves"]:
            position.play((x, y))
            stones[x, y] = list(Color)[color]
            for square in captured:
                del stones[tuple(square)]
            taken += len(captured)
            assert stones == position.stones
        if Rule(record.rule).has_captures:
            pairs = [
                int(e["text"]) for e in page.find("b", game=card) if "data-captures" in e["attrs"]
            ]
            assert pairs == list(position.captures)
    assert taken > 10, "the games of this test capture something"


def test_captures_of_the_opening_are_replayed() -> None:
    opening: tuple[Point, ...] = ((7, 7), (8, 7), (0, 0), (9, 7), (10, 7))
    record = replace(random_record(Rule.NINUKI, 15, 1), opening=opening, moves=())
    assert steps_of(record)[-1].captured == ((8, 7), (9, 7))
    assert set(final_stones(steps_of(record))) == {(7, 7), (0, 0), (10, 7)}


def test_the_line_that_won_is_marked() -> None:
    row = [(x, 7) for x in range(3, 8)]
    squares = [square for x, y in row for square in ((x, y), (x, y + 3))][:-1]
    colors: list[Side] = ["black", "white"] * 5
    moves = tuple(
        MoveRecord(*square, color=color, ms=1.0, limit_ms=9.0)
        for square, color in zip([*squares, (0, 0)], colors, strict=True)
    )
    base = replace(random_record(Rule.FREESTYLE, 15, 3, most=0), winner="black")
    won = replace(base, moves=moves[:-1], reason=EndReason.FIVE)
    assert winning_line(won, steps_of(won)) == row
    lost = replace(won, reason=EndReason.TIME)
    assert winning_line(lost, steps_of(lost)) == []
    # A five that stood while the opponent failed to break it is found without the last move.
    pending = replace(base, moves=moves, reason=EndReason.FIVE_NOT_BROKEN)
    assert winning_line(pending, steps_of(pending)) == row


def test_nothing_comes_from_outside(page: Page, html: str) -> None:
    for element in page.elements:
        for name, value in element["attrs"].items():
            if name in ("src", "href", "xlink:href", "action", "data", "srcset", "poster"):
                assert re.match(r"#|data:", value or ""), f"<{element['tag']} {name}={value!r}>"
            assert not re.search(r"\bon\w+", name), "handlers stand in the script"
        assert element["tag"] not in ("iframe", "object", "embed", "base", "img")
    ids = {element["attrs"]["id"] for element in page.elements if "id" in element["attrs"]}
    for place in re.findall(r"url\(([^)]*)\)", html):
        assert place[0] == "#" and place[1:] in ids
    for word in ("http://", "https://", "@import", "fetch(", "XMLHttpRequest", "import("):
        assert word not in html
    (policy,) = [e for e in page.find("meta") if "http-equiv" in e["attrs"]]
    assert "default-src 'none'" in policy["attrs"]["content"]


def test_names_are_text_and_never_markup(page: Page, records: list[GameRecord]) -> None:
    shown = {e["text"] for e in page.find("th") if e["attrs"].get("scope") == "row"}
    assert shown == set(PLAYERS)
    cards = page.find("details", "game")
    names = [[e["text"] for e in page.find("span", "name", card)] for card in cards]
    assert names == [[r.black.name, r.white.name] for r in records]
    assert page.find("h1")[0]["text"] == "Cup <i>of</i> $title & all"
    assert len(page.find("script")) == len(records) + 2
    assert page.find("b", game=None) and not page.find("i", "")[0]["text"]
    assert any("! </pre>" in e["text"] for e in page.find("pre"))


def test_the_cross_table_leads_to_the_games(page: Page) -> None:
    links = [e for e in page.find("a") if "data-pair" in e["attrs"]]
    assert len(links) == len(PLAYERS) * (len(PLAYERS) - 1)
    cards = page.find("details", "game")
    for link in links:
        one, other = link["attrs"]["data-pair"].split("-")
        games = [
            c for c in cards if {one, other} == {c["attrs"]["data-black"], c["attrs"]["data-white"]}
        ]
        told = link["attrs"]["title"].rpartition(": ")[2]
        won, drawn, lost = map(int, re.findall(r"\d+", told))
        assert link["text"].endswith(f"{won}-{drawn}-{lost}")
        assert len(games) == won + drawn + lost > 0


def test_rating_bars_have_whiskers_within_the_picture(page: Page) -> None:
    (bars,) = page.find("svg", "bars")
    width = float(bars["attrs"]["viewbox"].split()[2])
    assert len(page.find("g", "bar")) == len(PLAYERS)
    for whisker in page.find("path", "whisker"):
        low, high = re.match(r"M([\d.]+) [\d.]+H([\d.]+)M", whisker["attrs"]["d"]).groups()  # type: ignore[union-attr]
        assert 0 < float(low) < float(high) < width


@pytest.mark.parametrize("low,high", [(0, 0), (-1, 1), (-350, 220), (1499.5, 1500), (-1e5, 2e4)])
def test_axis_ticks_hold_the_values(low: float, high: float) -> None:
    ticks = axis_ticks(low, high)
    assert ticks[0] <= low <= high <= ticks[-1]
    assert 2 <= len(ticks) <= 9
    assert len({round(b - a, 6) for a, b in pairwise(ticks)}) == 1


def test_the_modules_of_the_board_name_each_other(page: Page) -> None:
    (told,) = [e for e in page.find("script") if e["attrs"].get("type") == "importmap"]
    addresses = json.loads(told["text"])["imports"]
    other = json.loads(modules.import_map("reviewed.js"))["imports"]
    assert set(addresses) | {"tengen/reviewed.js"} == {f"tengen/{n}" for n in modules.SCRIPTS}
    assert set(addresses) ^ set(other) == {"tengen/games.js", "tengen/reviewed.js"}
    for address in addresses.values():
        text = base64.b64decode(address.partition("base64,")[2]).decode()
        assert "/" not in "".join(re.findall(r'from "tengen/([^"]+)"', text))
        assert not re.search(r'^\s*(import|export).*from "\./', text, re.M)


def test_an_import_that_a_page_cannot_hold_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in modules.FILES:
        (tmp_path / name).write_text("")
    monkeypatch.setattr(modules, "_PLACES", (tmp_path,))
    (tmp_path / "board.js").write_text('import { x } from "./core.js";\n')
    with pytest.raises(ValueError, match=r"board.js imports core\.js"):
        modules.import_map("board.js")
    (tmp_path / "board.js").write_text("import './dom.js';\n")
    with pytest.raises(ValueError, match="not understood"):
        modules.import_map("board.js")
    (tmp_path / "board.js").unlink()
    with pytest.raises(FileNotFoundError, match=r"board\.js"):
        modules.import_map("board.js")


def test_a_page_without_games_is_a_page(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "index.html"
    write_page(path, Report("Empty", table_of(PLAYERS, []), ()))
    write_page(path, Report("Empty", table_of(PLAYERS, []), ()))
    page = Page(path.read_text(encoding="utf-8"))
    assert page.find("details") == []
    assert [file.name for file in path.parent.iterdir()] == ["index.html"]


def judged(scores: list[tuple[str | None, int | None]], rule: Rule = Rule.FREESTYLE) -> GameRecord:
    """Returns a game whose moves have these scores and mates."""
    base = random_record(rule, 15, 3, most=len(scores))
    moves = tuple(
        replace(move, score=score, mate=mate)
        for move, (score, mate) in zip(base.moves, scores, strict=False)
    )
    return replace(base, moves=moves)


def test_the_graph_shows_what_both_engines_thought() -> None:
    even, odds = CURVES[0]
    won = [(str(even), None), (str(even + odds), None), (None, None)]
    told = judged([*won, ("-9", -4), ("99", 7), ("1", None)])
    first = len(told.opening) + 1
    colors = [Color(move.color) for move in told.moves]
    black = dict(chances_of(told, Color.BLACK))
    white = dict(chances_of(told, Color.WHITE))
    assert {stone - first for stone in black} == {
        n for n, color in enumerate(colors) if color is Color.BLACK and n != 2
    }
    both = black | white
    mover = {n: both[first + n] if c is Color.BLACK else 1 - both[first + n]
             for n, c in enumerate(colors) if n != 2}  # fmt: skip
    assert mover[0] == pytest.approx(0.5, abs=0.01)
    assert mover[1] == pytest.approx(0.73, abs=0.01)
    assert (mover[3], mover[4]) == (0.0, 1.0)
    page = Page(f"<div>{evaluation_graph(told)}</div>")
    lines = {e["attrs"]["class"]: e for e in page.find("polyline")}
    assert set(lines) == {"black", "white"}
    for color, count in (("black", len(black)), ("white", len(white))):
        points = [tuple(map(float, p.split(","))) for p in lines[color]["attrs"]["points"].split()]
        assert len(points) == count and points == sorted(points)
        assert all(0 <= x <= 420 and 0 <= y <= 120 for x, y in points)
        assert lines[color]["text"] == told.player(Color(color)).name


def test_no_graph_without_scores() -> None:
    assert evaluation_graph(judged([(None, None)] * 8)) == ""
    assert evaluation_graph(judged([("5", None)])) == ""
    huge = judged([("999999999", None), ("-999999999", None)] * 3)
    assert "nan" not in evaluation_graph(huge)


def test_a_card_links_to_the_files_of_its_game(records: list[GameRecord]) -> None:
    table = table_of(PLAYERS, records)
    files = tuple((f"../g/psq/{n}%20a.psq", f"../g/sgf/{n}%20a.sgf") for n in range(len(records)))
    page = Page(render_page(Report("Cup", table, tuple(records), files=files)))
    cards = page.find("details", "game")
    links = [[e["attrs"]["href"] for e in page.find("a", game=card)] for card in cards]
    assert links == [list(pair) for pair in files]
    assert [e["text"] for e in page.find("a", game=cards[0])] == [".psq", ".sgf"]


def test_the_opening_rule_is_told(records: list[GameRecord]) -> None:
    record = replace(records[0], opening_rule="rif", opening_log=("A: black 7,7", "B: <swap>"))
    page = Page(render_page(Report("Cup", table_of(PLAYERS, [record]), (record,))))
    notes = [e["text"] for e in page.find("p", "note")]
    assert "opening by rif: A: black 7,7; B: <swap>" in notes
