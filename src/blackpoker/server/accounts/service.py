"""Operations on accounts; the endpoints are in ``api/account``."""

from __future__ import annotations

import asyncio
import base64
import logging
import secrets
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import msgspec
from sqlalchemy.exc import IntegrityError

from blackpoker.errors import UnreadableText
from blackpoker.server.accounts import passkeys
from blackpoker.server.accounts.leaderboard import Leaderboards
from blackpoker.server.accounts.moderation import Moderation
from blackpoker.server.accounts.name_index import AccountIndex, hash_of_token
from blackpoker.server.accounts.name_rules import RENAME_INTERVAL, name_taken, parse_name
from blackpoker.server.accounts.recovery_code import empty_hash, hash_code, matches_hash, new_code, parse_code
from blackpoker.server.admission import HASH, JOB, Job, Owner, declare_job
from blackpoker.server.cluster.processes import ROOM_MOVED
from blackpoker.server.http.endpoint import HttpProblem
from blackpoker.server.identity import Identity
from blackpoker.server.rooms.seats import player_id
from blackpoker.server.storage import accounts as rows
from blackpoker.server.storage.accounts import AccountRow, DeviceRow, PasskeyRow
from blackpoker.server.storage.interface import StoreUnavailable
from blackpoker.server.storage.moderation import muted_by, reports_by
from blackpoker.server.storage.ratings import rated_games
from blackpoker.server.storage.tournaments import acts_of, is_over

if TYPE_CHECKING:
    from collections.abc import Callable

    from blackpoker.server.room_manager import RoomManager
    from blackpoker.server.storage.database import GameStore

T = TypeVar("T")
log: logging.Logger = logging.getLogger("blackpoker.accounts")
#: seconds between reads of changes by other processes or an operator
REFRESH_INTERVAL: Final = 1.0
#: seconds in which a passkey must answer, or a link must be used
CHALLENGE_SECONDS: Final = 300.0
#: most rated games in an export
MAX_RATED: Final = 1_000_000
#: most devices and passkeys of an account
MAX_DEVICES: Final = 50
MAX_PASSKEYS: Final = 20
NEW_HASH: Final = declare_job("hash of a new code", HASH, hash_code)
CHECK_HASH: Final = declare_job("hash of a code", HASH, matches_hash)
NEW_PASSKEY: Final = declare_job("new passkey", JOB, passkeys.verify_registration)
CHECK_PASSKEY: Final = declare_job("passkey", JOB, passkeys.verify_authentication)


class DeviceLabel(NamedTuple):
    """The device type and a label by which its owner recognises it."""

    kind: str
    label: str


SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)
BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)


def device_label(header: str) -> DeviceLabel:
    """Return browser and system from a User-Agent header, without any other detail."""
    system = next((name for sign, name in SYSTEMS if sign in header), "")
    browser = next((name for sign, name in BROWSERS if sign in header), "")
    phone = system in ("iPhone", "Android") or "Mobile" in header
    return DeviceLabel("phone" if phone else "desk", " · ".join(part for part in (browser, system) if part))


class NewSession(NamedTuple):
    """A new session. The token exists in plain form only here and in the cookie."""

    id: str
    name: str
    token: str


class Accounts:
    def __init__(self, store: GameStore, room_manager: RoomManager, directory: AccountIndex) -> None:
        self.store = store
        self.room_manager = room_manager
        self.directory = directory
        self.last_seen: dict[str, float] = {}  # when the last use of a device was written
        self.leaderboards: Leaderboards = Leaderboards(store)
        self.moderation: Moderation = Moderation(store, room_manager)
        room_manager.moderation = self.moderation
        self.on_change: Callable[[set[str]], None] = lambda guests: None  # notifies other holders of account data

    async def run_job(self, owner: Owner, job: Job[T], *args: Any) -> T:
        """Run a job in a thread, charged to its owner. Two run at a time, each hash takes 16 MiB."""
        return await self.room_manager.workers.run_charged(self.room_manager.ledger, owner, job, *args)

    # -- refreshing ----------------------------------------------------------------------------------------------

    async def refresh(self) -> None:
        """Read the changes and close the connections of changed accounts, which then reconnect with their new state."""
        changed = set(self.directory.apply_changes(await self.store.query(rows.changes_since, self.directory.since)))
        if changed:
            self.on_change(changed)
            self.room_manager.forget_names({id for id in changed if self.directory.is_deleted(id)})
            for connection in list(self.room_manager.connections.values()):
                if connection.identity.guest in changed or connection.identity.device in changed:
                    connection.close(ROOM_MOVED, "who you are has changed")

    async def run_refresh(self) -> None:
        while True:
            await asyncio.sleep(REFRESH_INTERVAL)
            try:
                await self.refresh()
                await self.moderation.refresh()
            except StoreUnavailable as error:
                log.warning("reload of accounts postponed", extra={"error": str(error)})

    async def record_use(self, guest: Identity) -> str:
        """Record the use of a device; return the crest of its account."""
        if self.last_seen.get(guest.device, 0.0) < time.monotonic() - rows.SEEN_INTERVAL:
            self.last_seen[guest.device] = time.monotonic()
            await self.store.transaction(rows.note_seen, guest.device, time.time())
        return self.directory.accounts[guest.id].crest

    # -- creating and renaming -----------------------------------------------------------------------------------

    def check_name(self, text: str, id: str) -> str:
        """Return the name in its public form; raise `HttpProblem` if it is not allowed or taken."""
        name, _ = parse_name(text)
        if self.directory.is_name_taken(name, id):
            raise name_taken()
        return name

    async def create(
        self, guest: Identity, text: str, crest: str, agent: DeviceLabel, owner: Owner
    ) -> tuple[NewSession, list[str]]:
        """Create an account for the guest's device; return its session and recovery code. Raise `HttpProblem` if that
        fails."""
        if guest.device:
            raise HttpProblem(409, "has_account", "you have an account", "すでにアカウントがあります")
        name, forms = parse_name(text)
        if self.directory.is_name_taken(name, guest.id):
            raise name_taken()
        now, code = time.time(), new_code()
        code_hash = await self.run_job(owner, NEW_HASH, code)
        token, device = new_device(guest.id, agent, now)
        row = AccountRow(guest.id, player_id(guest.id), name, crest, now, 0.0, 0.0, 0.0, code_hash, now, 0.0, now)
        try:
            await self.store.transaction(rows.create_account, row, forms, device)
        except IntegrityError:
            raise name_taken() from None
        await self.refresh()
        return NewSession(guest.id, name, token), code

    async def rename(self, guest: Identity, text: str) -> AccountRow:
        row, now = await self.load_account(guest), time.time()
        name, forms = parse_name(text)
        if name == row.name:
            return row
        if row.renamed > now:
            raise HttpProblem(
                403,
                "name_given",
                "an operator has given you this name",
                "この名前は運営が付けたものなので変えられません",
            )
        try:
            renamed = await self.store.transaction(rename_as_owner, guest.id, name, forms, now)
        except IntegrityError:
            raise name_taken() from None
        if not renamed:
            days = int((row.renamed + RENAME_INTERVAL - now) / 86_400) + 1
            raise HttpProblem(
                409,
                "too_soon",
                f"you can change your name again in {days} days",
                f"次に名前を変えられるのは{days}日後です",
            )
        await self.refresh()
        return await self.load_account(guest)

    async def set_crest(self, guest: Identity, crest: str) -> AccountRow:
        await self.load_account(guest)
        await self.store.transaction(set_crest, guest.id, crest, time.time())
        await self.refresh()
        return await self.load_account(guest)

    async def load_account(self, guest: Identity) -> AccountRow:
        """Return the stored row; raise `HttpProblem` if the device's session has ended."""
        signed, row = await self.store.query(row_and_device, guest.id, guest.device)
        if row is None or not signed:
            raise no_account()
        return row

    # -- signing in ----------------------------------------------------------------------------------------------

    async def sign_in(self, id: str, agent: DeviceLabel) -> NewSession:
        now = time.time()
        token, device = new_device(id, agent, now)
        row = await self.store.transaction(add_device, device, MAX_DEVICES)
        if row is None:
            raise no_account()
        await self.refresh()
        return NewSession(id, row.name, token)

    async def recover(self, name: str, text: str, owner: Owner, agent: DeviceLabel) -> NewSession:
        """Sign in by name and recovery code. Neither the error nor its timing shows whether the name exists. There is
        no limit per name: others could use it up and lock the owner out."""
        wrong = HttpProblem(403, "wrong_code", "name and cards do not fit", "名前と12枚のカードが合いません")
        try:
            code, forms = parse_code(text), parse_name(name)[1]
        except (UnreadableText, HttpProblem):
            raise wrong from None
        row = await self.store.query(rows.find_name_owner, forms)
        code_hash = row.code if row is not None and row.code else DUMMY_HASH
        matches = await self.run_job(owner, CHECK_HASH, code, code_hash)
        if row is None or not matches:
            raise wrong
        return await self.sign_in(row.id, agent)

    async def new_code(self, guest: Identity, owner: Owner) -> list[str]:
        """Replace the recovery code and return the new one."""
        await self.load_account(guest)
        code = new_code()
        code_hash = await self.run_job(owner, NEW_HASH, code)
        await self.store.transaction(set_code_hash, guest.id, code_hash, time.time())
        return code

    # -- passkeys ------------------------------------------------------------------------------------------------

    async def challenge(self, purpose: str, owner: str) -> bytes:
        token, now = secrets.token_bytes(32), time.time()
        await self.store.transaction(rows.create_token, token, purpose, owner, now + CHALLENGE_SECONDS, now)
        return token

    async def passkey_options(self, guest: Identity, site: passkeys.PasskeySite) -> dict[str, Any]:
        row = await self.load_account(guest)
        known = await self.store.query(rows.passkeys_of, row.id)
        if len(known) >= MAX_PASSKEYS:
            raise HttpProblem(409, "many_passkeys", "you have too many passkeys", "パスキーが多すぎます")
        challenge = await self.challenge("register", row.id)
        return passkeys.registration_options(site, row.player, row.name, challenge, [one.id for one in known])

    async def add_passkey(
        self, guest: Identity, site: passkeys.PasskeySite, answer: dict[str, Any], agent: DeviceLabel, owner: Owner
    ) -> None:
        row, now = await self.load_account(guest), time.time()
        challenge = parse_challenge(answer)
        if await self.store.transaction(rows.consume_token, challenge, "register", now) != row.id:
            raise invalid_passkey()
        try:
            found = await self.run_job(owner, NEW_PASSKEY, site, answer, challenge)
            await self.store.transaction(
                rows.add_passkey, PasskeyRow(found.id, row.id, found.key, found.signs, agent.label, now, 0.0)
            )
        except (passkeys.InvalidAnswer, IntegrityError):
            raise invalid_passkey() from None

    async def sign_in_options(self, site: passkeys.PasskeySite) -> dict[str, Any]:
        return passkeys.authentication_options(site, await self.challenge("sign_in", ""))

    async def sign_in_by_passkey(
        self, site: passkeys.PasskeySite, answer: dict[str, Any], agent: DeviceLabel, owner: Owner
    ) -> NewSession:
        now, challenge = time.time(), parse_challenge(answer)
        if await self.store.transaction(rows.consume_token, challenge, "sign_in", now) is None:
            raise invalid_passkey()
        found = await self.store.query(rows.find_passkey, str(answer.get("id", "")))
        if found is None:
            raise HttpProblem(403, "no_passkey", "that passkey is not known here", "このパスキーは登録されていません")
        try:
            signs = await self.run_job(owner, CHECK_PASSKEY, site, answer, challenge, found.key, found.signs)
        except passkeys.InvalidAnswer:
            raise invalid_passkey() from None
        await self.store.transaction(rows.record_passkey_use, found.id, signs, now)
        return await self.sign_in(found.account, agent)

    async def remove_passkey(self, guest: Identity, id: str) -> None:
        await self.load_account(guest)
        if not await self.store.transaction(rows.remove_passkey, guest.id, id):
            raise HttpProblem(404, "no_passkey", "there is no such passkey", "そのパスキーはありません")

    # -- links to another device ---------------------------------------------------------------------------------

    async def create_link(self, guest: Identity) -> str:
        """Create a single-use sign-in token for another device."""
        await self.load_account(guest)
        return base64.urlsafe_b64encode(await self.challenge("link", guest.id)).decode().rstrip("=")

    async def link_owner(self, text: str) -> str:
        """Return the owner's name of a link; raise `HttpProblem` if it is not valid. The link stays usable."""
        owner = await self.store.query(rows.token_owner, parse_token(text), "link", time.time())
        account = self.directory.accounts.get(owner or "")
        if account is None:
            raise invalid_link()
        return account.name

    async def sign_in_by_link(self, text: str, agent: DeviceLabel) -> NewSession:
        owner = await self.store.transaction(rows.consume_token, parse_token(text), "link", time.time())
        if owner is None:
            raise invalid_link()
        return await self.sign_in(owner, agent)

    # -- signing out, deleting -----------------------------------------------------------------------------------

    async def sign_out(self, guest: Identity, id: str) -> None:
        """End the session of a device; its cookie becomes invalid. Raise `HttpProblem` if there is none."""
        await self.load_account(guest)
        if not await self.store.transaction(rows.end_device, guest.id, id, time.time()):
            raise HttpProblem(404, "no_device", "nobody is signed in there", "その端末ではサインインしていません")
        await self.refresh()

    async def remove(self, guest: Identity, name: str) -> None:
        """Delete everything but the games; raise `HttpProblem` if the name is not repeated correctly."""
        row = await self.load_account(guest)
        if name.strip() != row.name:
            raise HttpProblem(
                422, "name_differs", "write your name to delete it", "確認のため、名前をそのまま入力してください"
            )
        while await self.store.transaction(rows.forget_records, row.player):
            pass  # in batches: other writes go on in between
        await self.store.transaction(rows.delete_account, guest.id, time.time())
        await self.refresh()


def new_device(account: str, agent: DeviceLabel, now: float) -> tuple[str, DeviceRow]:
    """Return a cookie's token and the row to store for it."""
    token = secrets.token_urlsafe(18)
    token_hash = hash_of_token(token)
    return token, DeviceRow(token_hash, secrets.token_hex(6), account, agent.kind, agent.label[:40], now, now, 0.0, now)


#: a hash that no code matches, so that checking an unknown name takes as long as a known one
DUMMY_HASH: Final = empty_hash()


def parse_challenge(answer: dict[str, Any]) -> bytes:
    try:
        return passkeys.challenge_of(answer)
    except passkeys.InvalidAnswer:
        raise invalid_passkey() from None


def parse_token(text: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise invalid_link() from None


def invalid_passkey() -> HttpProblem:
    return HttpProblem(
        403,
        "bad_passkey",
        "the passkey's answer does not hold; try again",
        "パスキーを確認できませんでした。もう一度お試しください",
    )


def invalid_link() -> HttpProblem:
    return HttpProblem(
        403,
        "bad_link",
        "the link is used up or too old; make a new one",
        "リンクは使用済みか期限切れです。新しく作ってください",
    )


def no_account() -> HttpProblem:
    return HttpProblem(401, "no_account", "sign in first", "先にサインインしてください")


# -- transactions ------------------------------------------------------------------------------------------------------


def row_and_device(connection: Any, id: str, device: str) -> tuple[bool, AccountRow | None]:
    return rows.is_signed_in(connection, device), rows.find_account(connection, id)


def rename_as_owner(connection: Any, id: str, name: str, forms: tuple[str, ...], now: float) -> bool:
    """Rename an account; return False if its last change is too recent."""
    if not rows.may_rename(connection, id, now, RENAME_INTERVAL):
        return False
    rows.rename_account(connection, id, name, forms, now)
    return True


def set_crest(connection: Any, id: str, crest: str, now: float) -> None:
    rows.update_account(connection, id, now, crest=crest)


def set_code_hash(connection: Any, id: str, code_hash: str, now: float) -> None:
    rows.update_account(connection, id, now, code=code_hash, code_at=now)


def add_device(connection: Any, device: DeviceRow, most: int) -> AccountRow | None:
    """Add a device. If there are too many, end the session of the one unused longest. Return the account, or None."""
    row = rows.find_account(connection, device.account)
    if row is None or row.gone:
        return None
    for oldest in rows.devices_of(connection, device.account)[most - 1 :]:
        rows.end_device(connection, device.account, oldest.id, device.created)
    rows.add_device(connection, device)
    return row


def is_hidden(connection: Any, meta: dict[str, Any]) -> bool:
    """Return whether a record shows the opponent's deck, which is hidden until its tournament is over."""
    tournament = meta.get("tournament")
    return bool(tournament and tournament["hidden"] and not is_over(connection, tournament["id"]))


def own_act(text: str) -> dict[str, Any]:
    """Return a tournament event as its guest may read it, without ids of the server."""
    act = msgspec.json.decode(text)
    return {name: value for name, value in act.items() if name not in ("guest", "host", "origin")}


def export_account(connection: Any, id: str) -> bytes:
    """Return all stored data of an account as JSON, without anything that grants access to it."""
    row = rows.find_account(connection, id)
    assert row is not None
    version, synced = rows.synced_data(connection, id)
    games = rows.records_of(connection, row.player)
    export = {
        "kind": "blackpoker account 1",
        "account": {
            "name": row.name,
            "crest": row.crest,
            "player": row.player,
            "created": row.created,
            "renamed": row.renamed,
            "muted_until": row.muted,
            "banned_until": row.banned,
            "code_since": row.code_at,
            "names": [{"name": item.name, "since": item.since} for item in rows.names_of(connection, id)],
        },
        "devices": [
            {"label": item.label, "kind": item.kind, "since": item.created, "seen": item.seen}
            for item in rows.devices_of(connection, id)
        ],
        "passkeys": [
            {"label": item.label, "since": item.created, "used": item.used} for item in rows.passkeys_of(connection, id)
        ],
        "kept": {"version": version, "data": msgspec.json.decode(synced) if synced else None},
        "rated": [
            {
                "number": item.game.number,
                "record": item.game.record,
                "season": item.game.season,
                "result": item.result,
                "mu": item.game.ratings[item.seat].mu,
                "sigma": item.game.ratings[item.seat].sigma,
            }
            for item in rated_games(connection, row.player, MAX_RATED)
        ],
        "unheard": [{"name": item.name, "since": item.since} for item in muted_by(connection, id)],
        "tournaments": [{"tournament": item.tournament, **own_act(item.text)} for item in acts_of(connection, id)],
        "reports": [
            {"at": item.at, "about": item.whom_name, "why": item.why, "words": item.words}
            for item in reports_by(connection, id)
        ],
        "records": [
            {"id": game, "at": at, "meta": meta, "text": "" if is_hidden(connection, meta) else text}
            for game, text, meta, at in games
        ],
    }
    return msgspec.json.encode(export)
