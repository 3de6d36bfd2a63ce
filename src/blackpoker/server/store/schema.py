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
    Index("records_by_room", "room"),
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

#: people with a name of their own. ``id`` is that of the guest they were; one who has gone leaves it alone behind
ACCOUNTS = Table(
    "accounts",
    META,
    Column("id", String(24), primary_key=True),
    Column("player", String(16), nullable=False, unique=True),  # as everybody may know it
    Column("name", String(24), nullable=False),
    Column("crest", String(4), nullable=False),
    Column("created", Float, nullable=False),
    Column("renamed", Float, nullable=False),  # when its owner last chose another name
    Column("muted", Float, nullable=False),  # until when
    Column("banned", Float, nullable=False),
    Column("code", String(160), nullable=False),  # the slow hash of the twelve cards
    Column("code_at", Float, nullable=False),
    Column("gone", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Index("accounts_by_change", "changed"),
)

#: every name somebody has or had, by what it looks like
OWNED_NAMES = Table(
    "owned_names",
    META,
    Column("looks", String(80), primary_key=True),
    Column("account", String(24), nullable=False),
    Column("name", String(24), nullable=False),
    Column("since", Float, nullable=False),
    Index("owned_names_by_account", "account"),
)

#: where somebody is signed in: the hash of what the cookie there holds
DEVICES = Table(
    "devices",
    META,
    Column("token", String(64), primary_key=True),
    Column("id", String(16), nullable=False, unique=True),  # as its owner names it to us
    Column("account", String(24), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("label", String(40), nullable=False),
    Column("created", Float, nullable=False),
    Column("seen", Float, nullable=False),
    Column("ended", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Index("devices_by_change", "changed"),
    Index("devices_by_account", "account"),
)

PASSKEYS = Table(
    "passkeys",
    META,
    Column("id", String(400), primary_key=True),
    Column("account", String(24), nullable=False),
    Column("key", LargeBinary, nullable=False),  # the public half
    Column("signs", Integer, nullable=False),
    Column("label", String(40), nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False),
    Index("passkeys_by_account", "account"),
)

#: what is answered once, by whom it was given to, and soon: questions to a passkey, links to another device
CHALLENGES = Table(
    "challenges",
    META,
    Column("hash", String(64), primary_key=True),
    Column("purpose", String(8), nullable=False),
    Column("owner", String(24), nullable=False),
    Column("until", Float, nullable=False),
    Index("challenges_by_time", "until"),
)

#: decks, progress, settings: what a page keeps, for its owner's other devices
KEEPSAKES = Table(
    "keepsakes",
    META,
    Column("account", String(24), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("text", Text, nullable=False),
)

#: finished games by who played them, of those who have an account
PLAYED = Table(
    "played",
    META,
    Column("record", String(24), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(16), nullable=False),
    Column("at", Float, nullable=False),
    # empty where nobody has looked into the record yet: it was kept before these were
    Column("regulation", String(120), nullable=False, server_default=""),
    Column("result", String(5), nullable=False, server_default=""),
    Column("used", Text, nullable=False, server_default=""),  # the trumps and actions of this seat
    Index("played_by_player", "player", "at"),
)

#: rated games between people, in the order in which they were rated, and what both were after each
RATED = Table(
    "rated",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("record", String(24), nullable=False, unique=True),
    Column("format", String(16), nullable=False),
    Column("season", Integer, nullable=False),
    Column("p1", String(16), nullable=False),
    Column("p2", String(16), nullable=False),
    Column("winner", String(4), nullable=False),
    Column("at", Float, nullable=False),
    Column("mu1", Float, nullable=False),
    Column("sigma1", Float, nullable=False),
    Column("mu2", Float, nullable=False),
    Column("sigma2", Float, nullable=False),
    Index("rated_by_p1", "p1", "number"),
    Index("rated_by_p2", "p2", "number"),
)

#: people as they stand, by format and season: everything here follows from the rated games
RATINGS = Table(
    "ratings",
    META,
    Column("player", String(16), primary_key=True),
    Column("format", String(16), primary_key=True),
    Column("season", Integer, primary_key=True, autoincrement=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("games", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("streak", Integer, nullable=False),  # games won in a row, up to the last
    Column("longest", Integer, nullable=False),
    Column("played", Float, nullable=False),
    Index("ratings_by_format", "format", "season"),
)

#: what an operator has set; before the first there is season 0, which has no name. ``ends`` 0: nobody knows yet
SEASONS = Table(
    "seasons",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ja", String(40), nullable=False),
    Column("en", String(40), nullable=False),
    Column("began", Float, nullable=False),
    Column("ends", Float, nullable=False),
)

#: tournaments; ``seq``: how many acts there are of each
TOURNAMENTS = Table(
    "tournaments",
    META,
    Column("id", String(24), primary_key=True),
    Column("phase", String(8), nullable=False),
    Column("listed", Integer, nullable=False),
    Column("updated", Float, nullable=False),
    Column("seq", Integer, nullable=False),
    Index("tournaments_by_phase", "phase", "updated"),
)

#: what happened to a tournament, in its order
ACTS = Table(
    "tournament_acts",
    META,
    Column("tournament", String(24), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)

#: whom somebody does not want to hear; ``id`` is what its owner calls it by
UNHEARD = Table(
    "unheard",
    META,
    Column("owner", String(24), primary_key=True),
    Column("whom", String(24), primary_key=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("name", String(24), nullable=False),
    Column("since", Float, nullable=False),
    Column("ended", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Index("unheard_by_change", "changed"),
)

#: what somebody has told an operator of somebody else, with what was said in the room
REPORTS = Table(
    "reports",
    META,
    Column("id", String(16), primary_key=True),
    Column("at", Float, nullable=False),
    Column("owner", String(24), nullable=False),
    Column("owner_name", String(24), nullable=False),
    Column("whom", String(24), nullable=False),
    Column("whom_name", String(24), nullable=False),
    Column("why", String(16), nullable=False),
    Column("words", Text, nullable=False),
    Column("room", String(24), nullable=False),
    Column("record", String(24), nullable=False),  # of the game they played, once it is kept
    Column("heard", Text, nullable=False),  # the chat of the room
    Column("closed", Float, nullable=False),
    Index("reports_by_time", "closed", "at"),
)

KEYS = Table(
    "keys",
    META,
    Column("name", String(24), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
