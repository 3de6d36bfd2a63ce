"""The part of a client that keeps its receipts: it decides whether a salt may be opened, extends the receipt by every
message of the server, and signs the transcript."""

from __future__ import annotations

from blackpoker.protocol import messages as p
from blackpoker.server.fairness.receipt import SEATS, Attempts, Receipt, next_terms
from blackpoker.server.fairness.seal import Terms, make_seal
from blackpoker.server.fairness.signatures import SigningKey


class ReceiptKeeper:
    """The receipts of one client in one room. ``receipt``: that of the last game a salt was opened for."""

    def __init__(self, attempts: Attempts | None = None, private_key: bytes | None = None) -> None:
        self.attempts: Attempts = Attempts() if attempts is None else attempts
        self.key: SigningKey = SigningKey(private_key)
        self.receipt: Receipt | None = None
        self.you: p.SeatName | None = None
        self.sealed: tuple[str, str] | None = None  # salt and deck for the next game
        self.info: p.RoomInfo | None = None  # the room before the game

    def ready(self, id: int, you: p.SeatName, salt: str, deck: str) -> p.Ready:
        """Return the message that seals a salt and a deck."""
        self.you, self.sealed = you, (salt, deck)
        return p.Ready(id, deck, seal=make_seal(you, salt, deck), key=self.key.public)

    def may_open(self, terms: Terms) -> bool:
        """Return True unless the sealed salt was opened for other terms."""
        return self.sealed is not None and self.attempts.may_open(terms, self.sealed[0])

    def open(self, id: int, terms: Terms) -> p.Reveal:
        """Return the message that opens the sealed salt for these terms; the attempt is noted before."""
        assert self.sealed is not None
        assert self.you is not None
        salt, deck = self.sealed
        self.attempts.open(terms, salt)
        if self.receipt is None or self.receipt.terms != terms:
            self.receipt = Receipt(terms, self.you, salt, deck, self.attempts.unfinished_before(terms))
        return p.Reveal(id, salt, terms.hash)

    def is_own_seal(self, info: p.RoomInfo) -> bool:
        """Return True if the seal that the room shows for our seat is ours."""
        if self.sealed is None or self.you is None:
            return False
        return (info.p1, info.p2)[SEATS.index(self.you)].seal == make_seal(self.you, *self.sealed)

    def on_message(self, message: p.AnyServerMessage) -> list[p.SignTranscript]:
        """Extend the receipt by a message; return the signatures to send."""
        receipt = self.receipt
        if isinstance(message, p.RoomState | p.Welcome) and message.room.phase == "waiting":
            self.info = message.room
        elif isinstance(message, p.Update):
            return self.add_update(message)
        elif receipt is None:
            return []
        elif isinstance(message, p.GameOver):
            return self.add_result(receipt, message)
        elif isinstance(message, p.Offer):
            receipt.add_offer(message)
        elif isinstance(message, p.TranscriptSignature):
            receipt.add_signature(message)
        return []

    def add_update(self, update: p.Update) -> list[p.SignTranscript]:
        receipt = self.receipt
        if receipt is None or receipt.terms.game != update.game:
            self.note_missing_reveal(update.game)
            return []
        self.sealed = None
        begins = not receipt.parts
        own_turn = receipt.add_update(update)
        if receipt.terms.seats != ("human", "human"):
            return []
        signed = [receipt.sign_terms(self.key)] if begins else []
        return [*signed, receipt.sign_current(self.key)] if own_turn else signed

    def note_missing_reveal(self, game: int) -> None:
        """Note that a game began with our seal, but our salt was not opened."""
        info = self.info
        if info is None or info.game + 1 != game or self.sealed is None or not self.is_own_seal(info):
            return
        assert self.you is not None
        self.receipt = Receipt(next_terms(info), self.you, *self.sealed, alarms=["skipped"])
        self.sealed = None

    def add_result(self, receipt: Receipt, over: p.GameOver) -> list[p.SignTranscript]:
        if receipt.terms.game != over.game:
            return []
        was_over = receipt.over
        receipt.add_result(over)
        if was_over or not receipt.over or not receipt.parts:
            return []
        self.attempts.finish(receipt.terms)
        receipt.tries = self.attempts.unfinished_before(receipt.terms)
        return [receipt.sign_current(self.key)] if receipt.terms.seats == ("human", "human") else []
