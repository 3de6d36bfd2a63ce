"""What all environments share: spaces, names, and one game of a batch as NumPy arrays."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from blackpoker.envs.layout import OPTIONS, SIZE, VERSION
from blackpoker.native import Batch
from blackpoker.regulation.tables import FORMATS, FRAMES

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.int8]
#: the seats, as PettingZoo and RLCard name them
AGENTS: Final = ("player_0", "player_1")
#: what answers for both seats, in place of an opponent
SELF: Final = "self"


def observation_space() -> spaces.Space[Any]:
    return spaces.Box(0, 255, (SIZE,), np.uint8)


def action_space() -> spaces.Space[Any]:
    return spaces.Discrete(OPTIONS)


def ids() -> dict[str, str]:
    """The id of every format and frame, ``blackpoker/lite-entry-v0``, and its regulation."""
    return {
        f"blackpoker/{format.id}-{frame.id}-v{VERSION}": f"{format.id}+{frame.id}"
        for format in FORMATS
        for frame in FRAMES
        if format.allows(frame)
    }


def views(batch: Batch) -> tuple[Bytes, Mask]:
    """The observations and masks of a batch, in its own memory."""
    observations = np.frombuffer(batch.observations, np.uint8).reshape(len(batch), SIZE)
    masks = np.frombuffer(batch.masks, np.int8).reshape(len(batch), OPTIONS)
    return observations, masks
