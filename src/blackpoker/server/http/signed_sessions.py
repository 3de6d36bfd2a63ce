"""Signed guest cookies."""

from __future__ import annotations

import time
from typing import Final, NamedTuple

from itsdangerous import BadSignature, URLSafeTimedSerializer

from blackpoker.server.accounts.name_index import AccountIndex, hash_of_token, is_active_until
from blackpoker.server.admission import BoundedCache, declare_cache
from blackpoker.server.http.sessions import COOKIE_MAX_AGE, GuestSessions
from blackpoker.server.http.traces import clear_tracebacks
from blackpoker.server.identity import Identity, default_name, display_name

#: cookies whose signature was verified
CACHE: Final = declare_cache("verified cookies", 10_000, "known")


class SignedCookie(NamedTuple):
    """The content of a signed cookie. ``device`` is the hash of the device token of an account."""

    id: str
    name: str
    device: str
    expires: float


class SignedGuestSessions(GuestSessions):
    def __init__(self, key: bytes, directory: AccountIndex | None = None) -> None:
        self.signer: URLSafeTimedSerializer = URLSafeTimedSerializer(key, salt="guest")
        self.directory: AccountIndex = directory or AccountIndex()
        self.cache: BoundedCache[str, SignedCookie] = BoundedCache(CACHE)

    def cookie(self, guest: Identity) -> str:
        return str(self.signer.dumps([guest.id, guest.name]))

    def account_cookie(self, id: str, name: str, token: str) -> str:
        return str(self.signer.dumps([id, name, token]))

    def verify(self, cookie: str | None) -> SignedCookie | None:
        """Return the content of a signed cookie, even if its device is signed out; None if it is invalid or expired."""
        if not cookie or len(cookie) > 400:
            return None
        found = self.cache.get(cookie)
        if found is None:
            try:
                (id, name, *device), signed = self.signer.loads(cookie, return_timestamp=True)
            except (BadSignature, ValueError, TypeError) as error:
                clear_tracebacks(error)
                return None
            token = hash_of_token(str(device[0])) if device else ""
            found = self.cache[cookie] = SignedCookie(str(id), str(name), token, signed.timestamp() + COOKIE_MAX_AGE)
        return found if time.time() < found.expires else None

    def read(self, cookie: str | None) -> Identity | None:
        """Return the guest of a cookie; None if the signature is invalid or its device is signed out."""
        found = self.verify(cookie)
        if found is None:
            return None
        if not found.device:
            if found.id in self.directory.accounts:  # from before the guest created an account
                return None
            name = display_name(found.name)
            taken = not name or self.directory.is_name_taken(name)
            return Identity(found.id, default_name(found.id) if taken else name)
        head = self.directory.signed_in(found.id, found.device)
        return (
            None
            if head is None
            else Identity(found.id, head.name, found.device, is_active_until(head.muted), head.banned)
        )
