"""Scenarios detect the planted faults of edition 9."""

from pathlib import Path

import pytest

from tests.faults.edition9_faults import EDITION9_FAULTS
from tests.faults.edition9_games import SCENARIOS, failing_scenarios, planted
from tests.faults.position_games import SOURCE, copy_source


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_source(tmp_path_factory.mktemp("source"))


@pytest.mark.parametrize("number", range(0, len(EDITION9_FAULTS), 5))
def test_a_planted_fault_is_caught(number: int, copied: Path) -> None:
    """A fifth of the faults; ``tests.long.edition9_faults`` plants all of them."""
    fault = EDITION9_FAULTS[number]
    text = planted(fault, copied)
    try:
        assert failing_scenarios(copied, SCENARIOS / fault.caught_by) == [fault.caught_by], fault.becomes
    finally:
        (copied / fault.file).write_text(text, encoding="utf-8")


def test_there_are_a_hundred_of_them() -> None:
    assert len(set(EDITION9_FAULTS)) == 100
    for fault in EDITION9_FAULTS:
        text = (SOURCE / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.line) == 1, f"{fault.ruling}: {fault.line!r} in {fault.file}"
        assert (SCENARIOS / fault.caught_by).is_file()
