"""Whole moves: all tokens of a request, or of one choice inside an effect."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from blackpoker.errors import UnreadableText
from blackpoker.rules.engine import Engine
from blackpoker.rules.flow import CHANCE_KIND, NOTHING, PASS
from blackpoker.rules.requests import FREE, QUICK
from blackpoker.rules.state import BLOCKERS_KIND, CARDS_KIND, COST_KIND, DONE, ORDER_KIND, SHOWN_KIND, State
from blackpoker.words.tokens import MAIN_WORD, MARK_SIGNS, MARKS, QUICK_WORD, SEVERAL, word

#: kind, player, request and index in its program: the same for all tokens of one choice
AskedAt = tuple[int, int, int, int]


class Move:
    """One whole move: its player, its canonical text, and its options if it was made in a game.

    Two moves are equal if player and text are equal.

    >>> from blackpoker import Move
    >>> Move.from_text("p1: summon_soldier S5 $b1")
    Move.from_text('p1: summon_soldier S5 $b1')
    """

    __slots__ = ("options", "player", "text")

    def __init__(self, player: int | None, options: tuple[int, ...], text: str) -> None:
        self.player: int | None = player
        self.options: tuple[int, ...] = options
        self.text: str = text

    @classmethod
    def from_text(cls, text: str) -> Move:
        """Return a move from the text of a record, ``p1: end``, or without the player, ``end``. Its options are found
        when it is pushed; raise `UnreadableText` if the text has no token."""
        seat, colon, rest = text.partition(":")
        player = {"p1": 0, "p2": 1}.get(seat.strip()) if colon else None
        said = " ".join((text if player is None else rest).split())
        if not marked_words(said):
            raise UnreadableText("a move needs words", "手に言葉がありません")
        return cls(player, (), said)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.text == other.text and self.player == other.player

    def __hash__(self) -> int:
        return hash((self.player, self.text))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        seat = "" if self.player is None else f"p{self.player + 1}: "
        return f"Move.from_text({seat + self.text!r})"


def marked_words(text: str) -> list[tuple[str, str]]:
    """Return the tokens of a move, each after its mark or an empty one; a mark may be separated from its token by
    spaces. Raise `UnreadableText` for a mark without a token."""
    spaced = text.replace("→", ">")
    for mark in MARK_SIGNS:
        spaced = spaced.replace(mark, f" {mark}")
    out: list[tuple[str, str]] = []
    waiting = ""
    for part in spaced.split():
        mark = part[0] if part[0] in MARK_SIGNS else ""
        if waiting and mark:
            break
        waiting = waiting or mark
        if part != mark:
            out.append((waiting, part[len(mark) :]))
            waiting = ""
    if waiting:
        raise UnreadableText(f"nothing follows {waiting!r}", f"「{waiting}」の後に何もありません")
    return out


def place_of(s: State) -> AskedAt:
    active = s.active
    return int(s.kind), int(s.asked), -1 if active is None else int(active.id), int(s.place)


def goes_on(s: State, before: AskedAt) -> bool:
    """Return whether the move with a token at ``before`` expects another."""
    if s.draft is not None:
        return True
    if before[0] == CARDS_KIND and s.kind == SHOWN_KIND and place_of(s)[1:3] == before[1:3]:
        return True  # the visible one of the cards just named
    if before[0] not in SEVERAL or s.kind == NOTHING or place_of(s) != before:
        return False
    return s.kind != ORDER_KIND or len(s.order) > 0


def in_request(s: State) -> bool:
    """Return whether the present token belongs to an unfinished request."""
    return s.draft is not None


def cost_word(s: State) -> str:
    """Return ``main`` or ``quick`` if the new request has two costs of which only one can be paid (R-36); else an empty
    text."""
    draft = s.draft
    if draft is None or s.kind == COST_KIND or s.costs == FREE or s.rules.plans[draft.action].quick_cost is None:
        return ""
    return QUICK_WORD if s.costs == QUICK else MAIN_WORD


#: ends the text of an unfinished move
MORE: Final = "..."


class SentenceWriter:
    """Builder of a move's text, token by token. Pass each option before the push to ``add``, and the state after it to
    ``after``."""

    __slots__ = ("attacker", "blockers", "parts")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.attacker: str = ""
        self.blockers: list[str] = []  # every token, including unblocked attackers

    def copy(self) -> SentenceWriter:
        new = SentenceWriter()
        new.parts = self.parts[:]
        new.attacker = self.attacker
        new.blockers = self.blockers[:]
        return new

    def add(self, s: State, option: int) -> None:
        if s.kind == BLOCKERS_KIND:
            self._add_blocker(s, option)
        else:
            said = word(s, option)
            # A character that is driven for an action names itself: reanimate @SJ.
            self.parts.append(MARKS.get(int(s.kind), "") + (said[:-1] if said.endswith("@") else said))

    def _add_blocker(self, s: State, option: int) -> None:
        self.blockers.append(word(s, option))
        if option == DONE:
            return
        attacker = s.unit(s.blocked)
        name = word_of_attacker(s)
        if attacker is not None and name != self.attacker:
            if self.parts:
                self.parts[-1] += ";"
            self.parts.append(name + ":")
            self.attacker = name
        self.parts.append(word(s, option))

    def after(self, s: State, kind: int, option: int) -> None:
        if kind == CHANCE_KIND and option != PASS:
            cost = cost_word(s)
            if cost:
                self.parts.append(cost)

    def text(self) -> str:
        return " ".join(self.parts) or "done"

    def half_said(self) -> str:
        """Return the text of an unfinished move. For blockers every token is written: an unblocked attacker is implied
        only at the end."""
        return " ".join(self.blockers or self.parts) + " " + MORE


def word_of_attacker(s: State) -> str:
    """Return the token of the attacker that is being blocked."""
    from blackpoker.rules.names import unit_place

    attacker = s.unit(s.blocked)
    return "" if attacker is None else unit_place(s, s.owner_of(attacker.id), attacker)


def sentences(engine: Engine) -> Iterator[Move]:
    """Yield all legal moves at this decision, in the order of the options."""
    if engine.kind == NOTHING:
        return
    yield from _walk(engine, (), SentenceWriter(), int(engine.asked))


def _walk(engine: Engine, path: tuple[int, ...], wording: SentenceWriter, player: int) -> Iterator[Move]:
    before = place_of(engine)
    for option in engine.options:
        said = wording.copy()
        said.add(engine, option)
        after = engine.copy()
        after.push(option)
        said.after(after, before[0], option)
        if goes_on(after, before):
            yield from _walk(after, (*path, option), said, player)
        else:
            yield Move(player, (*path, option), said.text())


def count_sentences(engine: Engine) -> int:
    """Return the number of legal moves."""
    if engine.kind == NOTHING:
        return 0
    if in_request(engine) and engine.kind != COST_KIND and engine.word == len(engine.words) - 1:
        return len(engine.options)  # last token: each option is one move
    before = place_of(engine)
    if before[0] != CHANCE_KIND and not in_request(engine) and before[0] not in SEVERAL:
        return len(engine.options)
    total = 0
    for option in engine.options:
        if before[0] == CHANCE_KIND and option == PASS:
            total += 1
            continue
        after = engine.copy()
        after.push(option)
        total += count_sentences(after) if goes_on(after, before) else 1
    return total


def move_of(engine: Engine, options: list[int]) -> Move:
    """Return the move of these options; ``engine`` is not changed."""
    player = int(engine.asked)
    wording = SentenceWriter()
    state = engine.copy()
    for option in options:
        kind = int(state.kind)
        wording.add(state, option)
        state.push(option)
        wording.after(state, kind, option)
    return Move(player, tuple(options), wording.text())
