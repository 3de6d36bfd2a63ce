"""Previews of a block: the clash of one attacker with each unit that could block it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blackpoker.assist.decision import Decision, Draft
from blackpoker.assist.forecast import ForecastClash
from blackpoker.engine.engine import Engine
from blackpoker.engine.state import BLOCKERS_KIND, DONE
from blackpoker.errors import BlackPokerError
from blackpoker.notation.parser import parse_move

#: previews of one answer; each plays out a whole fight
MAX_PREVIEWS: Final = 24


@dataclass(slots=True)
class BlockPreview:
    """The ``clash`` of the attacker with the unit ``token``: alone, or together with the units that block the attacker
    already if this unit is one of them."""

    token: str
    clash: ForecastClash


@dataclass(slots=True)
class BlockPreviews:
    """The previews for one attacker; a unit that cannot block it has none."""

    attacker: str
    previews: list[BlockPreview]


def block_previews(draft: Draft, attacker: str) -> BlockPreviews | None:
    """Return the previews for this attacker, or for the first one if the name is empty, with the other attackers
    blocked as in the draft. Return None if no blockers are chosen or there is no such attacker."""
    engine = draft._start
    if engine.kind != BLOCKERS_KIND:
        return None
    blocks = {clash.attacker: clash.blockers for clash in draft.forecast.clashes}
    attacker = attacker or next(iter(blocks), "")
    if attacker not in blocks:
        return None
    out = BlockPreviews(attacker, [])
    units = [option.text for option in Decision(engine).selectable if option.option != DONE]
    for unit in units[:MAX_PREVIEWS]:
        tried = {name: [token for token in tokens if token != unit] for name, tokens in blocks.items()}
        tried[attacker] = blocks[attacker] if unit in blocks[attacker] else [unit]
        clash = clash_of(engine, tried, attacker)
        if clash is not None:
            out.previews.append(BlockPreview(unit, clash))
    return out


def clash_of(engine: Engine, blocks: dict[str, list[str]], attacker: str) -> ForecastClash | None:
    """Return the projected clash of an attacker; None if these blocks are illegal."""
    text = "; ".join(f"{name}: {' '.join(tokens)}" for name, tokens in blocks.items() if tokens)
    draft = Draft(engine)
    try:
        options = parse_move(engine, text).options
    except BlackPokerError:
        return None
    for option in options:
        draft.push(option)
    return next((clash for clash in draft.forecast.clashes if clash.attacker == attacker), None)
