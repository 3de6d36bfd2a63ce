"""One check for every state that enters: the same verdict for a position, a saved game, a record and a pickle."""

import json
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import blackpoker as bp
from blackpoker.assist.frozen import frozen, thawed
from blackpoker.game.assistant import Assistant

EXTRA = 'format = "extra"\n'
FIGHT = 'stage = ["p1: damage_judgement"]\n[p1]\nfield = "S5(attacks) S9"\nbulwarks = "H2"\n[p2]\n'

#: a position, and a part of the reason why it is refused; empty: it is a state of a game
POSITIONS = [
    ('stage = ["p1: up H3 >p1.S5"]\n[p1]\nfield = "S5"', ""),
    ('stage = ["p1: up H3 >p1.S5"]\n[p1]\nlife = 0\nfield = "S5"', ""),  # L was the last card; not judged yet
    ('stage = ["p1: up H3 >p1.S5"]\n[p1]\nlife = "H3 +4"\nfield = "S5"', "H3 is in two places"),
    ('stage = ["p1: up H3 >p1.S5"]\n[p1]\nlife = 52\nfield = "S5"', ""),
    ('stage = ["p1: up H3 >p1.S5"]\n[p1]\nlife = 53\nfield = "S5"', "only 52 cards"),
    ('stall = true\nstage = ["p1: up H3 >p1.S5"]\n[p1]\nfield = "S5"', "R-13"),
    ("stall = true", ""),
    ("[p1]\nlife = 0", "R-45"),
    ('[p1]\nlife = "S2(laid) S3(laid) +4"', ""),
    ('[p1]\nlife = "S2 S3(laid) S4(laid) +4"', "R-216"),
    ('[p1]\nlife = "S2(laid) +4"', "R-216"),
    (FIGHT + 'field = "D5(blocks:S5) D6(blocks:S5)"', ""),
    (FIGHT + 'bulwarks = "D5(blocks:S5)"', ""),
    (FIGHT + 'bulwarks = "D5(blocks:S5) D6(blocks:S5)"', "R-62"),
    (FIGHT + 'bulwarks = "D5(blocks:S5)"\nfield = "D6(blocks:S5)"', "R-62"),
    ('[p1]\nfield = "S5(attacks)"', "R-73"),
    ('stage = ["p1: block"]\n[p1]\nfield = "S5(attacks)"', ""),
    ('stage = ["p1: attack"]\n[p1]\nfield = "S5(attacks)"', "R-73"),
    ('stage = ["p1: block"]\n[p1]\nfield = "S5(attacks)"\n[p2]\nfield = "D5(blocks:S5)"', "R-73"),
    ('stage = ["p1: end", "p1: end"]', "R-05"),
    ('stage = ["p2: end"]', "R-05"),
    ('turn = "p2"\nstage = ["p2: end", "p1: up H3 >p1.S5"]\n[p1]\nfield = "S5"', ""),
    ('stage = ["p2: attack (quick)"]', ""),
    ('[p1]\ntrumps = "T:S2"', "R-100"),
    (EXTRA + '[p1]\ntrumps = "T:S2 t:S3"', ""),
    ('stage = ["p2: block"]\n[p1]\nfield = "S5(attacks)"', "R-73"),
    (EXTRA + 'stage = ["p1: destroy_trump S2 >p2"]', "no target"),
    (EXTRA + 'stage = ["p1: destroy_trump S2 >p2.t1"]\n[p2]\ntrumps = "T:H2"', ""),
    (EXTRA + 'stage = ["p1: destroy_trump S2 >gone"]', ""),
    ('stage = ["p1: up H3 >p1.b²"]\n[p1]\nbulwarks = "S5 S6"', "no target"),
    ('stage = ["p1: up S3 >p1.S5"]\n[p1]\nfield = "S5"', "no keys"),
    ('[p1]\nfield = "S5+H5"', "one suit"),
    ('[p1]\nfield = "S5(-10000)"\nbonus = 10000', ""),
    ("[p1]\nbonus = 10001", "10000"),
    ("turn_number = 501", "500"),
]


@pytest.mark.parametrize(("text", "reason"), POSITIONS)
def test_positions(text: str, reason: str) -> None:
    if reason:
        with pytest.raises(bp.UnreadableText) as raised:
            bp.Game.from_position(text)
        assert reason in str(raised.value)
        return
    game = bp.Game.from_position(text)
    assert bp.Game.from_json(game.to_json()) == game
    for again in (bp.Game.from_position(game.position()), bp.Game.from_record(game.record())):
        assert again.hash() == game.hash()
    assert pickle.loads(pickle.dumps(game)) == game


def test_the_filler_cards_of_life_are_not_on_the_stage() -> None:
    """The example of docs/notation.md: the key of Up is a card that would be a filler."""
    game = bp.Game.from_position('stage = ["p1: up H3 >p1.S5"]\n[p1]\nlife = 30\nfield = "S5"\nhand = "C9"\n')
    shown = game.view(bp.Audience.JUDGE)
    assert shown.stage[0].keys == ["H3"]
    assert len(shown.p1.life_known.top) == 30
    assert "H3" not in shown.p1.life_known.top


def middle_of_a_fight() -> bp.Game:
    """Return a game in which blockers are named, with cards in every zone."""
    game = bp.Game.from_position(
        EXTRA + '[p1]\nfield = "S5 S9"\nhand = "H3 C9"\nbulwarks = "H2 H4"\ngrave = "C2"\ntrumps = "T:S2 t:H7"\n'
        '[p2]\nfield = "D5 D6"\nbulwarks = "D2"\nlife = "S2(laid) S3(laid) +9"\n'
    )
    game.push_text("attack")
    while Assistant(game).kind != "attackers":
        game.push_text("pass")
    game.push_text("S5 S9")
    while Assistant(game).kind != "blockers":
        game.push_text("pass")
    return game


def staged() -> bp.Game:
    return bp.Game.from_position(
        'stage = ["p1: up H3 >p1.S5", "p2: counter C3 >#1"]\n[p1]\nfield = "S5 S6+S7"\nhand = "C9"\n[p2]\nbulwarks = "D4"\n'
    )


Change = Callable[[dict[str, Any]], object]
#: the start, a change of its saved state, and a part of the reason
CHANGES: list[tuple[Callable[[], bp.Game], Change, str]] = [
    (staged, lambda s: s.update(stall=True), "stall"),
    (staged, lambda s: s.update(passed=1), "passed"),
    (staged, lambda s: s["stage"][0].update(keys="H4"), "H4 in two places"),
    (staged, lambda s: (s["stage"][0].update(keys=""), s["sides"][0].update(hand="H3 C9")), "keys"),
    (staged, lambda s: s["stage"][0].update(key_count=2), "keys"),
    (staged, lambda s: s["stage"][0].update(target=["player", 1]), "target"),
    (staged, lambda s: s["stage"][0].pop("target"), "target"),
    (staged, lambda s: s["stage"][0].update(target=["unit", 99]), "never was"),
    (staged, lambda s: s["stage"][0].update(source=99), "never was"),
    (staged, lambda s: s["stage"][1].update(target=["request", s["stage"][1]["id"]]), "itself"),
    (staged, lambda s: s["stage"][1].update(action="attack"), "R-05"),
    (staged, lambda s: s["stage"][1].update(action="set_bulwark"), "R-04"),
    (staged, lambda s: s["sides"][0].update(public=""), "public"),
    (staged, lambda s: s["sides"][0].update(own_seen="C9"), "own_seen"),
    (staged, lambda s: s["sides"][0].update(fresh="C9"), "fresh"),
    (staged, lambda s: s["sides"][0].update(mixed="C9"), "mixed"),
    (staged, lambda s: s["sides"][0].update(on_top="C9"), "on_top"),
    (staged, lambda s: s["sides"][0].update(aside="C9"), "two places"),
    (staged, lambda s: s["sides"][0].update(hand="", aside="C9"), "R-123"),
    (staged, lambda s: s["sides"][0]["soldiers"][1].update(kind="common_soldier"), "kind"),
    (
        staged,
        lambda s: (
            s["sides"][0]["soldiers"][1].update(cards="S7 C9", lead="S7"),
            s["sides"][0].update(hand="S6", public="S5 S6 S7 C9 H3"),
        ),
        "one suit",
    ),
    (staged, lambda s: s["sides"][0]["soldiers"][0].update(role="attacker"), "R-73"),
    (staged, lambda s: s["sides"][0]["soldiers"][0].update(id=0), "id"),
    (staged, lambda s: s.update(turn_number=501), "R-220"),
    (staged, lambda s: s.update(winner=0), "winner"),
    (staged, lambda s: s.update(point="resolve_top"), "carried out"),
    (staged, lambda s: s["sides"][0].update(requests=103), "102"),
    (staged, lambda s: s["sides"][0].update(bonus=10001), "10000"),
    (middle_of_a_fight, lambda s: s.update(passed=0), "R-08"),
    (middle_of_a_fight, lambda s: s.update(point="resolve_now"), "R-04"),
    (middle_of_a_fight, lambda s: s["sides"][1]["soldiers"][0].update(role="attacker"), "R-73"),
    (middle_of_a_fight, lambda s: s["sides"][1]["soldiers"][0].update(role="blocker"), "no attacker"),
    (middle_of_a_fight, lambda s: s["sides"][1]["soldiers"][0].update(role="blocker", blocks=999), "never was"),
    (
        middle_of_a_fight,
        lambda s: s["sides"][1]["soldiers"][0].update(role="blocker", blocks=s["sides"][1]["soldiers"][1]["id"]),
        "own side",
    ),
    (middle_of_a_fight, lambda s: s["sides"][1]["bulwarks"][0].update(role="attacker"), "R-59"),
    (middle_of_a_fight, lambda s: s["sides"][0].update(open_trumps="S2 H7"), "R-210"),
    (middle_of_a_fight, lambda s: s["active"].update(raised=False), "raised"),
]


@pytest.mark.parametrize(("start", "change", "reason"), CHANGES, ids=range(len(CHANGES)))
def test_changed_states_are_refused_everywhere_with_one_reason(
    start: Callable[[], bp.Game], change: Change, reason: str
) -> None:
    game = start()
    saved = json.loads(game.to_json())
    game = bp.Game.from_json(game.to_json())  # its record begins with the saved state
    before = json.dumps(saved["state"])
    change(saved["state"])
    assert json.dumps(saved["state"]) != before
    state = json.dumps(saved["state"], sort_keys=True, separators=(",", ":"))
    said: list[str] = []
    record = game.record().splitlines()
    place = next(n for n, line in enumerate(record) if line.startswith("|"))
    record[place] = f"| {state}"
    with pytest.raises(bp.BlackPokerError) as raised:
        bp.Game.from_json(json.dumps(saved))
    said.append(raised.value.en)
    with pytest.raises(bp.BlackPokerError) as raised:
        bp.Game.from_position(f"regulation = \"{game.regulation.text}\"\nsaved = '{state}'\n")
    said.append(raised.value.en)
    with pytest.raises(bp.BlackPokerError) as raised:
        bp.Game.from_record("\n".join(record))
    said.append(raised.value.en)
    edition, format, added, frame, _, generator, injected = frozen(game._engine)
    with pytest.raises(bp.BlackPokerError) as raised:
        thawed((edition, format, added, frame, state, generator, injected))
    said.append(raised.value.en)
    assert all(said[3] in text for text in said)
    assert reason in said[3]


def test_the_unchanged_states_are_read() -> None:
    for start in (staged, middle_of_a_fight):
        game = start()
        assert bp.Game.from_json(game.to_json()) == game


def test_a_shuffle_never_makes_cards() -> None:
    game = bp.Game("master+full", seed=3)
    saved = json.loads(game.to_json())
    saved["injected"] = [[0, [5, 5, 6]]]
    with pytest.raises(bp.UnreadableText):
        bp.Game.from_json(json.dumps(saved))
    source = bp.seeded(1)
    source.injected = [(0, [5, 5, 6])]
    cards = list(range(20))
    source.shuffle(cards, 0)
    assert sorted(cards) == list(range(20))
    assert cards[-2:] == [6, 5]
