"""The public API is a promise (docs/stability.md): its names and signatures are compared with a stored list.

To change it on purpose: ``python -m tests.unit.test_public_api > tests/unit/public_api.txt``, and state the change in
CHANGELOG.md.
"""

from __future__ import annotations

import ast
import copy
import datetime
import pickle
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker import _HOMES

STORED = Path(__file__).parent / "public_api.txt"
#: classes of values that come from a game; users create none, so their constructors are no promise
RETURNED = {"Decision", "Draft", "GameStep", "LegalMoves", "Option"}


def class_node(found: type) -> ast.ClassDef:
    """Return the declaration of a class in its source."""
    path = Path(bp.__file__).parent.joinpath(*found.__module__.split(".")[1:])
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return next(node for node in body if isinstance(node, ast.ClassDef) and node.name == found.__name__)


def class_lines(found: type) -> Iterator[str]:
    """Yield the public members of a class, as its source declares them, those of its bases in this package included."""
    yield f"class {found.__name__}({', '.join(map(ast.unparse, class_node(found).bases))})"
    seen: set[str] = set()
    for kind in found.__mro__:
        if kind.__module__.startswith("blackpoker"):
            own = [
                (name, line)
                for name, line in member_lines(kind, found.__name__ not in RETURNED)
                if name not in seen and (name == "__init__" or not name.startswith("_"))
            ]
            yield from (f"  {line}" for _, line in own)
            seen |= {name for name, _ in own}


def member_lines(found: type, constructed: bool) -> Iterator[tuple[str, str]]:
    """Yield the public members that a class itself declares: the name and the line."""
    for member in class_node(found).body:
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
            default = "" if member.value is None else " = …"
            yield member.target.id, f"{member.target.id}: {ast.unparse(member.annotation)}{default}"
        elif isinstance(member, ast.Assign) and issubclass(found, Enum):
            yield ast.unparse(member.targets[0]), ast.unparse(member)
        elif isinstance(member, ast.FunctionDef):
            decorators = [ast.unparse(decorator) for decorator in member.decorator_list]
            if member.name == "__init__":
                if constructed:
                    yield member.name, function_line(member)
                yield from ((field.split(":")[0], field) for field in fields_set(member))
            elif "overload" not in decorators:
                yield member.name, "".join(f"@{decorator} " for decorator in decorators) + function_line(member)


def fields_set(init: ast.FunctionDef) -> Iterator[str]:
    """Yield the public fields that an ``__init__`` declares."""
    seen: set[str] = set()
    for node in ast.walk(init):
        if isinstance(node, ast.AnnAssign | ast.Assign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            if isinstance(target, ast.Attribute) and ast.unparse(target.value) == "self" and target.attr not in seen:
                seen.add(target.attr)
                if not target.attr.startswith("_"):
                    kind = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
                    yield f"{target.attr}{kind}"


def function_line(node: ast.FunctionDef) -> str:
    result = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    return f"{node.name}({ast.unparse(node.args)}){result}"


def api() -> str:
    """Return every public name with its signature, from the sources: the same in every build."""
    out: list[str] = []
    for name in sorted(bp.__all__):
        if name == "__version__":
            out.append(name)
            continue
        found = getattr(bp, name)
        if isinstance(found, type):
            out += class_lines(found)
            continue
        path = Path(bp.__file__).parent.joinpath(*_HOMES[name].split(".")[1:]).with_suffix(".py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                out.append(function_line(node))
            elif isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name:
                out.append(f"{name} = {'' if node.value is None else ast.unparse(node.value)}")
    return "\n".join(out) + "\n"


def test_the_api_is_the_promised_one() -> None:
    assert api() == STORED.read_text(encoding="utf-8"), __doc__


def test_the_list_has_every_name() -> None:
    stored = STORED.read_text(encoding="utf-8")
    for name in bp.__all__:
        assert f"class {name}(" in stored or f"\n{name}" in f"\n{stored}", name


def test_game_has_few_public_names() -> None:
    names = {name for name in dir(bp.Game("lite+entry", seed=1)) if not name.startswith("_")}
    assert len(names) <= 30


# -- every build refuses the same -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [bp.Game, bp.GameStep, bp.Move, bp.Outcome], ids=lambda kind: kind.__name__)
def test_a_class_of_the_compiled_part_has_no_subclass(kind: type) -> None:
    with pytest.raises(TypeError, match=f"{kind.__name__} cannot be subclassed: keep one in an attribute"):
        type("Mine", (kind,), {})


def test_a_value_takes_no_other_attribute() -> None:
    game = bp.Game("lite+entry", seed=1)
    step = game.push_text("end")
    for value in (game, step, step.move, game.end("resign", bp.Player.P1), game.outcome()):
        with pytest.raises(AttributeError, match=f"'{type(value).__name__}' object has no attribute 'mine'"):
            value.mine = 1  # type: ignore[union-attr]
    for value, name in ((step.move, "text"), (game.outcome(), "winner"), (game, "player")):
        with pytest.raises(AttributeError):
            setattr(value, name, None)


# -- moves and events ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action", "keys", "payment", "targets", "choices"),
    [
        ("up H3 $C9 >p1.S5", "up", ("H3",), ("C9",), ("p1.S5",), ()),
        ("royal_straight_flush SA S10 SJ SQ SK $b1 $b2 >p2", "royal_straight_flush", None, ("b1", "b2"), ("p2",), ()),
        ("open_trump quick $C3 $C4 ^C3", "open_trump", (), ("C3", "C4"), (), ()),
        ("pass", None, (), (), (), ()),
        ("S8 H6 done", None, (), (), (), ("S8", "H6", "done")),
        ("b1", None, (), (), (), ("b1",)),
        ("soldier", None, (), (), (), ("soldier",)),
        ("JK", None, (), (), (), ("JK",)),
    ],
)
def test_a_move_has_parts(
    text: str,
    action: str | None,
    keys: tuple[str, ...] | None,
    payment: tuple[str, ...],
    targets: tuple[str, ...],
    choices: tuple[str, ...],
) -> None:
    move = bp.Move.from_text(text)
    assert (move.action, move.payment, move.targets, move.choices) == (action, payment, targets, choices)
    assert keys is None or move.keys == keys
    assert pickle.loads(pickle.dumps(move)).action == action


def test_the_parts_make_the_move() -> None:
    """The action of a move is the same in the game and in its text."""
    game = bp.Game("master+full", seed=3)
    players = [bp.opponent("easy", seed=1), bp.opponent("easy", seed=2)]
    while game.outcome() is None:
        game.push(players[game.player].choose(game))
    actions = {action.id for action in game.regulation.edition.actions}
    requests = 0
    for step in game.steps():
        move = step.move
        assert move is not None
        assert bp.Move.from_text(step.line) == move
        if move.action is not None:
            requests += 1
            assert move.action.removesuffix("@") in actions
            assert move.text.split()[0] == move.action
            assert all(bp.Card(key) >= 0 for key in move.keys)
            assert not move.choices
        elif move.text != "pass":
            assert " ".join(move.choices) == move.text
    assert requests > 20


def test_events_are_typed() -> None:
    """Every event of a game has the class of its name, with the values of its flat form."""
    kinds: set[type] = set()
    for regulation in ("extra+full+preset2", "9:pro+rare_pack"):
        game = bp.Game(regulation, seed=4)
        players = [bp.opponent("easy", seed=1), bp.opponent("easy", seed=2)]
        while game.outcome() is None:
            game.push(players[game.player].choose(game))
        for audience in bp.Audience:
            for event, view in zip(game.events(audience), game.event_views(audience), strict=True):
                kinds.add(type(event))
                assert (event.event, event.player) == (view.event, view.player)
                cards = getattr(event, "cards", None)
                assert cards == (None if view.cards is None else tuple(view.cards))
                for name in ("action", "request", "unit", "attacker", "amount", "zone", "turn_number", "top", "target"):
                    if hasattr(event, name):
                        assert getattr(event, name) == getattr(view, name)
                    else:
                        assert getattr(view, name) is None, (view, name)
                assert hash(event) == hash(copy.copy(event))
                assert pickle.loads(pickle.dumps(event)) == event
    assert {bp.RequestEvent, bp.UnitEvent, bp.CardsEvent, bp.GraveEvent, bp.TurnEvent, bp.WinEvent} <= kinds


# -- notebooks, positions, records ----------------------------------------------------------------------------------------


def test_a_notebook_shows_the_view_of_the_player_to_decide() -> None:
    game = bp.Game.from_position('[p1]\nhand = "S7 JK"\nfield = "H5(d)"\n[p2]\nhand = "C9"\nbulwarks = "D2 D4(d)"')
    picture = game._repr_html_()
    for shown in ("♠7", "♡5", "b2"):
        assert shown in picture
    for hidden in ("♣9", "♢2", "♢4"):
        assert hidden not in picture
    assert picture.count("rotate(90") == 2
    game.end("resign", bp.Player.P1)
    assert "♠7" not in game._repr_html_()


def test_a_position_is_edited() -> None:
    game = bp.Game("pro+full", seed=2)
    player = bp.opponent("easy", seed=1)
    checked = 0
    for _ in range(120):
        if game.outcome() is not None:
            break
        if "saved = " in game.position():
            with pytest.raises(ValueError, match="cannot be edited"):
                bp.Position.of(game)
        else:
            checked += 1
            position = bp.Position.of(game)
            assert position.game().hash() == bp.Game.from_position(game.position()).hash()
            assert bp.Position.parse(str(position)) == position
            assert bp.Game.from_position(position, seed=0) == position.game(seed=0)
        game.push(player.choose(game))
    assert checked > 20
    position = bp.Position("lite+full", turn=bp.Player.P2)
    position.p2.hand.append("S7")
    position.p2.bulwarks.append("D2")
    assert "summon_soldier S7 $b1" in position.game().legal_moves
    position.p2.hand.append("D2")
    with pytest.raises(bp.UnreadableText, match="D2 is in two places"):
        position.game()


def test_a_record_file_keeps_dates_and_comments() -> None:
    game = bp.Game("lite+entry", seed=7, moves=["end", "pass"])
    comments = {0: ["A friendly game", "at home"], 1: ["Too slow?"], 2: ["Fine."]}
    records = [bp.Record(game, datetime.date(2026, 1, 31), comments), bp.Record(game)]
    text = "".join(map(str, records))
    assert bp.Record.read_all(text) == records
    assert "".join(map(str, bp.Record.read_all(text))) == text
    assert bp.Game.from_record(str(records[0])).hash() == game.hash(), "a reader of games skips comments and the date"
    with pytest.raises(bp.UnreadableText, match="another record begins"):
        bp.Game.from_record(text)
    with pytest.raises(bp.UnreadableText, match="2 records"):
        bp.Record.read(text)
    with pytest.raises(bp.UnreadableText, match="no date"):
        bp.Record.read(str(records[0]).replace("2026-01-31", "yesterday"))
    with pytest.raises(ValueError, match="follows move 9"):
        str(bp.Record(game, None, {9: ["late"]}))


if __name__ == "__main__":
    print(api(), end="")
