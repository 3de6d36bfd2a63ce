"""Numbers in the documents are counted (``python -m tests.document_counts --write`` corrects them)."""

from __future__ import annotations

import pytest
from tests.document_counts import COUNTS, Count, find_number, number, written


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: f"{count.file}: {count.sentence}")
def test_a_number_in_a_document_is_counted(count: Count) -> None:
    assert number(find_number(count)[1]) == count.number


def test_numbers_are_written_as_they_were() -> None:
    assert (written("Five", 6), written("seven", 8), written("10", 11), written("ten", 12)) == (
        "Six",
        "eight",
        "11",
        "12",
    )
