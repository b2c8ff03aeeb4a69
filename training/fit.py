"""Fits the weights of one rule to games of the engine against itself.

    python training/fit.py RULE FEATURES.bin OUT.json

Value: the chance that the mover wins is 1 / (1 + exp(-score / SCALE)); the score is the sum over
the empty squares of value[code to the mover] - value[code to the other], plus what the mover's and
the other's best threats are worth. Logistic regression, result and search score mixed as labels,
L-BFGS, ridge towards the shapes' own sums so that codes that hardly occur stay sensible.
Move: among the candidates of a position, the one that the search chose; softmax over
attack[code to the mover] + defence[code to the other].
A twentieth of the games is held out; its losses are printed beside those of the rest.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

CODES = 2380
CLASSES = 9
FIVE, OPEN_FOUR = 7, 6
RENJU = 4
SCALE = 220.0
RIDGE = 0.5
RESULT_SHARE = 0.7
PROVEN = 29000

HEADER = np.dtype(
    [
        ("result", "i1"),
        ("score", "<i2"),
        ("us", "u1"),
        ("ours", "u1"),
        ("theirs", "u1"),
        ("n", "<u2"),
    ]
)
SQUARE = np.dtype([("us", "<u2"), ("them", "<u2"), ("flags", "u1")])


@dataclass
class Data:
    """Holds positions: one row each in the sparse matrices, squares in flat arrays."""

    head: np.ndarray
    squares: np.ndarray
    start: np.ndarray


def read(path: Path) -> Data:
    """Reads what features.c wrote."""
    raw = path.read_bytes()
    heads, squares, start, at, total = [], [], [0], 0, 0
    while at < len(raw):
        head = np.frombuffer(raw, HEADER, 1, at)[0]
        at += HEADER.itemsize
        n = int(head["n"])
        squares.append(np.frombuffer(raw, SQUARE, n, at))
        at += SQUARE.itemsize * n
        total += n
        heads.append(head)
        start.append(total)
    return Data(np.array(heads, HEADER), np.concatenate(squares), np.array(start))


def shapes_of_codes() -> np.ndarray:
    """Returns how often each of the 14 shapes is a member of each code: [CODES, 14]."""
    rows = []
    for a in range(14):
        for b in range(a, 14):
            for c in range(b, 14):
                for d in range(c, 14):
                    rows.append(np.bincount([a, b, c, d], minlength=14))
    return np.array(rows, float)


def by_color(data: Data, rows: np.ndarray, colors: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns how far into the tables each square's two codes lie: tables differ by colour."""
    us = data.head["us"][rows].astype(int)
    return (us * CODES, (1 - us) * CODES) if colors == 2 else (us * 0, us * 0)


def spread(shapes: np.ndarray, colors: int) -> sparse.csr_matrix:
    """Returns the shapes' part of the weights, a block for each colour."""
    return sparse.csr_matrix(np.kron(np.eye(colors), shapes))


def value_matrix(data: Data, keep: np.ndarray, colors: int) -> sparse.csr_matrix:
    """Returns the positions' features: codes, codes' shapes, the mover's and other's threats."""
    rows = np.repeat(np.arange(len(data.head)), np.diff(data.start))
    ones = np.ones(len(rows), np.float32)
    shape = (len(data.head), colors * CODES)
    us, them = by_color(data, rows, colors)
    codes = sparse.csr_matrix((ones, (rows, us + data.squares["us"])), shape)
    codes -= sparse.csr_matrix((ones, (rows, them + data.squares["them"])), shape)
    codes = codes[keep]
    shapes = sparse.csr_matrix(codes @ spread(shapes_of_codes(), colors))
    threats = []
    for side in ("ours", "theirs"):
        hot = np.eye(CLASSES, dtype=np.float32)[data.head[side][keep]]
        hot[:, 0] = 0
        threats.append(sparse.csr_matrix(hot))
    tempo = sparse.csr_matrix(np.ones((codes.shape[0], 1), np.float32))
    return sparse.hstack([codes, shapes, *threats, tempo]).tocsr()


def log_loss(z: np.ndarray, y: np.ndarray) -> float:
    """Returns the mean cross entropy of logits z against chances y."""
    return float(np.mean(np.logaddexp(0, z) - y * z))


def fit_value(data: Data, colors: int) -> tuple[dict[str, Any], str]:
    """Returns the value tables in score units and a line on the losses."""
    head = data.head
    quiet = (
        (head["ours"] < OPEN_FOUR)
        & (head["theirs"] < FIVE)
        & (np.abs(head["score"].astype(int)) < PROVEN)
    )
    keep = np.flatnonzero(quiet)
    x = value_matrix(data, keep, colors)
    result = (head["result"][keep] + 1) / 2
    search = 1 / (1 + np.exp(-head["score"][keep] / SCALE))
    y = RESULT_SHARE * result + (1 - RESULT_SHARE) * search
    test = (keep // 1000) % 20 == 0  # whole games, nearly: positions of a game lie together
    xt, yt, xv, yv = x[~test], y[~test], x[test], y[test]
    penalty = np.full(x.shape[1], 1e-3)
    penalty[: colors * CODES] = RIDGE

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        z = xt @ w
        p = 1 / (1 + np.exp(-z))
        value = np.sum(np.logaddexp(0, z) - yt * z) + 0.5 * np.sum(penalty * w * w) * 100
        return value, xt.T @ (p - yt) + 100 * penalty * w

    w = minimize(
        loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}
    ).x
    nothing = log_loss(np.zeros(len(yv)), yv)
    report = (
        f"value: {xt.shape[0]} positions, log loss {log_loss(xt @ w, yt):.4f}, "
        f"held out {log_loss(xv @ w, yv):.4f} (nothing known: {nothing:.4f})"
    )
    k, shapes = colors * CODES, colors * 14
    values = (w[:k] + spread(shapes_of_codes(), colors) @ w[k : k + shapes]) * SCALE
    rest = w[k + shapes :] * SCALE
    return {
        "value": values.reshape(colors, CODES).tolist(),
        "threat_us": rest[:CLASSES].tolist(),
        "threat_them": (-rest[CLASSES : 2 * CLASSES]).tolist(),
        "tempo": rest[2 * CLASSES :].tolist(),
    }, report


def fit_moves(data: Data, colors: int, seed: int = 1) -> tuple[dict[str, Any], str]:
    """Returns the move tables, scaled to 100 a logit, and a line on the losses."""
    # positions whose move is forced teach nothing
    free = np.flatnonzero((data.head["ours"] < FIVE) & (data.head["theirs"] < FIVE))
    rng = np.random.default_rng(seed)
    free = rng.permutation(free)[:120_000]
    count = np.diff(data.start)[free]
    row = np.repeat(np.arange(len(free)), count)
    at = np.arange(len(row)) - np.repeat(np.cumsum(count) - count - data.start[free], count)
    near = data.squares["flags"][at] > 0
    owner_a, at = row[near], at[near]
    us_at, them_at = by_color(data, free[owner_a], colors)
    chosen_a = (data.squares["flags"][at] & 1).astype(bool)
    n, rows = len(owner_a), np.arange(len(owner_a))
    ones = np.ones(n, np.float32)
    k = colors * CODES
    codes = spread(shapes_of_codes(), colors)
    a = sparse.csr_matrix((ones, (rows, us_at + data.squares["us"][at])), (n, k))
    d = sparse.csr_matrix((ones, (rows, them_at + data.squares["them"][at])), (n, k))
    x = sparse.hstack([a, d, sparse.csr_matrix(a @ codes), sparse.csr_matrix(d @ codes)]).tocsr()
    held = owner_a % 20 == 0
    penalty = np.full(x.shape[1], 0.01)
    penalty[: 2 * k] = 1.0

    def losses(w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        z = x @ w
        top = np.full(len(free), -np.inf)
        np.maximum.at(top, owner_a, z)
        e = np.exp(z - top[owner_a])
        total = np.bincount(owner_a, e, len(free))
        return e / total[owner_a], np.log(total) + top - np.bincount(
            owner_a, z * chosen_a, len(free)
        )

    train = ~held

    def loss(w: np.ndarray) -> tuple[float, np.ndarray]:
        p, each = losses(w)
        gradient = x.T @ ((p - chosen_a) * train)
        rows_train = np.arange(len(free)) % 20 != 0
        return float(each[rows_train].sum() + 0.5 * np.sum(penalty * w * w)), gradient + penalty * w

    w = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 80}).x
    each = losses(w)[1]
    out = np.arange(len(free)) % 20 == 0
    fitted, held_out = each[~out].mean(), each[out].mean()
    report = f"moves: {len(free)} positions, loss {fitted:.4f}, held out {held_out:.4f}"
    shapes = colors * 14
    attack = (w[:k] + codes @ w[2 * k : 2 * k + shapes]) * 100
    defence = (w[k : 2 * k] + codes @ w[2 * k + shapes :]) * 100
    return {
        "attack": attack.reshape(colors, CODES).tolist(),
        "defence": defence.reshape(colors, CODES).tolist(),
    }, report


def main() -> int:
    """Fits, prints the losses, writes the tables."""
    rule, source, target = sys.argv[1:4]
    data = read(Path(source))
    print(f"rule {rule}: {len(data.head)} positions")
    colors = 2 if rule == str(RENJU) else 1
    tables, report = fit_value(data, colors)
    print(report, flush=True)
    moves, report = fit_moves(data, colors)
    print(report)
    Path(target).write_text(json.dumps({"rule": int(rule), **tables, **moves}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
