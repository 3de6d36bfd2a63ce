"""The Extra list: trump operations, 30 trumps, their actions and characters, data only."""

from __future__ import annotations

from blackpoker.script.model import Action, Character, Trump

ACTIONS: tuple[Action, ...] = ()
CHARACTERS: tuple[Character, ...] = ()
TRUMPS: tuple[Trump, ...] = ()
