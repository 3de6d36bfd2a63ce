"""Decisions, drafts and refusals as messages, for clients of the server and for bots."""

from __future__ import annotations

from blackpoker.assist import completion, draft_text
from blackpoker.assist.block_previews import block_previews
from blackpoker.assist.completion import Completion
from blackpoker.assist.decision import Decision, Draft, Option, RefusedAction
from blackpoker.assist.fight_selection import FightSelection
from blackpoker.assist.set_selection import PartialSelection
from blackpoker.game.match import DeckDecision
from blackpoker.protocol import messages as p
from blackpoker.text.markup import RichText, parse, tag


def option_message(word: Option, lang: str) -> p.Option:
    """Return an offered option; an action has also the locations it can begin with, so that a card finds its
    actions."""
    label = word.rich_label(lang)
    results = draft_text.with_texts(word, word.results, lang)
    out = p.Option(word.text, label.text, label.spans, word.location, results=results)
    if word.action is not None:
        out.action = word.action
        out.start_locations = word.start_locations
        out.cards_asked_later = word.cards_asked_later
        price = word.price(lang)
        out.price = "" if price is None else price.sign
        out.usefulness = word.useful
    out.warnings = word.warnings
    return out


def options(decision: Decision, lang: str, lean: bool) -> list[p.Option]:
    if lean:
        return [p.Option(text) for text in decision.words]
    return [option_message(word, lang) for word in decision.options]


def prompt_message(
    decision: Decision, seq: int, lang: str, lean: bool, window: str, deadline_ms: int | None
) -> p.Prompt:
    """Return a prompt. For a set it has all possible elements for people, who name them in any order."""
    offered = options(decision, lang, True) if lean else [option_message(word, lang) for word in decision.selectable]
    out = p.Prompt(seq, decision.kind, offered, reason=window, deadline_ms=deadline_ms)
    out.multiple = decision.several
    if not lean:
        prompt = decision.rich_prompt(lang)
        out.prompt, out.spans = prompt.text, prompt.spans
        out.proposal = decision.proposal
        outlook = decision.outlook
        out.results = draft_text.with_texts(decision, outlook.results, lang)
        out.lethal_for = outlook.lethal_for
    return out


def deck_prompt_message(decision: DeckDecision, seq: int, lang: str) -> p.Prompt:
    """Return the prompt for the deck of the next game."""
    labels = [p.Option(text, text.replace("deck", "デッキ") if lang == "ja" else text) for text in decision.words]
    seat = str(decision.player)
    prompt = parse(decision.prompt_in(lang, tag(f"seat:{seat}", seat)))
    return p.Prompt(seq, "deck", labels, prompt=prompt.text, spans=prompt.spans)


def steps(draft: Draft, automatic: list[bool], lang: str) -> list[p.PreviewStep]:
    """Return the tokens after the action, each with its alternatives; for an answer inside an effect every token with
    its text."""
    if not draft.is_request:
        return [
            p.PreviewStep(decision.kind, token, text)
            for decision, token, text in zip(
                completion.decisions_before(draft._start, draft.options),
                draft.words,
                draft_text.token_texts(draft, lang),
                strict=True,
            )
        ]
    out: list[p.PreviewStep] = []
    for decision, token, text, automatic_token in zip(
        completion.decisions_before(draft._start, draft.options),
        draft.words,
        draft_text.token_texts(draft, lang),
        automatic,
        strict=True,
    ):
        offered = options(decision, lang, False) if decision.kind != "chance" else []
        out.append(p.PreviewStep(decision.kind, token, text, automatic_token, offered))
    return out[1:]


def preview_result(
    draft: Draft,
    id: int,
    seq: int,
    lang: str,
    lean: bool,
    proposal: list[str] | None = None,
    auto: list[bool] | None = None,
) -> p.PreviewResult:
    """Return what can follow the tokens of a draft, or the results of the whole move. ``proposal``: if it is known.
    ``auto``: for each token, whether it was chosen automatically."""
    answer = _preview(draft, id, seq, lang, lean, proposal)
    if not lean and (draft.is_request or draft.is_selection):
        answer.steps = steps(draft, auto or [False] * len(draft.words), lang)
    return answer


def composed_preview(completion: Completion, id: int, seq: int, lang: str, lean: bool) -> p.PreviewResult:
    """Return the preview of a request with its selection."""
    answer = preview_result(completion.draft, id, seq, lang, lean, [], completion.auto)
    answer.picks, answer.actions = completion.picks, completion.actions
    answer.title = draft_text.title_of(completion.draft._start, completion.picks, lang)
    if completion.picks and not lean:
        answer.refusals = refusals_at(completion)
    return answer


def refusals_at(completion: Completion) -> list[RefusedAction]:
    """Return the actions that could begin with the whole selection but cannot be requested now."""
    decision = Decision(completion.draft._start)
    picks = set(completion.picks)
    return [one for one in decision.refused if picks <= set(one.locations) and one.action not in completion.actions]


def selection_preview(found: PartialSelection, id: int, seq: int, lang: str) -> p.PreviewResult:
    """Return what can be named in addition to a part of a set."""
    answer = _preview(found.draft, id, seq, lang, False, [])
    answer.tokens = found.words
    answer.options = [option_message(word, lang) for word in found.options]
    return answer


def fight_preview(selection: FightSelection, id: int, seq: int, lang: str) -> p.PreviewResult:
    """Return the preview of a fight with the selected attackers or blockers."""
    answer = _preview(selection.draft, id, seq, lang, False, [])
    answer.picks = selection.picks
    answer.title = draft_text.title_of(selection.draft._start, selection.picks, lang)
    if selection.attacker:
        answer.blocks = block_previews(selection)
    answer.refusal = selection.reason(lang)
    return answer


def _preview(draft: Draft, id: int, seq: int, lang: str, lean: bool, proposal: list[str] | None) -> p.PreviewResult:
    decision = draft.decision
    if decision is None:
        answer = p.PreviewResult(id, seq, draft.words, True, draft.text)
        if not lean:
            _add_results(answer, draft, lang)
        return answer
    prompt = RichText() if lean else decision.rich_prompt(lang)
    return p.PreviewResult(
        id,
        seq,
        draft.words,
        False,
        kind=decision.kind,
        prompt=prompt.text,
        spans=prompt.spans,
        options=options(decision, lang, lean),
        proposal=decision.proposal if proposal is None else proposal,
    )


def _add_results(answer: p.PreviewResult, draft: Draft, lang: str) -> None:
    """Add the results of a whole move, for people only: they take longer to compute than the move."""
    fight = draft.forecast
    answer.warnings = draft.warnings
    answer.clashes = fight.clashes
    answer.damage, answer.lethal_for = fight.damage, fight.lethal_for
    answer.results = draft_text.with_texts(draft, draft.results, lang)
    answer.summary, answer.price = draft_text.request_text(draft, lang), draft_text.cost_text(draft, lang)
