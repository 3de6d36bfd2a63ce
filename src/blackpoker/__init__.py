"""BlackPoker, the card game played with ordinary playing cards: rules engine, notation, command line.

A fan-made, unofficial, non-profit implementation (非公式・ファンメイド). BlackPoker and its rules are
the work of its authors; every rule here is stated in our own words.
"""

from blackpoker import _build

if _build.PURE:  # before any other module of the package is imported
    _build.install_pure_finder()

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from blackpoker.assist.decision import Decision, Draft, Word
    from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove, UnreadableText
    from blackpoker.game import JUDGE, P1, P2, PUBLIC, Game, LegalMoves, Outcome, Step
    from blackpoker.match import Match
    from blackpoker.notation.moves import Move
    from blackpoker.regulation import Edition, Regulation
    from blackpoker.rules.refusals import Refusal
    from blackpoker.rules.shapes import Event, View
    from blackpoker.rules.visibility import Audience

#: where each public name lives; they are loaded when first used, so that parts of the package load alone
_HOMES = {
    "AmbiguousMove": "blackpoker.errors",
    "BlackPokerError": "blackpoker.errors",
    "IllegalMove": "blackpoker.errors",
    "UnreadableText": "blackpoker.errors",
    "Decision": "blackpoker.assist.decision",
    "Draft": "blackpoker.assist.decision",
    "Refusal": "blackpoker.rules.refusals",
    "Game": "blackpoker.game",
    "LegalMoves": "blackpoker.game",
    "Outcome": "blackpoker.game",
    "P1": "blackpoker.game",
    "P2": "blackpoker.game",
    "Word": "blackpoker.assist.decision",
    "Step": "blackpoker.game",
    "Edition": "blackpoker.regulation",
    "PUBLIC": "blackpoker.game",
    "JUDGE": "blackpoker.game",
    "Audience": "blackpoker.rules.visibility",
    "Event": "blackpoker.rules.shapes",
    "View": "blackpoker.rules.shapes",
    "Match": "blackpoker.match",
    "Move": "blackpoker.notation.moves",
    "Regulation": "blackpoker.regulation",
}

__all__ = [
    "JUDGE",
    "P1",
    "P2",
    "PUBLIC",
    "AmbiguousMove",
    "Audience",
    "BlackPokerError",
    "Decision",
    "Draft",
    "Edition",
    "Event",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "Match",
    "Move",
    "Outcome",
    "Refusal",
    "Regulation",
    "Step",
    "UnreadableText",
    "View",
    "Word",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
