"""The score of a match: available decks, wins, and the winner of the match (R-201, R-202). It knows no game."""

from __future__ import annotations

from typing import Any, Final

from blackpoker.engine.locations import PLAYERS
from blackpoker.errors import IllegalMove, UnreadableText, WrongValue

#: wins that end a match of two decks
WINS: Final = 2
#: a drawn game and two drawn replays end the match (R-202)
DRAWS: Final = 3


class Series:
    """The score of a match. Decks are numbered from 1; players are 0 and 1."""

    def __init__(self, decks: int) -> None:
        self.decks = decks
        self.number: int = 1  # of the current or next game; a replay keeps it
        self.draws: int = 0  # of this number so far
        self.picks: list[int] = [0, 0]  # for the current or next game; 0: none yet
        self.last: list[int] = [0, 0]  # of the previous game
        self.won: list[list[int]] = [[], []]  # decks that have won, in order: retired
        self.over: bool = False
        self.winner: int | None = None

    @property
    def score(self) -> tuple[int, int]:
        return len(self.won[0]), len(self.won[1])

    def retired(self, player: int) -> list[int]:
        """Return the decks laid aside face up."""
        return sorted(self.won[player]) if self.decks > 1 else []

    def available_decks(self, player: int) -> list[int]:
        """Return the decks the player may pick for the next game."""
        if self.over:
            return []
        if self.draws > 0:
            return [self.last[player]]  # the same decks again
        return [deck for deck in range(1, self.decks + 1) if deck not in self.won[player]]

    def viewable_decks(self, player: int) -> list[int]:
        """Return the decks their owner may look through now: the one just used, until the next game starts (R-201)."""
        if self.decks == 1 or self.last[player] == 0 or self.playing:
            return []
        return [self.last[player]]

    @property
    def playing(self) -> bool:
        return not self.over and self.picks[0] > 0 and self.picks[1] > 0

    def to_pick(self) -> int:
        """Return the player who must pick a deck, or -1 if none. P1 picks first, but neither sees the other's pick
        before both are made."""
        if self.over:
            return -1
        for player in (0, 1):
            if self.picks[player] == 0:
                return player
        return -1

    def pick(self, player: int, deck: int) -> None:
        if self.picks[player] != 0 or deck not in self.available_decks(player):
            raise IllegalMove(
                f"deck {deck} cannot be picked; {PLAYERS[player]} may pick {self.available_decks(player)}",
                f"デッキ{deck}は選べません（選べるのは{self.available_decks(player)}）",
                "R-201",
            )
        self.picks[player] = deck

    def record(self, winner: int | None) -> None:
        """Record the end of the current game; ``winner`` is None for a draw."""
        if not self.playing:
            raise WrongValue("no game is being played")
        self.last = self.picks[:]
        self.picks = [0, 0]
        if winner is None:
            self.draws += 1
            if self.decks == 1 or self.draws == DRAWS:
                first, second = self.score
                self.finish(None if first == second else (0 if first > second else 1))
            return
        self.won[winner].append(self.last[winner])
        self.draws = 0
        if self.decks == 1 or len(self.won[winner]) == WINS:
            self.finish(winner)
        else:
            self.number += 1

    def finish(self, winner: int | None) -> None:
        self.over = True
        self.winner = winner

    def copy(self) -> Series:
        new = Series(self.decks)
        new.number, new.draws = self.number, self.draws
        new.picks, new.last = self.picks[:], self.last[:]
        new.won = [decks[:] for decks in self.won]
        new.over, new.winner = self.over, self.winner
        return new

    def dump(self) -> dict[str, Any]:
        return {
            "decks": self.decks,
            "number": self.number,
            "draws": self.draws,
            "picks": self.picks[:],
            "last": self.last[:],
            "won": [decks[:] for decks in self.won],
            "over": self.over,
            "winner": self.winner,
        }


def read_pair(data: dict[str, Any], name: str, high: int) -> list[int]:
    value = data.get(name)
    if not isinstance(value, list) or len(value) != 2 or not all(type(v) is int and 0 <= v <= high for v in value):
        raise UnreadableText(f"a saved match: {name!r} must be two deck numbers")
    return list(value)
