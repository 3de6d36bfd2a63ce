"""Assignment of roles to actions, by effect and never by name.

The steps of the effect, the target and the cost make up the shape of an action. A known shape gets a hand-written role;
any other is valued by its steps (``default_action_role.py``), so that a new action needs no change here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeVar

from blackpoker.ai.heuristics import combat_action_roles as fight
from blackpoker.ai.heuristics import magic_action_roles as magic
from blackpoker.ai.heuristics import unit_action_roles as unit
from blackpoker.ai.heuristics.action_role import Role
from blackpoker.ai.heuristics.default_action_role import (
    PER_CARD,
    PER_DAMAGE,
    PER_SOLDIER,
    PER_STRIPPED,
    PER_WALL,
    ByEffect,
)
from blackpoker.definitions.player_refs import ME, OPPONENT
from blackpoker.definitions.steps import cards, choosing, requests, trumps, units
from blackpoker.definitions.values import KeyCard, KeyOf, KeySum, Number, Ref, Value
from blackpoker.engine import events as ev
from blackpoker.engine.cards import VALUE, members
from blackpoker.engine.step import (
    ATTACHES,
    ATTACK,
    BLOCK,
    BURIES,
    CHANGES_NUMBER,
    CHANGES_NUMBERS,
    DAMAGES,
    DISCARDS,
    DRAWS,
    DRIVES,
    ENTERS,
    JUDGEMENT,
    MILLS,
    NEGATES,
    NO_PART,
    READIES,
    RETURNS,
    SWEEPS,
    TAKES,
    Step,
    StepTraits,
)
from blackpoker.engine.tables import (
    AIM_OPPONENT,
    AIM_PLAYER,
    AIM_REQUEST,
    AIM_TRUMP,
    AIM_UNIT,
    ANY,
    BULWARK,
    LARGER_DIES,
    NO_CHARGE,
    ON_END,
    SOLDIER,
    SPADE_PROOF,
    CompiledAction,
    RuleTables,
)

T = TypeVar("T", bound=Step)

#: more damage than this ends any game
DECISIVE = 30
#: estimate for a number that is unknown before the effect runs
UNKNOWN_NUMBER = 2
#: value of a trump's persistent abilities for its owner
ABILITY_WORTH = {LARGER_DIES: 2, NO_CHARGE: 6, SPADE_PROOF: 3}
MOST_WORTH = 8
#: more than the number of any soldier; a sweep without a bound buries them all
MOST_NUMBER = 999


class Shape(NamedTuple):
    """The properties of an action that determine its role."""

    plan: CompiledAction
    plans: list[CompiledAction]
    steps: list[Step]

    @property
    def kinds(self) -> frozenset[type[Step]]:
        return frozenset(type(step) for step in self.steps)

    def steps_of(self, kind: type[T]) -> list[T]:
        return [step for step in self.steps if isinstance(step, kind)]

    def first(self, kind: type[T]) -> T:
        return self.steps_of(kind)[0]

    @property
    def key_values(self) -> list[int]:
        return [VALUE[card] for card in members(self.plan.key_a)] if self.plan.key_count else []


def shape_of(plan: CompiledAction, plans: list[CompiledAction]) -> Shape:
    return Shape(plan, plans, [place.step for place in plan.program if not place.step.traits().jumps])


def kinds(*classes: type[Step]) -> frozenset[type[Step]]:
    return frozenset(classes)


# -- shapes that share their steps with others -------------------------------------------------------------------------


def enter_key(shape: Shape) -> Role | None:
    """Return the role by the kind of key that enters: a number, a face, an ace or a Joker."""
    enters = shape.first(units.Enter)
    values = shape.key_values
    if not isinstance(enters.card, KeyCard) or enters.bulwark or shape.plan.key_count != 1:
        return None
    if all(card >= 52 for card in members(shape.plan.key_a)):
        return unit.SummonMagician()
    if max(values) == 1:
        return unit.SummonAce()
    return unit.SummonHero() if min(values) > 10 else unit.SummonSoldier()


def enter_chosen(shape: Shape) -> Role | None:
    enters = shape.first(units.Enter)
    if enters.bulwark:
        return unit.SetBulwark() if enters.zone == ev.HAND else None
    return unit.EnterChosen(50, -20, 15, 5)


def bonus(shape: Shape) -> Role | None:
    amount = shape.first(units.Bonus)
    if amount.negative or shape.plan.aim != AIM_UNIT:
        return None
    if shape.plan.sourced:
        return fight.Encourage(6)
    return fight.Up() if isinstance(amount.amount, KeySum) else None


def malus(shape: Shape) -> Role | None:
    amount = shape.first(units.Bonus)
    return fight.Down() if amount.negative and isinstance(amount.amount, KeySum) else None


def negate(shape: Shape) -> Role | None:
    plan = shape.plan
    if plan.aim_action < 0:
        return magic.Counter() if plan.aim_counter else None
    return magic.Ceasefire() if shape.plans[plan.aim_action].judges else None


def negate_one_action(shape: Shape) -> Role | None:
    plan = shape.plan
    return magic.Armistice(4) if plan.aim_action >= 0 and shape.plans[plan.aim_action].is_attack else None


def bury(shape: Shape) -> Role | None:
    plan = shape.plan
    if plan.aim != AIM_UNIT:
        return None
    if plan.aim_type == BULWARK:
        return fight.DestroyBulwark()
    if plan.aim_type != SOLDIER:
        return None
    return fight.Slash(6) if plan.sourced else fight.Kill()


def damage(shape: Shape) -> Role | None:
    deals = shape.first(cards.Damage)
    if shape.plan.aim == AIM_OPPONENT and isinstance(deals.amount, KeyOf):
        return magic.Throw()
    if shape.plan.aim == AIM_PLAYER and isinstance(deals.amount, Number) and deals.amount.number > DECISIVE:
        return magic.DecisiveDamage()
    return None


def bury_all(shape: Shape) -> Role | None:
    step = shape.first(units.BuryAll)
    if step.whose != ANY or step.type != SOLDIER:
        return None
    if isinstance(step.at_most, KeySum):
        return fight.BuryUpTo(0, 0)
    return fight.BuryUpTo(step.at_most.number, 5) if isinstance(step.at_most, Number) else None


def search_life(shape: Shape) -> Role | None:
    if shape.first(cards.Take).zone != ev.LIFE:
        return None
    return magic.Fixed(-20) if shape.plan.cost.s else magic.SearchLife()


def take_back(shape: Shape) -> Role | None:
    return magic.Reunion() if shape.first(cards.Take).zone == ev.GRAVE else None


def discard(shape: Shape) -> Role | None:
    return magic.CivilWar(5) if shape.first(cards.Discard).who == OPPONENT else None


def give_up_unit(shape: Shape) -> Role | None:
    return fight.Sweep() if shape.first(choosing.ChooseUnit).by == OPPONENT else None


def raise_other(shape: Shape) -> Role | None:
    return unit.OwnLeast(-15, -20, 4) if shape.first(requests.Raise).keep_target else None


def charge_and_raise(shape: Shape) -> Role | None:
    raised = shape.plans[shape.first(requests.Raise).action.index]
    return fight.AttackAgain(5) if raised.is_attack and shape.plan.direct else None


def negate_and_suffer(shape: Shape) -> Role | None:
    return magic.NegateAtPrice(30, 4) if shape.first(cards.Damage).who == ME else None


def trump_closed(shape: Shape) -> Role | None:
    return magic.TurnTrumpDown() if shape.plan.aim == AIM_TRUMP else None


def trump_buried(shape: Shape) -> Role | None:
    return magic.DestroyTrump() if shape.plan.aim == AIM_TRUMP else None


def drive(shape: Shape) -> Role | None:
    return fight.Drive(6) if shape.plan.sourced and isinstance(shape.first(units.SetState).state, Number) else None


def bury_everything(shape: Shape) -> Role | None:
    return fight.BuryEverything(4) if shape.first(units.BuryAll).type == ANY else None


ROLES_BY_STEPS: dict[frozenset[type[Step]], Callable[[Shape], Role | None]] = {
    kinds(cards.Draw, choosing.ChooseWord): lambda shape: magic.MayDraw(),
    kinds(units.Enter): enter_key,
    kinds(choosing.ChooseCard, units.Enter): enter_chosen,
    kinds(choosing.ChooseWord, units.Enter): lambda shape: unit.QuickSummon(),
    kinds(cards.RevealAside, choosing.ChooseCard, units.Enter, cards.AsideToBottom): lambda shape: unit.EnterChosen(
        50, -20, 15, 7
    ),
    kinds(choosing.ChooseCard, units.Enter, units.ReturnSource): lambda shape: unit.EnterChosen(-15, -15, 15, 5),
    kinds(choosing.ChooseCard, units.Bury, units.Enter): lambda shape: unit.Reanimate(),
    kinds(units.Attach): lambda shape: unit.Equip(),
    kinds(units.ReturnTarget, requests.KeysToHand): lambda shape: unit.OwnLeast(-30, -30, 0),
    kinds(choosing.ChooseWord, units.LifeToBulwarks): lambda shape: unit.Replenish(),
    kinds(units.LifeToBulwarks): lambda shape: unit.AddBulwark(8),
    kinds(cards.RevealAndEnter, cards.AsideToBottom): lambda shape: unit.Recruit(),
    kinds(units.BulwarksToSoldiers, units.ChargeAll): lambda shape: unit.BulwarksAttack(),
    kinds(units.Bonus): bonus,
    kinds(units.Bonus, units.Bury): malus,
    kinds(units.BonusForAll): lambda shape: fight.Force(),
    kinds(choosing.ChooseWord, units.SetState): lambda shape: fight.Twist(),
    kinds(choosing.ChooseWord, units.SetState, units.TurnOver): lambda shape: fight.Reverse(),
    kinds(units.SetState): drive,
    kinds(units.Bury): bury,
    kinds(choosing.ChooseUnits, units.BuryUnits): lambda shape: fight.KillTogether(6),
    kinds(choosing.ChooseUnit, units.Bury): give_up_unit,
    kinds(units.BuryAll): bury_all,
    kinds(units.BuryAll, requests.Raise): bury_everything,
    kinds(units.TargetToLifeTop, cards.Damage): lambda shape: fight.DeathLance(),
    kinds(units.ChargeAll, requests.Raise): charge_and_raise,
    kinds(units.ChargeAll): lambda shape: magic.Fixed(-20, worth=3 if shape.plan.direct else 2),
    kinds(units.Gather, units.GatheredToLifeTop): lambda shape: magic.Fixed(-15, worth=4),
    kinds(requests.Negate): negate,
    kinds(requests.Negate, trumps.CloseTrump, units.ChargeAll): negate_one_action,
    kinds(requests.Negate, cards.Damage): negate_and_suffer,
    kinds(requests.Negate, cards.DiscardHand, trumps.BuryTrump): lambda shape: magic.NegateAtPrice(45, 3),
    kinds(requests.Retarget): lambda shape: magic.Redirect(),
    kinds(requests.Raise): raise_other,
    kinds(choosing.ChooseCard, requests.Raise, units.Bury): lambda shape: magic.Fixed(10, worth=3),
    kinds(cards.Damage): damage,
    kinds(choosing.ChooseUnit, units.ToLifeBottom, cards.Damage): lambda shape: magic.Drain(6),
    kinds(choosing.ChooseCard, cards.Take): take_back,
    kinds(choosing.ChooseCard, cards.Take, cards.Shuffle): search_life,
    kinds(choosing.ChooseCard, cards.Take, cards.OpenPack): lambda shape: magic.Fixed(60, 5),
    kinds(cards.Look, choosing.ChooseCard, cards.DiscardOne): lambda shape: magic.HandDestruction(),
    kinds(choosing.ChooseCards, cards.Discard): discard,
    kinds(cards.Draw, choosing.ChooseCard, choosing.ChooseWord, cards.HandToLife): lambda shape: magic.Foresight(),
    kinds(choosing.ChooseTrump, trumps.OpenTrump): lambda shape: magic.TurnTrumpUp(),
    kinds(trumps.CloseTrump): trump_closed,
    kinds(trumps.BuryTrump): trump_buried,
}


def known_role(shape: Shape) -> Role | None:
    plan = shape.plan
    if plan.ends_turn:
        return magic.Fixed(0)
    if plan.is_attack:
        return fight.Attack()
    if units.EnterAs in shape.kinds:  # in combination with a trump
        return unit.EnterChosen(20, -20, 45, 5) if trumps.Find in shape.kinds else unit.EnterChosen(70, 35, 45, 8)
    recognise = ROLES_BY_STEPS.get(shape.kinds)
    return None if recognise is None else recognise(shape)


def role_of(shape: Shape) -> Role:
    role = known_role(shape) or by_effect(shape)
    role.mills = any(step.traits().does == MILLS for step in shape.steps)
    return role


def part_of(plan: CompiledAction) -> int:
    """Return the part of a fight the action is, or NO_PART."""
    if plan.is_attack:
        return ATTACK
    if plan.judges:
        return JUDGEMENT
    return BLOCK if any(place.step.traits().fight == BLOCK for place in plan.program) else NO_PART


# -- any other shape ---------------------------------------------------------------------------------------------------


def amount_of(step: Step, role: ByEffect) -> int:
    return number_of(getattr(step, "amount", None), role)


def number_of(value: Value | None, role: ByEffect) -> int:
    """Return a literal number, or 0 for the number of a key (and set ``role.by_key``), else an estimate."""
    if isinstance(value, Number):
        return int(value.number)
    if isinstance(value, KeySum | KeyOf):
        role.by_key = True
        return 0
    return UNKNOWN_NUMBER


def by_effect(shape: Shape) -> ByEffect:
    """Build the role by adding up the steps."""
    plan = shape.plan
    role = ByEffect()
    role.aims = plan.aim
    for step in shape.steps:
        count_step(step, role, plan)
    if plan.aim == AIM_REQUEST and plan.aim_action >= 0:
        role.aimed_part = part_of(shape.plans[plan.aim_action])
    letters = plan.cost
    role.price = 4 * letters.b + 6 * letters.l + 7 * letters.d + 15 * letters.s + 5 * plan.key_count
    role.value = plain_value(role)
    role.worth = max(-3, min(MOST_WORTH, (role.value - role.price) // 6))
    return role


def plain_value(role: ByEffect) -> int:
    """Return the value for its owner, independent of the position."""
    value = PER_DAMAGE * (role.hurt - role.suffered) + PER_CARD * role.drawn + PER_STRIPPED * role.stripped
    value += PER_SOLDIER * role.soldiers + PER_WALL * role.walls
    if role.hurts and role.by_key:
        value += 5 * PER_DAMAGE
    useful = (role.buries, role.sweeps, role.negates, role.for_all, role.strengthens, role.weakens)
    return int(value) + 20 * useful.count(True)


def count_step(step: Step, role: ByEffect, plan: CompiledAction) -> None:
    """Add one step by its traits; the field names (``who``, ``amount``, ``count`` …) mean the same in every step."""
    facts = step.traits()
    does = facts.does
    mine = getattr(step, "who", None) == ME
    if does == DAMAGES:
        if mine:
            role.suffered += amount_of(step, role)
        else:
            role.hurts = True
            role.hurt += amount_of(step, role)
    elif does in (CHANGES_NUMBER, CHANGES_NUMBERS):
        role.for_all = role.for_all or does == CHANGES_NUMBERS
        role.weakens, role.strengthens = role.weakens or facts.sign < 0, role.strengthens or facts.sign > 0
        role.bonus += amount_of(step, role)
    elif does == SWEEPS:
        role.sweeps = True
        role.limit = min(MOST_NUMBER, number_of(getattr(step, "at_most", None), role))
    elif does == ENTERS:
        count_entering(step, facts, role)
    elif does == DRAWS:
        role.drawn = max(role.drawn, int(getattr(step, "count", 1)))
    elif does == TAKES:
        role.drawn += 1
    elif does == DISCARDS:
        role.suffered += 2 if mine else 0
        role.stripped += 0 if mine else 1
    elif does == ATTACHES:
        role.strengthens = role.by_key = True
    else:
        role.drives = role.drives or does == DRIVES
        role.buries = role.buries or does == BURIES
        role.negates = role.negates or does == NEGATES
        role.returns = role.returns or does == RETURNS
        role.readies = role.readies or does == READIES


def count_entering(step: Step, facts: StepTraits, role: ByEffect) -> None:
    card = getattr(step, "card", None)
    if card is None:  # from the top of life, ``count`` cards
        walls = int(getattr(step, "count", 1)) if facts.enters == BULWARK else 0
        role.walls += walls
        role.soldiers += 0 if walls else UNKNOWN_NUMBER
    elif facts.enters == BULWARK:
        role.walls += 1
    else:
        role.soldiers += 1
        role.by_key = role.by_key or isinstance(card, KeyCard)
        role.enters_chosen = role.enters_chosen or isinstance(card, Ref)


# -- of a whole format -------------------------------------------------------------------------------------------------


@cache
def roles_of(rules: RuleTables) -> list[Role]:
    roles = [role_of(shape_of(plan, rules.plans)) for plan in rules.plans if plan.stands_for < 0]
    return [roles[plan.stands_for if plan.stands_for >= 0 else plan.index] for plan in rules.plans]


@cache
def parts_of(rules: RuleTables) -> list[int]:
    return [part_of(plan) for plan in rules.plans]


@cache
def trump_worths(rules: RuleTables) -> list[int]:
    """Return by card the value of the open trump for its owner: what it allows, what it raises and its abilities."""
    roles = roles_of(rules)
    out = [0] * 54
    for card, trump in enumerate(rules.trumps):
        if trump is None:
            continue
        allowed = [plan for plan in rules.plans if plan.stands_for < 0 and plan.needs & trump.grants]
        worth = sum(int(roles[plan.index].worth) for plan in allowed)
        if trump.action >= 0:
            worth += int(roles[trump.action].worth) * (2 if trump.event == ON_END else 1)  # recurs every turn
        worth += sum(of for ability, of in ABILITY_WORTH.items() if trump.abilities & ability)
        out[card] = max(0, min(MOST_WORTH, worth))
    return out
