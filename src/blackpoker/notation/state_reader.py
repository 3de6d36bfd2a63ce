"""Reader of a state from plain data (``saved_state``). It does not trust the data: each value is checked, derived
values are computed, and the stored decision must equal the computed one."""

from __future__ import annotations

from typing import Any, Final

from blackpoker.engine import atoms
from blackpoker.engine.cards import BIT, NAMES, count, parse_card
from blackpoker.engine.engine import MAX_TURNS, Engine
from blackpoker.engine.flow import (
    CHANCE_KIND,
    DRAW,
    NOTHING,
    OVER,
    SETUP,
    UNDECIDED,
)
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.state import FORCE_FOG, NO_CARDS, SIDE_CODE, Side, Unit, fog_code
from blackpoker.engine.step import BLOCK
from blackpoker.engine.tables import RuleTables
from blackpoker.engine.visibility import FOG_NAMES
from blackpoker.notation.state_check import MOST_BONUS, MOST_COUNTED, SaveError, check_state
from blackpoker.notation.state_writer import POINTS, ROLES, TARGETS, dump

_MAX_ID: Final = 10**9
_BIG: Final = 2**62


class _StateReader:
    """Accessor of an object's values; raises `SaveError` with the location of a wrong one."""

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, dict):
            raise SaveError(f"{where or 'the saved game'} must be an object")
        self.data: dict[str, Any] = data
        self.where = where

    def fail(self, name: str, what: str) -> SaveError:
        return SaveError(f"{self.where + '.' if self.where else ''}{name} {what}")

    def integer(self, name: str, low: int, high: int, default: int | None = None) -> int:
        value = self.data.get(name, default)
        return self.check_int(name, value, low, high)

    def check_int(self, name: str, value: object, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.fail(name, f"must be a whole number from {low} to {high}")
        return value

    def integers(self, name: str, value: object, length: int | None, low: int, high: int) -> list[int]:
        if not isinstance(value, list) or len(value) > 400 or (length is not None and len(value) != length):
            raise self.fail(name, "must be a list" + (f" of {length} whole numbers" if length is not None else ""))
        return [self.check_int(name, item, low, high) for item in value]

    def flag(self, name: str) -> bool:
        value = self.data.get(name, False)
        if not isinstance(value, bool):
            raise self.fail(name, "must be true or false")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        value = self.data.get(name, default)
        if not isinstance(value, str) or len(value) > 1000:
            raise self.fail(name, "must be a short text")
        return value

    def pile(self, name: str) -> list[int]:
        """Return cards in the order they are written; raise `SaveError` for duplicates."""
        out: list[int] = []
        for word in self.text(name, "").split():
            card = parse_card(word)
            if card < 0 or NAMES[card] != word:
                raise self.fail(name, f"has {word!r}, which is no card")
            if card in out:
                raise self.fail(name, f"has {word} twice")
            out.append(card)
        return out

    def cards(self, name: str) -> int:
        return sum(BIT[card] for card in self.pile(name))

    def items(self, name: str, limit: int = 400) -> list[Any]:
        value = self.data.get(name, [])
        if not isinstance(value, list) or len(value) > limit:
            raise self.fail(name, f"must be a list of at most {limit}")
        return value


class _StateBuilder:
    def __init__(self, rules: RuleTables, data: object) -> None:
        self.rules = rules
        self.top = _StateReader(data, "")
        self.actions = {plan.id: plan for plan in rules.plans}
        self.kinds = {kind.id: kind for kind in rules.kinds}
        self.ids: set[int] = set()
        self.next_id = self.top.integer("next_id", 1, _MAX_ID)

    def new_id(self, reader: _StateReader) -> int:
        id = reader.integer("id", 1, self.next_id - 1)
        if id in self.ids:
            raise reader.fail("id", f"{id} is there twice")
        self.ids.add(id)
        return id

    def unit(self, data: object, where: str, bulwark: bool) -> Unit:
        reader = _StateReader(data, where)
        cards = reader.pile("cards")
        if not cards:
            raise reader.fail("cards", "must not be empty")
        name = reader.text("kind")
        kind = self.kinds.get(name)
        if kind is None or kind.bulwark != bulwark:
            raise reader.fail("kind", f"{name!r} does not belong there")
        lead = parse_card(reader.text("lead", NAMES[cards[0]]))
        if lead not in cards:
            raise reader.fail("lead", "must be one of its cards")
        mask = sum(BIT[card] for card in cards)
        unit = Unit(self.new_id(reader), kind.index, mask, lead, 0, reader.flag("driven"))
        if not bulwark:
            unit.base = atoms.base_number(kind, mask)
            unit.bonus = reader.integer("bonus", -MOST_BONUS, MOST_BONUS, 0)
        role = reader.text("role", "")
        if role not in ROLES:
            raise reader.fail("role", "must be attacker or blocker")
        unit.role = ROLES.index(role)
        unit.blocks = reader.integer("blocks", -1, _MAX_ID, -1)
        return unit

    def request(self, data: object, where: str) -> Request:
        reader = _StateReader(data, where)
        name = reader.text("action")
        plan = self.actions.get(name)
        if plan is None:
            raise reader.fail("action", f"{name!r} is no action of this format")
        request = Request(
            self.new_id(reader), plan.index, reader.integer("controller", 0, 1), plan.immediate, plan.main
        )
        if "main" in reader.data:
            request.main = reader.flag("main")
        request.keys = reader.cards("keys")
        request.virtual = reader.cards("virtual")
        request.key_count = reader.integer("key_count", 0, 54, 0)
        if "target" in reader.data:
            target = reader.data["target"]
            if not isinstance(target, list) or len(target) != 2 or target[0] not in TARGETS[1:]:
                raise reader.fail("target", "must be a kind of target and its number")
            request.target_kind = TARGETS.index(target[0])
            most = {UNIT: _MAX_ID, REQUEST: _MAX_ID, PLAYER: 1, TRUMP: 64 + 53}[int(request.target_kind)]
            request.target = reader.check_int("target", target[1], 0, most)
            if request.target_kind == TRUMP and request.target % 64 > 53:
                raise reader.fail("target", "names no trump")
        request.source = reader.integer("source", -1, _MAX_ID, -1)
        request.amount = reader.integer("amount", 0, 2**54 - 1, 0)
        request.raised, request.passes = reader.flag("raised"), reader.flag("passes")
        return request

    def requests(self, name: str) -> list[Request]:
        return [self.request(data, f"{name}[{index}]") for index, data in enumerate(self.top.items(name, 300))]

    def side(self, data: object, where: str) -> Side:
        reader = _StateReader(data, where)
        side = Side(
            reader.pile("life")[::-1],
            [self.unit(unit, f"{where}.soldiers[{n}]", False) for n, unit in enumerate(reader.items("soldiers", 54))],
            [self.unit(unit, f"{where}.bulwarks[{n}]", True) for n, unit in enumerate(reader.items("bulwarks", 54))],
            reader.pile("trumps"),
        )
        side.hand = reader.cards("hand")
        side.hand_count = count(side.hand)
        side.grave = reader.cards("grave")
        top = reader.text("grave_top", "")
        side.grave_top = parse_card(top) if top else -1
        if top and (side.grave_top < 0 or BIT[side.grave_top] & side.grave == 0):
            raise reader.fail("grave_top", "must be a card of the grave")
        side.fresh = reader.cards("fresh")
        side.public = reader.cards("public")
        side.seen = reader.cards("seen")
        side.own_seen = reader.cards("own_seen")
        side.on_top = reader.cards("on_top")
        side.mixed = reader.cards("mixed")
        side.aside = reader.cards("aside")
        side.pack = reader.cards("pack")
        side.rare = reader.cards("rare")
        side.pile = self.pile(reader, side)
        side.uncovered = reader.flag("uncovered")
        side.fogs = [self.fog(reader, fog) for fog in reader.items("fogs", 16)]
        side.open_trumps = reader.cards("open_trumps")
        if side.open_trumps & ~sum(BIT[card] for card in side.trumps):
            raise reader.fail("open_trumps", "must be trumps")
        side.pack_open = reader.flag("pack_open")
        side.bonus = reader.integer("bonus", -MOST_BONUS, MOST_BONUS, 0)
        side.requests = reader.integer("requests", 0, MOST_COUNTED, 0)
        for name in reader.items("used"):
            plan = self.actions.get(name) if isinstance(name, str) else None
            if plan is None or not plan.limit:
                raise reader.fail("used", f"{name!r} is no action with a limit")
            if plan.limit_game:
                side.used_game |= plan.limit
            else:
                side.used |= plan.limit
        return side

    def pile(self, reader: _StateReader, side: Side) -> list[int]:
        """Return the order of the grave from the bottom, in editions that have one (N-052)."""
        pile = reader.pile("pile")
        if not self.rules.grave_piles:
            if pile:
                raise reader.fail("pile", "a grave has no order in this edition")
            return NO_CARDS
        top = pile[-1] if pile else -1
        if sum(BIT[card] for card in pile) != side.grave or side.grave_top != top:
            raise reader.fail("pile", "must be the cards of the grave, its top last")
        return pile

    def fog(self, reader: _StateReader, data: object) -> int:
        if not isinstance(data, list) or len(data) != 3 or data[0] not in FOG_NAMES or not isinstance(data[1], str):
            raise reader.fail("fogs", "are written [kind, cards, target]")
        kind = FOG_NAMES.index(data[0])
        cards = [parse_card(word) for word in data[1].split()]
        if min(cards, default=-1) < 0 or len(cards) != (2 if kind == FORCE_FOG else 1):
            raise reader.fail("fogs", f"{data[1]!r} are no cards of {data[0]}")
        target = reader.check_int("fogs", data[2], -1, _MAX_ID)
        return int(fog_code(kind, cards[0], cards[1] if len(cards) > 1 else -1, target))

    def engine(self, source: Shuffler) -> Engine:
        top = self.top
        if top.text("format") != self.rules.name:
            raise top.fail("format", f"must be {self.rules.name!r} in this regulation")
        sides = top.items("sides", 2)
        if len(sides) != 2:
            raise top.fail("sides", "must be two")
        engine = Engine(self.rules, [self.side(sides[0], "sides[0]"), self.side(sides[1], "sides[1]")], source)
        engine.next_id = self.next_id
        engine.turn = top.integer("turn", 0, 1)
        engine.chance = top.integer("chance", 0, 1)
        engine.turn_number = top.integer("turn_number", 1, MAX_TURNS + 1)
        engine.winner = top.integer("winner", UNDECIDED, DRAW)
        engine.passed = top.integer("passed", 0, 2, 0) if top.data.get("passed") != 3 else 3
        engine.stall = top.flag("stall")
        engine.forced_pass = top.integer("forced_pass", -1, 1, -1)
        engine.preset = top.integer("preset", 0, 8, 0)
        engine.stage = self.requests("stage")
        engine.buffer = self.requests("buffer")
        if "current" in top.data:
            engine.current = self.request(top.data["current"], "current")
        point = top.text("point")
        if point not in POINTS:
            raise top.fail("point", "is no point of the flow")
        engine.point = POINTS.index(point)
        if "check" in top.data:
            check = top.integers("check", top.data["check"], 2, 0, 1)
            engine.check_speed, engine.check_player = check[0], check[1]
        if "active" in top.data:
            self.effect(engine)
        if engine.point == SETUP:
            setup = top.integers("setup", top.data.get("setup"), 5, 0, 2**54 - 1)
            engine.setup_step = top.check_int("setup", setup[0], 0, max(1, 2 * len(self.rules.setup) - 1))
            for side, picked, down in zip(engine.sides, setup[1:3], setup[3:], strict=True):
                side.picked, side.picked_down = picked, down != 0
        else:
            engine.setup_step = 2
        for side in engine.sides:
            atoms.refresh(engine, side)
        check_state(engine)
        return engine

    def effect(self, engine: Engine) -> None:
        active = self.request(self.top.data["active"], "active")
        engine.active = active
        reader = _StateReader(self.top.data.get("effect"), "effect")
        program = self.rules.plans[active.action].program
        done = any(side.uncovered for side in engine.sides)  # then only its last question may be left (N-418)
        engine.pc = reader.integer("pc", 0, len(program) - (0 if done else 1))
        values = reader.integers("values", reader.data.get("values"), 4, -1, _BIG)
        if engine.pc < len(program) and program[engine.pc].step.traits().fight == BLOCK:
            engine.blocked, engine.blocker_count, engine.last_blocker, _ = values
        else:
            engine.bound_first, engine.bound_second, engine.bound_third, engine.bound_fourth = values
        engine.order = reader.integers("order", reader.data.get("order", []), None, 0, 2 * SIDE_CODE - 1)
        engine.answered = reader.integer("answered", 0, 2 ** len(program) - 1, 0)
        engine.target_owner = reader.integer("target_owner", -1, 1, -1)
        engine.shielded = reader.integer("shielded", 0, 3, 0)


#: errors of the engine in a state that no game can reach
_CONTRADICTIONS: Final = (
    AssertionError,
    ArithmeticError,
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    RecursionError,
)


def read_state(rules: RuleTables, data: object, source: Shuffler) -> Engine:
    """Return the game ``dump`` wrote; raise `SaveError` for anything else."""
    if isinstance(data, dict) and "said" in data:  # the former name of this key
        data = {"so_far" if name == "said" else name: value for name, value in data.items()}
    try:
        return _read(rules, data, source)
    except SaveError:
        raise
    except _CONTRADICTIONS as error:
        raise SaveError(f"the saved game contradicts itself ({type(error).__name__})") from error


def _read(rules: RuleTables, data: object, source: Shuffler) -> Engine:
    loader = _StateBuilder(rules, data)
    engine = loader.engine(source)
    top = loader.top
    if engine.point == OVER:
        engine.finish()
        return engine
    trial = engine.copy()
    trial.advance()
    asked = top.integers("asked", top.data.get("asked"), 2, 0, 255)
    options = top.integers("options", top.data.get("options"), None, 0, 255)
    if [trial.asked, trial.kind] != asked or list(trial.options) != options or dump(trial) != _without_draft(top.data):
        raise SaveError("options: the saved question is not the one this game asks")
    engine.advance()
    _try_out(engine)
    for option in top.integers("so_far", top.data.get("so_far", []), None, 0, 255):
        if option not in engine.options or not (engine.kind == CHANCE_KIND or engine.draft is not None):
            raise SaveError("so_far: an option that was not offered")
        engine.push(option)
        if engine.draft is None:
            raise SaveError("so_far: the request is complete")
    return engine


def _without_draft(data: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if name != "so_far"}


def _try_out(engine: Engine) -> None:
    """Resolve the present effect once per option, so that impossible bindings are found here and not in play."""
    if engine.active is None and not engine.stage and not engine.buffer:
        return
    for option in engine.options:
        trial = engine.copy()
        trial.push(option)
        for _ in range(120):
            if trial.kind in (NOTHING, CHANCE_KIND) or trial.draft is not None:
                break
            trial.push(trial.options[-1])
