"""Rules of thumb: a score for every option of a decision, without looking ahead.

One function serves three users: the heuristic player takes the best option, the search uses the scores as its prior
opinion, and play-outs take the best option after adding some noise. It reads hands and piles of both sides, so it must
be given an imagined world (``worlds.imagine``), never the real game.
"""

from __future__ import annotations

from typing import Final

from mypy_extensions import i64

from blackpoker.cards import BIT, LOW, SUIT, VALUE, total
from blackpoker.common.chance import Chance
from blackpoker.common.plan import FREE_QUICK_MAGIC, LARGER_DIES, Plan, Rules
from blackpoker.common.requesting import may_attack
from blackpoker.common.state import (
    ATTACKER,
    ATTACKERS_KIND,
    BLOCKER,
    BLOCKERS_KIND,
    BULWARK_KIND,
    CARD_KIND,
    CARDS_KIND,
    COST_KIND,
    DISCARD_KIND,
    DONE,
    KEY_KIND,
    NO_ROLE,
    OPTION_KIND,
    ROW_CODE,
    SACRIFICE_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TARGET_KIND,
    TRUMP_KIND,
    TRUMPS_KIND,
    UNIT_KIND,
    UNITS_KIND,
    Side,
    Unit,
)  # fmt: skip
from blackpoker.core.flow import CHANCE_KIND, PASS
from blackpoker.core.request import Request
from blackpoker.script.engine import Engine

# Actions the rules of thumb know; any other one gets a mild score.
OTHER: Final = 0
END: Final = 1
ATTACK: Final = 2
SET_BULWARK: Final = 3
SUMMON_SOLDIER: Final = 4
SUMMON_HERO: Final = 5
SUMMON_ACE: Final = 6
QUICK_SUMMON: Final = 7
SUMMON_MAGICIAN: Final = 8
EQUIP: Final = 9
RECALL: Final = 10
UP: Final = 11
DOWN: Final = 12
TWIST: Final = 13
COUNTER: Final = 14
REUNION: Final = 15
KILL: Final = 16
CEASEFIRE: Final = 17
RETARGET: Final = 18
DESTROY_BULWARK: Final = 19
THROW: Final = 20
DEATH_LANCE: Final = 21
REPLENISH: Final = 22
REANIMATE: Final = 23
HAND_DESTRUCTION: Final = 24
FORCE: Final = 25
SWORD_RAIN: Final = 26
RECRUIT: Final = 27
SURPRISE: Final = 28
SEARCH: Final = 29
BLACK_JACK: Final = 30
ROYAL: Final = 31
REVERSE: Final = 32
DRAW: Final = 33
BLOCK: Final = 34
JUDGEMENT: Final = 35
OPEN_PACK: Final = 36
OPEN_TRUMP: Final = 37
CLOSE_TRUMP: Final = 38
DESTROY_TRUMP: Final = 39
JACK_SUMMON: Final = 40  # the four summons with a trump Jack
KING_SUMMON: Final = 41
REINFORCEMENTS: Final = 42
ADD_BULWARK: Final = 43
REVIVE: Final = 44
DRAIN: Final = 45
INTIMIDATE: Final = 46
INSTANT_KILL: Final = 47
SLASH: Final = 48
ENCOURAGE: Final = 49
NEGOTIATE: Final = 50
ARMISTICE: Final = 51
PURSUIT: Final = 52
SALVATION: Final = 53
OFFSET: Final = 54
REST: Final = 55
CIVIL_WAR: Final = 56
RESET: Final = 57
LAST_STRUGGLE: Final = 58
FORESIGHT: Final = 59
SWITCH: Final = 60
SWEEP: Final = 61
REPAIR: Final = 62
PHANTOM: Final = 63
EXHAUSTION: Final = 64

CODES: Final[dict[str, int]] = {
    "end": END, "attack": ATTACK, "set_bulwark": SET_BULWARK, "summon_soldier": SUMMON_SOLDIER,
    "summon_hero": SUMMON_HERO, "summon_ace": SUMMON_ACE, "quick_summon": QUICK_SUMMON,
    "summon_magician": SUMMON_MAGICIAN, "equip": EQUIP, "recall": RECALL, "up": UP, "down": DOWN, "twist": TWIST,
    "counter": COUNTER, "reunion": REUNION, "kill": KILL, "ceasefire": CEASEFIRE, "retarget": RETARGET,
    "destroy_bulwark": DESTROY_BULWARK, "destroy_bulwark@": DESTROY_BULWARK, "throw": THROW, "death_lance": DEATH_LANCE,
    "replenish_bulwark": REPLENISH, "reanimate": REANIMATE, "reanimate@": REANIMATE,
    "hand_destruction": HAND_DESTRUCTION, "force": FORCE, "sword_rain": SWORD_RAIN, "recruit": RECRUIT,
    "surprise_attack": SURPRISE, "search": SEARCH, "black_jack": BLACK_JACK, "royal_straight_flush": ROYAL,
    "reverse": REVERSE, "draw": DRAW, "block": BLOCK, "damage_judgement": JUDGEMENT, "open_pack": OPEN_PACK,
    "open_trump": OPEN_TRUMP, "close_trump": CLOSE_TRUMP, "destroy_trump": DESTROY_TRUMP,
    "summon_reanimator": JACK_SUMMON, "summon_chariot": JACK_SUMMON, "summon_tactician": JACK_SUMMON,
    "summon_knight": JACK_SUMMON, "summon_demon_lord": KING_SUMMON, "summon_giant": KING_SUMMON,
    "reinforcements": REINFORCEMENTS, "add_bulwark": ADD_BULWARK, "revive": REVIVE, "drain": DRAIN,
    "intimidate": INTIMIDATE, "instant_kill": INSTANT_KILL, "slash": SLASH, "encourage": ENCOURAGE,
    "negotiate": NEGOTIATE, "armistice": ARMISTICE, "pursuit": PURSUIT, "salvation": SALVATION, "offset": OFFSET,
    "rest": REST, "civil_war": CIVIL_WAR, "reset": RESET, "last_struggle": LAST_STRUGGLE, "foresight": FORESIGHT,
    "switch": SWITCH, "sweep": SWEEP, "repair": REPAIR, "phantom": PHANTOM, "exhaustion": EXHAUSTION,
}  # fmt: skip

#: what a card in hand is worth keeping: numbers fight, faces make heroes, Jokers find what is missing
KEEP: Final[list[int]] = [5, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14] * 4 + [16, 16]
#: likewise among trumps: how much an open one does for its owner (index: card)
TRUMP_WORTH: Final[list[int]] = [0] * 54
for _card, _worth in {
    0: 4,
    1: 6,
    2: 6,
    3: 5,
    4: 5,
    6: 6,
    10: 8,
    12: 5,  # ♠A 2 3 4 5 7 J K
    14: 7,
    15: 6,
    16: 4,
    17: 5,
    19: 4,
    20: 4,
    23: 8,
    25: 5,  # ♡2 3 4 5 7 8 J K
    26: 8,
    28: 6,
    29: 4,
    30: 2,
    33: 3,
    34: 7,
    36: 8,  # ♢A 3 4 5 8 9 J
    42: 5,
    43: 7,
    45: 8,
    46: 1,
    47: 3,
    48: 3,
    49: 8,  # ♣4 5 7 8 9 10 J
}.items():
    TRUMP_WORTH[_card] = _worth

NEVER: Final = -300
WINS: Final = 400


class Policy:
    """The rules of thumb for one set of definitions, with a scratch pad that is filled at every decision."""

    __slots__ = (
        "b_top", "blockers", "charged", "code", "danger", "hand", "hits", "me", "my_life", "op_attack", "op_best",
        "op_charged", "op_count", "op_life", "ready", "ready_best", "ready_sum", "rules", "turned", "walls",
    )  # fmt: skip

    def __init__(self, rules: Rules) -> None:
        self.rules: Rules = rules
        self.code: list[int] = [CODES.get(plan.id, OTHER) for plan in rules.plans]
        self.me: i64 = 0
        self.my_life: i64 = 0
        self.op_life: i64 = 0
        self.hand: i64 = 0
        self.charged: i64 = 0  # my charged bulwarks
        self.walls: i64 = 0  # all my bulwarks
        self.ready: i64 = 0  # my soldiers that may attack
        self.ready_sum: i64 = 0
        self.ready_best: i64 = 0
        self.blockers: i64 = 0  # the other's charged units
        self.op_best: i64 = 0  # the largest charged soldier of the other
        self.op_charged: i64 = 0  # sum of his charged soldiers
        self.op_attack: i64 = 0  # sum of all his soldiers
        self.op_count: i64 = 0
        self.b_top: i64 = 0  # the largest soldier of his
        self.danger: i64 = 0  # what he may do to me next turn
        self.hits: i64 = 0  # damage of unblocked attackers now on the field
        self.turned: bool = False  # 革命: the larger one dies

    # -- reading the position ----------------------------------------------------------------------------------------

    def read(self, s: Engine, me: i64) -> None:
        mine = s.sides[me]
        theirs = s.sides[1 - me]
        self.me = me
        self.my_life = len(mine.life)
        self.op_life = len(theirs.life)
        self.hand = mine.hand_count
        self.turned = (mine.abilities | theirs.abilities) & LARGER_DIES != 0
        charged: i64 = 0
        for unit in mine.bulwarks:
            if not unit.driven:
                charged += 1
        self.charged = charged
        self.walls = len(mine.bulwarks)
        ready: i64 = 0
        ready_sum: i64 = 0
        ready_best: i64 = 0
        fit: i64 = 0
        number: i64 = 0
        for unit in mine.soldiers:
            if not unit.driven:
                fit += 1
                if may_attack(s, mine, unit):
                    number = s.number(mine, unit)
                    ready += 1
                    ready_sum += number
                    if number > ready_best:
                        ready_best = number
        self.ready = ready
        self.ready_sum = ready_sum
        self.ready_best = ready_best
        blockers: i64 = 0
        for unit in theirs.bulwarks:
            if not unit.driven:
                blockers += 1
        best: i64 = 0
        charged_sum: i64 = 0
        attack: i64 = 0
        largest: i64 = 0
        for unit in theirs.soldiers:
            number = s.number(theirs, unit)
            if not unit.driven:
                blockers += 1
                charged_sum += number
                if number > best:
                    best = number
            if number > 0:
                attack += number
            if number > largest:
                largest = number
        self.blockers = blockers
        self.op_best = best
        self.op_charged = charged_sum
        self.op_attack = attack
        self.op_count = len(theirs.soldiers)
        self.b_top = largest
        # Next turn he attacks with everything; what stands charged stops about one attacker each, the large ones first.
        guards: i64 = fit + charged
        if self.op_count <= guards:
            self.danger = 0
        else:
            self.danger = attack * (self.op_count - guards) // self.op_count

    def scores(self, s: Engine, out: list[int]) -> None:
        """Fill ``out`` with one score per option."""
        out.clear()
        options = s.options
        kind = s.kind
        me = s.asked
        self.read(s, me)
        if kind == CHANCE_KIND:
            if me == s.turn and not s.stage:
                for option in options:
                    out.append(self.main_action(s, option))
            else:
                self.look_at_stage(s)
                for option in options:
                    out.append(self.quick_action(s, option))
        elif kind == KEY_KIND:
            draft = s.draft
            assert draft is not None
            code: i64 = self.code[draft.action]
            for option in options:
                out.append(self.key(s, draft, code, option))
        elif kind == BULWARK_KIND:
            for option in options:
                out.append(self.payment(s, option))
        elif kind == DISCARD_KIND or kind == CARDS_KIND:
            for option in options:
                out.append(30 - 2 * KEEP[option])
        elif kind == SACRIFICE_KIND:
            for option in options:
                unit = s.unit_by_code(option)
                out.append(0 if unit is None else 30 - 3 * self.worth(s, s.sides[me], unit))
        elif kind == TARGET_KIND:
            draft = s.draft
            assert draft is not None
            code = self.code[draft.action]
            for option in options:
                out.append(self.target(s, draft, code, option))
        elif kind == CARD_KIND:
            for option in options:
                out.append(self.card(s, option))
        elif kind == OPTION_KIND:
            for option in options:
                out.append(self.option(s, option))
        elif kind == ATTACKERS_KIND:
            for option in options:
                out.append(self.attacker(s, option))
        elif kind == BLOCKERS_KIND:
            for option in options:
                out.append(self.blocker(s, option))
        elif kind == UNIT_KIND:
            for option in options:
                unit = s.unit_by_code(option)
                owner: i64 = option // SIDE_CODE
                if unit is None:
                    out.append(0)
                elif owner == me:
                    out.append(20 - 2 * self.worth(s, s.sides[owner], unit))
                else:
                    out.append(20 + 2 * self.worth(s, s.sides[owner], unit))
        elif kind == UNITS_KIND:
            for option in options:
                out.append(0 if option == DONE else -5)
        elif kind == TRUMPS_KIND:
            for option in options:
                out.append(0 if option == DONE else 5 * TRUMP_WORTH[option] - 10)
        elif kind == TRUMP_KIND:
            for option in options:
                card = s.sides[option // SIDE_CODE].trumps[option % SIDE_CODE]
                out.append(5 * TRUMP_WORTH[card])
        elif kind == COST_KIND:
            for option in options:
                out.append(0 if option == 0 else -8)
        elif kind == SOURCE_KIND:
            for option in options:
                unit = s.unit_by_code(option)
                out.append(0 if unit is None else 10 - s.number(s.sides[me], unit))
        else:
            for _ in options:
                out.append(0)

    # -- worth -------------------------------------------------------------------------------------------------------

    def worth(self, s: Engine, side: Side, unit: Unit) -> i64:
        """A unit in points: about the number for soldiers, a little for a bulwark."""
        kind = s.rules.kinds[unit.kind]
        if kind.bulwark:
            if unit.lead >= 52:
                return 9
            value: i64 = VALUE[unit.lead]
            return 5 if value >= 2 and value <= 10 else 4
        if kind.abilities & FREE_QUICK_MAGIC != 0:
            return 6
        number = s.number(side, unit)
        return number + 3 if number > 0 else 2

    # -- my turn, empty stage ----------------------------------------------------------------------------------------

    def main_action(self, s: Engine, option: i64) -> i64:
        if option == PASS:
            return -60
        plan = s.rules.plans[option - 1]
        code: i64 = self.code[option - 1]
        life = self.my_life
        if plan.l >= life and plan.l > 0:
            return NEVER
        mine = s.sides[self.me]
        theirs = s.sides[1 - self.me]
        tight: i64 = 0  # life is short
        if life - plan.l <= 2 and plan.l > 0:
            tight = 25
        if code == END:
            return 0
        if code == ATTACK:
            return self.attack_score(s)
        if code == SET_BULWARK:
            if self.hand == 0:
                return NEVER
            return 36 - 10 * self.walls + (6 if self.op_count > self.charged else 0) - tight + (self.hand - 4) * 2
        if code == SUMMON_SOLDIER:
            best = self.highest(mine.hand & plan.key_a)
            return 15 + 3 * best - tight
        if code == SUMMON_HERO:
            return 46 - tight
        if code == SUMMON_ACE:
            return 12 - tight + (12 if self.blockers == 0 else 0)
        if code == SUMMON_MAGICIAN:
            return 8
        if code == EQUIP:
            best = self.highest(mine.hand & plan.key_a)
            bonus: i64 = 15 if self.ready > 0 and self.blockers < self.ready else 0
            return 16 + 2 * best + bonus - tight
        if code == THROW:
            hurt = self.highest(mine.hand & plan.key_a)
            if hurt >= self.op_life:
                return WINS
            return 6 * hurt - 10 + (28 if hurt * 3 >= self.op_life else 0)
        if code == DEATH_LANCE:
            return self.lance_score(s, mine, theirs, plan)
        if code == DESTROY_BULWARK:
            if not theirs.bulwarks:
                return -40
            return 22 + (25 if self.ready >= self.blockers and self.blockers > 0 else 0)
        if code == REPLENISH:
            return 22 - 6 * self.walls if life > 5 else -30
        if code == REANIMATE:
            best = self.highest(mine.grave)
            return -20 + 4 * best if best >= 8 else -30
        if code == HAND_DESTRUCTION:
            return 2 if self.hand > 4 and theirs.hand_count > 0 else -20
        if code == FORCE:
            gain = self.two_highest(mine.hand & plan.key_a) * self.ready
            if self.ready > self.blockers and self.ready_sum + gain >= self.op_life:
                return 120
            return -10 if self.ready < 2 else 5
        if code == SWORD_RAIN:
            return self.rain_score(s, self.two_highest(mine.hand & plan.key_a))
        if code == RECRUIT:
            return 50 if life > 8 else -20
        if code == SURPRISE:
            gain = self.ready_sum + 6 * self.walls
            return 110 if gain >= self.op_life and self.walls + self.ready > self.blockers else -15
        if code == SEARCH:
            return 28 if life > 3 else NEVER
        if code == OPEN_PACK:
            return 60
        if code == ROYAL:
            return WINS
        if code == REVERSE:
            return 8 + 3 * self.b_top if self.b_top >= 8 else -10
        if code == BLACK_JACK:
            return -20
        if code == RECALL:
            return -30
        if code >= OPEN_PACK:
            return self.trump_action(s, plan, code) - tight
        if code == OTHER:
            return -5
        # quick magic in my own main timing: seldom
        return self.quiet_magic(s, mine, theirs, plan, code)

    def quiet_magic(self, s: Engine, mine: Side, theirs: Side, plan: Plan, code: i64) -> i64:
        """Quick magic with nothing on the stage."""
        hand = mine.hand & plan.key_a
        if code == KILL:
            return 4 * self.b_top - 4 if self.b_top >= 6 else -20
        if code == DOWN:
            # a soldier that the key kills outright
            best = self.highest(hand)
            worth: i64 = 0
            for unit in theirs.soldiers:
                number = s.number(theirs, unit)
                if number <= best and number > worth:
                    worth = number
            return 4 * worth - 10 if worth >= 3 else -25
        if code == TWIST:
            # drive the only blocker, or wake an attacker
            if self.ready > 0 and self.blockers == 1 and self.ready_sum >= self.op_life:
                return 150
            return -25
        if code == UP:
            if self.blockers == 0 and self.ready > 0 and self.ready_sum + self.highest(hand) >= self.op_life:
                return 20
            return -30
        if code == REUNION:
            return 2 if self.highest(mine.grave) >= 11 else -15
        return -25

    def trump_action(self, s: Engine, plan: Plan, code: i64) -> i64:
        mine = s.sides[self.me]
        theirs = s.sides[1 - self.me]
        if code == OPEN_TRUMP:
            best: i64 = -1
            for card in mine.trumps:
                if mine.open_trumps & BIT[card] == 0 and TRUMP_WORTH[card] > best:
                    best = TRUMP_WORTH[card]
            if best <= 0 or self.hand < 3:
                return -40
            return 5 * best - 8
        if code == CLOSE_TRUMP:
            return self.trump_target(s, mine.hand, 8)
        if code == DESTROY_TRUMP:
            return 45 if theirs.open_trumps & mine.hand != 0 else -60
        if code == JACK_SUMMON:
            return 70
        if code == KING_SUMMON:
            return 20
        if code == REINFORCEMENTS or code == REVIVE:
            return 50
        if code == ADD_BULWARK:
            return 50 if len(theirs.bulwarks) >= self.walls else -60
        if code == DRAIN:
            return 5 if self.op_life > 2 and self.walls > 1 else (120 if self.op_life <= 2 and self.walls > 0 else -25)
        if code == INTIMIDATE:
            return self.rain_score(s, 10)
        if code == RESET:
            return -10 + 3 * (self.op_count - len(mine.soldiers)) * 4
        if code == INSTANT_KILL:
            return -20
        if code == SLASH:
            return 30 if self.b_top > 0 else -30
        if code == SWEEP:
            return 40 if theirs.soldiers or theirs.bulwarks else -30
        if code == FORESIGHT:
            return 20 if self.my_life > 8 else -20
        if code == PURSUIT:
            return 20 if self.blockers == 0 and len(mine.soldiers) > 1 else -25
        if code == REST:
            return -20
        if code == CIVIL_WAR:
            return 20 if theirs.hand_count >= self.hand - 1 and theirs.hand_count > 0 else -30
        if code == SALVATION:
            return -15
        if code == REPAIR:
            return 10
        return -15

    def trump_target(self, s: Engine, hand: i64, base: i64) -> i64:
        """Closing pays if an open trump of the other has a suit of which two cards are in hand."""
        theirs = s.sides[1 - self.me]
        for card in theirs.trumps:
            if theirs.open_trumps & BIT[card] != 0:
                same: i64 = 0
                rest: i64 = hand
                while rest != 0:
                    low: i64 = rest & -rest
                    if SUIT[LOW[low % 59]] == SUIT[card]:
                        same += 1
                    rest ^= low
                if same >= 2:
                    return base + 3 * TRUMP_WORTH[card]
        return -60

    def highest(self, cards: i64) -> i64:
        best: i64 = -1
        while cards != 0:
            low: i64 = cards & -cards
            value: i64 = VALUE[LOW[low % 59]]
            if value > best:
                best = value
            cards ^= low
        return best

    def two_highest(self, cards: i64) -> i64:
        best: i64 = 0
        second: i64 = 0
        while cards != 0:
            low: i64 = cards & -cards
            value: i64 = VALUE[LOW[low % 59]]
            if value > best:
                second = best
                best = value
            elif value > second:
                second = value
            cards ^= low
        return best + second

    def rain_score(self, s: Engine, limit: i64) -> i64:
        """Everything up to a number dies on both sides."""
        gain: i64 = 0
        theirs = s.sides[1 - self.me]
        for unit in theirs.soldiers:
            if s.number(theirs, unit) <= limit:
                gain += self.worth(s, theirs, unit)
        mine = s.sides[self.me]
        for unit in mine.soldiers:
            if s.number(mine, unit) <= limit:
                gain -= self.worth(s, mine, unit)
        return 3 * gain - 20

    def lance_score(self, s: Engine, mine: Side, theirs: Side, plan: Plan) -> i64:
        spade = self.highest(mine.hand & plan.key_a)
        best: i64 = -30
        diamonds = mine.hand & plan.key_b
        for unit in theirs.soldiers:
            number = s.number(theirs, unit)
            rest = diamonds
            while rest != 0:
                low: i64 = rest & -rest
                value: i64 = VALUE[LOW[low % 59]]
                if number != 0 and number % value == 0:
                    if spade > self.op_life:
                        return WINS
                    score = 3 * number + 4 * spade - 6
                    if score > best:
                        best = score
                    break
                rest ^= low
        return best

    def attack_score(self, s: Engine) -> i64:
        """How much an attack now is worth; the soldiers are picked one by one later."""
        if self.ready == 0:
            return NEVER
        mine = s.sides[self.me]
        best: i64 = -40
        for unit in mine.soldiers:
            if may_attack(s, mine, unit):
                score = self.attacker(s, self.me * SIDE_CODE + unit.lead)
                if score > best:
                    best = score
        if best <= 0:
            return -20
        # first what makes the attack better, then the attack, then the rest
        return 40 + best // 2 if best < 100 else best

    # -- answers -----------------------------------------------------------------------------------------------------

    def look_at_stage(self, s: Engine) -> None:
        """Damage that is about to come through, seen from the attacker's side."""
        self.hits = 0
        attacking = s.turn
        side = s.sides[attacking]
        other = s.sides[1 - attacking]
        for unit in side.soldiers:
            if unit.role == ATTACKER:
                blocked = False
                for blocker in other.soldiers:
                    if blocker.role == BLOCKER and blocker.blocks == unit.id:
                        blocked = True
                for blocker in other.bulwarks:
                    if blocker.role == BLOCKER and blocker.blocks == unit.id:
                        blocked = True
                if not blocked:
                    number = s.number(side, unit)
                    if number > 0:
                        self.hits += number

    def top_threat(self, s: Engine) -> Request | None:
        """The newest request of the other player."""
        i: i64 = len(s.stage) - 1
        while i >= 0:
            if s.stage[i].controller != self.me:
                return s.stage[i]
            i -= 1
        return None

    def threat_of(self, s: Engine, request: Request) -> i64:
        """What negating this request is worth."""
        code: i64 = self.code[request.action]
        number: i64 = total(request.keys) if request.keys != 0 else 0
        if code == SUMMON_SOLDIER or code == EQUIP:
            return 2 * number + 6
        if code == SUMMON_HERO:
            return 35
        if code == SUMMON_ACE or code == SUMMON_MAGICIAN or code == QUICK_SUMMON:
            return 8
        if code == THROW:
            spade = self.highest(request.keys & 8191)
            return 200 if spade >= self.my_life else 5 * spade
        if code == DEATH_LANCE or code == KILL:
            return 35
        if code == DESTROY_BULWARK:
            return 12
        if code == REANIMATE:
            return 38
        if code == COUNTER:
            return 28
        if code == UP or code == DOWN or code == TWIST:
            return 20
        if code == REVERSE:
            return 25
        if code == JACK_SUMMON or code == KING_SUMMON:
            return 45
        return 15

    def quick_action(self, s: Engine, option: i64) -> i64:
        if option == PASS:
            return 0
        plan = s.rules.plans[option - 1]
        code: i64 = self.code[option - 1]
        if plan.l >= self.my_life and plan.l > 0:
            return NEVER
        mine = s.sides[self.me]
        theirs = s.sides[1 - self.me]
        hand = mine.hand & plan.key_a
        stage = s.stage
        top: i64 = 0
        if stage:
            top = self.code[stage[-1].action]
        attacking = s.turn == self.me
        mortal = not attacking and self.hits >= self.my_life
        if code == COUNTER:
            threat = self.top_threat(s)
            if threat is None or threat.key_count < 1 or threat.key_count > 2:
                return -40
            if stage[-1].controller == self.me:
                return -40  # already answered
            if threat.key_count == 1 and self.highest(hand) < total(threat.keys):
                return -60
            return self.threat_of(s, threat) - 17
        if code == UP:
            if top != JUDGEMENT:
                return -30
            return self.combat_trick(s, self.highest(hand), True)
        if code == DOWN:
            if top == JUDGEMENT:
                return self.combat_trick(s, self.highest(hand), False)
            if top == ATTACK and not attacking:
                return self.quiet_magic(s, mine, theirs, plan, code)
            return -30
        if code == KILL:
            if top == BLOCK or top == JUDGEMENT or top == ATTACK:
                if mortal:
                    return 90
                return 3 * self.b_top - 14 if self.b_top >= 6 else -15
            return -20
        if code == CEASEFIRE:
            if not attacking:
                return 150 if mortal else 4 * self.hits - 25
            return -60
        if code == TWIST:
            if top == ATTACK and not attacking:
                # the largest attacker stays at home
                if self.danger_now(s) >= self.my_life:
                    return 80
                return 3 * self.b_top - 20
            if top == BLOCK and attacking and self.hits >= self.op_life:
                return 30 if self.blockers == 1 else -20
            return -40
        if code == QUICK_SUMMON:
            if (top == ATTACK or top == BLOCK) and not attacking:
                return 70 if self.danger_now(s) >= self.my_life else -10
            return -25
        if code == SEARCH:
            return -3
        if code == OPEN_PACK:
            return 5
        if code == REUNION:
            return -3
        if code == RETARGET:
            threat = self.top_threat(s)
            if threat is not None and threat.target_kind != 0 and stage[-1].controller != self.me:
                return 8
            return -40
        if code == RECALL:
            return -30
        if code == ARMISTICE:
            if not attacking and self.danger_now(s) >= self.my_life:
                return 150
            return -10 if not attacking else -60
        if code == OFFSET or code == LAST_STRUGGLE:
            threat = self.top_threat(s)
            if threat is None or threat.key_count == 0 or stage[-1].controller == self.me:
                return -60
            return self.threat_of(s, threat) - (45 if code == LAST_STRUGGLE and self.hand > 1 else 30)
        if code == INSTANT_KILL:
            return 10 if top == JUDGEMENT and self.b_top >= 8 else -30
        if code == ENCOURAGE:
            return 25 if top == JUDGEMENT else -30
        if code == NEGOTIATE:
            return 15 if top == ATTACK and not attacking else -20
        if code == SWEEP or code == FORESIGHT:
            return 15
        if code == SWITCH:
            return -15
        if code == OPEN_TRUMP:
            return -20
        if code == JACK_SUMMON:
            return 35
        if code == CLOSE_TRUMP or code == DESTROY_TRUMP:
            return self.trump_action(s, plan, code)
        return -20

    def danger_now(self, s: Engine) -> i64:
        """Damage the attack on the stage may do if I block as well as I can by count."""
        side = s.sides[1 - self.me]
        sum: i64 = 0
        n: i64 = 0
        for unit in side.soldiers:
            if unit.role == ATTACKER or (unit.role == NO_ROLE and may_attack(s, side, unit)):
                number = s.number(side, unit)
                if number > 0:
                    sum += number
                    n += 1
        guards = self.charged
        for unit in s.sides[self.me].soldiers:
            if not unit.driven:
                guards += 1
        if n <= guards or n == 0:
            return 0
        return sum * (n - guards) // n

    def combat_trick(self, s: Engine, key: i64, up: bool) -> i64:
        """アップ or ダウン while the judgement lies on the stage: does it turn a fight, or the game?"""
        attacking = s.turn
        side = s.sides[attacking]
        other = s.sides[1 - attacking]
        mine_attacks = attacking == self.me
        best: i64 = -25
        if mine_attacks and up and self.hits > 0 and self.hits + key >= self.op_life and self.hits < self.op_life:
            return WINS
        if not mine_attacks and not up and self.hits >= self.my_life and self.hits - key < self.my_life:
            return 200
        # damage that comes through counts more the less life is left
        if mine_attacks and up and self.hits > 0:
            best = 40 * key // (self.op_life + 2) + key - 22
        elif not mine_attacks and not up and self.hits > 0:
            best = 40 * key // (self.my_life + 2) + key - 22
        for unit in side.soldiers:
            if unit.role != ATTACKER:
                continue
            number = s.number(side, unit)
            sum: i64 = 0
            blocked = False
            for blocker in other.soldiers:
                if blocker.role == BLOCKER and blocker.blocks == unit.id:
                    blocked = True
                    sum += s.number(other, blocker)
            if not blocked:
                if not mine_attacks and not up and number <= key and 4 * number - 10 > best:
                    best = 4 * number - 10  # it dies
                continue
            gap = number - sum if mine_attacks else sum - number  # > 0: I win the fight
            if self.turned:
                gap = -gap
                if not up:
                    continue
            if gap <= 0 and gap + key >= 0:
                gain = 2 * (number if mine_attacks else sum)
                if gap + key > 0:
                    gain += 2 * (sum if mine_attacks else number)
                if gap == 0:
                    gain = 2 * (number if mine_attacks else sum)
                if gain - 12 > best:
                    best = gain - 12
        return best

    # -- words of a request ------------------------------------------------------------------------------------------

    def key(self, s: Engine, draft: Request, code: i64, option: i64) -> i64:
        value: i64 = VALUE[option]
        if code == SUMMON_SOLDIER or code == SUMMON_HERO:
            return 3 * value
        if code == EQUIP:
            return 3 * value
        if code == THROW or code == DEATH_LANCE:
            if option < 13:
                return 5 * value
            if code == DEATH_LANCE:
                theirs = s.sides[1 - self.me]
                for unit in theirs.soldiers:
                    number = s.number(theirs, unit)
                    if number != 0 and number % value == 0:
                        return 20 + number - KEEP[option] // 2
                return -20
            return 20 - 2 * KEEP[option]
        if code == COUNTER:
            threat = self.top_threat(s)
            if threat is not None and threat.key_count == 1:
                if value < total(threat.keys):
                    return -80
            return 20 - 2 * value
        if code == DOWN or code == UP:
            return 2 * value
        if code == FORCE or code == SWORD_RAIN or code == RECRUIT:
            return 2 * value
        return 20 - 2 * KEEP[option]

    def payment(self, s: Engine, option: i64) -> i64:
        """Drive the bulwark that would make the poorest blocker: faces cost life when they fall."""
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        card: i64 = unit.lead
        if card >= 52:
            return -20
        value: i64 = VALUE[card]
        if value == 1 or value > 10:
            return 10
        theirs = s.sides[1 - self.me]
        for soldier in theirs.soldiers:
            if soldier.base == value:
                return -10
        return 0

    def target(self, s: Engine, draft: Request, code: i64, option: i64) -> i64:
        if (
            code == COUNTER
            or code == CEASEFIRE
            or code == RETARGET
            or code == OFFSET
            or code == LAST_STRUGGLE
            or (code == ARMISTICE)
        ):
            request = s.stage[option]
            if request.controller == self.me:
                return -100
            if code == COUNTER and request.key_count == 1 and total(draft.keys) < total(request.keys):
                return -60
            return self.threat_of(s, request) + option
        if code == ROYAL:
            return NEVER if option == self.me else 100
        if code == CLOSE_TRUMP or code == DESTROY_TRUMP:
            owner: i64 = option // SIDE_CODE
            if owner == self.me:
                return -100
            side = s.sides[owner]
            card: i64 = side.trumps[option % SIDE_CODE]
            if side.open_trumps & BIT[card] == 0:
                return -80
            return 5 * TRUMP_WORTH[card]
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        owner = option // SIDE_CODE
        side = s.sides[owner]
        mine = owner == self.me
        worth = self.worth(s, side, unit)
        number = s.number(side, unit)
        key: i64 = total(draft.keys)
        if code == UP or code == ENCOURAGE:
            score: i64 = 20 if mine else -60
            if mine and unit.role != NO_ROLE:
                score += 20 + self.trick_gain(s, unit, owner, key)
            elif mine and may_attack(s, side, unit):
                score += 5
            return score
        if code == DOWN:
            if mine:
                return -80
            if number <= key:
                return 40 + 2 * number
            if unit.role != NO_ROLE:
                return 10 + self.trick_gain(s, unit, owner, -key)
            return -10
        if code == TWIST or code == NEGOTIATE:
            if mine:
                return -30 if code == NEGOTIATE else (5 if unit.driven else -40)
            if unit.driven:
                return -40
            if s.turn == self.me:
                return 20 + worth
            return 20 + 2 * number if option % SIDE_CODE < ROW_CODE else -30
        if code == EQUIP:
            ready: i64 = 15 if may_attack(s, side, unit) else 0
            return 10 + number // 2 + ready
        if code == REANIMATE or code == RECALL or code == PHANTOM:
            return 30 - 3 * worth
        if code == REVERSE:
            if mine:
                return -20
            return 3 * number if option % SIDE_CODE < ROW_CODE else -15
        if code == DEATH_LANCE:
            spade = self.highest(draft.keys & 8191)
            divisor = self.highest(draft.keys & ~8191)
            hit = divisor > 0 and number != 0 and number % divisor == 0
            if mine:
                return NEVER if hit and spade >= self.my_life else -60
            return 20 + 2 * number if hit else -30
        if code == DESTROY_BULWARK:
            if mine:
                return -60
            return (15 if unit.driven else 25) + (5 if VALUE[unit.lead] > 10 else 0)
        if code == SLASH or code == KILL or code == INSTANT_KILL:
            return -80 if mine else 10 + 3 * worth
        return 0 if mine else 5

    def trick_gain(self, s: Engine, unit: Unit, owner: i64, amount: i64) -> i64:
        """Whether this change of a fighting unit's number turns its fight."""
        attacking = s.turn
        side = s.sides[attacking]
        other = s.sides[1 - attacking]
        attacker: Unit | None = None
        if unit.role == ATTACKER:
            attacker = unit
        else:
            for soldier in side.soldiers:
                if soldier.id == unit.blocks:
                    attacker = soldier
        if attacker is None:
            return -10
        number = s.number(side, attacker)
        sum: i64 = 0
        blocked = False
        for blocker in other.soldiers:
            if blocker.role == BLOCKER and blocker.blocks == attacker.id:
                blocked = True
                sum += s.number(other, blocker)
        if not blocked:
            for wall in other.bulwarks:
                if wall.role == BLOCKER and wall.blocks == attacker.id:
                    return -30
            return 15 if owner == attacking else 0
        before = number - sum
        after = before + amount if unit.role == ATTACKER else before - amount
        if attacking != self.me:
            before = -before
            after = -after
        if self.turned:
            before = -before
            after = -after
        if before <= 0 and after > 0:
            return 30 + number
        if before < 0 and after == 0:
            return 12
        return -20

    # -- choices inside an effect ------------------------------------------------------------------------------------

    def card(self, s: Engine, option: i64) -> i64:
        active = s.active
        code: i64 = OTHER
        if active is not None:
            code = self.code[active.action]
        if code == SET_BULWARK:
            if option >= 52:
                return 2
            value: i64 = VALUE[option]
            score: i64 = 24 - 2 * KEEP[option]
            if value == 1 or value > 10:
                score -= 6
            theirs = s.sides[1 - self.me]
            for unit in theirs.soldiers:
                if unit.base == value:
                    score += 14
            return score
        if code == REANIMATE or code == REVIVE or code == JACK_SUMMON or code == REINFORCEMENTS or code == SWITCH:
            return 4 * VALUE[option]
        if code == FORESIGHT:
            return 20 - 2 * KEEP[option]
        if code == EXHAUSTION:
            return 0
        return 2 * KEEP[option]

    def option(self, s: Engine, option: i64) -> i64:
        active = s.active
        code: i64 = OTHER
        if active is not None:
            code = self.code[active.action]
        if code == DRAW:
            if option == 0:
                return 0
            if self.my_life <= 1:
                return NEVER
            # a card for a life, unless life is what is short
            if self.my_life <= 4 or self.my_life <= self.danger + 1:
                return -25
            return 25 if self.hand < 8 else -10
        if code == REPLENISH:
            return 0 if option == 0 else (8 if self.danger == 0 and self.my_life > 12 else -8)
        if code == QUICK_SUMMON:
            return 0 if option == 0 else 10
        if code == TWIST or code == REVERSE:
            assert active is not None
            unit = s.unit(active.target)
            if unit is None or option == 2:
                return 0
            mine = s.owner_of(active.target) == self.me
            return 15 if (option == 0) == mine else -15
        return 0

    def attacker(self, s: Engine, option: i64) -> i64:
        """Whether this soldier should attack."""
        if option == DONE:
            return 0
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        mine = s.sides[self.me]
        theirs = s.sides[1 - self.me]
        number = s.number(mine, unit)
        named: i64 = 0
        named_sum: i64 = 0
        for other in mine.soldiers:
            if other.role == ATTACKER:
                named += 1
                named_sum += s.number(mine, other)
        n = self.ready + named
        sum = self.ready_sum + named_sum
        through = sum
        if n > 0 and self.blockers > 0:
            through = sum * (n - self.blockers) // n if n > self.blockers else 0
        if through >= self.op_life or (self.blockers == 0 and sum >= self.op_life):
            return 150
        if number <= 0:
            return -20
        score: i64
        if self.blockers == 0:
            score = 20 + 3 * number
        elif self.op_best > number or (self.op_best == number and number > 4) or self.op_charged > number + 6:
            # he can beat it with a soldier; more attackers than blockers still get through
            score = -20 if n <= self.blockers else 4
            if self.turned:
                score = 10
        else:
            score = 10 + number
        # what it leaves at home: the other's answer with my attackers driven
        guards = self.charged
        for other in mine.soldiers:
            if not other.driven and other is not unit:
                if not may_attack(s, mine, other):
                    guards += 1
        enemies = len(theirs.soldiers)
        if enemies > guards:
            answer = self.op_attack * (enemies - guards) // enemies
            if answer >= self.my_life:
                score -= 60
            elif answer * 2 >= self.my_life:
                score -= 12
        return score

    def blocker(self, s: Engine, option: i64) -> i64:
        """Blockers for the attacker ``s.v0``."""
        attacking = s.sides[1 - self.me]
        mine = s.sides[self.me]
        attacker = s.unit(s.v0)
        if attacker is None:
            return 0
        number = s.number(attacking, attacker)
        already: i64 = 0
        count: i64 = 0
        for unit in mine.soldiers:
            if unit.role == BLOCKER and unit.blocks == attacker.id:
                already += s.number(mine, unit)
                count += 1
        # what comes in if this one and those not yet dealt with are let through
        incoming: i64 = 0
        later = False
        for other in attacking.soldiers:
            if other.role != ATTACKER:
                continue
            if other.id == attacker.id:
                later = True
                if count == 0:
                    incoming += number
                continue
            taken = False
            for unit in mine.soldiers:
                if unit.role == BLOCKER and unit.blocks == other.id:
                    taken = True
            for unit in mine.bulwarks:
                if unit.role == BLOCKER and unit.blocks == other.id:
                    taken = True
            if not taken:
                power = s.number(attacking, other)
                if power > 0:
                    incoming += power if not later else power // 2
        mortal = incoming >= self.my_life
        hard: i64 = 0  # how much a point of damage hurts, in tenths
        if self.my_life > 0:
            hard = 10 + 60 * number // (self.my_life + 4)
        if option == DONE:
            return 0
        unit_ = s.unit_by_code(option)
        if unit_ is None:
            return 0
        if option % SIDE_CODE >= ROW_CODE:
            matches = unit_.lead >= 52
            value: i64 = VALUE[unit_.lead]
            cards = attacker.cards
            while cards != 0:
                low: i64 = cards & -cards
                if VALUE[LOW[low % 59]] == value:
                    matches = True
                cards ^= low
            score = number * hard // 10 * 2 - 12
            if value == 1 or value > 10:
                score -= 10
            if matches:
                score += 40 + 2 * number
            if mortal:
                score += 80
            return score
        strength = s.number(mine, unit_) + already
        if self.turned:
            strength = 2 * number - strength
        if count > 0:
            if already > number:
                return -40
            if strength > number:
                return 30
            return -30
        if strength > number:
            return 45 + number - (strength - number) // 2
        if strength == number:
            return 14 + (60 if mortal else 0)
        # a smaller one dies for nothing but time
        score = number * hard // 10 * 2 - 4 * strength - 24
        if mortal:
            score += 70
        return score


def best_option(policy: Policy, s: Engine, scratch: list[int]) -> int:
    """The option the rules of thumb like best; of equals the first."""
    options = s.options
    if len(options) == 1:
        return options[0]
    policy.scores(s, scratch)
    best = 0
    i = 1
    while i < len(options):
        if scratch[i] > scratch[best]:
            best = i
        i += 1
    return options[best]


def noisy_option(policy: Policy, s: Engine, scratch: list[int], noise: i64, chance: Chance) -> int:
    """The best option after every score was raised by a random number below ``noise``."""
    options = s.options
    if len(options) == 1:
        return options[0]
    policy.scores(s, scratch)
    best = options[0]
    highest: i64 = -1000000
    i = 0
    for option in options:
        score: i64 = scratch[i]
        score += chance.below(noise)
        if score > highest:
            highest = score
            best = option
        i += 1
    return best
