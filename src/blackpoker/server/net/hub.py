"""Room manager: runs the rooms, stores and sends their output, schedules their timers and the jobs of computer players.

Nothing that results from a move leaves the server before the move is stored.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, Any, Final, Protocol

from blackpoker.errors import BlackPokerError
from blackpoker.server.net.bus import Bus, BusError
from blackpoker.server.net.game_clock import GameClock
from blackpoker.server.net.limits import Budget, Limits
from blackpoker.server.net.logs import short
from blackpoker.server.net.metrics import Metrics
from blackpoker.server.net.processes import MOVED, OtherProcesses, process_of
from blackpoker.server.net.quick import QuickMatches
from blackpoker.server.net.thinkers import Busy, Thinkers, TurnOwner, hint_of_saved, sentence_by_chance
from blackpoker.server.rooms.beats import GRID, hushed
from blackpoker.server.rooms.heads import RoomHead, head_of
from blackpoker.server.rooms.room import OtherRules, Room
from blackpoker.server.rooms.seats import MessageRefused, RoomClient, RoomOutcome, Visitor, WantedHint
from blackpoker.server.store.promises import Away, Keeping, RoomStore
from blackpoker.wire import protocol as p

if TYPE_CHECKING:
    from blackpoker.server.accounts.safety import Safety

log: logging.Logger = logging.getLogger("blackpoker.hub")
#: seconds after which an empty room leaves memory; the store keeps it
FORGET: Final = 120.0
SWEEP: Final = 5.0
#: seconds between deletions of expired rooms. SILENCE_LIMIT: seconds without a message after which a connection must
#: reconnect
PURGE: Final = 3600.0
#: seconds between exchanges of usage with the other processes
SHARE: Final = 0.5
#: milliseconds charged for one message at most: the machine may have been busy with other work
MOST_MS: Final = 50.0
SILENT: Final = 86_400.0
#: new objects since the last full collection that trigger one although clients are connected. Rooms and connections
#: leave no cycles, so this only bounds unknown leaks
MOST_NEW: Final = 10_000_000
#: the same while no client is connected
FEW_NEW: Final = 50_000
#: seconds between attempts to restore games. CREATE_TIMEOUT: seconds in which a new room must be stored
RETRY: Final = 1.0
CREATE: Final = 10.0
WAITING: Final = ("nothing can be stored at the moment; the game waits", "いまは保存できません。ゲームは待っています")


class ClientLine(Protocol):
    """A connection as the room manager uses it."""

    who: Visitor

    def push(self, *messages: bytes) -> None: ...

    def close(self, code: int, why: str) -> None: ...


class Hub:
    def __init__(
        self,
        store: RoomStore,
        bus: Bus,
        metrics: Metrics,
        limits: Limits,
        keeping: Keeping,
        clock: GameClock | None = None,
    ) -> None:
        self.store = store
        self.bus = bus
        self.metrics = metrics
        self.limits = limits
        self.keeping = keeping
        self.clock: GameClock = clock or GameClock()
        store.on_stall = self.stalled
        self.rooms: dict[str, Room] = {}
        self.unsent: dict[str, int] = {}  # number of uncommitted writes, by room
        self.rows: dict[str, dict[str, Any]] = {}  # stored rows of the loaded rooms
        self.lines: dict[str, ClientLine] = {}
        self.at: dict[str, str] = {}  # room of each connection
        self.owners: dict[str, str] = {}  # process that owns the room of each connection
        self.timers: dict[str, tuple[float, asyncio.TimerHandle]] = {}
        self.loading: dict[str, asyncio.Task[Room | None]] = {}
        self.thinking: set[str] = set()
        self.advising: set[str] = set()  # rooms for which a hint is being computed
        self.tasks: set[asyncio.Task[Any]] = set()
        self.thinkers: Thinkers = Thinkers()
        self.budget: Budget = Budget(limits)
        self.quick: QuickMatches = QuickMatches(self)
        self.others: OtherProcesses = OtherProcesses(self)
        self.table_over: Callable[[str], None] = lambda tournament: None  # called when a room of a tournament has ended
        self.quiet_until: float = 0.0  # time until which a response window may be open in a loaded room
        self.stopping: bool = False
        self.safety: Safety | None = None  # None in a page without a server

    async def start(self) -> None:
        await self.bus.start(self.others.hear, self.others.cut)
        self.spawn(self.restore())
        self.spawn(self.sweep())
        self.spawn(self.forget_expired())
        self.spawn(self.quick.rounds())
        self.budget.sharing = not self.bus.alone
        if not self.bus.alone:
            self.spawn(self.others.look_on())
            self.spawn(self.share_budget())

    async def restore(self) -> None:
        """Restore running games between people. Clients are served meanwhile: a room that is joined is loaded on
        demand."""
        while True:
            try:
                restored = await (self.take_up() if self.bus.alone else self.others.adopt())
                break
            except (BusError, Away):
                await asyncio.sleep(RETRY)
        if restored:
            log.info("games restored", extra={"count": restored})

    async def take_up(self) -> int:
        return sum([await self.room(id) is not None for id in await self.store.rooms_in("playing")])

    def stalled(self, on: bool) -> None:
        """Pause or resume game time when the store fails or recovers, and notify every client."""
        if on:
            self.clock.stop()
        else:
            self.clock.go_on()
        data = p.encode(p.Paused(on, *(WAITING if on else ("", ""))))
        for line in list(self.lines.values()):
            line.push(data)
        log.warning("the store is away, games wait" if on else "the store is back, games go on")

    async def stop(self) -> None:
        self.stopping = True
        for _, handle in self.timers.values():
            handle.cancel()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.store.flush()  # the next owner of a room must find everything in the store
        try:
            for id in list(self.rooms):
                await self.bus.release(id)
        except BusError as error:
            log.warning("rooms stay claimed until we are believed dead", extra={"why": str(error)})
        await self.bus.stop()
        self.thinkers.stop()

    def spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.finished)

    def finished(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("a task failed", exc_info=task.exception())

    # -- rooms ---------------------------------------------------------------------------------------------------

    async def create(self, settings: p.RoomSettings, start: str = "") -> Room:
        if len(self.rooms) >= self.limits.rooms:
            raise MessageRefused("full", "the server is full", "サーバーが満員です")
        room = Room(secrets.token_urlsafe(8), settings, self.clock(), start)
        await self.bus.owner(room.id)
        self.thinkers.warm(settings.opponent)
        self.rooms[room.id] = room
        self.metrics.rooms = len(self.rooms)
        safe = asyncio.Event()
        self.settle(room, safe.set)
        try:
            await asyncio.wait_for(safe.wait(), CREATE)
        except TimeoutError:
            raise Away("the room could not be stored in time") from None
        return room

    async def room(self, id: str) -> Room | None:
        """Return the room if this process owns it, loaded from the store if necessary; None otherwise."""
        room = self.rooms.get(id)
        if room is not None:
            return room
        task = self.loading.get(id)
        if task is None:
            task = self.loading[id] = asyncio.ensure_future(self.load(id))
        try:
            return await task
        finally:
            self.loading.pop(id, None)

    async def load(self, id: str) -> Room | None:
        if await self.bus.owner(id) != self.bus.me:  # claimed before reading: no other process writes from here on
            return None
        found = await self.store.room(id)
        if found is None:
            await self.bus.release(id)
            return None
        try:
            room = Room.load(*found, self.clock())
        except OtherRules as error:
            log.warning(error.en, extra={"room": short(id)})
            await self.bus.release(id)
            return None
        except (BlackPokerError, ValueError, KeyError, AssertionError, IndexError):
            log.exception("a stored room cannot be played on", extra={"room": short(id)})
            await self.bus.release(id)
            return None
        self.rooms[id], self.rows[id] = room, found[0]
        self.metrics.rooms = len(self.rooms)
        self.settle(room)
        return room

    async def heads(self, ids: list[str]) -> dict[str, RoomHead]:
        """Return the summaries of the existing rooms of this list, whichever process owns them. Rooms that are not
        loaded are read from the committed state: the response time must not reveal a pending write."""
        found = {id: head_of(self.rows[id]) for id in ids if id in self.rows}
        rest = [id for id in ids if id not in found]
        if rest:
            found |= {head.id: head for head in await self.store.heads(rest)}
        return found

    async def info(self, id: str, guest: str) -> p.RoomInfo | None:
        """Return what this guest may know of a room, whichever process owns it; None if it does not exist."""
        room = self.rooms.get(id)
        if room is not None:
            return room.info_for(guest, self.clock())
        found = await self.store.room(id)
        if found is None:
            return None
        data, settings, _ = found
        there = Room.load({**data, "phase": "waiting"}, settings, [], self.clock())
        info = there.info_for(guest, self.clock())
        if info.game == there.game:  # otherwise the change is still hidden by the spectator delay
            info.phase = data["phase"]  # the loaded copy has not been advanced
        return info

    async def sweep(self) -> None:
        """Unload empty rooms without a running game between people, evict silent rooms, collect garbage when due."""
        while True:
            await asyncio.sleep(SWEEP)
            now = self.clock()
            for id, room in list(self.rooms.items()):
                if now - room.idle_since() > SILENT:
                    self.lose(id)  # an open page must not keep a room in memory forever
                    continue
                idle = not room.seats.clients and id not in self.unsent and now - room.idle_since() > FORGET
                if idle and (room.phase != "playing" or not room.seats.between_people):
                    self.forget(id)
                    try:
                        await self.bus.release(id)
                    except BusError as error:
                        log.warning("a room stays claimed", extra={"room": short(id), "why": str(error)})
            new = gc.get_count()[0]
            if new > MOST_NEW or (not self.lines and new > FEW_NEW):
                gc.collect()
                gc.freeze()  # the survivors need not be scanned again

    async def forget_expired(self) -> None:
        """Delete rooms that were never started and games that were never finished, periodically; records stay."""
        while True:
            try:
                for id in await self.store.purge(self.keeping, time.time()):
                    if id in self.rooms:
                        self.lose(id)
            except Away as error:
                log.warning("what has expired is forgotten later", extra={"why": str(error)})
            await asyncio.sleep(PURGE)

    def lose(self, id: str) -> None:
        """Evict a room that differs from its stored state or has expired; its clients reconnect to the stored room,
        wherever it lives."""
        room = self.rooms.get(id)
        if room is not None:
            log.warning("a room was let go", extra={"room": short(id)})
            self.forget(id)
            for key in list(room.seats.clients):
                self.others.close(key)

    def let(self, room: Room, call: Callable[..., Any], *given: Any) -> None:
        """Call a method of a room and process the result. On an error only this room is evicted; it is reloaded from
        the store."""
        try:
            call(*given)
        except Exception:
            log.exception("something went wrong in a room", extra={"room": short(room.id)})
            self.lose(room.id)
        else:
            self.settle(room)

    def forget(self, id: str) -> None:
        room = self.rooms.pop(id, None)
        if room is not None:
            room.untie()
        self.rows.pop(id, None)
        timer = self.timers.pop(id, None)
        if timer is not None:
            timer[1].cancel()
        self.metrics.rooms = len(self.rooms)

    # -- connections ---------------------------------------------------------------------------------------------

    async def join(self, key: str, line: ClientLine, who: Visitor, said: p.Join) -> bool:
        """Handle the first message of a connection; return False if it was refused."""
        self.lines[key] = line
        try:
            owner = await self.bus.owner(said.room)
            room = await self.readied(who, said) if owner == self.bus.me else None
        except (BusError, Away):
            text = "the server cannot reach its games; try again in a moment"
            self.refuse(key, said.id, "unavailable", text, "いまはゲームを読めません。少し待ってください")
            return False
        if key not in self.lines:
            return False  # closed meanwhile
        if owner != self.bus.me:
            self.bus.tell(owner, {"op": "join", "key": key, "who": list(who), "said": p.encode(said)})
        elif room is None:
            self.refuse_room(key, said.id)
            return False
        elif not self.enter(room, key, who, said):
            return False
        self.at[key] = said.room
        self.owners[key] = owner
        return True

    async def readied(self, who: Visitor, said: p.Join) -> Room | None:
        """Return the room of a join request, or None if it does not exist. The log of a long game is rendered in
        slices, so that other clients are served meanwhile."""
        while True:
            room = await self.room(said.room)
            if room is None:
                return None
            begun = time.monotonic()
            whole = room.broadcast.word_log(who.guest, said)
            self.budget.spend(who.guest, who.network, min(MOST_MS, 1000 * (time.monotonic() - begun)), begun)
            if whole:
                return room
            await asyncio.sleep(0)

    def enter(self, room: Room, key: str, who: Visitor, said: p.Join) -> bool:
        begun = time.monotonic()
        try:
            client = RoomClient(key, *who)
            if self.safety is not None:
                client.unheard = self.safety.unheard_by(who.guest)
            room.join(client, said, self.clock())
            self.settle(room)
        except MessageRefused as refused:
            self.refuse(key, said.id, refused.code, refused.en, refused.ja)
            return False
        finally:
            spent = min(MOST_MS, 1000 * (time.monotonic() - begun))
            self.budget.spend(who.guest, who.network, spent, begun)
        return True

    def refuse(self, key: str, id: int, code: str, en: str, ja: str) -> None:
        self.metrics.errors[code] += 1
        self.deliver(key, p.encode(p.Error(id, code, en, ja)))

    def refuse_room(self, key: str, id: int) -> None:
        self.refuse(key, id, "no_room", "there is no such room", "その部屋はありません")

    def receive(self, key: str, said: p.ClientMessage) -> None:
        """Forward a message of a local connection to its room, in whichever process that lives."""
        id, owner = self.at.get(key, ""), self.owners.get(key, "")
        if not id:  # the connection is moving to another room
            self.refuse(key, said.id, "unavailable", "you are being brought to another room", "別の部屋に移動中です")
        elif owner == self.bus.me:
            self.receive_here(key, id, said)
        else:
            self.bus.tell(owner, {"op": "say", "key": key, "room": id, "said": p.encode(said)})

    def receive_here(self, key: str, id: str, said: p.ClientMessage) -> None:
        """Handle a message to a local room, from a connection of any process."""
        room = self.rooms.get(id)
        if room is None or key not in room.seats.clients:
            self.others.close(key)
        elif self.store.stalled and id in self.unsent:
            self.refuse(key, said.id, "unavailable", *WAITING)
        else:
            client = room.seats.clients[key]
            begun = time.monotonic()
            self.let(room, room.receive, key, said, self.clock())
            spent = min(MOST_MS, 1000 * (time.monotonic() - begun))
            self.budget.spend(client.guest, client.network, spent, begun)

    def hush(self, key: str) -> float:
        """Return the seconds a message must wait: its sender is asked in an open response window, and a tick is
        near."""
        room = self.rooms.get(self.at.get(key, ""))
        if room is None or not room.windows.least:
            return 0.0
        now = self.clock()
        client = room.seats.clients.get(key)
        if client is None or client.seat != room.table.player or now >= room.windows.release:
            return 0.0
        return hushed(now)

    def until_beat(self) -> float:
        """Return the seconds before a client may be answered; 0 if at once. While a response window may be open,
        response times must not reveal the load that a prompt causes."""
        now = self.clock()
        return GRID - now % GRID if now < self.quiet_until else 0.0

    async def on_the_beat(self) -> None:
        wait = self.until_beat()
        if wait:
            await asyncio.sleep(wait)

    def leave(self, key: str) -> None:
        """Handle the end of a local connection."""
        self.lines.pop(key, None)
        id, owner = self.at.pop(key, ""), self.owners.pop(key, "")
        if owner == self.bus.me:
            self.leave_here(key, id)
        elif owner:
            self.bus.tell(owner, {"op": "leave", "key": key, "room": id})

    def leave_here(self, key: str, id: str) -> None:
        room = self.rooms.get(id)
        if room is not None and not self.stopping:  # at shutdown all clients leave at once; that is not stored
            self.let(room, room.leave, key, self.clock())

    def move(self, client: RoomClient, here: str, there: str) -> None:
        """Move a connection of a local room to another room, in whichever process that lives."""
        self.leave_here(client.key, here)
        who = Visitor(client.guest, client.name, client.network, client.device, client.muted)
        if client.key in self.lines:
            self.spawn(self.moved(client.key, who, client.lang, client.detail, there))
        else:
            told = {"op": "move", "key": client.key, "who": list(who), "lang": client.lang, "detail": client.detail}
            self.bus.tell(process_of(client.key), {**told, "room": there})

    async def moved(self, key: str, who: Visitor, lang: p.Lang, detail: p.Detail, there: str) -> None:
        """Join another room with a local connection that has left its room."""
        line = self.lines.get(key)
        if line is None:
            return
        self.at.pop(key, None)
        self.owners.pop(key, None)
        if not await self.join(key, line, who, p.Join(0, there, "any", lang, detail)):
            line.close(MOVED, "the room has moved")

    def deliver(self, key: str, *messages: bytes) -> None:
        """Send messages to a connection of this process or of another one."""
        line = self.lines.get(key)
        if line is not None:
            line.push(*messages)
        elif process_of(key) != self.bus.me:
            self.bus.tell(process_of(key), {"op": "out", "key": key, "data": messages})

    # -- the results of a call -----------------------------------------------------------------------------------

    def settle(self, room: Room, then: Callable[[], Any] | None = None) -> None:
        """Store and send the output of the last call and schedule what follows."""
        if room.settings.quick:
            self.quick.look(room)
        if room.asides and self.safety is not None:
            self.spawn(self.safety.do(room.id, room.take_asides()))
        outcome = room.take()
        id = room.id
        if outcome.row is not None or outcome.entries or outcome.finished or (id in self.unsent and outcome.messages):
            begun = time.perf_counter()
            self.unsent[id] = self.unsent.get(id, 0) + 1

            def written(kept: bool) -> None:
                left = self.unsent[id] - 1
                if left:
                    self.unsent[id] = left
                else:
                    del self.unsent[id]
                if not kept:
                    if self.rooms.get(id) is room:
                        self.lose(id)
                    return
                if outcome.row is not None and self.rooms.get(id) is room:
                    self.rows[id] = outcome.row
                if outcome.entries:
                    self.metrics.decisions += len(outcome.entries)
                    self.metrics.observe_stored(time.perf_counter() - begun)
                self.metrics.games += len(outcome.finished)
                self.send(outcome)
                if room.held is not None and room.phase == "over":
                    self.table_over(room.held.tournament)
                if then is not None:
                    then()

            self.store.keep(id, outcome, room.now, written)
        else:
            self.send(outcome)
            if then is not None:
                then()
        self.arrange(room)

    def send(self, outcome: RoomOutcome) -> None:
        """Send an outcome, all messages of one connection together; a message for several clients is encoded once."""
        last: object = None
        data = b""
        ready: dict[str, list[bytes]] = {}
        for key, message in outcome.messages:
            if message is not last:
                data = p.encode(message)
                last = message
            ready.setdefault(key, []).append(data)
            if isinstance(message, p.Error):
                self.metrics.errors[message.code] += 1
        for key, messages in ready.items():
            self.deliver(key, *messages)

    def arrange(self, room: Room) -> None:
        """Schedule the next timer of the room and the move of a computer player."""
        due = room.due()
        self.quiet_until = max(self.quiet_until, room.windows.release)
        if due is not None:
            timer = self.timers.get(room.id)
            if timer is None or timer[0] > due:  # a timer that fires early finds nothing to do and is set again
                if timer is not None:
                    timer[1].cancel()
                if not self.stopping:
                    handle = asyncio.get_running_loop().call_later(max(0.0, due - self.clock()), self.wake, room.id)
                    self.timers[room.id] = (due, handle)
        wanted = room.bot_wanted()
        if wanted is not None and room.id not in self.thinking and not self.stopping:
            self.thinking.add(room.id)
            self.spawn(self.think(room, *wanted))
        if room.hint is not None and room.id not in self.advising and not self.stopping:
            self.advising.add(room.id)
            self.spawn(self.advise(room, room.hint))

    def wake(self, id: str) -> None:
        self.timers.pop(id, None)
        room = self.rooms.get(id)
        if room is not None:
            self.let(room, room.tick, self.clock())

    def owner_of(self, room: Room, place: int) -> TurnOwner:
        """Return the account charged for a computer player's move: the player at the other seat."""
        here = room.seats.at(place)
        return TurnOwner(here[0].network if here else "", room.seats[place].guest)

    async def share_budget(self) -> None:
        """Exchange usage with the other processes, periodically, so that one budget applies to all."""
        while True:
            await asyncio.sleep(SHARE)
            spent, self.budget.unshared = self.budget.unshared, {}
            try:
                for name, ms in (await self.bus.share(spent)).items():
                    self.budget.count(name, ms, time.monotonic())
            except BusError as error:
                log.warning("what is used elsewhere is unknown", extra={"why": str(error)})

    # -- computer players ----------------------------------------------------------------------------------------

    async def advise(self, room: Room, wanted: WantedHint) -> None:
        """Compute a hint; answer with an empty text if the queue is full or it fails, so that the room is not
        blocked."""
        told = p.Told()
        game = room.table.game
        try:
            if game is not None:
                owner = self.owner_of(room, room.table.player)
                told = await self.thinkers.elsewhere(owner, hint_of_saved, game.to_json(), wanted.lang, wanted.move)
        except (BrokenExecutor, Busy):
            log.info("a hint was not found", extra={"room": short(room.id)})
        except Exception:
            log.exception("a hint could not be found", extra={"room": short(room.id)})
        finally:
            self.advising.discard(room.id)
        self.come_back(room, room.hinted, wanted, told)

    async def think(self, room: Room, place: int, seq: int, level: str) -> None:
        """Choose a move for a computer player; on any error, choose at random, because the game waits for an answer."""
        match = room.table.match
        assert match is not None
        game = match.game
        try:
            if game is None:
                options = [secrets.choice(match.options)]
            else:
                options = await self.thinkers.sentence(level, game, self.owner_of(room, 1 - place))
        except Exception:
            log.exception("a computer player could not choose", extra={"room": short(room.id)})
            options = [] if game is None or room.table.seq != seq else sentence_by_chance(game)
        finally:
            self.thinking.discard(room.id)
        self.come_back(room, room.bot_said, place, seq, options)

    def come_back(self, room: Room, call: Callable[..., Any], *given: Any) -> None:
        """Deliver the result of a job to its room. If the room was reloaded meanwhile, drop the result and reschedule:
        the new instance has waited for this job to end."""
        now = self.rooms.get(room.id)
        if now is room:
            self.let(room, call, *given, self.clock())
        elif now is not None:
            self.arrange(now)
