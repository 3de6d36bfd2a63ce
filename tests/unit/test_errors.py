"""Wrong arguments of the public interface raise errors of the package, and every seed is a game of its own."""

import ast
import importlib
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker._build import compiled
from blackpoker.game.assistant import Assistant
from blackpoker.game.match import Match
from blackpoker.notation.move import move_of

SOURCE = Path(bp.__file__).parent
#: signals inside one module or between two, never raised to a caller of the library, and the errors of the server
SIGNALS = {
    "Broken",
    "BusError",
    "CannotServe",
    "Disconnected",
    "Failure",
    "Fault",
    "Forfeit",
    "HttpProblem",
    "InputEnded",
    "InvalidAnswer",
    "Malformed",
    "MessageRefused",
    "Outgrown",
    "QueueFull",
    "Quit",
    "Refused",
    "StoreError",
    "StoreUnavailable",
    "TooLarge",
    "Undecided",
    "Untranslatable",
    "UsageError",
    "WorldUnavailable",
    "WriteConflict",
}
MATCH = Match("master+randomhalf", seed=4)


def error_classes() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                if any(base.endswith(("Error", "Exception")) or base in SIGNALS for base in bases):
                    module = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
                    found.append((module, node.name))
    return found


def test_every_error_of_the_package_is_one() -> None:
    classes = error_classes()
    assert len(classes) > 25
    assert {name for _, name in classes} >= SIGNALS
    for module, name in classes:
        if name not in SIGNALS:
            assert issubclass(getattr(importlib.import_module(module), name), bp.BlackPokerError), (module, name)


def game() -> bp.Game:
    return bp.Game("lite+entry", seed=7)


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (lambda: Assistant(game()).token(10**30), bp.IllegalMove),
        (lambda: Assistant(game()).token(-1), bp.IllegalMove),
        (lambda: Assistant(game()).token(200), bp.IllegalMove),
        (lambda: move_of(game()._engine, [10**30]), bp.IllegalMove),
        (lambda: game().push(10**30), bp.IllegalMove),
        (lambda: game().push("end"), TypeError),  # type: ignore[call-overload]
        (lambda: game().pop(), IndexError),
        (lambda: game().go_to(9), IndexError),
        (lambda: game().view(4), ValueError),
        (lambda: game().view(10**30), ValueError),
        (lambda: game().events(-1), ValueError),
        (lambda: game().end("resign", 2), ValueError),
        (lambda: game().end("sleep", 0), ValueError),
        (lambda: Assistant(game()).why_not("end", 10**30), ValueError),
        (lambda: Assistant(game()).refused(-1), ValueError),
        (lambda: game().board(0, "de"), ValueError),
        (lambda: game().parse("end", 5), bp.IllegalMove),
        (lambda: MATCH.copy().push_text(None), bp.UnreadableText),  # type: ignore[arg-type]
        (lambda: Match("lite+entry", seed=4).push_text(None), bp.UnreadableText),  # type: ignore[arg-type]
        (lambda: Match("lite+entry", seed=4).push_text("pass " * 1000), bp.UnreadableText),
        (lambda: MATCH.deck_view(0, 0, 3), ValueError),
        (lambda: MATCH.deck_view(0, 10**30, 1), ValueError),
        (lambda: MATCH.inspect_deck(-1, 1), ValueError),
        (lambda: MATCH.inspect_deck(0, 10**30), ValueError),
        (lambda: game().draft().push(10**30), bp.IllegalMove),
        (lambda: game().draft().push(255), bp.IllegalMove),
        (lambda: game().draft(bp.Move(bp.Player.P1, (200,), "pass")), bp.IllegalMove),
        (lambda: game().draft(bp.Move(bp.Player.P1, (-1,), "pass")), bp.IllegalMove),
        (lambda: move_of(game()._engine, [0, 0, 0, 0, 999]), bp.IllegalMove),
        (lambda: bp.Game("lite+entry", decks=[[1.5] * 20, None]), bp.UnreadableText),  # type: ignore[list-item]
        (lambda: bp.Game("lite+entry", decks=[[999] * 20, None]), bp.UnreadableText),
        (lambda: bp.Game("master+randomhalf", decks=[range(-2, 25), None]), bp.UnreadableText),
        (lambda: bp.Game("master+randomhalf", decks=[[], None]), bp.UnreadableText),
        (lambda: bp.Game("master+randomhalf", decks=["S2 " * 27, None]), bp.UnreadableText),
        (lambda: Match("lite+entry", decks=[[1, 2], None]), TypeError),  # type: ignore[list-item]
        (lambda: Match("lite+entry", decks=["S2", None]), TypeError),  # type: ignore[list-item]
        (lambda: bp.Regulation.parse(None), ValueError),  # type: ignore[arg-type]
        (lambda: bp.Game(5), bp.UnreadableText),  # type: ignore[arg-type]
        (lambda: MATCH.copy().push(3), bp.IllegalMove),
        (lambda: MATCH.copy().push("deck 1"), TypeError),  # type: ignore[arg-type]
        (lambda: Match.from_record(None), bp.UnreadableText),  # type: ignore[arg-type]
        (lambda: Match.from_json(None), bp.UnreadableText),  # type: ignore[arg-type]
        (lambda: Match.from_json("[" * 100_000), bp.UnreadableText),
    ],
)
def test_wrong_arguments(wrong: Callable[[], object], kind: type[Exception]) -> None:
    with pytest.raises(bp.BlackPokerError) as raised:
        wrong()
    assert isinstance(raised.value, kind)
    assert raised.value.en
    assert raised.value.ja


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: game().push_text(None),  # type: ignore[arg-type]
        lambda: bp.Game.from_record(None),  # type: ignore[arg-type]
        lambda: bp.Game.from_json(None),  # type: ignore[arg-type]
        lambda: bp.Game.from_position(None),  # type: ignore[arg-type]
    ],
)
def test_texts_of_a_wrong_type(wrong: Callable[[], object]) -> None:
    """A compiled function refuses an argument of a wrong type at the call, before its first line."""
    with pytest.raises(TypeError if compiled() else bp.UnreadableText):
        wrong()


@pytest.mark.parametrize("width", [-(10**30), -1, 0, 1, 79, 10**30])
def test_a_board_of_any_width(width: int) -> None:
    assert "P1" in bp.Game("lite+entry", seed=7).board(0, "en", width) or width < 79


def finished() -> Match:
    chosen = random.Random(3)
    match = Match("master+randomhalf", seed=4)
    while match.outcome() is None:
        match.push(chosen.choice(match.options))
    return match


def test_mangled_matches() -> None:
    """Any text is a match, or an error of the package."""
    chosen = random.Random(8)
    match = finished()
    for text, read in ((match.record(), Match.from_record), (match.to_json(), Match.from_json)):
        assert read(text).outcome() == match.outcome()
        lines = text.splitlines(keepends=True) if "\n" in text else [text]
        for _ in range(150):
            changed = lines[:]
            place = chosen.randrange(min(len(changed), 60))
            line = changed[place]
            cut = chosen.randrange(max(1, len(line)))
            changed[place] = chosen.choice(
                (line[:cut], line[cut:], "", line + line, line[:cut] + "--- x\n" + line[cut:])
            )
            try:
                read("".join(changed))
            except bp.BlackPokerError:
                pass


SERIES: list[tuple[str, object]] = [
    ("decks", 1),
    ("number", 1),
    ("draws", 1),
    ("picks", [1, 0]),
    ("last", [0, 0]),
    ("won", [[1, 2], [1, 2]]),
    ("won", [[1, 1, 1], []]),
    ("won", [[], []]),
    ("over", False),
    ("over", None),
    ("winner", None),
    ("winner", 0),
]


@pytest.mark.parametrize(("name", "value"), SERIES)
def test_the_series_of_a_saved_match_is_that_of_its_games(name: str, value: object) -> None:
    data = json.loads(finished().to_json())
    data["series"][name] = value if data["series"][name] != value else 1 - int(value == 1)
    with pytest.raises(bp.UnreadableText):
        Match.from_json(json.dumps(data))


def test_the_decks_of_a_saved_match_are_legal_and_those_of_its_games() -> None:
    match = finished()
    data = json.loads(match.to_json())
    decks = data["decks"]
    short = [[" ".join(deck.split()[:5]) for deck in own] for own in decks]
    for wrong in (short, [[own[0], own[0]] for own in decks], decks[::-1]):
        with pytest.raises(bp.UnreadableText):
            Match.from_json(json.dumps(data | {"decks": wrong}))
    lines = match.record().splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("p1 deck 1:"))
    lines[first : first + 2] = [
        lines[first + 1].replace("deck 2", "deck 1"),
        lines[first].replace("deck 1", "deck 2"),
    ]
    with pytest.raises(bp.UnreadableText, match="other cards"):
        Match.from_record("\n".join(lines))


def test_a_pick_without_a_deck_is_refused() -> None:
    with pytest.raises(bp.UnreadableText):
        Match.from_record(MATCH.record().replace("--- end", "--- picked p1\n--- end"))


SEEDS = (0, 1, 2**62, 2**64 - 1, 2**64, 2**64 + 1, 2**65, 10**30, 10**5000, -1, -2, -(2**64), -(10**30))


def test_every_seed_is_a_game_of_its_own() -> None:
    games = [bp.Game("lite+full", seed=seed).to_json() for seed in SEEDS]
    assert len(set(games)) == len(SEEDS)
    assert games == [bp.Game("lite+full", seed=seed).to_json() for seed in SEEDS]
    assert len({Match("master+randomhalf", seed=seed).to_json() for seed in SEEDS}) == len(SEEDS)


def test_a_match_of_any_seed_is_saved() -> None:
    for seed in SEEDS:
        match = Match("lite+entry", seed=seed)
        assert Match.from_json(match.to_json()).to_json() == match.to_json()


def test_a_name_of_brackets_is_saved() -> None:
    named = game()
    named.names = ["[" * 70, '"{' * 30 + "\\"]
    assert bp.Game.from_json(named.to_json()) == named
