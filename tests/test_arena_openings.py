"""Openings: three formats read, what is wrong with them said, sets made by search, sets shipped."""

import argparse
import json
import random
import re
import signal
import subprocess
import sys
from collections import Counter
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena import opening_maker
from arena.commands import openings as command
from arena.engines import EngineSpec
from arena.opening_maker import Judge, Recipe, Style, draw_opening, make_openings
from arena.openings import (
    Kind,
    OpeningError,
    examine,
    offset_text,
    pos_text,
    read_openings,
    shipped,
    shipped_name,
    shipped_sizes,
)
from arena.referee import Color, Point, Position, Rule
from arena.symmetry import SYMMETRIES, stones_key, turned
from tests.fakes import fake, no_brain_is_left

ROOT = Path(__file__).resolve().parent.parent
SHIPPED: list[tuple[Rule, int]] = [(Rule.NINUKI, 19)]
SHIPPED += [(rule, size) for rule in Rule if rule is not Rule.NINUKI for size in (15, 20)]

# Lines as the managers' own files have them.
GOMOCUP_20 = "-2,-9, -1,-9, 1,-9, 0,-7, 0,-6\r\n-8,-8, -8,-7, -7,-8, -6,-6\r\n9,9, 9,8"
PISKVORK = "0,0, 1,0, 1,3\r\n\r\n0,0,\t1,1, -1,1, 1,-1, -1,2\r\n-7,-5, -7,-6,\r\n"
POS_20 = "d3e5f6d7\r\nk10j10i9j9m7\nQ3o5o7p8t20"
PSQ = "Piskvorky 20x20, 11:11, 0\n10,10,0\n11,12,0\n1,20,456\none.exe\nDv\xf2.zip\n0\n"


def points(*moves: str) -> tuple[Point, ...]:
    """Reads `7,7` and its like."""
    pairs = [move.split(",") for move in moves]
    return tuple((int(x), int(y)) for x, y in pairs)


def written(folder: Path, text: str, name: str = "openings.txt") -> Path:
    """Writes a file as it is, in Latin-1."""
    path = folder / name
    path.write_bytes(text.encode("latin-1"))
    return path


# Symmetries

squares = st.tuples(st.integers(0, 14), st.integers(0, 14))


def test_each_symmetry_is_another_rearrangement_of_the_board() -> None:
    board = [(x, y) for x in range(6) for y in range(6)]
    images = [tuple(turned(point, 6, symmetry) for point in board) for symmetry in SYMMETRIES]
    assert images[0] == tuple(board)
    assert len(set(images)) == 8
    assert all(sorted(image) == board for image in images)
    # Neighbours stay neighbours: nothing but turning and mirroring does that.
    for symmetry in SYMMETRIES:
        for x, y in board[:-6]:
            (ax, ay), (bx, by) = turned((x, y), 6, symmetry), turned((x + 1, y), 6, symmetry)
            assert abs(ax - bx) + abs(ay - by) == 1


@given(st.dictionaries(squares, st.sampled_from(Color), max_size=8), st.sampled_from(SYMMETRIES))
def test_copies_share_a_key_and_colours_count(stones: dict[Point, Color], symmetry: int) -> None:
    image = {turned(point, 15, symmetry): color for point, color in stones.items()}
    shuffled = dict(sorted(image.items(), reverse=True))
    assert stones_key(shuffled, 15) == stones_key(stones, 15)
    swapped = {point: color.other for point, color in stones.items()}
    assert (stones_key(swapped, 15) == stones_key(stones, 15)) == any(
        {turned(point, 15, s): color for point, color in stones.items()} == swapped
        for s in SYMMETRIES
    )


# Reading


def test_offsets_count_from_the_centre(tmp_path: Path) -> None:
    assert read_openings(written(tmp_path, GOMOCUP_20), size=20) == [
        points("8,1", "9,1", "11,1", "10,3", "10,4"),
        points("2,2", "2,3", "3,2", "4,4"),
        points("19,19", "19,18"),
    ]
    assert read_openings(written(tmp_path, PISKVORK), size=15) == [
        points("7,7", "8,7", "8,10"),
        points("7,7", "8,8", "6,8", "8,6", "6,9"),
        points("0,2", "0,1"),
    ]


def test_pos_counts_from_a1(tmp_path: Path) -> None:
    read = read_openings(written(tmp_path, POS_20), size=20)
    assert read[0] == points("3,2", "4,4", "5,5", "3,6")
    assert read[1][:2] == points("10,9", "9,9")
    assert read[2] == points("16,2", "14,4", "14,6", "15,7", "19,19")


def test_a_saved_position_is_one_opening(tmp_path: Path) -> None:
    path = written(tmp_path, PSQ, "saved.psq")
    assert read_openings(path, size=20) == [points("9,9", "10,11", "0,19")]
    assert read_openings(path, size=20, kind="psq") == read_openings(path, size=20)


def test_a_folder_of_saved_positions(tmp_path: Path) -> None:
    written(tmp_path, PSQ, "b.psq")
    written(tmp_path, PSQ.replace("1,20,456", "1,1,456"), "a.PSQ")
    written(tmp_path, "not read", "c.txt")
    assert [opening[-1] for opening in read_openings(tmp_path, size=20)] == [(0, 0), (0, 19)]


def test_a_kind_can_be_named_and_the_mark_of_utf8_is_no_move(tmp_path: Path) -> None:
    path = tmp_path / "marked.txt"
    path.write_text("\ufeff0,0, 1,1\n", encoding="utf-8")
    assert read_openings(path, size=15, kind=Kind.OFFSET) == [points("7,7", "8,8")]
    with pytest.raises(OpeningError, match=r"marked.txt:1: .*expected squares .*h8i9j7"):
        read_openings(path, size=15, kind="pos")
    with pytest.raises(OpeningError, match="unknown kind of opening file: 'sgf'; known: offset"):
        read_openings(path, size=15, kind="sgf")


@given(st.lists(squares, min_size=1, max_size=7, unique=True))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, moves: list[Point]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    for text in (offset_text(moves, 15), pos_text(moves)):
        assert read_openings(written(folder, text + "\n"), size=15) == [tuple(moves)]


WRONG = [
    ("0,0, 1,1\n0,0 1,1\n", 2, "'0 1' is no number: expected offsets from the centre"),
    ("0,0, 1,1, 2\n", 1, "5 numbers: expected two for each move"),
    ("0,0, x,1\n", 1, "'x' is no number"),
    ("0,0\n\n0,0, 8,0\n", 3, "move 2, `8,0`: .* is off the board of size 15"),
    ("0,0, -1,1, 0,0\n", 1, "move 3, `0,0`: .* is on a stone"),
    ("0,0, 0,3, 1,0, 1,3, 2,0, 2,3, 3,0, 3,3, 4,0\n", 1, "move 9, `4,0`, ends the game"),
    ("0,0, 0,3, 1,0, 1,3, 2,0, 2,3, 3,0, 3,3, 4,0, 5,5", 1, "move 10, `5,5`: .*after the end"),
    ("h8i9\nh8-i9\n", 2, "'h8-i9': expected squares without anything between"),
    ("h8p8\n", 1, r"move 2, `p8`: \(15, 7\) is off the board"),
    ("h0\n", 1, r"move 1, `h0`: \(7, -1\) is off the board"),
    ("Piskvorky 15 x 15\n8,8,0\n", 1, "expected the head of a .psq file"),
    ("Piskvorky 20x20, 0:0, 0\n8,8,0\n", 1, "a board of 20x20: expected 15x15"),
    ("Piskvorky 15x15, 0:0, 0\n8,8,0\n9;9;0\n9,8,0\n", 3, "'9;9;0': expected a move, as `8,8,0`"),
    ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n-1\n", 3, "move 2, `8,8`: .* is on a stone"),
    ("Piskvorky 15x15, 0:0, 0\nhomo-1\nhomo-2\n-1\n", 1, "no move follows this line"),
    ("# my openings\n0,0, 1,1\n", 1, "'# my openings' is no number"),
]


@pytest.mark.parametrize(("text", "line", "expected"), WRONG)
def test_errors_name_file_line_and_what_was_expected(
    tmp_path: Path, text: str, line: int, expected: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(OpeningError, match=f"^{re.escape(str(path))}:{line}: .*{expected}"):
        read_openings(path, size=15)


def test_what_cannot_be_read_at_all(tmp_path: Path) -> None:
    with pytest.raises(OpeningError, match=r"none\.txt: cannot be read: No such file"):
        read_openings(tmp_path / "none.txt", size=15)
    with pytest.raises(OpeningError, match=r"openings\.txt: holds no opening"):
        read_openings(written(tmp_path, "\r\n  \n"), size=15)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OpeningError, match=r"folder: is a folder without \.psq files"):
        read_openings(tmp_path / "folder", size=15)


def test_the_rule_decides(tmp_path: Path) -> None:
    three_three = written(tmp_path, "0,0, 5,5, 1,0, 5,-5, 2,1, -5,5, 2,2, -5,-5, 2,0\n")
    assert read_openings(three_three, size=15, rule=Rule.FREESTYLE)
    with pytest.raises(OpeningError, match=r"move 9, `2,0`: .* barred .*renju 15x15"):
        read_openings(three_three, size=15, rule=Rule.RENJU)
    overline = written(tmp_path, "-2,0, 0,3, -1,0, 1,3, 0,0, 2,3, 2,0, 3,3, 3,0, 5,5, 1,0\n")
    assert read_openings(overline, size=15, rule=Rule.STANDARD)
    with pytest.raises(OpeningError, match=r"move 11, `1,0`, ends the game of freestyle"):
        read_openings(overline, size=15, rule=Rule.FREESTYLE)
    # Black takes two stones, and White plays where one of them stood.
    taken = written(tmp_path, "0,0, 1,0, 5,5, 2,0, 3,0, 1,0\n")
    assert len(read_openings(taken, size=19, rule=Rule.NINUKI)[0]) == 6
    with pytest.raises(OpeningError, match="is on a stone"):
        read_openings(taken, size=19)


def test_symmetric_copies_are_removed(tmp_path: Path) -> None:
    opening = points("7,7", "8,7", "9,8", "3,4")
    lines = []
    for symmetry in SYMMETRIES:
        a, b, c, d = (turned(point, 15, symmetry) for point in opening)
        lines += [offset_text(order, 15) for order in ((a, b, c, d), (c, d, a, b))]
    lines += [offset_text(points("8,7", "7,7", "3,4", "9,8"), 15)]  # the other colours
    path = written(tmp_path, "\n".join(lines))
    assert read_openings(path, size=15) == [opening, points("8,7", "7,7", "3,4", "9,8")]
    report = examine(path, size=15)
    assert [copy.place for copy, _ in report.copies] == [f"{path}:{n}" for n in range(2, 17)]
    assert {original.place for _, original in report.copies} == {f"{path}:1"}


def test_a_report_goes_on_after_what_is_wrong(tmp_path: Path) -> None:
    report = examine(written(tmp_path, "0,0, 0,0\n0,0, 1,1\n0,0, 9,9\n0,0, -1,1\n"), size=15)
    assert [re.sub(r".*txt:(\d).*", r"\1", str(problem)) for problem in report.problems] == [
        "1",
        "3",
    ]
    assert len(report.openings) == len(report.copies) == 1


# The shipped sets


@pytest.mark.parametrize(("rule", "size"), SHIPPED)
def test_shipped_sets_are_sound(rule: Rule, size: int) -> None:
    assert size in shipped_sizes(rule)
    path = resources.files("arena") / "data" / "openings" / shipped_name(rule, size)
    assert isinstance(path, Path)
    report = examine(path, size=size, rule=rule, kind=Kind.OFFSET)
    assert not report.problems
    assert not report.copies
    openings = [opening.moves for opening in report.openings]
    assert openings == shipped(rule, size)
    assert len(openings) >= 200
    lengths = Counter(len(moves) for moves in openings)
    assert set(lengths) == {3, 4, 5, 6, 7}
    near_edge = [moves for moves in openings if any(_to_edge(move, size) <= 1 for move in moves)]
    central = [moves for moves in openings if all(_to_edge(move, size) >= 4 for move in moves)]
    assert len(near_edge) >= 10
    assert len(central) >= (50 if size > 15 else 20)  # on 15x15 the middle is 7x7 squares
    for moves in openings:
        position = Position(size=size, rule=rule)
        assert not any(position.play(move).captured for move in moves)


@pytest.mark.parametrize(("rule", "size"), SHIPPED)
def test_shipped_files_mean_the_same_to_other_readers(rule: Rule, size: int) -> None:
    name = shipped_name(rule, size)
    data = (resources.files("arena") / "data" / "openings" / name).read_bytes()
    assert data.endswith(b"\n")
    assert not data.startswith(b"\n") and b"\n\n" not in data and b"\r" not in data
    assert re.fullmatch(rb"(-?\d+,-?\d+(, -?\d+,-?\d+)*\n)+", data)
    # GomocupJudge takes every blank out of a line, and each two numbers as x and y.
    lines = [re.sub(r"\s+", "", line).split(",") for line in data.decode().splitlines()]
    half = size // 2
    assert shipped(rule, size) == [
        tuple((half + int(x), half + int(y)) for x, y in zip(line[::2], line[1::2], strict=True))
        for line in lines
    ]
    # c-gomoku-cli leaves out numbers that are not from -16 to 15.
    assert all(-16 <= int(number) <= 15 for line in lines for number in line)


def test_other_boards_get_the_nearest_smaller_set() -> None:
    moved = [tuple((x + 1, y + 1) for x, y in moves) for moves in shipped(0, 15)]
    assert shipped(0, 16) == moved  # 8 is the middle of 16, 7 that of 15
    assert shipped(Rule.STANDARD, 22)[0] == tuple(
        (x + 1, y + 1) for x, y in shipped(Rule.STANDARD, 20)[0]
    )
    assert len(shipped(Rule.RENJU, 19)) >= 190
    assert len(shipped(Rule.NINUKI, 20)) >= 190
    with pytest.raises(OpeningError, match=r"shipped for caro 14x14.*15x15, 20x20"):
        shipped(Rule.CARO, 14)
    with pytest.raises(OpeningError, match=r"ninuki 15x15: .* for 19x19 and larger"):
        shipped(Rule.NINUKI, 15)


def test_the_way_they_were_made_is_told() -> None:
    text = (resources.files("arena") / "data" / "openings" / "README.md").read_text("utf-8")
    for rule, size in SHIPPED:
        assert f"`{shipped_name(rule, size)}`" in text


def _to_edge(point: Point, size: int) -> int:
    return min(*point, size - 1 - point[0], size - 1 - point[1])


# Drawing


@pytest.mark.parametrize("rule", [Rule.RENJU, Rule.NINUKI])
@pytest.mark.parametrize("style", Style)
def test_draws_are_legal_short_and_in_their_place(rule: Rule, style: Style) -> None:
    recipe = Recipe(rule, 15)
    for number in range(6):
        for stones in (3, 7):
            position = draw_opening(recipe, number, style, stones)
            assert position is not None
            assert len(position.moves) == stones == len(position.stones)
            assert not position.is_over
            first = position.moves[0]
            if style is Style.CENTRE:
                assert _to_edge(first, 15) == 7 if rule is Rule.RENJU else _to_edge(first, 15) >= 6
            else:
                assert (_to_edge(first, 15) <= 2) == (style is Style.EDGE)
            again = draw_opening(recipe, number, style, stones)
            assert again is not None and again.moves == position.moves


def test_draws_fit_the_smallest_board() -> None:
    for number in range(10):
        for style in Style:
            position = draw_opening(Recipe(Rule.FREESTYLE, 5), number, style, 7)
            assert position is None or not position.is_over


# Making

# It scores a position by its stones, mostly small and at times large.
SCORER = """
import sys, time, zlib
asked = 0
for line in sys.stdin:
    words = line.split()
    if words[0] == "START":
        print("OK", flush=True)
    elif words[:2] == ["INFO", "max_node"]:
        nodes = int(words[2])
    elif words[0] == "BOARD":
        stones = []
        while (row := sys.stdin.readline().strip()) != "DONE":
            stones.append(row)
        asked += 1
        value = zlib.crc32(" ".join(sorted(stones)).encode()) % 600 - 300 + nodes % 7
        BEHAVIOUR
        x, y, _ = stones[-1].split(",")
        print(f"{(int(x) + 1) % 15},{(int(y) + 5) % 15}", flush=True)
    elif words[0] == "END":
        break
"""
TELLS = 'print(f"MESSAGE DEPTH 4-6 SCORE {value} NODES {nodes} PV 7,7", flush=True)'
LOW = 100


def scorer(folder: Path, behaviour: str = TELLS) -> EngineSpec:
    """Returns an engine that scores without searching."""
    path = folder / "scorer.py"
    path.write_text(SCORER.replace("BEHAVIOUR", behaviour), encoding="ascii")
    return EngineSpec("scorer", (sys.executable, "-S", "-E", str(path)))


def recipe(**changes: object) -> Recipe:
    """Returns a recipe for the scorer."""
    values: dict[str, object] = {"rule": Rule.FREESTYLE, "size": 15, "nodes": 100}
    values |= {"confirm_nodes": 300, "max_score": LOW, **changes}
    return Recipe(**values)  # type: ignore[arg-type]


def journal_of(path: Path) -> list[dict[str, object]]:
    """Returns the candidates of a journal."""
    lines = path.with_name(path.name + ".journal").read_text(encoding="ascii").splitlines()
    return [json.loads(line) for line in lines[1:]]


def test_balanced_openings_are_kept_and_others_are_not(tmp_path: Path) -> None:
    path = tmp_path / "made.txt"
    made = make_openings(scorer(tmp_path), recipe(), path, count=22)
    assert (made.kept, made.gave_up) == (22, False)
    assert len(read_openings(path, size=15)) == 22
    candidates = journal_of(path)
    assert len(candidates) == made.tried > 22
    for candidate in candidates:
        scores = candidate["scores"]
        assert isinstance(scores, list)
        passed = [
            abs(score) <= limit for score, limit in zip(scores, (3 * LOW, LOW, LOW), strict=False)
        ]
        assert candidate["kept"] == (len(passed) == 3 and all(passed))
        assert all(passed[:-1])  # the first that fails is the last that is made
    assert {len(moves) for moves in read_openings(path, size=15)} == {3, 4, 5, 6, 7}
    assert no_brain_is_left()


def test_a_draw_that_is_there_already_is_not_searched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = points("7,7", "8,9", "6,5")
    copy = tuple(turned(point, 15, 5) for point in reversed(first))
    draws = [first, copy, points("7,7", "8,9")]

    def drawn(_: Recipe, number: int, *__: object) -> Position:
        position = Position(size=15, rule=Rule.FREESTYLE)
        for move in draws[number]:
            position.play(move)
        return position

    monkeypatch.setattr(opening_maker, "draw_opening", drawn)
    path = tmp_path / "made.txt"
    make_openings(scorer(tmp_path, "value = 0; " + TELLS), recipe(), path, count=2)
    assert read_openings(path, size=15) == [draws[0], draws[2]]
    assert [(e["scores"], e["kept"]) for e in journal_of(path)] == [
        ([0, 0, 0], True),
        ([], False),
        ([0, 0, 0], True),
    ]


def test_a_length_without_balance_is_left_after_some_tries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_maker, "TRIES", 4)
    path = tmp_path / "made.txt"
    behaviour = "value = 999 if len(stones) == 3 else 0; " + TELLS
    make_openings(scorer(tmp_path, behaviour), recipe(), path, count=9)
    lengths = [len(str(entry["moves"]).split("], [")) for entry in journal_of(path)]
    assert lengths == [3, 3, 3, 3, 4, 5, 6, 7] * 2 + [3, 3, 3, 3, 4]


def test_each_search_starts_from_scratch_with_its_nodes(tmp_path: Path) -> None:
    path = tmp_path / "heard.txt"
    note = f"open({str(path)!r}, 'a').write(f'{{asked}} {{nodes}} {{len(stones)}}\\n')"
    engine = scorer(tmp_path, f"{note}; {TELLS}")
    with Judge(engine, recipe(max_score=10_000)) as judge:
        position = Position(size=15, rule=Rule.FREESTYLE)
        position.play((7, 7))
        assert judge.is_balanced(position)[0]
    assert path.read_text() == "1 10 1\n2 100 1\n3 300 1\n"


def test_a_break_changes_nothing(tmp_path: Path) -> None:
    engine = scorer(tmp_path)
    whole, parts = tmp_path / "whole.txt", tmp_path / "parts.txt"
    make_openings(engine, recipe(), whole, count=15)
    make_openings(engine, recipe(), parts, count=4)
    journal = parts.with_name("parts.txt.journal")
    # As a cut may leave it: half a line in one of the files, and some that have not come out.
    parts.write_bytes(parts.read_bytes()[:-30])
    make_openings(engine, recipe(), parts, count=9)
    journal.write_bytes(journal.read_bytes()[:-7])
    parts.write_bytes(b"".join(parts.read_bytes().splitlines(keepends=True)[:-1]))
    make_openings(engine, recipe(), parts, count=15)
    assert parts.read_bytes() == whole.read_bytes()
    assert journal.read_bytes() == whole.with_name("whole.txt.journal").read_bytes()
    # All is there: nobody is asked.
    idle = EngineSpec("scorer", ("/there/is/no/such/program",))
    assert make_openings(idle, recipe(), parts, count=15).kept == 15
    assert parts.read_bytes() == whole.read_bytes()


def test_a_killed_maker_goes_on(tmp_path: Path) -> None:
    engine = scorer(tmp_path)
    whole, killed = tmp_path / "whole.txt", tmp_path / "killed.txt"
    make_openings(engine, recipe(), whole, count=10)
    program = f"""
import os, signal
from pathlib import Path
from arena.engines import EngineSpec
from arena.opening_maker import Recipe, make_openings
from arena.referee import Rule
die = lambda number, _: number == 5 and os.kill(os.getpid(), signal.SIGKILL)
make_openings({engine!r}, {recipe()!r}, Path({str(killed)!r}), count=10, on_kept=die)
""".replace("<Rule.FREESTYLE: 0>", "Rule.FREESTYLE")
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT).returncode == -signal.SIGKILL
    assert 0 < len(killed.read_text().splitlines()) < 10
    make_openings(engine, recipe(), killed, count=10)
    assert killed.read_bytes() == whole.read_bytes()


def test_another_recipe_and_strange_files_are_refused(tmp_path: Path) -> None:
    engine = scorer(tmp_path)
    path = tmp_path / "made.txt"
    make_openings(engine, recipe(), path, count=2)
    before = path.read_bytes()
    with pytest.raises(OpeningError, match=r"journal:1: this set was begun with seed 1, max_score"):
        make_openings(engine, recipe(seed=2, max_score=50), path, count=3)
    with path.open("a") as file:
        file.write("0,0, 1,1\n")
    with pytest.raises(OpeningError, match=r"made\.txt:3: this line is not of the set"):
        make_openings(engine, recipe(), path, count=3)
    assert path.read_bytes() == before + b"0,0, 1,1\n"
    own = written(tmp_path, "0,0, 1,1\n")
    with pytest.raises(OpeningError, match=r"openings\.txt:1: this line is not of the set"):
        make_openings(engine, recipe(), own, count=3)
    assert own.read_text() == "0,0, 1,1\n"
    assert not own.with_name("openings.txt.journal").exists()


@pytest.mark.parametrize(
    "line", ['{"kept": true}', "nonsense", '{"kept": 1, "moves": [[7]], "scores": []}', "[]"]
)
def test_a_broken_journal_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    engine, path = scorer(tmp_path), tmp_path / "made.txt"
    make_openings(engine, recipe(), path, count=1)
    journal = path.with_name("made.txt.journal")
    number = len(journal.read_text().splitlines()) + 1
    with journal.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(OpeningError, match=rf"journal:{number}: .*expected a line of a journal"):
        make_openings(engine, recipe(), path, count=2)


def test_a_journal_with_moves_that_cannot_be(tmp_path: Path) -> None:
    engine, path = scorer(tmp_path), tmp_path / "made.txt"
    make_openings(engine, recipe(), path, count=1)
    with path.with_name("made.txt.journal").open("a") as file:
        file.write('{"kept": true, "moves": [[7, 7], [7, 7]], "scores": []}\n')
    with pytest.raises(OpeningError, match=r"made\.txt: .*\(7, 7\) is on a stone"):
        make_openings(engine, recipe(), path, count=3)


@pytest.mark.parametrize(
    "message",
    [
        "MESSAGE DEPTH 5 SCORE 10 MATE 7 PV 7,7",
        "MESSAGE DEPTH 5 SCORE 10 MATE -7 PV 7,7",
        "MESSAGE Depth 5 | Eval +M7 | Node 300",
        "MESSAGE DEPTH 5 SCORE 101",
        "MESSAGE DEPTH 5 SCORE -101",
    ],
)
def test_wins_and_large_scores_are_not_balanced(tmp_path: Path, message: str) -> None:
    behaviour = f'print("MESSAGE SCORE 1"); print({message!r} if nodes > 200 else "MESSAGE hm")'
    position = Position(size=15, rule=Rule.FREESTYLE)
    position.play((7, 7))
    with Judge(scorer(tmp_path, behaviour), recipe()) as judge:
        balanced, scores = judge.is_balanced(position)
    assert not balanced
    assert scores[:2] == [1, 1]
    assert len(scores) == 3


def test_an_engine_without_scores_is_found_out(tmp_path: Path) -> None:
    with pytest.raises(OpeningError, match="scorer: tells no score while it thinks: expected"):
        make_openings(scorer(tmp_path, "pass"), recipe(), tmp_path / "made.txt", count=3)
    assert no_brain_is_left()


def test_scores_held_back_are_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening_maker, "PAUSE_S", 0.3)
    free, paced = tmp_path / "free.txt", tmp_path / "paced.txt"
    make_openings(scorer(tmp_path), recipe(), free, count=4)
    # As many brains do: no more than so many lines in a stretch of time.
    behaviour = "said = [t for t in globals().get('said', []) if t > time.monotonic() - 0.2]; "
    behaviour += f"len(said) < 9 and (said.append(time.monotonic()), {TELLS})"
    make_openings(scorer(tmp_path, behaviour), recipe(), paced, count=4)
    assert paced.read_bytes() == free.read_bytes()
    assert journal_of(paced) == journal_of(free)


def test_there_may_be_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_maker, "GIVE_UP", 40)
    engine = scorer(tmp_path, "value = 999; " + TELLS)
    made = make_openings(engine, recipe(), tmp_path / "made.txt", count=3)
    assert (made.kept, made.tried, made.gave_up) == (0, 40, True)


# The command


def run(*words: str) -> int:
    """Runs `openings` as the command line does."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return command.run(parser.parse_args(words))


def test_make_with_the_real_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    path = tmp_path / "ninuki_19.txt"
    words = ("make", f"{sys.executable} -m protocol", "--rule", "ninuki", "--size", "19")
    options = ("--count", "2", "--nodes", "300", "--max-score", "600", "--out", str(path))
    assert run(*words, *options) == 0
    assert "2/2" in capsys.readouterr().out
    assert len(read_openings(path, size=19, rule=Rule.NINUKI)) == 2
    assert no_brain_is_left()


def test_make_says_what_stopped_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    crash = " ".join(fake("crash", at=1))
    assert run("make", crash, "--count", "2") == 1
    error = capsys.readouterr().err
    assert "crash" in error and "the same command goes on with freestyle_15.txt" in error
    assert run("make", crash, "--count", "2", "--out", str(tmp_path / "no" / "x.txt")) == 2
    assert "x.txt" in capsys.readouterr().err
    for words in (("make", "/no/such/engine"), ("make", crash, "--rule", "chess"), ()):
        with pytest.raises(SystemExit) as left:
            run(*words)
        assert left.value.code == 2


def test_a_stop_is_clean_and_the_work_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = scorer(tmp_path)
    words = ["make", " ".join(engine.command), "--nodes", "100", "--max-score", "100"]
    words += ["--count", "6", "--out", str(tmp_path / "made.txt")]

    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(command, "offset_text", interrupted)
        assert run(*words) == 130
    assert "stopped; the same command goes on" in capsys.readouterr().err
    assert no_brain_is_left()
    assert run(*words, "--quiet") == 0
    assert len(read_openings(tmp_path / "made.txt", size=15)) == 6
    assert "6 openings, of" in capsys.readouterr().out


def test_check_reports_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "h8i9\nh8h8\nh8g7\nh8i9j10\n")
    assert run("check", str(path)) == 1
    out = capsys.readouterr().out
    assert "2 openings for freestyle 15x15" in out
    assert "stones: 1 of 2, 1 of 3" in out
    assert f"wrong:  {path}:2: move 2, `h8`" in out
    assert f"copy:   {path}:3: " in out and out.rstrip().endswith(f"{path}:1")
    assert run("check", str(written(tmp_path, "h8i9\n")), "--rule", "4", "--type", "pos") == 0
    assert run("check", str(tmp_path / "none.txt")) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_list_names_each_set_and_its_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("list") == 0
    out = capsys.readouterr().out
    for rule, size in SHIPPED:
        line = next(row for row in out.splitlines() if row.endswith(shipped_name(rule, size)))
        _, name, side, count, path = line.split(maxsplit=4)
        assert (name, int(side)) == (rule.name.lower(), size)
        assert int(count) == len(Path(path).read_text().splitlines())


def test_random_files_never_crash_the_reader(tmp_path: Path) -> None:
    draw = random.Random(5)
    for _ in range(300):
        text = "".join(draw.choices("0123456789,,,-- \nahPiskvorky:x\r\t\0\xe9", k=40))
        head = draw.choice(["", "0,0, 1,1\n", "h8\n", "Piskvorky 15x15, 0:0, 0\n"])
        path = written(tmp_path, head + text)
        try:
            report = examine(path, size=15)
        except OpeningError:
            continue
        assert report.openings or report.problems
