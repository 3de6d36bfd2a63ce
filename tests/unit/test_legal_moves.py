"""The legal moves of a decision: their exact number, and fights too large to list."""

import copy
import random
import signal
import time
from collections.abc import Callable
from itertools import islice

import pytest

import blackpoker as bp
from blackpoker.assist.legal_moves import PRINTED
from blackpoker.engine.cards import NAMES
from blackpoker.game.assistant import Assistant

FORMATS = ("lite+full", "master+random40+preset4+pack", "extra+full+preset2")
#: decisions with more moves are not listed for comparison
LISTED = 2000

LARGE = f"""format = "master"
stage = []
[p1]
field = "{" ".join(name for name in NAMES[:18])}"
[p2]
field = "{" ".join(f"D{n}" for n in range(2, 11))}"
bulwarks = "{" ".join(f"S{n}" for n in range(2, 11))} H2 H3 H4 H5"
"""


def test_the_number_of_moves_is_that_of_the_listed_ones() -> None:
    seen: set[str] = set()
    for regulation in FORMATS:
        for seed in range(60):
            chosen = random.Random(seed)
            game = bp.Game(regulation, seed=seed)
            while game.options:
                moves = game.legal_moves
                if Assistant(game).kind not in seen or chosen.random() < 0.02:
                    listed = list(islice(moves, LISTED))
                    if len(listed) < LISTED:
                        seen.add(Assistant(game).kind)
                        assert moves.count() == len(listed) == len({move.text for move in listed})
                        assert bool(moves) == bool(listed)
                game.push(chosen.choice(game.options))
    assert {"chance", "key", "target", "trumps", "attackers", "blockers", "discard", "unit", "order"} <= seen


def attack(game: bp.Game) -> None:
    """Request an attack and pass until its attackers are named."""
    game.push_text("attack")
    while Assistant(game).kind != "attackers":
        game.push_text("pass")


def test_moves_inside_an_unfinished_choice_are_counted() -> None:
    game = bp.Game.from_position(
        'format = "master"\n[p1]\nfield = "S5 S6 S7 S8"\n[p2]\nfield = "D2 D3 D4"\nbulwarks = "C2 C3"\n'
    )
    attack(game)
    assert game.legal_moves.count() == 2**4
    game.push(game.options[0])
    assert game.legal_moves.count() == len(list(game.legal_moves)) == 2**3
    game.push_text("S6 S7")
    checked = 0
    while Assistant(game).kind != "blockers":
        game.push_text("pass")
    while Assistant(game).kind == "blockers":
        assert game.legal_moves.count() == len(list(game.legal_moves))
        checked += 1
        game.push(game.options[1 if checked == 1 else -1])
    assert checked > 2


def large_fight() -> bp.Game:
    game = bp.Game.from_position(LARGE)
    attack(game)
    return game


def sorted_texts(moves: bp.LegalMoves) -> object:
    return sorted(moves, key=str)


def len_of(moves: bp.LegalMoves) -> object:
    return sum(1 for _ in moves)


def test_a_large_fight_is_counted_printed_and_searched_at_once() -> None:
    game = large_fight()
    begin = time.monotonic()
    moves = game.legal_moves
    assert moves.count() == 2**18
    shown = str(moves).splitlines()
    assert len(shown) == PRINTED + 1
    assert shown[-1] == f"… and {2**18 - PRINTED} more"
    game.push_text(" ".join(NAMES[:18]))
    while Assistant(game).kind != "blockers":
        game.push_text("pass")
    moves = game.legal_moves
    # 9 soldiers and 13 bulwarks; the same number by hand: choose k of 18 attackers and bulwarks for them
    number = sum(choices(18, k) * arrangements(13, k) * (18 - k + 1) ** 9 for k in range(14))
    assert moves.count() == number > 10**20
    for use in (len, list, tuple, sorted_texts):
        with pytest.raises(OverflowError):  # more than ``sys.maxsize``
            use(moves)
    assert len(str(moves).splitlines()) == PRINTED + 1
    assert "SA: D2" in moves
    assert "SA: D2; S2: b3" in moves
    assert "SA: X2" not in moves
    assert len(list(islice(moves, 50))) == 50
    assert repr(moves).endswith("…>")
    assert moves == copy.copy(moves)
    decision = game.decision
    assert decision is not None
    assert decision.completion() is not None
    assert len(decision.selectable) == len(decision.options)
    assert time.monotonic() - begin < 60


class Interrupted(Exception):
    """Raised by the alarm."""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarms on this system")
@pytest.mark.parametrize("use", [set, len_of])
def test_a_listing_that_takes_too_long_is_interrupted(use: Callable[[bp.LegalMoves], object]) -> None:
    """In every build, although nothing but compiled code may run between two moves."""
    game = large_fight()
    game.push_text(" ".join(NAMES[:18]))
    while Assistant(game).kind != "blockers":
        game.push_text("pass")

    def alarm(number: int, frame: object) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Interrupted):
            use(game.legal_moves)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def choices(n: int, k: int) -> int:
    out = 1
    for i in range(k):
        out = out * (n - i) // (i + 1)
    return out


def arrangements(n: int, k: int) -> int:
    out = 1
    for i in range(k):
        out *= n - i
    return out


def test_a_move_can_be_read_in_a_large_fight() -> None:
    game = large_fight()
    game.push_text("S5 S9 H2")
    while Assistant(game).kind != "blockers":
        game.push_text("pass")
    step = game.push_text("S5: D2 D3 D4; H2: b1")
    assert step.text == "S5: D2 D3 D4; H2: b1"
