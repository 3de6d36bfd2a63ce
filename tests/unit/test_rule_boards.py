"""The example of a rule as boards, the game on two pages, refusals by reason."""

from __future__ import annotations

import pytest

from blackpoker import Game, Player
from blackpoker.ruleset import default_edition, editions
from blackpoker.scenario.examples import examples
from blackpoker.server.http.api.endpoints import group_by_reason, position_check
from blackpoker.server.http.api.rule_examples import as_first_player, example_boards, quick_start
from blackpoker.server.http.api.rule_pages import find_example, regulations
from blackpoker.text import rulings
from blackpoker.text.resources import LANGUAGES

#: raised by other effects or by options: the scenarios of those cover them
WITHOUT = {
    "open_pack",
    "open_trump",
    "close_trump",
    "destroy_trump",
    "regenerate_trump",
    "foresight",
    "trump_reset",
    "sweep",
}


def test_every_action_has_an_example_that_is_played_through() -> None:
    for action in default_edition().actions:
        found = example_boards(action.id, "en", default_edition())
        if action.id in WITHOUT:
            assert found is None, action.id
            continue
        assert found is not None, action.id
        assert len(found.steps) > 1, action.id
        assert found.steps[0].view != found.steps[-1].view, action.id
        if action.direct:
            assert found.steps[found.of].action == action.id, action.id


def test_the_boards_of_rulings_of_edition_9_are_played_by_its_rules() -> None:
    shown = [id for id in examples() if id.startswith("N-")]
    assert len(shown) > 45
    for id in shown:
        found = example_boards(id, "en", default_edition())
        assert found is not None
        assert len(found.steps) > 1, id
    found = example_boards("N-060", "ja", default_edition())
    assert found is not None
    assert any(step.view.p1.fogs for step in found.steps)


def test_the_board_of_counter_shows_it_on_the_stage_and_gone() -> None:
    found = example_boards("counter", "ja", default_edition())
    assert found is not None
    assert [item.action for item in found.steps[found.of].view.stage] == ["up", "counter"]
    assert found.steps[-1].view.stage == []
    assert found.steps[found.of].move == "「カウンター」（♣3）をステージのアクションに"


def test_remarks_are_sentences_of_their_mask() -> None:
    assert as_first_player("p2", "up H3 $D5 >p2.S5") == "up H3 $D5 >p1.S5"
    for action in default_edition().actions:
        for lang in LANGUAGES:
            found = example_boards(action.id, lang, default_edition())
            for step in found.steps if found else ():
                assert bool(step.by) == bool(step.move), action.id
                assert not set("$^*→#@") & set(step.move), (action.id, step.move)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_game_on_two_pages(lang: str) -> None:
    found = quick_start("ja" if lang == "ja" else "en", default_edition())
    assert {block.page for block in found.blocks} == {0, 1, 2}
    assert all(block.title and block.text for block in found.blocks)
    costs = next(block for block in found.blocks if block.id == "costs")
    assert [item.sign for item in costs.items] == ["B", "L", "D", "S"]
    assert len({term.en for term in found.terms}) == len({term.ja for term in found.terms}) == len(found.terms) > 30


def test_the_two_pages_of_edition_9_have_its_costs() -> None:
    costs = next(block for block in quick_start("ja", editions()["9"]).blocks if block.id == "costs")
    assert [item.sign for item in costs.items] == ["B", "L", "D", "S", "C"]


def test_examples_of_actions_of_edition_9_are_played_by_its_rules() -> None:
    edition = editions()["9"]
    shown = {one.id: found for one in edition.actions if (found := find_example(one.id, edition)) is not None}
    assert len(shown) > 15
    for id, example in shown.items():
        assert 'edition = "9"' in example.text, id
        boards = example_boards(id, "en", edition)
        assert boards is not None
        assert len(boards.steps) > 1, id


def test_regulations_name_the_recommended_ones_and_the_cards_of_their_frames() -> None:
    found = regulations(editions()["9"])
    assert (found.id, len(found.legal), len(found.recommended)) == ("9", 24, 9)
    assert set(found.recommended) < set(found.legal)
    assert (found.recommended[0], found.recommended[-1]) == ("9:lite+entry16", "9:master+draft")
    draft = next(frame for frame in found.frames if frame.id == "draft")
    assert (draft.pack, draft.rare, draft.scenario, draft.trumps, draft.draft, draft.least) == (14, 1, 3, 2, 6, 40)
    assert {"action:open_pack", "action:summon_rare", "trump:revolution"} < set(draft.adds)
    assert regulations(default_edition()).recommended == []


def test_every_ruling_has_its_own_question() -> None:
    for lang, end in (("ja", "？"), ("en", "?")):
        questions = [ruling.asks.in_lang(lang) for ruling in rulings.rulings().values()]  # type: ignore[arg-type]
        assert [one for one in questions if not one.endswith(end)] == []
        assert len(set(questions)) == len(questions)


def test_refusals_with_one_reason_stand_together() -> None:
    game = Game("master+full", seed=3)
    while not (game.decision and game.decision.kind == "chance" and game.view(Player.P1).stage):
        game.push(next(iter(game.legal_moves)))
    found = position_check(game, "en")
    assert sorted(action for reason in found.reasons for action in reason.actions) == sorted(
        one.action for one in found.refused
    )
    assert [len(reason.actions) for reason in found.reasons] == sorted(
        (len(reason.actions) for reason in found.reasons), reverse=True
    )
    assert len({(reason.ruling, reason.en) for reason in found.reasons}) == len(found.reasons) < len(found.refused)
    assert group_by_reason([]) == []
