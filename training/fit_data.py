"""The data, the tables and the optimiser of fit.py."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from build_weights import layout
from training import captures

CODES = layout().constant("SQUARE_CODES")
SHAPES = layout().constant("SHAPES")
THREAT_BITS = layout().constant("THREAT_BITS")
COUNT_CLASSES, COUNTS = layout().constant("COUNT_CLASSES"), layout().constant("COUNTS")
SCALE = float(layout().constant("NET_SCALE"))
VALIDATION_EVERY = 20

HEAD = np.dtype(
    [
        ("result", "i1"),
        ("us", "u1"),
        ("first", "u1"),
        ("ours", "u1"),
        ("theirs", "u1"),
        ("counts", "u1", (2, COUNT_CLASSES)),
        ("score", "<i2"),
        ("threats", "<u2"),
        ("values", "<u2"),
        ("moves", "<u2"),
        ("pairs", "u1", 2),
        ("takes", "u1", 2),
    ]
)
VALUE = np.dtype([("code", "<u2"), ("times", "<i2")])
MOVE = np.dtype(
    [("us", "<u2"), ("them", "<u2"), ("near", "u1"), ("chosen", "u1"), ("captures", "<u2")]
)

Floats = NDArray[np.float64]


@dataclass
class Data:
    """Holds positions: one head each, with their squares and candidates in rows."""

    head: NDArray[Any]
    values: NDArray[Any]
    moves: NDArray[Any]


def read(stem: str) -> Data:
    """Reads the three files of features.c."""
    return Data(
        np.fromfile(stem + ".heads", HEAD),
        np.fromfile(stem + ".values", VALUE),
        np.fromfile(stem + ".moves", MOVE),
    )


def starts(count: NDArray[Any]) -> NDArray[np.int64]:
    """Returns the start of each position's entries, and the end of the last ones."""
    return np.concatenate([[0], np.cumsum(count, dtype=np.int64)])


def for_validation(positions: int) -> NDArray[np.bool_]:
    """Says which positions are for validation: nearly whole games, because games are contiguous."""
    run = np.arange(positions) // 1000
    chosen: NDArray[np.bool_] = run % VALIDATION_EVERY == VALIDATION_EVERY - 1
    return chosen


def shapes_of_codes() -> Floats:
    """Returns how often each shape is in each code: [CODES, SHAPES]."""
    rows = [
        np.bincount([a, b, c, d], minlength=SHAPES)
        for a in range(SHAPES)
        for b in range(a, SHAPES)
        for c in range(b, SHAPES)
        for d in range(c, SHAPES)
    ]
    return np.array(rows, float)


def bits_of_threats() -> Floats:
    """Returns the bits of each joint set of threats: [4096, 12]."""
    sets = np.arange(1 << (2 * THREAT_BITS))
    return (sets[:, None] >> np.arange(2 * THREAT_BITS) & 1).astype(float)


@dataclass
class Table:
    """A table of weights, each the sum of a coarse part (its members) and a fine part (its own).

    unit: the amount by which a parameter changes a typical score, one for each. L-BFGS works in
    these units. Without them it stopped far from the minimum, because the counts of the commonest
    code do not cancel (renju's validation loss was 0.619 instead of 0.605).
    """

    members: Floats
    ridge: float
    copies: int = 1
    unit: Floats | None = None

    @property
    def size(self) -> int:
        """Returns the number of parameters."""
        return self.copies * sum(self.members.shape)

    def weights(self, w: Floats) -> Floats:
        """Returns the table, copies one after the other."""
        fine, coarse = self._split(w / self._unit())
        return (fine + coarse @ self.members.T).ravel()

    def gradient(self, of_table: Floats) -> Floats:
        """Returns the gradient of the parameters from the gradient of the table."""
        fine = of_table.reshape(self.copies, -1)
        return np.concatenate([fine.ravel(), (fine @ self.members).ravel()]) / self._unit()

    def penalty(self, w: Floats) -> tuple[float, Floats]:
        """Returns the ridge and its gradient. The coarse part is nearly free."""
        scale = np.full(len(w), 1e-2)
        scale[: self.copies * len(self.members)] = self.ridge
        scale /= self._unit() ** 2
        return 0.5 * float(np.sum(scale * w * w)), scale * w

    def _unit(self) -> Floats:
        return np.ones(self.size) if self.unit is None else self.unit

    def _split(self, w: Floats) -> tuple[Floats, Floats]:
        cut = self.copies * len(self.members)
        return w[:cut].reshape(self.copies, -1), w[cut:].reshape(self.copies, -1)


Objective = Callable[[list[Floats]], tuple[float, list[Floats]]]


def fit(tables: list[Table], objective: Objective, steps: int) -> list[Floats]:
    """Minimizes objective(weights of each table), which returns the loss and its gradients."""
    cuts = np.cumsum([table.size for table in tables])[:-1]

    def loss(w: Floats) -> tuple[float, Floats]:
        parts = np.split(w, cuts)
        value, by_table = objective(
            [t.weights(part) for t, part in zip(tables, parts, strict=True)]
        )
        gradients = []
        for t, part, g in zip(tables, parts, by_table, strict=True):
            penalty, by_penalty = t.penalty(part)
            value += penalty
            gradients.append(t.gradient(g) + by_penalty)
        return value, np.concatenate(gradients)

    start = np.zeros(sum(table.size for table in tables))
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": steps})
    print(f"  {found.nit} steps: {found.message}", flush=True)
    return [t.weights(part) for t, part in zip(tables, np.split(found.x, cuts), strict=True)]


def log_losses(z: Floats, y: Floats) -> Floats:
    """Returns the cross entropy of each logit and its label."""
    return np.logaddexp(0, z) - y * z


def typical(x: sparse.csr_matrix) -> Floats:
    """Returns the root mean square of each column, at least 0.1."""
    found: Floats = np.maximum(0.1, np.sqrt(np.asarray(x.multiply(x).mean(axis=0)).ravel()))
    return found


def mean_codes(data: Data, copies: int) -> sparse.csr_matrix:
    """Returns each code's count for the mover minus that for the other side.

    It is the mean over this position and the one before: [positions, copies * CODES].
    """
    head = data.head
    x = sparse.csr_matrix(
        (data.values["times"].astype(float), data.values["code"], starts(head["values"])),
        (len(head), 2 * CODES),
    )[:, : copies * CODES]
    before = sparse.vstack([x[:1], -x[:-1]]).tocsr()  # the mover was the other side
    return ((x + before) * 0.5).tocsr()


def class_counts(head: NDArray[Any]) -> sparse.csr_matrix:
    """Returns the number of squares of each side and class, one-hot: [positions, 112]."""
    rows = 2 * COUNT_CLASSES
    column = head["counts"].reshape(len(head), rows).astype(np.int32) + COUNTS * np.arange(rows)
    ones = np.ones(column.size)
    ends = np.arange(0, column.size + 1, rows)
    return sparse.csr_matrix((ones, column.ravel(), ends), (len(head), rows * COUNTS))


def of_captures(head: NDArray[Any], with_captures: bool) -> tuple[sparse.csr_matrix, Floats]:
    """Returns the capture features of the positions, and the start values of their weights.

    Weights: the mover's side table, the other side's, the mover's threats that can be dissolved,
    the other side's. The second of each counts against the mover.
    """
    if not with_captures:
        return sparse.csr_matrix((len(head), 0)), np.zeros(0)
    index = captures.position_index(head)
    size = captures.side_start().size
    rows = np.repeat(np.arange(len(head)), 2)
    signs = np.tile([1.0, -1.0], len(head))
    sides = sparse.csr_matrix((signs, (rows, index.ravel())), (len(head), size))
    dissolve = captures.position_dissolve(head) * np.repeat([1.0, -1.0], captures.THREATS)
    start = np.concatenate([captures.side_start().ravel(), np.zeros(dissolve.shape[1])]) / SCALE
    return sparse.hstack([sides, sparse.csr_matrix(dissolve)]).tocsr(), start


def capture_tables(weights: Floats) -> dict[str, Any]:
    """Returns the tables of captures.h from weights in logits."""
    size = captures.side_start().size
    return {
        "side": (weights[:size] * SCALE).reshape(captures.side_start().shape).tolist(),
        "dissolve": (weights[size:] * SCALE).reshape(2, captures.THREATS).tolist(),
    }
