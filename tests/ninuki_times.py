"""How fast and how deep the engine is under ninuki: `python -m tests.ninuki_times`.

`make bench-ninuki` runs it. 50 mid-game positions of self-play (tests/data/ninuki_midgame.json),
one thread, a table that was touched before: time and nodes to depth 10, the depth reached in
500 ms, and the nodes per second beside those of freestyle positions in the same run. With --make
it reads games of training/selfplay.c and writes the positions.
"""

import argparse
import json
import random
import sys
from pathlib import Path
from statistics import mean, median
from typing import TextIO

from pyengine import Engine, Limits, Rule, Square

DATA = Path(__file__).parent / "data" / "ninuki_midgame.json"
POSITIONS, LEAST_STONES, MOST_STONES = 50, 10, 30
PROVEN = 29_000
DEPTH, TIME_MS, MEMORY_MIB = 10, 500, 64
FREESTYLE = ["h8i9g9i7", "h8g9i9i10g8j8h10", "h8i8h9h7g8i10f7", "g7h8i8h9h7g8f7"]
SHARES = (0.0, 0.1, 0.5, 0.9, 1.0)


# --- making the positions -----------------------------------------------------------------------


def make(games: TextIO, seed: int) -> list[list[Square]]:
    """Takes one position of each game: undecided, of a number of stones drawn from the seed."""
    rng = random.Random(seed)
    found = []
    for line in games:
        size, moves = int(line.split()[1]), line.split()[4].strip(";").split(";")
        wanted = rng.randint(LEAST_STONES, MOST_STONES)
        squares = _position(size, [[int(v) for v in m.split(",")] for m in moves], wanted)
        if squares and len(found) < POSITIONS:
            found.append(squares)
    return found


def _position(size: int, moves: list[list[int]], wanted: int) -> list[Square] | None:
    """The moves up to the first position of so many stones in which no end is in sight."""
    stones = 0
    with Engine(size=size, rule=Rule.NINUKI, memory_mib=1) as e:
        for i, (x, y, score) in enumerate(moves):
            if stones == wanted:
                return None if abs(score) > PROVEN else [(m[0], m[1]) for m in moves[:i]]
            stones += 1 - len(e.play((x, y)).captured)
    return None


# --- measuring ----------------------------------------------------------------------------------


def read_moves(text: str) -> list[Square]:
    """Squares of a text as h8g9: column letter, row number from 1 at the top."""
    cut = [i for i, c in enumerate(text) if c.isalpha()] + [len(text)]
    return [
        (ord(text[a]) - ord("a"), int(text[a + 1 : b]) - 1)
        for a, b in zip(cut, cut[1:], strict=False)
    ]


def play(e: Engine, moves: list[Square]) -> None:
    """Sets up the position after the moves."""
    e.reset()
    for m in moves:
        e.play(m)


def speed(e: Engine, positions: list[list[Square]], limits: Limits) -> tuple[list[int], ...]:
    """Time in ms, nodes and depth of each position's search."""
    rows = []
    for moves in positions:
        play(e, moves)
        e.clear_table()
        r = e.search(limits)
        rows.append((r.time_ms, r.nodes, r.depth))
    return tuple(list(column) for column in zip(*rows, strict=True))


def spread(values: list[int]) -> str:
    """Least, tenth, half, nine tenths and most of some numbers."""
    ordered = sorted(values)
    return " ".join(f"{ordered[round(s * (len(ordered) - 1))]:7}" for s in SHARES)


def per_second(times: list[int], nodes: list[int]) -> float:
    """Nodes per second of searches together; times in ms."""
    return 1000 * sum(nodes) / max(1, sum(times))


def report(positions: list[list[Square]]) -> None:
    """Prints the table."""
    with Engine(size=19, rule=Rule.NINUKI, memory_mib=MEMORY_MIB) as e:
        speed(e, positions[:3], Limits(depth=DEPTH))  # touches the table
        times, nodes, _ = speed(e, positions, Limits(depth=DEPTH))
        _, _, depths = speed(e, positions, Limits(time_ms=TIME_MS))
    with Engine(size=15, rule=Rule.FREESTYLE, memory_mib=MEMORY_MIB) as e:
        other = speed(e, [read_moves(text) for text in FREESTYLE], Limits(depth=DEPTH + 4))
    print(f"{len(positions)} positions            mean  median   least   tenth    half  9/10    most")
    for name, values in (
        (f"ms to depth {DEPTH}", times),
        (f"nodes to depth {DEPTH}", nodes),
        (f"depth in {TIME_MS} ms", depths),
    ):
        print(f"{name:20} {mean(values):8.1f} {median(values):7.0f} {spread(values)}")
    ninuki, freestyle = per_second(times, nodes), per_second(other[0], other[1])
    print(f"ninuki {ninuki:.0f} nodes/s, freestyle {freestyle:.0f}: ratio {ninuki / freestyle:.2f}")


def main() -> int:
    """Measures, or makes the positions."""
    parser = argparse.ArgumentParser(description="Speed and depth under ninuki.")
    parser.add_argument("--make", type=int, metavar="SEED", help="positions of games on stdin")
    args = parser.parse_args()
    if args.make is not None:
        about = f"50 positions of self-play, one a game: training/selfplay 16 19 3000 60 {args.make}"
        data = {"about": about, "seed": args.make, "moves": make(sys.stdin, args.make)}
        print(json.dumps(data).replace("]], ", "]],\n"))
        return 0
    data = json.loads(DATA.read_text(encoding="utf-8"))
    report([[(x, y) for x, y in moves] for moves in data["moves"]])
    return 0


if __name__ == "__main__":
    sys.exit(main())
