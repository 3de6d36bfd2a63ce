"""Stable ids of actions, kinds of units and limits, the same in every format of an edition: the ids its net was trained
with.

A name keeps its id for ever; new names are appended. Actions of a local edition get a spare id derived from the shape
of their effect, so that it is the same in every game.
"""

from __future__ import annotations

from functools import cache
from typing import Final
from zlib import crc32

from blackpoker.ai.features import ACTIONS, FORMATS, LIMITS, UNIT_KINDS, FeatureMap
from blackpoker.ai.heuristics.action_roles import shape_of
from blackpoker.engine.tables import CompiledAction, RuleTables
from blackpoker.ruleset.edition import edition_of

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

#: the names of edition 9
ACTION_NAMES_9: Final = (
    "end",
    "charge",
    "draw",
    "attack",
    "block",
    "damage_judgement",
    "next_generation",
    "set_bulwark",
    "summon_soldier",
    "summon_hero",
    "summon_ace",
    "quick_summon",
    "summon_magician",
    "equip",
    "up",
    "down",
    "twist",
    "counter",
    "destroy_bulwark",
    "throw",
    "death_lance",
    "replenish_bulwark",
    "reanimate",
    "hand_destruction",
    "kill",
    "reunion",
    "ceasefire",
    "retarget",
    "search",
    "reverse",
    "recall",
    "sword_rain",
    "force",
    "recruit",
    "surprise_attack",
    "black_jack",
    "royal_straight_flush",
    "open_pack",
    "rare_draw",
    "summon_rare",
    "trap_counter",
    "quick_open",
    "main_open",
    "close_trump",
    "destroy_trump",
    "revolution_draw",
    "slash",
    "quick_soldier_spades",
    "drain",
    "intimidate",
    "quick_intimidate",
    "revive",
    "instant_kill",
    "summon_reanimator",
    "quick_summon_reanimator",
    "reincarnation",
    "regenerate_reanimator",
    "summon_demon_lord",
    "dark_whisper",
    "reinforcements",
    "allure",
    "quick_soldier_hearts",
    "armistice",
    "pursuit",
    "phantom_reverse",
    "illusion",
    "salvation",
    "summon_wall_breaker",
    "quick_summon_wall_breaker",
    "pulverize",
    "regenerate_wall_breaker",
    "summon_giant",
    "add_bulwark",
    "quick_set_bulwark",
    "negotiate",
    "quick_soldier_diamonds",
    "offset",
    "lethargy",
    "repair",
    "rest",
    "fulfilment",
    "summon_tactician",
    "quick_summon_tactician",
    "counter_summon_tactician",
    "foresight",
    "regenerate_tactician",
    "switch",
    "quick_soldier_clubs",
    "civil_war",
    "riot",
    "hand_refill",
    "reset",
    "counterattack",
    "last_struggle",
    "summon_knight",
    "quick_summon_knight",
    "sweep",
    "regenerate_knight",
)
KIND_NAMES_9: Final = (
    "common_soldier",
    "hero",
    "ace",
    "magician",
    "armed_soldier",
    "bulwark",
    "reanimator",
    "demon_lord",
    "wall_breaker",
    "giant",
    "tactician",
    "knight",
)
LIMIT_NAMES_9: Final = ("attack", "set_bulwark", "add_bulwark")

#: by edition: the names of actions, of kinds of units, of actions with a limit
NAMES: Final = {
    "6": (ACTION_NAMES, KIND_NAMES, LIMIT_NAMES),
    "9": (ACTION_NAMES_9, KIND_NAMES_9, LIMIT_NAMES_9),
}


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
    edition = edition_of(rules)
    action_names, kind_names, limit_names = NAMES[edition.id]
    plans = rules.plans
    actions = [stable_id(plan.id, action_names, ACTIONS, SPARE, shape_checksum(plan, plans)) for plan in plans]
    kinds = [stable_id(kind.id, kind_names, UNIT_KINDS, SPARE_KINDS, crc32(kind.id.encode())) for kind in rules.kinds]
    limits: list[int] = []
    for plan in plans:
        while plan.limit >= 2 ** len(limits):
            limits.append(LIMITS - 1)
        if plan.limit:
            limits[int(plan.limit).bit_length() - 1] = stable_id(
                plan.id, limit_names, LIMITS, SPARE_LIMITS, crc32(plan.id.encode())
            )
    formats = [entry.format.id for entry in edition.formats]
    format = formats.index(rules.name) if rules.name in formats else FORMATS - 1
    return FeatureMap(actions, kinds, limits, min(format, FORMATS - 1))
