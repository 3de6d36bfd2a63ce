"""Scores of what may be requested in one's own turn over an empty stage."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.cards import BIT, LOW, SUIT, VALUE
from blackpoker.rules.plan import Plan
from blackpoker.rules.requests import may_attack
from blackpoker.rules.state import SIDE_CODE, Side
from blackpoker.rules.flow import PASS
from blackpoker.players.heuristics.choices import attacker_score
from blackpoker.players.heuristics.codes import (
    ADD_BULWARK, ATTACK, BLACK_JACK, CIVIL_WAR, CLOSE_TRUMP, DEATH_LANCE, DESTROY_BULWARK, DESTROY_TRUMP, DOWN,
    DRAIN, END, EQUIP, FORCE, FORESIGHT, HAND_DESTRUCTION, INSTANT_KILL, INTIMIDATE, JACK_SUMMON, KILL, KING_SUMMON,
    NEVER, OPEN_PACK, OPEN_TRUMP, OTHER, PURSUIT, REANIMATE, RECALL, RECRUIT, REINFORCEMENTS, REPAIR, REPLENISH,
    RESET, REST, REUNION, REVERSE, REVIVE, ROYAL, SALVATION, SEARCH, SET_BULWARK, SLASH, SUMMON_ACE, SUMMON_HERO,
    SUMMON_MAGICIAN, SUMMON_SOLDIER, SURPRISE, SWEEP, SWORD_RAIN, THROW, TRUMP_WORTH, TWIST, UP, WINS,
)  # fmt: skip
from blackpoker.players.heuristics.reading import Reading, highest, two_highest, worth_of
from blackpoker.rules.engine import Engine


def main_score(here: Reading, s: Engine, option: i64) -> i64:
    if option == PASS:
        return -60
    plan = s.rules.plans[option - 1]
    code: i64 = here.code[option - 1]
    life = here.my_life
    if plan.l >= life and plan.l > 0:
        return NEVER
    mine = s.sides[here.me]
    theirs = s.sides[1 - here.me]
    tight: i64 = 0  # life is short
    if life - plan.l <= 2 and plan.l > 0:
        tight = 25
    if code == END:
        return 0
    if code == ATTACK:
        return attack_score(here, s)
    if code == SET_BULWARK:
        if here.hand == 0:
            return NEVER
        return 36 - 10 * here.walls + (6 if here.op_count > here.charged else 0) - tight + (here.hand - 4) * 2
    if code == SUMMON_SOLDIER:
        best = highest(mine.hand & plan.key_a)
        return 15 + 3 * best - tight
    if code == SUMMON_HERO:
        return 46 - tight
    if code == SUMMON_ACE:
        return 12 - tight + (12 if here.blockers == 0 else 0)
    if code == SUMMON_MAGICIAN:
        return 8
    if code == EQUIP:
        best = highest(mine.hand & plan.key_a)
        bonus: i64 = 15 if here.ready > 0 and here.blockers < here.ready else 0
        return 16 + 2 * best + bonus - tight
    if code == THROW:
        hurt = highest(mine.hand & plan.key_a)
        if hurt >= here.op_life:
            return WINS
        return 6 * hurt - 10 + (28 if hurt * 3 >= here.op_life else 0)
    if code == DEATH_LANCE:
        return lance_score(here, s, mine, theirs, plan)
    if code == DESTROY_BULWARK:
        if not theirs.bulwarks:
            return -40
        return 22 + (25 if here.ready >= here.blockers and here.blockers > 0 else 0)
    if code == REPLENISH:
        return 22 - 6 * here.walls if life > 5 else -30
    if code == REANIMATE:
        best = highest(mine.grave)
        return -20 + 4 * best if best >= 8 else -30
    if code == HAND_DESTRUCTION:
        return 2 if here.hand > 4 and theirs.hand_count > 0 else -20
    if code == FORCE:
        gain = two_highest(mine.hand & plan.key_a) * here.ready
        if here.ready > here.blockers and here.ready_sum + gain >= here.op_life:
            return 120
        return -10 if here.ready < 2 else 5
    if code == SWORD_RAIN:
        return rain_score(here, s, two_highest(mine.hand & plan.key_a))
    if code == RECRUIT:
        return 50 if life > 8 else -20
    if code == SURPRISE:
        gain = here.ready_sum + 6 * here.walls
        return 110 if gain >= here.op_life and here.walls + here.ready > here.blockers else -15
    if code == SEARCH:
        return 28 if life > 3 else NEVER
    if code == OPEN_PACK:
        return 60
    if code == ROYAL:
        return WINS
    if code == REVERSE:
        return 8 + 3 * here.b_top if here.b_top >= 8 else -10
    if code == BLACK_JACK:
        return -20
    if code == RECALL:
        return -30
    if code >= OPEN_PACK:
        return trump_score(here, s, plan, code) - tight
    if code == OTHER:
        return -5
    # quick magic in my own main timing: seldom
    return magic_score(here, s, mine, theirs, plan, code)


def magic_score(here: Reading, s: Engine, mine: Side, theirs: Side, plan: Plan, code: i64) -> i64:
    """Quick magic with nothing on the stage."""
    hand = mine.hand & plan.key_a
    if code == KILL:
        return 4 * here.b_top - 4 if here.b_top >= 6 else -20
    if code == DOWN:
        # a soldier that the key kills outright
        best = highest(hand)
        worth: i64 = 0
        for unit in theirs.soldiers:
            number = s.number(theirs, unit)
            if number <= best and number > worth:
                worth = number
        return 4 * worth - 10 if worth >= 3 else -25
    if code == TWIST:
        # drive the only blocker, or wake an attacker
        if here.ready > 0 and here.blockers == 1 and here.ready_sum >= here.op_life:
            return 150
        return -25
    if code == UP:
        if here.blockers == 0 and here.ready > 0 and here.ready_sum + highest(hand) >= here.op_life:
            return 20
        return -30
    if code == REUNION:
        return 2 if highest(mine.grave) >= 11 else -15
    return -25


def trump_score(here: Reading, s: Engine, plan: Plan, code: i64) -> i64:
    mine = s.sides[here.me]
    theirs = s.sides[1 - here.me]
    if code == OPEN_TRUMP:
        best: i64 = -1
        for card in mine.trumps:
            if mine.open_trumps & BIT[card] == 0 and TRUMP_WORTH[card] > best:
                best = TRUMP_WORTH[card]
        if best <= 0 or here.hand < 3:
            return -40
        return 5 * best - 8
    if code == CLOSE_TRUMP:
        return trump_target_score(here, s, mine.hand, 8)
    if code == DESTROY_TRUMP:
        return 45 if theirs.open_trumps & mine.hand != 0 else -60
    if code == JACK_SUMMON:
        return 70
    if code == KING_SUMMON:
        return 20
    if code == REINFORCEMENTS or code == REVIVE:
        return 50
    if code == ADD_BULWARK:
        return 50 if len(theirs.bulwarks) >= here.walls else -60
    if code == DRAIN:
        return 5 if here.op_life > 2 and here.walls > 1 else (120 if here.op_life <= 2 and here.walls > 0 else -25)
    if code == INTIMIDATE:
        return rain_score(here, s, 10)
    if code == RESET:
        return -10 + 3 * (here.op_count - len(mine.soldiers)) * 4
    if code == INSTANT_KILL:
        return -20
    if code == SLASH:
        return 30 if here.b_top > 0 else -30
    if code == SWEEP:
        return 40 if theirs.soldiers or theirs.bulwarks else -30
    if code == FORESIGHT:
        return 20 if here.my_life > 8 else -20
    if code == PURSUIT:
        return 20 if here.blockers == 0 and len(mine.soldiers) > 1 else -25
    if code == REST:
        return -20
    if code == CIVIL_WAR:
        return 20 if theirs.hand_count >= here.hand - 1 and theirs.hand_count > 0 else -30
    if code == SALVATION:
        return -15
    if code == REPAIR:
        return 10
    return -15


def trump_target_score(here: Reading, s: Engine, hand: i64, base: i64) -> i64:
    """Closing pays if an open trump of the other has a suit of which two cards are in hand."""
    theirs = s.sides[1 - here.me]
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


def rain_score(here: Reading, s: Engine, limit: i64) -> i64:
    """Everything up to a number dies on both sides."""
    gain: i64 = 0
    theirs = s.sides[1 - here.me]
    for unit in theirs.soldiers:
        if s.number(theirs, unit) <= limit:
            gain += worth_of(s, theirs, unit)
    mine = s.sides[here.me]
    for unit in mine.soldiers:
        if s.number(mine, unit) <= limit:
            gain -= worth_of(s, mine, unit)
    return 3 * gain - 20


def lance_score(here: Reading, s: Engine, mine: Side, theirs: Side, plan: Plan) -> i64:
    spade = highest(mine.hand & plan.key_a)
    best: i64 = -30
    diamonds = mine.hand & plan.key_b
    for unit in theirs.soldiers:
        number = s.number(theirs, unit)
        rest = diamonds
        while rest != 0:
            low: i64 = rest & -rest
            value: i64 = VALUE[LOW[low % 59]]
            if number != 0 and number % value == 0:
                if spade > here.op_life:
                    return WINS
                score = 3 * number + 4 * spade - 6
                if score > best:
                    best = score
                break
            rest ^= low
    return best


def attack_score(here: Reading, s: Engine) -> i64:
    """How much an attack now is worth; the soldiers are picked one by one later."""
    if here.ready == 0:
        return NEVER
    mine = s.sides[here.me]
    best: i64 = -40
    for unit in mine.soldiers:
        if may_attack(s, mine, unit):
            score = attacker_score(here, s, here.me * SIDE_CODE + unit.lead)
            if score > best:
                best = score
    if best <= 0:
        return -20
    # first what makes the attack better, then the attack, then the rest
    return 40 + best // 2 if best < 100 else best
