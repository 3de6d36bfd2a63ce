"""Steps that move cards between life, hand, grave and pack."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64

from blackpoker.definitions.player_refs import ME
from blackpoker.definitions.questions import ask_order, ask_public_card
from blackpoker.definitions.values import Ref, Value
from blackpoker.engine import atoms, zone_moves
from blackpoker.engine.cards import BIT
from blackpoker.engine.request import Request
from blackpoker.engine.state import State
from blackpoker.engine.step import (
    DAMAGES,
    DISCARDS,
    DRAWS,
    ENTERS,
    MILLS,
    TAKES,
    PlayerRef,
    Step,
    StepTraits,
)


@dataclass(frozen=True)
class Draw(Step):
    """The player draws cards (R-46)."""

    count: i64 = 1
    who: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(does=DRAWS)

    def run(self, s: State, request: Request) -> bool:
        player = self.who.player(s, request)
        n = self.count
        while n > 0:
            atoms.draw(s, player)
            n -= 1
        return True


@dataclass(frozen=True)
class Take(Step):
    """A chosen card of a zone goes to hand, shown."""

    card: Value
    zone: i64

    def traits(self) -> StepTraits:
        return StepTraits(does=TAKES)

    def run(self, s: State, request: Request) -> bool:
        card = self.card.of(s, request)
        if card >= 0:
            atoms.take_to_hand(s, request.controller, card, self.zone)
        return True


@dataclass(frozen=True)
class TakeRare(Step):
    """The rare card goes to the hand, unseen (N-239, N-414)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=TAKES)

    def run(self, s: State, request: Request) -> bool:
        atoms.take_rare(s, request.controller)
        return True


@dataclass(frozen=True)
class Discard(Step):
    """The chosen cards of the hand are discarded in one event (R-51); of several, their owner chooses the public one
    (R-211)."""

    chosen: Value
    who: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(does=DISCARDS)

    def run(self, s: State, request: Request) -> bool:
        player = self.who.player(s, request)
        cards = self.chosen.of(s, request)
        if ask_public_card(s, player, cards):
            return False
        atoms.discard(s, player, cards, -1)
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        atoms.discard(s, self.who.player(s, request), self.chosen.of(s, request), option)
        return True


@dataclass(frozen=True)
class DiscardOne(Step):
    """One chosen card of the hand is discarded."""

    card: Value
    who: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(does=DISCARDS)

    def run(self, s: State, request: Request) -> bool:
        card = self.card.of(s, request)
        if card >= 0:
            atoms.discard(s, self.who.player(s, request), BIT[card], card)
        return True


@dataclass(frozen=True)
class DiscardHand(Step):
    """The whole hand is discarded in one event; its owner chooses the public card (R-211)."""

    who: PlayerRef = ME

    def traits(self) -> StepTraits:
        return StepTraits(does=DISCARDS)

    def run(self, s: State, request: Request) -> bool:
        player = self.who.player(s, request)
        if ask_public_card(s, player, s.sides[player].hand):
            return False
        atoms.discard(s, player, s.sides[player].hand, -1)
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        player = self.who.player(s, request)
        atoms.discard(s, player, s.sides[player].hand, option)
        return True


@dataclass(frozen=True)
class Damage(Step):
    """Damage dealt by the effect (R-47); R-137 may forbid it."""

    who: PlayerRef
    amount: Value

    def traits(self) -> StepTraits:
        return StepTraits(does=DAMAGES)

    def run(self, s: State, request: Request) -> bool:
        player = self.who.player(s, request)
        amount = self.amount.of(s, request)
        if s.shielded & (1 if player == 0 else 2) == 0:
            atoms.damage(s, player, amount)
        return True


@dataclass(frozen=True)
class Shuffle(Step):
    """The controller's life is shuffled."""

    def run(self, s: State, request: Request) -> bool:
        atoms.shuffle(s, request.controller)
        return True


@dataclass(frozen=True)
class Look(Step):
    """Look at the opponent's hand (R-170)."""

    def run(self, s: State, request: Request) -> bool:
        atoms.show_hand(s, 1 - request.controller)
        return True


@dataclass(frozen=True)
class OpenPack(Step):
    """Look into the pack: it is open from now on (R-198)."""

    def run(self, s: State, request: Request) -> bool:
        atoms.open_pack(s, request.controller)
        return True


@dataclass(frozen=True)
class MillToFace(Step):
    """Move cards from life to the grave until a face card appears; that one goes to the hand (R-179, R-180)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=MILLS)

    def run(self, s: State, request: Request) -> bool:
        zone_moves.mill_to_face(s, request.controller)
        return True


@dataclass(frozen=True)
class RevealAndEnter(Step):
    """Turn up the top cards of life; those with a number at most ``at_most`` enter driven, the rest stay aside
    (R-173)."""

    count: i64
    at_most: Value

    def traits(self) -> StepTraits:
        return StepTraits(does=ENTERS)

    def run(self, s: State, request: Request) -> bool:
        zone_moves.reveal_and_enter(s, request.controller, self.count, self.at_most.of(s, request))
        return True


@dataclass(frozen=True)
class RevealAside(Step):
    """Turn up the top cards of life; they stay aside (R-123)."""

    count: i64

    def run(self, s: State, request: Request) -> bool:
        zone_moves.reveal_and_enter(s, request.controller, self.count, -1)
        return True


@dataclass(frozen=True)
class TurnUpPoints(Step):
    """Turn up the top card of life and add its points to the bound number: an A counts 11, or 1 where 11 would exceed
    ``most``, J to K 10, a Joker nothing, others their number (N-236, N-410)."""

    bind: Ref
    most: i64

    def traits(self) -> StepTraits:
        return StepTraits(total=self.bind.slot)

    def run(self, s: State, request: Request) -> bool:
        sum = s.bound(self.bind.slot)
        s.bind(self.bind.slot, sum + zone_moves.turn_up_points(s, request.controller, self.most - sum))
        return True


@dataclass(frozen=True)
class AsideToHand(Step):
    """The cards aside go to the hand (N-236)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=DRAWS)

    def run(self, s: State, request: Request) -> bool:
        zone_moves.aside_to_hand(s, request.controller)
        return True


@dataclass(frozen=True)
class AsideToGrave(Step):
    """The cards aside go to the grave (N-236)."""

    def traits(self) -> StepTraits:
        return StepTraits(does=MILLS)

    def run(self, s: State, request: Request) -> bool:
        zone_moves.aside_to_grave(s, request.controller)
        return True


@dataclass(frozen=True)
class AsideToBottom(Step):
    """The cards aside go under life in an order the player chooses (R-173)."""

    def traits(self) -> StepTraits:
        return StepTraits(onto_life=True)

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        if ask_order(s, me, s.sides[me].aside):
            return False
        zone_moves.aside_under_life(s, me, s.order)
        s.order = []
        return True

    def take(self, s: State, request: Request, option: i64) -> bool:
        s.order.append(option)
        return False


@dataclass(frozen=True)
class HandToLife(Step):
    """A chosen card of the hand goes on top of life if ``end`` is 0, else under it, unseen (R-133)."""

    card: Value
    end: Value

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        card = self.card.of(s, request)
        if card >= 0:
            zone_moves.hand_to_life(s, me, card, self.end.of(s, request) == 0)
        return True
