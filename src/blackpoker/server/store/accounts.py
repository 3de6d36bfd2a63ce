"""Accounts as rows: their names, devices and passkeys, and the games they played.

Every function runs in a transaction of the caller.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from blackpoker.server.rooms.seats import NAMES, Finished
from blackpoker.server.store.conduct import forget_person
from blackpoker.server.store.ratings import disown, played_values
from blackpoker.server.store.schema import (
    ACCOUNTS,
    CHALLENGES,
    DEVICES,
    KEEPSAKES,
    OWNED_NAMES,
    PASSKEYS,
    PLAYED,
    RECORDS,
)
from blackpoker.server.store.tournaments import forget_entrant

#: overlap of two polls in seconds: rows of several processes do not become visible in the order of their times
OVERLAP: Final = 120.0
#: seconds after which a device's last use is written again
SEEN: Final = 3600.0
#: comment in a record from which a name was removed
TAKEN_OUT: Final = "# name taken out:"


class AccountRow(NamedTuple):
    """A row of the table; the recovery code as its hash."""

    id: str
    player: str
    name: str
    crest: str
    created: float
    renamed: float
    muted: float
    banned: float
    code: str
    code_at: float
    gone: float
    changed: float


class DeviceRow(NamedTuple):
    token: str
    id: str
    account: str
    kind: str
    label: str
    created: float
    seen: float
    ended: float
    changed: float


class PasskeyRow(NamedTuple):
    id: str
    account: str
    key: bytes
    signs: int
    label: str
    created: float
    used: float


class OwnedName(NamedTuple):
    """A name and its folded form. Empty ``account``: an operator removed the name, and it stays blocked."""

    looks: str
    account: str
    name: str
    since: float


class AccountNews(NamedTuple):
    """Changed rows since a time."""

    accounts: list[AccountRow]
    names: list[OwnedName]
    devices: list[DeviceRow]


# -- accounts ----------------------------------------------------------------------------------------------------------


def news(connection: Connection, since: float) -> AccountNews:
    after = since - OVERLAP
    rows = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.changed > after))
    names = connection.execute(select(OWNED_NAMES).where(OWNED_NAMES.c.since > after))
    devices = connection.execute(select(DEVICES).where(DEVICES.c.changed > after))
    return AccountNews(
        [AccountRow(*row) for row in rows], [OwnedName(*row) for row in names], [DeviceRow(*row) for row in devices]
    )


def account_of(connection: Connection, id: str) -> AccountRow | None:
    row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.id == id)).first()
    return None if row is None else AccountRow(*row)


def owner_of(connection: Connection, looks: str) -> AccountRow | None:
    """Return the account that owns or owned a name with this folded form, or None."""
    found = connection.execute(select(OWNED_NAMES.c.account).where(OWNED_NAMES.c.looks == looks)).scalar()
    return account_of(connection, found) if found else None


def create(connection: Connection, row: AccountRow, looks: str, device: DeviceRow) -> None:
    connection.execute(insert(ACCOUNTS).values(row._asdict()))
    connection.execute(insert(OWNED_NAMES).values(OwnedName(looks, row.id, row.name, row.created)._asdict()))
    connection.execute(insert(DEVICES).values(device._asdict()))


def change(connection: Connection, id: str, now: float, **values: Any) -> None:
    connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == id).values(changed=now, **values))


def rename(connection: Connection, id: str, name: str, looks: str, now: float) -> None:
    """Set another name and keep the previous one reserved for its owner. Raise `IntegrityError` if the name belongs to
    another account."""
    mine = OWNED_NAMES.c.looks == looks, OWNED_NAMES.c.account == id
    if not connection.execute(update(OWNED_NAMES).where(*mine).values(name=name, since=now)).rowcount:
        connection.execute(insert(OWNED_NAMES).values(OwnedName(looks, id, name, now)._asdict()))
    change(connection, id, now, name=name)


def take_name_away(connection: Connection, id: str, now: float) -> None:
    """Remove all names of an account and block them."""
    connection.execute(update(OWNED_NAMES).where(OWNED_NAMES.c.account == id).values(account="", name="", since=now))


def names_of(connection: Connection, id: str) -> list[OwnedName]:
    found = connection.execute(
        select(OWNED_NAMES).where(OWNED_NAMES.c.account == id).order_by(OWNED_NAMES.c.since.desc())
    )
    return [OwnedName(*row) for row in found]


def remove(connection: Connection, id: str, now: float) -> None:
    """Delete an account's data except the id, so that old cookies stay invalid, and the games, without the name."""
    row = account_of(connection, id)
    if row is None:
        return
    for table in (OWNED_NAMES, PASSKEYS, KEEPSAKES):
        connection.execute(delete(table).where(table.c.account == id))
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.owner == id))
    connection.execute(
        update(DEVICES).where(DEVICES.c.account == id).values(ended=now, changed=now, label="", kind="", seen=0.0)
    )
    mine = select(PLAYED.c.record, PLAYED.c.seat).where(PLAYED.c.player == row.player)
    for record, seat in connection.execute(mine).all():
        forget_name(connection, record, seat)
    connection.execute(delete(PLAYED).where(PLAYED.c.player == row.player))
    disown(connection, row.player)
    forget_person(connection, id)
    forget_entrant(connection, id)
    change(connection, id, now, name="", crest="", code="", gone=now, created=0.0, renamed=0.0, code_at=0.0)


def forget_name(connection: Connection, id: str, seat: int) -> None:
    """Remove a seat's name from a record. A comment marks it, because the record's hash includes the name."""
    found = connection.execute(select(RECORDS.c.text, RECORDS.c.meta).where(RECORDS.c.id == id)).first()
    if found is None:
        return
    meta = msgspec.json.decode(found.meta)
    meta["names"][seat] = ""
    meta["players"][seat] = ""
    text = without_name(found.text, seat)
    connection.execute(
        update(RECORDS).where(RECORDS.c.id == id).values(text=text, meta=msgspec.json.encode(meta).decode())
    )


def without_name(text: str, seat: int) -> str:
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if line.startswith(f"{NAMES[seat]}:"):
            lines[place] = f"{NAMES[seat]}:"
            break  # later ones are moves
    return "\n".join([lines[0], f"{TAKEN_OUT} {NAMES[seat]}", *lines[1:]])


# -- devices -----------------------------------------------------------------------------------------------------------


def add_device(connection: Connection, device: DeviceRow) -> None:
    connection.execute(insert(DEVICES).values(device._asdict()))


def devices_of(connection: Connection, account: str) -> list[DeviceRow]:
    """Return the devices with a session, the most recent first."""
    mine = DEVICES.c.account == account, DEVICES.c.ended == 0.0
    return [DeviceRow(*row) for row in connection.execute(select(DEVICES).where(*mine).order_by(DEVICES.c.seen.desc()))]


def end_device(connection: Connection, account: str, id: str, now: float) -> bool:
    """End the session of a device; return True if there was one."""
    one = DEVICES.c.account == account, DEVICES.c.id == id, DEVICES.c.ended == 0.0
    return connection.execute(update(DEVICES).where(*one).values(ended=now, changed=now)).rowcount == 1


def note_seen(connection: Connection, token: str, now: float) -> None:
    connection.execute(update(DEVICES).where(DEVICES.c.token == token, DEVICES.c.seen < now - SEEN).values(seen=now))


def signed_in(connection: Connection, token: str) -> bool:
    one = select(DEVICES.c.id).where(DEVICES.c.token == token, DEVICES.c.ended == 0.0)
    return connection.execute(one).first() is not None


# -- passkeys and single-use tokens ------------------------------------------------------------------------------------


def add_passkey(connection: Connection, row: PasskeyRow) -> None:
    connection.execute(insert(PASSKEYS).values(row._asdict()))


def passkeys_of(connection: Connection, account: str) -> list[PasskeyRow]:
    mine = select(PASSKEYS).where(PASSKEYS.c.account == account).order_by(PASSKEYS.c.created.desc())
    return [PasskeyRow(*row) for row in connection.execute(mine)]


def passkey(connection: Connection, id: str) -> PasskeyRow | None:
    row = connection.execute(select(PASSKEYS).where(PASSKEYS.c.id == id)).first()
    return None if row is None else PasskeyRow(*row)


def use_passkey(connection: Connection, id: str, signs: int, now: float) -> None:
    connection.execute(update(PASSKEYS).where(PASSKEYS.c.id == id).values(signs=signs, used=now))


def remove_passkey(connection: Connection, account: str, id: str) -> bool:
    one = PASSKEYS.c.account == account, PASSKEYS.c.id == id
    return connection.execute(delete(PASSKEYS).where(*one)).rowcount == 1


def hash_of(token: bytes) -> str:
    return hashlib.sha256(token).hexdigest()


def give(connection: Connection, token: bytes, purpose: str, owner: str, until: float, now: float) -> None:
    """Store a single-use token and delete the expired ones."""
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.until < now))
    row = {"hash": hash_of(token), "purpose": purpose, "owner": owner, "until": until}
    connection.execute(insert(CHALLENGES).values(row))


def given(connection: Connection, token: bytes, purpose: str, now: float) -> str | None:
    """Return the owner of a token; None if it is unknown, expired or used."""
    one = CHALLENGES.c.hash == hash_of(token), CHALLENGES.c.purpose == purpose, CHALLENGES.c.until >= now
    found: str | None = connection.execute(select(CHALLENGES.c.owner).where(*one)).scalar()
    return found


def take(connection: Connection, token: bytes, purpose: str, now: float) -> str | None:
    """Return the owner of a token and use it up. Of two concurrent calls one succeeds."""
    owner = given(connection, token, purpose, now)
    if owner is None or not connection.execute(delete(CHALLENGES).where(CHALLENGES.c.hash == hash_of(token))).rowcount:
        return None
    return owner


# -- data synchronised between devices ---------------------------------------------------------------------------------


def keepsake(connection: Connection, account: str) -> tuple[int, str]:
    row = connection.execute(select(KEEPSAKES).where(KEEPSAKES.c.account == account)).first()
    return (0, "") if row is None else (row.version, row.text)


def keep(connection: Connection, account: str, version: int, text: str) -> bool:
    """Replace this version of the data; return False if another version is stored."""
    if version == 0:
        make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
        first = make(KEEPSAKES).values(account=account, version=1, text=text).on_conflict_do_nothing()
        # rowcount is not set by PostgreSQL's driver for this statement
        return connection.execute(first.returning(KEEPSAKES.c.account)).first() is not None
    one = KEEPSAKES.c.account == account, KEEPSAKES.c.version == version
    return connection.execute(update(KEEPSAKES).where(*one).values(version=version + 1, text=text)).rowcount == 1


# -- games -------------------------------------------------------------------------------------------------------------


def note_played(connection: Connection, finished: Sequence[Finished]) -> None:
    """Write the games of players with an account, in the commit that stores their records."""
    rows = [
        {"record": done.share, "seat": seat, "player": player, "at": done.meta["at"], **values}
        for done in finished
        if any(done.meta.get("players", ()))
        for seat, (player, values) in enumerate(
            zip(done.meta["players"], played_values(done.record, done.meta), strict=True)
        )
        if player
    ]
    if not rows:
        return
    asked = select(ACCOUNTS.c.player).where(ACCOUNTS.c.player.in_([row["player"] for row in rows]), ACCOUNTS.c.gone > 0)
    gone = set(connection.execute(asked).scalars())
    for row in rows:
        if row["player"] in gone:  # deleted during the game
            forget_name(connection, row["record"], row["seat"])
    here = [row for row in rows if row["player"] not in gone]
    if here:
        make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
        connection.execute(make(PLAYED).on_conflict_do_nothing(), here)


def records_of(connection: Connection, player: str) -> list[tuple[str, str, dict[str, Any], float]]:
    """Return a player's finished games, the latest first: id, text, metadata, time."""
    found = connection.execute(
        select(RECORDS.c.id, RECORDS.c.text, RECORDS.c.meta, PLAYED.c.at)
        .join(PLAYED, PLAYED.c.record == RECORDS.c.id)
        .where(PLAYED.c.player == player)
        .order_by(PLAYED.c.at.desc(), RECORDS.c.id)
    )
    return [(id, text, msgspec.json.decode(meta), at) for id, text, meta, at in found]


def count_games(connection: Connection, player: str) -> int:
    return int(
        connection.execute(select(func.count()).select_from(PLAYED).where(PLAYED.c.player == player)).scalar_one()
    )
