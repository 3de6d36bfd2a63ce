"""Sets named in any order. The rules have one canonical order for each set, ascending."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from blackpoker.assist.decision import Decision, Draft, Option
from blackpoker.engine.engine import Engine
from blackpoker.engine.state import DONE
from blackpoker.notation.move_builder import MoveBuilder
from blackpoker.notation.options import DONE_TOKEN, marked_token


class PartialSelection(NamedTuple):
    """``words`` are the tokens named so far, ``draft`` a draft of the same length, ``options`` the elements left."""

    words: list[str]
    draft: Draft
    options: list[Option]


def canonical_order(engine: Engine, words: Sequence[str]) -> list[str]:
    """Return the tokens of a set in canonical order, illegal ones last; tokens of any other decision unchanged."""
    if len(words) < 2 or not Decision(engine).is_set:
        return list(words)
    builder = MoveBuilder(engine)
    remaining = list(words)
    while remaining and not builder.complete:
        offered = [marked_token(builder._engine, option) for option in builder._engine.options]
        token = next((token for token in offered if token in remaining), None)
        if token is None:
            break
        builder.append(token)
        remaining.remove(token)
    if builder.complete and remaining == [DONE_TOKEN]:
        remaining = []  # the last possible element ended it
    return builder.words + remaining


def partial_selection(engine: Engine, words: Sequence[str]) -> PartialSelection | None:
    """Return the partial selection; None if the tokens are the whole set or no part of it."""
    decision = Decision(engine)
    elements = (
        [element for element in decision.selectable if element.option != DONE] if words and decision.is_set else []
    )
    if not len(words) < len(elements) or len(words) != sum(element.text in words for element in elements):
        return None
    draft = Draft(engine)  # uses the first elements instead: the number left to choose is the same
    for _ in words:
        draft.push(next(option for option in draft._engine.options if option != DONE))
        if draft.complete or draft._engine.kind != engine.kind:
            return None
    remaining = [element for element in elements if element.text not in words]
    remaining += [Option(draft._engine, DONE)] if DONE in draft._engine.options else []
    return PartialSelection(list(words), draft, remaining)
