"""Wrong arguments of the public interface raise errors of the package, and every seed is a game of its own."""

import ast
import importlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker._build import compiled
from blackpoker.game.match import Match

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
        (lambda: game().word(10**30), bp.IllegalMove),
        (lambda: game().word(-1), bp.IllegalMove),
        (lambda: game().word(200), bp.IllegalMove),
        (lambda: game().move_of([10**30]), bp.IllegalMove),
        (lambda: game().push(10**30), bp.IllegalMove),
        (lambda: game().push("end"), TypeError),  # type: ignore[call-overload]
        (lambda: game().pop(), IndexError),
        (lambda: game().go_to(9), IndexError),
        (lambda: game().view(4), ValueError),
        (lambda: game().view(10**30), ValueError),
        (lambda: game().events(-1), ValueError),
        (lambda: game().resign(2), ValueError),
        (lambda: game().end("sleep", 0), ValueError),
        (lambda: game().why_not("end", 10**30), ValueError),
        (lambda: game().refusals(2), ValueError),
        (lambda: game().refused(-1), ValueError),
        (lambda: game().board(0, "de"), ValueError),
        (lambda: game().parse("end", 5), bp.IllegalMove),
        (lambda: MATCH.copy().push_text(None), bp.UnreadableText),  # type: ignore[arg-type]
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


def finished() -> Match:
    chosen = random.Random(3)
    match = Match("master+randomhalf", seed=4)
    while match.player >= 0:
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
