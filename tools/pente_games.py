"""Checks the rules and the levels by games of people: `python -m tools.pente_games`.

The games are Pente on 19x19 as pente.org writes them, one game in each file. The repository
cropleyb/pentai (MIT License) has 9,668 rated games between people in its folder `openings`; unpack
its archives first.

    python -m tools.pente_games replay FOLDER           replays all games by core and referee
    python -m tools.pente_games levels FOLDER           counts the moves of strong players that
                                                        the levels find, and what the moves
                                                        are worth
    python -m tools.pente_games sample FOLDER 60        prints games as lines of JSON
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from arena.rules import referee
from pyengine import Engine, EngineError, Limits, Rule, Status
from pyengine.constants import MAX_LEVEL

SIZE = 19
RATING, OPENING = 2000, 6
"""By default the moves of players with this rating count, after the opening."""

_TAG = re.compile(r'^\[([^"]+) "([^"]*)"\]$', re.M)
_MOVE = re.compile(r"^([A-HJ-T])([0-9]{1,2})$")
_RESULTS = {"1-0": "black", "0-1": "white"}

Square = tuple[int, int]


class GameError(ValueError):
    """A text is no game; says what was expected."""


@dataclass(frozen=True)
class HumanGame:
    """A game of two people: their ratings and its result as recorded, and the moves."""

    source: str
    date: str
    ratings: tuple[int, int]
    winner: str | None
    moves: tuple[Square, ...]


def read_game(text: str, source: str) -> HumanGame:
    """Reads one game; raises GameError."""
    tags = dict(_TAG.findall(text))
    words = text[text.rfind("]") + 1 :].split()
    if not words or words[-1] not in (*_RESULTS, "1/2-1/2", "*"):
        raise GameError(f"{source}: expected a result at the end")
    moves = [word for word in words[:-1] if not word.endswith(".")]
    try:
        ratings = (int(tags["Player 1 Rating"]), int(tags["Player 2 Rating"]))
        squares = tuple(_square(word) for word in moves)
        return HumanGame(source, tags["Date"], ratings, _RESULTS.get(tags["Result"]), squares)
    except (KeyError, ValueError) as error:
        raise GameError(f"{source}: {error}") from None


def _square(word: str) -> Square:
    """Returns the square of a move; columns are A to T without I, rows count from the bottom."""
    found = _MOVE.match(word)
    if found is None or not 1 <= int(found[2]) <= SIZE:
        raise ValueError(f"{word!r} is no square of a {SIZE}x{SIZE} board")
    return "ABCDEFGHJKLMNOPQRST".index(found[1]), SIZE - int(found[2])


def games_in(folder: Path) -> Iterator[HumanGame]:
    """Yields the games of a folder and its folders, by name."""
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and not p.suffix):
        yield read_game(path.read_text(encoding="utf-8", errors="replace"), path.name)


def replayed(e: Engine, game: HumanGame) -> Counter[str]:
    """Plays a game by core and referee; returns what happened. Raises AssertionError."""
    e.reset(size=SIZE, rule=Rule.PENTE)
    judge = referee.Position(size=SIZE, rule=referee.Rule.PENTE)
    seen: Counter[str] = Counter(games=1, moves=len(game.moves))
    for number, move in enumerate(game.moves, 1):
        where = f"{game.source}, move {number}, {move}"
        try:
            got, told = e.play(move), judge.play(move)
        except (EngineError, referee.RefereeError) as error:
            raise AssertionError(f"{where}: {error}") from None
        assert got.captured == told.captured, where
        assert (got.status.value, got.reason and got.reason.value) == (
            told.status.value,
            told.reason and told.reason.value,
        ), where
        seen["captured stones"] += len(got.captured)
    if judge.winner is None:
        seen["ended without a win on the board"] += 1
    else:
        seen[f"won by {judge.reason.value if judge.reason else None}"] += 1
        seen["recorded winner differs"] += judge.winner.value != game.winner
    seen["second black stone outside 5x5"] += any(map(is_far, game.moves[2:3]))
    return seen


def is_far(square: Square) -> bool:
    """Says whether a square is outside the 5x5 squares in the centre."""
    return max(abs(square[0] - SIZE // 2), abs(square[1] - SIZE // 2)) > 2


def replay(folder: Path) -> int:
    """Replays all games and prints the counts; returns 1 if a rule and a game disagree."""
    total: Counter[str] = Counter()
    with Engine(size=SIZE, rule=Rule.PENTE, memory_mib=1) as e:
        for game in games_in(folder):
            try:
                total += replayed(e, game)
            except AssertionError as error:
                print(error, file=sys.stderr)
                total["faults"] += 1
    for name, count in sorted(total.items()):
        print(f"{name:36} {count:8,}")
    return int(total["faults"] + total["recorded winner differs"] > 0)


@dataclass(frozen=True)
class Question:
    """A position of a strong player, and the move that was played."""

    moves: tuple[Square, ...]
    played: Square


def questions(folder: Path, rating: int, count: int) -> list[Question]:
    """Returns random positions in which players of the rating won the game, one from a game."""
    found = []
    for game in games_in(folder):
        draw = random.Random(game.source)
        winner = {"black": 0, "white": 1, None: None}[game.winner]
        if winner is None or game.ratings[winner] < rating:
            continue
        plies = [n for n in range(OPENING, len(game.moves)) if n % 2 == winner]
        if plies:
            ply = draw.choice(plies)
            found.append(Question(game.moves[:ply], game.moves[ply]))
    return random.Random(1).sample(found, min(count, len(found)))


def levels(
    folder: Path, *, wanted: list[int], rating: int, count: int, nodes: int, judged: int
) -> int:
    """Prints how often each level plays the move of a strong player who won the game.

    It also prints the mean chance to win after the moves, as a search of `judged` nodes sees it.
    """
    asked = questions(folder, rating, count)
    if not asked:
        print(f"pente_games: {folder} has no game that a player of {rating} won", file=sys.stderr)
        return 1
    print(f"{len(asked)} positions, the winner's rating at least {rating}")
    print("| level | the same move | chance to win |\n|---|---|---|")
    with Engine(size=SIZE, rule=Rule.PENTE, memory_mib=16) as e:

        @cache
        def worth(question: Question, move: Square) -> float:
            return chance_after(e, question, move, judged)

        def row(name: str, moves: list[Square]) -> None:
            same = sum(q.played == move for q, move in zip(asked, moves, strict=True))
            e.set_option("level", MAX_LEVEL)
            chance = sum(map(worth, asked, moves)) / len(asked)
            shares = (f"{100 * share:.1f} %" for share in (same / len(asked), chance))
            print(f"| {name} | {' | '.join(shares)} |", flush=True)

        for level in wanted:
            e.set_option("level", level)
            row(str(level), [found(e, question, nodes) for question in asked])
        row("the players", [question.played for question in asked])
    return 0


def set_up(e: Engine, question: Question) -> None:
    """Sets the position of a question, with a new table."""
    e.reset()
    for move in question.moves:
        e.play(move)


def found(e: Engine, question: Question, nodes: int) -> Square:
    """Returns the engine's move, with at most `nodes` nodes."""
    set_up(e, question)
    return e.search(Limits(nodes=nodes)).move


def chance_after(e: Engine, question: Question, move: Square, nodes: int) -> float:
    """Returns the mover's chance to win after a move, by a search of `nodes` nodes."""
    set_up(e, question)
    outcome = e.play(move)
    if outcome.status is not Status.ONGOING:
        return 1.0 if outcome.winner is not None else 0.5
    return 1 - e.search(Limits(nodes=nodes)).win_rate


def sample(folder: Path, count: int) -> int:
    """Prints random games as lines of JSON, without the names of the players."""
    games = sorted(random.Random(1).sample(list(games_in(folder)), count), key=lambda g: g.source)
    for game in games:
        print(
            json.dumps(
                {
                    "game": game.source,
                    "date": game.date,
                    "ratings": game.ratings,
                    "winner": game.winner,
                    "moves": " ".join(f"{x},{y}" for x, y in game.moves),
                }
            )
        )
    return 0


def main() -> int:
    """Runs one command; returns its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("replay", "levels", "sample"):
        commands.add_parser(name).add_argument("folder", type=Path)
    commands.choices["sample"].add_argument("count", type=int)
    add = commands.choices["levels"].add_argument
    add("--levels", type=int, nargs="+", default=[3, 6, 10])
    add("--rating", type=int, default=RATING)
    add("--positions", type=int, default=400)
    add("--nodes", type=int, default=100_000, help="most nodes of a search (default: 100000)")
    add("--judged", type=int, default=100_000, help="nodes that judge a move (default: 100000)")
    args = parser.parse_args()
    run: dict[str, Callable[[], int]] = {
        "replay": lambda: replay(args.folder),
        "sample": lambda: sample(args.folder, args.count),
        "levels": lambda: levels(
            args.folder,
            wanted=args.levels,
            rating=args.rating,
            count=args.positions,
            nodes=args.nodes,
            judged=args.judged,
        ),
    }
    try:
        return run[args.command]()
    except GameError as error:
        print(f"pente_games: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
