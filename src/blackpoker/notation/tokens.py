"""Options as words of the notation: what an integer of ``options`` means at the present decision."""

from __future__ import annotations

from typing import Final

from blackpoker.language.steps.choosing import ChooseWord
from blackpoker.language.values import Words
from blackpoker.rules.cards import NAMES
from blackpoker.rules.flow import CHANCE_KIND, PASS, TRIGGER_KIND
from blackpoker.rules.names import PLAYERS, code_place, full_place
from blackpoker.rules.plan import AIM_PLAYER, AIM_REQUEST, AIM_TRUMP
from blackpoker.rules.requests import QUICK
from blackpoker.rules.state import (
    ATTACKERS_KIND,
    BLOCKERS_KIND,
    BULWARK_KIND,
    CARD_KIND,
    CARDS_KIND,
    COST_KIND,
    DISCARD_KIND,
    DONE,
    KEY_KIND,
    OPTION_KIND,
    ORDER_KIND,
    REQUEST_KIND,
    RETARGET_KIND,
    SACRIFICE_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TARGET_KIND,
    TRUMP_KIND,
    TRUMPS_KIND,
    UNIT_KIND,
    UNITS_KIND,
    State,
)  # fmt: skip

KIND_NAMES: Final[dict[int, str]] = {
    CHANCE_KIND: "chance",
    TRIGGER_KIND: "trigger",
    KEY_KIND: "key",
    COST_KIND: "cost",
    SOURCE_KIND: "source",
    BULWARK_KIND: "bulwark",
    DISCARD_KIND: "discard",
    SACRIFICE_KIND: "sacrifice",
    TARGET_KIND: "target",
    CARD_KIND: "card",
    CARDS_KIND: "discard",
    UNIT_KIND: "unit",
    UNITS_KIND: "unit",
    ATTACKERS_KIND: "attackers",
    BLOCKERS_KIND: "blockers",
    REQUEST_KIND: "request",
    RETARGET_KIND: "target",
    ORDER_KIND: "order",
    TRUMP_KIND: "trump",
    TRUMPS_KIND: "trumps",
}
#: choices of several things in one sentence
SEVERAL: Final = frozenset((CARDS_KIND, UNITS_KIND, ATTACKERS_KIND, BLOCKERS_KIND, ORDER_KIND, TRUMPS_KIND))
#: what marks the words of a request
MARKS: Final[dict[int, str]] = {
    SOURCE_KIND: "@",
    BULWARK_KIND: "$",
    DISCARD_KIND: "$",
    SACRIFICE_KIND: "$",
    TARGET_KIND: ">",
}
MAIN_WORD: Final = "main"
QUICK_WORD: Final = "quick"


def offered_words(s: State) -> Words:
    """What the present step offers."""
    active = s.active
    assert active is not None
    step = s.rules.plans[active.action].program[s.place]
    assert isinstance(step, ChooseWord)
    return step.words


def kind_name(s: State) -> str:
    """What is being asked, in the words of scenarios (``asked p1 KIND``)."""
    if s.kind == OPTION_KIND:
        return offered_words(s).name
    return KIND_NAMES.get(int(s.kind), "")


def word(s: State, option: int) -> str:
    """The canonical word of an option, unmarked. Inside an effect own units carry no side; targets always do."""
    kind = int(s.kind)
    if option == DONE and kind in SEVERAL:
        return "done"
    if kind == CHANCE_KIND:
        return "pass" if option == PASS else s.rules.plans[option - 1].id
    if kind in (KEY_KIND, DISCARD_KIND, CARD_KIND, CARDS_KIND, TRUMPS_KIND):
        return NAMES[option]
    if kind in (SOURCE_KIND, BULWARK_KIND, SACRIFICE_KIND, ATTACKERS_KIND, BLOCKERS_KIND):
        return code_place(option)
    if kind == TARGET_KIND:
        draft = s.draft
        assert draft is not None
        return _target(s, int(draft.action), option)
    if kind == RETARGET_KIND:
        active = s.active
        assert active is not None
        aimed = s.staged_request(active.target)
        assert aimed is not None
        return _target(s, int(aimed.action), option)
    if kind in (UNIT_KIND, UNITS_KIND):
        return code_place(option) if option // SIDE_CODE == s.asked else full_place(option)
    if kind == OPTION_KIND:
        return offered_words(s).words[option]
    if kind == COST_KIND:
        return QUICK_WORD if option == QUICK else MAIN_WORD
    if kind == REQUEST_KIND:
        return f"#{option + 1}"
    if kind == TRUMP_KIND:
        place = f"t{option % SIDE_CODE + 1}"
        return place if option // SIDE_CODE == s.asked else f"{PLAYERS[option // SIDE_CODE]}.{place}"
    if kind == TRIGGER_KIND:
        return _trigger(s, option)
    return NAMES[option] if option < len(NAMES) else code_place(option)  # an order: of cards, or of places in the row


def _trigger(s: State, option: int) -> str:
    """The action's id; the second of two that differ only in what raised them is ``riot/2``."""
    action = s.buffer[option].action
    same = [other for other in s.options if s.buffer[other].action == action]
    place = same.index(option) if option in same else 0
    return s.rules.plans[action].id + (f"/{place + 1}" if place else "")


def _target(s: State, action: int, option: int) -> str:
    aim = s.rules.plans[action].aim
    if aim == AIM_REQUEST:
        return f"#{option + 1}"
    if aim == AIM_PLAYER:
        return PLAYERS[option]
    if aim == AIM_TRUMP:
        return f"{PLAYERS[option // SIDE_CODE]}.t{option % SIDE_CODE + 1}"
    return full_place(option)


def marked(s: State, option: int) -> str:
    """The word as it stands in a sentence."""
    return MARKS.get(int(s.kind), "") + word(s, option)
