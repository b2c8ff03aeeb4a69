""".sgf files as trees: variations, repeated properties and escapes, as in FF[4]."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.errors import FormatError
from records.sgf import SgfNode, is_sgf, point_list, read_sgf, write_sgf

keys = st.sampled_from(["B", "W", "C", "AB", "PB", "SZ", "XY"])
values = st.text(max_size=12).map(lambda text: text.replace("\r", "").removeprefix("\ufeff"))
properties = st.dictionaries(keys, st.lists(values, min_size=1, max_size=3), max_size=3)
trees = st.recursive(
    st.builds(SgfNode, properties),
    lambda children: st.builds(SgfNode, properties, st.lists(children, max_size=3)),
    max_leaves=12,
)

Shape = tuple[dict[str, list[str]], list["Shape"]]


def shape(node: SgfNode) -> Shape:
    return node.properties, [shape(child) for child in node.children]


@given(st.lists(trees, min_size=1, max_size=3))
def test_what_is_written_is_read_back(roots: list[SgfNode]) -> None:
    text = write_sgf(roots)
    assert is_sgf(text)
    assert [shape(root) for root in read_sgf(text)] == [shape(root) for root in roots]


@given(st.text(alphabet="();[]\\BWC ab\n", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        roots = read_sgf(text)
    except FormatError as error:
        assert error.line is not None
        return
    assert [shape(root) for root in read_sgf(write_sgf(roots))] == [shape(root) for root in roots]


def test_variations_are_kept() -> None:
    root, other = read_sgf("mail\n(;B[aa];W[bb](;B[cc];W[dd])(;B[ee](;W[ff])(;W[gg])))(;B[hh])end")
    line = [node.properties for node in root.main_line()]
    assert line == [{"B": ["aa"]}, {"W": ["bb"]}, {"B": ["cc"]}, {"W": ["dd"]}]
    fork = root.children[0]
    assert [len(node.children) for node in (root, fork, fork.children[1])] == [1, 2, 2]
    assert fork.children[1].children[1].get("W") == "gg"
    assert other.get("B") == "hh"


def test_a_deep_game_needs_no_deep_stack() -> None:
    text = "(" + ";B[aa](" * 20_000 + ";W[bb]" + ")" * 20_001
    (root,) = read_sgf(text)
    assert sum(1 for _ in root.main_line()) == 20_001
    assert write_sgf([root]).count(";") == 20_001


def test_repeated_properties() -> None:
    (root,) = read_sgf("(;AB[aa]C[one]AB[bb][cc]PB[x]PB[x]C[two])")
    assert root.properties == {"AB": ["aa", "bb", "cc"], "C": ["one\ntwo"], "PB": ["x"]}
    for text in ("(;B[aa]\n;B[aa]B[bb])", "(;SZ[15]\nSZ[19])"):
        with pytest.raises(FormatError, match=r"line 2: .*does not have yet"):
            read_sgf(text)


def test_texts_are_unescaped() -> None:
    (root,) = read_sgf("(;C[a\\]b\\\\c\\\nd\ne:f]PlayerBlack[x])")
    assert root.properties == {"C": ["a]b\\cd\ne:f"], "PB": ["x"]}


def test_colons_of_labels_are_escaped() -> None:
    text = "(;C[a:b]LB[aa:1\\:2][bb:\\]][cc]FG[0:a\\:\\:b])\n"
    (root,) = read_sgf(text)
    assert root.properties["LB"] == ["aa:1:2", "bb:]", "cc"]
    assert write_sgf([root]) == text


def test_lists_of_squares() -> None:
    assert point_list(["aa", "bb:cc"]) == [(0, 0), (1, 1), (2, 1), (1, 2), (2, 2)]
    for values, words in ((["cc:bb"], "top left corner first"), (["a"], "two letters"),
                          (["aa:"], "two letters")):  # fmt: skip
        with pytest.raises(FormatError, match=words):
            point_list(values)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: the end of the file: expected"),
        ("(;SZ[15]\n;B[hh", "line 2: the end of the file: expected ]"),
        ("(;SZ[15]\n;B[hh]", "line 2: the end of the file: expected a node"),
        ("(;SZ[15]\n;B hh)", "line 2: 'hh)': expected ["),
        ("(;sz[15])", "line 1: 'sz[15])': expected a property in capital letters"),
        ("(;B[aa]\n(", "line 2: the end of the file"),
        ("(;B[aa])\n(;W[bb]", "line 2: the end of the file"),
        ("(;B[aa])\n()", "line 2: ')': expected a node"),
    ],
)
def test_what_is_wrong_has_its_line(text: str, words: str) -> None:
    with pytest.raises(FormatError, match="^" + re.escape(words)):
        read_sgf(text)
