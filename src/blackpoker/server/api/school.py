"""Endpoints of the lessons: their list, the guide of a first game, and stateless exercises, one message per request."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Final

from msgspec import Meta, Struct

from blackpoker import View
from blackpoker.game import P1, Game
from blackpoker.school.exercise import Exercise
from blackpoker.school.lessons import Lesson, first_deal, guide, lesson, lessons, marks
from blackpoker.server.api.caller import LangQuery
from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.http import Endpoint, HttpProblem
from blackpoker.server.rooms.practice import Practice
from blackpoker.wire import protocol as p

#: moves of the learner in an exercise
MOST_SAID: Final = 60
Sentences = Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=MOST_SAID)]


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

    message: p.ClientMessage
    said: Sentences = []
    since: Annotated[int, Meta(ge=-1, le=2**31)] = -1
    lang: p.Lang = "ja"
    mode: p.Mode = "auto"


class PracticeAnswer(Struct):
    """The messages a room would have sent; ``state`` is ``open``, ``done`` or ``astray``, and ``text`` explains it."""

    messages: list[p.ServerMessage]
    said: list[str]
    state: str
    text: str


async def school(request: HttpRequest, query: LangQuery) -> SchoolPage:
    """Return the lessons in order, and the remarks of the guide."""
    lang = query.lang
    return SchoolPage(
        [
            LessonInfo(one.id, one.format, one.card, one.title.in_lang(lang), one.about.in_lang(lang), len(one.tasks))
            for one in lessons()
        ],
        [
            RemarkPage(one.id, list(one.when), one.times, one.text.in_lang(lang), list(one.point), list(one.advise))
            for one in guide()
        ],
        [MarkPage(one.id, one.text.in_lang(lang)) for one in marks()],
        first_deal(),
    )


def known(id: str) -> Lesson:
    found = lesson(id)
    if found is None:
        raise HttpProblem(404, "no_lesson", "there is no such lesson", "そのレッスンはありません")
    return found


@cache
def board(id: str, number: int) -> View:
    return known(id).tasks[number].begin().view(P1)


async def read_lesson(request: HttpRequest, id: str, query: LangQuery) -> LessonPage:
    """Return a lesson: its tasks and hints."""
    one, lang = known(id), query.lang
    tasks = [
        TaskPage(
            task.text.in_lang(lang), task.hint.in_lang(lang), task.good.in_lang(lang), list(task.point), task.costs,
            not task.goal, list(task.answer), board(id, number),
        )
        for number, task in enumerate(one.tasks)
    ]  # fmt: skip
    return LessonPage(one.id, one.format, one.title.in_lang(lang), one.about.in_lang(lang), tasks)


async def practise(request: HttpRequest, id: str, task: str, body: Practised) -> PracticeAnswer:
    """Handle a message in a task of a lesson."""
    tasks = known(id).tasks
    number = int(task) if task.isdecimal() and len(task) < 4 else 0
    if not 1 <= number <= len(tasks):
        raise HttpProblem(404, "no_task", "there is no such task", "その課題はありません")
    return practised(tasks[number - 1], body)


def practised(exercise: Exercise, body: Practised) -> PracticeAnswer:
    regulation = Game.from_json(exercise.start).regulation.text
    practice = Practice(exercise, regulation, body.said, body.mode)
    messages = practice.hear(body.message, body.lang, body.since)
    standing = practice.standing
    return PracticeAnswer(messages, practice.said, standing.state, standing.text.in_lang(body.lang))


SCHOOL: Final = [
    Endpoint("GET", "/api/school", school, SchoolPage, query=LangQuery),
    Endpoint("GET", "/api/school/{id}", read_lesson, LessonPage, query=LangQuery, problems=(404,)),
    Endpoint("POST", "/api/school/{id}/{task}", practise, PracticeAnswer, body=Practised, problems=(404,)),
]
