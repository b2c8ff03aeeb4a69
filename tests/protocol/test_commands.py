"""Text to commands: every command in its forms, blocks, and that no text at all does harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.commands import (
    INT64_MAX,
    INT64_MIN,
    Assembler,
    Balance,
    Block,
    BlockKind,
    Command,
    Info,
    Malformed,
    NBest,
    Opening,
    Play,
    Start,
    Takeback,
    Turn,
    Unknown,
    Word,
    parse,
    read_int,
    read_numbers,
    shown,
)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("START 15", Start(15, 15)),
        ("start 15 15", Start(15, 15)),
        ("START 20\r", Start(20, 20)),
        ("START -1", Start(-1, -1)),
        ("RECTSTART 20,15", Start(20, 15)),
        ("RECTSTART 19, 19", Start(19, 19)),
        ("RESTART", Word.RESTART),
        ("BEGIN", Word.BEGIN),
        ("  begin  ", Word.BEGIN),
        ("About", Word.ABOUT),
        ("END", Word.END),
        ("end now", Word.END),
        ("STOP", Word.STOP),
        ("yxstop", Word.STOP),
        ("YXSHOWFORBID", Word.SHOW_FORBIDDEN),
        ("YXHASHCLEAR", Word.CLEAR_TABLE),
        ("YXBLOCKRESET", Word.UNBLOCK_ALL),
        ("TURN 7,8", Turn((7, 8))),
        ("turn 7 , 8 ", Turn((7, 8))),
        ("TURN -1,+3", Turn((-1, 3))),
        ("TAKEBACK 07,8", Takeback((7, 8))),
        ("PLAY 1,2", Play((1, 2))),
        ("YXNBEST 3", NBest(3)),
        ("YXNBEST 0", NBest(1)),
        ("INFO timeout_turn 1000", Info("timeout_turn", "1000")),
        ("info TIMEOUT_Turn  1000 \r", Info("timeout_turn", "1000")),
        ("INFO folder C:\\Program Files\\a b", Info("folder", "C:\\Program Files\\a b")),
        ("INFO rule", Info("rule", "")),
        ("BOARD", Opening(BlockKind.BOARD, "BOARD")),
        ("yxboard", Opening(BlockKind.YXBOARD, "YXBOARD")),
        ("SWAP2BOARD", Opening(BlockKind.SWAP2BOARD, "SWAP2BOARD")),
        ("YXBLOCK", Opening(BlockKind.BLOCK, "YXBLOCK")),
        ("YXBLOCKUNDO", Opening(BlockKind.UNBLOCK, "YXBLOCKUNDO")),
        ("YXBLOCKPATH", Opening(BlockKind.UNSUPPORTED, "YXBLOCKPATH")),
        ("YXBLOCKPATHUNDO", Opening(BlockKind.UNSUPPORTED, "YXBLOCKPATHUNDO")),
        ("INFO\ttimeout_turn\t 20 ", Info("timeout_turn", "20")),
        ("INFO", Info("", "")),
        ("YXQUERYDATABASEALL", Opening(BlockKind.QUERY, "YXQUERYDATABASEALL")),
        ("yxdeletedatabaseone", Opening(BlockKind.EDIT, "YXDELETEDATABASEONE")),
        ("YXSHOWINFO", Word.SHOW_INFO),
        ("YXBALANCEONE", Balance(1, 0)),
        ("yxbalancetwo -30000", Balance(2, -30000)),
        ("YXDRAW", Unknown("YXDRAW")),
        ("DONE", Unknown("DONE")),
        ("7,7", Unknown("7,7")),
        ("TURNX 7,7", Unknown("TURNX")),
        ("", None),
        (" \t\r", None),
    ],
)
def test_a_line_is_read(line: str, command: Command | None) -> None:
    assert parse(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "START",
        "START x",
        "START 1 2 3",
        "RECTSTART 15",
        "TURN",
        "TURN 7",
        "TURN 7,7,7",
        "TURN a,b",
        "TURN 7 7",
        "TURN 1_0,2",
        "TURN \u0663,4",
        "TAKEBACK",
        "PLAY 1;2",
        "YXNBEST",
        "YXNBEST many",
        "YXBALANCEONE x",
        "YXBALANCETWO 30001",
        "YXSETDATABASE a.db",
        "YXSAVEDATABASE",
        "YXDBTOTXT a.txt",
        "YXLIBTODB a.lib",
    ],
)
def test_bad_arguments_are_malformed(line: str) -> None:
    found = parse(line)
    assert isinstance(found, Malformed)
    assert found.text.isascii()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        (" 12 ", 12),
        ("-5", -5),
        ("+5", 5),
        ("18446744073709551615", INT64_MAX),
        ("-18446744073709551615", INT64_MIN),
        ("9223372036854775808", INT64_MAX),
        ("0" * 50 + "7", 7),
        ("9" * 10_000, INT64_MAX),
        ("", None),
        ("-", None),
        ("1e3", None),
        ("1_000", None),
        ("²", None),
        ("0x10", None),
        ("--1", None),
    ],
)
def test_integers(text: str, number: int | None) -> None:
    assert read_int(text) == number


def test_numbers_are_exactly_so_many() -> None:
    assert read_numbers("1, 2 ,3", 3) == (1, 2, 3)
    assert read_numbers("1,2", 3) is None
    assert read_numbers("1,,2", 3) is None
    assert read_numbers("1,2,", 2) is None


def fed(*lines: str) -> list[Command]:
    assembler = Assembler()
    commands = [assembler.feed(line) for line in lines]
    return [command for command in commands if command is not None]


def test_a_block_is_one_command() -> None:
    assert fed("BOARD", "7,7,1", "", " 8,8,2\r", "9,9,3", "done", "ABOUT") == [
        Block(BlockKind.BOARD, "BOARD", ((7, 7, 1), (8, 8, 2), (9, 9, 3))),
        Word.ABOUT,
    ]
    assert fed("BOARD", "DONE") == [Block(BlockKind.BOARD, "BOARD")]
    assert fed("swap2board", "1,2", "DONE") == [
        Block(BlockKind.SWAP2BOARD, "SWAP2BOARD", ((1, 2),))
    ]


@pytest.mark.parametrize("line", ["TURN 7,7", "INFO rule 4", "STOP", "7,7", "7,7,4", "7,7,0", "x"])
def test_every_line_of_a_block_belongs_to_it(line: str) -> None:
    (block,) = fed("BOARD", "1,1,1", line, "2,2,2", "DONE")
    assert isinstance(block, Block)
    assert block.bad == f"bad line '{line}'"


def test_only_the_first_bad_line_is_told() -> None:
    (block,) = fed("YXBLOCK", "one", "two", "DONE")
    assert block == Block(BlockKind.BLOCK, "YXBLOCK", (), "bad line 'one'")


def test_end_leaves_a_block() -> None:
    assert fed("BOARD", "7,7,1", "END") == [Word.END]


def test_an_unsupported_block_is_swallowed() -> None:
    assert fed("PROBOARD", "anything", "STOP", "DONE", "BEGIN") == [
        Block(BlockKind.UNSUPPORTED, "PROBOARD"),
        Word.BEGIN,
    ]


def test_a_block_keeps_no_more_than_a_board() -> None:
    lines = [f"{i % 22},{i // 22},1" for i in range(485)]
    (whole,) = fed("BOARD", *lines[:484], "DONE")
    (more,) = fed("BOARD", *lines, "DONE")
    assert isinstance(whole, Block) and whole.bad is None and len(whole.rows) == 484
    assert isinstance(more, Block) and more.bad == "too many lines"


def test_what_is_repeated_is_short_and_plain() -> None:
    assert shown("  a\tb\x00é ") == "a?b??"
    assert len(shown("x" * 1000)) == 40


WORDS = st.sampled_from(
    ["BOARD", "DONE", "SWAP2BOARD", "YXBLOCK", "START", "TURN", "INFO", "7,7", "7,7,1", "-1,999,2"]
)
ANY_LINE = st.one_of(st.text(), st.builds(" ".join, st.lists(st.one_of(WORDS, st.text()))))


@given(ANY_LINE)
def test_no_text_raises(line: str) -> None:
    command = parse(line)
    assert (command is None) == (not line.strip())


@given(st.lists(ANY_LINE))
def test_no_stream_raises(lines: list[str]) -> None:
    assert not any(isinstance(command, Opening) for command in fed(*lines))


@given(st.integers())
def test_integers_stay_within_64_bits(number: int) -> None:
    assert read_int(str(number)) == max(INT64_MIN, min(INT64_MAX, number))
