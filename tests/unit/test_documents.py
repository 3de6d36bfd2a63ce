"""The documents name existing files, and all parts of the package are in the table of layers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from benchmarks import strength
from tests.git_files import known_to_git
from tools.screenshots import shown

from blackpoker.text.resources import Lang, text_editions
from blackpoker.text.rulings import rulings

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "blackpoker"
DOCUMENTS = [
    *ROOT.glob("*.md"),
    *(ROOT / "docs").glob("*.md"),
    *(ROOT / "docs" / "guide").glob("*.md"),
    *(ROOT / "docs" / "adr").glob("*.md"),
]
#: a path starts from one of these folders; a document of the server or the page may start from its subject
BEGINNINGS = (
    ROOT,
    PACKAGE.parent,
    PACKAGE,
    PACKAGE / "server",
    PACKAGE / "native",
    ROOT / "web",
    ROOT / "web" / "src",
    ROOT / "tests",
)
#: first page of each guide, which the READMEs link to: player, programmer, bot author, researcher, rules designer,
#: operator, contributor; a Japanese page is preferred where there is one
FIRST_PAGES = (
    "docs/guide/play",
    "docs/guide/api",
    "docs/guide/bots",
    "docs/guide/envs",
    "docs/guide/rules",
    "docs/guide/server",
    "CONTRIBUTING",
)
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
ENDINGS = ("", ".py", ".ts", ".svelte")
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|ts|svelte|css|toml|h|cpp|md|svg))`")
MODULE = re.compile(
    r"`((?:engine|definitions|content|text|notation|ruleset|assist|game|formats|scenario|ai|native|protocol|players|learn|smoke|printing|server|rooms|ws|http|lab|envs|cli)/[\w/]+)`"
)
#: paths that exist only in an installed package, a built page or a reader's own folder
ELSEWHERE = re.compile(
    r"native/made_from\.txt|text/javascript|(?:docs/)?rul(?:es|ings)/(?:ja|en|$)|docs/(?:rules|rulings)/|docs/adr/NNN|(?:build|dist|house|scenarios)/"
)


#: a file named without its folder
FILE = re.compile(r"`([\w.-]+\.(?:py|ts|svelte|toml|yaml|json|jsonl|csv|cpp|h|svg|html|service|md))`")
#: files that a reader's own commands make
MADE = set(
    "mybot.py thinker.py bots.json report.html extra.html house.html blackpoker-verifier.html rounds.jsonl rounds.svg".split()
)


def is_there(path: str) -> bool:
    return any((folder / (path + ending)).exists() for folder in BEGINNINGS for ending in ENDINGS)


def test_a_path_that_is_gone_is_found() -> None:
    text = "see `board/Palette.svelte`, `engine/atoms` and `text/never`"
    assert [path for path in [*PATH.findall(text), *MODULE.findall(text)] if not is_there(path)] == [
        "board/Palette.svelte",
        "text/never",
    ]


def anchors(text: str) -> set[str]:
    """Return the places of a document that a link can name, as the code host names its headings."""
    found = set(re.findall(r'<a id="([^"]+)"', text))
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S), re.MULTILINE):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")
        found.add(next(name for n in range(99) if (name := f"{slug}-{n}" if n else slug) not in found))
    return found


def lost_links(document: Path, text: str) -> list[str]:
    """Return the links of a document that lead nowhere in this repository."""
    lost = []
    for link in LINK.findall(CODE.sub("", text)):
        if re.match(r"https?:", link):
            continue
        path, _, place = link.partition("#")
        target = document.parent / path if path else document
        named = place and target.suffix == ".md" and target.exists()
        if not target.exists() or (named and place not in anchors(target.read_text(encoding="utf-8"))):
            lost.append(link)
    return lost


def test_a_link_that_leads_nowhere_is_found() -> None:
    text = "[a](docs/never.md) [b](docs/faq.md#never) [c](docs/faq.md#questions) `[d](never)` [e](https://semver.org/)"
    assert lost_links(ROOT / "README.md", text) == ["docs/never.md", "docs/faq.md#never"]
    assert anchors("# A b\n## A *b*: `c`\n```text\n# no\n```\n## A b") == {"a-b", "a-b-c", "a-b-1"}


def test_every_link_leads_somewhere() -> None:
    documents = [ROOT / name for name in known_to_git("*.md")] or DOCUMENTS
    assert len(documents) > 30
    lost = {path.name: found for path in documents if (found := lost_links(path, path.read_text(encoding="utf-8")))}
    assert not lost


def test_the_rulings_of_the_documents_exist() -> None:
    known = {id for edition in text_editions() for id in rulings(edition)}
    for path in (ROOT / name for name in known_to_git("*.md")):
        cited = set(re.findall(r"\b[RN]-\d{2,3}\b", path.read_text(encoding="utf-8")))
        assert cited <= known, (path.name, cited - known)


@pytest.mark.parametrize(("name", "own"), [("README.md", ""), ("README.ja.md", ".ja")])
def test_each_guide_is_one_click_from_the_readme(name: str, own: str) -> None:
    table = (ROOT / name).read_text(encoding="utf-8").partition('<a id="docs"></a>')[2]
    links = LINK.findall(table)
    for page in FIRST_PAGES:
        wanted = f"{page}{own}.md" if (ROOT / f"{page}{own}.md").exists() else f"{page}.md"
        assert wanted in links, wanted


#: names of buttons and screens in documents for players: *Name*, 「名前」
LABEL = {"en": re.compile(r"(?<![*\w])\*([A-Z][^*\n]+)\*(?!\*)"), "ja": re.compile("「([^」]+)」")}
#: quoted for another reason
NO_LABELS = {"Example.", "10枚以上", "ライト＋エントリー16", "ハーフ"}
PLAYERS = ("README", "docs/how-to-play", "docs/faq", "docs/guide/play")
#: other documents with names from the page
OTHERS = ("docs/fairness", "docs/guide/static", "docs/guide/accessibility", "docs/guide/server")


def unknown_labels(text: str, lang: Lang) -> list[str]:
    """Return the labels of a text that begin no text of the page, the catalogue or the editions."""
    known = sorted(shown.known_texts(lang))
    labels = {part.strip() for label in LABEL[lang].findall(text) for part in label.split("→")}
    return sorted(label for label in labels - NO_LABELS if not any(each.startswith(label) for each in known))


@pytest.mark.parametrize(
    ("name", "lang"),
    [*((f"{name}.md", "en") for name in (*PLAYERS, *OTHERS)), *((f"{name}.ja.md", "ja") for name in PLAYERS)],
)
def test_names_of_buttons_and_screens_are_those_of_the_page(name: str, lang: Lang) -> None:
    assert unknown_labels((ROOT / name).read_text(encoding="utf-8"), lang) == []


def test_a_name_that_the_page_lacks_is_found() -> None:
    assert unknown_labels("Choose *Play*, then *Never so* and **bold**; *Me → Account*.", "en") == ["Never so"]
    assert unknown_labels("「対戦」と「ありえない」", "ja") == ["ありえない"]


def test_the_screens_of_the_guide_have_these_addresses() -> None:
    """The table of screens, in both languages; `shell/navigation.ts` and the screens' folders have the addresses."""
    navigation = (ROOT / "web" / "src" / "shell" / "navigation.ts").read_text(encoding="utf-8")
    paths = set(re.findall(r'path: "([^"]+)"', navigation)) | {"/print", "/settings"}
    assert all((ROOT / "web" / "src" / "screens" / name).exists() for name in ("print", "settings"))
    rows = {}
    for lang in ("", ".ja"):
        text = (ROOT / f"docs/guide/play{lang}.md").read_text(encoding="utf-8")
        rows[lang] = re.findall(r"^\| [^|]+ \| `(/\w*)` \|", text, re.MULTILINE)
        assert set(re.findall(r"`(/\w*)`", text)) <= paths
    assert rows[""] == rows[".ja"]
    assert len(rows[""]) >= 10


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_files_a_document_names_are_there(document: Path) -> None:
    if document.name == "CHANGELOG.md":
        pytest.skip("it tells of what was")
    text = document.read_text(encoding="utf-8")
    named = {path for path in [*PATH.findall(text), *MODULE.findall(text)] if not ELSEWHERE.match(path)}
    beside = {path for path in named if (document.parent / path).exists()}
    assert [path for path in sorted(named - beside) if not is_there(path)] == []


def test_a_file_named_without_its_folder_is_somewhere() -> None:
    known = {name.rpartition("/")[2] for name in known_to_git()}
    if not known:
        pytest.skip("no checkout")
    lost = {}
    for path in (ROOT / name for name in known_to_git("*.md") if name != "CHANGELOG.md"):
        text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        lost[path.name] = sorted(set(FILE.findall(text)) - known - MADE)
    assert {name: files for name, files in lost.items() if files} == {}


def test_the_pictures_of_the_readme_show_texts_of_today() -> None:
    kept = json.loads(shown.LIST.read_text("utf-8"))
    assert set(kept) == {"table.webp", "table.ja.webp", "table-moves.webp", "table.ja-moves.webp"}
    for name, picture in kept.items():
        assert len(picture["texts"]) >= 15, f"{name}: the list is too short to notice a change"
        wrong = shown.out_of_date(name)
        assert not wrong, f"docs/pictures/{name}: run python -m tools.screenshots.readme. {wrong}"


def test_a_text_that_is_gone_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    known = shown.known_texts("en")
    assert shown.texts_on(["  Your turn. What do you do? ", "no such text", "P1 passes."], "en") == [
        "Your turn. What do you do?",
        "{0} passes.",
    ]
    monkeypatch.setattr(shown, "known_texts", lambda lang: known - {"Block like this"} if lang == "en" else known)
    assert "“Block like this” is no longer a text" in shown.out_of_date("table.webp")


def test_the_layers_are_all_of_the_package() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = text[text.index("| From top to bottom") : text.index("**The public object.**")]
    named = {name.strip("/").removesuffix(".py") for name in re.findall(r"`([\w/]+(?:\.py|/))`", table)}
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "_build", "_native_library"}
    assert folders | modules <= named
    tops = {name for name in named if "/" not in name}
    assert all(
        (PACKAGE / name).exists() or (PACKAGE / f"{name}.py").exists() or list(PACKAGE.glob(f"*/{name}"))
        for name in tops
    )


def test_the_strength_of_the_levels_is_written_from_one_results_file() -> None:
    """The tables of the document and the figures of the page: `python -m benchmarks.strength` writes them."""
    scores = strength.read_store()
    text = strength.DOCUMENT.read_text("utf-8")
    assert set(re.findall(r"<!-- table ([\w ]+) -->", text)) == set(strength.sections(scores))
    assert strength.document(text, scores) == text
    assert strength.page(scores) == strength.PAGE.read_text("utf-8")


def test_portions_of_a_match_count_once(tmp_path: Path) -> None:
    row = {"match": strength.line("god", "master", "lite+entry"), "games": 10, "time": [10, 1], "choices": [5, 5]}
    results = tmp_path / "results.jsonl"
    lines = [json.dumps({**row, "start": start, "won": won}) for start, won in ((0, 6), (5, 7.5), (0, 6))]
    results.write_text("\n".join(lines) + '\n{"match": "interr', "utf-8")
    scores = strength.sum_portions([results])
    assert strength.cell(scores["god – master | lite+entry"]) == "67.5 % of 20 (45.7–83.7)"
    assert strength.cell(None) == "–"
    store = tmp_path / "strength.json"
    strength.write_store(scores, store)
    assert strength.read_store(store) == scores
