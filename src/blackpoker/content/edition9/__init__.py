"""The lists of edition 9: actions, characters, trumps, fogs; data only."""

from __future__ import annotations

from blackpoker.content.edition9 import base, clubs, diamonds, frames, hearts, spades, turn
from blackpoker.content.edition9.characters import CHARACTERS, FOGS
from blackpoker.definitions.model import Lists

EDITION9 = Lists(
    "9.1.2",
    actions=(
        turn.ACTIONS
        + base.ACTIONS
        + frames.ACTIONS
        + spades.ACTIONS
        + hearts.ACTIONS
        + diamonds.ACTIONS
        + clubs.ACTIONS
    ),
    characters=CHARACTERS,
    trumps=spades.TRUMPS + hearts.TRUMPS + diamonds.TRUMPS + clubs.TRUMPS,
    fogs=FOGS,
)
