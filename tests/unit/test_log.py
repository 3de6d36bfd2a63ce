"""Every request and trigger has its player, cards and target in one line of the log, in the games of all scenarios,
which cover every action."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from blackpoker import Audience, GameStep
from blackpoker.definitions.model import COMBAT, TURN_CONTROL, Action
from blackpoker.engine import events as ev
from blackpoker.engine.events import RawEvent
from blackpoker.errors import BlackPokerError
from blackpoker.formats.position import game_from_tables
from blackpoker.ruleset import standard_edition
from blackpoker.scenario.expectations import Failure
from blackpoker.scenario.scenario import ScriptRunner, read_scenario, start_variant
from blackpoker.text.cards import cards_list
from blackpoker.text.log import log_order
from blackpoker.text.prompts import action_id

SCENARIOS = Path(__file__).parents[1] / "scenarios"
ACTIONS: dict[str, Action] = {action.id: action for action in standard_edition().actions}
#: notation that no log line may contain
NOTATION = re.compile(r"JK|[$>@^#]|p[12]\.|\b[bt][1-9]\b|\b[SHDC](?:10|[2-9AJQK])\b|\{|\?")


def steps() -> Iterator[GameStep]:
    """Yield every step of every scenario that the standard rules can play."""
    for folder in ("actions", "trumps", "rulings", "canon", "ours"):
        for path in sorted((SCENARIOS / folder).glob("*.toml")):
            scenario = read_scenario(path.read_text(encoding="utf-8"))
            for variant in scenario.variants if scenario.match is None else ():
                runner = ScriptRunner(start_variant(variant))
                try:
                    for line in variant.play.splitlines():
                        runner.line(line)
                except (Failure, BlackPokerError):
                    continue
                yield from runner.game.steps()


STEPS = list(steps())


def raised_once(raw: list[RawEvent]) -> Iterator[RawEvent]:
    """Yield requests and triggers in log order; a repeated trigger only once."""
    last: tuple[int, int] = (-1, -1)
    for event in log_order(raw):
        if event[0] not in (ev.DECLARED, ev.RAISED):
            last = (-1, -1) if event[0] != ev.STAGED else last
            continue
        if event[0] == ev.RAISED and (event[1], event[4]) == last:
            continue
        last = (event[1], event[4]) if event[0] == ev.RAISED else (-1, -1)
        yield event


def log_lines(step: GameStep, lang: str) -> list[str]:
    return [line.text for line in step._log(lang, Audience.JUDGE)]


def test_every_action_is_logged_with_actor_cards_and_target() -> None:
    seen: Counter[str] = Counter()
    for step in STEPS:
        raw = [report.raw for report in step._reports()]
        for lang, you in (("ja", "あなた"), ("en", "You")):
            lines = log_lines(step, lang)
            at = 0
            for kind, player, cards, _, number, _ in raised_once(raw):
                action = ACTIONS[action_id(step.after._engine, number)]
                seen[action.id] += lang == "ja"
                if kind == ev.RAISED and action.kind in (COMBAT, TURN_CONTROL):
                    continue  # steps of a turn and an attack have their own lines
                name = action.ja if lang == "ja" else action.en
                found = next((n for n in range(at, len(lines)) if name in lines[n]), None)
                assert found is not None, (step.line, name, lines)
                at = found + 1
                line = lines[found]
                assert f"P{player + 1}" in line, line
                assert cards_list(cards) in line, (line, cards_list(cards))
                if kind == ev.DECLARED and action.target is not None:
                    aimed = re.search(r"(\S+)に「" if lang == "ja" else r" on (\S+)", line)
                    assert aimed, (line, step.line)
                    assert you not in line
    assert set(ACTIONS) == set(seen), set(ACTIONS) - set(seen)


def test_no_text_contains_notation() -> None:
    for step in STEPS:
        for lang in ("ja", "en"):
            for text in log_lines(step, lang):
                assert not NOTATION.search(text), text


def log_of_last_move(
    position: dict[str, object], *texts: str, lang: str = "en", audience: int = Audience.JUDGE
) -> list[str]:
    """Return the log lines of the last of these moves."""
    game = game_from_tables(position, "", 0)
    for text in texts[:-1]:
        game.push_text(text)
    game.push_text(texts[-1])
    return [line.text for line in list(game.steps())[-1]._log(lang, audience)]


def position(format: str, p1: dict[str, object], p2: dict[str, object]) -> dict[str, object]:
    head = {"format": format, "turn": "p1", "chance": "p1", "turn_number": 6}
    return {**head, "p1": {"life": 20, **p1}, "p2": {"life": 20, **p2}}


def test_a_request_is_one_sentence_with_its_price() -> None:
    table = position("lite", {"hand": "S5 H3 C9", "field": "H8", "bulwarks": "D2"}, {})
    assert log_of_last_move(table, "summon_soldier S5 $b1", audience=1) == [
        "P1 plays Summon Soldier (♠5), driving bulwark 1 and taking 1 damage."
    ]
    assert log_of_last_move(table, "up H3 $C9 >p1.H8", lang="ja", audience=0) == [
        "あなたは♣9を捨てて、自分の♡8（8）に「アップ」（♡3）を起こした。"
    ]
    assert log_of_last_move(table, "up H3 $C9 >p1.H8", audience=0) == [
        "You play Up (♡3) on your ♡8 (8), discarding ♣9."
    ]


def test_immediate_actions_have_their_target() -> None:
    """It has already left the stage when its line is written."""
    table = position("extra", {"field": "S9", "trumps": "T:S2"}, {"field": "H8"})
    assert log_of_last_move(table, "slash @S9 >p2.H8", lang="ja") == [
        "P1は♠9をドライブして、P2の♡8（8）に「スラッシュ」を起こした。",
        "P2の♡8が墓地に移った。",
    ]
    table = position("extra", {"hand": "S3 S4"}, {"trumps": "T:H4"})
    assert log_of_last_move(table, "close_trump S3 S4 >p2.t1", audience=2)[-1] == "P1's Close comes to nothing."


def test_sacrifices_are_the_price_and_triggers_come_after_their_cause() -> None:
    table = position("master", {"hand": "SA SJ", "field": "HK D5", "life": "S2 S3 DK C4 C5"}, {})
    assert log_of_last_move(table, "black_jack SA SJ $HK $D5") == [
        "P1 plays Black Jack (♠A ♠J), sacrificing ♡K and ♢5.",
        "P1's Next Generation is triggered.",
    ]
    table = position("master", {"hand": "S5 S6", "bulwarks": "D2 D3"}, {"field": "SJ DA H2"})
    lines = log_of_last_move(table, "sword_rain S5 S6 $b1 $b2", "pass", "pass", lang="ja")
    assert lines[1:3] == ["P2の♠J、♢A、♡2が墓地に移った。", "P2の「世代交代」が2回誘発した。"]


def test_attackers_are_one_sentence_and_long_lists_fold() -> None:
    table = position("lite", {"field": "S9 H8"}, {"life": "S2 S3 S4 S5 S6 S7 S8 S9 S10 H2 H3 H4 +20"})
    assert log_of_last_move(table, "attack", "pass", "pass", "S9 H8") == ["P1 attacks with ♠9 and ♡8."]
    lines = log_of_last_move(table, "attack", "pass", "pass", "S9 H8", "pass", "pass", "pass", "pass", lang="ja")
    assert lines[-1] == "P2は17点のダメージを受けた（♠2 ♠3 ♠4 ♠5 ♠6 ほか12枚）。"


def test_a_look_at_a_hand_names_the_player() -> None:
    table = position("standard", {"hand": "D2 C3"}, {"hand": "S4"})
    line = ["hand_destruction D2 C3", "pass", "pass"]
    assert log_of_last_move(table, *line, audience=0)[-1] == "You look at P2's hand (♠4)."
    assert log_of_last_move(table, *line, audience=1)[-1] == "P1 looks at your hand (♠4)."
    assert log_of_last_move(table, *line, lang="ja")[-1] == "P1はP2の手札を見た（♠4）。"


def test_jokers_are_called_joker() -> None:
    table = position("lite", {"hand": "JK2", "life": "S2 S3"}, {})
    assert log_of_last_move(table, "search JK2", lang="ja") == ["P1は「サーチ」（Joker）を起こした。"]
