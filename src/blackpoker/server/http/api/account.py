"""Account endpoints: creating, signing in and out, devices and keys, export, deletion. A page without a server has none
of them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from blackpoker.server.accounts import service
from blackpoker.server.accounts.name_rules import MAX_LENGTH, RENAME_INTERVAL
from blackpoker.server.accounts.passkeys import PasskeySite
from blackpoker.server.accounts.service import Accounts, NewSession, device_label, no_account
from blackpoker.server.admission import (
    ACCOUNT_CHANGES,
    ACCOUNTS,
    BULK,
    CHALLENGES,
    EXPORTS,
    GUESSES,
    HASH,
    JOB,
    PAGE_DATA,
    READ,
    WRITE,
    Owner,
)
from blackpoker.server.http.allowed_hosts import host_name, is_address
from blackpoker.server.http.api.context import app_state_of, current_guest
from blackpoker.server.http.endpoint import Endpoint, HttpProblem, json_response
from blackpoker.server.http.sessions import COOKIE, COOKIE_MAX_AGE
from blackpoker.server.http.signed_sessions import SignedGuestSessions
from blackpoker.server.http.types import Cookie, HttpRequest, HttpResponse
from blackpoker.server.identity import Identity
from blackpoker.server.storage import accounts as rows

NameText = Annotated[str, Meta(min_length=1, max_length=4 * MAX_LENGTH)]
CardText = Annotated[str, Meta(max_length=3, pattern="^([SHDC]([2-9]|10|[AJQK])|JK)$")]
#: bytes of the data a page may store, such as decks and progress in the lessons
MAX_PAGE_DATA: Final = 200_000


class NewAccount(Struct, forbid_unknown_fields=True):
    """``crest``: the card shown as the player's picture."""

    name: NameText
    crest: CardText = "HQ"


class NameQuery(Struct):
    name: NameText


class NameCheck(Struct):
    """An available name, as it is displayed."""

    name: str


class SignedInAs(Struct):
    """``code``: the twelve cards of the recovery code, returned only once."""

    id: str
    name: str
    code: list[str] = []


class TwelveCards(Struct):
    code: list[str]


class AccountChange(Struct, forbid_unknown_fields=True):
    name: NameText | None = None
    crest: CardText | None = None


class AccountDevice(Struct):
    id: str
    kind: Literal["phone", "desk"]
    label: str
    since: float
    seen: float
    here: bool


class AccountPasskey(Struct):
    id: str
    label: str
    since: float
    used: float


class MyAccount(Struct):
    """``rename_after``: time of the next possible name change, 0 if now. ``muted`` and ``banned``: end times, 0 if
    not."""

    player: str
    name: str
    crest: str
    created: float
    rename_after: float
    code_at: float
    muted: float
    banned: float
    games: int
    names: list[str]
    devices: list[AccountDevice]
    passkeys: list[AccountPasskey]


class Credential(Struct, forbid_unknown_fields=True):
    """The result of the browser's passkey dialog, as JSON."""

    credential: dict[str, Any]


class PasskeyOptions(Struct):
    """The options of the browser's passkey dialog."""

    options: dict[str, Any]


class CodeSignIn(Struct, forbid_unknown_fields=True):
    name: NameText
    cards: Annotated[str, Meta(min_length=1, max_length=200)]


class LinkToken(Struct, forbid_unknown_fields=True):
    token: Annotated[str, Meta(min_length=43, max_length=43, pattern="^[A-Za-z0-9_-]+$")]


class DeviceLink(Struct):
    """The link to open once on another device, soon. The part after # is never sent to a server, so it appears in no
    log."""

    path: str
    seconds: int


class DeviceId(Struct, forbid_unknown_fields=True):
    id: Annotated[str, Meta(min_length=12, max_length=12, pattern="^[0-9a-f]+$")]


class PasskeyId(Struct, forbid_unknown_fields=True):
    id: Annotated[str, Meta(min_length=1, max_length=400, pattern="^[A-Za-z0-9_-]+$")]


class Leaving(Struct, forbid_unknown_fields=True):
    """The account's name, to confirm the deletion."""

    name: NameText


class Kept(Struct):
    """The data a page stores for its owner's other devices, and its version; 0 if there is none yet."""

    version: int
    data: dict[str, Any] | None


class NewKept(Struct, forbid_unknown_fields=True):
    """``version``: the version this data replaces."""

    version: Annotated[int, Meta(ge=0, le=2**31 - 2)]
    data: dict[str, Any]


class KeptVersion(Struct):
    version: int


class Done(Struct):
    done: bool = True


# -- the caller --------------------------------------------------------------------------------------------------------


def accounts_of(request: HttpRequest) -> Accounts:
    found: Accounts = app_state_of(request).accounts
    return found


def require_account(request: HttpRequest) -> Identity:
    guest = current_guest(request)
    if guest is None or not guest.device:
        raise no_account()
    return guest


def owner_of(request: HttpRequest) -> Owner:
    return app_state_of(request).job_owner(request)


def passkey_site(request: HttpRequest) -> PasskeySite:
    """Return the site of a passkey, named by the host of the request; raise `HttpProblem` if the host is an address."""
    host = request.headers.get("host", "")
    name = host_name(host) or ""
    if not name or is_address(name):
        raise HttpProblem(
            409, "no_host_name", "passkeys need a server with a name", "パスキーは名前のあるサーバーでだけ使えます"
        )
    return PasskeySite(name, [f"https://{host}", f"http://{host}", *app_state_of(request).origins])


def sign_in_response(request: HttpRequest, account: NewSession, value: Any, status: int = 200) -> HttpResponse:
    """Return the response with the cookie of the account that has signed in."""
    guests = app_state_of(request).sessions
    assert isinstance(guests, SignedGuestSessions)
    response = json_response(value, status)
    cookie = guests.account_cookie(account.id, account.name, account.token)
    response.cookie = Cookie(COOKIE, cookie, COOKIE_MAX_AGE, request.url.scheme == "https")
    return response


def guest_response(request: HttpRequest) -> HttpResponse:
    """Return a response that makes the caller a new guest."""
    guests = app_state_of(request).sessions
    response = json_response(Done())
    response.cookie = Cookie(COOKIE, guests.cookie(guests.new()), COOKIE_MAX_AGE, request.url.scheme == "https")
    return response


# -- the account -------------------------------------------------------------------------------------------------------


async def check_name(request: HttpRequest, query: NameQuery) -> NameCheck:
    """Return the name as it would be displayed if it is available; refuse it otherwise."""
    guest = current_guest(request)
    return NameCheck(accounts_of(request).check_name(query.name, "" if guest is None else guest.id))


async def create_account(request: HttpRequest, body: NewAccount) -> HttpResponse:
    """Create an account for the calling guest; the guest's games so far belong to it."""
    guest = current_guest(request)
    if guest is None:
        raise HttpProblem(401, "no_guest", "fetch /api/me first", "先に /api/me を取得してください")
    accounts, agent = accounts_of(request), device_label(request.headers.get("user-agent", ""))
    account, code = await accounts.create(guest, body.name, body.crest, agent, owner_of(request))
    return sign_in_response(request, account, SignedInAs(account.id, account.name, code), 201)


async def read_account(request: HttpRequest) -> MyAccount:
    """Return my account: names, devices, keys."""
    guest = require_account(request)
    accounts = accounts_of(request)
    return await account_info(accounts, guest, await accounts.load_account(guest))


async def account_info(accounts: Accounts, guest: Identity, row: rows.AccountRow) -> MyAccount:
    names, devices, keys, games = await accounts.store.query(read_account_data, row)
    return MyAccount(
        row.player,
        row.name,
        row.crest,
        row.created,
        row.renamed + RENAME_INTERVAL if row.renamed else 0.0,
        row.code_at,
        row.muted,
        row.banned,
        games,
        [item.name for item in names if item.name != row.name],
        [device_info(item, guest) for item in devices],
        [AccountPasskey(item.id, item.label, item.created, item.used) for item in keys],
    )


def device_info(device: rows.DeviceRow, guest: Identity) -> AccountDevice:
    kind: Literal["phone", "desk"] = "phone" if device.kind == "phone" else "desk"
    return AccountDevice(device.id, kind, device.label, device.created, device.seen, device.token == guest.device)


def read_account_data(
    connection: Any, row: rows.AccountRow
) -> tuple[list[rows.OwnedName], list[rows.DeviceRow], list[rows.PasskeyRow], int]:
    return (
        rows.names_of(connection, row.id),
        rows.devices_of(connection, row.id),
        rows.passkeys_of(connection, row.id),
        rows.count_games(connection, row.player),
    )


async def change_account(request: HttpRequest, body: AccountChange) -> MyAccount:
    """Change the name, once in 30 days, or the crest, at any time."""
    guest = require_account(request)
    accounts = accounts_of(request)
    row = await accounts.load_account(guest)
    if body.name is not None:
        row = await accounts.rename(guest, body.name)
    if body.crest is not None:
        row = await accounts.set_crest(guest, body.crest)
    return await account_info(accounts, guest, row)


async def delete_account(request: HttpRequest, body: Leaving) -> HttpResponse:
    """Delete everything but the games, from which the name is removed."""
    await accounts_of(request).remove(require_account(request), body.name)
    return guest_response(request)


async def export_account(request: HttpRequest) -> HttpResponse:
    """Return all data of the account as one file."""
    guest = require_account(request)
    accounts = accounts_of(request)
    await accounts.load_account(guest)
    data = await accounts.store.query(service.export_account, guest.id)
    headers = {"content-disposition": 'attachment; filename="blackpoker-account.json"'}
    return HttpResponse(data, 200, headers, "application/json")


async def read_page_data(request: HttpRequest) -> HttpResponse:
    """Return the decks, progress and settings that another device has stored."""
    guest = require_account(request)
    accounts = accounts_of(request)
    await accounts.load_account(guest)
    version, text = await accounts.store.query(rows.synced_data, guest.id)
    return HttpResponse(f'{{"version":{version},"data":{text or "null"}}}', 200, media_type="application/json")


async def write_page_data(request: HttpRequest, body: NewKept) -> KeptVersion:
    """Store them for the other devices; refused if another device has stored a newer version."""
    guest = require_account(request)
    accounts = accounts_of(request)
    await accounts.load_account(guest)
    text = msgspec.json.encode(body.data).decode()
    if len(text.encode()) > MAX_PAGE_DATA:
        raise HttpProblem(413, "too_large", "that is too much to keep", "保存できる量を超えています")
    if not await accounts.store.transaction(rows.replace_synced_data, guest.id, body.version, text):
        raise HttpProblem(409, "version", "another device has left something since", "別の端末で更新されています")
    return KeptVersion(body.version + 1)


# -- devices and keys --------------------------------------------------------------------------------------------------


async def sign_out_device(request: HttpRequest, body: DeviceId) -> Done:
    """Sign out one of my devices."""
    await accounts_of(request).sign_out(require_account(request), body.id)
    return Done()


async def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out this device; the caller becomes a guest again."""
    guest = require_account(request)
    accounts = accounts_of(request)
    devices = await accounts.store.query(rows.devices_of, guest.id)
    for device in devices:
        if device.token == guest.device:
            await accounts.sign_out(guest, device.id)
    return guest_response(request)


async def new_recovery_code(request: HttpRequest) -> TwelveCards:
    """Create a new recovery code of twelve cards; the previous one becomes invalid."""
    return TwelveCards(await accounts_of(request).new_code(require_account(request), owner_of(request)))


async def passkey_options(request: HttpRequest) -> PasskeyOptions:
    """Return the options with which the browser creates a passkey."""
    guest = require_account(request)
    found = await accounts_of(request).passkey_options(guest, passkey_site(request))
    return PasskeyOptions(found)


async def add_passkey(request: HttpRequest, body: Credential) -> Done:
    """Store the passkey that the browser has created."""
    guest, agent = require_account(request), device_label(request.headers.get("user-agent", ""))
    await accounts_of(request).add_passkey(guest, passkey_site(request), body.credential, agent, owner_of(request))
    return Done()


async def remove_passkey(request: HttpRequest, body: PasskeyId) -> Done:
    """Delete one of my passkeys."""
    await accounts_of(request).remove_passkey(require_account(request), body.id)
    return Done()


async def create_sign_in_link(request: HttpRequest) -> DeviceLink:
    """Create a link that signs another device in, once."""
    token = await accounts_of(request).create_link(require_account(request))
    return DeviceLink(f"/account/link#{token}", int(service.CHALLENGE_SECONDS))


# -- signing in --------------------------------------------------------------------------------------------------------


async def sign_in_options(request: HttpRequest) -> PasskeyOptions:
    """Return the options with which the browser answers with a passkey."""
    return PasskeyOptions(await accounts_of(request).sign_in_options(passkey_site(request)))


async def sign_in_by_passkey(request: HttpRequest, body: Credential) -> HttpResponse:
    """Sign in with a passkey."""
    agent = device_label(request.headers.get("user-agent", ""))
    account = await accounts_of(request).sign_in_by_passkey(
        passkey_site(request), body.credential, agent, owner_of(request)
    )
    return sign_in_response(request, account, SignedInAs(account.id, account.name))


async def sign_in_by_code(request: HttpRequest, body: CodeSignIn) -> HttpResponse:
    """Sign in with a name and the twelve cards of the recovery code."""
    agent = device_label(request.headers.get("user-agent", ""))
    account = await accounts_of(request).recover(body.name, body.cards, owner_of(request), agent)
    return sign_in_response(request, account, SignedInAs(account.id, account.name))


async def read_link(request: HttpRequest, body: LinkToken) -> NameCheck:
    """Return the name of the account of this link."""
    return NameCheck(await accounts_of(request).link_owner(body.token))


async def sign_in_by_link(request: HttpRequest, body: LinkToken) -> HttpResponse:
    """Sign in with a link from another device."""
    account = await accounts_of(request).sign_in_by_link(
        body.token, device_label(request.headers.get("user-agent", ""))
    )
    return sign_in_response(request, account, SignedInAs(account.id, account.name))


ACCOUNT_ENDPOINTS: Final = [
    Endpoint(
        "GET", "/api/names", check_name, NameCheck, query=NameQuery, problems=(409,), cost=READ, draws=(CHALLENGES,)
    ),
    Endpoint(
        "POST",
        "/api/account",
        create_account,
        SignedInAs,
        body=NewAccount,
        status=201,
        problems=(401, 409, 503),
        cost=HASH,
        draws=(ACCOUNTS,),
    ),
    Endpoint("GET", "/api/account", read_account, MyAccount, problems=(401, 503), cost=READ),
    Endpoint(
        "POST",
        "/api/account/change",
        change_account,
        MyAccount,
        body=AccountChange,
        problems=(401, 409, 503),
        cost=WRITE,
        draws=(ACCOUNT_CHANGES,),
    ),
    Endpoint(
        "POST",
        "/api/account/delete",
        delete_account,
        Done,
        body=Leaving,
        problems=(401, 503),
        banned=True,
        cost=BULK,
        draws=(ACCOUNT_CHANGES,),
    ),
    Endpoint(
        "GET", "/api/account/export", export_account, dict[str, Any], problems=(401, 503), cost=BULK, draws=(EXPORTS,)
    ),
    Endpoint("GET", "/api/account/kept", read_page_data, Kept, problems=(401, 503), cost=READ),
    Endpoint(
        "POST",
        "/api/account/kept",
        write_page_data,
        KeptVersion,
        body=NewKept,
        problems=(401, 409, 503),
        cost=WRITE,
        draws=(PAGE_DATA,),
    ),
    Endpoint(
        "POST",
        "/api/account/devices/out",
        sign_out_device,
        Done,
        body=DeviceId,
        problems=(401, 404, 503),
        banned=True,
        cost=WRITE,
        draws=(ACCOUNT_CHANGES,),
    ),
    Endpoint(
        "POST",
        "/api/account/out",
        sign_out,
        Done,
        problems=(401, 404, 503),
        banned=True,
        cost=WRITE,
        draws=(ACCOUNT_CHANGES,),
    ),
    Endpoint(
        "POST",
        "/api/account/code",
        new_recovery_code,
        TwelveCards,
        problems=(401, 503),
        cost=HASH,
        draws=(ACCOUNT_CHANGES,),
    ),
    Endpoint(
        "POST",
        "/api/account/passkeys/options",
        passkey_options,
        PasskeyOptions,
        problems=(401, 409, 503),
        cost=WRITE,
        draws=(CHALLENGES,),
    ),
    Endpoint(
        "POST",
        "/api/account/passkeys",
        add_passkey,
        Done,
        body=Credential,
        problems=(401, 409, 503),
        cost=JOB,
        draws=(ACCOUNT_CHANGES,),
    ),
    Endpoint(
        "POST",
        "/api/account/passkeys/remove",
        remove_passkey,
        Done,
        body=PasskeyId,
        problems=(401, 404, 503),
        cost=WRITE,
        draws=(ACCOUNT_CHANGES,),
    ),
    Endpoint(
        "POST",
        "/api/account/link",
        create_sign_in_link,
        DeviceLink,
        problems=(401, 503),
        cost=WRITE,
        draws=(CHALLENGES,),
    ),
    Endpoint(
        "POST",
        "/api/sign-in/passkey/options",
        sign_in_options,
        PasskeyOptions,
        problems=(409, 503),
        cost=WRITE,
        draws=(CHALLENGES,),
    ),
    Endpoint(
        "POST",
        "/api/sign-in/passkey",
        sign_in_by_passkey,
        SignedInAs,
        body=Credential,
        problems=(401, 409, 503),
        cost=JOB,
        draws=(ACCOUNT_CHANGES,),
    ),
    Endpoint(
        "POST",
        "/api/sign-in/code",
        sign_in_by_code,
        SignedInAs,
        body=CodeSignIn,
        problems=(401, 503),
        cost=HASH,
        draws=(GUESSES,),
    ),
    Endpoint("POST", "/api/sign-in/link/whose", read_link, NameCheck, body=LinkToken, problems=(503,), cost=READ),
    Endpoint(
        "POST",
        "/api/sign-in/link",
        sign_in_by_link,
        SignedInAs,
        body=LinkToken,
        problems=(401, 503),
        cost=WRITE,
        draws=(ACCOUNT_CHANGES,),
    ),
]
