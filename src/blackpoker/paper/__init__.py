"""Paper: an A4 quick reference of two pages, the trumps as cards to cut out, a deck list, from the definitions.

The page shows it and prints it (``/api/paper``); ``blackpoker rules print`` writes it as a file, or as PDF where a
Chromium is found. Sizes are in millimetres. Text has 9 points or more on a page (7.6 to
8.4 in the long lists of Pro, Master and Extra) and 6.5 on a card of one language.
"""

from __future__ import annotations

from blackpoker.paper.sheets import deck_list, quick_reference, trump_cards

__all__ = ["deck_list", "quick_reference", "trump_cards"]
