"""Decisions, drafts and refusals as messages, for clients of the server and for bots."""

from __future__ import annotations

from collections.abc import Iterable

from blackpoker.assist import compose, told
from blackpoker.assist.decision import Decision, Draft, RefusedAction, Word
from blackpoker.assist.forecast import SEATS, ForecastResult
from blackpoker.assist.sets import Gathered
from blackpoker.match import DeckDecision
from blackpoker.texts.marks import Text, TextMark, mark, unmarked
from blackpoker.wire import protocol as p


def option(word: Word, lang: str) -> p.OfferedWord:
    """Return an offered option; an action has also the locations it can begin with, so that a card finds its
    actions."""
    label, named = word.marked_label(lang)
    out = p.OfferedWord(word.text, label, marks(named), word.place, results=results(word, word.results, lang))
    if word.action is not None:
        out.action = word.action
        out.starts = word.starts
        out.takes = word.takes
        price = word.price(lang)
        out.price = "" if price is None else price.sign
        out.useful = word.useful
    out.warn = word.warnings
    return out


def results(of: Draft | Decision | Word, found: list[ForecastResult], lang: str) -> list[p.Result]:
    texts = told.results(of, found, lang)
    return [
        p.Result(one.kind, one.place, one.number, one.was, text_of(text))
        for one, text in zip(found, texts, strict=True)
    ]


def text_of(text: Text) -> p.Told:
    return p.Told(text.text, marks(text.marks))


def marks(found: list[TextMark]) -> list[p.Mark]:
    return [p.Mark(one.at, one.to, one.what) for one in found]


def options(decision: Decision, lang: str, lean: bool) -> list[p.OfferedWord]:
    if lean:
        return [p.OfferedWord(text) for text in decision.words]
    return [option(word, lang) for word in decision.options]


def ask(decision: Decision, seq: int, lang: str, lean: bool, window: str, deadline_ms: int | None) -> p.Ask:
    """Return a prompt. For a set it has all possible elements for people, who name them in any order."""
    offered = options(decision, lang, True) if lean else [option(word, lang) for word in decision.things]
    out = p.Ask(seq, decision.kind, offered, window=window, deadline_ms=deadline_ms)
    out.several = decision.several
    if not lean:
        out.prompt, named = decision.marked_prompt(lang)
        out.marks = marks(named)
        out.proposal = decision.proposal
        found = decision.outlook
        out.results = results(decision, found, lang)
        out.lethal = decision.lethal(found)
    return out


def ask_deck(decision: DeckDecision, seq: int, lang: str) -> p.Ask:
    """Return the prompt for the deck of the next game."""
    labels = [p.OfferedWord(text, text.replace("deck", "デッキ") if lang == "ja" else text) for text in decision.words]
    seat = SEATS[decision.player]
    prompt, named = unmarked(decision.prompt_in(lang, mark(f"seat:{seat}", seat)))
    return p.Ask(seq, "deck", labels, prompt=prompt, marks=marks(named))


def steps(draft: Draft, auto: list[bool], lang: str) -> list[p.DraftStep]:
    """Return the tokens after the action, each with its alternatives; for an answer inside an effect every token with
    its text."""
    if not draft.requests:
        return [
            p.DraftStep(asked.kind, word, text_of(text))
            for asked, word, text in zip(
                compose.steps(draft.start, draft.options), draft.words, told.words(draft, lang), strict=True
            )
        ]
    out: list[p.DraftStep] = []
    for asked, word, text, put in zip(
        compose.steps(draft.start, draft.options), draft.words, told.words(draft, lang), auto, strict=True
    ):
        offered = options(asked, lang, False) if asked.kind != "chance" else []
        out.append(p.DraftStep(asked.kind, word, text_of(text), put, offered))
    return out[1:]


def drafted(
    draft: Draft,
    id: int,
    seq: int,
    lang: str,
    lean: bool,
    proposal: list[str] | None = None,
    auto: list[bool] | None = None,
) -> p.Drafted:
    """Return what can follow the tokens of a draft, or the results of the whole move. ``proposal``: if it is known.
    ``auto``: for each token, whether it was chosen automatically."""
    answer = answered(draft, id, seq, lang, lean, proposal)
    if not lean and (draft.requests or draft.names_set):
        answer.steps = steps(draft, auto or [False] * len(draft.words), lang)
    return answer


def drafted_set(found: Gathered, id: int, seq: int, lang: str) -> p.Drafted:
    """Return what can be named in addition to a part of a set."""
    answer = answered(found.draft, id, seq, lang, False, [])
    answer.words = found.words
    answer.options = [option(word, lang) for word in found.options]
    return answer


def answered(draft: Draft, id: int, seq: int, lang: str, lean: bool, proposal: list[str] | None) -> p.Drafted:
    decision = draft.decision
    if decision is None:
        answer = p.Drafted(id, seq, draft.words, True, draft.text)
        if not lean:
            foretell(answer, draft, lang)
        return answer
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


def foretell(answer: p.Drafted, draft: Draft, lang: str) -> None:
    """Add the results of a whole move, for people only: they take longer to compute than the move."""
    fight = draft.forecast
    answer.warn = draft.warnings
    answer.clashes = [p.Clash(c.attacker, c.number, c.blockers, c.total, c.falls, c.lost) for c in fight.clashes]
    answer.damage, answer.lethal = fight.damage, fight.lethal
    answer.results = results(draft, draft.results, lang)
    answer.says, answer.price = text_of(told.sentence(draft, lang)), text_of(told.price(draft, lang))


def refusals(found: Iterable[RefusedAction]) -> list[p.Reason]:
    return [p.Reason(one.action, one.why.ruling, one.why.ja, one.why.en, one.places) for one in found]
