"""What can stand in the way of an action, a target, an attacker or a blocker, as numbers.

The functions that list what is offered find them (``requests``, ``combat``); ``refusals`` has a text and a ruling for
each. So a refusal is never worked out a second time.
"""

from __future__ import annotations

from typing import Final

NONE: Final = 0
# an action
NOT_YOUR_TURN: Final = 1
STAGE_NOT_EMPTY: Final = 2
OWN_TURN: Final = 3
TURN_LIMIT: Final = 4
GAME_LIMIT: Final = 5
NO_PERMISSION: Final = 6
DUTY: Final = 7
TOO_MANY: Final = 8
NO_SOURCE: Final = 9
NO_KEYS: Final = 10
NO_DISCARD: Final = 11
NO_BULWARK: Final = 12
NO_LIFE: Final = 13
NO_VICTIM: Final = 14
NO_TARGET: Final = 15
# a unit as a target
NOT_YOURS: Final = 16
UNTARGETABLE_UNIT: Final = 17
WRONG_TYPE: Final = 18
NOT_EQUIPPABLE_UNIT: Final = 19
WRONG_SUIT: Final = 20
WRONG_CARD: Final = 21
# a request as a target
WRONG_KEY_COUNT: Final = 22
WRONG_ACTION: Final = 23
UNCOUNTERABLE: Final = 24
WITHOUT_TARGET: Final = 25
# attackers and blockers
DRIVEN_ATTACKER: Final = 26
NEW_ATTACKER: Final = 27
DRIVEN_BLOCKER: Final = 28
BLOCKS_ANOTHER: Final = 29
MIXED_BLOCK: Final = 30
