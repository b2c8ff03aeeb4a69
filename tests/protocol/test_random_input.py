"""Ten thousand random lines: the engine survives, and answers every request but no INFO."""

import random
from collections.abc import Sequence

from protocol.commands import Assembler, Block, BlockKind, Info, Opening, Word
from tests.support.brains import ALL_BRAINS, ALL_PLAYERS
from tests.support.protocol_runner import Brain

SYNC = "UNKNOWN SYNC"
INFO_KEYS = ["timeout_match", "time_left", "max_memory", "game_type", "rule", "folder", "evaluate"]
INFO_KEYS += ["max_node", "max_depth", "thread_num", "hash_size", "time_increment", "captures"]
INFO_KEYS += ["level", "prune.lmr", "prune.nonsense", "nonsense"]
VALUES = ["", "0", "1", "-1", "7", "16", "100", "2147483647", "-9223372036854775809", "4,2", "x y"]
VALUES += [
    "18446744073709551615",
    "1e9",
    "%s%n",
    "\x00",
    "7,7,7",
    "367001600",
    "\u0661",
    " 8 ",
    "é" * 99,
]
NOISE = [
    "",
    "  ",
    "7,7",
    "DONE",
    "BOARDX",
    "turn",
    "TURN 7",
    "START x",
    "\x01\x02",
    "OK",
    "MESSAGE",
]
NOISE += ["TURN 3,3,3", "BEGIN 3", "YXNBEST", "YXSHOWINFO", "PLAY", "SUGGEST 3,3", "YXBALANCEONE 1"]
NOISE += ["YXBALANCETWO", "YXBALANCETWO x", "YXSAVEDATABASE"]


def random_info(chance: random.Random) -> str:
    if chance.random() < 0.2:
        # Always there, so that a move does not take its five seconds; never without a limit.
        return f"INFO timeout_turn {chance.choice([0, 1, 9, 20, 'x'])}"
    info = chance.choice(["INFO", "info", " Info "])
    return f"{info} {chance.choice(INFO_KEYS)} {chance.choice(VALUES)}"


def random_square(chance: random.Random) -> str:
    return f"{chance.randint(-1, 15)},{chance.randint(-1, 15)}"


def random_block(chance: random.Random) -> list[str]:
    words = ["BOARD", "board", "YXBOARD", "SWAP2BOARD", "YXBLOCK", "YXBLOCKUNDO", "PROBOARD"]
    word = chance.choice(words)
    squares = chance.sample([(x, y) for x in range(15) for y in range(15)], chance.randint(0, 9))
    fields = 3 if word.endswith("BOARD") and word != "SWAP2BOARD" else 2
    lines = [f"{x},{y}" + (f",{chance.randint(1, 3)}" if fields == 3 else "") for x, y in squares]
    if chance.random() < 0.3:
        lines.append(chance.choice([*NOISE, "STOP", random_info(chance), random_square(chance)]))
    return [word, *lines, "DONE"]


def random_lines(chance: random.Random) -> list[str]:
    draw = chance.random()
    if draw < 0.35:
        return [random_info(chance)]
    if draw < 0.6:
        return [f"TURN {random_square(chance)}"]
    if draw < 0.7:
        return random_block(chance)
    if draw < 0.85:
        return [f"{chance.choice(['TAKEBACK', 'PLAY', 'TURN'])} {random_square(chance)}"]
    if draw < 0.93:
        return [chance.choice(NOISE)]
    words = ["BEGIN", "RESTART", "START 15", "START 99", "ABOUT", "STOP", "YXSTOP", "YXNBEST 3"]
    words += ["YXSHOWFORBID", "YXHASHCLEAR", "YXBLOCKRESET", "RECTSTART 15,15", "INFO ponder 1"]
    return [chance.choice(words)]


def answers_owed(lines: Sequence[str]) -> tuple[int, int]:
    """Returns the least and the greatest number of answers to such lines."""
    assembler, fewest, most = Assembler(), 0, 0
    silent_blocks = (BlockKind.YXBOARD, BlockKind.BLOCK, BlockKind.UNBLOCK)
    for line in lines:
        command = assembler.feed(line)
        assert not isinstance(command, Opening)
        if command in (None, Word.STOP, Word.CLEAR_TABLE, Word.UNBLOCK_ALL, Word.SHOW_INFO):
            continue
        if isinstance(command, Info):
            continue
        most += 1
        fewest += not (isinstance(command, Block) and command.kind in silent_blocks)
    assert not assembler.in_block
    return fewest, most


def answers_until_sync(brain: Brain) -> list[str]:
    answers: list[str] = []
    while (answer := brain.answer()) != SYNC:
        answers.append(answer)
    return answers


@ALL_PLAYERS
def test_ten_thousand_random_lines(command: Sequence[str]) -> None:
    chance = random.Random(20240)
    with Brain(command) as brain:
        brain.ask("INFO timeout_turn 0", "START 15")
        sent = 0
        while sent < 10_000:
            lines = [line for _ in range(60) for line in random_lines(chance)]
            brain.send(*lines, "SYNC")
            answers = answers_until_sync(brain)
            fewest, most = answers_owed([line.replace("\x00", "?") for line in lines])
            assert fewest <= len(answers) <= most, brain.told()
            sent += len(lines)
        assert brain.ask("START 15") == "OK"
        brain.send("END")
        assert brain.gone() == []


@ALL_BRAINS
def test_info_never_gets_an_answer(command: Sequence[str]) -> None:
    chance = random.Random(7)
    with Brain(command) as brain:
        lines = [random_info(chance) for _ in range(1000)]
        brain.send(*lines, "START 15", *lines, "SYNC")
        assert brain.line()[1] == "OK"
        assert brain.line()[1] == SYNC
        brain.silent(0.1)
