"""The file of an experiment: a SQLite database with one row per game and everything needed to replay the games.

Tables: ``about`` (name and value), ``arms`` (one row each, as JSON), ``games`` (the columns of ``game_runner.GameRow``)
and ``files`` (the text of the packages' files). The rows of a deal are written in one transaction.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from blackpoker import __version__, _build
from blackpoker.lab.experiment import Arm, Experiment, LabError, canonical
from blackpoker.lab.game_runner import GameRow
from blackpoker.text.rulebook import Book

FORMAT: Final = 1
_MAKE: Final = (
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE arms (arm INTEGER PRIMARY KEY, name TEXT NOT NULL, data TEXT NOT NULL, names TEXT NOT NULL)",
    "CREATE TABLE files (path TEXT PRIMARY KEY, text TEXT NOT NULL)",
    "CREATE TABLE games (deal INTEGER, arm INTEGER, swapped INTEGER, seed INTEGER, p1 TEXT, p2 TEXT, first INTEGER,"
    " winner INTEGER, turns INTEGER, decisions INTEGER, forced INTEGER, life TEXT, hand TEXT, actions TEXT,"
    " opening TEXT, trumps TEXT, choices BLOB, faults TEXT, PRIMARY KEY (deal, arm, swapped))",
)


class Store:
    """A file of games. ``Store.make`` creates or continues one, ``Store(path)`` opens one."""

    def __init__(self, path: Path) -> None:
        if path.is_dir():
            raise LabError(f"{path} is a folder", f"{path} はフォルダーです")
        if not path.is_file():
            raise LabError(f"there is no file {path}", f"{path} というファイルはありません")
        self.path = path
        self.base: sqlite3.Connection = sqlite3.connect(path, timeout=60)
        try:
            self.about: dict[str, str] = dict(self.base.execute("SELECT name, value FROM about"))
            self.arms: list[dict[str, Any]] = [
                {**json.loads(data), "names": json.loads(names)}
                for data, names in self.base.execute("SELECT data, names FROM arms ORDER BY arm")
            ]
        except (sqlite3.DatabaseError, ValueError):
            self.base.close()
            raise LabError(f"{path} holds no experiment", f"{path} は実験のファイルではありません") from None
        if self.about.get("format") != str(FORMAT):
            self.base.close()
            raise LabError(
                f"{path} was written by another version of the lab", f"{path} は別の版で書かれたファイルです"
            )

    @classmethod
    def make(cls, path: Path, experiment: Experiment) -> Store:
        """Return the file of this experiment, created if missing; raise `LabError` if it contains another
        experiment.
        """
        wanted = canonical(experiment.data())
        if not path.parent.is_dir():
            raise LabError(f"there is no folder {path.parent}", f"{path.parent} というフォルダーはありません")
        try:
            if not path.exists() or path.stat().st_size == 0:
                _write_head(path, experiment, wanted)
            store = cls(path)
        except (sqlite3.Error, OSError) as error:
            raise LabError(f"cannot write {path}: {error}", f"{path} に書けません（{error}）") from None
        if store.about["experiment"] != wanted:
            store.close()
            raise LabError(
                f"{path} holds another experiment, or one with other rules: choose another file (--output)",
                f"{path} には別の実験、または別のルールの実験があります。別のファイルを選んでください（--output）",
            )
        if int(store.about["deals"]) != experiment.deals:
            with store.base:
                store.base.execute("UPDATE about SET value = ? WHERE name = 'deals'", (str(experiment.deals),))
            store.about["deals"] = str(experiment.deals)
        return store

    def close(self) -> None:
        self.base.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- games

    def add(self, rows: Iterable[GameRow]) -> None:
        """Write whole deals. A deal that another process has written meanwhile is identical and kept."""
        marks = ", ".join("?" * len(GameRow._fields))
        with self.base:
            self.base.executemany(f"INSERT OR IGNORE INTO games VALUES ({marks})", rows)

    def done(self) -> set[int]:
        """Return the finished deals."""
        return {deal for (deal,) in self.base.execute("SELECT DISTINCT deal FROM games")}

    def count(self) -> int:
        found: tuple[int] = self.base.execute("SELECT COUNT(*) FROM games").fetchone()
        return found[0]

    def rows(self, columns: Sequence[str] = GameRow._fields) -> Iterator[tuple[Any, ...]]:
        """Yield all games ordered by deal, arm and seat."""
        unknown = set(columns) - set(GameRow._fields)
        assert not unknown, unknown
        yield from self.base.execute(f"SELECT {', '.join(columns)} FROM games ORDER BY deal, arm, swapped")

    def row(self, deal: int, arm: int, swapped: int) -> GameRow:
        key = (deal, arm, swapped)
        found = self.base.execute("SELECT * FROM games WHERE deal = ? AND arm = ? AND swapped = ?", key).fetchone()
        if found is None:
            raise LabError(f"{self.path} has no game {key}", f"{self.path} にゲーム {key} はありません")
        return GameRow(*found)


def _write_head(path: Path, experiment: Experiment, wanted: str) -> None:
    about = {
        "format": str(FORMAT),
        "experiment": wanted,
        "name": experiment.name,
        "seed": str(experiment.seed),
        "deals": str(experiment.deals),
        "blackpoker": __version__,
        "python": sys.version.split()[0],
        "build": "compiled" if _build.compiled() else "plain",
        "begun": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    arms = [
        (number, arm.name, canonical(arm.data()), canonical(_names(arm))) for number, arm in enumerate(experiment.arms)
    ]
    with closing(sqlite3.connect(path, timeout=60)) as base, base:
        base.execute("BEGIN IMMEDIATE")
        for statement in _MAKE:
            base.execute(statement)
        base.executemany("INSERT INTO about VALUES (?, ?)", about.items())
        base.executemany("INSERT INTO arms VALUES (?, ?, ?, ?)", arms)
        base.executemany("INSERT OR IGNORE INTO files VALUES (?, ?)", _files(experiment.arms))


def _names(arm: Arm) -> dict[str, Any]:
    """Return the names of regulation, actions and trumps for a report, in Japanese and English."""
    regulation = arm.parsed
    edition = arm.edition
    plans = {plan.id.removesuffix("@") for plan in regulation.rules().plans}
    english = Book(edition, "en")
    japanese = Book(edition, "ja")
    return {
        "regulation": [regulation.text_ja, regulation.text_en],
        "actions": {id: [japanese.action_name(id), english.action_name(id)] for id in sorted(plans)},
        "trumps": {_card_name(trump.card): [trump.ja, trump.en] for trump in edition.trumps},
    }


def _card_name(card: str) -> str:
    return card.translate(str.maketrans("♠♡♢♣", "SHDC"))


def _files(arms: Sequence[Arm]) -> Iterator[tuple[str, str]]:
    for folder in dict.fromkeys(package for arm in arms for package in arm.rules):
        for file in sorted(Path(folder).rglob("*")):
            if file.suffix in (".py", ".toml") and file.is_file():
                yield str(file), file.read_text(encoding="utf-8")
