"""The layout of an observation, field by field, and its decoding into a view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from blackpoker.definitions.model import words_of
from blackpoker.definitions.values import Words
from blackpoker.engine import observation as o
from blackpoker.engine.cards import BIT, HEARTS, NAMES, SUIT, VALUE
from blackpoker.engine.flow import CHANCE_KIND, PASS, TRIGGER_KIND
from blackpoker.engine.locations import PLAYERS, option_location
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT
from blackpoker.engine.request_builder import QUICK
from blackpoker.engine.state import (
    ATTACKERS_KIND,
    BLOCKERS_KIND,
    CARDS_KIND,
    COST_KIND,
    DONE,
    LIFE_COUNTED,
    OPTION_KIND,
    ORDER_KIND,
    RETARGET_KIND,
    SIDE_CODE,
    TARGET_KIND,
    TRUMPS_KIND,
    UNITS_KIND,
)
from blackpoker.engine.tables import (
    A_CARD,
    A_SET,
    A_UNIT,
    A_WORD,
    EACH,
    TOKEN_BULWARK,
    TOKEN_DISCARD,
    TOKEN_KEY,
    TOKEN_SACRIFICE,
    TOKEN_SOURCE,
    TOKEN_TARGET,
    CompiledAction,
    RuleTables,
)
from blackpoker.engine.views import (
    UNCOUNTED,
    BulwarkView,
    DecisionView,
    FogName,
    FogView,
    GraveView,
    HandView,
    LifeView,
    Location,
    PackView,
    Player,
    RareView,
    RequestView,
    ResultView,
    Role,
    SideView,
    SoldierView,
    TrumpView,
    View,
)
from blackpoker.notation.options import (
    DONE_TOKEN,
    KIND_NAMES,
    MAIN_TOKEN,
    MULTI_CHOICE_KINDS,
    PASS_TOKEN,
    QUICK_TOKEN,
    TOKEN_MARKS,
)

#: length of a row and of a mask
SIZE: Final = o.SIZE
OPTIONS: Final = 256
VERSION: Final = o.VERSION
VERSION_9: Final = o.VERSION_9
#: highest number of a card of Up, Down and Force
MAX_OF_FOG: Final = 10


@dataclass(frozen=True)
class RowField:
    """A field of a row: ``count`` times ``each`` bytes, starting at ``at``."""

    name: str
    at: int
    count: int
    each: int
    meaning: str

    @property
    def end(self) -> int:
        return self.at + self.count * self.each


def _head() -> Iterator[RowField]:
    yield RowField("seat", 0, 1, 1, "whose observation it is: 0 or 1")
    yield RowField("asked", 1, 1, 1, "who must choose: 0 nobody, 1 this seat, 2 the other")
    yield RowField("kind", 2, 1, 1, "kind of decision, 1 … 24 (`KINDS`)")
    yield RowField("noun", 3, 1, 1, "what the options are: 0 words, 1 cards, 2 units, 3 requests, 4 players, 5 trumps")
    yield RowField("place", 4, 1, 1, "place of the question in the effect, from 1")
    yield RowField("turn", 5, 1, 1, "whose turn: 1 this seat, 2 the other")
    yield RowField("chance", 6, 1, 1, "who has the chance: 1, 2")
    yield RowField("turn_number", 7, 1, 2, "low byte, high byte")
    yield RowField("passed", 9, 2, 1, "who has passed: this seat, the other")
    yield RowField("over", 11, 1, 1, "0 no, 1 this seat has won, 2 the other, 3 draw")
    yield RowField("staged", 12, 1, 1, "requests on the stage")
    yield RowField("options", 13, 1, 1, "how many options this seat has")


def _side(name: str, at: int) -> Iterator[RowField]:
    yield RowField(f"{name}.life", at, 1, 1, f"cards in life; of the other at most {LIFE_COUNTED} (R-210)")
    yield RowField(f"{name}.hand", at + 1, 1, 1, "cards in hand")
    yield RowField(f"{name}.grave", at + 2, 1, 1, "cards in the grave")
    yield RowField(f"{name}.grave_top", at + 3, 1, 1, "the card everybody sees there + 1; 0 none (R-211)")
    yield RowField(
        f"{name}.pack",
        at + 4,
        1,
        2,
        "0 none, 1 closed, 2 open, + 4 with a rare card; its cards (edition 6: own)",
    )
    yield RowField(f"{name}.counts", at + 6, 3, 1, "soldiers, bulwarks, trumps")
    yield RowField(
        f"{name}.used", at + 9, 2, 2, "limits used this turn and this game (R-38), a bit each, low byte first"
    )
    yield RowField(
        f"{name}.cards",
        at + o.CARDS,
        54,
        1,
        "where each card is: 0 not known, 1 hand, 2 hand and seen by the other, 3 grave, 4 grave and seen, 5 "
        "bulwark, 6 trumps, 7 turned up, 8 pack, 9 rare card. In the fog: 10 bound to nothing any more, 11+n the "
        "n-th Force, 16+n bound to the soldier of row n, 32+n of the other side, 48+n to trump n, 52+n of the other "
        "side. 64+n n-th from the top of life, 128+n from its bottom, 192+n soldier of row n, 224+n key of request "
        "n",
    )
    yield RowField(
        f"{name}.soldiers",
        at + o.SOLDIERS,
        o.ROWS,
        6,
        "first card + 1, number + 64, number without bonus + 64, character + 1, state (1 there, 2 driven, 4 new, 8 not "
        "known whether new, 16 attacks, 32 blocks), row of the attacker it blocks + 1",
    )
    yield RowField(f"{name}.bulwarks", at + o.BULWARKS, o.ROWS, 3, "card + 1 (0 not known), state, row it blocks + 1")
    yield RowField(f"{name}.trumps", at + o.TRUMPS, 4, 2, "card + 1 (0 not known), 1 closed or 3 open")


def _rest() -> Iterator[RowField]:
    yield RowField(
        "requests",
        o.REQUESTS,
        o.STAGE_ROWS + 1,
        o.REQUEST_SIZE,
        "the stage from its bottom, last the one taking effect: action + 1, controller (1, 2), kind of target (0 none, "
        "1 unit, 2 request, 3 player, 4 trump), target + 1, driven soldier + 1, two virtual keys + 1, number of keys",
    )
    at = o.PARTIAL_MOVE
    yield RowField("so_far.action", at, 1, 1, "action of the move so far + 1")
    yield RowField("so_far.cost", at + 1, 1, 1, "0 printed, 1 quick, 2 free")
    yield RowField("so_far.words", at + 2, 1, 1, "tokens so far")
    yield RowField("so_far.source", at + 3, 1, 1, "soldier driven for it + 1")
    yield RowField("so_far.target", at + 4, 1, 2, "kind of target, target + 1")
    yield RowField("so_far.paying", at + o.PAYING, 4, 1, "units paid with + 1")
    yield RowField("so_far.attacker", at + 10, 1, 1, "row of the attacker asked about + 1")
    yield RowField("so_far.later_first", at + 11, 1, 1, "of the chosen trumps the later one lies first")
    yield RowField(
        "so_far.chosen",
        at + o.CHOSEN,
        4,
        2,
        "chosen before in this effect: 1 card, 2 cards, 3 word, 4 unit, 5 request; what + 1",
    )
    yield RowField("so_far.order", at + o.ORDER, o.ROWS, 1, "things ordered so far + 1; of triggers their actions + 1")
    yield RowField(
        "so_far.cards",
        at + o.PICKED_CARDS,
        54,
        1,
        "1 key, 2 discard, 4 trump or kept while drafting, 8 chosen in this question, 16 chosen in one before",
    )


#: the whole row, without gaps
FIELDS: Final[tuple[RowField, ...]] = (
    *_head(),
    *_side("mine", o.SIDES),
    *_side("theirs", o.SIDES + o.SIDE_SIZE),
    *_rest(),
)
FIELD: Final[dict[str, RowField]] = {field.name: field for field in FIELDS}
#: names of the kinds of decisions
KINDS: Final[dict[int, str]] = {**KIND_NAMES, OPTION_KIND: "word"}


def table() -> str:
    """Return the layout as a Markdown table for the guide; a field of both sides has one row."""
    lines = ["| bytes | field | meaning |", "|---|---|---|"]
    for field in FIELDS:
        if field.name.startswith("theirs."):
            continue
        size = f"{field.count} × {field.each}" if field.count > 1 and field.each > 1 else ""
        span = f"{field.at}" if field.end == field.at + 1 else f"{field.at}–{field.end - 1}"
        if field.name.startswith("mine."):
            span += f"; {FIELD['theirs.' + field.name.removeprefix('mine.')].at}"
        lines.append(f"| {span} | `{field.name}`{' ' + size if size else ''} | {field.meaning} |")
    return "\n".join(lines)


# -- decoding ----------------------------------------------------------------------------------------------------------


def decode(row: Sequence[int], rules: RuleTables, options: Sequence[int] = ()) -> View:
    """Return the view that this row encodes; ``options``: the set entries of its mask. Units are numbered by their
    code in the row, requests by their position on the stage from 1 (the one taking effect is 0).
    """
    return _RowReader(row, rules, options).view()


class _RowReader:
    def __init__(self, row: Sequence[int], rules: RuleTables, options: Sequence[int]) -> None:
        self.row = [int(each) for each in row]
        self.rules = rules
        self.options = [int(option) for option in options]
        self.seat = self.row[0]
        self.kind = self.row[2]

    def view(self) -> View:
        row = self.row
        sides = [self.side(o.SIDES, True), self.side(o.SIDES + o.SIDE_SIZE, False)]
        stage = [self.request(place) for place in range(min(row[12], o.STAGE_ROWS))]
        over = row[11]
        result = ResultView(None if over == 3 else self.player(over), "") if over else None
        passed: list[Player] = [PLAYERS[seat] for seat in range(2) if row[9 if seat == self.seat else 10]]
        return View(
            PLAYERS[self.seat],
            self.player(row[5]),
            self.player(row[6]),
            row[7] + 256 * row[8],
            passed,
            stage,
            self.request(o.STAGE_ROWS) if row[o.REQUESTS + o.STAGE_ROWS * o.REQUEST_SIZE] else None,
            self.decision(),
            sides[self.seat],
            sides[1 - self.seat],
            result,
            [],
        )

    def player(self, code: int) -> Player:
        return PLAYERS[self.seat if code == 1 else 1 - self.seat]

    # -- sides

    def cards(self, at: int, *where: int) -> list[str]:
        return [NAMES[card] for card in range(54) if self.row[at + o.CARDS + card] in where]

    def side(self, at: int, own: bool) -> SideView:
        row = self.row
        life = row[at]
        top = row[at + 3]
        hand_seen, grave_seen = self.cards(at, o.IN_HAND_SEEN), self.cards(at, o.IN_GRAVE_SEEN)
        used = (row[at + 9] + 256 * row[at + 10], row[at + 11] + 256 * row[at + 12])
        return SideView(
            life if own or life < LIFE_COUNTED else UNCOUNTED,
            LifeView(self.life(at, o.IN_LIFE_TOP), self.life(at, o.IN_LIFE_BOTTOM)),
            HandView(row[at + 1], self.cards(at, o.IN_HAND, o.IN_HAND_SEEN) if own else None, hand_seen),
            GraveView(
                row[at + 2],
                NAMES[top - 1] if top else None,
                self.cards(at, o.IN_GRAVE, o.IN_GRAVE_SEEN) if own else None,
                grave_seen,
            ),
            [self.soldier(at, place, own) for place in range(min(row[at + 6], o.ROWS))],
            [self.bulwark(at, place, own) for place in range(min(row[at + 7], o.ROWS))],
            [self.trump(at, place) for place in range(row[at + 8])],
            self.pack(at, own),
            self.cards(at, o.IN_ASIDE),
            [plan.id for plan in self.rules.plans if plan.limit & used[plan.limit_game] != 0],
            self.rare_card(at) if self.rules.has_rare else None,
            list(self.fogs(at)),
        )

    def pack(self, at: int, own: bool) -> PackView | None:
        packed, size = self.row[at + 4] & ~o.HAS_RARE, self.row[at + 5]
        if not packed:
            return None
        opened = packed == 2
        return PackView(
            opened, size if own or self.rules.setup else None, self.cards(at, o.IN_PACK) if own and opened else None
        )

    def rare_card(self, at: int) -> RareView:
        known = self.cards(at, o.IN_RARE)
        return RareView(1 if self.row[at + 4] & o.HAS_RARE else 0, known[0] if known else None)

    def fogs(self, at: int) -> Iterator[FogView]:
        """Yield the fogs by their first cards; the row does not have the order in which they were laid."""
        forces: set[int] = set()
        for card in range(54):
            where = self.row[at + o.CARDS + card]
            if o.IN_FORCE <= where < o.IN_FOG_OF:
                if where not in forces:
                    forces.add(where)
                    yield FogView("force", self.cards(at, where), None)
            elif where == o.IN_FOG or o.IN_FOG_OF <= where < o.IN_LIFE_TOP:
                kind: FogName = "close" if VALUE[card] > MAX_OF_FOG else "up" if SUIT[card] == HEARTS else "down"
                yield FogView(kind, [NAMES[card]], self.bound(where))

    def bound(self, where: int) -> Location | None:
        """Return what a fog with this code is bound to."""
        if where >= o.IN_FOG_OF_TRUMP:
            owner, place = divmod(where - o.IN_FOG_OF_TRUMP, o.TRUMP_ROWS)
            return self.location_of(TRUMP, owner * SIDE_CODE + place + 1)
        if where >= o.IN_FOG_OF:
            owner, place = divmod(where - o.IN_FOG_OF, o.ROWS)
            return self.location_of(UNIT, self.soldier_code(owner == 0, place + 1))
        return None

    def life(self, at: int, first: int) -> list[str]:
        codes = self.row[at + o.CARDS : at + o.CARDS + 54]
        found = sorted((code, card) for card, code in enumerate(codes) if first <= code < first + 54)
        return [NAMES[card] for _, card in found]

    def state(self, state: int) -> tuple[bool, bool | None, Role | None]:
        role: Role | None = "attacker" if state & o.IS_ATTACKER else "blocker" if state & o.IS_BLOCKER else None
        return state & o.IS_DRIVEN != 0, None if state & o.IS_UNCLEAR else state & o.IS_NEW != 0, role

    def soldier_code(self, own: bool, place: int) -> int:
        """Return the code of the soldier of a row; rows start at 1."""
        at = (o.SIDES if own else o.SIDES + o.SIDE_SIZE) + o.SOLDIERS + 6 * (place - 1)
        return self.row[at] + (0 if own else SIDE_CODE)

    def soldier(self, at: int, place: int, own: bool) -> SoldierView:
        lead, number, base, kind, state, blocks = self.row[at + o.SOLDIERS + 6 * place :][:6]
        driven, new, role = self.state(state)
        attacker = self.soldier_code(not own, blocks) if role == "blocker" else None
        return SoldierView(
            NAMES[lead - 1],
            self.soldier_code(own, place + 1),
            self.cards(at, o.IN_SOLDIER + place),
            number - o.ZERO,
            base - o.ZERO,
            driven,
            new,
            self.rules.kinds[kind - 1].id,
            role,
            attacker,
        )

    def bulwark(self, at: int, place: int, own: bool) -> BulwarkView:
        card, state, blocks = self.row[at + o.BULWARKS + 3 * place :][:3]
        driven, new, role = self.state(state)
        code = 1 + 64 + place + (0 if own else SIDE_CODE)
        attacker = self.soldier_code(not own, blocks) if role == "blocker" else None
        return BulwarkView(f"b{place + 1}", code, NAMES[card - 1] if card else None, driven, new, role, attacker)

    def trump(self, at: int, place: int) -> TrumpView:
        card, state = self.row[at + o.TRUMPS + 2 * place :][:2]
        return TrumpView(f"t{place + 1}", state & o.IS_OPEN != 0, NAMES[card - 1] if card else None)

    # -- requests

    def location_of(self, kind: int, code: int) -> Location | None:
        if code == 0:
            return None
        code -= 1
        owner = self.player(1 if code < SIDE_CODE else 2)
        if kind == UNIT:
            return Location(f"{owner}.{option_location(code)}", "unit", owner, option_location(code))
        if kind == REQUEST:
            controller = self.player(self.row[o.REQUESTS + code * o.REQUEST_SIZE + 1])
            return Location(f"#{code + 1}", "request", controller, str(code + 1))
        if kind == PLAYER:
            name = self.player(code + 1)
            return Location(name, "player", name, name)
        assert kind == TRUMP
        return Location(f"{owner}.t{code % SIDE_CODE + 1}", "trump", owner, f"t{code % SIDE_CODE + 1}")

    def request(self, place: int) -> RequestView:
        at = o.REQUESTS + place * o.REQUEST_SIZE
        action, controller, kind, target, source, first, second, _ = self.row[at : at + o.REQUEST_SIZE]
        plan = self.rules.plans[action - 1]
        side = o.SIDES if controller == 1 else o.SIDES + o.SIDE_SIZE
        virtual = [NAMES[card - 1] for card in (first, second) if card]
        id = 0 if place == o.STAGE_ROWS else place + 1
        return RequestView(
            id,
            plan.id,
            self.player(controller),
            plan.cost.letters,
            self.cards(side, o.IN_REQUEST + place),
            virtual,
            self.location_of(kind, target),
            self.location_of(UNIT, source),
        )

    # -- the decision

    def decision(self) -> DecisionView | None:
        player_code = self.row[1]
        if not player_code:
            return None
        name = self.literals().name if self.kind == OPTION_KIND else KIND_NAMES[self.kind]
        out = DecisionView(self.player(player_code), name, [], [], [])
        if player_code == 1:
            out.options = [TOKEN_MARKS.get(self.kind, "") + self.token(option) for option in self.options]
            if self.kind != CHANCE_KIND:
                out.so_far = self.tokens()
                out.chosen = [
                    self.chosen(place) for place in range(4) if self.row[o.PARTIAL_MOVE + o.CHOSEN + 2 * place]
                ]
        return out

    def resolving(self) -> CompiledAction:
        return self.rules.plans[self.row[o.REQUESTS + o.STAGE_ROWS * o.REQUEST_SIZE] - 1]

    def literals(self) -> Words:
        """Return the literals offered in the current question."""
        return words_of(self.resolving().program[self.row[4] - 1].step)

    def token(self, option: int) -> str:
        kind, noun = self.kind, self.row[3]
        if option == DONE and kind in MULTI_CHOICE_KINDS:
            return DONE_TOKEN
        if kind == CHANCE_KIND:
            return PASS_TOKEN if option == PASS else self.rules.plans[option - 1].id
        if kind == TRIGGER_KIND:
            actions = self.row[o.PARTIAL_MOVE + o.ORDER :][: o.ROWS]
            same = [other for other in self.options if actions[other] == actions[option]]
            again = same.index(option)
            return self.rules.plans[actions[option] - 1].id + (f"/{again + 1}" if again else "")
        if kind == OPTION_KIND:
            return self.literals().words[option]
        if kind == COST_KIND:
            return QUICK_TOKEN if option == QUICK else MAIN_TOKEN
        if noun == o.CARD:
            return NAMES[option]
        if noun == o.A_STAGED:
            return f"#{option + 1}"
        if noun == o.A_PLAYER:
            return PLAYERS[option]
        place = f"t{option % SIDE_CODE + 1}" if noun == o.A_TRUMP else option_location(option)
        sided = kind in (TARGET_KIND, RETARGET_KIND) or option // SIDE_CODE != self.seat
        return f"{PLAYERS[option // SIDE_CODE]}.{place}" if sided else place

    def marked_cards(self, what: int) -> list[int]:
        marks = self.row[o.PARTIAL_MOVE + o.PICKED_CARDS :][:54]
        return [card for card in range(54) if marks[card] == what]

    def tokens(self) -> list[str]:
        row = self.row
        if row[o.PARTIAL_MOVE]:
            return self.request_tokens(self.rules.plans[row[o.PARTIAL_MOVE] - 1])
        if self.kind == TRUMPS_KIND:
            picked = self.marked_cards(o.PICKED_TRUMP)
            return [NAMES[card] for card in (reversed(picked) if row[o.PARTIAL_MOVE + 11] else picked)]
        if self.kind == ATTACKERS_KIND:
            rows = [self.soldier(o.SIDES, place, True) for place in range(min(row[o.SIDES + 6], o.ROWS))]
            return [NAMES[unit.id - 1] for unit in rows if unit.role == "attacker"]
        if self.kind == BLOCKERS_KIND:
            return self.block_tokens()
        if self.kind == ORDER_KIND:
            order = [item - 1 for item in row[o.PARTIAL_MOVE + o.ORDER :][: o.ROWS] if item]
            return [NAMES[item] if item < 54 else option_location(item) for item in order]
        if self.kind in (CARDS_KIND, UNITS_KIND):
            return [NAMES[card] for card in self.marked_cards(o.PICKED_NOW)]
        return []

    def block_tokens(self) -> list[str]:
        theirs, mine = o.SIDES + o.SIDE_SIZE, o.SIDES
        row = self.row
        blockers: list[tuple[str, int | None]] = []
        for place in range(min(row[mine + 6], o.ROWS)):
            soldier = self.soldier(mine, place, True)
            blockers.append((NAMES[soldier.id - 1], soldier.blocks))
        for place in range(min(row[mine + 7], o.ROWS)):
            bulwark = self.bulwark(mine, place, True)
            blockers.append((bulwark.name, bulwark.blocks))
        out: list[str] = []
        for place in range(min(row[theirs + 6], o.ROWS)):
            attacker = self.soldier(theirs, place, False)
            if attacker.role == "attacker":
                out.append(NAMES[attacker.id - 1 - SIDE_CODE] + ":")
                out += [name for name, blocks in blockers if blocks == attacker.id]
            if place + 1 == row[o.PARTIAL_MOVE + 10]:
                break
        return out

    def request_tokens(self, plan: CompiledAction) -> list[str]:
        row, at = self.row, o.PARTIAL_MOVE
        cost, count, source, kind, target = row[at + 1 : at + 6]
        out = [plan.id]
        if plan.quick_cost is not None and self.kind != COST_KIND:
            out.append(QUICK_TOKEN if cost == QUICK else MAIN_TOKEN)
        keys = self.marked_cards(o.PICKED_KEY)
        if plan.key == EACH and any(BIT[card] & plan.key_b for card in keys):
            keys.sort(key=lambda card: not BIT[card] & plan.key_a)
        discards = self.marked_cards(o.PICKED_DISCARD)
        paying = [code - 1 for code in row[at + o.PAYING : at + o.PAYING + 4]]
        words = (plan.tokens, plan.quick_tokens, plan.free_tokens)[cost]
        for word in words[:count]:
            if word == TOKEN_KEY:
                out.append(NAMES[keys.pop(0)])
            elif word == TOKEN_DISCARD:
                out.append("$" + NAMES[discards.pop(0)])
            elif word in (TOKEN_BULWARK, TOKEN_SACRIFICE):
                out.append("$" + option_location(paying.pop(0)))
            elif word == TOKEN_SOURCE:
                out.append("@" + option_location(source - 1))
            elif word == TOKEN_TARGET:
                place = self.location_of(kind, target)
                out.append(">" + ("" if place is None else place.text))
        return out

    def chosen(self, place: int) -> str:
        what, value = self.row[o.PARTIAL_MOVE + o.CHOSEN + 2 * place :][:2]
        if what == A_CARD:
            return NAMES[value - 1]
        if what == A_SET:
            return "+".join(NAMES[card] for card in self.marked_cards(o.PICKED_BEFORE)) or DONE_TOKEN
        if what == A_WORD:
            step = next(place.step for place in self.resolving().program if place.chooses == A_WORD)
            return words_of(step).words[value - 1]
        if what == A_UNIT:
            return option_location(value - 1) if value else "unit 0"
        return f"request {value}"
