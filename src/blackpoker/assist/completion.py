"""Completion of a request: the locations the player tapped are used, the rest is the most likely choice. A proposal has
an effect, does not harm its own side and does not lose the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from blackpoker.assist.autopass import YES, usefulness
from blackpoker.assist.decision import Decision, Draft, Option, attackers
from blackpoker.assist.defaults import default_option
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, PASS
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.state import COST_KIND, DISCARD_KIND, KEY_KIND, TARGET_KIND
from blackpoker.notation.options import board_location

#: decisions with better and worse options; for a payment the default is good enough
TRIED_KINDS: Final = frozenset((KEY_KIND, TARGET_KIND, COST_KIND))
#: number of whole moves that are tried before the first legal one is taken
MOST_TRIED: Final = 32
#: location of the opponent, by the asked player
OPPONENT_LOCATION: Final = tuple(f"player:{name}" for name in reversed(PLAYERS))
#: warnings a proposal must not have
UNWANTED_WARNINGS: Final = frozenset(("lose", "vain", "own_unit"))


class Completion(NamedTuple):
    """A completed draft. ``auto``: for each token, whether it was chosen automatically; ``picks``: the picked locations
    that are in use; ``actions``: the actions that are possible with all of them, those worth proposing first."""

    draft: Draft
    auto: list[bool]
    picks: list[str]
    actions: list[str]


def compose(engine: Engine, words: Sequence[str], picks: Sequence[str], fill: bool) -> Completion:
    """Return a draft of these tokens; with ``fill`` also of the rest, using what lies at ``picks`` if possible. Without
    tokens it is the first action worth proposing that uses all picked locations, else the last one; or empty."""
    draft = Draft(engine)
    draft.extend(words)
    picks = [place for place in picks if place]
    auto = [False] * len(draft.words)
    found: Continuation | None = None
    if engine.kind == CHANCE_KIND and fill and not draft.complete:
        if words:
            found = best_completion(engine, draft.options, picks, False)
        else:
            found = start_with(engine, picks)
            if found is None and len(picks) > 1:
                picks = picks[-1:]
                found = start_with(engine, picks)
    if found is not None:
        rest, picked_flags = found
        for option in rest:
            draft.push(option)
        auto += [not picked for picked in picked_flags]
    picks = picks_in_use(engine, draft, picks)
    return Completion(draft, auto, picks, actions_with(engine, picks))


def picks_in_use(engine: Engine, draft: Draft, picks: Sequence[str]) -> list[str]:
    """Return the picked locations the draft uses; all of them before it has a token."""
    if not draft.options or engine.kind != CHANCE_KIND:
        return list(picks)
    used = {
        board_location(decision._engine, option)
        for decision, option in zip(decisions_before(engine, draft.options), draft.options, strict=True)
    }
    later = [place for place in picks if place in locations_used_later(engine, draft.options[0])]
    attacks = draft.options[0] != PASS and engine.rules.plans[draft.options[0] - 1].is_attack
    used.update(later if attacks else later[-1:])  # an action asks for one card, an attack for any soldiers
    return [place for place in picks if place in used]


def locations_used_later(engine: Engine, option: int) -> list[str]:
    """Return the locations an action without tokens can be meant for: attackers, or cards it asks for at once."""
    if option == PASS:
        return []
    if engine.rules.plans[option - 1].is_attack:
        return attackers(engine, int(engine.asked))
    return Option(engine, option).cards_asked_later


def actions_with(engine: Engine, picks: Sequence[str]) -> list[str]:
    """Return the actions that are possible with all picked locations, those to be recommended first."""
    if not picks or engine.kind != CHANCE_KIND:
        return []
    fitting: list[int] = []
    for option in engine.options:
        if option == PASS or engine.rules.plans[option - 1].ends_turn:
            continue
        s = engine.copy()
        s.push(option)
        if s.draft is None:
            later = locations_used_later(engine, option)
            many = engine.rules.plans[option - 1].is_attack
            fits = set(picks) <= set(later) and (many or len(picks) == 1)
        elif picks[0] in {board_location(s, first) for first in s.options}:
            found = islice(completions(s, tuple(picks), True), MOST_TRIED)
            fits = len(picks) == 1 or any(sum(flags) == len(picks) for _, flags in found)
        else:
            fits = False
        if fits:
            fitting.append(option)
    fitting.sort(key=lambda option: usefulness(engine, option) != YES)
    return [Option(engine, option).text for option in fitting]


def decisions_before(engine: Engine, options: Sequence[int]) -> list[Decision]:
    """Return the decision before each of these options."""
    out: list[Decision] = []
    s = engine.copy()
    for option in options:
        out.append(Decision(s))
        s = s.copy()
        s.push(option)
    return out


Continuation = tuple[list[int], list[bool]]


def start_with(engine: Engine, picks: Sequence[str]) -> Continuation | None:
    if not picks:
        return None
    offered = [option for option in engine.options if option != PASS and not engine.rules.plans[option - 1].ends_turn]
    offered.sort(key=lambda option: -usefulness(engine, option))
    card_on_resolution: list[int] = []
    for option in offered:
        s = engine.copy()
        s.push(option)
        if s.draft is None:
            if engine.rules.plans[option - 1].is_attack and set(picks) <= set(attackers(engine, int(engine.asked))):
                return [option], [True]
            card_on_resolution.append(option)
        elif picks[0] in {board_location(s, first) for first in s.options}:
            found = best_completion(engine, [option], picks, True)
            if found is not None:
                return [option, *found[0]], [True, *found[1]]
    for option in card_on_resolution:  # these ask for a card only when they take effect
        if len(picks) == 1 and picks[0] in Option(engine, option).cards_asked_later:
            draft = Draft(engine)
            draft.push(option)
            if not UNWANTED_WARNINGS & set(draft.warnings):
                return [option], [True]
    return None


def best_completion(engine: Engine, options: list[int], picks: Sequence[str], strict: bool) -> Continuation | None:
    """Return the best completion of a move: the most likely one, or the one with the most damage to the opponent.
    ``strict``: it must use all picks and be worth proposing."""
    start = engine.copy()
    for option in options:
        start.push(option)
    fallback: Continuation | None = None
    best: Continuation | None = None
    heaviest = 0
    for rest, picked in islice(completions(start, tuple(picks), strict), MOST_TRIED):
        if strict and sum(picked) < len(picks):
            continue
        draft = Draft(engine)
        for option in (*options, *rest):
            draft.push(option)
        fallback = fallback or (rest, picked)
        if UNWANTED_WARNINGS & set(draft.warnings):
            continue
        damage = sum(
            result.number
            for result in draft.results
            if result.kind == "damage" and result.location == OPPONENT_LOCATION[engine.asked]
        )
        if not damage and best is None:
            return rest, picked
        if damage > heaviest:
            best, heaviest = (rest, picked), damage
    return best or (None if strict else fallback)


def completions(s: Engine, picks: tuple[str, ...], strict: bool) -> Iterator[Continuation]:
    """Yield the completions, the most likely first, each token with whether it was picked. ``strict``: two picked cards
    are two keys; none of them is a payment."""
    if s.draft is None:
        yield [], []
        return
    picked = [(option, board_location(s, option)) for option in s.options]
    picked = [
        (option, place) for option, place in picked if place in picks and not (strict and s.kind == DISCARD_KIND)
    ][:1]
    default = default_option(s)
    others = [option for option in s.options if option != default] if s.kind in TRIED_KINDS else []
    for option, place in picked or [(other, "") for other in (default, *others)]:
        after = s.copy()
        after.push(option)
        remaining = tuple(other for other in picks if other != place)
        for rest, picked_flags in completions(after, remaining, strict):
            yield [option, *rest], [bool(place), *picked_flags]
