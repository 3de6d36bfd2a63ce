"""``blackpoker play``: a game or a match in the terminal, for two at one keyboard or against a computer player."""

from __future__ import annotations

import secrets
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from blackpoker.cli.common import LangOption, Problem, console, language
from blackpoker.cli.match import MatchTable
from blackpoker.cli.regulations import parse
from blackpoker.cli.session import Session
from blackpoker.cli.simulate import PLAYER_STREAM
from blackpoker.cli.table import Table
from blackpoker.errors import BlackPokerError
from blackpoker.game import Game
from blackpoker.match import Match
from blackpoker.players.levels import LEVELS, RANDOM
from blackpoker.regulation import DeckError, DeckList, Regulation, check_decks, parse_decks
from blackpoker.rules.shuffler import seeded
from blackpoker.texts.rulebook import Lang, of_pair

MOST_BYTES = 10_000_000
UNREADABLE = ("{0} を読めません：{1}", "cannot read {0}: {1}")
TOO_LARGE = ("大きすぎます", "the file is too large")
NO_TEXT = ("テキストではありません", "not a text file")


class Opponent(Enum):
    RANDOM = "random"
    EASY = "easy"
    NORMAL = "normal"
    STRONG = "strong"
    MASTER = "master"
    HOTSEAT = "hotseat"


def play(
    regulation: Annotated[
        str, typer.Option("--regulation", "-r", help="Such as lite+entry or ライト+エントリー.")
    ] = "lite+entry",
    seed: Annotated[
        int | None, typer.Option("--seed", "-s", min=0, max=2**31, help="The same seed, the same deal.")
    ] = None,
    opponent: Annotated[Opponent, typer.Option("--opponent", "-o", help="Who sits at P2.")] = Opponent.EASY,
    deck: Annotated[Path | None, typer.Option("--deck", help="A deck file for P1, in constructed frames.")] = None,
    deck2: Annotated[Path | None, typer.Option("--deck2", help="A deck file for P2.")] = None,
    lang: LangOption = None,
    resume: Annotated[Path | None, typer.Option("--resume", help="Go on with a saved game or match.")] = None,
) -> None:
    """Play in the terminal: against a computer player, or hot-seat."""
    tongue = language(lang)
    chosen = parse(regulation, tongue)
    given = [read_deck(path, chosen, tongue) for path in (deck, deck2)]
    people = frozenset({0, 1} if opponent is Opponent.HOTSEAT else {0})
    level = LEVELS.get(opponent.value, RANDOM)
    chance = seeded(secrets.randbits(40) if seed is None else seed + PLAYER_STREAM)
    game: Game | Match
    if resume is not None:
        game = load(resume, tongue)
    elif chosen.frame.decks > 1:
        game = Match(chosen, seed, given)
    else:
        game = Game(chosen, seed, [None if files is None else files.decks[0] for files in given])
    if isinstance(game, Match):
        table: Table = MatchTable(game, people, chance, tongue, console(), level)
    else:
        session = Session(game, people, chance, level)
        session.opening()
        table = Table(session, tongue, console())
    raise typer.Exit(table.run())


def read(path: Path, lang: Lang) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Problem(of_pair(*UNREADABLE, lang).format(path, of_pair(*TOO_LARGE, lang)))
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else of_pair(*NO_TEXT, lang)
        raise Problem(of_pair(*UNREADABLE, lang).format(path, why)) from None


def read_deck(path: Path | None, regulation: Regulation, lang: Lang) -> DeckList | None:
    """A deck file, checked against the regulation."""
    if path is None:
        return None
    try:
        decks = parse_decks(read(path, lang))
        check_decks(decks.decks, regulation)
    except DeckError as error:
        raise Problem(f"{path}: {'、'.join(error.defects_ja) if lang == 'ja' else '; '.join(error.defects)}") from None
    return decks


def load(path: Path, lang: Lang) -> Game | Match:
    """A saved game or match, or a record of a game."""
    text = read(path, lang)
    try:
        if not text.lstrip().startswith("{"):
            return Game.from_record(text)
        return Match.from_json(text) if '"blackpoker_match"' in text else Game.from_json(text)
    except BlackPokerError as error:
        raise Problem(f"{path}: {error.ja if lang == 'ja' else error.en}") from None
