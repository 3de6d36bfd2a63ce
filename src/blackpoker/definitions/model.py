"""The classes of definitions: frozen data in the notation of the rulebook.

All texts about a rule are derived from them. A condition that no step can express becomes a new step with a general
name, never a function in a definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from blackpoker.definitions.values import Condition, Words
from blackpoker.engine import events as ev
from blackpoker.engine.step import Step
from blackpoker.engine.tables import CompiledAction


class Format(IntEnum):
    """Formats; each includes the ones before it (E-12)."""

    LITE = 0
    STANDARD = 1
    PRO = 2
    MASTER = 3
    EXTRA = 4
    OPTION = 5  # added by an option, part of no format

    @property
    def id(self) -> str:
        return self.name.lower()


LITE, STANDARD, PRO, MASTER, EXTRA, OPTION = Format


class Bilingual(Enum):
    """A member with a name in both languages."""

    @property
    def ja(self) -> str:
        return str(self.value[0])

    @property
    def en(self) -> str:
        return str(self.value[1])


class ActionKind(Bilingual):
    SUMMON = ("召喚", "summon")
    TURN_CONTROL = ("ターン制御", "turn control")
    COMBAT = ("攻防", "combat")
    QUICK_MAGIC = ("速攻魔法", "quick magic")
    NORMAL_MAGIC = ("通常魔法", "normal magic")
    TRIGGERED = ("誘発", "triggered")
    SOLDIER_CAUSED = ("兵士起因", "soldier-caused")
    BASIC = ("基本", "basic")
    MAGIC = ("魔法", "magic")
    TRIGGERED_MAGIC = ("誘発魔法", "triggered magic")
    PACK_OPERATION = ("パック操作", "pack operation")
    RARE_OPERATION = ("レアカード操作", "rare-card operation")
    TRUMP_OPERATION = ("切札操作", "trump operation")


SUMMON, TURN_CONTROL, COMBAT, QUICK_MAGIC, NORMAL_MAGIC, TRIGGERED, SOLDIER_CAUSED, *_NINTH = ActionKind
BASIC, MAGIC, TRIGGERED_MAGIC, PACK_OPERATION, RARE_OPERATION, TRUMP_OPERATION = _NINTH

#: groups of definitions that a frame brings, whatever the format (N-121)
PACK_GROUP = "pack"
RARE_GROUP = "rare"
TRUMP_GROUP = "trumps"


class Timing(Bilingual):
    MAIN = ("メイン", "main")
    QUICK = ("クイック", "quick")


MAIN, QUICK = Timing


class Whose(IntEnum):
    """The side of a unit, relative to the player who chooses."""

    ANY = 0
    MINE = 1
    THEIRS = 2


class UnitType(IntEnum):
    ANY = 0
    SOLDIER = 1
    BULWARK = 2


class Zone(IntEnum):
    """The zones for definitions; their numbers are those of ``engine.events``."""

    HAND = ev.HAND
    LIFE = ev.LIFE
    GRAVE = ev.GRAVE
    FIELD = ev.FIELD
    STAGE = ev.STAGE
    TRUMPS = ev.TRUMPS
    PACK = ev.PACK
    ASIDE = ev.ASIDE  # turned up and in use by the effect
    RARE = ev.RARE
    FOG = ev.FOG


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


@dataclass(frozen=True)
class If:
    """Steps that run only if a condition holds. The compiler replaces it by steps that skip others."""

    condition: Condition | Either | Both
    then: tuple[Step | If, ...]
    otherwise: tuple[Step | If, ...] = ()


#: the steps of a clause
Steps = tuple[Step | If, ...]


@dataclass(frozen=True)
class Question:
    """A question to the player who must choose, in the second person, in both languages."""

    ja: str
    en: str


@dataclass(frozen=True)
class Clause:
    """One sentence of an effect in both languages, and its steps. ``asks``: a question for each of its steps that may
    ask a player, in their order."""

    ja: str
    en: str
    steps: Steps = ()
    asks: tuple[Question, ...] = ()


def may_ask(step: Step) -> bool:
    """Return whether a step may ask a player, that is, whether it overrides ``take``."""
    return type(step).take is not Step.take


def words_of(step: Step) -> Words:
    """Return the options of a step that asks for a word."""
    words = getattr(step, "words", None)
    assert isinstance(words, Words)
    return words


@dataclass(frozen=True)
class Target:
    """A target line."""

    ja: str
    en: str
    aim: str  # "unit" "request" "opponent" "player" "trump"
    whose: Whose = Whose.ANY
    type: UnitType = UnitType.ANY
    key_suit: bool = False
    contains: str = ""  # cards; the target must contain one of them
    equippable: bool = False
    action: str = ""
    keys: tuple[int, int] = (0, 99)
    counterable: bool = False
    targeted: bool = False
    open: bool = False  # of a trump: it lies face up
    state: str = ""  # of a unit: "charged" or "driven"


@dataclass(frozen=True)
class Key:
    """The key cards of an action. ``form`` is one of: one, two, each, same_suit, same_number, whole."""

    form: str
    ranges: tuple[str, ...] = ()  # "♡A-10"; for "each" one per card; for "whole" the cards of each alternative
    zone: Zone = Zone.HAND  # Zone.RARE: the rare card (N-070)

    @property
    def count(self) -> int:
        if self.form == "whole":
            return len(self.ranges[0].split())
        return 1 if self.form == "one" else 2


@dataclass(frozen=True)
class Note:
    """A remark in both languages (※ of the lists), for details that the fields do not express."""

    ja: str
    en: str


@dataclass(frozen=True)
class Trigger:
    """The condition that triggers an action, in both languages (N-022). It arises for the turn player when an action
    has resolved, or for the owner of each of these cards that goes from the field to the grave. A trump or a character
    that triggers an action names it itself; then only the text is given here."""

    ja: str
    en: str
    after: str = ""  # the action that has resolved
    only_if: Condition | None = None  # and this holds then
    cards: str = ""  # cards that go from the field to the grave, one by one


@dataclass(frozen=True)
class Action:
    id: str
    ja: str
    en: str
    kind: ActionKind
    timing: Timing
    since: Format
    cost: str = ""
    key: Key | None = None
    target: Target | None = None
    effect: tuple[Clause, ...] = ()
    immediate: bool = False
    direct: bool = True
    quick_cost: str = ""  # alternative cost that allows quick timing
    source: str = ""  # suits of the soldier driven for it, "self", or "bulwark" (N-265)
    empty_stage: bool = False  # needs an empty stage even at quick timing
    per_turn: bool = False
    per_game: bool = False
    opponent_turn_only: bool = False
    counterable: bool = True
    late_triggers: bool = False
    ends_turn: bool = False
    attacks: bool = False
    judges: bool = False
    permission: str = ""  # a trump or character with this permission must be active
    group: str = ""  # the frame must bring this group (N-121); then ``since`` does not matter
    phase: str = ""  # a step of the turn that nothing else tells: "draw", "block"
    trigger: Trigger | None = None
    most_life: int | None = None  # only at this life or less (N-086)
    unopened: bool = False  # only while the pack is unopened (N-238)
    notes: tuple[Note, ...] = ()
    rulings: tuple[str, ...] = ()

    @property
    def step(self) -> str:
        """Return the step of the turn that the action is; empty for actions within a step."""
        if self.ends_turn:
            return "end"
        if self.attacks:
            return "attack"
        if self.kind is COMBAT or self.judges:
            return "judgement" if self.judges else "block"
        return "draw" if self.kind is TURN_CONTROL else self.phase

    @property
    def is_combat(self) -> bool:
        """Return whether it is part of a fight: attack, block or judgement."""
        return self.attacks or self.judges or self.step == "block" or self.kind is COMBAT

    @property
    def advances_turn(self) -> bool:
        """Return whether it ends a turn or begins one: charge and draw."""
        return self.ends_turn or self.step == "draw"


@dataclass(frozen=True)
class Leaves:
    """Raise an action when the character leaves the field for the grave (and for the hand)."""

    action: str
    times: int = 1
    per_card: str = ""  # if given, once for each of these among its cards
    to_hand: bool = False
    names: str = ""  # the card that the raised action refers to


@dataclass(frozen=True)
class Drives:
    """The controller may drive the character to request an action with virtual keys and then passes (R-105, R-106)."""

    action: str
    virtual_keys: str
    empty_stage: bool = True  # needs an empty stage even if the action is quick


@dataclass(frozen=True)
class Ability:
    """A persistent ability: its text and its function. ``flag`` is an ability built into the engine; the other fields
    are for characters."""

    ja: str
    en: str
    flag: str = ""
    haste: bool = False
    haste_with: str = ""  # Haste if one of these is among its cards
    leaves: Leaves | None = None
    at_end: str = ""  # the action raised when its player requests End
    allows: str = ""  # the action it permits
    drives: Drives | None = None
    waives: str = ""  # letters of the cost of its player's quick magic that fall away (N-304)


@dataclass(frozen=True)
class Character:
    """A character. Its function is given by its abilities, each with its text."""

    id: str
    ja: str
    en: str
    since: Format
    cards: str  # its cards, as printed in the list
    bulwark: bool = False
    made_by: str = ""  # the single cards that enter as this character
    pair: tuple[str, str] | None = None  # the trump and the card that form it together (RULINGS 2.7)
    number: int | None = None  # None: the sum of its cards
    abilities: tuple[Ability, ...] = ()
    rulings: tuple[str, ...] = ()
    group: str = ""  # as of an action

    @property
    def haste(self) -> bool:
        return any(ability.haste for ability in self.abilities)

    @property
    def haste_with(self) -> str:
        return " ".join(ability.haste_with for ability in self.abilities if ability.haste_with)

    @property
    def leaves(self) -> Leaves | None:
        return next((ability.leaves for ability in self.abilities if ability.leaves is not None), None)

    @property
    def at_end(self) -> str:
        return next((ability.at_end for ability in self.abilities if ability.at_end), "")

    @property
    def permissions(self) -> tuple[str, ...]:
        return tuple(ability.allows for ability in self.abilities if ability.allows)

    @property
    def drives(self) -> Drives | None:
        return next((ability.drives for ability in self.abilities if ability.drives is not None), None)


@dataclass(frozen=True)
class Trump:
    card: str
    id: str
    ja: str
    en: str
    abilities: tuple[Ability, ...] = ()
    allows: tuple[str, ...] = ()
    on: str = ""  # "end" "discard" "open" "unblocked"
    raises: str = ""
    rulings: tuple[str, ...] = ()
    short_ja: str = ""  # short summary, if the text of the ability is long
    short_en: str = ""


@dataclass(frozen=True)
class Fog:
    """A fog: what a card does that an effect left in the fog zone (N-060)."""

    id: str
    ja: str
    en: str
    number: int  # the engine's number of it
    cards: str
    text_ja: str
    text_en: str
    group: str = ""
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lists:
    """The lists of the rulebook: actions, characters, trumps, fogs. With formats, frames and options they form an
    edition."""

    name: str
    actions: tuple[Action, ...]
    characters: tuple[Character, ...]
    trumps: tuple[Trump, ...] = ()
    faces: str = "JK A J-K"  # cards that end 世代交代
    fogs: tuple[Fog, ...] = ()


def action_of(plan: CompiledAction) -> Action:
    """Return the definition of a compiled action; a driven form has that of its base action."""
    definition = plan.definition
    assert isinstance(definition, Action)
    return definition
