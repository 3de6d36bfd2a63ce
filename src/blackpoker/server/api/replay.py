"""A record as a series of frames: what each seat, or somebody who may see everything, saw after every sentence."""

from __future__ import annotations

from typing import Any, Final, Literal

from msgspec import Struct

from blackpoker.ending import end_of
from blackpoker.errors import UnreadableText
from blackpoker.game import Game
from blackpoker.notation.moves import SentenceWriter, goes_on, place_of
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.shapes import Event, View
from blackpoker.rules.visibility import Audience, Report, seen
from blackpoker.texts.log import LogWriter
from blackpoker.texts.prompts import Prompts

Seat = Literal["p1", "p2", "both", "none"]
MOST_FRAMES = 60
_AUDIENCES: Final[dict[Seat, Audience]] = {
    "p1": Audience.P1,
    "p2": Audience.P2,
    "none": Audience.PUBLIC,
    "both": Audience.JUDGE,
}


class Frame(Struct):
    """The game after a sentence; number 0 is the deal."""

    step: int
    turn: int
    by: str
    said: str
    events: list[Event]
    lines: list[str]
    views: dict[str, View]


class Replay(Struct):
    """Some frames of a finished game. ``turns``: the step at which each turn begins."""

    id: str
    meta: dict[str, Any]
    steps: int
    turns: list[int]
    frames: list[Frame]


def sentences_of(game: Game) -> list[int]:
    """After how many options of the history each sentence ends."""
    engine = first_engine(game)
    ends = []
    for place, option in enumerate(game.history, 1):
        if option < 0:
            ends.append(place)
            break
        before = place_of(engine)
        engine.push(option)
        if not goes_on(engine, before):
            ends.append(place)
    return ends


def first_engine(game: Game) -> Engine:
    engine = game.ladder[0].copy()
    engine.source.log = game.outcomes[: game.shuffles[0]]
    engine.source.injected = game.outcomes[game.shuffles[0] :]
    return engine


def replay(
    id: str, text: str, meta: dict[str, Any], seat: Seat, lang: Literal["ja", "en"], first: int, count: int
) -> Replay:
    game = Game.from_record(text)
    audience = _AUDIENCES[seat]
    views_of: list[Seat] = ["p1", "p2"] if seat == "both" else [seat]
    narrator = LogWriter(Prompts(game.regulation.edition, lang))
    frames: list[Frame] = []
    ends = sentences_of(game)
    walk = Game.at(first_engine(game), game.regulation, "state", "")
    turns = [0]
    wanted = range(first, first + min(count, MOST_FRAMES))

    def frame(step: int, by: str, said: str, raw: list[RawEvent]) -> None:
        if walk.turn_number > len(turns):
            turns.append(step)
        lines = narrator.lines(walk.engine, raw, audience, short=True)
        if step in wanted:
            events = [seen(Report(event, walk.engine), audience) for event in raw]
            views: dict[str, View] = {name: walk.view(_AUDIENCES[name]) for name in views_of}
            frames.append(Frame(step, int(walk.turn_number), by, said, events, lines, views))

    frame(0, "", "", [report.raw for report in game.reports[: game.first_events]])
    start = 0
    for step, end in enumerate(ends, 1):
        options = game.history[start:end]
        narrator.look(walk.engine)
        if options[-1] < 0:
            how, player = end_of(options[-1])
            walk.end(how, player)
            frame(step, f"p{player + 1}", how, [])
            break
        by = f"p{walk.player + 1}"
        wording = SentenceWriter()
        raw: list[RawEvent] = []
        walk.engine.log = raw
        for option in options:
            kind = int(walk.engine.kind)
            wording.add(walk.engine, option)
            walk.push(option)
            wording.after(walk.engine, kind, option)
        walk.engine.log = None
        start = end
        frame(step, by, wording.text(), raw)
    return Replay(id, meta, len(ends), turns, frames)


def game_at(text: str, step: int) -> Game:
    """The game of a record after this many sentences."""
    game = Game.from_record(text)
    ends = [0, *sentences_of(game)]
    if not 0 <= step < len(ends):
        raise UnreadableText(f"the record has steps 0 to {len(ends) - 1}", f"手数は0から{len(ends) - 1}までです")
    game.go_to(ends[step])
    if game.outcome() is not None:
        raise UnreadableText("the game is over there", "そこではゲームが終わっています")
    return game
