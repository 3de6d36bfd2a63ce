"""What a name looks like: two that look alike have the same skeleton (Unicode's data of confusable characters, UTS 39).

A Cyrillic е in Latin letters, I, l and 1, 0 and O, rn and m, ロ and 口, accents, width and case make no difference.
"""

from __future__ import annotations

import sys
import unicodedata
from functools import cache
from typing import Final

#: pairs of letters that look like one
PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
#: letters that are one line
LINES: Final = frozenset("il1|!")


@cache
def prototypes() -> dict[str, str]:
    """For every character that looks like others: one of them that stands for all, an ASCII letter if there is one."""
    if sys.platform == "emscripten":
        return {}  # a page without a server: nobody else is there to be taken for somebody
    from confusable_homoglyphs.confusables import confusables_data  # large; read when a name is first looked at

    found: dict[str, str] = {}
    for character, others in confusables_data.items():
        seen = (character, *(other["c"].strip("\u200e") for other in others))
        folded = (unicodedata.normalize("NFKC", one).casefold() for one in seen)
        single = [one for one in folded if len(one) == 1 and one.isalnum()]
        ascii_ones = [one for one in single if one.isascii() and one.isalnum()]
        if single:
            found[character] = min(ascii_ones or single)
    return found


def skeleton(name: str) -> str:
    """What is left of a name when what looks alike is the same."""
    table = prototypes()
    out: list[str] = []
    for letter in unicodedata.normalize("NFKC", name).casefold():
        base = unicodedata.normalize("NFD", letter)[0]
        shown = base if base.isascii() else table.get(letter, letter)
        shown = table.get(shown, shown) if not shown.isalpha() else shown
        if shown in LINES:
            out.append("l")
        elif shown in ("0", "o"):
            out.append("o")
        elif shown.isalnum():
            out.append(shown)
    text = "".join(out)
    for pair, one in PAIRS:
        text = text.replace(pair, one)
    return text


#: what stands between the parts of a name; whether it does makes no other name of it
BETWEEN: Final = frozenset(" -_.'’・")


def folded(name: str) -> str:
    """What is left of a name that belongs to somebody."""
    return skeleton("".join(letter for letter in name if letter not in BETWEEN))


def alike(one: str, two: str) -> bool:
    """Whether somebody could take one name for the other."""
    found = skeleton(one)
    return bool(found) and found == skeleton(two)
