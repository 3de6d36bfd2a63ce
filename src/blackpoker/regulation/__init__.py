"""Regulations: formats, frames, options, decks, and the start of a game under one."""

from __future__ import annotations

from blackpoker.regulation.decks import (
    LEAST,
    Deck,
    DeckError,
    DeckList,
    built_in_decks,
    check_brought,
    check_decks,
    deck_defects,
    make_decks,
    parse_decks,
    write_decks,
)
from blackpoker.regulation.edition import (
    Edition,
    EditionError,
    Package,
    default_edition,
    edition_named,
    edition_of,
    play_by,
    rules_of,
    standard_edition,
)
from blackpoker.regulation.start import AnyDeck, new_game, read_card, read_decks, read_regulation
from blackpoker.regulation.tables import CONSTRUCTED, FIXED, RANDOM, FormatEntry, Frame, Option
from blackpoker.regulation.text import Regulation, RegulationError, all_regulations

__all__ = [
    "CONSTRUCTED",
    "FIXED",
    "LEAST",
    "RANDOM",
    "AnyDeck",
    "Deck",
    "DeckError",
    "DeckList",
    "Edition",
    "EditionError",
    "FormatEntry",
    "Frame",
    "Option",
    "Package",
    "Regulation",
    "RegulationError",
    "all_regulations",
    "built_in_decks",
    "check_brought",
    "check_decks",
    "deck_defects",
    "default_edition",
    "edition_named",
    "edition_of",
    "make_decks",
    "new_game",
    "parse_decks",
    "play_by",
    "read_card",
    "read_decks",
    "read_regulation",
    "rules_of",
    "standard_edition",
    "write_decks",
]
