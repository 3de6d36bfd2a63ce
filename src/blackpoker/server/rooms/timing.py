"""Send times of answers while a player may be asked, and quiet periods for work done for an asked player.

Without them the duration of other requests would show how much the server computes for that player (SECURITY.md).
"""

from __future__ import annotations

import math
from typing import Final

#: seconds between send times of answers while the response window of another player is open
ROOM_TICK: Final = 0.1
#: seconds between the send times of all delayed answers, on sockets and over HTTP
SEND_TICK: Final = 0.05
#: seconds before and after each send time in which no work for an asked player starts, nor the equivalent work for an
#: automatic pass. Before: the work must be done and stored when the answers go out. After: the answers are being made
QUIET_BEFORE: Final = 0.02
QUIET_AFTER: Final = 0.01


def next_room_tick(now: float) -> float:
    return (math.floor(now / ROOM_TICK) + 1) * ROOM_TICK


def quiet_delay(now: float) -> float:
    """Return the seconds to wait so that work for an asked player starts outside the quiet period."""
    since = now % SEND_TICK
    if SEND_TICK - since < QUIET_BEFORE:
        return SEND_TICK - since + QUIET_AFTER
    return max(0.0, QUIET_AFTER - since)
