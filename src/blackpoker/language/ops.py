"""Codes of compiled steps, values and tests; ``compile`` writes them, ``run`` reads them."""

from __future__ import annotations

from typing import Final

# Steps. Operands in the order a b c d e.
JUMP: Final = 1
UNLESS: Final = 2  # value, test, value; jumps if it does not hold
IF: Final = 3  # value, test, value; jumps if it holds
CHOOSE_CARD: Final = 4  # zone, cards, slot, by, whose
CHOOSE_CARDS: Final = 5  # zone, count value, slot, by
CHOOSE_OPTION: Final = 6  # option set, size, slot, by
CHOOSE_UNIT: Final = 7  # whose, type, slot, by
CHOOSE_UNITS: Final = 8  # -, least, slot
CHOOSE_REQUEST: Final = 9  # -, -, slot
CHOOSE_TRUMP: Final = 10  # -, -, slot
ENTER: Final = 11  # zone, slot (-1: the key), flags (1 bulwark, 2 known, 4 driven)
LIFE_TO_BULWARKS: Final = 12  # count, driven
ATTACH: Final = 13
BURY_TARGET: Final = 14  # -, -, slot
BURY_CHOSEN: Final = 15  # slot of the unit, -, slot
BURY_ALL: Final = 16  # whose, type, slot, test (0 none, 1 at most, 2 at least), value; its argument in jump
RETURN_TARGET: Final = 17
KEYS_TO_HAND: Final = 18
STATE_TARGET: Final = 19  # state (0 charged 1 driven 2 by slot), slot
STATE_ALL: Final = 20  # state, player, type
DAMAGE: Final = 21  # who, value, argument
DRAW: Final = 22  # who, count
TAKE: Final = 23  # zone, slot
SHUFFLE: Final = 24
NEGATE_TARGET: Final = 25
NEGATE_CHOSEN: Final = 26  # slot
RETARGET: Final = 27
RAISE: Final = 28  # action, controller, flags (1 keep target, 2 then pass), virtual keys, slot of the key
BONUS: Final = 29  # value, argument, sign
BONUS_FOR_ALL: Final = 30  # value, argument
LOOK: Final = 31
DISCARD: Final = 32  # slot (-1: all), who, 1 if the slot is one card
END_TURN: Final = 33
NAME_ATTACKERS: Final = 34
ASSIGN_BLOCKERS: Final = 35
COMPARE_COMBAT: Final = 36
TARGET_TO_LIFE_TOP: Final = 37
TURN_OVER: Final = 38
BULWARKS_TO_SOLDIERS: Final = 39
MILL_TO_FACE: Final = 40
REVEAL_AND_ENTER: Final = 41  # count, value, argument
ASIDE_TO_BOTTOM: Final = 42
OPEN_PACK: Final = 43
OPEN_TRUMP: Final = 44  # slot
CLOSE_TRUMP: Final = 45  # card (-1: the target)
CLOSE_ALL_TRUMPS: Final = 46
BURY_TRUMP: Final = 47  # card (-1: the target)
RESTORE_TRUMP: Final = 48
FIND: Final = 49  # card, -, slot
ENTER_AS: Final = 50  # kind, trump, partner (-1: the key)
BURY_UNITS: Final = 51  # slot, 1 with the target
TO_LIFE_BOTTOM: Final = 52  # slot of the unit, -, slot
GATHER: Final = 53  # slot mine, slot theirs, value, argument
GATHERED_TO_LIFE_TOP: Final = 54  # slot, who
REVEAL_ASIDE: Final = 55  # count
UNITS_TO_BULWARKS: Final = 56  # slot
REARRANGE_ROW: Final = 57
HAND_TO_LIFE: Final = 58  # slot of the card, slot of the place
RETURN_SOURCE: Final = 59

# Values: a code and an argument.
CONST: Final = 0
KEY_SUM: Final = 1
KEY_OF: Final = 2  # cards
TARGET_NUMBER: Final = 3
TARGET_KEY_COUNT: Final = 4
TARGET_KEY_SUM: Final = 5
TARGET_CHARGED: Final = 6
TARGET_IS_SOLDIER: Final = 7
TARGET_CARDS: Final = 8
SOURCE_NUMBER: Final = 9
AMOUNT: Final = 10
ATTACKERS: Final = 11
CHARGE_FORBIDDEN: Final = 12
LIFE: Final = 13  # who
HAND: Final = 14  # who
BULWARKS: Final = 15  # who
BIND: Final = 16  # slot
HAND_OVER_LIMIT: Final = 17
TWICE_AMOUNT: Final = 18
TRUMP_OPEN: Final = 19  # card
SUM_OF: Final = 20  # slot
TARGET_EQUIPPABLE: Final = 21
TARGET_OPEN: Final = 22
TARGET_OF_KEY_SUIT: Final = 23
TARGET_IS_KEY: Final = 24

# Tests.
EQUAL: Final = 0
DIFFERENT: Final = 1
AT_MOST: Final = 2
AT_LEAST: Final = 3
DIVISIBLE: Final = 4

# Who.
ME: Final = 0
OPPONENT: Final = 1
TARGET: Final = 2
OWNER: Final = 3
TURN_PLAYER: Final = 4
