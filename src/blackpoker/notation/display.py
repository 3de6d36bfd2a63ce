"""Display forms: a move with the names, signs and words of a language, and each token back in canonical form."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import Final

from blackpoker.engine.cards import NAMES, SIGNS, parse_card
from blackpoker.engine.locations import PLAYERS
from blackpoker.notation.limits import fold
from blackpoker.notation.move import Move
from blackpoker.ruleset import Edition
from blackpoker.text.catalogue import NOTATION_WORDS


def normalize_name(text: str) -> str:
    """Return a name without spaces, dots and underscores, for comparison."""
    return "".join(c for c in fold(text) if c not in " _-・·.")


@cache
def action_names(edition: Edition) -> dict[str, tuple[str, str]]:
    """Return the names of every action by its id."""
    return {action.id: (action.ja, action.en) for action in edition.actions}


@cache
def actions_by_name(edition: Edition) -> dict[str, str]:
    """Return the id of every action by its normalized id and names."""
    out: dict[str, str] = {}
    for id, names in action_names(edition).items():
        for name in (id, *names):
            out.setdefault(normalize_name(name), id)
    return out


_TOKEN_BY_NAME: Final[dict[str, str]] = {
    fold(name): id for id, names in NOTATION_WORDS.items() for name in (id, *names)
}
MAX_NAME_WORDS: Final = 4  # words in the longest English name, with a margin


def canonical_token(text: str) -> str:
    """Return a token in its canonical spelling, if it has one."""
    side, dot, rest = text.partition(".")
    if dot and side.casefold() in PLAYERS:
        return f"{side.casefold()}.{_canonical_location(rest)}"
    return _canonical_location(text)


def _canonical_location(text: str) -> str:
    folded = fold(text)
    for name, letter in (("防壁", "b"), ("切札", "t"), ("壁", "b")):
        if folded.startswith(name) and folded[len(name) :].isdigit():
            return letter + folded[len(name) :]
    if folded in _TOKEN_BY_NAME:
        return _TOKEN_BY_NAME[folded]
    card = parse_card(text)
    if card >= 0:
        return NAMES[card]
    return folded


def is_token(text: str, edition: Edition) -> bool:
    """Return whether the notation has such a token at all, in canonical form and without a mark."""
    side, dot, bare = text.partition(".")
    if not dot:
        bare = text
    elif side not in PLAYERS:
        return False
    if parse_card(bare) >= 0 or (bare[:1] in ("b", "t") and bare[1:].isdigit()):
        return True
    name, slash, number = bare.partition("/")
    if dot or (slash and not number.isdigit()):
        return False
    if bare in NOTATION_WORDS or bare in PLAYERS or _is_request(bare):
        return True
    return normalize_name(name.removesuffix("@")) in actions_by_name(edition)


def similar_tokens(text: str, edition: Edition) -> list[str]:
    """Return tokens of the notation that are similar to an unknown one."""
    known = [*NOTATION_WORDS, *action_names(edition)]
    return get_close_matches(text, known, n=3, cutoff=0.6)


def _is_request(text: str) -> bool:
    return text[:1] == "#" and text[1:].isdigit()


def display(move: Move | str, lang: str, edition: Edition) -> str:
    """Return the canonical text in the language of a player; the parser can read it."""
    names = action_names(edition)
    text = move if isinstance(move, str) else move.text
    out: list[str] = []
    for index, part in enumerate(text.split()):
        mark = part[0] if part[0] in "$>@" else ""
        tail = part[-1] if part[-1] in ":;" else ""
        body = part[len(mark) : len(part) - len(tail)]
        out.append(("→" if mark == ">" else mark) + _display_token(body, lang, names, index == 0) + tail)
    return " ".join(out)


def _display_token(body: str, lang: str, names: dict[str, tuple[str, str]], first: bool) -> str:
    side, dot, rest = body.partition(".")
    if dot and side in PLAYERS:
        return f"{side}.{_display_token(rest, lang, names, False)}"
    lang_index = 0 if lang == "ja" else 1
    if first and body in names and body not in NOTATION_WORDS:
        return names[body][lang_index]
    if body in NOTATION_WORDS:
        return NOTATION_WORDS[body][lang_index]
    card = parse_card(body)
    if card >= 0:
        return SIGNS[card]
    if lang == "ja" and body[:1] in "bt" and body[1:].isdigit():
        return ("防壁" if body[0] == "b" else "切札") + body[1:]
    name, slash, number = body.partition("/")
    if slash and name in names:
        return names[name][lang_index] + slash + number
    return body
