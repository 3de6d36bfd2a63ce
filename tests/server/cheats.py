"""Cheating servers: each deals the worst hand it finds to the player at p1 and writes a plausible record.

A cheat replaces the function with which a room starts its game, once the salts are open. The operator of such a server
knows everything, but cannot make it fit what the player received before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from blackpoker import Audience
from blackpoker.game.game import Game, shuffles_of
from blackpoker.protocol import messages as p
from blackpoker.ruleset import DeckList, parse_decks
from blackpoker.server.fairness import seal as fairness
from blackpoker.server.fairness.seal import SealedShuffler
from blackpoker.server.fairness.sealed_match import SealedMatch
from blackpoker.server.rooms import game as table
from blackpoker.server.rooms.broadcaster import Broadcaster
from blackpoker.server.rooms.game import GameSetup, RoomGame
from blackpoker.server.rooms.seats import RoomClient

#: hands a cheat chooses from; a real one would try more
TRIES = 12
#: a better deck than the player's own or the regulation's
STACKED = "S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK H2 H3 H4"

StartFunction = Callable[[RoomGame, GameSetup, Sequence[DeckList | None], Game | None, bool], None]
Variants = Callable[[GameSetup], Iterator[GameSetup]]


def hand_of(regulation: Any, seal: GameSetup, decks: Sequence[DeckList | None]) -> int:
    """Return the value of p1's first hand."""
    game = SealedMatch(regulation, seal.key, decks).game
    assert game is not None
    dealt = next(cards for player, cards in shuffles_of(game) if player == 0)
    return sum(card % 13 for card in dealt[:7])


def a_number(seal: GameSetup, n: int) -> str:
    return hashlib.sha256(seal.secret + bytes((n,))).hexdigest()


def another_room(seal: GameSetup) -> Iterator[GameSetup]:
    for n in range(TRIES):
        yield replace(seal, terms=replace(seal.terms, room=a_number(seal, n)[:16]))


def another_game(seal: GameSetup) -> Iterator[GameSetup]:
    for n in range(2, TRIES + 2):
        yield replace(seal, terms=replace(seal.terms, game=n))


def another_salt(seal: GameSetup) -> Iterator[GameSetup]:
    """Yield seals with another salt of the other seat: a computer has no seal, an accomplice gets a new one."""
    for n in range(TRIES):
        salt = a_number(seal, n)[:32]
        human = seal.terms.seats[1] == "human"
        sealed = fairness.make_seal("p2", salt, seal.decks[1]) if human else ""
        terms = replace(seal.terms, seals=(seal.terms.seals[0], sealed))
        yield replace(seal, terms=terms, salts=(seal.salts[0], salt))


def an_older_version(seal: GameSetup) -> Iterator[GameSetup]:
    """Yield seals of version 1, which had no seals: the other salt is chosen freely."""
    for n in range(TRIES):
        yield replace(seal, version=1, salts=(seal.salts[0], a_number(seal, n)[:32]))


def exchanged_salts(seal: GameSetup) -> Iterator[GameSetup]:
    """Exchange the salts between the seats, with matching seals."""
    first, second = seal.salts[::-1]
    seals = (
        fairness.make_seal("p1", first, seal.decks[0]),
        fairness.make_seal("p2", second, seal.decks[1]) if seal.terms.seats[1] == "human" else "",
    )
    yield replace(seal, salts=(first, second), terms=replace(seal.terms, seals=seals))


def another_secret(seal: GameSetup) -> Iterator[GameSetup]:
    for n in range(TRIES):
        secret = bytes.fromhex(a_number(seal, n))
        yield replace(seal, secret=secret, terms=replace(seal.terms, commitment=fairness.commitment(secret)))


def another_regulation(seal: GameSetup) -> Iterator[GameSetup]:
    """The edition is part of the key: naming it afterwards is another degree of freedom."""
    for n in range(TRIES):
        yield replace(seal, terms=replace(seal.terms, edition=f"act6.1+ex6.30.1 {a_number(seal, n)[:16]}"))


def choosing(variants: Variants) -> StartFunction:
    honest = RoomGame.start

    def start_worst(
        self: RoomGame, seal: GameSetup, decks: Sequence[DeckList | None], start: Game | None, practice: bool
    ) -> None:
        worst = min(variants(seal), key=lambda one: hand_of(self.regulation, one, decks))
        honest(self, worst, decks, start, practice)

    return start_worst


class OtherShuffles(SealedMatch):
    """Deals from another key, while the record opens the committed one."""

    def __init__(self, regulation: Any, key: bytes, *rest: Any) -> None:
        super().__init__(regulation, hashlib.sha256(key).digest(), *rest)


class OtherStream(SealedMatch):
    """Deals from another stream of the committed key."""

    def start_game(self) -> None:
        self.picked.append(self.series.picks[:])
        chosen = [self.decks[player][self.series.picks[player] - 1] for player in (0, 1)]
        self.game = Game(self.regulation, decks=chosen, shuffler=SealedShuffler(self.key, 7))
        self.game.names = self.names[:]


def stacked_deck(
    self: RoomGame, seal: GameSetup, decks: Sequence[DeckList | None], start: Game | None, practice: bool
) -> None:
    """Replace the other seat's deck after the shuffles are known."""
    honest_start(self, replace(seal, decks=(seal.decks[0], STACKED)), [decks[0], parse_decks(STACKED)], start, practice)


honest_start = RoomGame.start


def invented_record(self: RoomGame, text: str, part: int) -> str:
    """Return the record of a game that was never played; every shuffle in it is as committed."""
    match = SealedMatch(self.regulation, self.setup.key)
    game = match.game
    assert game is not None
    game.names = list(self.setup.names)
    game.end("resign", 0)
    invented = game.record()
    chain = fairness.chain_hash(self.setup.secret, "", self.setup.terms, 1, fairness.significant_lines(invented))
    self.results[-1].record_hash = chain
    head, _, rest = invented.partition("\n")
    return "\n".join([head, *(line.rstrip() for line in table.secret_lines(self.setup, part, self.results)), rest])


def spoiled_notes(self: Broadcaster, client: RoomClient) -> p.Update | None:
    """Send an update that does not continue the previous one, so that clients cannot note the cards drawn."""
    update = honest_update(self, client)
    if update is not None and update.since == -1:
        update.since = 7
    return update


def false_events(self: Broadcaster, client: RoomClient) -> p.Update | None:
    """Send other cards as drawn than those in p1's hand: the committed ones."""
    update = honest_update(self, client)
    table = self.room.room_game
    if update is None or client.seat != 0:
        return update
    promised = SealedMatch(table.regulation, table.setup.key).game
    assert promised is not None
    cards = [
        event.cards for event in promised.event_views(Audience.P1) if event.event == "drew" and event.player == "p1"
    ]
    drawn = [event for event in update.events if event.event == "drew" and event.player == "p1"]
    for event, named in zip(drawn, cards, strict=False):
        event.cards = named
    update.events = [event for event in update.events if event not in drawn[len(cards) :]]
    return update


honest_update = Broadcaster.make_update

VARIANTS: dict[str, Variants] = {
    "the room is named afterwards": another_room,
    "the game is numbered afterwards": another_game,
    "the other salt is chosen last": another_salt,
    "an older version": an_older_version,
    "the salts are exchanged": exchanged_salts,
    "another secret": another_secret,
    "another edition": another_regulation,
}
#: updates about a game that is not the one in the record
UPDATES: dict[str, Callable[[Broadcaster, RoomClient], p.Update | None]] = {
    "other cards at the table": honest_update,
    "other cards, and notes that are spoiled": spoiled_notes,
    "another hand than was told": false_events,
}
CHEATS = (*VARIANTS, "other shuffles", "another stream", "a stacked deck", *UPDATES)


@contextmanager
def cheating(name: str) -> Iterator[None]:
    """Make every room of this process cheat in this way inside the context."""
    parts: Any = RoomGame
    where: Any = table
    broadcaster: Any = Broadcaster
    originals = parts.start, parts._record_with_secrets, where.SealedMatch
    try:
        if name in VARIANTS:
            parts.start = choosing(VARIANTS[name])
        elif name == "other shuffles":
            where.SealedMatch = OtherShuffles
        elif name == "another stream":
            where.SealedMatch = OtherStream
        elif name == "a stacked deck":
            parts.start = stacked_deck
        else:
            where.SealedMatch = OtherShuffles
            parts._record_with_secrets = invented_record
            broadcaster.make_update = UPDATES[name]
        yield
    finally:
        parts.start, parts._record_with_secrets, where.SealedMatch = originals
        broadcaster.make_update = honest_update
