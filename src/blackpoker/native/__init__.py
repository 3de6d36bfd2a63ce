"""The rules as machine code, for many games at a time (docs/guide/native.md). Without it Python plays them."""

from __future__ import annotations

from blackpoker.native.batch import Batch, step_many
from blackpoker.native.door import PLANS, Games, available, games, playouts

__all__ = ["PLANS", "Batch", "Games", "available", "games", "playouts", "step_many"]
