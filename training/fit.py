"""Fits the weights of one rule to games of the engine against itself.

    python training/fit.py RULE FEATURES OUT.json       FEATURES as training/features.c wrote them

Value: the mover's chance to win is 1 / (1 + exp(-score / SCALE)). The score has three parts. The
first is the sum over the empty squares of value[code for the mover] - value[code for the other
side], averaged over this position and the one before. The second is the worth of both sides' sets
of threats. The third is the worth of the numbers of squares in each class.

The fit is a logistic regression with L-BFGS. Labels mix the game's result and the score of the
search. Positions with a proven win stay in, because they show the difference between better and
won. A code's weight is the sum of the weights of its four shapes and its own weight, which has a
ridge. Rare codes thus stay close to their shapes. Sets of threats are treated in the same way.

Move: a softmax over the candidates of a position, of attack[code for the mover] + defence[code for
the other side] + near[place relative to the last move]. The label is the move that the search
chose. Rules with captures add the worth of captures (captures.py), with a ridge towards the values
set by hand.

A twentieth of the positions, in runs of a thousand, is for validation. Both losses are printed.
"""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from build_weights import has_captures, laws, layout
from training import captures
from training.fit_data import (
    CODES,
    COUNT_CLASSES,
    COUNTS,
    SCALE,
    THREAT_BITS,
    Data,
    Floats,
    Objective,
    Table,
    bits_of_threats,
    capture_tables,
    class_counts,
    fit,
    for_validation,
    log_losses,
    mean_codes,
    of_captures,
    read,
    shapes_of_codes,
    starts,
    typical,
)
from training.textfile import replace_text

NEAR = layout().constant("NEAR_CLASSES")
FIVE, OPEN_FOUR = layout().constant("SQUARE_FIVE"), layout().constant("SQUARE_OPEN_FOUR")
MOVE_SCALE = float(layout().constant("MOVE_SCALE"))
RIDGE = 5.0
CAPTURE_RIDGE = 5.0
MOVE_RIDGE = 1.0
RESULT_SHARE = 0.5
STEPS = 300
MOVE_POSITIONS = 100_000


def fit_value(data: Data, copies: int, *, with_captures: bool) -> tuple[dict[str, Any], str]:
    """Returns the value tables in score units, and a line with the losses."""
    head = data.head
    quiet = (head["ours"] < OPEN_FOUR) & (head["theirs"] < FIVE) & (head["first"] == 0)
    x, n = mean_codes(data, copies), class_counts(head)
    y = RESULT_SHARE * (head["result"] + 1) / 2
    y = y + (1 - RESULT_SHARE) * expit(head["score"] / SCALE)
    validation = quiet & for_validation(len(head))
    train = quiet & ~validation
    xt, nt, yt, tt = x[train], n[train], y[train], head["threats"][train]
    taken, by_hand = of_captures(head, with_captures)
    ct = taken[train]
    by_code, by_count, by_capture = xt.T.tocsr(), nt.T.tocsr(), ct.T.tocsr()
    sets = 1 << (2 * THREAT_BITS)

    def objective(weights: list[Floats]) -> tuple[float, list[Floats]]:
        code, threat, count, tempo, capture = weights
        z = xt @ code + threat[tt] + nt @ count + tempo[0] + ct @ (by_hand + capture)
        p = expit(z) - yt
        return float(log_losses(z, yt).sum()), [
            by_code @ p,
            np.bincount(tt, p, sets),
            by_count @ p,
            np.array([p.sum()]),
            by_capture @ p,
        ]

    shapes = np.kron(np.eye(copies), shapes_of_codes())
    unit = np.concatenate([typical(xt), typical(sparse.csr_matrix(xt @ shapes))])
    tables = [
        Table(shapes_of_codes(), RIDGE, copies, unit),
        Table(bits_of_threats(), RIDGE),
        Table(np.zeros((n.shape[1], 0)), RIDGE),
        Table(np.zeros((1, 0)), 1e-2),
        Table(np.zeros((len(by_hand), 0)), CAPTURE_RIDGE),
    ]
    code, threat, count, tempo, capture = fit(tables, objective, STEPS)
    capture = by_hand + capture
    z = x @ code + threat[head["threats"]] + n @ count + tempo[0] + taken @ capture
    report = (
        f"value: {train.sum()} positions, log loss {log_losses(z, y)[train].mean():.4f}, "
        f"validation {log_losses(z, y)[validation].mean():.4f} (nothing known: {np.log(2):.4f})"
    )
    return {
        "value": (code * SCALE).reshape(copies, CODES).tolist(),
        "threat": ((threat + tempo[0]) * SCALE).tolist(),
        "count": (count * SCALE).reshape(2, COUNT_CLASSES, COUNTS).tolist(),
        "captures": capture_tables(capture) if with_captures else {},
    }, report


def unit_of_codes(codes: NDArray[Any], copies: int) -> Floats:
    """Returns the units of a table with one code for each candidate."""
    often = np.bincount(codes, minlength=copies * CODES) / len(codes)
    shapes = np.kron(np.eye(copies), shapes_of_codes())
    found: Floats = np.maximum(0.01, np.sqrt(np.concatenate([often, often @ (shapes * shapes)])))
    return found


@dataclass
class Candidates:
    """Holds the features of all candidates; those of one position are adjacent.

    us, them, near: the indices in the tables of attack, defence and place. kinds: one row of the
    tables of captures for each kind of captures.py; none without captures. owner: the position.
    first: the start of each position. count: its number of candidates. validation: the positions
    for validation.
    """

    us: NDArray[Any]
    them: NDArray[Any]
    near: NDArray[Any]
    chosen: Floats
    kinds: NDArray[np.int64]
    owner: NDArray[np.int64]
    first: NDArray[np.int64]
    count: NDArray[np.int64]
    validation: NDArray[np.bool_]
    copies: int


def read_candidates(data: Data, copies: int, *, with_captures: bool) -> Candidates:
    """Returns the candidates of up to MOVE_POSITIONS positions with more than one."""
    head, start = data.head, starts(data.head["moves"])
    # skip positions with a forced move
    free = np.flatnonzero((head["ours"] < FIVE) & (head["theirs"] < FIVE))
    free = np.sort(np.random.default_rng(1).permutation(free)[:MOVE_POSITIONS])
    count = head["moves"][free].astype(np.int64)
    first = starts(count)[:-1]
    owner = np.repeat(np.arange(len(free)), count)
    moves = data.moves[np.arange(len(owner)) - np.repeat(first - start[free], count)]
    mover = head["us"][free].astype(int)[owner] if copies == 2 else 0
    kinds = np.zeros((len(owner), 0), np.int64)
    if with_captures:
        kinds = captures.move_index(head[free], owner, moves["captures"])
    return Candidates(
        us=moves["us"] + CODES * mover,
        them=moves["them"] + (CODES * (1 - mover) if copies == 2 else 0),
        near=moves["near"],
        chosen=moves["chosen"].astype(float),
        kinds=kinds,
        owner=owner,
        first=first,
        count=count,
        validation=for_validation(len(head))[free],
        copies=copies,
    )


def chances(of: Candidates, weights: list[Floats]) -> tuple[Floats, Floats]:
    """Returns the probability of each candidate, and the loss of each position.

    weights: of attack, defence, place, captures.
    """
    attack, defence, place, capture = weights
    z = attack[of.us] + defence[of.them] + place[of.near] + capture[of.kinds].sum(axis=1)
    top = np.maximum.reduceat(z, of.first)
    e = np.exp(z - top[of.owner])
    total = np.add.reduceat(e, of.first)
    return e / total[of.owner], np.log(total) + top - np.add.reduceat(z * of.chosen, of.first)


def summed(index: NDArray[Any], weights: Floats, length: int) -> Floats:
    """Returns the sums of the weights by index, an array of `length` numbers."""
    return np.bincount(index, weights, length).astype(np.float64)


def choice(of: Candidates, by_hand: Floats) -> Objective:
    """Returns the loss over the choices, without those for validation.

    by_hand: the start values of captures.
    """
    train = ~of.validation[of.owner]
    kinds = of.kinds.shape[1]

    def objective(weights: list[Floats]) -> tuple[float, list[Floats]]:
        attack, defence, place, capture = weights
        p, each = chances(of, [attack, defence, place, by_hand + capture])
        g = (p - of.chosen) * train
        return float(each[~of.validation].sum()), [
            summed(of.us, g, of.copies * CODES),
            summed(of.them, g, of.copies * CODES),
            summed(of.near, g, NEAR),
            summed(of.kinds.ravel(), np.repeat(g, kinds), len(by_hand)),
        ]

    return objective


def move_tables(weights: list[Floats], copies: int) -> dict[str, Any]:
    """Returns the tables of the moves from weights in logits."""
    attack, defence, place, capture = weights
    kinds = capture.reshape(-1, captures.PAIRS, captures.LINES)
    kinds = kinds - kinds[..., :1]  # only differences between candidates matter
    return {
        "attack": (attack * MOVE_SCALE).reshape(copies, CODES).tolist(),
        "defence": (defence * MOVE_SCALE).reshape(copies, CODES).tolist(),
        "near": (place * MOVE_SCALE).tolist(),
        "captures": dict(zip(captures.KINDS, (kinds * MOVE_SCALE).tolist(), strict=False)),
    }


def fit_moves(data: Data, copies: int, *, with_captures: bool) -> tuple[dict[str, Any], str]:
    """Returns the move tables, MOVE_SCALE units a logit, and a line with the losses."""
    of = read_candidates(data, copies, with_captures=with_captures)
    by_hand = captures.moves_start().ravel() / MOVE_SCALE if with_captures else np.zeros(0)
    tables = [
        Table(shapes_of_codes(), MOVE_RIDGE, copies, unit_of_codes(of.us, copies)),
        Table(shapes_of_codes(), MOVE_RIDGE, copies, unit_of_codes(of.them, copies)),
        Table(np.zeros((NEAR, 0)), 1e-2),
        Table(np.zeros((len(by_hand), 0)), MOVE_RIDGE),
    ]
    attack, defence, place, capture = fit(tables, choice(of, by_hand), STEPS)
    weights = [attack, defence, place, by_hand + capture]
    each = chances(of, weights)[1]
    report = (
        f"moves: {(~of.validation).sum()} positions, loss {each[~of.validation].mean():.4f}, "
        f"validation {each[of.validation].mean():.4f} "
        f"(nothing known: {np.log(of.count).mean():.4f})"
    )
    return move_tables(weights, copies), report


def main() -> int:
    """Fits both parts, prints the losses, writes the tables."""
    parser = argparse.ArgumentParser(prog="fit.py", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("rule", type=int, help="number of the rule")
    parser.add_argument("features", help="stem of the files that training/features.c wrote")
    parser.add_argument("out", type=Path, help="JSON file to write")
    given = parser.parse_args()
    rule = given.rule
    data = read(given.features)
    copies, with_captures = laws(rule), has_captures(rule)
    tables, report = fit_value(data, copies, with_captures=with_captures)
    print(f"rule {rule}: {report}", flush=True)
    moves, report = fit_moves(data, copies, with_captures=with_captures)
    print(f"rule {rule}: {report}")
    both = tables["captures"] | moves["captures"] if with_captures else captures.by_hand()
    try:
        replace_text(given.out, json.dumps({"rule": rule, **tables, **moves, "captures": both}))
    except OSError as error:
        print(f"fit: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
