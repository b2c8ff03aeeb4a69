"""Checks the scores that the losing side reported in ninuki games: `python -m tools.claims`.

`make claims` plays 500 games of the engine against itself. They start from the shipped openings,
rotated and mirrored. The referee decides each game. For each loser the program checks:

- whether it had claimed a win;
- whether another last move would have delayed the end: the program tries every legal move, and
  every immediate win after it;
- if no move would have delayed the end, whether it had announced the loss in one or two plies.

Each game is a line of a journal; games in the journal are not played again.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from arena.openings import book as openings
from arena.rules.referee import Color, Point, Position, Rule
from pyengine import Engine, Limits
from pyengine import Rule as EngineRule

SIZE, MEMORY_MIB = 19, 8
JOURNAL = Path(__file__).resolve().parent.parent / "build" / "ninuki-claims.jsonl"


@dataclass(frozen=True)
class Claim:
    """A side's claim before its move: mate in plies, negative for a loss."""

    ply: int
    score: int
    mate: int | None


@dataclass(frozen=True)
class Game:
    """A finished game.

    `faults`: the misjudgements of the loser. `warned`: plies before the end since which it claimed
    a loss. `revived`: the winner had claimed a loss.
    """

    number: int
    nodes: int
    moves: list[Point]
    winner: str | None
    reason: str | None
    last: list[Claim] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    warned: int = 0
    revived: bool = False


# --- asking the referee -------------------------------------------------------------------------


def _winning(position: Position, moves: Iterable[Point]) -> Point | None:
    us = position.to_move
    for m in moves:
        if not position.legal(m):
            continue
        position.play(m)
        won = position.winner is us
        position.undo()
        if won:
            return m
    return None


def winning_move(position: Position, hints: Sequence[Point] = ()) -> Point | None:
    """Returns a move that wins at once; tries likely moves first."""
    return _winning(position, hints) or _winning(position, position.legal_moves())


def surviving_move(position: Position) -> Point | None:
    """Returns a move after which the other side does not win at once; None without one."""
    us = position.to_move
    hints: list[Point] = []
    for m in position.legal_moves():
        position.play(m)
        if position.is_over:
            lost = position.winner is us.other
        else:
            reply = winning_move(position, hints)
            lost = reply is not None
            if reply is not None and reply not in hints:
                hints.append(reply)
        position.undo()
        if not lost:
            return m
    return None


def faults_of(position: Position, claims: Sequence[Claim]) -> list[str]:
    """Returns the misjudgements of the loser; `claims` has those of both sides by ply."""
    assert position.winner is not None
    loser = position.winner.other
    moves = position.moves
    own = [c for c in claims if (c.ply % 2 == 0) is (loser is Color.BLACK)]
    found = [f"claimed a win in {c.mate} at ply {c.ply}" for c in own if c.mate and c.mate > 0]
    if not own:
        return found
    last = own[-1]
    back = len(moves) - last.ply
    for _ in range(back):
        position.undo()
    better = surviving_move(position)
    for m in moves[-back:]:
        position.play(m)
    if better is not None:
        found.append(f"lost at once by {moves[last.ply]}, where {better} did not")
    elif last.mate not in (-1, -2):
        found.append(f"said {last.score}, mate {last.mate}, where every move loses at once")
    return found


# --- playing ------------------------------------------------------------------------------------


def turned(m: Point, way: int) -> Point:
    """Returns a square under one of the eight symmetries."""
    x, y = m
    x, y = (SIZE - 1 - x if way & 1 else x), (SIZE - 1 - y if way & 2 else y)
    return (y, x) if way & 4 else (x, y)


def opening(number: int) -> list[Point]:
    """Returns the opening of a game: the shipped ones in turn, then their images."""
    known = openings.shipped(Rule.NINUKI, SIZE)
    way = number // len(known) % 8
    return [turned(m, way) for m in known[number % len(known)]]


def warned_from(claims: Sequence[Claim], end: int) -> int:
    """Returns the plies before the end since which a side always claimed its loss."""
    warned = 0
    for c in reversed(claims):
        if c.mate is None or c.mate > 0:
            break
        warned = end - c.ply
    return warned


def judged(number: int, nodes: int, position: Position, claims: Sequence[Claim]) -> Game:
    """Returns the game with its verdicts."""
    winner, end = position.winner, len(position.moves)
    reason = position.reason.value if position.reason else None
    if winner is None:
        return Game(number, nodes, position.moves, None, reason)
    first = 0 if winner is Color.BLACK else 1
    won = [c for c in claims if c.ply % 2 == first]
    lost = [c for c in claims if c.ply % 2 != first]
    return Game(
        number,
        nodes,
        position.moves,
        winner.value,
        reason,
        last=lost[-3:],
        faults=faults_of(position, claims),
        warned=warned_from(lost, end),
        revived=any(c.mate is not None and c.mate < 0 for c in won),
    )


def play(number: int, nodes: int) -> Game:
    """Plays one game of two separate engines; raises if an engine and the referee differ."""
    position = Position(size=SIZE, rule=Rule.NINUKI)
    claims: list[Claim] = []
    start = opening(number)
    with (
        Engine(size=SIZE, rule=EngineRule.NINUKI, memory_mib=MEMORY_MIB) as black,
        Engine(size=SIZE, rule=EngineRule.NINUKI, memory_mib=MEMORY_MIB) as white,
    ):
        while not position.is_over:
            ply = len(position.moves)
            if ply < len(start):
                m = start[ply]
            else:
                result = (white if ply % 2 else black).search(Limits(nodes=nodes))
                claims.append(Claim(ply, result.score, result.mate))
                m = result.move
            there = position.play(m)
            for e in (black, white):
                here = e.play(m)
                said = (here.status.value, here.winner and here.winner.value, here.captured)
                if said != (
                    there.status.value,
                    there.winner and there.winner.value,
                    there.captured,
                ):
                    raise ValueError(f"game {number}, ply {ply}: {here}, the referee: {there}")
    return judged(number, nodes, position, claims)


# --- the journal --------------------------------------------------------------------------------


def read_journal(path: Path) -> list[Game]:
    """Returns the games of a journal without a torn last line."""
    games: list[Game] = []
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        try:
            row = json.loads(line)
        except json.JSONDecodeError:
            continue
        row["moves"] = [(x, y) for x, y in row["moves"]]
        row["last"] = [Claim(**c) for c in row["last"]]
        games.append(Game(**row))
    return games


def run(path: Path, games: int, nodes: int) -> list[Game]:
    """Plays those of the first `games` games that the journal lacks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {g.number: g for g in read_journal(path) if g.nodes == nodes}
    text = path.read_text("utf-8") if path.exists() else ""
    with path.open("a", encoding="utf-8") as journal:
        if text and not text.endswith("\n"):
            journal.write("\n")
        for number in range(games):
            if number not in known:
                known[number] = play(number, nodes)
                journal.write(json.dumps(asdict(known[number])) + "\n")
                journal.flush()
    return [known[number] for number in range(games)]


def report(games: Sequence[Game]) -> int:
    """Prints the results; returns the number of games with a fault."""
    lost = [g for g in games if g.winner]
    wrong = [g for g in lost if g.faults]
    ends = Counter(g.reason for g in games)
    warned = sorted(g.warned for g in lost)
    print(f"{len(games)} games, {len(lost)} lost: {dict(ends)}")
    if warned:
        print(
            f"plies before the end from which on the loser said so: least {warned[0]}, "
            f"half {warned[len(warned) // 2]}, most {warned[-1]}"
        )
    print(f"won after a claimed loss: {[g.number for g in lost if g.revived]}")
    for g in wrong:
        print(f"game {g.number}: {'; '.join(g.faults)}")
    print(f"{len(wrong)} games lost with a fault")
    return len(wrong)


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays and reports; returns 1 if a loser misjudged a position."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=500, help="number of games (default: 500)")
    parser.add_argument("--nodes", type=int, default=5000, help="nodes a move (default: 5000)")
    parser.add_argument(
        "--journal",
        type=Path,
        default=JOURNAL,
        help="file of the finished games; an existing one is continued (default: in build/)",
    )
    args = parser.parse_args(arguments)
    return int(report(run(args.journal, args.games, args.nodes)) > 0)


if __name__ == "__main__":
    sys.exit(main())
