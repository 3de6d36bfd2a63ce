"""When answers go out while somebody may be asked, and when nothing is begun for him: how busy we are with him must not
be told by how long anything else takes."""

from __future__ import annotations

import math
from typing import Final

#: seconds of a beat: while somebody else may be asked, answers go out with the next one
BEAT: Final = 0.1
#: seconds between the moments at which anything is answered on a beat, here or over HTTP
GRID: Final = 0.05
#: seconds before and after each of them in which nothing is begun for somebody who is asked, nor what stands for it
#: where he is passed for: before, so that it is done, and stored, when the answers go out; after, while they are made
BEFORE: Final = 0.02
AFTER: Final = 0.01


def next_beat(now: float) -> float:
    return (math.floor(now / BEAT) + 1) * BEAT


def hushed(now: float) -> float:
    """Seconds to wait before something is begun for somebody who is asked in his window."""
    since = now % GRID
    if GRID - since < BEFORE:
        return GRID - since + AFTER
    return max(0.0, AFTER - since)
