"""What can be wrong with a player: its name, or what it does."""

from __future__ import annotations


class PlayersError(ValueError):
    """Players that cannot be had as they were named, in English and Japanese."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en)
        self.en = en
        self.ja = ja


class Forfeit(Exception):
    """A player has done wrong more often than is forgiven, and has lost the game."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"the player at seat {seat} has lost by a fault")
        self.seat = seat


class Fault(Exception):
    """A player has done what no player may; the text is one line."""

    def __init__(self, why: str) -> None:
        shown = " ".join(why.split())
        super().__init__(shown if len(shown) <= 240 else shown[:239] + "…")
