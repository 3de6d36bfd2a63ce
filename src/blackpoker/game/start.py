"""How a game began, as its record states it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class GameStart:
    """``kind`` is ``deal``, ``position`` or ``state``; ``text`` is the position or the state; ``decks`` are those of a
    deal; ``seed`` is None if the shuffles are secret."""

    kind: str
    text: str = ""
    decks: list[list[int]] = field(default_factory=lambda: [[], []])
    seed: int | None = None
