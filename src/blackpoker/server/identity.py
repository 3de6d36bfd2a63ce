"""The identity of a guest or account: one value for rooms, chat, tournaments, lobby, records, reports and pictures.

A name is tidied first and checked afterwards, so that what is checked is what others see.
"""

from __future__ import annotations

import re
import time
import unicodedata
from dataclasses import dataclass
from typing import Final

from blackpoker.formats.savegame import clean_name
from blackpoker.players.engine_players import LEVELS
from blackpoker.server.admission import cached
from blackpoker.server.confusables import is_one_script, skeleton
from blackpoker.server.rooms.sanitize import printable
from blackpoker.server.rooms.seats import player_id

MAX_NAME_LENGTH: Final = 24
#: variation selectors, which are invisible; chat keeps them for its emoji
VARIATION: Final = re.compile("[\ufe00-\ufe0f\u180b-\u180f\U000e0100-\U000e01ef]")


@dataclass(frozen=True)
class Identity:
    """A guest or a signed-in account. ``name`` is tidied, and no other account's. ``device`` is the hash of the device
    token in the cookie of an account, empty for guests. ``banned_until`` is a time, 0 if not banned."""

    id: str
    name: str
    device: str = ""
    muted: bool = False
    banned_until: float = 0.0

    @property
    def banned(self) -> bool:
        return self.banned_until > time.time()

    @property
    def player(self) -> str:
        """Return the public id of the account, empty for guests."""
        return player_id(self.id) if self.device else ""


@cached("names of computer players", 1)
def reserved_skeletons() -> frozenset[str]:
    """Return the skeletons of the names of computer players."""
    names = (name for level in LEVELS.values() for name in (level.id, level.ja, level.en))
    return frozenset(skeleton(variant) for name in names for variant in (name, f"AI {name}", f"{name} AI"))


def cleaned_name(name: str) -> str:
    """Return the name as it is displayed: one line of visible characters, without differences of width."""
    visible = "".join(letter for letter in name if not VARIATION.match(letter))
    return clean_name(printable(unicodedata.normalize("NFKC", visible)))[:MAX_NAME_LENGTH].strip()


def display_name(name: str) -> str:
    """Return the name as it is displayed; empty if it mixes scripts or resembles the name of a computer player."""
    tidied = cleaned_name(name)
    forbidden = not is_one_script(tidied) or any(
        skeleton(one) in reserved_skeletons() for one in (tidied, tidied.lower(), tidied.upper())
    )
    return "" if forbidden else tidied


def default_name(id: str) -> str:
    """Return the name of a guest without one."""
    return f"Guest {id[:4].strip('-_')}"
