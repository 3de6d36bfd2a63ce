"""The selection of attackers or blockers. A tap changes it; an illegal one leaves it as it was, with the reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from blackpoker.assist.decision import Decision, Draft
from blackpoker.engine.engine import Engine
from blackpoker.engine.state import ATTACKERS_KIND, BLOCKERS_KIND, DONE
from blackpoker.errors import BlackPokerError, IllegalMove
from blackpoker.notation.options import DONE_TOKEN
from blackpoker.notation.parser import parse_move

#: blockers by attacker
Blocks = dict[str, list[str]]


class FightSelection(NamedTuple):
    """``draft``: the whole move; ``picks``: the locations of the selected units; ``blocks``: the blockers of each
    attacker; ``attacker``: the one whose blockers are selected next; ``refusal``: why the tap changed nothing."""

    draft: Draft
    picks: list[str]
    blocks: Blocks
    attacker: str
    refusal: BlackPokerError | None

    def reason(self, lang: str) -> str:
        """Return the reason for a refused tap, without the text of the move; empty if there is none."""
        error = self.refusal
        if isinstance(error, IllegalMove):
            return error.reason_ja if lang == "ja" else error.reason
        return "" if error is None else error.ja if lang == "ja" else error.en


def is_fight(engine: Engine) -> bool:
    """Return whether attackers or blockers are chosen."""
    return engine.kind in (ATTACKERS_KIND, BLOCKERS_KIND)


def select(engine: Engine, attackers: Sequence[str], blocks: Blocks, attacker: str, tap: str) -> FightSelection:
    """Return the selection of a fight after a tap on an own unit (empty: none)."""
    if engine.kind == ATTACKERS_KIND:
        return select_attackers(engine, attackers, tap)
    return select_blockers(engine, blocks, attacker, tap)


def select_attackers(engine: Engine, attackers: Sequence[str], tap: str) -> FightSelection:
    """Return the selection after a tap on an own unit (empty: none)."""
    named = set(attackers) - {DONE_TOKEN}
    refusal: BlackPokerError | None = None
    if tap:
        try:
            draft = _attack(engine, named ^ {tap})
            return _selection(draft, draft.words, {}, "", None)
        except BlackPokerError as error:
            refusal = error
    draft = _attack(engine, named)
    return _selection(draft, draft.words, {}, "", refusal)


def _attack(engine: Engine, named: set[str]) -> Draft:
    """Return the attack of these units, in the order of the field."""
    units = Decision(engine).words
    ordered = [unit for unit in units if unit in named] + sorted(named.difference(units))
    return _whole(engine, " ".join(ordered))


def select_blockers(engine: Engine, blocks: Blocks, attacker: str, tap: str) -> FightSelection:
    """Return the selection after a tap on an own unit (empty: none), which joins the blockers of ``attacker`` (empty:
    the first one), or replaces them if they cannot block it together. A second tap takes it back."""
    draft = block_draft(engine, blocks)
    attackers = [clash.attacker for clash in draft.forecast.clashes]
    if attacker not in attackers:
        attacker = next(iter(attackers), "")
    used = [unit for units in blocks.values() for unit in units]
    if not tap:
        return _selection(draft, used, blocks, attacker, None)
    others = {name: [unit for unit in units if unit != tap] for name, units in blocks.items()}
    if tap in blocks.get(attacker, ()):
        return _selection(block_draft(engine, others), [unit for unit in used if unit != tap], others, attacker, None)
    refusal: BlackPokerError | None = None
    for units in ([*others.get(attacker, ()), tap], [tap]):
        tried = {**others, attacker: units}
        try:
            found = block_draft(engine, tried)
        except BlackPokerError as error:
            refusal = refusal or error
            continue
        at = attackers.index(attacker) + 1
        later = (name for name in attackers[at:] + attackers[:at] if not tried.get(name))
        chosen = [unit for units in tried.values() for unit in units]
        return _selection(found, chosen, tried, next(later, attacker), None)
    return _selection(draft, used, blocks, attacker, refusal)


def block_draft(engine: Engine, blocks: Blocks) -> Draft:
    """Return the whole move of these blocks."""
    return _whole(engine, "; ".join(f"{attacker}: {' '.join(units)}" for attacker, units in blocks.items() if units))


def _whole(engine: Engine, text: str) -> Draft:
    """Return the draft of a whole move; raise `BlackPokerError` if it is illegal."""
    draft = Draft(engine)
    for option in parse_move(engine, text or DONE_TOKEN).options:
        draft.push(option)
    return draft


def _selection(
    draft: Draft, units: Sequence[str], blocks: Blocks, attacker: str, refusal: BlackPokerError | None
) -> FightSelection:
    places = {option.text: option.location for option in Decision(draft._start).options if option.option != DONE}
    picks = [places[unit] for unit in units if unit in places]
    return FightSelection(draft, picks, {name: units for name, units in blocks.items() if units}, attacker, refusal)
