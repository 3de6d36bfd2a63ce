"""Accounts as rows: their names, devices and passkeys, and the games they played.

Every function runs in a transaction of the caller.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from blackpoker.server.rooms.seats import SEAT_NAMES, FinishedGame
from blackpoker.server.storage.moderation import delete_person
from blackpoker.server.storage.ratings import anonymise, played_values, unused_values
from blackpoker.server.storage.schema import (
    ACCOUNTS,
    CHALLENGES,
    DEVICES,
    KEEPSAKES,
    OWNED_NAMES,
    PASSKEYS,
    PLAYED,
    RECORDS,
    ROOMS,
)
from blackpoker.server.storage.statements import last_change, next_change, rows_changed, upsert
from blackpoker.server.storage.tournaments import anonymise_entrant

#: seconds after which a device's last use is written again
SEEN_INTERVAL: Final = 3600.0
#: records from which a name is removed in one transaction
RECORD_BATCH: Final = 100
#: comment in a record from which a name was removed
NAME_REMOVED: Final = "# name taken out:"


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
    changed: float = 0.0


class AccountChanges(NamedTuple):
    """Changed rows, up to the change ``until``."""

    accounts: list[AccountRow]
    names: list[OwnedName]
    devices: list[DeviceRow]
    until: float


# -- accounts ----------------------------------------------------------------------------------------------------------


def changes_since(connection: Connection, since: float) -> AccountChanges:
    until = last_change(connection)
    return AccountChanges(
        rows_changed(connection, ACCOUNTS, ACCOUNTS.c.changed, since, until, AccountRow),
        rows_changed(connection, OWNED_NAMES, OWNED_NAMES.c.changed, since, until, OwnedName),
        rows_changed(connection, DEVICES, DEVICES.c.changed, since, until, DeviceRow),
        until,
    )


def find_account(connection: Connection, id: str) -> AccountRow | None:
    row = connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.id == id)).first()
    return None if row is None else AccountRow(*row)


def find_name_owner(connection: Connection, forms: Sequence[str]) -> AccountRow | None:
    """Return the account that owns or owned a name with one of these forms, or None."""
    found = connection.execute(select(OWNED_NAMES.c.account).where(OWNED_NAMES.c.looks.in_(forms))).scalar()
    return find_account(connection, found) if found else None


def create_account(connection: Connection, row: AccountRow, forms: Sequence[str], device: DeviceRow) -> None:
    connection.execute(insert(ACCOUNTS).values(row._replace(changed=next_change(connection))._asdict()))
    own_name(connection, row.id, row.name, forms, row.created)
    add_device(connection, device)


def update_account(connection: Connection, id: str, now: float, **values: Any) -> None:
    change = next_change(connection)
    connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == id).values(changed=change, **values))


def own_name(connection: Connection, id: str, name: str, forms: Sequence[str], now: float) -> None:
    """Reserve all forms of a name; raise `IntegrityError` if one belongs to another account."""
    change = next_change(connection)
    for form in forms:
        mine = OWNED_NAMES.c.looks == form, OWNED_NAMES.c.account == id
        values = {"name": name, "since": now, "changed": change}
        if not connection.execute(update(OWNED_NAMES).where(*mine).values(values)).rowcount:
            connection.execute(insert(OWNED_NAMES).values(OwnedName(form, id, name, now, change)._asdict()))


def rename_account(connection: Connection, id: str, name: str, forms: Sequence[str], now: float) -> None:
    """Set another name and keep the previous one reserved for its owner. Raise `IntegrityError` if the name belongs to
    another account."""
    own_name(connection, id, name, forms, now)
    update_account(connection, id, now, name=name)


def may_rename(connection: Connection, id: str, now: float, interval: float) -> bool:
    """Return True, and count the change, if the last one is long enough ago. Of two concurrent calls one succeeds."""
    allowed = ACCOUNTS.c.id == id, ACCOUNTS.c.renamed <= now - interval
    return (
        connection.execute(
            update(ACCOUNTS).where(*allowed).values(renamed=now, changed=next_change(connection))
        ).rowcount
        == 1
    )


def block_names(connection: Connection, id: str, now: float) -> None:
    """Remove all names of an account and block them."""
    values = {"account": "", "name": "", "since": now, "changed": next_change(connection)}
    connection.execute(update(OWNED_NAMES).where(OWNED_NAMES.c.account == id).values(values))


def names_of(connection: Connection, id: str) -> list[OwnedName]:
    found = connection.execute(
        select(OWNED_NAMES).where(OWNED_NAMES.c.account == id).order_by(OWNED_NAMES.c.since.desc())
    )
    by_name = {row.name: OwnedName(*row) for row in reversed(found.all())}  # a name may have several forms
    return sorted(by_name.values(), key=lambda row: -row.since)


def delete_account(connection: Connection, id: str, now: float) -> None:
    """Delete an account's data except the id, so that old cookies stay invalid, and the games, without the name. The
    name goes from records before (`forget_records`), in batches."""
    row = find_account(connection, id)
    if row is None:
        return
    names = names_of(connection, id)
    for table in (OWNED_NAMES, PASSKEYS, KEEPSAKES):
        connection.execute(delete(table).where(table.c.account == id))
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.owner == id))
    connection.execute(
        update(DEVICES)
        .where(DEVICES.c.account == id)
        .values(ended=now, changed=next_change(connection), label="", kind="", seen=0.0)
    )
    while forget_records(connection, row.player):
        pass
    anonymise(connection, row.player)
    delete_person(connection, id, [name.name for name in names])
    remove_name_from_rooms(connection, id)
    anonymise_entrant(connection, id)
    update_account(connection, id, now, name="", crest="", code="", gone=now, created=0.0, renamed=0.0, code_at=0.0)


def forget_records(connection: Connection, player: str, most: int = RECORD_BATCH) -> int:
    """Remove a player's name from some of the player's records; return their number, 0 when none are left."""
    mine = select(PLAYED.c.record, PLAYED.c.seat).where(PLAYED.c.player == player).limit(most)
    found = connection.execute(mine).all()
    for record, seat in found:
        remove_name_from_record(connection, record, seat)
        connection.execute(delete(PLAYED).where(PLAYED.c.record == record, PLAYED.c.seat == seat))
    return len(found)


def remove_name_from_rooms(connection: Connection, guest: str) -> None:
    """Remove a deleted account's name from the stored rooms."""
    seated = ROOMS.c.data.contains(f'"guest":"{guest}"', autoescape=True)
    for row in connection.execute(select(ROOMS.c.id, ROOMS.c.data).where(seated)).all():
        data = msgspec.json.decode(row.data)
        for seat in data["seats"]:
            if seat["guest"] == guest:
                seat["name"] = ""
        text = msgspec.json.encode(data).decode()
        connection.execute(update(ROOMS).where(ROOMS.c.id == row.id).values(data=text))


def remove_name_from_record(connection: Connection, id: str, seat: int) -> None:
    """Remove a seat's name from a record. A comment marks it, because the record's hash includes the name."""
    found = connection.execute(select(RECORDS.c.text, RECORDS.c.meta).where(RECORDS.c.id == id)).first()
    if found is None:
        return
    meta = msgspec.json.decode(found.meta)
    meta["names"][seat] = ""
    if "players" in meta:
        meta["players"][seat] = ""
    text = without_name(found.text, seat)
    connection.execute(
        update(RECORDS).where(RECORDS.c.id == id).values(text=text, meta=msgspec.json.encode(meta).decode())
    )


def without_name(text: str, seat: int) -> str:
    lines = text.split("\n")
    for place, line in enumerate(lines):
        if line.startswith(f"{SEAT_NAMES[seat]}:"):
            lines[place] = f"{SEAT_NAMES[seat]}:"
            break  # later ones are moves
    return "\n".join([lines[0], f"{NAME_REMOVED} {SEAT_NAMES[seat]}", *lines[1:]])


# -- devices -----------------------------------------------------------------------------------------------------------


def add_device(connection: Connection, device: DeviceRow) -> None:
    connection.execute(insert(DEVICES).values(device._replace(changed=next_change(connection))._asdict()))


def devices_of(connection: Connection, account: str) -> list[DeviceRow]:
    """Return the devices with a session, the most recent first."""
    mine = DEVICES.c.account == account, DEVICES.c.ended == 0.0
    return [DeviceRow(*row) for row in connection.execute(select(DEVICES).where(*mine).order_by(DEVICES.c.seen.desc()))]


def end_device(connection: Connection, account: str, id: str, now: float) -> bool:
    """End the session of a device; return True if there was one."""
    condition = DEVICES.c.account == account, DEVICES.c.id == id, DEVICES.c.ended == 0.0
    return (
        connection.execute(
            update(DEVICES).where(*condition).values(ended=now, changed=next_change(connection))
        ).rowcount
        == 1
    )


def note_seen(connection: Connection, token: str, now: float) -> None:
    connection.execute(
        update(DEVICES).where(DEVICES.c.token == token, DEVICES.c.seen < now - SEEN_INTERVAL).values(seen=now)
    )


def is_signed_in(connection: Connection, token: str) -> bool:
    query = select(DEVICES.c.id).where(DEVICES.c.token == token, DEVICES.c.ended == 0.0)
    return connection.execute(query).first() is not None


# -- passkeys and single-use tokens ------------------------------------------------------------------------------------


def add_passkey(connection: Connection, row: PasskeyRow) -> None:
    connection.execute(insert(PASSKEYS).values(row._asdict()))


def passkeys_of(connection: Connection, account: str) -> list[PasskeyRow]:
    mine = select(PASSKEYS).where(PASSKEYS.c.account == account).order_by(PASSKEYS.c.created.desc())
    return [PasskeyRow(*row) for row in connection.execute(mine)]


def find_passkey(connection: Connection, id: str) -> PasskeyRow | None:
    row = connection.execute(select(PASSKEYS).where(PASSKEYS.c.id == id)).first()
    return None if row is None else PasskeyRow(*row)


def record_passkey_use(connection: Connection, id: str, signs: int, now: float) -> None:
    connection.execute(update(PASSKEYS).where(PASSKEYS.c.id == id).values(signs=signs, used=now))


def remove_passkey(connection: Connection, account: str, id: str) -> bool:
    condition = PASSKEYS.c.account == account, PASSKEYS.c.id == id
    return connection.execute(delete(PASSKEYS).where(*condition)).rowcount == 1


def hash_of(token: bytes) -> str:
    return hashlib.sha256(token).hexdigest()


def create_token(connection: Connection, token: bytes, purpose: str, owner: str, until: float, now: float) -> None:
    """Store a single-use token and delete the expired ones."""
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.until < now))
    row = {"hash": hash_of(token), "purpose": purpose, "owner": owner, "until": until}
    connection.execute(insert(CHALLENGES).values(row))


def token_owner(connection: Connection, token: bytes, purpose: str, now: float) -> str | None:
    """Return the owner of a token; None if it is unknown, expired or used."""
    condition = CHALLENGES.c.hash == hash_of(token), CHALLENGES.c.purpose == purpose, CHALLENGES.c.until >= now
    found: str | None = connection.execute(select(CHALLENGES.c.owner).where(*condition)).scalar()
    return found


def consume_token(connection: Connection, token: bytes, purpose: str, now: float) -> str | None:
    """Return the owner of a token and use it up. Of two concurrent calls one succeeds."""
    owner = token_owner(connection, token, purpose, now)
    if owner is None or not connection.execute(delete(CHALLENGES).where(CHALLENGES.c.hash == hash_of(token))).rowcount:
        return None
    return owner


# -- data synchronised between devices ---------------------------------------------------------------------------------


def synced_data(connection: Connection, account: str) -> tuple[int, str]:
    row = connection.execute(select(KEEPSAKES).where(KEEPSAKES.c.account == account)).first()
    return (0, "") if row is None else (row.version, row.text)


def replace_synced_data(connection: Connection, account: str, version: int, text: str) -> bool:
    """Replace this version of the data; return False if another version is stored."""
    if version == 0:
        values = {"account": account, "version": 1, "text": text}
        insert_first = upsert(connection, KEEPSAKES).values(values).on_conflict_do_nothing()
        # rowcount is not set by PostgreSQL's driver for this statement
        return connection.execute(insert_first.returning(KEEPSAKES.c.account)).first() is not None
    condition = KEEPSAKES.c.account == account, KEEPSAKES.c.version == version
    return connection.execute(update(KEEPSAKES).where(*condition).values(version=version + 1, text=text)).rowcount == 1


# -- games -------------------------------------------------------------------------------------------------------------


def insert_played(connection: Connection, finished: Sequence[FinishedGame]) -> None:
    """Write the games of players, in the commit that stores their records. Those of guests belong to the account that
    they may create later."""
    rows = []
    for game in finished:
        players = game.meta.get("players", ("", ""))
        values = played_values(game.record, game.meta) if any(players) else unused_values(game.meta)
        owners = game.owners if any(game.owners) else players
        rows += [
            {"record": game.record_id, "seat": seat, "player": owner, "at": game.meta["at"], **values[seat]}
            for seat, owner in enumerate(owners)
            if owner
        ]
    if not rows:
        return
    query = select(ACCOUNTS.c.player).where(ACCOUNTS.c.player.in_([row["player"] for row in rows]), ACCOUNTS.c.gone > 0)
    gone = set(connection.execute(query).scalars())
    for row in rows:
        if row["player"] in gone:  # deleted during the game
            remove_name_from_record(connection, row["record"], row["seat"])
    present = [row for row in rows if row["player"] not in gone]
    if present:
        connection.execute(upsert(connection, PLAYED).on_conflict_do_nothing(), present)


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
