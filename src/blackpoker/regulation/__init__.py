"""Regulations: formats, frames, options, decks, and a game made ready for one."""

from __future__ import annotations

from blackpoker.regulation.decks import (
    BUILT_IN,
    LEAST,
    Deck,
    DeckError,
    DeckList,
    check_brought,
    check_decks,
    deck_defects,
    make_decks,
    parse_decks,
    write_decks,
)
from blackpoker.regulation.edition import EDITION, rules_of
from blackpoker.regulation.start import new_game
from blackpoker.regulation.tables import FORMATS, FRAMES, OPTIONS, FormatEntry, Frame, Option
from blackpoker.regulation.text import Regulation, RegulationError, all_regulations

__all__ = [
    "BUILT_IN",
    "EDITION",
    "FORMATS",
    "FRAMES",
    "LEAST",
    "OPTIONS",
    "Deck",
    "DeckError",
    "DeckList",
    "FormatEntry",
    "Frame",
    "Option",
    "Regulation",
    "RegulationError",
    "all_regulations",
    "check_brought",
    "check_decks",
    "deck_defects",
    "make_decks",
    "new_game",
    "parse_decks",
    "rules_of",
    "write_decks",
]
