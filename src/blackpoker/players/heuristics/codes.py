"""Actions and cards as the rules of thumb know them."""

from __future__ import annotations

from typing import Final

# Actions the rules of thumb know; any other one gets a mild score.
OTHER: Final = 0
END: Final = 1
ATTACK: Final = 2
SET_BULWARK: Final = 3
SUMMON_SOLDIER: Final = 4
SUMMON_HERO: Final = 5
SUMMON_ACE: Final = 6
QUICK_SUMMON: Final = 7
SUMMON_MAGICIAN: Final = 8
EQUIP: Final = 9
RECALL: Final = 10
UP: Final = 11
DOWN: Final = 12
TWIST: Final = 13
COUNTER: Final = 14
REUNION: Final = 15
KILL: Final = 16
CEASEFIRE: Final = 17
RETARGET: Final = 18
DESTROY_BULWARK: Final = 19
THROW: Final = 20
DEATH_LANCE: Final = 21
REPLENISH: Final = 22
REANIMATE: Final = 23
HAND_DESTRUCTION: Final = 24
FORCE: Final = 25
SWORD_RAIN: Final = 26
RECRUIT: Final = 27
SURPRISE: Final = 28
SEARCH: Final = 29
BLACK_JACK: Final = 30
ROYAL: Final = 31
REVERSE: Final = 32
DRAW: Final = 33
BLOCK: Final = 34
JUDGEMENT: Final = 35
OPEN_PACK: Final = 36
OPEN_TRUMP: Final = 37
CLOSE_TRUMP: Final = 38
DESTROY_TRUMP: Final = 39
JACK_SUMMON: Final = 40  # the four summons with a trump Jack
KING_SUMMON: Final = 41
REINFORCEMENTS: Final = 42
ADD_BULWARK: Final = 43
REVIVE: Final = 44
DRAIN: Final = 45
INTIMIDATE: Final = 46
INSTANT_KILL: Final = 47
SLASH: Final = 48
ENCOURAGE: Final = 49
NEGOTIATE: Final = 50
ARMISTICE: Final = 51
PURSUIT: Final = 52
SALVATION: Final = 53
OFFSET: Final = 54
REST: Final = 55
CIVIL_WAR: Final = 56
RESET: Final = 57
LAST_STRUGGLE: Final = 58
FORESIGHT: Final = 59
SWITCH: Final = 60
SWEEP: Final = 61
REPAIR: Final = 62
PHANTOM: Final = 63
EXHAUSTION: Final = 64

CODES: Final[dict[str, int]] = {
    "end": END, "attack": ATTACK, "set_bulwark": SET_BULWARK, "summon_soldier": SUMMON_SOLDIER,
    "summon_hero": SUMMON_HERO, "summon_ace": SUMMON_ACE, "quick_summon": QUICK_SUMMON,
    "summon_magician": SUMMON_MAGICIAN, "equip": EQUIP, "recall": RECALL, "up": UP, "down": DOWN, "twist": TWIST,
    "counter": COUNTER, "reunion": REUNION, "kill": KILL, "ceasefire": CEASEFIRE, "retarget": RETARGET,
    "destroy_bulwark": DESTROY_BULWARK, "destroy_bulwark@": DESTROY_BULWARK, "throw": THROW, "death_lance": DEATH_LANCE,
    "replenish_bulwark": REPLENISH, "reanimate": REANIMATE, "reanimate@": REANIMATE,
    "hand_destruction": HAND_DESTRUCTION, "force": FORCE, "sword_rain": SWORD_RAIN, "recruit": RECRUIT,
    "surprise_attack": SURPRISE, "search": SEARCH, "black_jack": BLACK_JACK, "royal_straight_flush": ROYAL,
    "reverse": REVERSE, "draw": DRAW, "block": BLOCK, "damage_judgement": JUDGEMENT, "open_pack": OPEN_PACK,
    "open_trump": OPEN_TRUMP, "close_trump": CLOSE_TRUMP, "destroy_trump": DESTROY_TRUMP,
    "summon_reanimator": JACK_SUMMON, "summon_chariot": JACK_SUMMON, "summon_tactician": JACK_SUMMON,
    "summon_knight": JACK_SUMMON, "summon_demon_lord": KING_SUMMON, "summon_giant": KING_SUMMON,
    "reinforcements": REINFORCEMENTS, "add_bulwark": ADD_BULWARK, "revive": REVIVE, "drain": DRAIN,
    "intimidate": INTIMIDATE, "instant_kill": INSTANT_KILL, "slash": SLASH, "encourage": ENCOURAGE,
    "negotiate": NEGOTIATE, "armistice": ARMISTICE, "pursuit": PURSUIT, "salvation": SALVATION, "offset": OFFSET,
    "rest": REST, "civil_war": CIVIL_WAR, "reset": RESET, "last_struggle": LAST_STRUGGLE, "foresight": FORESIGHT,
    "switch": SWITCH, "sweep": SWEEP, "repair": REPAIR, "phantom": PHANTOM, "exhaustion": EXHAUSTION,
}  # fmt: skip

#: what a card in hand is worth keeping: numbers fight, faces make heroes, Jokers find what is missing
KEEP: Final[list[int]] = [5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14] * 4 + [16, 16]
#: likewise among trumps: how much an open one does for its owner (index: card)
TRUMP_WORTH: Final[list[int]] = [0] * 54
for _card, _worth in {
    0: 4,
    1: 6,
    2: 6,
    3: 5,
    4: 5,
    6: 6,
    10: 8,
    12: 5,  # ♠A 2 3 4 5 7 J K
    14: 7,
    15: 6,
    16: 4,
    17: 5,
    19: 4,
    20: 4,
    23: 8,
    25: 5,  # ♡2 3 4 5 7 8 J K
    26: 8,
    28: 6,
    29: 4,
    30: 2,
    33: 3,
    34: 7,
    36: 8,  # ♢A 3 4 5 8 9 J
    42: 5,
    43: 7,
    45: 8,
    46: 1,
    47: 3,
    48: 3,
    49: 8,  # ♣4 5 7 8 9 10 J
}.items():
    TRUMP_WORTH[_card] = _worth

NEVER: Final = -300
WINS: Final = 400
