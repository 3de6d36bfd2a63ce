"""Passkeys: challenges for a browser's authenticator, and verification of its answers. The package ``webauthn`` is slow
to load and therefore imported on first use."""

from __future__ import annotations

import json
from typing import Any, Final, NamedTuple

#: timeout of the dialog in milliseconds
DIALOG_TIMEOUT_MS: Final = 180_000


class PasskeySite(NamedTuple):
    """The site a passkey is for: the host's name and the allowed origins of its page."""

    host: str
    origins: list[str]


class RegisteredPasskey(NamedTuple):
    id: str
    key: bytes
    signs: int


class InvalidAnswer(Exception):
    """Raised if an authenticator's answer is invalid."""


def registration_options(
    site: PasskeySite, player: str, name: str, challenge: bytes, known: list[str]
) -> dict[str, Any]:
    """Return the options for creating a passkey."""
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = generate_registration_options(
        rp_id=site.host,
        rp_name="BlackPoker",
        user_id=player.encode(),
        user_name=name,
        user_display_name=name,
        challenge=challenge,
        timeout=DIALOG_TIMEOUT_MS,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
        ),
        exclude_credentials=[PublicKeyCredentialDescriptor(base64url_to_bytes(id)) for id in known],
    )
    return dict(json.loads(options_to_json(options)))


def verify_registration(site: PasskeySite, credential: dict[str, Any], challenge: bytes) -> RegisteredPasskey:
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        result = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origins,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise InvalidAnswer(str(error)[:200]) from None
    return RegisteredPasskey(bytes_to_base64url(result.credential_id), result.credential_public_key, result.sign_count)


def authentication_options(site: PasskeySite, challenge: bytes) -> dict[str, Any]:
    """Return the options for signing in with any passkey of this site; the answer names the passkey."""
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    options = generate_authentication_options(
        rp_id=site.host,
        challenge=challenge,
        timeout=DIALOG_TIMEOUT_MS,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return dict(json.loads(options_to_json(options)))


def verify_authentication(
    site: PasskeySite, credential: dict[str, Any], challenge: bytes, key: bytes, signs: int
) -> int:
    """Return the new sign count; raise `InvalidAnswer` if the answer is invalid or the count went back, a sign of a
    copied key."""
    from webauthn import verify_authentication_response
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        result = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=site.origins,
            credential_public_key=key,
            credential_current_sign_count=signs,
            require_user_verification=True,
        )
    except (WebAuthnException, ValueError, KeyError, TypeError) as error:
        raise InvalidAnswer(str(error)[:200]) from None
    return result.new_sign_count


def challenge_of(credential: dict[str, Any]) -> bytes:
    """Return the challenge that an answer contains; the caller must check it against the store. Raise `InvalidAnswer`
    if it cannot be read."""
    from webauthn import base64url_to_bytes
    from webauthn.helpers import parse_client_data_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        text = credential["response"]["clientDataJSON"]
        return bytes(parse_client_data_json(base64url_to_bytes(text)).challenge)
    except (WebAuthnException, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InvalidAnswer(str(error)[:200]) from None
