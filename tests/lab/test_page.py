"""The report in Chromium, opened from a file: both languages, an empty console, no axe violations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blackpoker.lab import Arm, Experiment, run
from blackpoker.lab.report import write_report
from blackpoker.ruleset import standard_edition
from tests.web.browser import PATIENCE, ROOT, browser, chromium

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
VIOLATIONS = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations.map(
  v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | '))"""


@pytest.mark.skipif(not chromium(), reason="there is no Chromium here")
def test_the_report_opens_in_a_browser(tmp_path: Path) -> None:
    cheap = standard_edition().change("summon_hero", cost="").rename("cheap hero")
    arms = (
        Arm("base", "extra+full", ("random", "random")),
        Arm("安い英雄", "extra+full", ("random", "random"), edition=cheap),
    )
    run(Experiment("英雄 & heroes", arms, deals=12), tmp_path / "r.lab", jobs=1)
    write_report(tmp_path / "r.lab", tmp_path / "r.html", editions=[cheap])
    problems: list[str] = []
    with browser() as found:
        for width in (1280, 390):
            page = found.new_page(viewport={"width": width, "height": 800})
            page.set_default_timeout(PATIENCE)
            page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on(
                "request",
                lambda asked: problems.extend(
                    url for url in (asked.url,) if not url.startswith(("file:", "data:", "blob:"))
                ),
            )
            page.goto((tmp_path / "r.html").as_uri())
            page.evaluate("() => document.querySelectorAll('details').forEach(box => { box.open = true })")
            for lang, word, other in (("ja", "分かったこと", "What it says"), ("en", "What it says", "分かったこと")):
                page.click(f"[data-lang={lang}]")
                text = page.inner_text("main")
                assert word in text
                assert other not in text
                check_report(page, lang)
            assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
            page.close()
    assert problems == []


def check_report(page: Any, lang: str) -> None:
    """Turn the pages of the first replay and run axe on the document."""
    pane = page.locator(".pane").first
    before = pane.locator(".move-text").inner_text()
    pane.locator("button").nth(1).click()
    assert pane.locator(".move-text").inner_text() != before
    pane.locator("button").nth(0).click()
    assert pane.locator(".move-text").inner_text() == before
    assert ("ライフ" if lang == "ja" else "life") in pane.inner_text()
    if AXE.exists():
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert page.evaluate(VIOLATIONS) == []
