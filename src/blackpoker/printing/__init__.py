"""Printed sheets: an A4 quick reference of two pages, the trumps as cards to cut out, a deck list. All from the
definitions.

The page shows and prints them (``/api/paper``); ``blackpoker rules print`` writes HTML, or PDF if a Chromium is
installed. Sizes are in millimetres. Text has 9 points or more on a page (8 in the long list of Master, 7.6 in that of
Extra) and 6.5 or more on a card of one language.
"""

from __future__ import annotations

from blackpoker.printing.sheets import deck_list, quick_reference, trump_cards

__all__ = ["deck_list", "quick_reference", "trump_cards"]
