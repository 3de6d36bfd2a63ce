"""The interface of a step of an effect. The steps themselves are in ``definitions/steps``."""

from __future__ import annotations

from typing import Final, NamedTuple

from mypy_extensions import i64

from blackpoker.engine.request import Request
from blackpoker.engine.state import State
from blackpoker.engine.tables import NO_CHOICE

#: effect of a step on cards, units and requests
NOTHING_SPECIAL: Final = 0
DAMAGES: Final = 1
DRAWS: Final = 2
TAKES: Final = 3  # a card of a zone goes to the hand
DISCARDS: Final = 4
MILLS: Final = 5
ENTERS: Final = 6
ATTACHES: Final = 7
BURIES: Final = 8
SWEEPS: Final = 9  # buries all units that fit
RETURNS: Final = 10
DRIVES: Final = 11
READIES: Final = 12  # units of its player become able to fight
CHANGES_NUMBER: Final = 13  # only the target's
CHANGES_NUMBERS: Final = 14
NEGATES: Final = 15  # a request loses or changes its intended effect

#: the parts of a fight
NO_PART: Final = 0
ATTACK: Final = 1
BLOCK: Final = 2
JUDGEMENT: Final = 3


class PlayerRef:
    """A reference to a player in the effect of a request."""

    def player(self, s: State, request: Request) -> i64:
        raise NotImplementedError


class StepTraits(NamedTuple):
    """Static properties of a step, for code that does not run it: the compiler, prompts, tokens, forecasts, automatic
    passes, AI players."""

    chooses: int = NO_CHOICE  # type of the choice that is asked for and bound
    does: int = NOTHING_SPECIAL
    sign: int = 0  # value of that for its target: 1 good, -1 bad
    offered_cards_owner: PlayerRef | None = None  # the owner of the cards it offers; None: the asked player
    enters: int | None = None  # SOLDIER or BULWARK: units its player gains
    leaves_field: bool = False  # a unit may leave the field
    onto_life: bool = False  # an order it asks for is of cards onto or under life, not of a row
    fight: int = NO_PART
    jumps: bool = False  # it only skips other steps
    total: int = -1  # slot of the number it adds to, which the questions of the effect show


class Step:
    """One step of an effect. Its fields are the parameters given in the definition and never change; data kept between
    ``run`` and ``take`` is in the state."""

    __slots__ = ()

    def traits(self) -> StepTraits:
        """Return the static properties; by default the step asks nothing."""
        return StepTraits()

    def remaining_choices(self, s: State, request: Request, player: i64) -> i64:
        """Return the number of items the player must still choose, for a step that asks for several; 0 if open."""
        return 0

    def run(self, s: State, request: Request) -> bool:
        """Run the step. Return False if a player must choose first, with ``kind``, ``asked`` and ``options`` set."""
        raise NotImplementedError

    def take(self, s: State, request: Request, option: i64) -> bool:
        """Apply the chosen option. Return False if ``run`` must be called again."""
        raise NotImplementedError
