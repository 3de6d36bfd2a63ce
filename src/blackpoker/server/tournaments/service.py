"""Running tournaments. Every event is stored at its position before it takes effect. One process drives a tournament; a
write by another process is detected as a conflict in the store.

Results are read from the stored rooms and records, so a crash of any process loses nothing.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from sqlalchemy.exc import IntegrityError

from blackpoker.game.series import WINS
from blackpoker.protocol import messages as p
from blackpoker.ruleset import read_regulation
from blackpoker.server.admission import BoundedCache, declare_cache
from blackpoker.server.cluster.bus import BusError
from blackpoker.server.http.endpoint import CachedResponse
from blackpoker.server.log_setup import short_id
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.sanitize import printable
from blackpoker.server.rooms.tournament_seat import ReservedTable
from blackpoker.server.storage import tournaments as rows
from blackpoker.server.storage.interface import StoreUnavailable
from blackpoker.server.tournaments.commands import check_rules, close
from blackpoker.server.tournaments.events import (
    AnyEvent,
    Pairing,
    RoundPaired,
    TableReplayed,
    TournamentAnnounced,
    TournamentClosed,
    TournamentRules,
    Withdrew,
    decode_event,
    encode_event,
)
from blackpoker.server.tournaments.pairing import round_events
from blackpoker.server.tournaments.results import RoomEnd, TableGame, decide_table
from blackpoker.server.tournaments.state import Entrant, Tournament, TournamentMatch, replay
from blackpoker.server.tournaments.views import make_live

if TYPE_CHECKING:
    from blackpoker.server.room_manager import RoomManager
    from blackpoker.server.storage.database import GameStore
    from blackpoker.server.ws.tournament_feed import FeedTransport

log: logging.Logger = logging.getLogger("blackpoker.tournaments")
#: seconds between checks of the running tournaments; events in this process trigger a check at once
CHECK_INTERVAL: Final = 1.0
#: least seconds between two updates of a tournament to its followers
UPDATE_INTERVAL: Final = 2.0
#: time at which a tournament without a next step is due
LATEST: Final = 9e12
#: attempts to write an event to a tournament that others write to
MAX_WRITE_ATTEMPTS: Final = 20
#: seconds between comparisons of the known tournaments with the stored ones
COMPARE_INTERVAL: Final = 2.0
#: seconds a page is cached
PAGE_CACHE_SECONDS: Final = 2.0
#: pages of tournaments that were found before
PAGES: Final = declare_cache("pages of tournaments", 500, "known")
#: finished tournaments kept in memory
MAX_FINISHED: Final = 100
#: least entrants that play, for rated games: in a smaller field two accomplices would be paired with each other
MIN_RATED_ENTRANTS: Final = 4
#: seconds after its deadline at which a room without clients is loaded
OVERDUE_SECONDS: Final = 1.0
#: seconds after which a table whose room cannot be loaded counts as missed
LOST_SECONDS: Final = 3600.0

Command = Callable[[Tournament, float], list[AnyEvent]]


def new_id() -> str:
    return secrets.token_urlsafe(8)


def is_rated_table(tournament: Tournament, first: Entrant, second: Entrant) -> bool:
    """Return whether a table is rated. That is decided when it is paired: enough entrants play, and the two have
    entered with accounts and from different addresses."""
    different = not (first.origin and first.origin == second.origin)
    playing = len(tournament.pairable()) >= MIN_RATED_ENTRANTS
    return tournament.rules.rated and playing and bool(first.player and second.player) and different


class PageCache:
    """Cache of pages requested by many clients."""

    def __init__(self) -> None:
        self.pages: BoundedCache[str, tuple[int, float, CachedResponse]] = BoundedCache(PAGES)
        self.lock: asyncio.Lock = asyncio.Lock()

    async def cached(self, name: str, seq: int, make: Callable[[], Awaitable[Any]]) -> CachedResponse:
        """Return a page from the cache, or make it. ``seq``: version of the state; a page is remade for a new version
        or when it is too old."""
        async with self.lock:
            entry = self.pages.get(name)
            now = time.monotonic()
            if entry is None or entry[0] != seq or now - entry[1] > PAGE_CACHE_SECONDS:
                for key in [key for key, page in self.pages.items() if now - page[1] > PAGE_CACHE_SECONDS]:
                    del self.pages[key]
                entry = self.pages[name] = (seq, now, CachedResponse(msgspec.json.encode(await make())))
            return entry[2]


class Tournaments:
    def __init__(self, store: GameStore, room_manager: RoomManager) -> None:
        self.store = store
        self.room_manager = room_manager
        self.known: dict[str, Tournament] = {}
        self.locks: dict[str, asyncio.Lock] = {}
        self.check_now: asyncio.Event = asyncio.Event()
        self.driven: set[str] = set()
        self.followers: dict[str, dict[str, FeedTransport]] = {}
        self.sent: dict[str, tuple[int, float]] = {}  # last version sent to followers, and its time
        self.encoded: dict[str, tuple[int, float, bytes]] = {}  # last update by tournament: version, time, bytes
        self.pages: PageCache = PageCache()
        self.compared_at: float = 0.0  # when the known tournaments were last compared with the stored ones
        room_manager.on_tournament_room_over = self.on_table_over

    def on_table_over(self, tournament: str) -> None:
        """Check the tournament after a table has ended; with a spectator delay the next regular check is early
        enough."""
        loaded = self.known.get(tournament)
        if loaded is None or not loaded.rules.spectator_delay:
            self.check_now.set()

    # -- loading -------------------------------------------------------------------------------------------------

    def lock(self, id: str) -> asyncio.Lock:
        return self.locks.setdefault(id, asyncio.Lock())

    async def find(self, id: str, seq: int | None = None) -> Tournament | None:
        """Return the present state of a tournament; None if there is none. ``seq``: its number of events, if known."""
        found = self.known.get(id)
        if found is not None and (found.phase == "over" or found.seq == seq):
            return found
        async with self.lock(id):
            return await self.refresh(id)

    async def refresh(self, id: str) -> Tournament | None:
        found = self.known.get(id)
        texts = await self.store.query(rows.events_after, id, 0 if found is None else found.seq)
        events = [decode_event(text) for text in texts]
        if found is None:
            if not events:
                self.locks.pop(id, None)
                return None
            found = self.known[id] = replay(id, events)
            self.drop_finished()
        else:
            for event in events:
                found.apply(event)
        return found

    def drop_finished(self) -> None:
        finished = [id for id, tournament in self.known.items() if tournament.phase == "over"]
        for id in finished[: max(0, len(finished) - MAX_FINISHED)]:
            del self.known[id]
            self.locks.pop(id, None)

    async def public_tournaments(self) -> list[Tournament]:
        found = [
            await self.find(id, seq)
            for id, seq in (await self.store.query(rows.public_tournaments, self.room_manager.clock())).items()
        ]
        return [tournament for tournament in found if tournament is not None]

    async def is_record_public(self, meta: dict[str, Any]) -> bool:
        """Return False for a record with decks that are hidden until the tournament is over."""
        tournament_meta = meta.get("tournament")
        return (
            not tournament_meta
            or not tournament_meta["hidden"]
            or await self.store.query(rows.is_over, tournament_meta["id"])
        )

    def drop_guests(self, guests: set[str]) -> None:
        """Discard tournaments with these guests, so that deleted names are read anew."""
        for id, tournament in list(self.known.items()):
            if tournament.announced.host in guests or any(
                entrant.guest in guests for entrant in tournament.entrants.values()
            ):
                del self.known[id]
                self.pages.pages.clear()

    # -- writing -------------------------------------------------------------------------------------------------

    async def write(self, tournament: Tournament, events: Sequence[AnyEvent], rooms: Sequence[Room] = ()) -> bool:
        """Write events and the rooms they open, then apply them. Return False if another process wrote first. The
        caller must hold the tournament's lock."""
        phase = tournament.phase
        for event in events:
            phase = (
                "running"
                if isinstance(event, RoundPaired)
                else "over"
                if isinstance(event, TournamentClosed)
                else phase
            )
        rules = tournament.rules
        row = rows.TournamentRow(
            tournament.id, phase, int(rules.listed), self.room_manager.clock(), tournament.seq + len(events)
        )
        texts, opened = [encode_event(event) for event in events], [room.dump() for room in rooms]
        try:
            await self.store.transaction(rows.append, row, texts, opened)
        except IntegrityError:
            self.known.pop(tournament.id, None)
            return False
        except StoreUnavailable:
            self.known.pop(tournament.id, None)  # unknown whether it was committed
            raise
        for event in events:
            tournament.apply(event)
        self.check_now.set()
        return True

    async def announce(self, rules: TournamentRules, host: str, host_name: str, origin: str = "") -> Tournament:
        now = self.room_manager.clock()
        regulation = read_regulation(rules.regulation)
        rules = msgspec.structs.replace(rules, regulation=regulation.text, name=printable(rules.name))
        check_rules(rules, now)
        frame = regulation.frame
        decks = frame.decks if frame.build == "constructed" else 0
        first = TournamentAnnounced(now, host, host_name, rules, decks, 1 if frame.decks == 1 else WINS)
        id = new_id()
        row = rows.TournamentRow(id, "open", int(rules.listed), now, 1, origin=origin)
        await self.store.transaction(rows.append, row, [encode_event(first)], [])
        found = self.known[id] = replay(id, [first])
        return found

    async def submit(self, id: str, command: Command) -> Tournament | None:
        """Apply a command and retry it after conflicts. Return None if there is no such tournament; raise
        `MessageRefused` if the command is not allowed, `StoreUnavailable` after too many conflicts."""
        for _ in range(MAX_WRITE_ATTEMPTS):
            async with self.lock(id):
                found = await self.refresh(id)
                if found is None:
                    return None
                events = command(found, self.room_manager.clock())
                if not events or await self.write(found, events):
                    return found
        raise StoreUnavailable("too many write to this tournament")

    async def pair_now(self, id: str, check: Callable[[Tournament], None]) -> Tournament | None:
        """Pair the next round at the host's request."""
        async with self.lock(id):
            found = await self.refresh(id)
            if found is not None:
                check(found)
                await self.pair(found, self.room_manager.clock())
        return found

    # -- driving -------------------------------------------------------------------------------------------------

    async def run_loop(self) -> None:
        """Check the running tournaments and notify followers, in an endless loop."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.check_now.wait(), CHECK_INTERVAL)
            self.check_now.clear()
            try:
                for id, seq in (await self.store.query(rows.due_tournaments, self.room_manager.clock())).items():
                    await self.check(id, seq)
                await self.drop_deleted()
                if self.followers:
                    await self.notify_followers(await self.store.query(rows.versions, list(self.followers)))
            except (StoreUnavailable, BusError) as error:
                log.warning("tournaments postponed", extra={"error": str(error)})
            except Exception:
                log.exception("update of tournaments failed")

    async def drop_deleted(self) -> None:
        """Drop the tournaments that an operator has deleted, from time to time."""
        now = time.monotonic()
        if now - self.compared_at < COMPARE_INTERVAL or not self.known:
            return
        self.compared_at = now
        stored = await self.store.query(rows.versions, list(self.known))
        for id in [id for id in self.known if id not in stored]:
            del self.known[id]
            self.pages.pages.clear()

    async def check(self, id: str, seq: int) -> None:
        """Drive one tournament; an error in it does not affect the others."""
        try:
            if await self.room_manager.bus.resolve_owner(f"t.{id}") != self.room_manager.bus.process_id:
                self.driven.discard(id)
                return
            self.driven.add(id)
            found = await self.find(id, seq)
            now = self.room_manager.clock()
            if found is not None and (found.open_tables or found.next_step(now).at <= now):
                async with self.lock(id):
                    await self.drive(id)
            elif found is not None and found.phase != "over":  # nothing to do until then, or until the next event
                due = min(found.next_step(now).at, found.arena_ends if found.rules.kind == "arena" else LATEST, LATEST)
                await self.store.transaction(rows.set_due, id, found.seq, due)
        except (StoreUnavailable, BusError):
            raise
        except Exception:
            log.exception("update of a tournament failed", extra={"room": short_id(id)})
            self.known.pop(id, None)

    async def drive(self, id: str) -> None:
        tournament = await self.refresh(id)
        if tournament is None or tournament.phase == "over":
            return
        now = self.room_manager.clock()
        if tournament.open_tables and not await self.settle_tables(tournament, now):
            return
        step = tournament.next_step(now)
        if step.kind == "close" and step.at <= now:
            await self.write(tournament, close(tournament, now))
        elif step.kind == "pair" and step.at <= now:
            await self.pair(tournament, now)

    async def pair(self, tournament: Tournament, now: float) -> None:
        """Pair a round; close a tournament with fewer than two players. The seed is drawn now, so no one can know it
        before."""
        if tournament.phase == "open" and len(tournament.pairable()) < 2:
            await self.write(tournament, close(tournament, now))
            return
        events = await asyncio.to_thread(round_events, tournament, secrets.randbits(48), now, new_id)
        if events:
            first = events[0]
            assert isinstance(first, RoundPaired)
            decided = {getattr(event, "table", 0) for event in events[1:]}
            pairings = [pairing for pairing in first.tables if pairing.number not in decided]
            rooms = [self.make_room(tournament, first.round, pairing, pairing.room, now) for pairing in pairings]
            if await self.write(tournament, events, rooms):
                log.info("round paired", extra={"room": short_id(tournament.id), "count": len(rooms)})

    def make_room(self, tournament: Tournament, round: int, pairing: Pairing, id: str, now: float) -> Room:
        """Return a room with seats reserved for two players. It lives in the process that the first of them connects
        to."""
        rules = tournament.rules
        entrant1, entrant2 = tournament.entrants[pairing.one], tournament.entrants[pairing.two]
        settings = p.RoomSettings(
            rules.regulation,
            "human",
            rules.clock,
            rules.window_ms,
            spectator_delay=rules.spectator_delay,
            rated=is_rated_table(tournament, entrant1, entrant2),
        )
        reserved = ReservedTable(
            tournament.id,
            round,
            pairing.number,
            (entrant1.guest, entrant2.guest),
            (entrant1.id, entrant2.id),
            (entrant1.name, entrant2.name),
            (entrant1.deck, entrant2.deck),
            now + rules.wait,
            rules.wait,
            host=tournament.announced.host,
        )
        return Room(id, settings, now, reserved=reserved)

    async def settle_tables(self, tournament: Tournament, now: float) -> bool:
        """Record finished tables once the spectator delay has passed. Return False if another process wrote first."""
        delay = tournament.rules.spectator_delay
        tables = {table.room: table for table in tournament.open_tables.values()}
        stored_rooms = await self.store.query(rows.rooms_of, list(tables))
        events: list[AnyEvent] = []
        replays: list[Room] = []
        for id, table in tables.items():
            room = stored_rooms.get(id)
            if room is None:  # deleted, or never stored: neither player can come any more
                log.error("room of a table missing; its game counts as missed", extra={"room": short_id(id)})
                events.append(self.lost_result(tournament, table, now))
            elif room.phase == "over" and now >= room.since + delay:
                self.record_result(tournament, table, room, now, events, replays)
            elif room.phase == "waiting" and now > table.started + tournament.rules.wait + OVERDUE_SECONDS:
                # no client is there: load it in this process, so that its deadline takes effect
                if await self.room_manager.get_room(id) is None and await self.is_lost(id, table, now):
                    events.append(self.lost_result(tournament, table, now))
            elif room.phase == "playing" and id not in self.room_manager.rooms and await self.is_lost(id, table, now):
                events.append(self.lost_result(tournament, table, now))
        return not events or await self.write(tournament, events, replays)

    def lost_result(self, tournament: Tournament, table: TournamentMatch, now: float) -> AnyEvent:
        """Return the result of a table without a room: missed by both. They could not come, so the next round is paired
        with them."""
        decision = decide_table(tournament, table, RoomEnd([], (False, False)), now)
        assert decision is not None
        return decision

    async def is_lost(self, id: str, table: TournamentMatch, now: float) -> bool:
        """Return True if no process can load the room of a table, long after its game began."""
        if now < table.started + LOST_SECONDS or await self.room_manager.get_room(id) is not None:
            return False
        (owner,) = await self.room_manager.bus.owners([id])
        return owner in ("", self.room_manager.bus.process_id)

    def record_result(
        self,
        tournament: Tournament,
        table: TournamentMatch,
        room: rows.StoredRoom,
        now: float,
        events: list[AnyEvent],
        replays: list[Room],
    ) -> None:
        end = RoomEnd([TableGame(*game) for game in room.games], room.arrived or (True, True))
        decision = decide_table(tournament, table, end, now)
        if decision is None:
            id = new_id()
            events.append(TableReplayed(now, *table.key, id))
            replays.append(self.make_room(tournament, table.round, table.pairing, id, now))
            return
        events.append(decision)
        ids = (table.pairing.one, table.pairing.two)
        gone = [
            id for id, came in zip(ids, end.arrived, strict=True) if not came and not tournament.entrants[id].absence
        ]
        events += [Withdrew(now, id, "missed") for id in gone]

    async def stop(self) -> None:
        """Release the tournaments for other processes."""
        with suppress(BusError):
            for id in self.driven:
                await self.room_manager.bus.release(f"t.{id}")

    # -- followers -----------------------------------------------------------------------------------------------

    def follow(self, id: str, key: str, connection: FeedTransport) -> None:
        self.followers.setdefault(id, {})[key] = connection

    def encoded_update(self, tournament: Tournament) -> bytes:
        """Return the present state as bytes, cached for all who connect in the same moment; it contains the server
        time."""
        now = self.room_manager.clock()
        seq, at, data = self.encoded.get(tournament.id, (-1, 0.0, b""))
        if seq != tournament.seq or now - at > UPDATE_INTERVAL:
            data = msgspec.json.encode(make_live(tournament, now))
            self.encoded[tournament.id] = (tournament.seq, now, data)
        return data

    def unfollow(self, id: str, key: str) -> None:
        followers = self.followers.get(id, {})
        followers.pop(key, None)
        if not followers:
            self.followers.pop(id, None)
            self.sent.pop(id, None)
            self.encoded.pop(id, None)

    async def notify_followers(self, running: dict[str, int]) -> None:
        """Send changed tournaments to their followers, encoded once for all."""
        now = self.room_manager.clock()
        for id in list(self.followers):
            known = self.known.get(id)
            found = known if known is not None and known.phase == "over" else await self.find(id, running.get(id))
            seq, at = self.sent.get(id, (-1, 0.0))
            if found is None or found.seq == seq or now - at < UPDATE_INTERVAL:
                continue
            self.sent[id] = (found.seq, now)
            data = self.encoded_update(found)
            for connection in list(self.followers.get(id, {}).values()):
                connection.write(data)
