"""Moderation: muted players, known to every process within a second or two, and reports."""

from __future__ import annotations

import logging
import secrets
import time
from typing import TYPE_CHECKING, Any, Final

from blackpoker.server.buckets import Buckets
from blackpoker.server.rooms.seats import Aside
from blackpoker.server.store import conduct as rows
from blackpoker.server.store.conduct import ReportRow, UnheardRow
from blackpoker.server.store.promises import Away

if TYPE_CHECKING:
    from blackpoker.server.net.hub import Hub
    from blackpoker.server.store.database import GameStore

log: logging.Logger = logging.getLogger("blackpoker.safety")
#: rate and burst of reports per guest
REPORTS: Final = (1 / 300, 5)


class Safety:
    def __init__(self, store: GameStore, hub: Hub) -> None:
        self.store = store
        self.hub = hub
        self.known: dict[str, set[str]] = {}  # by owner: the muted guests
        self.since: float = 0.0
        self.reports: Buckets = Buckets(*REPORTS)

    def unheard_by(self, guest: str) -> set[str]:
        return set(self.known.get(guest, ()))

    async def refresh(self) -> None:
        """Read the changes and update the clients in rooms."""
        changed: set[str] = set()
        for row in await self.store.ask(rows.unheard_news, min(self.since, time.time())):
            mine = self.known.setdefault(row.owner, set())
            if (row.whom in mine) == bool(row.ended):
                changed.add(row.owner)
            (mine.discard if row.ended else mine.add)(row.whom)
            if not mine:
                del self.known[row.owner]
            self.since = max(self.since, row.changed)
        if changed:
            for room in self.hub.rooms.values():
                for client in room.seats.clients.values():
                    if client.guest in changed:
                        client.unheard = self.unheard_by(client.guest)

    async def do(self, room: str, asides: list[Aside]) -> None:
        """Carry out the moderation requests of a room."""
        for one in asides:
            now = time.time()
            try:
                if one.what == "report":
                    await self.report(room, one, now)
                elif one.what == "unhear":
                    await self.store.commit(rows.unhear, one.owner, one.whom, one.whom_name, now)
                else:
                    await self.store.commit(hear_whom, one.owner, one.whom, now)
            except Away as error:
                log.warning("what somebody asked for could not be kept", extra={"what": one.what, "why": str(error)})
        if any(one.what != "report" for one in asides):
            await self.refresh()

    async def report(self, room: str, one: Aside, now: float) -> None:
        """Store a report for the operator; a guest who sends too many is rate-limited."""
        if not self.reports.take(one.owner, time.monotonic()):
            return
        row = ReportRow(
            secrets.token_hex(8), now, one.owner, one.owner_name, one.whom, one.whom_name, one.why, one.words, room,
            one.record, one.heard, 0.0,
        )  # fmt: skip
        await self.store.commit(rows.add_report, row)
        log.warning("somebody was reported; blackpoker admin reports", extra={"why": one.why})

    async def lift(self, owner: str, id: str) -> bool:
        """Unmute a player; return True if the player was muted."""
        found = await self.store.commit(hear_id, owner, id, time.time())
        await self.refresh()
        return found

    async def unheard_of(self, owner: str) -> list[UnheardRow]:
        return await self.store.ask(rows.unheard_of, owner)


def hear_whom(connection: Any, owner: str, whom: str, now: float) -> bool:
    return rows.hear_again(connection, owner, now, whom=whom)


def hear_id(connection: Any, owner: str, id: str, now: float) -> bool:
    return rows.hear_again(connection, owner, now, id=id)
