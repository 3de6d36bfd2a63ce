"""Send times of answers while a player may be asked, and quiet periods for work done for an asked player.

Without them the duration of other requests would show how much the server computes for that player (SECURITY.md).
"""

from __future__ import annotations

import math
from typing import Final

#: seconds between send times of answers while the response window of another player is open
BEAT: Final = 0.1
#: seconds between the send times of all delayed answers, on sockets and over HTTP
GRID: Final = 0.05
#: seconds before and after each send time in which no work for an asked player starts, nor the equivalent work for an
#: automatic pass. Before: the work must be done and stored when the answers go out. After: the answers are being made
BEFORE: Final = 0.02
AFTER: Final = 0.01


def next_beat(now: float) -> float:
    return (math.floor(now / BEAT) + 1) * BEAT


def hushed(now: float) -> float:
    """Return the seconds to wait so that work for an asked player starts outside the quiet period."""
    since = now % GRID
    if GRID - since < BEFORE:
        return GRID - since + AFTER
    return max(0.0, AFTER - since)
