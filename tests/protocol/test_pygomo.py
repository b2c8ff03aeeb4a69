"""The client library pygomo-lib plays and analyses with Tengen, and reads its reports."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from pygomo import EngineClient
from pygomo.command.handlers.search import BalanceOneHandler, BalanceTwoHandler

from tests.support.paths import ROOT

# pygomo-lib has no types: what it returns is Any.
Client = Any


@pytest.fixture
def client() -> Iterator[Client]:
    arguments = {"args": ["-m", "protocol"], "working_directory": str(ROOT)}
    client = EngineClient(sys.executable, **arguments)
    client.connect()
    yield client
    client.quit()


def limit_nodes(client: Client) -> None:
    """Ends searches by nodes, so that a busy machine gives the same answers."""
    client.set_time(turn_time_ms=600_000)
    client.send_raw("INFO max_node 300000")


def set_up(client: Client, stones: Sequence[tuple[tuple[int, int], int]]) -> None:
    client.send_raw("YXBOARD")
    for (x, y), side in stones:
        client.send_raw(f"{x},{y},{side}")
    client.send_raw("DONE")


def check_report(told: Any) -> None:
    """A report of a search with all of its numbers."""
    assert 0 < told.depth <= told.sel_depth + told.depth
    assert told.nodes > 0 and told.nps >= 0 and told.time_ms >= 0
    assert told.pv
    assert all(0 <= move.col < 15 and 0 <= move.row < 15 for move in told.pv)


def test_a_game_with_its_evaluation(client: Client) -> None:
    assert client.start(15)
    assert 'name="Tengen"' in client.about()
    client.set_rule(0)
    limit_nodes(client)
    heard: list[Any] = []
    result = client.begin(on_info=heard.append)
    for row in range(3):
        assert (result.move.col, result.move.row) == (result.pv[0].col, result.pv[0].row)
        check_report(result.search_info)
        assert result.eval.is_mate() or 0 < abs(result.eval.score()) <= 20_000
        result = client.turn((0, 5 * row), on_info=heard.append)
    assert max(told.depth for told in heard) > 5
    # A win rate is a report of its own: depth and evaluation, and no line.
    assert {bool(told.pv) for told in heard} == {True, False}
    assert all(told.depth > 0 for told in heard)
    assert client.takeback(result.move)
    assert client.start(15), "a second game in the same process"


def test_a_proven_win_is_a_mate(client: Client) -> None:
    assert client.start(15)
    limit_nodes(client)
    own = [(7, 7), (8, 7), (9, 7)]
    other = [(0, 0), (2, 14), (14, 3)]
    set_up(client, [(square, 1) for square in own] + [(square, 2) for square in other])
    result = client.nbest(1)
    assert result.eval.is_mate() and result.eval.is_winning()
    assert result.eval.score().steps() == 3
    assert result.winrate > 0.99
    own.append((10, 7))
    set_up(client, [(square, 2) for square in own] + [(square, 1) for square in other])
    result = client.nbest(1)
    assert result.eval.is_mate() and result.eval.is_losing()


def test_several_lines(client: Client) -> None:
    assert client.start(15)
    limit_nodes(client)
    set_up(client, [((7, 7), 2)])
    result = client.nbest(3)
    lines = {told.multipv: told for told in result.all_info}
    assert sorted(lines) == [1, 2, 3]
    for told in lines.values():
        check_report(told)
    first = lines[1].pv[0]
    assert (result.move.col, result.move.row) == (first.col, first.row)
    assert len({(told.pv[0].col, told.pv[0].row) for told in lines.values()}) == 3
    assert lines[1].eval.score() >= lines[3].eval.score()


def test_even_moves(client: Client) -> None:
    assert client.start(15)
    limit_nodes(client)
    client.registry.register(BalanceOneHandler())
    client.registry.register(BalanceTwoHandler())
    heard: list[Any] = []
    one = client.execute("YXBALANCEONE", 0, on_info=heard.append)
    assert one.is_success and 0 <= one.data.move.col < 15
    two = client.execute("YXBALANCETWO", 0, on_info=heard.append)
    assert two.is_success and len(two.data["moves"]) == 2
    assert abs(heard[-1].eval.score()) < 500


def test_what_the_engine_can_do(client: Client) -> None:
    assert client.start(15)
    client.send_raw("YXSHOWINFO")
    told = [client.receive_raw("message", timeout=5) for _ in range(3)]
    assert [line.split()[1] for line in told] == ["Tengen", "INFO", "INFO"]
    assert int(told[1].split()[-1]) >= 1 and 10 <= int(told[2].split()[-1]) <= 40
    client.send_raw("YXQUERYDATABASEONE")
    client.send_raw("DONE")
    assert client.receive_raw("message", timeout=5) == "MESSAGE DATABASE ONE 0 0 0 0"
    client.send_raw("YXSHOWFORBID")
    assert client.receive_raw("output", timeout=5) == "FORBID ."
