"""Positions: a few lines of TOML written by hand (docs/notation.md); ``position_text`` writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from blackpoker.engine import atoms
from blackpoker.engine.cards import BIT, NAMES, VALUE, count, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE, CHANCE_KIND
from blackpoker.engine.key_cards import has_keys
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.state import ATTACKER, BLOCKER, CLOSE_FOG, FORCE_FOG, Side, Unit, fog_code
from blackpoker.engine.tables import (
    AIM_NONE,
    AIM_OPPONENT,
    AIM_PLAYER,
    AIM_REQUEST,
    AIM_TRUMP,
    CompiledAction,
    RuleTables,
)
from blackpoker.engine.views import SIDE_ZONES
from blackpoker.engine.visibility import FOG_NAMES
from blackpoker.errors import UnreadableText
from blackpoker.game.game import Game, game_at
from blackpoker.game.start import GameStart
from blackpoker.notation.limits import quoted, read_toml
from blackpoker.notation.state_check import MOST_BONUS, MOST_COUNTED, SaveError
from blackpoker.notation.state_reader import read_state
from blackpoker.notation.state_writer import dump
from blackpoker.ruleset import Edition, EditionError, Regulation, RegulationError, edition_named

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_TURN_NUMBER: Final = 500
_TOP_KEYS: Final = frozenset(
    (
        "edition",
        "format",
        "regulation",
        "turn",
        "chance",
        "turn_number",
        "passed",
        "stall",
        "stage",
        "p1",
        "p2",
        "saved",
    )
)
_SIDE_KEYS: Final = frozenset((*SIDE_ZONES, "bulwarks", "pack_opened", "used", "requests", "bonus"))
_UNIT: Final = re.compile(r"([^()\s]+)(?:\(([^()]*)\))?$")


class UnreadablePosition(UnreadableText):
    """Raised for a wrong position. ``where`` is the wrong entry, e.g. ``p1.hand``."""

    def __init__(self, where: str, en: str, ja: str) -> None:
        super().__init__(f"position: {where}: {en}", f"局面：{where}：{ja}")
        self.where = where


def _bad(where: str, en: str, ja: str) -> UnreadablePosition:
    return UnreadablePosition(where, en, ja)


def read_position(text: str, seed: int | None = None, edition: Edition | None = None) -> Game:
    """Return a game that starts from this position; raise `UnreadableText` if it is none."""
    data = read_toml(text, "the position", "局面")
    return game_from_tables(data, text, seed, edition)


def game_from_tables(
    data: dict[str, Any], text: str = "", seed: int | None = None, edition: Edition | None = None
) -> Game:
    """Return a game from the tables of a position; raise `UnreadablePosition` for a wrong entry."""
    regulation = regulation_of(data, edition_named() if edition is None else edition)
    saved = data.get("saved")
    source = seeded(0 if seed is None else seed)
    if saved is not None:
        from blackpoker.formats.savegame import parse_json

        try:
            engine = read_state(regulation.rules(), parse_json(saved, "the position's saved state"), source)
        except SaveError as error:
            raise _bad("saved", str(error), "保存された状態が読めません") from error
    else:
        engine = _PositionReader(data, regulation.rules()).engine(source)
    return game_at(engine, regulation, GameStart("position", text, seed=seed))


def regulation_of(data: dict[str, Any], edition: Edition) -> Regulation:
    """Return the regulation of a position: only its format matters, and whether there are packs."""
    name = data.get("regulation")
    format = data.get("format", "master")
    try:
        if "edition" in data:
            edition = edition_named(str(data["edition"]))
        if name is not None:
            if not isinstance(name, str):
                raise _bad("regulation", "must be text", "文字列で書いてください")
            return Regulation.parse(name, edition)
        if not isinstance(format, str) or format not in [entry.id for entry in edition.formats]:
            known = " ".join(entry.id for entry in edition.formats)
            raise _bad("format", f"{quoted(str(format))} is none of {known}", f"{known} のどれかにしてください")
        packs = any(isinstance(data.get(seat), dict) and data[seat].get("pack") for seat in PLAYERS)
        if edition.find_frame("full") is None:  # the frame that has everything
            return Regulation.parse(f"{format}+extra", edition)
        return Regulation.parse(f"{format}+random40+pack" if packs else f"{format}+full", edition)
    except RegulationError as error:
        raise _bad("regulation", error.en, error.ja) from error
    except EditionError as error:
        raise _bad("edition", str(error), "そのような版はありません") from error


def admitted(engine: Engine, source: Shuffler) -> Engine:
    """Return the state as it would be saved and read again: every way in has the same check. Raise
    `UnreadablePosition` for a state that no game has."""
    try:
        return read_state(engine.rules, dump(engine), source)
    except SaveError as error:
        why = str(error).replace("sides[0]", PLAYERS[0]).replace("sides[1]", PLAYERS[1])
        raise _bad("the state", why, f"ゲームに現れない状態です（{why}）") from error


class _PositionReader:
    def __init__(self, data: dict[str, Any], rules: RuleTables) -> None:
        self.data = data
        self.rules = rules
        self.next_id = 1
        self.used_cards: list[list[int]] = [[], []]  # by player: all cards placed so far
        self.blocks: list[tuple[int, Unit, str]] = []  # owner, blocker, attacker
        self.fog_words: list[list[tuple[str, str]]] = []  # by player: the fogs, read once all units are there
        self.fills: list[tuple[str, int]] = []  # by player: the entry of life, and the number of its filler cards
        unknown = sorted(set(data) - _TOP_KEYS)
        if unknown:
            raise _bad(quoted(unknown[0]), "no such entry", "そのような項目はありません")

    def engine(self, source: Any) -> Engine:
        data = self.data
        sides: list[Side] = []
        for seat in PLAYERS:
            table = data.get(seat, {})
            if not isinstance(table, dict):
                raise _bad(seat, "must be a table", "表にしてください")
            sides.append(self.side(seat, table, self.used_cards[len(sides)]))
        for owner, blocker, text in self.blocks:
            attacker = self.soldier(sides[1 - owner], text)
            if attacker is None or attacker.role != ATTACKER:
                raise _bad(PLAYERS[owner], f"{quoted(text)} does not attack", f"{quoted(text)} はアタックしていません")
            blocker.blocks = attacker.id
        engine = Engine(self.rules, sides, source)
        stage = data.get("stage", [])
        if not isinstance(stage, list) or len(stage) > 60 or not all(isinstance(text, str) for text in stage):
            raise _bad("stage", 'must be a list, e.g. ["p1: up H3 >p1.S5"]', '["p1: up H3 >p1.S5"] のように書きます')
        for text in stage:
            engine.stage.append(self.request(engine, text))
        for player, words in enumerate(self.fog_words):
            sides[player].fogs = [self.fog(engine, player, where, word) for where, word in words]
        for side, fill, taken in zip(sides, self.fills, self.used_cards, strict=True):
            self.fill(side, *fill, taken)
        engine.next_id = self.next_id
        engine.point = CHANCE
        engine.setup_step = 2
        engine.turn = self.player("turn", "p1")
        engine.chance = self.player("chance", PLAYERS[engine.turn])
        engine.turn_number = self.number("turn_number", data.get("turn_number", 3), 1, MOST_TURN_NUMBER)
        passed = data.get("passed", [])
        if not isinstance(passed, list) or any(seat not in PLAYERS for seat in passed):
            raise _bad("passed", 'must be a list of players, e.g. ["p1"]', "プレイヤーのリストにしてください")
        engine.passed = sum({1 if seat == "p1" else 2 for seat in passed})
        if engine.passed & (1 if engine.chance == 0 else 2):
            raise _bad("passed", "the chance holder has not passed", "チャンスを持つ人はパスしていません")
        engine.stall = self.flag("stall", data.get("stall", False))
        for side in sides:
            atoms.refresh(engine, side)
            if not side.life and not engine.stage:
                raise _bad("life", "a player without life has lost (R-45)", "ライフがありません（R-45）")
        engine.asked, engine.kind = engine.chance, CHANCE_KIND
        engine.list_requests()
        return admitted(engine, source)

    def player(self, name: str, default: str) -> int:
        value = self.data.get(name, default)
        if value not in PLAYERS:
            raise _bad(name, "must be p1 or p2", "p1 か p2 にしてください")
        return PLAYERS.index(value)

    def number(self, where: str, value: object, low: int, high: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _bad(
                where, f"must be a whole number from {low} to {high}", f"{low}から{high}までの整数にしてください"
            )
        return value

    def flag(self, where: str, value: object) -> bool:
        if not isinstance(value, bool):
            raise _bad(where, "must be true or false", "true か false にしてください")
        return value

    def words(self, where: str, value: object) -> list[str]:
        if not isinstance(value, str):
            raise _bad(where, 'must be text, e.g. "S5 H3"', '"S5 H3" のように書いてください')
        out = value.split()
        if len(out) > 120:
            raise _bad(where, "too many cards", "カードが多すぎます")
        return out

    def card(self, where: str, text: str) -> int:
        card = parse_card(text)
        if card < 0:
            raise _bad(where, f"{quoted(text)} is no card", f"{quoted(text)} というカードはありません")
        return card

    def new_id(self) -> int:
        self.next_id += 1
        return self.next_id - 1

    # -- a side

    def side(self, seat: str, table: dict[str, Any], taken: list[int]) -> Side:
        unknown = sorted(set(table) - _SIDE_KEYS)
        if unknown:
            raise _bad(f"{seat}.{quoted(unknown[0])}", "no such entry", "そのような項目はありません")
        side = Side([], [], [], [])
        self.hand(side, f"{seat}.hand", table.get("hand", ""), taken)
        self.soldiers(side, f"{seat}.field", table.get("field", ""), taken)
        self.bulwarks(side, f"{seat}.bulwarks", table.get("bulwarks", ""), taken)
        self.grave(side, f"{seat}.grave", table.get("grave", ""), taken)
        self.trumps(side, f"{seat}.trumps", table.get("trumps", ""), taken)
        for text in self.words(f"{seat}.pack", table.get("pack", "")):
            side.pack |= BIT[self.use_card(f"{seat}.pack", text, taken)]
        for text in self.words(f"{seat}.rare", table.get("rare", "")):
            name, marks = self.split_marks(f"{seat}.rare", text)
            side.rare |= BIT[self.use_card(f"{seat}.rare", name, taken)]
            self.mark_known(side, f"{seat}.rare", side.rare, marks)
        self.fog_words.append([(f"{seat}.fog", word) for word in self.words(f"{seat}.fog", table.get("fog", ""))])
        side.pack_open = self.flag(f"{seat}.pack_opened", table.get("pack_opened", False))
        self.life(side, f"{seat}.life", table.get("life", 20), taken)
        side.requests = self.number(f"{seat}.requests", table.get("requests", 0), 0, MOST_COUNTED)
        side.bonus = self.number(f"{seat}.bonus", table.get("bonus", 0), -MOST_BONUS, MOST_BONUS)
        used = table.get("used", [])
        if not isinstance(used, list) or len(used) > 60:
            raise _bad(f"{seat}.used", "must be a list of actions", "アクションのリストにしてください")
        for name in used:
            plan = next((plan for plan in self.rules.plans if plan.id == name and plan.limit), None)
            if plan is None:
                raise _bad(f"{seat}.used", f"{quoted(str(name))} is no action with a limit", "制限のないアクションです")
            if plan.limit_game:
                side.used_game |= plan.limit
            else:
                side.used |= plan.limit
        return side

    def use_card(self, where: str, text: str, taken: list[int]) -> int:
        card = self.card(where, text)
        if card in taken:
            raise _bad(where, f"{NAMES[card]} is in two places", f"{NAMES[card]} が2か所にあります")
        taken.append(card)
        return card

    def split_marks(self, where: str, text: str) -> tuple[str, list[str]]:
        """Return the cards and the marks of ``S5(d,new)``."""
        found = _UNIT.match(text)
        if found is None:
            raise _bad(where, f"{quoted(text)} cannot be read", f"{quoted(text)} が読めません")
        marks = [mark.strip() for mark in (found[2] or "").split(",") if mark.strip()]
        return found[1], marks

    def hand(self, side: Side, where: str, value: object, taken: list[int]) -> None:
        for text in self.words(where, value):
            name, marks = self.split_marks(where, text)
            bit = BIT[self.use_card(where, name, taken)]
            side.hand |= bit
            side.hand_count += 1
            self.mark_known(side, where, bit, marks)

    def mark_known(self, side: Side, where: str, bit: int, marks: Iterable[str], own: bool = False) -> None:
        """Record the players who know the card: both, the opponent, its owner."""
        for mark in marks:
            if mark == "public":
                side.public |= bit
            elif mark == "known":
                side.seen |= bit
            elif mark == "own" and own:
                side.own_seen |= bit
            elif mark == "laid" and own:
                side.on_top |= bit
            else:
                raise _bad(where, f"{quoted(mark)} is no mark there", f"{quoted(mark)} は使えません")

    def soldiers(self, side: Side, where: str, value: object, taken: list[int]) -> None:
        for text in self.words(where, value):
            name, marks = self.split_marks(where, text)
            cards = [self.use_card(where, part, taken) for part in name.split("+")]
            kind = self.character_of(where, cards)
            mask = sum(BIT[card] for card in cards)
            unit = Unit(
                self.new_id(), kind, mask, cards[0], atoms.base_number(self.rules.kinds[kind], mask), "d" in marks
            )
            for mark in marks:
                if mark == "new":
                    side.fresh |= mask
                elif mark.startswith("new:"):  # R-82 applies to each card
                    fresh = BIT[self.card(where, mark[4:])]
                    if not fresh & mask:
                        raise _bad(where, f"{quoted(mark)} is no card of it", f"{quoted(mark)} は含まれていません")
                    side.fresh |= fresh
                elif re.fullmatch(r"[+-]\d{1,5}", mark):
                    unit.bonus = int(mark)
                elif mark == "attacks":
                    unit.role = ATTACKER
                elif mark.startswith("blocks:"):
                    self.block(where, unit, mark)
                elif mark != "d":
                    raise _bad(where, f"{quoted(mark)} is no mark of a soldier", f"{quoted(mark)} は使えません")
            side.soldiers.append(unit)
            side.public |= mask

    def block(self, where: str, unit: Unit, mark: str) -> None:
        unit.role = BLOCKER
        self.blocks.append((PLAYERS.index(where[:2]), unit, mark.removeprefix("blocks:")))

    def soldier(self, side: Side, text: str) -> Unit | None:
        card = parse_card(text)
        return next((unit for unit in side.soldiers if card >= 0 and unit.cards & BIT[card]), None)

    def character_of(self, where: str, cards: list[int]) -> int:
        """Return the character of the cards (R-80)."""
        if len(cards) == 1:
            kind = self.rules.kinds[self.rules.kind_of_card[cards[0]]]
            if kind.bulwark or (kind.index == 0 and VALUE[cards[0]] == 0):
                raise _bad(where, f"{NAMES[cards[0]]} makes no soldier in this format", "この形式では兵士になりません")
            return int(kind.index)
        kind_index = self.rules.kind_of_cards(cards)
        if kind_index != self.rules.armed_kind:
            return kind_index
        if len({card // 13 for card in cards}) != 1 or any(card >= 52 for card in cards):
            raise _bad(where, "several cards make a soldier only if they have one suit", "スートが違います")
        return int(self.rules.armed_kind)

    def bulwarks(self, side: Side, where: str, value: object, taken: list[int]) -> None:
        for text in self.words(where, value):
            name, marks = self.split_marks(where, text)
            card = self.use_card(where, name, taken)
            unit = Unit(self.new_id(), self.rules.bulwark_kind, BIT[card], card, 0, "d" in marks)
            for mark in marks:
                if mark == "new":
                    side.fresh |= BIT[card]
                elif mark in ("public", "known"):
                    self.mark_known(side, where, BIT[card], (mark,))
                elif mark == "mixed":
                    side.mixed |= BIT[card]
                elif mark.startswith("blocks:"):
                    self.block(where, unit, mark)
                elif mark != "d":
                    raise _bad(where, f"{quoted(mark)} is no mark of a bulwark", f"{quoted(mark)} は使えません")
            side.bulwarks.append(unit)

    def grave(self, side: Side, where: str, value: object, taken: list[int]) -> None:
        """Read the grave, in its order from the bottom. The last card is the public top; ``-`` at the end: there is
        none (R-211), except in editions where a grave always shows one (N-052)."""
        words = self.words(where, value)
        shown = not (words and words[-1] == "-")
        card = -1
        for text in words if shown else words[:-1]:
            name, marks = self.split_marks(where, text)
            card = self.use_card(where, name, taken)
            side.grave |= BIT[card]
            if self.rules.grave_piles:
                atoms.lay_on_pile(side, card)
            self.mark_known(side, where, BIT[card], marks)
        if (shown or self.rules.grave_piles) and card >= 0:
            side.grave_top = card  # visible while it is the top; known afterwards only with a mark

    def trumps(self, side: Side, where: str, value: object, taken: list[int]) -> None:
        for text in self.words(where, value):
            name, marks = self.split_marks(where, text)
            face, colon, rest = name.partition(":")
            if not colon or face not in ("T", "t"):
                raise _bad(where, "a trump is written T:S5 (face up) or t:S5 (face down)", "T:S5 か t:S5 と書きます")
            card = self.use_card(where, rest, taken)
            side.trumps.append(card)
            if face == "T":
                side.open_trumps |= BIT[card]
                side.public |= BIT[card]
            self.mark_known(side, where, BIT[card], marks)

    def life(self, side: Side, where: str, value: object, taken: list[int]) -> None:
        """Read a number of fillers, or cards from the top and then ``+n`` fillers; ``fill`` adds these."""
        fill = 0
        top: list[int] = []
        if isinstance(value, str):
            words = self.words(where, value)
            if words and re.fullmatch(r"\+\d{1,2}", words[-1]):
                fill = int(words.pop()[1:])
            for text in words:
                name, marks = self.split_marks(where, text)
                card = self.use_card(where, name, taken)
                top.append(card)
                self.mark_known(side, where, BIT[card], marks, own=True)
        else:
            fill = self.number(where, value, 0, 54)
        side.life = top[::-1]
        self.fills.append((where, fill))

    def fill(self, side: Side, where: str, fill: int, taken: list[int]) -> None:
        """Put filler cards under life: cards 2-10 that are nowhere else, the stage included, then any others."""
        spare = [card for card in range(54) if card not in taken and 2 <= VALUE[card] <= 10]
        spare += [card for card in range(54) if card not in taken and not 2 <= VALUE[card] <= 10]
        if fill > len(spare):
            raise _bad(where, f"there are only {len(spare)} cards left for it", f"残りは{len(spare)}枚しかありません")
        side.life = [*spare[:fill][::-1], *side.life]

    # -- the stage

    def request(self, engine: Engine, text: str) -> Request:
        """Return the request of ``p1: up H3 >p1.S5``: player, action, keys, target; nothing is paid. Virtual keys are
        in brackets, ``@SJ`` names the soldier driven for it, marks are ``(quick)``, ``(raised)`` and ``(amount N)``."""
        seat, colon, rest = text.partition(":")
        body, _, marks = rest.partition("(")
        words = body.split()
        if not colon or seat.strip() not in PLAYERS or not words:
            raise _bad("stage", f"{quoted(text)} is not written p1: up H3 >p1.S5", f"{quoted(text)} が読めません")
        player = PLAYERS.index(seat.strip())
        plan = next((plan for plan in self.rules.plans if plan.id == words[0] and plan.stands_for < 0), None)
        if plan is None or plan.immediate:
            raise _bad("stage", f"{quoted(words[0])} never lies on the stage here", f"{quoted(words[0])} は置けません")
        request = Request(self.new_id(), plan.index, player, False, plan.main)
        request.raised = not plan.direct
        target = self.request_words(engine, request, player, words[1:])
        request.key_count = count(request.keys | request.virtual)
        engine.sides[player].public |= request.keys  # keys are public
        if not request.raised and not request.virtual:
            if request.key_count != plan.key_count or not has_keys(plan, request.keys):
                raise _bad("stage", f"{quoted(text)}: these are no keys of it", f"{quoted(text)}：キーカードが違います")
        self.request_marks(request, [mark.strip() for mark in marks.rstrip(") ").split(",") if mark.strip()])
        self.set_target(engine, request, plan, target)
        return request

    def request_words(self, engine: Engine, request: Request, player: int, words: list[str]) -> str:
        """Read the keys of a request and the soldier driven for it; return the text of its target."""
        target = ""
        for word in words:
            if word[0] == ">":
                target = word[1:]
            elif word[0] == "@":
                source = self.soldier(engine.sides[player], word[1:])
                if source is None:
                    raise _bad("stage", f"{quoted(word)} is no soldier there", f"{quoted(word)} がいません")
                request.source = source.id
            elif word[0] == "[" and word[-1] == "]":
                request.virtual |= BIT[self.card("stage", word[1:-1])]
            else:
                request.keys |= BIT[self.use_card("stage", word, self.used_cards[player])]
        return target

    def request_marks(self, request: Request, marks: list[str]) -> None:
        for mark in marks:
            name, _, number = mark.partition(" ")
            if mark == "quick":
                request.main = False
            elif mark == "raised":
                request.raised = True
            elif name == "amount" and number.isdecimal() and len(number) <= 17:
                request.amount = int(number)
            else:
                raise _bad("stage", f"{quoted(mark)} is no mark of a request", f"{quoted(mark)} は使えません")

    def fog(self, engine: Engine, player: int, where: str, text: str) -> int:
        """Return the fog of ``up:H3>p1.S5``, ``force:H3+H4`` or ``close:HQ>p2.t1``; without target: no effect."""
        kind, colon, rest = text.partition(":")
        names, arrow, target = rest.partition(">")
        if not colon or kind not in FOG_NAMES:
            raise _bad(where, f"{quoted(text)} is not written up:H3>p1.S5", f"{quoted(text)} が読めません")
        cards = [self.use_card(where, name, self.used_cards[player]) for name in names.split("+")]
        number = FOG_NAMES.index(kind)
        if len(cards) != (2 if number == FORCE_FOG else 1):
            raise _bad(where, f"{quoted(text)} has too many or too few cards", f"{quoted(text)} の枚数が違います")
        engine.sides[player].public |= sum(BIT[card] for card in cards)
        bound = -1
        if arrow:
            seat, _, location = target.partition(".")
            if seat in PLAYERS:
                bound = self.find_target(engine, PLAYERS.index(seat), location, number == CLOSE_FOG)
            if bound < 0:
                raise _bad(where, f"{quoted(target)} is not there", f"{quoted(target)} がありません")
        return int(fog_code(number, cards[0], cards[1] if len(cards) > 1 else -1, bound))

    def set_target(self, engine: Engine, request: Request, plan: CompiledAction, text: str) -> None:
        """Set the target; a target that is gone (``>gone``) keeps its kind and names nothing."""
        if plan.aim == AIM_NONE or plan.aim == AIM_OPPONENT:
            if text:
                raise _bad("stage", f"{plan.id} names no target", f"{plan.id} に対象はありません")
            if plan.aim == AIM_OPPONENT:
                request.target_kind, request.target = PLAYER, 1 - request.controller
            return
        seat, _, location = text.partition(".")
        target = -1
        if plan.aim == AIM_REQUEST:
            request.target_kind = REQUEST
            number = int(text[1:]) if text[:1] == "#" and text[1:].isdecimal() and len(text) < 4 else 0
            if 1 <= number <= len(engine.stage):
                target = engine.stage[number - 1].id
        elif plan.aim == AIM_PLAYER:
            request.target_kind = PLAYER
            target = PLAYERS.index(text) if text in PLAYERS else -1
        elif seat in PLAYERS:
            request.target_kind = TRUMP if plan.aim == AIM_TRUMP else UNIT
            target = self.find_target(engine, PLAYERS.index(seat), location, plan.aim == AIM_TRUMP)
        if text == "gone" and plan.aim == AIM_TRUMP:
            request.target_kind = TRUMP
            target = next(card for card in range(54) if card not in engine.sides[0].trumps)
        elif text == "gone" and plan.aim != AIM_PLAYER:
            request.target_kind = REQUEST if plan.aim == AIM_REQUEST else UNIT
            target = self.new_id()
        if target < 0:
            raise _bad("stage", f"{quoted(text)} is no target of {plan.id}", f"{quoted(text)} は対象にできません")
        request.target = target

    def find_target(self, engine: Engine, owner: int, location: str, trump: bool) -> int:
        """Return the number of a unit or trump in a request; -1 if there is none."""
        side = engine.sides[owner]
        number = int(location[1:]) if location[1:].isdecimal() and len(location) < 4 else 0
        if trump:
            return (
                owner * 64 + side.trumps[number - 1] if location[:1] == "t" and 1 <= number <= len(side.trumps) else -1
            )
        if location[:1] == "b":
            return side.bulwarks[number - 1].id if 1 <= number <= len(side.bulwarks) else -1
        unit = self.soldier(side, location)
        return -1 if unit is None else int(unit.id)
