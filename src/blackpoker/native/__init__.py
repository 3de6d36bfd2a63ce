"""The rules as machine code, for many games at a time (docs/guide/native.md). Without it Python plays them."""

from __future__ import annotations

from blackpoker.native.door import Games, available, games, playouts

__all__ = ["Games", "available", "games", "playouts"]
