"""Comparison of names by appearance: names that look alike have the same skeleton (Unicode's confusable characters, UTS
39).

Ignored are: a Cyrillic е among Latin letters, I, l and 1, 0 and O, rn and m, ロ and 口, accents, width and case.
"""

from __future__ import annotations

import sys
import unicodedata
from typing import Final

from blackpoker.server.admission import cached

#: pairs of letters that look like one letter
PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
#: characters that look like a vertical line
LINE_CHARACTERS: Final = frozenset("il1|!")


@cached("confusable characters", 1)
def representatives() -> dict[str, str]:
    """Return a representative for each confusable character, an ASCII letter if there is one."""
    if sys.platform == "emscripten":
        return {}  # a page without a server has no other players to be confused with
    from confusable_homoglyphs.confusables import confusables_data  # large; loaded on first use

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
    """Return the skeleton of a name: equal for names that look alike."""
    table = representatives()
    out: list[str] = []
    for letter in unicodedata.normalize("NFKC", name).casefold():
        base = unicodedata.normalize("NFD", letter)[0]
        representative = base if base.isascii() else table.get(letter, letter)
        representative = table.get(representative, representative) if not representative.isalpha() else representative
        if representative in LINE_CHARACTERS:
            out.append("l")
        elif representative in ("0", "o"):
            out.append("o")
        elif representative.isalnum():
            out.append(representative)
    text = "".join(out)
    for pair, one in PAIRS:
        text = text.replace(pair, one)
    return text


#: separators between the parts of a name; they do not make a name different
SEPARATORS: Final = frozenset(" -_.'’・")


def reserved_form(name: str) -> str:
    """Return the form under which a name is reserved."""
    return skeleton("".join(letter for letter in name if letter not in SEPARATORS))


def look_alike(first: str, second: str) -> bool:
    """Return whether one name could be mistaken for the other."""
    first_skeleton = skeleton(first)
    return bool(first_skeleton) and first_skeleton == skeleton(second)
