"""The core's claims of a win under Pente and Keryo-Pente, checked by trying every move.

Each claim is followed through every reply, on small boards, with the plain referee.
"""

import random
from collections import Counter

from pyengine import Engine, ProofAnswer, Rule
from tests.support.capture_games import RULES, Table, drawn_move, some_style, without_fives
from tests.support.pente_referee import OTHER, Point, Referee
from tests.support.pente_solver import (
    loses_within,
    winning_square,
    wins_by_fours,
    wins_within,
)

PROOF_NODES = 30_000
SEARCH_NODES = 8_000


class FalseClaimError(AssertionError):
    """A claim of the core that trying every move refutes; the text has the position."""


def some_position(rng: random.Random, rule: Rule) -> Referee:
    """Returns a position on a small board without a five, often near the win by captures."""
    variant, size = RULES[rule], rng.choice((6, 7, 7, 8, 8, 9))
    most = variant.stones_to_win - 1
    taken = {side: rng.choice((0, most // 2, most - 2, most - 1, most)) for side in OTHER}
    if variant.rows == (2,):
        taken = {side: count - count % 2 for side, count in taken.items()}
    if rng.random() < 0.4:
        count = rng.randint(6, size**2 * 2 // 3)
        cells = rng.sample([(x, y) for x in range(size) for y in range(size)], count)
        scattered = {at: ("black", "white")[i % 2] for i, at in enumerate(cells)}
        return Referee(variant, size, without_fives(scattered), taken, rng.choice(list(OTHER)))
    game = Referee(variant, size, {}, taken)
    style = some_style(rng)
    for _ in range(rng.randint(6, size**2 // 2)):
        game.play(drawn_move(rng, game, style))
        if game.over:
            game.undo()
            break
    return Referee(variant, size, game.stones, game.taken, game.to_move)


def describe(game: Referee) -> str:
    """Returns a position as text."""
    rows = [
        "".join(
            {"black": "X", "white": "O"}.get(game.stones.get((x, y), ""), ".")
            for x in range(game.size)
        )
        for y in range(game.size)
    ]
    return f"{'/'.join(rows)} {game.to_move} to move, taken {game.taken}, rows {game.variant.rows}"


def check_claims(rule: Rule, game: Referee, engine: Engine, seen: Counter[str]) -> None:
    """Asks the core for wins of the side to move, and checks every claim."""
    Table(rule, engine, game, Counter())
    at_once = game.winning_squares(game.to_move)
    seen["positions"] += 1
    seen["wins at once"] += bool(at_once)
    for name in ("vcf", "vct"):
        check_proof(rule, game, engine, name, seen, at_once)
    check_search(rule, game, engine, seen, at_once)


def prove(engine: Engine, name: str) -> tuple[ProofAnswer, list[Point]]:
    """Returns the answer and the line of a proof search."""
    if name == "vcf":
        proof = engine.prove_vcf(max_nodes=PROOF_NODES)
    else:
        proof = engine.prove_vct(max_nodes=PROOF_NODES)
    return proof.answer, proof.moves


def check_proof(
    rule: Rule, game: Referee, engine: Engine, name: str, seen: Counter[str], at_once: list[Point]
) -> None:
    """Checks a proof search: a win by following it, the answer that there is none by trying."""
    answer, line = prove(engine, name)
    seen[f"{name} {answer}"] += 1
    if answer is ProofAnswer.WIN:
        seen[f"{name} of {len(line)} plies"] += 1
        follow(rule, game, engine, name, line, seen)
        Table(rule, engine, game, Counter())
    elif at_once:
        raise FalseClaimError(f"{name} misses {at_once}: {describe(game)}")
    elif answer is ProofAnswer.NO_WIN:
        five = wins_by_fours(game, 5)
        if five:
            raise FalseClaimError(f"{name} denies the win by {five}: {describe(game)}")
        seen[f"{name} no win, tried"] += 1


def follow(
    rule: Rule, game: Referee, engine: Engine, name: str, line: list[Point], seen: Counter[str]
) -> None:
    """Raises FalseClaimError unless the first move of a proof wins against every reply.

    Where the winner has no win at once after a reply, the core proves the rest anew.
    """
    mover = game.to_move
    if not line:
        raise FalseClaimError(f"{name} has no line: {describe(game)}")
    game.play(line[0])
    seen["followed moves"] += 1
    try:
        if game.winner == mover:
            return
        if game.over or len(line) == 1:
            raise FalseClaimError(f"{name} {line} ends without a win: {describe(game)}")
        threats = game.winning_squares(mover)
        for reply in game.allowed():
            game.play(reply)
            seen["followed replies"] += 1
            try:
                if game.over:
                    raise FalseClaimError(f"{name} {line} loses to {reply}: {describe(game)}")
                if winning_square(game, mover, threats):
                    continue
                Table(rule, engine, game, Counter())
                answer, rest = prove(engine, name)
                if answer is not ProofAnswer.WIN:
                    if name == "vcf" or not wins_within(game, 3):
                        seen[f"{name} not proven anew"] += 1
                        raise FalseClaimError(
                            f"{name} {line}: {answer} after {reply}: {describe(game)}"
                        )
                    continue
                follow(rule, game, engine, name, rest, seen)
            finally:
                game.undo()
    finally:
        game.undo()


def check_search(
    rule: Rule, game: Referee, engine: Engine, seen: Counter[str], at_once: list[Point]
) -> None:
    """Checks the mates that a search announces up to five plies ahead, won and lost."""
    engine.clear_table()
    found = engine.search(nodes=SEARCH_NODES, analysis=True)
    mate = found.mate
    seen["searches"] += 1
    if at_once and found.move not in at_once:
        raise FalseClaimError(f"the search plays {found.move}, not {at_once}: {describe(game)}")
    if mate is None or abs(mate) > 5:
        seen["no mate or a long one"] += 1
        return
    seen[f"mate {mate}"] += 1
    if mate > 0:
        game.play(found.move)
        won = game.winner is not None if mate == 1 else loses_within(game, mate - 1)
        game.undo()
        shorter = mate > 1 and wins_within(game, mate - 2)
        seen[f"mate {mate}, a shorter one exists"] += bool(shorter)
    else:
        won = loses_within(game, -mate)
        seen[f"mate {mate}, lost sooner"] += won and mate < -2 and loses_within(game, -mate - 2)
    if not won:
        raise FalseClaimError(f"mate {mate} by {found.move} ({found.stage}): {describe(game)}")
    seen["mates that hold"] += 1
