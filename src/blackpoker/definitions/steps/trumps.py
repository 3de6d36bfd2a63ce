"""Steps about trumps."""

from __future__ import annotations

from dataclasses import dataclass

from mypy_extensions import i64

from blackpoker.definitions.values import TARGET_TRUMP, Ref, Value
from blackpoker.engine import atoms, zone_moves
from blackpoker.engine.cards import BIT
from blackpoker.engine.events import LIFE, PACK
from blackpoker.engine.request import Request
from blackpoker.engine.state import TRUMP_CODE, State
from blackpoker.engine.step import Step


@dataclass(frozen=True)
class OpenTrump(Step):
    """A chosen own trump is turned face up (R-103)."""

    card: Value

    def run(self, s: State, request: Request) -> bool:
        card = self.card.of(s, request)
        if card >= 0:
            atoms.open_trump(s, request.controller, card)
        return True


@dataclass(frozen=True)
class CloseTrump(Step):
    """The targeted trump, or an own one, is turned face down (R-101)."""

    what: Value = TARGET_TRUMP

    def run(self, s: State, request: Request) -> bool:
        trump = self.what.of(s, request)
        if trump >= 0:
            atoms.close_trump(s, trump // TRUMP_CODE, trump % TRUMP_CODE)
        return True


@dataclass(frozen=True)
class CloseAllTrumps(Step):
    """All trumps of both players are turned face down (R-136)."""

    def run(self, s: State, request: Request) -> bool:
        player: i64 = 0
        while player < 2:
            for trump in s.sides[player].trumps:
                atoms.close_trump(s, player, trump)
            player += 1
        return True


@dataclass(frozen=True)
class BuryTrump(Step):
    """The targeted trump, or an own one, goes to its owner's grave (R-111)."""

    what: Value = TARGET_TRUMP

    def run(self, s: State, request: Request) -> bool:
        trump = self.what.of(s, request)
        if trump >= 0:
            atoms.bury_trump(s, trump // TRUMP_CODE, trump % TRUMP_CODE)
        return True


@dataclass(frozen=True)
class RestoreTrump(Step):
    """The card given by the trigger goes from the grave, or the hand, into the trump zone, face up (R-110, N-257)."""

    from_hand: bool = True

    def run(self, s: State, request: Request) -> bool:
        zone_moves.restore_trump(s, request.controller, request.amount, self.from_hand)
        return True


@dataclass(frozen=True)
class Find(Step):
    """Search the keys, hand, life, grave and trumps of the controller for a card; bind 1 if it is found, else 2."""

    sought: i64
    bind: Ref

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        found = zone_moves.zone_of_card(s.sides[me], request, BIT[self.sought]) >= 0
        if found:
            zone_moves.reveal(s, me, BIT[self.sought])
        s.bind(self.bind.slot, 1 if found else 2)
        return True


@dataclass(frozen=True)
class FindAnywhere(Step):
    """Search all zones of the controller for a card: first those that hide nothing from them, then life, then an
    unopened pack. Bind 1 if it is found without looking into life, 2 if it is found in life, 3 if in the pack, 4 if
    nowhere (N-413)."""

    sought: i64
    bind: Ref

    def run(self, s: State, request: Request) -> bool:
        me = request.controller
        side = s.sides[me]
        zone = zone_moves.zone_anywhere(side, request, BIT[self.sought])
        found: i64 = 1
        if zone < 0:
            found = 4
        elif zone == LIFE:
            found = 2
        elif zone == PACK and not side.pack_open:
            found = 3
        if zone >= 0:
            zone_moves.reveal(s, me, BIT[self.sought])
        s.bind(self.bind.slot, found)
        return True
