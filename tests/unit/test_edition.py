"""Editions are values: two are played in one process, each with its own pages, records and hashes."""

import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable

import pytest

import blackpoker as bp
from blackpoker.ruleset import EditionError, Frame, Regulation, all_regulations, standard_edition
from blackpoker.ruleset.reference import pages

STANDARD = standard_edition()
CHEAP = STANDARD.change("summon_soldier", cost="").rename("cheap soldiers")


def play(game: bp.Game, seed: int) -> bp.Game:
    chosen = random.Random(seed)
    while game.options:
        game.push(chosen.choice(game.options))
    return game


def test_two_editions_side_by_side() -> None:
    ours, theirs = (Regulation.parse("lite+full", edition) for edition in (CHEAP, STANDARD))
    assert ours != theirs
    games = [bp.Game(regulation, seed=1) for regulation in (ours, theirs)]
    offered = ["summon_soldier" in game.decision.words for game in games if game.decision is not None]
    assert offered == [True, False]  # no bulwark to drive, no life to pay for one
    for game in games:
        play(game, 2)
    for game, edition, other in ((games[0], CHEAP, STANDARD), (games[1], STANDARD, CHEAP)):
        record = game.record()
        assert f"edition: {edition.text}\n" in record
        again = bp.Game.from_record(record, edition=edition)
        assert again.hash() == game.hash()
        assert again.regulation.edition == edition
        assert bp.Game.from_json(game.to_json(), edition=edition).hash() == game.hash()
        assert pickle.loads(pickle.dumps(game)) == game
        for text, read in ((record, bp.Game.from_record), (game.to_json(), bp.Game.from_json)):
            with pytest.raises(bp.UnreadableText, match="edition"):
                read(text, edition=other)


def test_rule_pages_are_those_of_the_edition() -> None:
    costs = [
        dict(page.facts).get("cost")
        for edition in (CHEAP, STANDARD)
        for page in pages("en", edition)
        if page.id == "summon_soldier"
    ]
    assert len(costs) == 2
    assert costs[0] != costs[1]


def test_old_records_name_the_edition_alone() -> None:
    game = play(bp.Game("lite+entry", seed=3), 3)
    record = game.record().replace(STANDARD.text, STANDARD.name)
    assert bp.Game.from_record(record).hash() == game.hash()
    with pytest.raises(bp.UnreadableText, match="edition"):
        bp.Game.from_record(game.record().replace(STANDARD.hash, "0" * 16))


def test_the_hash_is_the_same_on_every_build_and_python() -> None:
    code = "from blackpoker.ruleset import standard_edition as s; print(s().hash)"
    for pure in ("", "1"):
        found = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "BLACKPOKER_PURE": pure, "PYTHONHASHSEED": "7", "PATH": ""},
        )
        assert found.stdout.strip() == STANDARD.hash
    assert STANDARD.hash == STANDARD.rename("other").hash
    assert STANDARD.change("summon_soldier", ja="別の名前").hash == STANDARD.hash  # other names, the same game


def test_change_add_remove() -> None:
    assert STANDARD.change("extra", most_trumps=3).find("extra").most_trumps == 3
    assert STANDARD.find("civil_war", "trumps").card == "♣5"
    without = STANDARD.remove("pack", "preset4")
    assert set(STANDARD.options) - set(without.options) == {STANDARD.find("pack"), STANDARD.find("preset4")}
    assert len(all_regulations(without)) < len(all_regulations())
    tiny = Frame(
        "tiny",
        "ちび",
        "Tiny",
        "fixed",
        1,
        "12枚。",
        "Twelve cards.",
        cards="SA S2 S3 S4 S5 HA H2 H3 H4 H5 DA CA",
        exactly=12,
        most=12,
    )
    edition = STANDARD.add(tiny).rename("with tiny")
    game = play(bp.Game(Regulation.parse("lite+tiny", edition), seed=1), 1)
    assert game.outcome() is not None
    assert pickle.loads(pickle.dumps(edition)) == edition
    assert pickle.loads(pickle.dumps(STANDARD)) is STANDARD
    wrongs: tuple[Callable[[], object], ...] = (
        lambda: STANDARD.change("nothing", cost=""),
        lambda: STANDARD.change("up", price=""),
        lambda: STANDARD.change("civil_war", rulings=()),
        lambda: STANDARD.add(tiny, tiny),
        lambda: STANDARD.remove("up", among="frames"),
        lambda: STANDARD.remove("up", among="spells"),
        lambda: STANDARD.rename(" "),
    )
    for wrong in wrongs:
        with pytest.raises(EditionError):
            wrong()
