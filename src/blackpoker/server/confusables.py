"""Comparison of names by appearance: names that look alike share a form (Unicode's confusable characters, UTS 39).

Ignored are: a Cyrillic Т or Greek Τ for a Latin T, I, l and 1, 0 and O, rn and m, accents, width and case, ロ and 口,
and kana that look alike in both scripts or sizes (へ and ヘ, ツ and ッ).
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
#: Japanese characters that look like another one: kana of both scripts, small and large kana, kana and kanji
JAPANESE_TWINS: Final = dict(
    zip(
        "へべぺりかがやゃうぅせぜもきぎこごにゎァィゥェォヵヶッャュョヮぁぃぇぉっゅょー―二八力夕卜工口",
        "ヘベペリカガヤヤウウセゼモキギコゴニワアイウエオカケツヤユヨワあいえおつゆよ一一ニハカタトエロ",
        strict=True,
    )
)
#: scripts that one name may combine
JAPANESE_SCRIPTS: Final = frozenset(("LATIN", "HIRAGANA", "KATAKANA", "CJK", "IDEOGRAPHIC"))


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
    """Return the skeleton of a name: equal for names that look alike. Characters are replaced before their case is
    folded, because a capital letter may resemble another one than its small letter."""
    table = representatives()
    out: list[str] = []
    for letter in unicodedata.normalize("NFKC", name):
        twin = JAPANESE_TWINS.get(letter, letter)
        base = unicodedata.normalize("NFD", twin)[0]
        if base.isascii():
            representative = base.casefold()
        elif twin in JAPANESE_TWINS.values():
            representative = twin
        else:
            representative = table.get(twin) or table.get(twin.casefold()) or twin.casefold()
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


def reserved_forms(name: str) -> tuple[str, ...]:
    """Return all forms under which a name is reserved, its own first: those of its small and its capital letters as
    well, because each may resemble other names."""
    return tuple(dict.fromkeys(reserved_form(one) for one in (name, name.lower(), name.upper())))


def look_alike(first: str, second: str) -> bool:
    """Return whether one name could be mistaken for the other."""
    own = {skeleton(one) for one in (first, first.lower(), first.upper())} - {""}
    return any(skeleton(one) in own for one in (second, second.lower(), second.upper()))


def scripts_of(name: str) -> set[str]:
    """Return the scripts of the letters of a name."""
    found = set()
    for letter in name:
        if unicodedata.category(letter)[0] == "L":
            found.add(unicodedata.name(letter, "UNKNOWN").replace("-", " ").split()[0])
    return found


def is_one_script(name: str) -> bool:
    """Return whether a name has letters of one script only; Latin and Japanese ones may be combined."""
    scripts = scripts_of(name)
    return len(scripts) <= 1 or scripts <= JAPANESE_SCRIPTS
