"""A WebAuthn authenticator like a browser's: its own keys, and responses to a server's challenges."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

#: user present and user verified
PRESENT_AND_VERIFIED = 0x05
WITH_KEY = 0x40


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Authenticator:
    """One passkey."""

    def __init__(self, origin: str, flags: int = PRESENT_AND_VERIFIED) -> None:
        self.origin = origin
        self.flags = flags
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(16)
        self.signs = 0

    def client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": False}).encode()

    def data(self, host: str, more: bytes = b"", flags: int = 0) -> bytes:
        count = self.signs.to_bytes(4, "big")
        return hashlib.sha256(host.encode()).digest() + bytes([self.flags | flags]) + count + more

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the browser's response for a new passkey."""
        point = self.key.public_key().public_numbers()
        public = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")})
        attested = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + public
        data = self.data(options["rp"]["id"], attested, WITH_KEY)
        return self.answer(
            "webauthn.create",
            options["challenge"],
            {"attestationObject": encoded(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data}))},
        )

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """Return the browser's response for signing in."""
        self.signs += 1
        data = self.data(options["rpId"])
        client_data = self.client_data("webauthn.get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client_data).digest(), ec.ECDSA(hashes.SHA256()))
        more = {"authenticatorData": encoded(data), "signature": encoded(signature), "userHandle": None}
        return self.answer("webauthn.get", options["challenge"], more)

    def answer(self, kind: str, challenge: str, more: dict[str, Any]) -> dict[str, Any]:
        response = {"clientDataJSON": encoded(self.client_data(kind, challenge)), **more}
        id = encoded(self.id)
        return {"id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {}}
