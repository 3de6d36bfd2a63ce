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
    from blackpoker.assist.decision import Decision, Draft, Option
    from blackpoker.assist.legal_moves import LegalMoves
    from blackpoker.card import Card
    from blackpoker.engine.shuffler import Shuffler, SystemShuffler, seeded
    from blackpoker.engine.views import EventView, MatchView, Player, View
    from blackpoker.engine.visibility import Audience
    from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove, UnreadableText
    from blackpoker.formats.position_editor import Position, PositionSide
    from blackpoker.formats.record_file import Record
    from blackpoker.game.events import (
        BlockEvent,
        BonusEvent,
        CardsEvent,
        Event,
        FogEvent,
        GraveEvent,
        LookEvent,
        PackEvent,
        PassEvent,
        RequestEvent,
        TargetEvent,
        TurnEvent,
        UnitEvent,
        WinEvent,
        ZoneEvent,
    )
    from blackpoker.game.game import Game
    from blackpoker.game.match import Match
    from blackpoker.game.outcome import Outcome
    from blackpoker.game.step import GameStep
    from blackpoker.notation.move import Move
    from blackpoker.players.opponent import opponent
    from blackpoker.ruleset import Edition, Regulation
    from blackpoker.text.refusals import Refusal

#: home module of each public name; names are loaded on first use, so that parts of the package load alone
_HOMES = {
    "AmbiguousMove": "blackpoker.errors",
    "BlackPokerError": "blackpoker.errors",
    "IllegalMove": "blackpoker.errors",
    "UnreadableText": "blackpoker.errors",
    "Decision": "blackpoker.assist.decision",
    "Draft": "blackpoker.assist.decision",
    "Refusal": "blackpoker.text.refusals",
    "Game": "blackpoker.game.game",
    "LegalMoves": "blackpoker.assist.legal_moves",
    "Outcome": "blackpoker.game.outcome",
    "Card": "blackpoker.card",
    "Shuffler": "blackpoker.engine.shuffler",
    "SystemShuffler": "blackpoker.engine.shuffler",
    "seeded": "blackpoker.engine.shuffler",
    "Option": "blackpoker.assist.decision",
    "Position": "blackpoker.formats.position_editor",
    "PositionSide": "blackpoker.formats.position_editor",
    "Record": "blackpoker.formats.record_file",
    "GameStep": "blackpoker.game.step",
    "opponent": "blackpoker.players.opponent",
    "Edition": "blackpoker.ruleset",
    "Audience": "blackpoker.engine.visibility",
    "EventView": "blackpoker.engine.views",
    "BlockEvent": "blackpoker.game.events",
    "BonusEvent": "blackpoker.game.events",
    "CardsEvent": "blackpoker.game.events",
    "Event": "blackpoker.game.events",
    "FogEvent": "blackpoker.game.events",
    "GraveEvent": "blackpoker.game.events",
    "LookEvent": "blackpoker.game.events",
    "PackEvent": "blackpoker.game.events",
    "PassEvent": "blackpoker.game.events",
    "RequestEvent": "blackpoker.game.events",
    "TargetEvent": "blackpoker.game.events",
    "TurnEvent": "blackpoker.game.events",
    "UnitEvent": "blackpoker.game.events",
    "WinEvent": "blackpoker.game.events",
    "ZoneEvent": "blackpoker.game.events",
    "MatchView": "blackpoker.engine.views",
    "Player": "blackpoker.engine.views",
    "View": "blackpoker.engine.views",
    "Match": "blackpoker.game.match",
    "Move": "blackpoker.notation.move",
    "Regulation": "blackpoker.ruleset",
}

__all__ = [
    "AmbiguousMove",
    "Audience",
    "BlackPokerError",
    "BlockEvent",
    "BonusEvent",
    "Card",
    "CardsEvent",
    "Decision",
    "Draft",
    "Edition",
    "Event",
    "EventView",
    "FogEvent",
    "Game",
    "GameStep",
    "GraveEvent",
    "IllegalMove",
    "LegalMoves",
    "LookEvent",
    "Match",
    "MatchView",
    "Move",
    "Option",
    "Outcome",
    "PackEvent",
    "PassEvent",
    "Player",
    "Position",
    "PositionSide",
    "Record",
    "Refusal",
    "Regulation",
    "RequestEvent",
    "Shuffler",
    "SystemShuffler",
    "TargetEvent",
    "TurnEvent",
    "UnitEvent",
    "UnreadableText",
    "View",
    "WinEvent",
    "ZoneEvent",
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
