"""``blackpoker verify``: check that a record's shuffles match the commitment made before the game."""

from __future__ import annotations

from pathlib import Path

from blackpoker.cli.console import UsageError, language, load_edition, read_text
from blackpoker.server.fairness.receipt import InvalidReceipt, parse_receipt
from blackpoker.server.fairness.verify import VerificationError, verify_record
from blackpoker.text.resources import in_lang, text_of

PROVEN = ("証明できました：{0}", "proven: {0}")
FITS = ("記録の中では合っていますが、証明ではありません：{0}", "fits itself, which is no proof: {0}")
BAD_RECEIPT = ("{0} は控えではありません：{1}", "{0} is no receipt: {1}")
NOT_PROVEN = ("証明できません：{0}", "not proven: {0}")


def verify(record: Path, receipt: Path | None, packages: list[Path] | None, lang: str | None) -> int:
    """Replay a record and check every shuffle; return exit code 1 if one does not match."""
    tongue = language(lang)
    text = read_text(record, tongue)
    edition = load_edition(packages)
    try:
        receipt_data = None if receipt is None else parse_receipt(read_text(receipt, tongue))
        found = verify_record(text, receipt_data, edition)
    except InvalidReceipt as error:
        raise UsageError(BAD_RECEIPT, receipt, error) from None
    except VerificationError as error:
        print(in_lang(NOT_PROVEN, tongue, text_of(error, tongue)))
        return 1
    print(in_lang(PROVEN if found.proven else FITS, tongue, text_of(found, tongue)))
    return 0
