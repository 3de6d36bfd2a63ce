"""The text of a draft with tags, for the player who is about to send it: its tokens, action, payment and results. Cards
and units are named with their owner wherever another one could be meant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from blackpoker.assist.completion import decisions_before
from blackpoker.assist.decision import Decision, Draft, Option, tagged_prompts
from blackpoker.assist.forecast import ForecastResult
from blackpoker.engine import events as ev
from blackpoker.engine.cards import parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.locations import PLAYERS, unit_location
from blackpoker.engine.state import (
    BULWARK_KIND,
    DISCARD_KIND,
    KEY_KIND,
    SACRIFICE_KIND,
    SHOWN_KIND,
    SOURCE_KIND,
    TARGET_KIND,
    State,
    Unit,
)
from blackpoker.ruleset import edition_of
from blackpoker.text.cards import sign
from blackpoker.text.markup import RichText, parse
from blackpoker.text.prompts import Prompts

#: label of each kind of payment
PAYMENT_LABELS: Final = {
    SOURCE_KIND: "paid_source",
    BULWARK_KIND: "paid_bulwark",
    DISCARD_KIND: "paid_discard",
    SACRIFICE_KIND: "paid_sacrifice",
    SHOWN_KIND: "paid_shown",
}


def prompts_of(s: Engine, lang: str) -> Prompts:
    return tagged_prompts(edition_of(s.rules), lang)


def option_states(draft: Draft) -> list[tuple[Engine, int]]:
    """Return each option of the draft with the state before it."""
    return [
        (one._engine, option)
        for one, option in zip(decisions_before(draft._start, draft.options), draft.options, strict=True)
    ]


def token_texts(draft: Draft, lang: str) -> list[RichText]:
    """Return the label of every token after the action."""
    prompts = prompts_of(draft._start, lang)
    return [parse(option_text(prompts, s, option)) for s, option in option_states(draft)]


def request_text(draft: Draft, lang: str) -> RichText:
    """Return the text of the whole request; empty for an answer inside an effect."""
    if not draft.is_request:
        return RichText()
    return parse(request_summary(prompts_of(draft._start, lang), option_states(draft)))


def cost_text(draft: Draft, lang: str) -> RichText:
    """Return the certain price of the request, including raised actions."""
    if not draft.is_request:
        return RichText()
    return parse(payment_summary(prompts_of(draft._start, lang), option_states(draft), draft.forecast.cost))


def with_texts(source: Draft | Decision | Option, forecast: list[ForecastResult], lang: str) -> list[ForecastResult]:
    """Return the results, each with its text."""
    s = source._start if isinstance(source, Draft) else source._engine
    prompts = prompts_of(s, lang)
    return [replace(one, text=parse(consequence_text(prompts, s, one))) for one in forecast]


def title_of(s: Engine, locations: Sequence[str], lang: str) -> RichText:
    """Return the names of these locations, as the asked player selects them: a unit by all its cards."""
    prompts = prompts_of(s, lang)
    return parse(" + ".join(filter(None, (location_text(prompts, s, location) for location in locations))))


def location_text(prompts: Prompts, s: State, location: str) -> str:
    """Return the name of what lies at a location; empty if there is no such location."""
    kind, _, rest = location.partition(":")
    owner_name, _, place = rest.partition(":")
    if kind == "stage":
        at = int(rest) - 1 if rest.isdecimal() else -1
        return prompts.staged_option(s, at, with_target=False) if 0 <= at < len(s.stage) else ""
    if owner_name not in PLAYERS:
        return ""
    owner = PLAYERS.index(owner_name)
    if kind == "player":
        return prompts.names[owner]
    if kind == "card":
        card = parse_card(place)
        return "" if card < 0 else sign(card)
    if kind == "trump":
        trumps = {f"t{at}": card for at, card in enumerate(s.sides[owner].trumps, 1)}
        return prompts.trump(s, owner, trumps[place], int(s.asked)) if place in trumps else ""
    unit = unit_at(s, owner, place) if kind == "unit" else None
    return "" if unit is None else prompts.short_unit(s, owner, unit, int(s.asked))


def option_text(prompts: Prompts, s: State, option: int) -> str:
    """Return one option of a request, as shown on a chip."""
    kind = s.kind
    if kind == TARGET_KIND:
        return prompts.label("aims_at", prompts.target_option(s, option, short=True))
    text = chosen_text(prompts, s, option)
    return prompts.label(PAYMENT_LABELS[kind], text) if kind in PAYMENT_LABELS else text


def chosen_text(prompts: Prompts, s: State, option: int) -> str:
    """Return a chosen key or payment; a card by its name alone, also if another one of this name was offered."""
    return sign(option) if s.kind in (KEY_KIND, DISCARD_KIND, SHOWN_KIND) else prompts.option(s, option)


def request_summary(prompts: Prompts, chosen: list[tuple[Engine, int]]) -> str:
    """Return a request as a whole: action, keys, target. ``chosen``: each option with the state before it."""
    keys = [chosen_text(prompts, s, option) for s, option in chosen if s.kind == KEY_KIND]
    aims = [option_text(prompts, s, option) for s, option in chosen if s.kind == TARGET_KIND]
    name = prompts.action_name(chosen[0][0], chosen[0][1] - 1)
    return " ".join([name, *keys, *aims])


def payment_summary(prompts: Prompts, chosen: list[tuple[Engine, int]], paid: list[RawEvent]) -> str:
    """Return the payment, equal kinds grouped, and the damage of the actions it raises. Return "" if nothing is
    paid."""
    parts: list[tuple[str, list[str]]] = []
    for s, option in chosen:
        if s.kind in PAYMENT_LABELS:
            name = PAYMENT_LABELS[s.kind]
            text = chosen_text(prompts, s, option)
            if parts and parts[-1][0] == name:
                parts[-1][1].append(text)
            else:
                parts.append((name, [text]))
    out = [prompts.label(name, prompts.label("list").join(texts)) for name, texts in parts]
    start = chosen[0][0]
    seat = start.asked
    raised = next((n for n, event in enumerate(paid) if event[0] == ev.RESOLVING), len(paid))
    life = sum(int(event[4]) for event in paid[:raised] if event[0] == ev.DAMAGED and event[1] == seat)
    if life:
        out.append(prompts.label("paid_life", life))
    name = ""
    for event in paid[raised:]:
        if event[0] == ev.RESOLVING:
            name = prompts.action_name(start, event[4])
        elif event[0] == ev.DAMAGED:
            label = "raised_damage" if event[1] == seat else "raised_damage_other"
            out.append(prompts.label(label, name, event[4], prompts.names[event[1]]))
    return prompts.label("and").join(out)


def consequence_text(prompts: Prompts, s: State, consequence: ForecastResult) -> str:
    """Return the text of one consequence."""
    seat = s.asked
    kind, _, rest = consequence.location.partition(":")
    if kind == "player":
        player = PLAYERS.index(rest)
        if player != seat:
            return prompts.label(f"does_{consequence.kind}", prompts.names[player], consequence.number)
        text = prompts.label(f"does_own_{consequence.kind}", consequence.number)
        if consequence.life < 0:
            return text
        return prompts.label("about", text, prompts.label("life_to", consequence.previous, consequence.life))
    if kind == "stage":
        return prompts.label(f"does_{consequence.kind}", prompts.staged_option(s, int(rest) - 1, with_target=False))
    owner_name, _, place = rest.partition(":")
    owner = PLAYERS.index(owner_name)
    unit = unit_at(s, owner, place)
    text = "" if unit is None else prompts.with_owner(s, owner, prompts.short_unit(s, owner, unit, seat))
    return prompts.label(f"does_{consequence.kind}", text, consequence.number, consequence.previous)


def unit_at(s: State, owner: int, place: str) -> Unit | None:
    side = s.sides[owner]
    for unit in (*side.soldiers, *side.bulwarks):
        if unit_location(s, owner, unit) == place:
            return unit
    return None
