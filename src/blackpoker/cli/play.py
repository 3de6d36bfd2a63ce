"""``blackpoker play``: a game or a match in the terminal, hot-seat or against a computer player."""

from __future__ import annotations

from pathlib import Path
from random import Random

from blackpoker.ai.levels import RANDOM
from blackpoker.cli.console import UsageError, language, read_text
from blackpoker.cli.match import MatchTable
from blackpoker.cli.regulations import parse
from blackpoker.cli.session import Session
from blackpoker.cli.terminal import console
from blackpoker.cli.terminal_game import TerminalTable
from blackpoker.errors import BlackPokerError
from blackpoker.game.game import Game
from blackpoker.game.match import Match
from blackpoker.players.engine_players import Level, PlayersError, level_of
from blackpoker.ruleset import DeckError, DeckList, Edition, Regulation, check_player_decks, parse_decks
from blackpoker.text.resources import Lang

IN_FILE = ("{0}：{1}", "{0}: {2}")


def play(
    regulation: str,
    seed: int | None,
    opponent: str,
    deck: Path | None,
    deck2: Path | None,
    resume: Path | None,
    packages: list[Path] | None,
    lang: str | None,
) -> int:
    """Play in the terminal: against a computer player, or hot-seat."""
    tongue = language(lang)
    chosen = parse(regulation, packages)
    given = [read_deck(path, chosen, tongue) for path in (deck, deck2)]
    people = frozenset({0, 1} if opponent == "hotseat" else {0})
    level = RANDOM if opponent == "hotseat" else level_named(opponent)
    chance = Random(None if seed is None else f"players {seed}")
    game: Game | Match
    if resume is not None:
        game = load(resume, chosen.edition, tongue)
    elif chosen.frame.decks > 1:
        game = Match(chosen, seed, given)
    else:
        game = Game(chosen, seed, [None if files is None else files.decks[0] for files in given])
    if isinstance(game, Match):
        table: TerminalTable = MatchTable(game, people, chance, tongue, console(), level)
    else:
        session = Session(game, people, chance, level)
        session.log_opening()
        table = TerminalTable(session, tongue, console())
    return table.run()


def level_named(name: str) -> Level:
    """Return a level or a bot; raise `UsageError` if there is none of that name."""
    try:
        return level_of(name)
    except PlayersError as error:
        raise UsageError((error.ja, error.en)) from None


def read_deck(path: Path | None, regulation: Regulation, lang: Lang) -> DeckList | None:
    """Return the decks of a file; raise `UsageError` if the regulation does not allow them."""
    if path is None:
        return None
    try:
        decks = parse_decks(read_text(path, lang), regulation.edition)
        check_player_decks(decks, regulation)
    except DeckError as error:
        raise UsageError(IN_FILE, path, "、".join(error.defects_ja), "; ".join(error.defects)) from None
    return decks


def load(path: Path, edition: Edition, lang: Lang) -> Game | Match:
    """Return a saved game or match, or the game of a record; raise `UsageError` if it is invalid."""
    text = read_text(path, lang)
    try:
        if not text.lstrip().startswith("{"):
            return Game.from_record(text, edition=edition)
        kind: type[Game] | type[Match] = Match if '"blackpoker_match"' in text else Game
        return kind.from_json(text, edition=edition)
    except BlackPokerError as error:
        raise UsageError(IN_FILE, path, error.ja, error.en) from None
