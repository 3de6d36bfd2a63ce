"""Drives the rooms: hands them what clients say, keeps what comes of it, sends it on, wakes them in time, lets computer
players think.

Nothing that follows from a sentence leaves the server before the sentence is stored.
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
#: a room nobody is in leaves memory after so long; the store keeps it
FORGET: Final = 120.0
SWEEP: Final = 5.0
#: seconds between looks for what has expired; seconds a connection may say nothing before it must come back
PURGE: Final = 3600.0
#: seconds between talks with the other processes about what guests have used
SHARE: Final = 0.5
#: what one message is charged at most: the machine may have been busy with something else
MOST_MS: Final = 50.0
SILENT: Final = 86_400.0
#: objects that have come since everything was last looked through for garbage, before it is looked through although
#: somebody is here: rooms and connections leave none, so this is something we do not know of
MOST_NEW: Final = 10_000_000
#: the same where nobody is here and nobody waits for it
FEW_NEW: Final = 50_000
#: seconds between tries to take games up, and those a new room may wait to be stored
RETRY: Final = 1.0
CREATE: Final = 10.0
WAITING: Final = ("nothing can be stored at the moment; the game waits", "いまは保存できません。ゲームは待っています")


class ClientLine(Protocol):
    """A connection as the hub sees it."""

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
        self.unsent: dict[str, int] = {}  # writes of a room that are not safe yet
        self.rows: dict[str, dict[str, Any]] = {}  # of the rooms here, as the store has them
        self.lines: dict[str, ClientLine] = {}
        self.at: dict[str, str] = {}  # connection: room
        self.owners: dict[str, str] = {}  # connection: process that has its room
        self.timers: dict[str, tuple[float, asyncio.TimerHandle]] = {}
        self.loading: dict[str, asyncio.Task[Room | None]] = {}
        self.thinking: set[str] = set()
        self.advising: set[str] = set()  # rooms in which a hint is being found
        self.tasks: set[asyncio.Task[Any]] = set()
        self.thinkers: Thinkers = Thinkers()
        self.budget: Budget = Budget(limits)
        self.quick: QuickMatches = QuickMatches(self)
        self.others: OtherProcesses = OtherProcesses(self)
        self.table_over: Callable[[str], None] = lambda tournament: None  # a room of a tournament has come to its end
        self.quiet_until: float = 0.0  # until when a window may be open in some room here
        self.stopping: bool = False
        self.safety: Safety | None = None  # a page without a server has none

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
        """Games between people go on by themselves. Meanwhile we serve already: a room somebody comes to is fetched."""
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
        """Nothing can be stored, or it can again: game time stands meanwhile, and everybody is told."""
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
        await self.store.flush()  # whoever takes a room over must find everything
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
        """The room if it lives here, fetched from the store if need be."""
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
        if await self.bus.owner(id) != self.bus.me:  # claimed first, then read: nobody else writes any more
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
        """Those of these rooms that there are, as the store has them, wherever they live. The store itself is asked for
        those that are not here: whether something is just being written must not be told by how long this takes."""
        found = {id: head_of(self.rows[id]) for id in ids if id in self.rows}
        rest = [id for id in ids if id not in found]
        if rest:
            found |= {head.id: head for head in await self.store.heads(rest)}
        return found

    async def info(self, id: str, guest: str) -> p.RoomInfo | None:
        """What this guest may know of a room, wherever it lives."""
        room = self.rooms.get(id)
        if room is not None:
            return room.info_for(guest, self.clock())
        found = await self.store.room(id)
        if found is None:
            return None
        data, settings, _ = found
        there = Room.load({**data, "phase": "waiting"}, settings, [], self.clock())
        info = there.info_for(guest, self.clock())
        if info.game == there.game:  # else it is what others know later
            info.phase = data["phase"]  # it has not been brought up to date
        return info

    async def sweep(self) -> None:
        """Rooms nobody is in leave memory when nothing is played there, or it is long nobody's move."""
        while True:
            await asyncio.sleep(SWEEP)
            now = self.clock()
            for id, room in list(self.rooms.items()):
                if now - room.idle_since() > SILENT:
                    self.lose(id)  # nobody is in memory for ever by leaving a page open
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
                gc.freeze()  # what is here now need not be looked through again

    async def forget_expired(self) -> None:
        """Again and again: rooms that were never started and games that were never finished; records stay."""
        while True:
            try:
                for id in await self.store.purge(self.keeping, time.time()):
                    if id in self.rooms:
                        self.lose(id)
            except Away as error:
                log.warning("what has expired is forgotten later", extra={"why": str(error)})
            await asyncio.sleep(PURGE)

    def lose(self, id: str) -> None:
        """The room is no longer what we think it is: everybody comes back, to it as it is stored, wherever it lives."""
        room = self.rooms.get(id)
        if room is not None:
            log.warning("a room was let go", extra={"room": short(id)})
            self.forget(id)
            for key in list(room.seats.clients):
                self.others.close(key)

    def let(self, room: Room, call: Callable[..., Any], *given: Any) -> None:
        """Let something happen in a room, and what follows from it. A mistake of ours there harms no other room, and
        this one is taken up again where the store has it."""
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
        """A connection's first message; False where it was refused."""
        self.lines[key] = line
        try:
            owner = await self.bus.owner(said.room)
            room = await self.readied(who, said) if owner == self.bus.me else None
        except (BusError, Away):
            text = "the server cannot reach its games; try again in a moment"
            self.refuse(key, said.id, "unavailable", text, "いまはゲームを読めません。少し待ってください")
            return False
        if key not in self.lines:
            return False  # gone meanwhile
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
        """The room somebody wants to come to. The log of a long game is put into words bit by bit: meanwhile others
        have their turn."""
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
        """A message of a connection here, to its room wherever that is."""
        id, owner = self.at.get(key, ""), self.owners.get(key, "")
        if not id:  # it is being brought to another room
            self.refuse(key, said.id, "unavailable", "you are being brought to another room", "別の部屋に移動中です")
        elif owner == self.bus.me:
            self.receive_here(key, id, said)
        else:
            self.bus.tell(owner, {"op": "say", "key": key, "room": id, "said": p.encode(said)})

    def receive_here(self, key: str, id: str, said: p.ClientMessage) -> None:
        """A message to a room here, of a connection wherever that is."""
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
        """Seconds a message of this connection has to wait: it is asked in an open window, and a beat is near."""
        room = self.rooms.get(self.at.get(key, ""))
        if room is None or not room.windows.least:
            return 0.0
        now = self.clock()
        client = room.seats.clients.get(key)
        if client is None or client.seat != room.table.player or now >= room.windows.release:
            return 0.0
        return hushed(now)

    def until_beat(self) -> float:
        """Seconds before anything from outside may be answered, 0: at once. While somebody may be asked in some room,
        how busy we are with that is not told by how long an answer takes."""
        now = self.clock()
        return GRID - now % GRID if now < self.quiet_until else 0.0

    async def on_the_beat(self) -> None:
        wait = self.until_beat()
        if wait:
            await asyncio.sleep(wait)

    def leave(self, key: str) -> None:
        """A connection here is gone."""
        self.lines.pop(key, None)
        id, owner = self.at.pop(key, ""), self.owners.pop(key, "")
        if owner == self.bus.me:
            self.leave_here(key, id)
        elif owner:
            self.bus.tell(owner, {"op": "leave", "key": key, "room": id})

    def leave_here(self, key: str, id: str) -> None:
        room = self.rooms.get(id)
        if room is not None and not self.stopping:  # then everybody leaves at once, and the store need not hear of it
            self.let(room, room.leave, key, self.clock())

    def move(self, client: RoomClient, here: str, there: str) -> None:
        """Bring a connection of a room here to another room, wherever that lives."""
        self.leave_here(client.key, here)
        who = Visitor(client.guest, client.name, client.network, client.device, client.muted)
        if client.key in self.lines:
            self.spawn(self.moved(client.key, who, client.lang, client.detail, there))
        else:
            told = {"op": "move", "key": client.key, "who": list(who), "lang": client.lang, "detail": client.detail}
            self.bus.tell(process_of(client.key), {**told, "room": there})

    async def moved(self, key: str, who: Visitor, lang: p.Lang, detail: p.Detail, there: str) -> None:
        """A connection here has left its room for another."""
        line = self.lines.get(key)
        if line is None:
            return
        self.at.pop(key, None)
        self.owners.pop(key, None)
        if not await self.join(key, line, who, p.Join(0, there, "any", lang, detail)):
            line.close(MOVED, "the room has moved")

    def deliver(self, key: str, *messages: bytes) -> None:
        """To a connection, here or of another process."""
        line = self.lines.get(key)
        if line is not None:
            line.push(*messages)
        elif process_of(key) != self.bus.me:
            self.bus.tell(process_of(key), {"op": "out", "key": key, "data": messages})

    # -- what comes of a call ------------------------------------------------------------------------------------

    def settle(self, room: Room, then: Callable[[], Any] | None = None) -> None:
        """Keep and send what came of the last call; arrange what comes next."""
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
        """Everything for one connection goes out at once; what several hear is put into bytes once."""
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
        """The next waking, and a computer player's turn."""
        due = room.due()
        self.quiet_until = max(self.quiet_until, room.windows.release)
        if due is not None:
            timer = self.timers.get(room.id)
            if timer is None or timer[0] > due:  # one that comes too early finds nothing to do and is set anew
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
        """Whom a computer player thinks for: the person at the other seat."""
        here = room.seats.at(place)
        return TurnOwner(here[0].network if here else "", room.seats[place].guest)

    async def share_budget(self) -> None:
        """Again and again: one budget over all processes."""
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
        """Find a hint; where nobody has time for it or it cannot be found the answer is empty: the room is free."""
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
        """Choose for a computer player. Whatever goes wrong, it answers: nobody waits for it in vain."""
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
        """To a room with what was thought out for it. One that was let go and fetched again meanwhile has waited for
        this thought to end before it may have its own."""
        now = self.rooms.get(room.id)
        if now is room:
            self.let(room, call, *given, self.clock())
        elif now is not None:
            self.arrange(now)
