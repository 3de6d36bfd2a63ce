"""The built documentation site (``make docs``), opened from its folder without a server or a network."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.web import browser as b

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "build" / "site"
#: kB: limit of a page's pictures, for slow connections
MOST_PICTURES = 1_100

pytestmark = pytest.mark.skipif(not (SITE / "index.html").exists(), reason="the site is not built (make docs)")

#: search queries, and the page that must be among the first three results
QUESTIONS = {
    "block an attacker": "rulings/en/f_combat.html",
    "install and start": "index.html",
    "backup and restore the database": "guide/deploy.html",
    "write my own bot": "guide/bots.html",
    "local rules package": "guide/rules.html",
    "PettingZoo environment": "guide/envs.html",
    "what does Counter negate": "rules/en/actions.html",
    "websocket messages": "protocol.html",
    "prove a shuffle with the receipt": "fairness.html",
    "hand limit": "rulings/en/e_turn.html",
    "resign": "rulings/en/l_ends.html",
    "カウンター": "rules/ja/actions.html",
    "防壁とは": "rules/ja/questions.html",
    "降参": "rulings/ja/l_ends.html",
    "手札の上限": "rulings/ja/e_turn.html",
    "先攻の決め方": "rulings/ja/j_setup.html",
    "切札を置く": "rulings/ja/h_trumps.html",
    "ライフがなくなったら": "rules/ja/common.html",
    "リアニメイト": "rules/ja/actions.html",
    "インストール": "index.ja.html",
    "how to play": "how-to-play.html",
    "遊び方": "how-to-play.ja.html",
    "docker": "guide/deploy.html",
    "相手のライフを数える": "rulings/ja/k_information.html",
    "サーバー": "guide/server.ja.html",
    "ボット": "guide/bots.ja.html",
    "ルールを教えて": "how-to-play.ja.html",
    "デッキの作り方": "how-to-play.ja.html",
    "レギュレーションの決め方": "rules/ja/regulations.html",
}


class Links(HTMLParser):
    """A page's links, loaded files and anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        self.places |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.leads.append(found["href"])
        if tag in ("img", "script") and "src" in found:
            self.loads.append(found["src"])
        if tag == "link" and found.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(found["href"])


def pages() -> dict[Path, Links]:
    return {
        path: Links(path.read_text(encoding="utf-8"))
        for path in sorted(SITE.rglob("*.html"))
        if path.name != "404.html"
    }


def test_every_link_leads_somewhere() -> None:
    known = pages()
    assert len(known) > 60
    lost = []
    for path, page in known.items():
        for link in page.leads:
            if ":" in link.split("/")[0]:
                continue
            target, _, place = link.partition("#")
            there = (path.parent / unquote(target)).resolve() if target else path
            if not there.exists():
                lost.append(f"{path.relative_to(SITE)}: {link}")
            elif place and there in known and unquote(place) not in known[there].places:
                lost.append(f"{path.relative_to(SITE)}: {link}: no such place")
    assert not lost, lost[:20]


def test_nothing_is_loaded_from_elsewhere_and_pictures_are_light() -> None:
    for path, page in pages().items():
        assert not [name for name in page.loads if "//" in name], path
        here = [(path.parent / name).resolve() for name in page.loads]
        assert all(file.exists() for file in here), path
        pictures = [file for file in here if file.suffix in (".webp", ".png", ".svg")]
        assert sum(file.stat().st_size for file in pictures) <= MOST_PICTURES * 1000, path


def test_contents_of_the_site() -> None:
    """Both languages, every ruling, every public name."""
    import blackpoker
    from blackpoker.text import rulings

    reference = Links((SITE / "reference.html").read_text(encoding="utf-8")).places
    names = {place.rpartition(".")[2] for place in reference}
    assert set(blackpoker.__all__) - {"__version__"} <= names
    for lang in ("en", "ja"):
        text = "".join(path.read_text(encoding="utf-8") for path in (SITE / "rulings" / lang).glob("*.html"))
        missing = [id for id in rulings.rulings() if f">{id} " not in text]
        assert not missing, missing


@pytest.fixture(scope="module")
def search() -> Iterator[Any]:
    """Yield a browser page with the site's search opened."""
    why = b.missing()
    if why:
        pytest.skip(f"the search was not tried: {why}")
    with b.browser() as chromium:
        page = chromium.new_page()
        outside: list[str] = []
        page.on("request", lambda request: outside.append(request.url) if request.url.startswith("http") else None)
        page.goto((SITE / "index.html").as_uri())
        page.evaluate("document.querySelector('#__search').click()")
        page.locator("input.md-search__input").focus()
        page.wait_for_function("document.querySelector('.md-search-result__meta').textContent.includes('Type')")
        yield page
        assert not outside, outside


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_search_finds(question: str, search: Any) -> None:
    box = search.locator("input.md-search__input")
    box.fill("zzzzqqqq")  # matches nothing, so that old results are gone
    box.dispatch_event("keyup")
    search.wait_for_function("document.querySelector('.md-search-result__meta').textContent.includes('No matching')")
    box.fill(question)
    box.dispatch_event("keyup")
    search.wait_for_function("/[0-9]+ matching/.test(document.querySelector('.md-search-result__meta').textContent)")
    found = search.eval_on_selector_all(
        ".md-search-result__item", "items => items.slice(0, 3).map(item => item.querySelector('a').href)"
    )
    names = [link.partition("/build/site/")[2].partition("?")[0].partition("#")[0] for link in found]
    assert QUESTIONS[question] in names, names
