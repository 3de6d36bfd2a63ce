"""The walks of examples/extend, applied to a copy of the tree: each touches the listed files and breaks nothing.

``python -m tests.long.walks`` runs the whole suite in such a copy.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walks.apply_walks import NAMES, ROOT, apply_walks, run, touched_files

PAGE = ("web/src/App.svelte", "web/src/i18n/ja/shared.json", "web/src/i18n/en/shared.json")
#: all files of the package and the page that a walk touches, besides its own lesson
TOUCHED = {
    "action": ["content/edition6/base/magic.py"],
    "new_shape": ["content/edition6/base/magic.py"],
    "trump": ["content/edition6/extra/spades.py"],
    "character": ["content/edition6/extra/spades.py"],
    "step": ["definitions/steps/cards.py"],
    "asking_step": ["definitions/steps/choosing.py"],
    "asking_event": ["engine/atoms.py", "definitions/steps/choosing.py", "content/edition6/base/magic.py"],
    "option": ["ruleset/tables.py"],
    "starting_hand": ["ruleset/tables.py", "ruleset/regulation.py"],
    "level": ["ai/levels.py"],
    "screen": ["server/http/api/endpoints.py", *PAGE, "web/src/screens/proverb/Proverb.svelte"],
    "stored_bots": ["server/http/api/bots.py", *PAGE, "web/src/screens/bot/BotTotals.svelte"],
}
#: quick tests that cover every definition, step, regulation, level and scenario token
QUICK = (
    "tests/unit/test_extra.py",
    "tests/unit/test_regulation.py",
    "tests/unit/test_imports.py",
    "tests/unit/test_hot_modules.py",
    "tests/unit/test_text.py",
    "tests/unit/test_notation_move.py",
    "tests/unit/test_document_counts.py",
    "tests/unit/test_players_roles.py",
    "tests/unit/test_shown_data.py",
    "tests/unit/test_lessons.py",
    "tests/unit/test_lesson_claims.py",
)
LIST_ALL = """
from blackpoker.definitions.steps import STEPS
from blackpoker.players.engine_players import LEVELS
from blackpoker.ruleset import all_regulations, standard_edition
from blackpoker.server.app import describe_api
edition = standard_edition()
print([a.id for a in edition.actions], [t.id for t in edition.trumps], [c.id for c in edition.characters])
print([s.__name__ for s in STEPS], [r.text for r in all_regulations()], list(LEVELS), list(describe_api()["paths"]))
"""
#: the addition of each walk
ADDED = {
    "action": "'echo'",
    "new_shape": "'rally'",
    "trump": "'whisper'",
    "character": "'herald'",
    "step": "'DrawUpTo'",
    "asking_step": "'ChooseCharged'",
    "asking_event": "'spy'",
    "option": "'master+full+preset6'",
    "starting_hand": "'pro+full+hand5'",
    "level": "'novice'",
    "screen": "'/api/proverb'",
    "stored_bots": "'/api/bot-totals'",
}


def test_a_walk_touches_the_named_parts(capsys: pytest.CaptureFixture[str]) -> None:
    """The number of files of each extension is printed; more of them is a step back."""
    with capsys.disabled():
        print("\nfiles of the package and the page that an extension touches, and files of its own tests and lessons:")
        for name in NAMES:
            sources, own = split(name)
            print(f"  {name:14} {len(sources)}   {len(own)}")
    assert {name: sorted(split(name)[0]) for name in NAMES} == {name: sorted(paths) for name, paths in TOUCHED.items()}


def split(name: str) -> tuple[list[str], list[str]]:
    """Return the touched files of the program, and the walk's own scenarios, claims, lessons and tests."""
    walk = touched_files(name)
    lessons = [path for path in walk.sources if "/learn/data/" in path]
    sources = [path.removeprefix("src/blackpoker/") for path in walk.sources if path not in lessons]
    return sources, [*lessons, *walk.others]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the tree after all walks."""
    root = tmp_path_factory.mktemp("walked")
    apply_walks(root, *NAMES)
    run(root, "-m", "tests.document_counts", "--write")
    return root


def test_the_walks_break_nothing(walked: Path) -> None:
    run(walked, "-m", "blackpoker.cli.docs")
    scenarios = [path for name in NAMES for path in touched_files(name).others if path.startswith("tests/scenarios/")]
    run(walked, "-m", "blackpoker.cli", "scenario", *scenarios)
    own = [path for name in NAMES for path in touched_files(name).others if path.endswith(".py")]
    run(walked, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *QUICK, *own)


def test_the_new_things_are_there(walked: Path) -> None:
    """The walks have an effect; otherwise the test above could not fail."""
    before, after = run(ROOT, "-c", LIST_ALL), run(walked, "-c", LIST_ALL)
    for name, thing in ADDED.items():
        assert thing not in before, name
        assert thing in after, name


def test_the_page_has_types_of_a_new_endpoint(walked: Path) -> None:
    run(walked, "web/make_types.py")
    types = (walked / "web/src/core/protocol.ts").read_text(encoding="utf-8")
    assert "export interface Proverb " in types
    assert "export interface BotTotals " in types


LOG_OF_SPY = """
import blackpoker as bp
game = bp.Game.from_position('format = "pro"\\n[p1]\\nhand = "CJ CQ"\\nlife = 9\\n[p2]\\nbulwarks = "D4 H7"\\nlife = 9', seed=1)
game.push_text("spy CJ CQ")
while game.decision.kind == "chance":
    game.push_text("pass")
step = game.push_text("b2")
for audience in (bp.Player.P1, bp.Player.P2, bp.Audience.PUBLIC):
    for lang in ("en", "ja"):
        print(" / ".join(step.lines(lang, audience)))
"""


def test_the_log_names_the_bulwark_that_is_looked_at(walked: Path) -> None:
    """Not "hand": the event names the unit, and only the two players see its card."""
    lines = run(walked, "-c", LOG_OF_SPY).splitlines()
    assert len(lines) == 6
    assert not any("hand" in line or "手札" in line for line in lines)
    assert all("bulwark 2" in line for line in lines[::2])
    assert all("防壁2" in line for line in lines[1::2])
    assert ["♡7" in line for line in lines] == [True] * 4 + [False] * 2


def test_every_part_follows_a_planted_step_with_a_decision(walked: Path) -> None:
    """Tokens, question, views, log, auto-pass and the heuristic follow from the step's own file alone."""
    assert split("asking_step")[0] == ["definitions/steps/choosing.py"]
    assert "known to all" in run(walked, str(ROOT / "tests" / "walks" / "planted_step.py"))
