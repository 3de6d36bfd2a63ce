"""Errors of players: an unknown name or an illegal action."""

from __future__ import annotations

from blackpoker.errors import BlackPokerError


class PlayersError(BlackPokerError, ValueError):
    """Raised for players that are not available under the given names; message in English and Japanese."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en, ja)


class Forfeit(Exception):
    """Raised when a player has made more faults than allowed and has lost the game."""

    def __init__(self, seat: int) -> None:
        super().__init__(f"the player at seat {seat} has lost by a fault")
        self.seat = seat


class Fault(Exception):
    """Raised when a player does something not allowed; the text is one line."""

    def __init__(self, why: str) -> None:
        shown = " ".join(why.split())
        super().__init__(shown if len(shown) <= 240 else shown[:239] + "…")
