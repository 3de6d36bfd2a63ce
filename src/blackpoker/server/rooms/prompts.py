"""Decisions and drafts as messages of the protocol."""

from __future__ import annotations

from collections.abc import Iterable

from blackpoker.assist.decision import Decision, Draft, RefusedAction, Word
from blackpoker.assist.forecast import Result
from blackpoker.match import DeckDecision
from blackpoker.texts.marks import Mark
from blackpoker.wire import protocol as p


def option(word: Word, lang: str) -> p.Option:
    """An offered word; for an action also what it can begin with, so that a card finds its actions."""
    label, named = word.marked_label(lang)
    out = p.Option(word.text, label, marks(named), word.place, results=results(word.results))
    if word.action is not None:
        out.action = word.action
        out.starts = word.starts
        out.takes = word.takes
        price = word.price(lang)
        out.price = "" if price is None else price.sign
        out.useful = word.useful
    return out


def results(found: list[Result]) -> list[p.Result]:
    return [p.Result(one.kind, one.place, one.number, one.was) for one in found]


def marks(found: list[Mark]) -> list[p.Mark]:
    return [p.Mark(one.at, one.to, one.what) for one in found]


def options(decision: Decision, lang: str, lean: bool) -> list[p.Option]:
    if lean:
        return [p.Option(text) for text in decision.words]
    return [option(word, lang) for word in decision.options]


def ask(decision: Decision, seq: int, lang: str, lean: bool, window: str, deadline_ms: int | None) -> p.Ask:
    out = p.Ask(seq, decision.kind, options(decision, lang, lean), window=window, deadline_ms=deadline_ms)
    out.several = decision.several
    if not lean:
        out.prompt, named = decision.marked_prompt(lang)
        out.marks = marks(named)
        out.proposal = decision.proposal
        out.results = results(decision.outlook)
    return out


def ask_deck(decision: DeckDecision, seq: int, lang: str) -> p.Ask:
    """Which deck is played next."""
    labels = [p.Option(text, text.replace("deck", "デッキ") if lang == "ja" else text) for text in decision.words]
    return p.Ask(seq, "deck", labels, prompt=decision.prompt_in(lang))


def drafted(draft: Draft, id: int, seq: int, lang: str, lean: bool, proposal: list[str] | None = None) -> p.Drafted:
    """What can follow the words of a draft, or what the whole sentence comes to. ``proposal``: if it is known."""
    decision = draft.decision
    if decision is None:
        fight = draft.forecast
        clashes = [p.Clash(c.attacker, c.number, c.blockers, c.total, c.falls, c.lost) for c in fight.clashes]
        return p.Drafted(
            id,
            seq,
            draft.words,
            True,
            draft.text,
            warn=draft.warnings,
            clashes=clashes,
            damage=fight.damage,
            lethal=fight.lethal,
            results=results(draft.results),
        )
    prompt, named = ("", []) if lean else decision.marked_prompt(lang)
    return p.Drafted(
        id,
        seq,
        draft.words,
        False,
        kind=decision.kind,
        prompt=prompt,
        marks=marks(named),
        options=options(decision, lang, lean),
        proposal=decision.proposal if proposal is None else proposal,
    )


def refusals(found: Iterable[RefusedAction]) -> list[p.Refusal]:
    return [p.Refusal(one.action, one.why.ruling, one.why.ja, one.why.en, one.places) for one in found]
