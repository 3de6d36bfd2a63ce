"""Short version of `make soak`: random games in every format with R-225 checked at every decision."""

import pytest

from blackpoker.ruleset import Regulation
from tests.properties.play import Reached, checked_game

FORMATS = ("lite", "standard", "pro", "master")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("frame", ["full", "entry"])
def test_invariants_hold(format: str, frame: str) -> None:
    for seed in range(100):
        checked_game(f"{format}+{frame}", seed)


def unreached(regulation: str, reached: Reached) -> list[str]:
    """Return the parts of the definitions that random play has not used."""
    rules = Regulation.parse(regulation).rules()
    missing = [f"action {plan.id}" for plan in rules.plans if plan.id not in reached.actions]
    missing += [f"character {kind.id}" for kind in rules.kinds if kind.id not in reached.characters]
    letters = {letter for plan in rules.plans if plan.direct for letter in plan.cost.letters}
    missing += [f"cost letter {letter}" for letter in sorted(letters - reached.letters)]
    missing += [f"trigger {plan.id}" for plan in rules.plans if not plan.direct and plan.id not in reached.triggers]
    missing += [
        f"step {place} of {plan.id}"
        for plan in rules.plans
        for place in range(len(plan.program))
        if (plan.id, place) not in reached.steps
    ]
    missing += [f"trump {trump.id}" for trump in rules.trumps if trump is not None and trump.id not in reached.trumps]
    return missing


def test_coverage_of_lite() -> None:
    """Random play reaches all of Lite; the rarer parts of the other formats need the soak run."""
    reached = Reached()
    for seed in range(400):
        checked_game("lite+entry", seed, reached)
        if not unreached("lite+entry", reached):
            return
    assert unreached("lite+entry", reached) == []
