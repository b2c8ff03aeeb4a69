"""Openings: symmetries, the formats, and errors."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.openings.book import Kind, OpeningError, examine, offset_text, pos_text, read_openings
from arena.rules.referee import Color, Point, Rule
from arena.rules.symmetry import SYMMETRIES, stones_key, turned
from tests.support.openings import points, written

# Lines as the managers' own files have them.
GOMOCUP_20 = "-2,-9, -1,-9, 1,-9, 0,-7, 0,-6\r\n-8,-8, -8,-7, -7,-8, -6,-6\r\n9,9, 9,8"
PISKVORK = "0,0, 1,0, 1,3\r\n\r\n0,0,\t1,1, -1,1, 1,-1, -1,2\r\n-7,-5, -7,-6,\r\n"
POS_20 = "d3e5f6d7\r\nk10j10i9j9m7\nQ3o5o7p8t20"
PSQ = "Piskvorky 20x20, 11:11, 0\n10,10,0\n11,12,0\n1,20,456\none.exe\nDv\xf2.zip\n0\n"


# Symmetries

squares = st.tuples(st.integers(0, 14), st.integers(0, 14))


def test_each_symmetry_is_another_rearrangement_of_the_board() -> None:
    board = [(x, y) for x in range(6) for y in range(6)]
    images = [tuple(turned(point, 6, symmetry) for point in board) for symmetry in SYMMETRIES]
    assert images[0] == tuple(board)
    assert len(set(images)) == 8
    assert all(sorted(image) == board for image in images)
    # Only turning and mirroring keep all neighbours.
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
    with pytest.raises(OpeningError, match="unknown kind of opening file: 'lib'; known: offset"):
        read_openings(path, size=15, kind="lib")


def test_most_lines_tell_the_format(tmp_path: Path) -> None:
    """The first line of the file may be the wrong one."""
    path = written(tmp_path, "openings of 2024\n0,0, 1,1\n0,0, 1,2\n")
    report = examine(path, size=15)
    assert len(report.openings) == 2
    assert [str(problem).split(": ")[0] for problem in report.problems] == [f"{path}:1"]
    path = written(tmp_path, "7,7 8,8\nh8i9\nh8i10\n")
    assert len(examine(path, size=15).openings) == 2


SGF = "(;GM[4]SZ[15];B[hh];W[ii];B[aa](;W[bb])(;W[cc]))\n(;GM[4]SZ[15];B[hi])\n"


def test_games_of_an_sgf_are_openings(tmp_path: Path) -> None:
    path = written(tmp_path, SGF, "games.sgf")
    expected = [points("7,7", "8,8", "0,0", "1,1"), points("7,8")]
    assert read_openings(path, size=15) == expected
    assert read_openings(path, size=15, kind="sgf") == expected
    written(tmp_path, "Piskvorky 15x15, 0:0, 0\n8,8,0\n1,15,9\n-1\n", "b.psq")
    assert len(read_openings(tmp_path, size=15)) == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("(;SZ[20];B[hh])", ":1: a board of 20x20: expected 15x15"),
        ("\n(;SZ[15]AB[hh];W[ii])", ":2: the game has setup stones"),
        ("(;SZ[15])", ":1: a game without a move"),
        ("(;SZ[15]\n;B[hh];B[ii])", ":2: move 2: B: expected W"),
        ("(;GM[1]SZ[19])", r":1: GM\[1\] \(Go\)"),
        ("(;SZ[15", ":1: the end of the file: expected ]"),
    ],
)
def test_what_is_no_opening_in_an_sgf(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text, "games.sgf")
    with pytest.raises(OpeningError, match="^" + re.escape(str(path)) + words):
        read_openings(path, size=15)


@given(st.lists(squares, min_size=1, max_size=7, unique=True))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, moves: list[Point]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    for text in (offset_text(moves, 15), pos_text(moves)):
        assert read_openings(written(folder, text + "\n"), size=15) == [tuple(moves)]


WRONG = [
    ("0,0, 1,1\n0,0 1,1\n", 2, "'0 1' is not a number: expected offsets from the centre"),
    ("0,0, 1,1, 2\n", 1, "5 numbers: expected two for each move"),
    ("0,0, x,1\n", 1, "'x' is not a number"),
    ("0,0\n\n0,0, 8,0\n", 3, "move 2, `8,0`: .* is off the board of size 15"),
    ("0,0, -1,1, 0,0\n", 1, "move 3, `0,0`: .* is occupied"),
    ("0,0, 0,3, 1,0, 1,3, 2,0, 2,3, 3,0, 3,3, 4,0\n", 1, "move 9, `4,0`, ends the game"),
    ("0,0, 0,3, 1,0, 1,3, 2,0, 2,3, 3,0, 3,3, 4,0, 5,5", 1, "move 10, `5,5`: .*after the end"),
    ("h8i9\nh8-i9\n", 2, "'h8-i9': expected squares without anything between"),
    ("h8p8\n", 1, r"move 2, `p8`: \(15, 7\) is off the board"),
    ("h0\n", 1, r"move 1, `h0`: \(7, -1\) is off the board"),
    ("Piskvorky 15 x 15\n8,8,0\n", 1, "expected Piskvorky 15x15, 11:11, 0"),
    ("Piskvorky 20x20, 0:0, 0\n8,8,0\n", 1, "a board of 20x20: expected 15x15"),
    (
        "Piskvorky 15x15, 0:0, 0\n8,8,0\n9;9;0\n9,8,0\n",
        3,
        "'9;9;0': expected a move such as `8,8,0`",
    ),
    ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n-1\n", 3, "move 2, `8,8`: .* is occupied"),
    ("Piskvorky 15x15, 0:0, 0\nhomo-1\nhomo-2\n-1\n", 1, "no move follows this line"),
    ("# my openings\n0,0, 1,1\n", 1, "'# my openings' is not a number"),
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
    with pytest.raises(OpeningError, match=r"openings\.txt: has no opening"):
        read_openings(written(tmp_path, "\r\n  \n"), size=15)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OpeningError, match=r"folder: is a folder without .psq or"):
        read_openings(tmp_path / "folder", size=15)


def test_the_rule_decides(tmp_path: Path) -> None:
    three_three = written(tmp_path, "0,0, 5,5, 1,0, 5,-5, 2,1, -5,5, 2,2, -5,-5, 2,0\n")
    assert read_openings(three_three, size=15, rule=Rule.FREESTYLE)
    with pytest.raises(OpeningError, match=r"move 9, `2,0`: .* forbidden .*renju 15x15"):
        read_openings(three_three, size=15, rule=Rule.RENJU)
    overline = written(tmp_path, "-2,0, 0,3, -1,0, 1,3, 0,0, 2,3, 2,0, 3,3, 3,0, 5,5, 1,0\n")
    assert read_openings(overline, size=15, rule=Rule.STANDARD)
    with pytest.raises(OpeningError, match=r"move 11, `1,0`, ends the game of freestyle"):
        read_openings(overline, size=15, rule=Rule.FREESTYLE)
    # Black captures two stones, and White plays on one of their squares.
    taken = written(tmp_path, "0,0, 1,0, 5,5, 2,0, 3,0, 1,0\n")
    assert len(read_openings(taken, size=19, rule=Rule.NINUKI)[0]) == 6
    with pytest.raises(OpeningError, match="is occupied"):
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
