"""The Extra list as data: RULINGS 2.4–2.7, E-29."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blackpoker import Game, Player
from blackpoker.content.edition6.extra import ACTIONS, CHARACTERS, TRUMPS
from blackpoker.content.edition6.extra.operations import ACTIONS as OPERATIONS
from blackpoker.definitions.model import Action, Character, Trump
from blackpoker.engine.cards import BIT, NAMES, parse_card
from blackpoker.ruleset import Regulation, standard_edition

SOURCE = Path(__file__).parents[2] / "src" / "blackpoker"
RULES = Regulation.parse("extra+full").rules()

#: RULINGS 2.5, in its order
TABLE = """
SA revolution, S2 slash, S3 drain, S4 intimidate, S5 revive, S7 instant_kill, SJ reanimator, SK demon_lord,
H2 reinforcements, H3 encourage, H4 armistice, H5 pursuit, H7 phantom, H8 salvation, HJ chariot, HK giant,
DA extra_bulwark, D3 negotiate, D4 offset, D5 loss, D8 repair, D9 fulfilment, DJ tactician,
C4 switch, C5 civil_war, C7 hand_refill, C8 reset, C9 fortress, C10 last_struggle, CJ knight
"""

#: RULINGS 2.6: trigger, speed, timing; cost
ACTION_TABLE = {
    "open_trump": ("DIM", "BBD/DD"),
    "close_trump": ("DIQ", "L"),
    "destroy_trump": ("DNQ", "B"),
    "regenerate_trump": ("TIQ", ""),
    "revolution_draw": ("TIQ", ""),
    "slash": ("DIM", ""),
    "drain": ("DNM", ""),
    "intimidate": ("DNM", "L"),
    "revive": ("DNM", "BL"),
    "instant_kill": ("DIQ", ""),
    "summon_reanimator": ("DNM", "BL/BD"),
    "summon_demon_lord": ("DNM", "SS"),
    "reinforcements": ("DNM", "BL"),
    "encourage": ("DIQ", ""),
    "armistice": ("DIQ", ""),
    "pursuit": ("DIM", "BDD"),
    "phantom": ("DIM", "B"),
    "illusion": ("TNQ", ""),
    "salvation": ("DNM", "B"),
    "summon_chariot": ("DNM", "BL/BD"),
    "summon_giant": ("DNM", "SS"),
    "add_bulwark": ("DIM", "L"),
    "negotiate": ("DIQ", ""),
    "offset": ("DIQ", "D"),
    "exhaustion": ("TNQ", ""),
    "repair": ("DIM", "L"),
    "rest": ("DNM", "B"),
    "fulfilment": ("TNQ", ""),
    "summon_tactician": ("DNM", "BL/BD"),
    "foresight": ("DIQ", ""),
    "switch": ("DIQ", ""),
    "civil_war": ("DNM", "B"),
    "riot": ("TIQ", ""),
    "hand_refill": ("TNQ", ""),
    "omen": ("TIQ", ""),
    "reset": ("DNM", "L"),
    "trump_reset": ("TIQ", ""),
    "last_struggle": ("DIQ", ""),
    "summon_knight": ("DNM", "BL/BD"),
    "sweep": ("DIQ", ""),
}


def test_ids_and_cards_are_used_once() -> None:
    for things in (standard_edition().actions, standard_edition().characters, TRUMPS):
        assert len({thing.id for thing in things}) == len(things)
    assert len({parse_card(trump.card) for trump in TRUMPS}) == len(TRUMPS)
    assert {action.id for action in (*OPERATIONS, *ACTIONS)} <= {action.id for action in standard_edition().actions}


def test_the_cards_of_the_canon() -> None:
    found = [f"{NAMES[parse_card(trump.card)]} {trump.id}" for trump in TRUMPS]
    canon = [part.strip() for part in TABLE.replace("\n", " ").split(",")]
    assert [each for each in found if each in canon] == canon


def test_timing_and_cost_of_every_action() -> None:
    found = {}
    for action in ACTIONS:
        letters = "D" if action.direct else "T"
        letters += "I" if action.immediate else "N"
        letters += action.timing.name[0]
        found[action.id] = (letters, action.cost + (f"/{action.quick_cost}" if action.quick_cost else ""))
    assert {id: found[id] for id in ACTION_TABLE} == ACTION_TABLE


def test_limits_per_turn() -> None:
    limited = {action.id for action in ACTIONS if action.per_turn}
    assert limited == {"reinforcements", "pursuit", "add_bulwark", "civil_war"}


@pytest.mark.parametrize(
    "thing", [*ACTIONS, *CHARACTERS, *TRUMPS], ids=lambda thing: f"{type(thing).__name__}.{thing.id}"
)
def test_everything_has_both_languages(thing: Action | Character | Trump) -> None:
    texts = [(thing.ja, thing.en)]
    if isinstance(thing, Action):
        texts += [(clause.ja, clause.en) for clause in thing.effect]
        texts += [(note.ja, note.en) for note in thing.notes]
        texts += [(thing.target.ja, thing.target.en)] if thing.target is not None else []
    else:
        texts += [(ability.ja, ability.en) for ability in thing.abilities]
    for ja, en in texts:
        assert ja
        assert en
        assert re.search(r"[ぁ-んァ-ヶ一-龠]", ja), ja
        assert not re.search(r"[ぁ-んァ-ヶ一-龠]", en), en


def test_every_permission_is_given_and_used() -> None:
    needed = {action.permission for action in ACTIONS if action.permission}
    given = {id for trump in TRUMPS for id in trump.allows} | {id for c in CHARACTERS for id in c.permissions}
    assert needed == given


def test_every_trump_does_something() -> None:
    for trump in TRUMPS:
        assert trump.allows or trump.raises or any(ability.flag for ability in trump.abilities), trump.id


def test_named_pairs() -> None:
    def kind(text: str) -> str:
        return RULES.kinds[RULES.kind_of_cards([parse_card(card) for card in text.split()])].id

    assert kind("SJ H6") == kind("H6 SJ") == "reanimator"
    assert kind("HJ D2") == "chariot"
    assert kind("DJ C10") == "tactician"
    assert kind("CJ S5") == "knight"
    assert kind("SK CK") == "demon_lord"
    assert kind("HK DK") == "giant"
    assert kind("SJ S6") == "armed_soldier"
    assert kind("S8") == "common_soldier"


def test_only_extra_has_trumps() -> None:
    for format in ("lite", "standard", "pro", "master"):
        rules = Regulation.parse(f"{format}+full").rules()
        assert not any(rules.trumps)
        assert rules.most_trumps == 0
        assert not any(plan.needs or plan.sourced for plan in rules.plans)
    assert RULES.most_trumps == 2


def test_soldiers_that_request_a_base_action() -> None:
    """RULINGS 2.6, last paragraph: the request is one of the base action, with two virtual keys."""
    plans = {plan.id: plan for plan in RULES.plans}
    for id, keys in (("reanimate", "SJ HJ"), ("destroy_bulwark", "HJ DJ")):
        plan = plans[f"{id}@"]
        assert plan.stands_for == plans[id].index
        assert plan.virtual == sum(BIT[parse_card(card)] for card in keys.split())
        assert plan.virtual_count == 2
        assert plan.sourced
        assert plan.passes_after


def test_the_engine_names_no_trump() -> None:
    """Nothing in the engine or the definition language may name a particular trump, its action or its character."""
    own = {action.id for action in ACTIONS} - {"open_trump", "close_trump"}  # operations on trumps in general
    names = own | {trump.id for trump in TRUMPS} | {character.id for character in CHARACTERS}
    common_words = {"reset", "rest", "loss", "offset", "switch"}
    paths = sorted(path for folder in ("engine", "definitions") for path in (SOURCE / folder).rglob("*.py"))
    assert len(paths) > 20
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for name in names - common_words:
            assert not re.search(rf"\b{name}\b[\"']", text), f"{path.name} names {name}"


def test_four_scenarios_for_every_trump() -> None:
    folder = Path(__file__).parents[1] / "scenarios" / "trumps"
    for trump in TRUMPS:
        text = (folder / f"{trump.id}.toml").read_text(encoding="utf-8")
        names = re.findall(r'^name = "(.*)"$', text, re.M)
        for start in ("works", "refused", "answered"):
            assert any(name.startswith(start) for name in names), f"{trump.id}: {start}"
        assert any(name.startswith(("closed", "nothing")) for name in names), trump.id
        assert " because R-" in text, trump.id


def test_the_board_of_the_set_up_shows_no_turn_and_no_life() -> None:
    """Before the deal there is no first player (R-192), and a deck is no life."""
    game = Game("extra+full", seed=3)
    for lang, deck in (("en", "deck 54"), ("ja", "デッキ 54")):
        shown = game.board(Player.P1, lang)
        assert deck in shown
        assert "turn 1" not in shown
        assert "1ターン目" not in shown
        assert "life" not in shown
        assert "ライフ" not in shown
    assert "54" not in game.board(Player.P2).split("── P2")[0]
    game.push_text("done")
    assert "set-up" in game.board(Player.P2)
    game.end("resign", Player.P2)
    assert "turn 1" not in game.board(Player.P1)
    dealt = Game("extra+full", seed=3, moves=["done", "done"])
    assert "turn 1" in dealt.board(Player.P1)
    assert "life" in dealt.board(Player.P1)
