"""Turning points of finished games, for the page's end screen.

One game at a time is analysed, in slices, in the worker processes of the computer players: such a player waits for one
slice at most. Effort and queue are bounded, and results are cached.
"""

from __future__ import annotations

import logging
import time
from bisect import bisect_right
from collections.abc import Callable, Coroutine, Sequence
from itertools import takewhile
from typing import Any, Final, Literal, TypeVar

from msgspec import Struct

from blackpoker import Audience, GameStep
from blackpoker.game.game import Game
from blackpoker.learn.falls import WORLDS, DueFall, cause_text, due_falls, find_cause, life_lost, remedy_text
from blackpoker.notation.display import display
from blackpoker.players.analysis import (
    SwingMove,
    WinChancePoint,
    accuracy,
    add_preferred_move,
    last_chance,
    replay,
    swings,
    win_chances,
)
from blackpoker.ruleset import Edition
from blackpoker.server.admission import SERVER_OWNER, BoundedCache, Owner, declare_cache
from blackpoker.server.http.api.replay import move_ends
from blackpoker.server.worker_pool import FairQueue, WorkerPool
from blackpoker.text.markup import RichText, TextSpan

T = TypeVar("T")
log: logging.Logger = logging.getLogger("blackpoker.analysis")

#: play-outs for a whole game, and for one of its moves
GAME_PLAYOUTS = 300_000
MAX_PLAYOUTS = 3000
MIN_PLAYOUTS = 20
#: target seconds for a whole game; a slow machine uses fewer play-outs
TARGET_SECONDS = 6.0
#: moves in a slice, and the number of last moves analysed in a very long game
SLICE_MOVES = 20
FIRST_SLICE_MOVES = 4  # measures the speed of this machine
MAX_MOVES = 1500

MAX_TURNING_POINTS = 4
#: most falls by choices that are shown, the seconds for their causes, and the worlds in which a move is tried
MAX_FALLS = 8
FALL_SECONDS = 6.0
MIN_WORLDS = 16
#: a smaller change of the chance is no turning point
MIN_SWING = 0.06
#: among moves this close to each other only the most important is reported: passes around one request belong together
MIN_DISTANCE = 4

#: points of the curve of chances
MAX_CURVE_POINTS = 120

#: games that may wait in total and per address
MAX_QUEUED = 32
MAX_QUEUED_PER_ADDRESS = 4
#: analysed games
CACHE: Final = declare_cache("analysed games", 500, "known")


class BothTexts(Struct):
    """A text in both languages."""

    en: RichText
    ja: RichText


class TurningPoint(Struct):
    """A move that changed the game. ``step`` is its step of the replay. ``question`` is the prompt, empty if any action
    could be chosen. ``before`` and ``after`` are the chance of ``player`` to win, from 0 to 1. ``better`` is the move
    the search preferred, with the knowledge of that player. ``choice`` and ``luck`` add up to the change: the loss of
    the move compared with the best one, and everything that no player could choose. A fall by choices of more than ten
    percent has its ``cause``; then the figures are those of the round, and ``better`` is confirmed by playing on, with
    its effect as ``remedy``, and in the notation as ``better_move``."""

    step: int
    turn: int
    player: Literal["p1", "p2"]
    question: BothTexts
    move: BothTexts
    before: float
    after: float
    better: BothTexts | None = None
    choice: float = 0.0
    luck: float = 0.0
    cause: BothTexts | None = None
    remedy: BothTexts | None = None
    better_move: str = ""


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


def count_moves(text: str) -> int:
    return sum(1 for _ in replay(Game.from_record(text)))


def analyse_slice(text: str, first: int, count: int, playouts: int) -> list[WinChancePoint]:
    return list(win_chances(Game.from_record(text), playouts, 1, first, count))


def falls_of(text: str, points: list[WinChancePoint], last: float) -> list[DueFall]:
    """Return the largest falls by choices, in the order of the game."""
    found = due_falls(Game.from_record(text), points, last)
    largest = sorted(found, key=lambda due: due.choice)[:MAX_FALLS]
    return [due for due in found if due in largest]


def final_chance(text: str, playouts: int) -> float:
    return last_chance(Game.from_record(text), playouts)


def chart_data(text: str, points: list[WinChancePoint]) -> TurningPoints:
    """Return the curves and figures of a game; the turning points are added later."""
    game = Game.from_record(text)
    ends = move_ends(game)
    lives: list[LivesAt] = []
    most_damage, damaged_seat, paid = 0, 0, [0, 0]
    for number, step in enumerate(game.steps(), 1):
        taken, costs = life_lost(step)
        paid = [paid[0] + costs[0], paid[1] + costs[1]]
        if max(taken) > most_damage:
            most_damage, damaged_seat = max(taken), taken.index(max(taken))
        view = step.after.view(Audience.JUDGE)
        lives.append(LivesAt(number, int(view.p1.life), int(view.p2.life)))
    course = [
        ChanceAt(bisect_right(ends, point.index), point.turn, round(point.chance.first_wins, 3))
        for point in sample_points(points)
    ]
    over = game.outcome()
    if over is not None and over.winner is not None:  # the known result is the last point
        course.append(ChanceAt(len(ends), game.turn_number, 1.0 - int(over.winner)))
    facts = Facts(most_damage, "p2" if damaged_seat else "p1", paid[0], paid[1])
    return TurningPoints(True, 1.0, [], course, sample_points(lives), facts)


def sample_points(points: list[T]) -> list[T]:
    """Return at most as many points as a chart can show, including the last."""
    stride = max(1, -(-len(points) // MAX_CURVE_POINTS))
    return [point for position, point in enumerate(points) if position % stride == 0 or position == len(points) - 1]


def describe(text: str, turning: SwingMove, playouts: int) -> TurningPoint:
    """Return a turning point in the form the page shows."""
    game = Game.from_record(text)
    if turning.choice_cost < 0 or turning.swing < 0:
        turning = add_preferred_move(game, turning, playouts, 1)
    return describe_move(game, turning)


def describe_move(game: Game, turning: SwingMove) -> TurningPoint:
    """Return a move of a game in the form the page shows. ``game`` then stands before it."""
    point = turning.point
    step = sum(1 for end in move_ends(game) if end <= point.index)
    game.go_to(point.index)
    before, after = point.chance.first_wins, turning.after
    if point.player == 1:
        before, after = 1 - before, 1 - after
    # passing on one's own turn is not shown as advice
    has_advice = turning.better and (turning.better != "pass" or game.view(Audience.JUDGE).stage)
    played, better = move_text(game, point.text), move_text(game, turning.better) if has_advice else None
    if better == played:  # they differ in a detail that the log omits, such as the unit that pays
        played, better = (notation_text(text, game.regulation.edition) for text in (point.text, turning.better))
    return TurningPoint(
        step,
        point.turn,
        "p1" if point.player == 0 else "p2",
        prompt_text(game),
        played,
        round(before, 3),
        round(after, 3),
        better,
        round(point.choice_cost, 3),
        round(round(after, 3) - round(before, 3) - round(point.choice_cost, 3), 3),
    )


def describe_fall(text: str, due: DueFall, playouts: int) -> TurningPoint:
    """Return a fall of the chance by choices, with its cause, in the form the page shows."""
    game = Game.from_record(text)
    fall = find_cause(game, due, 3 * playouts, max(MIN_WORLDS, min(WORLDS, playouts)))
    better = "" if fall.better is None else fall.better.text
    found = describe_move(game, SwingMove(fall.point, 0.0, 0.0, better))
    cause, remedy = cause_text(fall), remedy_text(fall)
    found.before, found.after, found.choice = round(due.before, 3), round(due.after, 3), round(due.choice, 3)
    found.luck = round(found.after - found.before - found.choice, 3)
    found.cause = BothTexts(RichText(cause.en), RichText(cause.ja))
    found.better_move = better
    found.remedy = BothTexts(RichText(remedy.en), RichText(remedy.ja)) if remedy.en else None
    return found


def prompt_text(game: Game) -> BothTexts:
    decision = game.decision
    if decision is None or decision.kind == "chance":
        return BothTexts(RichText(), RichText())
    return BothTexts(decision.rich_prompt("en"), decision.rich_prompt("ja"))


def move_text(game: Game, text: str) -> BothTexts:
    """Return the text of a move: the label of its option if it has only one, else its log lines."""
    for option in game.decision.options if game.decision is not None else ():
        if option.text == text and option.action is not None:
            return BothTexts(RichText(option.title("en")), RichText(option.title("ja")))
        if option.text == text:
            return BothTexts(option.rich_label("en"), option.rich_label("ja"))
    step = game.copy().push(game.parse(text))
    return BothTexts(log_text(step, "en", text), log_text(step, "ja", text))


def notation_text(text: str, edition: Edition) -> BothTexts:
    return BothTexts(RichText(display(text, "en", edition)), RichText(display(text, "ja", edition)))


def log_text(step: GameStep, lang: Literal["ja", "en"], text: str) -> RichText:
    """Return the log lines of the move: an attack or a block has one for each soldier."""
    lines = step._log(lang, Audience.JUDGE)
    out = RichText()
    for line in takewhile(lambda line: line.kind == lines[0].kind, lines):
        out.text += " " if out.text and lang == "en" else ""
        out.spans += [TextSpan(span.start + len(out.text), span.end + len(out.text), span.ref) for span in line.spans]
        out.text += line.text
    return out if out.text else RichText(display(text, lang, step.before.regulation.edition))


# -- in the server -----------------------------------------------------------------------------------------------------


class AnalysisQueue:
    """Queue of games to analyse, fair by address and then by guest."""

    def __init__(self, workers: WorkerPool, spawn: Callable[[Coroutine[Any, Any, None]], None]) -> None:
        self.workers = workers
        self.spawn = spawn
        self.queue: FairQueue = FairQueue(1)
        self.queued: dict[str, str] = {}  # address of each game, by id, including the one being analysed
        self.results: BoundedCache[str, TurningPoints | None] = BoundedCache(CACHE)  # None: it could not be analysed
        self.progress: dict[str, float] = {}

    def known(self, id: str) -> bool:
        return id in self.results or id in self.queued

    def is_full(self, network: str) -> bool:
        """Return whether the queue is full, in total or for this address."""
        networks = list(self.queued.values())
        return len(networks) >= MAX_QUEUED or networks.count(network) >= MAX_QUEUED_PER_ADDRESS

    def state(self, id: str) -> TurningPoints | None:
        """Return the result or the progress of a known game; None if it could not be analysed."""
        if id in self.results:
            self.results.move_to_end(id)
            return self.results[id]
        return TurningPoints(False, round(self.progress.get(id, 0.0), 2), [])

    def submit(self, id: str, text: str, owner: Owner) -> None:
        if not self.known(id):  # two requests may arrive at once
            self.queued[id] = owner.network
            self.spawn(self.run_job(id, text, owner))

    async def run_job(self, id: str, text: str, owner: Owner) -> None:
        found: TurningPoints | None = None
        try:
            async with self.queue.turn(owner):
                found = await self.analyse(id, text)
        except Exception:  # an error in one game must not stop the queue
            log.exception("analysis failed")
        finally:
            del self.queued[id]
            self.progress.pop(id, None)
        self.results[id] = found

    async def run_in_process(self, job: Callable[..., Any], *args: Any) -> Any:
        return await self.workers.run(SERVER_OWNER, job, *args)

    async def analyse(self, id: str, text: str) -> TurningPoints:
        count: int = await self.run_in_process(count_moves, text)
        first = max(0, count - MAX_MOVES)
        playouts = max(MIN_PLAYOUTS, min(MAX_PLAYOUTS, GAME_PLAYOUTS // max(1, count - first)))
        max_playouts = playouts
        points: list[WinChancePoint] = []
        slice_points: list[WinChancePoint]
        while len(points) < count - first:
            started = time.monotonic()
            size = SLICE_MOVES if points else FIRST_SLICE_MOVES
            slice_points = await self.run_in_process(analyse_slice, text, first + len(points), size, playouts)
            elapsed = time.monotonic() - started
            share = TARGET_SECONDS * len(slice_points) / (count - first)
            playouts = max(MIN_PLAYOUTS, min(max_playouts, round(playouts * share / max(elapsed, 0.001))))
            points += slice_points
            self.progress[id] = 0.9 * len(points) / (count - first)
        if not points:
            return TurningPoints(True, 1.0, [])
        last: float = await self.run_in_process(final_chance, text, playouts)
        found: TurningPoints = await self.run_in_process(chart_data, text, points)
        found.coach = game_balance(points, last)
        falls: list[DueFall] = await self.run_in_process(falls_of, text, points, last)
        shown: list[TurningPoint] = []
        started = time.monotonic()
        explained: list[DueFall] = []
        for due in sorted(falls, key=lambda due: due.choice):
            if shown and time.monotonic() - started > FALL_SECONDS:
                break  # a slow machine explains the costliest ones; the others are ordinary turning points
            shown.append(await self.run_in_process(describe_fall, text, due, playouts))
            explained.append(due)
        for turning in select_turning_points(points, last, [due.points[0] for due in explained]):
            shown.append(await self.run_in_process(describe, text, turning, playouts))
        found.points = sorted(shown, key=lambda point: point.step)
        return found


def game_balance(points: list[WinChancePoint], last: float) -> CoachedGame:
    """Return choice and luck of the whole game, rounded so that they add up."""
    seats = []
    for player in (0, 1):
        cost = sum(point.choice_cost for point in points if point.player == player)
        seats.append(CoachedSeat(round(accuracy(points, player), 3), round(cost, 3)))
    before, after = round(points[0].chance.first_wins, 3), round(last, 3)
    return CoachedGame(seats[0], seats[1], before, after, round(after - before - seats[0].choice + seats[1].choice, 3))


def select_turning_points(
    points: list[WinChancePoint], last: float, reported: Sequence[WinChancePoint] = ()
) -> list[SwingMove]:
    """Return the turning points to report besides those ``reported``, in the order of the game."""
    positions = {point.index: number for number, point in enumerate(points)}
    found: dict[int, SwingMove] = {}
    others = [positions[point.index] for point in reported]
    for turning in swings(points, last):
        position = positions[turning.point.index]
        if abs(turning.swing) < MIN_SWING or len(found) + len(others) >= MAX_TURNING_POINTS:
            break
        if turning.point.text == "pass" and turning.point.choice_cost > -MIN_SWING:
            continue  # no action was taken there: the cause is reported at an earlier or later move
        if all(abs(position - other) >= MIN_DISTANCE for other in [*found, *others]):
            found[position] = turning
    return [found[position] for position in sorted(found)]
