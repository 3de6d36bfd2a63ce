"""Texts of a draft with tags: its tokens, its price and its results."""

from __future__ import annotations

from blackpoker.assist.completion import decisions_before
from blackpoker.assist.decision import Decision, Draft, Option, tagged_prompts
from blackpoker.assist.forecast import ForecastResult
from blackpoker.ruleset import edition_of
from blackpoker.engine.engine import Engine
from blackpoker.text import draft_text
from blackpoker.text.markup import RichText, parse

EMPTY_TEXT = RichText("", [])


def option_states(draft: Draft) -> list[tuple[Engine, int]]:
    """Return each option of the draft with the state before it."""
    return [(one.engine, option) for one, option in zip(decisions_before(draft.start, draft.options), draft.options, strict=True)]


def token_texts(draft: Draft, lang: str) -> list[RichText]:
    """Return the label of every token after the action."""
    prompts = tagged_prompts(edition_of(draft.start.rules), lang)
    return [parse(draft_text.option_text(prompts, s, option)) for s, option in option_states(draft)]


def request_text(draft: Draft, lang: str) -> RichText:
    """Return the text of the whole request; empty for an answer inside an effect."""
    if not draft.is_request:
        return EMPTY_TEXT
    prompts = tagged_prompts(edition_of(draft.start.rules), lang)
    return parse(draft_text.request_text(prompts, option_states(draft)))


def cost_text(draft: Draft, lang: str) -> RichText:
    """Return the certain price of the request, including raised actions."""
    if not draft.is_request:
        return EMPTY_TEXT
    prompts = tagged_prompts(edition_of(draft.start.rules), lang)
    return parse(draft_text.payment_text(prompts, option_states(draft), draft.projection.cost))


def result_texts(source: Draft | Decision | Option, forecast: list[ForecastResult], lang: str) -> list[RichText]:
    """Return the text of each result."""
    s = source.start if isinstance(source, Draft) else source.engine
    prompts = tagged_prompts(edition_of(s.rules), lang)
    return [parse(draft_text.consequence_text(prompts, s, one)) for one in forecast]
