"""What the engine needs to know of the definitions, as integers: made once by ``script.compile``, never changed.

State refers to actions and characters by their index in ``Rules`` only.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

# How the keys of an action are put together.
NO_KEY: Final = 0
ONE: Final = 1  # one card of key_a
TWO: Final = 2  # two cards of key_a
EACH: Final = 3  # one of key_a and one of key_b
SAME_SUIT: Final = 4  # two cards of one suit
SAME_NUMBER: Final = 5  # two cards of one number
WHOLE: Final = 6  # all cards of one of key_sets

# Words of a request, in the order they are asked.
WORD_COST: Final = 0  # which of two costs
WORD_SOURCE: Final = 1  # which soldier is driven for it
WORD_KEY: Final = 2
WORD_BULWARK: Final = 3
WORD_DISCARD: Final = 4
WORD_SACRIFICE: Final = 5
WORD_TARGET: Final = 6

# Target lines.
AIM_NONE: Final = 0
AIM_UNIT: Final = 1
AIM_REQUEST: Final = 2
AIM_OPPONENT: Final = 3
AIM_PLAYER: Final = 4
AIM_TRUMP: Final = 5

# Sides and types a target line or a set of units may ask for.
ANY: Final = 0
MINE: Final = 1
THEIRS: Final = 2
SOLDIER: Final = 1
BULWARK: Final = 2

# Abilities of characters and open trumps, one bit each.
FREE_QUICK_MAGIC: Final = 1
UNTARGETABLE: Final = 2
MUST_ATTACK: Final = 4
WALL_PROOF: Final = 8  # not moved to the grave by a bulwark's block (2.7)
LARGER_DIES: Final = 16
NO_CHARGE: Final = 32
SPADE_PROOF: Final = 64
NOT_EQUIPPABLE: Final = 128  # 2.7
DRAWS_UNBLOCKED: Final = 256

# Events a trigger can wait for.
ON_END: Final = 1  # its owner's request of an action that ends the turn is on the stage
ON_DISCARD: Final = 2  # the opponent of its owner has discarded
ON_OPEN: Final = 3  # it has become active
ON_UNBLOCKED: Final = 4  # an own attacker was unblocked at the judgement


class Op:
    """One compiled step. Operands mean what ``script.run`` says for the code."""

    __slots__ = ("a", "b", "c", "code", "d", "e", "jump")

    def __init__(self, code: i64, a: i64 = 0, b: i64 = 0, c: i64 = 0, d: i64 = 0, e: i64 = 0, jump: i64 = 0) -> None:
        self.code: i64 = code
        self.a: i64 = a
        self.b: i64 = b
        self.c: i64 = c
        self.d: i64 = d
        self.e: i64 = e
        self.jump: i64 = jump


class Cost:
    """Letters of a cost in printed order and how many there are of each."""

    __slots__ = ("b", "d", "l", "letters", "s")

    def __init__(self, letters: str) -> None:
        self.letters = letters
        self.b: i64 = letters.count("B")
        self.l: i64 = letters.count("L")
        self.d: i64 = letters.count("D")
        self.s: i64 = letters.count("S")


class Plan:
    """An action."""

    def __init__(self, index: i64, id: str) -> None:
        self.index: i64 = index
        self.id = id
        self.direct: bool = True
        self.immediate: bool = False
        self.main: bool = True
        self.cost: Cost = Cost("")
        self.quick_cost: Cost | None = None  # paying this one allows quick timing
        self.quick_magic: bool = False  # its cost falls away under FREE_QUICK_MAGIC
        self.key: i64 = NO_KEY
        self.key_a: i64 = 0
        self.key_b: i64 = 0
        self.key_sets: list[int] = []
        self.key_count: i64 = 0
        self.aim: i64 = AIM_NONE
        self.aim_whose: i64 = ANY
        self.aim_type: i64 = ANY
        self.aim_suit: bool = False  # of a key's suit
        self.aim_cards: i64 = 0  # must contain one of these
        self.aim_equip: bool = False  # not NOT_EQUIPPABLE
        self.aim_action: i64 = -1  # a request of this action
        self.aim_keys_min: i64 = 0
        self.aim_keys_max: i64 = 99
        self.aim_counter: bool = False  # a request that カウンター may name
        self.aim_targeted: bool = False  # a request with a designated target
        self.limit: i64 = 0  # bit in the per-turn or per-game counters
        self.limit_game: bool = False
        self.opponent_turn_only: bool = False
        self.counterable: bool = True
        self.late_triggers: bool = False
        self.ends_turn: bool = False
        self.is_attack: bool = False
        self.judges: bool = False  # combat roles end when it is removed
        self.passes_after: bool = False
        self.sourced: bool = False  # a soldier is driven for it …
        self.suits: i64 = 0  # … one of these suits, or, if 0, one that grants the permission itself
        self.needs: i64 = 0  # bit of a permission a trump or character gives; 0: everybody may
        self.words: list[int] = []
        self.quick_words: list[int] = []
        self.free_words: list[int] = []
        self.program: list[Op] = []


class Kind:
    """A character."""

    def __init__(self, index: i64, id: str) -> None:
        self.index: i64 = index
        self.id = id
        self.bulwark: bool = False
        self.haste: bool = False
        self.haste_cards: i64 = 0  # Haste if one of these is among its cards
        self.fixed_number: i64 = -1  # else the sum of its cards
        self.abilities: i64 = 0
        self.grants: i64 = 0  # permissions
        self.leave_action: i64 = -1
        self.leave_count: i64 = 0
        self.leave_cards: i64 = 0  # one per card of these instead of leave_count
        self.leave_to_hand: bool = False
        self.leave_card: i64 = 0  # the trigger names its card of this set
        self.end_action: i64 = -1  # raised when its controller ends the turn


class TrumpPlan:
    """What one card does while it lies open in the trump zone."""

    def __init__(self, card: i64, id: str) -> None:
        self.card: i64 = card
        self.id = id
        self.abilities: i64 = 0
        self.grants: i64 = 0
        self.event: i64 = 0
        self.action: i64 = -1


class Rules:
    """All definitions of one format."""

    def __init__(self) -> None:
        self.name = ""
        self.plans: list[Plan] = []
        self.main_plans: list[Plan] = []  # direct ones that a chance at main timing offers
        self.quick_plans: list[Plan] = []  # those at any other chance
        self.kinds: list[Kind] = []
        self.kind_of_card: list[int] = []
        self.bulwark_kind: i64 = 0
        self.armed_kind: i64 = 0
        self.faces: i64 = 0  # cards that 世代交代 looks for
        self.attack_limit: i64 = 0
        self.trumps: list[TrumpPlan | None] = []
        self.end_triggers: bool = False  # some definition hears ON_END
        self.discard_triggers: bool = False
        self.most_trumps: i64 = 0  # how many a player may choose at set-up
