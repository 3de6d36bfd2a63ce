"""Steps that ask for a card, a unit, a word … and bind the choice. Without options they bind -1 and do not ask
(R-42)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mypy_extensions import i64

from blackpoker.definitions.player_refs import ME
from blackpoker.definitions.questions import ask_or_bind_none, list_units, zone_cards
from blackpoker.definitions.values import Ref, Value, Words, target_unit
from blackpoker.engine.atoms import locked, suits_of
from blackpoker.engine.cards import ABOVE, ALL, BIT, LOW, count, last_of, total
from blackpoker.engine.key_cards import list_cards
from blackpoker.engine.request import Request
from blackpoker.engine.state import (
    CARD_KIND,
    CARDS_KIND,
    DONE,
    OPTION_KIND,
    REQUEST_KIND,
    SIDE_CODE,
    TRUMP_KIND,
    UNIT_KIND,
    UNITS_KIND,
    State,
)
from blackpoker.engine.step import PlayerRef, Step, StepTraits
from blackpoker.engine.tables import A_CARD, A_REQUEST, A_SET, A_UNIT, A_WORD, ANY, SOLDIER

#: no second zone
NO_ZONE: Final = -1
# Limits of a choice of cards.
NO_LIMIT: Final = 0
SOLDIERS_ONLY: Final = 1  # cards that make a soldier (N-416)
TARGET_SUIT: Final = 2  # cards of a suit of the target (N-279)


@dataclass(frozen=True)
class ChooseCard(Step):
    """Ask for a card of a zone of the player ``owner``; ``among``: only these cards; ``also``: of that zone as well;
    ``limit``: only cards that make a soldier, or only those of a suit of the target."""

    bind: Ref
    zone: i64
    by: PlayerRef = ME
    owner: PlayerRef = ME
    among: i64 = ALL
    also: i64 = NO_ZONE
    limit: i64 = NO_LIMIT

    def traits(self) -> StepTraits:
        return StepTraits(chooses=A_CARD, offered_cards_owner=self.owner)

    def run(self, s: State, request: Request) -> bool:
        s.options = []
        side = s.sides[self.owner.player(s, request)]
        cards = zone_cards(side, self.zone)
        if self.also != NO_ZONE:
            cards |= zone_cards(side, self.also)
        if self.limit == SOLDIERS_ONLY:
            cards &= s.rules.makes_soldier
        elif self.limit == TARGET_SUIT:
            target = target_unit(s, request)
            cards &= 0 if target is None else suits_of(target)
        list_cards(cards & self.among, s.options)
        return not ask_or_bind_none(s, CARD_KIND, self.by.player(s, request), self.bind)

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.bind(self.bind.slot, option)
        return True


@dataclass(frozen=True)
class ChooseCards(Step):
    """Ask for several cards of the asked player's zone, ``how_many`` or all if there are fewer: in ascending order, so
    that each set has one encoding."""

    bind: Ref
    zone: i64
    how_many: Value
    by: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(chooses=A_SET)

    def run(self, s: State, request: Request) -> bool:
        player = self.by.player(s, request)
        chosen = s.bound(self.bind.slot)
        cards = zone_cards(s.sides[player], self.zone)
        needed = self.remaining_choices(s, request, player)
        if needed <= 0:
            return True
        if chosen != 0:
            cards &= ABOVE[LOW[last_of(chosen) % 59]]
        while needed > 1:
            cards &= ~last_of(cards)
            needed -= 1
        s.options = []
        list_cards(cards, s.options)
        s.kind = CARDS_KIND
        s.asked = player
        return False

    def remaining_choices(self, s: State, request: Request, player: i64) -> i64:
        """Return the number of cards still to be chosen."""
        there = count(zone_cards(s.sides[player], self.zone))
        return min(self.how_many.of(s, request), there) - count(s.bound(self.bind.slot))

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.bind(self.bind.slot, s.bound(self.bind.slot) | BIT[option])
        return False


@dataclass(frozen=True)
class ChooseWord(Step):
    """Ask for one of several words; bind its index."""

    bind: Ref
    words: Words
    by: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(chooses=A_WORD)

    def run(self, s: State, request: Request) -> bool:
        s.options = []
        n: i64 = 0
        while n < self.words.size:
            s.options.append(n)
            n += 1
        return not ask_or_bind_none(s, OPTION_KIND, self.by.player(s, request), self.bind)

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.bind(self.bind.slot, option)
        return True


@dataclass(frozen=True)
class ChooseUnit(Step):
    """Ask for a unit; ``whose`` is relative to the asked player."""

    bind: Ref
    whose: i64 = ANY
    type: i64 = SOLDIER
    by: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(chooses=A_UNIT)

    def run(self, s: State, request: Request) -> bool:
        player = self.by.player(s, request)
        s.options = []
        list_units(s, player, self.whose, self.type, s.options)
        return not ask_or_bind_none(s, UNIT_KIND, player, self.bind)

    def take(self, s: State, request: Request, option: i64) -> bool:
        unit = s.unit_by_code(option)
        assert unit is not None
        s.bind(self.bind.slot, unit.id)
        return True


@dataclass(frozen=True)
class ChooseUnits(Step):
    """Ask for any number of own soldiers in field order, at least ``least`` or all if there are fewer; bind the set of
    their first cards."""

    bind: Ref
    least: i64 = 0

    def traits(self) -> StepTraits:
        return StepTraits(chooses=A_SET)

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        s.options = []
        options = s.options
        chosen = s.bound(self.bind.slot)
        for unit in s.sides[me].soldiers:
            if chosen & BIT[unit.lead] != 0:
                options.clear()
            else:
                options.append(me * SIDE_CODE + unit.lead)
        if not options:
            return True
        if count(chosen) >= self.least:
            options.append(DONE)
        s.kind = UNITS_KIND
        s.asked = me
        return False

    def take(self, s: State, request: Request, option: i64) -> bool:
        if option == DONE:
            return True
        s.bind(self.bind.slot, s.bound(self.bind.slot) | BIT[option % SIDE_CODE])
        return False


@dataclass(frozen=True)
class ChooseRequest(Step):
    """Ask for a request on the stage with two keys, or one no higher than this key (R-133)."""

    bind: Ref

    def traits(self) -> StepTraits:
        return StepTraits(chooses=A_REQUEST)

    def run(self, s: State, request: Request) -> bool:
        s.options = []
        limit = total(request.keys)
        index: i64 = 0
        for staged in s.stage:
            if staged.key_count == 2 or (staged.key_count == 1 and total(staged.keys | staged.virtual) <= limit):
                s.options.append(index)
            index += 1
        return not ask_or_bind_none(s, REQUEST_KIND, request.controller, self.bind)

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.bind(self.bind.slot, s.stage[option].id)
        return True


@dataclass(frozen=True)
class ChooseTrump(Step):
    """Ask for an own face-down trump."""

    bind: Ref

    def traits(self) -> StepTraits:
        return StepTraits(chooses=A_CARD)

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        side = s.sides[me]
        s.options = []
        place: i64 = 0
        for card in side.trumps:
            if side.open_trumps & BIT[card] == 0 and not locked(s, me, card):  # N-062
                s.options.append(me * SIDE_CODE + place)
            place += 1
        return not ask_or_bind_none(s, TRUMP_KIND, me, self.bind)

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.bind(self.bind.slot, s.sides[option // SIDE_CODE].trumps[option % SIDE_CODE])
        return True
