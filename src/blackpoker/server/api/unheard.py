"""Endpoints of muted players; muting itself is a message in a room."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from blackpoker.server.api.account import accounts_of
from blackpoker.server.api.caller import guest_of
from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.http import Endpoint, HttpProblem


class UnheardPerson(Struct):
    """``id``: to unmute the player."""

    id: str
    name: str
    since: float


class HearAgain(Struct, forbid_unknown_fields=True):
    id: Annotated[str, Meta(min_length=16, max_length=16, pattern="^[0-9a-f]+$")]


async def read_unheard(request: HttpRequest) -> list[UnheardPerson]:
    """Return the players I have muted, the latest first."""
    guest = guest_of(request)
    found = [] if guest is None else await accounts_of(request).safety.unheard_of(guest.id)
    return [UnheardPerson(one.id, one.name, one.since) for one in found]


async def hear_again(request: HttpRequest, body: HearAgain) -> list[UnheardPerson]:
    """Unmute a player; return the remaining muted players."""
    guest = guest_of(request)
    if guest is None or not await accounts_of(request).safety.lift(guest.id, body.id):
        raise HttpProblem(404, "nobody", "you hear everybody of that name", "その人は見つかりません")
    return await read_unheard(request)


UNHEARD: Final = [
    Endpoint("GET", "/api/unheard", read_unheard, list[UnheardPerson], problems=(503,)),
    Endpoint("POST", "/api/unheard/lift", hear_again, list[UnheardPerson], body=HearAgain, problems=(404, 503)),
]
