"""A player's receipt of a game: the terms seen before it, the own salt, the cards drawn, the hashes received at its
end. It is used to verify the record; nothing in it comes from the record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from blackpoker import Event
from blackpoker.server.rooms.fairness import DEAL, Terms, room_tag
from blackpoker.wire import protocol as p

HEAD: Final = "BlackPoker receipt 3"
#: most events of one update; if there are this many, earlier ones are missing
MOST_EVENTS: Final = 400
SEATS: Final = ("p1", "p2")
#: separator between the games of a match in ``drew``
NEXT: Final = "/"


class BadReceipt(ValueError):
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
        found: list[list[str]] = [[]]
        for card in self.drew:
            if card == NEXT:
                found.append([])
            else:
                found[-1].append(card)
        return found

    @property
    def text(self) -> str:
        terms = self.terms
        lines = [
            HEAD,
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


def read_receipt(text: str) -> Receipt:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or lines[0] != HEAD:
        raise BadReceipt(f"a receipt begins with {HEAD!r}")
    facts = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    try:
        terms = Terms(
            facts["room"], int(facts["game"]), facts["regulation"], facts["edition"], facts["start"],
            facts["commitment"], (facts["seat p1"], facts["seat p2"]), (facts["seal p1"], facts["seal p2"]),
        )  # fmt: skip
        salt, deck = json.loads(facts["salt"]), json.loads(facts["deck"])
        you: p.SeatName = "p2" if facts["you"] == "p2" else "p1"
        chains = tuple(facts[f"chain {number}"] for number in range(1, 10) if f"chain {number}" in facts)
        return Receipt(terms, you, str(salt), str(deck), int(facts["tries"]), tuple(facts["drew"].split()), chains)
    except (KeyError, ValueError) as error:
        raise BadReceipt(f"the receipt cannot be read: {error}") from None


def terms_of(info: p.RoomInfo) -> Terms:
    """Return the terms of a room's next game, as every client in the room sees them."""
    first, second = info.p1, info.p2
    return Terms(
        room_tag(info.id), info.game + 1, info.settings.regulation, info.edition, info.start, info.commitment,
        (f"{first.kind} {first.level}".rstrip(), f"{second.kind} {second.level}".rstrip()), (first.seal, second.seal),
    )  # fmt: skip


class NewEvents(NamedTuple):
    """The events of an update, those of the previous game apart. ``whole``: they start at the beginning."""

    earlier: list[Event]
    events: list[Event]
    whole: bool


def follows(update: p.Update, before: int) -> NewEvents | None:
    """Return the new events of an update; None if some are missing since ``before``."""
    whole, cut = update.since == -1, len(update.events) >= MOST_EVENTS
    if whole and cut and update.seq == before:
        return NewEvents([], [], False)  # resent view: nothing new
    if update.practice or (cut and not (whole and update.opens)) or not (whole or update.since == before):
        return None
    return NewEvents(update.events[: update.opens], update.events[update.opens :], whole)


def saw(receipt: Receipt, update: p.Update, before: int) -> Receipt | None:
    """Return the receipt extended by an update; ``before``: the sequence number seen before. Return None if events were
    missed or taken back: what was recorded until then stays valid, and recording stops."""
    told = follows(update, before)
    if told is None:
        return None
    games = receipt.games[: update.part - 1] if told.whole else receipt.games
    fresh = told.whole or update.part > len(games)
    if fresh and not told.whole:
        games[-1] += drawn(told.earlier, receipt.you)
    if fresh:
        games.append([])
    if len(games) != update.part:
        return None
    named = frozenset(card for event in told.events if event.player == receipt.you for card in event.cards or ())
    if not fresh:
        named |= receipt.named
    games[-1] += drawn(told.events, receipt.you)
    if update.view is not None and receipt.terms.start == DEAL:
        # Cards shown in the own hand but never named by an event count as drawn: the record will not match them.
        hand = update.view.side(SEATS.index(receipt.you)).hand.cards or ()
        games[-1] += [card for card in hand if card not in named]
    drew = [card for game in games for card in (NEXT, *game)][1:]
    return replace(receipt, drew=tuple(drew), named=named)


def drawn(events: Sequence[Event], you: p.SeatName) -> list[str]:
    """Return the cards a seat draws."""
    return [card for event in events if event.event == "drew" and event.player == you for card in event.cards or ()]
