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

from blackpoker.regulation import read_regulation
from blackpoker.series import WINS
from blackpoker.server.buckets import Buckets
from blackpoker.server.net.bus import BusError
from blackpoker.server.net.http import Prepared
from blackpoker.server.net.logs import short
from blackpoker.server.rooms.held import HeldTable
from blackpoker.server.rooms.letters import visible
from blackpoker.server.rooms.room import Room
from blackpoker.server.store import tournaments as rows
from blackpoker.server.store.promises import Away
from blackpoker.server.tournaments.acts import (
    Announced,
    AnyAct,
    Closed,
    PairedTable,
    RoundPaired,
    SeatedAgain,
    TournamentRules,
    WentAway,
    read_act,
    write_act,
)
from blackpoker.server.tournaments.course import Tournament, TournamentTable, tournament_of
from blackpoker.server.tournaments.draw import round_acts
from blackpoker.server.tournaments.pages import live_of
from blackpoker.server.tournaments.permits import check_rules, close
from blackpoker.server.tournaments.verdicts import RoomEnd, TableGame, verdict
from blackpoker.wire import protocol as p

if TYPE_CHECKING:
    from blackpoker.server.net.followers import FollowerLine
    from blackpoker.server.net.hub import Hub
    from blackpoker.server.net.limits import Limits
    from blackpoker.server.store.database import GameStore

log: logging.Logger = logging.getLogger("blackpoker.tournaments")
#: seconds between checks of the running tournaments; events in this process trigger a check at once
LOOK: Final = 1.0
#: least seconds between two updates of a tournament to its followers
TELLING: Final = 2.0
#: attempts to write an event to a tournament that others write to
TRIES: Final = 20
#: seconds a page is cached
KEPT: Final = 2.0
#: finished tournaments kept in memory
MOST_OVER: Final = 100
#: least entrants for rated games: in a smaller field two accomplices would be paired with each other
RATED_FROM: Final = 4
#: seconds after its deadline at which a room without clients is loaded
OVERDUE: Final = 1.0

Making = Callable[[Tournament, float], list[AnyAct]]


def new_room() -> str:
    return secrets.token_urlsafe(8)


class ToldPages:
    """Cache of pages requested by many clients."""

    def __init__(self) -> None:
        self.made: dict[str, tuple[int, float, Prepared]] = {}
        self.making: asyncio.Lock = asyncio.Lock()

    async def told(self, name: str, seq: int, make: Callable[[], Awaitable[Any]]) -> Prepared:
        """Return a page from the cache, or make it. ``seq``: version of the state; a page is remade for a new version
        or when it is too old."""
        async with self.making:
            known = self.made.get(name)
            now = time.monotonic()
            if known is None or known[0] != seq or now - known[1] > KEPT:
                self.made = {one: kept for one, kept in self.made.items() if now - kept[1] < KEPT}
                known = self.made[name] = (seq, now, Prepared(msgspec.json.encode(await make())))
            return known[2]


class Tournaments:
    def __init__(self, store: GameStore, hub: Hub, limits: Limits) -> None:
        self.store = store
        self.hub = hub
        self.known: dict[str, Tournament] = {}
        self.locks: dict[str, asyncio.Lock] = {}
        self.poked: asyncio.Event = asyncio.Event()
        self.mine: set[str] = set()
        self.followers: dict[str, dict[str, FollowerLine]] = {}
        self.told: dict[str, tuple[int, float]] = {}  # last version sent to followers, and its time
        self.standing: dict[str, tuple[int, float, bytes]] = {}  # last update by tournament: version, time, bytes
        self.new: Buckets = Buckets(limits.rooms_rate / 30, limits.rooms_burst / 3)
        self.pages: ToldPages = ToldPages()
        hub.table_over = self.poke

    def poke(self, tournament: str) -> None:
        """Check the tournament after a table has ended; with a spectator delay the next regular check is early
        enough."""
        known = self.known.get(tournament)
        if known is None or not known.rules.spectator_delay:
            self.poked.set()

    # -- loading -------------------------------------------------------------------------------------------------

    def lock(self, id: str) -> asyncio.Lock:
        return self.locks.setdefault(id, asyncio.Lock())

    async def find(self, id: str, seq: int | None = None) -> Tournament | None:
        """Return the present state of a tournament; None if there is none. ``seq``: its number of events, if known."""
        found = self.known.get(id)
        if found is not None and (found.phase == "over" or found.seq == seq):
            return found
        async with self.lock(id):
            return await self.caught_up(id)

    async def caught_up(self, id: str) -> Tournament | None:
        found = self.known.get(id)
        texts = await self.store.ask(rows.acts_after, id, 0 if found is None else found.seq)
        acts = [read_act(text) for text in texts]
        if found is None:
            if not acts:
                self.locks.pop(id, None)
                return None
            found = self.known[id] = tournament_of(id, acts)
            self.forget_some()
        else:
            for act in acts:
                found.apply(act)
        return found

    def forget_some(self) -> None:
        done = [id for id, one in self.known.items() if one.phase == "over"]
        for id in done[: max(0, len(done) - MOST_OVER)]:
            del self.known[id]
            self.locks.pop(id, None)

    async def listed(self) -> list[Tournament]:
        found = [await self.find(id, seq) for id, seq in (await self.store.ask(rows.listed, self.hub.clock())).items()]
        return [one for one in found if one is not None]

    async def may_show(self, meta: dict[str, Any]) -> bool:
        """Return False for a record with decks that are hidden until the tournament is over."""
        told = meta.get("tournament")
        return not told or not told["hidden"] or await self.store.ask(rows.is_over, told["id"])

    def forget(self, guests: set[str]) -> None:
        """Discard tournaments with these guests, so that deleted names are read anew."""
        for id, one in list(self.known.items()):
            if one.announced.host in guests or any(entrant.guest in guests for entrant in one.entrants.values()):
                del self.known[id]
                self.pages.made.clear()

    # -- writing -------------------------------------------------------------------------------------------------

    async def write(self, tournament: Tournament, acts: Sequence[AnyAct], rooms: Sequence[Room] = ()) -> bool:
        """Write events and the rooms they open, then apply them. Return False if another process wrote first. The
        caller must hold the tournament's lock."""
        phase = tournament.phase
        for act in acts:
            phase = "running" if isinstance(act, RoundPaired) else "over" if isinstance(act, Closed) else phase
        rules = tournament.rules
        row = rows.TournamentRow(
            tournament.id, phase, int(rules.listed), self.hub.clock(), tournament.seq + len(acts)
        )  # fmt: skip
        texts, opened = [write_act(act) for act in acts], [room.dump() for room in rooms]
        try:
            await self.store.commit(rows.append, row, texts, opened)
        except IntegrityError:
            self.known.pop(tournament.id, None)
            return False
        except Away:
            self.known.pop(tournament.id, None)  # unknown whether it was committed
            raise
        for act in acts:
            tournament.apply(act)
        self.poked.set()
        return True

    async def announce(self, rules: TournamentRules, host: str, host_name: str) -> Tournament:
        now = self.hub.clock()
        regulation = read_regulation(rules.regulation)
        rules = msgspec.structs.replace(rules, regulation=regulation.text, name=visible(rules.name))
        check_rules(rules, now)
        frame = regulation.frame
        decks = frame.decks if frame.build == "constructed" else 0
        first = Announced(now, host, host_name, rules, decks, 1 if frame.decks == 1 else WINS)
        id = new_room()
        row = rows.TournamentRow(id, "open", int(rules.listed), now, 1)
        await self.store.commit(rows.append, row, [write_act(first)], [])
        found = self.known[id] = tournament_of(id, [first])
        return found

    async def act(self, id: str, make: Making) -> Tournament | None:
        """Apply a command and retry it after conflicts. Return None if there is no such tournament; raise
        `MessageRefused` if the command is not allowed, `StoreUnavailable` after too many conflicts."""
        for _ in range(TRIES):
            async with self.lock(id):
                found = await self.caught_up(id)
                if found is None:
                    return None
                acts = make(found, self.hub.clock())
                if not acts or await self.write(found, acts):
                    return found
        raise Away("too many write to this tournament")

    async def pair_now(self, id: str, check: Callable[[Tournament], None]) -> Tournament | None:
        """Pair the next round at the host's request."""
        async with self.lock(id):
            found = await self.caught_up(id)
            if found is not None:
                check(found)
                await self.pair(found, self.hub.clock())
        return found

    # -- driving -------------------------------------------------------------------------------------------------

    async def look_on(self) -> None:
        """Check the running tournaments and notify followers, in an endless loop."""
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.poked.wait(), LOOK)
            self.poked.clear()
            try:
                running = await self.store.ask(rows.unfinished)
                for id, seq in running.items():
                    await self.look_at(id, seq)
                await self.tell_followers(running)
            except (Away, BusError) as error:
                log.warning("tournaments wait", extra={"why": str(error)})
            except Exception:
                log.exception("tournaments could not be looked at")

    async def look_at(self, id: str, seq: int) -> None:
        """Drive one tournament; an error in it does not affect the others."""
        try:
            if await self.hub.bus.owner(f"t.{id}") != self.hub.bus.me:
                self.mine.discard(id)
                return
            self.mine.add(id)
            found = await self.find(id, seq)
            if found is not None and (found.open or found.next_step(self.hub.clock()).at <= self.hub.clock()):
                async with self.lock(id):
                    await self.drive(id)
        except (Away, BusError):
            raise
        except Exception:
            log.exception("a tournament does not go on", extra={"room": short(id)})
            self.known.pop(id, None)

    async def drive(self, id: str) -> None:
        tournament = await self.caught_up(id)
        if tournament is None or tournament.phase == "over":
            return
        now = self.hub.clock()
        if tournament.open and not await self.settle_tables(tournament, now):
            return
        step = tournament.next_step(now)
        if step.what == "close" and step.at <= now:
            await self.write(tournament, close(tournament, now))
        elif step.what == "pair" and step.at <= now:
            await self.pair(tournament, now)

    async def pair(self, tournament: Tournament, now: float) -> None:
        """Pair a round; close a tournament with fewer than two players. The seed is drawn now, so no one can know it
        before."""
        if tournament.phase == "open" and len(tournament.present()) < 2:
            await self.write(tournament, close(tournament, now))
            return
        acts = await asyncio.to_thread(round_acts, tournament, secrets.randbits(48), now, new_room)
        if acts:
            first = acts[0]
            assert isinstance(first, RoundPaired)
            decided = {getattr(act, "table", 0) for act in acts[1:]}
            seats = [seat for seat in first.tables if seat.number not in decided]
            rooms = [self.room_for(tournament, first.round, seat, seat.room, now) for seat in seats]
            if await self.write(tournament, acts, rooms):
                log.info("a round was paired", extra={"room": short(tournament.id), "count": len(rooms)})

    def room_for(self, tournament: Tournament, round: int, seat: PairedTable, id: str, now: float) -> Room:
        """Return a room with seats reserved for two players. It lives in the process that the first of them connects
        to."""
        rules = tournament.rules
        one, two = tournament.entrants[seat.one], tournament.entrants[seat.two]
        settings = p.RoomSettings(
            rules.regulation, "human", rules.clock, rules.window_ms, spectator_delay=rules.spectator_delay,
            rated=rules.rated and len(tournament.entrants) >= RATED_FROM,
        )  # fmt: skip
        held = HeldTable(
            tournament.id, round, seat.number, (one.guest, two.guest), (one.id, two.id), (one.name, two.name),
            (one.deck, two.deck), now + rules.wait, rules.wait,
        )  # fmt: skip
        return Room(id, settings, now, held=held)

    async def settle_tables(self, tournament: Tournament, now: float) -> bool:
        """Record finished tables once the spectator delay has passed. Return False if another process wrote first."""
        later = tournament.rules.spectator_delay
        tables = {table.room: table for table in tournament.open.values()}
        kept = await self.store.ask(rows.rooms_of, list(tables))
        acts: list[AnyAct] = []
        again: list[Room] = []
        for id, table in tables.items():
            room = kept.get(id)
            if room is None:
                log.error("a table has no room", extra={"room": short(id)})
            elif room.phase == "over" and now >= room.since + later:
                self.decide(tournament, table, room, now, acts, again)
            elif room.phase == "waiting" and now > table.at + tournament.rules.wait + OVERDUE:
                # no client is there: load it in this process, so that its deadline takes effect
                await self.hub.room(id)
        return not acts or await self.write(tournament, acts, again)

    def decide(
        self,
        tournament: Tournament,
        table: TournamentTable,
        room: rows.KeptRoom,
        now: float,
        acts: list[AnyAct],
        again: list[Room],
    ) -> None:
        end = RoomEnd([TableGame(*game) for game in room.games], room.came or (True, True))
        told = verdict(tournament, table, end, now)
        if told is None:
            id = new_room()
            acts.append(SeatedAgain(now, *table.key, id))
            again.append(self.room_for(tournament, table.round, table.seat, id, now))
            return
        acts.append(told)
        ids = (table.seat.one, table.seat.two)
        gone = [id for id, came in zip(ids, end.came, strict=True) if not came and not tournament.entrants[id].away]
        acts += [WentAway(now, id, "missed") for id in gone]

    async def stop(self) -> None:
        """Release the tournaments for other processes."""
        with suppress(BusError):
            for id in self.mine:
                await self.hub.bus.release(f"t.{id}")

    # -- followers -----------------------------------------------------------------------------------------------

    def follow(self, id: str, key: str, line: FollowerLine) -> None:
        self.followers.setdefault(id, {})[key] = line

    def live(self, tournament: Tournament) -> bytes:
        """Return the present state as bytes, cached for all who connect in the same moment; it contains the server
        time."""
        now = self.hub.clock()
        seq, at, data = self.standing.get(tournament.id, (-1, 0.0, b""))
        if seq != tournament.seq or now - at > TELLING:
            data = msgspec.json.encode(live_of(tournament, now))
            self.standing[tournament.id] = (tournament.seq, now, data)
        return data

    def unfollow(self, id: str, key: str) -> None:
        here = self.followers.get(id, {})
        here.pop(key, None)
        if not here:
            self.followers.pop(id, None)
            self.told.pop(id, None)
            self.standing.pop(id, None)

    async def tell_followers(self, running: dict[str, int]) -> None:
        """Send changed tournaments to their followers, encoded once for all."""
        now = self.hub.clock()
        for id in list(self.followers):
            known = self.known.get(id)
            found = known if known is not None and known.phase == "over" else await self.find(id, running.get(id))
            seq, at = self.told.get(id, (-1, 0.0))
            if found is None or found.seq == seq or now - at < TELLING:
                continue
            self.told[id] = (found.seq, now)
            data = self.live(found)
            for line in list(self.followers.get(id, {}).values()):
                line.write(data)
