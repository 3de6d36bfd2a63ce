"""Scenarios as scripts of taps: a pasted position, then the moves of each seat.

The effect of a move is computed with the engine here; the page has to reach the same board by taps alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from blackpoker.definitions.model import EXTRA
from blackpoker.definitions.steps.choosing import ChooseWord
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import PASS
from blackpoker.engine.state import CARDS_KIND, OPTION_KIND, RETARGET_KIND, UNITS_KIND
from blackpoker.engine.visibility import Audience
from blackpoker.formats.position import UnreadablePosition
from blackpoker.game.game import Game
from blackpoker.notation.options import KIND_NAMES, kind_name, marked_token
from blackpoker.ruleset import editions, standard_edition
from blackpoker.ruleset.edition import rules_of
from blackpoker.scenario.expectations import Failure
from blackpoker.scenario.scenario import ScriptRunner, Variant, read_scenario, start_variant

SCENARIOS = Path(__file__).parents[1] / "scenarios"
STANDARD = standard_edition().id
#: decisions for which the notation's name is less specific than the page
APART = {CARDS_KIND: "cards", UNITS_KIND: "units", RETARGET_KIND: "retarget"}


def kind_of(game: Game) -> str:
    return kind_at(game._engine)


def kind_at(s: Engine) -> str:
    kind = int(s.kind)
    return kind_name(s) if kind == OPTION_KIND else APART.get(kind) or KIND_NAMES.get(kind, str(kind))


def all_kinds() -> set[str]:
    """Return every kind of decision, including the choice of a deck in a match."""
    steps = [place.step for plan in rules_of(standard_edition(), EXTRA, ("open_pack",)).plans for place in plan.program]
    words = {step.words.name for step in steps if isinstance(step, ChooseWord)}
    return {APART.get(kind) or name for kind, name in KIND_NAMES.items()} | words | {"deck"}


@dataclass
class ScriptMove:
    """One move, the kind of decision it answers, and the board of its player before it."""

    seat: str
    text: str
    words: list[str]
    kind: str
    board: dict[str, Any]
    options: list[int] = field(default_factory=list)
    #: after a shuffle that only a scenario can arrange: the page may get other cards
    loose: bool = False
    #: its coverage: ``action:kill`` if that resolves, ``kind:target`` if that is answered
    performs: set[str] = field(default_factory=set)


@dataclass
class Script:
    """One variant: the position, the moves, and the board at the end (empty if the game is over)."""

    name: str
    position: str
    moves: list[ScriptMove] = field(default_factory=list)
    last: dict[str, Any] = field(default_factory=dict)
    #: the trump it is about, covered at the end
    trump: str = ""

    @property
    def performs(self) -> set[str]:
        return {self.trump, *(one for move in self.moves for one in move.performs)} - {""}


def board(game: Game, seat: int) -> dict[str, Any]:
    """Return a seat's view as far as the page shows it."""
    view = game.view(seat)
    resolving = [view.resolving.action] if view.resolving else []
    out: dict[str, Any] = {"stage": resolving + [item.action for item in reversed(view.stage)]}
    for name in ("p1", "p2"):
        side = view.p1 if name == "p1" else view.p2
        out[name] = {
            "life": str(side.life),
            "grave": str(side.grave.count),
            "soldiers": len(side.soldiers),
            "bulwarks": len(side.bulwarks),
            "driven": sum(one.driven for one in side.soldiers) + sum(one.driven for one in side.bulwarks),
            "trumps": len(side.trumps),
        }
    out["hand"] = len(view.side(seat).hand.cards or ())
    return out


class Recorder(ScriptRunner):
    """Plays a script like ``blackpoker scenario`` and records every move."""

    def __init__(self, game: Game, script: Script) -> None:
        super().__init__(game)
        self.script = script
        self.loose = False
        self.events_seen = len(game.event_views(Audience.PUBLIC))

    def push(self, options: list[int], text: str) -> None:
        game = self.game
        seat = int(game._engine.asked)
        move = ScriptMove(f"p{seat + 1}", text, [], kind_of(game), board(game, seat), list(options), self.loose)
        for option in options:
            move.performs.add(f"kind:{kind_of(game)}")
            move.words.append(marked_token(game._engine, option))
            game.push(option)
        events = game.event_views(Audience.PUBLIC)
        for event in events[self.events_seen :]:
            if event.event == "resolving":
                move.performs.add(f"action:{str(event.action).removesuffix('@')}")
            elif event.event == "shuffled":
                self.loose = True
        self.events_seen = len(events)
        self.script.moves.append(move)

    def both_pass(self) -> None:
        for _ in range(2):
            if PASS not in self.game._engine.options:
                raise Failure("nobody can pass")
            self.push([PASS], "pass")

    def move(self, seat: int, move: str) -> None:
        found = self.game.parse(move, seat)
        self.push(list(found.options), found.text)


def toml(position: dict[str, Any]) -> str:
    """Return a position as text; its values have the same form in JSON and TOML."""
    plain = [f"{key} = {json.dumps(value)}" for key, value in position.items() if not isinstance(value, dict)]
    tables = []
    for key, value in position.items():
        if isinstance(value, dict):
            tables += [f"\n[{key}]", *(f"{name} = {json.dumps(entry)}" for name, entry in value.items())]
    return "\n".join(plain + tables) + "\n"


def record(name: str, variant: Variant, edition: str = STANDARD) -> Script | None:
    """Return the script of a variant that starts from a position; None for the others."""
    if variant.regulation or variant.games or not variant.position:
        return None
    named = {} if edition == STANDARD else {"edition": edition}
    script = Script(name, toml(named | variant.position))
    try:
        recorder = Recorder(start_variant(variant, editions()[edition]), script)
    except UnreadablePosition:  # which is what the scenario is about
        return None
    for line in variant.play.splitlines():
        if line.strip().partition(" ")[0] in ("pp", "p1:", "p2:", "shuffle"):
            recorder.line(line)
    game = recorder.game
    if game.outcome() is None and not recorder.loose:
        script.last = board(game, int(game._engine.asked))
    return script


@cache
def actions(edition: str = STANDARD) -> frozenset[str]:
    """Return the ids of all actions of an edition."""
    return frozenset(action.id for action in editions()[edition].actions)


@cache
def scripts(edition: str = STANDARD) -> tuple[Script, ...]:
    """Return all scripts of an edition, those of actions and trumps first."""
    out: list[Script] = []
    for folder in ("actions", "trumps", "canon", "ours") if edition == STANDARD else (edition, f"{edition}/canon"):
        for path in sorted((SCENARIOS / folder).glob("*.toml")):
            scenario = read_scenario(path.read_text(encoding="utf-8"))
            for number, variant in enumerate(scenario.variants, 1):
                found = record(f"{folder}/{path.stem}/{number}", variant, edition)
                if found is None or not found.moves:
                    continue
                if folder == "trumps" and variant.name.startswith("works"):
                    found.trump = f"trump:{path.stem}"
                out.append(found)
    return tuple(out)


def goals() -> set[str]:
    """Return everything that must be covered."""
    trumps = {f"trump:{path.stem}" for path in (SCENARIOS / "trumps").glob("*.toml")}
    return {f"action:{name}" for name in actions()} | trumps | {f"kind:{name}" for name in all_kinds()}


def cover() -> Iterator[Script]:
    """Yield a small set of scripts with full coverage: greedily the one that adds most for its length."""
    left = set().union(*(script.performs for script in scripts()))
    rest = list(scripts())
    while left:
        best = max(rest, key=lambda script: len(script.performs & left) / (3 + len(script.moves)))
        rest.remove(best)
        left -= best.performs
        yield best
