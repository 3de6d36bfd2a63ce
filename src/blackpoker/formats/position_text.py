"""A position as lines in the form of handwritten files (docs/notation.md); ``position`` reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from blackpoker.engine.cards import BIT, NAMES, members
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE, UNDECIDED
from blackpoker.engine.locations import PLAYERS, target_text
from blackpoker.engine.request import Request
from blackpoker.engine.state import ATTACKER, BLOCKER, Side, Unit
from blackpoker.engine.tables import AIM_NONE, AIM_OPPONENT
from blackpoker.engine.views import FogView
from blackpoker.engine.visibility import fog_views
from blackpoker.errors import UnreadableText
from blackpoker.formats.position import read_position
from blackpoker.game.game import Game
from blackpoker.notation import state_writer

if TYPE_CHECKING:
    pass


def write_position(game: Game) -> str:
    """Return the position in the handwritten form; if that form cannot express the state, it is added as saved
    state."""
    engine = game._engine
    text = _handwritten(game, engine)
    if engine.winner == UNDECIDED and engine.point == CHANCE and engine.draft is None:
        try:
            reread = read_position(text)._engine
        except UnreadableText:
            pass
        else:
            if _without_ids(state_writer.dump(reread)) == _without_ids(state_writer.dump(engine)):
                return text
    state = state_writer.canonical(state_writer.dump(engine))
    head, _, tail = text.partition("\n\n")
    return f"{head}\nsaved = '{state}'\n\n{tail}"


def _without_ids(state: dict[str, Any]) -> dict[str, Any]:
    """Return a dumped state with units and requests numbered by their order: a position does not keep ids."""
    numbers: dict[int, int] = {-1: -1}
    items = [item for side in state["sides"] for item in (*side["soldiers"], *side["bulwarks"])]
    items += state.get("stage", [])
    for item in items:
        numbers[item["id"]] = len(numbers)
    for item in items:
        for name in ("id", "source", "blocks"):
            if name in item:
                item[name] = numbers.get(item[name], 0)
        if item.get("target", [""])[0] in ("unit", "request"):
            item["target"][1] = numbers.get(item["target"][1], 0)  # 0: the target is gone
    state.pop("next_id")
    state.pop("preset", None)  # used at set-up only
    return state


def _handwritten(game: Game, engine: Engine) -> str:
    lines = [
        f'regulation = "{game.regulation.text}"',
        f'turn = "{PLAYERS[engine.turn]}"',
        f'chance = "{PLAYERS[engine.chance]}"',
        f"turn_number = {engine.turn_number}",
    ]
    if engine.passed and engine.point == CHANCE:
        lines.append(f'passed = ["{PLAYERS[0 if engine.passed & 1 else 1]}"]')
    if engine.stall:
        lines.append("stall = true")
    if engine.stage:
        lines += ["stage = [", *(f'  "{_request_text(engine, request)}",' for request in engine.stage), "]"]
    for seat, side in zip(PLAYERS, engine.sides, strict=True):
        lines += ["", f"[{seat}]", *_side_lines(engine, side)]
    return "\n".join(lines) + "\n"


def _side_lines(engine: Engine, side: Side) -> list[str]:
    entries = {
        "life": [_marked(c, _known(side, c), *_life_marks(side, c)) for c in reversed(side.life)],
        "hand": [_marked(c, _known(side, c)) for c in members(side.hand)],
        "field": [_unit_text(engine, side, unit) for unit in side.soldiers],
        "bulwarks": [_bulwark_text(engine, side, unit) for unit in side.bulwarks],
        "grave": _grave_texts(side),
        "trumps": [_trump_text(side, c) for c in side.trumps],
        "pack": [NAMES[c] for c in members(side.pack)],
        "rare": [_marked(c, _known(side, c)) for c in members(side.rare)],
        "fog": [_fog_text(fog) for fog in fog_views(engine, side)],
    }
    lines = [f'{name} = "{" ".join(texts)}"' for name, texts in entries.items() if texts or name == "life"]
    if side.pack_open:
        lines.append("pack_opened = true")
    used = [p.id for p in engine.rules.plans if p.limit & (side.used_game if p.limit_game else side.used)]
    if used:
        lines.append(f"used = [{', '.join(repr(name) for name in used)}]")
    if side.requests:
        lines.append(f"requests = {side.requests}")
    if side.bonus:
        lines.append(f"bonus = {side.bonus}")
    return lines


def _marked(card: int, *marks: str) -> str:
    shown = [mark for mark in marks if mark]
    return NAMES[card] + (f"({','.join(shown)})" if shown else "")


def _known(side: Side, card: int) -> str:
    marks = ["public"] * bool(side.public & BIT[card]) + ["known"] * bool(side.seen & BIT[card])
    return ",".join(marks)


def _life_marks(side: Side, card: int) -> tuple[str, str]:
    return "own" if side.own_seen & BIT[card] else "", "laid" if side.on_top & BIT[card] else ""


def _bulwark_text(engine: Engine, side: Side, unit: Unit) -> str:
    return _marked(
        unit.lead,
        "d" if unit.driven else "",
        "new" if side.fresh & unit.cards else "",
        _known(side, unit.lead),
        "mixed" if side.mixed & unit.cards else "",
        _role(engine, unit),
    )


def _grave_texts(side: Side) -> list[str]:
    """Return the cards with the public one last, or a dash if there is none."""
    cards = side.pile or members(side.grave)
    texts = [_marked(c, _known(side, c)) for c in cards if c != side.grave_top]
    if side.grave_top >= 0:
        texts.append(_marked(side.grave_top, _known(side, side.grave_top)))
    elif texts:
        texts.append("-")
    return texts


def _fog_text(fog: FogView) -> str:
    return f"{fog.fog}:{'+'.join(fog.cards)}" + ("" if fog.target is None else f">{fog.target.text}")


def _trump_text(side: Side, card: int) -> str:
    if side.open_trumps & BIT[card]:
        return "T:" + _marked(card)
    return "t:" + _marked(card, _known(side, card))


def _request_text(engine: Engine, request: Request) -> str:
    plan = engine.rules.plans[request.action]
    words = [f"{PLAYERS[request.controller]}: {plan.id}", *(NAMES[card] for card in members(request.keys))]
    words += [f"[{NAMES[card]}]" for card in members(request.virtual)]
    source = engine.unit(request.source)
    if source is not None:
        words.append(f"@{NAMES[source.lead]}")
    if plan.aim not in (AIM_NONE, AIM_OPPONENT):
        words.append(f">{target_text(engine, request) or 'gone'}")
    marks = ["quick"] if plan.main and not request.main else []
    marks += ["raised"] if request.raised and plan.direct else []
    marks += [f"amount {request.amount}"] if request.amount else []
    return " ".join(words) + (f" ({', '.join(marks)})" if marks else "")


def _role(engine: Engine, unit: Unit) -> str:
    if unit.role == ATTACKER:
        return "attacks"
    attacker = engine.unit(unit.blocks) if unit.role == BLOCKER else None
    return "" if attacker is None else f"blocks:{NAMES[attacker.lead]}"


def _unit_text(engine: Engine, side: Side, unit: Unit) -> str:
    cards = [unit.lead] + [card for card in members(unit.cards) if card != unit.lead]
    marks = ["d"] if unit.driven else []
    fresh = members(unit.cards & side.fresh)
    marks += ["new"] if len(fresh) == len(cards) else [f"new:{NAMES[card]}" for card in fresh]
    if unit.bonus:
        marks.append(f"{unit.bonus:+d}")
    if _role(engine, unit):
        marks.append(_role(engine, unit))
    return "+".join(NAMES[card] for card in cards) + (f"({','.join(marks)})" if marks else "")
