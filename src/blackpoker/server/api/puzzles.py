"""Puzzle endpoints: the list, the puzzle of the day, one puzzle with hints and solution, and playing it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from blackpoker import JUDGE, View
from blackpoker.errors import BlackPokerError
from blackpoker.players.puzzle_texts import (
    COLLECTIONS,
    best_of,
    collection_of,
    hints,
    reasons,
    sentence,
    shown,
    title,
    told,
    why,
)  # fmt: skip
from blackpoker.players.puzzles import Puzzle, by_id, every
from blackpoker.school.puzzle import PuzzleExercise, of_the_day
from blackpoker.server.api.caller import LangQuery, elsewhere
from blackpoker.server.api.rule_boards import BoardStep
from blackpoker.server.api.school import PracticeAnswer, Practised, practised
from blackpoker.server.net.exchange import HttpRequest, HttpResponse
from blackpoker.server.net.http import JSON, Endpoint, HttpProblem, Problem
from blackpoker.server.net.thinkers import within
from blackpoker.wire import protocol as p

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


class DayQuery(LangQuery):
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


def info(puzzle: Puzzle, lang: p.Lang) -> PuzzleInfo:
    return PuzzleInfo(
        puzzle.id, title(puzzle, lang), name_of(puzzle, lang), format_of(puzzle), puzzle.level, collection_of(puzzle)
    )


def name_of(puzzle: Puzzle, lang: p.Lang) -> str:
    return "" if puzzle.made else puzzle.title.in_lang(lang)


def format_of(puzzle: Puzzle) -> str:
    return str(puzzle.position.get("format") or str(puzzle.position.get("regulation", "master")).partition("+")[0])


def known(id: str) -> Puzzle:
    found = by_id().get(id)
    if found is None:
        raise HttpProblem(404, "no_puzzle", "there is no such puzzle", "その問題はありません")
    return found


async def puzzle_list(request: HttpRequest, query: DayQuery) -> PuzzleList:
    """Return all puzzles and the puzzle of the day, which changes at the caller's local midnight and is the same
    worldwide."""
    lang, now = query.lang, datetime.now(UTC).date()
    day = query.day or now
    if abs((day - now).days) > 1:
        raise HttpProblem(404, "no_such_day", f"it is {day} nowhere now", f"いま{day}の場所はありません")
    return PuzzleList(
        of_the_day(day).id,
        [CollectionInfo(one.id, one.name.in_lang(lang), one.about.in_lang(lang)) for one in COLLECTIONS],
        [info(one, lang) for one in every()],
    )


async def read_puzzle(request: HttpRequest, id: str, query: LangQuery) -> PuzzlePage:
    """Return a puzzle with its hints and its solution as text."""
    puzzle, lang = known(id), query.lang
    other = puzzle.position.get("p2", {})
    game = puzzle.start()
    return PuzzlePage(
        puzzle.id, title(puzzle, lang), name_of(puzzle, lang), format_of(puzzle), puzzle.level,
        collection_of(puzzle), list(lives(puzzle)),
        cards(other.get("hand", ""), lang), cards(other.get("bulwarks", ""), lang),
        hints(puzzle, lang), told(puzzle, lang),
        [WhyPage(*one) for one in why(puzzle, lang)], reasons(puzzle, lang), game.position(),
    )  # fmt: skip


def lives(puzzle: Puzzle) -> Iterator[int]:
    """Yield the life of both players, as a judge counts it."""
    view = puzzle.start().view(JUDGE)
    for side in (view.p1, view.p2):
        assert isinstance(side.life, int)
        yield side.life


def cards(text: object, lang: p.Lang) -> list[str]:
    return [shown(word.partition("(")[0], lang) for word in str(text).split()]


async def puzzle_boards(request: HttpRequest, body: BoardsAsked) -> dict[str, View]:
    """Return the boards of some puzzles for thumbnails; in a puzzle everything is open."""
    return {id: board(id) for id in body.puzzles if id in by_id()}


@lru_cache(200)
def board(id: str) -> View:
    return by_id()[id].start().view(JUDGE)


async def puzzle_line(request: HttpRequest, id: str, query: LangQuery) -> list[BoardStep]:
    """Return the solution as boards: the start, and the table after each move."""
    known(id)
    return line(id, query.lang)


@lru_cache(200)
def line(id: str, lang: p.Lang) -> list[BoardStep]:
    puzzle = by_id()[id]
    game = puzzle.start()
    steps = [BoardStep("", "", "", game.view(JUDGE))]
    for words in (one.partition(": ")[2] for one in puzzle.line or (f"p1: {best_of(id)}",)):
        by, text = f"p{game.player + 1}", sentence(game, words, lang)
        game.push_text(words)
        spoken = words != "pass"
        if not spoken and not steps[-1].by and len(steps) > 1:
            steps.pop()  # consecutive passes become one step
        steps.append(BoardStep(*(by, text, words.partition(" ")[0]) if spoken else ("", "", ""), game.view(JUDGE)))
    return steps


async def practise_puzzle(request: HttpRequest, id: str, body: Practised) -> HttpResponse:
    """Handle a message in a puzzle. A move is judged by search, in a worker process."""
    known(id)
    given = id, msgspec.json.encode(body)
    if not isinstance(body.message, p.Act) and not (isinstance(body.message, p.Join) and body.said):
        status, found = play_puzzle(*given)  # no move to judge
        return HttpResponse(found, status, media_type=JSON)
    try:
        status, found = await elsewhere(request, within, JUDGE_SECONDS, play_puzzle, *given)
    except TimeoutError:
        raise HttpProblem(
            503, "slow", "that takes too long to judge; try again", "判定に時間がかかりすぎました"
        ) from None
    return HttpResponse(found, status, media_type=JSON)


def play_puzzle(id: str, text: bytes) -> tuple[int, bytes]:
    """Return the status and the body of the response."""
    body = msgspec.json.decode(text, type=Practised)
    judged = isinstance(body.message, p.Act | p.Join)
    exercise = PuzzleExercise(by_id()[id], len(body.said) - 1 if judged else len(body.said))
    try:
        return 200, msgspec.json.encode(practised(exercise, body))
    except BlackPokerError as error:
        return 422, msgspec.json.encode(Problem("unreadable", error.en[:600], error.ja[:600]))


PUZZLES: Final = [
    Endpoint("GET", "/api/puzzles", puzzle_list, PuzzleList, query=DayQuery, problems=(404,)),
    Endpoint("POST", "/api/puzzles/boards", puzzle_boards, dict[str, View], body=BoardsAsked),
    Endpoint("GET", "/api/puzzles/{id}", read_puzzle, PuzzlePage, query=LangQuery, problems=(404,)),
    Endpoint("GET", "/api/puzzles/{id}/line", puzzle_line, list[BoardStep], query=LangQuery, problems=(404,)),
    Endpoint("POST", "/api/puzzles/{id}", practise_puzzle, PracticeAnswer, body=Practised, problems=(404, 503)),
]
