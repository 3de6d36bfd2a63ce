"""Random games that are copied, queried and undone at random points; copy and original must report the same events as a
replay of their records."""

from __future__ import annotations

import copy
from collections.abc import Callable

from blackpoker import Audience, Event, Game, Match
from blackpoker.engine.shuffler import Shuffler, seeded
from blackpoker.engine.visibility import AUDIENCES
from blackpoker.game.game import shuffles_of

#: limit of games per root
MOST_GAMES = 4
MOST_DECISIONS = 500

COPIES: tuple[Callable[[Game], Game], ...] = (Game.copy, copy.copy, copy.deepcopy)


def reports(game: Game) -> tuple[list[list[Event]], list[list[str]]]:
    """Return all reports of a game's history: the events for every audience, and the log lines in both languages."""
    events = [game.events(audience) for audience in (*AUDIENCES, Audience.JUDGE)]
    lines = [step.lines("ja" if audience % 2 else "en", audience) for audience in AUDIENCES for step in game.steps()]
    return events, lines


def one_step(games: list[Game], chance: Shuffler) -> None:
    """Do one random operation on one of the games: usually a choice."""
    game = games[chance.below(len(games))]
    what = chance.below(40)
    if what == 0 and len(games) < MOST_GAMES:
        games.append(COPIES[chance.below(len(COPIES))](game))
    elif what == 1 and game.history:
        game.pop()
    elif what == 2 and game.history:
        game.go_to(int(chance.below(len(game.history) + 1)))
    elif what <= 5:
        game.events(int(chance.below(4)))
    elif game.options:
        game.push(game.options[chance.below(len(game.options))])


def copied_game(regulation: str, seed: int) -> int:
    """Play one root and its copies; return how many shuffles followed a copy that had already reported its history."""
    chance = seeded(seed + 1)
    games = [Game(regulation, seed=seed)]
    known: list[int] = []
    for _ in range(MOST_DECISIONS):
        before = len(games)
        one_step(games, chance)
        if len(games) > before:
            known.append(len(shuffles_of(games[-1])))
    later = 0
    for index, game in enumerate(games):
        assert reports(game) == reports(Game.from_record(game.record())), f"{regulation}, seed {seed}, game {index}"
        if index and len(shuffles_of(game)) > known[index - 1]:
            later += 1
    return later


def copied_match(regulation: str, seed: int) -> None:
    """Play a match and its copies independently."""
    chance = seeded(seed + 1)
    matches = [Match(regulation, seed)]
    makers: tuple[Callable[[Match], Match], ...] = (Match.copy, copy.copy, copy.deepcopy)
    for _ in range(MOST_DECISIONS):
        match = matches[chance.below(len(matches))]
        what = chance.below(40)
        if what == 0 and len(matches) < MOST_GAMES:
            matches.append(makers[chance.below(len(makers))](match))
        elif what <= 3 and match.game is not None:
            match.game.events(int(chance.below(4)))
        elif match.options:
            match.push(match.options[chance.below(len(match.options))])
    for match in matches:
        again = Match.from_record(match.record())
        assert len(match.games) == len(again.games)
        for played, anew in zip([*match.games, match.game], [*again.games, again.game], strict=True):
            if isinstance(played, Game) and isinstance(anew, Game):
                assert reports(played) == reports(anew), f"{regulation}, match seed {seed}"
