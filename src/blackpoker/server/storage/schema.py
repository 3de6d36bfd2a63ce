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
    Column("updated", Float, nullable=False),  # time of the last public change
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

#: ratings of bots with at least one rated game
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

#: rated games between bots, each once
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

#: user accounts. ``id`` is the former guest id; a deleted account keeps nothing else
ACCOUNTS = Table(
    "accounts",
    META,
    Column("id", String(24), primary_key=True),
    Column("player", String(16), nullable=False, unique=True),  # public id
    Column("name", String(24), nullable=False),
    Column("crest", String(4), nullable=False),
    Column("created", Float, nullable=False),
    Column("renamed", Float, nullable=False),  # last change by the owner
    Column("muted", Float, nullable=False),  # end time
    Column("banned", Float, nullable=False),
    Column("code", String(160), nullable=False),  # scrypt hash of the twelve cards
    Column("code_at", Float, nullable=False),
    Column("gone", Float, nullable=False),
    Column("changed", Float, nullable=False),
    Index("accounts_by_change", "changed"),
)

#: every present and former name, by its folded form
OWNED_NAMES = Table(
    "owned_names",
    META,
    Column("looks", String(80), primary_key=True),
    Column("account", String(24), nullable=False),
    Column("name", String(24), nullable=False),
    Column("since", Float, nullable=False),
    Column("changed", Float, nullable=False, server_default="0"),
    Index("owned_names_by_account", "account"),
    Index("owned_names_by_change", "changed"),
)

#: sessions: the hash of each cookie's token
DEVICES = Table(
    "devices",
    META,
    Column("token", String(64), primary_key=True),
    Column("id", String(16), nullable=False, unique=True),  # public to its owner
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
    Column("key", LargeBinary, nullable=False),  # public key
    Column("signs", Integer, nullable=False),
    Column("label", String(40), nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False),
    Index("passkeys_by_account", "account"),
)

#: single-use tokens with an expiry: passkey challenges, links to another device
CHALLENGES = Table(
    "challenges",
    META,
    Column("hash", String(64), primary_key=True),
    Column("purpose", String(8), nullable=False),
    Column("owner", String(24), nullable=False),
    Column("until", Float, nullable=False),
    Index("challenges_by_time", "until"),
)

#: decks, progress, settings of a page, synchronised between the owner's devices
KEEPSAKES = Table(
    "keepsakes",
    META,
    Column("account", String(24), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("text", Text, nullable=False),
)

#: finished games by player, for players with an account
PLAYED = Table(
    "played",
    META,
    Column("record", String(24), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(16), nullable=False),
    Column("at", Float, nullable=False),
    # empty in rows older than these columns, until they are filled in
    Column("regulation", String(120), nullable=False, server_default=""),
    Column("result", String(5), nullable=False, server_default=""),
    Column("used", Text, nullable=False, server_default=""),  # the trumps and actions of this seat
    Index("played_by_player", "player", "at"),
)

#: rated games between players in rating order, with the ratings of both after each
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

#: present ratings by format and season; all follow from the rated games
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
    Column("streak", Integer, nullable=False),  # present winning streak
    Column("longest", Integer, nullable=False),
    Column("played", Float, nullable=False),
    Index("ratings_by_format", "format", "season"),
)

#: seasons set by an operator; before the first is season 0 without a name. ``ends`` 0: open
SEASONS = Table(
    "seasons",
    META,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("ja", String(40), nullable=False),
    Column("en", String(40), nullable=False),
    Column("began", Float, nullable=False),
    Column("ends", Float, nullable=False),
)

#: tournaments; ``seq``: number of events of each
TOURNAMENTS = Table(
    "tournaments",
    META,
    Column("id", String(24), primary_key=True),
    Column("phase", String(8), nullable=False),
    Column("listed", Integer, nullable=False),
    Column("updated", Float, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("due", Float, nullable=False, server_default="0"),  # time of its next automatic step
    Column("origin", String(16), nullable=False, server_default=""),  # keyed hash of the host's network
    Index("tournaments_by_due", "phase", "due"),
    Index("tournaments_by_phase", "phase", "updated"),
)

#: events of tournaments, in order
ACTS = Table(
    "tournament_acts",
    META,
    Column("tournament", String(24), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("text", Text, nullable=False),
)

#: muted players; ``id`` is the id its owner uses
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

#: reports about players to an operator, with the chat of the room
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
    Column("record", String(24), nullable=False),  # of their game, once it is stored
    Column("heard", Text, nullable=False),  # the chat of the room
    Column("closed", Float, nullable=False),
    Index("reports_by_time", "closed", "at"),
)

#: numbers given out in the order of commits; "changes": of the columns ``changed``
COUNTERS = Table(
    "counters",
    META,
    Column("name", String(24), primary_key=True),
    Column("value", Float, nullable=False),
)

KEYS = Table(
    "keys",
    META,
    Column("name", String(24), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)
