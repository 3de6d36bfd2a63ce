"""The memory of a seat in bytes: an information state of OpenSpiel as a tensor."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, get_args

from blackpoker.engine.cards import BIT, NAMES
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.views import EventName
from blackpoker.envs.layout import SIZE

#: number of lines kept, bytes per line, bytes of the digest of all lines
LINES: Final = 64
LINE: Final = 10
DIGEST: Final = 16
#: size of observation, lines and digest
MEMORY_SIZE: Final = SIZE + LINES * LINE + DIGEST
_PLACE: Final = {name: card for card, name in enumerate(NAMES)}
_KINDS: Final = {name: place for place, name in enumerate(get_args(EventName))}


def encode_memory(text: str, seat: int) -> bytes:
    """Encode the events and choices known to the seat: the last ``LINES`` lines of its text, latest first, and a digest
    of all of them.

    A line contains its kind (1 for an own choice, else 2 + index of the event name), the player (1 the seat's own, 2
    the opponent's), the option or number in it, and the cards it names, one bit each.
    """
    lines = text.split("\n")[1:]
    out = bytearray(LINES * LINE)
    for row, line in enumerate(reversed(lines[-LINES:])):
        out[row * LINE : (row + 1) * LINE] = _encode_line(line, seat)
    return bytes(out) + blake2b(text.encode(), digest_size=DIGEST).digest()


def _encode_line(line: str, seat: int) -> bytes:
    if line[0] == ">":
        return bytes((1, 1, int(line[1:]), *bytes(LINE - 3)))
    kind, *fields = line.split(",")
    cards = 0
    for field in fields:
        for name in field.split("+"):
            cards |= BIT[_PLACE[name]] if name in _PLACE else 0
    owner = 0 if not fields or fields[0] not in PLAYERS else 1 if PLAYERS.index(fields[0]) == seat else 2
    number = next((int(field) for field in fields[1:] if field.isdigit()), 0)
    return bytes((2 + _KINDS.get(kind, len(_KINDS)), owner, min(number, 255))) + cards.to_bytes(LINE - 3, "little")
