"""Literals for definitions: cards as printed in the lists, options by name, names of bindings."""

from __future__ import annotations

from typing import Final

from blackpoker.definitions.values import ActionName, Number, Ref, Words
from blackpoker.engine.cards import parse_card, parse_card_range


def cards(text: str) -> int:
    """Return the set of cards of a list of ranges, as in ``"JK A J-K"``; raise `ValueError` if one is invalid."""
    out = 0
    for part in text.split():
        out |= parse_card_range(part)
    return out


def card(text: str) -> int:
    """Return the card written as in ``"♣10"``; raise `ValueError` if the text is not a card."""
    found = parse_card(text)
    if found < 0:
        raise ValueError(f"not a card: {text!r}")
    return found


def action(id: str) -> ActionName:
    return ActionName(id)


def words(name: str, *choices: str) -> Words:
    """Return options to choose from; ``name`` is the name of the question in scenarios."""
    return Words(name, choices, len(choices))


YES_NO: Final = words("yes_no", "no", "yes")
STATES: Final = words("state", "charged", "driven")
STATES_OR_LEAVE: Final = words("state", "charged", "driven", "leave")
FORMS: Final = words("form", "soldier", "bulwark")
ONE_OR_TWO: Final = words("count", "one", "two")
TOP_OR_BOTTOM: Final = words("end", "top", "bottom")
CLOSE_OR_SUFFER: Final = words("price", "close", "suffer")
HIT_OR_STAND: Final = words("hit_or_stand", "stand", "hit")

#: names of these questions in scenarios
QUESTIONS: Final = tuple(dict.fromkeys(thing.name for thing in list(globals().values()) if isinstance(thing, Words)))

# States of a unit, numbered as in ``STATES``.
CHARGED: Final = Number(0)
DRIVEN: Final = Number(1)

# Common names of bindings; effects may use others.
CARD: Final = Ref("card")
CARDS: Final = Ref("cards")
UNIT: Final = Ref("unit")
UNITS: Final = Ref("units")
REQUEST: Final = Ref("request")
TRUMP: Final = Ref("trump")
