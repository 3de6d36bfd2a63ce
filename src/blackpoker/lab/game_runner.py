"""Playing one game of an arm and recording its result. No other module of the lab knows how a game is played.

A game is determined by its arm, its seed and the seats. Its choices are recorded, so that it can be replayed even after
the players have changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from blackpoker import Game, native, seeded
from blackpoker.ai.heuristic_player import heuristic_choice
from blackpoker.ai.heuristics.scorer import HeuristicScorer
from blackpoker.ai.random_player import random_trumps
from blackpoker.determinization import PriorKnowledge
from blackpoker.engine.cards import NAMES, members
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import DECLARED, OPENED, RAISED, RESOLVING, TRUMP_SET, TURN
from blackpoker.engine.setup import STEP, TO_TRUMPS
from blackpoker.engine.shuffler import Shuffler
from blackpoker.game import outcome
from blackpoker.lab.experiment import MOST_ARMS, Arm, Experiment
from blackpoker.players.batch_play import GameBatch
from blackpoker.players.batch_play import play as play_many
from blackpoker.players.engine_players import BotLevel, level_of, make_player
from blackpoker.players.errors import Forfeit
from blackpoker.players.player_view import PlayerView, SandboxedPlayer
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.ruleset import Regulation, new_game
from blackpoker.seeds import DICE_STREAM, PLAYER_STREAM, TRUMP_STREAM

DRAW: Final = 2
#: first player of a game that ended before its first turn
NO_PLAYER: Final = -1

Choose = Callable[[Engine], int]


class GameRow(NamedTuple):
    """The record of one game. Lists are by seat, p1 first; lists with one number per turn also include the end of
    the game.
    """

    deal: int
    arm: int
    swapped: int  # 1: Y has seat p1
    seed: int
    p1: str
    p2: str
    first: int  # the seat of the first player
    winner: int  # the seat, 2: draw
    turns: int
    decisions: int
    forced: int  # decisions with one option
    life: str  # [[…], […]] at the start of every turn
    hand: str
    actions: str  # [{id: times}, …]: requests, and triggered actions taking effect
    opening: str  # [[ids], …]: requests of the first own turn, in order
    trumps: str  # [{card: times opened}, …]: of the trumps set before the game
    choices: bytes  # the options chosen at every decision with two or more
    faults: str  # faults of a player, almost always empty


class Setting(NamedTuple):
    """Data shared by the games of an arm."""

    regulation: Regulation
    policy: HeuristicScorer
    briefings: tuple[PriorKnowledge, PriorKnowledge]  # as X and Y are seated, and with the seats exchanged
    actions: list[str]


@lru_cache(maxsize=MOST_ARMS)
def setting_of(arm: Arm) -> Setting:
    regulation = arm.parsed
    rules = regulation.rules()
    briefings = (prior_knowledge(regulation, arm.decks), prior_knowledge(regulation, arm.decks[::-1]))
    # "id@" is a variant of the same action
    return Setting(regulation, HeuristicScorer(rules), briefings, [plan.id.removesuffix("@") for plan in rules.plans])


def play_deals(experiment: Experiment, deals: Sequence[int]) -> list[GameRow]:
    """Play these deals with every arm at both seats; return their rows."""
    seeds = [experiment.seed + deal for deal in deals]
    kinds = [
        (number, arm, swapped) for number, arm in enumerate(experiment.arms) for swapped in range(experiment.seats)
    ]
    known = [choices_of(arm, seeds, swapped) for _, arm, swapped in kinds]
    return [
        play(arm, number, deal, experiment.seed + deal, swapped, choices[place])
        for place, deal in enumerate(deals)
        for (number, arm, swapped), choices in zip(kinds, known, strict=True)
    ]


def choices_of(arm: Arm, seeds: Sequence[int], swapped: int) -> Sequence[bytes | None]:
    """Return the choices of these games computed in machine code, or None per game if that is not available."""
    levels = [level_of(name) for name in (arm.players[swapped], arm.players[1 - swapped])]
    if not native.available() or any(isinstance(level, BotLevel) for level in levels):
        return [None] * len(seeds)
    decks = arm.decks[::-1] if swapped else arm.decks
    player_seeds = [player_seed(arm, seed, seat ^ swapped) for seed in seeds for seat in (0, 1)]
    openings = [drawn_trumps(arm, deal_game(arm, setting_of(arm), seed, swapped), seed) for seed in seeds]
    return play_many(
        GameBatch(arm.parsed, seeds, levels, decks, player_seeds, use_views=False, openings=openings),
        threads=1,
        choices=True,
    ).choices


def drawn_trumps(arm: Arm, engine: Engine, seed: int) -> list[int]:
    """Return the choices that draw the trumps of both players, if the arm leaves them to chance. In Extra of edition 9
    they are the first questions (N-137); in Draft they come from the cards kept, and the players choose."""
    if arm.trumps != "random":
        return []
    chance = seeded(seed + TRUMP_STREAM)
    steps = engine.rules.setup
    if not steps or steps[0] // STEP != TO_TRUMPS:
        return random_trumps(engine, chance)
    out: list[int] = []
    for side in engine.sides:
        able = [card for card in sorted(side.life) if engine.rules.trumps[card] is not None]
        chance.mix(able)
        out += sorted(able[: steps[0] % STEP])
    return out


def play(arm: Arm, number: int, deal: int, seed: int, swapped: int, known: bytes | None = None) -> GameRow:
    """Play one game; ``known``: its choices, if already computed."""
    setting = setting_of(arm)
    engine = deal_game(arm, setting, seed, swapped)
    choices = bytearray()
    left = iter(known or b"")
    for option in drawn_trumps(arm, engine, seed):
        if known is not None and len(engine.options) > 1:
            next(left)
        choices.append(option)
        engine.push(option)
    seats = (arm.players[swapped], arm.players[1 - swapped])
    faults: list[str] = []
    chosen: list[Choose] = [lambda engine: next(left)] * 2
    if known is None:
        chosen = [chooser_of(arm, setting, seats[seat], seat, seed, swapped, faults) for seat in (0, 1)]
    decisions, forced, curves = play_to_end(engine, chosen, choices)
    usage = log_usage(engine, setting.actions)
    return GameRow(
        deal,
        number,
        swapped,
        seed,
        *seats,
        usage.first,
        int(engine.winner),
        int(engine.turn_number),
        decisions,
        forced,
        _json(curves[:2]),
        _json(curves[2:]),
        _json(usage.actions),
        _json(usage.opening),
        _json(usage.trumps),
        bytes(choices),
        "\n".join(faults),
    )


def deal_game(arm: Arm, setting: Setting, seed: int, swapped: int) -> Engine:
    """Return the game after the deal, with its log enabled."""
    decks = arm.decks[::-1] if swapped else arm.decks
    engine = new_game(setting.regulation, seeded(seed), decks)
    engine.log = []
    engine.advance()
    return engine


def play_to_end(engine: Engine, choose: Sequence[Choose], choices: bytearray) -> tuple[int, int, list[list[int]]]:
    """Play to the end; return decisions, forced decisions, and life and hand of both seats by turn."""
    decisions = forced = turn = 0
    curves: list[list[int]] = [[], [], [], []]
    while True:
        options = engine.options
        if not options:
            _measure(engine, curves)
            return decisions, forced, curves
        if engine.turn_number != turn:
            turn = engine.turn_number
            _measure(engine, curves)
        decisions += 1
        if len(options) == 1:
            forced += 1
            engine.push(options[0])
        else:
            try:
                option = choose[engine.asked](engine)
            except Forfeit as lost:
                outcome.apply_entry(engine, outcome.encode_end("fault", lost.seat))
                continue
            choices.append(option)
            engine.push(option)


def _measure(engine: Engine, curves: list[list[int]]) -> None:
    first, second = engine.sides
    curves[0].append(len(first.life))
    curves[1].append(len(second.life))
    curves[2].append(int(first.hand_count))
    curves[3].append(int(second.hand_count))


def player_seed(arm: Arm, seed: int, person: int) -> int:
    """Return the seed of X's (0) or Y's (1) random stream."""
    return 2 * seed + person + PLAYER_STREAM + arm.dice * DICE_STREAM


def chooser_of(arm: Arm, setting: Setting, name: str, seat: int, seed: int, swapped: int, faults: list[str]) -> Choose:
    """Return the function that chooses for this seat. X and Y keep their random streams when seats are exchanged."""
    number = player_seed(arm, seed, seat ^ swapped)
    knowledge = setting.briefings[swapped]
    level = level_of(name)
    if level.id == "random":
        return random_chooser(seeded(number))
    if level.playouts == 0 and not isinstance(level, BotLevel):
        policy, noise, overlook, rng = setting.policy, level.noise, level.overlook, seeded(number)
        return lambda engine: heuristic_choice(engine, seat, knowledge, policy, noise, overlook, rng)
    player = SandboxedPlayer(
        make_player(level, setting.regulation, seat, number, knowledge, arm.decks), name, forgive=0
    )
    player.faults = faults

    def think(engine: Engine) -> int:
        shown = PlayerView(engine, seat, knowledge)
        return player.choose(shown, shown.decision)

    return think


def random_chooser(rng: Shuffler) -> Choose:
    below = rng.below

    def choose(engine: Engine) -> int:
        options = engine.options
        return options[below(len(options))]

    return choose


class LogUse(NamedTuple):
    """Usage counts from the log of a game, by seat."""

    actions: list[dict[str, int]]
    opening: list[list[str]]
    trumps: list[dict[str, int]]
    first: int


def log_usage(engine: Engine, ids: Sequence[str]) -> LogUse:
    out = LogUse([{}, {}], [[], []], [{}, {}], NO_PLAYER)
    raised: set[int] = set()
    turns = 0  # turns started so far
    first = at = NO_PLAYER
    for kind, player, cards, _, a, b in engine.log or ():
        if kind == DECLARED or (kind == RESOLVING and b in raised):
            id = ids[a]
            used = out.actions[player]
            used[id] = used.get(id, 0) + 1
            if kind == DECLARED and turns <= 2 and player == at:
                out.opening[player].append(id)
        elif kind == RAISED:
            raised.add(b)
        elif kind == TURN:
            turns += 1
            at = player
            first = player if turns == 1 else first
        elif kind == TRUMP_SET and turns == 0:
            out.trumps[player].update((NAMES[card], 0) for card in members(cards))
        elif kind == OPENED:
            for card in members(cards):
                if NAMES[card] in out.trumps[player]:  # only those set before the game
                    out.trumps[player][NAMES[card]] += 1
    return out._replace(first=first)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# -- replay ------------------------------------------------------------------------------------------------------------


def replay(arm: Arm, row: GameRow) -> Game:
    """Return the game of a row, replayed from its choices."""
    decks = arm.decks[::-1] if row.swapped else arm.decks
    game = Game(arm.parsed, seed=row.seed, decks=decks)
    game.names = [row.p1, row.p2]
    for option in _options(game, row.choices):
        game.push(option)
    if game.outcome() is None:  # ended by a fault of the player to decide
        game.end("fault", game.player)
    return game


def _options(game: Game, choices: bytes) -> Iterator[int]:
    left = iter(choices)
    while options := game.options:
        option = options[0] if len(options) == 1 else next(left, None)
        if option is None:
            return
        yield option
