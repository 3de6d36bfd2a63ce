"""Four scripted newcomers of the guided first game: one who chooses at random, one who always attacks, one who follows
the gold buttons, and one who only defends until an attack is safe.

``python -m tests.newcomers 500`` plays 500 games of each and prints the share of wins.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from blackpoker.assist.autopass import NO
from blackpoker.assist.completion import UNWANTED_WARNINGS
from blackpoker.assist.decision import Decision, Draft
from blackpoker.engine.locations import PLAYERS
from blackpoker.errors import BlackPokerError
from blackpoker.game.game import Game
from blackpoker.learn.exercise import PLAIN
from blackpoker.learn.lessons import first_game_position
from blackpoker.notation.move import Move
from blackpoker.players.opponent import opponent
from tests.guide_follower import blocks, follow, gold_draft, sacrifice_order

Newcomer = Callable[[Game, Random], Move]

#: actions in the order of a player who wants to attack, and of one who wants to be safe
ATTACKING: Final = ("attack", "throw", "summon_ace", "summon_hero", "summon_soldier", "set_bulwark", "destroy_bulwark")
DEFENDING: Final = ("set_bulwark", "summon_hero", "summon_soldier", "summon_ace", "attack", "throw", "destroy_bulwark")


def offered(decision: Decision) -> list[str]:
    """Return the actions that the page counts as possible, and the words that go on."""
    return [option.text for option in decision.options if option.useful != NO or option.text in PLAIN]


def choose_at_random(game: Game, chance: Random) -> Move:
    """Tap at random: an action that is offered or going on, then whatever is possible, token by token."""
    decision = game.decision
    assert decision is not None
    words: list[str] = []
    if decision.kind == "chance":
        words = [chance.choice(offered(decision))]
    draft = game.draft(words)
    while not draft.complete:
        then = draft.decision
        assert then is not None
        draft = game.draft([*draft.words, chance.choice(then.words)])
    return draft.move


def proposed(game: Game, wanted: tuple[str, ...]) -> Move | None:
    """Return the first wanted action as the page would fill it in."""
    decision = game.decision
    assert decision is not None
    words = offered(decision)
    for word in wanted:
        draft = gold_draft(game, word) if word in words else None
        if draft is not None:
            return draft.move
    return None


def finish(game: Game) -> Move:
    """Return the move that does nothing more: end the turn, or pass."""
    decision = game.decision
    assert decision is not None
    return game.draft(["end" if "end" in decision.words and not game._engine.stage else "pass"]).move


def attack_always(game: Game, chance: Random) -> Move:
    """Attack with everyone, never block, and draw whenever it is possible."""
    decision = game.decision
    assert decision is not None
    if decision.kind == "attackers":
        return game.draft([word for word in decision.words if word != "done"], finish=True).move
    if decision.kind == "blockers":
        return game.draft(game.parse("done", game.player)).move
    if decision.kind == "yes_no":
        return game.draft(["yes"]).move
    if decision.kind == "chance":
        return proposed(game, ATTACKING) or finish(game)
    if decision.kind == "card":
        return game.draft([min(decision.words, key=sacrifice_order)], finish=True).move
    return game.draft(decision.proposal, finish=True).move


def attack_when_safe(game: Game, chance: Random) -> Move:
    """Defend: set bulwarks, block whenever a block ranks well, and attack only with those that no charged character of
    the opponent can defeat, or to win."""
    decision = game.decision
    assert decision is not None
    if decision.kind == "attackers":
        return game.draft(safe_attackers(game, decision), finish=True).move
    if decision.kind == "blockers":
        return blocks(game, decision)
    if decision.kind == "yes_no":
        return game.draft(["no"]).move
    if decision.kind == "chance":
        return proposed(game, DEFENDING) or finish(game)
    if decision.kind == "card":
        return game.draft([min(decision.words, key=sacrifice_order)], finish=True).move
    return game.draft(decision.proposal, finish=True).move


def safe_attackers(game: Game, decision: Decision) -> list[str]:
    view = game.view(game.player)
    theirs = view.p1 if PLAYERS[int(game.player)] == "p2" else view.p2
    mine = view.p2 if PLAYERS[int(game.player)] == "p2" else view.p1
    strongest = max((unit.number for unit in theirs.soldiers if not unit.driven), default=0)
    able = [word for word in decision.words if word != "done"]
    if PLAYERS[1 - int(game.player)] in lethal_for(game, able):
        return able
    return [unit.name for unit in mine.soldiers if unit.name in able and unit.number > strongest] or ["done"]


def lethal_for(game: Game, words: list[str]) -> list[str]:
    try:
        draft: Draft = game.draft(words or ["done"], finish=True)
    except BlackPokerError:
        return []
    return [] if UNWANTED_WARNINGS & set(draft.warnings) else list(draft.forecast.lethal_for)


NEWCOMERS: Final[dict[str, Newcomer]] = {
    "random": choose_at_random,
    "greedy": attack_always,
    "follower": lambda game, chance: follow(game),
    "cautious": attack_when_safe,
}


@dataclass
class FirstGames:
    """Result of a newcomer's guided games. ``vain``: the offered actions that would change nothing, with their game."""

    games: int = 0
    won: int = 0
    turns: int = 0
    offered: int = 0
    vain: list[str] = field(default_factory=list)


def play_first_games(name: str, games: int) -> FirstGames:
    """Play guided games of a newcomer against the easiest level; check every action that is offered on the way."""
    found = FirstGames(games)
    for seed in range(games):
        game, easy, chance = (
            Game.from_position(first_game_position(), seed=seed),
            opponent("easy", seed=seed),
            Random(seed),
        )
        while game.outcome() is None:
            if int(game.player) != 0:
                game.push(easy.choose(game))
                continue
            decision = game.decision
            assert decision is not None
            for option in decision.options if decision.kind == "chance" else ():
                if option.useful == NO:
                    continue
                found.offered += 1
                draft = game.draft([option.text]) if option.then is None else gold_draft(game, option.text)
                if draft is not None and "vain" in draft.warnings:
                    found.vain.append(f"{seed}: {draft.move.text}")
            game.push(NEWCOMERS[name](game, chance))
        outcome = game.outcome()
        assert outcome is not None
        found.won += outcome.winner == "p1"
        found.turns += int(game.turn_number)
    return found


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for newcomer in NEWCOMERS:
        result = play_first_games(newcomer, count)
        print(
            f"{newcomer}: {100 * result.won / count:.1f} % won, {result.turns / count:.1f} turns,"
            f" {result.offered} actions offered, {len(result.vain)} without effect",
            flush=True,
        )
