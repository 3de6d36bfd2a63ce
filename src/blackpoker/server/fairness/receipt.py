"""A player's receipt of a game: the terms seen before it, the own salt, the cards drawn, the hashes received at its
end. It is used to verify the record; nothing in it comes from the record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from blackpoker import Event
from blackpoker.errors import BlackPokerError
from blackpoker.protocol import messages as p
from blackpoker.server.fairness.seal import DEALT, Terms, room_tag

HEADER: Final = "BlackPoker receipt 3"
#: most events of one update; if there are this many, earlier ones are missing
MAX_EVENTS: Final = 400
SEATS: Final = ("p1", "p2")
#: separator between the games of a match in ``drew``
GAME_SEPARATOR: Final = "/"


class InvalidReceipt(BlackPokerError, ValueError):
    """Raised if a text is no receipt."""


@dataclass(frozen=True)
class Receipt:
    """``tries``: how often an own salt was opened before in this room for a game that did not begin. ``drew``: the
    cards this seat drew from the beginning on, game by game. ``chains``: the hashes received at the end of each game.
    ``named``: the cards named as own in the present game; used while recording, not saved."""

    terms: Terms
    you: p.SeatName
    salt: str
    deck: str = ""
    tries: int = 0
    drew: tuple[str, ...] = ()
    chains: tuple[str, ...] = ()
    named: frozenset[str] = field(default=frozenset(), compare=False)

    @property
    def games(self) -> list[list[str]]:
        """Return the cards drawn, game by game."""
        games: list[list[str]] = [[]]
        for card in self.drew:
            if card == GAME_SEPARATOR:
                games.append([])
            else:
                games[-1].append(card)
        return games

    @property
    def text(self) -> str:
        terms = self.terms
        lines = [
            HEADER,
            f"room: {terms.room}",
            f"game: {terms.game}",
            f"regulation: {terms.regulation}",
            f"edition: {terms.edition}",
            f"start: {terms.start}",
            f"commitment: {terms.commitment}",
            *(f"seat {name}: {seat}" for name, seat in zip(SEATS, terms.seats, strict=True)),
            *(f"seal {name}: {seal}" for name, seal in zip(SEATS, terms.seals, strict=True)),
            f"you: {self.you}",
            f"salt: {json.dumps(self.salt)}",
            f"deck: {json.dumps(self.deck)}",
            f"tries: {self.tries}",
            f"drew: {' '.join(self.drew)}",
            *(f"chain {number}: {chain}" for number, chain in enumerate(self.chains, 1)),
        ]
        return "\n".join(line.rstrip() for line in lines) + "\n"


def parse_receipt(text: str) -> Receipt:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or lines[0] != HEADER:
        raise InvalidReceipt(f"a receipt begins with {HEADER!r}")
    fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    try:
        terms = Terms(
            fields["room"],
            int(fields["game"]),
            fields["regulation"],
            fields["edition"],
            fields["start"],
            fields["commitment"],
            (fields["seat p1"], fields["seat p2"]),
            (fields["seal p1"], fields["seal p2"]),
        )
        salt, deck = json.loads(fields["salt"]), json.loads(fields["deck"])
        you: p.SeatName = "p2" if fields["you"] == "p2" else "p1"
        chains = tuple(fields[f"chain {number}"] for number in range(1, 10) if f"chain {number}" in fields)
        return Receipt(terms, you, str(salt), str(deck), int(fields["tries"]), tuple(fields["drew"].split()), chains)
    except (KeyError, ValueError) as error:
        raise InvalidReceipt(f"the receipt cannot be read: {error}") from None


def next_terms(info: p.RoomInfo) -> Terms:
    """Return the terms of a room's next game, as every client in the room sees them."""
    first, second = info.p1, info.p2
    return Terms(
        room_tag(info.id),
        info.game + 1,
        info.settings.regulation,
        info.edition,
        info.start_hash,
        info.commitment,
        (f"{first.kind} {first.level}".rstrip(), f"{second.kind} {second.level}".rstrip()),
        (first.seal, second.seal),
    )


class NewEvents(NamedTuple):
    """The events of an update, those of the previous game apart. ``whole``: they start at the beginning."""

    earlier: list[Event]
    events: list[Event]
    whole: bool


def new_events(update: p.Update, last_seq: int) -> NewEvents | None:
    """Return the new events of an update; None if some are missing since ``before``."""
    whole, truncated = update.since == -1, len(update.events) >= MAX_EVENTS
    if whole and truncated and update.seq == last_seq:
        return NewEvents([], [], False)  # resent view: nothing new
    if (
        update.practice
        or (truncated and not (whole and update.previous_events))
        or not (whole or update.since == last_seq)
    ):
        return None
    return NewEvents(update.events[: update.previous_events], update.events[update.previous_events :], whole)


def add_update(receipt: Receipt, update: p.Update, last_seq: int) -> Receipt | None:
    """Return the receipt extended by an update; ``before``: the sequence number seen before. Return None if events were
    missed or taken back: what was recorded until then stays valid, and recording stops."""
    new = new_events(update, last_seq)
    if new is None:
        return None
    games = receipt.games[: update.match_game - 1] if new.whole else receipt.games
    new_game = new.whole or update.match_game > len(games)
    if new_game and not new.whole:
        games[-1] += drawn_cards(new.earlier, receipt.you)
    if new_game:
        games.append([])
    if len(games) != update.match_game:
        return None
    named = frozenset(card for event in new.events if event.player == receipt.you for card in event.cards or ())
    if not new_game:
        named |= receipt.named
    games[-1] += drawn_cards(new.events, receipt.you)
    if update.view is not None and receipt.terms.start == DEALT:
        # Cards shown in the own hand but never named by an event count as drawn: the record will not match them.
        hand = update.view.side(SEATS.index(receipt.you)).hand.cards or ()
        games[-1] += [card for card in hand if card not in named]
    drew = [card for game in games for card in (GAME_SEPARATOR, *game)][1:]
    return replace(receipt, drew=tuple(drew), named=named)


def drawn_cards(events: Sequence[Event], you: p.SeatName) -> list[str]:
    """Return the cards a seat draws."""
    return [card for event in events if event.event == "drew" and event.player == you for card in event.cards or ()]
