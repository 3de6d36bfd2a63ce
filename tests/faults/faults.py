"""Planted faults: one changed line each, in different rules, and the scenario that detects it.

`tests/README.md` describes the purpose. To add one, give a line that occurs exactly once in its file, its replacement,
and the scenario files of which at least one must then fail.
"""

from __future__ import annotations

from typing import NamedTuple


class Fault(NamedTuple):
    ruling: str
    file: str
    line: str
    becomes: str
    caught_by: str


#: a fault that does not affect play: the check of the hot modules reports it
HOT_CHECK = "tools/hot.py"

FAULTS = (
    Fault("R-07", "engine/flow.py", "self.passed = 0  # R-07", "pass  # R-07", "canon/S-002.toml"),
    Fault(
        "R-12", "engine/flow.py", "            self.stall = True", "            self.stall = False", "canon/S-004.toml"
    ),
    Fault(
        "R-20",
        "engine/flow.py",
        "return main if main else quick",
        "return quick if quick else main",
        "canon/S-168.toml",
    ),
    Fault("R-23", "content/edition6/base/magic.py", "late_triggers=True", "late_triggers=False", "canon/S-028.toml"),
    Fault("R-27", "engine/atoms.py", "(to_grave or (to_hand and kind.leave_to_hand))", "True", "canon/S-089.toml"),
    Fault(
        "R-35",
        "definitions/compiler.py",
        "plan.quick_magic = _is_waived(action, waived)",
        "plan.quick_magic = _is_waived(action, waived) or action.kind is ActionKind.SUMMON",
        "canon/S-103.toml",
    ),
    Fault("R-45", "engine/engine.py", "else DRAW  # N-091", "else 1  # N-091", "canon/S-136.toml"),
    Fault(
        "R-52", "engine/atoms.py", "        side.bonus = 0\n", "        side.bonus = side.bonus\n", "canon/S-095.toml"
    ),
    Fault(
        "R-62",
        "engine/legality.py",
        "MIXED_BLOCK if bulwark and others > 0 else",
        "MIXED_BLOCK if False else",
        "actions/block.toml",
    ),
    Fault(
        "R-68",
        "engine/combat.py",
        "    if number == 0:\n        return True",
        "    if number == 0:\n        return False",
        "canon/S-047.toml",
    ),
    Fault("R-82", "engine/legality.py", "if unit.cards & ~side.fresh != 0:", "if unit.cards != 0:", "canon/S-085.toml"),
    Fault(
        "R-158",
        "content/edition6/base/magic.py",
        "KEY_SUM.at_least(TARGET_KEY_SUM)",
        "KEY_SUM.at_most(TARGET_KEY_SUM)",
        "canon/S-073.toml",
    ),
    Fault("R-210", "engine/state.py", "LIFE_COUNTED: Final = 10", "LIFE_COUNTED: Final = 13", "canon/S-120.toml"),
    Fault(
        "R-211",
        "engine/atoms.py",
        "            side.grave_top = -1",
        "            side.grave_top = side.grave_top",
        "canon/S-123.toml",
    ),
    # a step without effect
    Fault(
        "R-153", "definitions/steps/requests.py", "        atoms.return_keys(s, request)\n", "", "actions/recall.toml"
    ),
    # a zone written outside the atoms
    Fault(
        "R-133",
        "definitions/steps/cards.py",
        "zone_moves.hand_to_life(s, me, card, self.end.of(s, request) == 0)",
        "s.sides[me].hand &= ~BIT[card]",
        HOT_CHECK,
    ),
    # a wrong audience
    Fault(
        "R-216",
        "engine/visibility.py",
        "if audience != _PUBLIC else side.public\n",
        "\n",
        "actions/hand_destruction.toml",
    ),
    Fault(
        "R-198", "engine/visibility.py", "count(side.pack) if counted else None", "count(side.pack)", "canon/S-116.toml"
    ),
    Fault(
        "R-170",
        "engine/atoms.py",
        "    side.seen |= side.hand & ~side.public\n",
        "    side.public |= side.hand\n",
        "actions/hand_destruction.toml",
    ),
    Fault(
        "R-167",
        "engine/atoms.py",
        "    if chooser != player:\n",
        "    if chooser == player:\n",
        "actions/death_lance.toml",
    ),
    Fault(
        "R-126", "engine/visibility.py", "if side.mixed & unit.cards != 0 and not own:", "if False:", "ours/R-309.toml"
    ),
    Fault(
        "R-134",
        "definitions/steps/cards.py",
        "        if ask_public_card(s, player, cards):",
        "        if False:",
        "ours/R-301.toml",
    ),
)


class Typo(NamedTuple):
    """A misspelling in a scenario: the file must fail, even at a line that expects a refusal."""

    file: str
    line: str
    becomes: str


TYPOS = (
    Typo("canon/S-012.toml", "illegal p1 up", "illegal p1 upp"),
    Typo("canon/S-012.toml", "because R-31", "becuase R-31"),
    Typo("actions/kill.toml", "no_chance p2 kill S4", "no_chance p2 kill S44"),
    Typo("actions/kill.toml", "no_chance p2 kill", "illegal p2 kill"),
)
