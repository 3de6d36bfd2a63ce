"""The state of a game: zones, units, and the data needed to continue. Plain data, copied by hand."""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.engine.flow import Flow
from blackpoker.engine.request import Request
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.tables import CompiledCharacter, RuleTables

#: a life of fewer cards than this has a public count (R-210)
LIFE_COUNTED: Final = 10

NO_ROLE: Final = 0
ATTACKER: Final = 1
BLOCKER: Final = 2

# Kinds of decisions beyond those of the flow: tokens of a request …
KEY_KIND: Final = 3
COST_KIND: Final = 4
SOURCE_KIND: Final = 5
BULWARK_KIND: Final = 6
DISCARD_KIND: Final = 7
SACRIFICE_KIND: Final = 8
TARGET_KIND: Final = 9
# … and choices inside an effect.
CARD_KIND: Final = 10
CARDS_KIND: Final = 11
UNIT_KIND: Final = 12
UNITS_KIND: Final = 13
OPTION_KIND: Final = 14
ATTACKERS_KIND: Final = 15
BLOCKERS_KIND: Final = 16
REQUEST_KIND: Final = 17
RETARGET_KIND: Final = 18
ORDER_KIND: Final = 19
TRUMP_KIND: Final = 20
TRUMPS_KIND: Final = 21  # set-up: the cards that become trumps
SHOWN_KIND: Final = 22  # the public one of several discarded cards; as a token and inside an effect
SETUP_KIND: Final = 23  # set-up as a program (``engine.setup``): a card of the deck
GRAVE_KIND: Final = 24  # the card on top of the own grave, after its top has left (N-052)

#: option that ends a choice of several things
DONE: Final = 255
#: option codes of units: owner * 128 + first card of a soldier, or + 64 + position of a bulwark
SIDE_CODE: Final = 128
ROW_CODE: Final = 64
#: a trump as a target: owner * 64 + card
TRUMP_CODE: Final = 64

# Kinds of fog (N-321…N-324).
UP_FOG: Final = 0
DOWN_FOG: Final = 1
FORCE_FOG: Final = 2
CLOSE_FOG: Final = 3
#: an empty list; lists assigned it are replaced, never changed in place
NO_CARDS: Final[list[int]] = []

# Values of ``State.blocked`` besides the id of an attacker.
NOT_BEGUN: Final = 0
ALL_DEALT_WITH: Final = -1


def fog_code(kind: i64, first: i64, second: i64, target: i64) -> i64:
    """Return a fog as a number: its kind, its cards (``second`` is -1 if it is one card), and the id of the unit or the
    code of the trump it is bound to, -1 if it is bound to nothing (N-061)."""
    return kind + 4 * (first + 64 * (second + 1 + 64 * (target + 1)))


def fog_kind(fog: i64) -> i64:
    return fog % 4


def fog_first(fog: i64) -> i64:
    return fog // 4 % 64


def fog_second(fog: i64) -> i64:
    """Return its second card; -1 if it is one card."""
    return fog // 256 % 64 - 1


def fog_target(fog: i64) -> i64:
    return fog // 16384 - 1


#: as in ``request``; ``absent``: not part of a game; ``reported``: the event log, present in every native game
STORAGE: Final = {
    "Unit": {
        "id": "i32",
        "kind": "u8",
        "cards": "i64",
        "lead": "u8",
        "base": "i16",
        "driven": "bool",
        "bonus": "i16",
        "role": "u8",
        "blocks": "i32",
    },
    "Side": {
        "life": "54 u8",
        "soldiers": "32 Unit",
        "bulwarks": "32 Unit",
        "trumps": "4 u8",
        "hand": "i64",
        "hand_count": "u8",
        "grave": "i64",
        "grave_top": "i8",
        "pile": "54 u8",
        "uncovered": "bool",
        "fogs": "16 i64",
        "rare": "i64",
        "open_trumps": "i64",
        "aside": "i64",
        "pack": "i64",
        "pack_open": "bool",
        "picked": "i64",
        "picked_down": "bool",
        "fresh": "i64",
        "bonus": "i16",
        "used": "i32",
        "used_game": "i32",
        "requests": "i16",
        "public": "i64",
        "seen": "i64",
        "own_seen": "i64",
        "on_top": "i64",
        "mixed": "i64",
        "abilities": "i16",
        "grants": "i64",
        "keyed_main_hand": "i64",
        "keyed_main_grants": "i64",
        "keyed_quick_hand": "i64",
        "keyed_quick_grants": "i64",
        "keyed_main": "i64",
        "keyed_quick": "i64",
    },
    "State": {
        "rules": "RuleTables",
        "sides": "2 Side",
        "source": "Shuffler",
        "draft": "Request",
        "token_index": "i8",
        "tokens": "8 u8",
        "paying": "4 i32",
        "discards": "i64",
        "shown": "i8",
        "answered": "i64",
        "last": "i16",
        "costs": "u8",
        "pc": "i16",
        "bound_first": "i64",
        "bound_second": "i64",
        "bound_third": "i64",
        "bound_fourth": "i64",
        "blocked": "i32",
        "blocker_count": "u8",
        "last_blocker": "i8",
        "order": "32 u8",
        "target_owner": "i8",
        "shielded": "u8",
        "setup_step": "u8",
        "preset": "u8",
        "log": "reported",
        "trace": "absent",
    },
}
#: as in ``request``
AT_ONCE: Final = {"Unit": 64}


class Unit:
    """A character on the field."""

    __slots__ = ("base", "blocks", "bonus", "cards", "driven", "id", "kind", "lead", "role")

    def __init__(self, id: i64, kind: i64, cards: i64, lead: i64, base: i64, driven: bool) -> None:
        self.id: i64 = id
        self.kind: i64 = kind
        self.cards: i64 = cards
        self.lead: i64 = lead  # its first card
        self.base: i64 = base  # number without modifiers
        self.driven: bool = driven
        self.bonus: i64 = 0  # until end of turn
        self.role: i64 = NO_ROLE
        self.blocks: i64 = -1  # id of the attacker it blocks

    def copy(self) -> Unit:
        new = Unit(self.id, self.kind, self.cards, self.lead, self.base, self.driven)
        new.bonus = self.bonus
        new.role = self.role
        new.blocks = self.blocks
        return new


class Side:
    """One player's zones and counters, and the players' knowledge of their cards."""

    __slots__ = (
        "abilities",
        "aside",
        "bonus",
        "bulwarks",
        "fogs",
        "fresh",
        "grants",
        "grave",
        "grave_top",
        "hand",
        "hand_count",
        "keyed_main",
        "keyed_main_grants",
        "keyed_main_hand",
        "keyed_quick",
        "keyed_quick_grants",
        "keyed_quick_hand",
        "life",
        "mixed",
        "on_top",
        "open_trumps",
        "own_seen",
        "pack",
        "pack_open",
        "picked",
        "picked_down",
        "pile",
        "public",
        "rare",
        "requests",
        "seen",
        "soldiers",
        "trumps",
        "uncovered",
        "used",
        "used_game",
    )

    def __init__(self, life: list[int], soldiers: list[Unit], bulwarks: list[Unit], trumps: list[int]) -> None:
        self.life: list[int] = life  # the top is the end
        self.soldiers: list[Unit] = soldiers
        self.bulwarks: list[Unit] = bulwarks  # from the life side outward
        self.trumps: list[int] = trumps  # cards by position
        self.hand: i64 = 0
        self.hand_count: i64 = 0
        self.grave: i64 = 0
        self.grave_top: i64 = -1  # the public card, -1: none
        # Lists replaced, never changed in place: the grave from the bottom, if it has an order (N-052), and the fogs,
        # each as ``fog_code`` (N-060).
        self.pile: list[int] = NO_CARDS
        self.fogs: list[int] = NO_CARDS
        self.uncovered: bool = False  # the top left the grave during this effect, and no card has come since (N-418)
        self.rare: i64 = 0  # the rare card (N-070)
        self.open_trumps: i64 = 0
        self.aside: i64 = 0  # turned up and in use by an effect, public
        self.pack: i64 = 0
        self.pack_open: bool = False
        self.picked: i64 = 0  # at set-up: the cards chosen to be trumps so far …
        self.picked_down: bool = False  # … true if the later one is lower in the order of the cards
        self.fresh: i64 = 0  # cards that came onto the field this turn
        self.bonus: i64 = 0  # on all soldiers until end of turn
        self.used: i64 = 0  # per-turn limits
        self.used_game: i64 = 0
        self.requests: i64 = 0  # this turn
        # Cards of which the exact location is known although the zone hides it: to all, to the opponent
        # only, to the owner only (for life).
        self.public: i64 = 0
        self.seen: i64 = 0
        self.own_seen: i64 = 0
        self.on_top: i64 = 0  # several cards put publicly on top of life, in an order not shown
        self.mixed: i64 = 0  # cards of units of which only the owner knows which are new this turn
        self.abilities: i64 = 0  # of its units and open trumps, updated by ``atoms.refresh``
        self.grants: i64 = 0
        # Cache: the actions of the first index with keys in this hand, under these permissions.
        self.keyed_main_hand: i64 = -1
        self.keyed_main_grants: i64 = 0
        self.keyed_quick_hand: i64 = -1
        self.keyed_quick_grants: i64 = 0
        self.keyed_main: i64 = 0
        self.keyed_quick: i64 = 0

    def copy(self) -> Side:
        soldiers = [unit.copy() for unit in self.soldiers]
        bulwarks = [unit.copy() for unit in self.bulwarks]
        new = Side(self.life[:], soldiers, bulwarks, self.trumps[:])
        new.hand = self.hand
        new.hand_count = self.hand_count
        new.grave = self.grave
        new.grave_top = self.grave_top
        new.pile = self.pile
        new.fogs = self.fogs
        new.uncovered = self.uncovered
        new.rare = self.rare
        new.open_trumps = self.open_trumps
        new.aside = self.aside
        new.pack = self.pack
        new.pack_open = self.pack_open
        new.picked = self.picked
        new.picked_down = self.picked_down
        new.fresh = self.fresh
        new.bonus = self.bonus
        new.used = self.used
        new.used_game = self.used_game
        new.requests = self.requests
        new.public = self.public
        new.seen = self.seen
        new.own_seen = self.own_seen
        new.on_top = self.on_top
        new.mixed = self.mixed
        new.abilities = self.abilities
        new.grants = self.grants
        new.keyed_main_hand = self.keyed_main_hand
        new.keyed_quick_hand = self.keyed_quick_hand
        new.keyed_main_grants = self.keyed_main_grants
        new.keyed_quick_grants = self.keyed_quick_grants
        new.keyed_main = self.keyed_main
        new.keyed_quick = self.keyed_quick
        return new


class State(Flow):
    """A game in progress. ``rules`` is the shared table of definitions; all else is data."""

    __slots__ = (
        "answered",
        "blocked",
        "blocker_count",
        "bound_first",
        "bound_fourth",
        "bound_second",
        "bound_third",
        "costs",
        "discards",
        "draft",
        "last",
        "last_blocker",
        "log",
        "order",
        "paying",
        "pc",
        "preset",
        "rules",
        "setup_step",
        "shielded",
        "shown",
        "sides",
        "source",
        "target_owner",
        "trace",
        "token_index",
        "tokens",
    )

    def __init__(self, rules: RuleTables, sides: list[Side], chance_source: Shuffler) -> None:
        super().__init__()
        self.rules: RuleTables = rules
        self.sides: list[Side] = sides
        self.source: Shuffler = chance_source
        # the request being built: nothing has changed yet
        self.draft: Request | None = None
        self.token_index: i64 = 0
        self.tokens: list[int] = []
        self.paying: list[int] = []  # ids of units to drive or sacrifice
        self.discards: i64 = 0
        self.shown: i64 = -1  # the one of them that will be public
        self.last: i64 = -1  # last choice of the current group of tokens
        self.costs: i64 = 0  # 0 printed cost, 1 quick cost, 2 free
        # the effect being resolved
        self.pc: i64 = 0  # program counter: the next step, or the one that asks
        self.answered: i64 = 0  # bits of the steps that have been answered
        # values bound to its names, in the order of the definition
        self.bound_first: i64 = 0
        self.bound_second: i64 = 0
        self.bound_third: i64 = 0
        self.bound_fourth: i64 = 0
        # blocks: the current attacker, the number of soldiers that block it, the position of the last of them
        self.blocked: i64 = NOT_BEGUN
        self.blocker_count: i64 = 0
        self.last_blocker: i64 = 0
        self.order: list[int] = []
        self.target_owner: i64 = -1  # of the active request's unit, also after it has left
        self.shielded: i64 = 0  # bit per player to which this effect deals no damage
        self.setup_step: i64 = 0
        self.preset: i64 = 0
        self.log: list[tuple[int, int, int, int, int, int]] | None = None
        self.trace: list[int] | None = None  # action * 256 + place of every step run; for coverage only

    def fill(self, new: State) -> None:
        """Copy everything but rules, sides and source into ``new``."""
        new.turn = self.turn
        new.chance = self.chance
        new.passed = self.passed
        new.stall = self.stall
        new.forced_pass = self.forced_pass
        new.turn_number = self.turn_number
        new.winner = self.winner
        new.point = self.point
        new.check_speed = self.check_speed
        new.check_player = self.check_player
        new.next_id = self.next_id
        new.asked = self.asked
        new.kind = self.kind
        if self.stage:
            new.stage = [request.copy() for request in self.stage]
        if self.buffer:
            new.buffer = [request.copy() for request in self.buffer]
        new.options = self.options  # replaced, never changed in place
        current = self.current
        if current is not None:
            new.current = current.copy()
        active = self.active
        if active is not None:
            new.active = active.copy()
        draft = self.draft
        if draft is not None:
            new.draft = draft.copy()
            new.tokens = self.tokens  # replaced, never changed in place
            new.token_index = self.token_index
            new.paying = self.paying[:]
            new.discards = self.discards
            new.shown = self.shown
            new.last = self.last
            new.costs = self.costs
        new.pc = self.pc
        new.answered = self.answered
        new.bound_first = self.bound_first
        new.bound_second = self.bound_second
        new.bound_third = self.bound_third
        new.bound_fourth = self.bound_fourth
        new.blocked = self.blocked
        new.blocker_count = self.blocker_count
        new.last_blocker = self.last_blocker
        if self.order:
            new.order = self.order[:]
        new.target_owner = self.target_owner
        new.shielded = self.shielded
        new.setup_step = self.setup_step
        new.preset = self.preset

    # -- bindings of an effect -------------------------------------------------------------------------------------

    def bound(self, slot: i64) -> i64:
        """Return the value bound to the name with this slot."""
        if slot == 0:
            return self.bound_first
        if slot == 1:
            return self.bound_second
        if slot == 2:
            return self.bound_third
        if slot == 3:
            return self.bound_fourth
        raise AssertionError("a name without a slot")

    def bind(self, slot: i64, value: i64) -> None:
        """Bind the name with this slot; slot -1 discards the value."""
        if slot == 0:
            self.bound_first = value
        elif slot == 1:
            self.bound_second = value
        elif slot == 2:
            self.bound_third = value
        elif slot == 3:
            self.bound_fourth = value
        elif slot != -1:
            raise AssertionError("a name without a slot")

    # -- lookups -------------------------------------------------------------------------------------------------

    def unit(self, id: i64) -> Unit | None:
        for side in self.sides:
            for unit in side.soldiers:
                if unit.id == id:
                    return unit
            for unit in side.bulwarks:
                if unit.id == id:
                    return unit
        return None

    def owner_of(self, id: i64) -> i64:
        """Return the player that has the unit on the field."""
        side = self.sides[0]
        for unit in side.soldiers:
            if unit.id == id:
                return 0
        for unit in side.bulwarks:
            if unit.id == id:
                return 0
        return 1

    def staged_request(self, id: i64) -> Request | None:
        for request in self.stage:
            if request.id == id:
                return request
        return None

    def kind_of(self, unit: Unit) -> CompiledCharacter:
        return self.rules.kinds[unit.kind]

    def number(self, side: Side, unit: Unit) -> i64:
        """Return the number of the unit with modifiers (R-81)."""
        return unit.base + unit.bonus + side.bonus

    def code_of(self, owner: i64, unit: Unit) -> i64:
        """Return the option that encodes this unit."""
        row = self.sides[owner].bulwarks
        place: i64 = 0
        for other in row:
            if other is unit:
                return owner * SIDE_CODE + ROW_CODE + place
            place += 1
        return owner * SIDE_CODE + unit.lead

    def unit_by_code(self, code: i64) -> Unit | None:
        side = self.sides[code // SIDE_CODE]
        code = code % SIDE_CODE
        if code >= ROW_CODE:
            place = code - ROW_CODE
            return side.bulwarks[place] if place < len(side.bulwarks) else None
        for unit in side.soldiers:
            if unit.lead == code:
                return unit
        return None
