"""Stable ids of actions, kinds of units and limits, the same in every format: the ids a net was trained with.

A name keeps its id for ever; new names are appended. Actions of a local edition get a spare id derived from the shape
of their effect, so that it is the same in every game.
"""

from __future__ import annotations

from functools import cache
from typing import Final
from zlib import crc32

from blackpoker.ai.features import ACTIONS, LIMITS, UNIT_KINDS, FeatureMap
from blackpoker.ai.heuristics.roles import shape_of
from blackpoker.engine.tables import CompiledAction, RuleTables

#: number of spare ids of each
SPARE: Final = 8
SPARE_KINDS: Final = 2
SPARE_LIMITS: Final = 4

ACTION_NAMES: Final = (
    "set_bulwark",
    "summon_soldier",
    "summon_hero",
    "summon_ace",
    "quick_summon",
    "summon_magician",
    "equip",
    "recall",
    "charge",
    "draw",
    "end",
    "attack",
    "block",
    "damage_judgement",
    "up",
    "down",
    "twist",
    "counter",
    "reunion",
    "kill",
    "ceasefire",
    "retarget",
    "destroy_bulwark",
    "throw",
    "death_lance",
    "replenish_bulwark",
    "reanimate",
    "hand_destruction",
    "force",
    "sword_rain",
    "recruit",
    "surprise_attack",
    "search",
    "black_jack",
    "royal_straight_flush",
    "reverse",
    "next_generation",
    "open_trump",
    "close_trump",
    "destroy_trump",
    "regenerate_trump",
    "revolution_draw",
    "slash",
    "drain",
    "intimidate",
    "revive",
    "instant_kill",
    "summon_reanimator",
    "summon_demon_lord",
    "reinforcements",
    "encourage",
    "armistice",
    "pursuit",
    "phantom",
    "illusion",
    "salvation",
    "summon_chariot",
    "summon_giant",
    "add_bulwark",
    "negotiate",
    "offset",
    "exhaustion",
    "repair",
    "rest",
    "fulfilment",
    "summon_tactician",
    "foresight",
    "switch",
    "civil_war",
    "riot",
    "hand_refill",
    "omen",
    "reset",
    "trump_reset",
    "last_struggle",
    "summon_knight",
    "sweep",
    "reanimate@",
    "destroy_bulwark@",
    "open_pack",
)
KIND_NAMES: Final = (
    "common_soldier",
    "hero",
    "ace",
    "magician",
    "armed_soldier",
    "bulwark",
    "reanimator",
    "demon_lord",
    "chariot",
    "giant",
    "tactician",
    "knight",
)
LIMIT_NAMES: Final = ("set_bulwark", "attack", "reinforcements", "pursuit", "add_bulwark", "civil_war", "open_pack")


def stable_id(name: str, names: tuple[str, ...], room: int, spare: int, checksum: int) -> int:
    """Return the id of a name; an unknown name gets one of the spare ids."""
    return names.index(name) if name in names else room - spare + checksum % spare


def shape_checksum(plan: CompiledAction, plans: list[CompiledAction]) -> int:
    """Return a checksum of the effect, equal for actions that do the same under different names."""
    shape = shape_of(plan, plans)
    return crc32(",".join([*(type(step).__name__ for step in shape.steps), str(int(plan.aim))]).encode())


@cache
def feature_map(rules: RuleTables) -> FeatureMap:
    """Return the feature map of these definitions."""
    plans = rules.plans
    actions = [stable_id(plan.id, ACTION_NAMES, ACTIONS, SPARE, shape_checksum(plan, plans)) for plan in plans]
    kinds = [stable_id(kind.id, KIND_NAMES, UNIT_KINDS, SPARE_KINDS, crc32(kind.id.encode())) for kind in rules.kinds]
    limits: list[int] = []
    for plan in plans:
        while plan.limit >= 2 ** len(limits):
            limits.append(LIMITS - 1)
        if plan.limit:
            limits[int(plan.limit).bit_length() - 1] = stable_id(
                plan.id, LIMIT_NAMES, LIMITS, SPARE_LIMITS, crc32(plan.id.encode())
            )
    return FeatureMap(actions, kinds, limits)
