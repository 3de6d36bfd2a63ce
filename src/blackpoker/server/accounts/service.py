"""Operations on accounts; the endpoints are in ``api/account``."""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from sqlalchemy.exc import IntegrityError

from blackpoker.errors import UnreadableText
from blackpoker.server.accounts import passkeys
from blackpoker.server.accounts.directory import AccountDirectory, hash_of_token
from blackpoker.server.accounts.ladders import Ladders
from blackpoker.server.accounts.owned_names import PAUSE, name_taken, read_name
from blackpoker.server.accounts.recovery import new_code, opens, read_code, seal_code
from blackpoker.server.accounts.safety import Safety
from blackpoker.server.buckets import Buckets
from blackpoker.server.net.guests import Guest
from blackpoker.server.net.http import HttpProblem
from blackpoker.server.net.processes import MOVED
from blackpoker.server.rooms.seats import player_id
from blackpoker.server.store import accounts as rows
from blackpoker.server.store.accounts import AccountRow, DeviceRow, PasskeyRow
from blackpoker.server.store.conduct import unheard_of
from blackpoker.server.store.promises import Away
from blackpoker.server.store.ratings import rated_games

if TYPE_CHECKING:
    from collections.abc import Callable

    from blackpoker.server.net.hub import Hub
    from blackpoker.server.store.database import GameStore

log: logging.Logger = logging.getLogger("blackpoker.accounts")
#: seconds between reads of changes by other processes or an operator
LOOK: Final = 1.0
#: seconds in which a passkey must answer, or a link must be used
CHALLENGE: Final = 300.0
#: most rated games in an export
MOST_RATED: Final = 1_000_000
#: most devices and passkeys of an account
MOST_DEVICES: Final = 50
MOST_PASSKEYS: Final = 20
#: rate and burst of code guesses, by address and by name, which apply even if other limits are lifted. At this rate a
#: code of 67 bits is found after ten thousand million times the age of the world
GUESSES: Final = (1 / 60, 10)
GUESSES_OF_NAME: Final = (1 / 60, 20)


class Agent(NamedTuple):
    """The device type and a label by which its owner recognises it."""

    kind: str
    label: str


SYSTEMS: Final = (("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
                  ("Windows", "Windows"), ("Mac OS X", "macOS"), ("Linux", "Linux"))  # fmt: skip
BROWSERS: Final = (("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS", "Firefox"),
                   ("CriOS", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))  # fmt: skip


def agent_of(header: str) -> Agent:
    """Return browser and system from a User-Agent header, without any other detail."""
    system = next((name for sign, name in SYSTEMS if sign in header), "")
    browser = next((name for sign, name in BROWSERS if sign in header), "")
    phone = system in ("iPhone", "Android") or "Mobile" in header
    return Agent("phone" if phone else "desk", " · ".join(part for part in (browser, system) if part))


class SignedIn(NamedTuple):
    """A new session. The token exists in plain form only here and in the cookie."""

    id: str
    name: str
    token: str


class Accounts:
    def __init__(self, store: GameStore, hub: Hub, directory: AccountDirectory, rate: float, burst: float) -> None:
        self.store = store
        self.hub = hub
        self.directory = directory
        self.new: Buckets = Buckets(rate, burst)
        self.asked: Buckets = Buckets(rate * 20, burst * 10)
        self.named: Buckets = Buckets(rate * 600, burst * 50)  # guests: a hall full of people has one address
        self.guesses: tuple[Buckets, Buckets] = Buckets(*GUESSES), Buckets(*GUESSES_OF_NAME)
        self.seen_at: dict[str, float] = {}  # when the last use of a device was written
        self.ladders: Ladders = Ladders(store)
        self.safety: Safety = Safety(store, hub)
        hub.safety = self.safety
        self.on_change: Callable[[set[str]], None] = lambda guests: None  # notifies other holders of account data
        self.hashing: asyncio.Lock = asyncio.Lock()  # one hash at a time: each takes 16 MiB

    # -- refreshing ----------------------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Read the changes and close the connections of changed accounts, which then reconnect with their new state."""
        changed = set(self.directory.hear(await self.store.ask(rows.news, min(self.directory.since, time.time()))))
        if changed:
            self.on_change(changed)
            for line in list(self.hub.lines.values()):
                if line.who.guest in changed or line.who.device in changed:
                    line.close(MOVED, "who you are has changed")

    async def look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.refresh()
                await self.safety.refresh()
            except Away as error:
                log.warning("accounts are looked at later", extra={"why": str(error)})

    async def seen(self, guest: Guest) -> str:
        """Record the use of a device; return the crest of its account."""
        if self.seen_at.get(guest.device, 0.0) < time.monotonic() - rows.SEEN:
            self.seen_at[guest.device] = time.monotonic()
            await self.store.commit(rows.note_seen, guest.device, time.time())
        return self.directory.heads[guest.id].crest

    # -- creating and renaming -----------------------------------------------------------------------------------

    def check_name(self, text: str, id: str, network: str) -> str:
        """Return the name in its public form; raise `HttpProblem` if it is not allowed or taken."""
        self.limit(self.asked, network)
        name, looks = read_name(text)
        if self.directory.names.get(looks, id) != id:
            raise name_taken()
        return name

    async def create(
        self, guest: Guest, text: str, crest: str, agent: Agent, network: str
    ) -> tuple[SignedIn, list[str]]:
        """Create an account for the guest's device; return its session and recovery code. Raise `HttpProblem` if that
        fails."""
        if guest.device:
            raise HttpProblem(409, "has_account", "you have an account", "すでにアカウントがあります")
        name, looks = read_name(text)
        self.limit(self.new, network)
        now, code = time.time(), new_code()
        kept = await asyncio.to_thread(seal_code, code)
        token, device = new_device(guest.id, agent, now)
        row = AccountRow(guest.id, player_id(guest.id), name, crest, now, 0.0, 0.0, 0.0, kept, now, 0.0, now)
        try:
            await self.store.commit(rows.create, row, looks, device)
        except IntegrityError:
            raise name_taken() from None
        await self.refresh()
        return SignedIn(guest.id, name, token), code

    async def rename(self, guest: Guest, text: str) -> AccountRow:
        row, now = await self.row_of(guest), time.time()
        name, looks = read_name(text)
        if name == row.name:
            return row
        if now - row.renamed < PAUSE:
            days = int((row.renamed + PAUSE - now) / 86_400) + 1
            raise HttpProblem(
                409,
                "too_soon",
                f"you can change your name again in {days} days",
                f"次に名前を変えられるのは{days}日後です",
            )
        try:
            await self.store.commit(rename_as_owner, guest.id, name, looks, now)
        except IntegrityError:
            raise name_taken() from None
        await self.refresh()
        return await self.row_of(guest)

    async def set_crest(self, guest: Guest, crest: str) -> AccountRow:
        await self.row_of(guest)
        await self.store.commit(set_crest, guest.id, crest, time.time())
        await self.refresh()
        return await self.row_of(guest)

    async def row_of(self, guest: Guest) -> AccountRow:
        """Return the stored row; raise `HttpProblem` if the device's session has ended."""
        signed, row = await self.store.ask(row_and_device, guest.id, guest.device)
        if row is None or not signed:
            raise no_account()
        return row

    # -- signing in ----------------------------------------------------------------------------------------------

    async def sign_in(self, id: str, agent: Agent) -> SignedIn:
        now = time.time()
        token, device = new_device(id, agent, now)
        row = await self.store.commit(let_in, device, MOST_DEVICES)
        if row is None:
            raise no_account()
        await self.refresh()
        return SignedIn(id, row.name, token)

    async def recover(self, name: str, text: str, network: str, agent: Agent) -> SignedIn:
        """Sign in by name and recovery code. Neither the error nor its timing shows whether the name exists."""
        self.limit(self.guesses[0], network)
        wrong = HttpProblem(403, "wrong_code", "name and cards do not fit", "名前と12枚のカードが合いません")
        try:
            code, looks = read_code(text), read_name(name)[1]
        except (UnreadableText, HttpProblem):
            raise wrong from None
        self.limit(self.guesses[1], looks)
        row = await self.store.ask(rows.owner_of, looks)
        async with self.hashing:
            kept = row.code if row is not None and row.code else seal_of_nobody()
            fits = await asyncio.to_thread(opens, code, kept)
        if row is None or not fits:
            raise wrong
        return await self.sign_in(row.id, agent)

    async def new_code(self, guest: Guest) -> list[str]:
        """Replace the recovery code and return the new one."""
        await self.row_of(guest)
        code = new_code()
        kept = await asyncio.to_thread(seal_code, code)
        await self.store.commit(set_code, guest.id, kept, time.time())
        return code

    # -- passkeys ------------------------------------------------------------------------------------------------

    async def challenge(self, purpose: str, owner: str, network: str) -> bytes:
        self.limit(self.asked, network)
        token, now = secrets.token_bytes(32), time.time()
        await self.store.commit(rows.give, token, purpose, owner, now + CHALLENGE, now)
        return token

    async def passkey_options(self, guest: Guest, site: passkeys.PasskeySite, network: str) -> dict[str, Any]:
        row = await self.row_of(guest)
        known = await self.store.ask(rows.passkeys_of, row.id)
        if len(known) >= MOST_PASSKEYS:
            raise HttpProblem(409, "many_passkeys", "you have too many passkeys", "パスキーが多すぎます")
        challenge = await self.challenge("register", row.id, network)
        return passkeys.registration(site, row.player, row.name, challenge, [one.id for one in known])

    async def add_passkey(self, guest: Guest, site: passkeys.PasskeySite, answer: dict[str, Any], agent: Agent) -> None:
        row, now = await self.row_of(guest), time.time()
        challenge = answered(answer)
        if await self.store.commit(rows.take, challenge, "register", now) != row.id:
            raise bad_answer()
        try:
            found = await asyncio.to_thread(passkeys.registered, site, answer, challenge)
            await self.store.commit(
                rows.add_passkey, PasskeyRow(found.id, row.id, found.key, found.signs, agent.label, now, 0.0)
            )
        except (passkeys.BadAnswer, IntegrityError):
            raise bad_answer() from None

    async def sign_in_options(self, site: passkeys.PasskeySite, network: str) -> dict[str, Any]:
        return passkeys.authentication(site, await self.challenge("sign_in", "", network))

    async def sign_in_by_passkey(self, site: passkeys.PasskeySite, answer: dict[str, Any], agent: Agent) -> SignedIn:
        now, challenge = time.time(), answered(answer)
        if await self.store.commit(rows.take, challenge, "sign_in", now) is None:
            raise bad_answer()
        found = await self.store.ask(rows.passkey, str(answer.get("id", "")))
        if found is None:
            raise HttpProblem(403, "no_passkey", "that passkey is not known here", "このパスキーは登録されていません")
        try:
            signs = await asyncio.to_thread(passkeys.authenticated, site, answer, challenge, found.key, found.signs)
        except passkeys.BadAnswer:
            raise bad_answer() from None
        await self.store.commit(rows.use_passkey, found.id, signs, now)
        return await self.sign_in(found.account, agent)

    async def remove_passkey(self, guest: Guest, id: str) -> None:
        await self.row_of(guest)
        if not await self.store.commit(rows.remove_passkey, guest.id, id):
            raise HttpProblem(404, "no_passkey", "there is no such passkey", "そのパスキーはありません")

    # -- links to another device ---------------------------------------------------------------------------------

    async def link(self, guest: Guest, network: str) -> str:
        """Create a single-use sign-in token for another device."""
        await self.row_of(guest)
        return base64.urlsafe_b64encode(await self.challenge("link", guest.id, network)).decode().rstrip("=")

    async def linked(self, text: str) -> str:
        """Return the owner's name of a link; raise `HttpProblem` if it is not valid. The link stays usable."""
        owner = await self.store.ask(rows.given, read_token(text), "link", time.time())
        head = self.directory.heads.get(owner or "")
        if head is None:
            raise bad_link()
        return head.name

    async def follow(self, text: str, agent: Agent) -> SignedIn:
        owner = await self.store.commit(rows.take, read_token(text), "link", time.time())
        if owner is None:
            raise bad_link()
        return await self.sign_in(owner, agent)

    # -- signing out, deleting -----------------------------------------------------------------------------------

    async def sign_out(self, guest: Guest, id: str) -> None:
        """End the session of a device; its cookie becomes invalid. Raise `HttpProblem` if there is none."""
        await self.row_of(guest)
        if not await self.store.commit(rows.end_device, guest.id, id, time.time()):
            raise HttpProblem(404, "no_device", "nobody is signed in there", "その端末ではサインインしていません")
        await self.refresh()

    async def remove(self, guest: Guest, name: str) -> None:
        """Delete everything but the games; raise `HttpProblem` if the name is not repeated correctly."""
        row = await self.row_of(guest)
        if name.strip() != row.name:
            raise HttpProblem(
                422, "name_differs", "write your name to delete it", "確認のため、名前をそのまま入力してください"
            )
        await self.store.commit(rows.remove, guest.id, time.time())
        await self.refresh()

    # -- limits --------------------------------------------------------------------------------------------------

    def limit(self, buckets: Buckets, key: str) -> None:
        if not buckets.take(key, time.monotonic()):
            raise HttpProblem(429, "rate", "too often; wait a little", "回数が多すぎます。少し待ってください")


def new_device(account: str, agent: Agent, now: float) -> tuple[str, DeviceRow]:
    """Return a cookie's token and the row to store for it."""
    token = secrets.token_urlsafe(18)
    kept = hash_of_token(token)
    return token, DeviceRow(kept, secrets.token_hex(6), account, agent.kind, agent.label[:40], now, now, 0.0, now)


def seal_of_nobody() -> str:
    """Return a dummy hash, so that checking an unknown name takes as long as a known one."""
    global _NOBODY
    if not _NOBODY:
        _NOBODY = seal_code(new_code())
    return _NOBODY


_NOBODY = ""


def answered(answer: dict[str, Any]) -> bytes:
    try:
        return passkeys.answered_challenge(answer)
    except passkeys.BadAnswer:
        raise bad_answer() from None


def read_token(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise bad_link() from None


def bad_answer() -> HttpProblem:
    return HttpProblem(
        403, "bad_passkey", "the passkey's answer does not hold; try again",
        "パスキーを確認できませんでした。もう一度お試しください",
    )  # fmt: skip


def bad_link() -> HttpProblem:
    return HttpProblem(
        403, "bad_link", "the link is used up or too old; make a new one",
        "リンクは使用済みか期限切れです。新しく作ってください",
    )  # fmt: skip


def no_account() -> HttpProblem:
    return HttpProblem(401, "no_account", "sign in first", "先にサインインしてください")


# -- transactions ------------------------------------------------------------------------------------------------------


def row_and_device(connection: Any, id: str, device: str) -> tuple[bool, AccountRow | None]:
    return rows.signed_in(connection, device), rows.account_of(connection, id)


def rename_as_owner(connection: Any, id: str, name: str, looks: str, now: float) -> None:
    rows.rename(connection, id, name, looks, now)
    rows.change(connection, id, now, renamed=now)


def set_crest(connection: Any, id: str, crest: str, now: float) -> None:
    rows.change(connection, id, now, crest=crest)


def set_code(connection: Any, id: str, kept: str, now: float) -> None:
    rows.change(connection, id, now, code=kept, code_at=now)


def let_in(connection: Any, device: DeviceRow, most: int) -> AccountRow | None:
    """Add a device. If there are too many, end the session of the one unused longest. Return the account, or None."""
    row = rows.account_of(connection, device.account)
    if row is None or row.gone:
        return None
    for old in rows.devices_of(connection, device.account)[most - 1 :]:
        rows.end_device(connection, device.account, old.id, device.created)
    rows.add_device(connection, device)
    return row


def everything(connection: Any, id: str) -> bytes:
    """Return all stored data of an account as JSON, without anything that grants access to it."""
    row = rows.account_of(connection, id)
    assert row is not None
    version, kept = rows.keepsake(connection, id)
    games = rows.records_of(connection, row.player)
    found = {
        "kind": "blackpoker account 1",
        "account": {
            "name": row.name, "crest": row.crest, "player": row.player, "created": row.created, "renamed": row.renamed,
            "muted_until": row.muted, "banned_until": row.banned, "code_since": row.code_at,
            "names": [{"name": one.name, "since": one.since} for one in rows.names_of(connection, id)],
        },
        "devices": [
            {"label": one.label, "kind": one.kind, "since": one.created, "seen": one.seen}
            for one in rows.devices_of(connection, id)
        ],
        "passkeys": [
            {"label": one.label, "since": one.created, "used": one.used} for one in rows.passkeys_of(connection, id)
        ],
        "kept": {"version": version, "data": msgspec.json.decode(kept) if kept else None},
        "rated": [
            {"number": one.game.number, "record": one.game.record, "season": one.game.season, "result": one.result,
             "mu": one.game.ratings[one.seat].mu, "sigma": one.game.ratings[one.seat].sigma}
            for one in rated_games(connection, row.player, MOST_RATED)
        ],
        "unheard": [{"name": one.name, "since": one.since} for one in unheard_of(connection, id)],
        "records": [{"id": game, "at": at, "meta": meta, "text": text} for game, text, meta, at in games],
    }  # fmt: skip
    return msgspec.json.encode(found)
