"""A decision with everything a client shows of it. What costs something is made when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from blackpoker.assist.autopass import NO, answer_of, facts_of, useful
from blackpoker.assist.defaults import default_option
from blackpoker.assist.forecast import Forecast, Result, answer_results, forecast, outlook, results
from blackpoker.language.steps.choosing import ChooseCard
from blackpoker.regulation import Edition, edition_of
from blackpoker.rules.cards import NAMES, members
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import HAND
from blackpoker.rules.flow import CHANCE_KIND, NOTHING, PASS
from blackpoker.rules.names import PLAYERS, unit_place
from blackpoker.rules.plan import AIM_UNIT
from blackpoker.rules.requests import may_attack
from blackpoker.rules.state import OPTION_KIND, SIDE_CODE, TARGET_KIND, Unit
from blackpoker.texts import refusals as reasons
from blackpoker.texts.marks import Text, unmarked
from blackpoker.texts.prompts import Price, Prompts
from blackpoker.texts.refusals import Refusal
from blackpoker.words.sentence import Sentence
from blackpoker.words.tokens import SEVERAL, board_place, kind_name, marked

#: the questions that are answered with yes or no
YES_NO = "yes_no"
#: a sentence never has more words than both players have cards
MOST_WORDS = 80


@cache
def prompts(edition: Edition, lang: str) -> Prompts:
    """The texts of an edition in ``ja`` or ``en``."""
    return Prompts(edition, "ja" if lang == "ja" else "en")


@cache
def marked_prompts(edition: Edition, lang: str) -> Prompts:
    """The same texts with their players and rules marked."""
    return Prompts(edition, "ja" if lang == "ja" else "en", marks=True)


def prompts_of(s: Engine, lang: str) -> Prompts:
    return prompts(edition_of(s.rules), lang)


class Word:
    """An offered option: its number, its word in the notation, and at a chance the action it names."""

    def __init__(self, engine: Engine, option: int) -> None:
        self._engine = engine
        self.option: int = option
        self.text: str = marked(engine, option)
        chance = engine.kind == CHANCE_KIND and option != PASS
        self.action: str | None = self.text.removesuffix("@") if chance else None
        #: where on the table the thing it names lies (``words.tokens.board_place``)
        self.place: str = board_place(engine, option)

    def label(self, lang: str = "en") -> str:
        """What a button says, in ``ja`` or ``en``."""
        return prompts_of(self._engine, lang).option(self._engine, self.option)

    def title(self, lang: str = "en") -> str:
        """Of an action: its name, without price and keys."""
        return "" if self.action is None else prompts_of(self._engine, lang).action_name(self._engine, self.option - 1)

    def marked_label(self, lang: str) -> Text:
        """The same, and which players and rules it names."""
        return unmarked(marked_prompts(edition_of(self._engine.rules), lang).option(self._engine, self.option))

    @property
    def starts(self) -> list[str]:
        """Of an action: the things on the table it can begin with, its keys or who pays for it; of an attack the
        soldiers that may attack."""
        if self.action is None:
            return []
        engine = self._engine
        if engine.rules.plans[self.option - 1].is_attack:
            return attackers(engine, int(engine.asked))
        then = self.then
        return [] if then is None else [word.place for word in then.options if word.place]

    @property
    def takes(self) -> list[str]:
        """Of an action that asks for a card of the hand as soon as it is requested: these cards."""
        engine = self._engine
        if self.action is None or self.then is not None:
            return []
        action = facts_of(engine, engine.rules.plans[self.option - 1]).action
        first = action.effect[0].steps[0] if action.immediate and action.effect and action.effect[0].steps else None
        if isinstance(first, ChooseCard) and first.zone == HAND:
            return [f"card:{NAMES[card]}" for card in members(engine.sides[engine.asked].hand)]
        return []

    @property
    def results(self) -> list[Result]:
        """Of an answer to a yes-or-no question: what it costs and brings at once."""
        if self._engine.kind != OPTION_KIND or kind_name(self._engine) != YES_NO:
            return []
        return answer_results(self._engine, self.option)

    @property
    def useful(self) -> int:
        """Of an action: 0 it would change nothing, 1 it may, 2 most would do it before they go on."""
        return NO if self.action is None else useful(self._engine, self.option)

    def price(self, lang: str = "en") -> Price | None:
        """What the action or cost is paid with now: its letters, and the same in words. None for everything else."""
        return prompts_of(self._engine, lang).price(self._engine, self.option)

    @property
    def then(self) -> Decision | None:
        """What is asked after this word, where it does not end the sentence."""
        said = Sentence(self._engine)
        said.push(self.option)
        return None if said.complete else Decision(said.engine, said.words)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Word {self.option}: {self.text}>"


class Decision:
    """Who must choose what. ``options`` are the legal next words, ``said`` the words of the sentence said before.

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
        self._engine = engine
        self._options: list[Word] | None = None
        self.player: int = int(engine.asked)
        #: ``chance``, ``key``, ``card``, ``attackers`` …
        self.kind: str = kind_name(engine)
        #: whether several things may be named, ended with ``done``
        self.several: bool = engine.kind in SEVERAL
        self.said: list[str] = list(said)

    @property
    def prompt(self) -> str:
        """What the asked player reads, in English."""
        return self.prompt_in("en")

    def prompt_in(self, lang: str) -> str:
        """What the asked player reads, in ``ja`` or ``en``."""
        return prompts_of(self._engine, lang).prompt(self._engine)

    def marked_prompt(self, lang: str) -> Text:
        """The same, and which players and rules it names."""
        return unmarked(marked_prompts(edition_of(self._engine.rules), lang).prompt(self._engine))

    def said_in(self, lang: str) -> str:
        """The request that is being worded, as it stands, in ``ja`` or ``en``; empty where none is."""
        engine = self._engine
        return "" if engine.draft is None else prompts_of(engine, lang).draft(engine)

    @property
    def options(self) -> list[Word]:
        """The legal next words."""
        made = self._options
        if made is None:
            made = self._options = [Word(self._engine, option) for option in self._engine.options]
        return made

    @property
    def words(self) -> list[str]:
        """The texts of the options."""
        return [marked(self._engine, option) for option in self._engine.options]

    @property
    def default(self) -> int:
        """The option that is taken where a player gives no answer."""
        return default_option(self._engine)

    def completion(self) -> Sentence | None:
        """What most people would say next to end the sentence; None at a chance, where only the player can say."""
        if self._engine.kind == CHANCE_KIND:
            return None
        rest = Sentence(self._engine)
        while not rest.complete and len(rest.words) < MOST_WORDS:
            if rest.engine.kind == CHANCE_KIND:
                return None
            rest.push(default_option(rest.engine))
        return rest

    @property
    def proposal(self) -> list[str]:
        """The words said and a way to end the sentence; empty at a chance."""
        rest = self.completion()
        return [] if rest is None else self.said + rest.words

    @property
    def outlook(self) -> list[Result]:
        """At a chance: what lies on top of the stage does if nobody answers, as far as the player may know it."""
        return outlook(self._engine)

    @property
    def refusals(self) -> dict[str, Refusal]:
        """Every action of the format that is not offered, and why."""
        return refusals(self._engine, self.player)

    @property
    def refused(self) -> list[RefusedAction]:
        """The same with the things on the table each could begin with, and every soldier that cannot attack."""
        return refused(self._engine, self.player)

    def __repr__(self) -> str:
        words = self.words
        shown = " ".join(words[:12]) + (" …" if len(words) > 12 else "")
        return f"<Decision {PLAYERS[self.player]} {self.kind}: {shown}>"


class Draft(Sentence):
    """A sentence that is being tried: what has been said, what may follow, what it would come to. Nothing happens."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._start = engine
        self._results: list[Result] | None = None
        self._forecast: Forecast | None = None

    def push(self, option: int) -> None:
        super().push(option)
        self._results = self._forecast = None

    @property
    def decision(self) -> Decision | None:
        """What is asked next; None when the sentence is complete or the game is over. Ask again after another word."""
        if self.complete or self.engine.kind == NOTHING:
            return None
        return Decision(self.engine, self.words)

    @property
    def warnings(self) -> list[str]:
        """What a second tap is asked for: you would ``lose``, little ``life`` is left, a ``sacrifice``, an ``own_unit``
        as the victim, a counter in ``vain``."""
        out = warnings(self._start, self.options)
        if "own_unit" not in out and any(harms(self.player, result) for result in self.results):
            out.append("own_unit")
        if PLAYERS[self.player] in self.forecast.lethal:
            out.append("lose")
        return out

    @property
    def results(self) -> list[Result]:
        """Of a request: what it does if nobody answers, as far as the player may know it."""
        if self._results is None:
            self._results = results(self._start, self.options)
        return self._results

    @property
    def forecast(self) -> Forecast:
        """Of attackers or blockers: attacker by attacker who falls, the damage of each player, who would lose."""
        if self._forecast is None:
            self._forecast = forecast(self._start, self.options)
        return self._forecast


def refusals(s: Engine, player: int) -> dict[str, Refusal]:
    """Every action of the format this player cannot request now."""
    out: dict[str, Refusal] = {}
    for plan in s.rules.plans:
        why = None if plan.stands_for >= 0 else reasons.why_not(s, player, plan.id)
        if why is not None:
            out[plan.id] = why
    return out


class RefusedAction(NamedTuple):
    """An action that cannot be requested now, why, and what it could begin with otherwise."""

    action: str
    why: Refusal
    places: list[str]


def refused(s: Engine, player: int) -> list[RefusedAction]:
    side = s.sides[player]
    plans = {plan.id: plan for plan in s.rules.plans}
    out: list[RefusedAction] = []
    for action, why in refusals(s, player).items():
        keys = members(side.hand & (plans[action].key_a | plans[action].key_b))
        out.append(RefusedAction(action, why, [f"card:{NAMES[card]}" for card in keys]))
    for plan in plans.values():
        if plan.is_attack:
            for unit in side.soldiers:
                why_not = reasons.why_not_attackers(s, player, [unit])
                if not may_attack(s, side, unit) and why_not is not None:
                    out.append(RefusedAction(plan.id, why_not, [unit_at(s, player, unit)]))
    return out


def attackers(s: Engine, player: int) -> list[str]:
    """The soldiers that may attack now."""
    side = s.sides[player]
    return [unit_at(s, player, unit) for unit in side.soldiers if may_attack(s, side, unit)]


def unit_at(s: Engine, player: int, unit: Unit) -> str:
    return f"unit:{PLAYERS[player]}:{unit_place(s, player, unit)}"


def harms(player: int, result: Result) -> bool:
    """Whether it weakens or costs a unit of this player."""
    own = result.place.startswith(f"unit:{PLAYERS[player]}:")
    return own and (result.kind == "falls" or (result.kind == "number" and result.number < result.was))


def warnings(s: Engine, options: list[int]) -> list[str]:
    if s.kind != CHANCE_KIND or not options or options[0] == PASS:
        return []
    out = []
    plan = s.rules.plans[options[0] - 1]
    life = len(s.sides[s.asked].life)
    if plan.cost.l and life <= plan.cost.l:
        out.append("lose")
    elif plan.cost.l and life - plan.cost.l <= 2:
        out.append("life")
    if plan.cost.s:
        out.append("sacrifice")
    trial = s.copy()
    for option in options[:-1]:
        trial.push(option)
    if trial.kind == TARGET_KIND and plan.aim == AIM_UNIT and options[-1] // SIDE_CODE == s.asked:
        if facts_of(s, plan).reaches_opponent:
            out.append("own_unit")
    if plan.aim_counter and s.stage and answer_of(s, options) == NO:
        out.append("vain")
    return out
