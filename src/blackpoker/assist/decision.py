"""A decision with everything a client shows of it. Expensive properties are computed on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from blackpoker.assist.action_traits import traits_of
from blackpoker.assist.autopass import NO, usefulness
from blackpoker.assist.defaults import default_option
from blackpoker.assist.forecast import Forecast, ForecastResult, forecast
from blackpoker.assist.frozen import Frozen, frozen, same_state, thawed
from blackpoker.engine import events as ev
from blackpoker.engine.cards import members
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import HAND
from blackpoker.engine.flow import CHANCE_KIND, NOTHING, PASS
from blackpoker.engine.locations import PLAYERS, unit_location
from blackpoker.engine.request_builder import may_attack
from blackpoker.engine.state import DONE, OPTION_KIND, SIDE_CODE, TARGET_KIND, Unit
from blackpoker.engine.step import Step
from blackpoker.engine.tables import A_CARD, AIM_UNIT
from blackpoker.engine.views import Player
from blackpoker.errors import WrongValue
from blackpoker.notation.move import ELLIPSIS
from blackpoker.notation.move_builder import MoveBuilder
from blackpoker.notation.options import (
    MULTI_CHOICE_KINDS,
    SET_KINDS,
    board_location,
    card_location,
    kind_name,
    marked_token,
)
from blackpoker.ruleset import Edition, edition_of
from blackpoker.text import refusals as reasons
from blackpoker.text.markup import RichText, parse
from blackpoker.text.prompts import Price, Prompts
from blackpoker.text.refusals import Refusal
from blackpoker.text.resources import LANGUAGES, Lang

#: a payment that leaves this much life or less is confirmed
LOW_LIFE = 2
#: a move never has more words than both players have cards
MOST_WORDS = 80


def checked_lang(lang: str) -> Lang:
    """Return the language; raise `ValueError` if there are no texts in it."""
    for known in LANGUAGES:
        if known == lang:
            return known
    raise WrongValue(f"a language is 'ja' or 'en', not {lang!r}")


@cache
def prompts(edition: Edition, lang: str) -> Prompts:
    """Return the texts of an edition in ``ja`` or ``en``."""
    return Prompts(edition, checked_lang(lang))


@cache
def tagged_prompts(edition: Edition, lang: str) -> Prompts:
    """Return the same texts with their players and rules tagged."""
    return Prompts(edition, checked_lang(lang), tagged=True)


def prompts_of(s: Engine, lang: str) -> Prompts:
    return prompts(edition_of(s.rules), lang)


class Option:
    """An offered option: its number, its token in the notation, and at a chance the action it names."""

    def __init__(self, engine: Engine, option: int) -> None:
        self._engine = engine
        self.option: int = option
        self.text: str = marked_token(engine, option)
        chance = engine.kind == CHANCE_KIND and option != PASS
        self.action: str | None = self.text.removesuffix("@") if chance else None
        #: location on the table (``words.tokens.board_location``)
        self.location: str = board_location(engine, option)

    def label(self, lang: str = "en") -> str:
        """Return the text of the button, in ``ja`` or ``en``."""
        return prompts_of(self._engine, lang).option(self._engine, self.option)

    def title(self, lang: str = "en") -> str:
        """Return the name of an action, without price and keys."""
        return "" if self.action is None else prompts_of(self._engine, lang).action_name(self._engine, self.option - 1)

    def rich_label(self, lang: str) -> RichText:
        """Return the label with the players and rules it names."""
        return parse(tagged_prompts(edition_of(self._engine.rules), lang).option(self._engine, self.option))

    @property
    def start_locations(self) -> list[str]:
        """Return the locations an action can begin with: its keys or its payment; for an attack the soldiers that may
        attack."""
        if self.action is None:
            return []
        engine = self._engine
        if engine.rules.plans[self.option - 1].is_attack:
            return attackers(engine, int(engine.asked))
        then = self.then
        return [] if then is None else [option.location for option in then.options if option.location]

    @property
    def cards_asked_later(self) -> list[str]:
        """Return the cards of the hand, if the action asks for one of them as soon as it is requested."""
        engine = self._engine
        if self.action is None or self.then is not None:
            return []
        action = traits_of(engine, engine.rules.plans[self.option - 1]).action
        first = action.effect[0].steps[0] if action.immediate and action.effect and action.effect[0].steps else None
        asks_for_card = isinstance(first, Step) and first.traits().chooses == A_CARD
        if asks_for_card and getattr(first, "zone", None) == HAND:
            return [card_location(int(engine.asked), card) for card in members(engine.sides[engine.asked].hand)]
        return []

    @property
    def results(self) -> list[ForecastResult]:
        """Return the costs and results of an option, if the choice is between a few words."""
        if self._engine.kind != OPTION_KIND:
            return []
        return forecast(self._engine, [self.option]).results

    @property
    def useful(self) -> int:
        """Return the usefulness of an action: 0 no effect, 1 possible effect, 2 recommended before going on."""
        if self.action is None:
            return NO
        found = usefulness(self._engine, self.option)
        whole = found != NO and self._engine.kind == CHANCE_KIND and self.then is None
        return NO if whole and forecast(self._engine, [self.option]).futile else found

    @property
    def warnings(self) -> list[str]:
        """Return the warnings of an option that is a whole answer, to be confirmed by a second tap
        (``Draft.warnings``)."""
        if self._engine.kind not in (CHANCE_KIND, OPTION_KIND) or self._engine.draft is not None:
            return []
        draft = Draft(self._engine)
        draft.push(self.option)
        return draft.warnings

    def price(self, lang: str = "en") -> Price | None:
        """Return the current price of the action or cost, as letters and in words. None for everything else."""
        return prompts_of(self._engine, lang).price(self._engine, self.option)

    @property
    def then(self) -> Decision | None:
        """Return the decision after this option; None if it ends the move."""
        builder = MoveBuilder(self._engine)
        builder.push(self.option)
        return None if builder.complete else Decision(builder._engine, builder.words)

    def __str__(self) -> str:
        return self.text

    def __copy__(self) -> Option:
        return Option(self._engine.copy(), self.option)

    def __deepcopy__(self, memo: object) -> Option:
        return Option(self._engine.copy(), self.option)

    def __reduce__(self) -> tuple[Any, ...]:
        return _word_again, (frozen(self._engine), self.option)

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same option of the same state."""
        return isinstance(other, Option) and self.option == other.option and same_state(self._engine, other._engine)

    def __hash__(self) -> int:
        return hash((self.option, self.text))

    def __repr__(self) -> str:
        return f"<Word {self.option}: {self.text}>"


def _word_again(state: Frozen, option: int) -> Option:
    return Option(thawed(state), option)


class Decision:
    """The choice of a player: its options, and the tokens of the move so far.

    >>> import blackpoker as bp
    >>> game = bp.Game("lite+entry", seed=7)
    >>> game.decision
    <Decision p1 chance: pass set_bulwark summon_ace end attack throw>
    >>> game.decision.options[3].label("ja")
    'エンド'
    >>> game.draft(["summon_ace"]).decision.words
    ['SA', 'DA', 'CA']
    >>> game.decision.refusals["counter"].ruling
    'R-31'
    """

    def __init__(self, engine: Engine, so_far: Sequence[str] = ()) -> None:
        self._engine = engine
        self._options: list[Option] | None = None
        self.player: Player = PLAYERS[engine.asked]
        #: ``chance``, ``key``, ``card``, ``attackers`` …
        self.kind: str = kind_name(engine)
        #: True if several elements may be named, ended with ``done``
        self.several: bool = engine.kind in MULTI_CHOICE_KINDS
        #: True if they are a set, which players name in any order
        self.is_set: bool = engine.kind in SET_KINDS and engine.draft is None
        self.so_far: list[str] = list(so_far)

    @property
    def prompt(self) -> str:
        """Return the prompt of the asked player, in English."""
        return self.prompt_in("en")

    def prompt_in(self, lang: str) -> str:
        """Return the prompt of the asked player, in ``ja`` or ``en``."""
        return prompts_of(self._engine, lang).prompt(self._engine)

    def rich_prompt(self, lang: str) -> RichText:
        """Return the prompt with the players and rules it names."""
        return parse(tagged_prompts(edition_of(self._engine.rules), lang).prompt(self._engine))

    def draft_text(self, lang: str) -> str:
        """Return the unfinished request in ``ja`` or ``en``; empty if there is none."""
        engine = self._engine
        return "" if engine.draft is None else prompts_of(engine, lang).draft_text(engine)

    @property
    def options(self) -> list[Option]:
        """Return the legal next options."""
        made = self._options
        if made is None:
            made = self._options = [Option(self._engine, option) for option in self._engine.options]
        return made

    @property
    def selectable(self) -> list[Option]:
        """Return all possible elements of a set, and ``done`` if it is legal now; the rules offer as the first elements
        only those that leave enough for the rest. For any other decision return the legal next options."""
        found = {element.option: element for element in self.options}
        builder = MoveBuilder(self._engine)
        while self.is_set and not builder.complete and builder._engine.kind == self._engine.kind:
            state = builder._engine.copy()
            later = [option for option in state.options if option != DONE]
            if not later:
                break
            for option in later:
                found.setdefault(option, Option(state, option))
            builder.push(later[0])
        return sorted(found.values(), key=lambda element: self.is_set and element.option == DONE)

    @property
    def words(self) -> list[str]:
        """Return the tokens of the options."""
        return [marked_token(self._engine, option) for option in self._engine.options]

    @property
    def default(self) -> int:
        """Return the option that is taken when a player gives no answer."""
        return default_option(self._engine)

    def completion(self) -> MoveBuilder | None:
        """Return the most likely rest of the move; None at a chance, where there is no default."""
        if self._engine.kind == CHANCE_KIND:
            return None
        builder = MoveBuilder(self._engine)
        while not builder.complete and len(builder.words) < MOST_WORDS:
            if builder._engine.kind == CHANCE_KIND:
                return None
            builder.push(default_option(builder._engine))
        return builder

    @property
    def proposal(self) -> list[str]:
        """Return the tokens so far and a completion of the move; empty at a chance."""
        builder = self.completion()
        return [] if builder is None else self.so_far + builder.words

    @property
    def outlook(self) -> Forecast:
        """Return the forecast of the request on top of the stage, without a response."""
        return forecast(self._engine)

    @property
    def refusals(self) -> dict[str, Refusal]:
        """Return every action of the format that is not offered, each with the reason."""
        return refusals(self._engine, int(self.player))

    @property
    def refused(self) -> list[RefusedAction]:
        """Return the refusals with the locations each action could begin with, and every soldier that cannot attack."""
        return refused_actions(self._engine, int(self.player))

    def __copy__(self) -> Decision:
        return Decision(self._engine.copy(), self.so_far)

    def __deepcopy__(self, memo: object) -> Decision:
        return Decision(self._engine.copy(), self.so_far)

    def __reduce__(self) -> tuple[Any, ...]:
        return _decision_again, (frozen(self._engine), self.so_far)

    def __eq__(self, other: object) -> bool:
        """Return whether both are the decision of the same state, after the same tokens."""
        return isinstance(other, Decision) and self.so_far == other.so_far and same_state(self._engine, other._engine)

    def __hash__(self) -> int:
        return hash((self.player, self.kind, tuple(self.so_far)))

    def __repr__(self) -> str:
        words = self.words
        shown = " ".join(words[:12]) + (" …" if len(words) > 12 else "")
        return f"<Decision {self.player} {self.kind}: {shown}>"


def _decision_again(state: Frozen, so_far: list[str]) -> Decision:
    return Decision(thawed(state), so_far)


class Draft(MoveBuilder):
    """A move being tried: the tokens so far, the possible next ones, the expected results. The game itself does not
    change."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        #: state before the move
        self._start: Engine = engine.copy()
        self._forecast: Forecast | None = None

    def push(self, option: int) -> None:
        super().push(option)
        self._forecast = None

    @property
    def player(self) -> Player:
        """Return the player who moves."""
        return PLAYERS[self.seat]

    @property
    def decision(self) -> Decision | None:
        """Return the next decision; None when the move is complete or the game is over. Read it again after each
        word."""
        if self.complete or self._engine.kind == NOTHING:
            return None
        return Decision(self._engine, self.words)

    @property
    def warnings(self) -> list[str]:
        """Return the warnings to be confirmed by a second tap: you would ``lose``, little ``life`` is left, a
        ``sacrifice``, an ``own_unit`` as the victim, a request in ``vain``."""
        start = self._start
        if self._engine.kind == start.kind == NOTHING or not self.complete:
            return []
        found = self.forecast
        out = ["lose"] if self.player in found.lethal_for else []
        if not self.is_request:
            return out
        if found.life_lost and not out and 0 <= found.life <= LOW_LIFE:
            out.append("life")
        if any(event[0] == ev.BURIED and event[1] == self.seat for event in found.cost):
            out.append("sacrifice")
        if any(harms_own_unit(self.seat, result) for result in self.results) or targets_own_unit(start, self.options):
            out.append("own_unit")
        if found.futile or self.attack_without_attackers:
            out.append("vain")
        return out

    @property
    def is_request(self) -> bool:
        """Return whether it is a request, not a pass or an answer inside an effect."""
        return self._start.kind == CHANCE_KIND and bool(self.options) and self.options[0] != PASS

    @property
    def is_selection(self) -> bool:
        """Return whether it is a set chosen inside an effect."""
        return self._start.kind in SET_KINDS

    @property
    def attack_without_attackers(self) -> bool:
        """Return whether it is an attack without any possible attacker."""
        start = self._start
        attack = self.is_request and start.rules.plans[self.options[0] - 1].is_attack
        return attack and not attackers(start, self.seat)

    @property
    def results(self) -> list[ForecastResult]:
        """Return the results of the move without a response, as far as the player may know them."""
        return self.forecast.results

    @property
    def forecast(self) -> Forecast:
        """Return the forecast of the whole move: its cost, its results, of a fight the clashes and the damage, and who
        loses."""
        if self._forecast is None:
            self._forecast = forecast(self._start, self.options)
        return self._forecast

    def copy(self) -> Draft:
        """Return an independent draft of the same tokens."""
        return _drafted(self._start, self.options)

    def __copy__(self) -> Draft:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Draft:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _draft_again, (frozen(self._start), self.options)

    def __eq__(self, other: object) -> bool:
        """Return whether both try the same tokens in the same state."""
        return isinstance(other, Draft) and self.options == other.options and same_state(self._start, other._start)

    def __hash__(self) -> int:
        """Raise `TypeError`: a draft is mutable."""
        raise TypeError("unhashable type: 'Draft'")

    def __repr__(self) -> str:
        text = self.text if self.complete else " ".join((*self.words, ELLIPSIS))
        return f"<Draft {self.player}: {text}>"


def _drafted(start: Engine, options: Sequence[int]) -> Draft:
    draft = Draft(start)
    for option in options:
        draft.push(option)
    return draft


def _draft_again(state: Frozen, options: list[int]) -> Draft:
    return _drafted(thawed(state), options)


def refusals(s: Engine, player: int) -> dict[str, Refusal]:
    """Return every action of the format this player cannot request now, each with the reason."""
    out: dict[str, Refusal] = {}
    for plan in s.rules.plans:
        reason = None if plan.stands_for >= 0 else reasons.why_not(s, player, plan.id)
        if reason is not None:
            out[plan.id] = reason
    return out


@dataclass(slots=True)
class RefusedAction:
    """An action that cannot be requested now, the reason, and the locations it could begin with otherwise."""

    action: str
    reason: Refusal
    locations: list[str]


def refused_actions(s: Engine, player: int) -> list[RefusedAction]:
    side = s.sides[player]
    plans = {plan.id: plan for plan in s.rules.plans}
    out: list[RefusedAction] = []
    for action, reason in refusals(s, player).items():
        keys = members(side.hand & (plans[action].key_a | plans[action].key_b))
        out.append(RefusedAction(action, reason, [card_location(player, card) for card in keys]))
    for plan in plans.values():
        if plan.is_attack:
            for unit in side.soldiers:
                refusal = reasons.why_not_attackers(s, player, [unit])
                if not may_attack(s, side, unit) and refusal is not None:
                    out.append(RefusedAction(plan.id, refusal, [soldier_location(s, player, unit)]))
    return out


def attackers(s: Engine, player: int) -> list[str]:
    """Return the soldiers that may attack now."""
    side = s.sides[player]
    return [soldier_location(s, player, unit) for unit in side.soldiers if may_attack(s, side, unit)]


def soldier_location(s: Engine, player: int, unit: Unit) -> str:
    return f"unit:{PLAYERS[player]}:{unit_location(s, player, unit)}"


def harms_own_unit(player: int, result: ForecastResult) -> bool:
    """Return whether the result weakens or removes a unit of this player."""
    own = result.location.startswith(f"unit:{PLAYERS[player]}:")
    return own and (result.kind in ("falls", "leaves") or (result.kind == "number" and result.number < result.previous))


def targets_own_unit(s: Engine, options: list[int]) -> bool:
    """Return whether a harmful request has a unit of its own player as its target."""
    if s.kind != CHANCE_KIND or options[0] == PASS:
        return False
    plan = s.rules.plans[options[0] - 1]
    if plan.aim != AIM_UNIT or not traits_of(s, plan).reaches_opponent:
        return False
    trial = s.copy()
    for option in options[:-1]:
        trial.push(option)
    return trial.kind == TARGET_KIND and options[-1] // SIDE_CODE == s.asked
