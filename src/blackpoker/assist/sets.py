"""A set of things is named in any order; the rules have one wording for each set, in ascending order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from blackpoker.assist.decision import Decision, Draft, Word
from blackpoker.rules.engine import Engine
from blackpoker.rules.state import DONE
from blackpoker.words.sentence import Sentence
from blackpoker.words.tokens import DONE_WORD, marked


class Gathered(NamedTuple):
    """``words`` have been named; ``draft`` is as far as they have come; ``options`` are what may be named besides."""

    words: list[str]
    draft: Draft
    options: list[Word]


def arranged(engine: Engine, words: Sequence[str]) -> list[str]:
    """The words of a set in the order in which they can be said, what cannot be said last; any others as they are."""
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
        left = []  # the last thing that could be named ended it
    return said.words + left


def gathered(engine: Engine, words: Sequence[str]) -> Gathered | None:
    """Where only a part of a set has been named; None where the words say it whole, or are none of it."""
    decision = Decision(engine)
    every = [word for word in decision.things if word.option != DONE] if words and decision.a_set else []
    if not len(words) < len(every) or len(words) != sum(word.text in words for word in every):
        return None
    draft = Draft(engine)  # as many of the first ones stand for them: how many are to go is the same
    for _ in words:
        draft.push(next(option for option in draft.engine.options if option != DONE))
        if draft.complete or draft.engine.kind != engine.kind:
            return None
    rest = [word for word in every if word.text not in words]
    rest += [Word(draft.engine, DONE)] if DONE in draft.engine.options else []
    return Gathered(list(words), draft, rest)
