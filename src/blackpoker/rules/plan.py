"""What the engine needs to know of the definitions, as integers: made once by ``script.compile``, never changed.

State refers to actions and characters by their index in ``Rules`` only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from mypy_extensions import i64

if TYPE_CHECKING:
    from blackpoker.rules.step import Step, Who

# How the keys of an action are put together.
NO_KEY: Final = 0
ONE: Final = 1  # one card of key_a
EACH: Final = 2  # one of key_a and one of key_b
TWO: Final = 3  # two cards of key_a
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
WORD_SHOWN: Final = 7  # which of several discarded cards everybody sees
WORD_LIFE: Final = 8  # a part of a cost that needs no word: damage

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

# Where a target can be found, one bit each.
AMONG_ANYTHING: Final = 1
AMONG_SOLDIERS: Final = 2
AMONG_BULWARKS: Final = 4
AMONG_MY_SOLDIERS: Final = 8
AMONG_MY_BULWARKS: Final = 16
AMONG_REQUESTS: Final = 32

#: a bit beside the 54 cards that every hand has when keys are tested: an action without keys asks for it
ALWAYS: Final = 2**54

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


#: as in ``request``
STORAGE: Final = {
    "Instruction": {"step": "Step", "clause": "absent", "slot": "i8", "chooses": "u8", "by": "Who"},
    "Cost": {"letters": "absent", "words": "8 u8", "b": "u8", "l": "u8", "d": "u8", "s": "u8"},
    "Plan": {  # what listing the options reads comes first
        "key_a": "i64", "key_b": "i64", "needs": "i32", "key": "u8", "key_count": "u8", "aim_among": "u8", "b": "u8",
        "dear": "bool", "cards_needed": "u8", "l": "u8", "s": "u8", "quick_magic": "bool", "aim_sure": "bool",
        "special": "bool", "option": "u8", "limit": "i32", "limit_game": "bool", "opponent_turn_only": "bool",
        "ends_turn": "bool", "is_attack": "bool", "sourced": "bool", "cost": "Cost", "quick_cost": "Cost", "aim": "u8",
        "aim_whose": "u8", "aim_type": "u8", "aim_suit": "bool", "aim_equip": "bool", "suits": "i64",
        "aim_cards": "i64", "virtual": "i64", "stands_for": "i16", "aim_action": "i16", "aim_keys_min": "u8",
        "aim_keys_max": "u8", "aim_counter": "bool", "aim_targeted": "bool", "index": "u8", "direct": "bool",
        "immediate": "bool", "main": "bool", "counterable": "bool", "late_triggers": "bool", "judges": "bool",
        "passes_after": "bool", "driven": "Plan", "virtual_count": "u8", "program": "24 Instruction",
        "words": "8 u8", "quick_words": "8 u8", "free_words": "8 u8", "key_sets": "8 i64", "id": "absent",
        "definition": "absent",
    },
    "Kind": {
        "abilities": "i16", "leave_action": "i16", "grants": "i32", "haste_cards": "i64", "leave_cards": "i64",
        "leave_card": "i64", "pair_trump": "i64", "pair_cards": "i64", "end_action": "i16", "index": "u8",
        "bulwark": "bool", "haste": "bool", "fixed_number": "i8", "leave_count": "u8", "leave_to_hand": "bool",
        "id": "absent",
    },
    "TrumpPlan": {
        "card": "u8", "id": "absent", "abilities": "i16", "grants": "i32", "event": "u8", "action": "i16",
    },
    "Offers": {"simple": "64 Plan", "granted": "64 Plan", "others": "64 Plan"},
    "Rules": {
        "name": "absent", "plans": "128 Plan", "main_offers": "Offers", "quick_offers": "Offers", "kinds": "64 Kind",
        "kind_of_card": "54 u8", "bulwark_kind": "u8", "armed_kind": "u8", "faces": "i64", "attack_limit": "i32",
        "trumps": "54 TrumpPlan", "end_triggers": "bool", "discard_triggers": "bool", "most_trumps": "u8",
    },
}  # fmt: skip
#: as in ``request``; ``Step``: with the values, conditions and players they are made of
AT_ONCE: Final = {"Plan": 128, "Cost": 255, "Kind": 64, "TrumpPlan": 64, "Instruction": 1024, "Step": 4096}


# What a player chooses at a place of an effect.
NO_CHOICE: Final = 0
A_CARD: Final = 1
A_SET: Final = 2  # of cards
A_WORD: Final = 3
A_UNIT: Final = 4
A_REQUEST: Final = 5


class Instruction:
    """A place in an effect: a step, and which clause of the definition it belongs to; where a player chooses
    something, what it is, where it is bound, and who chooses (None: who controls the request)."""

    __slots__ = ("by", "chooses", "clause", "slot", "step")

    def __init__(self, step: Step, clause: i64, chooses: i64, slot: i64, by: Who | None) -> None:
        self.step: Step = step
        self.clause: i64 = clause
        self.chooses: i64 = chooses
        self.slot: i64 = slot
        self.by: Who | None = by


#: letters of a cost
_PAID: Final = {"B": WORD_BULWARK, "L": WORD_LIFE, "D": WORD_DISCARD, "S": WORD_SACRIFICE}


class Cost:
    """Letters of a cost in printed order and how many there are of each."""

    __slots__ = ("b", "d", "l", "letters", "s", "words")

    def __init__(self, letters: str) -> None:
        self.letters: str = letters
        self.words: list[int] = [_PAID[letter] for letter in letters]  # what each letter is paid with
        self.b: i64 = letters.count("B")
        self.l: i64 = letters.count("L")
        self.d: i64 = letters.count("D")
        self.s: i64 = letters.count("S")


class Plan:
    """An action."""

    __slots__ = (
        "aim", "aim_action", "aim_among", "aim_cards", "aim_counter", "aim_equip", "aim_keys_max",
        "aim_keys_min", "aim_suit", "aim_sure", "aim_targeted", "aim_type", "aim_whose", "b", "cards_needed",
        "cost", "counterable", "dear", "definition", "direct", "driven", "ends_turn", "free_words", "id", "immediate",
        "index", "is_attack",
        "judges", "key", "key_a", "key_b", "key_count", "key_sets", "l", "late_triggers", "limit", "limit_game",
        "main", "needs", "opponent_turn_only", "option", "passes_after", "program", "quick_cost", "quick_magic",
        "quick_words", "s", "sourced", "special", "stands_for", "suits", "virtual", "virtual_count", "words",
    )  # fmt: skip

    def __init__(self, index: i64, id: str) -> None:
        self.index: i64 = index
        self.id: str = id
        self.definition: object = None  # what it was made from
        self.direct: bool = True
        self.immediate: bool = False
        self.main: bool = True
        self.cost: Cost = Cost("")
        self.quick_cost: Cost | None = None  # paying this one allows quick timing
        self.quick_magic: bool = False  # its cost falls away under FREE_QUICK_MAGIC
        self.key: i64 = NO_KEY
        self.key_a: i64 = 0  # the hand must have one of these …
        self.key_b: i64 = 0  # … and one of these (``settle`` makes both true for all forms of key)
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
        # Another way to word the action with this index: its id is that action's id and "@", a soldier
        # is driven for it, its keys are virtual; the request that comes of it is one of that action.
        self.stands_for: i64 = -1
        self.driven: Plan | None = None  # that other way, of the action itself
        self.virtual: i64 = 0
        self.virtual_count: i64 = 0
        self.sourced: bool = False  # a soldier is driven for it …
        self.suits: i64 = 0  # … one of these suits, or, if 0, one that grants the permission itself
        self.needs: i64 = 0  # bit of a permission a trump or character gives; 0: everybody may
        # What ``list_requests`` reads, set by ``settle``.
        self.option: i64 = index + 1
        self.cards_needed: i64 = 0  # in hand: keys and discards
        self.b: i64 = 0
        self.l: i64 = 0
        self.s: i64 = 0
        self.dear: bool = False  # costs more than its keys and bulwarks
        self.special: bool = False
        self.aim_among: i64 = AMONG_ANYTHING
        self.aim_sure: bool = True  # something being there is enough for a target to exist
        self.words: list[int] = []
        self.quick_words: list[int] = []
        self.free_words: list[int] = []
        self.program: list[Instruction] = []

    def settle(self, untargetable: bool) -> None:
        """Derive what is read often from the rest; ``untargetable``: some unit may be."""
        if self.key == NO_KEY:
            self.key_a = ALWAYS
        elif self.key == WHOLE:
            for whole in self.key_sets:
                self.key_a |= whole
        elif self.key_a == 0:
            self.key_a = 2**54 - 1
        if self.key_b == 0:
            self.key_b = self.key_a
        if self.aim == AIM_REQUEST:
            self.aim_among = AMONG_REQUESTS
        elif self.aim == AIM_UNIT:
            mine = self.aim_whose == MINE
            self.aim_among = 0
            if self.aim_type != BULWARK:
                self.aim_among |= AMONG_MY_SOLDIERS if mine else AMONG_SOLDIERS
            if self.aim_type != SOLDIER:
                self.aim_among |= AMONG_MY_BULWARKS if mine else AMONG_BULWARKS
        picky = self.aim_suit or self.aim_cards != 0 or self.aim_equip or untargetable
        self.aim_sure = not (self.aim == AIM_REQUEST or self.aim == AIM_TRUMP or (self.aim == AIM_UNIT and picky))
        self.cards_needed = self.key_count
        if self.quick_cost is None:
            self.cards_needed += self.cost.d
            self.b = self.cost.b
            self.l = self.cost.l
            self.s = self.cost.s
        self.dear = self.cards_needed > self.key_count or self.l > 0 or self.s > 0
        self.special = self.limit != 0 or self.opponent_turn_only or self.quick_cost is not None or self.sourced


class Kind:
    """A character."""

    __slots__ = (
        "abilities", "bulwark", "end_action", "fixed_number", "grants", "haste", "haste_cards", "id", "index",
        "leave_action", "leave_card", "leave_cards", "leave_count", "leave_to_hand", "pair_cards", "pair_trump",
    )  # fmt: skip

    def __init__(self, index: i64, id: str) -> None:
        self.index: i64 = index
        self.id: str = id
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
        self.pair_trump: i64 = 0  # made of one of these …
        self.pair_cards: i64 = 0  # … and one of these (2.7)


class TrumpPlan:
    """What one card does while it lies open in the trump zone."""

    __slots__ = (
        "abilities", "action", "card", "event", "grants", "id",
    )  # fmt: skip

    def __init__(self, card: i64, id: str) -> None:
        self.card: i64 = card
        self.id: str = id
        self.abilities: i64 = 0
        self.grants: i64 = 0
        self.event: i64 = 0
        self.action: i64 = -1


class Offers:
    """The actions a chance may offer, by what must be asked first."""

    __slots__ = ("granted", "others", "simple")

    def __init__(self) -> None:
        self.simple: list[Plan] = []  # a key of one set, or none
        self.granted: list[Plan] = []  # a permission
        self.others: list[Plan] = []

    def add(self, plan: Plan) -> None:
        if plan.needs != 0:
            self.granted.append(plan)
        elif plan.key == NO_KEY or plan.key == ONE:
            self.simple.append(plan)
        else:
            self.others.append(plan)


class Rules:
    """All definitions of one format."""

    __slots__ = (
        "armed_kind", "attack_limit", "bulwark_kind", "discard_triggers", "end_triggers", "faces",
        "kind_of_card", "kinds", "main_offers", "most_trumps", "name", "plans", "quick_offers", "trumps",
    )  # fmt: skip

    def __init__(self) -> None:
        self.name: str = ""
        self.plans: list[Plan] = []
        self.main_offers: Offers = Offers()  # of a chance at main timing …
        self.quick_offers: Offers = Offers()  # … and of any other
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

    def kind_of_cards(self, cards: list[int]) -> int:
        """The soldier these cards make together (R-80, 2.7); the armed one where they are no named pair."""
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
