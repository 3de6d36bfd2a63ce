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
from blackpoker.players.computer_moves import random_move
from blackpoker.protocol import messages as p
from blackpoker.server.admission import Ledger, Limits, Owner
from blackpoker.server.clock import GameClock
from blackpoker.server.cluster.bus import Bus, BusError
from blackpoker.server.cluster.processes import ROOM_MOVED, PeerProcesses, process_of
from blackpoker.server.log_setup import short_id
from blackpoker.server.matchmaking import Matchmaker
from blackpoker.server.metrics import Metrics
from blackpoker.server.rooms.room import Room, RulesChanged
from blackpoker.server.rooms.seats import ConnectionIdentity, HintRequest, MessageRefused, RoomChanges, RoomClient
from blackpoker.server.rooms.summary import RoomSummary, summary_of_row
from blackpoker.server.rooms.timing import SEND_TICK, quiet_delay
from blackpoker.server.storage.interface import RetentionPolicy, RoomStore, StoreUnavailable
from blackpoker.server.worker_pool import QueueFull, WorkerPool, hint_in_saved
from blackpoker.text.markup import RichText

if TYPE_CHECKING:
    from blackpoker.server.accounts.moderation import Moderation

log: logging.Logger = logging.getLogger("blackpoker.rooms")
#: seconds after which an empty room leaves memory; the store keeps it
EMPTY_ROOM_TTL: Final = 120.0
SWEEP_INTERVAL: Final = 5.0
#: seconds between deletions of expired rooms. SILENCE_LIMIT: seconds without a message after which a connection must
#: reconnect
PURGE_INTERVAL: Final = 3600.0
#: seconds between exchanges of usage with the other processes
USAGE_INTERVAL: Final = 0.5
#: milliseconds charged for one message at most: the machine may have been busy with other work
MAX_CHARGE_MS: Final = 50.0
SILENCE_LIMIT: Final = 86_400.0
#: new objects since the last full collection that trigger one although clients are connected. Rooms and connections
#: leave no cycles, so this only bounds unknown leaks
GC_THRESHOLD: Final = 10_000_000
#: the same while no client is connected
IDLE_GC_THRESHOLD: Final = 50_000
#: seconds between attempts to restore games. CREATE_TIMEOUT: seconds in which a new room must be stored
RESTORE_RETRY: Final = 1.0
CREATE_TIMEOUT: Final = 10.0
STORE_UNAVAILABLE: Final = (
    "nothing can be stored at the moment; the game waits",
    "いまは保存できません。ゲームは待っています",
)


class ClientConnection(Protocol):
    """A connection as the room manager uses it."""

    identity: ConnectionIdentity

    def send(self, *messages: bytes) -> None: ...

    def close(self, code: int, why: str) -> None: ...


class RoomManager:
    def __init__(
        self,
        store: RoomStore,
        bus: Bus,
        metrics: Metrics,
        limits: Limits,
        retention: RetentionPolicy,
        clock: GameClock | None = None,
    ) -> None:
        self.store = store
        self.bus = bus
        self.metrics = metrics
        self.limits = limits
        self.retention = retention
        self.clock: GameClock = clock or GameClock()
        store.on_stall = self.on_store_stall
        self.rooms: dict[str, Room] = {}
        self.pending_writes: dict[str, int] = {}  # number of uncommitted writes, by room
        self.stored_rows: dict[str, dict[str, Any]] = {}  # stored rows of the loaded rooms
        self.connections: dict[str, ClientConnection] = {}
        self.connection_rooms: dict[str, str] = {}  # room of each connection
        self.connection_owners: dict[str, str] = {}  # process that owns the room of each connection
        self.timers: dict[str, tuple[float, asyncio.TimerHandle]] = {}
        self.loading: dict[str, asyncio.Task[Room | None]] = {}
        self.ai_jobs: set[str] = set()
        self.hint_jobs: set[str] = set()  # rooms for which a hint is being computed
        self.tasks: set[asyncio.Task[Any]] = set()
        self.workers: WorkerPool = WorkerPool()
        self.ledger: Ledger = Ledger(limits, None if bus.single_process else bus)
        self.matchmaker: Matchmaker = Matchmaker(self)
        self.peers: PeerProcesses = PeerProcesses(self)
        self.on_tournament_room_over: Callable[[str], None] = lambda tournament: (
            None
        )  # called when a room of a tournament has ended
        self.delay_until: float = 0.0  # time until which a response window may be open in a loaded room
        self.stopping: bool = False
        self.moderation: Moderation | None = None  # None in a page without a server

    async def start(self) -> None:
        await self.bus.start(self.peers.on_message, self.peers.on_loss)
        self.spawn(self.restore())
        self.spawn(self.sweep())
        self.spawn(self.delete_expired())
        self.spawn(self.matchmaker.run_loop())
        self.ledger.sharing = not self.bus.single_process
        if not self.bus.single_process:
            self.spawn(self.peers.run_loop())
            self.spawn(self.exchange_usage())

    async def restore(self) -> None:
        """Restore running games between people. Clients are served meanwhile: a room that is joined is loaded on
        demand."""
        while True:
            try:
                restored = await (self.restore_games() if self.bus.single_process else self.peers.adopt_games())
                break
            except (BusError, StoreUnavailable):
                await asyncio.sleep(RESTORE_RETRY)
        if restored:
            log.info("games restored", extra={"count": restored})

    async def restore_games(self) -> int:
        return sum([await self.get_room(id) is not None for id in await self.store.rooms_in_phase("playing")])

    def on_store_stall(self, is_stalled: bool) -> None:
        """Pause or resume game time when the store fails or recovers, and notify every client."""
        if is_stalled:
            self.clock.stop()
        else:
            self.clock.resume()
        data = p.encode(p.Paused(is_stalled, *(STORE_UNAVAILABLE if is_stalled else ("", ""))))
        for connection in list(self.connections.values()):
            connection.send(data)
        log.warning("database unavailable, games paused" if is_stalled else "database available, games resumed")

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
            log.warning("claims of rooms not released; they expire with this process", extra={"error": str(error)})
        await self.bus.stop()
        self.workers.stop()

    def spawn(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.on_task_done)

    def on_task_done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("task failed", exc_info=task.exception())

    # -- rooms ---------------------------------------------------------------------------------------------------

    async def create(self, settings: p.RoomSettings, start: str = "", origin: str = "") -> Room:
        if len(self.rooms) >= self.limits.rooms:
            raise MessageRefused("full", "the server is full", "サーバーが満員です")
        room = Room(secrets.token_urlsafe(8), settings, self.clock(), start)
        room.origin = origin
        await self.bus.resolve_owner(room.id)
        self.workers.warm_up(settings.opponent)
        self.rooms[room.id] = room
        self.metrics.rooms = len(self.rooms)
        stored = asyncio.Event()
        self.process_outcome(room, stored.set)
        try:
            await asyncio.wait_for(stored.wait(), CREATE_TIMEOUT)
        except TimeoutError:
            raise StoreUnavailable("the room could not be stored in time") from None
        return room

    async def get_room(self, id: str) -> Room | None:
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
        if (
            await self.bus.resolve_owner(id) != self.bus.process_id
        ):  # claimed before reading: no other process writes from here on
            return None
        found = await self.store.room(id)
        if found is None:
            await self.bus.release(id)
            return None
        try:
            room = Room.load(*found, self.clock())
        except RulesChanged as error:
            log.warning(error.en, extra={"room": short_id(id)})
            await self.bus.release(id)
            return None
        except (BlackPokerError, ValueError, KeyError, AssertionError, IndexError):
            log.exception("stored room not restored", extra={"room": short_id(id)})
            await self.bus.release(id)
            return None
        self.rooms[id], self.stored_rows[id] = room, found[0]
        self.metrics.rooms = len(self.rooms)
        self.process_outcome(room)
        return room

    async def summaries(self, ids: list[str]) -> dict[str, RoomSummary]:
        """Return the summaries of the existing rooms of this list, whichever process owns them. Rooms that are not
        loaded are read from the committed state: the response time must not reveal a pending write."""
        found = {id: summary_of_row(self.stored_rows[id]) for id in ids if id in self.stored_rows}
        rest = [id for id in ids if id not in found]
        if rest:
            found |= {head.id: head for head in await self.store.summaries(rest)}
        return found

    async def room_info(self, id: str, guest: str) -> p.RoomInfo | None:
        """Return what this guest may know of a room, whichever process owns it; None if it does not exist."""
        room = self.rooms.get(id)
        if room is not None:
            return room.info_for_guest(guest, self.clock())
        found = await self.store.room(id)
        if found is None:
            return None
        data, settings, _ = found
        loaded = Room.load({**data, "phase": "waiting"}, settings, [], self.clock())
        info = loaded.info_for_guest(guest, self.clock())
        if info.game == loaded.game_number:  # otherwise the change is still hidden by the spectator delay
            info.phase = data["phase"]  # the loaded copy has not been advanced
        return info

    async def sweep(self) -> None:
        """Unload empty rooms without a running game between people, evict silent rooms, collect garbage when due."""
        while True:
            await asyncio.sleep(SWEEP_INTERVAL)
            now = self.clock()
            for id, room in list(self.rooms.items()):
                if now - room.idle_since() > SILENCE_LIMIT:
                    self.evict(id)  # an open page must not keep a room in memory forever
                    continue
                idle = (
                    not room.seats.clients
                    and id not in self.pending_writes
                    and now - room.idle_since() > EMPTY_ROOM_TTL
                )
                if idle and (room.phase != "playing" or not room.seats.between_people):
                    self.drop(id)
                    try:
                        await self.bus.release(id)
                    except BusError as error:
                        log.warning("claim of a room not released", extra={"room": short_id(id), "error": str(error)})
            new_objects = gc.get_count()[0]
            if new_objects > GC_THRESHOLD or (not self.connections and new_objects > IDLE_GC_THRESHOLD):
                gc.collect()
                gc.freeze()  # the survivors need not be scanned again

    async def delete_expired(self) -> None:
        """Delete rooms that were never started and games that were never finished, periodically; records stay."""
        while True:
            try:
                for id in await self.store.purge(self.retention, time.time()):
                    if id in self.rooms:
                        self.evict(id)
            except StoreUnavailable as error:
                log.warning("removal of expired entries postponed", extra={"error": str(error)})
            await asyncio.sleep(PURGE_INTERVAL)

    def evict(self, id: str) -> None:
        """Evict a room that differs from its stored state or has expired; its clients reconnect to the stored room,
        wherever it lives."""
        room = self.rooms.get(id)
        if room is not None:
            log.warning("room released", extra={"room": short_id(id)})
            self.drop(id)
            for key in list(room.seats.clients):
                self.peers.close_connection(key)

    def guarded_call(self, room: Room, call: Callable[..., Any], *args: Any) -> None:
        """Call a method of a room and process the result. On an error only this room is evicted; it is reloaded from
        the store."""
        try:
            call(*args)
        except Exception:
            log.exception("error in a room", extra={"room": short_id(room.id)})
            self.evict(room.id)
        else:
            self.process_outcome(room)

    def forget_names(self, guests: set[str]) -> None:
        """Remove the names of deleted accounts from the loaded rooms."""
        for room in list(self.rooms.values()) if guests else ():
            if room.forget_names(guests):
                self.process_outcome(room)

    def drop(self, id: str) -> None:
        room = self.rooms.pop(id, None)
        if room is not None:
            room.close()
        self.stored_rows.pop(id, None)
        timer = self.timers.pop(id, None)
        if timer is not None:
            timer[1].cancel()
        self.metrics.rooms = len(self.rooms)

    # -- connections ---------------------------------------------------------------------------------------------

    async def join(self, key: str, connection: ClientConnection, identity: ConnectionIdentity, message: p.Join) -> bool:
        """Handle the first message of a connection; return False if it was refused."""
        self.connections[key] = connection
        try:
            owner = await self.bus.resolve_owner(message.room)
            room = await self.prepare_join(identity, message) if owner == self.bus.process_id else None
        except (BusError, StoreUnavailable):
            text = "the server cannot reach its games; try again in a moment"
            self.send_error(key, message.id, "unavailable", text, "いまはゲームを読めません。少し待ってください")
            return False
        if key not in self.connections:
            return False  # closed meanwhile
        if owner != self.bus.process_id:
            self.bus.send(owner, {"op": "join", "key": key, "who": list(identity), "message": p.encode(message)})
        elif room is None:
            self.send_no_room(key, message.id)
            return False
        elif not self.admit(room, key, identity, message):
            return False
        self.connection_rooms[key] = message.room
        self.connection_owners[key] = owner
        return True

    async def prepare_join(self, identity: ConnectionIdentity, message: p.Join) -> Room | None:
        """Return the room of a join request, or None if it does not exist. The log of a long game is rendered in
        slices, so that other clients are served meanwhile."""
        while True:
            room = await self.get_room(message.room)
            if room is None:
                return None
            started = time.monotonic()
            complete = room.broadcast.render_log(identity.guest, message)
            self.ledger.spend(
                identity.guest, identity.network, min(MAX_CHARGE_MS, 1000 * (time.monotonic() - started)), started
            )
            if complete:
                return room
            await asyncio.sleep(0)

    def admit(self, room: Room, key: str, identity: ConnectionIdentity, message: p.Join) -> bool:
        started = time.monotonic()
        try:
            client = RoomClient(key, *identity)
            if self.moderation is not None:
                client.muted_guests = self.moderation.muted_by(identity.guest)
            room.join(client, message, self.clock())
            self.process_outcome(room)
        except MessageRefused as refused:
            self.send_error(key, message.id, refused.code, refused.en, refused.ja)
            return False
        finally:
            spent = min(MAX_CHARGE_MS, 1000 * (time.monotonic() - started))
            self.ledger.spend(identity.guest, identity.network, spent, started)
        return True

    def send_error(self, key: str, id: int, code: str, en: str, ja: str) -> None:
        self.metrics.errors[code] += 1
        self.deliver(key, p.encode(p.Error(id, code, en, ja)))

    def send_no_room(self, key: str, id: int) -> None:
        self.send_error(key, id, "no_room", "there is no such room", "その部屋はありません")

    def receive(self, key: str, message: p.AnyClientMessage) -> None:
        """Forward a message of a local connection to its room, in whichever process that lives."""
        id, owner = self.connection_rooms.get(key, ""), self.connection_owners.get(key, "")
        if not id:  # the connection is moving to another room
            self.send_error(
                key, message.id, "unavailable", "you are being brought to another room", "別の部屋に移動中です"
            )
        elif owner == self.bus.process_id:
            self.receive_local(key, id, message)
        else:
            self.bus.send(owner, {"op": "say", "key": key, "room": id, "message": p.encode(message)})

    def receive_local(self, key: str, id: str, message: p.AnyClientMessage) -> None:
        """Handle a message to a local room, from a connection of any process."""
        room = self.rooms.get(id)
        if room is None or key not in room.seats.clients:
            self.peers.close_connection(key)
        elif self.store.stalled and id in self.pending_writes:
            self.send_error(key, message.id, "unavailable", *STORE_UNAVAILABLE)
        else:
            client = room.seats.clients[key]
            started = time.monotonic()
            self.guarded_call(room, room.receive, key, message, self.clock())
            spent = min(MAX_CHARGE_MS, 1000 * (time.monotonic() - started))
            self.ledger.spend(client.guest, client.network, spent, started)

    def window_delay(self, key: str) -> float:
        """Return the seconds a message must wait: its sender is asked in an open response window, and a tick is
        near."""
        room = self.rooms.get(self.connection_rooms.get(key, ""))
        if room is None or not room.windows.min_seconds:
            return 0.0
        now = self.clock()
        client = room.seats.clients.get(key)
        if client is None or client.seat != room.room_game.player or now >= room.windows.release_at:
            return 0.0
        return quiet_delay(now)

    def response_delay(self) -> float:
        """Return the seconds before a client may be answered; 0 if at once. While a response window may be open,
        response times must not reveal the load that a prompt causes."""
        now = self.clock()
        return SEND_TICK - now % SEND_TICK if now < self.delay_until else 0.0

    async def wait_response_delay(self) -> None:
        wait = self.response_delay()
        if wait:
            await asyncio.sleep(wait)

    def leave(self, key: str) -> None:
        """Handle the end of a local connection."""
        self.connections.pop(key, None)
        id, owner = self.connection_rooms.pop(key, ""), self.connection_owners.pop(key, "")
        if owner == self.bus.process_id:
            self.leave_local(key, id)
        elif owner:
            self.bus.send(owner, {"op": "leave", "key": key, "room": id})

    def leave_local(self, key: str, id: str) -> None:
        room = self.rooms.get(id)
        if room is not None and not self.stopping:  # at shutdown all clients leave at once; that is not stored
            self.guarded_call(room, room.leave, key, self.clock())

    def move_client(self, client: RoomClient, source: str, target: str) -> None:
        """Move a connection of a local room to another room, in whichever process that lives."""
        self.leave_local(client.key, source)
        identity = ConnectionIdentity(client.guest, client.name, client.network, client.device, client.muted)
        if client.key in self.connections:
            self.spawn(self.rejoin(client.key, identity, client.lang, client.detail, target))
        else:
            request = {
                "op": "move",
                "key": client.key,
                "who": list(identity),
                "lang": client.lang,
                "detail": client.detail,
            }
            self.bus.send(process_of(client.key), {**request, "room": target})

    async def rejoin(self, key: str, identity: ConnectionIdentity, lang: p.Lang, detail: p.Detail, target: str) -> None:
        """Join another room with a local connection that has left its room."""
        connection = self.connections.get(key)
        if connection is None:
            return
        self.connection_rooms.pop(key, None)
        self.connection_owners.pop(key, None)
        if not await self.join(key, connection, identity, p.Join(0, target, "any", lang, detail)):
            connection.close(ROOM_MOVED, "the room has moved")

    def deliver(self, key: str, *messages: bytes) -> None:
        """Send messages to a connection of this process or of another one."""
        connection = self.connections.get(key)
        if connection is not None:
            connection.send(*messages)
        elif process_of(key) != self.bus.process_id:
            self.bus.send(process_of(key), {"op": "out", "key": key, "data": messages})

    # -- the results of a call -----------------------------------------------------------------------------------

    def process_outcome(self, room: Room, on_stored: Callable[[], Any] | None = None) -> None:
        """Store and send the output of the last call and schedule what follows."""
        if room.settings.quick:
            self.matchmaker.update(room)
        if room.moderation_requests and self.moderation is not None:
            self.spawn(self.moderation.handle_requests(room.id, room.take_moderation_requests()))
        outcome = room.take()
        id = room.id
        if (
            outcome.row is not None
            or outcome.entries
            or outcome.finished
            or (id in self.pending_writes and outcome.messages)
        ):
            started = time.perf_counter()
            self.pending_writes[id] = self.pending_writes.get(id, 0) + 1

            def on_written(stored: bool) -> None:
                remaining = self.pending_writes[id] - 1
                if remaining:
                    self.pending_writes[id] = remaining
                else:
                    del self.pending_writes[id]
                if not stored:
                    if self.rooms.get(id) is room:
                        self.evict(id)
                    return
                if outcome.row is not None and self.rooms.get(id) is room:
                    self.stored_rows[id] = outcome.row
                if outcome.entries:
                    self.metrics.decisions += len(outcome.entries)
                    self.metrics.observe_stored(time.perf_counter() - started)
                self.metrics.games += len(outcome.finished)
                self.send_outcome(outcome)
                if room.reserved is not None and room.phase == "over":
                    self.on_tournament_room_over(room.reserved.tournament)
                if on_stored is not None:
                    on_stored()

            self.store.save(id, outcome, room.now, on_written)
        else:
            self.send_outcome(outcome)
            if on_stored is not None:
                on_stored()
        self.schedule(room)

    def send_outcome(self, outcome: RoomChanges) -> None:
        """Send an outcome, all messages of one connection together; a message for several clients is encoded once."""
        last: object = None
        data = b""
        by_client: dict[str, list[bytes]] = {}
        for key, message in outcome.messages:
            if message is not last:
                data = p.encode(message)
                last = message
            by_client.setdefault(key, []).append(data)
            if isinstance(message, p.Error):
                self.metrics.errors[message.code] += 1
        for key, messages in by_client.items():
            self.deliver(key, *messages)

    def schedule(self, room: Room) -> None:
        """Schedule the next timer of the room and the move of a computer player."""
        due = room.due()
        self.delay_until = max(self.delay_until, room.windows.release_at)
        if due is not None:
            timer = self.timers.get(room.id)
            if timer is None or timer[0] > due:  # a timer that fires early finds nothing to do and is set again
                if timer is not None:
                    timer[1].cancel()
                if not self.stopping:
                    handle = asyncio.get_running_loop().call_later(max(0.0, due - self.clock()), self.on_timer, room.id)
                    self.timers[room.id] = (due, handle)
        ai_request = room.bot_turn()
        if ai_request is not None and room.id not in self.ai_jobs and not self.stopping:
            self.ai_jobs.add(room.id)
            self.spawn(self.run_ai_job(room, *ai_request))
        if room.hint is not None and room.id not in self.hint_jobs and not self.stopping:
            self.hint_jobs.add(room.id)
            self.spawn(self.run_hint_job(room, room.hint))

    def on_timer(self, id: str) -> None:
        self.timers.pop(id, None)
        room = self.rooms.get(id)
        if room is not None:
            self.guarded_call(room, room.tick, self.clock())

    def job_owner(self, room: Room, seat_index: int) -> Owner:
        """Return the account charged for a computer player's move: the player at the other seat."""
        clients = room.seats.clients_at(seat_index)
        return Owner(clients[0].network if clients else "", room.seats[seat_index].guest)

    async def exchange_usage(self) -> None:
        """Exchange usage with the other processes, periodically, so that one budget applies to all."""
        while True:
            await asyncio.sleep(USAGE_INTERVAL)
            spent, self.ledger.unshared = self.ledger.unshared, {}
            try:
                for name, ms in (await self.bus.exchange_usage(spent)).items():
                    self.ledger.count(name, ms, time.monotonic())
                self.ledger.held_elsewhere = await self.bus.exchange_connections(self.ledger.held)
            except BusError as error:
                log.warning("rooms of other processes unknown", extra={"error": str(error)})

    # -- computer players ----------------------------------------------------------------------------------------

    async def run_hint_job(self, room: Room, wanted: HintRequest) -> None:
        """Compute a hint; answer with an empty text if the queue is full or it fails, so that the room is not
        blocked."""
        hint = RichText()
        game = room.room_game.game
        try:
            if game is not None:
                owner = self.job_owner(room, room.room_game.player)
                hint = await self.workers.run(owner, hint_in_saved, game.to_json(), wanted.lang, wanted.move)
        except (BrokenExecutor, QueueFull):
            log.info("no hint found", extra={"room": short_id(room.id)})
        except Exception:
            log.exception("hint failed", extra={"room": short_id(room.id)})
        finally:
            self.hint_jobs.discard(room.id)
        self.finish_job(room, room.send_hint, wanted, hint)

    async def run_ai_job(self, room: Room, seat_index: int, seq: int, level: str) -> None:
        """Choose a move for a computer player; on any error, choose at random, because the game waits for an answer."""
        match = room.room_game.match
        assert match is not None
        game = match.game
        try:
            if game is None:
                options = [secrets.choice(match.options)]
            else:
                seed = room.room_game.computer_seed(game)
                options = await self.workers.choose_move(level, game, seed, self.job_owner(room, 1 - seat_index))
        except Exception:
            log.exception("computer player failed to choose", extra={"room": short_id(room.id)})
            options = [] if game is None or room.room_game.seq != seq else random_move(game)
        finally:
            self.ai_jobs.discard(room.id)
        self.finish_job(room, room.bot_move, seat_index, seq, options)

    def finish_job(self, room: Room, call: Callable[..., Any], *args: Any) -> None:
        """Deliver the result of a job to its room. If the room was reloaded meanwhile, drop the result and reschedule:
        the new instance has waited for this job to end."""
        current = self.rooms.get(room.id)
        if current is room:
            self.guarded_call(room, call, *args, self.clock())
        elif current is not None:
            self.schedule(current)
