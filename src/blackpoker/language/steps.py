"""The steps and values effects are written in. Each has a general name and knows no particular action."""

from __future__ import annotations

from dataclasses import dataclass

from blackpoker.language.model import ME, Side, Step, UnitType, Who, Zone

# -- values ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Value:
    """A number read while the effect runs."""

    name: str
    cards: str = ""
    who: Who = ME
    number: int = 0
    bind: str = ""

    def equals(self, other: Value | int) -> Condition:
        return Condition(self, "==", value(other))

    def differs(self, other: Value | int) -> Condition:
        return Condition(self, "!=", value(other))

    def at_most(self, other: Value | int) -> Condition:
        return Condition(self, "<=", value(other))

    def at_least(self, other: Value | int) -> Condition:
        return Condition(self, ">=", value(other))

    def divisible_by(self, other: Value | int) -> Condition:
        return Condition(self, "%", value(other))


def value(given: Value | int) -> Value:
    return given if isinstance(given, Value) else Value("const", number=given)


@dataclass(frozen=True)
class Condition:
    left: Value
    test: str
    right: Value


@dataclass(frozen=True)
class Either:
    conditions: tuple[Condition, ...]


@dataclass(frozen=True)
class Both:
    conditions: tuple[Condition, ...]


def either(*conditions: Condition) -> Either:
    return Either(conditions)


def both(*conditions: Condition) -> Both:
    return Both(conditions)


KEY_SUM = Value("key_sum")
TARGET_NUMBER = Value("target_number")
TARGET_KEY_COUNT = Value("target_key_count")
TARGET_KEY_SUM = Value("target_key_sum")
TARGET_CHARGED = Value("target_charged")
TARGET_IS_SOLDIER = Value("target_is_soldier")
TARGET_CARDS = Value("target_cards")
SOURCE_NUMBER = Value("source_number")
AMOUNT = Value("amount")
ATTACKERS = Value("attackers")
CHARGE_FORBIDDEN = Value("charge_forbidden")
HAND_OVER_LIMIT = Value("hand_over_limit")
TWICE_AMOUNT = Value("twice_amount")
TARGET_EQUIPPABLE = Value("target_equippable")
#: of a targeted trump: it is face up; it has the suit of the keys; it has the suit and number of a key
TARGET_OPEN = Value("target_open")
TARGET_OF_KEY_SUIT = Value("target_of_key_suit")
TARGET_IS_KEY = Value("target_is_key")


def key_of(cards: str) -> Value:
    """The number of the key among these cards."""
    return Value("key_of", cards=cards)


def life_of(who: Who = ME) -> Value:
    return Value("life", who=who)


def hand_of(who: Who = ME) -> Value:
    return Value("hand", who=who)


def bulwarks_of(who: Who = ME) -> Value:
    return Value("bulwarks", who=who)


def chosen(bind: str) -> Value:
    """What was chosen: an option's number, a card, a unit; -1 where nothing could be."""
    return Value("bind", bind=bind)


def trump_open(card: str) -> Value:
    """1 while the controller's trump of this card is face up."""
    return Value("trump_open", cards=card)


def sum_of(bind: str) -> Value:
    """The sum of the numbers of chosen own soldiers."""
    return Value("sum_of", bind=bind)


# -- control -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class If(Step):
    condition: Condition | Either | Both
    then: tuple[Step, ...]
    otherwise: tuple[Step, ...] = ()


# -- asking ------------------------------------------------------------------------------------------------------------

#: Sets of named options.
YES_NO = ("no", "yes")
STATES = ("charged", "driven")
STATES_OR_LEAVE = ("charged", "driven", "leave")
FORMS = ("soldier", "bulwark")
ONE_OR_TWO = ("one", "two")
TOP_OR_BOTTOM = ("top", "bottom")
CLOSE_OR_SUFFER = ("close", "suffer")
OPTION_SETS = (YES_NO, STATES, STATES_OR_LEAVE, FORMS, ONE_OR_TWO, TOP_OR_BOTTOM, CLOSE_OR_SUFFER)


@dataclass(frozen=True)
class Choose(Step):
    """Ask for one thing. Over nothing it binds nothing (-1) and does not ask (R-42)."""

    bind: str
    what: Zone | tuple[str, ...] | Units
    by: Who = ME
    whose: Who = ME
    cards: str = ""  # only these cards


@dataclass(frozen=True)
class ChooseSome(Step):
    """Ask for several things, all of one zone: exactly ``count``, or as many as there are."""

    bind: str
    what: Zone
    count: Value
    by: Who = ME


@dataclass(frozen=True)
class ChooseUnits(Step):
    """Ask for any number of own soldiers, at least ``least`` if there are so many."""

    bind: str
    least: int = 0


@dataclass(frozen=True)
class ChooseRequest(Step):
    """Ask for a request on the stage with two keys, or one no higher than this key (R-133)."""

    bind: str


@dataclass(frozen=True)
class ChooseTrump(Step):
    """Ask for an own face-down trump."""

    bind: str


@dataclass(frozen=True)
class Units:
    """A set of units."""

    whose: Side = Side.ANY
    type: UnitType = UnitType.SOLDIER
    at_most: Value | None = None  # their number
    at_least: Value | None = None


# -- doing -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Enter(Step):
    """A card enters as the character it makes; ``card`` is a binding, or "key"."""

    card: str
    zone: Zone = Zone.KEYS
    bulwark: bool = False
    known: bool = False
    driven: bool = False


@dataclass(frozen=True)
class LifeToBulwarks(Step):
    """The top cards of life enter as bulwarks."""

    count: int
    driven: bool = False


@dataclass(frozen=True)
class Attach(Step):
    """The key goes on the target."""


@dataclass(frozen=True)
class Bury(Step):
    """The target, a chosen unit or a set of units goes to the grave; binds 1 where something moved."""

    what: Units | str = "target"
    bind: str = ""


@dataclass(frozen=True)
class ReturnTarget(Step):
    """The target's cards go to their owner's hand."""


@dataclass(frozen=True)
class KeysToHand(Step):
    pass


@dataclass(frozen=True)
class SetState(Step):
    """Charge or drive the target, or a set of units; ``state`` may be a binding of a chosen state."""

    state: str
    what: Units | str = "target"
    whose: Who = ME


@dataclass(frozen=True)
class Damage(Step):
    who: Who
    amount: Value


@dataclass(frozen=True)
class Draw(Step):
    count: int = 1
    who: Who = ME


@dataclass(frozen=True)
class Take(Step):
    """A chosen card goes to hand, shown."""

    card: str
    zone: Zone


@dataclass(frozen=True)
class Shuffle(Step):
    pass


@dataclass(frozen=True)
class Negate(Step):
    what: str = "target"


@dataclass(frozen=True)
class Retarget(Step):
    """Ask for another legal target of the targeted request and set it (R-164)."""


@dataclass(frozen=True)
class Raise(Step):
    """Raise an action: into the trigger check (R-21)."""

    action: str
    controller: Who = ME
    keep_target: bool = False
    virtual_keys: str = ""
    key: str = ""  # binding of a card of the grave that becomes its real key
    then_pass: bool = False


@dataclass(frozen=True)
class Bonus(Step):
    """Add to the target's number until end of turn; ``negative`` subtracts."""

    amount: Value
    negative: bool = False


@dataclass(frozen=True)
class BonusForAll(Step):
    """Add to the number of all own soldiers, later ones too, until end of turn (R-171)."""

    amount: Value


@dataclass(frozen=True)
class Look(Step):
    """Look at the opponent's hand."""


@dataclass(frozen=True)
class Discard(Step):
    """The bound cards are discarded in one event; or ``all`` of the hand."""

    cards: str
    who: Who = ME


@dataclass(frozen=True)
class EndTurn(Step):
    """Modifiers end, the turn moves, counters clear (R-53)."""


@dataclass(frozen=True)
class NameAttackers(Step):
    """R-59, R-60, R-125"""


@dataclass(frozen=True)
class AssignBlockers(Step):
    """R-62"""


@dataclass(frozen=True)
class CompareCombat(Step):
    """R-66…R-70, R-113, R-114"""


@dataclass(frozen=True)
class TargetToLifeTop(Step):
    """The target's cards go face down on top of its owner's life, in an order the controller chooses (R-167)."""


@dataclass(frozen=True)
class TurnOver(Step):
    """A targeted soldier becomes bulwarks, a targeted bulwark a soldier (R-178)."""


@dataclass(frozen=True)
class BulwarksToSoldiers(Step):
    """All own bulwarks become soldiers (R-174)."""


@dataclass(frozen=True)
class MillToFace(Step):
    """Life to grave until a face card appears; that one to hand (R-179, R-180)."""


@dataclass(frozen=True)
class RevealAndEnter(Step):
    """Turn up the top cards of life; those with a number at most ``at_most`` enter driven, the rest stay aside."""

    count: int
    at_most: Value


@dataclass(frozen=True)
class AsideToBottom(Step):
    """What lies aside goes under life in an order the player chooses (R-173)."""


@dataclass(frozen=True)
class OpenPack(Step):
    """Look into the pack: it is open from now on (R-198)."""


@dataclass(frozen=True)
class OpenTrump(Step):
    """A chosen own trump is turned face up (R-103)."""

    trump: str


@dataclass(frozen=True)
class CloseTrump(Step):
    """The targeted trump, or the own trump of this card, is turned face down (R-101)."""

    what: str = "target"


@dataclass(frozen=True)
class CloseAllTrumps(Step):
    """All trumps of both players are turned face down (R-136)."""


@dataclass(frozen=True)
class BuryTrump(Step):
    """The targeted trump, or the own trump of this card, goes to its owner's grave (R-111)."""

    what: str = "target"


@dataclass(frozen=True)
class RestoreTrump(Step):
    """The card the trigger names comes from hand or grave into the trump zone, face up (R-110)."""


@dataclass(frozen=True)
class Find(Step):
    """Look for a card in the keys, hand, life, grave and trumps of the controller; binds 1 if it is there, else 2."""

    card: str
    bind: str


@dataclass(frozen=True)
class EnterAs(Step):
    """An own open trump and the key, or the card that was looked for, enter as one named character (R-109)."""

    character: str
    trump: str
    partner: str = "key"


@dataclass(frozen=True)
class BuryUnits(Step):
    """The chosen own soldiers go to the grave at once, with the target if ``and_target``."""

    units: str
    and_target: bool = False


@dataclass(frozen=True)
class ToLifeBottom(Step):
    """A chosen own unit goes under life, cards in the owner's order; binds 1 where it moved (R-117)."""

    unit: str
    bind: str


@dataclass(frozen=True)
class Gather(Step):
    """Bind the cards of all soldiers with at least this number, each side's to its own name (R-48)."""

    mine: str
    theirs: str
    at_least: Value


@dataclass(frozen=True)
class GatheredToLifeTop(Step):
    """The gathered soldiers of one player go on top of life, cards in the owner's order (R-127)."""

    cards: str
    who: Who = ME


@dataclass(frozen=True)
class RevealAside(Step):
    """Turn up the top cards of life; they stay aside (R-123)."""

    count: int


@dataclass(frozen=True)
class UnitsToBulwarks(Step):
    """The chosen own soldiers become charged bulwarks, one per card (R-126)."""

    units: str


@dataclass(frozen=True)
class RearrangeRow(Step):
    """The controller may put the own bulwarks in another order (R-126, R-216)."""


@dataclass(frozen=True)
class HandToLife(Step):
    """A chosen card of the hand goes to the chosen end of life, unseen (R-133)."""

    card: str
    place: str


@dataclass(frozen=True)
class ReturnSource(Step):
    """The cards of the soldier that was driven for it go to hand (R-116)."""
