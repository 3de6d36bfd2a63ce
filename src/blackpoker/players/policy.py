"""Rules of thumb: a score for every option of a decision, without looking ahead.

One function serves three users: the heuristic player takes the best option, the search uses the scores as its prior
opinion, and play-outs take the best option after adding some noise. It reads hands and piles of both sides, so it must
be given an imagined world (``worlds.imagine``), never the real game.
"""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.players.heuristics.answers import look_at_stage, quick_score
from blackpoker.players.heuristics.choices import attacker_score, blocker_score, card_score, option_score
from blackpoker.players.heuristics.codes import KEEP, TRUMP_WORTH
from blackpoker.players.heuristics.reading import Reading, worth_of
from blackpoker.players.heuristics.turn import main_score
from blackpoker.players.heuristics.words import key_score, payment_score, target_score
from blackpoker.rules.engine import Engine
from blackpoker.rules.flow import CHANCE_KIND
from blackpoker.rules.shuffler import Shuffler
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
    SACRIFICE_KIND,
    SIDE_CODE,
    SOURCE_KIND,
    TARGET_KIND,
    TRUMP_KIND,
    TRUMPS_KIND,
    UNIT_KIND,
    UNITS_KIND,
)  # fmt: skip


class Policy(Reading):
    """The rules of thumb for one set of definitions."""

    __slots__ = ()

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
                    out.append(main_score(self, s, option))
            else:
                look_at_stage(self, s)
                for option in options:
                    out.append(quick_score(self, s, option))
        elif kind == KEY_KIND:
            draft = s.draft
            assert draft is not None
            code: i64 = self.code[draft.action]
            for option in options:
                out.append(key_score(self, s, draft, code, option))
        elif kind == BULWARK_KIND:
            for option in options:
                out.append(payment_score(self, s, option))
        elif kind == DISCARD_KIND or kind == CARDS_KIND:
            for option in options:
                out.append(30 - 2 * KEEP[option])
        elif kind == SACRIFICE_KIND:
            for option in options:
                unit = s.unit_by_code(option)
                out.append(0 if unit is None else 30 - 3 * worth_of(s, s.sides[me], unit))
        elif kind == TARGET_KIND:
            draft = s.draft
            assert draft is not None
            code = self.code[draft.action]
            for option in options:
                out.append(target_score(self, s, draft, code, option))
        elif kind == CARD_KIND:
            for option in options:
                out.append(card_score(self, s, option))
        elif kind == OPTION_KIND:
            for option in options:
                out.append(option_score(self, s, option))
        elif kind == ATTACKERS_KIND:
            for option in options:
                out.append(attacker_score(self, s, option))
        elif kind == BLOCKERS_KIND:
            for option in options:
                out.append(blocker_score(self, s, option))
        elif kind == UNIT_KIND:
            for option in options:
                unit = s.unit_by_code(option)
                owner: i64 = option // SIDE_CODE
                if unit is None:
                    out.append(0)
                elif owner == me:
                    out.append(20 - 2 * worth_of(s, s.sides[owner], unit))
                else:
                    out.append(20 + 2 * worth_of(s, s.sides[owner], unit))
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


def noisy_option(policy: Policy, s: Engine, scratch: list[int], noise: i64, chance: Shuffler) -> int:
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
