"""Texts of a draft with tags: its tokens, its price and its results."""

from __future__ import annotations

from blackpoker.assist.compose import steps
from blackpoker.assist.decision import Decision, Draft, Word, marked_prompts
from blackpoker.assist.forecast import ForecastResult
from blackpoker.regulation import edition_of
from blackpoker.rules.engine import Engine
from blackpoker.texts import comes
from blackpoker.texts.marks import Text, unmarked

NOTHING_TOLD = Text("", [])


def said_words(draft: Draft) -> list[tuple[Engine, int]]:
    """Return each option of the draft with the state before it."""
    return [(one.engine, option) for one, option in zip(steps(draft.start, draft.options), draft.options, strict=True)]


def words(draft: Draft, lang: str) -> list[Text]:
    """Return the label of every token after the action."""
    prompts = marked_prompts(edition_of(draft.start.rules), lang)
    return [unmarked(comes.word(prompts, s, option)) for s, option in said_words(draft)]


def sentence(draft: Draft, lang: str) -> Text:
    """Return the text of the whole request; empty for an answer inside an effect."""
    if not draft.requests:
        return NOTHING_TOLD
    prompts = marked_prompts(edition_of(draft.start.rules), lang)
    return unmarked(comes.sentence(prompts, said_words(draft)))


def price(draft: Draft, lang: str) -> Text:
    """Return the certain price of the request, including raised actions."""
    if not draft.requests:
        return NOTHING_TOLD
    prompts = marked_prompts(edition_of(draft.start.rules), lang)
    return unmarked(comes.price(prompts, said_words(draft), draft.ahead.paid))


def results(of: Draft | Decision | Word, found: list[ForecastResult], lang: str) -> list[Text]:
    """Return the text of each result."""
    s = of.start if isinstance(of, Draft) else of.engine
    prompts = marked_prompts(edition_of(s.rules), lang)
    return [unmarked(comes.result(prompts, s, one)) for one in found]
