"""What a player holds of a game: what he saw before it, his own salt, what he was dealt, what he was told at its end.
With it he proves the record to himself; nothing in it comes from the record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from blackpoker import Event
from blackpoker.server.rooms.fairness import DEAL, Terms, room_tag
from blackpoker.wire import protocol as p

HEAD: Final = "BlackPoker receipt 3"
#: events of one update; where there are so many, earlier ones are missing
MOST_EVENTS: Final = 400
SEATS: Final = ("p1", "p2")
#: in what was drawn: another game of the match begins
NEXT: Final = "/"


class BadReceipt(ValueError):
    """The text is no receipt."""


@dataclass(frozen=True)
class Receipt:
    """``tries``: how often a salt of ours was opened before in this room for a game that did not begin. ``drew``: the
    cards we drew, from the beginning on, game by game. ``chains``: what we were told at the end of each game.
    ``named``: the cards we were told of as ours in the present game; it is for noting, not for keeping."""

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
        """What was drawn in each game."""
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
    """What the next game of a room will be played under, as anybody in it sees it."""
    first, second = info.p1, info.p2
    return Terms(
        room_tag(info.id), info.game + 1, info.settings.regulation, info.edition, info.start, info.commitment,
        (f"{first.kind} {first.level}".rstrip(), f"{second.kind} {second.level}".rstrip()), (first.seal, second.seal),
    )  # fmt: skip


class NewEvents(NamedTuple):
    """The events of an update, those of the game before it apart. ``whole``: they are told from the beginning."""

    earlier: list[Event]
    events: list[Event]
    whole: bool


def follows(update: p.Update, before: int) -> NewEvents | None:
    """None where something is missing between an update and what had been seen."""
    whole, cut = update.since == -1, len(update.events) >= MOST_EVENTS
    if whole and cut and update.seq == before:
        return NewEvents([], [], False)  # looked at again: nothing is new
    if update.practice or (cut and not (whole and update.opens)) or not (whole or update.since == before):
        return None
    return NewEvents(update.events[: update.opens], update.events[update.opens :], whole)


def saw(receipt: Receipt, update: p.Update, before: int) -> Receipt | None:
    """The receipt with what an update shows; ``before``: the sequence number that had been seen. None where something
    was missed or taken back: what was noted until then stays true, and nothing more is."""
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
        # What is shown in our hand and was never told counts as drawn: the record will not have it
        hand = update.view.side(SEATS.index(receipt.you)).hand.cards or ()
        games[-1] += [card for card in hand if card not in named]
    drew = [card for game in games for card in (NEXT, *game)][1:]
    return replace(receipt, drew=tuple(drew), named=named)


def drawn(events: Sequence[Event], you: p.SeatName) -> list[str]:
    """The cards a seat draws."""
    return [card for event in events if event.event == "drew" and event.player == you for card in event.cards or ()]
