"""Decisions and drafts as messages of the protocol."""

from __future__ import annotations

from collections.abc import Mapping

from blackpoker import Refusal
from blackpoker.assist.decision import Decision, Draft, Word
from blackpoker.match import DeckDecision
from blackpoker.server import protocol as p


def option(word: Word, lang: str) -> p.Option:
    """An offered word; for an action also what could follow it, so that a card finds its actions."""
    out = p.Option(word.text, word.label(lang))
    if word.action is not None:
        out.action = word.action
        then = word.then
        if then is not None:
            out.then_kind = then.kind
            out.then = then.words
    return out


def options(decision: Decision, lang: str, lean: bool) -> list[p.Option]:
    if lean:
        return [p.Option(text) for text in decision.words]
    return [option(word, lang) for word in decision.options]


def ask(decision: Decision, seq: int, lang: str, lean: bool, window: str, deadline_ms: int | None) -> p.Ask:
    out = p.Ask(seq, decision.kind, options(decision, lang, lean), window=window, deadline_ms=deadline_ms)
    out.several = decision.several
    if not lean:
        out.prompt = decision.prompt_in(lang)
        out.proposal = decision.proposal
    return out


def ask_deck(decision: DeckDecision, seq: int, lang: str) -> p.Ask:
    """Which deck is played next."""
    labels = [p.Option(text, text.replace("deck", "デッキ") if lang == "ja" else text) for text in decision.words]
    return p.Ask(seq, "deck", labels, prompt=decision.prompt_in(lang))


def drafted(draft: Draft, proposal: list[str], id: int, seq: int, lang: str, lean: bool) -> p.Drafted:
    """What can follow the words of a draft, or what the whole sentence comes to."""
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
        )
    return p.Drafted(
        id,
        seq,
        draft.words,
        False,
        kind=decision.kind,
        prompt="" if lean else decision.prompt_in(lang),
        options=options(decision, lang, lean),
        proposal=proposal,
    )


def refusals(found: Mapping[str, Refusal]) -> list[p.Refusal]:
    return [p.Refusal(action, why.ruling, why.ja, why.en) for action, why in found.items()]
