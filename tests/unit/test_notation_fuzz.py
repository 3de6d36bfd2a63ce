"""Broken, truncated and hostile texts raise one of our errors, quickly: never a traceback, never a hang.

The mutations are random but seeded, so that a failure repeats.
"""

import json
import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from blackpoker import BlackPokerError, Game, UnreadableText
from blackpoker.engine.visibility import Audience
from blackpoker.scenario.scenario import read_scenario, run_scenario

PIECES = (
    "",
    " ",
    "\n",
    "\t",
    "\x00",
    "\x1b[2J",
    "\ud800",
    "𝕊5",
    "♠",
    "p3",
    "p1.",
    ".",
    "b0",
    "b99999999999999999999",
    "#0",
    "#-1",
    "$",
    ">",
    "@",
    "$$",
    ">>",
    ":",
    ";",
    "S8:",
    "H99",
    "JK3",
    "pass pass",
    "done done",
    "main",
    "quick",
    "...",
    "'",
    '"',
    "[",
    "]",
    "{",
    "}",
    "[[",
    "=",
    "=====",
    "\\",
    "\\u0000",
    "1e999",
    "-1",
    "9" * 400,
    "nan",
    "inf",
    "true",
    "null",
    "[[variant]]",
    "p1 = ",
    "life = -5",
    "life = 99999999999999999999",
    "because R-05",
    "expect",
    "expect not not",
    "illegal",
)


def short(text: str) -> str:
    """Return a short test id for a text of any length."""
    return ascii(text[:16])


def mutated(text: str, rng: random.Random) -> str:
    """Return the text with a few pieces inserted, removed, repeated or exchanged."""
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(text))
        end = min(len(text), at + rng.randint(0, 12))
        what = rng.randrange(5)
        if what == 0:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif what == 1:
            text = text[:at] + text[end:]
        elif what == 2:
            text = text[:at]
        elif what == 3:
            text = text[:at] + text[at:end] * 3 + text[end:]
        else:
            text = (
                text[:at]
                + "".join(chr(rng.choice((rng.randint(32, 126), rng.randint(0, 0x3100)))) for _ in range(3))
                + text[end:]
            )
    return text


def expect_our_errors(action: Callable[[], object], text: str) -> None:
    """Run the action; raise `AssertionError` for any error that is not ours, or if it takes too long."""
    began = time.perf_counter()
    texts = ("a message", "文")
    try:
        action()
    except BlackPokerError as error:
        texts = (error.en, error.ja)
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}\nfor {text!r}") from error
    assert all(texts)
    assert time.perf_counter() - began < 5, f"slow: {text[:300]!r}"


def games(seed: int, steps: int, regulation: str = "extra+full+preset4") -> Iterator[Game]:
    """Yield a game at many different decisions."""
    rng = random.Random(seed)
    game = Game(regulation, seed=seed)
    for _ in range(steps):
        if game.outcome() is not None:
            return
        yield game
        game.push(rng.choice(game.options))


def test_move_texts() -> None:
    rng = random.Random(1)
    for seed in range(3):
        for game in games(seed, 120):
            moves = [move.text for move, _ in zip(game.legal_moves, range(20), strict=False)]
            for _ in range(4):
                text = mutated(rng.choice(moves), rng)
                expect_our_errors(partial(game.parse, text), text)


def test_words_in_any_mixture() -> None:
    rng = random.Random(2)
    words = [
        "up",
        "summon_soldier",
        "attack",
        "キル",
        "Death Lance",
        "S5",
        "H3",
        "JK",
        "b1",
        "p2.b1",
        "$b1",
        "$C9",
        ">p1.S5",
        ">#1",
        "#1",
        "@S9",
        "done",
        "yes",
        "no",
        "S8:",
        "H4;",
        "charged",
        "pass",
        "t1",
        "p2",
        "main",
    ]
    for game in games(5, 150):
        for _ in range(3):
            text = " ".join(rng.choices(words, k=rng.randint(1, 12)))
            expect_our_errors(partial(game.parse, text, rng.choice((None, 0, 1))), text)


@pytest.mark.parametrize(
    "text", ["", "   ", "\x00", "S5 " * 5000, "$" * 1999, ">" * 1999, "up " + "H3 " * 70, "é" * 1000, "\ud800"]
)
def test_odd_moves(text: str) -> None:
    with pytest.raises(BlackPokerError):
        Game("lite+full", seed=1).push_text(text)


def test_saved_games() -> None:
    rng = random.Random(3)
    for game in games(7, 160):
        text = game.to_json()
        for _ in range(2):
            broken = mutated(text, rng)
            expect_our_errors(partial(played, Game.from_json, broken), broken)


def test_saved_games_with_other_values() -> None:
    """Valid JSON, wrong values: numbers and texts exchanged one at a time."""
    rng = random.Random(4)
    values = [
        0,
        1,
        -1,
        2,
        53,
        54,
        255,
        2**31,
        2**63,
        2**70,
        1.5,
        "",
        "S5",
        "S5 S5",
        None,
        True,
        [],
        {},
        [1, 2],
        "x" * 2000,
    ]
    for game in games(11, 140):
        data = json.loads(game.to_json())
        for _ in range(3):
            broken = json.loads(json.dumps(data))
            replace_somewhere(broken, rng, rng.choice(values))
            text = json.dumps(broken)
            expect_our_errors(partial(played, Game.from_json, text), text)


def replace_somewhere(data: Any, rng: random.Random, value: object) -> None:
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data))) if isinstance(data, list) else []
        if not keys:
            return
        key = rng.choice(keys)
        inner = data[key]
        if isinstance(inner, dict | list) and inner and rng.random() < 0.85:
            data = inner
            continue
        data[key] = value
        return


def played(read: Callable[[str], Game], text: str) -> None:
    play_on(read(text))


def play_on(game: Game) -> None:
    """Check that an accepted game is playable."""
    rng = random.Random(0)
    game.view(0)
    game.view(Audience.PUBLIC)
    game.hash()
    for _ in range(40):
        if game.outcome() is not None:
            return
        game.push(rng.choice(game.options))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "null",
        "1",
        '"x"',
        "{" * 5000,
        "[" * 100000,
        '{"blackpoker":1}',
        "NaN",
        "9" * 5000,
        '{"blackpoker":1,"edition":"act6.1+ex6.30.1","regulation":"master+full","state":{}}',
        '{"a":' * 30 + "1" + "}" * 30,
        "\x00",
        "x" * 5_000_000,
    ],
    ids=short,
)
def test_odd_saved_games(text: str) -> None:
    with pytest.raises(UnreadableText):
        Game.from_json(text)


def test_positions() -> None:
    rng = random.Random(5)
    for number, game in enumerate(games(13, 200)):
        if number % 4 == 0:
            text = game.position()
            for _ in range(4):
                broken = mutated(text, rng)
                expect_our_errors(partial(played, Game.from_position, broken), broken)


@pytest.mark.parametrize(
    "text",
    [
        "p1 = 3",
        "[p1]\nlife = -1",
        "[p1]\nlife = 55",
        "[p1]\nlife = 0",
        "[p1]\nhand = 'S5 S5'",
        "[p1]\nhand='X'",
        "[p1]\nfield='S5+H5'",
        "[p1]\nfield='S5(x)'",
        "[p1]\nbulwarks='S5+S6'",
        "[p1]\nlife='S5 +99'",
        "[p1]\nused=['up']",
        "[p1]\nused=3",
        "format = 'x'",
        "turn = 'p3'",
        "turn_number = 0",
        "passed = 3",
        "passed = ['p1']",
        "what = 1",
        "[p3]\n",
        "[p1]\ntrumps='S5'",
        "saved = '{}'",
        "saved = 3",
        "#" * 500_000,
        "k = 1\n" * 50_000,
        "a" + ".a" * 5000 + " = 1",
        "a = " + "[" * 5000,
        "[" * 5000,
        "x = 1e999999999",
        "\x00",
        "[p1]\nhand = 5",
        "format = 'lite'\n[p1]\nfield = 'JK'",
        "[p1]\nrequests = 1000",
    ],
    ids=short,
)
def test_odd_positions(text: str) -> None:
    with pytest.raises(UnreadableText):
        Game.from_position(text)


def test_records() -> None:
    rng = random.Random(6)
    for number, game in enumerate(games(17, 200, "master+full")):
        if number % 20 == 7:
            text = game.record()
            for _ in range(6):
                broken = mutated(text, rng)
                expect_our_errors(partial(played, Game.from_record, broken), broken)


def test_records_line_by_line() -> None:
    rng = random.Random(8)
    game = Game("extra+full", seed=3)
    for _ in range(150):
        game.push(rng.choice(game.options))
    lines = game.record().splitlines()
    for _ in range(60):
        broken = lines[:]
        at = rng.randrange(len(broken))
        if rng.random() < 0.5:
            del broken[at]
        else:
            other = rng.randrange(len(broken))
            broken[at], broken[other] = broken[other], broken[at]
        text = "\n".join(broken)
        expect_our_errors(partial(Game.from_record, text), text)


SCENARIO = """
id = "S-001"
title = "Stack on your own action"
rulings = ["R-03"]
[position]
format = "master"
[position.p1]
hand = "S7 H3 C9"
field = "S5"
bulwarks = "D2"
[script]
play = '''
p1: summon_soldier S7 $b1
p1: up H3 $C9 >p1.S5
expect stage summon_soldier up
expect chance p1
expect p1.life 19
no_chance p2 up H3 >p1.S5 because R-06
shuffle p1 S5 D4
p1: pass
expect view p2 p1.hand.count 0
expect top p1.life S2
pp
expect number p1.S5 8
expect target #1 p1.S5
'''
"""


def test_scenarios() -> None:
    rng = random.Random(7)
    for _ in range(400):
        broken = mutated(SCENARIO, rng)

        def run(broken: str = broken) -> None:
            for result in run_scenario(read_scenario(broken)):
                assert result.ok or result.error

        expect_our_errors(run, broken)
