"""Shared parts of all environments: spaces, names, and NumPy views of a batch."""

from __future__ import annotations

from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from blackpoker.envs.layout import OPTIONS, SIZE, VERSION, VERSION_9
from blackpoker.native import Batch
from blackpoker.ruleset import Regulation, all_regulations, editions
from blackpoker.ruleset.tables import FORMATS, FRAMES

Bytes = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.int8]
#: the seats, named as in PettingZoo
AGENTS: Final = ("player_0", "player_1")
#: opponent setting in which the caller decides for both seats
SELF: Final = "self"


def observation_space() -> spaces.Space[Any]:
    return spaces.Box(0, 255, (SIZE,), np.uint8)


def action_space() -> spaces.Space[Any]:
    return spaces.Discrete(OPTIONS)


def ids() -> dict[str, str]:
    """Return the id of every format and frame, ``blackpoker/lite-entry-v0``, with its regulation; those of edition 9
    are ``blackpoker/9-lite-entry16-v1`` and the like."""
    sixth = {
        f"blackpoker/{format.id}-{frame.id}-v{VERSION}": f"{format.id}+{frame.id}"
        for format in FORMATS
        for frame in FRAMES
        if format.allows(frame)
    }
    later = [one for edition in editions().values() if edition.prefix for one in all_regulations(edition)]
    names = {one.text: one.text.replace(":", "-").replace("+", "-") for one in later}
    return sixth | {f"blackpoker/{names[one.text]}-v{version_of(one)}": one.text for one in later}


def version_of(regulation: Regulation) -> int:
    """Return the version of the rows of a regulation."""
    return VERSION_9 if regulation.edition.prefix else VERSION


class Copyable:
    """Base of environments with value semantics: ``copy.deepcopy`` and ``pickle`` return an independent environment
    in the same state. Arrays that share the memory of the batch (``SHARED``) are recreated by ``_attach``.
    """

    SHARED: ClassVar[tuple[str, ...]] = ("_rows", "_masks")
    regulation: Regulation

    def _attach(self) -> None:
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        state = {name: value for name, value in self.__dict__.items() if name not in self.SHARED}
        return {**state, "regulation": self.regulation.text}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.regulation = Regulation.parse(state["regulation"])
        self._attach()


def views(batch: Batch) -> tuple[Bytes, Mask]:
    """Return the observations and masks of a batch as views of its memory."""
    observations = np.frombuffer(batch.observations, np.uint8).reshape(len(batch), SIZE)
    masks = np.frombuffer(batch.masks, np.int8).reshape(len(batch), OPTIONS)
    return observations, masks
