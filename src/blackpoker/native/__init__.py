"""The rules as machine code, for many games in parallel (docs/guide/native.md), with Python as the fallback."""

from __future__ import annotations

from blackpoker.native.batch import Batch, step_many
from blackpoker.native.library import PLANS, Games, available, games, playouts

__all__ = ["PLANS", "Batch", "Games", "available", "games", "playouts", "step_many"]
