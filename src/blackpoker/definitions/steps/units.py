"""Steps that put units onto the field, change them, or remove them."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64

from blackpoker.definitions.player_refs import ME, OWNER
from blackpoker.definitions.questions import ask_order
from blackpoker.definitions.values import (
    KEY,
    NO_MAX,
    NO_MIN,
    NOTHING,
    TARGET_UNIT,
    CharacterName,
    Ref,
    Value,
    target_unit,
)
from blackpoker.engine import atoms, zone_moves
from blackpoker.engine import events as ev
from blackpoker.engine.cards import BIT
from blackpoker.engine.request import Request
from blackpoker.engine.state import DONE, ORDER_KIND, ROW_CODE, SIDE_CODE, State, Unit
from blackpoker.engine.step import (
    ATTACHES,
    BURIES,
    CHANGES_NUMBER,
    CHANGES_NUMBERS,
    DRIVES,
    ENTERS,
    READIES,
    RETURNS,
    SWEEPS,
    PlayerRef,
    Step,
    StepTraits,
)
from blackpoker.engine.tables import ANY, BULWARK, MINE, SOLDIER, THEIRS

# -- entering ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Enter(Step):
    """A card of a zone, or the key, enters as its soldier (R-80) or as a bulwark."""

    card: Value = KEY
    zone: i64 = ev.STAGE
    bulwark: bool = False
    driven: bool = False

    def traits(self) -> StepTraits:
        return StepTraits(does=ENTERS, enters=BULWARK if self.bulwark else SOLDIER)

    def run(self, s: State, request: Request) -> bool:
        card = self.card.of(s, request)
        if card < 0 or (not self.bulwark and s.rules.makes_soldier & BIT[card] == 0):  # N-416
            return True
        zone_moves.leave_zone(s, request, self.zone, card, self.bulwark)
        if self.bulwark:
            atoms.enter_bulwark(s, request.controller, card, self.driven)
        else:
            atoms.enter(s, request.controller, card, self.driven)
        return True


@dataclass(frozen=True)
class EnterAs(Step):
    """An own open trump and its partner (the key, or a card in any zone of the controller) enter as one named character
    (R-109, R-120)."""

    character: CharacterName
    trump: i64
    partner: Value = KEY
    anywhere: bool = False  # the partner may also be on the field, in the pack, or the rare card (N-413)

    def traits(self) -> StepTraits:
        return StepTraits(enters=SOLDIER)

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        side = s.sides[me]
        partner = self.partner.of(s, request)
        if side.open_trumps & BIT[self.trump] == 0 or partner < 0:
            return True
        bit: i64 = BIT[partner]
        zone = zone_moves.zone_of_card(side, request, bit)
        if self.anywhere:
            zone = zone_moves.zone_anywhere(side, request, bit)
        if zone < 0:
            return True
        zone_moves.leave_zone(s, request, zone, partner, False)
        atoms.take_trump(s, me, self.trump)
        atoms.enter_as(s, me, self.character.index, BIT[partner] | BIT[self.trump], self.trump)
        return True


@dataclass(frozen=True)
class LifeToBulwarks(Step):
    """The top cards of life enter as bulwarks."""

    count: i64
    driven: bool = False

    def traits(self) -> StepTraits:
        return StepTraits(does=ENTERS, enters=BULWARK)

    def run(self, s: State, request: Request) -> bool:
        n = self.count
        while n > 0 and s.sides[request.controller].life:
            zone_moves.life_to_bulwark(s, request.controller, self.driven)
            n -= 1
        return True


@dataclass(frozen=True)
class Attach(Step):
    """The key goes on the target (R-84, R-87)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=ATTACHES)

    def run(self, s: State, request: Request) -> bool:
        target = target_unit(s, request)
        card = KEY.of(s, request)
        if target is not None and card >= 0:
            zone_moves.leave_zone(s, request, ev.STAGE, card, False)
            atoms.attach(s, request.controller, target, card)
        return True


# -- to the grave or to hand -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bury(Step):
    """The target, or a chosen unit, goes to the grave; bind 1 if it did, else 0."""

    what: Value = TARGET_UNIT
    bind: Ref = NOTHING

    def traits(self) -> StepTraits:
        return StepTraits(does=BURIES, leaves_field=True)

    def run(self, s: State, request: Request) -> bool:
        unit = s.unit(self.what.of(s, request))
        if unit is not None:
            atoms.bury(s, s.owner_of(unit.id), unit)
        s.bind(self.bind.slot, 0 if unit is None else 1)
        return True


@dataclass(frozen=True)
class BuryAll(Step):
    """All units of a set go to the grave at once; numbers of soldiers are read before any unit moves (R-48)."""

    whose: i64 = ANY
    type: i64 = SOLDIER
    at_least: Value = NO_MIN
    at_most: Value = NO_MAX

    def traits(self) -> StepTraits:
        return StepTraits(does=SWEEPS, leaves_field=True)

    def run(self, s: State, request: Request) -> bool:
        least = self.at_least.of(s, request)
        most = self.at_most.of(s, request)
        first: list[Unit] = []
        second: list[Unit] = []
        player: i64 = 0
        for side in s.sides:
            doomed = first if player == 0 else second
            mine = player == request.controller
            if not (self.whose == MINE and not mine) and not (self.whose == THEIRS and mine):
                if self.type != BULWARK:
                    for unit in side.soldiers:
                        number = s.number(side, unit)
                        if number >= least and number <= most:
                            doomed.append(unit)
                if self.type != SOLDIER:
                    doomed.extend(side.bulwarks)
            player += 1
        atoms.bury_all(s, 0, first)
        atoms.bury_all(s, 1, second)
        return True


@dataclass(frozen=True)
class BuryUnits(Step):
    """The chosen own soldiers go to the grave at once, with the target if ``and_target`` (R-118)."""

    units: Ref
    and_target: bool = False

    def traits(self) -> StepTraits:
        return StepTraits(does=BURIES, leaves_field=True)

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        leads = s.bound(self.units.slot)
        doomed: list[Unit] = []
        for unit in s.sides[me].soldiers:
            if leads & BIT[unit.lead] != 0:
                doomed.append(unit)
        target = target_unit(s, request) if self.and_target else None
        atoms.bury_all(s, me, doomed)
        if target is not None:
            for unit in doomed:
                if unit is target:
                    return True
            atoms.bury(s, s.target_owner, target)
        return True


@dataclass(frozen=True)
class ReturnTarget(Step):
    """The target's cards go to their owner's hand."""

    def traits(self) -> StepTraits:
        return StepTraits(does=RETURNS, leaves_field=True)

    def run(self, s: State, request: Request) -> bool:
        target = target_unit(s, request)
        if target is not None:
            atoms.return_to_hand(s, s.target_owner, target)
        return True


@dataclass(frozen=True)
class ReturnSource(Step):
    """The cards of the soldier driven for the request go to the hand (R-116)."""

    def run(self, s: State, request: Request) -> bool:
        source = s.unit(request.source)
        if source is not None:
            atoms.return_to_hand(s, request.controller, source)
        return True


# -- charged and driven, numbers ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SetState(Step):
    """The target becomes charged if ``state`` is 0, driven if it is 1; other values change nothing."""

    state: Value

    def traits(self) -> StepTraits:
        return StepTraits(does=DRIVES)

    def run(self, s: State, request: Request) -> bool:
        target = target_unit(s, request)
        state = self.state.of(s, request)
        if target is not None and state == 0:
            atoms.charge(s, s.target_owner, target)
        elif target is not None and state == 1:
            atoms.drive(s, s.target_owner, target)
        return True


@dataclass(frozen=True)
class ChargeAll(Step):
    """All units of this type of a player become charged."""

    type: i64 = ANY
    who: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(does=READIES)

    def run(self, s: State, request: Request) -> bool:
        player = self.who.player(s, request)
        side = s.sides[player]
        if self.type != BULWARK:
            for unit in side.soldiers:
                atoms.charge(s, player, unit)
        if self.type != SOLDIER:
            for unit in side.bulwarks:
                atoms.charge(s, player, unit)
        return True


@dataclass(frozen=True)
class Bonus(Step):
    """Add to the target's number until end of turn; ``negative`` subtracts."""

    amount: Value
    negative: bool = False

    def traits(self) -> StepTraits:
        return StepTraits(does=CHANGES_NUMBER, sign=-1 if self.negative else 1)

    def run(self, s: State, request: Request) -> bool:
        target = target_unit(s, request)
        if target is not None:
            amount = self.amount.of(s, request)
            atoms.add_bonus(s, s.target_owner, target, -amount if self.negative else amount)
        return True


@dataclass(frozen=True)
class BonusForAll(Step):
    """Add to the number of all own soldiers, including later ones, until end of turn (R-171)."""

    amount: Value

    def traits(self) -> StepTraits:
        return StepTraits(does=CHANGES_NUMBERS)

    def run(self, s: State, request: Request) -> bool:
        atoms.add_bonus_for_all(s, request.controller, self.amount.of(s, request))
        return True


# -- onto and under life -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TargetToLifeTop(Step):
    """The target's cards go face down on top of its owner's life, in an order the controller chooses (R-167)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=BURIES, offered_cards_owner=OWNER, leaves_field=True, onto_life=True)

    def run(self, s: State, request: Request) -> bool:
        target = target_unit(s, request)
        if target is not None:
            if ask_order(s, request.controller, target.cards):
                return False
            zone_moves.unit_onto_life(s, s.target_owner, target, s.order, request.controller)
            s.order = []
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.order.append(option)
        return False


@dataclass(frozen=True)
class ToLifeBottom(Step):
    """A chosen own unit goes under life, cards in the owner's order; bind 1 if it did, else 0 (R-117)."""

    what: Value
    bind: Ref

    def traits(self) -> StepTraits:
        return StepTraits(leaves_field=True, onto_life=True)

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        unit = s.unit(self.what.of(s, request))
        if unit is not None:
            if ask_order(s, me, unit.cards):
                return False
            zone_moves.unit_under_life(s, me, unit, s.order)
            s.order = []
        s.bind(self.bind.slot, 0 if unit is None else 1)
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.order.append(option)
        return False


@dataclass(frozen=True)
class Gather(Step):
    """Bind the cards of all soldiers with at least this number, each side's to its own name (R-48)."""

    bind_mine: Ref
    bind_theirs: Ref
    at_least: Value

    def run(self, s: State, request: Request) -> bool:
        least = self.at_least.of(s, request)
        player: i64 = 0
        for side in s.sides:
            cards: i64 = 0
            for unit in side.soldiers:
                if s.number(side, unit) >= least:
                    cards |= unit.cards
            s.bind(self.bind_mine.slot if player == request.controller else self.bind_theirs.slot, cards)
            player += 1
        return True


@dataclass(frozen=True)
class GatheredToLifeTop(Step):
    """The gathered soldiers of one player go on top of life, cards in the owner's order (R-127)."""

    chosen: Value
    who: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(onto_life=True)

    def run(self, s: State, request: Request) -> bool:
        player = self.who.player(s, request)
        cards = self.chosen.of(s, request)
        if cards != 0:
            if ask_order(s, player, cards):
                return False
            zone_moves.soldiers_onto_life(s, player, cards, s.order)
            s.order = []
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.order.append(option)
        return False


# -- soldiers and bulwarks ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TurnOver(Step):
    """A targeted soldier becomes bulwarks, a targeted bulwark a soldier (R-178)."""

    def traits(self) -> StepTraits:
        return StepTraits(leaves_field=True)

    def run(self, s: State, request: Request) -> bool:
        target = target_unit(s, request)
        if target is not None:
            if s.rules.kinds[target.kind].bulwark:
                atoms.to_soldier(s, s.target_owner, target)
            else:
                if ask_order(s, s.target_owner, target.cards):  # by the controller of the new bulwarks
                    return False
                atoms.to_bulwark(s, s.target_owner, target, s.order)
                s.order = []
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.order.append(option)
        return False


@dataclass(frozen=True)
class SourceToSoldier(Step):
    """The bulwark driven for the request becomes a charged soldier, if it is still a bulwark and its card makes one
    (N-265, N-416, N-423)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=READIES)

    def run(self, s: State, request: Request) -> bool:
        source = s.unit(request.source)
        if source is not None and s.rules.kinds[source.kind].bulwark and s.rules.makes_soldier & source.cards != 0:
            atoms.to_soldier(s, request.controller, source)
            atoms.charge(s, request.controller, source)
        return True


@dataclass(frozen=True)
class BulwarksToSoldiers(Step):
    """All own bulwarks become soldiers (R-174)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=READIES)

    def run(self, s: State, request: Request) -> bool:
        row: list[Unit] = s.sides[request.controller].bulwarks[:]
        for unit in row:
            atoms.to_soldier(s, request.controller, unit)
        return True


@dataclass(frozen=True)
class UnitsToBulwarks(Step):
    """The chosen own soldiers become charged bulwarks, one per card, one soldier after another in field order
    (R-126)."""

    units: Ref

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        soldiers: list[Unit] = s.sides[me].soldiers[:]
        for unit in soldiers:
            bit: i64 = BIT[unit.lead]
            chosen = s.bound(self.units.slot)
            if chosen & bit != 0:
                atoms.charge(s, me, unit)
                if ask_order(s, me, unit.cards):
                    return False
                atoms.to_bulwark(s, me, unit, s.order)
                s.order = []
                s.bind(self.units.slot, chosen & ~bit)
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.order.append(option)
        return False


@dataclass(frozen=True)
class RearrangeRow(Step):
    """The controller may rearrange the own bulwarks one by one from the life side, or first choose DONE to keep the
    order (R-126)."""

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        row = s.sides[me].bulwarks
        if s.order and s.order[0] == DONE:
            s.order = []
            return True
        if len(row) < 2:
            return True
        s.options = []
        options = s.options
        place: i64 = 0
        while place < len(row):
            code = me * SIDE_CODE + ROW_CODE + place
            if int(code) not in s.order:
                options.append(code)
            place += 1
        if len(options) > 1:
            if not s.order:
                options.append(DONE)
            s.kind = ORDER_KIND
            s.asked = me
            return False
        s.order.append(options[0])
        zone_moves.rearrange_row(s, me, s.order)
        s.order = []
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.order.append(option)
        return False
