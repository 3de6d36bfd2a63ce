"""Positions as objects that can be edited; their text is a position file (docs/notation.md)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Final

from blackpoker.engine.views import SIDE_ZONES, Player
from blackpoker.errors import WrongValue
from blackpoker.formats.position import read_position, regulation_of
from blackpoker.game.game import Game
from blackpoker.notation.limits import read_toml
from blackpoker.ruleset import Edition, edition_named

#: zones of a side whose entries are one text; the bulwarks of a field stand apart
_ZONES: Final = (*SIDE_ZONES, "bulwarks")


@dataclass(slots=True)
class PositionSide:
    """One player's zones: entries of the notation with their marks, ``S5``, ``S5(d)``, ``T:SJ``. ``life`` is a number
    of filler cards, or the cards from the top; ``grave`` ends with its public card."""

    life: int | list[str] = 20
    hand: list[str] = dataclasses.field(default_factory=list)
    field: list[str] = dataclasses.field(default_factory=list)
    bulwarks: list[str] = dataclasses.field(default_factory=list)
    grave: list[str] = dataclasses.field(default_factory=list)
    trumps: list[str] = dataclasses.field(default_factory=list)
    pack: list[str] = dataclasses.field(default_factory=list)
    rare: list[str] = dataclasses.field(default_factory=list)
    fog: list[str] = dataclasses.field(default_factory=list)
    pack_opened: bool = False
    used: list[str] = dataclasses.field(default_factory=list)
    requests: int = 0
    bonus: int = 0


@dataclass(slots=True)
class Position:
    """A position to edit. ``chance`` is the turn player's if it is None. Nothing is checked before ``game()``.

    >>> import blackpoker as bp
    >>> position = bp.Position("pro+full")
    >>> position.p1.hand += ["S7", "H3"]
    >>> position.p1.bulwarks.append("D2")
    >>> game = position.game(seed=1)
    >>> game.push_text("summon_soldier S7").text
    'summon_soldier S7 $b1'
    """

    regulation: str = "master+full"
    turn: Player = Player.P1
    chance: Player | None = None
    turn_number: int = 3
    passed: list[Player] = dataclasses.field(default_factory=list)
    stage: list[str] = dataclasses.field(default_factory=list)
    stall: bool = False
    p1: PositionSide = dataclasses.field(default_factory=PositionSide)
    p2: PositionSide = dataclasses.field(default_factory=PositionSide)

    @classmethod
    def parse(cls, text: str, edition: Edition | None = None) -> Position:
        """Return the position of a text; raise `UnreadableText` if it is none, `WrongValue` if it holds a saved
        state, which cannot be edited."""
        read_position(text, edition=edition)  # the entries have their types
        data = read_toml(text, "the position", "局面")
        if "saved" in data:
            raise WrongValue(
                "a position in the middle of a move or of an effect cannot be edited",
                "手や効果の途中の局面は編集できません",
            )
        turn = Player(data.get("turn", "p1"))
        return cls(
            regulation_of(data, edition_named() if edition is None else edition).text,
            turn,
            Player(data["chance"]) if "chance" in data else None,
            int(data.get("turn_number", 3)),
            [Player(seat) for seat in data.get("passed", [])],
            list(data.get("stage", [])),
            bool(data.get("stall", False)),
            _side(data.get("p1", {})),
            _side(data.get("p2", {})),
        )

    @classmethod
    def of(cls, game: Game) -> Position:
        """Return the present position of a game; raise `WrongValue` in the middle of a move or of an effect."""
        return cls.parse(game.position(), game.regulation.edition)

    def side(self, player: Player | int) -> PositionSide:
        return (self.p1, self.p2)[player]

    def game(self, seed: int | None = None, edition: Edition | None = None) -> Game:
        """Return a game that starts here; raise `UnreadableText` if no game can have this position."""
        return read_position(str(self), seed, edition)

    def __str__(self) -> str:
        """Return the text of the position."""
        lines = [f'regulation = "{self.regulation}"', f'turn = "{self.turn}"']
        if self.chance is not None:
            lines.append(f'chance = "{self.chance}"')
        lines.append(f"turn_number = {self.turn_number}")
        lines += [f"{name} = {_list_text(entries)}" for name, entries in (("passed", self.passed),) if entries]
        lines += ["stall = true"] if self.stall else []
        lines += [f"stage = {_list_text(self.stage)}"] if self.stage else []
        for player in Player:
            lines += ["", f"[{player}]", *_side_lines(self.side(player))]
        return "\n".join(lines) + "\n"


def _side(table: dict[str, Any]) -> PositionSide:
    values: dict[str, Any] = {name: value.split() if isinstance(value, str) else value for name, value in table.items()}
    return PositionSide(**values)


def _list_text(entries: list[Any]) -> str:
    return "[" + ", ".join(f'"{entry}"' for entry in entries) + "]"


def _side_lines(side: PositionSide) -> list[str]:
    lines = []
    for each in dataclasses.fields(PositionSide):
        value = getattr(side, each.name)
        if each.name in _ZONES and isinstance(value, list):
            if value or each.name == "life":
                lines.append(f'{each.name} = "{" ".join(map(str, value))}"')
        elif isinstance(value, list):
            lines += [f"{each.name} = {_list_text(value)}"] if value else []
        elif isinstance(value, bool):
            lines += [f"{each.name} = true"] if value else []
        elif value or each.name == "life":
            lines.append(f"{each.name} = {value}")
    return lines
