"""The lessons: TOML files of ``data/``, one folder per edition, in the order of their names.

A lesson has an ``id``, the ``format`` it belongs to, the ``card`` that represents it on the path, a title, a
description, and tasks. A task has a ``position`` (docs/notation.md) or, to begin with the set-up, a ``regulation`` and
a ``deal`` as a scenario has, optionally ``play`` (lines of a scenario that lead to the question), and

- ``ja``/``en``: the task, the goal first; ``hint_*``: the exact steps; ``good_*``: the text on success;
- ``point``: elements to highlight; ``costs``: letters of costs shown as pictures;
- ``rulings``: the rulings its statements rest on; each statement is played by tests/unit/test_lesson_claims.py;
- ``goal``: expectations that must hold at the end, as in a scenario; without a goal the task is only text;
- ``way``: patterns of accepted own moves; any other move fails the task, and ``wrong`` has texts for some of them;
- ``turns``: the number of turns allowed until then, 0 by default;
- ``rival``: the opponent's moves, each made as soon as it is legal; otherwise the opponent passes;
- ``answer`` and ``astray``: moves that reach the goal and moves that do not, for the tests and for the demonstration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

from blackpoker.formats.position import game_from_tables
from blackpoker.game.game import Game
from blackpoker.learn.exercise import OPEN, PLAIN, ExerciseState, all_hold, matches, scripted_move
from blackpoker.ruleset import edition_named
from blackpoker.scenario.scenario import ScriptRunner, deal_game
from blackpoker.text.resources import FIRST_EDITION, Bilingual, bilingual, read_tables, text_editions

DONE = Bilingual("できました！", "Well done!")
#: texts for moves outside a task's ``way``
ENDED = Bilingual("ターンを終えてしまいました。", "You have ended your turn.")
PASSED = Bilingual("何もしないでパスしました。", "You have let it pass.")
CHOSE = Bilingual("選ぶものが違います。", "That is not the one to choose.")
MISSED = Bilingual("機会を逃しました。", "The moment has gone by.")


@dataclass(frozen=True)
class Task:
    text: Bilingual
    hint: Bilingual
    good: Bilingual
    point: tuple[str, ...]
    costs: str
    rulings: tuple[str, ...]
    position: Mapping[str, Any]
    regulation: str
    deal: Mapping[str, str]
    play: str
    goal: tuple[str, ...]
    way: tuple[str, ...]
    wrong: tuple[tuple[str, Bilingual], ...]
    script: tuple[str, ...]
    answer: tuple[str, ...]
    astray: tuple[str, ...]
    turns: int
    exact_life: ClassVar[bool] = False  # a learner sees what a game shows

    @cached_property
    def start(self) -> str:
        return self.begin().to_json()

    def begin(self) -> Game:
        if self.deal:
            game = deal_game(self.regulation, dict(self.deal), edition_named())
        else:
            game = game_from_tables(dict(self.position), "", 0)
        runner = ScriptRunner(game)
        for line in self.play.splitlines():
            runner.line(line)
        return game

    def opponent_move(self, game: Game, script: list[str]) -> str:
        return scripted_move(game, script)

    def evaluate(self, game: Game, moves: Sequence[str]) -> ExerciseState:
        if self.goal and all_hold(game, self.goal):
            return ExerciseState("done", self.good)
        if moves and self.way and not matches(moves[-1], self.way):
            return ExerciseState("astray", self.failure_text(moves[-1]))
        if game.outcome() is not None or (moves and game.turn_number > self.turn + self.turns):
            return ExerciseState("astray", self.failure_text(moves[-1]) if self.has_own_text(moves) else MISSED)
        return OPEN

    def has_own_text(self, moves: Sequence[str]) -> bool:
        """Return whether the task has its own text for the last move."""
        return bool(moves) and any(matches(moves[-1], (pattern,)) for pattern, _ in self.wrong)

    @cached_property
    def turn(self) -> int:
        return int(self.begin().turn_number)

    def failure_text(self, text: str) -> Bilingual:
        for pattern, why in self.wrong:
            if matches(text, (pattern,)):
                return why
        word = text.split(" ")[0]
        if word in PLAIN:
            return ENDED if word == "end" else PASSED
        action = next((one for one in self.begin().regulation.edition.actions if one.id == word), None)
        if action is None:
            return CHOSE
        return Bilingual(
            f"使ったのは「{action.ja}」です。ここでは別の手を使います。",
            f"That was {action.en}. Something else is wanted here.",
        )


@dataclass(frozen=True)
class Lesson:
    id: str
    edition: str
    format: str
    card: str
    title: Bilingual
    about: Bilingual
    tasks: tuple[Task, ...]


_DATA = "blackpoker.learn.data"
#: files of a folder that are not on the path of lessons
GUIDE, FIRST_MOVE = "z_guide", "z_first_move"


@cache
def lessons(edition: str = FIRST_EDITION) -> tuple[Lesson, ...]:
    """Return the path of lessons of an edition."""
    return tuple(
        read_lesson(table, edition)
        for name, table in read_tables(_DATA, edition).items()
        if name not in (GUIDE, FIRST_MOVE)
    )


def all_lessons() -> tuple[Lesson, ...]:
    """Return the lessons of all editions; the ids of later ones begin with that of the edition."""
    return tuple(lesson for edition in text_editions() for lesson in lessons(edition))


@cache
def first_move() -> Lesson:
    """Return the lesson of one task that a first visitor's home screen shows: an attack that wins."""
    return read_lesson(read_tables(_DATA, FIRST_EDITION)[FIRST_MOVE], FIRST_EDITION)


def read_lesson(table: Mapping[str, Any], edition: str) -> Lesson:
    return Lesson(
        table["id"],
        edition,
        table["format"],
        table["card"],
        bilingual(table, "title"),
        bilingual(table, "about"),
        tuple(map(read_task, table["task"])),
    )


@dataclass(frozen=True)
class Remark:
    """A remark of the guided game: the conditions under which it is shown (all of them must hold), how many times it
    is shown, and the actions it recommends, which are highlighted meanwhile.
    """

    id: str
    when: tuple[str, ...]
    times: int
    text: Bilingual
    point: tuple[str, ...]
    advise: tuple[str, ...]


@cache
def guide_remarks() -> tuple[Remark, ...]:
    """Return the remarks of the guided first game, highest priority first."""
    return tuple(
        Remark(
            entry["id"],
            tuple(entry["when"].split()),
            entry["times"],
            bilingual(entry),
            tuple(entry.get("point", "").split()),
            tuple(entry.get("advise", "").split()),
        )
        for entry in read_tables(_DATA, FIRST_EDITION)[GUIDE]["remark"]
    )


class SymbolNote(NamedTuple):
    """A symbol on the table, explained once in the guided game."""

    id: str
    text: Bilingual


@cache
def symbol_notes() -> tuple[SymbolNote, ...]:
    return tuple(
        SymbolNote(entry["id"], bilingual(entry)) for entry in read_tables(_DATA, FIRST_EDITION)[GUIDE]["mark"]
    )


@cache
def first_game_position() -> str:
    """Return the start position of the guided first game."""
    return str(read_tables(_DATA, FIRST_EDITION)[GUIDE]["deal"])


def lesson(id: str) -> Lesson | None:
    return next((one for one in (*all_lessons(), first_move()) if one.id == id), None)


def read_task(entry: Mapping[str, Any]) -> Task:
    def texts(name: str) -> tuple[str, ...]:
        found = entry.get(name, ())
        return (found,) if isinstance(found, str) else tuple(found)

    good = bilingual(entry, "good")
    return Task(
        bilingual(entry),
        bilingual(entry, "hint"),
        good if good.ja else DONE,
        tuple(entry.get("point", "").split()),
        entry.get("costs", ""),
        tuple(entry.get("rulings", "").split()),
        entry.get("position", {}),
        entry.get("regulation", ""),
        entry.get("deal", {}),
        entry.get("play", ""),
        texts("goal"),
        texts("way"),
        tuple((one["say"], bilingual(one)) for one in entry.get("wrong", ())),
        texts("rival"),
        texts("answer"),
        texts("astray"),
        entry.get("turns", 0),
    )
