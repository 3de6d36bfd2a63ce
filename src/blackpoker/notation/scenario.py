"""Scenarios: a position, moves, expectations, the ruling they prove (docs/notation.md). Reading and running them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from blackpoker.errors import AmbiguousMove, BlackPokerError, IllegalMove, UnreadableText
from blackpoker.game import ENDS, Game
from blackpoker.notation.limits import quoted, read_toml
from blackpoker.notation.moves import in_request
from blackpoker.notation.position import game_from
from blackpoker.notation.tokens import kind_name, word
from blackpoker.regulation import Deck, Regulation, RegulationError, make_decks
from blackpoker.rules.cards import BIT, members, parse_card
from blackpoker.rules.flow import CHANCE_KIND, DRAW, PASS, UNDECIDED
from blackpoker.rules.names import PLAYERS, target_text, unit_place
from blackpoker.rules.shuffler import seeded
from blackpoker.rules.state import ATTACKER, BLOCKER, Side, Unit

MOST_VARIANTS: Final = 500
MOST_LINES: Final = 10_000  # of all scripts of a file together
_TOP_KEYS: Final = frozenset(
    ("id", "title", "rulings", "position", "script", "variant", "regulation", "deal", "regulation_checks", "match",
     "note", "notes")
)  # fmt: skip
_VARIANT_KEYS: Final = frozenset(("name", "play", "position", "regulation", "deal", "game"))
_ZONES: Final = ("life", "hand", "grave", "field", "soldiers", "bulwarks", "stage", "trumps", "pack")


class Failure(Exception):
    """An expectation that does not hold, or a move that could not be made."""


@dataclass
class Variant:
    """One script on one position."""

    name: str
    play: str
    position: dict[str, Any] | None
    regulation: str
    deal: dict[str, Any] | None
    games: list[Any] = field(default_factory=list)


@dataclass
class Scenario:
    id: str
    title: str
    rulings: list[str]
    variants: list[Variant]
    checks: dict[str, Any] | None = None
    match: dict[str, Any] | None = None


@dataclass
class ScenarioResult:
    """How one variant went; ``error`` is empty if everything held."""

    scenario: str
    variant: str
    line: int = 0
    text: str = ""
    error: str = ""

    @property
    def ok(self) -> bool:
        return not self.error


# -- reading -----------------------------------------------------------------------------------------------------------


def _bad(en: str, ja: str) -> UnreadableText:
    return UnreadableText(f"scenario: {en}", f"シナリオ：{ja}")


def _table(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _bad(f"{name} must be a table", f"{name} は表にしてください")
    return value


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _bad(f"{name} must be text", f"{name} は文字列にしてください")
    return value


def read_scenario(text: str) -> Scenario:
    data = read_toml(text, "the scenario", "シナリオ")
    unknown = sorted(set(data) - _TOP_KEYS)
    if unknown:
        raise _bad(f"{quoted(unknown[0])} is no entry of a scenario", f"{quoted(unknown[0])} という項目はありません")
    rulings = data.get("rulings", [])
    if not isinstance(rulings, list) or not all(isinstance(ruling, str) for ruling in rulings):
        raise _bad("rulings must be a list of texts", "rulings は文字列のリストにしてください")
    match = _table(data["match"], "match") if "match" in data else None
    checks = _table(data["regulation_checks"], "regulation_checks") if "regulation_checks" in data else None
    scenario = Scenario(
        _text(data.get("id", "?"), "id"), _text(data.get("title", ""), "title"), rulings, [], checks, match
    )
    shared = _table(data.get("position", {}), "position")
    regulation = _text(data.get("regulation", ""), "regulation")
    deal = _table(data["deal"], "deal") if "deal" in data else None
    variants = data.get("variant", [])
    if not isinstance(variants, list) or len(variants) > MOST_VARIANTS:
        raise _bad("variants are written [[variant]]", "variant は [[variant]] と書きます")
    if "script" in data:
        if variants:
            raise _bad("either [script] or [[variant]]", "[script] か [[variant]] のどちらか一方です")
        play = _text(_table(data["script"], "script").get("play"), "script.play")
        scenario.variants.append(Variant("", play, shared, regulation, deal))
    for number, item in enumerate(variants, 1):
        scenario.variants.append(_variant(_table(item, f"variant {number}"), shared, regulation, deal, match, number))
    if sum(variant.play.count("\n") for variant in scenario.variants) > MOST_LINES:
        raise _bad(f"the scripts have more than {MOST_LINES} lines", f"play は合わせて{MOST_LINES}行までです")
    if not scenario.variants and checks is None:
        raise _bad("there is nothing to play", "play がありません")
    return scenario


def _variant(
    table: dict[str, Any],
    shared: dict[str, Any],
    regulation: str,
    deal: dict[str, Any] | None,
    match: dict[str, Any] | None,
    number: int,
) -> Variant:
    unknown = sorted(set(table) - _VARIANT_KEYS)
    if unknown:
        raise _bad(f"{quoted(unknown[0])} is no entry of a variant", f"{quoted(unknown[0])} という項目はありません")
    name = _text(table.get("name", str(number)), "name")
    position = merged(shared, _table(table.get("position", {}), "variant.position"))
    games = table.get("game", [])
    if not isinstance(games, list) or len(games) > 50:
        raise _bad("games are written [[variant.game]]", "game は [[variant.game]] と書きます")
    play = _text(table.get("play", "" if match is not None else None), f"variant {name}: play")
    named = _text(table.get("regulation", regulation), "regulation")
    dealt = _table(table["deal"], "variant.deal") if "deal" in table else deal
    return Variant(name, play, position, named, dealt, games)


def merged(shared: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The shared position with a variant's entries put in, entry by entry."""
    out = {key: dict(value) if isinstance(value, dict) else value for key, value in shared.items()}
    for key, value in own.items():
        if isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key] = {**out[key], **value}
        else:
            out[key] = value
    return out


# -- running -----------------------------------------------------------------------------------------------------------


#: plays the games of a match variant and gives (number of the game, what is wrong) for each fault
MatchRunner = Callable[[Regulation, list[Any]], Iterator[tuple[int, str]]]


def run_scenario(scenario: Scenario, match_runner: MatchRunner | None = None) -> list[ScenarioResult]:
    """Run every variant; one result each. Matches stand above this package, so who wants them run brings the runner."""
    results = [_run_checks(scenario)] if scenario.checks is not None else []
    if scenario.match is not None:
        return results + [_run_match(scenario, variant, match_runner) for variant in scenario.variants]
    return results + [_run_variant(scenario, variant) for variant in scenario.variants]


def _run_variant(scenario: Scenario, variant: Variant) -> ScenarioResult:
    result = ScenarioResult(scenario.id, variant.name)
    try:
        player = ScriptRunner(start(variant))
        for number, line in enumerate(variant.play.splitlines(), 1):
            result.line, result.text = number, line.strip()
            player.line(line)
        if player.waiting:
            raise Failure("a shuffle was announced that never happened")
    except (Failure, BlackPokerError) as error:
        result.error = str(error)
    return result


def start(variant: Variant) -> Game:
    """The game at the beginning of a variant."""
    if variant.regulation:
        return dealt(variant.regulation, variant.deal or {})
    return game_from(variant.position or {}, "", 0)


def dealt(text: str, deal: dict[str, Any]) -> Game:
    """A game from set-up whose shuffled decks are these from the top. In a constructed frame the deal is the deck."""
    try:
        regulation = Regulation.parse(text)
    except RegulationError as error:
        raise UnreadableText(error.en, error.ja) from error
    source = seeded(0)
    decks: list[Deck | None] = []
    orders: list[tuple[int, list[int]]] = []
    for seat, player in enumerate(PLAYERS):
        cards = [_card(name) for name in _text(deal.get(player, ""), f"deal.{player}").split()[:60]]
        orders.append((seat, cards))
        if cards and regulation.frame.build == "constructed":
            decks.append(Deck(tuple(sorted(cards))))
        else:
            decks.append(make_decks(regulation, source)[0])
    source.injected = orders
    return Game(regulation, decks=decks, chance=source)


def _card(text: str) -> int:
    card = parse_card(text)
    if card < 0:
        raise Failure(f"{quoted(text)} is no card")
    return card


def _seat(text: str) -> int:
    if text not in PLAYERS:
        raise Failure(f"{quoted(text)} is neither p1 nor p2")
    return PLAYERS.index(text)


def _whole(text: str) -> int:
    try:
        return int(text[:12])
    except ValueError:
        raise Failure(f"{quoted(text)} is no whole number") from None


def _hold(condition: bool, message: str) -> None:
    if not condition:
        raise Failure(message)


class ScriptRunner:
    """Plays the lines of a script."""

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def waiting(self) -> bool:
        return bool(self.game.engine.source.injected)

    def line(self, line: str) -> None:
        line = line.partition("# ")[0] if not line.strip().startswith("#") else ""
        line = line.strip()
        if not line:
            return
        first, _, rest = line.partition(" ")
        rest = rest.strip()
        if line == "pp":
            self.both_pass()
        elif first in ("p1:", "p2:"):
            self.say(_seat(first[:2]), rest)
        elif first == "legal":
            seat, _, move = rest.partition(" ")
            self.legal(_seat(seat), move.strip())
        elif first == "illegal":
            seat, _, move = rest.partition(" ")
            self.illegal(_seat(seat), move.strip())
        elif first == "shuffle":
            self.shuffle(rest.split())
        elif first == "expect":
            negative = rest.startswith("not ")
            Expectations(self.game).check(rest[4:] if negative else rest, negative)
        else:
            raise Failure(f"{quoted(line)} is no line of a script")

    def both_pass(self) -> None:
        for _ in range(2):
            engine = self.game.engine
            if engine.kind != CHANCE_KIND or PASS not in engine.options:
                raise Failure(f"nobody can pass: {self.game!r}")
            self.game.push(PASS)

    def say(self, seat: int, move: str) -> None:
        if move in ENDS:  # may be said at any time
            self.game.end(move, seat)
            return
        if self.game.engine.asked != seat:
            raise Failure(f"{PLAYERS[seat]} is not the one to choose: {self.game!r}")
        self.game.push_text(move, seat)

    def legal(self, seat: int, move: str) -> None:
        if self.game.engine.asked != seat:
            raise Failure(f"{PLAYERS[seat]} is not the one to choose: {self.game!r}")
        self.game.copy().push_text(move, seat)

    def illegal(self, seat: int, move: str) -> None:
        move, because, ruling = move.partition(" because ")
        try:
            said = self.game.copy().push_text(move, seat)
        except IllegalMove as error:
            if because and error.ruling != ruling.strip():
                raise Failure(f"refused because of {error.ruling} ({error.reason}), not {ruling.strip()}") from error
            return
        except AmbiguousMove as error:
            raise Failure(f"not refused: {error}") from error
        raise Failure(f"it can be pushed: {said.text}")

    def shuffle(self, words: list[str]) -> None:
        if not words:
            raise Failure("whose life is shuffled how?")
        source = self.game.engine.source
        waiting = source.injected or []
        source.injected = [*waiting, (_seat(words[0]), [_card(text) for text in words[1:60]])]


class Expectations:
    """What ``expect`` can say."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.engine = game.engine

    def check(self, text: str, negative: bool) -> None:
        name, _, rest = text.partition(" ")
        words = rest.split()
        seat, dot, zone = name.partition(".")
        found: Callable[[list[str]], None] | None = None
        if dot and seat in PLAYERS and zone in _ZONES:
            words = [name, *words]
            found = self.count
        elif name == "view":
            words = [rest]
            found = self.view
        else:
            found = getattr(self, f"expect_{name}", None) if name.isidentifier() else None
        if found is None:
            raise Failure(f"{quoted(name)} cannot be expected")
        try:
            found(words)
        except Failure as failure:
            if not negative:
                raise
            if getattr(failure, "broken", False):
                raise
            return
        except (IndexError, ValueError) as error:
            raise Failure(f"the line is not complete: {error}") from error
        if negative:
            raise Failure("it does hold")

    # -- the flow

    def expect_stage(self, words: list[str]) -> None:
        actions = [self.engine.rules.plans[request.action].id for request in self.engine.stage]
        _hold(actions == ([] if words == ["empty"] else words), f"the stage is {' '.join(actions) or 'empty'}")

    def expect_chance(self, words: list[str]) -> None:
        engine = self.engine
        _hold(engine.kind == CHANCE_KIND and engine.asked == _seat(words[0]), f"now: {self.game!r}")

    def expect_asked(self, words: list[str]) -> None:
        engine = self.engine
        inside = engine.kind != CHANCE_KIND and not in_request(engine) and engine.asked == _seat(words[0])
        _hold(inside and (len(words) < 2 or kind_name(engine) == words[1]), f"now: {self.game!r}")

    def offered(self) -> list[str]:
        return [word(self.engine, option) for option in self.engine.options]

    def expect_options(self, words: list[str]) -> None:
        _hold(sorted(self.offered()) == sorted(self.plain(words)), f"offered are {' '.join(self.offered())}")

    def expect_offers(self, words: list[str]) -> None:
        missing = [text for text in self.plain(words) if text not in self.offered()]
        _hold(not missing, f"{' '.join(missing)} not offered; offered are {' '.join(self.offered())}")

    def plain(self, words: list[str]) -> list[str]:
        from blackpoker.rules.cards import NAMES

        return [NAMES[parse_card(text)] if parse_card(text) >= 0 else text for text in words]

    def expect_actions(self, words: list[str]) -> None:
        engine = self.engine
        if engine.kind != CHANCE_KIND or engine.asked != _seat(words[0]):
            raise Failure(f"{words[0]} does not hold the chance: {self.game!r}")
        _hold(sorted(self.offered()) == sorted(words[1:]), f"offered are {' '.join(self.offered())}")

    def expect_turn(self, words: list[str]) -> None:
        _hold(self.engine.turn == _seat(words[0]), f"it is the turn of {PLAYERS[self.engine.turn]}")

    def expect_turn_number(self, words: list[str]) -> None:
        _hold(self.engine.turn_number == _whole(words[0]), f"it is turn {self.engine.turn_number}")

    def expect_over(self, words: list[str]) -> None:
        winner = self.engine.winner
        now = "no" if winner == UNDECIDED else "draw" if winner == DRAW else PLAYERS[winner]
        _hold(now == words[0], f"over: {now}")

    # -- zones

    def zone(self, name: str) -> list[int]:
        """The cards of ``p1.hand`` and the like; piles from the top."""
        seat, _, zone = name.partition(".")
        player = _seat(seat)
        side = self.engine.sides[player]
        if zone == "life":
            return side.life[::-1]
        if zone in ("hand", "grave", "pack"):
            return members(int(getattr(side, zone)))
        if zone == "trumps":
            return list(side.trumps)
        if zone == "stage":
            requests = list(self.engine.stage)
            if self.engine.active is not None:
                requests.append(self.engine.active)
            if self.engine.current is not None:
                requests.append(self.engine.current)
            return [card for request in requests if request.controller == player for card in members(request.keys)]
        units: list[Unit] = []
        if zone in ("field", "soldiers"):
            units += side.soldiers
        if zone in ("field", "bulwarks"):
            units += side.bulwarks
        if zone not in ("field", "soldiers", "bulwarks"):
            raise Failure(f"{quoted(name)} is no zone")
        return [card for unit in units for card in members(unit.cards)]

    def count(self, words: list[str]) -> None:
        seat, _, zone = words[0].partition(".")
        side = self.engine.sides[_seat(seat)]
        if zone in ("field", "soldiers", "bulwarks"):
            n = (len(side.soldiers) if zone != "bulwarks" else 0) + (len(side.bulwarks) if zone != "soldiers" else 0)
        else:
            n = len(self.zone(words[0]))
        _hold(n == _whole(words[1]), f"{words[0]} is {n}")

    def expect_in(self, words: list[str]) -> None:
        cards = self.zone(words[0])
        missing = [text for text in words[1:] if _card(text) not in cards]
        _hold(not missing, f"{' '.join(missing)} not there; there are {_names(cards)}")

    def expect_top(self, words: list[str]) -> None:
        wanted = [_card(text) for text in words[1:]]
        cards = self.zone(words[0])
        _hold(cards[: len(wanted)] == wanted, f"from the top: {_names(cards[: len(wanted) + 2])}")

    def expect_bottom(self, words: list[str]) -> None:
        wanted = [_card(text) for text in words[1:]]
        cards = self.zone(words[0])[::-1]
        _hold(cards[: len(wanted)] == wanted, f"from the bottom: {_names(cards[: len(wanted) + 2])}")

    def expect_gravetop(self, words: list[str]) -> None:
        top = self.engine.sides[_seat(words[0])].grave_top
        wanted = -1 if words[1] == "none" else _card(words[1])
        _hold(top == wanted, f"the public top is {_names([int(top)]) if top >= 0 else 'none'}")

    # -- units

    def unit(self, name: str) -> tuple[Side, Unit, int]:
        seat, _, rest = name.partition(".")
        player = _seat(seat)
        side = self.engine.sides[player]
        if rest[:1] == "b" and rest[1:].isdigit():
            place = _whole(rest[1:])
            if 1 <= place <= len(side.bulwarks):
                return side, side.bulwarks[place - 1], player
        else:
            card = _card(rest)
            for unit in side.soldiers:
                if unit.cards & BIT[card]:
                    return side, unit, player
        raise Failure(f"there is no {name} on the field")

    def expect_number(self, words: list[str]) -> None:
        side, unit, _ = self.unit(words[0])
        number = self.engine.number(side, unit)
        _hold(number == _whole(words[1]), f"its number is {number}")

    def expect_driven(self, words: list[str]) -> None:
        _hold(self.unit(words[0])[1].driven, "it is charged")

    def expect_charged(self, words: list[str]) -> None:
        _hold(not self.unit(words[0])[1].driven, "it is driven")

    def expect_new(self, words: list[str]) -> None:
        side, unit, _ = self.unit(words[0])
        _hold(unit.cards & ~side.fresh == 0, "it has been there since an earlier turn")

    def expect_role(self, words: list[str]) -> None:
        role = {ATTACKER: "attacker", BLOCKER: "blocker"}.get(int(self.unit(words[0])[1].role), "none")
        _hold(role == words[1], f"its role is {role}")

    def expect_kind(self, words: list[str]) -> None:
        kind = self.engine.rules.kinds[self.unit(words[0])[1].kind].id
        _hold(kind == words[1], f"it is a {kind}")

    def expect_target(self, words: list[str]) -> None:
        place = _whole(words[0].lstrip("#"))
        if not 1 <= place <= len(self.engine.stage):
            raise Failure(f"there is no {words[0]} on the stage")
        target = target_text(self.engine, self.engine.stage[place - 1])
        wanted = words[1]
        if "." in wanted and ".t" not in wanted:
            _, unit, player = self.unit(wanted)
            wanted = f"{PLAYERS[player]}.{unit_place(self.engine, player, unit)}"
        _hold(target == wanted, f"its target is {target or 'gone'}")

    def expect_open(self, words: list[str]) -> None:
        seat, _, place = words[0].partition(".t")
        side = self.engine.sides[_seat(seat)]
        number = _whole(place)
        if not 1 <= number <= len(side.trumps):
            raise Failure(f"there is no {words[0]}")
        _hold(bool(side.open_trumps & BIT[side.trumps[number - 1]]), "it is face down")

    # -- views

    def view(self, words: list[str]) -> None:
        seat, _, rest = words[0].partition(" ")
        path, _, value = rest.strip().partition(" ")
        value = value.strip()
        view = self.game.view(_seat(seat))
        if path == "hides":
            card = _names([_card(value)])
            other = json.dumps(view[PLAYERS[1 - _seat(seat)]])
            _hold(f'"{card}"' not in other, f"{card} is to be seen")
            return
        found: Any = view
        for part in path.split("."):
            if isinstance(found, list) and part.isdigit() and _whole(part) < len(found):
                found = found[_whole(part)]
            elif isinstance(found, dict) and part in found:
                found = found[part]
            else:
                raise Failure(f"the view has no {path}")
        try:
            wanted = json.loads(value)
        except (ValueError, RecursionError):
            wanted = value
        _hold(found == wanted, f"the view says {json.dumps(found)}")


def _names(cards: list[int]) -> str:
    from blackpoker.rules.cards import NAMES

    return " ".join(NAMES[card] for card in cards) or "none"


# -- regulations and matches -------------------------------------------------------------------------------------------


def _run_checks(scenario: Scenario) -> ScenarioResult:
    result = ScenarioResult(scenario.id, "regulations")
    checks = scenario.checks or {}
    for name, legal in (("legal", True), ("illegal", False)):
        texts = checks.get(name, [])
        if not isinstance(texts, list):
            result.error = f"{name} must be a list"
            return result
        for text in texts[:500]:
            try:
                Regulation.parse(_text(text, name))
            except RegulationError as error:
                if legal:
                    result.text, result.error = text, error.en
                    return result
            except UnreadableText as error:
                result.error = error.en
                return result
            else:
                if not legal:
                    result.text, result.error = text, "it is allowed"
                    return result
    return result


def _run_match(scenario: Scenario, variant: Variant, runner: MatchRunner | None) -> ScenarioResult:
    """A match is a list of games: which decks may be picked, who wins, what holds afterwards (R-201, R-202)."""
    result = ScenarioResult(scenario.id, variant.name)
    text = variant.regulation or (scenario.match or {}).get("regulation", "")
    if runner is None:
        result.error = "matches cannot be run here"
        return result
    try:
        regulation = Regulation.parse(_text(text, "match.regulation"))
        for number, problem in runner(regulation, variant.games):
            result.line, result.text, result.error = number, f"game {number}", problem
            break
    except RegulationError as error:
        result.error = error.en
    except (Failure, BlackPokerError) as error:
        result.error = str(error)
    return result
