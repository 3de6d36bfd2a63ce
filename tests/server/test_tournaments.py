"""Small tournaments over real sockets; ``python -m tests.long.tournaments`` runs large ones."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import select
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from blackpoker import cli
from blackpoker.client import COOKIE, Client, Refused
from blackpoker.protocol import messages as p
from blackpoker.ruleset import built_in_decks, read_regulation, write_decks
from blackpoker.server.fairness import seal
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import SEAT_NAMES, RoomClient
from blackpoker.server.rooms.tournament_seat import ReservedTable
from blackpoker.server.storage import ratings
from blackpoker.server.storage.database import make_engine
from blackpoker.server.storage.schema import ACTS, RECORDS
from tests.long.tournaments import run
from tests.server.live import Live, get, wait_until, wait_until_playing
from tests.server.tournament_players import Player, check_against_records, take_part, wait_until_over

RULES = {"name": "月曜", "clock": {"bank": 30, "each": 5, "grace": 3}, "wait": 2, "pause": 0, "window_ms": 0}


async def announce(live: Live, **rules: Any) -> tuple[Client, str]:
    """Return a host and the tournament of that host."""
    host = await Client(live.url, "Host").__aenter__()
    made = await host.request("POST", "/api/tournaments", {**RULES, **rules})
    assert made["path"] == f"/tournament/{made['id']}"
    return host, made["id"]


async def enter_players(live: Live, id: str, manners: list[str], **given: Any) -> list[Player]:
    players = [Player(live.url, id, f"P{place}", manner, place, **given) for place, manner in enumerate(manners)]
    for player in players:
        await player.enter()
    return players


@pytest.mark.parametrize("kind", ["swiss", "knockout", "robin", "arena"])
def test_from_the_first_round_to_the_last(tmp_path: Path, kind: str) -> None:
    """With an absent entrant and one who leaves; the standings equal those of the records."""

    async def story(live: Live) -> None:
        manners = ["plays", "plays", "leaves", "never comes", "plays"]
        host, id = await announce(live, kind=kind, minutes=1)
        players = await enter_players(live, id, manners[: 4 if kind == "robin" else 5], resigns=1.0)
        await host.request("POST", f"/api/tournaments/{id}/pair")
        if kind == "arena":
            asyncio.get_running_loop().call_later(5, lambda: asyncio.ensure_future(close_tournament(host, id)))
        page = await take_part(players, players[0])
        counts = check_against_records(str(tmp_path / "games.db"), id, page)
        assert counts["tables"] >= 3
        text = get(f"{live.url}/api/tournaments/{id}/export.csv").text
        assert len(text.splitlines()) == 1 + len(players)
        assert get(f"{live.url}/api/tournaments/{id}/export.json").json()["live"]["lines"] == page["live"]["lines"]

    with Live(tmp_path / "games.db") as live:
        asyncio.run(asyncio.wait_for(story(live), 50))


async def close_tournament(host: Client, id: str) -> None:
    await host.request("POST", f"/api/tournaments/{id}/close")


def test_a_tournament_outlives_its_server(tmp_path: Path) -> None:
    """The server is killed three times during play."""
    counts = asyncio.run(run("swiss", 6, 3, 5, str(tmp_path / "games.db"), wait=3, rounds=2))
    assert counts["rounds"] == 2
    assert counts["exit"] == 0


def test_seats_are_held_and_games_count_as_they_are_played(tmp_path: Path) -> None:
    async def story(live: Live) -> None:
        host, id = await announce(live, kind="knockout", wait=60)
        one, two = await enter_players(live, id, ["plays", "plays"])
        await host.request("POST", f"/api/tournaments/{id}/pair")
        room = (await one.ask("GET", "/mine"))["room"]
        assert room == (await two.ask("GET", "/mine"))["room"]
        async with host.join(room) as watcher:
            assert watcher.seat is None
            with pytest.raises(Refused, match="taken"):
                async with host.join(room, "p1"):
                    pass
        async with one.client.join(room) as first, two.client.join(room) as second:
            assert {first.seat, second.seat} == {"p1", "p2"}
            assert first.info is not None
            assert first.info.tournament == id
            with pytest.raises(Refused, match="handed in"):
                await first.ready("nonsense")
            await asyncio.gather(first.ready(), second.ready())
            await asyncio.gather(wait_until_playing(first), wait_until_playing(second))
            number = first.next_id()
            await first.send(p.MakeOffer(number, "rewind"))
            with pytest.raises(Refused, match="counts as it is played"):
                await first.wait_answer(number)
            await first.resign()
            while first.result is None:
                await first.receive()
            number = first.next_id()
            await first.send(p.MakeOffer(number, "rematch"))
            with pytest.raises(Refused, match="counts as it is played"):
                await first.wait_answer(number)
        page = await wait_until_over(one)
        assert page["live"]["lines"][0]["id"] == two.id
        record = page["results"][0]["records"][0]
        meta = get(f"{live.url}/api/records/{record}").json()["meta"]
        assert meta["tournament"]["id"] == id
        assert set(meta["tournament"]["entrants"]) == {one.id, two.id}

    with Live(tmp_path / "games.db") as live:
        asyncio.run(asyncio.wait_for(story(live), 50))


def test_deck_lists_are_shown_when_it_is_over(tmp_path: Path) -> None:
    deck = write_decks(built_in_decks(read_regulation("lite+constructed40").frame))

    async def story(live: Live) -> None:
        host, id = await announce(live, regulation="lite+constructed40", rounds=2, by_itself=False, wait=60)
        one, two = await enter_players(live, id, ["plays", "plays"], resigns=4.0)
        with pytest.raises(Refused) as few:
            await host.request("POST", f"/api/tournaments/{id}/pair")
        assert few.value.code == "few"
        for player in (one, two):
            assert (await player.ask("POST", "/deck", {"deck": deck}))["deck"] == deck
        await host.request("POST", f"/api/tournaments/{id}/pair")
        room = (await one.ask("GET", "/mine"))["room"]
        await asyncio.gather(one.sit(room), two.sit(room))
        page = await one.ask("GET", "")
        while not page["results"]:
            await asyncio.sleep(0.1)
            page = await one.ask("GET", "")
        assert "records" not in page["results"][0]
        assert all("deck" not in entrant and entrant["decked"] for entrant in page["entrants"])
        engine = make_engine(str(tmp_path / "games.db"))
        with engine.connect() as connection:
            record = connection.execute(select(RECORDS.c.id)).scalar_one()
        engine.dispose()
        assert get(f"{live.url}/api/records/{record}").json()["code"] == "hidden"
        with pytest.raises(Refused) as locked:
            await one.ask("POST", "/deck", {"deck": deck})
        assert locked.value.code == "locked"
        await close_tournament(host, id)
        page = await wait_until_over(one)
        assert {entrant["deck"] for entrant in page["entrants"]} == {deck}
        assert page["results"][0]["records"] == [record]
        assert get(f"{live.url}/api/records/{record}").status_code == 200

    with Live(tmp_path / "games.db") as live:
        asyncio.run(asyncio.wait_for(story(live), 50))


def test_a_follower_of_a_tournament_receives_the_standings(tmp_path: Path) -> None:
    async def story(live: Live) -> None:
        host, id = await announce(live, rounds=1, wait=60)
        url = live.url.replace("http", "ws", 1) + "/ws/tournament?id="
        headers = {"Cookie": f"{COOKIE}={host.cookie}"}
        async with connect(url + id, additional_headers=headers) as socket:
            assert json.loads(await socket.recv())["entrants"] == 0
            one, two = await enter_players(live, id, ["plays", "plays"], resigns=4.0)
            received = json.loads(await socket.recv())
            while received["entrants"] < 2:
                received = json.loads(await socket.recv())
            await host.request("POST", f"/api/tournaments/{id}/pair")
            while received["phase"] == "open":
                received = json.loads(await socket.recv())
            (table,) = received["tables"]
            assert {table["one"], table["two"]} == {one.id, two.id}
            tables = await one.ask("GET", "/tables")
            assert [found["room"] for found in tables] == [table["room"]]
            await asyncio.gather(one.sit(table["room"]), two.sit(table["room"]))
            while received["phase"] != "over":
                received = json.loads(await socket.recv())
            assert received["lines"][0]["points"] == 3
        async with connect(url + "nothing", additional_headers=headers) as socket:
            with pytest.raises(ConnectionClosed):
                await socket.recv()
        state = live.state
        assert state is not None
        await wait_until(lambda: not state.tournaments.followers, "nobody looks on any more")

    with Live(tmp_path / "games.db") as live:
        asyncio.run(asyncio.wait_for(story(live), 50))


def test_refused_settings(tmp_path: Path) -> None:
    async def story(live: Live) -> None:
        async with Client(live.url, "Somebody") as guest:
            host, id = await announce(live, most=2, listed=False, name="A\u202eB")
            assert await guest.request("GET", "/api/tournaments") == []
            assert (await guest.request("GET", f"/api/tournaments/{id}"))["rules"]["name"] == "AB"

            async def code(method: str, path: str, body: object = None) -> str:
                with pytest.raises(Refused) as refused:
                    await guest.request(method, path, body)
                return refused.value.code

            assert await code("GET", "/api/tournaments/nothing") == "no_tournament"
            assert await code("POST", "/api/tournaments/nothing/enter", {}) == "no_tournament"
            assert await code("POST", "/api/tournaments/nothing/pair") == "no_tournament"
            assert await code("POST", f"/api/tournaments/{id}/pair") == "host"
            assert await code("POST", f"/api/tournaments/{id}/close") == "host"
            assert await code("POST", f"/api/tournaments/{id}/leave") == "entrant"
            fix = {"round": 1, "table": 1, "outcome": "one"}
            assert await code("POST", f"/api/tournaments/{id}/fix", fix) == "host"
            assert await code("POST", f"/api/tournaments/{id}/send-away", {"id": "0" * 16}) == "host"
            assert await code("POST", "/api/tournaments", {**RULES, "accounts": True}) == "account"
            assert await code("POST", "/api/tournaments", {**RULES, "regulation": "chess"}) == "unreadable"
            assert await code("POST", "/api/tournaments", {**RULES, "clock": {"bank": 0}}) == "clock"
            part = await guest.request("POST", f"/api/tournaments/{id}/enter", {})
            assert part["id"]
            assert (await guest.request("POST", f"/api/tournaments/{id}/leave"))["away"] == "break"
            await host.request("POST", f"/api/tournaments/{id}/send-away", {"id": part["id"]})
            assert await code("POST", f"/api/tournaments/{id}/enter", {}) == "sent_away"
            await close_tournament(host, id)
            page = await guest.request("GET", f"/api/tournaments/{id}")
            assert page["live"]["called_off"]

    with Live(tmp_path / "games.db") as live:
        asyncio.run(asyncio.wait_for(story(live), 50))


async def play_and_resign(client: Client, room: str) -> None:
    """Play over the network; the player at p2 resigns."""
    async with client.join(room, detail="full") as seat:
        await seat.ready()
        await wait_until_playing(seat)
        assert seat.info is not None
        assert seat.info.settings.rated
        if seat.seat == "p2":
            await seat.resign()
        while seat.result is None:
            await seat.receive()


def test_games_of_a_rated_tournament_count_and_a_deleted_name_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "MIN_RATED_TURNS", 0)  # the players resign at once
    path = tmp_path / "games.db"
    names = ["Red Fox", "Blue Fox", "Green Fox", "Grey Fox"]

    async def story(live: Live) -> str:
        people = [await Client(live.url, "").__aenter__() for _ in names]
        for client, name in zip(people, names, strict=True):
            await client.request("POST", "/api/account", {"name": name, "crest": "SA"})
        host = people[0]
        for bad in ({"rated": True}, {"rated": True, "accounts": True, "spectator_delay": 60}):
            with pytest.raises(Refused) as refused:
                await host.request("POST", "/api/tournaments", {**RULES, **bad})
            assert refused.value.code == "rated"
        rules = {**RULES, "kind": "robin", "rated": True, "accounts": True, "wait": 60, "by_itself": False}
        id = str((await host.request("POST", "/api/tournaments", rules))["id"])
        for client in people:
            await client.request("POST", f"/api/tournaments/{id}/enter", {})
        await host.request("POST", f"/api/tournaments/{id}/pair")
        rooms = [(await client.request("GET", f"/api/tournaments/{id}/mine"))["room"] for client in people]
        await asyncio.gather(*(play_and_resign(client, room) for client, room in zip(people, rooms, strict=True)))
        mine = [(await client.request("GET", "/api/account"))["player"] for client in people]
        pages = [await host.request("GET", f"/api/players/{player}") for player in mine]
        assert sorted(page["formats"][0]["won"] for page in pages) == [0, 0, 1, 1]
        while len((await host.request("GET", f"/api/tournaments/{id}"))["results"]) < 2:
            await asyncio.sleep(0.1)
        await people[0].request("POST", "/api/account/delete", {"name": names[0]})
        shown_page = await people[1].request("GET", f"/api/tournaments/{id}")
        assert {one["name"] for one in shown_page["entrants"]} == {"", *names[1:]}
        assert shown_page["host"] == ""
        assert len(shown_page["live"]["lines"]) == 4
        assert names[0] not in get(f"{live.url}/api/tournaments/{id}/export.csv").text
        return id

    with Live(path) as live:
        id = asyncio.run(asyncio.wait_for(story(live), 50))
    with Live(path) as live:
        again = get(f"{live.url}/api/tournaments/{id}").json()
        assert {one["name"] for one in again["entrants"]} == {"", *names[1:]}
    engine = make_engine(str(path))
    with engine.connect() as connection:
        acts = list(connection.execute(select(ACTS.c.text)).scalars())
    engine.dispose()
    assert not [text for text in acts if names[0] in text]
    assert len([text for text in acts if names[1] in text]) == 1
    with pytest.raises(SystemExit) as left:
        cli.main(["admin", "ratings", "--again", "--database", str(path), "--lang", "en"])
    assert left.value.code == 0
    assert "computed again from 2 rated games; figures that were other before: 0" in capsys.readouterr().out


@pytest.mark.parametrize(("networks", "rated"), [("12", True), ("11", False), ("1", False)])
def test_two_of_one_address_are_not_rated(networks: str, rated: bool) -> None:
    """Any user may host a tournament, even against themselves; its games count in the tournament only."""
    reserved = ReservedTable("t", 1, 1, ("a", "b"), ("ea", "eb"), ("A", "B"), ("", ""), 60.0, 60.0)
    room = Room("room", p.RoomSettings(rated=True), 0.0, reserved=reserved)
    for key in ("a", "b"):
        room.join(RoomClient(key, key, key.upper(), device=key), p.Join(1, "room"), 0.0)
        room.receive(key, p.Ready(2, seal=seal.make_seal(SEAT_NAMES[room.seats.clients[key].seat or 0], key, "")), 0.0)
    for key, number in zip("ab", networks, strict=False):
        room.seats.clients[key].network = f"10.0.0.{number}"
    if len(networks) == 1:
        room.receive("b", p.Reveal(3, "b", room.terms.hash), 0.0)
        room.leave("b", 0.0)
    for key in "ab"[: len(networks)]:
        room.receive(key, p.Reveal(3, key, room.terms.hash), 0.0)
    assert room.phase == "playing"
    assert room.room_game.setup.rated == rated
    again = Room.load(room.dump(), msgspec.convert(msgspec.to_builtins(room.settings), p.RoomSettings), [], 1.0)
    assert again.room_game.setup.rated == rated
