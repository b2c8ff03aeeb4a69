"""The board's server: games of persons and brains, and what is kept of them."""

import asyncio
import threading
import time
from pathlib import Path

import pytest

from arena.board.games import Events, Game
from arena.game.files import load_games
from arena.game.game import GameSettings
from arena.game.record import EndReason, GameRecord
from arena.rules.referee import Color, Rule
from tests.support.board_host import FIVE, OTHER, Host, Serve, brains
from tests.support.fakes import fake, no_brain_is_left


def test_two_brains_play_and_the_game_is_kept(serve: Serve, tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            hello = await client.next("hello")
            assert [brain["name"] for brain in hello["brains"]] == ["one", "two"]
            await client.start("one", "two", memory_mib=500)
            at = [(await client.next("move"))["at"] for _ in range(9)]
            assert at[:3] == [[0, 0], [0, 2], [1, 0]]
            end = await client.next("end")
            assert (end["winner"], end["reason"], end["forfeit"]) == ("black", "five", False)
            assert "black wins after 9 moves" in end["verdict"]
            assert [Path(path).suffix for path in end["files"]] == [".psq", ".sgf"]
        async with host.client() as again:
            state = (await again.next("hello"))["game"]
            assert len(state["moves"]) == 9
            assert ["black", ">", "START 15"] in state["said"]
            assert ["white", "<", "0,2"] in state["said"]
            assert state["end"]["winner"] == "black"

    serve(script, one=fake("none", moves=FIVE), two=fake("none", moves=OTHER))
    for path in (tmp_path / "games").rglob("*"):
        if path.is_file():
            (record,) = load_games(path)
            assert (record.winner, record.reason) == ("black", EndReason.FIVE)
    assert (tmp_path / "games" / "games.jsonl").is_file()


@pytest.mark.parametrize(
    ("fault", "reason", "word"),
    [
        ("crash", "crash", "exit code 3"),
        ("stall", "time", "no answer to TURN"),
        ("occupied", "illegal", "is occupied"),
        ("flood", "time", "no answer to TURN"),
        ("start-crash", "crash", "exit code 3"),
        ("says", "protocol", "rubbish"),
    ],
)
def test_a_fault_loses_the_game(serve: Serve, fault: str, reason: str, word: str) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start("good", "bad", turn_ms=300)
            end = await client.next("end")
            assert (end["winner"], end["reason"], end["forfeit"]) == ("black", reason, True)
            assert word in end["verdict"]
            await client.send(do="stop")
            assert "no game" in (await client.next("refused"))["why"]

    serve(script, good=fake("none"), bad=fake(fault, text="rubbish\\n"))


def test_a_game_is_over_when_its_end_is_told() -> None:
    running: list[bool] = []
    end = threading.Event()

    def on_end(_record: GameRecord | None, _problem: str) -> None:
        running.append(game.is_running)
        end.set()

    def ignore(*_told: object) -> None:
        pass

    events = Events(turn=ignore, move=ignore, line=ignore, refused=ignore, end=on_end)
    settings = GameSettings(size=15, rule=Rule.FREESTYLE, turn_ms=5000)
    one, two = brains(one=fake("none", moves=FIVE), two=fake("none", moves=OTHER))
    game = Game({Color.BLACK: one, Color.WHITE: two}, settings, events)
    game.start()
    assert end.wait(60)
    assert running == [False]
    game.stop()
    assert no_brain_is_left()


def test_memory_is_limited_as_in_a_match(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start("good", "fat", memory_mib=60)
            assert (await client.next("end"))["reason"] == "memory"

    serve(script, good=fake("none"), fat=fake("memory"))


def test_a_person_plays_a_brain(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            game = await client.start(None, "brain", rule=0)
            assert game["people"] == ["black"]
            for ply, at in ((0, [15, 0]), (0, [-1, 3]), (1, [7, 7])):
                await client.send(do="move", at=at, ply=ply)
                assert await client.next("refused")
            for number in range(5):
                await client.send(do="move", at=[number, 14], ply=2 * number)
                assert (await client.next("move"))["at"] == [number, 14]
                if number == 4:
                    break
                assert (await client.next("move"))["color"] == "white"
                await client.send(do="move", at=[number, 14], ply=2 * number + 2)
                assert "taken" in (await client.next("refused"))["why"]
            assert (await client.next("end"))["winner"] == "black"

    serve(script, brain=fake("none"))


def test_undo_gives_the_turn_back(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start(None, "brain")
            await client.send(do="undo")
            assert "take back" in (await client.next("refused"))["why"]
            for number in range(2):
                await client.send(do="move", at=[7, number + 5], ply=2 * number)
                await client.next("move")
                await client.next("move")
            await client.send(do="undo")
            game = await client.next("game")
            assert game["opening"] == [[7, 5], [0, 0]]
            await client.send(do="move", at=[8, 8], ply=2)
            assert (await client.next("move"))["at"] == [8, 8]
            assert (await client.next("move"))["color"] == "white"

    serve(script, brain=fake("none"))


def test_resigning_and_stopping(serve: Serve, tmp_path: Path) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start("slow", None, turn_ms=60_000)
            await client.next("move")
            await client.send(do="resign")
            end = await client.next("end")
            assert (end["winner"], end["forfeit"]) == ("black", False)
            assert "white resigns" in end["verdict"]
            # while a brain thinks
            await client.start("slow", "slow2", turn_ms=60_000, moves=[[7, 7]])
            await client.next("move")
            began = time.monotonic()
            await client.send(do="stop")
            end = await client.next("end")
            assert time.monotonic() - began < 30
            assert (end["winner"], end["forfeit"]) == (None, False)
            assert "stopped" in end["verdict"]

    serve(script, slow=fake("stall", at=2), slow2=fake("none"))
    first, second = load_games(tmp_path / "games" / "games.jsonl")
    assert (first.winner, second.winner) == ("black", None)


def test_a_flood_of_lines_is_cut(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start("flood", "good", turn_ms=1500)
            dropped = most = 0
            while True:
                async with asyncio.timeout(60):
                    event = await client.socket.receive_json()
                if event["is"] == "said":
                    dropped += event["dropped"]
                    most = max(most, len(event["lines"]))
                if event["is"] == "end":
                    break
            assert dropped > 0
            assert most <= 200

    serve(script, flood=fake("flood", at=1), good=fake("none"))


def test_a_game_goes_on_while_the_page_is_loaded_again(serve: Serve) -> None:
    async def script(host: Host) -> None:
        async with host.client() as client:
            await client.start(None, "brain")
            await client.send(do="move", at=[7, 7], ply=0)
            await client.next("move")
            await client.next("move")
        await asyncio.sleep(0.2)
        async with host.client() as client:
            state = (await client.next("hello"))["game"]
            assert len(state["moves"]) == 2
            assert state["turn"]["color"] == "black"
            assert state["end"] is None
            await client.send(do="move", at=[8, 8], ply=2)
            assert (await client.next("move"))["at"] == [8, 8]

    serve(script, brain=fake("none"))
