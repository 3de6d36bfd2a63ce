"""Parser of moves: every written form of a move, as the options it means.

The canonical form is ASCII and is made by ``words.moves``. The parser searches for all moves that fit the text among
the tokens the engine offers: no result is an illegal move, several are an ambiguous one.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from blackpoker.engine.cards import card_set, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, NOTHING, PASS, TRIGGER_KIND
from blackpoker.engine.key_cards import has_keys
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.request_builder import list_targets
from blackpoker.engine.state import (
    ATTACKER,
    ATTACKERS_KIND,
    BLOCKERS_KIND,
    CARDS_KIND,
    COST_KIND,
    DONE,
    ORDER_KIND,
    RETARGET_KIND,
    SHOWN_KIND,
    TARGET_KIND,
    TRUMPS_KIND,
    Unit,
)
from blackpoker.engine.tables import AIM_OPPONENT, RARE, CompiledAction
from blackpoker.errors import AmbiguousMove, IllegalMove, UnreadableText
from blackpoker.notation.display import (
    MAX_NAME_WORDS,
    actions_by_name,
    canonical_token,
    is_token,
    normalize_name,
    similar_tokens,
)
from blackpoker.notation.limits import MOST_MOVE, checked_text, fold, quoted, shown
from blackpoker.notation.move import (
    Move,
    blocked_attacker,
    decision_key,
    expects_more,
    implied_cost,
    is_drafting,
    move_of,
    split_tokens,
)
from blackpoker.notation.options import (
    DONE_TOKEN,
    MAIN_TOKEN,
    MULTI_CHOICE_KINDS,
    PASS_TOKEN,
    QUICK_TOKEN,
    TOKEN_MARKS,
    option_token,
    owner_of,
    soldier_of,
)
from blackpoker.notation.refusals import refusal_of_target, unit_named
from blackpoker.ruleset import edition_of
from blackpoker.text import refusals as reasons

#: limits of the search: results and steps
MOST_CANDIDATES: Final = 9
MOST_STEPS: Final = 4000
MOST_WORDS: Final = 80


class Token:
    """A token of a move: its mark and its text without the mark."""

    __slots__ = ("mark", "text")

    def __init__(self, mark: str, text: str) -> None:
        self.mark: str = mark
        self.text: str = text

    def __repr__(self) -> str:
        return self.mark + self.text


# -- splitting ---------------------------------------------------------------------------------------------------------


def _tokens(text: str) -> list[Token]:
    """Return the tokens with their marks; a mark may be separated from its token by spaces."""
    out = [Token(mark, canonical_token(bare)) for mark, bare in split_tokens(text)]
    if len(out) > MOST_WORDS:
        raise UnreadableText(f"a move has at most {MOST_WORDS} words", f"手は{MOST_WORDS}語までです")
    return out


def _action(engine: Engine, tokens: list[Token]) -> tuple[str, int]:
    """Return the action the first tokens name, and the number of those tokens; an empty text if there is none."""
    by_name = actions_by_name(edition_of(engine.rules))
    for size in range(min(MAX_NAME_WORDS, len(tokens)), 0, -1):
        head = tokens[:size]
        if any(token.mark for token in head):
            continue
        found = by_name.get(normalize_name("".join(token.text for token in head)))
        if found is not None:
            return found, size
    return "", 0


# -- matching ----------------------------------------------------------------------------------------------------------


def _match_quality(engine: Engine, option: int, text: str) -> int:
    """Return how well a text matches an option: 0 not at all, 1 with parts omitted, 2 exactly.

    Only a unit or a trump can be named with or without its side, and only a soldier by another of its cards.
    """
    canonical = option_token(engine, option)
    if text == canonical:
        return 2
    owner = owner_of(engine, option)
    if owner < 0:
        return 0
    side, dot, rest = text.partition(".")
    if dot and side != PLAYERS[owner]:
        return 0
    bare = rest if dot else text
    if bare == canonical.rpartition(".")[2]:
        return 2 if dot else 1
    soldier = soldier_of(engine, option)
    card = parse_card(bare)
    return 1 if soldier is not None and card >= 0 and soldier.cards >> card & 1 else 0


def _matching(engine: Engine, token: Token) -> list[int]:
    """Return the options a token may mean: the exact matches if there are any. A token with a wrong mark matches
    none."""
    best = 0
    mark = TOKEN_MARKS.get(int(engine.kind), "")
    if token.mark != mark and not (token.mark == ">" and engine.kind == RETARGET_KIND):
        return []
    out: list[int] = []
    for option in engine.options:
        fit = _match_quality(engine, option, token.text)
        if fit > best:
            best = fit
            out = [option]
        elif fit and fit == best:
            out.append(option)
    return out


class _Search:
    """Search for all moves with given tokens."""

    def __init__(self) -> None:
        self.found: list[list[int]] = []
        self.steps = 0

    def full(self) -> bool:
        return len(self.found) >= MOST_CANDIDATES or self.steps >= MOST_STEPS

    # -- a request

    def request(self, engine: Engine, tokens: list[Token], path: list[int]) -> None:
        """Complete the unfinished request, using every token."""
        if self.full():
            return
        kind = engine.kind
        mark = TOKEN_MARKS.get(int(kind), "")
        if kind == COST_KIND:
            self.cost(engine, tokens, path)
            return
        matching = [token for token in tokens if token.mark == mark]
        if kind == SHOWN_KIND and not matching:  # the default
            self.advance(engine, engine.options[-1], tokens, path)
            return
        expected = tokens_left(engine, mark)
        if len(matching) > expected:
            return
        optional = len(matching) < expected
        named_options: dict[int, Token] = {}
        for token in matching:
            for option in _matching(engine, token):
                named_options.setdefault(option, token)
        for option in engine.options:
            if option in named_options:
                token_used = named_options[option]
                self.advance(engine, option, [token for token in tokens if token is not token_used], path)
            elif optional:
                self.advance(engine, option, tokens, path)

    def cost(self, engine: Engine, tokens: list[Token], path: list[int]) -> None:
        named = [token for token in tokens if token.mark == "" and token.text in (MAIN_TOKEN, QUICK_TOKEN)]
        for option in engine.options:
            if not named or option_token(engine, option) == named[0].text:
                self.advance(engine, option, [token for token in tokens if token not in named[:1]], path)

    def advance(self, engine: Engine, option: int, tokens: list[Token], path: list[int]) -> None:
        if self.full():
            return
        self.steps += 1
        after = engine.copy()
        after.push(option)
        if after.draft is not None:
            self.request(after, tokens, [*path, option])
        elif not tokens:
            self.found.append([*path, option])

    # -- a choice inside an effect

    def choice(self, engine: Engine, tokens: list[Token], path: list[int]) -> None:
        if self.full():
            return
        if not tokens:
            if engine.kind == SHOWN_KIND:  # the default
                self.choose(engine, engine.options[-1], [], path)
            elif DONE in engine.options and engine.kind in MULTI_CHOICE_KINDS:
                self.choose(engine, DONE, [], path)
            else:
                for option in engine.options:
                    self.choose(engine, option, [], path)
            return
        if engine.kind in (ORDER_KIND, TRUMPS_KIND) or engine.kind not in MULTI_CHOICE_KINDS:
            for option in _matching(engine, tokens[0]):
                self.choose(engine, option, tokens[1:], path)
            return
        named: dict[int, Token] = {}
        for token in tokens:
            for option in _matching(engine, token):
                named.setdefault(option, token)
        for option in engine.options:
            if option in named:
                token_used = named[option]
                self.choose(engine, option, [token for token in tokens if token is not token_used], path)
                if engine.kind == CARDS_KIND:
                    return  # cards are named in ascending order

    def choose(self, engine: Engine, option: int, tokens: list[Token], path: list[int]) -> None:
        if self.full():
            return
        self.steps += 1
        before = decision_key(engine)
        after = engine.copy()
        after.push(option)
        if expects_more(after, before):
            # Each set has one canonical order: an element that is no longer offered will not be offered again.
            if DONE in after.options and any(
                not _matching(after, token) for token in tokens if repr(token) != DONE_TOKEN
            ):
                return
            self.choice(after, tokens, [*path, option])
            return
        if before[0] == ORDER_KIND and len(tokens) == 1:
            # The last element of an order is implied, but may be written.
            others = [other for other in engine.options if other != option]
            if len(others) == 1 and others[0] in _matching(engine, tokens[0]):
                tokens = []
        if before[0] in MULTI_CHOICE_KINDS and len(tokens) == 1 and repr(tokens[0]) == DONE_TOKEN:
            tokens = []
        if not tokens:
            self.found.append([*path, option])
        elif after.active is not None and decision_key(after)[:3] == before[:3]:
            # The same effect asks again: Black Jack's two cards may be written in one line.
            self.choice(after, tokens, [*path, option])

    # -- blockers

    def blockers(self, engine: Engine, groups: list[tuple[str, list[Token]]], path: list[int]) -> None:
        """Assign blockers attacker by attacker; attackers not named stay unblocked."""
        if self.full():
            return
        attacker = blocked_attacker(engine)
        index = next((i for i, (name, _) in enumerate(groups) if _is_attacker_name(engine, name, attacker)), -1)
        if index < 0:
            self.block(engine, DONE, groups, path)
            return
        name, tokens = groups[index]
        rest = groups[:index] + groups[index + 1 :]
        if not tokens:
            self.block(engine, DONE, rest, path)
            return
        for option in engine.options:
            for token in tokens:
                if option in _matching(engine, token):
                    remaining = [other for other in tokens if other is not token]
                    self.block(engine, option, [(name, remaining), *rest] if remaining else rest, path)
                    break

    def block(self, engine: Engine, option: int, groups: list[tuple[str, list[Token]]], path: list[int]) -> None:
        self.steps += 1
        before = decision_key(engine)
        after = engine.copy()
        after.push(option)
        if expects_more(after, before):
            self.blockers(after, groups, [*path, option])
        elif not groups:
            self.found.append([*path, option])


def _is_attacker_name(engine: Engine, name: str, attacker: str) -> bool:
    """Return whether the name before a colon is the present attacker."""
    if name == attacker:
        return True
    side, dot, rest = name.partition(".")
    unit = engine.unit(engine.blocked)
    if unit is None:
        return False
    if dot and side in PLAYERS:
        if PLAYERS[engine.owner_of(unit.id)] != side:
            return False
        name = rest
    card = parse_card(name)
    return card >= 0 and bool(unit.cards >> card & 1)


def tokens_left(engine: Engine, mark: str) -> int:
    """Return the number of tokens with this mark that the request still expects."""
    n = 0
    kinds = {"": (2,), "@": (1,), "$": (3, 4, 5), ">": (6,), "^": (7,)}[mark]  # WORD_KEY, WORD_SOURCE, payments, …
    index = int(engine.token_index)
    while index < len(engine.tokens):
        if engine.tokens[index] in kinds:
            n += 1
        index += 1
    return n


# -- reading -----------------------------------------------------------------------------------------------------------


def parse_move(engine: Engine, text: str, player: int | None = None) -> Move:
    """Return the move this text means at the present decision, for ``player`` if given. Raise `UnreadableText`,
    `IllegalMove` or `AmbiguousMove`."""
    text = unicodedata.normalize("NFKC", checked_text(text, MOST_MOVE, "a move", "手")).strip()
    if not text:
        raise UnreadableText("the move is empty", "手が書かれていません")
    seat = int(engine.asked) if player is None else player
    if engine.kind == NOTHING:
        raise _illegal(text, reasons.GAME_OVER)
    tokens = _tokens(text)
    action, size = _action(engine, tokens)
    if engine.kind == BLOCKERS_KIND and seat == engine.asked:
        return _parse_blockers(engine, text)
    _check_tokens(engine, tokens[size:])
    if engine.kind == CHANCE_KIND or seat != engine.asked:
        return _parse_request(engine, text, tokens, action, size, seat)
    search = _Search()
    if is_drafting(engine):
        search.request(engine, tokens, [])
        if not search.found:
            raise _illegal(text, _token_refusal(engine, tokens))
    else:
        if engine.kind == TRIGGER_KIND:
            tokens = [_trigger_token(engine, text)]
        search.choice(engine, tokens, [])
        if not search.found and action and engine.kind != TRIGGER_KIND:
            raise _illegal(text, reasons.CHOICE_FIRST)
        if engine.kind == ATTACKERS_KIND:
            return _single_move(engine, text, search, _attack_refusal(engine, tokens))
        if engine.kind == RETARGET_KIND:
            return _single_move(engine, text, search, reasons.NEW_TARGET_MISFIT)
        return _single_move(engine, text, search, _choice_refusal(engine, tokens))
    return _single_move(engine, text, search)


def _check_tokens(engine: Engine, tokens: list[Token]) -> None:
    """Raise `UnreadableText` for a token the notation does not have: a misspelling is never an illegal move."""
    for token in tokens:
        if not is_token(token.text, edition_of(engine.rules)):
            raise _unknown_token(engine, token.text)


def _unknown_token(engine: Engine, text: str) -> UnreadableText:
    similar = similar_tokens(text, edition_of(engine.rules))
    hint, hint_ja = (
        (f"; did you mean {' or '.join(similar)}?", f"（もしかして：{'、'.join(similar)}）") if similar else ("", "")
    )
    return UnreadableText(f"{quoted(text)} is no word here{hint}", f"{quoted(text)} は読めません{hint_ja}")


def _parse_blockers(engine: Engine, text: str) -> Move:
    groups = _groups(text)
    for name, tokens in groups:
        _check_tokens(engine, [Token("", name), *tokens])
    search = _Search()
    search.blockers(engine, groups, [])
    return _single_move(engine, text, search, _block_refusal(engine, groups))


def _parse_request(engine: Engine, text: str, tokens: list[Token], action: str, size: int, seat: int) -> Move:
    if len(tokens) == 1 and repr(tokens[0]) == PASS_TOKEN:
        refused = reasons.why_not_pass(engine, seat)
        if refused is not None:
            raise _illegal(text, refused)
        return Move(PLAYERS[seat], (PASS,), PASS_TOKEN)
    if not action:
        if seat != engine.asked:
            raise _illegal(text, reasons.OTHER_ASKED)
        raise UnreadableText(
            f"{quoted(text)} begins with no action; known are pass, {', '.join(_offered(engine))} …",
            f"{quoted(text)} はアクションの名前で始まっていません",
        )
    arguments = tokens[size:]
    if any(token.mark == "@" for token in arguments) and any(plan.id == action + "@" for plan in engine.rules.plans):
        action += "@"  # a character is driven for an action that normally takes keys
    refused = reasons.why_not(engine, seat, action)
    if refused is not None:
        raise _illegal(text, refused)
    index = next(plan.index for plan in engine.rules.plans if plan.id == action)
    start = engine.copy()
    start.push(index + 1)
    arguments = _without_implied(start, engine.rules.plans[index], arguments, seat, text)
    search = _Search()
    if start.draft is None:
        if not arguments:
            search.found.append([index + 1])
    elif not _target_impossible(start, arguments):
        search.request(start, arguments, [index + 1])
    if not search.found:
        raise _illegal(text, _token_refusal(start, arguments))
    return _single_move(engine, text, search)


def _without_implied(start: Engine, plan: CompiledAction, tokens: list[Token], seat: int, text: str) -> list[Token]:
    """Return the tokens left to choose. The opponent as the only target and the only cost are implied, and may be
    written."""
    if plan.aim == AIM_OPPONENT:
        target = next((token for token in tokens if token.mark == ">"), None)
        if target is not None and target.text == PLAYERS[1 - seat]:
            tokens = [token for token in tokens if token is not target]
    cost = implied_cost(start)
    if cost:
        named = [token for token in tokens if token.mark == "" and token.text in (MAIN_TOKEN, QUICK_TOKEN)]
        if named and named[0].text != cost:
            raise _illegal(text, reasons.COST_MISFIT)
        tokens = [token for token in tokens if token not in named[:1]]
    return tokens


def _target_impossible(start: Engine, tokens: list[Token]) -> bool:
    """Return whether a named target is impossible with any key and payment: then the search is skipped."""
    draft = start.draft
    targets = [token for token in tokens if token.mark == ">"]
    if draft is None or not targets:
        return False
    plan = start.rules.plans[draft.action]
    options: list[int] = []
    list_targets(start, plan, draft.controller, start.sides[draft.controller].hand & plan.key_a | plan.virtual, options)
    trial = start.copy()
    trial.kind = TARGET_KIND
    trial.options = options
    return any(not _matching(trial, token) for token in targets)


def _trigger_token(engine: Engine, text: str) -> Token:
    """Return the action's id or name, and the number of one of several such triggers: ``riot/2``."""
    name, slash, number = text.partition("/")
    by_name = actions_by_name(edition_of(engine.rules))
    return Token("", by_name.get(normalize_name(name), fold(name.strip())) + slash + number.strip())


def _offered(engine: Engine) -> list[str]:
    return [option_token(engine, option) for option in engine.options if option != PASS][:8]


def _single_move(engine: Engine, text: str, search: _Search, refusal: reasons.Refusal = reasons.OPTION_MISFIT) -> Move:
    if not search.found:
        raise _illegal(text, refusal)
    if len(search.found) > 1:
        raise AmbiguousMove(text, [move_of(engine, found).text for found in search.found])
    return move_of(engine, search.found[0])


def _groups(text: str) -> list[tuple[str, list[Token]]]:
    """Return ``S8: H4 H5; H6: b1`` as attackers with their blockers; raise `UnreadableText` for any other form."""
    if canonical_token(text.strip()) == DONE_TOKEN:
        return []
    out: list[tuple[str, list[Token]]] = []
    for part in text.split(";"):
        if not part.strip() or canonical_token(part.strip()) == DONE_TOKEN:
            continue
        name, colon, blockers_text = part.partition(":")
        if not colon:
            raise UnreadableText(
                f"{quoted(part.strip())}: blockers are written attacker by attacker, S8: H4 H5; H6: b1",
                f"{quoted(part.strip())}：ブロッカーはアタッカーごとに S8: H4 H5; H6: b1 のように書きます",
            )
        blockers = [token for token in _tokens(blockers_text) if repr(token) != DONE_TOKEN]
        out.append((canonical_token(name.strip()), blockers))
    if len(out) > MOST_WORDS or len({name for name, _ in out}) != len(out):
        raise UnreadableText("an attacker is named twice", "同じアタッカーが2回書かれています")
    return out


def _illegal(text: str, reason: reasons.Refusal) -> IllegalMove:
    return IllegalMove(reason.en, reason.ja, reason.ruling, shown(text))


# -- why not -----------------------------------------------------------------------------------------------------------


def _token_refusal(start: Engine, tokens: list[Token]) -> reasons.Refusal:
    """Return the refusal for the first group of tokens that does not fit."""
    keys, payments, targets, sources, shown = (
        [token for token in tokens if token.mark == mark] for mark in ("", "$", ">", "@", "^")
    )
    if {token.text for token in keys} & {token.text for token in payments}:
        return reasons.KEY_AND_PAYMENT
    if start.draft is None:
        return reasons.KEY_MISFIT if keys else reasons.PAYMENT_MISFIT if payments else reasons.TARGET_MISFIT
    so_far: list[Token] = []
    groups = (
        (sources, reasons.SOURCE_MISFIT),
        (keys, reasons.KEY_MISFIT),
        (payments, _payment_refusal(payments)),
        (shown, reasons.SHOWN_MISFIT),
    )
    for group, reason in groups:
        so_far += group
        if group and not _is_possible(start, so_far):
            # Valid keys of the action, but not with any present target (装備 needs a soldier of the key's suit).
            return reasons.TARGET_MISFIT if group is keys and _are_keys(start, keys) else reason
    return refusal_of_target(start, targets[0].text) if targets else reasons.TARGET_MISFIT


def _are_keys(start: Engine, keys: list[Token]) -> bool:
    draft = start.draft
    cards = [parse_card(token.text) for token in keys]
    if draft is None or any(card < 0 for card in cards):
        return False
    mask = card_set(cards)
    plan = start.rules.plans[draft.action]
    side = start.sides[draft.controller]
    held = side.rare if plan.key == RARE else side.hand
    return mask & ~held == 0 and len(cards) == plan.key_count and has_keys(plan, mask)


def _is_possible(start: Engine, tokens: list[Token]) -> bool:
    search = _Search()
    search.request(start, tokens, [])
    return bool(search.found) or search.steps >= MOST_STEPS


def _attack_refusal(engine: Engine, tokens: list[Token]) -> reasons.Refusal:
    """Return why the named soldiers cannot be the attackers."""
    named: list[Unit] = []
    for token in tokens:
        if token.text != DONE_TOKEN:
            unit = unit_named(engine, token.text)
            if unit is None:
                return reasons.NO_SOLDIER
            named.append(unit)
    return reasons.why_not_attackers(engine, engine.asked, named) or reasons.CHOICE_MISFIT


def _choice_refusal(engine: Engine, tokens: list[Token]) -> reasons.Refusal:
    """Return why the effect does not offer the choice: possibly only the card to be shown is wrong (R-211)."""
    others = [token for token in tokens if token.mark != "^"]
    if engine.kind == SHOWN_KIND or (others and len(others) < len(tokens) and _can_choose(engine, others)):
        return reasons.SHOWN_MISFIT
    return reasons.CHOICE_MISFIT


def _can_choose(engine: Engine, tokens: list[Token]) -> bool:
    search = _Search()
    search.choice(engine, tokens, [])
    return bool(search.found)


def _block_refusal(engine: Engine, groups: list[tuple[str, list[Token]]]) -> reasons.Refusal:
    """Return why the named characters cannot block in this way."""
    attackers = [unit for unit in engine.sides[1 - engine.asked].soldiers if unit.role == ATTACKER]
    named: list[list[Unit]] = []
    for name, tokens in groups:
        attacker = unit_named(engine, name, 1 - int(engine.asked))
        if attacker is None or attacker not in attackers:
            return reasons.NO_ATTACKER
        units = [unit_named(engine, token.text) for token in tokens]
        named.append([unit for unit in units if unit is not None])
        if len(named[-1]) != len(units):
            return reasons.NO_BLOCKER
    return reasons.why_not_blockers(engine, engine.asked, named) or reasons.CHOICE_MISFIT


def _payment_refusal(payments: list[Token]) -> reasons.Refusal:
    cards = [token for token in payments if parse_card(token.text) >= 0]
    return reasons.DISCARD_MISFIT if cards and len(cards) == len(payments) else reasons.PAYMENT_MISFIT
