"""The text of a draft request: its action, its payment and its effects, for the player who is about to send it. Cards
and units are named with their owner wherever another one could be meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from blackpoker.engine import events as ev
from blackpoker.engine.cards import SIGNS
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
)  # fmt: skip
from blackpoker.text.prompts import Prompts

#: label of each kind of payment
PAYMENT_LABELS: Final = {
    SOURCE_KIND: "paid_source",
    BULWARK_KIND: "paid_bulwark",
    DISCARD_KIND: "paid_discard",
    SACRIFICE_KIND: "paid_sacrifice",
    SHOWN_KIND: "paid_shown",
}


class Consequence(Protocol):
    @property
    def kind(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def number(self) -> int: ...
    @property
    def was(self) -> int: ...


def option_text(prompts: Prompts, s: State, option: int) -> str:
    """Return one option of a request, as shown on a chip."""
    kind = s.kind
    if kind == TARGET_KIND:
        return prompts.label("aims_at", prompts.target_option(s, option, short=True))
    text = prompts.option(s, option)
    return prompts.label(PAYMENT_LABELS[kind], text) if kind in PAYMENT_LABELS else text


def request_text(prompts: Prompts, chosen: Sequence[tuple[State, int]]) -> str:
    """Return a request as a whole: action, keys, target. ``chosen`` has each option with the state in which it was
    chosen."""
    keys = [prompts.option(s, option) for s, option in chosen if s.kind == KEY_KIND]
    aims = [option_text(prompts, s, option) for s, option in chosen if s.kind == TARGET_KIND]
    name = prompts.action_name(chosen[0][0], chosen[0][1] - 1)
    return " ".join([name, *keys, *aims])


def payment_text(prompts: Prompts, chosen: Sequence[tuple[State, int]], paid: Sequence[RawEvent]) -> str:
    """Return the payment, equal kinds grouped, and the damage of the actions it raises. Return "" if nothing is
    paid."""
    parts: list[tuple[str, list[str]]] = []
    for s, option in chosen:
        if s.kind in PAYMENT_LABELS:
            name = PAYMENT_LABELS[s.kind]
            text = SIGNS[option] if s.kind in (DISCARD_KIND, SHOWN_KIND) else prompts.option(s, option)
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


def consequence_text(prompts: Prompts, s: State, consequence: Consequence) -> str:
    """Return the text of one consequence."""
    seat = s.asked
    kind, _, rest = consequence.place.partition(":")
    if kind == "player":
        player = PLAYERS.index(rest)
        life = len(s.sides[player].life)
        if player != seat:
            return prompts.label(f"does_{consequence.kind}", prompts.names[player], consequence.number)
        text = prompts.label(f"does_own_{consequence.kind}", consequence.number)
        return prompts.label("about", text, prompts.label("life_to", life, max(0, life - consequence.number)))
    if kind == "stage":
        return prompts.label(f"does_{consequence.kind}", prompts.staged_option(s, int(rest) - 1, with_target=False))
    owner_name, _, place = rest.partition(":")
    owner = PLAYERS.index(owner_name)
    unit = unit_at(s, owner, place)
    text = "" if unit is None else prompts.with_owner(s, owner, prompts.short_unit(s, owner, unit, seat))
    return prompts.label(f"does_{consequence.kind}", text, consequence.number, consequence.was)


def unit_at(s: State, owner: int, place: str) -> Unit | None:
    side = s.sides[owner]
    for unit in (*side.soldiers, *side.bulwarks):
        if unit_location(s, owner, unit) == place:
            return unit
    return None
