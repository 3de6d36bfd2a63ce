"""Endpoints of muted players; muting itself is a message in a room."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from blackpoker.server.admission import MUTES, READ, WRITE
from blackpoker.server.http.api.account import accounts_of
from blackpoker.server.http.api.context import current_guest
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest


class MutedPlayer(Struct):
    """``id``: to unmute the player."""

    id: str
    name: str
    since: float


class Unmute(Struct, forbid_unknown_fields=True):
    id: Annotated[str, Meta(min_length=16, max_length=16, pattern="^[0-9a-f]+$")]


async def list_muted(request: HttpRequest) -> list[MutedPlayer]:
    """Return the players I have muted, the latest first."""
    guest = current_guest(request)
    found = [] if guest is None else await accounts_of(request).moderation.mutes_of(guest.id)
    return [MutedPlayer(row.id, row.name, row.since) for row in found]


async def unmute(request: HttpRequest, body: Unmute) -> list[MutedPlayer]:
    """Unmute a player; return the remaining muted players."""
    guest = current_guest(request)
    if guest is None or not await accounts_of(request).moderation.unmute(guest.id, body.id):
        raise HttpProblem(404, "not_muted", "you have muted no such player", "その人は見つかりません")
    return await list_muted(request)


MUTED_ENDPOINTS: Final = [
    Endpoint("GET", "/api/muted", list_muted, list[MutedPlayer], problems=(503,), cost=READ),
    Endpoint(
        "POST",
        "/api/muted/lift",
        unmute,
        list[MutedPlayer],
        body=Unmute,
        problems=(404, 503),
        cost=WRITE,
        draws=(MUTES,),
    ),
]
