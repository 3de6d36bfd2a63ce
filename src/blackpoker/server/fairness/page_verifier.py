"""The verifier in a page's worker: the same check as ``blackpoker verify``, on texts."""

from __future__ import annotations

import json

from blackpoker.server.fairness.receipt import InvalidReceipt, parse_receipt
from blackpoker.server.fairness.verify import VerificationError, verify_record


def verify_texts(record: str, receipt: str) -> str:
    """Return the verdict on a record as JSON: ``verdict``, and its text in ``en`` and ``ja``."""
    try:
        found = verify_record(record, parse_receipt(receipt))
    except (InvalidReceipt, VerificationError) as error:
        return json.dumps({"verdict": "broken", "en": error.en, "ja": error.ja})
    return json.dumps({"verdict": found.verdict, "en": found.en, "ja": found.ja})
