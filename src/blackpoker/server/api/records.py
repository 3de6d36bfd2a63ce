"""Import of records from a page without a server or from another server. The id of an imported game is a hash of the
game itself, so that it cannot be replaced by another one."""

from __future__ import annotations

import asyncio
import hashlib
import time
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from blackpoker.errors import UnreadableText
from blackpoker.game import Game
from blackpoker.server.api.caller import aside, hub_of, server_of
from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.http import Endpoint, HttpProblem
from blackpoker.server.rooms.seats import Finished, RoomOutcome
from blackpoker.server.rooms.table import winner_name
from blackpoker.server.store.promises import Away

#: characters of a record, and seconds in which it must be stored
MOST: Final = 200_000
PATIENCE: Final = 10.0


class RecordText(Struct, forbid_unknown_fields=True):
    """A finished game as text."""

    text: Annotated[str, Meta(max_length=MOST)]


class RecordPlace(Struct):
    """The location of a record."""

    id: str
    path: str


def brought(text: str) -> Finished:
    """Return a finished game in the stored form; raise `UnreadableText` if it is not over. All data comes from the game
    itself."""
    game = Game.from_record(text)
    over = game.outcome()
    if over is None:
        raise UnreadableText("the game is not over", "このゲームは終わっていません")
    id = hashlib.sha256(b"blackpoker record 1\n" + text.encode()).hexdigest()[:20]
    meta: dict[str, Any] = {
        "regulation": game.regulation.text, "names": list(game.names), "levels": ["", ""],
        "winner": winner_name(over), "reason": over.reason,
        "turns": int(game.turn_number), "practice": True, "at": 0, "part": 1,
    }  # fmt: skip
    return Finished(0, 1, id, text, meta)


async def bring_record(request: HttpRequest, body: RecordText) -> RecordPlace:
    """Store a finished game that was played elsewhere."""
    server = server_of(request)
    if not server.new_rooms.take(server.network(request), time.monotonic()):
        raise HttpProblem(429, "rate", "too many records; wait a little", "棋譜が多すぎます。少し待ってください")
    done = await aside(request, brought, body.text)
    done.meta["at"] = time.time()
    hub = hub_of(request)
    safe = asyncio.Event()
    hub.store.keep("", RoomOutcome(None, [], [], [done], []), hub.clock(), lambda kept: safe.set())
    try:
        await asyncio.wait_for(safe.wait(), PATIENCE)
    except TimeoutError:
        raise Away("the record could not be stored in time") from None
    return RecordPlace(done.share, f"/replay/{done.share}")


RECORDS: Final = [
    Endpoint("POST", "/api/records", bring_record, RecordPlace, body=RecordText, status=201, problems=(503,)),
]
