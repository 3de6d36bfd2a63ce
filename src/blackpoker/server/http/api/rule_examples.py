"""Rule examples as boards: the start, and the table after each move of a scenario."""

from __future__ import annotations

import re
from typing import Final, Literal

from msgspec import Struct

from blackpoker import Audience, View
from blackpoker.errors import BlackPokerError
from blackpoker.learn.puzzles.text import move_text
from blackpoker.ruleset import Edition
from blackpoker.scenario.expectations import Failure
from blackpoker.scenario.scenario import ScriptRunner, read_scenario, start_variant
from blackpoker.server.admission import COMPUTE, PAGE, cached
from blackpoker.server.http.api import rule_pages
from blackpoker.server.http.api.context import EditionQuery, edition_of_query
from blackpoker.server.http.endpoint import Endpoint, HttpProblem
from blackpoker.server.http.types import HttpRequest
from blackpoker.text import quick
from blackpoker.text.rulebook import cost_kinds, cost_words

#: lines of a script that make no move
NON_MOVE_LINES: Final = ("expect", "legal", "illegal", "no_chance", "#")


class BoardStep(Struct):
    """``move``: the move that led here, as a player reads it, and ``by`` its player; empty at the start."""

    by: str
    move: str
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


def as_first_player(player: str, move: str) -> str:
    """Return the move as if P1 made it, because the notation names P1's own cards without a seat. The mark of seen
    cards is removed."""
    unmarked = move.replace("^", "")
    return (
        unmarked if player == "p1" else re.sub(r"\bp([12])\b", lambda seat: "p2" if seat[1] == "1" else "p1", unmarked)
    )


@cached("boards of rules", 1000, "known")
def make_boards(id: str, text: str, lang: Literal["ja", "en"]) -> RuleBoards:
    """Return the example step by step."""
    scenario = read_scenario(text)
    variant = scenario.variants[0]
    runner = ScriptRunner(start_variant(variant))
    steps = [BoardStep("", "", "", runner.game.view(Audience.JUDGE))]
    for line in variant.play.splitlines():
        player, _, move = line.strip().partition(": ")
        if not line.strip() or line.split()[0] in NON_MOVE_LINES:
            continue
        is_move = player in ("p1", "p2") and move != "pass"
        header = ("", "", "")
        if is_move:
            header = (player, move_text(runner.game, as_first_player(player, move), lang), move.partition(" ")[0])
        try:
            runner.line(line)
        except (Failure, BlackPokerError):
            break  # the scenario tests a rule of another edition
        if not is_move and len(steps) > 1 and not steps[-1].by:
            steps.pop()  # consecutive passes become one step
        steps.append(BoardStep(*header, runner.game.view(Audience.JUDGE)))
    rule_step = next((index for index, step in enumerate(steps) if step.action == id), min(1, len(steps) - 1))
    return RuleBoards(steps, rule_step)


def example_boards(id: str, lang: Literal["ja", "en"], edition: Edition) -> RuleBoards | None:
    """Return the example step by step; None if there is none. Only the boards of known examples are cached."""
    found = rule_pages.find_example(id, edition)
    return None if found is None else make_boards(id, found.text, lang)


async def read_rule_boards(request: HttpRequest, id: str, query: EditionQuery) -> RuleBoards:
    """Return the example of an action, a trump or a ruling, step by step."""
    found = example_boards(id, query.lang, edition_of_query(query.edition))
    if found is None:
        raise HttpProblem(404, "no_example", "there is no scenario for that", "その項目の例はありません")
    return found


@cached("quick start", 4)
def quick_start(lang: Literal["ja", "en"], edition: Edition) -> QuickStart:
    """Return the quick-start guide. The texts of the costs come from the catalogue shared by all pages."""
    out = []
    for block in quick.blocks(edition.id):
        items = [
            QuickItem(item.title.in_lang(lang), item.text.in_lang(lang), list(item.cards), item.sign)
            for item in block.items
        ]
        if block.id == "costs":
            items = [QuickItem(letter, cost_words(letter, lang), [], letter) for letter in cost_kinds(edition)]
        title, text = block.title.in_lang(lang), block.text.in_lang(lang)
        out.append(QuickBlock(block.id, block.page, title, text, items, list(block.actions)))
    return QuickStart(out, [Term(item.ja, item.en) for item in quick.terms(edition.id)])


async def read_quick_start(request: HttpRequest, query: EditionQuery) -> QuickStart:
    """Return the quick-start guide."""
    return quick_start(query.lang, edition_of_query(query.edition))


RULE_BOARD_ENDPOINTS: Final = [
    Endpoint(
        "GET",
        "/api/rules/{id}/boards",
        read_rule_boards,
        RuleBoards,
        query=EditionQuery,
        problems=(404,),
        cost=COMPUTE,
    ),
    Endpoint("GET", "/api/quick-start", read_quick_start, QuickStart, query=EditionQuery, problems=(404,), cost=PAGE),
]
