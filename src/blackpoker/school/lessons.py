"""The lessons: TOML files of ``data/``, in the order of their names.

A lesson has an ``id``, the ``format`` it belongs to, the ``card`` that stands for it on the path, a title, a line about
it, and tasks. A task has a ``position`` (docs/notation.md), optionally ``play`` (lines of a scenario that lead to the
question), and

- ``ja``/``en``: what is to be done, the goal first; ``hint_*``: exactly how; ``good_*``: what is said when it is done;
- ``point``: what is pointed at; ``costs``: letters of costs that are shown as pictures;
- ``rulings``: those its claims rest on; each claim is played by tests/claims;
- ``goal``: what must be so in the end, as a scenario expects it; without a goal there is only something to read;
- ``way``: patterns of one's own sentences; whatever else is said leads astray, and ``wrong`` has words for some of it;
- ``turns``: how many turns may go by until then, none where it is left out;
- ``rival``: what the other side says, each sentence as soon as it may be said; otherwise it passes;
- ``answer`` and ``astray``: sentences that reach the goal and sentences that do not, for the tests and for those who
  want to be shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

from blackpoker.files.position import game_from
from blackpoker.files.scenario import ScriptRunner
from blackpoker.game import Game
from blackpoker.regulation import standard_edition
from blackpoker.school.exercise import OPEN, PLAIN, Judgement, fits, holds, scripted
from blackpoker.texts.data import Pair, pair, read_tables

DONE = Pair("できました！", "Well done!")
#: what may always be said in a task that names its way: it goes on
ENDED = Pair("ターンを終えてしまいました。", "You have ended your turn.")
PASSED = Pair("何もしないでパスしました。", "You have let it pass.")
CHOSE = Pair("選ぶものが違います。", "That is not the one to choose.")
MISSED = Pair("機会を逃しました。", "The moment has gone by.")


@dataclass(frozen=True)
class Task:
    text: Pair
    hint: Pair
    good: Pair
    point: tuple[str, ...]
    costs: str
    rulings: tuple[str, ...]
    position: Mapping[str, Any]
    play: str
    goal: tuple[str, ...]
    way: tuple[str, ...]
    wrong: tuple[tuple[str, Pair], ...]
    script: tuple[str, ...]
    answer: tuple[str, ...]
    astray: tuple[str, ...]
    turns: int
    counted: ClassVar[bool] = False  # who learns sees what a game shows

    @cached_property
    def start(self) -> str:
        return self.begin().to_json()

    def begin(self) -> Game:
        game = game_from(dict(self.position), "", 0)
        runner = ScriptRunner(game)
        for line in self.play.splitlines():
            runner.line(line)
        return game

    def rival_says(self, game: Game, script: list[str]) -> str:
        return scripted(game, script)

    def judge(self, game: Game, said: Sequence[str]) -> Judgement:
        if self.goal and holds(game, self.goal):
            return Judgement("done", self.good)
        if said and self.way and not fits(said[-1], self.way):
            return Judgement("astray", self.why_wrong(said[-1]))
        if game.outcome() is not None or (said and game.turn_number > self.turn + self.turns):
            return Judgement("astray", self.why_wrong(said[-1]) if self.named(said) else MISSED)
        return OPEN

    def named(self, said: Sequence[str]) -> bool:
        """Whether there are words of the task's own for what was said last."""
        return bool(said) and any(fits(said[-1], (pattern,)) for pattern, _ in self.wrong)

    @cached_property
    def turn(self) -> int:
        return int(self.begin().turn_number)

    def why_wrong(self, text: str) -> Pair:
        for pattern, why in self.wrong:
            if fits(text, (pattern,)):
                return why
        word = text.split(" ")[0]
        if word in PLAIN:
            return ENDED if word == "end" else PASSED
        action = next((one for one in standard_edition().actions if one.id == word), None)
        if action is None:
            return CHOSE
        return Pair(
            f"使ったのは「{action.ja}」です。ここでは別の手を使います。",
            f"That was {action.en}. Something else is wanted here.",
        )


@dataclass(frozen=True)
class Lesson:
    id: str
    format: str
    card: str
    title: Pair
    about: Pair
    tasks: tuple[Task, ...]


@cache
def lessons() -> tuple[Lesson, ...]:
    return tuple(
        Lesson(
            table["id"],
            table["format"],
            table["card"],
            pair(table, "title"),
            pair(table, "about"),
            tuple(map(read_task, table["task"])),
        )
        for name, table in read_tables("blackpoker.school.data").items()
        if name != "z_guide"
    )


@dataclass(frozen=True)
class Remark:
    """Something said in the guided game: ``when`` it fits (names of conditions, all of them), how many times, and the
    actions it advises: they are gold while it stands there."""

    id: str
    when: tuple[str, ...]
    times: int
    text: Pair
    point: tuple[str, ...]
    advise: tuple[str, ...]


@cache
def guide() -> tuple[Remark, ...]:
    """The remarks of the guided first game, the most pressing first."""
    return tuple(
        Remark(
            entry["id"],
            tuple(entry["when"].split()),
            entry["times"],
            pair(entry),
            tuple(entry.get("point", "").split()),
            tuple(entry.get("advise", "").split()),
        )
        for entry in read_tables("blackpoker.school.data")["z_guide"]["remark"]
    )


class Explained(NamedTuple):
    """A mark on the table, told once in the guided game."""

    id: str
    text: Pair


@cache
def marks() -> tuple[Explained, ...]:
    return tuple(
        Explained(entry["id"], pair(entry)) for entry in read_tables("blackpoker.school.data")["z_guide"]["mark"]
    )


@cache
def first_deal() -> str:
    """The position everybody's first game begins from."""
    return str(read_tables("blackpoker.school.data")["z_guide"]["deal"])


@cache
def lesson(id: str) -> Lesson | None:
    return next((one for one in lessons() if one.id == id), None)


def read_task(entry: Mapping[str, Any]) -> Task:
    def texts(name: str) -> tuple[str, ...]:
        found = entry.get(name, ())
        return (found,) if isinstance(found, str) else tuple(found)

    good = pair(entry, "good")
    return Task(
        pair(entry), pair(entry, "hint"), good if good.ja else DONE, tuple(entry.get("point", "").split()),
        entry.get("costs", ""), tuple(entry.get("rulings", "").split()), entry["position"], entry.get("play", ""),
        texts("goal"), texts("way"),
        tuple((one["say"], pair(one)) for one in entry.get("wrong", ())), texts("rival"), texts("answer"),
        texts("astray"), entry.get("turns", 0),
    )  # fmt: skip
