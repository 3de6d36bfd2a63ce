"""Packages are loaded, stacked and named in records."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path

import pytest

import blackpoker as bp
from blackpoker.ruleset import Regulation, standard_edition
from blackpoker.ruleset.packages import PackageError, load

HOUSE = Path(__file__).parents[2] / "examples" / "rules" / "house"


def package(folder: Path, id: str, rules: str, base: str = "act6.1+ex6.30.1") -> Path:
    """Create a package with these rules and return its path."""
    path = folder / id
    path.mkdir()
    lines = [f'id = "{id}"', 'version = "1"', 'ja = "家"', 'en = "Home"', 'text_ja = "家の。"', 'text_en = "Ours."']
    (path / "rules.toml").write_text("\n".join([*lines, f'base = "{base}"']), encoding="utf-8")
    (path / "rules.py").write_text(rules, encoding="utf-8")
    return path


def test_the_worked_example_is_short() -> None:
    assert len((HOUSE / "rules.py").read_text(encoding="utf-8").splitlines()) <= 20


def test_a_package_makes_an_edition() -> None:
    edition = load([HOUSE])
    assert edition.find("summon_hero").cost == "BL"
    assert edition.name == "act6.1+ex6.30.1 + house 1.0"
    assert [package.id for package in edition.packages] == ["house"]
    assert load([]) is standard_edition()
    assert load([HOUSE]) == edition
    assert pickle.loads(pickle.dumps(edition)) == edition
    game = bp.Game(Regulation.parse("lite+ハウス30", edition), seed=1)
    assert len(game._start.decks[0]) == 30


def test_the_example_of_a_trump() -> None:
    edition = load([HOUSE.parent / "dusk"])
    assert edition.find("dusk", "trumps").card == "♢2"
    game = bp.Game.from_position('format = "extra"\n[p1]\nhand = "S3"\ntrumps = "T:D2"', seed=1, edition=edition)
    raised = [event for event in game.push_text("end").events(bp.Audience.JUDGE) if event.event == "raised"]
    assert [event.action for event in raised if isinstance(event, bp.RequestEvent)] == ["revolution_draw"]


def test_records_and_saved_games_name_it(tmp_path: Path) -> None:
    edition = load([HOUSE])
    game = bp.Game(Regulation.parse("lite+house30", edition), seed=1)
    other = tmp_path / "house"
    shutil.copytree(HOUSE, other)
    rules = other / "rules.py"
    rules.write_text(rules.read_text(encoding="utf-8").replace('cost="BL"', 'cost="L"'), encoding="utf-8")
    for text, read in ((game.record(), bp.Game.from_record), (game.to_json(), bp.Game.from_json)):
        assert edition.text in text
        assert read(text, edition=edition).hash() == game.hash()
        with pytest.raises(bp.UnreadableText, match=r"house 1\.0 is missing"):
            read(text)
        with pytest.raises(bp.UnreadableText, match="the definitions of that name here are others"):
            read(text, edition=load([other]))


def test_packages_stack(tmp_path: Path) -> None:
    first = package(tmp_path, "first", "from blackpoker.define import base\nedition = base.change('up', cost='')\n")
    second = package(tmp_path, "second", "from blackpoker.define import base\nedition = base.change('down', cost='')\n")
    both = load([first, second])
    assert (both.find("up").cost, both.find("down").cost) == ("", "")
    assert both.text.startswith("act6.1+ex6.30.1 + first 1 + second 1 ")
    same = "from blackpoker.define import base\n\nedition = base.change('up', cost='L')\n"
    with pytest.raises(PackageError, match=r"third/rules.py:3: 'up' is changed by first too"):
        load([first, package(tmp_path, "third", same)])
    assert load([first, package(tmp_path, "fourth", same, base="first")]).find("up").cost == "L"
    with pytest.raises(PackageError, match=r"fourth/rules.toml:7: it stands on 'first', which is not here"):
        load([tmp_path / "fourth"])


def test_a_package_may_have_several_files_and_leaves_nothing_behind(tmp_path: Path) -> None:
    import sys

    path = package(
        tmp_path,
        "files",
        "from blackpoker.define import base\nfrom .costs import UP\n\nedition = base.change('up', cost=UP)\n",
    )
    (path / "costs.py").write_text("UP = 'L'\n")
    assert load([path]).find("up").cost == "L"
    assert not list(path.rglob("*.pyc"))
    assert not [name for name in sys.modules if name.startswith("blackpoker_package")]
    (path / "costs.py").write_text("UP = 'B'\n")
    assert load([path]).find("up").cost == "B"


def test_a_package_that_changes_nothing_plays_the_same_game(tmp_path: Path) -> None:
    edition = load([package(tmp_path, "same", "from blackpoker.define import base as edition\n")])
    assert edition.hash == standard_edition().hash
    games = [bp.Game(Regulation.parse("lite+entry", each), seed=5) for each in (edition, standard_edition())]
    assert games[0].position() == games[1].position()


def test_a_saved_match_names_it() -> None:
    edition = load([HOUSE])
    match = bp.Match(Regulation.parse("pro+randomhalf", edition), seed=1)
    match.push(1)
    again = bp.Match.from_json(match.to_json(), edition=edition)
    assert again.regulation == match.regulation
    with pytest.raises(bp.UnreadableText, match=r"house 1\.0 is missing"):
        bp.Match.from_json(match.to_json())


def test_everything_definitions_are_made_of_can_be_imported() -> None:
    from blackpoker import define
    from blackpoker.definitions.steps import CONDITIONS, STEPS, VALUES, control

    inner = {control.Skip, control.SkipIf, control.SkipUnless}  # steps that If compiles to
    constants = {type(getattr(define, name)) for name in define.__all__}
    known = {getattr(define, name) for name in define.__all__ if isinstance(getattr(define, name), type)}
    assert [kind for kind in (*STEPS, *VALUES, *CONDITIONS) if kind not in known | constants | inner] == []
    assert define.base is standard_edition()
