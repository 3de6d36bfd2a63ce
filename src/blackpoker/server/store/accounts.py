"""Accounts as rows: whoever has one, the names, devices and passkeys of each, and the games they played.

Every function works in a transaction that somebody else begins and ends.
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

#: seconds that are asked for again: what is written by several processes is not seen in the order of its times
OVERLAP: Final = 120.0
#: seconds after which it is noted again that a device was seen
SEEN: Final = 3600.0
#: what a record says in the place of a name
TAKEN_OUT: Final = "# name taken out:"


class AccountRow(NamedTuple):
    """As the table has it; the twelve cards as their hash."""

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
    """A name and what it looks like. Without an ``account``: an operator took it away, and nobody gets it."""

    looks: str
    account: str
    name: str
    since: float


class AccountNews(NamedTuple):
    """What has changed since a time."""

    accounts: list[AccountRow]
    names: list[OwnedName]
    devices: list[DeviceRow]


# -- who there is ------------------------------------------------------------------------------------------------------


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
    """Whose name looks like this, or did."""
    found = connection.execute(select(OWNED_NAMES.c.account).where(OWNED_NAMES.c.looks == looks)).scalar()
    return account_of(connection, found) if found else None


def create(connection: Connection, row: AccountRow, looks: str, device: DeviceRow) -> None:
    connection.execute(insert(ACCOUNTS).values(row._asdict()))
    connection.execute(insert(OWNED_NAMES).values(OwnedName(looks, row.id, row.name, row.created)._asdict()))
    connection.execute(insert(DEVICES).values(device._asdict()))


def change(connection: Connection, id: str, now: float, **values: Any) -> None:
    connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == id).values(changed=now, **values))


def rename(connection: Connection, id: str, name: str, looks: str, now: float) -> None:
    """Another name; the one before stays its owner's. IntegrityError where it is somebody else's."""
    mine = OWNED_NAMES.c.looks == looks, OWNED_NAMES.c.account == id
    if not connection.execute(update(OWNED_NAMES).where(*mine).values(name=name, since=now)).rowcount:
        connection.execute(insert(OWNED_NAMES).values(OwnedName(looks, id, name, now)._asdict()))
    change(connection, id, now, name=name)


def take_name_away(connection: Connection, id: str, now: float) -> None:
    """The names somebody has become nobody's."""
    connection.execute(update(OWNED_NAMES).where(OWNED_NAMES.c.account == id).values(account="", name="", since=now))


def names_of(connection: Connection, id: str) -> list[OwnedName]:
    found = connection.execute(
        select(OWNED_NAMES).where(OWNED_NAMES.c.account == id).order_by(OWNED_NAMES.c.since.desc())
    )
    return [OwnedName(*row) for row in found]


def remove(connection: Connection, id: str, now: float) -> None:
    """Everything of somebody goes but the id, by which old cookies are known, and the games, without the name."""
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
    """A record without the name of a seat; it says so, since its hash was made with it."""
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
    """Where somebody is signed in, the latest first."""
    mine = DEVICES.c.account == account, DEVICES.c.ended == 0.0
    return [DeviceRow(*row) for row in connection.execute(select(DEVICES).where(*mine).order_by(DEVICES.c.seen.desc()))]


def end_device(connection: Connection, account: str, id: str, now: float) -> bool:
    """Sign out there; whether somebody was."""
    one = DEVICES.c.account == account, DEVICES.c.id == id, DEVICES.c.ended == 0.0
    return connection.execute(update(DEVICES).where(*one).values(ended=now, changed=now)).rowcount == 1


def note_seen(connection: Connection, token: str, now: float) -> None:
    connection.execute(update(DEVICES).where(DEVICES.c.token == token, DEVICES.c.seen < now - SEEN).values(seen=now))


def signed_in(connection: Connection, token: str) -> bool:
    one = select(DEVICES.c.id).where(DEVICES.c.token == token, DEVICES.c.ended == 0.0)
    return connection.execute(one).first() is not None


# -- passkeys, and what is answered once -------------------------------------------------------------------------------


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
    """Something to be answered once; what nobody answered in time goes."""
    connection.execute(delete(CHALLENGES).where(CHALLENGES.c.until < now))
    row = {"hash": hash_of(token), "purpose": purpose, "owner": owner, "until": until}
    connection.execute(insert(CHALLENGES).values(row))


def given(connection: Connection, token: bytes, purpose: str, now: float) -> str | None:
    """To whom it was given; None where it was not, or it is too late, or it has been answered."""
    one = CHALLENGES.c.hash == hash_of(token), CHALLENGES.c.purpose == purpose, CHALLENGES.c.until >= now
    found: str | None = connection.execute(select(CHALLENGES.c.owner).where(*one)).scalar()
    return found


def take(connection: Connection, token: bytes, purpose: str, now: float) -> str | None:
    """The same, and from now on it is answered. Of two at the same moment one gets it."""
    owner = given(connection, token, purpose, now)
    if owner is None or not connection.execute(delete(CHALLENGES).where(CHALLENGES.c.hash == hash_of(token))).rowcount:
        return None
    return owner


# -- what is kept for the other devices --------------------------------------------------------------------------------


def keepsake(connection: Connection, account: str) -> tuple[int, str]:
    row = connection.execute(select(KEEPSAKES).where(KEEPSAKES.c.account == account)).first()
    return (0, "") if row is None else (row.version, row.text)


def keep(connection: Connection, account: str, version: int, text: str) -> bool:
    """Put it in the place of that version; False where another is there."""
    if version == 0:
        make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
        first = make(KEEPSAKES).values(account=account, version=1, text=text).on_conflict_do_nothing()
        # PostgreSQL's driver does not count what such a statement has written
        return connection.execute(first.returning(KEEPSAKES.c.account)).first() is not None
    one = KEEPSAKES.c.account == account, KEEPSAKES.c.version == version
    return connection.execute(update(KEEPSAKES).where(*one).values(version=version + 1, text=text)).rowcount == 1


# -- games -------------------------------------------------------------------------------------------------------------


def note_played(connection: Connection, finished: Sequence[Finished]) -> None:
    """In the commit that keeps their records: who of those who have an account played them."""
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
        if row["player"] in gone:  # deleted while the game went on
            forget_name(connection, row["record"], row["seat"])
    here = [row for row in rows if row["player"] not in gone]
    if here:
        make = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
        connection.execute(make(PLAYED).on_conflict_do_nothing(), here)


def records_of(connection: Connection, player: str) -> list[tuple[str, str, dict[str, Any], float]]:
    """Somebody's finished games, the latest first: id, text, what is known of it, when."""
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
