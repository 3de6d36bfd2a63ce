"""The random player and the play-out loop, compiled with the engine."""

from __future__ import annotations

from mypy_extensions import i64

from blackpoker.rules.engine import Engine
from blackpoker.rules.events import DECLARED, RAISED, RESOLVING
from blackpoker.rules.flow import CHANCE, UNDECIDED
from blackpoker.rules.shuffler import Shuffler
from blackpoker.rules.state import DONE, TRUMPS_KIND


def choose(engine: Engine, chance: Shuffler) -> int:
    """One of the options, each equally likely."""
    options = engine.options
    return options[chance.below(len(options))]


def play_setup(engine: Engine, chance: Shuffler) -> None:
    """Make the choices before the first turn."""
    while engine.winner == UNDECIDED and engine.point < CHANCE:
        engine.push(choose(engine, chance))


def play_out(engine: Engine, chance: Shuffler) -> tuple[int, int]:
    """Play to the end at random; how many decisions that took and how many of them were forced."""
    decisions: i64 = 0
    forced: i64 = 0
    while True:
        options = engine.options
        n: i64 = len(options)
        if n == 0:  # over
            return decisions, forced
        decisions += 1
        if n == 1:
            forced += 1
            engine.push(options[0])
        else:
            engine.push(options[chance.below(n)])


def uses_of(engine: Engine) -> list[tuple[int, int]]:
    """Who used which action (its index), in order: requests, and triggered actions taking effect; from the log."""
    log = engine.log
    assert log is not None
    raised = {event[5] for event in log if event[0] == RAISED}
    uses: list[tuple[int, int]] = []
    for kind, player, _, _, action, request in log:
        if kind == DECLARED or (kind == RESOLVING and request in raised):
            uses.append((player, action))
    return uses


def random_trumps(engine: Engine, chance: Shuffler) -> list[int]:
    """Options that choose random trumps with an ability for both players, in the order set-up asks for them: for games
    that are about play, not about choosing trumps."""
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
