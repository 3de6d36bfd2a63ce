"""Compiler from definitions to the rule tables of the engine: checks them, resolves names, flattens effects."""

from __future__ import annotations

from dataclasses import fields, replace
from enum import IntEnum
from typing import Any, TypeVar

from blackpoker.definitions.literals import card, cards
from blackpoker.definitions.model import (
    TRUMP_GROUP,
    Ability,
    Action,
    ActionKind,
    Both,
    Character,
    Either,
    Format,
    If,
    Lists,
    Steps,
    Target,
    Timing,
    Trump,
    UnitType,
    Whose,
    Zone,
)
from blackpoker.definitions.player_refs import TURN_PLAYER
from blackpoker.definitions.steps import CONDITIONS, STEPS, VALUES
from blackpoker.definitions.steps.cards import TakeRare
from blackpoker.definitions.steps.control import Skip, SkipIf, SkipUnless
from blackpoker.definitions.steps.requests import Raise
from blackpoker.definitions.values import NOTHING, ActionName, CharacterName, Condition, Ref, Value
from blackpoker.engine import tables as p
from blackpoker.engine.cards import NAMES, SUIT_SET, members
from blackpoker.engine.step import BLOCK, JUDGEMENT, Step
from blackpoker.errors import BlackPokerError

T = TypeVar("T", bound=Step | Value | Condition)
T_ = TypeVar("T_")

_ABILITIES = {
    "free_quick_magic": p.FREE_QUICK_MAGIC,
    "untargetable": p.UNTARGETABLE,
    "must_attack": p.MUST_ATTACK,
    "wall_proof": p.WALL_PROOF,
    "larger_dies": p.LARGER_DIES,
    "no_charge": p.NO_CHARGE,
    "spade_proof": p.SPADE_PROOF,
    "not_equippable": p.NOT_EQUIPPABLE,
    "draws_unblocked": p.DRAWS_UNBLOCKED,
    "never_charge": p.NEVER_CHARGE,
}
_EVENTS = {"end": p.ON_END, "discard": p.ON_DISCARD, "open": p.ON_OPEN, "unblocked": p.ON_UNBLOCKED, "wall": p.ON_WALL}
_AIMS = {
    "unit": p.AIM_UNIT,
    "request": p.AIM_REQUEST,
    "opponent": p.AIM_OPPONENT,
    "player": p.AIM_PLAYER,
    "trump": p.AIM_TRUMP,
}
_KEYS = {
    "one": p.ONE,
    "two": p.TWO,
    "each": p.EACH,
    "same_suit": p.SAME_SUIT,
    "same_number": p.SAME_NUMBER,
    "whole": p.WHOLE,
}
_STATES = {"": p.ANY_STATE, "charged": p.CHARGED_ONLY, "driven": p.DRIVEN_ONLY}
_LETTER_TOKENS = {"B": p.TOKEN_BULWARK, "D": p.TOKEN_DISCARD, "S": p.TOKEN_SACRIFICE}
_SUITS = {"♠": 0, "♡": 1, "♢": 2, "♣": 3}


class DefinitionError(BlackPokerError):
    """An invalid definition. ``id`` is its id; the message contains the reason."""

    def __init__(self, what: str, kind: str = "", id: str = "") -> None:
        super().__init__(f"{kind} {id}: {what}" if id else what)
        self.id = id


def _one_of(table: dict[str, T_], name: str, category: str, kind: str, id: str) -> T_:
    """Return the entry of that name; raise `DefinitionError` if there is none."""
    if name not in table:
        raise DefinitionError(f"{name!r} is no {category}; there are {', '.join(map(repr, table))}", kind, id)
    return table[name]


def _cards(text: str, kind: str, id: str) -> int:
    try:
        return cards(text)
    except ValueError as error:
        raise DefinitionError(f"{error}; cards are written as in '2-10', '♡A-10', 'J-K ♢5' or 'JK'", kind, id) from None


def _card(text: str, kind: str, id: str) -> int:
    try:
        return card(text)
    except ValueError as error:
        raise DefinitionError(f"{error}; a card is written as in '♣10' or 'JK'", kind, id) from None


def _capacity(holder: str, list: str) -> int:
    """Return the capacity of a list of the tables."""
    return int(p.STORAGE[holder][list].split()[0])


#: number of bits for limits, which are kept in signed 32-bit numbers, and for permissions, in sets of cards
_BITS = 31
_PERMISSIONS = 54


#: types of the fields of these names, in all steps
_FIELD_ENUMS: dict[str, type[IntEnum]] = {"zone": Zone, "whose": Whose, "type": UnitType}
#: every class allowed in an effect
_ALLOWED_CLASSES: frozenset[type] = frozenset((*STEPS, *VALUES, *CONDITIONS))
#: maximum number of bindings of one effect
MAX_BINDINGS = 4


def instruction(step: Step, clause: int) -> p.Instruction:
    chooses = step.traits().chooses
    if not chooses:
        return p.Instruction(step, clause, p.NO_CHOICE, -1, None)
    bind: Ref = getattr(step, "bind")  # noqa: B009 (what is chosen is bound)
    return p.Instruction(step, clause, chooses, bind.slot, getattr(step, "by", None))


class _EffectCompiler:
    """Compiler of the effect of one action: checks its steps and flattens them."""

    def __init__(self, action: Action, actions: dict[str, int], characters: dict[str, int]) -> None:
        self.action = action
        self.actions = actions
        self.characters = characters
        self.slots: dict[str, int] = {}

    def error(self, what: str) -> DefinitionError:
        return DefinitionError(what, "action", self.action.id)

    def program(self, followers: list[Action]) -> list[p.Instruction]:
        """Return its instructions; ``followers`` are the actions it triggers when it has resolved (N-022)."""
        places: list[p.Instruction] = []
        number = 0
        for number, clause in enumerate(self.action.effect):
            if not clause.ja or not clause.en:
                raise self.error("every clause needs its text in both languages")
            places += [instruction(step, number) for step in self.flatten(clause.steps)]
        for follower in followers:
            assert follower.trigger is not None
            raised = (Raise(ActionName(follower.id), TURN_PLAYER),)
            condition = follower.trigger.only_if
            steps: Steps = raised if condition is None else (If(condition, raised),)
            places += [instruction(step, number) for step in self.flatten(steps)]
        most = _capacity("CompiledAction", "program")
        if len(places) > most:
            raise self.error(f"its effect has {len(places)} steps; there may be {most}")
        return places

    def flatten(self, steps: Steps) -> list[Step]:
        out: list[Step] = []
        for step in steps:
            out += self.flatten_if(step) if isinstance(step, If) else [self.resolve_names(step)]
        return out

    def flatten_if(self, step: If) -> list[Step]:
        either = isinstance(step.condition, Either)
        parts = step.condition.conditions if isinstance(step.condition, Either | Both) else (step.condition,)
        conditions = [self.resolve_names(condition) for condition in parts]
        then = self.flatten(step.then)
        otherwise = self.flatten(step.otherwise)
        if otherwise:
            then.append(Skip(len(otherwise)))
        tests: list[Step] = []
        for after, condition in zip(reversed(range(len(conditions))), conditions, strict=True):
            tests.append(SkipIf(condition, after + 1) if either else SkipUnless(condition, after + len(then)))
        if either:
            tests.append(Skip(len(then)))
        return tests + then + otherwise

    def resolve_names(self, thing: T) -> T:
        """Return a copy with the names of bindings, actions and characters resolved; raise `DefinitionError` if one is
        unknown."""
        if type(thing) not in _ALLOWED_CLASSES:
            raise self.error(f"{thing!r} is no part of the language")
        found: dict[str, Any] = {}
        whole: Any = thing
        for each in fields(whole):
            name = each.name
            part = getattr(thing, name)
            if isinstance(part, Ref):
                found[name] = self.slot(part, name.startswith("bind"))
            elif isinstance(part, ActionName):
                found[name] = replace(part, index=self.lookup(part.id, self.actions, "an action"))
            elif isinstance(part, CharacterName):
                found[name] = replace(part, index=self.lookup(part.id, self.characters, "a character"))
            elif isinstance(part, Value | Condition):
                found[name] = self.resolve_names(part)
            elif name in _FIELD_ENUMS and part not in list(_FIELD_ENUMS[name]):
                raise self.error(f"{part} is no {name} ({type(thing).__name__})")
        bound: T = replace(whole, **found) if found else whole
        return bound

    def slot(self, ref: Ref, new: bool) -> Ref:
        if ref == NOTHING:
            return ref
        if ref.name not in self.slots:
            if not new:
                raise self.error(f"{ref.name!r} is used but nothing binds it")
            if len(self.slots) == MAX_BINDINGS:
                raise self.error(f"an effect may bind at most {MAX_BINDINGS} names")
            self.slots[ref.name] = len(self.slots)
        return replace(ref, slot=self.slots[ref.name])

    def lookup(self, id: str, table: dict[str, int], what: str) -> int:
        if id not in table:
            raise self.error(f"{id!r} is not {what} of this format")
        return table[id]


def _tokens(action: Action, cost: str) -> list[int]:
    tokens: list[int] = []
    if action.source:
        tokens.append(p.TOKEN_SOURCE)
    if action.key is not None:
        tokens += [p.TOKEN_KEY] * action.key.count
    tokens += [_LETTER_TOKENS[letter] for letter in cost if letter in _LETTER_TOKENS]
    if action.target is not None and action.target.aim != "opponent":
        tokens.append(p.TOKEN_TARGET)
    if cost.count("D") > 1:
        tokens.append(p.TOKEN_SHOWN)
    return tokens


def _compile_action(
    action: Action, index: int, actions: dict[str, int], limits: dict[str, int], grants: dict[str, int], waived: str
) -> p.CompiledAction:
    plan = p.CompiledAction(index, action.id)
    plan.definition = action

    def error(what: str) -> DefinitionError:
        return DefinitionError(what, "action", action.id)

    for cost in (action.cost, action.quick_cost):
        if set(cost) - set("BLDSC"):
            raise error(f"a cost is made of the letters B L D S C, not {cost!r}")
        if "C" in cost and not action.source:
            raise error("a cost C drives the unit named as its source; there is none")
    plan.direct = action.direct
    plan.immediate = action.immediate
    plan.main = action.timing is Timing.MAIN
    plan.cost = p.Cost(action.cost)
    plan.quick_cost = p.Cost(action.quick_cost) if action.quick_cost else None
    plan.quick_magic = _is_waived(action, waived)
    if action.key is not None:
        _set_key(plan, action)
    if action.target is not None:
        _set_target(plan, action, action.target, actions)
    if action.per_turn or action.per_game:
        plan.limit = limits.setdefault(action.id, 2 ** len(limits))
        plan.limit_game = action.per_game
    plan.opponent_turn_only = action.opponent_turn_only
    plan.counterable = action.counterable
    plan.late_triggers = action.late_triggers
    plan.ends_turn = action.ends_turn
    plan.is_attack = action.attacks
    plan.judges = action.judges
    if action.permission and action.permission not in grants:
        raise error(f"needs the permission {action.permission!r}, which no trump or character of this format gives")
    plan.needs = grants[action.permission] if action.permission else 0
    plan.empty_stage = action.empty_stage
    plan.sourced = bool(action.source)
    if action.source == "bulwark":
        plan.source_type = p.BULWARK
    elif action.source and action.source != "self":
        if set(action.source) - set(_SUITS):
            raise error(f"a source is 'self', 'bulwark' or suits such as '♠♣', not {action.source!r}")
        plan.suits = sum(SUIT_SET[_SUITS[suit]] for suit in action.source)
    if action.most_life is not None:
        plan.most_life = action.most_life
    plan.unopened = action.unopened
    plan.tokens = _tokens(action, action.cost)
    plan.quick_tokens = _tokens(action, action.quick_cost)
    plan.free_tokens = _tokens(action, "")
    most = _capacity("CompiledAction", "tokens")
    if max(len(plan.tokens), len(plan.quick_tokens), len(action.cost), len(action.quick_cost)) > most:
        raise error(f"a request has at most {most} words (key, payment, target), this one needs more")
    return plan


def _is_waived(action: Action, waived: str) -> bool:
    """Return whether the abilities that waive costs make the action free (R-35, N-304)."""
    if action.kind is ActionKind.QUICK_MAGIC:
        return True
    quick = action.kind is ActionKind.MAGIC and action.timing is Timing.QUICK
    return quick and action.cost != "" and not set(action.cost) - set(waived)


def _set_target(plan: p.CompiledAction, action: Action, target: Target, actions: dict[str, int]) -> None:
    plan.aim = _one_of(_AIMS, target.aim, "aim of a target", "action", action.id)
    plan.aim_whose = target.whose.value
    plan.aim_type = target.type.value
    plan.aim_suit = target.key_suit
    plan.aim_cards = _cards(target.contains, "action", action.id) if target.contains else 0
    plan.aim_equip = target.equippable
    if target.action:
        if target.action not in actions:
            what = f"targets {target.action!r}, which is not an action of this format"
            raise DefinitionError(what, "action", action.id)
        plan.aim_action = actions[target.action]
    plan.aim_keys_min, plan.aim_keys_max = target.keys
    plan.aim_counter = target.counterable
    plan.aim_targeted = target.targeted
    plan.aim_open = target.open
    plan.aim_state = _one_of(_STATES, target.state, "state of a target", "action", action.id)
    if "S" in action.cost and target.aim == "unit":
        raise DefinitionError("a cost S together with a unit as target is not supported", "action", action.id)


def _set_key(plan: p.CompiledAction, action: Action) -> None:
    key = action.key
    assert key is not None
    plan.key = _one_of(_KEYS, key.form, "form of a key", "action", action.id)
    if key.zone is Zone.RARE:
        if key.form != "one":
            raise DefinitionError("the rare card is one card", "action", action.id)
        plan.key = p.RARE
    ranges = {"each": 2, "same_suit": 0, "same_number": 0}.get(key.form, 1)
    if len(key.ranges) < ranges:
        raise DefinitionError(f"a key {key.form!r} names its cards {ranges} times", "action", action.id)
    plan.key_count = key.count
    if key.form == "whole":
        for text in key.ranges:
            plan.key_sets.append(sum(2 ** _card(name, "action", action.id) for name in text.split()))
        if len(key.ranges) > _capacity("CompiledAction", "key_sets"):
            raise DefinitionError(
                f"its key has more than {_capacity('CompiledAction', 'key_sets')} forms", "action", action.id
            )
    elif key.form == "each":
        plan.key_a, plan.key_b = (_cards(text, "action", action.id) for text in key.ranges[:2])
        if plan.key_a & plan.key_b:
            raise DefinitionError("the two keys may not overlap", "action", action.id)
    elif key.ranges:
        plan.key_a = _cards(" ".join(key.ranges), "action", action.id)


def _compile_driven_form(
    character: Character, base: p.CompiledAction, index: int, grants: dict[str, int]
) -> p.CompiledAction:
    """Return the driven form of the base action: a character is driven for it, its keys are virtual (R-105, R-106)."""
    drives = character.drives
    assert drives is not None
    plan = p.CompiledAction(index, base.id + "@")
    plan.definition = base.definition
    plan.stands_for = base.index
    plan.immediate = base.immediate
    plan.main = base.main
    plan.empty_stage = drives.empty_stage
    plan.aim = base.aim
    plan.aim_whose = base.aim_whose
    plan.aim_type = base.aim_type
    plan.aim_cards = base.aim_cards
    plan.virtual = cards(drives.virtual_keys)
    plan.virtual_count = len(drives.virtual_keys.split())
    plan.passes_after = True
    plan.sourced = True
    plan.needs = grants[plan.id]
    plan.tokens = [p.TOKEN_SOURCE] + ([p.TOKEN_TARGET] if p.TOKEN_TARGET in base.tokens else [])
    plan.quick_tokens = plan.tokens
    plan.free_tokens = plan.tokens
    return plan


def _ability_flag(ability: Ability, kind: str, id: str) -> int:
    waives = p.FREE_QUICK_MAGIC if ability.waives else 0
    return waives | (_one_of(_ABILITIES, ability.flag, "ability the engine knows", kind, id) if ability.flag else 0)


def _compile_character(
    character: Character, index: int, actions: dict[str, int], grants: dict[str, int]
) -> p.CompiledCharacter:
    def look_up(id: str) -> int:
        if id not in actions:
            raise DefinitionError(f"{id!r} is not an action of this format", "character", character.id)
        return actions[id]

    def card_set(text: str) -> int:
        return _cards(text, "character", character.id)

    kind = p.CompiledCharacter(index, character.id)
    kind.bulwark = character.bulwark
    kind.haste = character.haste
    kind.haste_cards = card_set(character.haste_with)
    kind.fixed_number = -1 if character.number is None else character.number
    for ability in character.abilities:
        kind.abilities |= _ability_flag(ability, "character", character.id)
    for permission in character.permissions:
        kind.grants |= grants[permission]
    if character.drives is not None:
        kind.grants |= grants[character.drives.action + "@"]
    if character.pair is not None:
        kind.pair_trump = card_set(character.pair[0])
        kind.pair_cards = card_set(character.pair[1])
    leaves = character.leaves
    if leaves is not None:
        kind.leave_action = look_up(leaves.action)
        kind.leave_count = leaves.times
        kind.leave_cards = card_set(leaves.per_card)
        kind.leave_to_hand = leaves.to_hand
        kind.leave_card = card_set(leaves.names)
    if character.at_end:
        kind.end_action = look_up(character.at_end)
    return kind


def _permissions(characters: list[Character], trumps: list[Trump]) -> dict[str, int]:
    """Return a bit for every permission of a trump or a character; permissions that the same ones give share a bit."""
    givers: dict[str, list[str]] = {}
    for trump in trumps:
        for id in trump.allows:
            givers.setdefault(id, []).append(f"trump {trump.id}")
    for character in characters:
        driven = () if character.drives is None else (character.drives.action + "@",)
        for id in (*character.permissions, *driven):
            givers.setdefault(id, []).append(f"character {character.id}")
    sets = dict.fromkeys(frozenset(names) for names in givers.values())
    bits = {names: 2**place for place, names in enumerate(sets)}
    return {id: bits[frozenset(names)] for id, names in givers.items()}


def _compile_trump(trump: Trump, actions: dict[str, int], grants: dict[str, int]) -> p.CompiledTrump:
    compiled = p.CompiledTrump(_card(trump.card, "trump", trump.id), trump.id)
    for ability in trump.abilities:
        compiled.abilities |= _ability_flag(ability, "trump", trump.id)
    for permission in trump.allows:
        compiled.grants |= grants[permission]
    if trump.on:
        compiled.event = _one_of(_EVENTS, trump.on, "event a trump waits for", "trump", trump.id)
        if trump.raises not in actions:
            raise DefinitionError(f"raises {trump.raises!r}, which is not an action", "trump", trump.id)
        compiled.action = actions[trump.raises]
    return compiled


def _set_characters(rules: p.RuleTables, characters: list[Character]) -> None:
    """Set the character of each card (R-80), the bulwark and the armed soldier; raise `DefinitionError` if one is
    missing or two claim a card."""
    rules.kind_of_card = [0] * 54
    made: dict[int, str] = {}
    for what, found in (
        ("that is a bulwark", [one for one in characters if one.bulwark]),
        ("'armed_soldier'", [one for one in characters if one.id == "armed_soldier"]),
    ):
        if len(found) != 1:
            raise DefinitionError(f"{rules.name} needs one character {what}; it has {len(found)}")
    for character, kind in zip(characters, rules.kinds, strict=True):
        if character.bulwark:
            rules.bulwark_kind = kind.index
        elif character.id == "armed_soldier":
            rules.armed_kind = kind.index
        for one in members(_cards(character.made_by, "character", character.id)):
            if one in made:
                raise DefinitionError(f"{NAMES[one]} makes {made[one]!r} already", "character", character.id)
            made[one] = character.id
            rules.kind_of_card[one] = kind.index
    rules.makes_soldier = sum(2**one for one in made)


def _add_driven(
    rules: p.RuleTables, characters: list[Character], actions: dict[str, int], grants: dict[str, int]
) -> None:
    for character in characters:
        if character.drives is not None:
            if character.drives.action not in actions:
                raise DefinitionError(
                    f"drives for {character.drives.action!r}, which is not an action of this format",
                    "character",
                    character.id,
                )
            base = rules.plans[actions[character.drives.action]]
            base.driven = _compile_driven_form(character, base, len(rules.plans), grants)
            rules.plans.append(base.driven)


def _set_offers(rules: p.RuleTables) -> None:
    untargetable = any(kind.abilities & p.UNTARGETABLE for kind in rules.kinds)
    for plan in rules.plans:
        plan.settle(untargetable)
        if plan.direct and plan.is_attack:
            rules.attack_limit = plan.limit
    direct = [plan for plan in rules.plans if plan.direct]
    rules.main_offers = p.offer_index(direct, True)
    rules.quick_offers = p.offer_index([plan for plan in direct if not plan.main or plan.quick_cost is not None], False)


def compile_rules(
    edition: Lists, format: Format, options: tuple[str, ...] = (), groups: tuple[str, ...] = ()
) -> p.RuleTables:
    """Return the tables of one format; raise `DefinitionError` if a definition is invalid. ``options`` are ids of
    option actions to add, ``groups`` the definitions that the frame brings (N-121)."""
    groups = (*groups, TRUMP_GROUP) if format is Format.EXTRA else groups
    rules = p.RuleTables()
    rules.name = format.id
    rules.faces = _cards(edition.faces, "faces of", edition.name)
    chosen = [a for a in edition.actions if _is_in(a, format, groups) or (a.since is Format.OPTION and a.id in options)]
    characters = [c for c in edition.characters if _is_in(c, format, groups)]
    trumps: list[Trump] = list(edition.trumps) if TRUMP_GROUP in groups else []
    waived = "".join(ability.waives for character in characters for ability in character.abilities)
    actions = _action_indices(chosen)
    limits: dict[str, int] = {}
    grants = _permissions(characters, trumps)
    kinds = {character.id: index for index, character in enumerate(characters)}
    rules.plans = [
        _compile_action(action, index, actions, limits, grants, waived) for index, action in enumerate(chosen)
    ]
    for action, plan in zip(chosen, rules.plans, strict=True):
        followers = [other for other in chosen if other.trigger is not None and other.trigger.after == action.id]
        plan.program = _EffectCompiler(action, actions, kinds).program(followers)
        _set_card_trigger(rules, action, plan)
        plan.draws_rare = all(isinstance(place.step, TakeRare) for place in plan.program) and bool(plan.program)
        plan.fights = any(place.step.traits().fight in (BLOCK, JUDGEMENT) for place in plan.program)
    rules.kinds = [_compile_character(character, index, actions, grants) for index, character in enumerate(characters)]
    _add_driven(rules, characters, actions, grants)
    _set_offers(rules)
    _set_characters(rules, characters)
    rules.trumps = _trumps_by_card(trumps, actions, grants)
    rules.end_triggers = any(kind.end_action >= 0 for kind in rules.kinds) or any(t.on == "end" for t in trumps)
    rules.discard_triggers = any(trump.on == "discard" for trump in trumps)
    _check_capacity(rules, limits, grants)
    return rules


def _is_in(definition: Action | Character, format: Format, groups: tuple[str, ...]) -> bool:
    return definition.group in groups if definition.group else definition.since <= format


def _set_card_trigger(rules: p.RuleTables, action: Action, plan: p.CompiledAction) -> None:
    """Set the action that each of certain cards raises when it goes from the field to the grave (N-207)."""
    if action.trigger is not None and action.trigger.cards:
        if rules.card_action >= 0:
            raise DefinitionError("another action is triggered by cards already", "action", action.id)
        rules.card_trigger = _cards(action.trigger.cards, "action", action.id)
        rules.card_action = plan.index


def _action_indices(chosen: list[Action]) -> dict[str, int]:
    """Return the index of each action by id; raise `DefinitionError` if an id occurs twice."""
    actions = {action.id: index for index, action in enumerate(chosen)}
    if len(actions) != len(chosen):
        twice = next(id for id in actions if sum(action.id == id for action in chosen) > 1)
        raise DefinitionError("two actions have this id", "action", twice)
    return actions


def _trumps_by_card(
    trumps: list[Trump], actions: dict[str, int], grants: dict[str, int]
) -> list[p.CompiledTrump | None]:
    """Return the compiled trumps by card; raise `DefinitionError` if two have the same card."""
    out: list[p.CompiledTrump | None] = [None] * 54
    for trump in trumps:
        place = _card(trump.card, "trump", trump.id)
        other = out[place]
        if other is not None:
            raise DefinitionError(f"{trump.card} is the trump {other.id!r} already", "trump", trump.id)
        out[place] = _compile_trump(trump, actions, grants)
    return out


def _check_capacity(rules: p.RuleTables, limits: dict[str, int], grants: dict[str, int]) -> None:
    """Raise `DefinitionError` if the tables lack capacity: an option is a byte, a limit and a permission a bit."""
    for what, size, most in (
        ("actions", len(rules.plans), _capacity("RuleTables", "plans")),
        ("characters", len(rules.kinds), _capacity("RuleTables", "kinds")),
        ("actions once per turn or game", len(limits), _BITS),
        ("permissions", len(set(grants.values())), _PERMISSIONS),
    ):
        if size > most:
            raise DefinitionError(f"{rules.name} has {size} {what}; there may be {most}")
