"""Short version of the forecast part of ``make soak``."""

from blackpoker.engine.shuffler import seeded
from tests.properties.forecasts import Ledger, play, positions, starts


def test_forecasts_hold_in_random_games() -> None:
    ledger = Ledger()
    for name, engine in starts(0, 10):
        play(name, engine, seeded(len(name)), ledger, 120)
    assert ledger.false == []
    assert ledger.forecasts > 300
    assert ledger.worlds > 300
    assert ledger.claimed >= 0.95 * (ledger.claimed + ledger.unclaimed.total())


def test_forecasts_hold_in_scenarios() -> None:
    ledger = Ledger()
    for number, (name, engine) in enumerate(positions()):
        if number % 9 == 0:
            play(name, engine, seeded(number), ledger, 12)
    assert ledger.false == []
    assert {"falls", "number", "damage", "draw", "negated", "price", "vain", "lose"} <= set(ledger.made)
    assert ledger.claimed >= 0.95 * (ledger.claimed + ledger.unclaimed.total()), ledger.silent
    assert min(ledger.losses["own"], ledger.losses["rival"]) > 10
