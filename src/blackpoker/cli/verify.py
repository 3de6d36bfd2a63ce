"""``blackpoker verify``: check that a game was dealt as committed, and that its record is the game that was sent."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from blackpoker.cli.console import UsageError, language, load_edition, read_text
from blackpoker.server.fairness.receipt import InvalidReceipt, parse_receipt
from blackpoker.server.fairness.verify import VerificationError, verify_record
from blackpoker.text.resources import in_lang, text_of

PROVEN = ("証明できました：{0}", "proven: {0}")
CONSISTENT = ("矛盾はありませんが、証明ではありません：{0}", "consistent, but not proof: {0}")
BAD_RECEIPT = ("{0} は控えではありません：{1}", "{0} is no receipt: {1}")
BROKEN = ("矛盾があります：{0}", "broken: {0}")
#: exit codes of the verdicts; 2 is a wrong use of the command
EXIT_BROKEN: Final = 1
EXIT_CONSISTENT: Final = 3


def verify(record: Path, receipt: Path | None, packages: list[Path] | None, lang: str | None) -> int:
    """Print the verdict on a record; return its exit code: 0 proven, 3 consistent but not proof, 1 broken."""
    tongue = language(lang)
    text = read_text(record, tongue)
    edition = load_edition(packages)
    try:
        receipt_data = None if receipt is None else parse_receipt(read_text(receipt, tongue))
        found = verify_record(text, receipt_data, edition)
    except InvalidReceipt as error:
        raise UsageError(BAD_RECEIPT, receipt, error) from None
    except VerificationError as error:
        print(in_lang(BROKEN, tongue, text_of(error, tongue)))
        return EXIT_BROKEN
    print(in_lang(PROVEN if found.proven else CONSISTENT, tongue, text_of(found, tongue)))
    return 0 if found.proven else EXIT_CONSISTENT
