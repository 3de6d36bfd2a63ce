"""Every planted fault changes a game from one of the first 200 positions of its ruling."""

from pathlib import Path

import pytest

from tests.faults.faults import FAULTS, HOT_CHECK
from tests.faults.position_faults import FURTHER_FAULTS, POSITION_FAULTS, PositionFault
from tests.faults.position_games import EVERY, OLDER, SOURCE, NotRunning, copy_source, first_difference, noticed

#: rulings of which there must be faults; of every other ruling of trumps one is enough
RULINGS = ("R-45", "R-72", "R-118", "R-120", "R-130")


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copy_source(tmp_path_factory.mktemp("source"))


def test_the_copied_source_plays_the_same_games(copied: Path) -> None:
    assert first_difference(copied, "R-120") == -1


@pytest.mark.parametrize("number", range(0, len(EVERY), 3))
def test_a_planted_fault_changes_a_game(number: int, copied: Path) -> None:
    """A third of the faults; ``tests.long.position_faults`` plants all of them."""
    fault = EVERY[number]
    assert noticed(fault, copied) >= 0, f"{fault.ruling}: no game noticed {fault.becomes!r}"


def test_a_source_that_does_not_run_is_no_fault_of_a_rule(copied: Path) -> None:
    broken = PositionFault("R-45", "R-45", "engine/engine.py", "MAX_TURNS: Final = 500", "MAX_TURNS: Final = 500 +")
    with pytest.raises(NotRunning):
        noticed(broken, copied)


def test_every_fault_changes_one_line() -> None:
    for fault in EVERY:
        text = (SOURCE / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.line) == 1, f"{fault.ruling}: {fault.line!r} in {fault.file}"


def test_there_are_forty_of_the_rulings_and_forty_more() -> None:
    assert len(set(POSITION_FAULTS)) == 40 <= len(set(FURTHER_FAULTS))
    assert not {(fault.file, fault.line, fault.becomes) for fault in POSITION_FAULTS} & {
        (fault.file, fault.line, fault.becomes) for fault in FURTHER_FAULTS
    }
    for ruling in RULINGS:
        assert sum(fault.ruling == ruling for fault in FURTHER_FAULTS) >= 4
    assert len(OLDER) == len(FAULTS)
    assert sum(fault.caught_by == HOT_CHECK for fault in FAULTS) == 1
