"""Forty planted faults in rulings that random games rarely reach, and the focus of the positions that reach them."""

from __future__ import annotations

from typing import NamedTuple


class PositionFault(NamedTuple):
    """A line that occurs exactly once in its file, its replacement, and the focus (``tests.properties.positions``)."""

    ruling: str
    focus: str
    file: str
    line: str
    becomes: str


ENGINE = "engine/engine.py"
ATOMS = "engine/atoms.py"
EFFECTS = "engine/zone_moves.py"
COMBAT = "engine/combat.py"
OBSTACLES = "engine/legality.py"
SHARED = "content/shared.py"
SPADES = "content/edition6/extra/spades.py"
HEARTS = "content/edition6/extra/hearts.py"
DIAMONDS = "content/edition6/extra/diamonds.py"
CLUBS = "content/edition6/extra/clubs.py"
OPERATIONS = "content/edition6/extra/operations.py"
STEPS = "definitions/steps/trumps.py"

POSITION_FAULTS = (
    # the judgement
    PositionFault(
        "R-45", "R-45", ENGINE, "first = len(self.sides[0].life) == 0", "first = len(self.sides[0].life) <= 1"
    ),
    PositionFault("R-45", "R-45", ENGINE, "second = len(self.sides[1].life) == 0", "second = False"),
    PositionFault("R-45", "R-45", ENGINE, "self.winner = 1 if first else 0", "self.winner = 0 if first else 1"),
    PositionFault("R-45", "R-45", ENGINE, "        if first or second:\n", "        if first and second:\n"),
    PositionFault(
        "R-45",
        "R-45",
        "engine/flow.py",
        "                self.judge()  # [9], [6-5-4]\n",
        "                if point != RESOLVE_NOW:\n                    self.judge()\n",
    ),
    PositionFault("R-45", "R-45", ATOMS, "n: i64 = min(amount, len(life))", "n: i64 = min(amount, len(life) - 1)"),
    # driving and charging change no role
    PositionFault(
        "R-72",
        "R-72",
        ATOMS,
        "        unit.driven = True\n        if s.log",
        "        unit.driven = True\n        unit.role = NO_ROLE\n        if s.log",
    ),
    PositionFault(
        "R-72",
        "R-72",
        ATOMS,
        "        unit.driven = False\n        if s.log",
        "        unit.driven = False\n        unit.role = NO_ROLE\n        if s.log",
    ),
    PositionFault(
        "R-72",
        "R-72",
        COMBAT,
        "return blocker.role == BLOCKER and blocker.blocks == attacker.id",
        "return blocker.role == BLOCKER and blocker.blocks == attacker.id and not blocker.driven",
    ),
    PositionFault(
        "R-72",
        "R-72",
        COMBAT,
        "        if attacker.role != ATTACKER:\n            continue",
        "        if attacker.role != ATTACKER or not attacker.driven:\n            continue",
    ),
    # Instant Kill
    PositionFault("R-118", "R-118", SPADES, "(ChooseUnits(UNITS, least=1),", "(ChooseUnits(UNITS, least=0),"),
    PositionFault(
        "R-118", "R-118", SPADES, "SumOf(UNITS).at_least(TARGET_NUMBER)", "SumOf(UNITS).at_most(TARGET_NUMBER)"
    ),
    PositionFault(
        "R-118",
        "R-118",
        SPADES,
        "(BuryUnits(UNITS, and_target=True),), (BuryUnits(UNITS),)",
        "(BuryUnits(UNITS, and_target=True),), ()",
    ),
    PositionFault("R-118", "R-118", SPADES, "(BuryUnits(UNITS, and_target=True),), ", "(BuryUnits(UNITS),), "),
    # the two summons of Kings
    PositionFault(
        "R-120", "R-120", SHARED, 'cost="SS", key=Key("one", ("J-K",)),', 'cost="S", key=Key("one", ("J-K",)),'
    ),
    PositionFault(
        "R-120",
        "R-120",
        SHARED,
        "(If(TrumpOpen(card(king)), (Find(card(partner), FOUND),)),)),",
        "(Find(card(partner), FOUND),)),",
    ),
    PositionFault(
        "R-120",
        "R-120",
        SHARED,
        "(BuryAll(type=type), EnterAs(CharacterName(character), card(king), Number(card(partner))))",
        "(EnterAs(CharacterName(character), card(king), Number(card(partner))),)",
    ),
    PositionFault(
        "R-120",
        "R-120",
        SHARED,
        "(If(FOUND.equals(2), (BuryTrump(OwnTrump(card(king))),)),)),",
        "(If(FOUND.equals(2), ()),)),",
    ),
    PositionFault("R-120", "R-120", SHARED, "If(FOUND.at_least(1), (Shuffle(),))", "If(FOUND.equals(1), (Shuffle(),))"),
    PositionFault("R-120", "R-120", STEPS, "BIT[self.sought]) >= 0", "BIT[self.sought]) > 0"),
    PositionFault("R-120", "R-120", EFFECTS, "    if side.grave & bit != 0:\n        return ev.GRAVE\n", ""),
    # Offset and Last Struggle
    PositionFault("R-130", "R-130", DIAMONDS, "TARGET_KEY_SUM.at_least(5)", "TARGET_KEY_SUM.at_least(6)"),
    PositionFault(
        "R-130", "R-130", DIAMONDS, "(Damage(ME, TARGET_KEY_SUM), Negate())", "(Negate(), Damage(ME, TARGET_KEY_SUM))"
    ),
    PositionFault(
        "R-130",
        "R-130",
        CLUBS,
        "(If(HandOf(ME).at_least(1), (DiscardHand(),), (BuryTrump",
        "(If(HandOf(ME).at_least(2), (DiscardHand(),), (BuryTrump",
    ),
    PositionFault("R-130", "R-130", SHARED, '"request", keys=(1, 99)', '"request", keys=(1, 1)'),
    # the Demon Lord
    PositionFault("R-121", "demon_lord", OBSTACLES, "        return UNTARGETABLE_UNIT\n", "        return NONE\n"),
    PositionFault(
        "R-122",
        "demon_lord",
        SPADES,
        'Next Generation is triggered once.", at_end="next_generation"),',
        'Next Generation is triggered once."),',
    ),
    PositionFault(
        "R-26", "demon_lord", SHARED, 'leaves=Leaves("next_generation", times=2))', 'leaves=Leaves("next_generation"))'
    ),
    PositionFault("R-85", "demon_lord", SPADES, 'pair=("♠K", "♣K"), number=26', 'pair=("♠K", "♣K"), number=25'),
    # the Giant
    PositionFault(
        "R-125",
        "giant",
        OBSTACLES,
        "        return False\n    for unit in side.soldiers:\n        if s.rules.kinds[unit.kind].abilities & MUST",
        "        return False\n    for unit in side.soldiers[1:]:\n        if s.rules.kinds[unit.kind].abilities & MUST",
    ),
    PositionFault(
        "R-125",
        "giant",
        COMBAT,
        "abilities & MUST_ATTACK != 0:\n                return\n",
        "abilities & MUST_ATTACK != 0:\n                pass\n",
    ),
    PositionFault(
        "R-68",
        "giant",
        COMBAT,
        "    if s.rules.kinds[attacker.kind].abilities & WALL_PROOF != 0:\n        return False\n",
        "",
    ),
    PositionFault(
        "R-125",
        "giant",
        "engine/request_builder.py",
        "    if duty and plan.ends_turn:\n        return legality.DUTY\n",
        "",
    ),
    # trumps
    PositionFault(
        "R-104", "trumps", OPERATIONS, "both(TARGET_TRUMP_OPEN, TARGET_TRUMP_OF_KEY_SUIT)", "TARGET_TRUMP_OPEN"
    ),
    PositionFault("R-104", "trumps", OPERATIONS, "both(TARGET_TRUMP_OPEN, TARGET_TRUMP_IS_KEY)", "TARGET_TRUMP_OPEN"),
    PositionFault(
        "R-101",
        "trumps",
        ATOMS,
        "        side.open_trumps &= ~bit\n        refresh(s, side)\n        emit",
        "        side.open_trumps &= ~bit\n        emit",
    ),
    PositionFault(
        "R-110",
        "trumps",
        EFFECTS,
        "    emit(s, ev.TRUMP_SET, player, card_set, ev.ALL_AUDIENCES)\n    open_trump(s, player, card)\n",
        "    emit(s, ev.TRUMP_SET, player, card_set, ev.ALL_AUDIENCES)\n",
    ),
    PositionFault(
        "R-111",
        "trumps",
        ATOMS,
        "    lay_in_grave(s, side, bit, card)\n    show(side, bit)\n    emit(s, ev.TRUMP_LOST",
        "    side.hand |= bit\n    side.hand_count += 1\n    show(side, bit)\n    emit(s, ev.TRUMP_LOST",
    ),
    PositionFault("R-136", "trumps", CLUBS, "(Damage(ME, Number(8)),)", "(Damage(ME, Number(7)),)"),
    PositionFault(
        "R-136",
        "trumps",
        STEPS,
        "            for trump in s.sides[player].trumps:\n                atoms.close_trump",
        "            for trump in s.sides[player].trumps[:1]:\n                atoms.close_trump",
    ),
)

REQUESTS = "definitions/steps/requests.py"
UNITS = "definitions/steps/units.py"
VALUES = "definitions/values.py"
FLOW = "engine/flow.py"

#: forty more, chosen from the rulings and the source without a look at the positions; the focus is the ruling itself
FURTHER_FAULTS = (
    # the judgement
    PositionFault(
        "R-45",
        "R-45",
        FLOW,
        "                self.judge()  # [9], [6-5-4]\n",
        "                if point != RESOLVE_TOP:\n                    self.judge()\n",
    ),
    PositionFault(
        "R-45",
        "R-45",
        FLOW,
        "                self.judge()  # [9], [6-5-4]\n",
        "                if point in (RESOLVE_NOW, RESOLVE_TOP):\n                    self.judge()\n",
    ),
    PositionFault(
        "R-45",
        "R-45",
        FLOW,
        "            self.stage.append(request)  # [10]\n",
        "            self.stage.append(request)  # [10]\n            self.judge()\n            if self.winner != UNDECIDED:\n"
        "                self.finish()\n                return\n",
    ),
    PositionFault("R-45", "draw", ENGINE, "else DRAW  # N-091", "else self.turn  # N-091"),
    # driving and charging change no role
    PositionFault(
        "R-72",
        "R-72",
        COMBAT,
        "        if blocks(unit, attacker):\n            sum += s.number(side, unit)\n",
        "        if blocks(unit, attacker) and not unit.driven:\n            sum += s.number(side, unit)\n",
    ),
    PositionFault(
        "R-72",
        "R-72",
        COMBAT,
        "    for unit in side.bulwarks:\n        if blocks(unit, attacker):\n",
        "    for unit in side.bulwarks:\n        if blocks(unit, attacker) and not unit.driven:\n",
    ),
    PositionFault(
        "R-72",
        "R-72",
        COMBAT,
        "if unit.role == ATTACKER and found:",
        "if unit.role == ATTACKER and unit.driven and found:",
    ),
    PositionFault(
        "R-72",
        "R-72",
        ATOMS,
        "        unit.driven = True\n",
        "        unit.driven = True\n        unit.blocks = -1\n",
    ),
    # Instant Kill
    PositionFault("R-118", "R-118", VALUES, "sum += s.number(side, unit)", "sum += unit.base"),
    PositionFault(
        "R-118",
        "R-118",
        UNITS,
        "            for unit in doomed:\n                if unit is target:\n                    return True\n",
        "",
    ),
    PositionFault(
        "R-118",
        "R-118",
        SPADES,
        'immediate=True,\n    permission="instant_kill"',
        'immediate=False,\n    permission="instant_kill"',
    ),
    PositionFault(
        "R-118",
        "R-118",
        UNITS,
        "        atoms.bury_all(s, me, doomed)\n        if target is not None:\n",
        "        if target is None:\n            atoms.bury_all(s, me, doomed)\n        if target is not None:\n",
    ),
    # the two summons of Kings
    PositionFault("R-120", "R-120", SHARED, 'Key("one", ("J-K",))', 'Key("one", ("Q-K",))'),
    PositionFault(
        "R-120", "R-120", SHARED, "(BuryAll(type=type), EnterAs(", "(BuryAll(type=type, whose=Whose.THEIRS), EnterAs("
    ),
    PositionFault(
        "R-120",
        "R-120",
        EFFECTS,
        "    for card in side.trumps:\n        if BIT[card] == bit:\n            return ev.TRUMPS\n",
        "",
    ),
    PositionFault("R-120", "R-120", EFFECTS, "    if request.keys & bit != 0:\n        return ev.STAGE\n", ""),
    PositionFault("R-120", "R-120", STEPS, "        if found:\n", "        if not found:\n"),
    PositionFault("R-120", "R-120", ATOMS, "base_number(kind, cards), False)", "base_number(kind, cards), True)"),
    # Offset and Last Struggle
    PositionFault("R-130", "R-130", DIAMONDS, 'cost="D", target=KEYED_REQUEST', 'cost="L", target=KEYED_REQUEST'),
    PositionFault(
        "R-130", "R-130", DIAMONDS, "Damage(ME, TARGET_KEY_SUM), Negate()", "Damage(OPPONENT, TARGET_KEY_SUM), Negate()"
    ),
    PositionFault(
        "R-130",
        "R-130",
        CLUBS,
        'immediate=True,\n    permission="last_struggle"',
        'immediate=False,\n    permission="last_struggle"',
    ),
    PositionFault("R-130", "R-130", ATOMS, "    s.stage.remove(request)\n", "    request.amount = 1\n"),
    # the Demon Lord and the Giant
    PositionFault(
        "R-86",
        "R-86",
        ATOMS,
        "        suits |= SUIT_SET[SUIT[LOW[low % 59]]]\n        cards ^= low\n",
        "        suits |= SUIT_SET[SUIT[LOW[low % 59]]]\n        cards = 0\n",
    ),
    PositionFault(
        "R-122",
        "R-122",
        ATOMS,
        "    if event == ON_END:\n        for unit in side.soldiers:\n",
        "    if event == ON_END:\n        for unit in s.sides[1 - player].soldiers:\n",
    ),
    PositionFault(
        "R-85",
        "R-85",
        ATOMS,
        "bulwark = Unit(s.next_id, 0, BIT[card], card, 0, unit.driven)",
        "bulwark = Unit(s.next_id, 0, BIT[card], card, 0, False)",
    ),
    PositionFault(
        "R-68",
        "giant",
        COMBAT,
        "            doomed.append(bulwark)\n            doomed_owner.append(1 - attacking)\n",
        "                doomed.append(bulwark)\n                doomed_owner.append(1 - attacking)\n",
    ),
    PositionFault("R-125", "R-125", OBSTACLES, " or side.used & s.rules.attack_limit != 0:", ":"),
    PositionFault("R-125", "R-125", OBSTACLES, " and attack_obstacle(s, side, unit) == NONE:", ":"),
    PositionFault(
        "R-121",
        "R-121",
        "engine/request_builder.py",
        "kind.abilities & (UNTARGETABLE | NOT_EQUIPPABLE)",
        "kind.abilities & NOT_EQUIPPABLE",
    ),
    # trumps
    PositionFault("R-103", "R-103", OPERATIONS, 'cost="BBD", quick_cost="DD"', 'cost="BBD", quick_cost="D"'),
    PositionFault(
        "R-101",
        "R-101",
        ATOMS,
        "    side.trumps.remove(int(card))\n    side.open_trumps &= ~bit\n    refresh(s, side)\n",
        "    side.trumps.remove(int(card))\n    side.open_trumps &= ~bit\n",
    ),
    PositionFault(
        "R-110",
        "R-110",
        EFFECTS,
        "    if from_hand and card_set & side.hand != 0:\n        show_from_hand(side, card_set, 1)\n    elif card_set & side.grave",
        "    if card_set & side.grave",
    ),
    PositionFault("R-135", "R-135", CLUBS, "HandOf(ME).equals(3)", "HandOf(ME).equals(4)"),
    PositionFault("R-131", "R-131", VALUES, "                if charged >= 2:\n", "                if charged >= 3:\n"),
    PositionFault("R-137", "R-137", ENGINE, "and (other.soldiers or other.bulwarks):", "and other.soldiers:"),
    PositionFault(
        "R-114",
        "R-114",
        COMBAT,
        "    while draws and unblocked > 0:  # R-114\n",
        "    while draws and unblocked > 1:\n",
    ),
    PositionFault(
        "R-113", "R-113", COMBAT, "(side.abilities | other.abilities) & LARGER_DIES", "side.abilities & LARGER_DIES"
    ),
    PositionFault("R-124", "R-124", HEARTS, '(CloseTrump(OwnTrump(card("♡4"))),)', "()"),
    PositionFault(
        "R-127",
        "R-127",
        UNITS,
        "                if s.number(side, unit) >= least:\n",
        "                if s.number(side, unit) > least:\n",
    ),
    PositionFault("R-134", "R-134", CLUBS, "(Damage(OPPONENT, TWICE_AMOUNT),)", "(Damage(OPPONENT, Number(2)),)"),
    PositionFault("R-138", "R-138", CLUBS, "Whose.MINE, UnitType.ANY, by=OPPONENT", "Whose.MINE, by=OPPONENT"),
    PositionFault(
        "R-105",
        "R-105",
        FLOW,
        "                self.forced_pass = request.controller  # R-105\n",
        "                self.forced_pass = -1\n",
    ),
    PositionFault(
        "R-108",
        "R-108",
        EFFECTS,
        "    request.keys = bit\n    request.key_count = 1\n",
        "    request.keys = bit\n    request.key_count = 0\n",
    ),
    PositionFault(
        "R-129",
        "R-129",
        DIAMONDS,
        "BulwarksOf(OPPONENT).at_least(BulwarksOf(ME))",
        "BulwarksOf(ME).at_least(BulwarksOf(OPPONENT))",
    ),
    PositionFault("R-107", "R-107", CLUBS, "(ReturnSource(),)", "()"),
    PositionFault("R-106", "R-106", REQUESTS, "            raised.key_count = count(self.virtual_keys)\n", ""),
    PositionFault("R-133", "R-133", DIAMONDS, "(ChooseRequest(REQUEST), Negate(REQUEST))", "(ChooseRequest(REQUEST),)"),
)

#: the focus of the older faults (``FAULTS``), by ruling; the others are reached from any position
FOCUS_OF = {
    "R-20": "R-20",
    "R-211": "R-211",
    "R-23": "black_jack",
    "R-27": "R-127",
    "R-45": "draw",
    "R-52": "magic",
    "R-62": "giant",
    "R-68": "giant",
    "R-158": "magic",
    "R-153": "magic",
    "R-133": "R-133",
    "R-216": "magic",
    "R-198": "magic",
    "R-170": "magic",
    "R-167": "R-167",
    "R-126": "triggers",
    "R-134": "discards",
    "R-35": "R-120",
}
