"""Paper: an A4 quick reference of two pages, the trumps as cards to cut out, a deck list, from the definitions.

The page shows it and prints it (``/api/paper``); ``blackpoker rules print`` writes it as a file, or as PDF where a
Chromium is found. Sizes are in millimetres. Text has 9 points or more on a page (8 in
the long list of Master, 7.6 in that of Extra) and 6.5 or more on a card of one language.
"""

from __future__ import annotations

from blackpoker.paper.sheets import deck_list, quick_reference, trump_cards

__all__ = ["deck_list", "quick_reference", "trump_cards"]
