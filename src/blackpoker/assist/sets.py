"""Sets named in any order. The rules have one canonical order for each set, ascending."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from blackpoker.assist.decision import Decision, Draft, Word
from blackpoker.rules.engine import Engine
from blackpoker.rules.state import DONE
from blackpoker.words.sentence import Sentence
from blackpoker.words.tokens import DONE_WORD, marked


class Gathered(NamedTuple):
    """``words`` are the tokens named so far, ``draft`` a draft of the same length, ``options`` the elements left."""

    words: list[str]
    draft: Draft
    options: list[Word]


def arranged(engine: Engine, words: Sequence[str]) -> list[str]:
    """Return the tokens of a set in canonical order, illegal ones last; tokens of any other decision unchanged."""
    if len(words) < 2 or not Decision(engine).a_set:
        return list(words)
    said = Sentence(engine)
    left = list(words)
    while left and not said.complete:
        offered = [marked(said.engine, option) for option in said.engine.options]
        word = next((one for one in offered if one in left), None)
        if word is None:
            break
        said.say(word)
        left.remove(word)
    if said.complete and left == [DONE_WORD]:
        left = []  # the last possible element ended it
    return said.words + left


def gathered(engine: Engine, words: Sequence[str]) -> Gathered | None:
    """Return the partial selection; None if the tokens are the whole set or no part of it."""
    decision = Decision(engine)
    every = [word for word in decision.things if word.option != DONE] if words and decision.a_set else []
    if not len(words) < len(every) or len(words) != sum(word.text in words for word in every):
        return None
    draft = Draft(engine)  # uses the first elements instead: the number left to choose is the same
    for _ in words:
        draft.push(next(option for option in draft.engine.options if option != DONE))
        if draft.complete or draft.engine.kind != engine.kind:
            return None
    rest = [word for word in every if word.text not in words]
    rest += [Word(draft.engine, DONE)] if DONE in draft.engine.options else []
    return Gathered(list(words), draft, rest)
