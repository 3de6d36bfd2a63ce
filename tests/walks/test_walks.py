"""The walks of CONTRIBUTING.md, applied to a copy of the tree: each touches the listed files and breaks nothing.

``python -m tests.long.walks`` runs the whole suite in such a copy.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walks.apply_walks import NAMES, ROOT, run, apply_walks, touched_files

#: all files of the package and the page that a walk touches
TOUCHED = {
    "action": ["src/blackpoker/content/base/magic.py", "src/blackpoker/learn/data/c2_echo.toml"],
    "trump": ["src/blackpoker/content/extra/spades.py", "src/blackpoker/learn/data/e6_whisper.toml"],
    "step": ["src/blackpoker/definitions/steps/cards.py"],
    "asking": ["src/blackpoker/definitions/steps/choosing.py"],
    "character": ["src/blackpoker/content/extra/spades.py", "src/blackpoker/learn/data/e7_herald.toml"],
    "option": ["src/blackpoker/ruleset/tables.py"],
    "level": ["src/blackpoker/ai/levels.py"],
    "screen": [
        "src/blackpoker/server/http/api/endpoints.py",
        "web/src/screens/proverb/Proverb.svelte",
        "web/src/App.svelte",
        "web/src/i18n/ja/shared.json",
        "web/src/i18n/en/shared.json",
    ],
}
#: quick tests that cover every definition, step, regulation, level and scenario token
QUICK = (
    "tests/unit/test_extra.py", "tests/unit/test_regulation.py", "tests/unit/test_imports.py",
    "tests/unit/test_hot_modules.py", "tests/unit/test_text.py", "tests/unit/test_notation_move.py",
    "tests/unit/test_document_counts.py",
)  # fmt: skip
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
    "action": "'echo'", "trump": "'whisper'", "step": "'DrawUpTo'", "asking": "'ChooseCharged'", "character": "'herald'",
    "option": "'master+full+preset6'", "level": "'novice'", "screen": "'/api/proverb'",
}  # fmt: skip


def test_a_walk_touches_what_it_says() -> None:
    assert {name: touched_files(name).sources for name in NAMES} == TOUCHED


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
    run(walked, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *QUICK)


def test_the_new_things_are_there(walked: Path) -> None:
    """The walks have an effect; otherwise the test above could not fail."""
    before, after = run(ROOT, "-c", LIST_ALL), run(walked, "-c", LIST_ALL)
    for name, thing in ADDED.items():
        assert thing not in before, name
        assert thing in after, name


def test_the_page_hears_of_a_new_endpoint(walked: Path) -> None:
    run(walked, "web/make_types.py")
    assert "export interface Proverb " in (walked / "web/src/core/protocol.ts").read_text(encoding="utf-8")


def test_a_planted_step_that_asks_is_known_to_all(walked: Path) -> None:
    """Tokens, question, views, log, auto-pass and the heuristic follow from the step's own file alone."""
    assert TOUCHED["asking"] == ["src/blackpoker/definitions/steps/choosing.py"]
    assert "known to all" in run(walked, str(ROOT / "tests" / "walks" / "planted_step.py"))
