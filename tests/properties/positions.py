"""A grammar of positions, the laws that hold for each of them, and a digest of the games played from them.

    python -m tests.properties.positions laws FOCUS [--from 0] [--count 20000]
    python -m tests.properties.positions texts FOCUS [--count 200]
    python -m tests.properties.positions digest FOCUS <texts

Every text of the grammar is a state of a game. A focus puts one ruling into the positions: its actions can be paid, are
on the stage, or its characters are on the field. A ruling without a focus of its own has the actions, trumps and
characters whose definitions cite it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Final

import msgspec

from blackpoker import Audience
from blackpoker.definitions.literals import cards as card_set
from blackpoker.engine import flow, request, state
from blackpoker.engine.cards import BIT, NAMES, VALUE, members, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import CHANCE_KIND
from blackpoker.engine.key_cards import has_keys
from blackpoker.engine.tables import (
    AIM_NONE,
    AIM_OPPONENT,
    AIM_PLAYER,
    AIM_REQUEST,
    AIM_TRUMP,
    CompiledAction,
    RuleTables,
)
from blackpoker.engine.views import SideView
from blackpoker.engine.visibility import AUDIENCES
from blackpoker.game.game import Game
from blackpoker.notation.move import decision_key, expects_more
from blackpoker.notation.options import view_of
from blackpoker.ruleset import Regulation, standard_edition
from blackpoker.smoke import invariants
from blackpoker.smoke.invariants import require
from tests.properties.digest import state_bytes

REGULATIONS: Final = ("lite+full", "standard+full", "pro+full", "master+random40+pack", "master+full", "extra+full")
#: decisions of a game that is compared; long enough for a turn and the next
DECISIONS: Final = 60
#: first word of the first line of ``digest``: the modules are imported and the tables made
READY: Final = "ready"


#: the fields of a state by class; those that list keys are computed
FIELDS: Final = {
    name: [field for field in fields if not field.startswith("keyed_")]
    for table in (flow.STORAGE, state.STORAGE, request.STORAGE)
    for name, fields in table.items()
    if name != "State"
}
CHECKS: Final = (flow.FIRST_CHECK, flow.SECOND_CHECK, flow.LAST_CHECK)


@dataclass(frozen=True)
class Focus:
    """What the positions of a ruling have: actions that are requested, trumps that are open, soldiers and bulwarks on the
    field, cards in hand."""

    actions: tuple[str, ...] = ()
    trumps: tuple[str, ...] = ()
    soldiers: tuple[str, ...] = ()
    soldier_share: float = 0.35  # of the soldiers that are these
    bulwarks: tuple[str, ...] = ()
    life: int = 30
    fight: float = 0.12
    regulations: tuple[str, ...] = ("extra+full",)
    hand: tuple[str, ...] = ()
    held: tuple[int, ...] = (0, 1, 2)  # numbers of cards of ``hand``
    hand_sizes: tuple[int, ...] = (0, 1, 3, 5, 7)
    soldier_counts: tuple[int, ...] = (0, 1, 1, 2, 3, 5)
    grave: tuple[str, ...] = ()
    graves: tuple[int, ...] = (0, 0, 2, 6)  # numbers of other cards in the grave
    used: tuple[str, ...] = ()  # limits that are used up more often than others


FOCUSES: Final[dict[str, Focus]] = {
    "any": Focus(regulations=REGULATIONS),
    "R-45": Focus(
        ("up", "throw", "attack", "end"),
        ("SA",),
        life=3,
        fight=0.5,
        regulations=("lite+full", "master+full", "extra+full"),
    ),
    "R-72": Focus(("twist", "up", "negotiate"), ("D3",), fight=0.8, hand=("H9", "D9", "S9")),
    "R-118": Focus(("instant_kill",), ("S7",)),
    "R-120": Focus(
        ("summon_demon_lord", "summon_giant"),
        ("SK", "HK", "CK", "DK"),
        hand=("CK", "DK", "SQ", "HQ", "CJ", "DJ"),
        held=(0, 2, 3, 4),
        soldier_counts=(0, 2, 2, 3, 5),
    ),
    "R-125": Focus(("attack", "end"), ("HK", "H5"), ("HK+DK",), soldier_share=0.7, fight=0.1, used=("attack",)),
    "R-20": Focus(("end", "pass"), ("C5",), fight=0.0, hand_sizes=(8, 9, 10)),
    "R-108": Focus(
        ("repair", "counter", "offset"),
        ("D8",),
        ("D3", "D5", "D7", "D9"),
        soldier_share=0.6,
        fight=0.0,
        hand=("C8", "C9", "C10", "CJ", "CQ", "CK"),
        grave=("DJ", "DQ", "DK"),
    ),
    "R-211": Focus(("revive", "reunion"), ("S5",), fight=0.0, graves=(1, 2, 4, 6)),
    "R-130": Focus(("offset", "last_struggle"), ("D4", "C10"), life=12),
    "demon_lord": Focus(("end", "kill", "up", "twist", "summon_demon_lord"), ("SK",), ("SK+CK",), fight=0.3),
    "giant": Focus(
        ("attack", "end", "summon_giant", "pursuit"),
        ("HK", "H5"),
        ("HK+DK",),
        bulwarks=("SK", "CK", "JK", "JK2"),
        fight=0.4,
    ),
    "R-85": Focus(
        ("reverse", "phantom"),
        ("H7",),
        ("SJ+H3", "HJ+D4", "DJ+C2", "CJ+S3"),
        soldier_share=0.8,
        hand=("H7", "S7", "H6", "S6", "H8", "S8"),
        fight=0.0,
    ),
    "R-167": Focus(
        ("death_lance",),
        soldiers=("SJ+H3", "HJ+D4", "DJ+C2", "CJ+S3", "SK+CK"),
        soldier_share=0.8,
        hand=("S6", "S8", "S9", "D3", "D5", "D6"),
        fight=0.0,
    ),
    "R-121": Focus(
        ("kill", "up", "twist", "equip", "reverse", "retarget"),
        ("SK", "HK"),
        ("SK+CK", "HK+DK"),
        soldier_share=0.8,
        hand=("SJ", "SQ", "CJ", "CQ", "HJ", "HQ", "DJ", "DQ"),
    ),
    "R-137": Focus(
        ("throw", "death_lance"),
        ("C9",),
        hand=("S5", "S7", "S9", "S10", "C3", "D3"),
        soldier_counts=(0, 0, 1, 1, 2, 3),
        fight=0.0,
    ),
    "trumps": Focus(("open_trump", "close_trump", "destroy_trump", "reset"), ("C8", "SJ", "DJ"), ("HJ+D4", "CJ+S3")),
    "draw": Focus(("attack",), ("SA",), life=1, fight=0.9),
    "discards": Focus(("end", "civil_war"), ("C5", "C10"), hand_sizes=(3, 8, 9), fight=0.0),
    "black_jack": Focus(
        ("black_jack",), soldiers=("HK", "DQ", "CK", "HA"), hand=("SA", "SJ"), regulations=("master+full",), fight=0.0
    ),
    "triggers": Focus(("end", "attack", "pursuit", "counter"), ("C5", "D5", "D9", "H7", "C7", "SA", "H5"), fight=0.3),
    "magic": Focus(
        (
            "counter",
            "retarget",
            "force",
            "recall",
            "black_jack",
            "quick_summon",
            "reunion",
            "hand_destruction",
            "death_lance",
            "reverse",
            "surprise_attack",
            "search",
            "recruit",
            "reanimate",
        ),
        regulations=("master+full", "master+random40+pack"),
    ),
}


@cache
def focus_of(name: str) -> Focus:
    """Return the focus of this name, or what the definitions of the standard edition cite for the ruling."""
    if name in FOCUSES:
        return FOCUSES[name]
    edition = standard_edition()
    cited = {action.id for action in edition.actions if name in action.rulings}
    made = [kind for kind in edition.characters if kind.pair and name in kind.rulings]
    trumps = [
        trump for trump in edition.trumps if name in trump.rulings or trump.raises in cited or cited & set(trump.allows)
    ]
    actions = sorted(cited.union(*(trump.allows for trump in trumps)))
    require(bool(actions or trumps or made), f"no definition cites {name}")
    rules = Regulation.parse("extra+full").rules()
    keys = [plan.key_a | plan.key_b for plan in rules.plans if plan.id in actions and plan.key_count]
    hand = {NAMES[card] for cards in keys for card in members(cards)}
    pairs = [tuple(map(parse_range, kind.pair)) for kind in made if kind.pair]
    return Focus(
        (*actions, "end"),
        tuple(NAMES[parse_card(trump.card)] for trump in trumps),
        tuple(f"{NAMES[first[0]]}+{NAMES[card]}" for first, second in pairs for card in second[:3]),
        fight=0.3,
        hand=tuple(sorted(hand)),
    )


def parse_range(text: str) -> list[int]:
    """Return the cards of a text of the definitions: ``♠K``, ``♡2-10``."""
    return members(card_set(text))


@dataclass
class Grammar:
    """One position being written."""

    chance: Random
    focus: Focus
    regulation: str = ""
    rules: RuleTables = field(init=False)
    stock: list[list[int]] = field(init=False)  # by player: the cards not placed yet
    soldiers: list[list[tuple[int, ...]]] = field(default_factory=lambda: [[], []])
    trumps: list[list[int]] = field(default_factory=lambda: [[], []])
    rows: list[list[str]] = field(default_factory=lambda: [[], []])

    def __post_init__(self) -> None:
        self.regulation = self.regulation or self.chance.choice(self.focus.regulations)
        self.rules = Regulation.parse(self.regulation).rules()
        self.stock = [list(range(54)), list(range(54))]
        for cards in self.stock:
            self.chance.shuffle(cards)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def draw(self, player: int, names: tuple[str, ...] = ()) -> int:
        """Take a card of the stock, one of these if any is left and ``names`` is not empty; -1 if there is none."""
        stock = self.stock[player]
        wanted = [card for card in map(parse_card, names) if card in stock] if names else stock
        if not wanted:
            return -1
        card = wanted[-1] if not names else self.chance.choice(wanted)
        stock.remove(card)
        return card

    # -- zones

    def soldier(self, player: int) -> tuple[int, ...]:
        """Return the cards of a soldier that this format has, or none."""
        if self.focus.soldiers and self.often(self.focus.soldier_share):
            cards = tuple(map(parse_card, self.chance.choice(self.focus.soldiers).split("+")))
            if all(card in self.stock[player] for card in cards):
                for card in cards:
                    self.stock[player].remove(card)
                return cards
        card = self.draw(player)
        if card < 0:
            return ()
        kind = self.rules.kinds[self.rules.kind_of_card[card]]
        if kind.bulwark or (kind.index == 0 and VALUE[card] == 0):
            self.stock[player].insert(0, card)
            return ()
        if card < 52 and self.rules.armed_kind >= 0 and self.often(0.1):
            suit = [other for other in self.stock[player] if other < 52 and other // 13 == card // 13]
            if suit and any(kind.id == "armed_soldier" for kind in self.rules.kinds):
                other = self.chance.choice(suit)
                if self.rules.kind_of_cards([card, other]) == self.rules.armed_kind:
                    self.stock[player].remove(other)
                    return (card, other)
        return (card,)

    def marks(self, *offered: tuple[float, str]) -> str:
        chosen = [mark for share, mark in offered if self.often(share)]
        return f"({','.join(chosen)})" if chosen else ""

    def side(self, player: int) -> dict[str, str]:
        """Return the entries of a player."""
        entries: dict[str, str] = {}
        trumps: list[str] = []
        if self.rules.most_trumps:
            for _ in range(self.chance.choice((0, 1, 2, 2, 2))):
                card = self.draw(player, self.focus.trumps if self.often(0.75) else ())
                if card >= 0:
                    self.trumps[player].append(card)
                    trumps.append(("T:" if self.often(0.75) else "t:") + NAMES[card])
        for _ in range(self.chance.choice(self.focus.soldier_counts)):
            cards = self.soldier(player)
            if cards:
                self.soldiers[player].append(cards)
        for _ in range(min(self.chance.choice((0, 1, 2, 3, 4)), len(self.stock[player]))):
            card = self.draw(player, self.focus.bulwarks) if self.focus.bulwarks and self.often(0.5) else -1
            self.rows[player].append(NAMES[card if card >= 0 else self.draw(player)])
        hand = [
            self.draw(player, self.focus.hand)
            for _ in range(len(self.focus.hand) and self.chance.choice(self.focus.held))
        ]
        hand += [self.draw(player) for _ in range(self.chance.choice(self.focus.hand_sizes))]
        grave = [self.draw(player, self.focus.grave) for _ in self.focus.grave and range(self.chance.randrange(3))]
        grave += [self.draw(player) for _ in range(self.chance.choice(self.focus.graves))]
        known = (0.1, "known"), (0.1, "public")
        entries["hand"] = " ".join(NAMES[card] + self.marks(*known) for card in hand if card >= 0)
        entries["grave"] = " ".join(NAMES[card] + self.marks(*known) for card in grave if card >= 0)
        if entries["grave"] and self.often(0.2):
            entries["grave"] += " -"
        entries["trumps"] = " ".join(trumps)
        if self.regulation.endswith("+pack"):
            entries["pack"] = " ".join(NAMES[self.draw(player)] for _ in range(3))
        return entries

    def life(self, player: int) -> str:
        top = [self.draw(player) for _ in range(self.chance.choice((0, 0, 1, 3)))]
        words = [NAMES[card] + self.marks((0.2, "own"), (0.2, "known"), (0.1, "public")) for card in top if card >= 0]
        if len(words) > 1 and self.often(0.3):
            words = [NAMES[card] + "(own,laid)" for card in top if card >= 0]
        fill = self.chance.randint(1, max(1, min(self.focus.life, len(self.stock[player]) - 4)))
        return " ".join([*words, f"+{max(0, min(fill, len(self.stock[player])))}"])

    # -- the stage

    def request(self, player: int, plan: CompiledAction, number: int) -> str:
        """Return a request with keys from the stock and a target; empty if it has none."""
        keys: list[int] = []
        if plan.direct and plan.key_count:
            wanted = [card for card in map(parse_card, self.focus.hand) if card in self.stock[player]]
            for attempt in range(60):
                stock = wanted if attempt < 10 and self.often(0.5) else self.stock[player]
                keys = self.chance.sample(stock, min(plan.key_count, len(stock)))
                if len(keys) == plan.key_count and has_keys(plan, sum(BIT[card] for card in keys)):
                    break
            else:
                return ""
        words = [f"p{player + 1}: {plan.id}", *(NAMES[card] for card in keys)]
        if plan.aim not in (AIM_NONE, AIM_OPPONENT):
            target = self.target(plan, number)
            if not target:
                return ""
            words.append(">" + target)
        for card in keys:
            self.stock[player].remove(card)
        return " ".join(words)

    def target(self, plan: CompiledAction, number: int) -> str:
        places: list[str] = []
        if plan.aim == AIM_PLAYER:
            return self.chance.choice(("p1", "p2"))
        if plan.aim == AIM_REQUEST:
            places = [f"#{place}" for place in range(1, number + 1)]
        elif plan.aim == AIM_TRUMP:
            places = [f"p{p + 1}.t{n + 1}" for p in (0, 1) for n in range(len(self.trumps[p]))]
        else:
            places = [f"p{p + 1}.{NAMES[cards[0]]}" for p in (0, 1) for cards in self.soldiers[p]]
            places += [f"p{p + 1}.b{n + 1}" for p in (0, 1) for n in range(len(self.rows[p]))]
        return self.chance.choice(places) if places and self.often(0.95) else "gone"

    def stage(self, turn: int) -> list[str]:
        plans = [
            plan
            for plan in self.rules.plans
            if not plan.immediate and plan.stands_for < 0 and not plan.fights and not plan.sourced
        ]
        wanted = [plan for plan in plans if plan.id in self.focus.actions]
        out: list[str] = []
        for _ in range(self.chance.choice((0, 0, 0, 1, 2, 3))):
            plan = self.chance.choice(wanted if wanted and self.often(0.4) else plans)
            if plan.ends_turn or (plan.main and (out or plan.quick_cost is not None)):
                continue
            text = self.request(turn if plan.main else self.chance.randrange(2), plan, len(out))
            out += [text] if text else []
        return out

    def fight(self, turn: int) -> tuple[str, dict[tuple[int, ...], str], dict[str, str]]:
        """Return a request of a fight, the marks of its soldiers, and those of its bulwarks."""
        attackers = [cards for cards in self.soldiers[turn] if self.often(0.7)]
        marks = dict.fromkeys(attackers, "attacks")
        if not attackers:
            return "", {}, {}
        if self.often(0.5):
            return f"p{turn + 1}: block", marks, {}
        walls: dict[str, str] = {}
        blockers = [cards for cards in self.soldiers[1 - turn] if self.often(0.5)]
        for attacker in attackers:
            name = NAMES[attacker[0]]
            free = [card for card in self.rows[1 - turn] if card not in walls]
            if free and self.often(0.3):
                walls[self.chance.choice(free)] = f"blocks:{name}"
            else:
                for _ in range(min(self.chance.randrange(3), len(blockers))):
                    marks[(1 - turn, *blockers.pop())] = f"blocks:{name}"
        return f"p{turn + 1}: damage_judgement", marks, walls

    # -- the whole

    def text(self) -> str:
        turn = self.chance.randrange(2)
        sides = [self.side(player) for player in (0, 1)]
        fought, marks, walls = self.fight(turn) if self.often(self.focus.fight) else ("", {}, {})
        stage = [fought] if fought else self.stage(turn)
        holder = self.chance.randrange(2) if stage else turn
        head = [f'regulation = "{self.regulation}"', f'turn = "p{turn + 1}"', f'chance = "p{holder + 1}"']
        head.append(f"turn_number = {self.chance.choice((1, 2, 3, 9, 200, 499, 500))}")
        if stage:
            head.append("stage = [" + ", ".join(f'"{text}"' for text in stage) + "]")
            if self.often(0.3):
                head.append(f'passed = ["p{2 - holder}"]')
        elif self.often(0.1):
            head.append("stall = true")
        for player, entries in enumerate(sides):
            field = []
            for cards in self.soldiers[player]:
                role = marks.get(cards if player == turn else (player, *cards), "")
                offered = [(1.0, role)] if role else []
                name = "+".join(NAMES[card] for card in cards)
                field.append(name + self.marks((0.3, "d"), (0.3, "new"), (0.15, "+3"), (0.1, "-2"), *offered))
            row = [
                name
                + self.marks(
                    (0.3, "d"),
                    (0.2, "new"),
                    (0.1, "known"),
                    *([(1.0, walls[name])] if name in walls and player != turn else []),
                )
                for name in self.rows[player]
            ]
            entries |= {"field": " ".join(field), "bulwarks": " ".join(row), "life": self.life(player)}
            head += ["", f"[p{player + 1}]", *(f'{name} = "{value}"' for name, value in entries.items() if value)]
            limited = [plan.id for plan in self.rules.plans if plan.limit and not plan.is_attack]
            if self.focus.used and player == turn and self.often(0.4):
                head.append(f'used = ["{self.chance.choice(self.focus.used)}"]')
            elif limited and self.often(0.1):
                head.append(f'used = ["{self.chance.choice(limited)}"]')
        return "\n".join(head) + "\n"


def position(seed: int, focus: str = "any") -> str:
    """Return the position of this number, the same in every build."""
    return Grammar(Random(f"{focus}/{seed}"), focus_of(focus)).text()


# -- laws --------------------------------------------------------------------------------------------------------------


def cards_shown(game: Game) -> list[list[str]]:
    """Return all cards of each player in the judge's view."""
    shown = game.view(Audience.JUDGE)
    out = [zones(shown.p1), zones(shown.p2)]
    for shown_request in (*shown.stage, *shown.declared, *([shown.resolving] if shown.resolving else [])):
        out[0 if shown_request.controller == "p1" else 1] += shown_request.keys
    return [sorted(cards) for cards in out]


def zones(side: SideView) -> list[str]:
    out = [*side.life_known.top, *(side.hand.cards or ()), *(side.grave.cards or ()), *side.aside]
    out += [card for unit in side.soldiers for card in unit.cards]
    out += [unit.card or "?" for unit in side.bulwarks] + [trump.card or "?" for trump in side.trumps]
    return out + list(side.pack.cards or () if side.pack else ())


def values_of(item: object, names: Iterable[str]) -> list[object]:
    """Return these fields of a flow, side, unit or request, and those of the objects in them."""
    out: list[object] = []
    for name in names:
        value = getattr(item, name)
        for part in value if isinstance(value, list) else [value]:
            kind = type(part).__name__
            out.append(values_of(part, FIELDS[kind]) if kind in FIELDS else part)
    return out


def whole_state(engine: Engine) -> list[object]:
    """Return every field that matters, without the writer of saved games."""
    flow = [name for name in FIELDS["Flow"] if not name.startswith("check_") or engine.point in CHECKS]
    effect = [] if engine.active is None else [int(engine.pc), list(engine.order), int(engine.shielded)]
    return [values_of(engine, flow), [values_of(side, FIELDS["Side"]) for side in engine.sides], effect]


def check_json(game: Game) -> None:
    """Law 2 for the saved game."""
    saved = game.to_json()
    again = Game.from_json(saved)
    require(again.to_json() == saved, "JSON round trip")
    require(whole_state(again._engine) == whole_state(game._engine), "a saved game reads back equal")


def check_saved(text: str) -> Game:
    """Laws 1 and 2: the position is saved, and every form of it reads back equal."""
    game = Game.from_position(text, seed=1)
    check_json(game)
    written = game.position()
    again = Game.from_position(written, seed=1)
    require(again.hash() == game.hash() and again.position() == written, "position round trip")
    require(list(again.options) == list(game.options), "a read position offers the same")
    require(Game.from_record(game.record()).hash() == game.hash(), "record round trip")
    return game


def check_tokens(game: Game, chance: Random) -> None:
    """Law 3: every offered token can be completed to a move."""
    for option in list(game.options):
        state = game._engine.copy()
        before = decision_key(state)
        state.push(option)
        for _ in range(80):
            if not expects_more(state, before):
                break
            require(len(state.options) > 0, f"a move cannot be completed after option {option}")
            before = decision_key(state)
            state.push(chance.choice(state.options))


def check_laws(seed: int, focus: str = "any") -> None:
    """Check the five laws for a position and a random game from it."""
    text = position(seed, focus)
    chance = Random(seed)
    try:
        game = check_saved(text)
        decks = [sum(invariants.cards_of_player(game._engine, player)) for player in (0, 1)]
        shown = cards_shown(game)
        for _ in range(20_000):
            if not game.options:
                break
            invariants.check_cards(game._engine, decks)
            invariants.check_sides(game._engine)
            require(cards_shown(game) == shown, "a card is in no zone of the judge's view")
            if chance.random() < 0.2:
                check_tokens(game, chance)
            if chance.random() < 0.1:
                check_json(game)
            game.push(chance.choice(game.options))
        else:
            raise invariants.Broken("the game does not end")
        invariants.check_cards(game._engine, decks)
        require(cards_shown(game) == shown, "a card is in no zone of the judge's view at the end")
    except Exception as error:
        error.add_note(f"position {seed} of {focus}:\n{text}")
        raise


# -- games to compare --------------------------------------------------------------------------------------------------


def played(text: str, seed: int, focus: str) -> str:
    """Return a digest of a game from a position: options, events, states and the views of every audience. The actions
    of the focus are requested when they are offered."""
    game = Game.from_position(text, seed=seed)
    chance = Random(seed)
    engine = game._engine
    digest = hashlib.blake2b(digest_size=8)
    wanted = focus_of(focus).actions
    for _ in range(DECISIONS):
        for audience in AUDIENCES:
            digest.update(msgspec.json.encode(view_of(engine, audience)))
        digest.update(state_bytes(engine))
        digest.update(bytes(engine.options))
        if not engine.options:
            break
        option = chance.choice(engine.options)
        if engine.kind == CHANCE_KIND and chance.random() < 0.7:
            plans = engine.rules.plans
            offered = [o for o in engine.options if (plans[o - 1].id.rstrip("@") if o else "pass") in wanted]
            option = chance.choice(offered) if offered else option
        log: list[RawEvent] = []
        engine.log = log
        engine.push(option)
        digest.update(repr([tuple(map(int, raw)) for raw in log]).encode())
    return digest.hexdigest()


def main() -> int:
    reader = argparse.ArgumentParser(prog="tests.properties.positions")
    reader.add_argument("what", choices=("laws", "texts", "digest"))
    reader.add_argument("focus")
    reader.add_argument("--from", type=int, default=0, dest="first")
    reader.add_argument("--count", type=int, default=200)
    asked = reader.parse_args()
    if asked.what == "digest":
        print(READY, *(len(Regulation.parse(name).rules().plans) for name in REGULATIONS), flush=True)
        for seed, line in enumerate(sys.stdin):
            try:
                print(seed, played(json.loads(line), seed, asked.focus), flush=True)
            except Exception as error:  # a fault may stop the game
                print(seed, type(error).__name__, flush=True)
        return 0
    for seed in range(asked.first, asked.first + asked.count):
        if asked.what == "laws":
            check_laws(seed, asked.focus)
        else:
            print(json.dumps(position(seed, asked.focus)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
