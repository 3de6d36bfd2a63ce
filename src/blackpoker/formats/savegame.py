"""Games saved as JSON: writing, reading, and clear refusals of everything else."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from blackpoker.engine.flow import DRAW, UNDECIDED
from blackpoker.engine.shuffler import Shuffler
from blackpoker.errors import UnreadableText
from blackpoker.game.game import Game, game_at
from blackpoker.game.outcome import END_REASONS
from blackpoker.game.start import GameStart
from blackpoker.notation import state_writer
from blackpoker.notation.limits import MOST_FILE, checked_text
from blackpoker.notation.state_check import SaveError
from blackpoker.notation.state_reader import read_state
from blackpoker.ruleset import Edition, Regulation, RegulationError, edition_for_record

MOST_NESTING: Final = 40
MOST_NAME: Final = 80
#: a string of JSON, in which brackets do not nest
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')


def write_saved(game: Game) -> str:
    """Return the text of ``Game.to_json``."""
    source = game._engine.source
    data: dict[str, Any] = {
        "blackpoker": state_writer.VERSION,
        "edition": game.regulation.edition.text,
        "regulation": game.regulation.text,
        "names": game.names,
        "state": state_writer.dump(game._engine),
        "generator": int(source.state),
    }
    if source.injected:
        data["injected"] = [[player, cards] for player, cards in source.injected]
    over = game.outcome()
    if over is not None and over.reason in END_REASONS:
        data["ended"] = over.reason
    return state_writer.canonical(data)


def _saved_error(en: str, ja: str = "") -> UnreadableText:
    return UnreadableText(f"saved game: {en}", f"保存データ：{ja or en}")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


def _short_int(text: str) -> int:
    if len(text) > 24:
        raise ValueError("a number is too long")
    return int(text)


def parse_json(text: object, what: str) -> Any:
    """Return the JSON value of a text; raise `UnreadableText` if it is too long, nested too deep or no JSON."""
    text = checked_text(text, MOST_FILE, what, "保存データ")
    depth = 0
    for character in _STRING.sub("", text):
        if character in "[{":
            depth += 1
            if depth > MOST_NESTING:
                raise _saved_error("nested too deep", "入れ子が深すぎます")
        elif character in "]}":
            depth -= 1
    try:
        return json.loads(text, parse_int=_short_int, parse_constant=_no_constant)
    except (ValueError, RecursionError, OverflowError) as error:
        raise _saved_error(f"not JSON: {error}", "JSONとして読めません") from error


def read_names(value: object) -> list[str]:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(name, str) for name in value):
        raise _saved_error("names must be two texts", "名前は2つの文字列です")
    return [clean_name(name) for name in value]


def clean_name(name: str) -> str:
    """Return a player's name on one line."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:MOST_NAME]


def read_saved(text: str, shuffler: Shuffler | None = None, edition: Edition | None = None) -> Game:
    """Return the game ``to_json`` wrote; with ``shuffler`` later shuffles come from it. Raise `UnreadableText` for any
    other text."""
    data = parse_json(text, "a saved game")
    if not isinstance(data, dict) or data.get("blackpoker") != state_writer.VERSION:
        raise _saved_error("this is no saved game, or of another version", "保存データではないか、別の版です")
    edition_name = str(data.get("edition"))
    edition = edition_for_record(edition_name) if edition is None else edition
    if not edition.matches(edition_name):
        ja, en = edition.mismatch_text(edition_name)
        raise _saved_error(en, ja)
    try:
        regulation = Regulation.parse(str(data.get("regulation"))[:200], edition)
    except RegulationError as error:
        raise _saved_error(error.en, error.ja) from error
    source = shuffler if shuffler is not None else _source(data)
    try:
        engine = read_state(regulation.rules(), data.get("state"), source)
    except SaveError as error:
        raise _saved_error(str(error), f"状態が読めません（{error}）") from error
    names = read_names(data.get("names", ["", ""]))
    ended = data.get("ended")
    if ended is not None and (
        ended not in END_REASONS or engine.winner == UNDECIDED or (ended == "draw" and engine.winner != DRAW)
    ):
        raise _saved_error(
            f"ended is one of {', '.join(sorted(set(END_REASONS)))}, and fits", "ended が状態と合いません"
        )
    text = state_writer.canonical(state_writer.dump(engine))
    game = game_at(engine, regulation, GameStart("state", text), ended or "")
    game.names = names
    return game


def _source(data: dict[str, Any]) -> Shuffler:
    state = data.get("generator", 0)
    if isinstance(state, bool) or not isinstance(state, int) or not 0 <= state < 2**63:
        raise _saved_error("generator must be a whole number", "generator は整数です")
    source = Shuffler(state)
    injected = data.get("injected")
    if injected is not None:
        source.injected = [_outcome(item) for item in injected] if isinstance(injected, list) else [_outcome(None)]
    return source


def _outcome(item: object) -> tuple[int, list[int]]:
    if isinstance(item, list) and len(item) == 2 and item[0] in (-1, 0, 1) and isinstance(item[1], list):
        cards = item[1]
        if len(cards) <= 54 and all(type(card) is int and 0 <= card < 54 for card in cards):
            if len(set(cards)) != len(cards):
                raise _saved_error("injected: a shuffle has every card once", "injected に同じカードがあります")
            return item[0], cards
    raise _saved_error("injected must be shuffles", "injected はシャッフルの結果です")
