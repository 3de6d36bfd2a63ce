"""Prompts and drafts: what a seat is asked, what may follow the words said so far, a ready default."""

from __future__ import annotations

from blackpoker.assist import autopass
from blackpoker.errors import IllegalMove
from blackpoker.game import speaker
from blackpoker.language.model import action_of
from blackpoker.match import DeckDecision
from blackpoker.notation.moves import goes_on, move_of, place_of
from blackpoker.notation.tokens import SEVERAL, kind_name, marked, word
from blackpoker.rules import refusals as reasons
from blackpoker.rules.cards import BIT
from blackpoker.rules.combat import wall_matches
from blackpoker.rules.engine import Engine
from blackpoker.rules.flow import CHANCE_KIND, PASS
from blackpoker.rules.names import PLAYERS
from blackpoker.rules.request import UNIT
from blackpoker.rules.state import (
    BULWARK_KIND,
    DISCARD_KIND,
    DONE,
    SACRIFICE_KIND,
    SIDE_CODE,
    TARGET_KIND,
)  # fmt: skip
from blackpoker.server.forecast import forecast
from blackpoker.server.protocol import Ask, Drafted, Option, Refusal

#: a sentence never has more words than both players have cards
MOST_WORDS = 80


def option_texts(s: Engine, lang: str, lean: bool) -> list[Option]:
    """The offered words; for an action also what could follow it, so that a card finds its actions."""
    if lean:
        return [Option(marked(s, option)) for option in s.options]
    told = speaker(lang)
    out = []
    chance = s.kind == CHANCE_KIND
    for option in s.options:
        text = marked(s, option)
        item = Option(text, told.option(s, option))
        if chance and option != PASS:
            item.action = text.removesuffix("@")
            after = s.copy()
            after.push(option)
            if after.draft is not None:
                item.then_kind = kind_name(after)
                item.then = [marked(after, word_) for word_ in after.options]
        out.append(item)
    return out


def ask(s: Engine, seq: int, lang: str, lean: bool, window: str, deadline_ms: int | None) -> Ask:
    out = Ask(seq, kind_name(s), option_texts(s, lang, lean), window=window, deadline_ms=deadline_ms)
    out.several = s.kind in SEVERAL
    if not lean:
        out.prompt = speaker(lang).prompt(s)
        if s.kind != CHANCE_KIND:
            out.proposal = complete(s, [])
    return out


def ask_deck(decision: DeckDecision, seq: int, lang: str) -> Ask:
    """Which deck is played next."""
    return Ask(
        seq,
        "deck",
        [Option(text, text.replace("deck", "デッキ") if lang == "ja" else text) for text in decision.words],
        prompt=decision.prompt_in(lang),
    )


class Spoken:
    """Words said one after another on a copy; the real game does not move."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine.copy()
        self.options: list[int] = []
        self.words: list[str] = []
        self.complete = False

    def say(self, text: str) -> None:
        s = self.engine
        if self.complete:
            raise refusal(text, reasons.WORD_MISFIT)
        for option in s.options:
            if marked(s, option) == text or word(s, option) == text:
                self.push(option)
                return
        raise refusal(text, why_not_word(s, text))

    def push(self, option: int) -> None:
        s = self.engine
        before = place_of(s)
        self.words.append(marked(s, option))
        self.options.append(option)
        s.push(option)
        self.complete = not goes_on(s, before)


def why_not_word(s: Engine, text: str) -> reasons.Refusal:
    if s.kind == CHANCE_KIND:
        if text == "pass":
            return reasons.why_not_pass(s, s.chance) or reasons.WORD_MISFIT
        return reasons.why_not(s, s.chance, text) or reasons.WORD_MISFIT
    return reasons.WORD_MISFIT


def refusal(text: str, why: reasons.Refusal) -> IllegalMove:
    shown = text[:40]
    return IllegalMove(f"{shown!r}: {why.en}", f"「{shown}」：{why.ja}", why.ruling)


def spoken(engine: Engine, words: list[str]) -> Spoken:
    """The state after these words, or the refusal of the first that cannot be said."""
    said = Spoken(engine)
    for text in words:
        said.say(text)
    return said


def sentence(engine: Engine, words: list[str]) -> list[int]:
    """The options of a whole sentence. One that stops where ``done`` is possible is completed with it."""
    if len(words) == 1 and engine.kind not in SEVERAL and engine.draft is None:
        if engine.kind != CHANCE_KIND:  # a choice of one thing is said with one word
            for option in engine.options:
                if marked(engine, option) == words[0] or word(engine, option) == words[0]:
                    return [option]
        elif words[0] == "pass" and PASS in engine.options:
            return [PASS]
    said = spoken(engine, words)
    while said.options and not said.complete and DONE in said.engine.options and said.engine.kind in SEVERAL:
        said.push(DONE)
    if not said.complete:
        raise IllegalMove("the sentence is not complete", "文が途中です", "R-30")
    return said.options


def draft(engine: Engine, words: list[str], id: int, seq: int, lang: str, lean: bool) -> Drafted:
    said = spoken(engine, words)
    if said.complete:
        fight = forecast(engine, said.options)
        text = move_of(engine, said.options).text
        warn = warnings(engine, said.options)
        if PLAYERS[engine.asked] in fight.lethal:
            warn.append("lose")
        return Drafted(
            id,
            seq,
            said.words,
            True,
            text,
            warn=warn,
            clashes=fight.clashes,
            damage=fight.damage,
            lethal=fight.lethal,
        )
    s = said.engine
    return Drafted(
        id,
        seq,
        said.words[:],
        False,
        kind=kind_name(s),
        prompt="" if lean else speaker(lang).prompt(s),
        options=option_texts(s, lang, lean),
        proposal=completed(said),
    )


def words_of(engine: Engine, options: list[int]) -> list[str]:
    """The words of a sentence known by its options."""
    said = Spoken(engine)
    for option in options:
        said.push(option)
    return said.words


def refusals(engine: Engine, seat: int) -> list[Refusal]:
    """Every action of the format that is not offered, and why."""
    out = []
    for plan in engine.rules.plans:
        if plan.stands_for >= 0:
            continue
        why = reasons.why_not(engine, seat, plan.id)
        if why is not None:
            out.append(Refusal(plan.id, why.ruling, why.ja, why.en))
    return out


# -- ready defaults ----------------------------------------------------------------------------------------------------


def complete(engine: Engine, words: list[str]) -> list[str]:
    """The words and a way to end the sentence; empty where only the player can say."""
    return completed(spoken(engine, words))


def completed(said: Spoken) -> list[str]:
    """The words of a sentence that is ended with defaults; it has been said to its end then."""
    while not said.complete and len(said.words) < MOST_WORDS:
        s = said.engine
        if s.kind == CHANCE_KIND:
            return []
        said.push(default(s))
    return said.words


def default(s: Engine) -> int:
    """What most people would say next: nothing where nothing is possible, the cheapest payment."""
    options = s.options
    if DONE in options and s.kind in SEVERAL:
        return DONE
    if s.kind == BULWARK_KIND:
        return min(options, key=lambda option: guard_value(s, option))
    if s.kind == DISCARD_KIND:
        return min(options, key=lambda option: card_value(s, option))
    if s.kind == SACRIFICE_KIND:
        return min(options, key=lambda option: unit_value(s, option))
    if s.kind == TARGET_KIND:
        theirs = [option for option in options if option // SIDE_CODE != s.asked]
        return theirs[0] if theirs else options[0]
    return options[0]


def guard_value(s: Engine, option: int) -> int:
    """How useful a bulwark is as a blocker: how many enemy soldiers it would take along."""
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    return sum(1 for enemy in s.sides[1 - s.asked].soldiers if wall_matches(s, unit, enemy))


def card_value(s: Engine, card: int) -> int:
    """How many actions would lose their last key with this card, and its number."""
    hand = s.sides[s.asked].hand
    bit = BIT[card]
    last = sum(
        1
        for plan in s.rules.plans
        if plan.direct and plan.key_count and hand & plan.key_a & bit and not hand & plan.key_a & ~bit
    )
    return last * 20 + card % 13


def unit_value(s: Engine, option: int) -> int:
    unit = s.unit_by_code(option)
    if unit is None:
        return 0
    return (100 if s.rules.kinds[unit.kind].bulwark else 0) + int(unit.base)


def warnings(engine: Engine, options: list[int]) -> list[str]:
    """What a second tap is asked for: little life left, a sacrifice, an own unit as the victim, a vain counter."""
    if engine.kind != CHANCE_KIND or not options or options[0] == PASS:
        return []
    out = []
    plan = engine.rules.plans[options[0] - 1]
    side = engine.sides[engine.asked]
    if plan.cost.l and len(side.life) <= plan.cost.l:
        out.append("lose")
    elif plan.cost.l and len(side.life) - plan.cost.l <= 2:
        out.append("life")
    if plan.cost.s:
        out.append("sacrifice")
    trial = engine.copy()
    for option in options[:-1]:
        trial.push(option)
    if trial.kind == TARGET_KIND:
        request = trial.draft
        last = options[-1]
        harmful = request is not None and autopass.reaches_opponent(action_of(plan).id)
        if harmful and plan.aim == UNIT and last // SIDE_CODE == engine.asked:
            out.append("own_unit")
    if plan.aim_counter and engine.stage and autopass.answers(engine, options[0]) == autopass.NO:
        out.append("vain")
    return out
