"""A step of an effect as the engine sees it. The steps themselves stand in ``language/steps``."""

from __future__ import annotations

from typing import Final, NamedTuple

from mypy_extensions import i64

from blackpoker.rules.plan import NO_CHOICE
from blackpoker.rules.request import Request
from blackpoker.rules.state import State


#: what a step does to cards, units and requests
NOTHING_SPECIAL: Final = 0
DAMAGES: Final = 1
DRAWS: Final = 2
TAKES: Final = 3  # a card of a zone comes to hand
DISCARDS: Final = 4
MILLS: Final = 5
ENTERS: Final = 6
ATTACHES: Final = 7
BURIES: Final = 8
SWEEPS: Final = 9  # buries whoever fits
RETURNS: Final = 10
DRIVES: Final = 11
READIES: Final = 12  # units of its player may fight that could not
CHANGES_NUMBER: Final = 13  # the target's, and nothing else
CHANGES_NUMBERS: Final = 14
NEGATES: Final = 15  # a request does not do what it was meant to

#: who can tell what a step, a value or a condition comes to
NOBODY: Final = 0
ITS_PLAYER: Final = 1  # who knows his own cards and what he is asked himself
EVERYBODY: Final = 2  # it looks at nothing but what lies open, and asks nothing

#: the parts of a fight
NO_PART: Final = 0
ATTACK: Final = 1
BLOCK: Final = 2
JUDGEMENT: Final = 3


class Who:
    """A player, as the effect of a request speaks of one."""

    def player(self, s: State, request: Request) -> i64:
        raise NotImplementedError


class StepFacts(NamedTuple):
    """What a step says of itself to all who do not run it: the program, prompts, tokens, forecasts, automatic passes,
    opponents. Nothing else is known of a step anywhere."""

    chooses: int = NO_CHOICE  # what is asked for and bound
    does: int = NOTHING_SPECIAL
    sign: int = 0  # what that is to its target: 1 good, -1 bad
    whose: Who | None = None  # the player whose cards it offers; who is asked, where it says nothing
    enters: int | None = None  # SOLDIER or BULWARK: what its player has more of
    leaves_field: bool = False  # a unit may leave the field by it
    from_grave: bool = False  # what it offers lies in a grave, where a cost may have put it
    onto_life: bool = False  # an order it asks for is that of cards onto or under life, not of a row
    foreseen: int = NOBODY  # who can tell what it comes to
    of_a_face: bool = False  # it reads the card its target is made of, which a bulwark or a closed trump hides
    shows_faces: bool = False  # bulwarks are turned up by it
    fight: int = NO_PART
    jumps: bool = False  # it only passes others over
    opens: int = 0  # so many steps after it are carried out only where everybody sees the face they speak of


class Step:
    """One instruction of an effect: its fields are the words of the definition and never change. What must last from
    ``run`` to ``take`` stands in the state."""

    __slots__ = ()

    def facts(self) -> StepFacts:
        """What it is. A step that says nothing here asks nothing and stays hidden."""
        return StepFacts()

    def left(self, s: State, request: Request, player: i64) -> i64:
        """Of a step that asks for several things: how many the player must still name; 0 where that is open."""
        return 0

    def run(self, s: State, request: Request) -> bool:
        """Carry it out. False: a player must choose first; then ``kind``, ``asked`` and ``options`` say what."""
        raise NotImplementedError

    def take(self, s: State, request: Request, option: i64) -> bool:
        """Take the answer to what ``run`` asked. False: ``run`` goes on asking."""
        raise NotImplementedError
