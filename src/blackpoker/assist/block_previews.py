"""Previews of a block: the clash of one attacker with each unit that could block it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blackpoker.assist.decision import Decision
from blackpoker.assist.fight_selection import Blocks, FightSelection, block_draft
from blackpoker.assist.forecast import ForecastClash
from blackpoker.engine.engine import Engine
from blackpoker.engine.state import DONE
from blackpoker.errors import BlackPokerError

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
    """The blockers ``chosen`` for each attacker, and the previews for one attacker; a unit that cannot block it has
    none."""

    attacker: str
    previews: list[BlockPreview]
    chosen: dict[str, list[str]]


def block_previews(selection: FightSelection) -> BlockPreviews:
    """Return the previews for the selected attacker, with the other attackers blocked as in the selection."""
    engine = selection.draft._start
    blocks, attacker = selection.blocks, selection.attacker
    out = BlockPreviews(attacker, [], blocks)
    units = [option.text for option in Decision(engine).options if option.option != DONE]
    for unit in units[:MAX_PREVIEWS]:
        tried = {name: [token for token in tokens if token != unit] for name, tokens in blocks.items()}
        tried[attacker] = blocks[attacker] if unit in blocks.get(attacker, ()) else [unit]
        clash = clash_of(engine, tried, attacker)
        if clash is not None:
            out.previews.append(BlockPreview(unit, clash))
    return out


def clash_of(engine: Engine, blocks: Blocks, attacker: str) -> ForecastClash | None:
    """Return the projected clash of an attacker; None if these blocks are illegal."""
    try:
        draft = block_draft(engine, blocks)
    except BlackPokerError:
        return None
    return next((clash for clash in draft.forecast.clashes if clash.attacker == attacker), None)
