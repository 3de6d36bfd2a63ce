"""The turning points of finished games."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import pytest

from blackpoker import Audience
from blackpoker.client import Client
from blackpoker.game.game import Game
from blackpoker.players.analysis import WinChance, WinChancePoint
from blackpoker.players.sample_games import SampleGame, sample_games
from blackpoker.protocol import messages as p
from blackpoker.server.admission import Limits, Owner
from blackpoker.server.http.api import analysis
from blackpoker.server.rooms.game import record_id
from blackpoker.server.worker_pool import WorkerPool
from tests.server.live import PATIENCE, Live, get, play_pair, random_words


def turning_points(url: str, record: str) -> Any:
    end = time.monotonic() + PATIENCE
    while True:
        answer = get(f"{url}/api/records/{record}/turning-points")
        assert answer.status_code == 200, answer.text
        if answer.json()["ready"]:
            return answer.json()["points"]
        assert time.monotonic() < end
        time.sleep(0.1)


async def give_up(url: str, sentences: int) -> str:
    """Play and resign a game against the computer; return its record."""
    chosen = random.Random(5)
    async with Client(url, "A") as client:
        room = await client.create_room(opponent="easy", window_ms=0)
        async with client.join(room.id) as seat:
            if seat.info is not None and seat.info.phase == "waiting":
                await seat.ready(salt="1")
            async for ask in seat.prompts():
                if sentences == 0:
                    await seat.send(p.Resign())
                    continue
                sentences -= 1
                await seat.submit(ask, await random_words(seat, ask, chosen))
            assert seat.result is not None
            return seat.result.record_id


def test_a_finished_game_has_turning_points(tmp_path: Path) -> None:
    limits = Limits(rooms_rate=0.001, rooms_burst=2, guest_burst_ms=1e9, address_burst_ms=1e9)
    with Live(tmp_path / "games.db", limits) as live:
        assert get(f"{live.url}/api/records/nothing/turning-points").status_code == 404
        first, _ = asyncio.run(play_pair(live.url, 3))
        assert first.result is not None
        record = first.result.record_id
        points = turning_points(live.url, record)
        assert 1 <= len(points) <= analysis.MAX_FALLS
        assert [one["step"] for one in points] == sorted({one["step"] for one in points})
        for point in points:
            assert abs(point["before"] - point["after"]) >= analysis.MIN_SWING - 0.001
            assert 0 <= min(point["before"], point["after"]) <= max(point["before"], point["after"]) <= 1
            assert point["move"]["ja"]
            assert point["better"] is None or point["better"] != point["move"]
            query = f"seat=both&first={point['step']}&count=2"
            now, then = get(f"{live.url}/api/records/{record}/replay?{query}").json()["frames"]
            assert then["by"] == point["player"]  # that is the step of the move
            assert now["turn"] == point["turn"]
        stored = get(f"{live.url}/api/records/{record}/turning-points").json()
        steps = get(f"{live.url}/api/records/{record}/replay?count=0").json()["steps"]
        for line in (stored["course"], stored["lives"]):  # both run along the replay, to its end
            assert [one["step"] for one in line] == sorted(one["step"] for one in line)
            assert line[-1]["step"] == steps
        assert 0 in (stored["lives"][-1]["p1"], stored["lives"][-1]["p2"])
        assert stored["course"][-1]["p1"] in (0, 1)
        coach = stored["coach"]  # choice and luck add up to the change
        change = coach["p1"]["choice"] - coach["p2"]["choice"] + coach["luck"]
        assert coach["before"] + change == pytest.approx(coach["after"], abs=1e-9)
        assert coach["after"] == stored["course"][-1]["p1"]
        for seat in ("p1", "p2"):
            assert coach[seat]["choice"] <= 0 <= coach[seat]["accuracy"] <= 1
        assert stored["ready"], "it is kept, nobody looks for it again"
        assert stored["points"] == points

        resigned = asyncio.run(give_up(live.url, 12))
        last = get(f"{live.url}/api/records/{resigned}/replay?count=0").json()["steps"]
        assert all(point["step"] < last for point in turning_points(live.url, resigned))
        assert live.state is not None
        live.state.analysis_queue.results.clear()
        refused = get(f"{live.url}/api/records/{record}/turning-points")
        assert refused.json()["code"] == "rate"


def test_a_running_game_is_not_analysed(tmp_path: Path) -> None:
    """During the game the address of the future record returns nothing (R-210), neither a result nor a request's
    existence; at the end the same address returns everything."""

    def answers(url: str, record: str) -> set[int]:
        rest = ("", "/replay?seat=both", "/turning-points", "/picture.png?lang=en")
        return {get(f"{url}/api/records/{record}{each}").status_code for each in rest}

    async def story(live: Live) -> None:
        async with Client(live.url, "A") as client:
            room = await client.create_room(opponent="easy", window_ms=0)
            async with client.join(room.id) as seat:
                if seat.info is not None and seat.info.phase == "waiting":
                    await seat.ready(salt="1")
                prompts = 0
                async for ask in seat.prompts():
                    prompts += 1
                    if prompts < 4:
                        await seat.submit(ask, await random_words(seat, ask, random.Random(5)))
                        continue
                    assert live.state is not None
                    seal = live.state.room_manager.rooms[room.id].room_game.setup
                    record = record_id(seal.secret, seal.terms.game, 1)
                    assert await asyncio.to_thread(answers, live.url, record) == {404}
                    assert not live.state.analysis_queue.known(record)
                    await seat.send(p.Resign())
                assert seat.result is not None
                assert seat.result.record_id == record
        assert await asyncio.to_thread(answers, live.url, record) == {200}

    with Live(tmp_path / "games.db") as live:
        asyncio.run(story(live))


@pytest.mark.parametrize("shown", sample_games(), ids=lambda one: one.id)
def test_blows_and_prices_of_a_game(shown: SampleGame) -> None:
    """A price is paid in a request, a blow lands when both pass."""
    found = analysis.chart_data(shown.text, [])
    assert found.facts is not None
    blows, prices = [0], [0, 0]
    for step in Game.from_record(shown.text).steps():
        hurt = [0, 0]
        for event in step.events(Audience.JUDGE):
            if event.event == "damaged":
                hurt[event.player == "p2"] += event.count or 0
        if step.text == "pass":
            blows += hurt
        else:
            prices = [paid + more for paid, more in zip(prices, hurt, strict=True)]
    assert max(blows) == found.facts.blow > 0
    assert prices == [found.facts.paid_p1, found.facts.paid_p2]


def test_a_game_that_cannot_be_analysed_does_not_stop_the_next() -> None:
    async def story() -> None:
        tasks: list[asyncio.Task[None]] = []
        thinkers = WorkerPool()
        analyst = analysis.AnalysisQueue(thinkers, lambda work: tasks.append(asyncio.ensure_future(work)))
        analyst.submit("bad", "no record", Owner("here", "guest"))
        assert analyst.state("bad") == analysis.TurningPoints(False, 0.0, [])
        for number in range(analysis.MAX_QUEUED - 1):
            analyst.submit(str(number), "no record", Owner(f"there {number}", "guest"))
        assert analyst.is_full("anybody's")
        await asyncio.gather(*tasks)
        assert not analyst.queued
        assert analyst.state("bad") is None
        thinkers.stop()

    asyncio.run(story())


def test_one_of_two_adjacent_comments_is_kept() -> None:
    course = [0.5, 0.9, 0.4, 0.8, 0.8, 0.8, 0.8, 0.2, 0.2, 0.2, 0.2, 0.22]
    points = [WinChancePoint(3 * n, 1, 0, WinChance(value, value, value), "attack") for n, value in enumerate(course)]
    assert [one.point.index for one in analysis.select_turning_points(points, 0.23)] == [3, 18]


@pytest.mark.parametrize(("choice", "told"), [(0.0, []), (-0.2, [0])])
def test_a_pass_is_commented_only_with_a_better_move(choice: float, told: list[int]) -> None:
    course = [0.5, 0.9, 0.5]
    points = [
        WinChancePoint(3 * n, 1, 0, WinChance(value, value, value), "pass", choice) for n, value in enumerate(course)
    ]
    assert [one.point.index for one in analysis.select_turning_points(points, 0.5)] == told


def test_stored_data_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(analysis, "CACHE", analysis.CACHE._replace(entries=3))
        tasks: list[asyncio.Task[None]] = []
        analyst = analysis.AnalysisQueue(WorkerPool(), lambda work: tasks.append(asyncio.ensure_future(work)))

        async def at_once(id: str, text: str) -> analysis.TurningPoints:
            return analysis.TurningPoints(True, 1.0, [])

        monkeypatch.setattr(analyst, "analyse", at_once)
        for number in range(9):
            analyst.submit(str(number), "", Owner("here", "guest"))
        await asyncio.gather(*tasks)
        assert list(analyst.results) == ["6", "7", "8"]

    asyncio.run(story())


def test_analysis_is_shared_fairly_between_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """One address has many games analysed; others must neither wait for minutes nor be refused."""

    async def story() -> None:
        tasks: list[asyncio.Task[None]] = []
        analyst = analysis.AnalysisQueue(WorkerPool(), lambda work: tasks.append(asyncio.ensure_future(work)))
        done: list[str] = []
        go = asyncio.Event()

        async def soon(id: str, text: str) -> analysis.TurningPoints:
            await go.wait()
            done.append(id)
            return analysis.TurningPoints(True, 1.0, [])

        monkeypatch.setattr(analyst, "analyse", soon)
        greedy, modest = Owner("here", "greedy"), Owner("there", "modest")
        for number in range(analysis.MAX_QUEUED_PER_ADDRESS):
            assert not analyst.is_full(greedy.network)
            analyst.submit(f"greedy {number}", "", greedy)
        assert analyst.is_full(greedy.network)
        await asyncio.sleep(0)  # the first is started
        assert not analyst.is_full(modest.network)
        for _ in range(2):  # requested twice at once
            analyst.submit("modest", "", modest)
        await asyncio.sleep(0)  # all of them wait
        go.set()
        await asyncio.gather(*tasks)
        assert done == ["greedy 0", "modest", "greedy 1", "greedy 2", "greedy 3"]
        assert not analyst.queued

    asyncio.run(story())


def test_an_attack_of_two_is_described_as_one_of_two() -> None:
    chance = random.Random(1)
    game = Game("lite+full", seed=0)
    while game.decision is None or game.decision.kind != "attackers" or len(list(game.legal_moves)) < 4:
        game = Game("lite+full", seed=chance.randrange(1000)) if game.outcome() is not None else game
        game.push(chance.choice(game.options))
    moves = [move.text for move in game.legal_moves]
    wordings = [analysis.move_text(game, text) for text in moves]
    assert len({each.en.text for each in wordings}) == len({each.ja.text for each in wordings}) == len(moves)
    for each in wordings:
        assert all(
            each.en.text[mark.start : mark.end] in ("P1", "P2") for mark in each.en.spans if mark.ref[:5] == "seat:"
        )


def test_a_request_of_one_word_is_described_by_its_name() -> None:
    """Neither price nor notation: the cost has been visible."""
    game = Game("lite+entry", seed=7)
    wording = analysis.move_text(game, "set_bulwark")
    assert (wording.ja.text, wording.en.text) == ("防壁設置", "Set Bulwark")
