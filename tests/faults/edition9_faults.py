"""A hundred planted faults of edition 9: one changed rule each, chosen from the canon and the source before the scenarios
were written. A scenario of edition 9 or a property must detect each of them (``tests.long.edition9_faults``)."""

from __future__ import annotations

from typing import NamedTuple


class EditionFault(NamedTuple):
    """A text that occurs exactly once in its file, and its replacement."""

    ruling: str
    file: str
    line: str
    becomes: str


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
    EditionFault("N-201", VALUES, "HAND_LIMIT: Final = 7", "HAND_LIMIT: Final = 8"),
    EditionFault("N-201", TURN, "(ClearFogs(),)", "()"),
    EditionFault("N-202", TURN, "(ChargeAll(UnitType.ANY, TURN_PLAYER),)", "(ChargeAll(UnitType.SOLDIER, TURN_PLAYER),)"),
    EditionFault("N-202", TURN, "since=LITE, immediate=True, direct=False, phase", "since=LITE, direct=False, phase"),
    EditionFault("N-203", TURN, "(Draw(2, TURN_PLAYER),)", "(Draw(1, TURN_PLAYER),)"),
    EditionFault("N-203", TURN, ".at_most(2)", ".at_most(1)"),
    EditionFault("N-203", TURN, ".at_most(2)", ".at_most(3)"),
    EditionFault("N-205", TURN, "only_if=ATTACKERS.at_least(1)", "only_if=ATTACKERS.at_least(0)"),
)  # fmt: skip
_TRIGGERS = (
    EditionFault("N-207", TURN, 'cards="JK A J-K"', 'cards="A J-K"'),
    EditionFault("N-207", TURN, 'cards="JK A J-K"', 'cards="JK J-K"'),
    EditionFault("N-207", ATOMS, "count(unit.cards & s.rules.card_trigger)", "min(1, count(unit.cards & s.rules.card_trigger))"),
    EditionFault("N-207", ATOMS, "if to_grave and s.rules.card_action >= 0:", "if s.rules.card_action >= 0:"),
    EditionFault("N-259", CHARACTERS, ', at_end="dark_whisper"),', "),"),
    EditionFault("N-257", SHARED, "leaves=Leaves(regenerates, names=jack)),", "),"),
    EditionFault("N-290", CLUBS, 'on="discard", raises="riot"', 'on="end", raises="riot"'),
    EditionFault("N-291", CLUBS, "(Draw(2),)", "(Draw(1),)"),
    EditionFault("N-281", DIAMONDS, ', on="end", raises="fulfilment"', ""),
    EditionFault("N-266", HEARTS, ', on="end", raises="illusion"', ""),
    EditionFault("N-246", SPADES, ', on="unblocked", raises="revolution_draw"', ""),
    EditionFault("N-293", CLUBS, "(Damage(OPPONENT, Number(2)),)", "(Damage(OPPONENT, Number(1)),)"),
    EditionFault("N-415", COMBAT, "            fallen += 1\n", "            fallen = 1\n"),
)  # fmt: skip
_BASE = (
    EditionFault("N-215", BASE, "(Bonus(KEY_SUM), KeysToFog(UP_FOG))", "(Bonus(KEY_SUM),)"),
    EditionFault("N-216", BASE, "TARGET_NUMBER.at_most(0)", "TARGET_NUMBER.at_most(-1)"),
    EditionFault("N-216", BASE, "(Bury(),), (KeysToFog(DOWN_FOG),)", "(Bury(), KeysToFog(DOWN_FOG)), (KeysToFog(DOWN_FOG),)"),
    EditionFault("N-230", BASE, '"N-230", "N-102", timing=QUICK, since=PRO)', '"N-230", "N-102", since=PRO)'),
    EditionFault("N-230", BASE, '"N-230", "N-102", timing=QUICK, since=PRO)', '"N-230", "N-102", timing=QUICK, since=MASTER)'),
    EditionFault("N-233", BASE, "(BonusForAll(KEY_SUM), KeysToFog(FORCE_FOG))", "(BonusForAll(KEY_SUM),)"),
    EditionFault("N-237", BASE, '"N-237", timing=QUICK, counterable=True)', '"N-237", counterable=True)'),
)  # fmt: skip
_BLACK_JACK = (
    EditionFault("N-236", BASE, 'key=Key("each", ("A", "J"))', 'key=Key("each", ("A", "J-K"))'),
    EditionFault("N-236", BASE, "MOST_POINTS = 21", "MOST_POINTS = 20"),
    EditionFault("N-236", BASE, "MOST_POINTS = 21", "MOST_POINTS = 22"),
    EditionFault("N-236", BASE, "(AsideToGrave(),)", "(AsideToHand(),)"),
    EditionFault("N-410", BASE, "LifeOf().at_least(1)", "LifeOf().at_least(2)"),
    EditionFault("N-236", MOVES, "return 11 if most >= 11 else 1", "return 11 if most > 11 else 1"),
    EditionFault("N-236", MOVES, "return 11 if most >= 11 else 1", "return 1"),
    EditionFault("N-236", MOVES, "return min(number, 10)", "return number"),
    EditionFault("N-236", MOVES, "return min(number, 10)", "return min(number, 10) if number > 0 else 10"),
)  # fmt: skip
_PACK_AND_RARE = (
    EditionFault("N-238", FRAME_ACTIONS, "per_game=False, unopened=True,", "per_game=False,"),
    EditionFault("N-238", FRAME_ACTIONS, "ChooseCard(CARD, Zone.PACK, also=Zone.RARE)", "ChooseCard(CARD, Zone.PACK)"),
    EditionFault("N-238", FRAME_ACTIONS, "(OpenPack(),)", "()"),
    EditionFault("N-239", FRAME_ACTIONS, "LIFE_LIMIT = 9", "LIFE_LIMIT = 10"),
    EditionFault("N-239", FRAME_ACTIONS, "LIFE_LIMIT = 9", "LIFE_LIMIT = 8"),
    EditionFault("N-414", ATOMS, "        side.rare = 0\n        side.hand |= bit\n", "        side.rare = 0\n        show(side, bit)\n        side.hand |= bit\n"),
    EditionFault("N-240", FRAME_ACTIONS, 'cost="S", key=THE_RARE_CARD', 'cost="B", key=THE_RARE_CARD'),
    EditionFault("N-241", FRAME_ACTIONS, "(If(TARGET_HAS_KEY, (Negate(),)),)", "(Negate(),)"),
    EditionFault("N-411", VALUES, "if aimed.keys & JOKERS != 0 and request.keys & JOKERS != 0:", "if False:"),
    EditionFault("N-241", FRAME_ACTIONS, "immediate=True, key=THE_RARE_CARD,", "key=THE_RARE_CARD,"),
)  # fmt: skip
_TRUMP_OPERATIONS = (
    EditionFault("N-242", FRAME_ACTIONS, 'cost="DD"', 'cost="D"'),
    EditionFault("N-243", FRAME_ACTIONS, 'cost="BBL"', 'cost="BBD"'),
    EditionFault("N-244", FRAME_ACTIONS, 'key=Key("one", ("Q",))', 'key=Key("one", ("Q-K",))'),
    EditionFault("N-244", FRAME_ACTIONS, "(CloseTrump(), KeysToFog(CLOSE_FOG))", "(CloseTrump(),)"),
    EditionFault("N-245", FRAME_ACTIONS, "(If(TARGET_TRUMP_IS_KEY, (BuryTrump(),)),)", "(BuryTrump(),)"),
    EditionFault("N-244", FRAME_ACTIONS, '"trump", open=True)', '"trump")'),
    EditionFault("N-062", ATOMS, "if fog_kind(fog) == CLOSE_FOG and fog_target(fog) == player * TRUMP_CODE + card:", "if False:"),
)  # fmt: skip
_TRUMPS = (
    EditionFault("N-247", SPADES, "timing=QUICK, empty_stage=False", "timing=QUICK, empty_stage=True"),
    EditionFault("N-251", SPADES, 'Key("one", ("♠A-10",))', 'Key("one", ("♠A-K",))'),
    EditionFault("N-252", SPADES, 'cards("♠A-K")', 'cards("♠2-10")'),
    EditionFault("N-254", SHARED, "(If(is_open, first.steps),)", "first.steps"),
    EditionFault("N-255", SHARED, 'cost="D" if quick else "BL"', 'cost="BD" if quick else "BL"'),
    EditionFault("N-282", SHARED, "(If(is_open, (*enters, *then.steps)),)", "(If(is_open, enters), *then.steps)"),
    EditionFault("N-256", SPADES, 'immediate=True, source="self", permission="reincarnation"', 'source="self", permission="reincarnation"'),
    EditionFault("N-258", SHARED, "(BuryAll(type=type), FindAnywhere(card(partner), FOUND))", "(FindAnywhere(card(partner), FOUND),)"),
    EditionFault("N-258", SHARED, "(If(FOUND.equals(4), (BuryTrump(", "(If(FOUND.equals(3), (BuryTrump("),
    EditionFault("N-413", SHARED, "(If(FOUND.at_least(2), (Shuffle(),)),)", "(If(FOUND.equals(2), (Shuffle(),)),)"),
    EditionFault("N-413", MOVES, "return -1 if unit_with(side, bit) is None else ev.FIELD", "return -1"),
    EditionFault("N-413", MOVES, "    if side.rare & bit != 0:\n        return ev.RARE\n", ""),
    EditionFault("N-413", MOVES, "    if side.pack & bit != 0:\n        return ev.PACK\n", ""),
    EditionFault("N-260", HEARTS, "RevealAside(2)", "RevealAside(3)"),
    EditionFault("N-261", HEARTS, "(ReturnTarget(),)", "(Bury(),)"),
    EditionFault("N-264", HEARTS, '(CloseTrump(OwnTrump(card("♡5"))),)', "()"),
    EditionFault("N-264", HEARTS, '"N-404", kind=MAGIC, cost="",', '"N-404", kind=MAGIC, cost="B",'),
    EditionFault("N-265", UNITS, "            atoms.charge(s, request.controller, source)\n", ""),
    EditionFault("N-267", HEARTS, 'timing=QUICK, cost="")', 'cost="")'),
    EditionFault("N-268", HEARTS, '"♡J", "♢2-10", "wall_breaker", "破砕士", "Wall Breaker", quick', '"♡J", "♢A-10", "wall_breaker", "破砕士", "Wall Breaker", quick'),
    EditionFault("N-270", HEARTS, 'immediate=True, source="self", permission="pulverize"', 'source="self", permission="pulverize"'),
    EditionFault("N-273", DIAMONDS, '"N-084", kind=MAGIC, per_turn=True,', '"N-084", kind=MAGIC,'),
    EditionFault("N-274", DIAMONDS, 'cost="DL"', 'cost="LD"'),
    EditionFault("N-277", DIAMONDS, '"N-277", "N-431", kind=MAGIC,', '"N-277", "N-431", kind=SUMMON,'),
    EditionFault("N-278", DIAMONDS, 'state="driven"', 'state="charged"'),
    EditionFault("N-279", DIAMONDS, "ChooseCard(CARD, Zone.GRAVE, limit=TARGET_SUIT)", "ChooseCard(CARD, Zone.GRAVE)"),
    EditionFault("N-279", DIAMONDS, "key=CARD),), (Bury(),))", "key=CARD),), ())"),
    EditionFault("N-284", DIAMONDS, "(ChooseRequest(REQUEST), Negate(REQUEST))", "(ChooseRequest(REQUEST),)"),
    EditionFault("N-350", VALUES, "if side.abilities & NEVER_CHARGE != 0:", "if side is s.sides[s.turn] and side.abilities & NEVER_CHARGE != 0:"),
    EditionFault("N-292", CLUBS, "timing=QUICK, immediate=True, key=None", "timing=QUICK, immediate=False, key=None"),
    EditionFault("N-292", CLUBS, "(CloseAllTrumps(),)", "()"),
    EditionFault("N-292", CLUBS, "Number(2), by=OPPONENT", "Number(1), by=OPPONENT"),
    EditionFault("N-287", CLUBS, "        clubs.SWITCH.effect[1],\n", ""),
)  # fmt: skip
_CHARACTERS = (
    EditionFault("N-304", CHARACTERS, ', waives="D"', ', waives="DL"'),
    EditionFault("N-308", CHARACTERS, 'UNTARGETABLE, PREPARATION, two_suits("♠", "♣")', 'PREPARATION, two_suits("♠", "♣")'),
    EditionFault("N-307", SHARED, "number=11,", "number=10,"),
)  # fmt: skip
_SET_UP = (
    EditionFault("N-132", FRAMES, "_PACK: Final = 14", "_PACK: Final = 13"),
    EditionFault("N-401", FRAMES, "SetUp(setup.PRESET, setup.SHOWN_PRESET)", "SetUp(setup.PRESET, 0)"),
    EditionFault("N-135", SETUP, "while life and s.rules.makes_soldier", "if life and s.rules.makes_soldier"),
    EditionFault("N-137", SETUP, "ask_open(s, s.turn if later == 0 else 1 - s.turn)", "ask_open(s, 1 - s.turn if later == 0 else s.turn)"),
    EditionFault("N-140", SETUP, "MINI_PACK: Final = 3", "MINI_PACK: Final = 2"),
)  # fmt: skip
_ZONES_AND_VIEWS = (
    EditionFault("N-051", VIEWS, "names(side.pack) if own and looks else None", "names(side.pack) if own else None"),
    EditionFault("N-051", VIEWS, "shown = rare != 0 and (own or known & rare != 0)", "shown = rare != 0"),
    EditionFault("N-052", ATOMS, "top: i64 = pile[len(pile) - 1]", "top: i64 = pile[0]"),
    EditionFault("N-418", ATOMS, "side.uncovered = len(pile) > 1", "side.uncovered = False"),
    EditionFault("N-091", "engine/engine.py", "(1 if self.turn == 0 else 0) if self.rules", "(0 if self.turn == 0 else 1) if self.rules"),
)  # fmt: skip

EDITION9_FAULTS = (
    *_TURN_AND_DRAW, *_TRIGGERS, *_BASE, *_BLACK_JACK, *_PACK_AND_RARE, *_TRUMP_OPERATIONS, *_TRUMPS, *_CHARACTERS, *_SET_UP,
    *_ZONES_AND_VIEWS,
)  # fmt: skip
