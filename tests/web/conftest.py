from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.web import browser as b
from tests.web.proxied_site import USE_FOLDER, Proxied
from tests.web.static_site import PREFIX, StaticSite, excluded


@pytest.fixture(scope="session")
def able() -> None:
    why = b.missing()
    if why:
        pytest.skip(f"browser tests: {why}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        why = excluded(item.nodeid)
        if why:
            item.add_marker(pytest.mark.skip(reason=f"static page: {why}"))


@pytest.fixture(scope="session")
def site(able: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[b.Site | StaticSite]:
    folder = tmp_path_factory.mktemp("site")
    found = StaticSite(folder) if PREFIX else Proxied(folder) if USE_FOLDER else b.Site(folder)
    found.start()
    yield found
    found.leave() if isinstance(found, Proxied) else found.kill()


@pytest.fixture(autouse=True)
def same_chance_there(request: pytest.FixtureRequest) -> None:
    """Seed the shared server's randomness with the name of the running test."""
    if "site" in request.fixturenames:
        site: b.Site | StaticSite = request.getfixturevalue("site")
        site.draw_from(request.node.nodeid)


@pytest.fixture(scope="module")
def chromium(able: None) -> Iterator[Any]:
    with b.browser() as found:
        yield found


#: pages that were open before a test: those of its module
BEFORE = pytest.StashKey[list[b.Visit]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Save screenshots of the open pages if a test fails, and close the pages it opened."""
    report = yield
    if report.when == "setup":
        item.stash[BEFORE] = list(b.Visit.here)
    elif report.when == "call":
        for number, visit in enumerate(list(b.Visit.here)):
            if report.failed:
                visit.shot(f"failed-{re.sub('[^A-Za-z0-9]+', '-', item.name)}-{number}")
            if visit not in item.stash[BEFORE]:
                visit.context.close()
    return report
