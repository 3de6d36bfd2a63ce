"""Scenarios: a position, moves, expectations, the ruling they prove (docs/notation.md). Reading and running them.

The reader is strict: a line that cannot be read, or that names a player who is not asked or a unit that does not exist,
is an error and never counts as an expected refusal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from blackpoker.engine.flow import CHANCE_KIND, PASS
from blackpoker.engine.locations import PLAYERS
from blackpoker.engine.shuffler import seeded
from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove, UnreadableText
from blackpoker.formats.position import UnreadablePosition, game_from_tables
from blackpoker.game.game import Game
from blackpoker.game.outcome import ENDS
from blackpoker.game.series import Series
from blackpoker.notation.limits import quoted, read_toml, toml_lines
from blackpoker.ruleset import Deck, Edition, Regulation, RegulationError, edition_named, editions, make_decks
from blackpoker.scenario.expectations import Expectations, Failure, Malformed, card_of, parse_int, seat_of

MOST_VARIANTS: Final = 500
MOST_LINES: Final = 10_000  # of all scripts of a file together
MOST_REPEATS: Final = 1_000
_TOP_KEYS: Final = frozenset(
    (
        "id",
        "title",
        "rulings",
        "position",
        "script",
        "variant",
        "regulation",
        "deal",
        "regulation_checks",
        "match",
        "note",
        "notes",
        "edition",
    )
)
_VARIANT_KEYS: Final = frozenset(("name", "play", "position", "regulation", "deal", "game"))
_GAME_KEYS: Final = frozenset(
    ("number", "available_decks", "pick", "winner", "viewable_decks", "retired", "score", "over")
)
_RULING: Final = re.compile(r"[NR]-\d{2,3}")


@dataclass
class Variant:
    """One script on one position. ``lines`` are the lines of its entries in the file."""

    name: str
    play: str
    position: dict[str, Any] | None
    regulation: str
    deal: dict[str, Any] | None
    games: list[Any] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    play_line: int = 1  # line of the script's first line


@dataclass
class Scenario:
    id: str
    title: str
    rulings: list[str]
    variants: list[Variant]
    checks: dict[str, Any] | None = None
    match: dict[str, Any] | None = None
    lines: dict[str, int] = field(default_factory=dict)
    edition: str = ""  # its id; empty: the default


@dataclass
class VariantResult:
    """The result of one variant; ``error`` is empty if everything held. ``line`` is a line of the file."""

    scenario: str
    variant: str
    line: int = 0
    text: str = ""
    error: str = ""

    @property
    def ok(self) -> bool:
        return not self.error


# -- reading -----------------------------------------------------------------------------------------------------------


class _ScenarioReader:
    """Reader of the tables of a file; raises errors with the line."""

    def __init__(self, text: str) -> None:
        self.data = read_toml(text, "the scenario", "シナリオ")
        self.text = text.splitlines()
        self.lines = toml_lines(text)

    def bad(self, where: str, en: str, ja: str) -> UnreadableText:
        line = self.lines.get(where, 0)
        at, at_ja = (f", line {line}", f"{line}行目") if line else ("", "")
        return UnreadableText(f"scenario{at}: {en}", f"シナリオ{at_ja}：{ja}")

    def table(self, data: dict[str, Any], name: str, where: str) -> dict[str, Any]:
        value = data.get(name, {})
        if not isinstance(value, dict):
            raise self.bad(where, f"{name} must be a table", f"{name} は表にしてください")
        return value

    def string(self, data: dict[str, Any], name: str, where: str, default: str | None = None) -> str:
        value = data.get(name, default)
        if value is None:
            raise self.bad(where, f"{name} is missing", f"{name} がありません")
        if not isinstance(value, str):
            raise self.bad(where, f"{name} must be text", f"{name} は文字列にしてください")
        return value

    def known(self, data: dict[str, Any], keys: frozenset[str], where: str, owner: str) -> None:
        for name in sorted(set(data) - keys):
            path = f"{where}.{name}" if where else name
            raise self.bad(path, f"{quoted(name)} is no entry of {owner}", f"{quoted(name)} という項目はありません")

    def scenario(self) -> Scenario:
        data = self.data
        self.known(data, _TOP_KEYS, "", "a scenario")
        rulings = data.get("rulings", [])
        if not isinstance(rulings, list) or not all(isinstance(r, str) and _RULING.fullmatch(r) for r in rulings):
            raise self.bad("rulings", 'rulings are written ["R-03"]', 'rulings は ["R-03"] のように書きます')
        scenario = Scenario(
            self.string(data, "id", "id"),
            self.string(data, "title", "title", ""),
            rulings,
            [],
            self.table(data, "regulation_checks", "regulation_checks") if "regulation_checks" in data else None,
            self.table(data, "match", "match") if "match" in data else None,
            self.lines,
            self.string(data, "edition", "edition", ""),
        )
        if scenario.edition and scenario.edition not in editions():
            raise self.bad("edition", f"{quoted(scenario.edition)} is no edition", "そのような版はありません")
        if not scenario.id.strip():
            raise self.bad("id", "id is empty", "id が空です")
        if scenario.checks is not None:
            self.known(scenario.checks, frozenset(("legal", "illegal")), "regulation_checks", "regulation_checks")
        if scenario.match is not None:
            self.known(scenario.match, frozenset(("regulation",)), "match", "a match")
        self.variants(scenario)
        if not scenario.variants and scenario.checks is None:
            raise self.bad("", "there is nothing to play", "play がありません")
        if sum(variant.play.count("\n") for variant in scenario.variants) > MOST_LINES:
            raise self.bad(
                "", f"the scripts have more than {MOST_LINES} lines", f"play は合わせて{MOST_LINES}行までです"
            )
        return scenario

    def variants(self, scenario: Scenario) -> None:
        data = self.data
        shared = self.table(data, "position", "position")
        regulation = self.string(data, "regulation", "regulation", "")
        deal = self.table(data, "deal", "deal") if "deal" in data else None
        tables = data.get("variant", [])
        if not isinstance(tables, list) or len(tables) > MOST_VARIANTS:
            raise self.bad("variant", "variants are written [[variant]]", "variant は [[variant]] と書きます")
        if "script" in data:
            if tables:
                raise self.bad("script", "either [script] or [[variant]]", "[script] か [[variant]] のどちらか一方です")
            script = self.table(data, "script", "script")
            self.known(script, frozenset(("play",)), "script", "a script")
            scenario.variants.append(
                Variant(
                    "",
                    self.script(script, "script"),
                    shared,
                    regulation,
                    deal,
                    [],
                    self.lines,
                    self.play_line("script"),
                )
            )
        for number, table in enumerate(tables, 1):
            where = f"variant.{number}"
            if not isinstance(table, dict):
                raise self.bad("variant", "variants are written [[variant]]", "variant は [[variant]] と書きます")
            self.known(table, _VARIANT_KEYS, where, "a variant")
            scenario.variants.append(self.variant(table, where, scenario.match is not None, shared, regulation, deal))

    def variant(
        self,
        table: dict[str, Any],
        where: str,
        match: bool,
        shared: dict[str, Any],
        regulation: str,
        deal: dict[str, Any] | None,
    ) -> Variant:
        games = table.get("game", [])
        if not isinstance(games, list) or len(games) > 50 or not all(isinstance(game, dict) for game in games):
            raise self.bad(where, "games are written [[variant.game]]", "game は [[variant.game]] と書きます")
        for game in games:
            self.known(game, _GAME_KEYS, where, "a game of a match")
        if match != bool(games) or (match and "play" in table):
            raise self.bad(
                where, "a match has games, everything else a play", "対戦には game、ほかには play を書きます"
            )
        return Variant(
            self.string(table, "name", f"{where}.name", where.partition(".")[2]),
            "" if match else self.script(table, where),
            merge_positions(shared, self.table(table, "position", where)),
            self.string(table, "regulation", f"{where}.regulation", regulation),
            self.table(table, "deal", where) if "deal" in table else deal,
            games,
            {name.removeprefix(f"{where}."): line for name, line in self.lines.items()},
            self.play_line(where),
        )

    def script(self, table: dict[str, Any], where: str) -> str:
        play = self.string(table, "play", where)
        if not any(_line_text(line) for line in play.splitlines()):
            raise self.bad(f"{where}.play", "play is empty", "play が空です")
        return play

    def play_line(self, where: str) -> int:
        """Return the line of the script's first line in the file: behind the quotes, or below them."""
        line = self.lines.get(f"{where}.play", 1)
        opening = self.text[line - 1] if line <= len(self.text) else ""
        return line + 1 if opening.rstrip().endswith(('"""', "'''")) else line


def read_scenario(text: str) -> Scenario:
    return _ScenarioReader(text).scenario()


def merge_positions(shared: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """Return the shared position with the entries of a variant merged in."""
    out = {key: dict(value) if isinstance(value, dict) else value for key, value in shared.items()}
    for key, value in own.items():
        if isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key] = {**out[key], **value}
        else:
            out[key] = value
    return out


def _line_text(line: str) -> str:
    """Return the line without its comment: ``#`` at the beginning, or ``# `` anywhere (``#1`` is a request)."""
    line = line.strip()
    return "" if line.startswith("#") else line.partition("# ")[0].strip()


# -- running -----------------------------------------------------------------------------------------------------------


def run_scenario(scenario: Scenario, edition: Edition | None = None) -> list[VariantResult]:
    """Run every variant by the rules of an edition (default: the standard one) and return one result each."""
    if edition is None and scenario.edition:
        edition = edition_named(scenario.edition)
    results = [_run_checks(scenario, edition)] if scenario.checks is not None else []
    run = _run_variant if scenario.match is None else _run_match
    results += [run(scenario, variant, edition) for variant in scenario.variants]
    return results


def _run_variant(scenario: Scenario, variant: Variant, edition: Edition | None) -> VariantResult:
    result = VariantResult(scenario.id, variant.name)
    try:
        runner = ScriptRunner(start_variant(variant, edition))
        for number, line in enumerate(variant.play.splitlines()):
            result.line, result.text = variant.play_line + number, line.strip()
            runner.line(line)
        if runner.has_pending_shuffle:
            raise Failure("a shuffle was announced that never happened")
    except UnreadablePosition as error:
        lines = variant.lines
        result.line = lines.get(f"position.{error.where}", 0) or lines.get("position", 0)
        result.text, result.error = error.where, error.en
    except (Failure, BlackPokerError) as error:
        result.error = str(error)
    return result


def start_variant(variant: Variant, edition: Edition | None = None) -> Game:
    """Return the game at the beginning of a variant."""
    if variant.regulation:
        return deal_game(variant.regulation, variant.deal or {}, edition)
    return game_from_tables(variant.position or {}, "", 0, edition)


def deal_game(text: str, deal: dict[str, Any], edition: Edition | None = None) -> Game:
    """Return a game from set-up with these decks after the shuffle, from the top. In a constructed frame the deal is
    the deck. Raise `UnreadableText` or `Malformed` if it cannot be dealt."""
    try:
        regulation = Regulation.parse(text, edition)
    except RegulationError as error:
        raise UnreadableText(error.en, error.ja) from error
    if set(deal) - set(PLAYERS) or not all(isinstance(cards, str) for cards in deal.values()):
        raise Malformed('a deal is written p1 = "D3 SK …", p2 = "…"')
    source = seeded(0)
    decks: list[Deck | None] = []
    shuffles: list[tuple[int, list[int]]] = []
    for seat, player in enumerate(PLAYERS):
        cards = [card_of(name) for name in deal.get(player, "").split()[:60]]
        shuffles.append((seat, cards))
        if cards and regulation.frame.build == "constructed":
            decks.append(Deck(tuple(sorted(cards))))
        else:
            decks.append(make_decks(regulation, source)[0])
    source.injected = shuffles
    return Game(regulation, decks=decks, shuffler=source)


class ScriptRunner:
    """Runner of the lines of a script."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.history_start: int = 0  # length of the history before the last line that pushed something

    @property
    def has_pending_shuffle(self) -> bool:
        return bool(self.game._engine.source.injected)

    def line(self, line: str) -> None:
        line = _line_text(line)
        first, _, rest = line.partition(" ")
        rest = rest.strip()
        if not line:
            return
        if line == "pp":
            self.history_start = len(self.game.history)
            self.both_pass()
        elif first in ("p1:", "p2:"):
            self.history_start = len(self.game.history)
            self.move(seat_of(first[:2]), rest)
        elif first in ("legal", "illegal", "no_chance"):
            seat, _, move = rest.partition(" ")
            getattr(self, first)(seat_of(seat), move.strip())
        elif first == "shuffle":
            self.shuffle(rest.split())
        elif first == "repeat":
            self.repeat(rest)
        elif first == "expect":
            Expectations(self.game, self.history_start).check(rest)
        else:
            raise Malformed(f"{quoted(line)} is no line of a script")

    def repeat(self, rest: str) -> None:
        """Run ``repeat N LINE``."""
        number, _, line = rest.partition(" ")
        times = parse_int(number)
        if not 1 <= times <= MOST_REPEATS or not line.strip() or line.split()[0] == "repeat":
            raise Malformed(f"repeat takes a number from 1 to {MOST_REPEATS} and a line")
        for _ in range(times):
            self.line(line)

    def both_pass(self) -> None:
        for _ in range(2):
            engine = self.game._engine
            if engine.kind != CHANCE_KIND or PASS not in engine.options:
                raise Failure(f"nobody can pass: {self.game!r}")
            self.game.push(PASS)

    def move(self, seat: int, move: str) -> None:
        if move in ENDS:  # allowed at any time
            self.game.end(move, seat)
            return
        self.require_asked(seat)
        self.game.push_text(move, seat)

    def require_asked(self, seat: int) -> None:
        if self.game._engine.asked != seat:
            raise Malformed(f"{PLAYERS[seat]} is not the one to choose: {self.game!r}")

    def legal(self, seat: int, move: str) -> None:
        self.require_asked(seat)
        self.game.copy().push_text(move, seat)

    def illegal(self, seat: int, move: str) -> None:
        """Check that the player is asked, the move can be read, and it is refused."""
        if self.game._engine.asked != seat:
            raise Malformed(
                f"{PLAYERS[seat]} is not asked at all: write no_chance {PLAYERS[seat]} MOVE ({self.game!r})"
            )
        self.refused(seat, move)

    def no_chance(self, seat: int, move: str) -> None:
        """Check that the player is not the one to choose, so that any move is refused."""
        if self.game._engine.asked == seat:
            raise Failure(f"{PLAYERS[seat]} is the one to choose: {self.game!r}")
        self.refused(seat, move)

    def refused(self, seat: int, move: str) -> None:
        move, because, ruling = move.partition(" because ")
        if because and not _RULING.fullmatch(ruling.strip()):
            raise Malformed(f"{quoted(ruling.strip())} is no ruling; they are written R-33")
        try:
            step = self.game.copy().push_text(move, seat)
        except IllegalMove as error:
            if because and error.ruling != ruling.strip():
                raise Failure(f"refused because of {error.ruling} ({error.reason}), not {ruling.strip()}") from error
        except AmbiguousMove as error:
            raise Failure(f"not refused: {error}") from error
        except UnreadableText as error:
            raise Malformed(str(error)) from error
        else:
            raise Failure(f"it can be pushed: {step.text}")

    def shuffle(self, words: list[str]) -> None:
        if not words:
            raise Malformed("whose life is shuffled how?")
        source = self.game._engine.source
        waiting = source.injected or []
        source.injected = [*waiting, (seat_of(words[0]), [card_of(text) for text in words[1:60]])]


# -- regulations and matches -------------------------------------------------------------------------------------------


def _run_checks(scenario: Scenario, edition: Edition | None) -> VariantResult:
    """Check ``[regulation_checks]``: names of regulations that are allowed, and of others that are not."""
    result = VariantResult(scenario.id, "regulations")
    checks = scenario.checks or {}
    for name, legal in (("legal", True), ("illegal", False)):
        texts = checks.get(name, [])
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            result.line = scenario.lines.get(f"regulation_checks.{name}", 0)
            result.error = f"{name} must be a list of texts"
            return result
        for text in texts[:500]:
            try:
                Regulation.parse(text, edition)
            except RegulationError as error:
                problem = error.en if legal else ""
            else:
                problem = "" if legal else "it is allowed"
            if problem:
                result.line, result.text, result.error = (
                    scenario.lines.get(f"regulation_checks.{name}", 0),
                    text,
                    problem,
                )
                return result
    return result


def _run_match(scenario: Scenario, variant: Variant, edition: Edition | None) -> VariantResult:
    """Run a match, which is a list of games: the decks to pick from, the winner, the state afterwards (R-201,
    R-202)."""
    result = VariantResult(scenario.id, variant.name)
    text = variant.regulation or (scenario.match or {}).get("regulation", "")
    result.line = variant.lines.get("game", 0) or scenario.lines.get("match", 0)
    try:
        regulation = Regulation.parse(text if isinstance(text, str) else "", edition)
    except RegulationError as error:
        result.error = error.en
        return result
    for number, problem in match_faults(regulation, variant.games):
        result.line = variant.lines.get(f"game.{number}", 0) or result.line
        result.text, result.error = f"game {number}", problem
        break
    return result


def match_faults(regulation: Regulation, games: list[dict[str, Any]]) -> Iterator[tuple[int, str]]:
    """Play the games of a match and yield each fault with the index of its game."""
    series = Series(regulation.frame.decks)
    for number, game in enumerate(games, 1):
        yield from ((number, fault) for fault in _faults_before(series, game))
        for player, seat in enumerate(PLAYERS):
            picks = game.get("pick")
            picked = picks.get(seat) if isinstance(picks, dict) else None
            if type(picked) is not int:
                yield number, f"{seat} picks no deck"
                return
            if picked not in series.available_decks(player):
                yield number, f"{seat} may not pick deck {picked}"
                return
            series.pick(player, picked)
        winner = game.get("winner")
        if winner not in (*PLAYERS, "draw"):
            yield number, "winner is p1, p2 or draw"
            return
        series.record(None if winner == "draw" else PLAYERS.index(winner))
        yield from ((number, fault) for fault in _faults_after(series, game))


def _faults_before(series: Series, game: dict[str, Any]) -> Iterator[str]:
    if game.get("number", series.number) != series.number:
        yield f"this is game {series.number}"
    available = {seat: series.available_decks(player) for player, seat in enumerate(PLAYERS)}
    if game.get("available_decks", available) != available:
        yield f"they may pick {available}"


def _faults_after(series: Series, game: dict[str, Any]) -> Iterator[str]:
    now: dict[str, Any] = {
        "viewable_decks": {seat: series.viewable_decks(player) for player, seat in enumerate(PLAYERS)},
        "retired": {seat: series.retired(player) for player, seat in enumerate(PLAYERS)},
        "score": dict(zip(PLAYERS, series.score, strict=True)),
        "over": "no" if not series.over else "draw" if series.winner is None else PLAYERS[series.winner],
    }
    for name, value in now.items():
        if game.get(name, value) != value:
            yield f"{name} is {value}"
