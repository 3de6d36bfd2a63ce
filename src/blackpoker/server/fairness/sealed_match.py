"""A match with sealed shuffles: decks, deals and shuffles of all its games come from one key."""

from __future__ import annotations

from collections.abc import Sequence

from blackpoker.errors import UnreadableText
from blackpoker.game.game import Game, game_at
from blackpoker.game.match import Match
from blackpoker.game.series import Series
from blackpoker.game.start import GameStart
from blackpoker.ruleset import DeckError, DeckList, Regulation, make_decks, read_regulation
from blackpoker.seeds import SEALED_DECK_STREAM
from blackpoker.server.fairness.seal import TERMS_VERSION, VERSION, SealedShuffler


class SealedMatch(Match):
    """The match played in a room."""

    def __init__(
        self,
        regulation: str | Regulation,
        key: bytes,
        decks: Sequence[DeckList | None] = (None, None),
        start: Game | None = None,
        version: int = VERSION,
    ) -> None:
        """``start``: a game in progress, the only one of the match. ``version``: see `SealedShuffler`. Raise
        `UnreadableText` if a deck is invalid."""
        self.key = key
        self.version = version
        self.regulation: Regulation = read_regulation(regulation)
        self.seed: int | None = None
        self.names: list[str] = ["", ""]
        self.game: Game | None = None
        self.games: list[Game | str] = []
        self.picked: list[list[int]] = []
        self.top_cards: list[dict[int, int]] = [{}, {}]
        if start is not None:
            self.decks = [(), ()]
            self.series: Series = Series(1)
            self.series.picks = [1, 1]
            self.picked.append([1, 1])
            self.game = with_shuffler(start, SealedShuffler(key, 1, version))
            return
        sources = deck_sources(key, version)
        try:
            self.decks = [
                make_decks(self.regulation, source, deck) for source, deck in zip(sources, decks, strict=True)
            ]
        except DeckError as error:
            raise UnreadableText("; ".join(error.defects), "、".join(error.defects_ja)) from error
        self.series = Series(self.regulation.frame.decks)
        self.advance()

    def start_game(self) -> None:
        self.picked.append(self.series.picks[:])
        chosen = [self.decks[player][self.series.picks[player] - 1] for player in (0, 1)]
        self.game = Game(
            self.regulation, decks=chosen, shuffler=SealedShuffler(self.key, len(self.picked), self.version)
        )
        self.game.names = self.names[:]


def deck_sources(key: bytes, version: int = VERSION) -> list[SealedShuffler]:
    """Return the sources of both seats' random decks: streams of their own, before version 4 one source for both."""
    first = SealedShuffler(key, SEALED_DECK_STREAM, version)
    return [first, SealedShuffler(key, SEALED_DECK_STREAM, version, 1) if version > TERMS_VERSION else first]


def with_shuffler(start: Game, source: SealedShuffler) -> Game:
    """Return a game at the same position without history; its shuffles come from the source."""
    engine = start._engine.copy()
    engine.source = source
    game = game_at(engine, start.regulation, start_of_game(start))
    game.names = start.names[:]
    return game


def start_of_game(start: Game) -> GameStart:
    """Return the start of a game that continues from here."""
    if start._start.kind == "position" and not start.history:
        return start._start
    from blackpoker.notation import state_writer

    return GameStart("state", state_writer.canonical(state_writer.dump(start._engine)))
