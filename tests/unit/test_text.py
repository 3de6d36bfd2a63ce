"""The rule texts are complete in both languages and match the definitions."""

import re
import string

import pytest

from blackpoker import Game
from blackpoker.definitions import literals as words
from blackpoker.definitions.model import If, Steps, may_ask
from blackpoker.definitions.values import Words
from blackpoker.engine import events as ev
from blackpoker.engine.step import Step
from blackpoker.ruleset import standard_edition
from blackpoker.ruleset.reference import pages
from blackpoker.text import catalogue
from blackpoker.text import rulebook as text
from blackpoker.text.resources import LANGUAGES, Lang
from blackpoker.text.rulebook import Book, Page, find_pages

JAPANESE = re.compile(r"[぀-ヿ㐀-鿿]")
BOOKS = {lang: Book(standard_edition(), lang) for lang in LANGUAGES}


def page(id: str, lang: Lang = "en", kind: str = "action") -> Page:
    (found,) = [page for page in find_pages(pages(lang), id) if page.kind == kind]
    return found


def facts(page: Page) -> dict[str, str]:
    return dict(page.facts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_definition_has_a_page(lang: Lang) -> None:
    made = list(pages(lang))
    ids = [(page.kind, page.id) for page in made]
    assert len(set(ids)) == len(ids)
    assert {id for kind, id in ids if kind == "action"} == {action.id for action in standard_edition().actions}
    counts = {kind: sum(k == kind for k, _ in ids) for kind in ("character", "trump", "format", "frame", "option")}
    assert counts == {kind: len(getattr(standard_edition(), kind + "s")) for kind in counts}
    for entry in made:
        assert entry.title
        assert entry.other_title
        assert entry.clauses or entry.prose or entry.kind == "format"
        for line in (*entry.notes, *entry.clauses, *(part for fact in entry.facts for part in fact)):
            assert line.strip()
            if lang == "en":
                assert not JAPANESE.search(line), line


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_is_repeated_on_a_page(lang: Lang) -> None:
    for entry in pages(lang):
        lines = (*entry.notes, *entry.clauses)
        assert len(set(lines)) == len(lines), entry.id


def test_both_languages_have_the_same_places_to_fill() -> None:
    def fields(line: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(line) if name is not None}

    tables = (
        catalogue.PAGE_WORDS,
        catalogue.COST_NAMES,
        catalogue.PROMPTS,
        catalogue.LABELS,
        catalogue.LINES,
        catalogue.OTHER_LINES,
        catalogue.ZONES,
    )
    for table in tables:
        for name, (ja, en) in table.items():
            assert fields(ja) == fields(en), name
            assert ja
            assert en


@pytest.mark.parametrize(
    ("id", "at_ja", "at_en"),
    [
        ("set_bulwark", "@直接-即時-メイン", "@direct-immediate-main"),
        ("summon_soldier", "@直接-通常-メイン", "@direct-normal-main"),
        ("counter", "@直接-通常-クイック", "@direct-normal-quick"),
        ("charge", "@誘発-即時-メイン", "@triggered-immediate-main"),
        ("draw", "@誘発-通常-メイン", "@triggered-normal-main"),
        ("next_generation", "@誘発-即時-クイック", "@triggered-immediate-quick"),
    ],
)
def test_trigger_speed_and_timing(id: str, at_ja: str, at_en: str) -> None:
    action = BOOKS["ja"].actions[id]
    assert text.trigger_notation(action, "ja") == at_ja
    assert text.trigger_notation(action, "en") == at_en
    assert at_en in facts(page(id))["when"]


@pytest.mark.parametrize(
    ("id", "label", "words"),
    [
        ("summon_hero", "cost", "$BBL (drive two of your charged bulwarks and take 1 damage)"),
        ("black_jack", "cost", "$SS (put two of your characters into the grave)"),
        ("throw", "key", "one ♠A–K and one ♣A–K"),
        ("force", "key", "two cards of ♡A–10"),
        ("recall", "key", "two cards of one suit (no Joker)"),
        ("reverse", "key", "two cards of the same number"),
        ("royal_straight_flush", "key", "A, 10, J, Q, K of one suit"),
        ("search", "key", "one Joker"),
        ("throw", "cost", "none"),
        ("up", "target", "one soldier"),
        ("block", "raised by", "Attack"),
        ("next_generation", "raised by", "Hero"),
        ("draw", "format", "Lite and up"),
        ("force", "format", "Master and up"),
    ],
)
def test_facts_in_words(id: str, label: str, words: str) -> None:
    assert facts(page(id))[label].startswith(words)


@pytest.mark.parametrize(
    ("id", "note"),
    [
        ("attack", "Once per turn."),
        ("open_pack", "Once per game."),
        ("draw", "A player cannot request it."),
        ("force", "Cannot be the target of Counter."),
        ("quick_summon", "Only while it is not your turn."),
        ("black_jack", "It resolves before what paying its cost has triggered."),
    ],
)
def test_remarks_follow_from_the_fields(id: str, note: str) -> None:
    assert note in page(id).notes


def test_numbers_of_characters() -> None:
    numbers = {
        id: facts(page(id, kind="character"))["number"] for id in ("ace", "magician", "armed_soldier", "bulwark")
    }
    assert numbers == {"ace": "1", "magician": "0", "armed_soldier": "the sum of its cards", "bulwark": "none"}


@pytest.mark.parametrize(
    "name", ["summon_soldier", "Summon Soldier", "summon-soldier", "SUMMON SOLDIER", "兵士召喚", "act.summon_soldier"]
)
def test_find_by_any_name(name: str) -> None:
    assert [found.id for found in find_pages(pages("en"), name)] == ["summon_soldier"]


def test_find_distinguishes_an_action_from_a_trump() -> None:
    assert {found.kind for found in find_pages(pages("en"), "drain")} == {"action", "trump"}
    assert [found.kind for found in find_pages(pages("en"), "trump.drain")] == ["trump"]
    assert find_pages(pages("en"), "no_such_thing") == []


def test_every_event_has_a_line() -> None:
    zones = {"BOTH_SEATS", "EVERYBODY", "HAND", "LIFE", "GRAVE", "FIELD", "STAGE", "TRUMPS", "PACK", "ASIDE"}
    events = {
        value for name, value in vars(ev).items() if name.isupper() and name not in zones and isinstance(value, int)
    }
    assert events == set(catalogue.LINES)


def test_plain_page() -> None:
    assert text.page_text(page("up"), "en").splitlines()[0] == "Up / アップ  [up]"


def asking(steps: Steps) -> list[Step]:
    """Return the steps of a clause that may ask, in the written order."""
    out: list[Step] = []
    for step in steps:
        if isinstance(step, If):
            out += asking(step.then) + asking(step.otherwise)
        elif may_ask(step):
            out.append(step)
    return out


def test_every_choice_inside_an_effect_has_its_own_question() -> None:
    """Each question is addressed to the choosing player, in both languages; the rule text has the other perspective."""
    questions = 0
    for action in standard_edition().actions:
        for clause in action.effect:
            steps = asking(clause.steps)
            assert len(steps) == len(clause.asks), f"{action.id}: {clause.en} asks {len(steps)} times"
            for question in clause.asks:
                questions += 1
                assert "？" in question.ja, question
                assert question.en.endswith("?"), question
                assert "opponent" not in question.en or "your opponent" in question.en
    assert questions > 35


@pytest.mark.parametrize(
    ("position", "moves", "ja", "en"),
    [
        (
            '[p1]\nhand = "S2"',
            ["end", "pass", "pass", "pass", "pass"],
            "ドロー：もう1枚引きますか？",
            "Draw: Do you draw one more card?",
        ),
        (
            'format = "extra"\n[p1]\ntrumps = "T:CJ"\nhand = "S5"\nbulwarks = "D2"\n[p2]\nfield = "H3 H4"',
            ["summon_knight S5 $b1", "pass", "pass"],
            "騎士召喚：あなたのどの兵士を墓地に移しますか？",
            "Summon Knight: Which of your soldiers goes to the grave?",
        ),
        (
            'format = "extra"\n[p1]\ntrumps = "T:C5"\nhand = "C7"\nbulwarks = "D2"\n[p2]\nhand = "H3 H4 H5"',
            ["civil_war C7 $b1", "pass", "pass"],
            "内乱：あなたの手札のどれを捨てますか？（あと2枚）",
            "Civil War: Which cards of your hand do you discard? (2 to go)",
        ),
        (
            'format = "extra"\n[p1]\nfield = "DJ+C5"\nhand = "S7"',
            ["foresight @DJ", "S7"],
            "先読み：ライフの一番上に移しますか、一番下に移しますか？",
            "Foresight: Does it go on top of your life or under it?",
        ),
    ],
)
def test_questions_address_the_player_to_decide(position: str, moves: list[str], ja: str, en: str) -> None:
    game = Game.from_position(position)
    for move in moves:
        game.push_text(move)
    assert game.decision is not None
    assert (game.decision.prompt_in("ja"), game.decision.prompt_in("en")) == (ja, en)


def test_prices_are_data() -> None:
    """The letters and the same in words; a waived cost is "none" (R-35), of two costs the payable one is shown."""
    from blackpoker.text.prompts import Price, Prompts

    prompts = Prompts(standard_edition(), "en")
    game = Game.from_position('[p1]\nhand = "S5 C9"\nbulwarks = "D2"\n[p2]\nfield = "H4"')
    found = {plan.id: prompts.price(game._engine, plan.index + 1) for plan in game._engine.rules.plans}
    assert found["summon_soldier"] == Price("BL", "drive one of your charged bulwarks and take 1 damage")
    assert found["attack"] == Price("", "none")
    assert prompts.price(game._engine, 0) is None
    assert game.decision is not None
    assert [word.price("ja") for word in game.decision.options if word.action == "set_bulwark"] == [
        ("L", "1点のダメージを受ける")
    ]
    game = Game.from_position('[p1]\nfield = "JK"\nhand = "S5 C9"\n[p2]\nfield = "H4"')
    down = next(plan for plan in game._engine.rules.plans if plan.id == "down")
    assert prompts.price(game._engine, down.index + 1) == Price("", "none")


def test_every_word_a_step_offers_is_in_the_catalogue() -> None:
    """As a label and as a word of the display forms."""
    offered = [thing for thing in vars(words).values() if isinstance(thing, Words)]
    assert len(offered) >= 7
    for thing in offered:
        for word in thing.words:
            assert word in catalogue.LABELS, word
            assert word in catalogue.NOTATION_WORDS, word


def test_log_lines_address_their_reader() -> None:
    """English has a second form for every line about a player; both forms have the same fields."""
    for kind, (_, en) in catalogue.LINES.items():
        assert ("{0}" in en) == (kind in catalogue.YOUR_LINES), en
    for kind, mine in catalogue.YOUR_LINES.items():
        third = re.findall(r"\{[1-9][^}]*\}", catalogue.LINES[kind][1])
        assert sorted(third) == sorted(re.findall(r"\{[1-9][^}]*\}", mine)), mine
        assert "you" in mine.lower()
