"""BlackPoker, the card game played with ordinary playing cards: rules engine, notation, command line.

A fan-made, unofficial, non-profit implementation (非公式・ファンメイド). BlackPoker and its rules are
the work of its authors; every rule here is stated in our own words.
"""

from blackpoker import _build

if _build.PURE:  # before any other module of the package is imported
    _build.install_pure_finder()

from typing import TYPE_CHECKING, Any

__version__ = "1.0.0"

if TYPE_CHECKING:
    from blackpoker.assist.decision import Decision, Draft, Word
    from blackpoker.assist.legal import LegalMoves
    from blackpoker.card import Card
    from blackpoker.ending import Outcome
    from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove, UnreadableText
    from blackpoker.game import JUDGE, P1, P2, PUBLIC, Game
    from blackpoker.match import Match
    from blackpoker.played import PlayedStep
    from blackpoker.players.opponent import opponent
    from blackpoker.regulation import Edition, Regulation
    from blackpoker.rules.shapes import Event, MatchView, View
    from blackpoker.rules.shuffler import Shuffler, SystemShuffler, seeded
    from blackpoker.rules.visibility import Audience
    from blackpoker.texts.refusals import Refusal
    from blackpoker.words.moves import Move

#: home module of each public name; names are loaded on first use, so that parts of the package load alone
_HOMES = {
    "AmbiguousMove": "blackpoker.errors",
    "BlackPokerError": "blackpoker.errors",
    "IllegalMove": "blackpoker.errors",
    "UnreadableText": "blackpoker.errors",
    "Decision": "blackpoker.assist.decision",
    "Draft": "blackpoker.assist.decision",
    "Refusal": "blackpoker.texts.refusals",
    "Game": "blackpoker.game",
    "LegalMoves": "blackpoker.assist.legal",
    "Outcome": "blackpoker.ending",
    "Card": "blackpoker.card",
    "Shuffler": "blackpoker.rules.shuffler",
    "SystemShuffler": "blackpoker.rules.shuffler",
    "seeded": "blackpoker.rules.shuffler",
    "P1": "blackpoker.game",
    "P2": "blackpoker.game",
    "Word": "blackpoker.assist.decision",
    "PlayedStep": "blackpoker.played",
    "opponent": "blackpoker.players.opponent",
    "Edition": "blackpoker.regulation",
    "PUBLIC": "blackpoker.game",
    "JUDGE": "blackpoker.game",
    "Audience": "blackpoker.rules.visibility",
    "Event": "blackpoker.rules.shapes",
    "MatchView": "blackpoker.rules.shapes",
    "View": "blackpoker.rules.shapes",
    "Match": "blackpoker.match",
    "Move": "blackpoker.words.moves",
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
    "Card",
    "Decision",
    "Draft",
    "Edition",
    "Event",
    "Game",
    "IllegalMove",
    "LegalMoves",
    "Match",
    "MatchView",
    "Move",
    "Outcome",
    "PlayedStep",
    "Refusal",
    "Regulation",
    "Shuffler",
    "SystemShuffler",
    "UnreadableText",
    "View",
    "Word",
    "__version__",
    "opponent",
    "seeded",
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
