"""Quick matches strand no player: a caller with a live socket who does its part plays, whatever others do."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from blackpoker.client import Client
from blackpoker.protocol import messages as p
from blackpoker.server.cluster.bus import QueueEntry
from blackpoker.server.matchmaking import pair_entries
from tests.long.quick_match import Caller, stranded
from tests.server.live import Live, wait_until, wait_until_playing
from tests.server.virtual_time import make_room_manager, run_virtually


@pytest.mark.parametrize("first", range(0, 160, 20))
def test_two_waiting_players_are_paired(first: int) -> None:
    """``tests.long.quick_match`` runs thousands of such schedules."""
    assert [found for number in range(first, first + 20) for found in stranded(number)] == []


@pytest.mark.parametrize("pest", ["calls", "lurks", "keeps shut", "looks in", "flees"])
def test_twelve_play_whatever_one_does_every_moment(pest: str) -> None:
    """Regression: callers who never joined had halved the number of those who got to play."""

    async def story() -> int:
        room_manager = make_room_manager()
        room_manager.spawn(room_manager.matchmaker.run_loop())
        chosen = random.Random(pest)
        people: list[Caller] = []
        for number in range(36):
            one = Caller(room_manager, f"g{number}", "honest" if number % 3 == 0 else pest, chosen)
            one.regulation, one.opponent = "lite+entry", "human"
            people.append(one)
            await one.call()
            await asyncio.sleep(0.7)
        await asyncio.sleep(5)
        for task in list(room_manager.tasks):
            task.cancel()
        return sum(one.playing for one in people if one.manner == "honest")

    assert run_virtually(story) == 12


def test_the_longest_waiting_player_is_served_first() -> None:
    def waits(guest: str, since: float, network: str = "n", kind: str = "x") -> QueueEntry:
        return QueueEntry(kind, f"room of {guest}", guest, network, since, "here")

    found = pair_entries([waits("c", 3), waits("a", 1), waits("b", 2), waits("d", 4)], 5.0)
    assert [(one.guest, two.guest) for one, two in found] == [("a", "b"), ("c", "d")]
    own = [waits("a", 1), waits("a", 2), waits("b", 3)]
    assert [(one.guest, two.guest) for one, two in pair_entries(own, 5.0)] == [("a", "b")], "nobody plays himself"
    bots = [waits(guest, at, net, "bot x") for at, (guest, net) in enumerate((("a", "n"), ("b", "n"), ("c", "m")))]
    assert [(one.guest, two.guest) for one, two in pair_entries(bots, 5.0)] == [("a", "c")], "two bots of one address"
    at_home = [waits("a", 1, "127.0.0.1", "bot x"), waits("b", 2, "127.0.0.1", "bot x")]
    assert len(pair_entries(at_home, 5.0)) == 1, "on the server's own machine"


def test_a_stranger_cannot_take_the_seat_of_a_waiting_player() -> None:
    async def story() -> None:
        room_manager = make_room_manager()
        chosen = random.Random(1)
        one, two = (Caller(room_manager, name, "honest", chosen) for name in ("one", "two"))
        await one.call()
        await asyncio.sleep(0.5)
        room = room_manager.rooms[one.room]
        assert room.waiting_seat == 0
        two.manner = "lurks"
        await two.join(room.id)
        await asyncio.sleep(0.5)
        assert room.seats.clients[two.key].seat is None, "he may watch"
        assert room.waiting_seat == 0
        for task in list(room_manager.tasks):
            task.cancel()

    run_virtually(story)


def test_two_guests_meet_over_the_network(tmp_path: Path) -> None:
    """Each caller joins a room of its own; one of them is moved to the other. A caller who never joins is ignored."""
    with Live(tmp_path / "games.db") as live:

        async def story() -> None:
            async with Client(live.url, "A") as a, Client(live.url, "B") as b, Client(live.url, "C") as c:
                first = await a.request("POST", "/api/quick", {"regulation": "standard+full"})
                async with a.join(first["room"]) as one:
                    await one.ready()
                    again = await a.request("POST", "/api/quick", {"regulation": "スタンダード+フル"})
                    assert again["room"] == first["room"], "whoever waits and asks again waits in the same room"
                    for _ in range(3):
                        passer = await c.request("POST", "/api/quick", {"regulation": "standard+full"})
                        assert passer["room"] != first["room"]
                    second = await b.request("POST", "/api/quick", {"regulation": "standard+full"})
                    async with b.join(second["room"]) as two:
                        await two.ready()
                        await asyncio.gather(wait_until_playing(one), wait_until_playing(two))
                        assert {one.seat, two.seat} == {"p1", "p2"}
                        assert one.room == two.room == first["room"]
                        assert live.state is not None
                        quick = live.state.room_manager.matchmaker
                        await wait_until(lambda: not quick.entries, "both play")
                        assert quick.usual_wait("standard+full") is not None
                        assert one.receipt is not None
                        assert two.receipt is not None
                        assert one.receipt.terms == two.receipt.terms, "both know what is played"

        asyncio.run(story())


def test_only_the_queue_makes_quick_rooms(tmp_path: Path) -> None:
    with Live(tmp_path / "games.db") as live:

        async def story() -> p.RoomInfo:
            async with Client(live.url, "A") as a:
                return await a.create_room(quick=True)

        assert not asyncio.run(story()).settings.quick
