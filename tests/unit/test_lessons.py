"""The lessons: each can be passed, failed and recovered; those of edition 6 cover every action and trump of the edition,
those of edition 9 what is new in it."""

from __future__ import annotations

import pytest

from blackpoker import Audience
from blackpoker.learn.lessons import Lesson, Task, all_lessons, first_move, lessons
from blackpoker.ruleset import edition_named, standard_edition
from blackpoker.server.rooms.exercise import ExerciseRoom

ALL_TASKS = [
    (lesson, number, task) for lesson in (*all_lessons(), first_move()) for number, task in enumerate(lesson.tasks, 1)
]
TASKS = [pytest.param(lesson, task, id=f"{lesson.id}-{number}") for lesson, number, task in ALL_TASKS]
DOABLE = [pytest.param(lesson, task, id=f"{lesson.id}-{number}") for lesson, number, task in ALL_TASKS if task.goal]


def played(task: Task, moves: list[str] | tuple[str, ...]) -> ExerciseRoom:
    return ExerciseRoom(task, task.begin().regulation.text, moves, "auto")


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_task_is_open_at_first(lesson: Lesson, task: Task) -> None:
    practice = played(task, ())
    assert practice.judgement.status == "open"
    assert practice.room.room_game.player == 0, "P1 is the one to choose"
    assert task.goal or not task.answer


@pytest.mark.parametrize(("lesson", "task"), DOABLE)
def test_answer_reaches_the_goal(lesson: Lesson, task: Task) -> None:
    for number in range(1, len(task.answer)):
        assert played(task, task.answer[:number]).judgement.status == "open", task.answer[:number]
    practice = played(task, task.answer)
    assert practice.judgement.status == "done", practice.game.position()
    assert len(practice.played) == len(task.answer)


@pytest.mark.parametrize(("lesson", "task"), DOABLE)
def test_wrong_turn_is_noticed_and_leads_back(lesson: Lesson, task: Task) -> None:
    assert task.astray, "a task needs a wrong turn to be noticed"
    practice = played(task, task.astray)
    assert practice.judgement.status == "astray", practice.game.position()
    assert practice.judgement.text.ja
    assert practice.judgement.text.en
    back = list(task.astray[:-1])
    assert played(task, back).judgement.status == "open"
    rest = task.answer[len(back) :] if task.answer[: len(back)] == tuple(back) else task.answer
    assert played(task, [*(back if rest is not task.answer else []), *rest]).judgement.status == "done"


@pytest.mark.parametrize(("lesson", "task"), TASKS)
def test_texts_are_there_in_both_languages(lesson: Lesson, task: Task) -> None:
    pairs = [lesson.title, lesson.about, task.text, task.good, *(why for _, why in task.wrong)]
    if task.goal:
        pairs.append(task.hint)
    for one in pairs:
        assert one.ja
        assert one.en
        assert one.ja != one.en
    assert set(task.costs) <= set("BLDSC" if lesson.edition == "9" else "BLDS")


def test_every_action_and_trump_is_met() -> None:
    """An action is covered if a lesson requests or triggers it, a trump if it is open and named in the task's text."""
    edition = standard_edition()
    actions: set[str] = set()
    trumps: set[str] = set()
    for lesson in lessons():
        for task in lesson.tasks:
            game = played(task, task.answer).game
            actions |= {event.action for event in game.event_views(Audience.JUDGE) if event.action is not None}
            sides = [str(task.position[seat].get("trumps", "")) for seat in ("p1", "p2")]
            trumps |= {
                one.id
                for one in edition.trumps
                if f"T:{ascii_of(one.card)}" in " ".join(sides).split()
                and f"{one.card}「{one.ja}」" in task.text.ja
                and f"{one.card} {one.en}" in task.text.en
            }
    assert {one.id for one in edition.actions} - actions == set()
    assert {one.id for one in edition.trumps} - trumps == set()


def ascii_of(card: str) -> str:
    return "SHDC"["♠♡♢♣".index(card[0])] + card[1:]


def test_lite_comes_first_in_eight_lessons_then_the_other_formats() -> None:
    formats = [lesson.format for lesson in lessons()]
    assert formats[:8] == ["lite"] * 8
    order = [format.id for format in standard_edition().formats]
    assert [order.index(one) for one in formats] == sorted(order.index(one) for one in formats)
    assert set(formats) == set(order)
    assert "山札" in lessons()[0].title.ja, "the goal comes first"
    assert set("BLD") == set("".join(task.costs for task in lessons()[0].tasks)), "the costs of Lite"
    assert "S" in "".join(task.costs for lesson in lessons()[8:] for task in lesson.tasks)
    assert len({lesson.id for lesson in all_lessons()}) == len(all_lessons())


def test_edition_9_begins_with_entry_16_and_teaches_what_is_new() -> None:
    path = lessons("9")
    assert [lesson.format for lesson in path] == sorted(
        (lesson.format for lesson in path), key=[format.id for format in edition_named("9").formats].index
    )
    assert {lesson.format for lesson in path} == {format.id for format in edition_named("9").formats}
    started = [{task.begin().regulation.text for task in lesson.tasks} for lesson in path]
    assert started[:7] == [{"9:lite+entry16"}] * 7
    recommended = {f"9:{entry.id}+{frame}" for entry in edition_named("9").formats for frame in entry.recommended}
    assert {text for texts in started for text in texts} <= recommended
    assert {lesson.id.startswith("9-") for lesson in path} == {True}
    used: set[str] = set()
    for lesson in path:
        for task in lesson.tasks:
            game = played(task, task.answer).game
            used |= {event.action for event in game.event_views(Audience.JUDGE) if event.action is not None}
    new = {"open_pack", "summon_rare", "trap_counter", "quick_open", "slash", "close_trump", "reverse", "up", "force"}
    assert new <= used
    setups = [task for lesson in path for task in lesson.tasks if task.deal]
    assert {task.regulation for task in setups} == {"9:pro+strategy", "9:master+draft"}
