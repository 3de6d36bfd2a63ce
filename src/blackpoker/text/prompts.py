"""Prompts and option labels for the player who must choose, made from the definitions."""

from __future__ import annotations

from typing import NamedTuple

from blackpoker.definitions.model import Action, Clause, Key, Lists, Question, action_of, may_ask, words_of
from blackpoker.engine import setup
from blackpoker.engine.cards import BIT, JOKER, JOKER2, SIGNS, members
from blackpoker.engine.flow import CHANCE_KIND, PASS, SETUP, TRIGGER_KIND
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.engine.request_builder import can_pay
from blackpoker.engine.state import (
    ATTACKERS_KIND,
    BLOCKERS_KIND,
    BULWARK_KIND,
    CARD_KIND,
    CARDS_KIND,
    COST_KIND,
    DISCARD_KIND,
    DONE,
    GRAVE_KIND,
    KEY_KIND,
    OPTION_KIND,
    ORDER_KIND,
    REQUEST_KIND,
    RETARGET_KIND,
    ROW_CODE,
    SACRIFICE_KIND,
    SETUP_KIND,
    SHOWN_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TRUMP_KIND,
    TRUMPS_KIND,
    UNIT_KIND,
    UNITS_KIND,
    State,
    Unit,
)
from blackpoker.engine.tables import FREE_QUICK_MAGIC
from blackpoker.engine.views import Player
from blackpoker.engine.visibility import knows
from blackpoker.text.cards import cards_list, owner_of_offered_cards, sign
from blackpoker.text.catalogue import LABELS, PROMPTS
from blackpoker.text.markup import tag
from blackpoker.text.resources import Lang, in_lang, text_of
from blackpoker.text.rulebook import Book, cost_words, key_text, short_text


def action_id(s: State, index: int) -> str:
    """Return the id of the action. A character driven for it makes a second plan of the same action (R-105)."""
    return action_of(s.rules.plans[index]).id


def unit_cards(unit: Unit) -> str:
    """Return the cards of a unit, its original card first."""
    rest = [card for card in members(unit.cards) if card != unit.lead]
    return "+".join(sign(card) for card in [unit.lead, *rest])


def clause_at(s: State, request: Request) -> Clause:
    """Return the clause of the request's action that is being resolved."""
    plan = s.rules.plans[request.action]
    return action_of(plan).effect[plan.program[s.pc].clause]


def question_at(s: State, request: Request) -> Question | Clause:
    """Return the current question of the effect. A clause has one question for each of its steps that may ask; a clause
    of a local rule without questions serves as the question itself."""
    plan = s.rules.plans[request.action]
    here = plan.program[s.pc].clause
    earlier = [place for place in plan.program[: s.pc] if place.clause == here and may_ask(place.step)]
    clause = clause_at(s, request)
    return clause.asks[len(earlier)] if len(earlier) < len(clause.asks) else clause


class Price(NamedTuple):
    """The current cost of an offered action: its letters (empty: free) and the same in words."""

    sign: str
    words: str


class Prompts:
    """Prompts and labels in one language."""

    def __init__(self, edition: Lists, lang: Lang, names: tuple[str, str] = ("P1", "P2"), tagged: bool = False) -> None:
        self.book: Book = Book(edition, lang)
        self.lang: Lang = lang
        #: whether players and rules are tagged in the texts (``text.markup``)
        self.tagged: bool = tagged
        self.names: tuple[str, str] = (tag("seat:p1", names[0]), tag("seat:p2", names[1])) if tagged else names
        self.trump_names: dict[str, str] = {
            trump.card: self.tag_rule(f"trump:{trump.id}", text_of(trump, lang)) for trump in edition.trumps
        }

    def tag_rule(self, key: str, name: str) -> str:
        """Return the name of a rulebook entry, tagged if tags are on."""
        return tag(key, name) if self.tagged else name

    def label(self, name: str, *values: object) -> str:
        return in_lang(LABELS[name], self.lang).format(*values)

    def prompt_text(self, name: str, *values: object) -> str:
        return in_lang(PROMPTS[name], self.lang).format(*values)

    def action(self, s: State, index: int) -> Action:
        return self.book.actions[action_id(s, index)]

    def action_name(self, s: State, index: int) -> str:
        action = self.action(s, index)
        return self.tag_rule(f"action:{action.id}", text_of(action, self.lang))

    def character_name(self, id: str) -> str:
        return self.tag_rule(f"character:{id}", text_of(self.book.characters[id], self.lang))

    def character(self, id: str, n: int = 1) -> str:
        """Return a character with its article ("a bulwark", "an ace"), or in the plural."""
        if self.lang == "ja":
            return self.character_name(id)
        kind = self.book.characters[id]
        name = kind.en.lower() if kind.pair is None else kind.en  # a trump's character keeps its proper name
        if n > 1:
            name += "es" if name.endswith("o") else "s"
        article = "" if n > 1 else "an " if name[:1].lower() in "aeiou" else "a "
        return article + self.tag_rule(f"character:{id}", name)

    # -- things on the table

    def unit(self, s: State, owner: int, unit: Unit, seat: int) -> str:
        """Return a unit as this audience may see it, with its owner unless that is the reader."""
        text = self.bare_unit(s, owner, unit, seat)
        return text if owner == seat else self.label("owned", self.names[owner], text)

    def with_owner(self, s: State, owner: int, text: str) -> str:
        """Return the text with its owner, from the asked player's side. Used where either side could be meant."""
        return self.label("yours", text) if owner == s.asked else self.label("owned", self.names[owner], text)

    def short_unit(self, s: State, owner: int, unit: Unit, seat: int) -> str:
        """Return a unit by its cards alone. A bulwark is named by position, with its card if the reader knows it."""
        if not s.rules.kinds[unit.kind].bulwark:
            return unit_cards(unit)
        text = self.label("wall", s.code_of(owner, unit) % SIDE_CODE - ROW_CODE + 1)
        known = knows(s.sides[owner], owner, seat, unit.cards)
        return self.label("about", text, sign(unit.lead)) if known else text

    def bare_unit(self, s: State, owner: int, unit: Unit, seat: int) -> str:
        """Return a unit without its owner."""
        about: list[str] = []
        if s.rules.kinds[unit.kind].bulwark:
            text = self.label("wall", s.code_of(owner, unit) % SIDE_CODE - ROW_CODE + 1)
            if knows(s.sides[owner], owner, seat, unit.cards):
                about.append(sign(unit.lead))
        else:
            text = unit_cards(unit)
            about.append(str(s.number(s.sides[owner], unit)))
        if unit.driven:
            about.append(self.label("driven"))
        if about:
            text = self.label("about", text, self.label("and_about").join(about))
        return text

    def request(self, s: State, request: Request) -> str:
        """Return the action with its keys."""
        return self.request_name(s, request.action, request.keys, request.virtual)

    def request_name(self, s: State, action: int, keys: int, virtual: int = 0) -> str:
        """Return an action with its keys; virtual keys are marked as such (R-106)."""
        name = self.label("quoted", self.action_name(s, action))
        if virtual:
            return self.label("with_virtual", name, cards_list(virtual))
        return self.label("about", name, cards_list(keys)) if keys else name

    def target(self, s: State, request: Request, seat: int) -> str:
        """Return the target of a request, or "" if it has none."""
        if request.target_kind == UNIT:
            unit = s.unit(request.target)
            return self.label("gone") if unit is None else self.unit(s, s.owner_of(request.target), unit, seat)
        if request.target_kind == REQUEST:
            aimed = s.staged_request(request.target)
            return self.label("gone") if aimed is None else self.request(s, aimed)
        if request.target_kind == PLAYER:
            return self.label("player", self.names[request.target])
        if request.target_kind == TRUMP:
            return self.trump(s, request.target // 64, int(request.target % 64), seat)
        return ""

    def named_trump(self, card: int) -> str:
        """Return a card with the name of its trump ability, if it has one."""
        found = self.trump_names.get(SIGNS[card], "")
        return f"{sign(card)} {found}".rstrip()

    def trump(self, s: State, owner: int, card: int, seat: int) -> str:
        text = self.bare_trump(s, owner, card, seat)
        return text if owner == seat else self.label("owned", self.names[owner], text)

    def bare_trump(self, s: State, owner: int, card: int, seat: int) -> str:
        side = s.sides[owner]
        place = side.trumps.index(card) + 1 if card in side.trumps else 0
        text = self.label("trump", place or "")
        if side.open_trumps & BIT[card] or knows(side, owner, seat, BIT[card]):
            text = self.label("about", text, self.named_trump(card))
        return text

    def result(self, winner: Player | None, reason: str) -> str:
        """Return the result of the game with the reason of its ``Outcome``."""
        text = self.label("draw_game") if winner is None else self.label("wins", self.names[winner])
        losers = " ".join(name for seat, name in zip(PLAYERS, self.names, strict=True) if seat != winner)
        return text + self.label(f"by_{reason}", losers)

    # -- prompts

    def prompt(self, s: State) -> str:
        """Return the prompt of the asked player."""
        kind = s.kind
        if kind == CHANCE_KIND:
            return self.chance_prompt(s)
        if kind == TRIGGER_KIND:
            return self.prompt_text("trigger")
        if kind == TRUMPS_KIND:
            return self.prompt_text("trumps", getattr(s.rules, "most_trumps", 2))
        if s.point == SETUP:
            return self.setup_prompt(s)
        if kind == GRAVE_KIND:
            return self.prompt_text("grave_top")
        draft = s.draft
        if draft is not None:
            return self.request_prompt(s, draft)
        active = s.active
        if active is not None:
            return self.effect_prompt(s, active)
        return self.prompt_text("any")

    def setup_prompt(self, s: State) -> str:
        """Return the question of a set-up of its own (N-130)."""
        step = s.rules.setup[s.setup_step // 2]
        chosen = setup.number_chosen(s.sides[s.asked], step // setup.STEP)
        return self.prompt_text(f"set_{setup.QUESTIONS[step // setup.STEP]}", step % setup.STEP, chosen + 1)

    def chance_prompt(self, s: State) -> str:
        if s.stage:
            top = s.stage[-1]
            if top.controller == s.chance:
                return self.prompt_text("own_top", self.request(s, top))
            return self.prompt_text("their_top", self.request(s, top), self.names[top.controller])
        return self.prompt_text("main") if s.chance == s.turn else self.prompt_text("idle", self.names[s.turn])

    def request_prompt(self, s: State, draft: Request) -> str:
        action = self.action(s, draft.action)
        name = self.action_name(s, draft.action)
        words = s.tokens
        equal_words = [index for index, word in enumerate(words) if word == words[s.token_index]]
        number, all = equal_words.index(s.token_index) + 1, len(equal_words)
        part = self.prompt_text("part", number, all) if all > 1 else ""
        if s.kind == KEY_KIND and action.key is not None:
            key = action.key if action.key.form != "each" else Key("one", (action.key.ranges[number - 1],))
            keys = key_text(key, self.lang)
            return self.prompt_text("keys", name, keys, number, all) if all > 1 else self.prompt_text("key", name, keys)
        if s.kind == BULWARK_KIND:
            return self.prompt_text("pay_B", name, part)
        if s.kind == DISCARD_KIND:
            return self.prompt_text("pay_D", name, part)
        if s.kind == SACRIFICE_KIND:
            return self.prompt_text("pay_S", name, part)
        if s.kind == SHOWN_KIND:
            return self.prompt_text("shown", name)
        if s.kind == COST_KIND:
            return self.prompt_text("cost", name)
        if s.kind == SOURCE_KIND:
            return self.prompt_text("source", name)
        target = action.target
        return self.prompt_text(
            "target", name, "" if target is None else (target.ja if self.lang == "ja" else target.en)
        )

    def draft_text(self, s: State) -> str:
        """Return the draft request so far, or "" before its first option after the action."""
        draft = s.draft
        if draft is None or not (draft.keys or s.paying or s.discards or draft.source >= 0):
            return ""
        text = self.request(s, draft)
        for id in [draft.source, *s.paying]:
            unit = s.unit(id)
            if unit is not None:
                text += f" ${self.unit(s, draft.controller, unit, draft.controller)}"
        return text + "".join(f" ${sign(card)}" for card in members(s.discards)) + " …"

    def effect_prompt(self, s: State, active: Request) -> str:
        name = self.action_name(s, active.action)
        text = text_of(question_at(s, active), self.lang)
        if s.kind == ATTACKERS_KIND:
            attackers = [unit_cards(u) for u in s.sides[active.controller].soldiers if u.role == 1]
            return (
                self.prompt_text("attackers_more", name, " ".join(attackers))
                if attackers
                else self.prompt_text("effect", name, text)
            )
        if s.kind == BLOCKERS_KIND:
            attacker = s.unit(s.blocked)
            what = "" if attacker is None else self.unit(s, active.controller, attacker, s.asked)
            if s.blocker_count == 0:
                return self.prompt_text("blockers", name, what)
            side = s.sides[s.asked]
            sum_ = sum(s.number(side, u) for u in side.soldiers if u.role == 2 and u.blocks == s.blocked)
            return self.prompt_text("blockers_more", name, what, sum_)
        if s.kind == RETARGET_KIND:
            aimed = s.staged_request(active.target)
            return self.prompt_text("retarget", name, "" if aimed is None else self.request(s, aimed))
        program = s.rules.plans[active.action].program
        step = program[s.pc].step
        total = max(place.step.traits().total for place in program)
        if total >= 0:
            return self.prompt_text("effect_points", name, text, s.bound(total))
        if s.kind == ORDER_KIND:
            onto_life = step.traits().onto_life
            return self.prompt_text("order_top" if onto_life else "order_row", name, text, len(s.order) + 1)
        left = step.remaining_choices(s, active, s.asked)
        return self.prompt_text("effect_left", name, text, left) if left > 0 else self.prompt_text("effect", name, text)

    # -- options

    def option(self, s: State, option: int) -> str:
        """Return the label of an offered option, for the asked player."""
        kind = s.kind
        if kind == CHANCE_KIND:
            return self.label("pass") if option == PASS else self.action_option(s, option - 1)
        if kind == TRIGGER_KIND:
            return self.trigger_option(s, s.buffer[option])
        if option == DONE:
            return self.done_option(s)
        if kind in (TRUMPS_KIND, SETUP_KIND):
            return self.card_option(s, option) if option == JOKER2 else self.named_trump(option)
        if kind in (KEY_KIND, DISCARD_KIND, CARD_KIND, CARDS_KIND, ORDER_KIND, SHOWN_KIND, GRAVE_KIND) and option < len(
            SIGNS
        ):
            return self.card_option(s, option)
        if kind == ORDER_KIND:  # positions in the row of bulwarks
            return self.unit_option(s, option)
        if kind == UNIT_KIND and any(one // SIDE_CODE != s.options[0] // SIDE_CODE for one in s.options):
            return self.owned_unit_option(s, option)
        if kind in (BULWARK_KIND, SOURCE_KIND, SACRIFICE_KIND, UNIT_KIND, UNITS_KIND, ATTACKERS_KIND, BLOCKERS_KIND):
            return self.unit_option(s, option)
        if kind == COST_KIND and s.draft is not None:
            return self.cost_option(self.action(s, s.draft.action), option)
        if kind == OPTION_KIND:
            return self.value_option(s, option)
        if kind == TRUMP_KIND:
            return self.trump_option(s, option)
        if kind == REQUEST_KIND:
            return self.staged_option(s, option)
        return self.target_option(s, option)

    def card_option(self, s: State, card: int) -> str:
        """Return an offered card, with its owner unless that is the asked player. The second of two Jokers is
        numbered."""
        text = self.label("about", sign(card), 2) if card == JOKER2 and JOKER in s.options else sign(card)
        owner = int(s.asked) if s.kind in (TRUMPS_KIND, SETUP_KIND) else owner_of_offered_cards(s)
        return text if owner == s.asked else self.label("owned", self.names[owner], text)

    def done_option(self, s: State) -> str:
        """Return the label that ends a choice of several things; it differs if none has been chosen."""
        if s.kind == ATTACKERS_KIND and not any(unit.role == 1 for unit in s.sides[s.asked].soldiers):
            return self.label("no_attack")
        return self.label("no_block" if s.kind == BLOCKERS_KIND and s.blocker_count == 0 else "done")

    def cost_option(self, action: Action, option: int) -> str:
        if option == 0:
            return self.label("cost_main", cost_words(action.cost, self.lang))
        return self.label("cost_quick", cost_words(action.quick_cost, self.lang))

    def action_option(self, s: State, index: int) -> str:
        """Return an action as offered; a waived cost is shown as such (R-35)."""
        action = self.action(s, index)
        plan = s.rules.plans[index]
        if plan.stands_for >= 0:
            drivers = [
                c for c in self.book.characters.values() if c.drives is not None and c.drives.action == action.id
            ]
            return f"{text_of(action, self.lang)} @{'/'.join(text_of(driver, self.lang) for driver in drivers)}"
        text = short_text(action, self.lang)
        if plan.quick_magic and action.cost and s.sides[s.asked].abilities & FREE_QUICK_MAGIC:
            text = text.replace("$" + action.cost, self.label("free"))
        return text

    def price(self, s: State, option: int) -> Price | None:
        """Return the cost of the offered action or cost, or None for any other option."""
        if s.kind == COST_KIND and s.draft is not None:
            action = self.action(s, s.draft.action)
            sign = action.cost if option == 0 else action.quick_cost
        elif s.kind == CHANCE_KIND and option != PASS:
            plan = s.rules.plans[option - 1]
            action = self.action(s, option - 1)
            free = plan.stands_for >= 0 or (plan.quick_magic and s.sides[s.asked].abilities & FREE_QUICK_MAGIC != 0)
            sign = "" if free else action.cost
            main = s.asked == s.turn and not s.stage
            if action.quick_cost and not free and not (main and can_pay(plan, s.sides[s.asked], plan.cost)):
                sign = action.quick_cost
        else:
            return None
        return Price(sign, cost_words(sign, self.lang))

    def trigger_option(self, s: State, request: Request) -> str:
        """Return a waiting request with its distinguishing part: its target, or the card or amount of its trigger."""
        target = self.target(s, request, s.asked)
        text = self.request(s, request) + (f" → {target}" if target else "")
        if request.amount == 0:
            return text
        of_card = any(kind.leave_action == request.action and kind.leave_card != 0 for kind in s.rules.kinds)
        return f"{text} ({cards_list(request.amount) if of_card else request.amount})"

    def unit_option(self, s: State, option: int) -> str:
        unit = s.unit_by_code(option)
        return "?" if unit is None else self.unit(s, option // SIDE_CODE, unit, s.asked)

    def owned_unit_option(self, s: State, option: int) -> str:
        """Return a unit with its owner, because a target may be on either side."""
        unit = s.unit_by_code(option)
        owner = option // SIDE_CODE
        return "?" if unit is None else self.with_owner(s, owner, self.bare_unit(s, owner, unit, s.asked))

    def trump_option(self, s: State, option: int) -> str:
        owner = option // SIDE_CODE
        return self.trump(s, owner, s.sides[owner].trumps[option % SIDE_CODE], s.asked)

    def staged_option(self, s: State, option: int, with_target: bool = True) -> str:
        """Return a request on the stage, with its target if ``aimed``."""
        if option >= len(s.stage):  # 対象変更 that targets itself
            return "?" if s.active is None else self.request(s, s.active)
        request = s.stage[option]
        target = self.target(s, request, s.asked) if with_target else ""
        text = self.with_owner(s, request.controller, self.request(s, request) + (f" → {target}" if target else ""))
        alike = [one for one in s.stage if one.same_as(request)]
        return self.label("of_several", text, len(s.stage) - option) if len(alike) > 1 else text

    def value_option(self, s: State, option: int) -> str:
        active = s.active
        if active is None:
            return str(option)
        step = s.rules.plans[active.action].program[s.pc].step
        word = words_of(step).words[option]
        keys = members(active.keys & ~active.virtual)
        if word == "soldier" and keys:  # the character that the key makes
            kind = s.rules.kinds[s.rules.kind_of_cards(keys)]
            return self.label("enters_as", self.character(kind.id))
        return self.label(word)

    def target_option(self, s: State, option: int, short: bool = False) -> str:
        """Return a target option of the draft request, or of the request that gets a new target."""
        request = s.draft
        if s.kind == RETARGET_KIND and s.active is not None:
            request = s.staged_request(s.active.target)
        action = None if request is None else self.action(s, request.action)
        aim = "" if action is None or action.target is None else action.target.aim
        if aim == "unit":
            return self.owned_unit_option(s, option)
        if aim == "request":
            return self.staged_option(s, option, not short)
        if aim == "trump":
            owner = option // SIDE_CODE
            return self.with_owner(
                s, owner, self.bare_trump(s, owner, s.sides[owner].trumps[option % SIDE_CODE], s.asked)
            )
        return self.label("player", self.names[option]) if aim in ("player", "opponent") else str(option)
