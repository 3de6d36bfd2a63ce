"""A match with sealed shuffles: decks, deals and shuffles of all its games come from one key."""

from __future__ import annotations

from collections.abc import Sequence

from blackpoker.errors import UnreadableText
from blackpoker.game import Game
from blackpoker.match import Match
from blackpoker.regulation import DeckError, DeckList, Regulation, make_decks, read_regulation
from blackpoker.series import Series
from blackpoker.server.rooms.fairness import SealedChance

#: stream of the random frames' decks; the games follow, one stream each
DECKS = 0


class SealedMatch(Match):
    """The match played in a room."""

    def __init__(
        self,
        regulation: str | Regulation,
        key: bytes,
        decks: Sequence[DeckList | None] = (None, None),
        start: Game | None = None,
        sorts: bool = True,
    ) -> None:
        """``start``: a game in progress, the only one of the match. ``sorts``: see `SealedShuffler`. Raise
        `UnreadableText` if a deck is invalid."""
        self.key = key
        self.sorts = sorts
        self.regulation: Regulation = read_regulation(regulation)
        self.seed: int | None = None
        self.names: list[str] = ["", ""]
        self.game: Game | None = None
        self.games: list[Game | str] = []
        self.picked: list[list[int]] = []
        self.seen: list[dict[int, int]] = [{}, {}]
        if start is not None:
            self.decks = [(), ()]
            self.series: Series = Series(1)
            self.series.picks = [1, 1]
            self.picked.append([1, 1])
            self.game = sealed(start, SealedChance(key, 1, sorts=sorts))
            return
        source = SealedChance(key, DECKS, sorts=sorts)
        try:
            self.decks = [make_decks(self.regulation, source, given) for given in decks]
        except DeckError as error:
            raise UnreadableText("; ".join(error.defects), "、".join(error.defects_ja)) from error
        self.series = Series(self.regulation.frame.decks)
        self.go_on()

    def start_game(self) -> None:
        self.picked.append(self.series.picks[:])
        chosen = [self.decks[player][self.series.picks[player] - 1] for player in (0, 1)]
        self.game = Game(
            self.regulation, decks=chosen, shuffler=SealedChance(self.key, len(self.picked), sorts=self.sorts)
        )
        self.game.names = self.names[:]


def sealed(start: Game, source: SealedChance) -> Game:
    """Return a game at the same position without history; its shuffles come from the source."""
    engine = start.engine.copy()
    engine.source = source
    new = Game.at(engine, start.regulation, *opening_of(start))
    new.names = start.names[:]
    return new


def opening_of(start: Game) -> tuple[str, str]:
    """Return kind and text of the start of a game that continues from here."""
    if start.start_kind == "position" and not start.history:
        return start.start_kind, start.start_text
    from blackpoker.words import saved_state

    return "state", saved_state.canonical(saved_state.dump(start.engine))
