"""Rule tables: the definitions as integers, for the engine. Built once by ``definitions.compiler``, never changed.

The state refers to actions and characters only by their index in ``RuleTables``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

if TYPE_CHECKING:
    from blackpoker.engine.step import PlayerRef, Step

# Forms of the keys of an action.
NO_KEY: Final = 0
ONE: Final = 1  # one card of key_a
EACH: Final = 2  # one of key_a and one of key_b
TWO: Final = 3  # two cards of key_a
SAME_SUIT: Final = 4  # two cards of one suit
SAME_NUMBER: Final = 5  # two cards of one number
WHOLE: Final = 6  # all cards of one of key_sets
RARE: Final = 7  # the rare card, if it is in key_a (N-070)

# Tokens of a request, in the order in which they are chosen.
TOKEN_COST: Final = 0  # one of two costs
TOKEN_SOURCE: Final = 1  # the soldier driven for it
TOKEN_KEY: Final = 2
TOKEN_BULWARK: Final = 3
TOKEN_DISCARD: Final = 4
TOKEN_SACRIFICE: Final = 5
TOKEN_TARGET: Final = 6
TOKEN_SHOWN: Final = 7  # the public one of several discarded cards
TOKEN_LIFE: Final = 8  # a part of a cost that needs no token: damage

# Target lines.
AIM_NONE: Final = 0
AIM_UNIT: Final = 1
AIM_REQUEST: Final = 2
AIM_OPPONENT: Final = 3
AIM_PLAYER: Final = 4
AIM_TRUMP: Final = 5

# Sides and types in a target line or a set of units.
ANY: Final = 0
MINE: Final = 1
THEIRS: Final = 2
SOLDIER: Final = 1
BULWARK: Final = 2

# Possible targets that exist, one bit each; together they are an index into ``OfferIndex.aims``.
MY_SOLDIERS: Final = 1
MY_BULWARKS: Final = 2
THEIR_SOLDIERS: Final = 4
THEIR_BULWARKS: Final = 8
REQUESTS: Final = 16

# States of a unit in a target line.
ANY_STATE: Final = 0
CHARGED_ONLY: Final = 1
DRIVEN_ONLY: Final = 2
#: more than any life
NO_LIFE_LIMIT: Final = 99

#: capacity of an index in actions
MAX_OFFERS: Final = 54

# Abilities of characters and open trumps, one bit each.
FREE_QUICK_MAGIC: Final = 1  # R-35, N-304
UNTARGETABLE: Final = 2
MUST_ATTACK: Final = 4
WALL_PROOF: Final = 8  # not moved to the grave by a bulwark's block (2.7)
LARGER_DIES: Final = 16
NO_CHARGE: Final = 32
SPADE_PROOF: Final = 64
NOT_EQUIPPABLE: Final = 128  # 2.7
DRAWS_UNBLOCKED: Final = 256
NEVER_CHARGE: Final = 512  # N-350

# Events of triggers.
ON_END: Final = 1  # its owner's request that ends the turn is on the stage
ON_DISCARD: Final = 2  # its owner's opponent has discarded
ON_OPEN: Final = 3  # it became active
ON_UNBLOCKED: Final = 4  # an own attacker was unblocked at the judgement
ON_WALL: Final = 5  # an own bulwark went to the grave as a blocker at the judgement (N-293)


#: cards each player is dealt at set-up, unless the regulation sets another number (R-191)
STARTING_HAND: Final = 7

#: as in ``request``
STORAGE: Final = {
    "Instruction": {"step": "Step", "clause": "absent", "slot": "i8", "chooses": "u8", "by": "PlayerRef"},
    "Cost": {"letters": "absent", "payments": "8 u8", "b": "u8", "l": "u8", "d": "u8", "s": "u8"},
    "CompiledAction": {  # fields read while listing the options come first
        "key_a": "i64",
        "key_b": "i64",
        "needs": "i64",
        "key": "u8",
        "key_count": "u8",
        "hand_keys": "u8",
        "l": "u8",
        "quick_magic": "bool",
        "target_certain": "bool",
        "special": "bool",
        "limit": "i32",
        "limit_game": "bool",
        "opponent_turn_only": "bool",
        "ends_turn": "bool",
        "is_attack": "bool",
        "sourced": "bool",
        "cost": "Cost",
        "quick_cost": "Cost",
        "aim": "u8",
        "aim_whose": "u8",
        "aim_type": "u8",
        "aim_suit": "bool",
        "aim_equip": "bool",
        "aim_open": "bool",
        "aim_state": "u8",
        "source_type": "u8",
        "most_life": "u8",
        "unopened": "bool",
        "draws_rare": "bool",
        "suits": "i64",
        "aim_cards": "i64",
        "virtual": "i64",
        "stands_for": "i16",
        "aim_action": "i16",
        "aim_keys_min": "u8",
        "aim_keys_max": "u8",
        "aim_counter": "bool",
        "aim_targeted": "bool",
        "index": "u8",
        "direct": "bool",
        "immediate": "bool",
        "main": "bool",
        "empty_stage": "bool",
        "counterable": "bool",
        "late_triggers": "bool",
        "judges": "bool",
        "fights": "bool",
        "passes_after": "bool",
        "driven": "CompiledAction",
        "virtual_count": "u8",
        "program": "24 Instruction",
        "tokens": "8 u8",
        "quick_tokens": "8 u8",
        "free_tokens": "8 u8",
        "key_sets": "8 i64",
        "id": "absent",
        "definition": "absent",
    },
    "CompiledCharacter": {
        "abilities": "i16",
        "leave_action": "i16",
        "grants": "i64",
        "haste_cards": "i64",
        "leave_cards": "i64",
        "leave_card": "i64",
        "pair_trump": "i64",
        "pair_cards": "i64",
        "end_action": "i16",
        "index": "u8",
        "bulwark": "bool",
        "haste": "bool",
        "fixed_number": "i8",
        "leave_count": "u8",
        "leave_to_hand": "bool",
        "id": "absent",
    },
    "CompiledTrump": {
        "card": "u8",
        "id": "absent",
        "abilities": "i16",
        "grants": "i64",
        "event": "u8",
        "action": "i16",
    },
    "OfferIndex": {
        "keyless": "i64",
        "simple": "i64",
        "each": "i64",
        "double": "i64",
        "suited": "i64",
        "numbered": "i64",
        "whole": "i64",
        "free": "i64",
        "quick_magic": "i64",
        "doubtful": "i64",
        "more": "OfferIndex",
        "aims": "32 i64",
        "bulwarks": "17 i64",
        "cards": "17 i64",
        "life": "17 i64",
        "units": "17 i64",
        "options": "54 u8",
        "plans": "54 CompiledAction",
        "with_card": "54 i64",
        "with_second_key": "54 i64",
        "granted": "54 i64",
    },
    "RuleTables": {
        "name": "absent",
        "plans": "128 CompiledAction",
        "main_offers": "OfferIndex",
        "quick_offers": "OfferIndex",
        "kinds": "64 CompiledCharacter",
        "kind_of_card": "54 u8",
        "bulwark_kind": "u8",
        "armed_kind": "u8",
        "faces": "i64",
        "attack_limit": "i32",
        "trumps": "54 CompiledTrump",
        "end_triggers": "bool",
        "discard_triggers": "bool",
        "most_trumps": "u8",
        "starting_hand": "u8",
        "card_trigger": "i64",
        "card_action": "i16",
        "makes_soldier": "i64",
        "turn_player_loses": "bool",
        "grave_piles": "bool",
        "setup": "24 u8",
        "has_rare": "bool",
    },
}
#: capacity of each pool, as in ``request``; ``Step`` includes the values, conditions and players nested in it
AT_ONCE: Final = {
    "CompiledAction": 128,
    "Cost": 255,
    "CompiledCharacter": 64,
    "CompiledTrump": 64,
    "Instruction": 1024,
    "Step": 4096,
    "OfferIndex": 6,
}


# Types of a choice inside an effect.
NO_CHOICE: Final = 0
A_CARD: Final = 1
A_SET: Final = 2  # of cards
A_WORD: Final = 3
A_UNIT: Final = 4
A_REQUEST: Final = 5


class Instruction:
    """One instruction of an effect: a step and the clause it belongs to. If a player chooses: the type of the choice,
    the slot it is bound to, and the player (None: the controller of the request)."""

    __slots__ = ("by", "chooses", "clause", "slot", "step")

    def __init__(self, step: Step, clause: i64, chooses: i64, slot: i64, by: PlayerRef | None) -> None:
        self.step: Step = step
        self.clause: i64 = clause
        self.chooses: i64 = chooses
        self.slot: i64 = slot
        self.by: PlayerRef | None = by


#: letters of a cost
_PAID: Final = {"B": TOKEN_BULWARK, "L": TOKEN_LIFE, "D": TOKEN_DISCARD, "S": TOKEN_SACRIFICE}


class Cost:
    """The letters of a cost in printed order and the count of each."""

    __slots__ = ("b", "d", "l", "letters", "s", "payments")

    def __init__(self, letters: str) -> None:
        self.letters: str = letters
        self.payments: list[int] = [_PAID[letter] for letter in letters if letter in _PAID]  # of each letter
        self.b: i64 = letters.count("B")
        self.l: i64 = letters.count("L")
        self.d: i64 = letters.count("D")
        self.s: i64 = letters.count("S")


class CompiledAction:
    """A compiled action."""

    __slots__ = (
        "aim",
        "aim_action",
        "aim_cards",
        "aim_counter",
        "aim_equip",
        "aim_keys_max",
        "aim_keys_min",
        "aim_open",
        "aim_state",
        "aim_suit",
        "target_certain",
        "aim_targeted",
        "aim_type",
        "aim_whose",
        "cost",
        "counterable",
        "definition",
        "direct",
        "draws_rare",
        "driven",
        "empty_stage",
        "ends_turn",
        "fights",
        "free_tokens",
        "hand_keys",
        "id",
        "immediate",
        "index",
        "is_attack",
        "judges",
        "key",
        "key_a",
        "key_b",
        "key_count",
        "key_sets",
        "l",
        "late_triggers",
        "limit",
        "limit_game",
        "main",
        "most_life",
        "needs",
        "opponent_turn_only",
        "passes_after",
        "program",
        "quick_cost",
        "quick_magic",
        "quick_tokens",
        "source_type",
        "sourced",
        "special",
        "stands_for",
        "suits",
        "virtual",
        "virtual_count",
        "tokens",
        "unopened",
    )

    def __init__(self, index: i64, id: str) -> None:
        self.index: i64 = index
        self.id: str = id
        self.definition: object = None  # the Action it was compiled from
        self.direct: bool = True
        self.immediate: bool = False
        self.main: bool = True
        self.empty_stage: bool = False  # needs an empty stage even at quick timing
        self.cost: Cost = Cost("")
        self.quick_cost: Cost | None = None  # paying this one allows quick timing
        self.quick_magic: bool = False  # free under FREE_QUICK_MAGIC
        self.key: i64 = NO_KEY
        self.key_a: i64 = 0  # the hand must have one of these …
        self.key_b: i64 = 0  # … and one of these (``settle`` fills both for all forms of key)
        self.key_sets: list[int] = []
        self.key_count: i64 = 0
        self.hand_keys: i64 = 0  # how many of them are in the hand
        self.aim: i64 = AIM_NONE
        self.aim_whose: i64 = ANY
        self.aim_type: i64 = ANY
        self.aim_suit: bool = False  # of a key's suit
        self.aim_cards: i64 = 0  # the target contains one of these
        self.aim_equip: bool = False  # not NOT_EQUIPPABLE
        self.aim_open: bool = False  # a trump that lies face up
        self.aim_state: i64 = ANY_STATE
        self.aim_action: i64 = -1  # a request of this action
        self.aim_keys_min: i64 = 0
        self.aim_keys_max: i64 = 99
        self.aim_counter: bool = False  # a request that カウンター may target
        self.aim_targeted: bool = False  # a request with a designated target
        self.limit: i64 = 0  # bit in the per-turn or per-game counters
        self.limit_game: bool = False
        self.opponent_turn_only: bool = False
        self.counterable: bool = True
        self.late_triggers: bool = False
        self.ends_turn: bool = False
        self.is_attack: bool = False
        self.judges: bool = False  # combat roles end when it is removed
        self.fights: bool = False  # combat roles are kept while it is pending
        self.passes_after: bool = False
        # The driven form of the action with this index: its id is that action's id and "@", a soldier is
        # driven for it, its keys are virtual. It results in a request of that action.
        self.stands_for: i64 = -1
        self.driven: CompiledAction | None = None  # the driven form of this action
        self.virtual: i64 = 0
        self.virtual_count: i64 = 0
        self.sourced: bool = False  # a soldier is driven for it …
        self.suits: i64 = 0  # … of one of these suits; 0: the unit that grants the permission
        self.source_type: i64 = SOLDIER  # BULWARK: a bulwark instead (N-265)
        self.most_life: i64 = NO_LIFE_LIMIT  # only at this life or less (N-086)
        self.unopened: bool = False  # only while the pack is unopened (N-238)
        self.draws_rare: bool = False  # its whole effect: the rare card goes to the hand (N-239)
        self.needs: i64 = 0  # bit of the permission of a trump or character; 0: none needed
        # Derived fields for fast reading, set by ``settle``.
        self.l: i64 = 0
        self.special: bool = False  # ``condition_obstacle`` must be called
        self.target_certain: bool = True  # ``may_aim`` implies that a legal target exists
        self.tokens: list[int] = []
        self.quick_tokens: list[int] = []
        self.free_tokens: list[int] = []
        self.program: list[Instruction] = []

    def settle(self, untargetable: bool) -> None:
        """Compute the derived fields; ``untargetable``: units of this format can be untargetable."""
        if self.key == WHOLE:
            for whole in self.key_sets:
                self.key_a |= whole
        elif self.key_a == 0 and self.key != NO_KEY:
            self.key_a = 2**54 - 1
        if self.key_b == 0:
            self.key_b = self.key_a
        self.hand_keys = 0 if self.key == RARE else self.key_count
        picky = self.aim_suit or self.aim_cards != 0 or self.aim_equip or self.aim_state != ANY_STATE or untargetable
        self.target_certain = not (self.aim == AIM_REQUEST or self.aim == AIM_TRUMP or (self.aim == AIM_UNIT and picky))
        if self.quick_cost is None:
            self.l = self.cost.l
        self.special = self.limit != 0 or self.opponent_turn_only or self.quick_cost is not None or self.sourced
        self.special = self.special or self.empty_stage or self.key == RARE or self.unopened
        self.special = self.special or self.most_life != NO_LIFE_LIMIT

    def may_aim(self, there: i64) -> bool:
        """Return whether a target can exist, given the possible targets present."""
        if self.aim == AIM_REQUEST:
            return there & REQUESTS != 0
        if self.aim != AIM_UNIT:
            return True
        places: i64 = 0
        if self.aim_type != BULWARK:
            places |= MY_SOLDIERS if self.aim_whose == MINE else MY_SOLDIERS | THEIR_SOLDIERS
        if self.aim_type != SOLDIER:
            places |= MY_BULWARKS if self.aim_whose == MINE else MY_BULWARKS | THEIR_BULWARKS
        return there & places != 0


class CompiledCharacter:
    """A compiled character."""

    __slots__ = (
        "abilities",
        "bulwark",
        "end_action",
        "fixed_number",
        "grants",
        "haste",
        "haste_cards",
        "id",
        "index",
        "leave_action",
        "leave_card",
        "leave_cards",
        "leave_count",
        "leave_to_hand",
        "pair_cards",
        "pair_trump",
    )

    def __init__(self, index: i64, id: str) -> None:
        self.index: i64 = index
        self.id: str = id
        self.bulwark: bool = False
        self.haste: bool = False
        self.haste_cards: i64 = 0  # Haste if one of these is among its cards
        self.fixed_number: i64 = -1  # -1: the sum of its cards
        self.abilities: i64 = 0
        self.grants: i64 = 0  # permissions
        self.leave_action: i64 = -1
        self.leave_count: i64 = 0
        self.leave_cards: i64 = 0  # one per card of these instead of leave_count
        self.leave_to_hand: bool = False
        self.leave_card: i64 = 0  # the trigger refers to its card of this set
        self.end_action: i64 = -1  # raised when its controller ends the turn
        self.pair_trump: i64 = 0  # made of one of these …
        self.pair_cards: i64 = 0  # … and one of these (2.7)


class CompiledTrump:
    """A compiled trump: the effect of a card while it is open in the trump zone."""

    __slots__ = (
        "abilities",
        "action",
        "card",
        "event",
        "grants",
        "id",
    )

    def __init__(self, card: i64, id: str) -> None:
        self.card: i64 = card
        self.id: str = id
        self.abilities: i64 = 0
        self.grants: i64 = 0
        self.event: i64 = 0
        self.action: i64 = -1


class OfferIndex:
    """An index of the actions a chance may offer, in the order of the options. Sets of actions are bit sets, so that
    most are excluded at once; actions beyond the capacity are in ``more``."""

    __slots__ = (
        "aims",
        "bulwarks",
        "cards",
        "double",
        "doubtful",
        "each",
        "free",
        "granted",
        "keyless",
        "life",
        "more",
        "numbered",
        "options",
        "plans",
        "quick_magic",
        "simple",
        "suited",
        "units",
        "whole",
        "with_card",
        "with_second_key",
    )

    def __init__(self, all: list[CompiledAction], main: bool) -> None:
        plans = all[:MAX_OFFERS]
        self.more: OfferIndex | None = OfferIndex(all[MAX_OFFERS:], main) if len(all) > MAX_OFFERS else None
        self.plans: list[CompiledAction] = plans
        self.options: list[int] = [plan.index + 1 for plan in plans]
        # By form of key: none; one of a set; one each of two sets; two of a set, a suit, a number; a whole set.
        self.keyless: i64 = with_key_form(plans, NO_KEY) | with_key_form(plans, RARE)
        self.simple: i64 = with_key_form(plans, ONE)
        self.each: i64 = with_key_form(plans, EACH)
        self.double: i64 = with_key_form(plans, TWO)
        self.suited: i64 = with_key_form(plans, SAME_SUIT)
        self.numbered: i64 = with_key_form(plans, SAME_NUMBER)
        self.whole: i64 = with_key_form(plans, WHOLE)
        # By card: actions for which it is in key_a, and those for which it is in key_b.
        self.with_card: list[int] = indices_by_bit([plan.key_a for plan in plans], 54)
        self.with_second_key: list[int] = indices_by_bit([plan.key_b if plan.key == EACH else 0 for plan in plans], 54)
        # By permission: none, or by the index of its bit.
        self.free: i64 = bit_set([plan.needs == 0 for plan in plans])
        self.granted: list[int] = indices_by_bit([plan.needs for plan in plans], 54)
        # By resource: actions with a target, actions payable with this amount; the last entry also covers more.
        self.aims: list[int] = [bit_set([plan.may_aim(there) for plan in plans]) for there in range(32)]
        self.bulwarks: list[int] = payable([min_count(plan, main, "B") for plan in plans])
        self.cards: list[int] = payable([plan.hand_keys + min_count(plan, main, "D") for plan in plans])
        self.life: list[int] = payable([min_count(plan, main, "L") for plan in plans])
        self.units: list[int] = payable([min_count(plan, main, "S") for plan in plans])
        self.quick_magic: i64 = bit_set([plan.quick_magic for plan in plans])
        self.doubtful: i64 = bit_set([plan.special or not plan.target_certain for plan in plans])  # need further checks


def bit_set(tests: list[bool]) -> int:
    """Return the bit set of the indices of true values."""
    return sum([2**place for place, test in enumerate(tests) if test])


def with_key_form(plans: list[CompiledAction], key: int) -> int:
    return bit_set([plan.key == key for plan in plans])


def indices_by_bit(sets: list[int], bits: int) -> list[int]:
    """Return for every bit the bit set of the indices of the sets that contain it."""
    return [bit_set([each & 2**bit != 0 for each in sets]) for bit in range(bits)]


def payable(prices: list[int]) -> list[int]:
    return [bit_set([price <= there for price in prices]) for there in range(max(prices, default=0) + 1)]


def possible_costs(plan: CompiledAction, main: bool) -> list[Cost]:
    """Return the costs of which one must be paid (R-36)."""
    if plan.quick_cost is None:
        return [plan.cost]
    return [plan.cost, plan.quick_cost] if main else [plan.quick_cost]


def min_count(plan: CompiledAction, main: bool, letter: str) -> int:
    """Return the minimum count of this letter over the costs."""
    return min([cost.letters.count(letter) for cost in possible_costs(plan, main)])


def offer_index(plans: list[CompiledAction], main: bool) -> OfferIndex:
    """Return the index of the actions a chance may offer: first those with a key of one set or none, then those that
    need a permission, then the others."""
    simple = [plan for plan in plans if plan.needs == 0 and (plan.key == NO_KEY or plan.key == ONE)]
    granted = [plan for plan in plans if plan.needs != 0]
    others = [plan for plan in plans if plan.needs == 0 and plan.key != NO_KEY and plan.key != ONE]
    return OfferIndex(simple + granted + others, main)


class RuleTables:
    """All definitions of one format."""

    __slots__ = (
        "armed_kind",
        "attack_limit",
        "bulwark_kind",
        "card_action",
        "card_trigger",
        "discard_triggers",
        "end_triggers",
        "faces",
        "grave_piles",
        "has_rare",
        "kind_of_card",
        "kinds",
        "main_offers",
        "makes_soldier",
        "most_trumps",
        "name",
        "plans",
        "quick_offers",
        "setup",
        "starting_hand",
        "trumps",
        "turn_player_loses",
    )

    def __init__(self) -> None:
        self.name: str = ""
        self.plans: list[CompiledAction] = []
        self.main_offers: OfferIndex = OfferIndex([], True)  # for a chance at main timing …
        self.quick_offers: OfferIndex = OfferIndex([], False)  # … and for any other
        self.kinds: list[CompiledCharacter] = []
        self.kind_of_card: list[int] = []
        self.bulwark_kind: i64 = 0
        self.armed_kind: i64 = 0
        self.faces: i64 = 0  # cards that end 世代交代
        self.attack_limit: i64 = 0
        self.trumps: list[CompiledTrump | None] = []
        self.end_triggers: bool = False  # some definition is triggered by ON_END
        self.discard_triggers: bool = False
        self.most_trumps: i64 = 0  # maximum a player may choose at set-up
        self.starting_hand: i64 = STARTING_HAND
        self.card_trigger: i64 = 0  # each of these that goes from the field to the grave …
        self.card_action: i64 = -1  # … raises this action (N-207)
        self.makes_soldier: i64 = 2**54 - 1  # cards that make a soldier (R-80, N-100)
        self.turn_player_loses: bool = False  # if both lives are empty (N-091); else the game is drawn
        self.grave_piles: bool = False  # a grave has an order, its top card is always seen (N-052)
        self.has_rare: bool = False  # players have a rare card zone (N-070)
        self.setup: list[int] = []  # the set-up of the frame (``engine.setup``); empty: R-191

    def kind_of_cards(self, cards: list[int]) -> int:
        """Return the index of the soldier these cards make (R-80, 2.7): a named pair, else the armed soldier."""
        if len(cards) == 1:
            return self.kind_of_card[cards[0]]
        for kind in self.kinds:
            if kind.pair_trump != 0 and len(cards) == 2:
                first: i64 = 2 ** cards[0]
                second: i64 = 2 ** cards[1]
                if (first & kind.pair_trump and second & kind.pair_cards) or (
                    second & kind.pair_trump and first & kind.pair_cards
                ):
                    return kind.index
        return self.armed_kind
