from __future__ import annotations

from collections.abc import Iterator
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
