"""Cookies that only we can have made."""

from __future__ import annotations

import time
from typing import Final

from itsdangerous import BadSignature, URLSafeTimedSerializer

from blackpoker.server.net.guests import LASTS, Guest, Guests
from blackpoker.server.net.traces import forget_way

#: cookies that need not be checked again
MOST_KNOWN: Final = 10_000


class SignedGuests(Guests):
    def __init__(self, key: bytes) -> None:
        self.signer: URLSafeTimedSerializer = URLSafeTimedSerializer(key, salt="guest")
        self.known: dict[
            str, tuple[Guest, float]
        ] = {}  # cookies of ours that were read lately, and until when they last

    def cookie(self, guest: Guest) -> str:
        return str(self.signer.dumps([guest.id, guest.name]))

    def read(self, cookie: str | None) -> Guest | None:
        """Whose cookie this is; None if we did not sign it."""
        if not cookie or len(cookie) > 400:
            return None
        found = self.known.get(cookie)
        if found is None:
            try:
                (id, name), signed = self.signer.loads(cookie, return_timestamp=True)
            except (BadSignature, ValueError, TypeError) as error:
                forget_way(error)
                return None
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self.known[cookie] = (Guest(str(id), str(name)), signed.timestamp() + LASTS)
        guest, until = found
        return guest if time.time() < until else None
