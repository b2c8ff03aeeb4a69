"""Game files: read back by the arena, and by independent readers."""

import re
from pathlib import Path

import pytest

from arena.game.formats import FormatError, from_psq, from_sgf, to_psq, to_sgf
from arena.game.game import GameSettings, play_brains
from arena.game.record import EndReason, GameRecord, MoveRecord, PlayerRecord, Side
from arena.openings.book import read_openings
from arena.rules.referee import Point, Position, Rule
from arena.run.jobs import RandomOpenings
from tests.support.fakes import fake, no_brain_is_left


def record_of(
    rule: Rule,
    size: int,
    opening: tuple[Point, ...],
    moves: list[Point],
    *,
    reason: EndReason = EndReason.CRASH,
    winner: Side | None = "white",
    detail: str = "black forfeits (crash): it [said] \\ 'good] bye'",
) -> GameRecord:
    """Returns a record of moves that the referee plays."""
    position = Position(size=size, rule=rule)
    for point in opening:
        position.play(point)
    played = []
    for number, point in enumerate(moves, 1):
        color = position.to_move
        captured = tuple(position.play(point).captured)
        known = number % 3 == 0
        played.append(
            MoveRecord(
                *point,
                color=color.value,
                ms=0.25 + number,
                limit_ms=1000.0,
                depth=number if known else None,
                nodes=1000 * number if known else None,
                score=f"-{number}" if known else None,
                captured=captured,
            )
        )
    if position.reason is not None:
        reason, detail = EndReason(position.reason.value), "over"
        winner = None if position.winner is None else position.winner.value
    return GameRecord(
        black=PlayerRecord("Tengen 0.1"),
        white=PlayerRecord("7, of [nine]"),
        size=size,
        rule=int(rule),
        turn_ms=1000,
        match_ms=60_500,
        memory_mib=0,
        tolerance_ms=0,
        opening=opening,
        moves=tuple(played),
        winner=winner,
        reason=reason,
        detail=detail,
        captures=position.captures,
    )


FIVE = [(3, 7), (0, 0), (4, 7), (14, 0), (5, 7), (0, 14), (6, 7), (14, 14), (7, 7)]
# Black captures the pair (5, 4), (6, 4), and White plays on one of the empty squares.
CAPTURE = [(4, 4), (5, 4), (0, 0), (6, 4), (7, 4), (5, 4), (0, 2)]
RECORDS = [
    record_of(Rule.FREESTYLE, 15, (), FIVE),
    record_of(Rule.FREESTYLE, 15, ((7, 8), (8, 8), (9, 9)), [(1, 1), (2, 13)]),
    record_of(Rule.RENJU, 22, ((21, 21),), [(20, 0)], reason=EndReason.TIME),
    record_of(Rule.NINUKI, 19, (), CAPTURE),
    record_of(Rule.CARO_STANDARD, 5, (), [], winner=None, reason=EndReason.UNKNOWN, detail="?"),
]
IDS = [Rule(record.rule).name.lower() for record in RECORDS]


def psq_moves(text: str) -> tuple[int, list[tuple[int, int, int]], list[str]]:
    """Reads as Piskvork does: a header, moves up to another line, and the lines after it."""
    lines = text.split("\n")
    header = re.fullmatch(r"Piskvorky (\d+)x(\d+), (\d+):(\d+), ([01])", lines[0])
    assert header and header[1] == header[2]
    moves: list[tuple[int, int, int]] = []
    for number, line in enumerate(lines[1:], 1):
        parts = re.match(r"\s*([+-]?\d+),([+-]?\d+)(?:,([+-]?\d+))?", line)
        if parts is None:
            return int(header[1]), moves, lines[number:]
        moves.append((int(parts[1]), int(parts[2]), int(parts[3] or 0)))
    raise AssertionError("no end of the moves")


def sgf_nodes(text: str) -> list[dict[str, list[str]]]:
    """Reads an .sgf without branches by one regular expression for a value."""
    assert text.startswith("(;") and text.rstrip().endswith(")")
    value = r"\[((?:[^\]\\]|\\.)*)\]"
    nodes: list[dict[str, list[str]]] = []
    rest = text.strip()[1:-1]
    while rest:
        assert rest[0] == ";", rest
        rest = rest[1:]
        node: dict[str, list[str]] = {}
        while found := re.match(rf"([A-Z]+)((?:{value})+)\s*", rest):
            values = re.findall(value, found[2])
            node[found[1]] = [re.sub(r"\\(.)", r"\1", text) for text in values]
            rest = rest[found.end() :]
        nodes.append(node)
    return nodes


@pytest.mark.parametrize("record", RECORDS, ids=IDS)
def test_a_psq_holds_what_piskvork_reads(record: GameRecord) -> None:
    size, moves, rest = psq_moves(to_psq(record))
    assert size == record.size
    points = [*record.opening, *(move.point for move in record.moves)]
    assert [(x - 1, y - 1) for x, y, _ in moves] == points
    times = [ms for _, _, ms in moves]
    assert times[: len(record.opening)] == [0] * len(record.opening)
    assert all(ms >= 1 for ms in times[len(record.opening) :])
    # The last line names a player: 1 moves first after the opening.
    players = ["black", "white"] if len(record.opening) % 2 == 0 else ["white", "black"]
    won = "?" if record.is_unfinished else "0"
    if record.winner is not None:
        won = str(1 + players.index(record.winner))
    rule = Rule(record.rule).name.lower().replace("_", " ")
    assert rest == ["Tengen 0.1", "_7 of [nine]", "-1", f"{won},{rule}", ""]


@pytest.mark.parametrize("record", RECORDS, ids=IDS)
def test_a_psq_is_read_back(record: GameRecord) -> None:
    again = from_psq(to_psq(record))
    assert (again.size, again.rule, again.captures) == (record.size, record.rule, record.captures)
    assert (again.winner, again.opening) == (record.winner, record.opening)
    assert [m.point for m in again.moves] == [m.point for m in record.moves]
    assert [m.captured for m in again.moves] == [m.captured for m in record.moves]
    assert [m.ms for m in again.moves] == [round(m.ms) for m in record.moves]
    on_board = not record.is_forfeit
    assert (again.reason is record.reason) is on_board
    assert GameRecord.from_json(again.to_json()) == again


@pytest.mark.parametrize("record", RECORDS, ids=IDS)
def test_an_sgf_holds_what_others_read(record: GameRecord) -> None:
    root, *nodes = sgf_nodes(to_sgf(record, event="a match", date="2026-01-02"))
    assert (root["FF"], root["GM"], root["SZ"]) == (["4"], ["4"], [str(record.size)])
    assert (root["EV"], root["DT"]) == (["a match"], ["2026-01-02"])
    assert (root["PB"], root["PW"]) == (["Tengen 0.1"], ["7, of [nine]"])
    assert root["RE"][0][:1] == {"black": "B", "white": "W", None: "?"}[record.winner]
    played = [node for node in nodes if "AE" not in node]
    letters = "abcdefghijklmnopqrstuvwxyz"
    points = [*record.opening, *(move.point for move in record.moves)]
    for number, (node, (x, y)) in enumerate(zip(played, points, strict=True)):
        assert node["BW"[number % 2]] == [letters[x] + letters[y]]
    emptied = [node["AE"] for node in nodes if "AE" in node]
    assert len(emptied) == sum(bool(move.captured) for move in record.moves)


def test_captures_are_shown_to_programs_that_know_none() -> None:
    lines = to_sgf(RECORDS[3]).splitlines()
    assert lines[5].startswith(";B[he]")
    assert sorted(lines[6]) == sorted(";AE[fe][ge]")
    assert lines[7].startswith(";W[fe]")


@pytest.mark.parametrize("record", RECORDS, ids=IDS)
def test_an_sgf_is_read_back_whole(record: GameRecord) -> None:
    again = from_sgf(to_sgf(record))
    detail = " ".join(record.detail.split())
    assert again.detail == detail
    # Memory, tolerance and notes are not in the file; everything else is.
    assert again == record


def test_a_real_game_is_written_and_read(tmp_path: Path) -> None:
    opening = RandomOpenings(Rule.NINUKI, 10)[3]
    settings = GameSettings(size=10, rule=Rule.NINUKI, turn_ms=5000, opening=opening)
    record = play_brains(fake(), fake(), settings)
    path = tmp_path / "game.psq"
    path.write_text(to_psq(record), encoding="utf-8")
    for again in (from_sgf(to_sgf(record)), from_psq(path.read_text(encoding="utf-8"))):
        assert (again.winner, again.reason) == (record.winner, record.reason)
        assert (again.opening, again.captures) == (opening, record.captures)
        assert [m.point for m in again.moves] == [m.point for m in record.moves]
    assert no_brain_is_left()


def test_a_psq_serves_as_an_opening(tmp_path: Path) -> None:
    path = tmp_path / "opening.psq"
    path.write_text(to_psq(RECORDS[1]), encoding="utf-8")
    moves = ((7, 8), (8, 8), (9, 9), (1, 1), (2, 13))
    assert read_openings(path, size=15) == [moves]


def test_files_of_others_are_read() -> None:
    saved_by_piskvork = "Piskvorky 20x20, 0:3, 1\r\n1,1,0\r\n20,20,7\r\n-1\r\n"
    record = from_psq(saved_by_piskvork, rule=Rule.STANDARD)
    assert (record.size, record.rule, record.winner) == (20, 1, None)
    assert (record.opening, record.moves[0].point) == (((0, 0),), (19, 19))
    assert record.reason is EndReason.UNKNOWN
    of_gomocup = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,12\nA.zip\nB.zip\n-1\n1,Renju_1\n"
    record = from_psq(of_gomocup)
    assert (record.rule, record.winner, record.white.name) == (4, "white", "B.zip")
    of_c_gomoku_cli = (
        "(;FF[4]GM[4]GN[1]RU[1]SZ[15]PB[x]PW[y]RE[W+1]TE[win by time]\n"
        ";B[hh]C[opening move]\n;W[ii]C[12ms](;B[aa])(;B[bb]))\n\n(;GM[4]SZ[20])"
    )
    record = from_sgf(of_c_gomoku_cli)
    assert (record.rule, record.winner, record.black.name) == (1, "white", "x")
    assert [move.point for move in record.moves] == [(7, 7), (8, 8), (0, 0)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: ''"),
        ("Gomoku 15x15", "line 1: 'Gomoku 15x15': expected Piskvorky"),
        ("Piskvorky 15x20, 0:0, 0\n-1\n", "expected a square board"),
        ("Piskvorky 99x99, 0:0, 0\n-1\n", "size: 99: expected 5 to 22"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n-1\n", "line 3: .*occupied"),
        ("Piskvorky 15x15, 0:0, 0\n8,8,0\n16,8,0\n-1\n", "line 3: 16,8"),
    ],
)
def test_what_is_no_psq_is_refused(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        from_psq(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "line 1: the end of the file: expected"),
        ("(;SZ[15]\n;B[hh]", "line 2: the end of the file"),
        ("(;SZ[15]\n;B[hh", "line 2: the end of the file: expected ]"),
        ("(;SZ[15];B[hh]B[ii])", "line 1: .*does not have yet"),
        ("(;SZ[3])", "size: 3"),
        ("(;SZ[15]RU[chess])", "RU: 'chess': expected one of"),
        ("(;SZ[15];B[hh];B[ii])", "move 2: B: expected W"),
        ("(;SZ[15];B[h8])", "move 1: 'h8': expected two letters"),
        ("(;SZ[15];B[hh];W[hh])", "move 2: .*occupied"),
        ("(;SZ[15];B[zz])", "move 1: .*off the board"),
    ],
)
def test_what_is_no_sgf_is_refused(text: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        from_sgf(text)
