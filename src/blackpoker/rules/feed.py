"""The event feed: what atoms reported, as each seat may hear it."""

from __future__ import annotations

from typing import Any, Final

from blackpoker.rules.cards import NAMES, members
from blackpoker.rules import events as ev
from blackpoker.rules.names import PLAYERS
from blackpoker.rules.state import State
from blackpoker.rules.request import PLAYER, REQUEST, TRUMP, UNIT

_ZONES: Final = ("hand", "life", "grave", "field", "stage", "trumps", "pack", "aside")
EVENT_NAMES: Final[dict[int, str]] = {
    getattr(ev, name.upper()): name
    for name in (
        "declared", "passed", "resolving", "fizzled", "negated", "raised", "staged", "damaged", "drew", "discarded",
        "took", "entered", "attached", "buried", "returned", "topped", "sunk", "drove", "charged", "turned", "bonus",
        "shuffled", "revealed", "milled", "keys_spent", "keys_returned", "attacked", "blocked", "turn", "opened",
        "closed", "trump_lost", "trump_set", "retargeted", "flipped", "won", "looked", "pack_opened", "reordered",
        "dealt",
    )
}  # fmt: skip
#: events whose numbers are an action and a request
_OF_REQUESTS: Final = frozenset(
    (ev.DECLARED, ev.RESOLVING, ev.FIZZLED, ev.NEGATED, ev.RAISED, ev.STAGED, ev.KEYS_SPENT, ev.KEYS_RETURNED)
)
#: events whose numbers are a character and a unit
_OF_UNITS: Final = frozenset(
    (ev.ENTERED, ev.ATTACHED, ev.BURIED, ev.RETURNED, ev.DROVE, ev.CHARGED, ev.TURNED, ev.ATTACKED)
)


class Told:
    """One event. What names a hidden card is put into words that do not, while the state still knows how."""

    __slots__ = ("aim", "event")

    def __init__(self, event: tuple[int, int, int, int, int, int], s: State) -> None:
        self.event = event
        self.aim = ""
        if event[0] == ev.RETARGETED:
            self.aim = _aim(s, event[4], event[5])

    def to(self, seat: int, s: State) -> dict[str, Any]:
        """The event for this seat (-1: somebody who sits at neither)."""
        kind, player, cards, seen_by, a, b = self.event
        out: dict[str, Any] = {"event": EVENT_NAMES.get(kind, str(kind)), "player": PLAYERS[player]}
        shown = seat == player or seen_by == ev.EVERYBODY or (seat >= 0 and seen_by & (seat + 1) != 0)
        if cards:
            out["count"] = len(members(cards))
            out["cards"] = [NAMES[card] for card in members(cards)] if shown else None
        if kind in _OF_REQUESTS:
            out["action"] = s.rules.plans[a].id
            out["request"] = b
        elif kind in _OF_UNITS:
            # Which character a bulwark is made of is its owner's secret; that it is a bulwark is not.
            out["kind"] = s.rules.kinds[a].id if 0 <= a < len(s.rules.kinds) else None
            out["unit"] = b
        elif kind == ev.BLOCKED:
            out["attacker"] = a
            out["unit"] = b
        elif kind == ev.BONUS:
            out["amount"] = a
            out["unit"] = b if b >= 0 else None
        elif kind == ev.RETARGETED:
            out["target"] = self.aim
        elif kind == ev.TOOK:
            out["from"] = _ZONES[a]
        elif kind == ev.TURN:
            out["turn_number"] = a
        elif kind == ev.WON:
            out["winner"] = "draw" if a > 1 else PLAYERS[a]
        elif kind == ev.REVEALED and b >= 0:
            out["unit"] = b
        elif kind in (ev.DAMAGED, ev.DISCARDED):
            out["count"] = a
        return out


def _aim(s: State, kind: int, target: int) -> str:
    if kind == UNIT:
        unit = s.unit(target)
        return "" if unit is None else str(target)
    if kind == PLAYER:
        return PLAYERS[target]
    if kind == REQUEST:
        return f"request {target}"
    if kind == TRUMP:
        trumps = s.sides[target // 64].trumps
        card = target % 64
        return f"{PLAYERS[target // 64]}.t{trumps.index(card) + 1}" if card in trumps else ""
    return ""
