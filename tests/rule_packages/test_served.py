"""A server that uses the worked example: its API, its rooms, its page, and its behaviour without the package."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.rule_packages.test_load import HOUSE
from tests.web import browser as b


def call(site: b.Site, path: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(site.url + path, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def refusal(site: b.Site, path: str, body: dict[str, Any] | None = None) -> tuple[int, str]:
    with pytest.raises(urllib.error.HTTPError) as refused:
        call(site, path, body)
    with refused.value as answer:
        return answer.code, answer.read().decode()


def test_a_server_plays_by_what_its_operator_named(tmp_path: Path) -> None:
    site = b.Site(tmp_path, "--rules", str(HOUSE))
    site.start()
    try:
        regulations = call(site, "/api/regulations")
        assert "lite+house30" in regulations["legal"]
        assert [package["id"] for package in regulations["packages"]] == ["house"]
        assert "bolt" in [page["id"] for page in call(site, "/api/rules?lang=en")]
        assert call(site, "/api/rules/local.rules?lang=ja")["title"] == "ローカルルール"
        assert call(site, "/api/rulebook?lang=en")[0]["id"] == "local.rules"
        assert call(site, "/api/lobby")["shown"], "the games that are always there were played by the standard rules"
        created = call(site, "/api/rooms", {"regulation": "lite+house30", "opponent": "easy"})
        room = created["room"]["id"]
        assert [package["en"] for package in created["room"]["packages"]] == ["House rules"]
        code, _ = refusal(site, "/api/rooms", {"regulation": "lite+entry", "rules": str(HOUSE)})
        assert code == 422, "a client names no rules of its own"
    finally:
        site.kill()
    plain = b.Site(tmp_path)
    plain.start()
    try:
        assert call(plain, "/api/regulations").get("packages", []) == []
        code, text = refusal(plain, f"/api/rooms/{room}")
        assert code == 422
        assert "house 1.0 is missing" in text
    finally:
        plain.kill()


def test_the_page_shows_the_package(tmp_path: Path) -> None:
    if not (b.STATIC / "index.html").exists():
        pytest.skip("the page is not built (make web)")
    why = b.missing()
    if why:
        pytest.skip(f"the page was not tried in a browser: {why}")
    site = b.Site(tmp_path, "--rules", str(HOUSE))
    site.start()
    try:
        with b.browser() as chromium:
            visit = b.Visit(chromium, site, "desk", "ja-JP")
            page = visit.page
            visit.go("/play")
            page.wait_for_selector("[data-package=house]")
            created = visit.post("/api/rooms", {"regulation": "lite+house30", "opponent": "human"})
            visit.go(created["path"])
            chip = page.wait_for_selector("[data-package=house]")
            assert "ハウスルール 1.0" in chip.inner_text()
            chip.click()
            page.wait_for_selector("text=新しいアクション「落雷」")
            visit.go("/rules/bolt")
            page.wait_for_selector("#action-bolt")
            assert "対象を墓地に移す。" in page.inner_text("#action-bolt")
            created = visit.post("/api/rooms", {"regulation": "lite+house30", "opponent": "easy"})
            visit.go(created["path"])
            page.wait_for_selector("[data-package=house]")
            assert visit.problems == []
            visit.context.close()
    finally:
        site.kill()
