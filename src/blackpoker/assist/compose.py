"""Completion of a request: the locations the player tapped are used, the rest is the most likely choice. A proposal has
an effect, does not harm its own side and does not lose the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from blackpoker.assist.autopass import useful
from blackpoker.assist.decision import Decision, Draft, Word, attackers
from blackpoker.assist.defaults import default_option
from blackpoker.rules.engine import Engine
from blackpoker.rules.flow import CHANCE_KIND, PASS
from blackpoker.rules.names import PLAYERS
from blackpoker.rules.state import COST_KIND, DISCARD_KIND, KEY_KIND, TARGET_KIND
from blackpoker.words.tokens import board_place

#: decisions with better and worse options; for a payment the default is good enough
TRIED: Final = frozenset((KEY_KIND, TARGET_KIND, COST_KIND))
#: number of whole moves that are tried before the first legal one is taken
MOST_TRIED: Final = 32
#: location of the opponent, by the asked player
RIVAL: Final = tuple(f"player:{name}" for name in reversed(PLAYERS))
#: warnings a proposal must not have
BAD: Final = frozenset(("lose", "vain", "own_unit"))


class Composed(NamedTuple):
    """A completed draft. ``auto``: for each token, whether it was chosen automatically."""

    draft: Draft
    auto: list[bool]


def compose(engine: Engine, words: Sequence[str], picks: Sequence[str], fill: bool) -> Composed:
    """Return a draft of these tokens; with ``fill`` also of the rest, using what lies at ``picks`` if possible. Without
    tokens it is the first action worth proposing that begins with a picked location, or empty."""
    draft = Draft(engine)
    draft.say_all(words)
    if draft.complete or not fill or engine.kind != CHANCE_KIND:
        return Composed(draft, [False] * len(draft.words))
    picks = [place for place in picks if place]
    found = ended(engine, draft.options, picks, False) if words else begun(engine, picks)
    if found is None:
        return Composed(draft, [False] * len(draft.words))
    rest, said = found
    for option in rest:
        draft.push(option)
    return Composed(draft, [False] * len(words) + [not one for one in said])


def steps(engine: Engine, options: Sequence[int]) -> list[Decision]:
    """Return the decision before each of these options."""
    out: list[Decision] = []
    s = engine.copy()
    for option in options:
        out.append(Decision(s))
        s = s.copy()
        s.push(option)
    return out


Ending = tuple[list[int], list[bool]]


def begun(engine: Engine, picks: Sequence[str]) -> Ending | None:
    if not picks:
        return None
    offered = [option for option in engine.options if option != PASS and not engine.rules.plans[option - 1].ends_turn]
    offered.sort(key=lambda option: -useful(engine, option))
    late: list[int] = []
    for option in offered:
        s = engine.copy()
        s.push(option)
        if s.draft is None:
            if engine.rules.plans[option - 1].is_attack and set(picks) <= set(attackers(engine, int(engine.asked))):
                return [option], [True]
            late.append(option)
        elif picks[0] in {board_place(s, first) for first in s.options}:
            found = ended(engine, [option], picks, True)
            if found is not None:
                return [option, *found[0]], [True, *found[1]]
    for option in late:  # these ask for a card only when they take effect
        if len(picks) == 1 and picks[0] in Word(engine, option).takes:
            draft = Draft(engine)
            draft.push(option)
            if not BAD & set(draft.warnings):
                return [option], [True]
    return None


def ended(engine: Engine, said: list[int], picks: Sequence[str], strict: bool) -> Ending | None:
    """Return the best completion of a move: the most likely one, or the one with the most damage to the opponent.
    ``strict``: it must use all picks and be worth proposing."""
    start = engine.copy()
    for option in said:
        start.push(option)
    first: Ending | None = None
    best: Ending | None = None
    heaviest = 0
    for rest, used in islice(endings(start, tuple(picks), strict), MOST_TRIED):
        if strict and sum(used) < len(picks):
            continue
        draft = Draft(engine)
        for option in (*said, *rest):
            draft.push(option)
        first = first or (rest, used)
        if BAD & set(draft.warnings):
            continue
        blow = sum(one.number for one in draft.results if one.kind == "damage" and one.place == RIVAL[engine.asked])
        if not blow and best is None:
            return rest, used
        if blow > heaviest:
            best, heaviest = (rest, used), blow
    return best or (None if strict else first)


def endings(s: Engine, picks: tuple[str, ...], strict: bool) -> Iterator[Ending]:
    """Yield the completions, the most likely first, each token with whether it was picked. ``strict``: two picked cards
    are two keys; none of them is a payment."""
    if s.draft is None:
        yield [], []
        return
    tapped = [(option, board_place(s, option)) for option in s.options]
    tapped = [
        (option, place) for option, place in tapped if place in picks and not (strict and s.kind == DISCARD_KIND)
    ][:1]
    likely = default_option(s)
    others = [option for option in s.options if option != likely] if s.kind in TRIED else []
    for option, place in tapped or [(one, "") for one in (likely, *others)]:
        after = s.copy()
        after.push(option)
        left = tuple(one for one in picks if one != place)
        for rest, used in endings(after, left, strict):
            yield [option, *rest], [bool(place), *used]
