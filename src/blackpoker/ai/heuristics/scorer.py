"""Heuristic scores for every option of a decision, without lookahead.

Three callers: the heuristic player takes the best option, the search uses the scores as its prior, and play-outs take
the best option after adding noise. The hands and piles of both sides are read, so the argument must be a determinized
world (``determinization.determinize``), never the real game.
"""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.ai.heuristics.action_roles import parts_of, roles_of, trump_worths
from blackpoker.ai.heuristics.fighting import attacker_score, blocker_score
from blackpoker.ai.heuristics.payment import payment_score
from blackpoker.ai.heuristics.position_summary import KEEP, NEVER, PositionSummary, worth_of
from blackpoker.ai.heuristics.threats import read_stage
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS
from blackpoker.engine.setup import STEP, TO_TRUMPS
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.state import (
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
    SACRIFICE_KIND,
    SETUP_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TARGET_KIND,
    TRUMP_KIND,
    TRUMPS_KIND,
    UNIT_KIND,
    UNITS_KIND,
)
from blackpoker.engine.tables import RuleTables


class HeuristicScorer(PositionSummary):
    """The heuristics for one set of definitions."""

    __slots__ = ()

    def __init__(self, rules: RuleTables) -> None:
        super().__init__(rules, roles_of(rules), parts_of(rules), trump_worths(rules))

    def scores(self, s: Engine, out: list[int]) -> None:
        """Fill ``out`` with one score per option."""
        out.clear()
        self.read(s, s.asked)
        if s.kind == CHANCE_KIND:
            self.chance_scores(s, out)
        elif s.draft is not None:
            self.draft_scores(s, out)
        elif s.kind == ATTACKERS_KIND:
            for option in s.options:
                out.append(attacker_score(self, s, option))
        elif s.kind == BLOCKERS_KIND:
            for option in s.options:
                out.append(blocker_score(self, s, option))
        else:
            self.effect_scores(s, out)

    def chance_scores(self, s: Engine, out: list[int]) -> None:
        """Append scores for the requests and for passing."""
        plans = s.rules.plans
        roles = self.roles
        life = self.my_life
        quick = s.asked != s.turn or len(s.stage) > 0
        if quick:
            read_stage(self, s)
        for option in s.options:
            if option == PASS:
                out.append(0 if quick else -60)
                continue
            plan = plans[option - 1]
            if plan.l > 0 and plan.l >= life:
                out.append(NEVER)
            elif quick:
                out.append(roles[option - 1].answer(self, s, plan))
            else:
                score = roles[option - 1].turn(self, s, plan)
                if plan.l > 0 and life - plan.l <= 2 and score != NEVER:
                    score -= 25  # life is short
                out.append(score)

    def draft_scores(self, s: Engine, out: list[int]) -> None:
        """Append scores for the next choice of the request being made."""
        draft = s.draft
        assert draft is not None
        kind = s.kind
        role = self.roles[draft.action]
        if kind == KEY_KIND:
            for option in s.options:
                out.append(role.key(self, s, draft, option))
        elif kind == TARGET_KIND:
            for option in s.options:
                out.append(role.target(self, s, draft, option))
        elif kind == BULWARK_KIND:
            for option in s.options:
                out.append(payment_score(self, s, option))
        elif kind == DISCARD_KIND:
            for option in s.options:
                out.append(30 - 2 * KEEP[option])
        elif kind == SACRIFICE_KIND:
            for option in s.options:
                unit = s.unit_by_code(option)
                out.append(0 if unit is None else 30 - 3 * worth_of(s, s.sides[self.me], unit))
        elif kind == SOURCE_KIND:
            for option in s.options:
                unit = s.unit_by_code(option)
                out.append(0 if unit is None else 10 - s.number(s.sides[self.me], unit))
        else:
            for option in s.options:
                out.append(-8 if kind == COST_KIND and option != 0 else 0)

    def effect_scores(self, s: Engine, out: list[int]) -> None:
        """Append scores for choices while an action takes effect, and for trumps before the game."""
        kind = s.kind
        active = s.active
        if kind == CARD_KIND or kind == OPTION_KIND:
            for option in s.options:
                if active is None:
                    out.append(2 * KEEP[option] if kind == CARD_KIND else 0)
                elif kind == CARD_KIND:
                    out.append(self.roles[active.action].card(self, s, option))
                else:
                    out.append(self.roles[active.action].choice(self, s, option))
        elif kind == CARDS_KIND:
            for option in s.options:
                out.append(30 - 2 * KEEP[option])
        elif kind == UNIT_KIND:
            for option in s.options:
                out.append(self.unit_score(s, option))
        elif kind == TRUMP_KIND:
            for option in s.options:
                out.append(5 * self.trump_worth[s.sides[option // SIDE_CODE].trumps[option % SIDE_CODE]])
        elif kind == TRUMPS_KIND:
            for option in s.options:
                out.append(0 if option == DONE else 5 * self.trump_worth[option] - 10)
        elif kind == SETUP_KIND:
            trumps = s.rules.setup[s.setup_step // 2] // STEP == TO_TRUMPS
            for option in s.options:
                out.append(5 * self.trump_worth[option] - 10 if trumps else 2 * KEEP[option])
        else:
            for option in s.options:
                out.append(-5 if kind == UNITS_KIND and option != DONE else 0)

    def unit_score(self, s: Engine, option: i64) -> i64:
        """Score a unit chosen by an effect, which in most cases is lost."""
        unit = s.unit_by_code(option)
        if unit is None:
            return 0
        owner: i64 = option // SIDE_CODE
        worth = 2 * worth_of(s, s.sides[owner], unit)
        return 20 - worth if owner == self.me else 20 + worth


def noisy_option(policy: HeuristicScorer, s: Engine, scratch: list[int], noise: i64, chance: Shuffler) -> int:
    """Return the best option after adding a random number below ``noise`` to every score."""
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
