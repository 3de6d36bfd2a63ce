"""From definitions to the integer tables the engine runs on."""

from __future__ import annotations

from blackpoker.rules.cards import SUIT_SET, parse_card, parse_card_range
from blackpoker.rules import plan as p
from blackpoker.language import ops
from blackpoker.language import steps as st
from blackpoker.language.model import Action, ActionKind, Character, Lists, Format, Step, Timing, Trump, Who

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
}
_EVENTS = {"end": p.ON_END, "discard": p.ON_DISCARD, "open": p.ON_OPEN, "unblocked": p.ON_UNBLOCKED}
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
_VALUES = {
    "const": ops.CONST,
    "key_sum": ops.KEY_SUM,
    "key_of": ops.KEY_OF,
    "target_number": ops.TARGET_NUMBER,
    "target_key_count": ops.TARGET_KEY_COUNT,
    "target_key_sum": ops.TARGET_KEY_SUM,
    "target_charged": ops.TARGET_CHARGED,
    "target_is_soldier": ops.TARGET_IS_SOLDIER,
    "target_cards": ops.TARGET_CARDS,
    "source_number": ops.SOURCE_NUMBER,
    "amount": ops.AMOUNT,
    "attackers": ops.ATTACKERS,
    "charge_forbidden": ops.CHARGE_FORBIDDEN,
    "life": ops.LIFE,
    "hand": ops.HAND,
    "bulwarks": ops.BULWARKS,
    "bind": ops.BIND,
    "hand_over_limit": ops.HAND_OVER_LIMIT,
    "twice_amount": ops.TWICE_AMOUNT,
    "trump_open": ops.TRUMP_OPEN,
    "sum_of": ops.SUM_OF,
    "target_equippable": ops.TARGET_EQUIPPABLE,
    "target_open": ops.TARGET_OPEN,
    "target_of_key_suit": ops.TARGET_OF_KEY_SUIT,
    "target_is_key": ops.TARGET_IS_KEY,
}
_TESTS = {"==": ops.EQUAL, "!=": ops.DIFFERENT, "<=": ops.AT_MOST, ">=": ops.AT_LEAST, "%": ops.DIVISIBLE}
_LETTER_WORDS = {"B": p.WORD_BULWARK, "D": p.WORD_DISCARD, "S": p.WORD_SACRIFICE}
_SUITS = {"♠": 0, "♡": 1, "♢": 2, "♣": 3}


class DefinitionError(Exception):
    """A definition that cannot be what its author meant; says where and why."""


def cards_of(text: str) -> int:
    """The set of a list of ranges: ``"JK A J-K"``."""
    cards = 0
    for part in text.split():
        cards |= parse_card_range(part)
    return cards


class _Program:
    """Compiles the steps of one action."""

    def __init__(self, action: Action, actions: dict[str, int], kinds: dict[str, int] | None = None) -> None:
        self.action = action
        self.actions = actions
        self.kinds = kinds or {}
        self.ops: list[p.Op] = []
        self.slots: dict[str, int] = {}

    def error(self, what: str) -> DefinitionError:
        return DefinitionError(f"action {self.action.id}: {what}")

    def slot(self, bind: str, new: bool = False) -> int:
        if not bind:
            return -1
        if bind not in self.slots:
            if not new:
                raise self.error(f"{bind!r} is used but nothing binds it")
            if len(self.slots) == 4:
                raise self.error("an effect may bind at most four names")
            self.slots[bind] = len(self.slots)
        return self.slots[bind]

    def value(self, value: st.Value) -> tuple[int, int]:
        code = _VALUES[value.name]
        if value.name == "const":
            return code, value.number
        if value.name == "key_of":
            return code, cards_of(value.cards)
        if value.name == "bind" or value.name == "sum_of":
            return code, self.slot(value.bind)
        if value.name == "trump_open":
            return code, self.card(value.cards)
        return code, self.who(value.who)

    def who(self, who: Who) -> int:
        return who.value

    def card(self, text: str) -> int:
        card = parse_card(text)
        if card < 0:
            raise self.error(f"{text!r} is no card")
        return card

    def trump(self, what: str) -> int:
        return -1 if what == "target" else self.card(what)

    def kind_index(self, id: str) -> int:
        if id not in self.kinds:
            raise self.error(f"{id!r} is not a character of this format")
        return self.kinds[id]

    def action_index(self, id: str) -> int:
        if id not in self.actions:
            raise self.error(f"raises {id!r}, which is not an action of this format")
        return self.actions[id]

    def steps(self, steps: tuple[Step, ...]) -> None:
        for step in steps:
            self.step(step)

    def add(self, code: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, jump: int = 0) -> p.Op:
        op = p.Op(code, a, b, c, d, e, jump)
        self.ops.append(op)
        return op

    def condition(self, code: int, condition: st.Condition) -> p.Op:
        left, left_argument = self.value(condition.left)
        right, right_argument = self.value(condition.right)
        return self.add(code, left, left_argument, _TESTS[condition.test], right, right_argument)

    def branch(self, step: st.If) -> None:
        leave: list[p.Op] = []
        if isinstance(step.condition, st.Either):
            inside = [self.condition(ops.IF, condition) for condition in step.condition.conditions]
            leave.append(self.add(ops.JUMP))
            for op in inside:
                op.jump = len(self.ops)
        elif isinstance(step.condition, st.Both):
            leave = [self.condition(ops.UNLESS, condition) for condition in step.condition.conditions]
        else:
            leave.append(self.condition(ops.UNLESS, step.condition))
        self.steps(step.then)
        if step.otherwise:
            over = self.add(ops.JUMP)
            for op in leave:
                op.jump = len(self.ops)
            self.steps(step.otherwise)
            over.jump = len(self.ops)
        else:
            for op in leave:
                op.jump = len(self.ops)

    def choose(self, step: st.Choose) -> None:
        by = self.who(step.by)
        if isinstance(step.what, tuple):
            index = st.OPTION_SETS.index(step.what)
            self.add(ops.CHOOSE_OPTION, index, len(step.what), self.slot(step.bind, True), by)
        elif isinstance(step.what, st.Units):
            self.add(
                ops.CHOOSE_UNIT, step.what.whose.value, step.what.type.value, self.slot(step.bind, True), by
            )  # fmt: skip
        else:
            cards = cards_of(step.cards) if step.cards else 2**54 - 1
            self.add(
                ops.CHOOSE_CARD, step.what.value, cards, self.slot(step.bind, True), by, self.who(step.whose)
            )  # fmt: skip

    def bury(self, step: st.Bury) -> None:
        slot = self.slot(step.bind, True)
        if isinstance(step.what, st.Units):
            test, code, argument = 0, 0, 0
            if step.what.at_most is not None:
                test = 1
                code, argument = self.value(step.what.at_most)
            elif step.what.at_least is not None:
                test = 2
                code, argument = self.value(step.what.at_least)
            self.add(ops.BURY_ALL, step.what.whose.value, step.what.type.value, slot, test, code, argument)
        elif step.what == "target":
            self.add(ops.BURY_TARGET, c=slot)
        else:
            self.add(ops.BURY_CHOSEN, a=self.slot(step.what), c=slot)

    def set_state(self, step: st.SetState) -> None:
        state = {"charged": 0, "driven": 1}.get(step.state, 2)
        slot = self.slot(step.state) if state == 2 else 0
        if isinstance(step.what, st.Units):
            self.add(ops.STATE_ALL, state, self.who(step.whose), step.what.type.value)
        else:
            self.add(ops.STATE_TARGET, state, slot)

    def step(self, step: Step) -> None:
        add = self.add
        if isinstance(step, st.If):
            self.branch(step)
        elif isinstance(step, st.Choose):
            self.choose(step)
        elif isinstance(step, st.ChooseSome):
            code, argument = self.value(step.count)
            add(ops.CHOOSE_CARDS, step.what.value, code, self.slot(step.bind, True), self.who(step.by), argument)
        elif isinstance(step, st.ChooseUnits):
            add(ops.CHOOSE_UNITS, b=step.least, c=self.slot(step.bind, True))
        elif isinstance(step, st.ChooseRequest):
            add(ops.CHOOSE_REQUEST, c=self.slot(step.bind, True))
        elif isinstance(step, st.ChooseTrump):
            add(ops.CHOOSE_TRUMP, c=self.slot(step.bind, True))
        elif isinstance(step, st.Enter):
            slot = -1 if step.card == "key" else self.slot(step.card)
            flags = (1 if step.bulwark else 0) | (2 if step.known else 0) | (4 if step.driven else 0)
            add(ops.ENTER, step.zone.value, slot, flags)
        elif isinstance(step, st.LifeToBulwarks):
            add(ops.LIFE_TO_BULWARKS, step.count, 1 if step.driven else 0)
        elif isinstance(step, st.Bury):
            self.bury(step)
        elif isinstance(step, st.SetState):
            self.set_state(step)
        elif isinstance(step, st.Damage):
            code, argument = self.value(step.amount)
            add(ops.DAMAGE, self.who(step.who), code, argument)
        elif isinstance(step, st.Draw):
            add(ops.DRAW, self.who(step.who), step.count)
        elif isinstance(step, st.Take):
            add(ops.TAKE, step.zone.value, self.slot(step.card))
        elif isinstance(step, st.Negate):
            if step.what == "target":
                add(ops.NEGATE_TARGET)
            else:
                add(ops.NEGATE_CHOSEN, self.slot(step.what))
        elif isinstance(step, st.Raise):
            flags = (1 if step.keep_target else 0) | (2 if step.then_pass else 0)
            virtual = cards_of(step.virtual_keys) if step.virtual_keys else 0
            add(
                ops.RAISE, self.action_index(step.action), self.who(step.controller), flags, virtual,
                self.slot(step.key),
            )  # fmt: skip
        elif isinstance(step, st.Bonus):
            code, argument = self.value(step.amount)
            add(ops.BONUS, code, argument, -1 if step.negative else 1)
        elif isinstance(step, st.BonusForAll):
            add(ops.BONUS_FOR_ALL, *self.value(step.amount))
        elif isinstance(step, st.Discard):
            slot = -1 if step.cards == "all" else self.slot(step.cards)
            add(ops.DISCARD, slot, self.who(step.who), 1 if self.binds_one_card(step.cards) else 0)
        elif isinstance(step, st.RevealAndEnter):
            add(ops.REVEAL_AND_ENTER, step.count, *self.value(step.at_most))
        elif isinstance(step, st.OpenTrump):
            add(ops.OPEN_TRUMP, self.slot(step.trump))
        elif isinstance(step, st.CloseTrump):
            add(ops.CLOSE_TRUMP, self.trump(step.what))
        elif isinstance(step, st.BuryTrump):
            add(ops.BURY_TRUMP, self.trump(step.what))
        elif isinstance(step, st.Find):
            add(ops.FIND, self.card(step.card), 0, self.slot(step.bind, True))
        elif isinstance(step, st.EnterAs):
            partner = -1 if step.partner == "key" else self.card(step.partner)
            add(ops.ENTER_AS, self.kind_index(step.character), self.card(step.trump), partner)
        elif isinstance(step, st.BuryUnits):
            add(ops.BURY_UNITS, self.slot(step.units), 1 if step.and_target else 0)
        elif isinstance(step, st.ToLifeBottom):
            add(ops.TO_LIFE_BOTTOM, self.slot(step.unit), 0, self.slot(step.bind, True))
        elif isinstance(step, st.Gather):
            code, argument = self.value(step.at_least)
            add(ops.GATHER, self.slot(step.mine, True), self.slot(step.theirs, True), code, argument)
        elif isinstance(step, st.GatheredToLifeTop):
            add(ops.GATHERED_TO_LIFE_TOP, self.slot(step.cards), self.who(step.who))
        elif isinstance(step, st.RevealAside):
            add(ops.REVEAL_ASIDE, step.count)
        elif isinstance(step, st.UnitsToBulwarks):
            add(ops.UNITS_TO_BULWARKS, self.slot(step.units))
        elif isinstance(step, st.HandToLife):
            add(ops.HAND_TO_LIFE, self.slot(step.card), self.slot(step.place))
        elif type(step) in _PLAIN:
            add(_PLAIN[type(step)])
        else:
            raise self.error(f"no compilation for {type(step).__name__}")

    def binds_one_card(self, bind: str) -> bool:
        slot = self.slots.get(bind, -1)
        return any(op.code == ops.CHOOSE_CARD and op.c == slot for op in self.ops)


_PLAIN: dict[type[Step], int] = {
    st.Attach: ops.ATTACH,
    st.ReturnTarget: ops.RETURN_TARGET,
    st.KeysToHand: ops.KEYS_TO_HAND,
    st.Shuffle: ops.SHUFFLE,
    st.Retarget: ops.RETARGET,
    st.Look: ops.LOOK,
    st.EndTurn: ops.END_TURN,
    st.NameAttackers: ops.NAME_ATTACKERS,
    st.AssignBlockers: ops.ASSIGN_BLOCKERS,
    st.CompareCombat: ops.COMPARE_COMBAT,
    st.TargetToLifeTop: ops.TARGET_TO_LIFE_TOP,
    st.TurnOver: ops.TURN_OVER,
    st.BulwarksToSoldiers: ops.BULWARKS_TO_SOLDIERS,
    st.MillToFace: ops.MILL_TO_FACE,
    st.AsideToBottom: ops.ASIDE_TO_BOTTOM,
    st.OpenPack: ops.OPEN_PACK,
    st.CloseAllTrumps: ops.CLOSE_ALL_TRUMPS,
    st.RestoreTrump: ops.RESTORE_TRUMP,
    st.RearrangeRow: ops.REARRANGE_ROW,
    st.ReturnSource: ops.RETURN_SOURCE,
}


def _words(action: Action, cost: str) -> list[int]:
    words: list[int] = []
    if action.source:
        words.append(p.WORD_SOURCE)
    if action.key is not None:
        words += [p.WORD_KEY] * action.key.count
    words += [_LETTER_WORDS[letter] for letter in cost if letter in _LETTER_WORDS]
    if action.target is not None and action.target.aim != "opponent":
        words.append(p.WORD_TARGET)
    return words


def _plan(
    action: Action, index: int, actions: dict[str, int], limits: dict[str, int], grants: dict[str, int]
) -> p.Plan:
    plan = p.Plan(index, action.id)
    for cost in (action.cost, action.quick_cost):
        if set(cost) - set("BLDS"):
            raise DefinitionError(f"action {action.id}: a cost is made of the letters B L D S, not {cost!r}")
    plan.direct = action.direct
    plan.immediate = action.immediate
    plan.main = action.timing is Timing.MAIN
    plan.cost = p.Cost(action.cost)
    plan.quick_cost = p.Cost(action.quick_cost) if action.quick_cost else None
    plan.quick_magic = action.kind is ActionKind.QUICK_MAGIC
    if action.key is not None:
        _set_key(plan, action)
    if action.target is not None:
        target = action.target
        plan.aim = _AIMS[target.aim]
        plan.aim_whose = target.whose.value
        plan.aim_type = target.type.value
        plan.aim_suit = target.key_suit
        plan.aim_cards = cards_of(target.contains) if target.contains else 0
        plan.aim_equip = target.equippable
        if target.action:
            if target.action not in actions:
                raise DefinitionError(f"action {action.id}: targets {target.action!r}, which is not an action here")
            plan.aim_action = actions[target.action]
        plan.aim_keys_min, plan.aim_keys_max = target.keys
        plan.aim_counter = target.counterable
        plan.aim_targeted = target.targeted
        if "S" in action.cost and target.aim == "unit":
            raise DefinitionError(f"action {action.id}: a cost S together with a unit as target is not supported")
    if action.per_turn or action.per_game:
        plan.limit = limits.setdefault(action.id, 2 ** len(limits))
        plan.limit_game = action.per_game
    plan.opponent_turn_only = action.opponent_turn_only
    plan.counterable = action.counterable
    plan.late_triggers = action.late_triggers
    plan.ends_turn = action.ends_turn
    plan.is_attack = action.attacks
    plan.judges = action.judges
    plan.needs = grants[action.permission] if action.permission else 0
    plan.sourced = bool(action.source)
    if action.source and action.source != "self":
        plan.suits = sum(SUIT_SET[_SUITS[suit]] for suit in action.source)
    plan.words = _words(action, action.cost)
    plan.quick_words = _words(action, action.quick_cost)
    plan.free_words = _words(action, "")
    return plan


def _set_key(plan: p.Plan, action: Action) -> None:
    key = action.key
    assert key is not None
    plan.key = _KEYS[key.form]
    plan.key_count = key.count
    if key.form == "whole":
        for text in key.ranges:
            plan.key_sets.append(sum(2 ** parse_card(card) for card in text.split()))
    elif key.form == "each":
        plan.key_a, plan.key_b = cards_of(key.ranges[0]), cards_of(key.ranges[1])
        if plan.key_a & plan.key_b:
            raise DefinitionError(f"action {action.id}: the two keys may not overlap")
    elif key.ranges:
        plan.key_a = cards_of(" ".join(key.ranges))


def _driven_plan(character: Character, base: p.Plan, index: int, grants: dict[str, int]) -> p.Plan:
    """Another way to word the base action: a character is driven for it and its keys are virtual (R-105, R-106)."""
    drives = character.drives
    assert drives is not None
    plan = p.Plan(index, base.id + "@")
    plan.stands_for = base.index
    plan.immediate = base.immediate
    plan.main = base.main
    plan.aim = base.aim
    plan.aim_whose = base.aim_whose
    plan.aim_type = base.aim_type
    plan.aim_cards = base.aim_cards
    plan.virtual = cards_of(drives.virtual_keys)
    plan.virtual_count = len(drives.virtual_keys.split())
    plan.passes_after = True
    plan.sourced = True
    plan.needs = grants[plan.id]
    plan.words = [p.WORD_SOURCE] + ([p.WORD_TARGET] if base.words and base.words[-1] == p.WORD_TARGET else [])
    plan.quick_words = plan.words
    plan.free_words = plan.words
    return plan


def _kind(character: Character, index: int, actions: dict[str, int], grants: dict[str, int]) -> p.Kind:
    kind = p.Kind(index, character.id)
    kind.bulwark = character.bulwark
    kind.haste = character.haste
    kind.haste_cards = cards_of(character.haste_with)
    kind.fixed_number = -1 if character.number is None else character.number
    for ability in character.abilities:
        kind.abilities |= _ABILITIES[ability.flag] if ability.flag else 0
    for permission in character.permissions:
        kind.grants |= grants[permission]
    if character.drives is not None:
        kind.grants |= grants[character.drives.action + "@"]
    if character.pair is not None:
        kind.pair_trump = cards_of(character.pair[0])
        kind.pair_cards = cards_of(character.pair[1])
    leaves = character.leaves
    if leaves is not None:
        kind.leave_action = actions[leaves.action]
        kind.leave_count = leaves.times
        kind.leave_cards = cards_of(leaves.per_card)
        kind.leave_to_hand = leaves.to_hand
        kind.leave_card = cards_of(leaves.names)
    if character.at_end:
        kind.end_action = actions[character.at_end]
    return kind


def compile_rules(edition: Lists, format: Format, options: tuple[str, ...] = ()) -> p.Rules:
    """The tables of one format; ``options`` are ids of option actions to add."""
    rules = p.Rules()
    rules.name = format.id
    chosen = [a for a in edition.actions if a.since <= format or (a.since is Format.OPTION and a.id in options)]
    characters = [c for c in edition.characters if c.since <= format]
    trumps: list[Trump] = list(edition.trumps) if format is Format.EXTRA else []
    actions = {action.id: index for index, action in enumerate(chosen)}
    if len(actions) != len(chosen):
        raise DefinitionError("two actions have the same id")
    limits: dict[str, int] = {}
    grants: dict[str, int] = {}
    driving = [c for c in characters if c.drives is not None]
    for granted in (
        [x for t in trumps for x in t.allows]
        + [x for c in characters for x in c.permissions]
        + [c.drives.action + "@" for c in driving if c.drives is not None]
    ):
        grants.setdefault(granted, 2 ** len(grants))
    rules.faces = cards_of(edition.faces)
    rules.plans = [_plan(action, index, actions, limits, grants) for index, action in enumerate(chosen)]
    kinds = {character.id: index for index, character in enumerate(characters)}
    for action, plan in zip(chosen, rules.plans, strict=True):
        program = _Program(action, actions, kinds)
        for clause in action.effect:
            if not clause.ja or not clause.en:
                raise DefinitionError(f"action {action.id}: every clause needs its text in both languages")
            program.steps(clause.steps)
        plan.program = program.ops
        if plan.is_attack and plan.direct:
            rules.attack_limit = plan.limit
    rules.kinds = [_kind(character, index, actions, grants) for index, character in enumerate(characters)]
    untargetable = any(kind.abilities & p.UNTARGETABLE for kind in rules.kinds)
    for character in driving:
        assert character.drives is not None
        base = rules.plans[actions[character.drives.action]]
        rules.plans.append(_driven_plan(character, base, len(rules.plans), grants))
    for plan in rules.plans:
        plan.settle(untargetable)
    for plan in rules.plans:
        simple = plan.key in (p.NO_KEY, p.ONE)
        if plan.direct:
            (rules.main_simple if simple else rules.main_others).append(plan)
            if not plan.main or plan.quick_cost is not None:
                (rules.quick_simple if simple else rules.quick_others).append(plan)
    rules.kind_of_card = [0] * 54
    for character, kind in zip(characters, rules.kinds, strict=True):
        if character.bulwark:
            rules.bulwark_kind = kind.index
        elif character.id == "armed_soldier":
            rules.armed_kind = kind.index
        for card in range(54):
            if cards_of(character.made_by) & 2**card:
                rules.kind_of_card[card] = kind.index
    rules.trumps = [None] * 54
    for trump in trumps:
        compiled = p.TrumpPlan(parse_card(trump.card), trump.id)
        for ability in trump.abilities:
            compiled.abilities |= _ABILITIES[ability.flag] if ability.flag else 0
        for permission in trump.allows:
            compiled.grants |= grants[permission]
        if trump.on:
            compiled.event = _EVENTS[trump.on]
            compiled.action = actions[trump.raises]
        rules.trumps[compiled.card] = compiled
    rules.end_triggers = any(kind.end_action >= 0 for kind in rules.kinds) or any(t.on == "end" for t in trumps)
    rules.discard_triggers = any(trump.on == "discard" for trump in trumps)
    return rules
