"""A record as a series of frames: the views of one seat, of both or of a spectator after each move."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from blackpoker import Audience, EventView, Game, UnreadableText, View
from blackpoker.protocol.messages import LogEntry

Seat = Literal["p1", "p2", "both", "none"]
MAX_FRAMES = 60
_AUDIENCES: Final[dict[Seat, Audience]] = {
    "p1": Audience.P1,
    "p2": Audience.P2,
    "none": Audience.PUBLIC,
    "both": Audience.JUDGE,
}


class ReplayStep(Struct):
    """The game after a move; number 0 is the deal."""

    step: int
    turn: int
    by: str
    move: str
    events: list[EventView]
    lines: list[LogEntry]
    views: dict[str, View]


class Replay(Struct):
    """Some frames of a finished game. ``turns``: the step at which each turn begins."""

    id: str
    meta: dict[str, Any]
    steps: int
    turns: list[int]
    frames: list[ReplayStep]


def move_ends(game: Game) -> list[int]:
    """Return the index in the history at which each move ends."""
    return [int(step._stop) for step in game.steps() if step.complete]


def make_replay(
    id: str, text: str, meta: dict[str, Any], seat: Seat, lang: Literal["ja", "en"], first: int, count: int
) -> Replay:
    game = Game.from_record(text)
    audience = _AUDIENCES[seat]
    views_of: list[Seat] = ["p1", "p2"] if seat == "both" else [seat]
    frames: list[ReplayStep] = []
    turns: list[int] = []
    requested = range(first, first + min(count, MAX_FRAMES))
    number = 0
    for number, step in enumerate(game.steps(deal=True)):
        after = step.after
        if after.turn_number > len(turns):
            turns.append(number)
        if number in requested:
            by, move = (str(step.player), step.text) if number else ("", "")
            views: dict[str, View] = {name: after.view(_AUDIENCES[name]) for name in views_of}
            lines = [
                LogEntry(log_line.text, number, log_line.kind, log_line.player, log_line.turn, log_line.spans)
                for log_line in step._log(lang, audience)
            ]
            frames.append(
                ReplayStep(number, int(after.turn_number), by, move, step.event_views(audience), lines, views)
            )
    return Replay(id, meta, number, turns, frames)


def game_at_step(text: str, step: int) -> Game:
    """Return the game of a record after ``step`` moves; raise `UnreadableText` if there are fewer or the game is over
    there."""
    game = Game.from_record(text)
    stops = [0, *move_ends(game)]
    if not 0 <= step < len(stops):
        raise UnreadableText(f"the record has steps 0 to {len(stops) - 1}", f"手数は0から{len(stops) - 1}までです")
    game.go_to(stops[step])
    if game.outcome() is not None:
        raise UnreadableText("the game is over there", "そこではゲームが終わっています")
    return game
