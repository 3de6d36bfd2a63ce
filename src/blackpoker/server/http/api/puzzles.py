"""Puzzle endpoints: the list, the puzzle of the day, one puzzle with hints and solution, and playing it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from blackpoker import Audience, View
from blackpoker.errors import BlackPokerError
from blackpoker.learn.puzzles.model import Puzzle, all_puzzles, by_id
from blackpoker.learn.puzzles.play import PuzzleExercise, puzzle_of_the_day
from blackpoker.learn.puzzles.text import (
    COLLECTIONS,
    best_of,
    collection_of,
    display_name,
    hints,
    line_sentences,
    move_text,
    reasons,
    solution_actions,
    title,
)
from blackpoker.protocol import messages as p
from blackpoker.server.admission import COMPUTE, JOB, READ, cached, declare_job
from blackpoker.server.http.api.context import EditionQuery, LangQuery, edition_of_query, run_in_process
from blackpoker.server.http.api.lessons import PracticeAnswer, Practised, run_message
from blackpoker.server.http.api.rule_examples import BoardStep
from blackpoker.server.http.endpoint import JSON, Endpoint, HttpProblem, Problem
from blackpoker.server.http.types import HttpRequest, HttpResponse
from blackpoker.server.worker_pool import with_time_limit

#: seconds in which an answer must be judged
JUDGE_SECONDS: Final = 6.0


class PuzzleInfo(Struct):
    """A puzzle in the list. ``title``: the task; ``name``: the title of a handmade puzzle; ``level``: depth of the
    solution, 1 to 5; ``collection``: the collection it belongs to."""

    id: str
    title: str
    name: str
    format: str
    level: int
    collection: str


class CollectionInfo(Struct):
    """Puzzles of one kind."""

    id: str
    name: str
    about: str


class DayQuery(EditionQuery):
    """``day``: the date at the player's place; by default the server's, in UTC."""

    day: date | None = None


class PuzzleList(Struct):
    today: str
    collections: list[CollectionInfo]
    puzzles: list[PuzzleInfo]


class BoardsAsked(Struct, forbid_unknown_fields=True):
    """The ids of puzzles."""

    puzzles: Annotated[list[str], Meta(max_length=24)]


class WhyPage(Struct):
    """An action of the solution, its keys, and its effect."""

    action: str
    cards: list[str]
    name: str
    text: str


class PuzzlePage(Struct):
    """``solution``: the moves of the solution; ``why``: the actions it consists of; ``reasons``: why no other move
    works. ``life``: the life of both players, also where a game would hide it; ``hand`` and ``bulwarks``: those of the
    other side. In a puzzle everything is open. ``position``: the position as text."""

    id: str
    edition: str
    title: str
    name: str
    format: str
    level: int
    collection: str
    life: list[int]
    hand: list[str]
    bulwarks: list[str]
    hints: list[str]
    solution: list[str]
    why: list[WhyPage]
    reasons: list[str]
    position: str


def puzzle_info(puzzle: Puzzle, lang: p.Lang) -> PuzzleInfo:
    return PuzzleInfo(
        puzzle.id, title(puzzle, lang), name_of(puzzle, lang), format_of(puzzle), puzzle.level, collection_of(puzzle)
    )


def name_of(puzzle: Puzzle, lang: p.Lang) -> str:
    return "" if puzzle.generated else puzzle.title.in_lang(lang)


def format_of(puzzle: Puzzle) -> str:
    named = str(puzzle.position.get("regulation", "master"))
    return str(puzzle.position.get("format") or named.rpartition(":")[2].partition("+")[0])


def find_puzzle(id: str) -> Puzzle:
    found = by_id().get(id)
    if found is None:
        raise HttpProblem(404, "no_puzzle", "there is no such puzzle", "その問題はありません")
    return found


async def list_puzzles(request: HttpRequest, query: DayQuery) -> PuzzleList:
    """Return all puzzles of an edition and its puzzle of the day, which changes at the caller's local midnight and is
    the same worldwide."""
    edition = edition_of_query(query.edition).id
    lang, now = query.lang, datetime.now(UTC).date()
    day = query.day or now
    if abs((day - now).days) > 1:
        raise HttpProblem(404, "no_such_day", f"it is {day} nowhere now", f"いま{day}の場所はありません")
    return PuzzleList(
        puzzle_of_the_day(day, edition).id,
        [CollectionInfo(puzzle.id, puzzle.name.in_lang(lang), puzzle.about.in_lang(lang)) for puzzle in COLLECTIONS],
        [puzzle_info(puzzle, lang) for puzzle in all_puzzles(edition)],
    )


async def read_puzzle(request: HttpRequest, id: str, query: LangQuery) -> PuzzlePage:
    """Return a puzzle with its hints and its solution as text."""
    puzzle, lang = find_puzzle(id), query.lang
    other = puzzle.position.get("p2", {})
    game = puzzle.start()
    return PuzzlePage(
        puzzle.id,
        puzzle.edition,
        title(puzzle, lang),
        name_of(puzzle, lang),
        format_of(puzzle),
        puzzle.level,
        collection_of(puzzle),
        list(life_totals(puzzle)),
        card_names(other.get("hand", ""), lang),
        card_names(other.get("bulwarks", ""), lang),
        hints(puzzle, lang),
        line_sentences(puzzle, lang),
        [WhyPage(*one) for one in solution_actions(puzzle, lang)],
        reasons(puzzle, lang),
        game.position(),
    )


def life_totals(puzzle: Puzzle) -> Iterator[int]:
    """Yield the life of both players, as a judge counts it."""
    view = puzzle.start().view(Audience.JUDGE)
    for side in (view.p1, view.p2):
        assert isinstance(side.life, int)
        yield side.life


def card_names(text: object, lang: p.Lang) -> list[str]:
    return [display_name(token.partition("(")[0], lang) for token in str(text).split()]


async def read_boards(request: HttpRequest, body: BoardsAsked) -> dict[str, View]:
    """Return the boards of some puzzles for thumbnails; in a puzzle everything is open."""
    return {id: board(id) for id in body.puzzles if id in by_id()}


@cached("boards of puzzles", 200, "known")
def board(id: str) -> View:
    return by_id()[id].start().view(Audience.JUDGE)


async def read_solution_boards(request: HttpRequest, id: str, query: LangQuery) -> list[BoardStep]:
    """Return the solution as boards: the start, and the table after each move."""
    find_puzzle(id)
    return solution_boards(id, query.lang)


@cached("solutions of puzzles", 200, "known")
def solution_boards(id: str, lang: p.Lang) -> list[BoardStep]:
    puzzle = by_id()[id]
    game = puzzle.start()
    steps = [BoardStep("", "", "", game.view(Audience.JUDGE))]
    for line_text in (text_line.partition(": ")[2] for text_line in puzzle.line or (f"p1: {best_of(id)}",)):
        seat, text = str(game.player), move_text(game, line_text, lang)
        game.push_text(line_text)
        acted = line_text != "pass"
        if not acted and not steps[-1].by and len(steps) > 1:
            steps.pop()  # consecutive passes become one step
        steps.append(
            BoardStep(*(seat, text, line_text.partition(" ")[0]) if acted else ("", "", ""), game.view(Audience.JUDGE))
        )
    return steps


JUDGE_MOVE: Final = declare_job("move in a puzzle", JOB, with_time_limit)


async def send_puzzle_message(request: HttpRequest, id: str, body: Practised) -> HttpResponse:
    """Handle a message in a puzzle. A move is judged by search, in a worker process."""
    find_puzzle(id)
    args = id, msgspec.json.encode(body)
    if not isinstance(body.message, p.SubmitMove) and not (isinstance(body.message, p.Join) and body.moves):
        status, found = run_puzzle_message(*args)  # no move to judge
        return HttpResponse(found, status, media_type=JSON)
    try:
        status, found = await run_in_process(request, JUDGE_MOVE, JUDGE_SECONDS, run_puzzle_message, *args)
    except TimeoutError:
        raise HttpProblem(
            503, "slow", "that takes too long to judge; try again", "判定に時間がかかりすぎました"
        ) from None
    return HttpResponse(found, status, media_type=JSON)


def run_puzzle_message(id: str, text: bytes) -> tuple[int, bytes]:
    """Return the status and the body of the response."""
    body = msgspec.json.decode(text, type=Practised)
    is_judged = isinstance(body.message, p.SubmitMove | p.Join)
    exercise = PuzzleExercise(by_id()[id], len(body.moves) - 1 if is_judged else len(body.moves))
    try:
        return 200, msgspec.json.encode(run_message(exercise, body))
    except BlackPokerError as error:
        return 422, msgspec.json.encode(Problem("unreadable", error.en[:600], error.ja[:600]))


PUZZLE_ENDPOINTS: Final = [
    Endpoint("GET", "/api/puzzles", list_puzzles, PuzzleList, query=DayQuery, problems=(404,), cost=READ),
    Endpoint("POST", "/api/puzzles/boards", read_boards, dict[str, View], body=BoardsAsked, cost=COMPUTE),
    Endpoint("GET", "/api/puzzles/{id}", read_puzzle, PuzzlePage, query=LangQuery, problems=(404,), cost=COMPUTE),
    Endpoint(
        "GET",
        "/api/puzzles/{id}/line",
        read_solution_boards,
        list[BoardStep],
        query=LangQuery,
        problems=(404,),
        cost=COMPUTE,
    ),
    Endpoint(
        "POST", "/api/puzzles/{id}", send_puzzle_message, PracticeAnswer, body=Practised, problems=(404, 503), cost=JOB
    ),
]
