"""A player in a first game who does only what the guide advises: the gold option while a remark is shown, the result
that ranks best if it refers to the results, the gold button or a pass if it advises nothing."""

from __future__ import annotations

from blackpoker.assist.autopass import NO, YES
from blackpoker.assist.completion import UNWANTED_WARNINGS, compose
from blackpoker.assist.decision import Decision, Draft
from blackpoker.engine.cards import VALUE, parse_card
from blackpoker.engine.locations import PLAYERS
from blackpoker.errors import BlackPokerError
from blackpoker.game.game import Game
from blackpoker.learn.lessons import guide_remarks
from blackpoker.notation.move import Move

#: the limits of the page (web/src/screens/learn/remarks.ts)
LOW_LIFE, PLENTY, ENOUGH, LAST = 8, 10, 3, 1


def conditions(game: Game, decision: Decision) -> set[str]:
    """Return the conditions that the page would derive from what the seat sees and is asked."""
    player = int(game.player)
    side = game._engine.sides[player]
    found: set[str] = set()
    found.add("low_life" if len(side.life) <= LOW_LIFE else "")
    found.add("plenty" if len(side.life) > PLENTY else "")
    if decision.kind in ("attackers", "blockers"):
        return found | {decision.kind}
    if decision.kind != "chance":
        return found | {"more" if decision.kind == "yes_no" else "choice"}
    if game._engine.stage and game._engine.stage[-1].controller == player:
        return found | {"own"}
    if game._engine.stage or game._engine.turn != player:
        return found | {"answer"}
    useful = [word.text for word in decision.options if word.useful != NO]
    found |= {"mine", *useful, "" if side.bulwarks or len(side.life) == LAST else "no_bulwark"}
    found.add("" if side.soldiers else "no_soldier")
    if len(side.bulwarks) == 1 and len(side.life) > ENOUGH:
        found.add("second")
    if len(side.life) > ENOUGH and any(word.startswith("summon_") for word in useful):
        found.add("can_summon")
    good = [word.text for word in decision.options if word.useful == YES]
    found.add("can_attack" if "attack" in good else "")
    found.add("" if good else "nothing_left")
    return found


def number_of(word: str) -> int:
    return int(VALUE[parse_card(word)]) if word[:1] in "SHDCJ" else 0


def follow(game: Game) -> Move:
    """Return the move of a player who follows the guide."""
    decision = game.decision
    assert decision is not None
    if decision.kind == "attackers":
        return game.draft([word for word in decision.words if word != "done"], finish=True).move
    if decision.kind == "blockers":
        return blocks(game, decision)
    found = conditions(game, decision)
    offered = (
        decision.words if decision.kind != "chance" else [one.text for one in decision.options if one.useful != NO]
    )
    for remark in guide_remarks():
        if not found.issuperset(remark.when):
            continue
        for word in remark.advise:
            draft = gold_draft(game, word) if word in offered else None
            if draft is not None:
                return draft.move
    if decision.kind == "chance":
        ends = "end" in decision.words and not game._engine.stage
        return game.draft(["end" if ends else "pass"]).move
    if decision.kind == "yes_no":
        return game.draft(["no"]).move
    if decision.kind == "card":  # the remark for this case: "your lowest number"
        return game.draft([min(decision.words, key=sacrifice_order)], finish=True).move
    return game.draft(decision.proposal, finish=True).move


def gold_draft(game: Game, word: str) -> Draft | None:
    """Return the move of the action with the tapped card, its highest possible first card and automatic payment; None
    if the page would not offer it in gold."""
    then = game.draft([word]).decision
    keys = [] if then is None else [one for one in then.options if one.location]
    highest = max(keys, key=lambda one: number_of(one.text), default=None)
    draft = compose(game._engine, [word], [] if highest is None else [highest.location], True).draft
    return draft if draft.complete and not UNWANTED_WARNINGS & set(draft.warnings) else None


def sacrifice_order(word: str) -> tuple[bool, int]:
    """Return a sort key: the cards to give up first come first."""
    return word.startswith("J") or word.endswith("A"), number_of(word)


def blocks(game: Game, decision: Decision) -> Move:
    """Return the blocks that rank best in the list: only the attacker falls, none falls, both fall. A soldier that
    would fall alone does not block, unless it is the last defence."""
    chosen: dict[str, str] = {}
    free = [word for word in decision.words if word != "done"]

    def weighed(blocked: dict[str, str]) -> Draft | None:
        text = "; ".join(f"{attacker}: {word}" for attacker, word in blocked.items()) or "done"
        try:
            return game.draft(game.parse(text, game.player))
        except BlackPokerError:
            return None  # this pair cannot block

    plain = weighed({})
    assert plain is not None
    for attacker in [one.attacker for one in sorted(plain.forecast.clashes, key=lambda one: -one.number)]:
        before = weighed(chosen)
        lost = before is not None and PLAYERS[int(game.player)] in before.forecast.lethal_for
        found: list[tuple[int, str]] = []
        for word in free:
            tried = None if word in chosen.values() else weighed({**chosen, attacker: word})
            if tried is not None:
                clash = next(one for one in tried.forecast.clashes if one.attacker == attacker)
                found.append(
                    (
                        (0 if not clash.fallen_blockers else 2)
                        if clash.falls
                        else (1 if not clash.fallen_blockers else 3),
                        word,
                    )
                )
        if found and (min(found)[0] < 3 or lost):
            chosen[attacker] = min(found)[1]
    best = weighed(chosen)
    assert best is not None
    return best.move
