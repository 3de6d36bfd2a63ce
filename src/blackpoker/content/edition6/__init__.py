"""The lists of edition 6: the base edition and Extra; data only."""

from __future__ import annotations

from blackpoker.content.edition6 import extra
from blackpoker.content.edition6.base import BASE
from blackpoker.definitions.model import Lists

EDITION6 = Lists(
    "act6.1+ex6.30.1",
    actions=BASE.actions + extra.ACTIONS,
    characters=BASE.characters + extra.CHARACTERS,
    trumps=extra.TRUMPS,
    faces=BASE.faces,
)
