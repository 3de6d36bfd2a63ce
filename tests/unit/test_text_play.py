"""Prompts, labels and log lines over random games: always there, never ambiguous, never a secret."""

from random import Random

import pytest

from blackpoker.regulation import Regulation, new_game, standard_edition
from blackpoker.rules.cards import SIGNS, members
from blackpoker.rules.engine import Engine
from blackpoker.rules.events import RawEvent
from blackpoker.rules.flow import UNDECIDED
from blackpoker.rules.shuffler import seeded
from blackpoker.rules.visibility import AUDIENCES, Audience
from blackpoker.texts.log import LogWriter
from blackpoker.texts.prompts import Prompts
from blackpoker.texts.rulebook import LANGUAGES, Lang

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
    speaker = Prompts(standard_edition(), lang)
    for seed in range(GAMES[regulation]):
        engine, _ = start(regulation, seed)
        engine.log = None
        random = Random(seed)
        while engine.winner == UNDECIDED:
            assert speaker.prompt(engine).strip()
            labels = [speaker.option(engine, option) for option in engine.options]
            assert all(label.strip() and "?" not in label for label in labels)
            assert len(set(labels)) == len(labels), (engine.kind, labels)
            speaker.draft(engine)
            engine.push(random.choice(engine.options))


@pytest.mark.parametrize("regulation", GAMES)
def test_the_log_names_no_hidden_card(regulation: str) -> None:
    for seed in range(GAMES[regulation] // 2):
        engine, events = start(regulation, seed)
        narrator = LogWriter(Prompts(standard_edition(), "en"))
        random = Random(seed)
        while engine.winner == UNDECIDED:
            narrator.look(engine)
            events.clear()
            engine.push(random.choice(engine.options))
            for seat in AUDIENCES:
                narrator.lines(engine, events, seat)
                for event in events:
                    cards = event[2]
                    line = narrator.line(engine, [event], seat)
                    if cards and not event[3] & (1 << seat):
                        assert not any(SIGNS[card] in line.split() for card in members(cards)), line


def test_a_judge_reads_everything() -> None:
    engine, events = start("lite+entry", 1)
    narrator = LogWriter(Prompts(standard_edition(), "en", ("Ann", "Bob")))
    lines = [line.text for line in narrator.lines(engine, events, Audience.JUDGE)]
    drawn = [line for line in lines if "draw" in line]
    assert len(drawn) == 3
    assert all("cards" not in line for line in drawn)
    assert any("Bob draws 7 cards." in line.text for line in narrator.lines(engine, events, 0))
    assert len(narrator.lines(engine, events, 0, short=True)) < len(lines)
