"""A decision with everything a client shows of it. Expensive properties are computed on demand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from blackpoker.assist.ahead import Ahead, ahead, life_of
from blackpoker.assist.autopass import NO, useful
from blackpoker.assist.defaults import default_option
from blackpoker.assist.facts import facts_of
from blackpoker.assist.forecast import Forecast, ForecastResult, SeatName, ended_by, forecast, outlook, results
from blackpoker.regulation import Edition, edition_of
from blackpoker.rules import events as ev
from blackpoker.rules.cards import members
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import HAND
from blackpoker.rules.flow import CHANCE_KIND, NOTHING, PASS
from blackpoker.rules.names import PLAYERS, unit_place
from blackpoker.rules.plan import A_CARD, AIM_UNIT
from blackpoker.rules.requests import may_attack
from blackpoker.rules.state import DONE, OPTION_KIND, SIDE_CODE, TARGET_KIND, Unit
from blackpoker.rules.step import Step
from blackpoker.texts import refusals as reasons
from blackpoker.texts.marks import Text, unmarked
from blackpoker.texts.prompts import Price, Prompts
from blackpoker.texts.refusals import Refusal
from blackpoker.texts.rulebook import LANGUAGES, Lang
from blackpoker.words.sentence import Sentence
from blackpoker.words.tokens import SETS, SEVERAL, board_place, card_place, kind_name, marked

#: a payment that leaves this much life or less is confirmed
LITTLE_LIFE = 2
#: a move never has more words than both players have cards
MOST_WORDS = 80


def lang_of(lang: str) -> Lang:
    """Return the language; raise `ValueError` if there are no texts in it."""
    for known in LANGUAGES:
        if known == lang:
            return known
    raise ValueError(f"a language is 'ja' or 'en', not {lang!r}")


@cache
def prompts(edition: Edition, lang: str) -> Prompts:
    """Return the texts of an edition in ``ja`` or ``en``."""
    return Prompts(edition, lang_of(lang))


@cache
def marked_prompts(edition: Edition, lang: str) -> Prompts:
    """Return the same texts with their players and rules tagged."""
    return Prompts(edition, lang_of(lang), marks=True)


def prompts_of(s: Engine, lang: str) -> Prompts:
    return prompts(edition_of(s.rules), lang)


class Word:
    """An offered option: its number, its token in the notation, and at a chance the action it names."""

    def __init__(self, engine: Engine, option: int) -> None:
        self.engine = engine
        self.option: int = option
        self.text: str = marked(engine, option)
        chance = engine.kind == CHANCE_KIND and option != PASS
        self.action: str | None = self.text.removesuffix("@") if chance else None
        #: location on the table (``words.tokens.board_location``)
        self.place: str = board_place(engine, option)

    def label(self, lang: str = "en") -> str:
        """Return the text of the button, in ``ja`` or ``en``."""
        return prompts_of(self.engine, lang).option(self.engine, self.option)

    def title(self, lang: str = "en") -> str:
        """Return the name of an action, without price and keys."""
        return "" if self.action is None else prompts_of(self.engine, lang).action_name(self.engine, self.option - 1)

    def marked_label(self, lang: str) -> Text:
        """Return the label with the players and rules it names."""
        return unmarked(marked_prompts(edition_of(self.engine.rules), lang).option(self.engine, self.option))

    @property
    def starts(self) -> list[str]:
        """Return the locations an action can begin with: its keys or its payment; for an attack the soldiers that may
        attack."""
        if self.action is None:
            return []
        engine = self.engine
        if engine.rules.plans[self.option - 1].is_attack:
            return attackers(engine, int(engine.asked))
        then = self.then
        return [] if then is None else [word.place for word in then.options if word.place]

    @property
    def takes(self) -> list[str]:
        """Return the cards of the hand, if the action asks for one of them as soon as it is requested."""
        engine = self.engine
        if self.action is None or self.then is not None:
            return []
        action = facts_of(engine, engine.rules.plans[self.option - 1]).action
        first = action.effect[0].steps[0] if action.immediate and action.effect and action.effect[0].steps else None
        asks_card = isinstance(first, Step) and first.facts().chooses == A_CARD
        if asks_card and getattr(first, "zone", None) == HAND:
            return [card_place(int(engine.asked), card) for card in members(engine.sides[engine.asked].hand)]
        return []

    @property
    def results(self) -> list[ForecastResult]:
        """Return the costs and results of an option, if the choice is between a few words."""
        if self.engine.kind != OPTION_KIND:
            return []
        return results(self.engine, ahead(self.engine, [self.option]))

    @property
    def useful(self) -> int:
        """Return the usefulness of an action: 0 no effect, 1 possible effect, 2 recommended before going on."""
        return NO if self.action is None else useful(self.engine, self.option)

    @property
    def warnings(self) -> list[str]:
        """Return the warnings of an option that is a whole answer, to be confirmed by a second tap
        (``Draft.warnings``)."""
        if self.engine.kind not in (CHANCE_KIND, OPTION_KIND) or self.engine.draft is not None:
            return []
        draft = Draft(self.engine)
        draft.push(self.option)
        return draft.warnings

    def price(self, lang: str = "en") -> Price | None:
        """Return the current price of the action or cost, as letters and in words. None for everything else."""
        return prompts_of(self.engine, lang).price(self.engine, self.option)

    @property
    def then(self) -> Decision | None:
        """Return the decision after this option; None if it ends the move."""
        said = Sentence(self.engine)
        said.push(self.option)
        return None if said.complete else Decision(said.engine, said.words)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Word {self.option}: {self.text}>"


class Decision:
    """The choice of a player: its options, and the tokens of the move so far.

    >>> import blackpoker as bp
    >>> game = bp.Game("lite+entry", seed=7)
    >>> game.decision
    <Decision p1 chance: pass set_bulwark summon_ace end attack throw>
    >>> game.decision.options[3].label("ja")
    'エンド'
    >>> game.ask(["summon_ace"]).words
    ['SA', 'DA', 'CA']
    >>> game.decision.refusals["counter"].ruling
    'R-31'
    """

    def __init__(self, engine: Engine, said: Sequence[str] = ()) -> None:
        self.engine = engine
        self._options: list[Word] | None = None
        self.player: int = int(engine.asked)
        #: ``chance``, ``key``, ``card``, ``attackers`` …
        self.kind: str = kind_name(engine)
        #: True if several elements may be named, ended with ``done``
        self.several: bool = engine.kind in SEVERAL
        #: True if they are a set, which players name in any order
        self.a_set: bool = engine.kind in SETS and engine.draft is None
        self.said: list[str] = list(said)

    @property
    def prompt(self) -> str:
        """Return the prompt of the asked player, in English."""
        return self.prompt_in("en")

    def prompt_in(self, lang: str) -> str:
        """Return the prompt of the asked player, in ``ja`` or ``en``."""
        return prompts_of(self.engine, lang).prompt(self.engine)

    def marked_prompt(self, lang: str) -> Text:
        """Return the prompt with the players and rules it names."""
        return unmarked(marked_prompts(edition_of(self.engine.rules), lang).prompt(self.engine))

    def said_in(self, lang: str) -> str:
        """Return the unfinished request in ``ja`` or ``en``; empty if there is none."""
        engine = self.engine
        return "" if engine.draft is None else prompts_of(engine, lang).draft(engine)

    @property
    def options(self) -> list[Word]:
        """Return the legal next options."""
        made = self._options
        if made is None:
            made = self._options = [Word(self.engine, option) for option in self.engine.options]
        return made

    @property
    def things(self) -> list[Word]:
        """Return all possible elements of a set, and ``done`` if it is legal now; the rules offer as the first elements
        only those that leave enough for the rest. For any other decision return the legal next options."""
        found = {word.option: word for word in self.options}
        said = Sentence(self.engine)
        while self.a_set and not said.complete and said.engine.kind == self.engine.kind:
            at = said.engine.copy()
            later = [option for option in at.options if option != DONE]
            if not later:
                break
            for option in later:
                found.setdefault(option, Word(at, option))
            said.push(later[0])
        return sorted(found.values(), key=lambda word: self.a_set and word.option == DONE)

    @property
    def words(self) -> list[str]:
        """Return the tokens of the options."""
        return [marked(self.engine, option) for option in self.engine.options]

    @property
    def default(self) -> int:
        """Return the option that is taken when a player gives no answer."""
        return default_option(self.engine)

    def completion(self) -> Sentence | None:
        """Return the most likely rest of the move; None at a chance, where there is no default."""
        if self.engine.kind == CHANCE_KIND:
            return None
        rest = Sentence(self.engine)
        while not rest.complete and len(rest.words) < MOST_WORDS:
            if rest.engine.kind == CHANCE_KIND:
                return None
            rest.push(default_option(rest.engine))
        return rest

    @property
    def proposal(self) -> list[str]:
        """Return the tokens so far and a completion of the move; empty at a chance."""
        rest = self.completion()
        return [] if rest is None else self.said + rest.words

    @property
    def outlook(self) -> list[ForecastResult]:
        """Return the results of the request on top of the stage without a response, as far as the player may know
        them."""
        return outlook(self.engine)

    def lethal(self, found: list[ForecastResult]) -> list[SeatName]:
        """Return the players who would lose by these results, as far as the player may know it."""
        return ended_by(self.engine, found)

    @property
    def refusals(self) -> dict[str, Refusal]:
        """Return every action of the format that is not offered, each with the reason."""
        return refusals(self.engine, self.player)

    @property
    def refused(self) -> list[RefusedAction]:
        """Return the refusals with the locations each action could begin with, and every soldier that cannot attack."""
        return refused(self.engine, self.player)

    def __repr__(self) -> str:
        words = self.words
        shown = " ".join(words[:12]) + (" …" if len(words) > 12 else "")
        return f"<Decision {PLAYERS[self.player]} {self.kind}: {shown}>"


class Draft(Sentence):
    """A move being tried: the tokens so far, the possible next ones, the expected results. The game itself does not
    change."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        #: state before the move
        self.start: Engine = engine
        self._ahead: Ahead | None = None
        self._forecast: Forecast | None = None

    def push(self, option: int) -> None:
        super().push(option)
        self._ahead = self._forecast = None

    @property
    def decision(self) -> Decision | None:
        """Return the next decision; None when the move is complete or the game is over. Read it again after each
        word."""
        if self.complete or self.engine.kind == NOTHING:
            return None
        return Decision(self.engine, self.words)

    @property
    def ahead(self) -> Ahead:
        """Return the certain costs and effects of the whole move."""
        if self._ahead is None:
            self._ahead = ahead(self.start, self.options)
        return self._ahead

    @property
    def warnings(self) -> list[str]:
        """Return the warnings to be confirmed by a second tap: you would ``lose``, little ``life`` is left, a
        ``sacrifice``, an ``own_unit`` as the victim, a request in ``vain``."""
        start = self.start
        if self.engine.kind == start.kind == NOTHING or not self.complete:
            return []
        found = self.ahead
        out = ["lose"] if found.lose or PLAYERS[self.player] in self.forecast.lethal else []
        if start.kind != CHANCE_KIND:
            return out
        life = len(start.sides[self.player].life)
        spent = sum(life_of(event) for event in (*found.paid, *found.done) if event[1] == self.player)
        if spent and not out and life - spent <= LITTLE_LIFE:
            out.append("life")
        if any(event[0] == ev.BURIED and event[1] == self.player for event in found.paid):
            out.append("sacrifice")
        if any(harms(self.player, result) for result in self.results) or aims_at_own(start, self.options):
            out.append("own_unit")
        if found.vain or self.nobody:
            out.append("vain")
        return out

    @property
    def requests(self) -> bool:
        """Return whether it is a request, not a pass or an answer inside an effect."""
        return self.start.kind == CHANCE_KIND and bool(self.options) and self.options[0] != PASS

    @property
    def names_set(self) -> bool:
        """Return whether it is a set chosen inside an effect."""
        return self.start.kind in SETS

    @property
    def nobody(self) -> bool:
        """Return whether it is an attack without any possible attacker."""
        start = self.start
        attack = self.requests and start.rules.plans[self.options[0] - 1].is_attack
        return attack and not attackers(start, self.player)

    @property
    def results(self) -> list[ForecastResult]:
        """Return the results of the move without a response, as far as the player may know them."""
        return results(self.start, self.ahead)

    @property
    def forecast(self) -> Forecast:
        """Return the forecast of attackers or blockers: who falls per attacker, the damage of each player, who would
        lose."""
        if self._forecast is None:
            self._forecast = forecast(self.start, self.options)
        return self._forecast


def refusals(s: Engine, player: int) -> dict[str, Refusal]:
    """Return every action of the format this player cannot request now, each with the reason."""
    out: dict[str, Refusal] = {}
    for plan in s.rules.plans:
        why = None if plan.stands_for >= 0 else reasons.why_not(s, player, plan.id)
        if why is not None:
            out[plan.id] = why
    return out


class RefusedAction(NamedTuple):
    """An action that cannot be requested now, the reason, and the locations it could begin with otherwise."""

    action: str
    why: Refusal
    places: list[str]


def refused(s: Engine, player: int) -> list[RefusedAction]:
    side = s.sides[player]
    plans = {plan.id: plan for plan in s.rules.plans}
    out: list[RefusedAction] = []
    for action, why in refusals(s, player).items():
        keys = members(side.hand & (plans[action].key_a | plans[action].key_b))
        out.append(RefusedAction(action, why, [card_place(player, card) for card in keys]))
    for plan in plans.values():
        if plan.is_attack:
            for unit in side.soldiers:
                why_not = reasons.why_not_attackers(s, player, [unit])
                if not may_attack(s, side, unit) and why_not is not None:
                    out.append(RefusedAction(plan.id, why_not, [unit_at(s, player, unit)]))
    return out


def attackers(s: Engine, player: int) -> list[str]:
    """Return the soldiers that may attack now."""
    side = s.sides[player]
    return [unit_at(s, player, unit) for unit in side.soldiers if may_attack(s, side, unit)]


def unit_at(s: Engine, player: int, unit: Unit) -> str:
    return f"unit:{PLAYERS[player]}:{unit_place(s, player, unit)}"


def harms(player: int, result: ForecastResult) -> bool:
    """Return whether the result weakens or removes a unit of this player."""
    own = result.place.startswith(f"unit:{PLAYERS[player]}:")
    return own and (result.kind == "falls" or (result.kind == "number" and result.number < result.was))


def aims_at_own(s: Engine, options: list[int]) -> bool:
    """Return whether a harmful request has a unit of its own player as its target."""
    if s.kind != CHANCE_KIND or options[0] == PASS:
        return False
    plan = s.rules.plans[options[0] - 1]
    if plan.aim != AIM_UNIT or not facts_of(s, plan).reaches_opponent:
        return False
    trial = s.copy()
    for option in options[:-1]:
        trial.push(option)
    return trial.kind == TARGET_KIND and options[-1] // SIDE_CODE == s.asked
