"""Words definitions are written in: cards as the lists print them, options by name, names for what is chosen."""

from __future__ import annotations

from typing import Final

from blackpoker.language.values import ActionName, Number, Ref, Words
from blackpoker.rules.cards import parse_card, parse_card_range


def cards(text: str) -> int:
    """The set of cards written as a list of ranges: ``"JK A J-K"``."""
    out = 0
    for part in text.split():
        out |= parse_card_range(part)
    return out


def card(text: str) -> int:
    """The card written ``"♣10"``."""
    found = parse_card(text)
    if found < 0:
        raise ValueError(f"not a card: {text!r}")
    return found


def action(id: str) -> ActionName:
    return ActionName(id)


def words(name: str, *choices: str) -> Words:
    """Options to choose from; ``name`` is what scenarios call the question."""
    return Words(name, choices, len(choices))


YES_NO: Final = words("yes_no", "no", "yes")
STATES: Final = words("state", "charged", "driven")
STATES_OR_LEAVE: Final = words("state", "charged", "driven", "leave")
FORMS: Final = words("form", "soldier", "bulwark")
ONE_OR_TWO: Final = words("count", "one", "two")
TOP_OR_BOTTOM: Final = words("end", "top", "bottom")
CLOSE_OR_SUFFER: Final = words("price", "close", "suffer")

#: what scenarios call these questions
QUESTIONS: Final = tuple(dict.fromkeys(thing.name for thing in list(globals().values()) if isinstance(thing, Words)))

# States of a unit as ``STATES`` numbers them.
CHARGED: Final = Number(0)
DRIVEN: Final = Number(1)

# Names effects give to what was chosen; any other is as good.
CARD: Final = Ref("card")
CARDS: Final = Ref("cards")
UNIT: Final = Ref("unit")
UNITS: Final = Ref("units")
REQUEST: Final = Ref("request")
TRUMP: Final = Ref("trump")
