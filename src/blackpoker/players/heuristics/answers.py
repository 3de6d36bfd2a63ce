"""Scores of answers: what lies on the stage, what it threatens, what may be done about it."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.cards import total
from blackpoker.rules.requests import may_attack
from blackpoker.rules.state import ATTACKER, BLOCKER, NO_ROLE
from blackpoker.rules.flow import PASS
from blackpoker.rules.request import Request
from blackpoker.players.heuristics.codes import (
    ARMISTICE, ATTACK, BLOCK, CEASEFIRE, CLOSE_TRUMP, COUNTER, DEATH_LANCE, DESTROY_BULWARK, DESTROY_TRUMP, DOWN,
    ENCOURAGE, EQUIP, FORESIGHT, INSTANT_KILL, JACK_SUMMON, JUDGEMENT, KILL, KING_SUMMON, LAST_STRUGGLE, NEGOTIATE,
    NEVER, OFFSET, OPEN_PACK, OPEN_TRUMP, QUICK_SUMMON, REANIMATE, RECALL, RETARGET, REUNION, REVERSE, SEARCH,
    SUMMON_ACE, SUMMON_HERO, SUMMON_MAGICIAN, SUMMON_SOLDIER, SWEEP, SWITCH, THROW, TWIST, UP, WINS,
)  # fmt: skip
from blackpoker.players.heuristics.reading import UNBLOCKED, Reading, blockers_of, highest
from blackpoker.players.heuristics.turn import magic_score, trump_score
from blackpoker.rules.engine import Engine


def look_at_stage(here: Reading, s: Engine) -> None:
    """Damage that is about to come through, seen from the attacker's side."""
    here.hits = 0
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
                    here.hits += number


def top_threat(here: Reading, s: Engine) -> Request | None:
    """The newest request of the other player."""
    i: i64 = len(s.stage) - 1
    while i >= 0:
        if s.stage[i].controller != here.me:
            return s.stage[i]
        i -= 1
    return None


def threat_of(here: Reading, s: Engine, request: Request) -> i64:
    """What negating this request is worth."""
    code: i64 = here.code[request.action]
    number: i64 = total(request.keys) if request.keys != 0 else 0
    if code == SUMMON_SOLDIER or code == EQUIP:
        return 2 * number + 6
    if code == SUMMON_HERO:
        return 35
    if code == SUMMON_ACE or code == SUMMON_MAGICIAN or code == QUICK_SUMMON:
        return 8
    if code == THROW:
        spade = highest(request.keys & 8191)
        return 200 if spade >= here.my_life else 5 * spade
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


def quick_score(here: Reading, s: Engine, option: i64) -> i64:
    if option == PASS:
        return 0
    plan = s.rules.plans[option - 1]
    code: i64 = here.code[option - 1]
    if plan.l >= here.my_life and plan.l > 0:
        return NEVER
    mine = s.sides[here.me]
    theirs = s.sides[1 - here.me]
    hand = mine.hand & plan.key_a
    stage = s.stage
    top: i64 = 0
    if stage:
        top = here.code[stage[-1].action]
    attacking = s.turn == here.me
    mortal = not attacking and here.hits >= here.my_life
    if code == COUNTER:
        threat = top_threat(here, s)
        if threat is None or threat.key_count < 1 or threat.key_count > 2:
            return -40
        if stage[-1].controller == here.me:
            return -40  # already answered
        if threat.key_count == 1 and highest(hand) < total(threat.keys):
            return -60
        return threat_of(here, s, threat) - 17
    if code == UP:
        if top != JUDGEMENT:
            return -30
        return combat_trick(here, s, highest(hand), True)
    if code == DOWN:
        if top == JUDGEMENT:
            return combat_trick(here, s, highest(hand), False)
        if top == ATTACK and not attacking:
            return magic_score(here, s, mine, theirs, plan, code)
        return -30
    if code == KILL:
        if top == BLOCK or top == JUDGEMENT or top == ATTACK:
            if mortal:
                return 90
            return 3 * here.b_top - 14 if here.b_top >= 6 else -15
        return -20
    if code == CEASEFIRE:
        if not attacking:
            return 150 if mortal else 4 * here.hits - 25
        return -60
    if code == TWIST:
        if top == ATTACK and not attacking:
            # the largest attacker stays at home
            if danger_now(here, s) >= here.my_life:
                return 80
            return 3 * here.b_top - 20
        if top == BLOCK and attacking and here.hits >= here.op_life:
            return 30 if here.blockers == 1 else -20
        return -40
    if code == QUICK_SUMMON:
        if (top == ATTACK or top == BLOCK) and not attacking:
            return 70 if danger_now(here, s) >= here.my_life else -10
        return -25
    if code == SEARCH:
        return -3
    if code == OPEN_PACK:
        return 5
    if code == REUNION:
        return -3
    if code == RETARGET:
        threat = top_threat(here, s)
        if threat is not None and threat.target_kind != 0 and stage[-1].controller != here.me:
            return 8
        return -40
    if code == RECALL:
        return -30
    if code == ARMISTICE:
        if not attacking and danger_now(here, s) >= here.my_life:
            return 150
        return -10 if not attacking else -60
    if code == OFFSET or code == LAST_STRUGGLE:
        threat = top_threat(here, s)
        if threat is None or threat.key_count == 0 or stage[-1].controller == here.me:
            return -60
        return threat_of(here, s, threat) - (45 if code == LAST_STRUGGLE and here.hand > 1 else 30)
    if code == INSTANT_KILL:
        return 10 if top == JUDGEMENT and here.b_top >= 8 else -30
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
        return trump_score(here, s, plan, code)
    return -20


def danger_now(here: Reading, s: Engine) -> i64:
    """Damage the attack on the stage may do if I block as well as I can by count."""
    side = s.sides[1 - here.me]
    sum: i64 = 0
    n: i64 = 0
    for unit in side.soldiers:
        if unit.role == ATTACKER or (unit.role == NO_ROLE and may_attack(s, side, unit)):
            number = s.number(side, unit)
            if number > 0:
                sum += number
                n += 1
    guards = here.charged
    for unit in s.sides[here.me].soldiers:
        if not unit.driven:
            guards += 1
    if n <= guards or n == 0:
        return 0
    return sum * (n - guards) // n


def combat_trick(here: Reading, s: Engine, key: i64, up: bool) -> i64:
    """アップ or ダウン while the judgement lies on the stage: does it turn a fight, or the game?"""
    attacking = s.turn
    side = s.sides[attacking]
    other = s.sides[1 - attacking]
    mine_attacks = attacking == here.me
    best: i64 = -25
    if mine_attacks and up and here.hits > 0 and here.hits + key >= here.op_life and here.hits < here.op_life:
        return WINS
    if not mine_attacks and not up and here.hits >= here.my_life and here.hits - key < here.my_life:
        return 200
    # damage that comes through counts more the less life is left
    if mine_attacks and up and here.hits > 0:
        best = 40 * key // (here.op_life + 2) + key - 22
    elif not mine_attacks and not up and here.hits > 0:
        best = 40 * key // (here.my_life + 2) + key - 22
    for unit in side.soldiers:
        if unit.role != ATTACKER:
            continue
        number = s.number(side, unit)
        sum = blockers_of(s, other, unit)
        if sum == UNBLOCKED:
            if not mine_attacks and not up and number <= key and 4 * number - 10 > best:
                best = 4 * number - 10  # it dies
            continue
        gap = number - sum if mine_attacks else sum - number  # > 0: I win the fight
        if here.turned:
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
