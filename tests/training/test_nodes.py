"""Nodes of searches: made from games, learned together with them."""

import fcntl
import re
import shutil
import signal
import struct
import subprocess
import zlib
from pathlib import Path

import pytest

from pyengine import Engine, Limits, Rule
from tests.support.generations import MANIFEST, generate, start_script
from tests.support.selfplay import play, said
from training.gamefiles import build_programs, read_file

WEIGHTS = Path(__file__).parents[2] / "csrc" / "assets" / "freestyle.tgw"
LOSSES = re.compile(r"epoch 1: loss [0-9.]+, validation ([0-9.]+), nodes of searches ([0-9.]+)")


@pytest.fixture(scope="session")
def maker(root: Path) -> Path:
    """The program that makes nodes."""
    return build_programs("nodes")[0]


def make(
    maker: Path, games: Path, target: Path, *options: object
) -> subprocess.CompletedProcess[str]:
    """Makes the nodes of a file."""
    command = [maker, games, target, "--nodes", 300, "--label-nodes", 200, *options]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)


def games_and_nodes(player: Path, maker: Path, folder: Path, count: int) -> tuple[Path, Path]:
    """Makes a file of games, and the file of their nodes."""
    games, nodes = play(player, folder / "games.tg", count=count), folder / "nodes.tg"
    assert make(maker, games, nodes).returncode == 0
    return games, nodes


def printed(reader: Path, path: Path) -> list[str]:
    """Returns the lines that `games print` gives for a file."""
    return said(reader, "print", path).stdout.splitlines(keepends=True)


def records(reader: Path, path: Path) -> list[tuple[int, int, list[list[int]]]]:
    """Returns the result, the length of the opening, and x, y, score of each ply."""
    found = []
    for line in printed(reader, path):
        _, _, result, opening, plies = line.split()
        moves = [[int(n) for n in ply.strip("!").split(",")] for ply in plies.split(";") if ply]
        found.append((int(result), int(opening), moves))
    return found


def test_nodes_are_positions_of_searches_with_scores_of_their_own(
    player: Path, reader: Path, maker: Path, tmp_path: Path
) -> None:
    games = play(player, tmp_path / "games.tg", count=12)
    target, again = tmp_path / "nodes.tg", tmp_path / "again.tg"
    done = make(maker, games, target, "--engine", "abc")
    assert done.returncode == 0 and not target.with_name("nodes.tg.part").exists()
    nodes = records(reader, target)
    assert done.stdout == f"{len(nodes)} positions\n" and len(nodes) > 12
    make(maker, games, again, "--engine", "abc")
    assert target.read_bytes() == again.read_bytes()
    assert said(reader, "check", target).stdout == f"{target}: good, {len(nodes)} games\n"
    header, of_games = read_file(target).header, read_file(games).header
    about = subprocess.run([player, "--about"], capture_output=True, text=True, check=True)
    assert header.evaluation == int(about.stdout, 16) and header.seed == of_games.seed
    assert header.asked == 4 * of_games.count
    counted = said(reader, "count", target).stdout.splitlines()[1].split()
    assert counted[2:4] == ["200", "abc"] and counted[-1] == str(len(nodes))
    played = [(opening, [ply[:2] for ply in moves]) for _, opening, moves in records(reader, games)]
    roots, depths = set(), set()
    with Engine(rule=Rule.FREESTYLE, size=9, memory_mib=0.5) as engine:
        for result, opening, moves in nodes:
            assert 2 <= result < opening + 2 and opening == len(moves) - 1
            path = [ply[:2] for ply in moves[:-1]]
            root_ply = result - 2
            begin = next(n for n, game in played if path[:root_ply] == game[:root_ply])
            assert root_ply >= begin, "no search begins in an opening"
            roots.add(root_ply - begin)
            depths.add(opening - root_ply)
            engine.reset(size=9, rule=Rule.FREESTYLE)
            for x, y in path:
                engine.play((x, y))
            found = engine.search(Limits(nodes=200))
            assert [*found.move, found.score] == moves[-1]
    assert len(roots) > 5 and max(roots) > 10, "searches from the whole game"
    assert 1 in depths and max(depths) > 4 and 0 not in depths, "nodes from the whole search"


def test_nodes_are_refused_for_bad_input(
    player: Path, reader: Path, maker: Path, tmp_path: Path
) -> None:
    games = play(player, tmp_path / "games.tg", count=20)
    bad = tmp_path / "bad.tg"
    bad.write_bytes(games.read_bytes()[:-1])
    done = make(maker, bad, tmp_path / "nodes.tg")
    assert done.returncode == 1 and "bad.tg: is cut short" in done.stderr
    done = make(maker, games, tmp_path / "none" / "nodes.tg")
    assert done.returncode == 1 and "nodes.tg.part: No such file" in done.stderr
    for option in (("--searches", "0"), ("--searches", "x"), ("--engine", "e" * 17), ("--more",)):
        assert make(maker, games, tmp_path / "nodes.tg", *option).returncode == 2
    assert not (tmp_path / "nodes.tg").exists()
    done = make(maker, games, games)
    assert done.returncode == 1 and "games.tg: is there already" in done.stderr
    with (tmp_path / "nodes.tg.part").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = make(maker, games, tmp_path / "nodes.tg")
    assert done.returncode == 1 and "is being written by another program" in done.stderr
    limit = ["bash", "-c", 'ulimit -f 1; exec "$@"', "-", maker, games, tmp_path / "nodes.tg"]
    cut = subprocess.run(list(map(str, limit)), capture_output=True, text=True, check=False)
    assert cut.returncode == 1 and "nodes.tg.part: File too large" in cut.stderr


def test_a_text_of_nodes_is_the_same_to_the_fit(
    player: Path, reader: Path, maker: Path, fitter: Path, tmp_path: Path
) -> None:
    """The fit says the loss of games and nodes apart, and takes nodes from the text, too."""
    games, nodes = games_and_nodes(player, maker, tmp_path, 150)
    listed = tmp_path / "list.txt"
    listed.write_text(f"{games}\n{nodes}\n")
    command = [str(fitter), "1", str(tmp_path / "a.json"), str(WEIGHTS)]
    from_files = subprocess.run(
        [*command, "--games", str(listed)], check=True, capture_output=True, text=True
    ).stdout
    losses = LOSSES.search(from_files)
    assert losses and abs(float(losses[1]) - float(losses[2])) > 0.001
    assert "bias of the games" in from_files
    scores = [moves[-1][2] for _, _, moves in records(reader, nodes)]
    taken = sum(abs(score) <= 1200 for score in scores)
    alone = tmp_path / "games.txt"
    alone.write_text(f"{games}\n")
    command[2] = str(tmp_path / "c.json")
    of_games = subprocess.run(
        [*command, "--games", str(alone)], check=True, capture_output=True, text=True
    ).stdout
    assert positions(from_files) - positions(of_games) == taken < len(scores)
    command[2] = str(tmp_path / "b.json")
    text = said(reader, "print", games, nodes).stdout
    subprocess.run(command, input=text, check=True, capture_output=True, text=True)
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()


def counts_of(fit: str, lines: list[str], out: Path) -> tuple[int, int]:
    """Returns how many positions of these games a fit learns, and uses for validation."""
    command = [str(build_programs(fit)[0]), "1", str(out), str(WEIGHTS)]
    text = "".join(lines)
    done = subprocess.run(command, input=text, check=True, capture_output=True, text=True)
    counts = re.search(r"(\d+) positions, (\d+) for validation", done.stdout)
    assert counts
    return int(counts[1]), int(counts[2])


def searches_of(nodes: list[tuple[int, int, list[list[int]]]]) -> list[list[int]]:
    """Returns the lines of the searches with four nodes that a fit may learn."""
    found: dict[tuple[object, ...], list[int]] = {}
    for index, (result, _, moves) in enumerate(nodes):
        before = (result, *(tuple(ply[:2]) for ply in moves[: result - 2]))
        found.setdefault(before, []).append(index)
    scores = [moves[-1][2] for _, _, moves in nodes]
    return [
        lines
        for lines in found.values()
        if len(lines) == 4 and all(abs(scores[line]) <= 1200 for line in lines)
    ]


def validates(moves: list[list[int]]) -> bool:
    """Whether a game of these moves is for validation."""
    return zlib.crc32(b"".join(struct.pack("<H", y * 32 + x) for x, y, *_ in moves)) % 20 == 0


@pytest.mark.parametrize("fit", ["network", "policy"])
def test_the_nodes_of_a_search_stay_together(
    fit: str, player: Path, reader: Path, maker: Path, tmp_path: Path
) -> None:
    """The moves before a search decide for its four nodes, those of a game for its positions.

    So a later fit validates by nothing that an earlier one has learned.
    """
    games, nodes = games_and_nodes(player, maker, tmp_path, 150)
    found, lines = records(reader, nodes), printed(reader, nodes)
    learned = [
        line
        for line, (_, _, moves) in zip(printed(reader, games), records(reader, games), strict=True)
        if not validates(moves)
    ]
    assert 120 < len(learned) < 150
    out = tmp_path / "fit.json"
    count, validation = counts_of(fit, learned, out)
    assert count > 1000 and validation == 0
    _, validation = counts_of(fit, printed(reader, games)[::-1], out)
    assert validation > 0
    by_use: dict[bool, list[list[int]]] = {True: [], False: []}
    for search in searches_of(found):
        result, _, moves = found[search[0]]
        by_use[validates(moves[: result - 2])].append(search)
    least = 4 if fit == "network" else 2  # the order of some nodes is decided without the policy
    for use, searches in by_use.items():
        text = [*(lines[index] for index in searches[0]), *learned]
        found_count, validation = counts_of(fit, text, out)
        more = validation if use else found_count - count
        assert least <= more <= 4
        assert (found_count == count) if use else validation == 0


def positions(said: str) -> int:
    """Returns the number of positions of a fit, those for validation included."""
    found = re.search(r"network: (\d+) positions, (\d+) for validation", said)
    assert found
    return int(found[1]) + int(found[2])


def run(root: Path, folder: Path, program: str, *options: str) -> tuple[int, str, str]:
    """Returns the exit status and the output of a script."""
    with start_script(root, folder, program, *options) as running:
        out, errors = running.communicate()
    return running.returncode, out, errors


def test_a_generation_gets_nodes_and_a_fit_learns_them(root: Path, tmp_path: Path) -> None:
    """An interrupted run continues; nodes of every file are needed."""
    assert generate(root, tmp_path, text=MANIFEST).returncode == 0
    games = tmp_path / "games" / "small"
    for _ in range(3):  # on a busy machine a run may end before the signal comes
        shutil.rmtree(games / "nodes", ignore_errors=True)
        with start_script(root, tmp_path, "nodes.py", "--nice", "0") as running:
            assert running.stdout and "a second" in next(
                line
                for line in running.stdout
                if ".tg: " in line  # not of a build
            )
            running.send_signal(signal.SIGTERM)
            running.communicate()
        if running.returncode != 0:
            break
    made = {path.name: path.read_bytes() for path in (games / "nodes").glob("*.tg")}
    assert running.returncode == 1
    assert made and len(made) < len(list(games.glob("*.tg")))
    assert not list((games / "nodes").glob("*.part"))
    one = min(games.glob("0-*.tg")).name  # the fit is of rule 0, whose nodes come first
    (games / "nodes" / one).unlink(missing_ok=True)
    made.pop(one, None)
    fit = ("--nodes", "--epochs", "1", "--out", str(tmp_path / "fit"), "--keep-squares")
    code, _, errors = run(root, tmp_path, "refit.py", *fit)
    assert code == 1 and "training/nodes.py makes it" in errors
    code, _, errors = run(root, tmp_path, "nodes.py", "--workers", "2", "--nice", "0")
    assert code == 0, errors
    names = {path.name for path in (games / "nodes").glob("*.tg")}
    assert names == {path.name for path in games.glob("*.tg")}
    assert all((games / "nodes" / name).read_bytes() == data for name, data in made.items())
    code, out, errors = run(root, tmp_path, "refit.py", *fit)
    assert code == 0 and "bias of the games" in out, errors
    code, _, errors = run(root, tmp_path, "refit.py", *fit, "--positions", "10")
    assert code == 2 and "would leave out the nodes" in errors
    code, _, errors = run(root, tmp_path, "nodes.py", "--searches", "2")
    assert code == 1 and "of another number of searches" in errors
    first, second = sorted((games / "nodes").glob("0-*.tg"))[:2]
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    for program, options in (("refit.py", fit), ("nodes.py", ())):
        code, _, errors = run(root, tmp_path, program, *options)
        assert code == 1 and f"{first} is of other games; remove it" in errors
    first.unlink()
    with first.with_name(f"{first.name}.part").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        code, _, errors = run(root, tmp_path, "nodes.py")
    assert code == 1 and "by another program" in errors and errors.count("nodes: ") == 1
    first.write_bytes(data)
    bad = next((games / "nodes").glob("*.tg"))
    bad.write_bytes(bad.read_bytes()[:-1])
    code, _, errors = run(root, tmp_path, "nodes.py")
    assert code == 1 and f"{bad} is cut short or damaged" in errors
