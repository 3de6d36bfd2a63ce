"""Endpoints of the lessons: their list, the guide of a first game, and stateless exercises, one message per request."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

from blackpoker import Player, View
from blackpoker.game.game import Game
from blackpoker.learn.exercise import Exercise
from blackpoker.learn.lessons import Lesson, first_game_position, guide_remarks, lesson, lessons, symbol_notes
from blackpoker.protocol import messages as p
from blackpoker.server.admission import COMPUTE, READ, cached
from blackpoker.server.http.api.context import EditionQuery, LangQuery, edition_of_query
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest
from blackpoker.server.rooms.exercise import ExerciseRoom

#: moves of the learner in an exercise
MAX_MOVES: Final = 60
MoveTexts = Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=MAX_MOVES)]


class LessonInfo(Struct):
    """A lesson in the list; ``card``: its symbol on the path."""

    id: str
    format: str
    card: str
    title: str
    about: str
    tasks: int


class TaskPage(Struct):
    """``read``: a task without a move; ``shown``: the solution, shown on request; ``board``: the start as the learner
    sees it."""

    text: str
    hint: str
    good: str
    point: list[str]
    costs: str
    read: bool
    shown: list[str]
    board: View


class LessonPage(Struct):
    id: str
    edition: str
    format: str
    title: str
    about: str
    tasks: list[TaskPage]


class RemarkPage(Struct):
    """A remark of the guide in a first game: its trigger, its maximal number of repetitions, and the actions it
    advises."""

    id: str
    when: list[str]
    times: int
    text: str
    point: list[str]
    advise: list[str]


class MarkPage(Struct):
    """The explanation of a mark on the table."""

    id: str
    text: str


class SchoolPage(Struct):
    """``deal``: the start position of a guided first game; ``marks``: explanations shown when a mark first appears."""

    lessons: list[LessonInfo]
    guide: list[RemarkPage]
    marks: list[MarkPage]
    deal: str


class Practised(Struct, forbid_unknown_fields=True):
    """The moves so far, and a message of the WebSocket protocol; ``since``: the last ``seq`` received."""

    message: p.AnyClientMessage
    moves: MoveTexts = []
    since: Annotated[int, Meta(ge=-1, le=2**31)] = -1
    lang: p.Lang = "ja"
    mode: p.Mode = "auto"


class PracticeAnswer(Struct):
    """The messages a room would have sent; ``state`` is ``open``, ``done`` or ``astray``, and ``text`` explains it."""

    messages: list[p.AnyServerMessage]
    moves: list[str]
    state: str
    text: str


async def read_school(request: HttpRequest, query: EditionQuery) -> SchoolPage:
    """Return the lessons of an edition in order, and the remarks of the guide."""
    lang = query.lang
    return SchoolPage(
        [
            LessonInfo(
                item.id, item.format, item.card, item.title.in_lang(lang), item.about.in_lang(lang), len(item.tasks)
            )
            for item in lessons(edition_of_query(query.edition).id)
        ],
        [
            RemarkPage(
                item.id, list(item.when), item.times, item.text.in_lang(lang), list(item.point), list(item.advise)
            )
            for item in guide_remarks()
        ],
        [MarkPage(item.id, item.text.in_lang(lang)) for item in symbol_notes()],
        first_game_position(),
    )


def find_lesson(id: str) -> Lesson:
    found = lesson(id)
    if found is None:
        raise HttpProblem(404, "no_lesson", "there is no such lesson", "そのレッスンはありません")
    return found


@cached("boards of tasks", 500, "known")
def task_board(id: str, number: int) -> View:
    return find_lesson(id).tasks[number].begin().view(Player.P1)


async def read_lesson(request: HttpRequest, id: str, query: LangQuery) -> LessonPage:
    """Return a lesson: its tasks and hints."""
    found, lang = find_lesson(id), query.lang
    tasks = [
        TaskPage(
            task.text.in_lang(lang),
            task.hint.in_lang(lang),
            task.good.in_lang(lang),
            list(task.point),
            task.costs,
            not task.goal,
            list(task.answer),
            task_board(id, number),
        )
        for number, task in enumerate(found.tasks)
    ]
    return LessonPage(
        found.id, found.edition, found.format, found.title.in_lang(lang), found.about.in_lang(lang), tasks
    )


async def send_lesson_message(request: HttpRequest, id: str, task: str, body: Practised) -> PracticeAnswer:
    """Handle a message in a task of a lesson."""
    tasks = find_lesson(id).tasks
    number = int(task) if task.isdecimal() and len(task) < 4 else 0
    if not 1 <= number <= len(tasks):
        raise HttpProblem(404, "no_task", "there is no such task", "その課題はありません")
    return run_message(tasks[number - 1], body)


def run_message(exercise: Exercise, body: Practised) -> PracticeAnswer:
    regulation = Game.from_json(exercise.start).regulation.text
    room = ExerciseRoom(exercise, regulation, body.moves, body.mode)
    messages = room.handle(body.message, body.lang, body.since)
    progress = room.judgement
    return PracticeAnswer(messages, room.played, progress.status, progress.text.in_lang(body.lang))


SCHOOL_ENDPOINTS: Final = [
    Endpoint("GET", "/api/school", read_school, SchoolPage, query=EditionQuery, problems=(404,), cost=READ),
    Endpoint("GET", "/api/school/{id}", read_lesson, LessonPage, query=LangQuery, problems=(404,), cost=READ),
    Endpoint(
        "POST",
        "/api/school/{id}/{task}",
        send_lesson_message,
        PracticeAnswer,
        body=Practised,
        problems=(404,),
        cost=COMPUTE,
    ),
]
