"""Prompts, labels and log lines in random games: always present, never ambiguous, never a secret."""

import re
from random import Random

import pytest

from blackpoker import Game
from blackpoker.engine.cards import members
from blackpoker.engine.engine import Engine
from blackpoker.engine.events import RawEvent
from blackpoker.engine.flow import UNDECIDED
from blackpoker.engine.shuffler import seeded
from blackpoker.engine.visibility import AUDIENCES, Audience
from blackpoker.ruleset import Regulation, new_game, standard_edition
from blackpoker.text.cards import sign
from blackpoker.text.log import LogWriter
from blackpoker.text.prompts import Prompts
from blackpoker.text.resources import LANGUAGES, Lang

GAMES = {"lite+entry": 15, "master+full": 25, "extra+full": 25, "master+random40+preset4+pack": 5}


def start(regulation: str, seed: int) -> tuple[Engine, list[RawEvent]]:
    engine = new_game(Regulation.parse(regulation), seeded(seed))
    events: list[RawEvent] = []
    engine.log = events
    engine.advance()
    return engine, events


@pytest.mark.parametrize("regulation", GAMES)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_decision_is_worded(regulation: str, lang: Lang) -> None:
    prompts = Prompts(standard_edition(), lang)
    for seed in range(GAMES[regulation]):
        engine, _ = start(regulation, seed)
        engine.log = None
        random = Random(seed)
        while engine.winner == UNDECIDED:
            assert prompts.prompt(engine).strip()
            labels = [prompts.option(engine, option) for option in engine.options]
            assert all(label.strip() and "?" not in label for label in labels)
            assert len(set(labels)) == len(labels), (engine.kind, labels)
            prompts.draft_text(engine)
            engine.push(random.choice(engine.options))


@pytest.mark.parametrize("regulation", GAMES)
def test_the_log_names_no_hidden_card(regulation: str) -> None:
    for seed in range(GAMES[regulation] // 2):
        engine, events = start(regulation, seed)
        prompts = Prompts(standard_edition(), "en")
        random = Random(seed)
        while engine.winner == UNDECIDED:
            before = engine.copy()
            events.clear()
            engine.push(random.choice(engine.options))
            narrator = LogWriter(prompts, before, (), engine)
            for seat in AUDIENCES:
                narrator.lines(events, seat)
                for event in events:
                    cards = event[2]
                    line = narrator.line(engine, [event], seat)
                    if cards and not event[3] & (1 << seat):
                        named = re.findall(r"[♠♡♢♣](?:10|[2-9AJQK])|Joker", line)
                        assert not {sign(card) for card in members(cards)} & set(named), line


def test_a_judge_reads_everything() -> None:
    engine, events = start("lite+entry", 1)
    narrator = LogWriter(Prompts(standard_edition(), "en", ("Ann", "Bob")), engine, (), engine)
    lines = [line.text for line in narrator.lines(events, Audience.JUDGE)]
    drawn = [line for line in lines if "draw" in line]
    assert len(drawn) == 3
    assert all("cards" not in line for line in drawn)
    assert any("Bob draws 7 cards." in line.text for line in narrator.lines(events, 0))
    assert len(narrator.lines(events, 0, short=True)) < len(lines)


#: Errors of a composed sentence: "Ann's a card", "1 cards", nothing in place of a name, an unfilled form, nested
#: brackets, a card that is its own number of cards
FAULTS = {
    "en": re.compile(
        r"'s an? |\b[Yy]our an? |\b[01] cards\b|\b1 times\b|  |'s [.,]|^\W|[\[\]|{}]|\([^()]*\(|you's|\(gone\)| \.$|\?$"
    ),
    "ja": re.compile(r"のの|をを|がが|はは|（[^（）]*（|  |[\[\]|{}]|の[がはを]|カード0枚|（もういない）|？$"),
}


@pytest.mark.parametrize("lang", ["ja", "en"])
@pytest.mark.parametrize("regulation", GAMES)
def test_every_line_of_the_log_is_a_sentence(regulation: str, lang: Lang) -> None:
    edition = standard_edition()
    for seed in range(3):
        engine, events = start(regulation, seed)
        prompts = Prompts(edition, lang, ("Ann", "Bob"))
        random = Random(seed)
        while engine.winner == UNDECIDED:
            before = engine.copy()
            events.clear()
            engine.push(random.choice(engine.options))
            writer = LogWriter(prompts, before, (), engine)
            for seat in AUDIENCES:
                for line in writer.lines(events, seat):
                    text = line.text.strip("─ ")
                    assert text
                    assert not FAULTS[lang].search(text), text


def test_the_log_has_prices_targets_and_kinds() -> None:
    """Damage as a price is named as such; a target is named from the reader's view; a kind has its article."""
    game = Game.from_position(
        'format = "lite"\n[p1]\nlife = 20\nhand = "H7 S4 D3 D4 C3"\nbulwarks = "D2"\n'
        '[p2]\nlife = 20\nfield = "H5"\nhand = "C4"\n'
    )
    for move in ("summon_soldier H7 $b1", "pass", "pass", "down S4 $D3 >p2.H5", "pass", "pass"):
        game.push_text(move)
    lines = {
        seat: [line for step in game.steps() for line in step.lines("en", seat) if "pass" not in line]
        for seat in (0, 1)
    }
    summons = lines[0][0]
    assert summons.startswith("You play Summon Soldier (♡7), driving bulwark 1 and taking 1 damage (")
    assert lines[1][0] == "P1 plays Summon Soldier (♡7), driving bulwark 1 and taking 1 damage."
    assert lines[0] == [
        summons,
        "You field ♡7 as a common soldier.",
        "You play Down (♠4) on P2's ♡5 (5), discarding ♢3.",
        "P2's ♡5 gets −4.",
    ]
    for move in ("twist D4 $C3 >p2.H5", "pass", "pass", "driven"):
        game.push_text(move)
    last = [line for step in game.steps() for line in step.lines("en", 0)][-1]
    assert last == "P2's ♡5 is driven."  # its effect is in the log, its payment and attack state are not
    assert "P1 plays Down (♠4) on your ♡5 (5), discarding ♢3." in lines[1]
    assert "Your ♡5 gets −4." in lines[1]


QUICK_SUMMON = """
regulation = "pro+full"
[p1]
life = "C4 DK C7 C8"
hand = "C9"
[p2]
life = "H4 HK H7 H8"
hand = "SA C5"
"""


def test_the_answers_name_the_character_of_the_question() -> None:
    """Quick Summon asks whether the Ace enters as an ace or as a bulwark."""
    game = Game.from_position(QUICK_SUMMON, seed=1)
    for move in ("pass", "quick_summon SA $C5", "pass", "pass"):
        game.push(game.parse(move))
    assert game.decision is not None
    assert game.decision.words == ["soldier", "bulwark"]
    assert [option.label("ja") for option in game.decision.options] == ["エース", "防壁"]
    assert [option.label("en") for option in game.decision.options] == ["as an ace", "as a bulwark"]
