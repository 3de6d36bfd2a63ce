"""A player's receipt of a game: the terms seen before it, the own salt, the transcript of what was sent, the results
and hashes received at its end. It is used to verify the record; nothing in it comes from the record.

A receipt is only ever extended. What contradicts it is an alarm.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import msgspec

from blackpoker import EventView, Player
from blackpoker.errors import BlackPokerError
from blackpoker.protocol import messages as p
from blackpoker.server.fairness.seal import DEALT, TERMS_VERSION, Terms, digest, room_tag
from blackpoker.server.fairness.signatures import SigningKey, is_signed, signed_text

HEADER: Final = "BlackPoker receipt 4"
#: a receipt of version 3 has the cards drawn instead of a transcript
OLD_HEADER: Final = "BlackPoker receipt 3"
#: raised if the events of a game change, or their form; transcripts of another version are not compared
TRANSCRIPT_VERSION: Final = 1
SEATS: Final[tuple[p.SeatName, p.SeatName]] = (Player.P1, Player.P2)
#: separator between the games of a match in ``drew``
GAME_SEPARATOR: Final = "/"
#: most games of a match
MAX_PARTS: Final = 9
#: hexadecimal digits kept of each event, to compare events that are sent again
DIGEST_LENGTH: Final = 12


class InvalidReceipt(BlackPokerError, ValueError):
    """Raised if a text is no receipt."""


class TranscriptPart(NamedTuple):
    """The transcript of a game of the match: the number of its events, and their running hash."""

    length: int
    hash: str


def first_hash(terms: str, seat: str, part: int) -> str:
    """Return the hash of a transcript without events."""
    return digest("blackpoker transcript 1", terms, seat, str(part)).hex()


def event_text(event: EventView) -> bytes:
    """Return an event as JSON with sorted names and without fields that are null."""
    return msgspec.json.encode(without_empty(msgspec.to_builtins(event)), order="sorted")


def without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_empty(part) for name, part in value.items() if part is not None}
    return [without_empty(part) for part in value] if isinstance(value, list) else value


def extended_hash(transcript: str, text: bytes) -> str:
    return hashlib.sha256(bytes.fromhex(transcript) + text).hexdigest()


def transcript_of(terms: str, seat: str, part: int, events: Iterable[EventView]) -> list[str]:
    """Return the hashes of a transcript after none, one, two … of the events."""
    hashes = [first_hash(terms, seat, part)]
    for event in events:
        hashes.append(extended_hash(hashes[-1], event_text(event)))
    return hashes


@dataclass
class Receipt:
    """``tries``: number of deals of this player, in any room, that did not finish after the salt was opened, since the
    last finished game. ``parts``, ``chains``, ``results``: transcript, hash of the record and result of each game of
    the match. ``signatures``: by part, the last signature of the other seat. ``expected_key``: the key of the other
    player as the invitation named it. ``alarms``: contradictions in what was sent. ``drew``: in a receipt of version 3,
    the cards this seat drew. The other fields are used while the game is played and are not saved."""

    terms: Terms
    you: p.SeatName
    salt: str
    deck: str = ""
    tries: int = 0
    chains: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    parts: list[TranscriptPart] = field(default_factory=list)
    signatures: dict[int, tuple[int, str]] = field(default_factory=dict)
    expected_key: str = ""
    alarms: list[str] = field(default_factory=list)
    missed: bool = False
    taken_back: int = 0
    resigned: bool = False
    transcript_version: int = TRANSCRIPT_VERSION
    drew: tuple[str, ...] = ()
    seq: int = field(default=-1, compare=False)
    over: bool = field(default=False, compare=False)
    digests: list[str] = field(default_factory=list, compare=False)
    named: set[str] = field(default_factory=set, compare=False)

    @property
    def place(self) -> int:
        return SEATS.index(self.you)

    @property
    def other(self) -> p.SeatName:
        return SEATS[1 - self.place]

    # -- while the game is played ------------------------------------------------------------------------------------

    def alarm(self, name: str) -> None:
        if name not in self.alarms:
            self.alarms.append(name)

    def add_update(self, update: p.Update) -> bool:
        """Extend the transcript by an update of this game. Return True if a turn of this seat has begun."""
        last, self.seq = self.seq, update.seq
        if self.taken_back or self.missed:
            return False
        whole = update.since < 0 or update.first_event > 0
        start = update.first_event if whole else len(self.digests)
        count = len(self.digests)
        if start > count or (not whole and update.since != last) or update.match_game > len(self.parts) + 1:
            self.missed = True
            return False
        if start + len(update.events) < count:
            self.alarm("rewritten")
            return False
        own_turn = False
        for number, event in enumerate(update.events):
            if number == update.previous_events:
                self._begin_part(update.match_game)
            text = event_text(event)
            short = hashlib.sha256(text).hexdigest()[:DIGEST_LENGTH]
            if start + number < count:
                if self.digests[start + number] != short:
                    self.alarm("rewritten")
                    return False
                continue
            if self.over:
                self.alarm("after_end")
                return False
            if not self.parts:
                self.alarm("rewritten")  # events of an earlier game that was never dealt
                return False
            self._add_event(event, text, short)
            own_turn = own_turn or (event.event == "turn" and event.player == self.you)
        self._begin_part(update.match_game)
        if update.view is not None and self.terms.start == DEALT:
            hand = update.view.side(self.place).hand.cards or ()
            if any(card not in self.named for card in hand):
                self.alarm("hand")
        return own_turn

    def _begin_part(self, number: int) -> None:
        if number > len(self.parts):
            self.parts.append(TranscriptPart(0, first_hash(self.terms.hash, self.you, number)))
            self.named = set()

    def _add_event(self, event: EventView, text: bytes, short: str) -> None:
        count, transcript = self.parts[-1]
        self.parts[-1] = TranscriptPart(count + 1, extended_hash(transcript, text))
        self.digests.append(short)
        if event.player == self.you:
            self.named.update(event.cards or ())

    def add_result(self, over: p.GameOver) -> None:
        """Add the result of a game of the match; it may be sent again."""
        result = f"{over.winner} {over.reason}"
        if over.record_hash in self.chains:
            if self.results[self.chains.index(over.record_hash)] != result:
                self.alarm("rewritten")
            return
        if self.over:
            self.alarm("after_end")
            return
        self.chains.append(over.record_hash)
        self.results.append(result)
        self.over = self.over or over.match_over

    def add_offer(self, offer: p.Offer) -> None:
        """Count a take-back. What is sent after it is not compared: the record does not contain what was taken back."""
        if offer.kind == "rewind" and offer.state == "accepted":
            self.taken_back += 1

    # -- signatures --------------------------------------------------------------------------------------------------

    def sign(self, key: SigningKey, part: int, transcript: TranscriptPart) -> p.SignTranscript:
        """Return the message that signs a state of the transcript."""
        data = signed_text(self.terms.hash, self.you, part, transcript.length, transcript.hash)
        return p.SignTranscript(0, transcript.length, key.sign(data), part)

    def sign_terms(self, key: SigningKey) -> p.SignTranscript:
        """Return the signature of a transcript without events, which the other seat can check at once."""
        return self.sign(key, 1, TranscriptPart(0, first_hash(self.terms.hash, self.you, 1)))

    def sign_current(self, key: SigningKey) -> p.SignTranscript:
        return self.sign(key, len(self.parts), self.parts[-1])

    def add_signature(self, message: p.TranscriptSignature) -> None:
        """Keep the last signature of the other seat. One of the terms alone is checked at once."""
        if message.count == 0 and message.part == 1:
            data = signed_text(self.terms.hash, self.other, 1, 0, first_hash(self.terms.hash, self.other, 1))
            if not is_signed(self.terms.keys[1 - self.place], data, message.signature):
                self.alarm("signature")
        if message.count >= self.signatures.get(message.part, (0, ""))[0]:
            self.signatures[message.part] = message.count, message.signature

    # -- as text -----------------------------------------------------------------------------------------------------

    @property
    def games(self) -> list[list[str]]:
        """Return the cards drawn, game by game, of a receipt of version 3."""
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
            *(f"key {name}: {key}" for name, key in zip(SEATS, terms.keys, strict=True)),
            f"you: {self.you}",
            f"salt: {json.dumps(self.salt)}",
            f"deck: {json.dumps(self.deck)}",
            f"tries: {self.tries}",
            f"invited by: {self.expected_key}",
            f"missed: {int(self.missed)}",
            f"taken back: {self.taken_back}",
            f"resigned: {int(self.resigned)}",
            f"alarms: {' '.join(self.alarms)}",
            f"events: {self.transcript_version}",
            *(f"transcript {number}: {part.length} {part.hash}" for number, part in enumerate(self.parts, 1)),
            *(f"result {number}: {result}" for number, result in enumerate(self.results, 1)),
            *(f"chain {number}: {chain}" for number, chain in enumerate(self.chains, 1)),
            *(f"signature {part}: {count} {text}" for part, (count, text) in sorted(self.signatures.items())),
        ]
        return "\n".join(line.rstrip() for line in lines) + "\n"


def parse_receipt(text: str) -> Receipt:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or lines[0] not in (HEADER, OLD_HEADER):
        raise InvalidReceipt(f"a receipt begins with {HEADER!r}")
    old = lines[0] == OLD_HEADER
    fields = {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}

    def numbered(name: str) -> list[str]:
        return [fields[f"{name} {number}"] for number in range(1, MAX_PARTS + 1) if f"{name} {number}" in fields]

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
            ("", "") if old else (fields["key p1"], fields["key p2"]),
            *((TERMS_VERSION,) if old else ()),
        )
        you = Player.P2 if fields["you"] == "p2" else Player.P1
        salt, deck = str(json.loads(fields["salt"])), str(json.loads(fields["deck"]))
        receipt = Receipt(terms, you, salt, deck, int(fields["tries"]), numbered("chain"))
        if old:
            receipt.drew = tuple(fields["drew"].split())
            return receipt
        receipt.results = numbered("result")
        receipt.parts = [TranscriptPart(int(part.split()[0]), part.split()[1]) for part in numbered("transcript")]
        for part in range(1, MAX_PARTS + 1):
            if f"signature {part}" in fields:
                count, signature = fields[f"signature {part}"].split()
                receipt.signatures[part] = int(count), signature
        receipt.expected_key = fields["invited by"]
        receipt.alarms = fields["alarms"].split()
        receipt.missed, receipt.resigned = fields["missed"] != "0", fields["resigned"] != "0"
        receipt.taken_back, receipt.transcript_version = int(fields["taken back"]), int(fields["events"])
        return receipt
    except (KeyError, ValueError, IndexError) as error:
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
        (first.key, second.key),
    )


def drawn_cards(events: Sequence[EventView], you: p.SeatName) -> list[str]:
    """Return the cards a seat draws."""
    return [card for event in events if event.event == "drew" and event.player == you for card in event.cards or ()]


@dataclass
class Attempt:
    """A deal for which a salt was opened."""

    terms: str
    commitment: str
    salt: str
    finished: bool = False


class Attempts:
    """Every deal for which a client has opened a salt, in any room and at any seat, oldest first."""

    def __init__(self) -> None:
        self.all: list[Attempt] = []

    def may_open(self, terms: Terms, salt: str) -> bool:
        """Return True unless the salt was opened for other terms."""
        return all(attempt.salt != salt or attempt.terms == terms.hash for attempt in self.all)

    def open(self, terms: Terms, salt: str) -> None:
        if all(attempt.terms != terms.hash for attempt in self.all):
            self.all.append(Attempt(terms.hash, terms.commitment, salt))

    def finish(self, terms: Terms) -> None:
        for attempt in self.all:
            attempt.finished = attempt.finished or attempt.terms == terms.hash

    def unfinished_before(self, terms: Terms) -> int:
        """Return how many deals did not finish between the last finished game and this one."""
        count = 0
        for attempt in self.all:
            if attempt.terms == terms.hash:
                break
            count = 0 if attempt.finished else count + 1
        return count
