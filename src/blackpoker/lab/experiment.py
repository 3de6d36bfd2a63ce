"""Definition of an experiment: arms that differ in rules, regulation, decks or players, and the deals they share.

An experiment is a TOML file. Settings before the first ``[[arm]]`` apply to all arms:

    name = "a cheaper hero"
    regulation = "master+full"
    deals = 1000

    [[arm]]
    name = "base"

    [[arm]]
    name = "cheap hero"
    rules = ["cheap_hero"]        # packages, beside this file
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from blackpoker.errors import BlackPokerError
from blackpoker.players.engine_players import BotLevel, PlayersError, level_of
from blackpoker.ruleset import (
    Deck,
    DeckError,
    Edition,
    Regulation,
    RegulationError,
    check_player_decks,
    edition_for_record,
    edition_named,
    parse_decks,
)

MOST_DEALS: Final = 50_000_000
MOST_ARMS: Final = 500
#: choice of trumps in Extra: random (the same for every arm with the same cards), or by the players
TRUMP_CHOICES: Final = ("random", "players")
_HEAD: Final = ("name", "deals", "seed", "seats")
_ARM: Final = ("name", "regulation", "players", "rules", "decks", "trumps", "dice")


class LabError(BlackPokerError, ValueError):
    """Raised for an invalid experiment or file; message in English and Japanese."""

    def __init__(self, en: str, ja: str) -> None:
        super().__init__(en, ja)


@dataclass(frozen=True)
class Arm:
    """One way to play the deals. ``players`` and ``decks`` belong to X and Y, who exchange seats and keep their
    decks and random streams.
    """

    name: str
    regulation: str
    players: tuple[str, str] = ("heuristic", "heuristic")
    rules: tuple[str, ...] = ()  # packages the edition was made from
    decks: tuple[Deck | None, Deck | None] = (None, None)
    trumps: str = "random"
    dice: int = 0  # another number gives the players other random numbers for the same deals
    edition: Edition = field(default_factory=edition_named)

    @property
    def parsed(self) -> Regulation:
        return Regulation.parse(self.regulation, self.edition)

    @property
    def mirrored(self) -> bool:
        """Return whether X and Y are identical, so that only the order of play can matter."""
        return self.players[0] == self.players[1] and self.decks[0] == self.decks[1]

    def data(self) -> dict[str, Any]:
        """Return everything that determines its games, as JSON."""
        decks = [None if deck is None else list(deck.cards) for deck in self.decks]
        return {
            "name": self.name,
            "regulation": self.regulation,
            "players": list(self.players),
            "rules": list(self.rules),
            "edition": self.edition.text,
            "decks": decks,
            "trumps": self.trumps,
            "dice": self.dice,
        }


@dataclass(frozen=True)
class Experiment:
    """An experiment: every arm plays every deal twice, the second time with the seats exchanged."""

    name: str
    arms: tuple[Arm, ...]
    deals: int = 1000
    seed: int = 0
    seats: int = 2  # 1: X stays at p1, sufficient for identical deterministic players

    @property
    def games(self) -> int:
        return self.seats * self.deals * len(self.arms)

    def data(self) -> dict[str, Any]:
        """Return the identity of the experiment; without paths of packages, as the edition contains their hash."""
        arms = [{key: value for key, value in arm.data().items() if key != "rules"} for arm in self.arms]
        return {"name": self.name, "seed": self.seed, "seats": self.seats, "arms": arms}

    def checked(self) -> Experiment:
        """Return the experiment with canonical names; raise `LabError` if it is invalid."""
        if not self.arms:
            raise LabError("an experiment has at least one arm", "実験には少なくとも1つの条件（arm）が必要です")
        if len(self.arms) > MOST_ARMS:
            raise LabError(f"an experiment has at most {MOST_ARMS} arms", f"条件は{MOST_ARMS}個までです")
        if not 1 <= self.deals <= MOST_DEALS:
            raise LabError(f"deals is from 1 to {MOST_DEALS}", f"deals は1から{MOST_DEALS}までです")
        if self.seats not in (1, 2):
            raise LabError("seats is 1 or 2", "seats は1か2です")
        if not 0 <= self.seed < 2**31:
            raise LabError("seed is from 0 to 2147483647", "seed は0から2147483647までです")
        arms = tuple(_checked(arm) for arm in self.arms)
        names = [arm.name for arm in arms]
        for name in names:
            if names.count(name) > 1:
                raise LabError(f"two arms are called {name!r}", f"「{name}」という名前の条件が2つあります")
        return replace(self, arms=arms)


def _checked(arm: Arm) -> Arm:
    try:
        regulation = Regulation.parse(arm.regulation, arm.edition)
        levels = [level_of(name) for name in arm.players]
    except (RegulationError, PlayersError) as error:
        raise LabError(f"arm {arm.name!r}: {error.en}", f"条件「{arm.name}」：{error.ja}") from None
    for level in levels:
        if isinstance(level, BotLevel):
            raise LabError(
                f"arm {arm.name!r}: the lab plays levels, {level.id} is a bot: meet it in the arena",
                f"条件「{arm.name}」：{level.id} はボットです。実験ではレベルだけが使えます（ボットは arena で）",
            )
    if arm.trumps not in TRUMP_CHOICES:
        raise LabError(
            f"arm {arm.name!r}: trumps is random or players, not {arm.trumps!r}",
            f"条件「{arm.name}」：trumps は random か players です",
        )
    return replace(arm, regulation=regulation.text, players=(levels[0].id, levels[1].id))


def arm_of(data: dict[str, Any], known: dict[str, Edition] | None = None) -> Arm:
    """Return the arm stored in a file with its edition; raise `LabError` if the edition is not available."""
    editions = known or {}
    edition = editions.get(data["edition"])
    if edition is None:
        edition = load_rules(data["rules"]) if data["rules"] else edition_for_record(data["edition"])
    if edition.text != data["edition"]:
        raise LabError(
            f"arm {data['name']!r} was played by {data['edition']}, which is not here",
            f"条件「{data['name']}」は {data['edition']} で遊ばれましたが、そのルールがここにありません",
        )
    decks = tuple(None if cards is None else Deck(tuple(cards)) for cards in data["decks"])
    return Arm(
        data["name"],
        data["regulation"],
        (data["players"][0], data["players"][1]),
        tuple(data["rules"]),
        (decks[0], decks[1]),
        data["trumps"],
        data["dice"],
        edition,
    )


def default_seats(arms: Sequence[Arm]) -> int:
    """Return how often a deal is played: once if X and Y are the same in every arm, because they would play nearly the
    same game again with the seats exchanged; else twice, which takes the luck of the deal out."""
    return 1 if all(arm.mirrored for arm in arms) else 2


# -- from files and flags ----------------------------------------------------------------------------------------------


def load_rules(packages: Sequence[str]) -> Edition:
    """Return the edition made of these packages, applied in order."""
    if not packages:
        return edition_named()
    from blackpoker.ruleset import packages as stored

    try:
        return stored.load(list(packages))
    except stored.PackageError as error:
        raise LabError(str(error), getattr(error, "ja", str(error))) from None


def read_deck(path: Path, regulation: Regulation) -> Deck:
    """Return the deck in a file, the first if there are two; raise `LabError` if it is invalid."""
    try:
        brought = parse_decks(path.read_text(encoding="utf-8-sig"))
        check_player_decks(brought, regulation)
    except DeckError as error:
        raise LabError(f"{path}: {'; '.join(error.defects)}", f"{path}：{'、'.join(error.defects_ja)}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from None
    return brought.decks[0]


def unreadable(path: Path, error: OSError | UnicodeDecodeError) -> LabError:
    """Return the error for a file that could not be read."""
    if isinstance(error, FileNotFoundError):
        return LabError(f"there is no file {path}", f"{path} というファイルはありません")
    if isinstance(error, IsADirectoryError):
        return LabError(f"{path} is a folder", f"{path} はフォルダーです")
    if isinstance(error, UnicodeDecodeError):
        return LabError(f"{path} is not a text file", f"{path} はテキストではありません")
    return LabError(f"cannot read {path}", f"{path} を読めません")


def read_experiment(path: Path) -> Experiment:
    """Read an experiment from a TOML file; raise `LabError` if it is invalid."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(path, error) from None
    except tomllib.TOMLDecodeError as error:
        raise LabError(f"{path}: {error}", f"{path}：TOMLとして読めません（{error}）") from None
    try:
        return experiment_of(table, path.parent, path.stem)
    except LabError as error:
        raise LabError(f"{path}: {error.en}", f"{path}：{error.ja}") from None


def experiment_of(table: Mapping[str, Any], folder: Path, name: str) -> Experiment:
    """Return the experiment described by a table; its file names are relative to ``folder``."""
    arms = table.get("arm", [{"name": "base"}])
    if not isinstance(arms, list) or not all(isinstance(arm, dict) for arm in arms):
        raise LabError("arms are written [[arm]]", "条件は [[arm]] と書きます")
    shared = {key: value for key, value in table.items() if key not in (*_HEAD, "arm")}
    _check_keys(shared, _ARM)
    made = [_arm({**shared, **arm}, folder, f"arm {number}") for number, arm in enumerate(arms, 1)]
    deals, seed = (_number(table, *each) for each in (("deals", 1000), ("seed", 0)))
    seats = _number(table, "seats", default_seats(made))
    return Experiment(_text(table, "name", name), tuple(made), deals, seed, seats).checked()


def _arm(table: Mapping[str, Any], folder: Path, name: str) -> Arm:
    _check_keys(table, _ARM)
    name = _text(table, "name", name)
    rules = tuple(str(folder / package) for package in _texts(table, "rules"))
    edition = load_rules(rules)
    regulation = _text(table, "regulation", "master+full")
    try:
        parsed = Regulation.parse(regulation, edition)
    except RegulationError as error:
        raise LabError(f"arm {name!r}: {error.en}", f"条件「{name}」：{error.ja}") from None
    files = (*_texts(table, "decks"), "", "")
    decks = [None if file == "" else read_deck(folder / file, parsed) for file in files[:2]]
    players = _texts(table, "players") or ("heuristic",)
    if len(players) > 2 or len(files) > 4:
        raise LabError(f"arm {name!r}: there are two players", f"条件「{name}」：プレイヤーは2人です")
    return Arm(
        name,
        regulation,
        (players[0], players[-1]),
        rules,
        (decks[0], decks[1]),
        _text(table, "trumps", "random"),
        _number(table, "dice", 0),
        parsed.edition,
    )


def _check_keys(table: Mapping[str, Any], known: Sequence[str]) -> None:
    for key in table:
        if key not in known:
            names = ", ".join((*_HEAD, *known[1:]))
            raise LabError(f"{key!r} is unknown; known are {names}", f"「{key}」は使えません。使えるのは {names}")


def _text(table: Mapping[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str) or not value.strip() or "\n" in value or len(value) > 200:
        raise LabError(f"{key} is one line of text, not {value!r}", f"{key} は1行の文字です（{value!r}）")
    return value.strip()


def _texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    found = [value] if isinstance(value, str) else value
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise LabError(f"{key} is a list of texts, not {value!r}", f"{key} は文字の並びです（{value!r}）")
    return tuple(found)


def _number(table: Mapping[str, Any], key: str, default: int) -> int:
    value = table.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**31:
        raise LabError(f"{key} is a whole number, not {value!r}", f"{key} は整数です（{value!r}）")
    return value


def canonical(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
