"""The texts of every edition that has some: rulings complete in both languages, numbers, questions, citations, names."""

import re
from collections import Counter

import pytest
from tests.unit.test_rulebook import JAPANESE, QUOTED, SCENARIOS

from blackpoker.definitions.model import Action, Character, Trump
from blackpoker.ruleset import Edition, editions
from blackpoker.ruleset.reference import pages, search
from blackpoker.text import handbook, quick, rulings
from blackpoker.text.questions import questions
from blackpoker.text.resources import FIRST_EDITION, LANGUAGES, Bilingual, Lang, text_editions
from blackpoker.text.rulings import Ruling

LATER = [edition for edition in text_editions() if edition != FIRST_EDITION]
CITED = re.compile(r"[NR]-\d{2,3}")
#: the numbers of the rulings of edition 9, from the first to the last of each group without a gap
NINTH_NUMBERS = ((201, 299), (301, 313), (321, 324), (331, 363), (401, 437))
#: names of edition 9 that its own definitions or those of edition 6 have, and quotations
NINTH_QUOTED = QUOTED | {
    "このターン",
    "表切札に○○がある",
    "ライフが9以下",
    "パックが未開封",
    "兵士として出す",
    "いつでも変えてよい",
    "サイズ",
    "表にしてもよい",
    "ライフのオーナー",
    "キーカード",
    "ライト＋エントリー",
}


RULINGS: list[tuple[str, Ruling]] = [
    (edition, ruling) for edition in LATER for ruling in rulings.rulings(edition).values()
]


def definitions_of(edition: Edition) -> list[Action | Character | Trump]:
    return [*edition.actions, *edition.characters, *edition.trumps]


@pytest.mark.parametrize(("edition", "ruling"), RULINGS, ids=lambda value: getattr(value, "id", value))
def test_a_ruling_is_complete(edition: str, ruling: Ruling) -> None:
    for pair in (ruling.title, ruling.asks, ruling.text):
        assert JAPANESE.search(pair.ja) or pair.ja == "R・S・F"
        assert pair.en
        assert not JAPANESE.search(pair.en.replace("〜", ""))
    assert bool(ruling.ours.ja) == bool(ruling.ours.en)
    assert not JAPANESE.search(ruling.ours.en)
    assert ruling.sources or ruling.ours.ja, "from nowhere, and not ours either"
    assert {source.document for source in ruling.sources} <= set(rulings.documents())
    assert ruling.words
    for text in (ruling.text.ja, ruling.ours.ja):
        assert not text or text[-1] in "。）", text[-20:]
        assert "JK" not in text
        assert not re.search(r"[぀-ヿ㐀-鿿][,.:;!?()]|[,;!?()][぀-ヿ㐀-鿿]", text)
    known = rulings.rulings(edition)
    cited = set(CITED.findall("".join((*ruling.text, *ruling.ours))))
    assert cited <= set(known), f"cites {cited - set(known)}"


@pytest.mark.parametrize(
    ("edition", "ruling"), [each for each in RULINGS if each[1].proof], ids=lambda value: getattr(value, "id", value)
)
def test_a_ruling_is_proven(edition: str, ruling: Ruling) -> None:
    """The scenarios exist, are of that edition and cite the ruling; tests/scenarios checks that they hold."""
    for proof in ruling.proof:
        scenario = SCENARIOS[proof.scenario]
        assert scenario.edition == edition
        assert ruling.id in scenario.rulings
        assert not proof.variant or proof.variant in {variant.name for variant in scenario.variants}


def test_every_scenario_of_the_canon_proves_the_rulings_it_cites_first() -> None:
    known = rulings.rulings("9")
    canon = [scenario for id, scenario in SCENARIOS.items() if re.fullmatch(r"T-\d{3}", id)]
    assert len(canon) == 35
    for scenario in canon:
        assert scenario.id in {proof.scenario for proof in known[scenario.rulings[0]].proof}, scenario.id
        assert set(scenario.rulings) <= set(known)


@pytest.mark.parametrize("edition", LATER)
def test_the_chapters_of_a_later_edition_are_complete(edition: str) -> None:
    known = set(rulings.rulings(edition))
    chapters = [chapter.id for chapter in handbook.chapters(edition)]
    assert chapters == ["questions", "play", "core", "common", "regulations", "changes"]
    for section in handbook.sections(edition).values():
        for pair in (section.title, section.text):
            assert JAPANESE.search(pair.ja), section.key
            assert pair.en
            assert not JAPANESE.search(pair.en.replace("〜", "")), section.key
        assert section.text.ja[-1] in "。）", section.key
        assert set(section.rulings) <= known, section.key
        assert set(CITED.findall("".join(section.text))) <= known, section.key
        assert section.rulings or section.table, section.key
    assert len(handbook.chapters(edition)[0].sections) == 10
    play = next(chapter for chapter in handbook.chapters(edition) if chapter.id == "play")
    assert sum(len(section.text.ja) for section in play.sections) <= 2_200
    assert sum(len(section.text.en.split()) for section in play.sections) <= 1_000


@pytest.mark.parametrize("edition", LATER)
def test_the_figure_of_the_flow_is_whole(edition: str) -> None:
    points = {point.id for point in handbook.flow(edition)}
    assert points == {point.id for point in handbook.flow()}
    assert {edge.to for point in handbook.flow(edition) for edge in point.edges} == points - {"1"}


@pytest.mark.parametrize("edition", LATER)
def test_the_quick_reference_is_whole(edition: str) -> None:
    assert [block.id for block in quick.blocks(edition)] == [block.id for block in quick.blocks()]
    words = quick.terms(edition)
    assert len({term.en for term in words}) == len({term.ja for term in words}) == len(words) > 40
    assert {"fog", "rare card", "scenario hand", "draft"} <= {term.en for term in words}


@pytest.mark.parametrize("edition", LATER)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_of_a_later_edition_is_made(edition: str, lang: Lang) -> None:
    made = [(page.kind, page.id) for page in pages(lang, editions()[edition])]
    assert len(set(made)) == len(made)
    assert {id for kind, id in made if kind == "ruling"} == set(rulings.rulings(edition))


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("N-207", "N-207"),
        ("n 31", "N-031"),
        ("R-6", "R-06"),
        ("フォグはどこに置く？", "N-060"),
        ("レアカードの使い方", "N-070"),
        ("両者のライフが同時に0枚になったら？", "N-091"),
        ("シナリオハンドとは", "N-134"),
        ("how does a draft go?", "N-140"),
        ("how many cards do I draw each turn?", "N-042"),
        ("what has changed since edition 6", "changes.short"),
        ("第六版から変わったこと", "changes.short"),
        ("zzz", ""),
        ("ブラックジャック", "N-236"),
        ("クローズ", "close_trump"),
        ("カウンターをカウンターできる？", "R-159"),
        ("手札の上限", "questions.draw"),
        ("two trumps", "N-072"),
        ("破砕士", "wall_breaker"),
    ],
)
def test_search_in_edition_9(lang: Lang, query: str, first: str) -> None:
    found = search(query, lang, 5, editions()["9"]).pages
    assert (found[0].id if found else "") == first, [page.id for page in found]


def test_a_question_about_a_changed_ruling_is_answered_by_the_new_one() -> None:
    first = {question.text: question.page for question in questions()}
    later = {question.text: question.page for question in questions("9")}
    moved = {text: (page, later[text]) for text, page in first.items() if later[text] != page}
    assert len(moved) > 100
    assert all(new == rulings.replaced("9")[old] for old, new in moved.values() if old in rulings.replaced("9"))


@pytest.mark.parametrize("edition", LATER)
def test_every_ruling_has_its_own_question(edition: str) -> None:
    for lang, end in zip(LANGUAGES, ("？", "?"), strict=True):
        questions = [ruling.asks.in_lang(lang) for ruling in rulings.rulings(edition).values()]
        assert [question for question in questions if not question.endswith(end)] == []
        assert [question for question, times in Counter(questions).items() if times > 1] == []


@pytest.mark.parametrize("edition", text_editions())
def test_rulings_stand_in_order_and_the_headings_name_the_first_and_last(edition: str) -> None:
    for chapter, heading in zip(rulings.chapters(edition), rulings.headings(edition), strict=True):
        numbers = [ruling.number for ruling in chapter.rulings]
        assert numbers == sorted(set(numbers)), chapter.id
        assert (heading.title, heading.first) == (chapter.title, chapter.rulings[0].id)
        assert len({ruling.id[0] for ruling in chapter.rulings}) == 1, chapter.id
        assert heading.last == chapter.rulings[-1].id


def test_the_numbers_of_edition_9_have_no_gap() -> None:
    numbers = {ruling.number for ruling in rulings.rulings("9").values() if ruling.id.startswith("N-")}
    for first, last in NINTH_NUMBERS:
        assert set(range(first, last + 1)) <= numbers
    assert len(numbers) == 251


def test_every_ruling_of_edition_6_holds_or_has_a_successor_or_is_gone() -> None:
    sixth, ninth, replaced = rulings.rulings("6"), rulings.rulings("9"), rulings.replaced("9")
    assert set(replaced) <= set(sixth)
    assert set(replaced.values()) <= set(ninth)
    assert not set(replaced) & set(ninth)
    gone = set(sixth) - set(ninth) - set(replaced)
    # the order of B・J, a deck that is too small for trumps, the deck of the next game
    assert gone == {"R-23", "R-308", "R-313"}


def test_a_carried_ruling_keeps_its_text_except_for_citations() -> None:
    sixth, ninth = rulings.rulings("6"), rulings.rulings("9")
    assert ninth["R-06"].text == sixth["R-06"].text
    assert ninth["R-32"].text == Bilingual(*(text.replace("R-45", "N-091") for text in sixth["R-32"].text))
    assert ninth["R-101"].text != sixth["R-101"].text


def test_names_in_brackets_are_names() -> None:
    names = {one.ja for edition in editions().values() for one in definitions_of(edition)}
    names |= {ruling.title.ja for ruling in rulings.rulings("9").values()}
    names |= {ruling.title.ja.split(" ", 1)[-1] for ruling in rulings.rulings("9").values()}
    unknown = {
        (ruling.id, name)
        for _, ruling in RULINGS
        for name in re.findall("「([^」]*)」", ruling.text.ja + ruling.ours.ja)
        if name not in names | NINTH_QUOTED
    }
    assert unknown == set()


@pytest.mark.parametrize("edition", editions())
def test_definitions_cite_rulings_of_their_edition(edition: str) -> None:
    known = set(rulings.rulings(edition))
    lists = editions()[edition]
    assert {(one.id, id) for one in definitions_of(lists) for id in one.rulings if id not in known} == set()
