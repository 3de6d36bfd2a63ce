"""A hundred planted faults of edition 9: one changed rule each, chosen from the canon and the source before the scenarios
were written. A scenario of edition 9 or a property must detect each of them (``tests.long.edition9_faults``)."""

from __future__ import annotations

from typing import NamedTuple


class EditionFault(NamedTuple):
    """A text that occurs exactly once in its file, its replacement, and a file of scenarios/9 that detects it."""

    ruling: str
    file: str
    line: str
    becomes: str
    caught_by: str


TURN = "content/edition9/turn.py"
BASE = "content/edition9/base.py"
FRAME_ACTIONS = "content/edition9/frames.py"
SHARED = "content/edition9/shared.py"
SPADES = "content/edition9/spades.py"
HEARTS = "content/edition9/hearts.py"
DIAMONDS = "content/edition9/diamonds.py"
CLUBS = "content/edition9/clubs.py"
CHARACTERS = "content/edition9/characters.py"
FRAMES = "ruleset/edition9.py"
SETUP = "engine/setup.py"
ATOMS = "engine/atoms.py"
MOVES = "engine/zone_moves.py"
COMBAT = "engine/combat.py"
VIEWS = "engine/visibility.py"
VALUES = "definitions/values.py"
UNITS = "definitions/steps/units.py"

_TURN_AND_DRAW = (
    EditionFault("N-201", VALUES, "HAND_LIMIT: Final = 7", "HAND_LIMIT: Final = 8", "actions/dark_whisper.toml"),
    EditionFault("N-201", TURN, "(ClearFogs(),)", "()", "actions/end.toml"),
    EditionFault("N-202", TURN, "(ChargeAll(UnitType.ANY, TURN_PLAYER),)", "(ChargeAll(UnitType.SOLDIER, TURN_PLAYER),)", "actions/charge.toml"),
    EditionFault("N-202", TURN, "since=LITE, immediate=True, direct=False, phase", "since=LITE, direct=False, phase", "actions/charge.toml"),
    EditionFault("N-203", TURN, "(Draw(2, TURN_PLAYER),)", "(Draw(1, TURN_PLAYER),)", "actions/draw.toml"),
    EditionFault("N-203", TURN, ".at_most(2)", ".at_most(1)", "actions/draw.toml"),
    EditionFault("N-203", TURN, ".at_most(2)", ".at_most(3)", "actions/draw.toml"),
    EditionFault("N-205", TURN, "only_if=ATTACKERS.at_least(1)", "only_if=ATTACKERS.at_least(0)", "actions/attack.toml"),
)  # fmt: skip
_TRIGGERS = (
    EditionFault("N-207", TURN, 'cards="JK A J-K"', 'cards="A J-K"', "actions/counterattack.toml"),
    EditionFault("N-207", TURN, 'cards="JK A J-K"', 'cards="JK J-K"', "actions/down.toml"),
    EditionFault("N-207", ATOMS, "count(unit.cards & s.rules.card_trigger)", "min(1, count(unit.cards & s.rules.card_trigger))", "actions/next_generation.toml"),
    EditionFault("N-207", ATOMS, "if to_grave and s.rules.card_action >= 0:", "if s.rules.card_action >= 0:", "actions/allure.toml"),
    EditionFault("N-259", CHARACTERS, ', at_end="dark_whisper"),', "),", "actions/dark_whisper.toml"),
    EditionFault("N-257", SHARED, "leaves=Leaves(regenerates, names=jack)),", "),", "actions/regenerate_knight.toml"),
    EditionFault("N-290", CLUBS, 'on="discard", raises="riot"', 'on="end", raises="riot"', "actions/civil_war.toml"),
    EditionFault("N-291", CLUBS, "(Draw(2),)", "(Draw(1),)", "actions/hand_refill.toml"),
    EditionFault("N-281", DIAMONDS, ', on="end", raises="fulfilment"', "", "actions/fulfilment.toml"),
    EditionFault("N-266", HEARTS, ', on="end", raises="illusion"', "", "actions/illusion.toml"),
    EditionFault("N-246", SPADES, ', on="unblocked", raises="revolution_draw"', "", "actions/revolution_draw.toml"),
    EditionFault("N-293", CLUBS, "(Damage(OPPONENT, Number(2)),)", "(Damage(OPPONENT, Number(1)),)", "actions/counterattack.toml"),
    EditionFault("N-415", COMBAT, "            fallen += 1\n", "            fallen = 1\n", "actions/counterattack.toml"),
)  # fmt: skip
_BASE = (
    EditionFault("N-215", BASE, "(Bonus(KEY_SUM), KeysToFog(UP_FOG))", "(Bonus(KEY_SUM),)", "actions/down.toml"),
    EditionFault("N-216", BASE, "TARGET_NUMBER.at_most(0)", "TARGET_NUMBER.at_most(-1)", "actions/down.toml"),
    EditionFault("N-216", BASE, "(Bury(),), (KeysToFog(DOWN_FOG),)", "(Bury(), KeysToFog(DOWN_FOG)), (KeysToFog(DOWN_FOG),)", "actions/down.toml"),
    EditionFault("N-230", BASE, '"N-230", "N-102", timing=QUICK, since=PRO)', '"N-230", "N-102", since=PRO)', "actions/reverse.toml"),
    EditionFault("N-230", BASE, '"N-230", "N-102", timing=QUICK, since=PRO)', '"N-230", "N-102", timing=QUICK, since=MASTER)', "actions/reverse.toml"),
    EditionFault("N-233", BASE, "(BonusForAll(KEY_SUM), KeysToFog(FORCE_FOG))", "(BonusForAll(KEY_SUM),)", "actions/force.toml"),
    EditionFault("N-237", BASE, '"N-237", timing=QUICK, counterable=True)', '"N-237", counterable=True)', "actions/royal_straight_flush.toml"),
)  # fmt: skip
_BLACK_JACK = (
    EditionFault("N-236", BASE, 'key=Key("each", ("A", "J"))', 'key=Key("each", ("A", "J-K"))', "actions/black_jack.toml"),
    EditionFault("N-236", BASE, "MOST_POINTS = 21", "MOST_POINTS = 20", "actions/black_jack.toml"),
    EditionFault("N-236", BASE, "MOST_POINTS = 21", "MOST_POINTS = 22", "actions/black_jack.toml"),
    EditionFault("N-236", BASE, "(AsideToGrave(),)", "(AsideToHand(),)", "actions/black_jack.toml"),
    EditionFault("N-410", BASE, "LifeOf().at_least(1)", "LifeOf().at_least(2)", "actions/black_jack.toml"),
    EditionFault("N-236", MOVES, "return 11 if most >= 11 else 1", "return 11 if most > 11 else 1", "actions/black_jack.toml"),
    EditionFault("N-236", MOVES, "return 11 if most >= 11 else 1", "return 1", "actions/black_jack.toml"),
    EditionFault("N-236", MOVES, "return min(number, 10)", "return number", "actions/black_jack.toml"),
    EditionFault("N-236", MOVES, "return min(number, 10)", "return min(number, 10) if number > 0 else 10", "actions/black_jack.toml"),
)  # fmt: skip
_PACK_AND_RARE = (
    EditionFault("N-238", FRAME_ACTIONS, "per_game=False, unopened=True,", "per_game=False,", "actions/open_pack.toml"),
    EditionFault("N-238", FRAME_ACTIONS, "ChooseCard(CARD, Zone.PACK, also=Zone.RARE)", "ChooseCard(CARD, Zone.PACK)", "actions/open_pack.toml"),
    EditionFault("N-238", FRAME_ACTIONS, "(OpenPack(),)", "()", "actions/open_pack.toml"),
    EditionFault("N-239", FRAME_ACTIONS, "LIFE_LIMIT = 9", "LIFE_LIMIT = 10", "actions/rare_draw.toml"),
    EditionFault("N-239", FRAME_ACTIONS, "LIFE_LIMIT = 9", "LIFE_LIMIT = 8", "actions/rare_draw.toml"),
    EditionFault("N-414", ATOMS, "        side.rare = 0\n        side.hand |= bit\n", "        side.rare = 0\n        show(side, bit)\n        side.hand |= bit\n", "actions/rare_draw.toml"),
    EditionFault("N-240", FRAME_ACTIONS, 'cost="S", key=THE_RARE_CARD', 'cost="B", key=THE_RARE_CARD', "actions/summon_rare.toml"),
    EditionFault("N-241", FRAME_ACTIONS, "(If(TARGET_HAS_KEY, (Negate(),)),)", "(Negate(),)", "actions/trap_counter.toml"),
    EditionFault("N-411", VALUES, "if aimed.keys & JOKERS != 0 and request.keys & JOKERS != 0:", "if False:", "actions/trap_counter.toml"),
    EditionFault("N-241", FRAME_ACTIONS, "immediate=True, key=THE_RARE_CARD,", "key=THE_RARE_CARD,", "actions/trap_counter.toml"),
)  # fmt: skip
_TRUMP_OPERATIONS = (
    EditionFault("N-242", FRAME_ACTIONS, 'cost="DD"', 'cost="D"', "actions/close_trump.toml"),
    EditionFault("N-243", FRAME_ACTIONS, 'cost="BBL"', 'cost="BBD"', "actions/main_open.toml"),
    EditionFault("N-244", FRAME_ACTIONS, 'key=Key("one", ("Q",))', 'key=Key("one", ("Q-K",))', "actions/close_trump.toml"),
    EditionFault("N-244", FRAME_ACTIONS, "(CloseTrump(), KeysToFog(CLOSE_FOG))", "(CloseTrump(),)", "actions/close_trump.toml"),
    EditionFault("N-245", FRAME_ACTIONS, "(If(TARGET_TRUMP_IS_KEY, (BuryTrump(),)),)", "(BuryTrump(),)", "actions/destroy_trump.toml"),
    EditionFault("N-244", FRAME_ACTIONS, '"trump", open=True)', '"trump")', "actions/close_trump.toml"),
    EditionFault("N-062", ATOMS, "if fog_kind(fog) == CLOSE_FOG and fog_target(fog) == player * TRUMP_CODE + card:", "if False:", "actions/close_trump.toml"),
)  # fmt: skip
_TRUMPS = (
    EditionFault("N-247", SPADES, "timing=QUICK, empty_stage=False", "timing=QUICK, empty_stage=True", "actions/slash.toml"),
    EditionFault("N-251", SPADES, 'Key("one", ("♠A-10",))', 'Key("one", ("♠A-K",))', "actions/quick_intimidate.toml"),
    EditionFault("N-252", SPADES, 'cards("♠A-K")', 'cards("♠2-10")', "actions/revive.toml"),
    EditionFault("N-254", SHARED, "(If(is_open, first.steps),)", "first.steps", "actions/summon_reanimator.toml"),
    EditionFault("N-255", SHARED, 'cost="D" if quick else "BL"', 'cost="BD" if quick else "BL"', "actions/quick_summon_reanimator.toml"),
    EditionFault("N-282", SHARED, "(If(is_open, (*enters, *then.steps)),)", "(If(is_open, enters), *then.steps)", "actions/summon_tactician.toml"),
    EditionFault("N-256", SPADES, 'immediate=True, source="self", permission="reincarnation"', 'source="self", permission="reincarnation"', "actions/reincarnation.toml"),
    EditionFault("N-258", SHARED, "(BuryAll(type=type), FindAnywhere(card(partner), FOUND))", "(FindAnywhere(card(partner), FOUND),)", "actions/summon_demon_lord.toml"),
    EditionFault("N-258", SHARED, "(If(FOUND.equals(4), (BuryTrump(", "(If(FOUND.equals(3), (BuryTrump(", "actions/summon_demon_lord.toml"),
    EditionFault("N-413", SHARED, "(If(FOUND.at_least(2), (Shuffle(),)),)", "(If(FOUND.equals(2), (Shuffle(),)),)", "actions/summon_demon_lord.toml"),
    EditionFault("N-413", MOVES, "return -1 if unit_with(side, bit) is None else ev.FIELD", "return -1", "actions/summon_demon_lord.toml"),
    EditionFault("N-413", MOVES, "    if side.rare & bit != 0:\n        return ev.RARE\n", "", "actions/summon_demon_lord.toml"),
    EditionFault("N-413", MOVES, "    if side.pack & bit != 0:\n        return ev.PACK\n", "", "actions/summon_demon_lord.toml"),
    EditionFault("N-260", HEARTS, "RevealAside(2)", "RevealAside(3)", "actions/reinforcements.toml"),
    EditionFault("N-261", HEARTS, "(ReturnTarget(),)", "(Bury(),)", "actions/allure.toml"),
    EditionFault("N-264", HEARTS, '(CloseTrump(OwnTrump(card("♡5"))),)', "()", "actions/pursuit.toml"),
    EditionFault("N-264", HEARTS, '"N-404", kind=MAGIC, cost="",', '"N-404", kind=MAGIC, cost="B",', "actions/pursuit.toml"),
    EditionFault("N-265", UNITS, "            atoms.charge(s, request.controller, source)\n", "", "actions/phantom_reverse.toml"),
    EditionFault("N-267", HEARTS, 'timing=QUICK, cost="")', 'cost="")', "actions/salvation.toml"),
    EditionFault("N-268", HEARTS, '"♡J", "♢2-10", "wall_breaker", "破砕士", "Wall Breaker", quick', '"♡J", "♢A-10", "wall_breaker", "破砕士", "Wall Breaker", quick', "actions/summon_wall_breaker.toml"),
    EditionFault("N-270", HEARTS, 'immediate=True, source="self", permission="pulverize"', 'source="self", permission="pulverize"', "actions/pulverize.toml"),
    EditionFault("N-273", DIAMONDS, '"N-084", kind=MAGIC, per_turn=True,', '"N-084", kind=MAGIC,', "actions/add_bulwark.toml"),
    EditionFault("N-274", DIAMONDS, 'cost="DL"', 'cost="LD"', "actions/quick_set_bulwark.toml"),
    EditionFault("N-277", DIAMONDS, '"N-277", "N-431", kind=MAGIC,', '"N-277", "N-431", kind=SUMMON,', "actions/offset.toml"),
    EditionFault("N-278", DIAMONDS, 'state="driven"', 'state="charged"', "actions/lethargy.toml"),
    EditionFault("N-279", DIAMONDS, "ChooseCard(CARD, Zone.GRAVE, limit=TARGET_SUIT)", "ChooseCard(CARD, Zone.GRAVE)", "actions/repair.toml"),
    EditionFault("N-279", DIAMONDS, "key=CARD),), (Bury(),))", "key=CARD),), ())", "actions/repair.toml"),
    EditionFault("N-284", DIAMONDS, "(ChooseRequest(REQUEST), Negate(REQUEST))", "(ChooseRequest(REQUEST),)", "actions/counter_summon_tactician.toml"),
    EditionFault("N-350", VALUES, "if side.abilities & NEVER_CHARGE != 0:", "if side is s.sides[s.turn] and side.abilities & NEVER_CHARGE != 0:", "actions/charge.toml"),
    EditionFault("N-292", CLUBS, "timing=QUICK, immediate=True, key=None", "timing=QUICK, immediate=False, key=None", "actions/reset.toml"),
    EditionFault("N-292", CLUBS, "(CloseAllTrumps(),)", "()", "actions/reset.toml"),
    EditionFault("N-292", CLUBS, "Number(2), by=OPPONENT", "Number(1), by=OPPONENT", "actions/reset.toml"),
    EditionFault("N-287", CLUBS, "        clubs.SWITCH.effect[1],\n", "", "actions/switch.toml"),
)  # fmt: skip
_CHARACTERS = (
    EditionFault("N-304", CHARACTERS, ', waives="D"', ', waives="DL"', "actions/quick_intimidate.toml"),
    EditionFault("N-308", CHARACTERS, 'UNTARGETABLE, PREPARATION, two_suits("♠", "♣")', 'PREPARATION, two_suits("♠", "♣")', "actions/kill.toml"),
    EditionFault("N-307", SHARED, "number=11,", "number=10,", "actions/summon_knight.toml"),
)  # fmt: skip
_SET_UP = (
    EditionFault("N-132", FRAMES, "_PACK: Final = 14", "_PACK: Final = 13", "frames/strategy.toml"),
    EditionFault("N-401", FRAMES, "SetUp(setup.PRESET, setup.SHOWN_PRESET)", "SetUp(setup.PRESET, 0)", "frames/entry16.toml"),
    EditionFault("N-135", SETUP, "while life and s.rules.makes_soldier", "if life and s.rules.makes_soldier", "canon/T-056.toml"),
    EditionFault("N-137", SETUP, "ask_open(s, s.turn if later == 0 else 1 - s.turn)", "ask_open(s, 1 - s.turn if later == 0 else s.turn)", "frames/extra.toml"),
    EditionFault("N-140", SETUP, "MINI_PACK: Final = 3", "MINI_PACK: Final = 2", "canon/T-058.toml"),
)  # fmt: skip
_ZONES_AND_VIEWS = (
    EditionFault("N-051", VIEWS, "names(side.pack) if own and looks else None", "names(side.pack) if own else None", "actions/open_pack.toml"),
    EditionFault("N-051", VIEWS, "shown = rare != 0 and (own or known & rare != 0)", "shown = rare != 0", "frames/rare_pack.toml"),
    EditionFault("N-052", ATOMS, "top: i64 = pile[len(pile) - 1]", "top: i64 = pile[0]", "actions/revive.toml"),
    EditionFault("N-418", ATOMS, "side.uncovered = len(pile) > 1", "side.uncovered = False", "actions/revive.toml"),
    EditionFault("N-091", "engine/engine.py", "(1 if self.turn == 0 else 0) if self.rules", "(0 if self.turn == 0 else 1) if self.rules", "actions/damage_judgement.toml"),
)  # fmt: skip

EDITION9_FAULTS = (
    *_TURN_AND_DRAW, *_TRIGGERS, *_BASE, *_BLACK_JACK, *_PACK_AND_RARE, *_TRUMP_OPERATIONS, *_TRUMPS, *_CHARACTERS, *_SET_UP,
    *_ZONES_AND_VIEWS,
)  # fmt: skip
