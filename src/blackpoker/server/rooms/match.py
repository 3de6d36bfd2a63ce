"""A match whose chance is sealed: decks, deals and shuffles of all its games come from one key."""

from __future__ import annotations

from collections.abc import Sequence

from blackpoker.errors import UnreadableText
from blackpoker.files.saved import clean_name
from blackpoker.game import Game
from blackpoker.match import Match, Series
from blackpoker.regulation import DeckError, DeckList, Regulation, make_decks, read_regulation
from blackpoker.server.rooms.fairness import SealedChance

#: streams of a key: decks of the random frames, then one per game
DECKS = 0


class SealedMatch(Match):
    """What is played on a table."""

    def __init__(
        self,
        regulation: str | Regulation,
        key: bytes,
        decks: Sequence[DeckList | None] = (None, None),
        start: Game | None = None,
    ) -> None:
        """``start``: a game in the middle of play, the only one of the match."""
        self.key = key
        self.regulation: Regulation = read_regulation(regulation)
        self.seed: int | None = None
        self.names: list[str] = ["", ""]
        self.game: Game | None = None
        self.games: list[Game | str] = []
        self.picked: list[list[int]] = []
        if start is not None:
            self.decks = [(), ()]
            self.series: Series = Series(1)
            self.series.picks = [1, 1]
            self.picked.append([1, 1])
            self.game = sealed(start, key)
            return
        source = SealedChance(key, DECKS)
        try:
            self.decks = [make_decks(self.regulation, source, given) for given in decks]
        except DeckError as error:
            raise UnreadableText("; ".join(error.defects), "、".join(error.defects_ja)) from error
        self.series = Series(self.regulation.frame.decks)
        self.go_on()

    def start_game(self) -> None:
        self.picked.append(self.series.picks[:])
        chosen = [self.decks[player][self.series.picks[player] - 1] for player in (0, 1)]
        self.game = Game(self.regulation, decks=chosen, shuffler=SealedChance(self.key, len(self.picked)))
        self.game.names = self.names[:]


def sealed(start: Game, key: bytes) -> Game:
    """The same position, nothing behind it, what comes shuffled by the key."""
    engine = start.engine.copy()
    engine.source = SealedChance(key, 1)
    kind, text = start.start_kind, start.start_text
    if kind != "position" or start.history:
        from blackpoker.words import saved_state

        kind, text = "state", saved_state.canonical(saved_state.dump(engine))
    new = Game.at(engine, start.regulation, kind, text)
    new.names = start.names[:]
    return new


def chain_facts(game: Game, room: str, number: int, part: int, salts: tuple[str, str]) -> list[str]:
    """What a chain begins with: which game it is, who plays it, and with what."""
    if game.start_kind == "deal":
        start = [" ".join(map(str, deck)) for deck in game.start_decks]
    else:
        start = [line.rstrip() for line in game.start_text.splitlines()]
    names = [clean_name(name) for name in game.names]
    return [room, str(number), str(part), game.regulation.text, *names, *salts, game.start_kind, *start]
