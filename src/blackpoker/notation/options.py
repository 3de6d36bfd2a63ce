"""Options as tokens of the notation: the meaning of an integer of ``options`` at the present decision."""

from __future__ import annotations

from typing import Final

from blackpoker.definitions.literals import QUESTIONS
from blackpoker.definitions.model import words_of
from blackpoker.definitions.values import Words
from blackpoker.engine import tables as p
from blackpoker.engine.cards import BIT, NAMES, members
from blackpoker.engine.flow import CHANCE_KIND, PASS, TRIGGER_KIND, UNDECIDED
from blackpoker.engine.locations import PLAYERS, option_location, target_text, unit_location
from blackpoker.engine.observation import chooser
from blackpoker.engine.request import Request
from blackpoker.engine.request_builder import QUICK
from blackpoker.engine.state import (
    ATTACKER,
    ATTACKERS_KIND,
    BLOCKER,
    BLOCKERS_KIND,
    BULWARK_KIND,
    CARD_KIND,
    CARDS_KIND,
    COST_KIND,
    DISCARD_KIND,
    DONE,
    GRAVE_KIND,
    KEY_KIND,
    OPTION_KIND,
    ORDER_KIND,
    REQUEST_KIND,
    RETARGET_KIND,
    ROW_CODE,
    SACRIFICE_KIND,
    SETUP_KIND,
    SHOWN_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TARGET_KIND,
    TRUMP_KIND,
    TRUMPS_KIND,
    UNIT_KIND,
    UNITS_KIND,
    State,
    Unit,
)
from blackpoker.engine.tables import (
    AIM_PLAYER,
    AIM_REQUEST,
    AIM_TRUMP,
    EACH,
    NO_CHOICE,
    TOKEN_BULWARK,
    TOKEN_DISCARD,
    TOKEN_KEY,
    TOKEN_SACRIFICE,
    TOKEN_SOURCE,
    TOKEN_TARGET,
    CompiledAction,
    Instruction,
)
from blackpoker.engine.views import DecisionView, View
from blackpoker.engine.visibility import JUDGE, shown_kind, view
from blackpoker.text.cards import owner_of_offered_cards

#: decisions of a request: the chance itself, and its tokens
REQUEST_KINDS: Final = frozenset((CHANCE_KIND, *range(KEY_KIND, TARGET_KIND + 1)))
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
    SHOWN_KIND: "shown",
    SETUP_KIND: "setup",
    GRAVE_KIND: "grave_top",
}
#: names in scenarios of all decisions inside an effect or a trigger check
QUESTION_NAMES: Final = tuple(
    dict.fromkeys((*(name for kind, name in KIND_NAMES.items() if kind not in REQUEST_KINDS), *QUESTIONS))
)
#: choices of several elements in one move
MULTI_CHOICE_KINDS: Final = frozenset((CARDS_KIND, UNITS_KIND, ATTACKERS_KIND, BLOCKERS_KIND, ORDER_KIND, TRUMPS_KIND))
#: choices of sets: each set has one canonical order, ascending
SET_KINDS: Final = frozenset((CARDS_KIND, UNITS_KIND))
#: every mark a token may have
MARK_SIGNS: Final = "$>@^"
#: mark of the tokens of a request
TOKEN_MARKS: Final[dict[int, str]] = {
    SOURCE_KIND: "@",
    BULWARK_KIND: "$",
    DISCARD_KIND: "$",
    SACRIFICE_KIND: "$",
    TARGET_KIND: ">",
    SHOWN_KIND: "^",
}
#: types of options
A_WORD: Final = 0
A_CARD: Final = 1
A_UNIT: Final = 2
A_REQUEST: Final = 3
A_PLAYER: Final = 4
A_TRUMP: Final = 5
#: type of the options by kind of decision; for targets and orders it depends on the action (``option_type``)
OPTION_TYPES: Final[dict[int, int]] = {
    KEY_KIND: A_CARD,
    DISCARD_KIND: A_CARD,
    CARD_KIND: A_CARD,
    CARDS_KIND: A_CARD,
    SHOWN_KIND: A_CARD,
    TRUMPS_KIND: A_CARD,
    SETUP_KIND: A_CARD,
    GRAVE_KIND: A_CARD,
    SOURCE_KIND: A_UNIT,
    BULWARK_KIND: A_UNIT,
    SACRIFICE_KIND: A_UNIT,
    ATTACKERS_KIND: A_UNIT,
    BLOCKERS_KIND: A_UNIT,
    UNIT_KIND: A_UNIT,
    UNITS_KIND: A_UNIT,
    REQUEST_KIND: A_REQUEST,
    TRUMP_KIND: A_TRUMP,
}
PASS_TOKEN: Final = "pass"
DONE_TOKEN: Final = "done"
MAIN_TOKEN: Final = "main"
QUICK_TOKEN: Final = "quick"


def offered_literals(s: State) -> Words:
    """Return the words offered by the present step."""
    active = s.active
    assert active is not None
    return words_of(s.rules.plans[active.action].program[s.pc].step)


def kind_name(s: State) -> str:
    """Return the name of the present decision in scenarios (``asked p1 KIND``)."""
    if s.kind == OPTION_KIND:
        return offered_literals(s).name
    return KIND_NAMES.get(int(s.kind), "")


def targeting_action(s: State) -> CompiledAction:
    """Return the action of which the target is being chosen: the unfinished request's, or the one's with a changing
    target."""
    request = s.draft
    if s.kind == RETARGET_KIND:
        assert s.active is not None
        request = s.staged_request(s.active.target)
    assert request is not None
    return s.rules.plans[request.action]


def option_type(s: State) -> int:
    """Return the type of the present options. An option is only a number: 1 may be a card, a trump or a player."""
    kind = int(s.kind)
    if kind in (TARGET_KIND, RETARGET_KIND):
        aim = targeting_action(s).aim
        return {AIM_REQUEST: A_REQUEST, AIM_PLAYER: A_PLAYER, AIM_TRUMP: A_TRUMP}.get(int(aim), A_UNIT)
    if kind == ORDER_KIND:  # of cards, or of bulwarks in their row
        return A_CARD if s.options and s.options[0] < len(NAMES) else A_UNIT
    return OPTION_TYPES.get(kind, A_WORD)


def owner_of(s: State, option: int) -> int:
    """Return the owner of the unit or trump an option names; -1 for other options."""
    if option == DONE and s.kind in MULTI_CHOICE_KINDS:
        return -1
    return option // SIDE_CODE if option_type(s) in (A_UNIT, A_TRUMP) else -1


def soldier_of(s: State, option: int) -> Unit | None:
    """Return the soldier an option names; None for other options."""
    if owner_of(s, option) < 0 or option_type(s) != A_UNIT or option % SIDE_CODE >= ROW_CODE:
        return None
    return s.unit_by_code(option)


def option_token(s: State, option: int) -> str:
    """Return the canonical token of an option, without a mark. Inside an effect own units have no side; targets always
    do."""
    kind = int(s.kind)
    if option == DONE and kind in MULTI_CHOICE_KINDS:
        return DONE_TOKEN
    if kind == CHANCE_KIND:
        return PASS_TOKEN if option == PASS else s.rules.plans[option - 1].id
    if kind == TRIGGER_KIND:
        return _trigger_token(s, option)
    if kind == OPTION_KIND:
        return offered_literals(s).words[option]
    if kind == COST_KIND:
        return QUICK_TOKEN if option == QUICK else MAIN_TOKEN
    kind_of_option = option_type(s)
    if kind_of_option == A_CARD:
        return NAMES[option]
    if kind_of_option == A_REQUEST:
        return f"#{option + 1}"
    if kind_of_option == A_PLAYER:
        return PLAYERS[option]
    location = f"t{option % SIDE_CODE + 1}" if kind_of_option == A_TRUMP else option_location(option)
    with_side = kind in (TARGET_KIND, RETARGET_KIND) or option // SIDE_CODE != s.asked
    return f"{PLAYERS[option // SIDE_CODE]}.{location}" if with_side else location


def _trigger_token(s: State, option: int) -> str:
    """Return the action's id; the second of two triggers that differ only in their cause is ``riot/2``."""
    action = s.buffer[option].action
    same = [other for other in s.options if s.buffer[other].action == action]
    index = same.index(option) if option in same else 0
    return s.rules.plans[action].id + (f"/{index + 1}" if index else "")


def marked_token(s: State, option: int) -> str:
    """Return the token with its mark."""
    return TOKEN_MARKS.get(int(s.kind), "") + option_token(s, option)


def card_location(owner: int, card: int) -> str:
    return f"card:{PLAYERS[owner]}:{NAMES[card]}"


def board_location(s: State, option: int) -> str:
    """Return the location on the table of an option: ``card:p1:S5``, ``unit:p1:b1``, ``trump:p2:t1``, ``stage:1``,
    ``player:p2``; empty if it is only a word."""
    kind_of_option = A_WORD if option == DONE and s.kind in MULTI_CHOICE_KINDS else option_type(s)
    if kind_of_option == A_WORD:
        return ""
    if kind_of_option == A_CARD:
        return card_location(owner_of_offered_cards(s), option)
    if kind_of_option == A_REQUEST:
        return f"stage:{option + 1}"
    if kind_of_option == A_PLAYER:
        return f"player:{PLAYERS[option]}"
    owner = PLAYERS[option // SIDE_CODE]
    return (
        f"trump:{owner}:t{option % SIDE_CODE + 1}"
        if kind_of_option == A_TRUMP
        else f"unit:{owner}:{option_location(option)}"
    )


# -- the decision of a view --------------------------------------------------------------------------------------------


def view_of(s: State, audience: int) -> View:
    """Return all that this audience may know (R-210…R-216), including the present decision."""
    return view(s, audience, decision_view(s, audience))


def decision_view(s: State, audience: int) -> DecisionView | None:
    """Return the present decision: all of it for the asked seat, only its kind for the others."""
    if s.asked < 0 or s.winner != UNDECIDED:
        return None
    player = PLAYERS[s.asked]
    if s.asked != audience and audience != JUDGE:
        shown = shown_kind(s, audience)
        return DecisionView(player, kind_name(s) if shown == OPTION_KIND else KIND_NAMES[shown], [], [], [])
    options = [marked_token(s, option) for option in s.options]
    if s.kind == CHANCE_KIND:
        return DecisionView(player, "chance", options, [], [])
    return DecisionView(player, kind_name(s), options, tokens_so_far(s), earlier_choices(s))


def tokens_so_far(s: State) -> list[str]:
    """Return the tokens of the asked player's unfinished move."""
    draft = s.draft
    if draft is not None:
        return _request_tokens(s, draft)
    side = s.sides[s.asked]
    kind = s.kind
    if kind == TRUMPS_KIND:
        picked = members(side.picked)
        return [NAMES[card] for card in (reversed(picked) if side.picked_down else picked)]
    if kind == ATTACKERS_KIND:
        return [NAMES[unit.lead] for unit in side.soldiers if unit.role == ATTACKER]
    if kind == BLOCKERS_KIND:
        return _block_tokens(s)
    if kind == ORDER_KIND:
        return [NAMES[item] if item < len(NAMES) else option_location(item) for item in s.order]
    active = s.active
    if active is not None and kind in (CARDS_KIND, UNITS_KIND):
        return [NAMES[card] for card in members(s.bound(s.rules.plans[active.action].program[s.pc].slot))]
    return []


def _block_tokens(s: State) -> list[str]:
    """Return the attackers up to the present one, each followed by its blockers."""
    out: list[str] = []
    side = s.sides[s.asked]
    for attacker in s.sides[1 - s.asked].soldiers:
        if attacker.role == ATTACKER:
            out.append(NAMES[attacker.lead] + ":")
            for unit in (*side.soldiers, *side.bulwarks):
                if unit.role == BLOCKER and unit.blocks == attacker.id:
                    out.append(unit_location(s, s.asked, unit))
        if attacker.id == s.blocked:
            break
    return out


def earlier_choices(s: State) -> list[str]:
    """Return the earlier choices of the asked player in the present effect."""
    active = s.active
    if active is None:
        return []
    out: list[str] = []
    program = s.rules.plans[active.action].program
    for place in members(s.answered & ~BIT[s.pc]):
        if program[place].chooses != NO_CHOICE and chooser(s, program[place], active) == s.asked:
            out.append(_choice_token(s, program[place]))
    return out


def _choice_token(s: State, instruction: Instruction) -> str:
    value = s.bound(instruction.slot)
    if instruction.chooses == p.A_SET:
        return "+".join(NAMES[card] for card in members(value)) or DONE_TOKEN
    if instruction.chooses == p.A_WORD:
        return words_of(instruction.step).words[value]
    if instruction.chooses == p.A_UNIT:
        unit = s.unit(value)
        return f"unit {value}" if unit is None else unit_location(s, s.owner_of(value), unit)
    return f"request {value}" if instruction.chooses == p.A_REQUEST else NAMES[value]


def _request_tokens(s: State, draft: Request) -> list[str]:
    plan = s.rules.plans[draft.action]
    out = [plan.id]
    if plan.quick_cost is not None and s.kind != COST_KIND:
        out.append(QUICK_TOKEN if s.costs == QUICK else MAIN_TOKEN)
    keys = members(draft.keys)
    if draft.keys & plan.key_b and plan.key == EACH:
        keys.sort(key=lambda card: not BIT[card] & plan.key_a)
    discards = members(s.discards)
    paying = list(s.paying)
    for kind in s.tokens[: s.token_index]:
        if kind == TOKEN_KEY:
            out.append(NAMES[keys.pop(0)])
        elif kind == TOKEN_DISCARD:
            out.append("$" + NAMES[discards.pop(0)])
        elif kind in (TOKEN_BULWARK, TOKEN_SACRIFICE):
            out.append("$" + _own_unit(s, draft, paying.pop(0)))
        elif kind == TOKEN_SOURCE:
            out.append("@" + _own_unit(s, draft, int(draft.source)))
        elif kind == TOKEN_TARGET:
            out.append(">" + target_text(s, draft))
    return out


def _own_unit(s: State, draft: Request, id: int) -> str:
    unit = s.unit(id)
    return "" if unit is None else unit_location(s, draft.controller, unit)
