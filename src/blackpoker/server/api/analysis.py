"""Turning points of finished games, for the page's end screen.

One game at a time is analysed, in slices, in the worker processes of the computer players: such a player waits for one
slice at most. Effort and queue are bounded, and results are cached.
"""

from __future__ import annotations

import logging
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from itertools import takewhile
from typing import Any, Literal, TypeVar

from msgspec import Struct

from blackpoker import JUDGE, PlayedStep
from blackpoker.files.display import display
from blackpoker.game import Game
from blackpoker.players.analysis import (
    CoursePoint,
    Turning,
    accuracy,
    course,
    last_chance,
    replay,
    swings,
    with_better,
)
from blackpoker.server.api.replay import sentences_of
from blackpoker.server.net.thinkers import SERVER, FairQueue, Thinkers, TurnOwner
from blackpoker.texts.marks import Text
from blackpoker.wire.protocol import Mark, Told
from blackpoker.wire.questions import marks

T = TypeVar("T")
log: logging.Logger = logging.getLogger("blackpoker.analysis")

#: play-outs for a whole game, and for one of its moves
BUDGET = 300_000
MOST_PLAYOUTS = 3000
LEAST_PLAYOUTS = 20
#: target seconds for a whole game; a slow machine uses fewer play-outs
PATIENCE = 6.0
#: moves in a slice, and the number of last moves analysed in a very long game
SLICE = 20
FIRST_SLICE = 4  # measures the speed of this machine
MOST_SENTENCES = 1500

MOST_POINTS = 4
#: a smaller change of the chance is no turning point
LEAST_SWING = 0.06
#: among moves this close to each other only the most important is reported: passes around one request belong together
NEAR = 4

#: points of the curve of chances
MOST_COURSE = 120

#: games that may wait in total and per address
MOST_WAITING = 32
MOST_OF_ONE = 4
MOST_KEPT = 500


class BothTexts(Struct):
    """A text in both languages."""

    en: Told
    ja: Told


class TurningPoint(Struct):
    """A move that changed the game. ``step`` is its step of the replay. ``question`` is the prompt, empty if any action
    could be chosen. ``before`` and ``after`` are the chance of ``player`` to win, from 0 to 1. ``better`` is the move
    the search preferred, with the knowledge of that player. ``choice`` and ``luck`` add up to the change: the loss of
    the move compared with the best one, and everything that no player could choose."""

    step: int
    turn: int
    player: Literal["p1", "p2"]
    question: BothTexts
    said: BothTexts
    before: float
    after: float
    better: BothTexts | None = None
    choice: float = 0.0
    luck: float = 0.0


class ChanceAt(Struct):
    """The chance of P1 to win before a step of the replay, from 0 to 1."""

    step: int
    turn: int
    p1: float


class LivesAt(Struct):
    """The life of both players at a step of the replay."""

    step: int
    p1: int
    p2: int


class Facts(Struct):
    """Notable figures of a game: the largest damage taken at once, and the life each player paid as a cost."""

    blow: int
    struck: Literal["p1", "p2"]
    paid_p1: int
    paid_p2: int


class CoachedSeat(Struct):
    """The quality of a player's choices. ``accuracy`` is the mean share of the best chance over all moves; ``choice``
    is their total loss."""

    accuracy: float
    choice: float


class CoachedGame(Struct):
    """The decomposition of a game: from ``before`` to ``after`` the chance of P1 changes by the loss of P1's choices,
    minus that of P2's, and by ``luck``."""

    p1: CoachedSeat
    p2: CoachedSeat
    before: float
    after: float
    luck: float


class TurningPoints(Struct):
    """The analysis of a finished game; until it is ``ready``, repeat the request. ``progress`` is from 0 to 1.
    ``course`` is the curve of the chances at some steps, ``lives`` that of the life."""

    ready: bool
    progress: float
    points: list[TurningPoint]
    course: list[ChanceAt] = []
    lives: list[LivesAt] = []
    facts: Facts | None = None
    coach: CoachedGame | None = None


# -- in the worker process ---------------------------------------------------------------------------------------------


def count_sentences(text: str) -> int:
    return sum(1 for _ in replay(Game.from_record(text)))


def slice_of(text: str, first: int, count: int, playouts: int) -> list[CoursePoint]:
    return list(course(Game.from_record(text), playouts, 1, first, count))


def last_of(text: str, playouts: int) -> float:
    return last_chance(Game.from_record(text), playouts)


def told_course(text: str, points: list[CoursePoint]) -> TurningPoints:
    """Return the curves and figures of a game; the turning points are added later."""
    game = Game.from_record(text)
    ends = sentences_of(game)
    lives: list[LivesAt] = []
    blow, struck, paid = 0, 0, [0, 0]
    for number, step in enumerate(game.steps(), 1):
        taken = [0, 0]
        price = False  # life lost between a request and its placement on the stage is its cost
        for event in step.events(JUDGE):
            price = event.event == "declared" or (price and event.event not in ("staged", "resolving", "turn"))
            if event.event == "damaged":
                counted = paid if price else taken
                counted[event.player == "p2"] += event.count or 0
        if max(taken) > blow:
            blow, struck = max(taken), taken.index(max(taken))
        view = step.after.view(JUDGE)
        lives.append(LivesAt(number, int(view.p1.life), int(view.p2.life)))
    course = [
        ChanceAt(bisect_right(ends, point.index), point.turn, round(point.chance.first_wins, 3))
        for point in thinned(points)
    ]
    over = game.outcome()
    if over is not None and over.winner is not None:  # the known result is the last point
        course.append(ChanceAt(len(ends), game.turn_number, 1.0 - over.winner))
    facts = Facts(blow, "p2" if struck else "p1", paid[0], paid[1])
    return TurningPoints(True, 1.0, [], course, thinned(lives), facts)


def thinned(points: list[T]) -> list[T]:
    """Return at most as many points as a chart can show, including the last."""
    every = max(1, -(-len(points) // MOST_COURSE))
    return [point for place, point in enumerate(points) if place % every == 0 or place == len(points) - 1]


def described(text: str, turning: Turning, playouts: int) -> TurningPoint:
    """Return a turning point in the form the page shows."""
    game = Game.from_record(text)
    if turning.choice < 0 or turning.swing < 0:
        turning = with_better(game, turning, playouts, 1)
    point = turning.point
    step = sum(1 for end in sentences_of(game) if end <= point.index)
    game.go_to(point.index)
    before, after = point.chance.first_wins, turning.after
    if point.player == 1:
        before, after = 1 - before, 1 - after
    # passing on one's own turn is not shown as advice
    named = turning.better and (turning.better != "pass" or game.view(JUDGE).stage)
    said, better = wording(game, point.text), wording(game, turning.better) if named else None
    if better == said:  # they differ in a detail that the log omits, such as the unit that pays
        said, better = spelt_out(point.text), spelt_out(turning.better)
    return TurningPoint(
        step,
        point.turn,
        "p1" if point.player == 0 else "p2",
        question(game),
        said,
        round(before, 3),
        round(after, 3),
        better,
        round(point.choice, 3),
        round(round(after, 3) - round(before, 3) - round(point.choice, 3), 3),
    )


def question(game: Game) -> BothTexts:
    decision = game.decision
    if decision is None or decision.kind == "chance":
        return BothTexts(Told(), Told())
    return BothTexts(told(decision.marked_prompt("en")), told(decision.marked_prompt("ja")))


def wording(game: Game, text: str) -> BothTexts:
    """Return the text of a move: the label of its option if it has only one, else its log lines."""
    for word in game.decision.options if game.decision is not None else ():
        if word.text == text and word.action is not None:
            return BothTexts(Told(word.title("en")), Told(word.title("ja")))
        if word.text == text:
            return BothTexts(told(word.marked_label("en")), told(word.marked_label("ja")))
    step = game.copy().push(game.parse(text))
    return BothTexts(told_all(step, "en", text), told_all(step, "ja", text))


def spelt_out(text: str) -> BothTexts:
    return BothTexts(Told(display(text, "en")), Told(display(text, "ja")))


def told(found: Text) -> Told:
    return Told(found.text, marks(found.marks))


def told_all(step: PlayedStep, lang: Literal["ja", "en"], text: str) -> Told:
    """Return the log lines of the move: an attack or a block has one for each soldier."""
    lines = step.log(lang, JUDGE)
    out = Told()
    for line in takewhile(lambda line: line.kind == lines[0].kind, lines):
        out.text += " " if out.text and lang == "en" else ""
        out.marks += [Mark(one.at + len(out.text), one.to + len(out.text), one.what) for one in line.marks]
        out.text += line.text
    return out if out.text else Told(display(text, lang))


# -- in the server -----------------------------------------------------------------------------------------------------


class Analyst:
    """Queue of games to analyse, fair by address and then by guest."""

    def __init__(self, thinkers: Thinkers, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self.thinkers = thinkers
        self.spawn = spawn
        self.queue: FairQueue = FairQueue(1)
        self.waiting: dict[str, str] = {}  # address of each game, by id, including the one being analysed
        self.found: OrderedDict[str, TurningPoints | None] = OrderedDict()  # None: it could not be analysed
        self.progress: dict[str, float] = {}

    def known(self, id: str) -> bool:
        return id in self.found or id in self.waiting

    def full(self, network: str) -> bool:
        """Return whether the queue is full, in total or for this address."""
        networks = list(self.waiting.values())
        return len(networks) >= MOST_WAITING or networks.count(network) >= MOST_OF_ONE

    def state(self, id: str) -> TurningPoints | None:
        """Return the result or the progress of a known game; None if it could not be analysed."""
        if id in self.found:
            self.found.move_to_end(id)
            return self.found[id]
        return TurningPoints(False, round(self.progress.get(id, 0.0), 2), [])

    def begin(self, id: str, text: str, owner: TurnOwner) -> None:
        if not self.known(id):  # two requests may arrive at once
            self.waiting[id] = owner.network
            self.spawn(self.work(id, text, owner))

    async def work(self, id: str, text: str, owner: TurnOwner) -> None:
        found: TurningPoints | None = None
        try:
            async with self.queue.turn(owner):
                found = await self.analyse(id, text)
        except Exception:  # an error in one game must not stop the queue
            log.exception("a game could not be analysed")
        finally:
            del self.waiting[id]
            self.progress.pop(id, None)
        self.found[id] = found
        if len(self.found) > MOST_KEPT:
            self.found.popitem(last=False)

    async def elsewhere(self, job: Callable[..., Any], *given: Any) -> Any:
        return await self.thinkers.elsewhere(SERVER, job, *given)

    async def analyse(self, id: str, text: str) -> TurningPoints:
        count: int = await self.elsewhere(count_sentences, text)
        first = max(0, count - MOST_SENTENCES)
        playouts = max(LEAST_PLAYOUTS, min(MOST_PLAYOUTS, BUDGET // max(1, count - first)))
        most = playouts
        points: list[CoursePoint] = []
        done: list[CoursePoint]
        while len(points) < count - first:
            begun = time.monotonic()
            size = SLICE if points else FIRST_SLICE
            done = await self.elsewhere(slice_of, text, first + len(points), size, playouts)
            took = time.monotonic() - begun
            share = PATIENCE * len(done) / (count - first)
            playouts = max(LEAST_PLAYOUTS, min(most, round(playouts * share / max(took, 0.001))))
            points += done
            self.progress[id] = 0.9 * len(points) / (count - first)
        if not points:
            return TurningPoints(True, 1.0, [])
        last: float = await self.elsewhere(last_of, text, playouts)
        found: TurningPoints = await self.elsewhere(told_course, text, points)
        found.coach = coached(points, last)
        found.points = [await self.elsewhere(described, text, one, playouts) for one in chosen(points, last)]
        return found


def coached(points: list[CoursePoint], last: float) -> CoachedGame:
    """Return choice and luck of the whole game, rounded so that they add up."""
    seats = []
    for player in (0, 1):
        cost = sum(point.choice for point in points if point.player == player)
        seats.append(CoachedSeat(round(accuracy(points, player), 3), round(cost, 3)))
    before, after = round(points[0].chance.first_wins, 3), round(last, 3)
    return CoachedGame(seats[0], seats[1], before, after, round(after - before - seats[0].choice + seats[1].choice, 3))


def chosen(points: list[CoursePoint], last: float) -> list[Turning]:
    """Return the turning points to report, in the order of the game."""
    place = {point.index: number for number, point in enumerate(points)}
    found: dict[int, Turning] = {}
    for one in swings(points, last):
        at = place[one.point.index]
        if abs(one.swing) < LEAST_SWING or len(found) == MOST_POINTS:
            break
        if one.point.text == "pass" and one.point.choice > -LEAST_SWING:
            continue  # no action was taken there: the cause is reported at an earlier or later move
        if all(abs(at - other) >= NEAR for other in found):
            found[at] = one
    return [found[at] for at in sorted(found)]
