"""An illegal token names the ruling that forbids it, like the whole move does (tests/scenarios/notation)."""

from __future__ import annotations

import pytest

import blackpoker as bp

FIGHT = """format = "master"
[p1]
hand = "H3 C9 S4"
field = "S8 S9(d) H6(new) D7"
bulwarks = "D2"
[p2]
hand = "C3 C4 C5"
field = "H4 H5 D9(d)"
bulwarks = "D4 D5 D6(d)"
"""
GIANT = 'format = "extra"\n[p1]\nfield = "S8 HK+DK"\n[p2]\n'
FORCE = """format = "master"
[p1]
hand = "C9 S4 H2 H3"
bulwarks = "D2 D3"
field = "S8"
[p2]
hand = "C3 C4 C5"
"""
ATTACK = ["p1: attack", "p1: pass", "p2: pass"]
BLOCK = [*ATTACK, "p1: S8 D7", "p1: pass", "p2: pass"]


@pytest.mark.parametrize(
    ("position", "played", "words", "ruling"),
    [
        (FIGHT, ATTACK, ["H6"], "R-82"),
        (FIGHT, ATTACK, ["S8", "H6"], "R-82"),
        (FIGHT, ATTACK, ["S9"], "R-59"),
        (FIGHT, ATTACK, ["b1"], "R-59"),
        (FIGHT, ATTACK, ["p2.H4"], "R-59"),
        (FIGHT, ATTACK, ["C10"], "R-59"),
        (FIGHT, ATTACK, ["S8", "S8"], "R-16"),
        (GIANT, ATTACK, ["done"], "R-125"),
        (FIGHT, BLOCK, ["H4", "b1"], "R-62"),
        (FIGHT, BLOCK, ["b1", "b1"], "R-62"),
        (FIGHT, BLOCK, ["D9"], "R-62"),
        (FIGHT, BLOCK, ["b3"], "R-62"),
        (FIGHT, BLOCK, ["b²"], "R-62"),
        (FIGHT, BLOCK, ["b" + "9" * 5000], "R-62"),
        (FIGHT, BLOCK, ["H4", "done", "H4"], "R-62"),
        (FIGHT, [], ["up", "S4"], "R-39"),
        (FIGHT, [], ["up", "H3", "$H3"], "R-33"),
        (FIGHT, [], ["up", "H3", "$C9", ">#x"], "R-31"),
        (FORCE, ["p1: force H2 H3 $b1 $b2", "p1: pass"], ["counter"], "R-157"),
        (FORCE, ["p1: force H2 H3 $b1 $b2"], ["end"], "R-05"),
        (FORCE, ["p1: force H2 H3 $b1 $b2", "p1: pass"], ["end"], "R-05"),
    ],
)
def test_a_refused_word_names_its_ruling(position: str, played: list[str], words: list[str], ruling: str) -> None:
    game = bp.Game.from_position(position, seed=1)
    for line in played:
        player, text = line.split(": ")
        game.push_text(text, int(player[1]) - 1)
    game.draft(words[:-1])
    with pytest.raises(bp.IllegalMove) as refused:
        game.draft(words)
    assert refused.value.ruling == ruling
    assert refused.value.ja != str(refused.value)
