"""Rule examples as boards: the start, and the table after each move of a scenario."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from blackpoker import View
from blackpoker.errors import BlackPokerError
from blackpoker.files.expectations import Failure
from blackpoker.files.scenario import ScriptRunner, read_scenario, start
from blackpoker.game import JUDGE
from blackpoker.players.puzzle_texts import sentence
from blackpoker.server.api import rule_pages
from blackpoker.server.api.caller import LangQuery
from blackpoker.server.net.exchange import HttpRequest
from blackpoker.server.net.http import Endpoint, HttpProblem
from blackpoker.texts import quick
from blackpoker.texts.catalogue import COST_NAMES
from blackpoker.texts.rulebook import cost_words

#: lines of a script that make no move
NOT_PLAYED: Final = ("expect", "legal", "illegal", "no_chance", "#")


class BoardStep(Struct):
    """``said``: the move that led here, as a player reads it, and ``by`` its player; empty at the start."""

    by: str
    said: str
    action: str
    view: View


class RuleBoards(Struct):
    """``of``: the step in which the rule itself is used; everything is open."""

    steps: list[BoardStep]
    of: int


class QuickItem(Struct):
    """``cards``: to draw, with ``sign`` after the first; one with a minus is face down."""

    title: str
    text: str
    cards: list[str]
    sign: str


class QuickBlock(Struct):
    """``page``: of the booklet; 0: only in print."""

    id: str
    page: int
    title: str
    text: str
    items: list[QuickItem]
    actions: list[str] = []  # shown with their keys and costs


class Term(Struct):
    ja: str
    en: str


class QuickStart(Struct):
    """The quick-start guide of two pages, and the glossary in both languages."""

    blocks: list[QuickBlock]
    terms: list[Term]


def spoken_by(who: str, said: str) -> str:
    """Return the move as if P1 made it, because the notation names P1's own cards without a seat. The mark of seen
    cards is removed."""
    plain = said.replace("^", "")
    return plain if who == "p1" else re.sub(r"\bp([12])\b", lambda seat: "p2" if seat[1] == "1" else "p1", plain)


@cache
def boards(id: str, lang: Literal["ja", "en"]) -> RuleBoards | None:
    """Return the example step by step; None if there is none."""
    found = rule_pages.example(id)
    if found is None:
        return None
    scenario = read_scenario(found.text)
    variant = scenario.variants[0]
    runner = ScriptRunner(start(variant))
    steps = [BoardStep("", "", "", runner.game.view(JUDGE))]
    for line in variant.play.splitlines():
        who, _, said = line.strip().partition(": ")
        if not line.strip() or line.split()[0] in NOT_PLAYED:
            continue
        spoken = who in ("p1", "p2") and said != "pass"
        told = ("", "", "")
        if spoken:
            told = (who, sentence(runner.game, spoken_by(who, said), lang), said.partition(" ")[0])
        try:
            runner.line(line)
        except (Failure, BlackPokerError):
            break  # the scenario tests a rule of another edition
        if not spoken and len(steps) > 1 and not steps[-1].by:
            steps.pop()  # consecutive passes become one step
        steps.append(BoardStep(*told, runner.game.view(JUDGE)))
    of = next((at for at, step in enumerate(steps) if step.action == id), min(1, len(steps) - 1))
    return RuleBoards(steps, of)


async def rule_boards(request: HttpRequest, id: str, query: LangQuery) -> RuleBoards:
    """Return the example of an action, a trump or a ruling, step by step."""
    found = boards(id, query.lang)
    if found is None:
        raise HttpProblem(404, "no_example", "there is no scenario for that", "その項目の例はありません")
    return found


@cache
def quick_start(lang: Literal["ja", "en"]) -> QuickStart:
    """Return the quick-start guide. The texts of the costs come from the catalogue shared by all pages."""
    out = []
    for block in quick.blocks():
        items = [
            QuickItem(one.title.in_lang(lang), one.text.in_lang(lang), list(one.cards), one.sign) for one in block.items
        ]  # fmt: skip
        if block.id == "costs":
            items = [QuickItem(letter, cost_words(letter, lang), [], letter) for letter in COST_NAMES]
        title, text = block.title.in_lang(lang), block.text.in_lang(lang)
        out.append(QuickBlock(block.id, block.page, title, text, items, list(block.actions)))
    return QuickStart(out, [Term(one.ja, one.en) for one in quick.terms()])


async def read_quick(request: HttpRequest, query: LangQuery) -> QuickStart:
    """Return the quick-start guide."""
    return quick_start(query.lang)


RULE_BOARDS: Final = [
    Endpoint("GET", "/api/rules/{id}/boards", rule_boards, RuleBoards, query=LangQuery, problems=(404,)),
    Endpoint("GET", "/api/quick-start", read_quick, QuickStart, query=LangQuery),
]
