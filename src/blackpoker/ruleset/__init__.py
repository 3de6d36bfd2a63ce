"""Regulations: formats, frames, options, decks, and the start of a game under one."""

from __future__ import annotations

from blackpoker.ruleset.decks import (
    MIN_CARDS,
    Deck,
    DeckError,
    DeckList,
    built_in_decks,
    check_decks,
    check_player_decks,
    deck_defects,
    make_decks,
    parse_decks,
    write_decks,
)
from blackpoker.ruleset.edition import (
    Edition,
    EditionError,
    Package,
    default_edition,
    edition_for_record,
    edition_named,
    edition_of,
    editions,
    rules_of,
    set_default_edition,
    standard_edition,
)
from blackpoker.ruleset.regulation import Regulation, RegulationError, all_known_regulations, all_regulations
from blackpoker.ruleset.start import AnyDeck, new_game, read_card, read_decks, read_regulation
from blackpoker.ruleset.tables import CONSTRUCTED, FIXED, RANDOM, FormatEntry, Frame, Option

__all__ = [
    "CONSTRUCTED",
    "FIXED",
    "MIN_CARDS",
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
    "all_known_regulations",
    "all_regulations",
    "built_in_decks",
    "check_decks",
    "check_player_decks",
    "deck_defects",
    "default_edition",
    "edition_for_record",
    "edition_named",
    "edition_of",
    "editions",
    "make_decks",
    "new_game",
    "parse_decks",
    "read_card",
    "read_decks",
    "read_regulation",
    "rules_of",
    "set_default_edition",
    "standard_edition",
    "write_decks",
]
