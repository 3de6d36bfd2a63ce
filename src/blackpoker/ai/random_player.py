"""The random player and the random play-out loop, compiled with the engine."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.engine.engine import Engine
from blackpoker.engine.events import DECLARED, RAISED, RESOLVING
from blackpoker.engine.flow import CHANCE, UNDECIDED
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.state import DONE, TRUMPS_KIND


def choose(engine: Engine, chance: Shuffler) -> int:
    """Return one of the options, each equally likely."""
    options = engine.options
    return options[chance.below(len(options))]


def play_setup(engine: Engine, chance: Shuffler) -> None:
    """Make random choices until the first turn begins."""
    while engine.winner == UNDECIDED and engine.point < CHANCE:
        engine.push(choose(engine, chance))


def play_out(engine: Engine, chance: Shuffler) -> tuple[int, int]:
    """Play to the end at random; return the number of decisions and the number of forced ones."""
    decisions: i64 = 0
    forced: i64 = 0
    while True:
        options = engine.options
        n: i64 = len(options)
        if n == 0:  # game over
            return decisions, forced
        decisions += 1
        if n == 1:
            forced += 1
            engine.push(options[0])
        else:
            engine.push(options[chance.below(n)])


def action_uses(engine: Engine) -> list[tuple[int, int]]:
    """Return (player, action index) for each use of an action in order: requests, and triggered actions taking
    effect.
    """
    log = engine.log
    assert log is not None
    raised = {event[5] for event in log if event[0] == RAISED}
    uses: list[tuple[int, int]] = []
    for kind, player, _, _, action, request in log:
        if kind == DECLARED or (kind == RESOLVING and request in raised):
            uses.append((player, action))
    return uses


def random_trumps(engine: Engine, chance: Shuffler) -> list[int]:
    """Return options that choose random trumps with an ability for both players, in the order of the set-up. Used
    for games that measure play, not the choice of trumps.
    """
    out: list[int] = []
    most = int(engine.rules.most_trumps)
    if engine.kind != TRUMPS_KIND or most == 0:
        return out
    for side in engine.sides:
        able = [card for card in sorted(side.life) if engine.rules.trumps[card] is not None]
        chance.mix(able)
        chosen = sorted(able[:most])
        out += chosen
        if len(chosen) < most:
            out.append(DONE)
    return out
