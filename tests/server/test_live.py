"""The server over a real network: games, the HTTP API, headers, limits, hostile clients."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from blackpoker import client as client_module
from blackpoker.client import COOKIE, Client, Refused
from blackpoker.protocol import messages as p
from blackpoker.server import app
from blackpoker.server.admission import Limits
from blackpoker.server.fairness.verify import verify_record
from blackpoker.server.http.api import endpoints
from tests.server.live import (
    PATIENCE,
    Live,
    get,
    play_pair,
    play_seat,
    post,
    random_words,
    wait_until,
    wait_until_playing,
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("live") / "games.db") as server:
        yield server


def test_two_clients_play_matches_and_share_the_records(live: Live) -> None:
    for seed, regulation in enumerate(("lite+entry", "extra+regular", "pro+randomhalf")):
        one, two = asyncio.run(play_pair(live.url, seed * 10, regulation=regulation))
        assert one.result is not None
        assert two.result is not None
        assert one.result.record_id == two.result.record_id
        record = get(f"{live.url}/api/records/{one.result.record_id}").json()
        for seat in (one, two):
            assert verify_record(record["text"], seat.receipt).proven
        shown = get(f"{live.url}/api/records/{one.result.record_id}/replay?seat=both&count=5").json()
        assert len(shown["frames"]) == 5
        assert set(shown["frames"][0]["views"]) == {"p1", "p2"}
        assert shown["turns"][0] == 0


def test_the_clients_example_plays_a_whole_match(live: Live, capsys: pytest.CaptureFixture[str]) -> None:
    """The example in the client's documentation, unchanged except for the address."""
    text = (client_module.__doc__ or "").split("\n\n")[1].replace("http://127.0.0.1:8080", live.url)
    space: dict[str, Any] = {"Client": Client, "random": random.Random(5)}
    exec("async def story():\n" + "\n".join(f"    {line}" for line in text.splitlines()), space)
    asyncio.run(asyncio.wait_for(space["story"](), PATIENCE))
    assert "GameOver(" in capsys.readouterr().out


def test_a_refusal_is_raised(live: Live) -> None:
    async def story() -> None:
        async with Client(live.url, "bot") as client:
            with pytest.raises(Refused) as wrong:
                await client.create_room(opponent="nobody")
            assert wrong.value.code
            room = await client.create_room(opponent="easy")
            async with client.join(room.id) as seat:
                with pytest.raises(Refused) as bad_deck:
                    await seat.ready(deck="no deck")
                assert bad_deck.value.code == "deck"
                await seat.ready()
                async for ask in seat.prompts():
                    with pytest.raises(Refused) as nonsense:
                        await seat.submit(ask, ["nonsense"])
                    assert nonsense.value.code not in ("", "late")
                    assert str(nonsense.value)
                    past = msgspec.structs.replace(ask, seq=ask.seq + 1000)
                    assert not await seat.submit(past, ["pass"])  # it is in the past: a late move is not an error
                    assert await seat.submit(ask, await seat.build_move(ask, random.choice))
                    return

    asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_playing_on_from_a_record_against_a_computer(live: Live) -> None:
    async def story() -> None:
        one, _ = await play_pair(live.url, 7)
        assert one.result is not None
        async with Client(live.url, "judge") as judge:
            path = f"/api/records/{one.result.record_id}/play"
            made = await judge.request("POST", path, {"step": 6, "opponent": "easy"})
            seat = await play_seat(judge, made["room"]["id"], 3, "p1")
            assert seat.result is not None
            assert seat.result.match_over
            with pytest.raises(Refused, match="steps 0 to"):
                await judge.request("POST", path, {"step": 99999})

    asyncio.run(story())


def test_a_position_can_be_judged_and_played(live: Live) -> None:
    position = 'format = "lite"\n[p1]\nhand = "S7 H3 C9"\nfield = "S5"\nbulwarks = "D2"\n[p2]\nlife = 5\n'
    with httpx.Client(base_url=live.url, timeout=PATIENCE) as client:
        seen = client.post("/api/positions/check?lang=en", json={"position": position}).json()
        assert seen["asked"] == "p1"
        assert "summon_soldier" in [option["token"] for option in seen["options"]]
        assert all(refused["reason"]["ruling"].startswith("R-") for refused in seen["refused"])
        made = client.post("/api/positions/play", json={"position": position, "opponent": "random"})
        assert made.status_code == 201
        assert made.json()["room"]["practice"]
        for wrong in (
            "format = 3",
            'format = "extra"\nstage = ["p1: destroy_trump S2 >p2"]',
            'stall = true\nstage = ["p1: up H3 >p1.S5"]\n[p1]\nfield = "S5"',
            'stage = ["p1: up H3 >p1.S5"]\n[p1]\nfield = "S5"\nlife = "H3 +4"',
            '[p1]\nlife = "S2 S3(laid) S4(laid) +4"',
        ):
            for path, more in (("check", {}), ("play", {"opponent": "random"})):
                bad = client.post(f"/api/positions/{path}", json={"position": wrong, **more})
                assert bad.status_code == 422, (path, wrong)


def test_guests_keep_their_id_and_may_change_their_name(live: Live) -> None:
    with httpx.Client(base_url=live.url, timeout=PATIENCE) as client:
        me = client.get("/api/me").json()
        renamed = client.post("/api/me", json={"name": " Ａki \u202e "}).json()
        assert renamed["id"] == me["id"]
        assert client.get("/api/me").json() == renamed
        client.cookies.set(COOKIE, "forged.value.x")
    forged = get(f"{live.url}/api/me", headers={"cookie": f"{COOKIE}=forged.value.x"}).json()
    assert forged["id"] != me["id"]


def test_headers_and_origins(live: Live) -> None:
    page = get(live.url)
    assert "default-src 'self'" in page.headers["content-security-policy"]
    assert "'unsafe-eval'" not in page.headers["content-security-policy"]  # WebAssembly alone may be compiled
    assert page.headers["x-content-type-options"] == "nosniff"
    foreign = post(f"{live.url}/api/rooms", json={}, headers={"origin": "http://elsewhere.example"})
    assert foreign.status_code == 403
    own = post(f"{live.url}/api/rooms", json={}, headers={"origin": live.url})
    assert own.status_code == 201

    async def knock() -> None:
        with pytest.raises(InvalidStatus):
            await connect(live.url.replace("http", "ws") + "/ws", origin="http://elsewhere.example")  # type: ignore[arg-type]

    asyncio.run(knock())


def test_static_files_are_compressed_once_and_cached(live: Live) -> None:
    for path in ("rules?lang=ja", "rulebook?lang=en", "regulations", "protocol.json", "openapi.json"):
        packed = get(f"{live.url}/api/{path}")
        assert packed.headers["content-encoding"] == "gzip"
        plain = get(f"{live.url}/api/{path}", headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.content == packed.content
        again = get(f"{live.url}/api/{path}", headers={"if-none-match": packed.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        changed = get(f"{live.url}/api/{path}", headers={"if-none-match": '"something else"'})
        assert changed.content == plain.content
    assert get(f"{live.url}/api/rules?lang=ja").content != get(f"{live.url}/api/rules?lang=en").content
    for path in ("lobby", "me", "rule-search?search=up"):
        assert get(f"{live.url}/api/{path}").headers["cache-control"] == "no-store"


def test_the_pages_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    static = tmp_path / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<p>one</p>" * 200)
    (static / "icon.svg").write_text("<svg/>")
    (static / "assets" / "index-1a2b.js").write_text("'use strict';" * 200)
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(app, "STATIC", static)
    with Live(tmp_path / "games.db") as live, httpx.Client(base_url=live.url, timeout=PATIENCE) as client:
        page = client.get("/")
        assert (page.text[:10], page.headers["content-encoding"]) == ("<p>one</p>", "gzip")
        assert page.headers["content-type"].startswith("text/html")
        assert client.get("/room/x").text == page.text, "the page finds its way by itself"
        assert client.get("/", headers={"if-none-match": page.headers["etag"]}).status_code == 304
        (static / "index.html").write_text("<p>two</p>" * 200)  # rebuilt while the server runs
        assert client.get("/", headers={"if-none-match": page.headers["etag"]}).text[:10] == "<p>two</p>"
        script = client.get("/assets/index-1a2b.js")
        assert "immutable" in script.headers["cache-control"]
        assert "javascript" in script.headers["content-type"]
        assert "immutable" not in client.get("/icon.svg").headers["cache-control"]
        assert client.head("/assets/index-1a2b.js").content == b""
        for path in ("nothing.js", "", "..", "../index.html", "..%2findex.html", "%2e%2e/%2e%2e/secret.txt", "a%00b"):
            found = client.get(f"/assets/{path}")
            assert found.status_code == 404 or found.text[:10] == "<p>two</p>", path
        for path in ("..%2fsecret.txt", "%2e%2e%2fsecret.txt", "..%5csecret.txt", "assets"):
            assert client.get(f"/{path}").text[:10] == "<p>two</p>", path


def test_metrics_are_for_the_operator_only(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Message counts during a window would reveal whether the other seat is prompted."""
    assert "blackpoker_messages_total" in get(f"{live.url}/metrics").text
    monkeypatch.setattr(endpoints, "is_local", lambda request: False)  # simulates another machine
    refused = get(f"{live.url}/metrics")
    assert (refused.status_code, refused.json()["code"]) == (403, "metrics")
    assert get(f"{live.url}/api/health").json()["network"] == ""
    assert live.state is not None
    live.state.metrics_token = "a token of the operator"
    for given in ("", "Bearer", "Bearer a token", "a token of the operator"):
        assert get(f"{live.url}/metrics", headers={"authorization": given}).status_code == 403
    answer = get(f"{live.url}/metrics", headers={"authorization": "Bearer a token of the operator"})
    assert answer.status_code == 200
    live.state.open_metrics = True
    assert get(f"{live.url}/metrics").status_code == 200


def test_every_http_refusal_is_in_both_languages(tmp_path: Path) -> None:
    limits = Limits(guest_ms=1e-6, guest_burst_ms=30.0, rooms_burst=1, address_ms=1e9, address_burst_ms=1e9)
    with (
        Live(tmp_path / "games.db", limits, hosts=frozenset()) as live,
        httpx.Client(base_url=live.url, timeout=PATIENCE) as client,
    ):
        seen = {}
        for answer in (
            client.get("/api/nothing"),
            client.get("/api/rooms/nothing"),
            client.get("/assets/nothing.js"),
            client.delete("/api/rooms"),
            client.get("/api/rules?lang=de"),
            client.post("/api/rooms", json={"regulation": 7}),
            client.post("/api/rooms", content=b"{}"),
            client.post("/api/rooms", content=b"{" * 300_000, headers={"content-type": "application/json"}),
            client.post("/api/rooms", json={}, headers={"origin": "http://elsewhere.example"}),
            client.get("/api/me", headers={"host": "elsewhere.example"}),
        ):
            seen[answer.json()["code"]] = answer
        client.get("/api/me")
        for _ in range(100):
            answer = client.get("/api/health")
            if answer.status_code == 429:
                break
        seen[answer.json()["code"]] = answer
        assert int(answer.headers["retry-after"]) > 0
        codes = {"not_found", "no_room", "method", "query", "body", "media", "too_large", "origin", "host", "rate"}
        assert set(seen) == codes
        for code, answer in seen.items():
            problem = answer.json()
            assert any(sign > "\u3000" for sign in problem["ja"]), code
            assert not any(sign > "\u3000" for sign in problem["en"]), code


def test_rules_regulations_metrics_health(live: Live) -> None:
    with httpx.Client(base_url=live.url, timeout=PATIENCE) as client:
        assert client.get("/api/health").json()["status"] == "ok"
        pages = client.get("/api/rule-search?lang=en&search=negated").json()["pages"]
        assert "counter" in [page["id"] for page in pages]
        assert client.get("/api/rules/up?lang=ja").json()["title"] == "アップ"
        assert len(client.get("/api/regulations").json()["formats"]) == 5
        assert "blackpoker_decisions_total" in client.get("/metrics").text
        deck = client.post("/api/decks/check", json={"regulation": "master+constructed40", "deck": "S5 S5"}).json()
        assert not deck["legal"]
        forty = " ".join(f"{suit}{number}" for suit in "SHDC" for number in ("A", *range(2, 11)))
        drawn = client.post("/api/decks/check", json={"regulation": "master+random40", "deck": forty}).json()
        assert not drawn["legal"]
        assert "at random" in drawn["en"][0]
        assert len(deck["ja"]) == len(deck["en"]) >= 1
        schema = client.get("/api/protocol.json").json()
        assert "Update" in schema["$defs"]


def test_limits_hold(tmp_path: Path) -> None:
    """Limits of rooms, bodies and the address budget: every request here costs at least a million."""
    limits = Limits(
        connections=3, address_ms=1e-6, address_burst_ms=29.5e6, request_cost=1e6, rooms_burst=2, rooms_rate=1e-6
    )
    with Live(tmp_path / "small.db", limits) as small:
        with httpx.Client(base_url=small.url, timeout=PATIENCE) as client:
            made = [client.post("/api/rooms", json={}).status_code for _ in range(4)]
            assert made == [201, 201, 429, 429]
            large = client.post("/api/me", content=b" " * 300_000, headers={"content-type": "application/json"})
            assert large.status_code == 413
            statuses = [client.get("/api/health").status_code for _ in range(40)]
            assert statuses == [200] * 25 + [429] * 15, "thirty in all"

        async def knock() -> None:
            with pytest.raises(InvalidStatus):
                await connect(small.url.replace("http", "ws") + "/ws", additional_headers={"Cookie": "x=1"})

        asyncio.run(knock())  # a handshake has a cost too


def test_a_client_that_does_not_listen_is_let_go(tmp_path: Path) -> None:
    limits = Limits(queue_bytes=100_000, guest_burst_ms=1e12, address_burst_ms=1e12)
    with Live(tmp_path / "slow.db", limits) as live:

        async def deaf() -> None:
            assert live.state is not None
            room_manager = live.state.room_manager
            async with Client(live.url, "Aki") as one, Client(live.url, "deaf") as other:
                room = await one.create_room(opponent="random")
                async with one.join(room.id) as seat:
                    await seat.ready()
                    await wait_until_playing(seat)
                    headers = {"Cookie": f"{COOKIE}={other.cookie}"}
                    url = live.url.replace("http", "ws") + "/ws"
                    async with connect(url, additional_headers=headers, max_queue=1, compression=None) as socket:
                        await socket.send(json.dumps({"type": "join", "room": room.id, "seat": "watch"}))
                        await wait_until(lambda: len(room_manager.connections) == 2, "the watcher has come")

                        async def shout() -> None:
                            with suppress(ConnectionClosed):
                                while True:  # each returns a whole view, and none is read
                                    await socket.send('{"type":"resync"}')
                                    await asyncio.sleep(0)

                        shouting = asyncio.create_task(shout())
                        await wait_until(lambda: len(room_manager.connections) == 1, "who takes nothing is let go")
                        shouting.cancel()
                        assert len(room_manager.rooms[room.id].seats.clients) == 1
                        assert live.state.metrics.evicted["too slow"] == 1
                        socket.transport.abort()

        asyncio.run(deaf())


def test_a_room_that_fails_is_taken_up_again_where_it_was(live: Live) -> None:
    async def story() -> None:
        assert live.state is not None
        room_manager = live.state.room_manager
        async with Client(live.url, "Aki") as one:
            room = await one.create_room(opponent="random", window_ms=0)
            async with one.join(room.id) as seat:
                await seat.ready()
                prompts = 0
                async for ask in seat.prompts():
                    prompts += 1
                    if prompts == 5:
                        room_manager.rooms[room.id].seats[0].assist = None  # type: ignore[assignment]  # our mistake
                    await seat.submit(ask, await random_words(seat, ask, random.Random(prompts)))
                assert prompts > 5
                assert seat.result is not None
                record = await one.request("GET", f"/api/records/{seat.result.record_id}")
                assert verify_record(record["text"])

    asyncio.run(story())


@pytest.mark.parametrize("salt", ["x\np1: pass", "x\n", "\u2028", "x" * 41])
def test_a_salt_is_one_line_of_the_record(salt: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        p.decode(json.dumps({"type": "ready", "salt": salt}))
    assert p.decode(json.dumps({"type": "ready", "salt": "blue moon ~"})) == p.Ready(salt="blue moon ~")


def test_a_gossip_is_slowed_down(live: Live) -> None:
    async def gossip() -> None:
        async with Client(live.url, "Aki") as one:
            room = await one.create_room()
            async with one.join(room.id) as seat:
                for number in range(1, 20):
                    await seat.send(p.Chat(number, "hello"))
                received: list[p.ChatLine | p.Error] = []
                while len(received) < 19:
                    message = await seat.receive()
                    if isinstance(message, p.ChatLine | p.Error):
                        received.append(message)
                assert sum(isinstance(message, p.ChatLine) for message in received) == 6
                refused = [message for message in received if isinstance(message, p.Error)]
                assert {message.code for message in refused} == {"rate"}

    asyncio.run(gossip())


# -- hostile clients ---------------------------------------------------------------------------------------------------


def hostile_message(chosen: random.Random, room: str, seq: int, words: list[str]) -> str | bytes:
    """Return a message that must not change anything: malformed, forged, late, out of turn, oversized."""
    kind = chosen.randrange(14)
    if kind == 0:
        return chosen.randbytes(chosen.randrange(60))
    if kind == 1:
        return "{" * chosen.randrange(1, 3000)
    if kind == 2:
        return json.dumps(
            {
                "type": chosen.choice(["move", "preview", "nothing", "update", ""]),
                "seq": chosen.choice([None, "x", -1, 2**70, 1.5, [], {}]),
            }
        )
    if kind == 3:
        return json.dumps({"type": "move", "seq": seq + chosen.choice([-5, -1, 1, 2, 1000]), "tokens": words})
    if kind == 4:
        return json.dumps(
            {
                "type": "move",
                "seq": seq,
                "tokens": [
                    chosen.choice(["pass", "S5", "$b1", "done", ">p2.S5", "attack", "x" * 40])
                    for _ in range(chosen.randrange(1, 6))
                ],
                "id": 1,
            }
        )
    if kind == 5:
        return json.dumps(
            {
                "type": "move",
                "seq": seq,
                "text": "".join(chosen.choice("abpS5♠$>#@: ;") for _ in range(chosen.randrange(1, 390))),
            }
        )
    if kind == 6:
        return json.dumps({"type": "preview", "seq": seq, "tokens": ["summon_soldier"] * chosen.randrange(1, 90)})
    if kind == 7:
        return json.dumps({"type": "chat", "text": "x" * chosen.choice([0, 201, 5000])})
    if kind == 8:
        return json.dumps(
            {"type": "answer_offer", "kind": chosen.choice(["draw", "rewind", "rematch", "all"]), "accept": True}
        )
    if kind == 9:
        return json.dumps({"type": "join", "room": room, "seat": chosen.choice(["p1", "p2", "any"])})
    if kind == 10:
        return json.dumps({"type": "ready", "deck": "S5 S5", "salt": "x" * 60})
    if kind == 11:
        return json.dumps({"type": "move", "seq": seq, "tokens": words, "seat": "p1", "player": 0})
    if kind == 12:
        return json.dumps({"type": "move", "seq": seq, "id": 1, "tokens": "pass"}) + " " * chosen.choice([0, 20_000])
    return json.dumps({"type": "assist_settings", "mode": "cheat", "stops": ["all"]})


def test_ten_thousand_hostile_messages_change_nothing(live: Live) -> None:
    asyncio.run(flood(live, 10_000))


async def flood(live: Live, count: int, seed: int = 5) -> None:
    chosen = random.Random(seed)
    async with Client(live.url, "Aki") as one, Client(live.url, "Ben") as two, Client(live.url, "Eve") as eve:
        room = await one.create_room(window_ms=0)
        async with one.join(room.id) as first, two.join(room.id) as second, eve.join(room.id, "watch") as watcher:
            await first.ready()
            await second.ready()
            seats = [first, second]
            await asyncio.gather(wait_until_playing(first), wait_until_playing(second))
            assert first.last is not None
            prompted = seats[0 if first.last.waiting_for == "p1" else 1]
            other = seats[1 if first.last.waiting_for == "p1" else 0]
            assert live.state is not None
            live_room = live.state.room_manager.rooms[room.id]
            assert live_room.room_game.match is not None
            before = (
                live_room.room_game.match.record(),
                live_room.room_game.seq,
                msgspec.json.encode(live_room.dump()),
                len(live_room.room_game.entries),
            )
            for seat in (other, watcher, prompted):
                await drain(seat)
            errors = 0
            for number in range(count):
                seat = chosen.choice((other, other, watcher, prompted))
                # The prompted seat may move: from there only moves for other prompts are hostile.
                message = hostile_message(
                    chosen, room.id, live_room.room_game.seq + (3 if seat is prompted else 0), ["pass"]
                )
                if seat is prompted and isinstance(message, str) and f'"seq": {live_room.room_game.seq},' in message:
                    seat = other
                assert seat.socket is not None
                await seat.socket.send(message)
                if number % 50 == 49:
                    errors += sum([await drain(each) for each in (other, watcher, prompted)])
            errors += sum([await drain(each) for each in (other, watcher, prompted)])
            after = (
                live_room.room_game.match.record(),
                live_room.room_game.seq,
                msgspec.json.encode(live_room.dump()),
                len(live_room.room_game.entries),
            )
            assert after == before
            assert errors >= count
            await first.send(p.Resign(1))
            while first.result is None:
                await first.receive()
            sequence = live_room.room_game.seq
            for seat in (first, second):
                for late in (
                    p.SubmitMove(1, sequence, ["pass"]),
                    p.SubmitMove(1, 0, ["pass"]),
                    p.Resign(1),
                    p.PreviewMove(1, 0, []),
                ):
                    await seat.send(late)
                assert await drain(seat) >= 4
            assert live_room.room_game.seq == sequence


async def drain(seat: Any) -> int:
    """Receive everything up to the response to a ping; return the number of errors."""
    number = seat.next_id()
    await seat.send(p.Ping(number))
    errors = 0
    while True:
        message = await seat.receive()
        if isinstance(message, p.Error):
            errors += 1
        elif isinstance(message, p.PreviewResult):
            errors += 1  # a response that changes nothing either
        elif isinstance(message, p.Pong) and message.id == number:
            return errors
