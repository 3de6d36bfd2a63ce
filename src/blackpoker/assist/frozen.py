"""A state as plain values, so that results of one build can be read by another, and the equality of states."""

from __future__ import annotations

import json
from typing import Final

from blackpoker.engine.engine import Engine
from blackpoker.engine.shuffler import Shuffler, SystemShuffler
from blackpoker.notation.state_reader import read_state
from blackpoker.notation.state_writer import canonical, dump
from blackpoker.ruleset.edition import Edition, edition_of, rules_again, source_of

#: state of the system's generator, which has none
_SYSTEM: Final = -1

#: edition, format, added actions, frame, state, generator, shuffles to come
Frozen = tuple[Edition, str, tuple[str, ...], str, str, object, list[tuple[int, list[int]]] | None]


def frozen(engine: Engine) -> Frozen:
    """Return the state as values that can be pickled."""
    source = engine.source
    generator: object = source
    if type(source) is Shuffler:
        generator = int(source.state)
    elif type(source) is SystemShuffler:
        generator = _SYSTEM
    return (*source_of(engine.rules), canonical(dump(engine)), generator, source.injected)


def thawed(state: Frozen) -> Engine:
    """Return an engine in the state of ``frozen``; raise `SaveError` if it is none."""
    edition, format, added, frame, text, generator, injected = state
    source = SystemShuffler() if generator == _SYSTEM else generator
    source = Shuffler(source) if isinstance(source, int) else source
    assert isinstance(source, Shuffler)
    source.injected = injected
    return read_state(rules_again(edition, format, added, frame), json.loads(text), source)


def same_state(one: Engine, other: Engine) -> bool:
    """Return whether the rules and everything in the two states are equal."""
    same_rules = one.rules is other.rules or (
        one.rules.name == other.rules.name and edition_of(one.rules) == edition_of(other.rules)
    )
    return same_rules and dump(one) == dump(other)
