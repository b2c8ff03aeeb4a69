"""Start values for the fit of captures under ninuki, set by hand.

Values are in units of score, moves in units of move score; indices as in csrc/eval/captures.h.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from build_weights import layout

PAIRS, SQUARES = layout().constant("WIN_PAIRS"), layout().constant("SQUARES_COUNTED")
LINES, THREATS = layout().constant("LINES_COUNTED"), layout().constant("THREAT_BITS")
KINDS = ("take", "deny", "bracket", "shield", "danger")
MOVER_KINDS = ("take", "bracket")  # indexed by the mover's pairs, the others by the other side's
LINE_BITS = 3

TAKEN = (0, 60, 110, 280, 900)  # small at first, steep from the third pair on
AT_STAKE = (45, 45, 70, 130, 400)  # a square to capture on
TO_MOVE, NOT_TO_MOVE = 1.4, 0.8
MOVES = {
    "take": (450, 500, 650, 1000, 3000),
    "deny": (350, 400, 550, 900, 2500),
    "bracket": (150, 180, 250, 400, 900),
    "shield": (30, 40, 60, 100, 200),
    "danger": (-250, -280, -350, -600, -2000),
}
MORE_LINES = 0.6  # a fraction of the first, for each further line

Floats = NDArray[np.float64]


def side_start() -> Floats:
    """Returns the values by [mover or other side, pairs captured, squares to capture on]."""
    taken, stake = np.array(TAKEN, float), np.array(AT_STAKE, float)
    squares = np.arange(SQUARES)
    return np.stack(
        [taken[:, None] + share * stake[:, None] * squares for share in (TO_MOVE, NOT_TO_MOVE)]
    )


def moves_start() -> Floats:
    """Returns the values by [kind, pairs captured, lines]."""
    lines = np.array([0.0] + [1 + MORE_LINES * i for i in range(LINES - 1)])
    return np.stack([np.outer(MOVES[kind], lines) for kind in KINDS])


def by_hand() -> dict[str, Any]:
    """Returns the tables in the form of the fit, for a ninuki without games."""
    return {
        "side": side_start().tolist(),
        "dissolve": np.zeros((2, THREATS)).tolist(),
        **dict(zip(KINDS, moves_start().tolist(), strict=True)),
    }


def position_index(head: NDArray[Any]) -> NDArray[np.int64]:
    """Returns the flat indices of both sides in side_start: [positions, 2]."""
    return np.stack(
        [
            side * PAIRS * SQUARES + head["pairs"][:, side] * SQUARES + head["takes"][:, side]
            for side in range(2)
        ],
        axis=1,
    ).astype(np.int64)


def position_dissolve(head: NDArray[Any]) -> Floats:
    """Returns which threats the other side can dissolve: [positions, mover's 6 | other's 6]."""
    bits = (head["threats"].astype(np.int64)[:, None] >> np.arange(2 * THREATS)) & 1
    at_risk = np.repeat(head["takes"][:, ::-1] > 0, THREATS, axis=1)
    return (bits * at_risk).astype(float)


def move_index(head: NDArray[Any], owner: NDArray[Any], flags: NDArray[Any]) -> NDArray[np.int64]:
    """Returns the flat indices of the kinds of each candidate in moves_start: [candidates, kinds].

    owner: the position of each candidate.
    """
    columns = []
    for i, kind in enumerate(KINDS):
        pairs = head["pairs"][owner, 0 if kind in MOVER_KINDS else 1].astype(np.int64)
        lines = flags.astype(np.int64) >> (LINE_BITS * i) & ((1 << LINE_BITS) - 1)
        columns.append((i * PAIRS + pairs) * LINES + lines)
    return np.stack(columns, axis=1)
