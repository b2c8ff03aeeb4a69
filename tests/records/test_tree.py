"""Trees of games: .sgf with variations, RenLib's .lib, and files of any format."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.errors import FormatError
from records.files import load, save, trees_of
from records.moves import read_moves, write_moves
from records.renlib import read_renlib, write_renlib
from records.sgf import read_sgf, write_sgf
from records.squares import PASS, Point, renju_name_of, square_of
from records.tree import WHITE, GameTree, Node, from_sgf, to_sgf
from tests.support.disk import LIMIT, small_files

squares = st.tuples(st.integers(0, 14), st.integers(0, 14))
words = st.text("abc [](;)\\:é白\n", max_size=12)


@st.composite
def trees(draw: st.DrawFn, *, setup: bool = True) -> GameTree:
    tree = GameTree(rule=4)
    tree.root.comment = draw(words)
    nodes = [tree.root]
    for _ in range(draw(st.integers(0, 12))):
        parent = nodes[draw(st.integers(0, len(nodes) - 1))]
        move = draw(st.one_of(squares, st.just(PASS)))
        nodes.append(parent.add(move, draw(words)))
    if setup:
        tree.black, tree.white, tree.result = (
            draw(words),
            draw(words),
            draw(st.sampled_from(("", "B+"))),
        )
        tree.set_up_black = tuple(draw(st.lists(squares, max_size=2, unique=True)))
        tree.first = draw(st.sampled_from(("black", WHITE)))
    return tree


def told(tree: GameTree) -> object:
    nodes = [(depth, n.move, n.comment, n.properties) for depth, n in tree.walk()]
    head = (tree.size, tree.rule, tree.black, tree.white, tree.result, tree.first)
    return nodes, head, tree.set_up_black, tree.set_up_white


# Squares


@given(squares, st.integers(15, 22))
def test_a_square_is_read_in_each_notation(point: Point, size: int) -> None:
    name = renju_name_of(point, size)
    for text in (name, name.upper(), f"{point[0]},{point[1]}", f" {point[0]} , {point[1]} "):
        assert square_of(text, size) == point


@pytest.mark.parametrize("text", ["p1", "a16", "a0", "15,0", "0,15"])
def test_a_square_off_the_board_is_named(text: str) -> None:
    with pytest.raises(FormatError, match=f"'{text}': off the board: expected a1 to o15"):
        square_of(text, 15)


@pytest.mark.parametrize("text", ["", "8h", "h8i9", "7;7", "-1,3"])
def test_no_square(text: str) -> None:
    with pytest.raises(FormatError, match="expected a square such as h8 or 7,7"):
        square_of(text, 15)


@given(st.lists(squares, max_size=20))
def test_moves_of_renju_players_are_read_back(moves: list[Point]) -> None:
    assert [point for point, _ in read_moves(write_moves(moves, 15), 15)] == moves
    assert read_moves("a1", 15) == [((0, 14), 1)]


# .sgf


@given(trees())
def test_a_tree_comes_back_from_sgf(tree: GameTree) -> None:
    (root,) = read_sgf(write_sgf([to_sgf(tree)]))
    assert told(from_sgf(root)) == told(tree)


def test_what_the_tree_has_no_field_for_is_written_back() -> None:
    text = "(;FF[4]GM[4]SZ[15]EV[Cup]\n;B[hh]LB[aa:1]TE[1]\n(;W[ii]C[good])\n(;W[gg]\n;AE[ii]))\n"
    tree = from_sgf(read_sgf(text)[0])
    assert tree.root.children[0].children[1].children[0].move is None
    assert told(from_sgf(read_sgf(write_sgf([to_sgf(tree)]))[0])) == told(tree)
    assert "EV[Cup]" in write_sgf([to_sgf(tree)])


@pytest.mark.parametrize(
    ("text", "black", "white", "first", "moves"),
    [
        ("(;SZ[15]B[hh];W[ii];B[jj])", (), (), "black", [(7, 7), (8, 8), (9, 9)]),
        ("(;SZ[15]AB[aa]W[ii])", ((0, 0),), (), WHITE, [(8, 8)]),
        ("(;SZ[15];AB[hh][ii]AW[jj];W[aa])", ((7, 7), (8, 8)), ((9, 9),), WHITE, [(0, 0)]),
        ("(;SZ[15]AB[hh][ii];AE[hh]PL[W])", ((8, 8),), (), WHITE, []),
        ("(;SZ[15]AB[hh][hh];C[here];AW[hh];B[aa])", (), ((7, 7),), "black", [(0, 0)]),
    ],
)
def test_a_game_begins_in_any_node(
    text: str, black: tuple[Point, ...], white: tuple[Point, ...], first: str, moves: list[Point]
) -> None:
    tree = from_sgf(read_sgf(text)[0])
    for game in (tree, from_sgf(read_sgf(write_sgf([to_sgf(tree)]))[0])):
        assert (game.set_up_black, game.set_up_white) == (black, white)
        assert (game.first, game.moves, game.root.move) == (first, moves, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[1]SZ[19])", r"line 1: GM\[1\]: expected GM\[4\]"),
        ("(;SZ[15]\n;B[hh]\n;B[ii])", "line 3: B: two moves of black in a row"),
        ("(;SZ[15]\n;B[hh]W[ii])", "line 2: B and W in one node"),
        ("(;SZ[15]\n;B[pp])", r"line 2: B\[pp\]: off the board of size 15"),
        ("(;SZ[15]AB[pp])", r"AB\[pp\]: off the board of size 15"),
        ("(;SZ[15]\n;B[h8])", "line 2: B: 'h8': expected two letters"),
        ("(;SZ[15]\n;B[hh][ii])", "line 2: B.*expected one square"),
        ("(;SZ[x])", "SZ: 'x': expected the side"),
        ("(;SZ[15:19])", "SZ: '15:19': expected the side"),
        ("(;SZ[99])", "SZ: 99: expected 1 to 26"),
        ("(;RU[chess])", "RU: 'chess': expected a rule"),
        ("(;PL[X])", "PL: 'X': expected B or W"),
    ],
)
def test_what_is_wrong_with_an_sgf_is_named(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        from_sgf(read_sgf(text)[0])


# .lib


@given(trees(setup=False))
def test_a_tree_comes_back_from_lib(tree: GameTree) -> None:
    assert told(read_renlib(write_renlib(tree))) == told(tree)


def test_a_library_byte_by_byte() -> None:
    """h8 with a comment, then h9 (marked) or i9, which has a text on the board."""
    data = b"\xffRenLib\xff\x03\x04" + bytes(10) + b"\x00\x02"
    data += b"\x78\x08Dir\x08ect\x00"  # h8: a comment of two lines, and moves behind it
    data += b"\x68\xd0"  # h9: marked, a sibling follows, nothing behind it
    data += b"\x69\x41\x00\x01A1\x00\x00"  # i9: the last one
    tree = read_renlib(data)
    (first,) = tree.root.children
    assert (first.move, first.comment) == ((7, 7), "Dir\nect")
    assert [node.move for node in first.children] == [(7, 6), (8, 6)]
    assert [node.properties for node in first.children] == [{"MA": ["hg"]}, {"LB": ["ig:A1"]}]
    assert write_renlib(tree) == data
    # A file of RenLib 2 has neither header nor root; its comments end with the highest bit.
    old = read_renlib(b"\x78\x20Di\xf2\x00\x68\x40")
    assert [(n.move, n.comment) for n in old.root.main_line()] == [((7, 7), "Dir"), ((7, 6), "")]


def library(*comments: bytes) -> bytes:
    """Returns a library of moves in a row, each with a comment."""
    data = b"\xffRenLib\xff\x03\x00" + b"\xff" * 10
    for number, comment in enumerate(comments, 1):
        last = 0x40 if number == len(comments) else 0
        text = comment + b"\0" * (2 - len(comment) % 2)
        data += bytes((0x70 + number, 0x08 | last)) + text
    return data


@pytest.mark.parametrize(
    ("comments", "expected"),
    [
        (
            ("Welcome\b欢迎使用".encode("gb18030"), "直指开局".encode("gb18030"), b"A1"),
            ["Welcome\n欢迎使用", "直指开局", "A1"],
        ),
        (("Soosõrv, võit".encode("cp1252"), "jäää".encode("cp1252")), ["Soosõrv, võit", "jäää"]),
        (("連珠の定石".encode(), "四追い".encode()), ["連珠の定石", "四追い"]),
        # A damaged text does not affect the others.
        (("欢迎使用".encode("gb18030"), b"\xf6 \xd6 "), ["欢迎使用", "ö Ö "]),
    ],
)
def test_comments_of_a_library_are_read_in_their_charset(
    comments: tuple[bytes, ...], expected: list[str]
) -> None:
    tree = read_renlib(library(*comments))
    assert [node.comment for node in tree.root.main_line()] == expected
    again = read_renlib(write_renlib(tree))
    assert [node.comment for node in again.root.main_line()] == expected


def test_many_moves_in_a_row_need_no_deep_stack(tmp_path: Path) -> None:
    tree = GameTree()
    node = tree.root
    for i in range(20_000):
        node = node.add((i % 15, i // 15 % 15))
    save(tree, tmp_path / "long.lib")
    save(tree, tmp_path / "long.sgf")
    for name in ("long.lib", "long.sgf"):
        (read,) = load(tmp_path / name)
        assert read.moves == tree.moves


HEAD = b"\xffRenLib\xff\x03\x04" + bytes(10)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"RenLib", "is not a RenLib library"),
        (HEAD[:12], "byte 12: the header ends: expected 20 bytes"),
        (b"\xffRenLib\xff\x04\x00" + bytes(10), "version 4.0 of RenLib: expected 3.4 or older"),
        (HEAD + b"\x78\x00", "byte 22: the end of the file: expected the rest of the tree"),
        (HEAD + b"\x78\xc0", "byte 22: the end of the file: expected the rest of the tree"),
        (HEAD + b"\x78", "byte 20: the end of the file: expected two more bytes"),
        (HEAD + b"\x78\x48ab", "byte 24: the end of the file: expected two more bytes"),
        (HEAD + b"\xf8\x40", "byte 20: 0xf8: expected a square of a 15x15 board"),
        (HEAD + b"\x70\x40", "byte 20: 0x70: expected a square of a 15x15 board"),
    ],
)
def test_a_damaged_library_is_refused_with_the_byte(
    data: bytes, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.lib"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message) as raised:
        load(path)
    assert raised.value.source == str(path)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for name, content in (("a.lib", HEAD + data), ("a", data), ("a.sgf", data), ("a.psq", data)):
        try:
            trees_of(content, name)
        except FormatError as error:
            assert str(error)


def test_a_library_holds_what_it_can() -> None:
    with pytest.raises(FormatError, match="empty 15x15 board only"):
        write_renlib(GameTree(size=20))
    with pytest.raises(FormatError, match="empty 15x15 board only"):
        write_renlib(GameTree(first=WHITE))
    tree = GameTree()
    tree.root.comment = "a\0b"
    with pytest.raises(FormatError, match="a comment with a byte 0"):
        write_renlib(tree)


# Files of any format


@given(st.lists(squares, min_size=1, unique=True, max_size=20))
def test_a_line_of_moves_comes_back_from_each_format(moves: list[Point]) -> None:
    tree = GameTree()
    node = tree.root
    for move in moves:
        node = node.add(move)
    with tempfile.TemporaryDirectory() as folder:
        for ending in (".sgf", ".psq", ".txt", ".lib"):
            path = Path(folder) / f"game{ending}"
            save(tree, path)
            assert [read.moves for read in load(path)] == [moves]


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("h8 i9\n", [[(7, 7), (8, 6)]]),
        ("1. H8 I9 2. j10", [[(7, 7), (8, 6), (9, 5)]]),
        ("7,7 8,6", [[(7, 7), (8, 6)]]),
        ("7,7\n8,6\n", [[(7, 7), (8, 6)]]),
        ("0,0, 1,-1\n0,0, 2,2\n", [[(7, 7), (8, 6)], [(7, 7), (9, 9)]]),  # Gomocup
        ("h8i9\nh8j10\n", [[(7, 7), (8, 8)], [(7, 7), (9, 9)]]),  # c-gomoku-cli: a1 at the top
        ("Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,5\nA\nB\n-1\n1,Renju\n", [[(7, 7), (8, 6)]]),
    ],
)
def test_the_content_tells_the_format(text: str, games: list[list[Point]]) -> None:
    assert [tree.moves for tree in trees_of(text.encode())] == games


def test_a_game_of_the_arena() -> None:
    move = {"x": 8, "y": 6, "color": "white"}
    record = {
        "size": 15, "rule": 4, "opening": [[7, 7]], "moves": [move], "winner": "white",
        "black": {"name": "A"}, "white": {"name": "B"}, "reason": "five",
    }  # fmt: skip
    (tree,) = trees_of(json.dumps({"record": record}).encode())
    assert (tree.moves, tree.rule, tree.result) == ([(7, 7), (8, 6)], 4, "W+")
    assert (tree.black, tree.white) == ("A", "B")
    with pytest.raises(FormatError, match="line 2: no game record of the arena"):
        trees_of(b"\n{}\n")
    infinite = json.dumps({"record": {**record, "size": 1e999}})
    with pytest.raises(FormatError, match="line 1: no game record of the arena"):
        trees_of(infinite.encode())


@pytest.mark.parametrize("column", [0, -98, 99])
def test_a_move_beside_the_board_is_named_by_its_numbers(column: int) -> None:
    with pytest.raises(FormatError, match=f"line 2: {column - 1},7: off the board of size 15"):
        trees_of(f"Piskvorky 15x15, 11:11, 0\n{column},8,0\n".encode())


def test_nothing_is_lost_without_a_word(tmp_path: Path) -> None:
    tree = GameTree()
    tree.root.add((7, 7), "the centre")
    for ending in (".psq", ".txt"):
        with pytest.raises(FormatError, match=r"cannot hold variations or comments: save it"):
            save(tree, tmp_path / f"game{ending}")
    tree.first = WHITE
    with pytest.raises(FormatError, match=r"cannot hold set-up stones: save it as .sgf"):
        save(tree, tmp_path / "game.psq")
    with pytest.raises(FormatError, match=r"game.xyz: expected a name in .sgf, .psq, .txt, .lib"):
        save(tree, tmp_path / "game.xyz")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(FormatError, match=r"a.txt:2: z99: off the board of size 15"):
        (tmp_path / "a.txt").write_text("h8\nz99\n")
        load(tmp_path / "a.txt")


def test_a_comment_between_moves_has_no_move() -> None:
    tree = GameTree()
    tree.root.children.append(Node(comment="now"))
    tree.root.children[0].add((7, 7))
    assert tree.moves == [(7, 7)]
    assert told(read_renlib(write_renlib(tree)))[0] == [  # type: ignore[index]
        (0, None, "", {}), (1, None, "now", {}), (2, (7, 7), "", {})
    ]  # fmt: skip


@pytest.mark.linux
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    save(GameTree(rule=4, black="Ann"), path)
    before = path.read_bytes()
    with small_files(), pytest.raises(OSError, match="File too large"):
        save(GameTree(rule=4, black="B" * LIMIT), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
