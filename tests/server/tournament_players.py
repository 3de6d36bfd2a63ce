"""Programs that take part in a tournament: they enter, go to their tables and play, or do not."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

from sqlalchemy import select
from websockets.exceptions import WebSocketException

from blackpoker.client import Client, Refused, ServerSeat
from blackpoker.server.storage.database import make_engine
from blackpoker.server.storage.schema import ACTS
from blackpoker.server.storage.tournaments import rooms_of
from blackpoker.server.tournaments.events import decode_event
from blackpoker.server.tournaments.results import RoomEnd, TableGame, recount
from blackpoker.server.tournaments.standings import rank_entrants
from blackpoker.server.tournaments.state import replay
from blackpoker.server.tournaments.views import RESULT_LETTERS
from tests.server.live import random_words

#: errors while a server is gone
DISCONNECTED = (OSError, WebSocketException)


class Player:
    """A tournament player. ``manner``: plays, never appears at a table, leaves after a round, or disconnects at random."""

    def __init__(
        self, url: str, tournament: str, name: str, manner: str = "plays", seed: int = 0, **given: Any
    ) -> None:
        self.client = Client(url, name)
        self.tournament = tournament
        self.manner = manner
        self.chance = random.Random(seed)
        self.resigns: float = given.get("resigns", 0.5)
        self.deck: str = given.get("deck", "")
        self.drops: float = given.get("drops", 0.1)
        self.look: float = given.get("look", 0.1)  # seconds between requests for our table
        self.played: list[str] = []  # rooms
        self.acked = 0
        self.id = ""

    async def ask(self, method: str, path: str, body: object = None) -> Any:
        """Send a request and retry while the server is gone; raise `Refused` if it is refused."""
        for _ in range(3000):
            try:
                return await self.client.request(method, f"/api/tournaments/{self.tournament}{path}", body)
            except OSError:
                pass
            except Refused as refused:
                if refused.code not in ("unavailable", "rate"):
                    raise
            await asyncio.sleep(0.1)
        raise AssertionError("the server does not come back")

    async def enter(self) -> None:
        for _ in range(3000):
            try:
                await self.client.__aenter__()
                break
            except OSError:
                await asyncio.sleep(0.1)
        self.id = (await self.ask("POST", "/enter", {"deck": self.deck}))["id"]

    async def play(self, over: Callable[[], bool]) -> None:
        """Play until the tournament is over."""
        while not over():
            part = await self.ask("GET", "/mine")
            room = part["room"]
            if self.manner == "never comes" or not room or room in self.played:
                if part["away"] == "missed" and self.manner == "plays":
                    await self.ask("POST", "/enter", {})
                await asyncio.sleep(self.look)
                continue
            if self.manner == "leaves" and self.played:
                await self.ask("POST", "/leave")
                self.manner = "never comes"
                continue
            await self.sit(room)
            self.played.append(room)

    async def sit(self, room: str) -> None:
        seat = ServerSeat(self.client.url, room, self.client.cookie)
        seat.reconnect_seconds = 300.0
        try:
            await seat.reconnect()
            assert seat.seat is not None, "the seat is held for us"
            while not self.ended(seat):
                try:
                    await self.turn(seat)
                except DISCONNECTED:
                    await seat.reconnect()
        except Refused as refused:
            if refused.code != "no_room":
                raise
        finally:
            await seat.close()

    def ended(self, seat: ServerSeat) -> bool:
        if seat.info is not None and seat.info.phase == "over" and seat.info.game == 0:
            return True  # neither player appeared
        return seat.result is not None and seat.result.match_over

    async def turn(self, seat: ServerSeat) -> None:
        assert seat.info is not None
        mine = seat.info.p1 if seat.seat == "p1" else seat.info.p2
        if seat.info.phase == "waiting" and not mine.ready:
            await seat.ready()
        ask = None if seat.last is None else seat.last.prompt
        if ask is None or ask.seq <= seat.acked:
            await seat.receive()
            return
        if self.chance.random() < self.drops / 10:
            await seat.close()
            await seat.reconnect()
            return
        if ask.kind != "deck" and self.chance.random() < self.resigns / 4:
            await seat.resign()
            return
        words = await random_words(seat, ask, self.chance)
        try:
            if await seat.submit(ask, words):
                self.acked += 1
        except Refused as refused:
            if refused.code not in ("late", "other", "no_game", "unavailable"):
                raise


async def wait_until_over(player: Player) -> dict[str, Any]:
    while True:
        page: dict[str, Any] = await player.ask("GET", "")
        if page["live"]["phase"] == "over":
            return page
        await asyncio.sleep(2 * player.look)


async def take_part(players: list[Player], host: Player) -> dict[str, Any]:
    """Let all players play until the end; return the tournament's page."""
    over = False

    async def watch() -> dict[str, Any]:
        nonlocal over
        page = await wait_until_over(host)
        over = True
        return page

    page, *_ = await asyncio.gather(watch(), *(player.play(lambda: over) for player in players))
    assert isinstance(page, dict)
    return page


def check_against_records(database: str, id: str, page: dict[str, Any]) -> dict[str, int]:
    """Check the page against a recount from the rooms and their records alone; return counts of the outcomes."""
    engine = make_engine(database)
    with engine.connect() as connection:
        texts = connection.execute(select(ACTS.c.text).where(ACTS.c.tournament == id).order_by(ACTS.c.seq)).scalars()
        acts = [decode_event(text) for text in texts]
        noted = replay(id, acts)
        rooms = [room for table in noted.tables.values() for room in table.rooms]
        stored = rooms_of(connection, rooms)
    engine.dispose()
    ends = {
        room: RoomEnd([TableGame(*game) for game in one.games], one.arrived or (True, True))
        for room, one in stored.items()
    }
    lost = RoomEnd([], (False, False))  # a room that an outage has outlived
    ends |= {room: lost for room in rooms if room not in ends}
    again = rank_entrants(recount(id, acts, ends))
    shown = [(line["place"], line["id"], line["points"], line["run"]) for line in page["live"]["lines"]]
    assert rank_entrants(noted) == again, "noted otherwise than played"
    counted = [
        (line.rank, line.id, line.points, "".join(RESULT_LETTERS[cell.result] for cell in line.cells)) for line in again
    ]
    assert shown == counted, "told otherwise than counted"
    whys = [table.decided.why for table in noted.tables.values() if table.decided is not None]
    return {why: whys.count(why) for why in sorted(set(whys))} | {
        "rounds": noted.round_number,
        "tables": len(noted.tables),
    }
