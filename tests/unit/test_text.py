"""What a player reads about a rule is complete, in both languages, and says what the definition says."""

import re
import string

import pytest

from blackpoker.language.model import Format
from blackpoker.regulation import standard_edition
from blackpoker.regulation.reference import pages
from blackpoker.rules import events as ev
from blackpoker.texts import catalogue
from blackpoker.texts import rulebook as text
from blackpoker.texts.rulebook import LANGUAGES, Book, Lang, Page, find

JAPANESE = re.compile(r"[぀-ヿ㐀-鿿]")
BOOKS = {lang: Book(standard_edition(), lang) for lang in LANGUAGES}


def page(id: str, lang: Lang = "en", kind: str = "action") -> Page:
    (found,) = [page for page in find(pages(lang), id) if page.kind == kind]
    return found


def facts(page: Page) -> dict[str, str]:
    return dict(page.facts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_definition_has_a_page(lang: Lang) -> None:
    made = list(pages(lang))
    ids = [(page.kind, page.id) for page in made]
    assert len(set(ids)) == len(ids)
    assert {id for kind, id in ids if kind == "action"} == {action.id for action in standard_edition().actions}
    assert sum(action.since <= Format.MASTER for action in standard_edition().actions) == 37
    counts = {kind: sum(k == kind for k, _ in ids) for kind in ("character", "trump", "format", "frame", "option")}
    assert counts == {
        "character": len(standard_edition().characters), "trump": len(standard_edition().trumps), "format": 5, "frame": 7, "option": 3,
    }  # fmt: skip
    for entry in made:
        assert entry.title
        assert entry.other
        assert entry.clauses or entry.prose or entry.kind == "format"
        for line in (*entry.notes, *entry.clauses, *(part for fact in entry.facts for part in fact)):
            assert line.strip()
            if lang == "en":
                assert not JAPANESE.search(line), line


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_said_twice_on_a_page(lang: Lang) -> None:
    for entry in pages(lang):
        lines = (*entry.notes, *entry.clauses)
        assert len(set(lines)) == len(lines), entry.id


def test_both_languages_have_the_same_places_to_fill() -> None:
    def fields(line: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(line) if name is not None}

    tables = (
        text.WORDS,
        text.COST_NAMES,
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
    assert text.at_text(action, "ja") == at_ja
    assert text.at_text(action, "en") == at_en
    assert at_en in facts(page(id))["when"]


@pytest.mark.parametrize(
    ("id", "label", "words"),
    [
        ("summon_hero", "cost", "$BBL (drive two of your charged bulwarks, take 1 damage)"),
        ("black_jack", "cost", "$SS (put two of your characters into the grave)"),
        ("throw", "key", "one ♠A–K and one ♣A–K"),
        ("force", "key", "two cards of ♡A–10"),
        ("recall", "key", "two cards of one suit (no Joker)"),
        ("reverse", "key", "two cards of the same number"),
        ("royal_straight_flush", "key", "A 10 J Q K of one suit"),
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
        ("quick_summon", "Not on your own turn."),
        ("black_jack", "What its cost triggers is handled after it."),
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
    assert [found.id for found in find(pages("en"), name)] == ["summon_soldier"]


def test_find_tells_an_action_from_a_trump() -> None:
    assert {found.kind for found in find(pages("en"), "drain")} == {"action", "trump"}
    assert [found.kind for found in find(pages("en"), "trump.drain")] == ["trump"]
    assert find(pages("en"), "no_such_thing") == []


def test_every_event_has_a_line() -> None:
    zones = {"BOTH_SEATS", "EVERYBODY", "HAND", "LIFE", "GRAVE", "FIELD", "STAGE", "TRUMPS", "PACK", "ASIDE"}
    events = {
        value for name, value in vars(ev).items() if name.isupper() and name not in zones and isinstance(value, int)
    }
    assert events == set(catalogue.LINES)


def test_plain_page() -> None:
    assert text.plain(page("up"), "en").splitlines()[0] == "Up / アップ  [up]"
