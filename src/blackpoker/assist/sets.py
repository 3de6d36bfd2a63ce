"""A set of things is named in any order; the rules have one wording for each set, in ascending order, and offer of the
first things only those that leave enough for the others. People choose what they see in the order they like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from blackpoker.assist.decision import Draft, Word
from blackpoker.rules.engine import Engine
from blackpoker.rules.state import CARDS_KIND, DONE, UNITS_KIND
from blackpoker.words.sentence import Sentence
from blackpoker.words.tokens import DONE_WORD, marked

SETS: Final = frozenset((CARDS_KIND, UNITS_KIND))


class Gathered(NamedTuple):
    """``words`` have been named; ``draft`` is as far as they have come, its ``options`` are what may be named besides,
    in any order."""

    words: list[str]
    draft: Draft
    options: list[Word]


def asks_set(engine: Engine) -> bool:
    return engine.kind in SETS and engine.draft is None


def things(engine: Engine) -> list[Word]:
    """Everything that may be in the set, and ``done`` where it may be said now."""
    found = {option: Word(engine, option) for option in engine.options}
    said = Sentence(engine)
    while not said.complete and said.engine.kind == engine.kind:
        later = [option for option in said.engine.options if option != DONE]
        at = said.engine.copy()
        for option in later:
            found.setdefault(option, Word(at, option))
        if not later:
            break
        said.push(later[0])
    return sorted(found.values(), key=lambda word: word.option == DONE)


def arranged(engine: Engine, words: Sequence[str]) -> list[str]:
    """The same words in the order in which they can be said; what cannot be said comes last."""
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
    """Where only a part of the set has been named; None where the words say it whole, or are none of it."""
    every = things(engine)
    named = [word for word in every if word.text in words and word.option != DONE]
    if len(named) != len(words) or not len(words) < sum(word.option != DONE for word in every):
        return None
    draft = Draft(engine)  # as many of the first ones stand for them: how many are to go is the same
    for _ in words:
        draft.push(next(option for option in draft.engine.options if option != DONE))
        if draft.complete or draft.engine.kind != engine.kind:
            return None
    rest = [word for word in every if word.text not in words and word.option != DONE]
    rest += [Word(draft.engine, DONE)] if DONE in draft.engine.options else []
    return Gathered(list(words), draft, rest)
