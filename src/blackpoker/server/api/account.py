"""Account endpoints: creating, signing in and out, devices and keys, export, deletion. A page without a server has none
of them."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from blackpoker.server.accounts import service
from blackpoker.server.accounts.owned_names import MOST, PAUSE
from blackpoker.server.accounts.passkeys import PasskeySite
from blackpoker.server.accounts.service import Accounts, SignedIn, agent_of, no_account
from blackpoker.server.api.caller import guest_of, server_of
from blackpoker.server.net.cookies import SignedGuests
from blackpoker.server.net.exchange import Cookie, HttpRequest, HttpResponse
from blackpoker.server.net.guests import COOKIE, LASTS, Guest
from blackpoker.server.net.hosts import is_address, name_of
from blackpoker.server.net.http import Endpoint, HttpProblem, answer
from blackpoker.server.store import accounts as rows

NameText = Annotated[str, Meta(min_length=1, max_length=4 * MOST)]
CardText = Annotated[str, Meta(max_length=3, pattern="^([SHDC]([2-9]|10|[AJQK])|JK)$")]
#: bytes of the data a page may store, such as decks and progress in the lessons
MOST_KEPT: Final = 200_000


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
    found: Accounts = server_of(request).accounts
    return found


def signed_in(request: HttpRequest) -> Guest:
    guest = guest_of(request)
    if guest is None or not guest.device:
        raise no_account()
    return guest


def network_of(request: HttpRequest) -> str:
    return server_of(request).network(request)


def site_of(request: HttpRequest) -> PasskeySite:
    """Return the site of a passkey, named by the host of the request; raise `HttpProblem` if the host is an address."""
    host = request.headers.get("host", "")
    name = name_of(host) or ""
    if not name or is_address(name):
        raise HttpProblem(
            409, "no_host_name", "passkeys need a server with a name", "パスキーは名前のあるサーバーでだけ使えます"
        )
    return PasskeySite(name, [f"https://{host}", f"http://{host}", *server_of(request).origins])


def with_account(request: HttpRequest, who: SignedIn, value: Any, status: int = 200) -> HttpResponse:
    """Return the response with the cookie of the account that has signed in."""
    guests = server_of(request).guests
    assert isinstance(guests, SignedGuests)
    response = answer(value, status)
    cookie = guests.account_cookie(who.id, who.name, who.token)
    response.cookie = Cookie(COOKIE, cookie, LASTS, request.url.scheme == "https")
    return response


def as_guest(request: HttpRequest) -> HttpResponse:
    """Return a response that makes the caller a new guest."""
    guests = server_of(request).guests
    response = answer(Done())
    response.cookie = Cookie(COOKIE, guests.cookie(guests.new()), LASTS, request.url.scheme == "https")
    return response


# -- the account -------------------------------------------------------------------------------------------------------


async def check_name(request: HttpRequest, query: NameQuery) -> NameCheck:
    """Return the name as it would be displayed if it is available; refuse it otherwise."""
    guest = guest_of(request)
    return NameCheck(
        accounts_of(request).check_name(query.name, "" if guest is None else guest.id, network_of(request))
    )


async def create_account(request: HttpRequest, body: NewAccount) -> HttpResponse:
    """Create an account for the calling guest; the guest's games so far belong to it."""
    guest = guest_of(request)
    if guest is None:
        raise HttpProblem(401, "no_guest", "fetch /api/me first", "先に /api/me を取得してください")
    accounts, agent = accounts_of(request), agent_of(request.headers.get("user-agent", ""))
    who, code = await accounts.create(guest, body.name, body.crest, agent, network_of(request))
    return with_account(request, who, SignedInAs(who.id, who.name, code), 201)


async def read_account(request: HttpRequest) -> MyAccount:
    """Return my account: names, devices, keys."""
    guest = signed_in(request)
    accounts = accounts_of(request)
    return await told_account(accounts, guest, await accounts.row_of(guest))


async def told_account(accounts: Accounts, guest: Guest, row: rows.AccountRow) -> MyAccount:
    names, devices, keys, games = await accounts.store.ask(belongings, row)
    return MyAccount(
        row.player,
        row.name,
        row.crest,
        row.created,
        row.renamed + PAUSE if row.renamed else 0.0,
        row.code_at,
        row.muted,
        row.banned,
        games,
        [one.name for one in names if one.name != row.name],
        [told_device(one, guest) for one in devices],
        [AccountPasskey(one.id, one.label, one.created, one.used) for one in keys],
    )


def told_device(one: rows.DeviceRow, guest: Guest) -> AccountDevice:
    kind: Literal["phone", "desk"] = "phone" if one.kind == "phone" else "desk"
    return AccountDevice(one.id, kind, one.label, one.created, one.seen, one.token == guest.device)


def belongings(
    connection: Any, row: rows.AccountRow
) -> tuple[list[rows.OwnedName], list[rows.DeviceRow], list[rows.PasskeyRow], int]:
    return (
        rows.names_of(connection, row.id), rows.devices_of(connection, row.id), rows.passkeys_of(connection, row.id),
        rows.count_games(connection, row.player),
    )  # fmt: skip


async def change_account(request: HttpRequest, body: AccountChange) -> MyAccount:
    """Change the name, once in 30 days, or the crest, at any time."""
    guest = signed_in(request)
    accounts = accounts_of(request)
    row = await accounts.row_of(guest)
    if body.name is not None:
        row = await accounts.rename(guest, body.name)
    if body.crest is not None:
        row = await accounts.set_crest(guest, body.crest)
    return await told_account(accounts, guest, row)


async def delete_account(request: HttpRequest, body: Leaving) -> HttpResponse:
    """Delete everything but the games, from which the name is removed."""
    await accounts_of(request).remove(signed_in(request), body.name)
    return as_guest(request)


async def export_account(request: HttpRequest) -> HttpResponse:
    """Return all data of the account as one file."""
    guest = signed_in(request)
    accounts = accounts_of(request)
    await accounts.row_of(guest)
    data = await accounts.store.ask(service.everything, guest.id)
    headers = {"content-disposition": 'attachment; filename="blackpoker-account.json"'}
    return HttpResponse(data, 200, headers, "application/json")


async def read_kept(request: HttpRequest) -> HttpResponse:
    """Return the decks, progress and settings that another device has stored."""
    guest = signed_in(request)
    accounts = accounts_of(request)
    await accounts.row_of(guest)
    version, text = await accounts.store.ask(rows.keepsake, guest.id)
    return HttpResponse(f'{{"version":{version},"data":{text or "null"}}}', 200, media_type="application/json")


async def write_kept(request: HttpRequest, body: NewKept) -> KeptVersion:
    """Store them for the other devices; refused if another device has stored a newer version."""
    guest = signed_in(request)
    accounts = accounts_of(request)
    await accounts.row_of(guest)
    text = msgspec.json.encode(body.data).decode()
    if len(text.encode()) > MOST_KEPT:
        raise HttpProblem(413, "too_large", "that is too much to keep", "保存できる量を超えています")
    if not await accounts.store.commit(rows.keep, guest.id, body.version, text):
        raise HttpProblem(409, "version", "another device has left something since", "別の端末で更新されています")
    return KeptVersion(body.version + 1)


# -- devices and keys --------------------------------------------------------------------------------------------------


async def sign_out_there(request: HttpRequest, body: DeviceId) -> Done:
    """Sign out one of my devices."""
    await accounts_of(request).sign_out(signed_in(request), body.id)
    return Done()


async def sign_out(request: HttpRequest) -> HttpResponse:
    """Sign out this device; the caller becomes a guest again."""
    guest = signed_in(request)
    accounts = accounts_of(request)
    devices = await accounts.store.ask(rows.devices_of, guest.id)
    for one in devices:
        if one.token == guest.device:
            await accounts.sign_out(guest, one.id)
    return as_guest(request)


async def new_cards(request: HttpRequest) -> TwelveCards:
    """Create a new recovery code of twelve cards; the previous one becomes invalid."""
    return TwelveCards(await accounts_of(request).new_code(signed_in(request)))


async def passkey_options(request: HttpRequest) -> PasskeyOptions:
    """Return the options with which the browser creates a passkey."""
    guest = signed_in(request)
    found = await accounts_of(request).passkey_options(guest, site_of(request), network_of(request))
    return PasskeyOptions(found)


async def add_passkey(request: HttpRequest, body: Credential) -> Done:
    """Store the passkey that the browser has created."""
    guest, agent = signed_in(request), agent_of(request.headers.get("user-agent", ""))
    await accounts_of(request).add_passkey(guest, site_of(request), body.credential, agent)
    return Done()


async def remove_passkey(request: HttpRequest, body: PasskeyId) -> Done:
    """Delete one of my passkeys."""
    await accounts_of(request).remove_passkey(signed_in(request), body.id)
    return Done()


async def make_link(request: HttpRequest) -> DeviceLink:
    """Create a link that signs another device in, once."""
    token = await accounts_of(request).link(signed_in(request), network_of(request))
    return DeviceLink(f"/account/link#{token}", int(service.CHALLENGE))


# -- signing in --------------------------------------------------------------------------------------------------------


async def sign_in_options(request: HttpRequest) -> PasskeyOptions:
    """Return the options with which the browser answers with a passkey."""
    return PasskeyOptions(await accounts_of(request).sign_in_options(site_of(request), network_of(request)))


async def sign_in_by_passkey(request: HttpRequest, body: Credential) -> HttpResponse:
    """Sign in with a passkey."""
    agent = agent_of(request.headers.get("user-agent", ""))
    who = await accounts_of(request).sign_in_by_passkey(site_of(request), body.credential, agent)
    return with_account(request, who, SignedInAs(who.id, who.name))


async def sign_in_by_code(request: HttpRequest, body: CodeSignIn) -> HttpResponse:
    """Sign in with a name and the twelve cards of the recovery code."""
    agent = agent_of(request.headers.get("user-agent", ""))
    who = await accounts_of(request).recover(body.name, body.cards, network_of(request), agent)
    return with_account(request, who, SignedInAs(who.id, who.name))


async def read_link(request: HttpRequest, body: LinkToken) -> NameCheck:
    """Return the name of the account of this link."""
    return NameCheck(await accounts_of(request).linked(body.token))


async def sign_in_by_link(request: HttpRequest, body: LinkToken) -> HttpResponse:
    """Sign in with a link from another device."""
    who = await accounts_of(request).follow(body.token, agent_of(request.headers.get("user-agent", "")))
    return with_account(request, who, SignedInAs(who.id, who.name))


ACCOUNTS: Final = [
    Endpoint("GET", "/api/names", check_name, NameCheck, query=NameQuery, problems=(409,)),
    Endpoint("POST", "/api/account", create_account, SignedInAs, body=NewAccount, status=201, problems=(401, 409, 503)),
    Endpoint("GET", "/api/account", read_account, MyAccount, problems=(401, 503)),
    Endpoint("POST", "/api/account/change", change_account, MyAccount, body=AccountChange, problems=(401, 409, 503)),
    Endpoint("POST", "/api/account/delete", delete_account, Done, body=Leaving, problems=(401, 503)),
    Endpoint("GET", "/api/account/export", export_account, dict[str, Any], problems=(401, 503)),
    Endpoint("GET", "/api/account/kept", read_kept, Kept, problems=(401, 503)),
    Endpoint("POST", "/api/account/kept", write_kept, KeptVersion, body=NewKept, problems=(401, 409, 503)),
    Endpoint("POST", "/api/account/devices/out", sign_out_there, Done, body=DeviceId, problems=(401, 404, 503)),
    Endpoint("POST", "/api/account/out", sign_out, Done, problems=(401, 404, 503)),
    Endpoint("POST", "/api/account/code", new_cards, TwelveCards, problems=(401, 503)),
    Endpoint("POST", "/api/account/passkeys/options", passkey_options, PasskeyOptions, problems=(401, 409, 503)),
    Endpoint("POST", "/api/account/passkeys", add_passkey, Done, body=Credential, problems=(401, 409, 503)),
    Endpoint("POST", "/api/account/passkeys/remove", remove_passkey, Done, body=PasskeyId, problems=(401, 404, 503)),
    Endpoint("POST", "/api/account/link", make_link, DeviceLink, problems=(401, 503)),
    Endpoint("POST", "/api/sign-in/passkey/options", sign_in_options, PasskeyOptions, problems=(409, 503)),
    Endpoint("POST", "/api/sign-in/passkey", sign_in_by_passkey, SignedInAs, body=Credential, problems=(401, 409, 503)),
    Endpoint("POST", "/api/sign-in/code", sign_in_by_code, SignedInAs, body=CodeSignIn, problems=(401, 503)),
    Endpoint("POST", "/api/sign-in/link/whose", read_link, NameCheck, body=LinkToken, problems=(503,)),
    Endpoint("POST", "/api/sign-in/link", sign_in_by_link, SignedInAs, body=LinkToken, problems=(401, 503)),
]  # fmt: skip
