from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.web import browser as b


@pytest.fixture(scope="session")
def able() -> None:
    why = b.missing()
    if why:
        pytest.skip(f"browser tests: {why}")


@pytest.fixture(scope="session")
def site(able: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[b.Site]:
    found = b.Site(tmp_path_factory.mktemp("site"))
    found.start()
    yield found
    found.kill()


@pytest.fixture(scope="module")
def chromium(able: None) -> Iterator[Any]:
    with b.browser() as found:
        yield found


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What was on the pages when a test failed is kept as pictures, and the pages are left."""
    report = yield
    if report.when == "call":
        for number, visit in enumerate(list(b.Visit.here)):
            if report.failed:
                visit.shot(f"failed-{re.sub('[^A-Za-z0-9]+', '-', item.name)}-{number}")
            visit.context.close()
    return report
