"""The Extra list: trump operations, trumps, their actions and characters; data only."""

from __future__ import annotations

from blackpoker.content.edition6.extra import clubs, diamonds, hearts, operations, spades

ACTIONS = operations.ACTIONS + spades.ACTIONS + hearts.ACTIONS + diamonds.ACTIONS + clubs.ACTIONS
CHARACTERS = spades.CHARACTERS + hearts.CHARACTERS + diamonds.CHARACTERS + clubs.CHARACTERS
TRUMPS = spades.TRUMPS + hearts.TRUMPS + diamonds.TRUMPS + clubs.TRUMPS
