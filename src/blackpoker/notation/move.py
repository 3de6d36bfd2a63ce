"""Whole moves: all tokens of a request, or of one choice inside an effect."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, factorial
from typing import Any, Final

from blackpoker.definitions import literals
from blackpoker.definitions.values import Words
from blackpoker.engine.cards import count, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import CHANCE_KIND, NOTHING, PASS
from blackpoker.engine.legality import NONE, blocker_obstacle
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.request_builder import FREE, QUICK
from blackpoker.engine.setup import MIN_LIFE
from blackpoker.engine.state import (
    ATTACKER,
    BLOCKERS_KIND,
    CARDS_KIND,
    COST_KIND,
    DONE,
    ORDER_KIND,
    ROW_CODE,
    SHOWN_KIND,
    SIDE_CODE,
    TRUMPS_KIND,
    State,
)
from blackpoker.engine.views import Player
from blackpoker.errors import IllegalMove, UnreadableText, refuse_subclass
from blackpoker.notation.options import (
    DONE_TOKEN,
    MAIN_TOKEN,
    MARK_SIGNS,
    MULTI_CHOICE_KINDS,
    PASS_TOKEN,
    QUICK_TOKEN,
    TOKEN_MARKS,
    option_token,
)

#: words that answer a choice inside an effect, and a pass
_CHOICE_WORDS: Final = frozenset(
    (
        PASS_TOKEN,
        DONE_TOKEN,
        "deck",
        *[word for thing in vars(literals).values() if isinstance(thing, Words) for word in thing.words],
    )
)

#: kind, player, request and index in its program: the same for all tokens of one choice
DecisionKey = tuple[int, int, int, int]


class Move:
    """One whole move: its player, its canonical text and the parts of it, and its options if it was made in a game.

    Two moves are equal if player and text are equal.

    >>> from blackpoker import Move
    >>> move = Move.from_text("p1: up H3 $C9 >p2.S5")
    >>> move
    Move.from_text('p1: up H3 $C9 >p2.S5')
    >>> move.action, move.keys, move.payment, move.targets
    ('up', ('H3',), ('C9',), ('p2.S5',))
    """

    __slots__ = ("_action", "_options", "_player", "_text")

    def __init__(self, player: Player | None, options: tuple[int, ...], text: str, action: str | None = None) -> None:
        self._player: Player | None = player
        self._options: tuple[int, ...] = options
        self._text: str = text
        self._action: str | None = action

    def __init_subclass__(cls) -> None:
        refuse_subclass("Move")

    @classmethod
    def from_text(cls, text: str) -> Move:
        """Return a move from the text of a record, ``p1: end``, or without the player, ``end``. Its options are found
        when it is pushed; raise `UnreadableText` if the text has no token."""
        seat, colon, rest = text.partition(":")
        player = {"p1": Player.P1, "p2": Player.P2}.get(seat.strip()) if colon else None
        canonical = " ".join((text if player is None else rest).split())
        tokens = split_tokens(canonical)
        if not tokens:
            raise UnreadableText("a move needs words", "手に言葉がありません")
        return cls(player, (), canonical, tokens[0][1] if _names_action(tokens[0]) else None)

    @property
    def player(self) -> Player | None:
        """Return the player who moves; None in a text without a player."""
        return self._player

    @property
    def options(self) -> tuple[int, ...]:
        """Return the engine's options; empty if the move was made from a text."""
        return self._options

    @property
    def text(self) -> str:
        """Return the canonical text, as records write it."""
        return self._text

    @property
    def action(self) -> str | None:
        """Return the id of the requested action; None for a pass and for a choice inside an effect."""
        return self._action

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys of the request: ``("S7",)``."""
        return tuple([word for word in self._parts("") if word not in (MAIN_TOKEN, QUICK_TOKEN)])

    @property
    def source(self) -> str | None:
        """Return the soldier that causes the request, ``@`` in the text; None if there is none."""
        found = self._parts("@")
        return found[0] if found else None

    @property
    def payment(self) -> tuple[str, ...]:
        """Return what the request is paid with by choice, ``$`` in the text: bulwarks, discards, sacrifices."""
        return tuple(self._parts("$"))

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the targets of the request, ``>`` in the text: ``("p2.S5",)``."""
        return tuple(self._parts(">"))

    @property
    def choices(self) -> tuple[str, ...]:
        """Return the tokens of a choice inside an effect; empty for a request and for a pass."""
        if self._action is not None or self._text == PASS_TOKEN:
            return ()
        return tuple(self._text.split())

    def _parts(self, mark: str) -> list[str]:
        """Return the tokens of the request after its action that have this mark."""
        if self._action is None:
            return []
        return [word for before, word in split_tokens(self._text)[1:] if before == mark]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self._text == other._text and self._player == other._player

    def __hash__(self) -> int:
        return hash((self._player, self._text))

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self._player, self._options, self._text, self._action)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        seat = "" if self.player is None else f"{self.player}: "
        return f"Move.from_text({seat + self.text!r})"


def _names_action(token: tuple[str, str]) -> bool:
    """Return whether the first token of a text can only be an action: an id, no card, location or word of a choice."""
    mark, word = token
    letters = word.replace("_", "")
    return not mark and len(word) > 1 and letters.isalpha() and parse_card(word) < 0 and word not in _CHOICE_WORDS


def split_tokens(text: str) -> list[tuple[str, str]]:
    """Return the tokens of a move, each after its mark or an empty one; a mark may be separated from its token by
    spaces. Raise `UnreadableText` for a mark without a token."""
    spaced = text.replace("→", ">")
    for mark in MARK_SIGNS:
        spaced = spaced.replace(mark, f" {mark}")
    out: list[tuple[str, str]] = []
    mark_before = ""
    for part in spaced.split():
        mark = part[0] if part[0] in MARK_SIGNS else ""
        if mark_before and mark:
            break
        mark_before = mark_before or mark
        if part != mark:
            out.append((mark_before, part[len(mark) :]))
            mark_before = ""
    if mark_before:
        raise UnreadableText(f"nothing follows {mark_before!r}", f"「{mark_before}」の後に何もありません")
    return out


def decision_key(s: State) -> DecisionKey:
    active = s.active
    return int(s.kind), int(s.asked), -1 if active is None else int(active.id), int(s.pc)


def expects_more(s: State, before: DecisionKey) -> bool:
    """Return whether the move with a token at ``before`` expects another."""
    if s.draft is not None:
        return True
    if before[0] == CARDS_KIND and s.kind == SHOWN_KIND and decision_key(s)[1:3] == before[1:3]:
        return True  # the visible one of the cards just named
    if before[0] not in MULTI_CHOICE_KINDS or s.kind == NOTHING or decision_key(s) != before:
        return False
    return s.kind != ORDER_KIND or len(s.order) > 0


def is_drafting(s: State) -> bool:
    """Return whether the present token belongs to an unfinished request."""
    return s.draft is not None


def implied_cost(s: State) -> str:
    """Return ``main`` or ``quick`` if the new request has two costs of which only one can be paid (R-36); else an empty
    text."""
    draft = s.draft
    if draft is None or s.kind == COST_KIND or s.costs == FREE or s.rules.plans[draft.action].quick_cost is None:
        return ""
    return QUICK_TOKEN if s.costs == QUICK else MAIN_TOKEN


#: ends the text of an unfinished move
ELLIPSIS: Final = "..."


class MoveWriter:
    """Builder of a move's text, token by token."""

    __slots__ = ("attacker", "blockers", "parts")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.attacker: str = ""
        self.blockers: list[str] = []  # every token, including unblocked attackers

    def copy(self) -> MoveWriter:
        new = MoveWriter()
        new.parts = self.parts[:]
        new.attacker = self.attacker
        new.blockers = self.blockers[:]
        return new

    def push(self, engine: Engine, option: int) -> bool:
        """Push an option and append its token. Return whether the move expects another."""
        before = decision_key(engine)
        self._add(engine, option)
        engine.push(option)
        if before[0] == CHANCE_KIND and option != PASS:
            cost = implied_cost(engine)
            if cost:
                self.parts.append(cost)
        return expects_more(engine, before)

    def _add(self, s: State, option: int) -> None:
        if s.kind == BLOCKERS_KIND:
            self._add_blocker(s, option)
        else:
            token = option_token(s, option)
            # A character that is driven for an action names itself: reanimate @SJ.
            self.parts.append(TOKEN_MARKS.get(int(s.kind), "") + (token[:-1] if token.endswith("@") else token))

    def _add_blocker(self, s: State, option: int) -> None:
        self.blockers.append(option_token(s, option))
        if option == DONE:
            return
        attacker = s.unit(s.blocked)
        name = blocked_attacker(s)
        if attacker is not None and name != self.attacker:
            if self.parts:
                self.parts[-1] += ";"
            self.parts.append(name + ":")
            self.attacker = name
        self.parts.append(option_token(s, option))

    def text(self) -> str:
        return " ".join(self.parts) or "done"

    def partial_text(self) -> str:
        """Return the text of an unfinished move. For blockers every token is written: an unblocked attacker is implied
        only at the end."""
        return " ".join(self.blockers or self.parts) + " " + ELLIPSIS


def blocked_attacker(s: State) -> str:
    """Return the token of the attacker that is being blocked."""
    from blackpoker.engine.locations import unit_location

    attacker = s.unit(s.blocked)
    return "" if attacker is None else unit_location(s, s.owner_of(attacker.id), attacker)


def legal_moves(engine: Engine) -> Iterator[Move]:
    """Yield all legal moves at this decision, in the order of the options."""
    if engine.kind == NOTHING:
        return
    yield from _extend(engine, (), MoveWriter(), PLAYERS[engine.asked], None)


def action_of_option(s: State, option: int) -> str | None:
    """Return the action requested by an option of the present decision; None if it requests none."""
    return s.rules.plans[option - 1].id if s.kind == CHANCE_KIND and option != PASS else None


def _extend(
    engine: Engine, path: tuple[int, ...], writer: MoveWriter, player: Player, action: str | None
) -> Iterator[Move]:
    for option in engine.options:
        next_writer = writer.copy()
        requested = action_of_option(engine, option) if not path else action
        after = engine.copy()
        if next_writer.push(after, option):
            yield from _extend(after, (*path, option), next_writer, player, requested)
        else:
            yield Move(player, (*path, option), next_writer.text(), requested)


#: a choice as far as the number of its completions depends on it: kind, tokens so far, options
CountKey = tuple[int, int, tuple[int, ...]]


def count_moves(engine: Engine) -> int:
    """Return the number of legal moves, exact and without creating them: it may be larger than any list."""
    if engine.kind == NOTHING:
        return 0
    return _count(engine, 0, {})


def _count(engine: Engine, depth: int, known: dict[CountKey, int]) -> int:
    """Return the number of ways to complete the move after ``depth`` tokens. Sets are named in one order, so that the
    remaining options and the number of tokens determine it: ``known`` holds the numbers found."""
    kind = int(engine.kind)
    drafted = is_drafting(engine)
    if drafted and kind != COST_KIND and engine.token_index == len(engine.tokens) - 1:
        return len(engine.options)  # last token: each option is one move
    if kind != CHANCE_KIND and not drafted:
        if kind not in MULTI_CHOICE_KINDS:
            return len(engine.options)
        if kind == ORDER_KIND:
            left = [option for option in engine.options if option != DONE]
            return factorial(len(left)) + len(engine.options) - len(left)
        if kind == BLOCKERS_KIND:
            return _count_blocks(engine)
        if kind == TRUMPS_KIND:
            return _count_trumps(engine)
    key: CountKey = (kind, depth, tuple(engine.options))
    is_set = not drafted and kind != CHANCE_KIND
    if is_set and key in known:
        return known[key]
    before = decision_key(engine)
    total = 0
    for option in engine.options:
        if kind == CHANCE_KIND and option == PASS:
            total += 1
            continue
        after = engine.copy()
        after.push(option)
        total += _count(after, depth + 1, known) if expects_more(after, before) else 1
    if is_set:
        known[key] = total
    return total


def _count_trumps(engine: Engine) -> int:
    """Return the number of ordered choices of trumps at set-up (R-100): each pick but the last may be ``done``."""
    side = engine.sides[engine.asked]
    picked = count(side.picked)
    cards = len(side.life) - picked
    most = int(min(engine.rules.most_trumps - picked, cards - engine.rules.starting_hand - MIN_LIFE - engine.preset))
    total = 1
    for later in range(most):  # picks after this one
        total = 1 + (cards - most + 1 + later) * total
    return int(total)


def _count_blocks(engine: Engine) -> int:
    """Return the number of assignments of blockers (R-62): for each attacker none, one bulwark, or some soldiers."""
    attackers = 0
    for side in engine.sides:
        for unit in side.soldiers:
            attackers += unit.role == ATTACKER
    done = 1  # the present attacker and those before it
    for unit in engine.sides[1 - engine.asked].soldiers:
        if unit.id == engine.blocked:
            break
        done += unit.role == ATTACKER
    defending = engine.sides[engine.asked]
    soldiers = 0
    for unit in defending.soldiers:
        soldiers += blocker_obstacle(unit, False, 0) == NONE
    bulwarks = 0
    for unit in defending.bulwarks:
        bulwarks += blocker_obstacle(unit, True, 0) == NONE
    rows = [option for option in engine.options if option != DONE and option % SIDE_CODE >= ROW_CODE]
    offered = len(engine.options) - 1 - len(rows)
    known: dict[tuple[int, int, int], int] = {}
    rest = attackers - done
    total = len(rows) * _assignments(rest, soldiers, bulwarks - 1, known) if rows else 0
    for chosen in range(offered + 1):
        total += comb(offered, chosen) * _assignments(rest, soldiers - chosen, bulwarks, known)
    return total


def _assignments(attackers: int, soldiers: int, bulwarks: int, known: dict[tuple[int, int, int], int]) -> int:
    """Return the number of assignments of free blockers to this many attackers."""
    if attackers <= 0:
        return 1
    key = (attackers, soldiers, bulwarks)
    if key in known:
        return known[key]
    total = bulwarks * _assignments(attackers - 1, soldiers, bulwarks - 1, known) if bulwarks else 0
    for chosen in range(soldiers + 1):
        total += comb(soldiers, chosen) * _assignments(attackers - 1, soldiers - chosen, bulwarks, known)
    known[key] = total
    return total


def move_of(engine: Engine, options: list[int]) -> Move:
    """Return the move of these options; ``engine`` is not changed. Raise `IllegalMove` for one that is not offered."""
    player = PLAYERS[engine.asked]
    writer = MoveWriter()
    state = engine.copy()
    for option in options:
        if option not in state.options:
            raise IllegalMove(f"option {option} is not offered", f"選択肢{option}はありません")
        writer.push(state, option)
    action = action_of_option(engine, options[0]) if options else None
    return Move(player, tuple(options), writer.text(), action)
