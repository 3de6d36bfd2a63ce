"""Moderation: muted players, known to every process within a second or two, and reports."""

from __future__ import annotations

import logging
import secrets
import time
from typing import TYPE_CHECKING, Any

from blackpoker.server.admission import MUTES, REPORTS, Owner, Refused
from blackpoker.server.rooms.seats import ModerationRequest
from blackpoker.server.storage import moderation as rows
from blackpoker.server.storage.interface import StoreUnavailable
from blackpoker.server.storage.moderation import MutedRow, ReportRow

if TYPE_CHECKING:
    from blackpoker.server.room_manager import RoomManager
    from blackpoker.server.storage.database import GameStore

log: logging.Logger = logging.getLogger("blackpoker.moderation")


class Moderation:
    def __init__(self, store: GameStore, room_manager: RoomManager) -> None:
        self.store = store
        self.room_manager = room_manager
        self.muted: dict[str, set[str]] = {}  # by owner: the muted guests
        self.since: float = 0.0

    def muted_by(self, guest: str) -> set[str]:
        return set(self.muted.get(guest, ()))

    async def refresh(self) -> None:
        """Read the changes and update the clients in rooms."""
        changed: set[str] = set()
        found, until = await self.store.query(rows.mute_changes_since, self.since)
        for row in found:
            muted = self.muted.setdefault(row.owner, set())
            if (row.whom in muted) == bool(row.ended):
                changed.add(row.owner)
            (muted.discard if row.ended else muted.add)(row.whom)
            if not muted:
                del self.muted[row.owner]
        self.since = max(self.since, until)
        if changed:
            for room in self.room_manager.rooms.values():
                for client in room.seats.clients.values():
                    if client.guest in changed:
                        client.muted_guests = self.muted_by(client.guest)

    async def handle_requests(self, room: str, requests: list[ModerationRequest]) -> None:
        """Carry out the moderation requests of a room."""
        for request in requests:
            now = time.time()
            try:
                quota = REPORTS if request.kind == "report" else MUTES
                await self.room_manager.ledger.draw(quota, Owner(request.network, request.owner))
                if request.kind == "report":
                    await self.report(room, request, now)
                elif request.kind == "mute":
                    await self.store.transaction(rows.mute, request.owner, request.target, request.target_name, now)
                else:
                    await self.store.transaction(unmute_player, request.owner, request.target, now)
            except Refused:
                log.info("rate limit reached by a player or address", extra={"kind": request.kind})
            except StoreUnavailable as error:
                log.warning("request not stored", extra={"kind": request.kind, "error": str(error)})
        if any(request.kind != "report" for request in requests):
            await self.refresh()

    async def report(self, room: str, request: ModerationRequest, now: float) -> None:
        """Store a report for the operator. A player's further report about the same person replaces an open one."""
        row = ReportRow(
            secrets.token_hex(8),
            now,
            request.owner,
            request.owner_name,
            request.target,
            request.target_name,
            request.reason,
            request.text,
            room,
            request.record,
            request.chat_json,
            0.0,
        )
        await self.store.transaction(rows.add_report, row)
        log.warning("player reported; see blackpoker admin reports", extra={"reason": request.reason})

    async def unmute(self, owner: str, id: str) -> bool:
        """Unmute a player; return True if the player was muted."""
        found = await self.store.transaction(unmute_id, owner, id, time.time())
        await self.refresh()
        return found

    async def mutes_of(self, owner: str) -> list[MutedRow]:
        return await self.store.query(rows.muted_by, owner)


def unmute_player(connection: Any, owner: str, target: str, now: float) -> bool:
    return rows.unmute(connection, owner, now, target=target)


def unmute_id(connection: Any, owner: str, id: str, now: float) -> bool:
    return rows.unmute(connection, owner, now, id=id)
