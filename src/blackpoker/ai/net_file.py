"""The file format of nets.

``BPNET`` and a zero byte, the version of the features, the id of the edition it was trained for (one byte, ``6`` or
``9``), the SHA-256 of the rest; then the weights (``net``), compressed with zlib, 16 bits each, little-endian.
"""

from __future__ import annotations

import sys
import zlib
from array import array
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from blackpoker.ai.features import VERSION
from blackpoker.ai.net import WEIGHTS, Net
from blackpoker.engine.tables import RuleTables
from blackpoker.errors import BlackPokerError
from blackpoker.ruleset.edition import edition_of

_MAGIC: Final = b"BPNET\0"
#: the nets included in the package by edition, each for all formats
SHIPPED: Final = {id: Path(__file__).parent / f"edition{id}.bpnet" for id in ("6", "9")}


class NetError(BlackPokerError, ValueError):
    """Raised for a file that is not a valid net."""


def write_net(path: Path, weights: array[int], edition: str) -> str:
    """Write the weights of a net for this edition to a file and return their hash."""
    data = array("h", weights)
    if sys.byteorder == "big":
        data.byteswap()
    packed = zlib.compress(data.tobytes(), 9)
    hash = sha256(packed)
    path.write_bytes(_MAGIC + bytes((VERSION, int(edition))) + hash.digest() + packed)
    return hash.hexdigest()


def edition_of_net(path: Path) -> str:
    """Return the id of the edition for which the net in a file was trained; raise `NetError` if it is no net."""
    with path.open("rb") as file:
        head = file.read(8)
    if head[:6] != _MAGIC or len(head) < 8:
        raise NetError(f"{path.name} is no net")
    if head[6] != VERSION:
        raise NetError(f"{path.name} was made for other features")
    return str(head[7])


@cache
def read_net(path: Path) -> Net:
    """Return the net in a file; raise `NetError` if it is invalid or was made for other features."""
    edition_of_net(path)
    data = path.read_bytes()
    if sha256(data[40:]).digest() != data[8:40]:
        raise NetError(f"{path.name} is damaged")
    weights = array("h", zlib.decompress(data[40:], bufsize=2 * WEIGHTS))
    if sys.byteorder == "big":
        weights.byteswap()
    return Net(weights)


@cache
def empty_net() -> Net:
    return Net(array("h"))


def load_net(name: str, edition: str = "6") -> Net:
    """Return the net of this name for an edition: ``shipped`` is included in the package, any other name is a path, ""
    is no net. Raise `NetError` if the net was trained for another edition."""
    if not name:
        return empty_net()
    path = SHIPPED[edition] if name == "shipped" else Path(name)
    if not path.exists():
        raise NetError(f"there is no net {path}")
    if edition_of_net(path) != edition:
        raise NetError(f"{path.name} was trained for edition {edition_of_net(path)}, not {edition}")
    return read_net(path)


def net_for(name: str, rules: RuleTables) -> Net:
    """Return the net of this name for games by these rules. If no net is included for their edition, the shipped net
    is none: worlds are then played out."""
    edition = edition_of(rules).id
    if name == "shipped" and not SHIPPED[edition].exists():
        return empty_net()
    return load_net(name, edition)
