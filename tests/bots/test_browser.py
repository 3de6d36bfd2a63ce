"""Real-browser test of examples/bots/browser.js, the bot ladder and a bot's page; skipped without a browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from blackpoker.cli.bot import BotClient
from blackpoker.players.bots.bot_names import bot_of
from blackpoker.players.bots.process import terminate_all
from tests.bots.tools import CLASS, EXAMPLES, PYTHON_LINES
from tests.web import browser as b


def test_a_bot_in_the_console_and_the_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (b.STATIC / "index.html").exists():
        pytest.skip("the page is not built (make web)")
    why = b.missing()
    if why:
        pytest.skip(f"not tried in a browser: {why}")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    site = b.Site(tmp_path)
    site.start()
    try:
        pair = []
        for text, name in ((CLASS, "Rook"), (PYTHON_LINES, "Owl")):
            bot = bot_of(text)
            assert bot is not None
            pair.append(BotClient(bot, site.url, "", name, "en"))

        async def meet() -> None:
            await asyncio.gather(*(one.run(1) for one in pair))

        asyncio.run(meet())
        with b.browser() as chromium:
            for size, lang, played in (("desk", "en-US", "Lite · Entry"), ("phone", "ja-JP", "ライト・エントリー")):
                visit = b.Visit(chromium, site, size, lang)
                visit.go("/bots")
                visit.page.wait_for_selector("tbody tr")
                names = visit.page.locator("tbody a").all_inner_texts()
                assert sorted(names) == ["Owl", "Rook"]
                assert visit.overflow() == []
                visit.page.click("tbody a >> nth=0")
                visit.page.wait_for_selector(".plays")
                assert visit.page.locator("h2").first.inner_text() == names[0]
                assert played in visit.page.locator(".plays").inner_text()
                assert visit.page.locator("li a[href^='/replay/']").count() == 1
                assert visit.overflow() == []
                if size == "desk":
                    script = (EXAMPLES / "browser.js").read_text(encoding="utf-8")
                    visit.go("/")
                    result = visit.page.evaluate(f"async () => {{ {script}; return await game; }}")
                    assert result["match_over"] is True
                    assert result["winner"] in ("p1", "p2", "draw")
                assert visit.problems == []
                visit.context.close()
    finally:
        site.kill()
        terminate_all()
