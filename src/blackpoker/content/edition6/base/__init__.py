"""The base edition: actions, the option action, characters; data only."""

from __future__ import annotations

from blackpoker.content.edition6.base import characters, combat, deploy, magic, triggered, turn
from blackpoker.definitions.model import Lists

BASE = Lists(
    "act6.1",
    actions=deploy.ACTIONS + turn.ACTIONS + combat.ACTIONS + magic.ACTIONS + triggered.ACTIONS,
    characters=characters.CHARACTERS,
)
