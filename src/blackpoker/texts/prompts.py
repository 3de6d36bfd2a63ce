"""Prompts, labels of options and log lines, made from the definitions and the state of a game.

``Speaker`` words what the player who must choose reads. ``Narrator`` words what happened, for one seat: cards that seat
may not know are counted, never named (R-210…R-216).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from blackpoker.language.model import Action, Clause, Edition, Key, action_of
from blackpoker.language.steps.cards import AsideToBottom
from blackpoker.language.steps.choosing import ChooseCards, ChooseWord
from blackpoker.language.steps.units import GatheredToLifeTop, TargetToLifeTop, ToLifeBottom
from blackpoker.rules import events as ev
from blackpoker.rules.cards import BIT, SIGNS, count, members
from blackpoker.rules.flow import CHANCE_KIND, PASS, TRIGGER_KIND
from blackpoker.rules.request import PLAYER, REQUEST, TRUMP, UNIT, Request
from blackpoker.rules.state import (
    ATTACKERS_KIND,
    BLOCKERS_KIND,
    BULWARK_KIND,
    CARD_KIND,
    CARDS_KIND,
    COST_KIND,
    DISCARD_KIND,
    DONE,
    KEY_KIND,
    OPTION_KIND,
    ORDER_KIND,
    REQUEST_KIND,
    RETARGET_KIND,
    ROW_CODE,
    SACRIFICE_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TARGET_KIND,
    TRUMP_KIND,
    TRUMPS_KIND,
    UNIT_KIND,
    UNITS_KIND,
    State,
    Unit,
)  # fmt: skip
from blackpoker.texts.rulebook import Book, Lang, choose, key_text, of, short_text

Event = tuple[int, int, int, int, int, int]

#: What the player who must choose is asked; {0} is the action, the rest stands with each line.
PROMPTS: Final[dict[str, tuple[str, str]]] = {
    "main": ("あなたのターンです。アクションを選んでください。", "Your turn: choose an action."),
    "own_top": (
        "ステージに{0}があります。何か重ねるか、パスしてください。",
        "{0} is on the stage. Add to it, or pass.",
    ),
    "their_top": (  # {1} the player
        "{1}の{0}がステージにあります。応答するか、パスしてください。",
        "{1} has {0} on the stage. Answer it, or pass.",
    ),
    "idle": (  # {0} the player
        "{0}はパスしました。クイックのアクションを起こすか、パスしてください。",
        "{0} has passed. Request something quick, or pass.",
    ),
    "trigger": ("先に処理する誘発アクションを選んでください。", "Which triggered action comes first?"),
    "key": ("{0}：キーカードを選んでください（{1}）。", "Choose the key card for {0}: {1}."),
    "keys": ("{0}：キーカードを選んでください（{1}）［{2}/{3}］。", "Choose key {2} of {3} for {0}: {1}."),
    "cost": ("{0}：どちらのコストを払いますか。", "Which cost do you pay for {0}?"),
    "source": ("{0}：ドライブする兵士を選んでください。", "Choose the soldier to drive for {0}."),
    "pay_B": (
        "{0}のコスト B：ドライブする防壁を選んでください{1}。",
        "Pay B for {0}: choose a charged bulwark to drive{1}.",
    ),
    "pay_D": ("{0}のコスト D：捨てる手札を選んでください{1}。", "Pay D for {0}: choose a card to discard{1}."),
    "pay_S": (
        "{0}のコスト S：墓地に移すキャラクターを選んでください{1}。",
        "Pay S for {0}: choose a character to put into the grave{1}.",
    ),
    "part": ("［{0}/{1}］", " ({0} of {1})"),
    "target": ("{0}の対象を選んでください（{1}）。", "Choose the target of {0}: {1}."),
    "effect": ("{0}：{1}", "{0}: {1}"),  # {1} the clause
    "effect_left": ("{0}：{1}（あと{2}枚）", "{0}: {1} ({2} to go)"),
    "order_top": ("{0}：{1}（上から{2}枚目）", "{0}: {1} (number {2} from the top)"),
    "order_row": ("{0}：{1}（ライフ側から{2}枚目）", "{0}: {1} (number {2} from the life side)"),
    "attackers": ("{0}：攻撃する兵士を選んでください。", "{0}: choose an attacker, or attack with nobody."),
    "attackers_more": ("{0}：ほかに攻撃する兵士はいますか（{1}）。", "{0}: another attacker? So far {1}."),
    "blockers": ("{0}：{1}をどうブロックしますか。", "{0}: who blocks {1}?"),
    "blockers_more": (
        "{0}：{1}をブロックする兵士を加えますか（合計{2}）。",
        "{0}: another blocker for {1}? So far {2}.",
    ),
    "retarget": ("{0}：{1}の新しい対象を選んでください。", "{0}: choose the new target of {1}."),
    "trumps": ("切札にするカードを選んでください（{0}枚まで）。", "Choose your trumps, at most {0}."),
    "any": ("選んでください。", "Choose."),
}

#: Labels of options and buttons that stand in no definition.
LABELS: Final[dict[str, tuple[str, str]]] = {
    "pass": ("パス", "Pass"),
    "done": ("以上", "Done"),
    "no_attack": ("攻撃しない", "Attack with nobody"),
    "no_block": ("ブロックしない", "No blocker"),
    "undo": ("戻す", "Undo"),
    "confirm": ("確定", "Confirm"),
    "cancel": ("取消", "Cancel"),
    "no": ("いいえ", "no"),
    "yes": ("はい", "yes"),
    "charged": ("チャージ", "charged"),
    "driven": ("ドライブ", "driven"),
    "leave": ("そのまま", "leave it"),
    "soldier": ("兵士", "as a soldier"),
    "bulwark": ("防壁", "as a bulwark"),
    "one": ("1枚", "one"),
    "two": ("2枚", "two"),
    "top": ("上", "on top"),
    "bottom": ("下", "at the bottom"),
    "close": ("裏にする", "turn it face down"),
    "suffer": ("ダメージを受ける", "take the damage"),
    "wall": ("防壁{0}", "bulwark {0}"),
    "trump": ("切札{0}", "trump {0}"),
    "owned": ("{0}の{1}", "{0}'s {1}"),
    "player": ("{0}", "{0}"),
    "is_driven": ("・ドライブ", ", driven"),
    "cost_main": ("{0}（メイン）", "{0} (main)"),
    "cost_quick": ("{0}（クイック）", "{0} (quick)"),
    "free": ("$なし", "$0"),
    "a_card": ("カード1枚", "a card"),
    "n_cards": ("カード{0}枚", "{0} cards"),
    "gone": ("（もういない）", "(gone)"),
    # the table
    "life": ("ライフ", "life"),
    "hand": ("手札", "hand"),
    "grave": ("墓地", "grave"),
    "soldiers": ("兵士", "soldiers"),
    "bulwarks": ("防壁", "bulwarks"),
    "trumps": ("切札", "trumps"),
    "pack": ("パック", "pack"),
    "aside": ("公開中", "turned up"),
    "stage": ("ステージ", "stage"),
    "empty": ("なし", "empty"),
    "unopened": ("未開封", "unopened"),
    "opened": ("開封済み", "opened"),
    "turn": ("{0}ターン目・{1}のターン", "turn {0} · {1}'s turn"),
    "has_chance": ("チャンス：{0}", "chance: {0}"),
    "chooses": ("選択：{0}", "to choose: {0}"),
    "next": ("← 次に解決", "← next"),
    "resolving": ("効果の処理中：{0}", "taking effect: {0}"),
    "attacks": ("攻", "attacks"),
    "blocks": ("{0}をブロック", "blocks {0}"),
    "seen_hand": ("（見えた手札：{0}）", " (seen: {0})"),
    "more_than": ("{0}枚以上", "{0} or more"),
    "wins": ("{0}の勝ちです。", "{0} wins."),
    "draw_game": ("引き分けです。", "The game is drawn."),
    "by_life": ("（{0}のライフがなくなりました）", " ({0} has no life left)"),
    "by_turns": ("（ターン数の上限です。R-220）", " (the limit of turns, R-220)"),
    "by_resigned": ("（{0}が投了しました）", " ({0} gave up)"),
    "by_time": ("（{0}の時間切れです）", " ({0} ran out of time)"),
    "by_abandoned": ("（{0}がいなくなりました）", " ({0} left)"),
    "by_draw": ("（合意による引き分けです）", " (agreed)"),
}

#: Log lines; {0} is the player, then what stands with each line.
LINES: Final[dict[int, tuple[str, str]]] = {
    ev.DECLARED: ("{0}：{1}", "{0}: {1}"),  # action with keys and target
    ev.PASSED: ("{0}：パス", "{0}: pass"),
    ev.RESOLVING: ("{1}の効果", "{1} takes effect"),
    ev.FIZZLED: ("{1}：対象がなくなり、効果なし", "{1}: its target is gone, no effect"),
    ev.NEGATED: ("{1}は無効になった", "{1} is negated"),
    ev.RAISED: ("{0}：{1}が誘発", "{0}: {1} is raised"),
    ev.STAGED: ("{1}をステージへ", "{1} goes onto the stage"),
    ev.DAMAGED: ("{0}：{2}ダメージ{1}", "{0}: {2} damage{1}"),
    ev.DREW: ("{0}：{1}を引く", "{0}: draw {1}"),
    ev.DISCARDED: ("{0}：{1}を捨てる", "{0}: discard {1}"),
    ev.TOOK: ("{0}：{1}を{2}から手札へ", "{0}: {1} from {2} to hand"),
    ev.ENTERED: ("{0}：{1}が{2}として場へ", "{0}: {1} enters as {2}"),
    ev.ATTACHED: ("{0}：{1}、{2}になる", "{0}: {1}, now {2}"),
    ev.BURIED: ("{0}：{1}を墓地へ", "{0}: {1} to the grave"),
    ev.RETURNED: ("{0}：{1}を手札へ", "{0}: {1} back to hand"),
    ev.TOPPED: ("{0}：{1}をライフの上へ", "{0}: {1} on top of life"),
    ev.SUNK: ("{0}：{1}をライフの下へ", "{0}: {1} under life"),
    ev.DROVE: ("{0}：{1}をドライブ", "{0}: {1} driven"),
    ev.CHARGED: ("{0}：{1}をチャージ", "{0}: {1} charged"),
    ev.TURNED: ("{0}：{1}が{2}になる", "{0}: {1} becomes {2}"),
    ev.BONUS: ("{0}：{1} {2:+d}", "{0}: {1} {2:+d}"),
    ev.SHUFFLED: ("{0}：ライフをシャッフル", "{0}: life is shuffled"),
    ev.REVEALED: ("{0}：{1}を表にする", "{0}: {1} turned up"),
    ev.MILLED: ("{0}：{1}をライフから墓地へ", "{0}: {1} from life to the grave"),
    ev.KEYS_SPENT: ("{0}：キーカード {1} を墓地へ", "{0}: key {1} to the grave"),
    ev.KEYS_RETURNED: ("{0}：キーカード {1} を手札へ", "{0}: key {1} back to hand"),
    ev.ATTACKED: ("{0}：{1}でアタック", "{0}: {1} attacks"),
    ev.BLOCKED: ("{0}：{1}で{2}をブロック", "{0}: {1} blocks {2}"),
    ev.TURN: ("── {1}ターン目：{0} ──", "── turn {1}: {0} ──"),
    ev.OPENED: ("{0}：切札 {1} を表に", "{0}: trump {1} face up"),
    ev.CLOSED: ("{0}：切札 {1} を裏に", "{0}: trump {1} face down"),
    ev.TRUMP_LOST: ("{0}：切札 {1} を墓地へ", "{0}: trump {1} to the grave"),
    ev.TRUMP_SET: ("{0}：{1}を切札にする", "{0}: {1} set as a trump"),
    ev.RETARGETED: ("新しい対象：{1}", "new target: {1}"),
    ev.FLIPPED: ("{0}：先攻決め {1}", "{0}: flips {1} for the first turn"),
    ev.WON: ("{0}の勝ち", "{0} wins"),
    ev.LOOKED: ("{0}の手札を公開：{1}", "{0}'s hand is looked at: {1}"),
    ev.PACK_OPENED: ("{0}：パックを開封", "{0}: the pack is opened"),
    ev.REORDERED: ("{0}：防壁を並べ替え", "{0}: bulwarks rearranged"),
    ev.DEALT: ("{0}：{1}を配る", "{0}: {1} dealt"),
}
OTHER_LINES: Final[dict[str, tuple[str, str]]] = {
    "drawn": ("引き分け", "The game is drawn"),
    "all_soldiers": ("兵士すべて", "all soldiers"),
    "shown": ("（{0}）", " ({0})"),
}
ZONES: Final[dict[int, tuple[str, str]]] = {
    ev.HAND: ("手札", "hand"),
    ev.LIFE: ("ライフ", "life"),
    ev.GRAVE: ("墓地", "the grave"),
    ev.FIELD: ("場", "the field"),
    ev.STAGE: ("ステージ", "the stage"),
    ev.TRUMPS: ("切札", "the trumps"),
    ev.PACK: ("パック", "the pack"),
}
#: What happens at every request; a short log leaves it out.
MINOR: Final = frozenset(
    {ev.RAISED, ev.STAGED, ev.RESOLVING, ev.KEYS_SPENT, ev.DROVE, ev.CHARGED, ev.SHUFFLED, ev.TRUMP_SET, ev.DEALT}
)
#: Cards that lie in their owner's grave afterwards, where he may read them (R-210).
_TO_GRAVE: Final = frozenset({ev.DAMAGED, ev.DISCARDED, ev.BURIED, ev.MILLED, ev.KEYS_SPENT, ev.TRUMP_LOST})
#: Steps that ask for an order of cards going to life; other orders are those of a row of bulwarks.
_ONTO_LIFE: Final = (TargetToLifeTop, AsideToBottom, ToLifeBottom, GatheredToLifeTop)
#: Events that are told together when they follow each other.
_TOGETHER: Final = frozenset({ev.DREW, ev.DROVE, ev.CHARGED, ev.ATTACKED})


def cards_list(cards: int) -> str:
    return " ".join(SIGNS[card] for card in members(cards))


def action_id(s: State, index: int) -> str:
    """The id of the action; a character driven for it makes it another plan of the same action (R-105)."""
    return action_of(s.rules.plans[index]).id


def unit_cards(unit: Unit) -> str:
    """The cards of a unit, the one it was first made of in front."""
    rest = [card for card in members(unit.cards) if card != unit.lead]
    return "+".join(SIGNS[card] for card in [unit.lead, *rest])


def clause_at(s: State, request: Request) -> Clause:
    """The clause of the request's action that is being carried out."""
    plan = s.rules.plans[request.action]
    return action_of(plan).effect[plan.clauses[s.place]]


class Speaker:
    """Words for the player who must choose."""

    def __init__(self, edition: Edition, lang: Lang, names: tuple[str, str] = ("P1", "P2")) -> None:
        self.book = Book(edition, lang)
        self.lang: Lang = lang
        self.names = names
        self.trump_names = {trump.card: of(trump, lang) for trump in edition.trumps}

    def label(self, name: str, *values: object) -> str:
        return choose(LABELS[name], self.lang).format(*values)

    def ask(self, name: str, *values: object) -> str:
        return choose(PROMPTS[name], self.lang).format(*values)

    def action(self, s: State, index: int) -> Action:
        return self.book.actions[action_id(s, index)]

    def action_name(self, s: State, index: int) -> str:
        return of(self.action(s, index), self.lang)

    # -- things on the table

    def unit(self, s: State, owner: int, unit: Unit, seat: int) -> str:
        """A unit as the seat may name it; the owner is said where it is not the seat (-1: a judge sees all)."""
        if s.rules.kinds[unit.kind].bulwark:
            text = self.label("wall", s.code_of(owner, unit) % SIDE_CODE - ROW_CODE + 1)
            if seat in (-1, owner) or s.sides[owner].seen & unit.cards != 0:
                text += f"[{SIGNS[unit.lead]}]"
            if unit.driven:
                text += f"({self.label('is_driven').lstrip('・, ')})"
        else:
            text = (
                f"{unit_cards(unit)}({s.number(s.sides[owner], unit)}{self.label('is_driven') if unit.driven else ''})"
            )
        return text if owner == seat else self.label("owned", self.names[owner], text)

    def request(self, s: State, request: Request) -> str:
        """Action and keys, virtual ones in brackets."""
        text = self.action_name(s, request.action)
        if request.keys:
            text += " " + cards_list(request.keys)
        if request.virtual:
            text += f" [{cards_list(request.virtual)}]"
        return text

    def target(self, s: State, request: Request, seat: int) -> str:
        """The target of a request; empty where it has none."""
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
        """A card with the name of its trump ability, if it has one."""
        found = self.trump_names.get(SIGNS[card], "")
        return f"{SIGNS[card]} {found}".rstrip()

    def trump(self, s: State, owner: int, card: int, seat: int) -> str:
        side = s.sides[owner]
        place = side.trumps.index(card) + 1 if card in side.trumps else 0
        text = self.label("trump", place or "")
        if seat in (-1, owner) or (side.open_trumps | side.seen) & BIT[card]:
            text += f"[{self.named_trump(card)}]"
        return text if owner == seat else self.label("owned", self.names[owner], text)

    def result(self, winner: int | None, reason: str) -> str:
        """How the game ended, with the reason of its ``Outcome``."""
        text = self.label("draw_game") if winner is None else self.label("wins", self.names[winner])
        losers = " ".join(name for seat, name in enumerate(self.names) if seat != winner)
        return text + self.label(f"by_{reason}", losers)

    # -- prompts

    def prompt(self, s: State) -> str:
        """What the asked player reads."""
        kind = s.kind
        if kind == CHANCE_KIND:
            return self.chance(s)
        if kind == TRIGGER_KIND:
            return self.ask("trigger")
        if kind == TRUMPS_KIND:
            return self.ask("trumps", getattr(s.rules, "most_trumps", 2))
        draft = s.draft
        if draft is not None and kind <= TARGET_KIND:
            return self.word(s, draft)
        active = s.active
        if active is not None:
            return self.choice(s, active)
        return self.ask("any")

    def chance(self, s: State) -> str:
        if s.stage:
            top = s.stage[-1]
            if top.controller == s.chance:
                return self.ask("own_top", self.request(s, top))
            return self.ask("their_top", self.request(s, top), self.names[top.controller])
        return self.ask("main") if s.chance == s.turn else self.ask("idle", self.names[s.turn])

    def word(self, s: State, draft: Request) -> str:
        action = self.action(s, draft.action)
        name = of(action, self.lang)
        words = s.words
        same = [index for index, word in enumerate(words) if word == words[s.word]]
        number, all = same.index(s.word) + 1, len(same)
        part = self.ask("part", number, all) if all > 1 else ""
        if s.kind == KEY_KIND and action.key is not None:
            key = action.key if action.key.form != "each" else Key("one", (action.key.ranges[number - 1],))
            keys = key_text(key, self.lang)
            return self.ask("keys", name, keys, number, all) if all > 1 else self.ask("key", name, keys)
        if s.kind == BULWARK_KIND:
            return self.ask("pay_B", name, part)
        if s.kind == DISCARD_KIND:
            return self.ask("pay_D", name, part)
        if s.kind == SACRIFICE_KIND:
            return self.ask("pay_S", name, part)
        if s.kind == COST_KIND:
            return self.ask("cost", name)
        if s.kind == SOURCE_KIND:
            return self.ask("source", name)
        target = action.target
        return self.ask("target", name, "" if target is None else (target.ja if self.lang == "ja" else target.en))

    def draft(self, s: State) -> str:
        """The request being worded, as far as it goes; empty before its first word after the action."""
        draft = s.draft
        if draft is None or not (draft.keys or s.paying or s.discards or draft.source >= 0):
            return ""
        text = self.request(s, draft)
        for id in [draft.source, *s.paying]:
            unit = s.unit(id)
            if unit is not None:
                text += f" ${self.unit(s, draft.controller, unit, draft.controller)}"
        return text + "".join(f" ${SIGNS[card]}" for card in members(s.discards)) + " …"

    def choice(self, s: State, active: Request) -> str:
        name = self.action_name(s, active.action)
        if s.kind == ATTACKERS_KIND:
            named = [unit_cards(u) for u in s.sides[active.controller].soldiers if u.role == 1]
            return self.ask("attackers_more", name, " ".join(named)) if named else self.ask("attackers", name)
        if s.kind == BLOCKERS_KIND:
            attacker = s.unit(s.blocked)
            what = "" if attacker is None else self.unit(s, active.controller, attacker, s.asked)
            if s.blocker_count == 0:
                return self.ask("blockers", name, what)
            side = s.sides[s.asked]
            sum_ = sum(s.number(side, u) for u in side.soldiers if u.role == 2 and u.blocks == s.blocked)
            return self.ask("blockers_more", name, what, sum_)
        if s.kind == RETARGET_KIND:
            aimed = s.staged_request(active.target)
            return self.ask("retarget", name, "" if aimed is None else self.request(s, aimed))
        text = of(clause_at(s, active), self.lang)
        step = s.rules.plans[active.action].program[s.place]
        if s.kind == ORDER_KIND:
            row = not isinstance(step, _ONTO_LIFE)
            return self.ask("order_row" if row else "order_top", name, text, len(s.order) + 1)
        if isinstance(step, ChooseCards):
            left = step.how_many.of(s, active) - count(s.bound(step.bind.slot))
            return self.ask("effect_left", name, text, left)
        return self.ask("effect", name, text)

    # -- options

    def option(self, s: State, option: int) -> str:
        """The label of an offered option, for the asked player."""
        kind = s.kind
        if kind == CHANCE_KIND:
            return self.label("pass") if option == PASS else self.offer(s, option - 1)
        if kind == TRIGGER_KIND:
            return self.triggered(s, s.buffer[option])
        if option == DONE:
            if kind == ATTACKERS_KIND and not any(unit.role == 1 for unit in s.sides[s.asked].soldiers):
                return self.label("no_attack")
            return self.label("no_block" if kind == BLOCKERS_KIND and s.blocker_count == 0 else "done")
        if kind == TRUMPS_KIND:
            return self.named_trump(option)
        if kind in (KEY_KIND, DISCARD_KIND, CARD_KIND, CARDS_KIND, ORDER_KIND) and option < len(SIGNS):
            return SIGNS[option]
        if kind == ORDER_KIND:  # places in a row of bulwarks
            return self.coded_unit(s, option)
        if kind in (BULWARK_KIND, SOURCE_KIND, SACRIFICE_KIND, UNIT_KIND, UNITS_KIND, ATTACKERS_KIND, BLOCKERS_KIND):
            return self.coded_unit(s, option)
        if kind == COST_KIND and s.draft is not None:
            action = self.action(s, s.draft.action)
            if option == 0:
                return self.label("cost_main", "$" + action.cost)
            return self.label("cost_quick", "$" + action.quick_cost)
        if kind == OPTION_KIND:
            return self.named(s, option)
        if kind == TRUMP_KIND:
            return self.coded_trump(s, option)
        if kind == REQUEST_KIND:
            return self.staged(s, option)
        return self.aimed(s, option)

    def offer(self, s: State, index: int) -> str:
        """An action as it is offered; a cost that has fallen away is said (R-35)."""
        action = self.action(s, index)
        plan = s.rules.plans[index]
        if plan.stands_for >= 0:
            drivers = [
                c for c in self.book.characters.values() if c.drives is not None and c.drives.action == action.id
            ]
            return f"{of(action, self.lang)} @{'/'.join(of(driver, self.lang) for driver in drivers)}"
        text = short_text(action, self.lang)
        if plan.quick_magic and action.cost and s.sides[s.asked].abilities & 1:
            text = text.replace("$" + action.cost, self.label("free"))
        return text

    def triggered(self, s: State, request: Request) -> str:
        """A waiting request with what tells it from its like: its target, the card or the amount its trigger named."""
        target = self.target(s, request, s.asked)
        text = self.request(s, request) + (f" → {target}" if target else "")
        if request.amount == 0:
            return text
        of_card = any(kind.leave_action == request.action and kind.leave_card != 0 for kind in s.rules.kinds)
        return f"{text} ({cards_list(request.amount) if of_card else request.amount})"

    def coded_unit(self, s: State, option: int) -> str:
        unit = s.unit_by_code(option)
        return "?" if unit is None else self.unit(s, option // SIDE_CODE, unit, s.asked)

    def coded_trump(self, s: State, option: int) -> str:
        owner = option // SIDE_CODE
        return self.trump(s, owner, s.sides[owner].trumps[option % SIDE_CODE], s.asked)

    def staged(self, s: State, option: int) -> str:
        if option >= len(s.stage):  # 対象変更 naming itself
            return "?" if s.active is None else self.request(s, s.active)
        request = s.stage[option]
        return f"#{option + 1} {self.label('owned', self.names[request.controller], self.request(s, request))}"

    def named(self, s: State, option: int) -> str:
        active = s.active
        if active is None:
            return str(option)
        step = s.rules.plans[active.action].program[s.place]
        assert isinstance(step, ChooseWord)
        return self.label(step.words.words[option])

    def aimed(self, s: State, option: int) -> str:
        """A target: of the request being worded, or of the one whose target is changed."""
        request = s.draft
        if s.kind == RETARGET_KIND and s.active is not None:
            request = s.staged_request(s.active.target)
        action = None if request is None else self.action(s, request.action)
        aim = "" if action is None or action.target is None else action.target.aim
        if aim == "unit":
            return self.coded_unit(s, option)
        if aim == "request":
            return self.staged(s, option)
        if aim == "trump":
            return self.coded_trump(s, option)
        return self.label("player", self.names[option]) if aim in ("player", "opponent") else str(option)


class _Known(NamedTuple):
    """A unit as it was last seen."""

    owner: int
    text: str  # as everybody may name it
    cards: int
    bulwark: bool


class Narrator:
    """Words what happened. ``look`` before a choice is pushed, ``lines`` with the events afterwards."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker
        self.units: dict[int, _Known] = {}
        self.requests: dict[int, str] = {}

    def look(self, s: State) -> None:
        """Remember how units and requests are called now: an event may tell of one that is gone."""
        speaker = self.speaker
        for owner, side in enumerate(s.sides):
            for unit in side.soldiers:
                self.units[unit.id] = _Known(owner, unit_cards(unit), unit.cards, False)
            for place, unit in enumerate(side.bulwarks, 1):
                self.units[unit.id] = _Known(owner, speaker.label("wall", place), unit.cards, True)
        for request in (s.current, s.active, *s.stage, *s.buffer):
            if request is not None:
                target = speaker.target(s, request, 2)
                self.requests[request.id] = f" → {target}" if target else ""

    def lines(self, s: State, events: list[Event], seat: int, short: bool = False) -> list[str]:
        """Lines for the seat (-1: a judge sees all cards); a short log leaves out what every request brings."""
        self.look(s)
        out: list[str] = []
        index = 0
        while index < len(events):
            event = events[index]
            group = [event]
            while event[0] in _TOGETHER and index + 1 < len(events) and events[index + 1][:2] == event[:2]:
                index += 1
                group.append(events[index])
            index += 1
            if short and event[0] in MINOR:
                continue
            line = self.line(s, group, seat)
            if line:
                out.append(line)
        return out

    def line(self, s: State, group: list[Event], seat: int) -> str:
        kind, player, cards, _, a, b = group[0]
        speaker = self.speaker
        who = speaker.names[player]
        if kind not in LINES:
            return ""
        pair = LINES[kind]
        if kind in (ev.DECLARED, ev.RESOLVING, ev.FIZZLED, ev.NEGATED, ev.RAISED, ev.STAGED):
            what = speaker.action_name(s, a)
            if kind == ev.DECLARED:
                what += (f" {cards_list(cards)}" if cards else "") + self.requests.get(b, "")
            return self.put(pair, who, what)
        if kind == ev.WON:
            if a not in (0, 1):
                return choose(OTHER_LINES["drawn"], speaker.lang)
            return self.put(pair, speaker.names[a])
        if kind == ev.TURN:
            return self.put(pair, who, a)
        if kind == ev.RETARGETED:
            return self.put(pair, who, self.new_target(s, a, b))
        if kind in (ev.DROVE, ev.CHARGED, ev.ATTACKED):
            return self.put(pair, who, " ".join(self.unit_name(event[5]) for event in group))
        if kind == ev.BLOCKED:
            return self.put(pair, who, self.unit_name(b), self.unit_name(a))
        if kind == ev.BONUS:
            name = choose(OTHER_LINES["all_soldiers"], speaker.lang) if b < 0 else self.unit_name(b)
            return self.put(pair, who, name, a)
        shown = self.cards([self.visible(event, seat) for event in group], [event[2] for event in group])
        if kind == ev.DAMAGED:
            known = self.visible(group[0], seat)
            return self.put(pair, who, choose(OTHER_LINES["shown"], speaker.lang).format(shown) if known else "", a)
        if kind == ev.DISCARDED and not self.visible(group[0], seat):
            return self.put(pair, who, self.count(a))
        if kind == ev.TOOK:
            return self.put(pair, who, shown, choose(ZONES.get(a, ZONES[ev.LIFE]), speaker.lang))
        if kind in (ev.ENTERED, ev.ATTACHED, ev.TURNED):
            character = speaker.book.characters[s.rules.kinds[a].id]
            return self.put(pair, who, shown, of(character, speaker.lang))
        if kind in (ev.BURIED, ev.RETURNED):
            known_unit = self.units.get(b)
            if known_unit is not None and known_unit.bulwark:
                shown = known_unit.text + (f"[{shown}]" if self.visible(group[0], seat) else "")
            return self.put(pair, who, shown)
        if kind == ev.MILLED and cards == 0:
            return ""
        return self.put(pair, who, shown)

    def put(self, pair: tuple[str, str], *values: object) -> str:
        return choose(pair, self.speaker.lang).format(*values)

    def visible(self, event: Event, seat: int) -> bool:
        kind, player, _, seen_by, _, _ = event
        if seat < 0 or seen_by & (1 << seat):
            return True
        return seat == player and kind in _TO_GRAVE

    def cards(self, visible: list[bool], cards: list[int]) -> str:
        if all(visible):
            return " ".join(cards_list(some) for some in cards)
        return self.count(sum(count(some) for some in cards))

    def count(self, n: int) -> str:
        return self.speaker.label("a_card") if n == 1 else self.speaker.label("n_cards", n)

    def unit_name(self, id: int) -> str:
        known = self.units.get(id)
        return "?" if known is None else known.text

    def new_target(self, s: State, kind: int, target: int) -> str:
        if kind == UNIT:
            return self.unit_name(target)
        request = Request(0, 0, 0, False, False)
        request.target_kind = kind
        request.target = target
        return self.speaker.target(s, request, 2)
