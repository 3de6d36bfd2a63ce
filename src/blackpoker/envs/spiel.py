"""OpenSpiel: ``pyspiel.load_game("python_blackpoker(regulation=lite+entry)")``, with explicit chance nodes.

A shuffle is a sequence of chance nodes, one per card from the top of the pile: every order is equally likely, and
states can be cloned. Information states have perfect recall: all events visible to the seat, its own choices, and the
current observation.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel

from blackpoker.engine import events as ev
from blackpoker.engine.cards import BIT, CARDS, NAMES, members
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import DRAW
from blackpoker.engine.observation import CARD, option_type
from blackpoker.engine.shuffler import Shuffler
from blackpoker.engine.visibility import Report, known_to, seen, sees
from blackpoker.envs.layout import OPTIONS, SIZE
from blackpoker.envs.recall import DIGEST, LINE, LINES, MEMORY_SIZE, encode_memory
from blackpoker.native.batch import observed
from blackpoker.native.stepper import A_SHUFFLE, OVER, NativeGame, TooLarge, native_start
from blackpoker.notation.options import option_token
from blackpoker.ruleset import new_game, read_decks, read_regulation

#: owner of a pile while a deck is being made
NO_PLAYER: Final = -1
_CHANCE_PLAYER: Final = A_SHUFFLE
_TERMINAL: Final = OVER
_MOST_DECISIONS: Final = 100_000
#: probabilities of n equally likely cards, by n
_EQUAL: Final = [(1.0 / max(1, n),) * n for n in range(CARDS + 1)]
#: attempts of resampling to exchange the opponent's cards, each time fewer of them
_TRIES: Final = 6

Shuffle = tuple[int, list[int]]
#: an event, an event with its target resolved at once, or a choice (player, option)
HistoryItem = RawEvent | Report | tuple[int, int]

GAME_TYPE: Final = pyspiel.GameType(
    short_name="python_blackpoker",
    long_name="BlackPoker",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"regulation": "lite+entry", "deck": "", "forced": True},
)
GAME_INFO: Final = pyspiel.GameInfo(
    num_distinct_actions=OPTIONS,
    max_chance_outcomes=CARDS,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=_MOST_DECISIONS,
)


class _ShuffleNeeded(Exception):
    """Raised when a pile must be shuffled and its order is not yet decided."""

    def __init__(self, player: int, cards: list[int]) -> None:
        super().__init__()
        self.player = player
        self.cards = cards


class _ScriptedShuffler(Shuffler):
    """A shuffler that returns the orders decided by the chance nodes."""

    def __init__(self, outcomes: list[Shuffle]) -> None:
        super().__init__(0)
        self.outcomes = outcomes
        self.used = 0

    def shuffle(self, cards: list[int], player: int = NO_PLAYER) -> None:
        if self.used == len(self.outcomes):
            raise _ShuffleNeeded(player, cards[:])
        cards[:] = self.outcomes[self.used][1][::-1]
        self.used += 1


#: observation before the cards are dealt
_NOTHING: Final = bytes(SIZE)
#: for an engine at a decision: nothing is shuffled then, and copies are cheap
_STILL: Final = Shuffler(0)


class _Start:
    """The start of a game, shared by clones. ``deck``: the cards of both players, else the regulation's own decks."""

    def __init__(self, regulation: str, deck: str, forced: bool) -> None:
        self.regulation = read_regulation(regulation)
        self.deck = deck
        self.decks = read_decks(self.regulation, (deck, deck) if deck else None)
        self.forced = forced
        try:
            self.native_start = native_start(self.deal(_ScriptedShuffler([])), forced)
        except _ShuffleNeeded:  # random decks are dealt by chance nodes, which only Python supports
            self.native_start = None

    def deal(self, source: Shuffler) -> Engine:
        return new_game(self.regulation, source, self.decks)

    def __deepcopy__(self, memo: object) -> _Start:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _Start, (self.regulation.text, self.deck, self.forced)


class _NativePlay(NativeGame):
    """A game in machine code at a decision or a shuffle: the player and the options, without history. ``actions``:
    those applied by OpenSpiel.
    """

    __slots__ = ("actions", "drawn", "start")

    def __init__(self, start: _Start) -> None:
        assert start.native_start is not None
        super().__init__(start.native_start)
        self.start = start
        self.actions: list[int] = []
        self.drawn: list[int] = []  # of the pile being shuffled, from the top

    def __deepcopy__(self, memo: object) -> _NativePlay:
        new = _NativePlay.__new__(_NativePlay)
        self.copy_to(new)
        new.start, new.actions, new.drawn = self.start, self.actions[:], self.drawn[:]
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_native, (self.start, self.actions)

    def apply(self, action: int) -> None:
        if self.player != _CHANCE_PLAYER:
            self.choose(action)
        else:
            pile, drawn = self.offered, self.drawn
            pile.remove(action)
            drawn.append(action)
            if len(pile) == 1:  # the last card is determined
                self.order(drawn + pile)
                self.drawn = []
        self.actions.append(action)

    def observed(self, seat: int) -> bytes:
        row = np.zeros(SIZE, np.float32)
        if self.dealt:
            self.observe(seat, row.ctypes.data)
        return row.astype(np.uint8).tobytes()


def _restore_native(start: _Start, actions: list[int]) -> _NativePlay:
    new = _NativePlay(start)
    for action in actions:
        new.apply(action)
    return new


class _FullPlay:
    """A game in Python with its history. ``script``: shuffles, and options with their player; ``events``: events and
    choices in order.
    """

    __slots__ = (
        "actions",
        "pile_owner",
        "drawn",
        "engine",
        "option",
        "outcomes",
        "pile",
        "player",
        "script",
        "start",
        "texts",
        "events",
    )

    def __init__(self, start: _Start) -> None:
        self.start = start
        self.actions: list[int] = []
        self.engine: Engine | None = None
        self.option: int = -1  # in progress; -1: the game is being dealt
        self.outcomes: list[Shuffle] = []  # of the shuffles it has caused so far
        self.pile: list[int] = []  # being shuffled now: cards left …
        self.drawn: list[int] = []  # … and those drawn, from the top
        self.pile_owner: int = NO_PLAYER  # owner of the pile
        self.script: list[Shuffle | tuple[int, int]] = []
        self.events: list[HistoryItem] = []
        self.texts = ["", ""]  # the same as text per seat, extended on request, with the position reached
        self.player: int = _CHANCE_PLAYER
        self.run()

    def __deepcopy__(self, memo: object) -> _FullPlay:
        new = _FullPlay.__new__(_FullPlay)
        new.start, new.option, new.pile_owner, new.player = self.start, self.option, self.pile_owner, self.player
        new.engine = None if self.engine is None else self.engine.copy()
        new.outcomes, new.pile, new.drawn = self.outcomes[:], self.pile[:], self.drawn[:]
        new.script, new.events, new.texts = self.script[:], self.events[:], self.texts[:]
        new.actions = self.actions[:]
        return new

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore_full, (self.start, self.actions)

    def apply(self, action: int) -> None:
        self.actions.append(action)
        if self.pile:
            self.deal(action)
        else:
            self.choose(action)

    def deal(self, card: int) -> None:
        """Draw the next card of the pile, from the top."""
        self.pile.remove(card)
        self.drawn.append(card)
        if len(self.pile) == 1:  # the last card is determined
            self.drawn.append(self.pile.pop())
        if not self.pile:
            self.outcomes.append((self.pile_owner, self.drawn))
            self.drawn = []
            self.run()

    def choose(self, option: int) -> None:
        self.option = option
        self.outcomes = []
        self.run()

    def run(self) -> None:
        """Play the option on a copy; if it needs a shuffle, it is replayed once the order is decided."""
        source = _ScriptedShuffler(self.outcomes)
        pushed: list[tuple[int, int]] = []
        log: list[RawEvent] = []
        try:
            if self.engine is None:
                engine = self.start.deal(source)
                engine.log = log
                engine.advance()
            else:
                engine = self.engine.copy()
                engine.source = source
                engine.log = log
                pushed.append((engine.asked, self.option))
                engine.push(self.option)
            forced = self.start.forced
            while forced and len(engine.options) == 1:
                pushed.append((engine.asked, engine.options[0]))
                engine.push(engine.options[0])
        except _ShuffleNeeded as pile:
            self.pile_owner, self.player = pile.player, _CHANCE_PLAYER
            self.pile = sorted(pile.cards)
            if len(self.pile) < 2:
                self.outcomes.append((self.pile_owner, self.pile))
                self.pile = []
                self.run()
            return
        engine.log = None
        engine.source = _STILL
        self.engine = engine
        self.player = engine.asked if engine.options else _TERMINAL
        self.script += self.outcomes
        self.script += pushed
        if pushed:
            self.events.append(pushed[0])
        if any(event[0] == ev.RETARGETED for event in log):  # a target is resolved at once
            self.events += [Report(event, engine) if event[0] == ev.RETARGETED else event for event in log]
        else:
            self.events += log

    @property
    def offered(self) -> list[int]:
        return self.pile if self.pile or self.engine is None else sorted(self.engine.options)

    @property
    def winner(self) -> int:
        assert self.engine is not None
        return int(self.engine.winner)

    def observed(self, seat: int) -> bytes:
        return _NOTHING if self.engine is None else observed(self.engine, seat)

    def text(self, seat: int) -> str:
        """Return all events visible to this seat and its own choices as text. Cards drawn in sequence are given as a
        set, so that states differing only in their order are one information state.
        """
        n, _, text = self.texts[seat].partition(" ")
        engine = self.engine
        if engine is None:
            return text
        drawn: RawEvent | None = None
        for each in [*self.events[int(n or 0) :], (NO_PLAYER, 0)]:
            raw = each if not isinstance(each, Report) and len(each) == 6 else None
            if drawn is not None:
                if raw is not None and raw[:2] + raw[3:] == drawn[:2] + drawn[3:]:
                    drawn = (*raw[:2], raw[2] | drawn[2], *raw[3:])
                    continue
                text += _line(Report(drawn, engine), seat)
                drawn = None
            if raw is not None:
                if raw[0] == ev.DREW:
                    drawn = raw
                else:
                    text += _line(Report(raw, engine), seat)
            elif isinstance(each, Report):
                text += _line(each, seat)
            elif each[0] == seat:
                text += f"\n>{each[1]}"
        self.texts[seat] = f"{len(self.events)} {text}"
        return text


def _line(report: Report, seat: int) -> str:
    """Return an event as visible to the seat."""
    event = seen(report, seat)
    return "\n" + ",".join(
        f"{'+'.join(value) if isinstance(value, list) else getattr(value, 'text', value)}"
        for value in (getattr(event, name) for name in event.__slots__)
        if value is not None
    )


def _restore_full(start: _Start, actions: list[int]) -> _FullPlay:
    """Return the same game, replayed."""
    new = _FullPlay(start)
    for action in actions:
        new.apply(action)
    return new


class BlackPokerGame(pyspiel.Game):
    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {"regulation": "lite+entry", "deck": "", "forced": True, **(params or {})}
        super().__init__(GAME_TYPE, GAME_INFO, given)
        self.start = _Start(given["regulation"], given["deck"], bool(given["forced"]))

    def new_initial_state(self) -> BlackPokerState:
        return BlackPokerState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> BlackPokerObserver:
        return BlackPokerObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class BlackPokerState(pyspiel.State):
    """A state: ``_at`` is the current position; ``_past`` adds the history, built on request."""

    def __init__(self, game: BlackPokerGame) -> None:
        super().__init__(game)
        self._start = game.start
        self._at: _NativePlay | _FullPlay | None = None
        self._past: _FullPlay | None = None

    @property
    def at(self) -> _NativePlay | _FullPlay:
        at = self._at
        if at is None:
            at = self._at = _FullPlay(self._start) if self._start.native_start is None else _NativePlay(self._start)
        return at

    @property
    def full(self) -> _FullPlay:
        """Return the game with its history."""
        at = self.at
        if isinstance(at, _FullPlay):
            return at
        past = self._past
        if past is None:
            past = self._past = _FullPlay(self._start)
        for action in at.actions[len(past.actions) :]:
            past.apply(action)
        return past

    # OpenSpiel's default implementations of these would call back here through C++.

    def current_player(self) -> int:
        return self.at.player

    def is_terminal(self) -> bool:
        return self.at.player == _TERMINAL

    def is_chance_node(self) -> bool:
        return self.at.player == _CHANCE_PLAYER

    def legal_actions(self, player: int | None = None) -> list[int]:
        at = self.at
        return at.offered[:] if player is None or player == at.player else []

    def _legal_actions(self, player: int) -> list[int]:
        return self.legal_actions(player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        offered = self.at.offered
        return list(zip(offered, _EQUAL[len(offered)], strict=True))

    def _apply_action(self, action: int) -> None:
        try:
            self.at.apply(action)
        except TooLarge:
            play = self.full
            play.apply(action)
            self._at, self._past = play, None

    def _action_to_string(self, player: int, action: int) -> str:
        if player == _CHANCE_PLAYER:
            return NAMES[action]
        engine = self.full.engine
        return option_token(engine, action) if engine is not None and action in engine.options else str(action)

    def returns(self) -> list[float]:
        at = self.at
        if at.player != _TERMINAL or at.winner == DRAW:
            return [0.0, 0.0]
        return [1.0, -1.0] if at.winner == 0 else [-1.0, 1.0]

    def __str__(self) -> str:
        return " ".join(str(action) for action in self.history())

    def information_state_string(self, player: int | None = None) -> str:
        seat = self.current_player() if player is None else player
        play = self.full
        sees_now = "" if play.engine is None else observed(play.engine, seat).hex()
        return f"p{seat}{play.text(seat)}\n{sees_now}"

    # -- resampling ---------------------------------------------------------------------------------------------------

    def resample_from_infostate(self, player: int, sampler: Any = None) -> BlackPokerState:
        """Return a state this player cannot distinguish from the present one: hidden cards are exchanged and the
        game is replayed. ``sampler`` returns numbers in [0, 1).
        """
        random = np.random.random if sampler is None else sampler
        wanted = self.information_state_string(player)
        game = self.get_game()
        for attempt in range(_TRIES + 1):
            script = _exchanged(self.full, player, attempt, random)
            actions = None if script is None else _actions_of(self.full.start, script)
            if actions is None:
                continue
            new: BlackPokerState = game.new_initial_state()
            for action in actions:
                new.apply_action(action)
            if new.information_state_string(player) == wanted:
                return new
        clone: BlackPokerState = self.clone()
        return clone


def _mixed(cards: list[int], random: Any) -> list[int]:
    out = cards[:]
    for i in range(len(out) - 1, 0, -1):
        j = int(random() * (i + 1))
        out[i], out[j] = out[j], out[i]
    return out


def _hidden(play: _FullPlay, player: int, attempt: int) -> int:
    """Return the opponent's cards this player has never seen and cannot locate; each attempt leaves some out."""
    assert play.engine is not None
    side = play.engine.sides[1 - player]
    life = sum(BIT[card] for card in side.life)
    cards = life | side.hand
    if attempt < _TRIES // 2:
        cards |= side.grave | side.pack
        for unit in side.bulwarks:
            cards |= unit.cards
        for card in side.trumps:
            cards |= BIT[card] & ~side.open_trumps
    elif attempt == _TRIES - 1:
        cards = life
    elif attempt == _TRIES:
        return 0
    cards &= ~known_to(side, 1 - player, player)
    for each in play.events:
        if not isinstance(each, Report) and len(each) == 6 and each[1] == 1 - player:
            kind, _, moved, _, _, top = each
            if sees(each, player):
                cards &= ~moved
            if kind in (ev.DAMAGED, ev.DISCARDED) and top >= 0:
                cards &= ~BIT[top]
    return cards


def _exchanged(play: _FullPlay, player: int, attempt: int, random: Any) -> list[Shuffle | tuple[int, int]] | None:
    """Return the script with cards exchanged that the player cannot distinguish, or None."""
    engine = play.engine
    if engine is None or play.pile:
        return None
    theirs = members(_hidden(play, player, attempt))
    exchange = dict(zip(theirs, _mixed(theirs, random), strict=True))
    own = engine.sides[player]
    known = known_to(own, player, player)
    mine = {card for card in own.life if not known & BIT[card]}
    script: list[Shuffle | tuple[int, int]] = []
    made = 0
    last = max(
        (place for place, each in enumerate(play.script) if each[0] == player and isinstance(each[1], list)), default=-1
    )
    for place, (actor, what) in enumerate(play.script):
        if isinstance(what, list):
            owner = actor
            if actor == NO_PLAYER:
                owner, made = made, made + 1
            if owner == 1 - player:
                what = [exchange.get(card, card) for card in what]
            elif place == last:
                fresh = iter(_mixed([card for card in what if card in mine], random))
                what = [next(fresh) if card in mine else card for card in what]
            script.append((actor, what))
        else:
            script.append((actor, what))
    return _renamed(play, script, exchange, 1 - player)


def _renamed(
    play: _FullPlay, script: list[Shuffle | tuple[int, int]], exchange: dict[int, int], other: int
) -> list[Shuffle | tuple[int, int]] | None:
    """Replace exchanged cards in the opponent's options; replaying the original shows which options name cards."""
    out: list[Shuffle | tuple[int, int]] = []
    source = _ScriptedShuffler([each for each in play.script if isinstance(each[1], list)])
    engine = play.start.deal(source)
    engine.advance()
    for actor, what in script:
        if isinstance(what, list):
            out.append((actor, what))
            continue
        named = actor == other and what < CARDS and option_type(engine) == CARD
        out.append((actor, exchange.get(what, what) if named else what))
        engine.push(what)
    return out


def _actions_of(start: _Start, script: list[Shuffle | tuple[int, int]]) -> list[int] | None:
    """Return the OpenSpiel actions that play this script, or None if it is illegal."""
    actions: list[int] = []
    outcomes = [each for each in script if isinstance(each[1], list)]
    source = _ScriptedShuffler(outcomes)
    dealt = 0

    def deals() -> None:
        nonlocal dealt
        for _, cards in outcomes[dealt : source.used]:
            assert isinstance(cards, list)
            actions.extend(cards[:-1])
        dealt = source.used

    try:
        engine = start.deal(source)
        engine.advance()
        deals()
        for actor, what in script:
            if isinstance(what, list):
                continue
            if engine.asked != actor or what not in engine.options:
                return None
            if len(engine.options) > 1 or not start.forced:
                actions.append(what)
            engine.push(what)
            deals()
    except _ShuffleNeeded:
        return None
    return actions


class BlackPokerObserver:
    """Observer of a seat as a tensor of the bytes of ``envs/layout.py``; with perfect recall also its events and
    choices (``encode_memory``).
    """

    def __init__(self, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observer of BlackPoker has no parameters: {params}")
        self.perfect_recall = iig_obs_type.perfect_recall
        self.tensor = np.zeros(MEMORY_SIZE if self.perfect_recall else SIZE, np.float32)
        self.dict = {"observation": self.tensor[:SIZE]}
        if self.perfect_recall:
            self.dict["told"] = self.tensor[SIZE : SIZE + LINES * LINE].reshape(LINES, LINE)
            self.dict["digest"] = self.tensor[-DIGEST:]
        self.address = self.tensor.ctypes.data

    def __reduce__(self) -> tuple[Any, ...]:  # a copy needs its own tensor and address
        return _observer, (self.perfect_recall, self.tensor.copy())

    def set_from(self, state: BlackPokerState, player: int) -> None:
        if self.perfect_recall:
            play = state.full
            sees_now = _NOTHING if play.engine is None else observed(play.engine, player)
            self.tensor[:] = np.frombuffer(sees_now + encode_memory(play.text(player), player), np.uint8)
            return
        at = state.at
        if isinstance(at, _NativePlay) and at.dealt:
            at.observe(player, self.address)
        else:
            self.tensor[:] = np.frombuffer(at.observed(player), np.uint8)

    def string_from(self, state: BlackPokerState, player: int) -> str:
        return (
            state.information_state_string(player)
            if self.perfect_recall
            else f"p{player}{state.at.observed(player).hex()}"
        )


def _observer(recalls: bool, tensor: Any) -> BlackPokerObserver:
    new = BlackPokerObserver(pyspiel.IIGObservationType(perfect_recall=recalls), None)
    new.tensor[:] = tensor
    return new


pyspiel.register_game(GAME_TYPE, BlackPokerGame)
