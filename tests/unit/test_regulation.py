"""Regulations and decks: R-190…R-200, R-204."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from blackpoker.definitions.model import Format
from blackpoker.engine.cards import NAMES, members, parse_card
from blackpoker.engine.engine import Engine
from blackpoker.engine.flow import UNDECIDED
from blackpoker.engine.shuffler import seeded
from blackpoker.ruleset import (
    CONSTRUCTED,
    MIN_CARDS,
    Deck,
    DeckError,
    DeckList,
    Regulation,
    RegulationError,
    all_regulations,
    built_in_decks,
    check_decks,
    check_player_decks,
    make_decks,
    new_game,
    parse_decks,
    standard_edition,
    write_decks,
)


def cards(text: str) -> tuple[int, ...]:
    return tuple(parse_card(word) for word in text.split())


FULL = Deck(tuple(range(54)))
EDITION = standard_edition()


# -- regulations -------------------------------------------------------------------------------------------------------


def test_how_many_there_are() -> None:
    """By the tables 5.1 to 5.4, counted by hand once; all other code calls ``all_regulations``."""
    legal = all_regulations()
    assert len(legal) == len(set(legal))
    of_the_canon = [r for r in legal if {option.id for option in r.options} <= {"preset2", "preset4", "pack"}]
    assert Counter(r.format.id for r in of_the_canon) == {
        "lite": 9,
        "standard": 24,
        "pro": 24,
        "master": 24,
        "extra": 6,
    }


def test_every_other_combination_is_refused_with_its_cell() -> None:
    legal = {r.text for r in all_regulations()}
    refused = 0
    for format in EDITION.formats:
        for frame in EDITION.frames:
            for size in range(len(EDITION.options) + 1):
                for options in combinations(EDITION.options, size):
                    text = "+".join(entry.id for entry in (format, frame, *options))
                    if text in legal:
                        assert Regulation.parse(text).text == text
                        continue
                    refused += 1
                    with pytest.raises(RegulationError) as caught:
                        Regulation.parse(text)
                    cell = caught.value.cell
                    assert len(cell) == 2
                    row, column = cell
                    assert row in text.split("+")
                    assert column in text.split("+")
                    assert "R-197" in caught.value.en or "(Table 5." in caught.value.en
                    assert caught.value.ja
    assert refused == len(EDITION.formats) * len(EDITION.frames) * 2 ** len(EDITION.options) - len(legal)


@pytest.mark.parametrize("regulation", all_regulations(), ids=lambda r: r.text)
def test_both_texts_are_read_back(regulation: Regulation) -> None:
    for text in (regulation.text, regulation.text_ja, regulation.text_en, str(regulation)):
        assert Regulation.parse(text) == regulation


@pytest.mark.parametrize(
    "text",
    [
        "マスター+ランダム40+プリセット2+パック",
        "master+random40+preset2+pack",
        "MASTER + Random 40 + preset-2 + PACK",
        "ＭＡＳＴＥＲ＋ｒａｎｄｏｍ４０＋プリセット２＋ﾊﾟｯｸ",
        "pack+preset2+random40+master",
        "　マスター　＋　ランダム４０　＋　パック＋プリセット2",
    ],
)
def test_width_case_spaces_and_order_do_not_matter(text: str) -> None:
    assert Regulation.parse(text).text == "master+random40+preset2+pack"


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("lite+full+preset2", ("preset2", "lite")),
        ("extra+constructed40", ("constructed40", "extra")),
        ("master+entry+preset4", ("preset4", "entry")),
        ("master+entry+pack", ("pack", "entry")),
        ("master+full+pack", ("pack", "full")),
        ("extra+full+pack", ("pack", "extra")),
        ("master+full+preset2+preset4", ("preset2", "preset4")),
    ],
)
def test_the_cell_that_forbids(text: str, cell: tuple[str, str]) -> None:
    with pytest.raises(RegulationError) as caught:
        Regulation.parse(text)
    assert caught.value.cell == cell


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("master", "one frame; none"),
        ("full", "one format; none"),
        ("master+lite+full", "Master and Lite"),
        ("master+full+regular", "Full and Regular"),
        ("master+full+preset2+preset2", "named twice"),
        ("master+huge", "'huge'"),
        ("master++full", "empty"),
        ("", "empty"),
    ],
)
def test_text_that_is_no_regulation(text: str, complaint: str) -> None:
    with pytest.raises(RegulationError) as caught:
        Regulation.parse(text)
    assert complaint in caught.value.en
    assert caught.value.cell == ()


def test_rules_are_shared_and_fit_the_format() -> None:
    counts = {}
    for format in EDITION.formats:
        rules = Regulation.parse(f"{format.id}+full").rules()
        assert rules is Regulation.parse(f"{format.id}+full").rules()
        counts[format.id] = len([plan for plan in rules.plans if plan.stands_for < 0])
    assert counts == {f.id: sum(a.since <= f for a in EDITION.actions) for f in Format if f is not Format.OPTION}
    pack = Regulation.parse("lite+random40+pack").rules()
    assert [plan.id for plan in pack.plans if plan.limit_game] == ["open_pack"]


# -- decks -------------------------------------------------------------------------------------------------------------


def defects(text: str, *decks: Deck) -> list[str]:
    with pytest.raises(DeckError) as caught:
        check_decks(decks, Regulation.parse(text))
    assert len(caught.value.defects) == len(caught.value.defects_ja)
    assert all(caught.value.defects_ja)
    return caught.value.defects


def test_the_entry_deck_is_the_21_of_the_table() -> None:
    (deck,) = make_decks(Regulation.parse("lite+entry"), seeded(1))
    assert set(deck.cards) == set(cards("SA S2 S3 S4 S5 HA H8 H9 H10 HJ DA D3 D7 D10 DQ CA C5 C6 C10 CK JK"))


def test_random_decks() -> None:
    (forty,) = make_decks(Regulation.parse("master+random40"), seeded(5))
    assert len(set(forty.cards)) == 40
    assert len(members(forty.left_out)) == 14
    halves = make_decks(Regulation.parse("master+randomhalf"), seeded(5))
    assert sorted(halves[0].cards + halves[1].cards) == list(range(54))
    assert [len(deck.cards) for deck in halves] == [27, 27]
    assert make_decks(Regulation.parse("master+randomhalf"), seeded(6)) != halves
    check_decks(halves, Regulation.parse("master+randomhalf"))


@pytest.mark.parametrize("frame", ["regular", "constructed40", "constructedhalf"])
def test_built_in_decks_are_legal(frame: str) -> None:
    check_decks(built_in_decks(EDITION.find(frame)).decks, Regulation.parse(f"master+{frame}+preset2"))
    assert make_decks(Regulation.parse(f"master+{frame}"), seeded(1)) == built_in_decks(EDITION.find(frame)).decks


@pytest.mark.parametrize(
    ("text", "deck", "message"),
    [
        ("master+regular", Deck(tuple(range(54)) + (0,)), "♠A is there 2 times"),
        ("master+regular", Deck((*range(54), 99)), "99 is none of the 54 cards"),
        ("master+regular", Deck(cards("S2 S3 S4 S5 S6 S7 S8 S9 JK JK2") + (52,)), "3 Jokers; a player has two"),
        ("master+regular", Deck(tuple(range(9))), "9 cards; set-up needs at least 10 (R-190)"),
        ("master+regular+preset4", Deck(tuple(range(13))), "needs at least 14 (R-190)"),
        ("extra+regular", Deck(tuple(range(11)), (0, 1)), "needs at least 12 (R-190)"),
        ("master+constructed40", Deck(tuple(range(41))), "41 cards; Constructed 40 allows at most 40"),
        ("master+random40", Deck(tuple(range(39))), "39 cards; Random 40 needs exactly 40"),
        ("master+full", Deck(tuple(range(53))), "Full also has Joker"),
        (
            "lite+entry",
            Deck(cards("SA S2 S3 S4 S5 HA H8 H9 H10 HJ DA D3 D7 D10 DQ CA C5 C6 C10 CQ JK")),
            "Entry also has ♣K",
        ),
        ("extra+full", Deck(tuple(range(54)), (3, 3)), "the trump ♠4 is named twice"),
        ("extra+regular", Deck(tuple(range(20)), (30,)), "the trump ♢5 is not in the deck"),
        ("extra+full", Deck(tuple(range(54)), (1, 2, 3)), "3 trumps; Extra allows 2"),
        ("master+full", Deck(tuple(range(54)), (1,)), "1 trumps; Master allows none"),
    ],
)
def test_each_defect_has_its_message(text: str, deck: Deck, message: str) -> None:
    found = defects(text, deck)
    assert any(message in defect for defect in found), found


def test_one_message_per_defect() -> None:
    deck = Deck(cards("S2 S2 H3"), cards("DK"))
    found = defects("extra+regular", deck)
    assert found == [
        "♠2 is there 2 times",
        "the trump ♢K is not in the deck",
        "3 cards; set-up with 1 trumps and 0 preset characters needs at least 11 (R-190)",
    ]


def test_halves() -> None:
    small = Deck(tuple(range(20)))
    other = Deck(tuple(range(20, 40)))
    check_decks((small, other), Regulation.parse("master+constructedhalf"))
    assert defects("master+constructedhalf", small) == ["Constructed Half is played with 2 decks, not 1"]
    assert "in both decks" in defects("master+constructedhalf", small, small)[0]
    assert defects("master+constructedhalf", small, Deck(tuple(range(20, 25)))) == [
        "deck 2: 5 cards; set-up needs at least 10 (R-190)"
    ]
    assert "all 54 cards together" in defects("master+randomhalf", small, other)[0]
    check_decks((small, Deck(tuple(range(20, 54)))), Regulation.parse("master+randomhalf"))  # any n


# -- deck files --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "decks", [built_in_decks(f) for f in EDITION.frames if f.build == CONSTRUCTED], ids=lambda d: d.frame
)
def test_a_deck_file_is_read_back(decks: DeckList) -> None:
    assert parse_decks(write_decks(decks)) == decks


def test_a_deck_file_in_any_hand() -> None:
    read = parse_decks("# my deck\nname: Mine\n♠ A 2 10 J\nH 3, 4\nS5 ♢6 C: 7 8\nJK JK\ntrumps: SJ ♡4\n")
    assert read.name == "Mine"
    assert [NAMES[card] for card in read.decks[0].cards] == "SA S2 S5 S10 SJ H3 H4 D6 C7 C8 JK JK2".split()
    assert read.decks[0].trumps == cards("SJ H4")
    assert parse_decks(write_decks(read)) == read


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("♠ A 2 14", "line 1: '14' is no card"),
        ("S5 X7", "line 1: 'X7' is no card"),
        ("S5\nS5", "♠5 is there 2 times"),
        ("JK JK JK", "3 Jokers; a player has two"),
        ("frame: huge\nS5", "'huge' is no frame"),
    ],
)
def test_a_deck_file_error_names_its_line(text: str, message: str) -> None:
    with pytest.raises(DeckError) as caught:
        parse_decks(text)
    assert caught.value.defects == [message]


# -- set-up ------------------------------------------------------------------------------------------------------------


def started(text: str, seed: int = 1) -> Engine:
    engine = new_game(Regulation.parse(text), seeded(seed))
    engine.advance()
    return engine


def test_the_pack_holds_what_the_deck_lacks() -> None:
    engine = started("master+random40+preset2+pack")
    for side in engine.sides:
        assert len(members(side.pack)) == 14
        assert not side.pack & side.hand
        assert len(side.bulwarks) == len(side.soldiers) == 1
    assert all(side.pack == 0 for side in started("master+random40").sides)


def test_the_starting_hand_is_seven_cards() -> None:
    for text in ("lite+entry", "extra+full+preset2"):
        regulation = Regulation.parse(text)
        assert (regulation.starting_hand, regulation.rules().starting_hand) == (7, 7)
    assert MIN_CARDS == 10


@pytest.mark.parametrize("regulation", all_regulations(), ids=lambda r: r.text)
def test_set_up_of_all_known_regulations(regulation: Regulation) -> None:
    engine = new_game(regulation, seeded(3))
    engine.advance()
    while engine.setup_step < 2:
        assert regulation.most_trumps
        engine.push(engine.options[0])  # no trump
    assert engine.winner == UNDECIDED
    first = engine.turn
    for seat in (0, 1):
        side = engine.sides[seat]
        assert side.hand_count == regulation.starting_hand + (seat == first)
        assert len(side.bulwarks) == len(side.soldiers) == regulation.preset // 2
        assert side.fresh == 0


def test_trumps_are_chosen_in_secret_from_the_deck() -> None:
    engine = started("extra+full")
    assert engine.asked == 0
    engine.push(parse_card("H7"))
    assert parse_card("H7") not in engine.options
    engine.push(parse_card("S2"))
    assert engine.asked == 1
    assert engine.sides[0].trumps == []  # hidden until both have chosen
    assert len(engine.sides[0].life) == 54
    engine.push(255)
    assert [NAMES[card] for card in engine.sides[0].trumps] == ["H7", "S2"]  # in the order chosen
    assert engine.sides[0].open_trumps == 0
    assert engine.sides[1].trumps == []


def test_a_small_deck_cannot_spare_trumps() -> None:
    deck = Deck(tuple(range(11)))
    engine = new_game(Regulation.parse("extra+regular"), seeded(1), (deck, deck))
    engine.advance()
    engine.push(3)
    assert engine.asked == 1  # one trump leaves ten cards: no second one


@pytest.mark.parametrize(
    ("text", "table", "legal"),
    [
        ("lite+full+preset2", "5.3", ("スタンダード、プロ、マスター、エクストラ", "Standard, Pro, Master, Extra")),
        ("extra+constructed40", "5.2", ("レギュラー、フル", "Regular, Full")),
        (
            "master+entry+preset4",
            "5.3",
            ("「マスター+エントリー」で使えるのはプリセット2", "possible with Master + Entry: Preset 2"),
        ),
        ("extra+full+pack", "5.3", ("プリセット2、プリセット4", "Preset 2, Preset 4")),
    ],
)
def test_refusals_name_the_table_and_what_would_be_legal(text: str, table: str, legal: tuple[str, str]) -> None:
    with pytest.raises(RegulationError) as refused:
        Regulation.parse(text)
    assert f"表{table}" in refused.value.ja
    assert legal[0] in refused.value.ja
    assert f"Table {table}" in refused.value.en
    assert legal[1] in refused.value.en


def test_deck_files_in_japanese_and_full_width() -> None:
    written = parse_decks(
        "名前：赤い月\nフレーム：構築４０\nスペード Ａ ２ ３ １０ ジャック\n♡：Ａ　Ｋ\nダイヤの５、クラブ６ ジョーカー ジョーカー\n切札：スペードA、♡Ｋ　＃ 二枚\n"
    )
    plain = parse_decks("name: 赤い月\nframe: constructed40\nSA S2 S3 S10 SJ HA HK D5 C6 JK JK2\ntrumps: SA HK")
    assert written == plain
    assert written.frame == "constructed40"
    with pytest.raises(DeckError) as error:
        parse_decks("スペード 5 5 ほし3")
    assert "「ほし3」というカードはありません" in error.value.defects_ja[0]
    assert any("♠5" in defect for defect in error.value.defects_ja)
    assert parse_decks("deck 1\nS2\nデッキ２\nS3").decks[1].cards == parse_decks("S3").decks[0].cards


def test_how_a_random_half_is_split() -> None:
    halves = Regulation.parse("master+randomhalf")
    given = parse_decks("分け方：30")
    check_player_decks(given, halves)
    first, second = make_decks(halves, seeded(5), given)
    assert (len(first.cards), len(second.cards)) == (30, 24)
    assert sorted(first.cards + second.cards) == list(range(54))
    assert make_decks(halves, seeded(5)) != (first, second)
    for text, regulation in (
        ("split: 9", halves),
        ("split: 45", halves),
        ("split: x", halves),
        ("split: 30\nS2", halves),
        ("split: 30", Regulation.parse("master+random40")),
        ("split: 30", Regulation.parse("master+constructedhalf")),
    ):
        with pytest.raises(DeckError):
            check_player_decks(parse_decks(text), regulation)
    with pytest.raises(DeckError):
        check_player_decks(given, Regulation.parse("lite+full"))
