"""The edition that is played: base lists and Extra, and its compiled tables per format."""

from __future__ import annotations

from functools import cache

from blackpoker.content.base import BASE
from blackpoker.content.extra import ACTIONS, CHARACTERS, TRUMPS
from blackpoker.language.model import Edition, Format
from blackpoker.language.program import compile_rules
from blackpoker.rules.plan import Rules

EDITION = Edition(
    "act6.1+ex6.30.1",
    actions=BASE.actions + ACTIONS,
    characters=BASE.characters + CHARACTERS,
    trumps=TRUMPS,
    faces=BASE.faces,
)


@cache
def rules_of(format: Format, options: tuple[str, ...] = (), most_trumps: int = 0) -> Rules:
    """The compiled tables; shared, never changed."""
    rules = compile_rules(EDITION, format, options)
    rules.most_trumps = most_trumps
    return rules
