"""The scenario format is strict: no misspelling passes as a refusal or as a false expectation."""

import random
import re
from pathlib import Path

import pytest

from blackpoker import Game, UnreadableText
from blackpoker.notation.options import QUESTION_NAMES
from blackpoker.scenario.scenario import read_scenario, run_scenario

HERE = Path(__file__).parent
SCENARIOS = sorted((HERE.parent / "scenarios").rglob("*.toml"))

HEAD = """id = "T-1"
rulings = ["R-03"]
[position.p1]
hand = "H3 C9 S8"
field = "S5 S9(d)"
bulwarks = "D2"
grave = "C2 CK"
[position.p2]
hand = "C3 C4"
[script]
play = '''
"""


def run(play: str) -> str:
    (result,) = run_scenario(read_scenario(HEAD + play + "\n'''\n"))
    return result.error


@pytest.mark.parametrize(
    "line",
    [
        "illegal p1 sumon_soldier S8 $b1",
        "illegal p1 up H33 $C9 >p1.S5",
        "illegal p1 up H3 $C9 >p1.S55",
        "illegal p1 up H3 $C9 >p3.S5",
        "illegal p1 up H3 $C9 >p2.S5 becuase R-31",
        "illegal p1 up H3 $C9 >p2.S5 because",
        "illegal p1 up H3 $C9 >p2.S5 because R31",
        "illegal p1 up H3 $C9 >p2.S5 because R-31 R-32",
        "illegal p1",
        "illegal p3 pass",
        "illegal up H3 $C9 >p2.S5",
        "illegal p2 up H3 $C9 >p1.S5",  # P2 is not asked: `no_chance` covers this
        "illegal p2 pass because R-10",
        "no_chance p1 pass",
        "no_chance p2 pas",
        "legal p2 pass",
        "expect not stage sumon_soldier",
        "expect not asked p1 bulwrak",
        "expect not asked p3",
        "expect not chance p3",
        "expect not options passs",
        "expect not offers S55",
        "expect not offers up fly",
        "expect not actions p2 up",
        "expect not actions p1 upp",
        "expect not turn p0",
        "expect not turn_number x",
        "expect not over p3",
        "expect not p1.hand x",
        "expect not p1.hnad 2",
        "expect not in p1.hand S55",
        "expect not in p1.hnad S5",
        "expect not in p1.hand",
        "expect not in p1.hand H3 S7",  # one of them is there
        "expect not top p1.life S55",
        "expect not gravetop p1 non",
        "expect not number p1.S6 8",
        "expect not number p1.S5 eight",
        "expect not driven p1.S6",
        "expect not driven p1.b7",
        "expect not driven p1.S5 now",
        "expect not new p1.H3",
        "expect not role p1.S5 atacker",
        "expect not kind p1.S5 comon_soldier",
        "expect not target #1 p1.S5",
        "expect not open p1.t1",
        "expect not view p2 p1.lfie 3",
        "expect not view p2 p1.life nul",
        "expect not view p2 hides S55",
        "expect not event flew",
        "expect not event drew p1 S55",
        "expect not zone p1.hand S5",
        "expect not zone p1.hnad = S5",
        "expect not not chance p2",
        "expect",
        "expect not",
        "exepct chance p2",
        "repeat x pp",
        "repeat 2",
        "repeat 0 pp",
        "repeat 2 repeat 2 pp",
        "shuffle p1 S55",
        "p1 pass",
    ],
)
def test_a_typo_is_an_error(line: str) -> None:
    assert run(line)


def test_the_right_spellings_hold() -> None:
    assert not run(
        """
illegal p1 up H3 $C9 >p2.S5 because R-31
no_chance p2 counter C3 $C4 >#1 because R-06
no_chance p2 pass because R-10
no_chance p2 end because R-05
expect not chance p2
expect not stage up
expect not in p1.hand H4 D5
expect not driven p1.S5
expect zone p1.hand = C9 S8 H3
expect zone p1.grave = CK C2
expect not zone p1.hand = C9 S8
expect zone p2.field = empty
expect not offers counter kill
repeat 2 expect chance p1
p1: up H3 $C9 >p1.S5
expect event declared p1 action=up
expect event discarded p1 C9
expect not event drew
expect not event discarded p2
pp
expect event bonus p1 amount=3
expect not event declared
"""
    )


def test_repeat_runs_the_line_so_often() -> None:
    assert "nobody can pass" in run("repeat 2 pp")
    assert not run("repeat 1 pp")
    assert "is not the one to choose" in run("repeat 2 p1: pass")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('title = "x"\n[script]\nplay = "pp"\n', "id is missing"),
        ('id = ""\n[script]\nplay = "pp"\n', "line 1: id is empty"),
        ('id = "T-1"\n\n[script]\nplay = ""\n', "line 4: play is empty"),
        ('id = "T-1"\n[script]\nplay = """\n# nothing\n"""\n', "line 3: play is empty"),
        ('id = "T-1"\n[[variant]]\nplay = "pp"\n[[variant]]\nname = "b"\n', "line 4: play is missing"),
        ('id = "T-1"\n[[variant]]\nplay = "pp"\nplya = "pp"\n', "line 4: 'plya' is no entry"),
        ('id = "T-1"\nrulings = ["R03"]\n[script]\nplay = "pp"\n', "line 2: rulings are written"),
        (
            'id = "T-1"\n[match]\nregulation = "master+randomhalf"\n[[variant]]\nplay = "pp"\n',
            "line 4: a match has games",
        ),
        ('id = "T-1"\n[match]\nregulations = "master+randomhalf"\n', "line 3: 'regulations' is no entry"),
        ('id = "T-1"\n[regulation_checks]\nlegall = ["master+full"]\n', "line 3: 'legall' is no entry"),
        ('id = "T-1"\n', "nothing to play"),
    ],
)
def test_a_file_that_is_not_complete(text: str, message: str) -> None:
    with pytest.raises(UnreadableText) as error:
        read_scenario(text)
    assert message in error.value.en
    assert error.value.ja


def test_errors_give_the_line_of_the_file() -> None:
    (result,) = run_scenario(read_scenario(HEAD + "expect chance p1\nexpect chance p2\n'''\n"))
    assert (result.line, result.text) == (13, "expect chance p2")
    (result,) = run_scenario(read_scenario(HEAD.replace("S9(d)", "S9(x)") + "pp\n'''\n"))
    assert result.line == 5
    variants = HEAD.replace("[script]\nplay = '''\n", "") + (
        "[[variant]]\nplay = 'pp'\n[[variant]]\n[variant.position.p2]\nhand = 'S99'\n"
        "[[variant]]\nplay = '''\n\npp\nexpect chance p2'''\n"
    )
    with pytest.raises(UnreadableText, match="line 12: play is missing"):
        read_scenario(variants)
    results = run_scenario(
        read_scenario(variants.replace("[variant.position.p2]", "play = 'pp'\n[variant.position.p2]"))
    )
    assert [result.line for result in results if not result.ok] == [15, 20]


def planted(text: str) -> list[str]:
    """Return variants of the file with one typo in a line that expects a refusal or a negation."""
    out: list[str] = []
    for found in re.finditer(r"^(illegal|no_chance|expect not) .*$", text, re.MULTILINE):
        line = found.group()
        words = line.split()
        if line.startswith("expect not"):
            typos = [line.replace(words[-1], words[-1] + "x")] if words[2] != "view" else []
        else:
            typos = [line.replace(words[2], words[2] + "x", 1)]
            typos += [line.replace(" because ", " becuase "), line.replace("R-", "R", 1)] if " because " in line else []
            typos += [line.replace(word, word + "x", 1) for word in words[3:4] if word != "because"]
        out += [text[: found.start()] + typo + text[found.end() :] for typo in typos if typo != line]
    return out


def test_a_typo_planted_in_any_scenario_file_is_noticed() -> None:
    tried = 0
    for path in SCENARIOS:
        text = path.read_text(encoding="utf-8")
        typos = planted(text)
        for wrong in typos[tried % 3 : tried % 3 + 1]:
            tried += 1
            try:
                results = run_scenario(read_scenario(wrong))
            except UnreadableText:
                continue
            assert any(not result.ok for result in results), f"{path.stem} still holds"
    assert tried > 50


def test_the_questions_are_those_of_the_docs() -> None:
    docs = (HERE.parents[1] / "docs" / "notation.md").read_text(encoding="utf-8")
    row = next(line for line in docs.splitlines() if line.startswith("| `asked p1 KIND`"))
    assert set(re.findall(r"`([a-z_ ]+)`", row.partition("KIND optional:")[2])[0].split()) == set(QUESTION_NAMES)


# -- positions in the middle of a turn

FIGHT = """
id = "T-2"
[position]
turn = "p1"
stage = ["p1: damage_judgement", "p1: up H3 >p1.S8", "p2: counter C3 >#2"]
[position.p1]
field = "S8(d,attacks) H6+HQ(d,attacks,new:HQ) H4"
[position.p2]
hand = "C9"
field = "H5(blocks:S8)"
bulwarks = "D4(blocks:H6)"
[script]
play = '''
expect stage damage_judgement up counter
expect target #3 #2
expect target #2 p1.S8
expect role p1.S8 attacker
expect role p2.b1 blocker
expect in p1.stage H3
expect not new p1.H6
expect chance p1
pp
expect stage damage_judgement
expect in p1.grave H3
expect in p2.grave C3
pp
expect in p2.grave H5 D4
expect event buried p2 H5
'''
"""


def test_a_position_with_a_stage_and_a_fight() -> None:
    (result,) = run_scenario(read_scenario(FIGHT))
    assert result.ok, result


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"p1: up H3 >p1.S8"', '"up H3 >p1.S8"'),
        ('"p1: up H3 >p1.S8"', '"p1: up H3"'),
        ('"p1: up H3 >p1.S8"', '"p1: up S3 >p1.S8"'),
        ('"p1: up H3 >p1.S8"', '"p1: up H3 D3 >p1.S8"'),
        ('"p1: up H3 >p1.S8"', '"p1: up H4 >p1.S8"'),  # the card is a soldier
        ('"p1: up H3 >p1.S8"', '"p1: up H3 >p1.S9"'),
        ('"p1: up H3 >p1.S8"', '"p1: up H3 >p1.S8 (fast)"'),
        ('"p1: up H3 >p1.S8"', '"p1: set_bulwark"'),  # immediate: never on the stage
        ('"p1: up H3 >p1.S8"', '"p1: fly"'),
        ('"p2: counter C3 >#2"', '"p2: counter C3 >#3"'),
        ("(blocks:S8)", "(blocks:H4)"),
        ("(blocks:S8)", "(blocks:S9)"),
        ("new:HQ", "new:HK"),
        ("d,attacks)", "d,atacks)"),
    ],
)
def test_a_wrong_stage_or_mark(old: str, new: str) -> None:
    assert old in FIGHT
    (result,) = run_scenario(read_scenario(FIGHT.replace(old, new)))
    assert result.error.startswith("position: ")
    assert 4 <= result.line <= 11


@pytest.mark.parametrize("regulation", ["master+full", "extra+full+preset4"])
def test_every_chance_can_be_written_as_a_position(regulation: str) -> None:
    rng = random.Random(2)
    staged = 0
    for seed in range(3):
        game = Game(regulation, seed=seed)
        while game.outcome() is None and len(game.history) < 300:
            if game.decision is not None and game.decision.kind == "chance":
                text = game.position()
                assert "saved" not in text
                again = Game.from_position(text)
                assert again.options == game.options
                assert again.position() == text
                staged += "stage" in text
            game.push(rng.choice(game.options))
    assert staged > 100
