"""Numbers and conditions that a step reads while an effect runs. Closed sets of constant classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from blackpoker.definitions.player_refs import ME
from blackpoker.engine.cards import BIT, JOKERS, LOW, SUIT, SUIT_SET, total
from blackpoker.engine.request import REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.state import ATTACKER, TRUMP_CODE, State, Unit
from blackpoker.engine.step import PlayerRef
from blackpoker.engine.tables import NEVER_CHARGE, NO_CHARGE, NOT_EQUIPPABLE, UNTARGETABLE

#: R-51
HAND_LIMIT: Final = 7
#: slot of a step that binds nothing
NO_SLOT: Final = -1
#: slot or index before compilation
UNRESOLVED: Final = -2


def target_unit(s: State, request: Request) -> Unit | None:
    return s.unit(request.target) if request.target_kind == UNIT else None


def target_request(s: State, request: Request) -> Request | None:
    return s.staged_request(request.target) if request.target_kind == REQUEST else None


# -- conditions --------------------------------------------------------------------------------------------------------


class Condition:
    def holds(self, s: State, request: Request) -> bool:
        raise NotImplementedError


@dataclass(frozen=True)
class Equal(Condition):
    left: Value
    right: Value

    def holds(self, s: State, request: Request) -> bool:
        return self.left.of(s, request) == self.right.of(s, request)


@dataclass(frozen=True)
class Different(Condition):
    left: Value
    right: Value

    def holds(self, s: State, request: Request) -> bool:
        return self.left.of(s, request) != self.right.of(s, request)


@dataclass(frozen=True)
class AtMost(Condition):
    left: Value
    right: Value

    def holds(self, s: State, request: Request) -> bool:
        return self.left.of(s, request) <= self.right.of(s, request)


@dataclass(frozen=True)
class AtLeast(Condition):
    left: Value
    right: Value

    def holds(self, s: State, request: Request) -> bool:
        return self.left.of(s, request) >= self.right.of(s, request)


@dataclass(frozen=True)
class Divisible(Condition):
    left: Value
    right: Value

    def holds(self, s: State, request: Request) -> bool:
        by = self.right.of(s, request)
        return by != 0 and self.left.of(s, request) % by == 0


@dataclass(frozen=True)
class TargetCharged(Condition):
    """The targeted unit is charged."""

    def holds(self, s: State, request: Request) -> bool:
        aim = target_unit(s, request)
        return aim is not None and not aim.driven


@dataclass(frozen=True)
class TargetEquippable(Condition):
    """The targeted unit may be equipped."""

    def holds(self, s: State, request: Request) -> bool:
        aim = target_unit(s, request)
        if aim is None:
            return False
        kind = s.rules.kinds[aim.kind]
        return not kind.bulwark and kind.abilities & (NOT_EQUIPPABLE | UNTARGETABLE) == 0


@dataclass(frozen=True)
class TrumpOpen(Condition):
    """The controller's trump of this card is face up."""

    trump: i64

    def holds(self, s: State, request: Request) -> bool:
        return s.sides[request.controller].open_trumps & BIT[self.trump] != 0


@dataclass(frozen=True)
class TargetTrumpOpen(Condition):
    """The targeted trump is face up."""

    def holds(self, s: State, request: Request) -> bool:
        if request.target_kind != TRUMP:
            return False
        return s.sides[request.target // TRUMP_CODE].open_trumps & BIT[request.target % TRUMP_CODE] != 0


@dataclass(frozen=True)
class TargetTrumpOfKeySuit(Condition):
    """The targeted trump has the suit of the keys."""

    def holds(self, s: State, request: Request) -> bool:
        return request.target_kind == TRUMP and request.keys & SUIT_SET[SUIT[request.target % TRUMP_CODE]] != 0


@dataclass(frozen=True)
class TargetTrumpIsKey(Condition):
    """The targeted trump has the suit and number of a key."""

    def holds(self, s: State, request: Request) -> bool:
        return request.target_kind == TRUMP and request.keys & BIT[request.target % TRUMP_CODE] != 0


@dataclass(frozen=True)
class ChargeAllowed(Condition):
    """No player's trump forbids charging (R-131)."""

    def holds(self, s: State, request: Request) -> bool:
        for side in s.sides:
            if side.abilities & NEVER_CHARGE != 0:  # N-350
                return False
            if side.abilities & NO_CHARGE != 0:
                charged = 0
                for unit in side.bulwarks:
                    if not unit.driven:
                        charged += 1
                if charged >= 2:
                    return False
        return True


@dataclass(frozen=True)
class TargetHasKey(Condition):
    """A key of the targeted request is the same card as a key of this one; a Joker is the same as any Joker (N-411)."""

    def holds(self, s: State, request: Request) -> bool:
        aimed = target_request(s, request)
        if aimed is None:
            return False
        if aimed.keys & JOKERS != 0 and request.keys & JOKERS != 0:
            return True
        return aimed.keys & request.keys != 0


TARGET_HAS_KEY: Final = TargetHasKey()
TARGET_CHARGED: Final = TargetCharged()
TARGET_EQUIPPABLE: Final = TargetEquippable()
TARGET_TRUMP_OPEN: Final = TargetTrumpOpen()
TARGET_TRUMP_OF_KEY_SUIT: Final = TargetTrumpOfKeySuit()
TARGET_TRUMP_IS_KEY: Final = TargetTrumpIsKey()
CHARGE_ALLOWED: Final = ChargeAllowed()

# -- numbers -----------------------------------------------------------------------------------------------------------


class Value:
    """A number computed in an effect: a count, a card, the number of a unit, a set of cards, or an earlier choice."""

    def of(self, s: State, request: Request) -> i64:
        raise NotImplementedError

    def equals(self, other: Value | int) -> Equal:
        return Equal(self, value(other))

    def differs(self, other: Value | int) -> Different:
        return Different(self, value(other))

    def at_most(self, other: Value | int) -> AtMost:
        return AtMost(self, value(other))

    def at_least(self, other: Value | int) -> AtLeast:
        return AtLeast(self, value(other))

    def divisible_by(self, other: Value | int) -> Divisible:
        return Divisible(self, value(other))


@dataclass(frozen=True)
class Number(Value):
    """This number."""

    number: i64

    def of(self, s: State, request: Request) -> i64:
        return self.number


def value(given: Value | int) -> Value:
    """Return the value, with an integer wrapped as a `Number`."""
    return given if isinstance(given, Value) else Number(given)


@dataclass(frozen=True)
class Ref(Value):
    """The value bound to a name: the number of an option, a card, a set of cards, the id of a unit or a request, -1 if
    nothing could be chosen, 1 or 0 for done or not. The compiler assigns the slots."""

    name: str
    slot: i64 = UNRESOLVED

    def of(self, s: State, request: Request) -> i64:
        return s.bound(self.slot)


#: binding of steps that bind nothing
NOTHING: Final = Ref("", NO_SLOT)


@dataclass(frozen=True)
class KeyCard(Value):
    """The key card, the lowest of several; -1 if none is left."""

    def of(self, s: State, request: Request) -> i64:
        keys = request.keys
        if keys == 0:
            return -1
        return LOW[(keys & -keys) % 59]


@dataclass(frozen=True)
class KeySum(Value):
    """The sum of the numbers of the keys."""

    def of(self, s: State, request: Request) -> i64:
        return total(request.keys) + total(request.virtual)


@dataclass(frozen=True)
class KeyOf(Value):
    """The number of the key among these cards."""

    cards: i64

    def of(self, s: State, request: Request) -> i64:
        return total((request.keys | request.virtual) & self.cards)


@dataclass(frozen=True)
class TargetUnit(Value):
    """The id of the targeted unit."""

    def of(self, s: State, request: Request) -> i64:
        return request.target if request.target_kind == UNIT else -1


@dataclass(frozen=True)
class TargetNumber(Value):
    """The number of the targeted unit (R-81)."""

    def of(self, s: State, request: Request) -> i64:
        aim = target_unit(s, request)
        return 0 if aim is None else s.number(s.sides[s.target_owner], aim)


@dataclass(frozen=True)
class TargetRequest(Value):
    """The id of the targeted request."""

    def of(self, s: State, request: Request) -> i64:
        return request.target if request.target_kind == REQUEST else -1


@dataclass(frozen=True)
class TargetKeyCount(Value):
    """The number of keys of the targeted request."""

    def of(self, s: State, request: Request) -> i64:
        aimed = target_request(s, request)
        return 0 if aimed is None else aimed.key_count


@dataclass(frozen=True)
class TargetKeySum(Value):
    """The sum of the keys of the targeted request."""

    def of(self, s: State, request: Request) -> i64:
        aimed = target_request(s, request)
        return 0 if aimed is None else total(aimed.keys) + total(aimed.virtual)


@dataclass(frozen=True)
class TargetTrump(Value):
    """The targeted trump: its owner and its card; -1 if the target is not a trump."""

    def of(self, s: State, request: Request) -> i64:
        return request.target if request.target_kind == TRUMP else -1


@dataclass(frozen=True)
class OwnTrump(Value):
    """The controller's trump of this card: its owner and its card; -1 if it is not a trump."""

    trump: i64

    def of(self, s: State, request: Request) -> i64:
        me = request.controller
        return me * TRUMP_CODE + self.trump if int(self.trump) in s.sides[me].trumps else -1


@dataclass(frozen=True)
class SourceNumber(Value):
    """The number of the soldier driven for the request."""

    def of(self, s: State, request: Request) -> i64:
        source = s.unit(request.source)
        return 0 if source is None else s.number(s.sides[request.controller], source)


@dataclass(frozen=True)
class TwiceAmount(Value):
    """Twice the count of the trigger."""

    def of(self, s: State, request: Request) -> i64:
        return 2 * request.amount


@dataclass(frozen=True)
class Attackers(Value):
    """The number of the controller's attackers."""

    def of(self, s: State, request: Request) -> i64:
        n: i64 = 0
        for unit in s.sides[request.controller].soldiers:
            if unit.role == ATTACKER:
                n += 1
        return n


@dataclass(frozen=True)
class LifeOf(Value):
    """The number of cards in the player's life."""

    who: PlayerRef = ME

    def of(self, s: State, request: Request) -> i64:
        return len(s.sides[self.who.player(s, request)].life)


@dataclass(frozen=True)
class HandOf(Value):
    """The number of cards in the player's hand."""

    who: PlayerRef = ME

    def of(self, s: State, request: Request) -> i64:
        return s.sides[self.who.player(s, request)].hand_count


@dataclass(frozen=True)
class BulwarksOf(Value):
    """The number of the player's bulwarks."""

    who: PlayerRef = ME

    def of(self, s: State, request: Request) -> i64:
        return len(s.sides[self.who.player(s, request)].bulwarks)


@dataclass(frozen=True)
class HandOverLimit(Value):
    """The number of cards above the controller's hand limit (R-51)."""

    def of(self, s: State, request: Request) -> i64:
        return max(0, s.sides[request.controller].hand_count - HAND_LIMIT)


@dataclass(frozen=True)
class SumOf(Value):
    """The sum of the numbers of the chosen own soldiers."""

    units: Ref

    def of(self, s: State, request: Request) -> i64:
        side = s.sides[request.controller]
        chosen = s.bound(self.units.slot)
        sum: i64 = 0
        for unit in side.soldiers:
            if chosen & BIT[unit.lead] != 0:
                sum += s.number(side, unit)
        return sum


KEY: Final = KeyCard()
KEY_SUM: Final = KeySum()
TARGET_UNIT: Final = TargetUnit()
TARGET_NUMBER: Final = TargetNumber()
TARGET_REQUEST: Final = TargetRequest()
TARGET_KEY_COUNT: Final = TargetKeyCount()
TARGET_KEY_SUM: Final = TargetKeySum()
TARGET_TRUMP: Final = TargetTrump()
SOURCE_NUMBER: Final = SourceNumber()
TWICE_AMOUNT: Final = TwiceAmount()
ATTACKERS: Final = Attackers()
HAND_OVER_LIMIT: Final = HandOverLimit()
#: bounds that every number satisfies
NO_MIN: Final = Number(-(2**30))
NO_MAX: Final = Number(2**30)

# -- names of definitions, and named options ---------------------------------------------------------------------------


@dataclass(frozen=True)
class ActionName:
    """An action, by its id; the compiler looks up its index."""

    id: str
    index: i64 = UNRESOLVED


@dataclass(frozen=True)
class CharacterName:
    """A character, by its id; the compiler looks up its index."""

    id: str
    index: i64 = UNRESOLVED


@dataclass(frozen=True)
class Words:
    """Named options to choose from; ``name`` is the name of the question."""

    name: str
    words: tuple[str, ...]
    size: i64
