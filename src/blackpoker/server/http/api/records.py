"""Import of records from a page without a server or from another server. The id of an imported game is a hash of the
game itself, so that it cannot be replaced by another one."""

from __future__ import annotations

import asyncio
import hashlib
import time
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from blackpoker.errors import UnreadableText
from blackpoker.game.game import Game
from blackpoker.server.http.api.context import app_state_of, room_manager_of, run_in_thread
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest
from blackpoker.server.rooms.game import winner_text
from blackpoker.server.rooms.seats import FinishedGame, RoomChanges
from blackpoker.server.storage.interface import StoreUnavailable

#: characters of a record, and seconds in which it must be stored
MAX_CHARACTERS: Final = 200_000
STORE_TIMEOUT: Final = 10.0


class RecordText(Struct, forbid_unknown_fields=True):
    """A finished game as text."""

    text: Annotated[str, Meta(max_length=MAX_CHARACTERS)]


class RecordPlace(Struct):
    """The location of a record."""

    id: str
    path: str


def finished_game(text: str) -> FinishedGame:
    """Return a finished game in the stored form; raise `UnreadableText` if it is not over. All data comes from the game
    itself."""
    game = Game.from_record(text)
    outcome = game.outcome()
    if outcome is None:
        raise UnreadableText("the game is not over", "このゲームは終わっていません")
    id = hashlib.sha256(b"blackpoker record 1\n" + text.encode()).hexdigest()[:20]
    meta: dict[str, Any] = {
        "regulation": game.regulation.text,
        "names": list(game.names),
        "levels": ["", ""],
        "winner": winner_text(outcome),
        "reason": outcome.reason,
        "turns": int(game.turn_number),
        "practice": True,
        "at": 0,
        "part": 1,
    }
    return FinishedGame(0, 1, id, text, meta)


async def import_record(request: HttpRequest, body: RecordText) -> RecordPlace:
    """Store a finished game that was played elsewhere."""
    server = app_state_of(request)
    if not server.room_rate.take(server.network(request), time.monotonic()):
        raise HttpProblem(429, "rate", "too many records; wait a little", "棋譜が多すぎます。少し待ってください")
    finished = await run_in_thread(request, finished_game, body.text)
    finished.meta["at"] = time.time()
    hub = room_manager_of(request)
    stored = asyncio.Event()
    hub.store.save("", RoomChanges(None, [], [], [finished], []), hub.clock(), lambda ok: stored.set())
    try:
        await asyncio.wait_for(stored.wait(), STORE_TIMEOUT)
    except TimeoutError:
        raise StoreUnavailable("the record could not be stored in time") from None
    return RecordPlace(finished.record_id, f"/replay/{finished.record_id}")


RECORD_ENDPOINTS: Final = [
    Endpoint("POST", "/api/records", import_record, RecordPlace, body=RecordText, status=201, problems=(503,)),
]
