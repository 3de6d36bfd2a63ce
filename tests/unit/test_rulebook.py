"""The rulebook as data: complete in both languages, every cited ruling exists, every ruling is proven, the search
works."""

import json
import re
from pathlib import Path

import pytest
from tests.git_files import known_to_git

from blackpoker.cli import docs
from blackpoker.ruleset import default_edition, standard_edition
from blackpoker.ruleset.reference import index, pages, search
from blackpoker.scenario.examples import Example, examples, examples_json
from blackpoker.scenario.scenario import read_scenario, run_scenario
from blackpoker.text import handbook, rulings
from blackpoker.text.catalogue import OPPONENT_TEXTS
from blackpoker.text.resources import LANGUAGES, Lang, text_editions
from blackpoker.text.search import folded, parse_card_name

ROOT = Path(__file__).parents[2]
SCENARIOS = {
    scenario.id: scenario
    for path in sorted((ROOT / "tests" / "scenarios").rglob("*.toml"))
    for scenario in [read_scenario(path.read_text(encoding="utf-8"))]
}
RULINGS = rulings.rulings()
JAPANESE = re.compile(r"[぀-ヿ㐀-鿿]")

#: Words in 「」 that are not an action, character or trump: quotations of a list or a player.
QUOTED = {
    "10枚以上",
    "1枚",
    "1体",
    "ステージが空",
    "できるだけ行う",
    "できない",
    "カウンターの対象にならない",
    "すべての兵士を",
    "自分",
    "自分の",
    "自分の場",
    "対戦相手",
    "同じスートを2枚",
    "同じ数字を2枚",
    "♡A〜K と ♢A〜K",
    "移せた場合",
    "選べた場合",
    "解決したとき",
    "数字",
    "準備",
    "速攻",
    "対象",
    "可能な限り",
    "仮想",
    "選んでもよい",
    "選ぶ",
    "兵士を1枚",
    "めくる",
    "出す",
    "出してもよい",
    "これで決定",
    "○○アクションを起こす",
    "切札の○○が表の場合",
    "自分の切札にある○○",
    "兵士を墓地に移した方のプレイヤー",
    "表向きから裏向きにする",
    "起因となったアクションのオーナー",
    "コントローラー",
    "兵士でブロックする場合は複数",
    "許可を得て行動する",
    "プレイヤー1人",
    "このターンが終わるまで自分の兵士全て",
    "カウンターアクションの対象にならない",
    "フォーマット＋フレーム（＋オプション）",
    "1ターンに1回",
    "直接起こせない",
    "ドライブする",
    "チャージする",
    "直接",
    "誘発",
    "即時",
    "通常",
    "メイン",
    "クイック",
    "チャージ",
    "ドライブ",
    "@直接-通常-メイン",
    "マスター+ランダム40+プリセット2+パック",
    "$BBL",
    "ステージ",
}

EDITION = standard_edition()


def written_files() -> list[Path]:
    """Return every hand-written text file of the repository (git's list, which excludes build results)."""
    names = known_to_git("--cached", "--others", "--exclude-standard") or [
        str(path.relative_to(ROOT)) for path in ROOT.rglob("*.*")
    ]
    wanted = {".py", ".toml", ".md", ".ts", ".svelte", ".txt", ".json"}
    return [ROOT / name for name in names if Path(name).suffix in wanted and (ROOT / name).is_file()]


def test_every_ruling_cited_anywhere_exists() -> None:
    cite = re.compile(r"\b(?:R-\d{2,3}|N-\d{3})\b")
    known = {id for edition in text_editions() for id in rulings.rulings(edition)}
    unknown: dict[str, set[str]] = {}
    for path in written_files():
        text = path.read_text(encoding="utf-8", errors="replace")
        if "package-lock" in path.name:
            continue
        for id in set(cite.findall(text)) - known:
            unknown.setdefault(id, set()).add(str(path.relative_to(ROOT)))
    assert unknown == {}


def test_rulings_stand_in_order_and_once() -> None:
    numbers = [ruling.number for chapter in rulings.chapters() for ruling in chapter.rulings]
    assert numbers == sorted(set(numbers))
    assert {number for number in numbers if number > 300} == set(range(301, max(numbers) + 1))
    assert all(re.fullmatch(r"R-\d{2,3}", id) for id in RULINGS)


@pytest.mark.parametrize("id", RULINGS)
def test_a_ruling_is_complete(id: str) -> None:
    ruling = RULINGS[id]
    for pair in (ruling.title, ruling.text):
        assert JAPANESE.search(pair.ja), id
        assert pair.en, id
        assert not JAPANESE.search(pair.en.replace("〜", "")), id
    assert bool(ruling.ours.ja) == bool(ruling.ours.en), id
    assert ruling.sources or ruling.ours.ja, f"{id}: from nowhere, and not ours either"
    assert ruling.proof, f"{id}: no scenario shows it"
    if ruling.number > 300:
        assert ruling.ours.ja, id
    for cited in re.findall(r"R-\d+", ruling.text.ja + ruling.text.en + ruling.ours.ja + ruling.ours.en):
        assert cited in RULINGS, f"{id} cites {cited}"


@pytest.mark.parametrize("id", RULINGS)
def test_a_ruling_has_its_sources(id: str) -> None:
    known = (
        {one.id for one in EDITION.actions}
        | {one.id for one in EDITION.characters}
        | {one.id for one in EDITION.trumps}
    )
    for source in RULINGS[id].sources:
        assert source.document in rulings.documents(), id
        for place in source.places:
            if source.document in ("list", "extra"):
                assert place in known, f"{id}: {place}"
            elif source.document == "rule":
                assert re.fullmatch(r"\d(\.\d+)*|fig\d\.\d+|tab\d\.\d+|\[\d+(-\d+)*\]", place), f"{id}: {place}"


@pytest.mark.parametrize("id", RULINGS)
def test_a_ruling_is_proven(id: str) -> None:
    """The scenarios exist and cite the ruling; tests/scenarios checks that they hold."""
    for proof in RULINGS[id].proof:
        assert proof.scenario in SCENARIOS, f"{id}: no scenario {proof.scenario}"
        scenario = SCENARIOS[proof.scenario]
        assert id in scenario.rulings, f"{id}: {proof.scenario} does not cite it"
        if proof.variant:
            assert proof.variant in {variant.name for variant in scenario.variants}, f"{id}: {proof.variant}"


def test_every_scenario_of_our_own_proves_its_ruling() -> None:
    own = {id for id in SCENARIOS if re.fullmatch(r"R-\d+", id)}
    assert own <= set(RULINGS)
    for id in own:
        assert id in {proof.scenario for proof in RULINGS[id].proof}, id


def test_shipped_examples_hold() -> None:
    """The scenarios that *try it* opens on the desk hold."""
    found = examples()
    known = {id for edition in text_editions() for id in rulings.rulings(edition)}
    assert {id for id in found if not id.startswith(("act.", "trump."))} <= known
    for id, example in found.items():
        scenario = read_scenario(example.text)
        assert id not in known or scenario.rulings == [id]
        for result in run_scenario(scenario):
            assert result.ok, f"{id}: line {result.line}: {result.text}: {result.error}"
    without = {id for id, ruling in RULINGS.items() if ruling.proof} - set(found)
    # set-up, regulations and matches are not positions
    assert without <= {f"R-{n:02d}" for n in (2, 57, 100, *range(190, 205), 307, 308, 313)}, without


# -- the chapters
# --------------------------------------------------------------------------------------------------------


def test_the_chapters_are_complete() -> None:
    assert [chapter.id for chapter in handbook.chapters()] == ["questions", "play", "core", "common", "regulations"]
    for section in handbook.sections().values():
        for pair in (section.title, section.text):
            assert JAPANESE.search(pair.ja), section.key
            assert pair.en, section.key
            assert not JAPANESE.search(pair.en.replace("〜", "")), section.key
        assert set(section.rulings) <= set(RULINGS), section.key
        assert section.rulings or section.table, section.key
    assert len(handbook.chapters()[0].sections) == 10


def test_how_to_play_fits_on_two_pages() -> None:
    """Two pages of print: about 2 000 characters of Japanese, 1 000 words of English, plus the table."""
    play = next(chapter for chapter in handbook.chapters() if chapter.id == "play")
    assert sum(len(section.text.ja) for section in play.sections) <= 2000
    assert sum(len(section.text.en.split()) for section in play.sections) <= 1000


def test_the_figure_of_the_flow_is_whole() -> None:
    points = {point.id for point in handbook.flow()}
    assert {str(number) for number in range(1, 16)} <= points
    reached = {edge.to for point in handbook.flow() for edge in point.edges}
    assert reached == points - {"1"}
    for point in handbook.flow():
        assert point.text.ja
        assert point.text.en
        assert len(point.edges) == (0 if point.id == "end" else 2 if point.question or point.id == "6b" else 1)


def test_names_in_brackets_are_names() -> None:
    names = (
        {one.ja for one in EDITION.actions}
        | {one.ja for one in EDITION.characters}
        | {one.ja for one in EDITION.trumps}
    )
    names |= (
        {one.ja for one in EDITION.formats} | {one.ja for one in EDITION.frames} | {one.ja for one in EDITION.options}
    )
    texts = [(r.id, r.text.ja + r.ours.ja) for r in RULINGS.values()]
    texts += [(section.key, section.text.ja) for section in handbook.sections().values()]
    unknown = {
        (id, name) for id, text in texts for name in re.findall("「([^」]*)」", text) if name not in names | QUOTED
    }
    assert unknown == set()


def test_japanese_is_written_one_way() -> None:
    """Joker, not JK; ranges with 〜; no half-width punctuation between Japanese; full stops at the end."""
    texts = [(r.id, line) for r in RULINGS.values() for line in (r.text.ja, r.ours.ja) if line]
    texts += [(section.key, section.text.ja) for section in handbook.sections().values()]
    for id, text in texts:
        assert "JK" not in text, id
        assert not re.search(r"[0-9AJQK♠♡♢♣]-[0-9AJQK]", text.replace("tests/", "")) or "R-" in text or "[" in text, id
        assert not re.search(r"[぀-ヿ㐀-鿿][,.:;!?()]|[,;!?()][぀-ヿ㐀-鿿]", text.replace("tests/", "")), id
        assert text.rstrip()[-1] in "。）", f"{id}: {text[-20:]}"


# -- pages and search --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_has_its_number_once(lang: Lang) -> None:
    made = [(page.kind, page.id) for page in pages(lang)]
    assert len(set(made)) == len(made)
    assert {id for kind, id in made if kind == "ruling"} == set(RULINGS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_other_side_reads_prompts_of_its_opponent(lang: Lang) -> None:
    """A first clause addressed to its owner has a second version for the opponent; no other clause has one."""
    actions = {page.id: page for page in pages(lang) if page.kind == "action"}
    opponent_texts = {id: page.opponent_text for id, page in actions.items() if page.opponent_text}
    assert set(opponent_texts) == set(OPPONENT_TEXTS)
    for id, text in opponent_texts.items():
        assert text != actions[id].clauses[0]
        assert not re.search(r"\byour\b|自分", text), id


@pytest.mark.parametrize(
    ("query", "first"),
    [
        # everyday words
        ("負け", "questions.win"),
        ("山札切れ", "questions.win"),
        ("勝利条件", "questions.win"),
        ("lose", "questions.win"),
        ("how do I lose?", "questions.win"),
        ("山札が切れたら", "questions.win"),
        ("mulligan", "questions.start"),
        ("マリガン", "questions.start"),
        ("引き直し", "questions.start"),
        ("先攻", "questions.start"),
        ("who goes first", "R-192"),
        ("手札の上限", "questions.draw"),
        ("hand limit", "questions.draw"),
        ("召喚酔い", "questions.attack"),
        ("summoning sickness", "questions.attack"),
        ("兵士が攻撃できない", "questions.attack"),
        ("コスト", "questions.costs"),
        ("割り込み", "questions.interrupt"),
        ("ジョーカー", "search"),
        ("相手の手札", "questions.hidden"),
        ("投了", "R-223"),
        ("カウンターにカウンターできる？", "R-159"),
        ("may I counter a counter?", "R-159"),
        ("time limit", "R-223"),
        ("what happens with no cards left?", "questions.win"),
        ("同じ数字だとどうなる", "R-67"),
        ("キングはブロックできる？", "questions.block"),
        ("Can a King be blocked?", "questions.block"),
        ("防壁は何枚まで", "questions.turn"),
        ("how many bulwarks may I have?", "questions.turn"),
        ("相手のターンに使えるカード", "questions.interrupt"),
        ("何人で遊ぶ", "common.needs"),
        ("how many players", "common.needs"),
        ("what can I do on my opponent's turn", "questions.interrupt"),
        # names
        ("ブロック", "block"),
        ("ぶろっく", "block"),
        ("BLOCK", "block"),
        ("カウンター", "counter"),
        ("Counter", "counter"),
        ("プリセット2", "preset2"),
        ("ﾌﾟﾘｾｯﾄ２", "preset2"),
        # cards
        ("♢5", "loss"),
        ("◇5", "loss"),
        ("♦5", "loss"),
        ("D5", "loss"),
        ("ダイヤの5", "loss"),
        ("5 of diamonds", "loss"),
        ("♠J", "reanimator"),
        ("♠Ｊ", "reanimator"),
        ("スペードのJ", "reanimator"),
        ("jack of spades", "reanimator"),
        # numbers
        ("R-154", "R-154"),
        ("r154", "R-154"),
        ("Ｒ－１５４", "R-154"),
        ("R-5", "R-05"),
    ],
)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_search(lang: Lang, query: str, first: str) -> None:
    found = search(query, lang).pages
    assert found, query
    assert found[0].id == first, [page.id for page in found[:5]]
    assert len({(page.kind, page.id) for page in found}) == len(found)


def test_search_by_card_names_what_the_card_can_do() -> None:
    ids = [page.id for page in search("♢5", "en").pages]
    for id in ("twist", "ceasefire", "recruit", "summon_soldier", "destroy_bulwark", "common_soldier"):
        assert id in ids, id
    assert "up" not in ids


def test_search_by_number_names_what_cites_it() -> None:
    assert [page.id for page in search("R-154", "en").pages][:3] == ["R-154", "up", "down"]
    assert search("r 999", "en").pages == []


@pytest.mark.parametrize("query", ["", " ", "zzz", "nothing_like_this", "???", "♠", "-" * 300])
def test_search_for_nothing(query: str) -> None:
    assert [page.id for page in search(query, "ja").pages] == [] or query == "♠"


def test_search_is_quick() -> None:
    import time

    index(default_edition())
    begin = time.process_time()
    for _ in range(20):
        search("兵士が攻撃できないのはなぜですか", "ja")
    assert (time.process_time() - begin) / 20 < 0.1


def test_cards_by_name() -> None:
    assert (
        parse_card_name("♥10")
        == parse_card_name("H10")
        == parse_card_name("ハートの10")
        == parse_card_name("10 of hearts")
    )
    assert parse_card_name("hello") == -1
    assert folded("ﾌﾞﾛｯｸ") == folded("ぶろっく") == folded("ブロック")


# -- generated files
# -----------------------------------------------------------------------------------------------------


def test_files_out_of_step_are_found(tmp_path: Path) -> None:
    wanted = docs.files(ROOT)
    docs.write(tmp_path, wanted)
    assert docs.outdated(tmp_path, wanted) == []
    (tmp_path / "docs/rules/en/actions.md").write_text("something else")
    (tmp_path / "docs/rulings/left_over.md").write_text("")
    (tmp_path / "docs/rules/ja/characters.md").unlink()
    assert docs.outdated(tmp_path, wanted) == [
        "docs/rules/en/actions.md",
        "docs/rules/ja/characters.md",
        "docs/rulings/left_over.md",
    ]
    docs.write(tmp_path, wanted)
    assert docs.outdated(tmp_path, wanted) == []


def test_links_of_the_generated_docs_lead_somewhere(tmp_path: Path) -> None:
    """Links lead to another page or to a scenario of the repository."""
    wanted = docs.files(ROOT)
    docs.write(tmp_path, wanted)
    pages = {path: text for path, text in wanted.items() if path.suffix == ".md"}
    assert len(pages) > 40
    for path, text in pages.items():
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
            found = [(root / path.parent / target).resolve() for root in (tmp_path, ROOT)]
            assert any(place.exists() for place in found), f"{path}: {target}"


def test_an_installed_package_has_the_same_examples() -> None:
    """``setup.py`` writes them into the package as JSON."""
    assert {id: Example(**entry) for id, entry in json.loads(examples_json()).items()} == examples()


# -- the server's pages
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_server_has_every_page_and_the_same_search(lang: Lang) -> None:
    from blackpoker.server.http.api import rule_pages

    listed = {(page.kind, page.id) for page in (*rule_pages.rules(lang, EDITION), *rule_pages.rulebook(lang, EDITION))}
    assert listed == {(page.kind, page.id) for page in pages(lang)}
    found, expected = rule_pages.search(lang, "負け", EDITION), search("負け", lang)
    assert [page.id for page in found.pages[:3]] == [page.id for page in expected.pages[:3]]
    assert found.sure == expected.sure
    ruling = rule_pages.find_page(lang, "R-154", EDITION)
    assert ruling is not None
    assert ruling.example
    example = rule_pages.find_example("R-154", EDITION)
    assert example is not None
    assert read_scenario(example.text).rulings == ["R-154"]
    assert rule_pages.find_example("R-203", EDITION) is None
    assert rule_pages.find_page(lang, "nothing", EDITION) is None


#: a newcomer's query after ``blackpoker rules``, and the fact that the output must contain
QUESTIONS = {
    "win": (
        ("負け", "ライフが0枚になったプレイヤーの負けです"),
        ("how do I lose?", "A player with 0 cards of life loses"),
    ),
    "start": (("マリガンはある？", "引き直し（マリガン）はありません"), ("mulligan", "There is no mulligan")),
    "turn": (
        ("自分のターンに何ができる", "好きな順に好きなだけアクションを起こせます"),
        ("what can I do on my turn", "request actions, in any order, as many as you like"),
    ),
    "draw": (("手札は何枚まで", "手札の上限は7枚"), ("hand limit", "The hand limit is seven")),
    "costs": (
        ("コストとは", "手札を1枚捨てる"),
        ("what does B cost", "drive (turn sideways) one of your charged bulwarks"),
    ),
    "attack": (
        ("いつ攻撃できる？", "出したターンには攻撃できません"),
        ("summoning sickness", "cannot attack on the turn they enter"),
    ),
    "block": (("攻撃を防ぐには", "防壁は必ず墓地に移ります"), ("how do I defend", "If you block, you take no damage")),
    "interrupt": (
        ("割り込みたい", "両者がパスすると、一番上から1つずつ解決します"),
        ("why does it stop", "because you hold the chance"),
    ),
    "cards": (("絵札は何に使う", "Joker が0"), ("face cards", "J 11, Q 12, K 13, a Joker 0")),
    "hidden": (("相手の手札は何枚", "10枚未満なら正確な枚数"), ("what may I know", "exact life is public below ten")),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_ten_questions_in_one_command(question: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Everyday words find each question, and its answer is printed first."""
    from blackpoker.cli import run

    section = next(one for one in handbook.chapters()[0].sections if one.id == question)
    languages: tuple[Lang, Lang] = ("ja", "en")
    for lang, (words, fact) in zip(languages, QUESTIONS[question], strict=True):
        assert run(["rules", words, "--lang", lang]) == 0
        output = capsys.readouterr().out
        assert output.splitlines()[0].startswith(section.title.in_lang(lang)[:12]), (words, output)
        answer = "".join(output.partition("ほかに" if lang == "ja" else "\nSee also")[0].split())
        assert "".join(fact.split()) in answer, (words, output)


def test_ten_questions_are_shown() -> None:
    assert list(QUESTIONS) == [section.id for section in handbook.chapters()[0].sections]
    assert len(QUESTIONS) == 10
