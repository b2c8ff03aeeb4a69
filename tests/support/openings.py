"""Helpers for tests of openings: shipped sets, files, an engine that only scores."""

import sys
from pathlib import Path

from arena.engines.spec import EngineSpec
from arena.rules.referee import Point, Rule

SHIPPED: list[tuple[Rule, int]] = [
    (rule, size) for rule in Rule for size in ((19,) if rule.has_captures else (15, 20))
]


def points(*moves: str) -> tuple[Point, ...]:
    """Reads squares such as `7,7`."""
    pairs = [move.split(",") for move in moves]
    return tuple((int(x), int(y)) for x, y in pairs)


def written(folder: Path, text: str, name: str = "openings.txt") -> Path:
    """Writes a file without conversion, in Latin-1."""
    path = folder / name
    path.write_bytes(text.encode("latin-1"))
    return path


def to_edge(point: Point, size: int) -> int:
    return min(*point, size - 1 - point[0], size - 1 - point[1])


# Scores a position by its stones, mostly small and sometimes large.
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


def scorer(folder: Path, behaviour: str = TELLS) -> EngineSpec:
    """Returns an engine that scores without a search."""
    path = folder / "scorer.py"
    path.write_text(SCORER.replace("BEHAVIOUR", behaviour), encoding="ascii")
    return EngineSpec("scorer", (sys.executable, "-S", "-E", str(path)))
