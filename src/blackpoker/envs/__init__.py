"""Reinforcement-learning environments (docs/guide/envs.md); their libraries come with the extra ``envs``.

Importing this package registers the Gymnasium ids, ``blackpoker/lite-entry-v0`` and the like. The other interfaces are
separate modules: ``zoo`` (PettingZoo), ``spiel`` (OpenSpiel).
"""

from __future__ import annotations

try:
    import gymnasium
except ImportError as missing:
    raise ImportError(f"{missing.name} is missing: pip install 'blackpoker[envs]'") from missing

from blackpoker.envs.gym import BlackPokerEnv, BlackPokerVectorEnv
from blackpoker.envs.layout import FIELD, FIELDS, KINDS, OPTIONS, SIZE, VERSION, RowField, decode
from blackpoker.envs.spaces import ids

__all__ = [
    "FIELD",
    "FIELDS",
    "KINDS",
    "OPTIONS",
    "SIZE",
    "VERSION",
    "BlackPokerEnv",
    "BlackPokerVectorEnv",
    "RowField",
    "decode",
    "ids",
]

for _id, _regulation in ids().items():
    if _id not in gymnasium.registry:
        gymnasium.register(
            id=_id,
            entry_point="blackpoker.envs.gym:BlackPokerEnv",
            vector_entry_point="blackpoker.envs.gym:BlackPokerVectorEnv",
            kwargs={"regulation": _regulation},
            disable_env_checker=True,
        )
