"""Measures speed and depth under ninuki: `python -m tools.bench_ninuki`.

`make bench-ninuki` runs it. It searches 50 mid-game positions of self-play
(tests/data/ninuki_midgame.json) with one thread and a touched table. It prints time and nodes to
depth 10, and the depth within the nodes of 500 ms at this speed. A second row has only positions
that neither a proof nor a single answer ends early. It also prints nodes per second, and those of
freestyle positions in the same run. Times are CPU times of the process, so a busy machine matters
less. With --make SEED it reads games of training/selfplay.c and writes the positions.
"""

import argparse
import json
import random
import sys
import time
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import TextIO

from pyengine import Color, Engine, Limits, Rule, Square
from pyengine.constants import PROVEN_SCORE

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "ninuki_midgame.json"
POSITIONS, LEAST_STONES, MOST_STONES = 50, 10, 30
DEPTH, TIME_MS, TOUCHING = 10, 500, 300_000
# Table sizes that the protocol uses for moves of 36 ms, the aim for DEPTH, and of TIME_MS.
SMALL_MIB, LARGE_MIB = 4, 32
FREESTYLE = ["h8i9g9i7", "h8g9i9i10g8j8h10", "h8i8h9h7g8i10f7", "g7h8i8h9h7g8f7"]
SHARES = (0.0, 0.1, 0.5, 0.9, 1.0)


# --- making the positions -----------------------------------------------------------------------


def make(games: TextIO, seed: int) -> list[list[Square]]:
    """Chooses one position of each game: undecided, with a random number of stones."""
    rng = random.Random(seed)
    found: list[list[Square]] = []
    for line in games:
        size, moves = int(line.split()[1]), line.split()[4].strip(";").split(";")
        wanted = rng.randint(LEAST_STONES, MOST_STONES)
        squares = _position(size, [[int(v) for v in m.split(",")] for m in moves], wanted)
        if squares and len(found) < POSITIONS:
            found.append(squares)
    return found


def _position(size: int, moves: list[list[int]], wanted: int) -> list[Square] | None:
    """Returns the moves up to the first undecided position with the given number of stones."""
    stones = 0
    with Engine(size=size, rule=Rule.NINUKI, memory_mib=1) as e:
        for i, (x, y, score) in enumerate(moves):
            if stones == wanted:
                return None if abs(score) > PROVEN_SCORE else [(m[0], m[1]) for m in moves[:i]]
            stones += 1 - len(e.play((x, y)).captured)
    return None


# --- measuring ----------------------------------------------------------------------------------


def read_moves(text: str) -> list[Square]:
    """Returns the squares of a text such as h8g9: column letter, row from 1 at the top."""
    cut = [i for i, c in enumerate(text) if c.isalpha()] + [len(text)]
    return [(ord(text[a]) - ord("a"), int(text[a + 1 : b]) - 1) for a, b in pairwise(cut)]


def place(e: Engine, game: Engine, moves: list[Square]) -> None:
    """Sets up the position after the moves without clearing the table; `game` plays them."""
    game.reset()
    stones: dict[Square, Color] = {}
    taken = {Color.BLACK: 0, Color.WHITE: 0}
    for i, m in enumerate(moves):
        color = Color.WHITE if i % 2 else Color.BLACK
        captured = game.place(m).captured  # under another rule the game may be over
        stones[m] = color
        taken[color] += len(captured)
        for square in captured:
            del stones[square]
    count = game.rule.count_captured
    e.set_position(
        black=[m for m, c in stones.items() if c is Color.BLACK],
        white=[m for m, c in stones.items() if c is Color.WHITE],
        captures=(count(taken[Color.BLACK]), count(taken[Color.WHITE])),
        to_move=Color.WHITE if len(moves) % 2 else Color.BLACK,
    )


def speed(
    positions: list[list[Square]], rule: Rule, size: int, limits: Limits, memory_mib: int
) -> tuple[list[int], ...]:
    """Returns time in ms of this process, nodes and depth of each position's search."""
    rows = []
    with (
        Engine(size=size, rule=rule, memory_mib=memory_mib) as e,
        Engine(size=size, rule=rule, memory_mib=1) as game,
    ):
        e.search(Limits(nodes=TOUCHING))
        for moves in positions:
            place(e, game, moves)
            began = time.process_time()
            r = e.search(limits)
            rows.append((round(1000 * (time.process_time() - began)), r.nodes, r.depth))
    return tuple(list(column) for column in zip(*rows, strict=True))


def spread(values: list[int]) -> str:
    """Returns minimum, tenth percentile, median, ninetieth percentile and maximum."""
    ordered = sorted(values)
    return " ".join(f"{ordered[round(s * (len(ordered) - 1))]:7}" for s in SHARES)


def per_second(times: list[int], nodes: list[int]) -> float:
    """Returns nodes per second of all searches together; times are in ms."""
    return 1000 * sum(nodes) / max(1, sum(times))


def report(positions: list[list[Square]]) -> None:
    """Prints the table. Searches that a proof ends early are included."""
    times, nodes, _ = speed(positions, Rule.NINUKI, 19, Limits(depth=DEPTH), SMALL_MIB)
    ninuki = per_second(times, nodes)
    limit = round(ninuki * TIME_MS / 1000)
    _, used, depths = speed(positions, Rule.NINUKI, 19, Limits(nodes=limit), LARGE_MIB)
    whole = [depth for depth, n in zip(depths, used, strict=True) if n >= limit]
    texts = [read_moves(text) for text in FREESTYLE]
    other = speed(texts, Rule.FREESTYLE, 15, Limits(depth=DEPTH + 4), SMALL_MIB)
    heads = ("mean", "least", "tenth", "half", "9/10", "most")
    print(f"{f'{len(positions)} positions':20} " + " ".join(f"{h:>7}" for h in heads))
    for name, values in (
        (f"ms to depth {DEPTH}", times),
        (f"nodes to depth {DEPTH}", nodes),
        (f"depth in {TIME_MS} ms", depths),
        (f"{len(whole)} undecided ones", whole),
    ):
        print(f"{name:20} {mean(values):7.1f} {spread(values)}")
    freestyle = per_second(other[0], other[1])
    print(f"ninuki {ninuki:.0f} nodes/s, freestyle {freestyle:.0f}: ratio {ninuki / freestyle:.2f}")
    for rule in (Rule.PENTE, Rule.KERYO):
        times, nodes, _ = speed(positions, rule, 19, Limits(nodes=limit), LARGE_MIB)
        times16, nodes16, _ = speed(positions, Rule.NINUKI, 19, Limits(nodes=limit), LARGE_MIB)
        mine, ninuki = per_second(times, nodes), per_second(times16, nodes16)
        name = rule.name.lower()
        print(f"{name} {mine:.0f} nodes/s, ninuki {ninuki:.0f}: ratio {mine / ninuki:.2f}")


def main() -> int:
    """Measures, or makes the positions."""
    parser = argparse.ArgumentParser(description="Measures speed and depth under ninuki.")
    parser.add_argument(
        "--make",
        type=int,
        metavar="SEED",
        help="do not measure; choose positions from the games on stdin, by this seed",
    )
    args = parser.parse_args()
    if args.make is not None:
        about = f"Positions of self-play, one a game: training/selfplay 16 19 3000 100 {args.make}"
        data = {"about": about, "seed": args.make, "moves": make(sys.stdin, args.make)}
        print(json.dumps(data).replace("]], ", "]],\n"))
        return 0
    data = json.loads(DATA.read_text(encoding="utf-8"))
    report([[(x, y) for x, y in moves] for moves in data["moves"]])
    return 0


if __name__ == "__main__":
    sys.exit(main())
