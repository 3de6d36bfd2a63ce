"""Computer players know actions by their effect: names do not matter, and a new action is valued by its effect."""

from __future__ import annotations

import pytest
from tests.renamed_edition import renamed_edition

from blackpoker import seeded
from blackpoker.ai.heuristics.action_roles import ROLES_BY_STEPS, roles_of, shape_of, trump_worths
from blackpoker.ai.heuristics.default_action_role import ByEffect
from blackpoker.ai.heuristics.position_summary import NEVER, WINS
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.definitions.model import (
    LITE,
    MAIN,
    NORMAL_MAGIC,
    QUICK,
    QUICK_MAGIC,
    Action,
    Clause,
    Key,
    Target,
    UnitType,
)
from blackpoker.definitions.player_refs import ME, TARGET_PLAYER
from blackpoker.definitions.steps.cards import Damage, Draw
from blackpoker.definitions.steps.requests import Negate
from blackpoker.definitions.steps.units import Bonus, Bury, Enter
from blackpoker.definitions.values import KEY_SUM, Number
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, UNDECIDED
from blackpoker.engine.state import SIDE_CODE, TARGET_KIND
from blackpoker.engine.step import Step
from blackpoker.ruleset import Edition, Regulation, all_regulations, new_game, standard_edition

FORMATS = ("lite+entry", "standard+full", "pro+full", "master+full", "extra+full", "master+random40+pack")

THE_OPPONENT = Target("対戦相手", "your opponent", "opponent")
A_SOLDIER = Target("兵士1体", "one soldier", "unit", type=UnitType.SOLDIER)
A_REQUEST = Target("アクション1つ", "one action", "request", keys=(1, 99))


def new_action(*steps: Step, target: Target | None = None, quick: bool = True) -> Action:
    kind, timing = (QUICK_MAGIC, QUICK) if quick else (NORMAL_MAGIC, MAIN)
    return Action(
        "new",
        "新",
        "New",
        kind=kind,
        timing=timing,
        since=LITE,
        key=Key("one", ("A-K",)),
        target=target,
        effect=(Clause("新しい。", "New.", steps),),
    )


def with_new(action: Action, text: str = "lite+entry") -> Regulation:
    return Regulation.parse(text, standard_edition().add(action).rename(f"with {action.effect[0].steps!r}"))


def decisions(regulation: Regulation, n: int, seed: int, noise: int) -> list[tuple[Engine, list[int]]]:
    """Return decisions from games of the noisy heuristics, with the scores of their options."""
    policy = HeuristicScorer(regulation.rules())
    found: list[tuple[Engine, list[int]]] = []
    while len(found) < n:
        engine = new_game(regulation, seeded(seed))
        engine.advance()
        chance = seeded(seed + 10**6)
        seed += 1
        while engine.winner == UNDECIDED and len(found) < n:
            options = engine.options
            if len(options) == 1:
                engine.push(options[0])
                continue
            scores: list[int] = []
            policy.scores(engine, scores)
            found.append((engine.copy(), scores))
            blurred = [score + chance.below(noise) for score in scores]
            engine.push(options[blurred.index(max(blurred))])
    return found


@pytest.mark.parametrize("text", FORMATS)
def test_names_do_not_matter(text: str) -> None:
    """The same games, decision by decision, with the same scores, if every action has another id."""
    known = decisions(Regulation.parse(text), 400, 90, 60)
    unknown = decisions(Regulation.parse(text, renamed_edition()), 400, 90, 60)
    for (engine, scores), (other, same) in zip(known, unknown, strict=True):
        assert engine.options == other.options
        assert scores == same
    assert {plan.id for plan in known[0][0].rules.plans}.isdisjoint(plan.id for plan in unknown[0][0].rules.plans)


#: requestable actions with a hand-written role for their shape, over all regulations
BY_HAND = 66


def test_known_shapes_stay_known() -> None:
    """A changed step must not turn a known action into an unknown one; a new action of a new shape may be unknown."""
    known: set[str] = set()
    shapes: set[frozenset[type[Step]]] = set()
    for text in all_regulations():
        rules = text.rules()
        shapes |= {shape_of(plan, rules.plans).kinds for plan in rules.plans}
        known |= {
            plan.id
            for plan, role in zip(rules.plans, roles_of(rules), strict=True)
            if plan.direct and not isinstance(role, ByEffect)
        }
    assert len(known) >= BY_HAND
    assert set(ROLES_BY_STEPS) <= shapes  # no role is written for a shape that no action has


def worths_of(edition: Edition) -> dict[str, int]:
    rules = Regulation.parse("extra+full", edition).rules()
    return {trump.id: trump_worths(rules)[trump.card] for trump in rules.trumps if trump is not None}


def test_trumps_are_worth_what_they_allow() -> None:
    edition = standard_edition()
    worths = worths_of(edition)
    assert all(0 < worth <= 8 for worth in worths.values())
    # a Jack brings two soldiers at once; the trump that costs eight life is the weakest
    assert worths["chariot"] == max(worths.values())
    assert worths["reset"] == min(worths.values())
    # a trump that allows and raises nothing is worth nothing
    bare = edition.change("civil_war", "trumps", allows=(), on="", raises="").change(
        "civil_war", "actions", permission=""
    )
    assert worths_of(bare.rename("bare"))["civil_war"] == 0


NEW = {
    "damage": new_action(Damage(TARGET_PLAYER, Number(4)), target=THE_OPPONENT),
    "damage and a card": new_action(Damage(TARGET_PLAYER, KEY_SUM), Draw(1), target=THE_OPPONENT, quick=False),
    "bury and draw": new_action(Bury(), Draw(1), target=A_SOLDIER),
    "strengthen": new_action(Bonus(Number(6)), target=A_SOLDIER),
    "negate": new_action(Negate(), Draw(1), target=A_REQUEST),
    "enter and draw": new_action(Enter(), Draw(1), quick=False),
    "draw": new_action(Draw(2), quick=False),
}


@pytest.mark.parametrize("name", NEW)
def test_an_unknown_action_is_used(name: str) -> None:
    """In noisy games it is sometimes the best option."""
    regulation = with_new(NEW[name])
    place = place_of_new(regulation)
    assert isinstance(roles_of(regulation.rules())[place], ByEffect)
    offered = chosen = 0
    for engine, scores in decisions(regulation, 1500, 7, 1):
        if engine.kind == CHANCE_KIND and place + 1 in engine.options:
            offered += 1
            chosen += engine.options[scores.index(max(scores))] == place + 1
    assert offered > 20
    assert chosen > 0


def place_of_new(regulation: Regulation) -> int:
    return next(int(plan.index) for plan in regulation.rules().plans if plan.id == "new")


def test_damage_that_wins_is_dealt() -> None:
    regulation = with_new(NEW["damage"])
    option = place_of_new(regulation) + 1
    winning = 0
    for engine, scores in decisions(regulation, 3000, 30, 3000):
        if engine.kind == CHANCE_KIND and option in engine.options and len(engine.sides[1 - engine.asked].life) <= 4:
            winning += 1
            assert scores[engine.options.index(option)] == max(scores) >= WINS
    assert winning > 3


def test_damage_that_kills_its_user_is_not_dealt() -> None:
    regulation = with_new(new_action(Damage(ME, Number(60)), Draw(2)))
    option = place_of_new(regulation) + 1
    offered = 0
    for engine, scores in decisions(regulation, 1500, 30, 60):
        if engine.kind == CHANCE_KIND and option in engine.options:
            offered += 1
            assert scores[engine.options.index(option)] == NEVER
    assert offered > 20


def test_a_harmful_action_is_aimed_at_the_other() -> None:
    regulation = with_new(NEW["bury and draw"])
    place = place_of_new(regulation)
    aimed = 0
    for engine, scores in decisions(regulation, 4000, 11, 60):
        if engine.kind == TARGET_KIND and engine.draft is not None and engine.draft.action == place:
            owners = [option // SIDE_CODE for option in engine.options]
            if len(set(owners)) == 2:
                aimed += 1
                assert owners[scores.index(max(scores))] != engine.asked
    assert aimed > 0
