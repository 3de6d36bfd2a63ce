"""Import of records from a page without a server or from another server. The id of an imported game is a hash of the
game itself, so that it cannot be replaced by another one."""

from __future__ import annotations

import asyncio
import hashlib
import re
import time
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from blackpoker.errors import UnreadableText
from blackpoker.game.game import Game
from blackpoker.server.admission import JOB, RECORDS, declare_job
from blackpoker.server.http.api.context import room_manager_of, run_in_thread
from blackpoker.server.http.endpoint import Endpoint
from blackpoker.server.http.types import HttpRequest
from blackpoker.server.rooms.game import winner_text
from blackpoker.server.rooms.seats import FinishedGame, RoomChanges
from blackpoker.server.storage.interface import StoreUnavailable

#: comments of a record that its verifier reads, and lines in which they are searched
PROOF: Final = re.compile(
    r"# (fair|room|game|part|stream|commitment|secret|before|chain|computer|name taken out"
    r"|(?:seat|seal|salt|deck|key) p[12]):.{0,2000}"
)
MAX_PROOFS: Final = 24
#: characters by which a record may be longer than this version writes it
MAX_DIFFERENCE: Final = 200
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


def canonical_record(text: str, game: Game) -> str:
    """Return the record without what means nothing: blank lines, padding, and comments other than the verifier's own at
    its head. What is stored is therefore never longer than the game."""
    lines = [line.strip() for line in text.splitlines()]
    played = [line for line in lines if line and not line.startswith("#")]
    written = game.record().splitlines()
    if sum(map(len, played)) > sum(map(len, written)) + MAX_DIFFERENCE:
        played = written
    proofs: dict[str, str] = {}
    for line in lines[:MAX_PROOFS]:
        found = PROOF.fullmatch(line)
        if found is not None:
            proofs.setdefault(found[1], line)
    return "\n".join([played[0], *proofs.values(), *played[1:], ""])


def finished_game(text: str) -> FinishedGame:
    """Return a finished game in the stored form; raise `UnreadableText` if it is not over. All data comes from the game
    itself."""
    game = Game.from_record(text)
    outcome = game.outcome()
    if outcome is None:
        raise UnreadableText("the game is not over", "このゲームは終わっていません")
    text = canonical_record(text, game)
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


READ_RECORD: Final = declare_job("imported record", JOB, finished_game)


async def import_record(request: HttpRequest, body: RecordText) -> RecordPlace:
    """Store a finished game that was played elsewhere."""
    finished = await run_in_thread(request, READ_RECORD, body.text)
    finished.meta["at"] = time.time()
    room_manager = room_manager_of(request)
    stored = asyncio.Event()
    room_manager.store.save(
        "", RoomChanges(None, [], [], [finished], []), room_manager.clock(), lambda ok: stored.set()
    )
    try:
        await asyncio.wait_for(stored.wait(), STORE_TIMEOUT)
    except TimeoutError:
        raise StoreUnavailable("the record could not be stored in time") from None
    return RecordPlace(finished.record_id, f"/replay/{finished.record_id}")


RECORD_ENDPOINTS: Final = [
    Endpoint(
        "POST",
        "/api/records",
        import_record,
        RecordPlace,
        body=RecordText,
        status=201,
        problems=(503,),
        cost=JOB,
        draws=(RECORDS,),
    ),
]
