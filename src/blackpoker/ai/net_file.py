"""The file format of nets.

``BPNET`` and a zero byte, the version of the features (two bytes, little-endian), the SHA-256 of the rest; then the
weights (``net``), compressed with zlib, 16 bits each, little-endian.
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
#: the net included in the package, for all formats
SHIPPED: Final = Path(__file__).parent / "shipped.bpnet"


class NetError(BlackPokerError, ValueError):
    """Raised for a file that is not a valid net."""


def write_net(path: Path, weights: array[int]) -> str:
    """Write the weights to a file and return their hash."""
    data = array("h", weights)
    if sys.byteorder == "big":
        data.byteswap()
    packed = zlib.compress(data.tobytes(), 9)
    hash = sha256(packed)
    path.write_bytes(_MAGIC + VERSION.to_bytes(2, "little") + hash.digest() + packed)
    return hash.hexdigest()


@cache
def read_net(path: Path) -> Net:
    """Return the net in a file; raise `NetError` if it is invalid or was made for other features."""
    data = path.read_bytes()
    if data[:6] != _MAGIC:
        raise NetError(f"{path.name} is no net")
    if int.from_bytes(data[6:8], "little") != VERSION:
        raise NetError(f"{path.name} was made for other features")
    if sha256(data[40:]).digest() != data[8:40]:
        raise NetError(f"{path.name} is damaged")
    weights = array("h", zlib.decompress(data[40:], bufsize=2 * WEIGHTS))
    if sys.byteorder == "big":
        weights.byteswap()
    return Net(weights)


#: id of the edition whose games nets are trained on
NET_EDITION: Final = "6"


@cache
def empty_net() -> Net:
    return Net(array("h"))


def load_net(name: str) -> Net:
    """Return the net of this name: ``shipped`` is included in the package, any other name is a path, "" is no net."""
    if not name:
        return empty_net()
    return read_net(SHIPPED if name == "shipped" else Path(name))


def net_for(name: str, rules: RuleTables) -> Net:
    """Return the net of this name for games by these rules; other editions than the one nets are trained on are played
    without a net."""
    return load_net(name if edition_of(rules).id == NET_EDITION else "")
