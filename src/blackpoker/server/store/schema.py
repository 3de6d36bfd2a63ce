"""The tables. Games are append-only: an entry is written once and never changed."""

from __future__ import annotations

from sqlalchemy import Column, Float, Index, Integer, LargeBinary, MetaData, String, Table, Text

META = MetaData()

ROOMS = Table(
    "rooms",
    META,
    Column("id", String(24), primary_key=True),
    Column("phase", String(8), nullable=False),
    Column("data", Text, nullable=False),
    Column("updated", Float, nullable=False),  # when it became what everybody sees
    Index("rooms_by_phase", "phase", "updated"),
)

ENTRIES = Table(
    "entries",
    META,
    Column("room", String(24), primary_key=True),
    Column("game", Integer, primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("at", Float, nullable=False),
    Column("left1", Float, nullable=False),
    Column("left2", Float, nullable=False),
    Column("why", String(12), nullable=False),
    Column("stop", String(12), nullable=False),
)

RECORDS = Table(
    "records",
    META,
    Column("id", String(24), primary_key=True),
    Column("room", String(24), nullable=False),
    Column("game", Integer, nullable=False),
    Column("part", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("meta", Text, nullable=False),
    Column("created", Float, nullable=False),
    Index("records_by_time", "created"),
)

#: the ladder: every bot that has finished a rated game, as it stands
BOTS = Table(
    "bots",
    META,
    Column("id", String(16), primary_key=True),
    Column("name", String(24), nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("faults", Integer, nullable=False, server_default="0"),  # games lost because it broke
    Column("played", Float, nullable=False),
)

#: the games the ladder is made of, each once
BOUTS = Table(
    "bouts",
    META,
    Column("record", String(24), primary_key=True),
    Column("p1", String(16), nullable=False),
    Column("p2", String(16), nullable=False),
    Column("names", Text, nullable=False),
    Column("winner", String(4), nullable=False),
    Column("regulation", String(120), nullable=False),
    Column("at", Float, nullable=False),
    Index("bouts_by_p1", "p1", "at"),
    Index("bouts_by_p2", "p2", "at"),
)

KEYS = Table(
    "keys",
    META,
    Column("name", String(24), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
