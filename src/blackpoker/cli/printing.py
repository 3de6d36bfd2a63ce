"""``blackpoker rules print``: sheets for printing as HTML, or as PDF if a Chromium is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from blackpoker.cli.console import UsageError, language, load_edition
from blackpoker.printing import deck_list, quick_reference, trump_cards
from blackpoker.ruleset import DeckError, Edition, parse_decks
from blackpoker.text.resources import Lang, in_lang

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
WROTE = ("{0} を書きました", "wrote {0}")
NO_BROWSER = (
    "PDF を作る Chromium が見つかりません。.html で書き出し、ブラウザーで印刷してください",
    "no Chromium is installed to make a PDF; write .html and print it from a browser",
)
NOTHING = (
    "quick、trumps、またはデッキのファイルです（{0} は見つかりません）",
    "it is quick, trumps or a deck file; there is no {0}",
)


def print_paper(
    what: str, format: str, to: Path | None, both: bool, packages: list[Path] | None, lang: str | None
) -> None:
    """Write the sheets to a file, or HTML to the standard output."""
    tongue = language(lang)
    text = sheets(what, format, both, tongue, load_edition(packages))
    if to is None:
        sys.stdout.write(text)
        return
    if to.suffix == ".pdf":
        as_pdf(text, to, tongue)
    else:
        to.write_text(text, encoding="utf-8")
    print(in_lang(WROTE, tongue, to))


def sheets(what: str, format: str, both: bool, lang: Lang, edition: Edition) -> str:
    if what == "quick":
        return quick_reference(format, lang, edition)
    if what == "trumps":
        return trump_cards("both" if both else lang, edition)
    file = Path(what)
    if not file.is_file():
        raise UsageError(NOTHING, what)
    try:
        return deck_list(parse_decks(file.read_text(encoding="utf-8"), edition), lang, edition)
    except DeckError as error:
        raise UsageError(("、".join(error.defects_ja), "; ".join(error.defects))) from None


def as_pdf(text: str, to: Path, lang: Lang) -> None:
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), "")
    if not browser:
        raise UsageError(NO_BROWSER)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "sheets.html")
        source.write_text(text, encoding="utf-8")
        flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/browser",
        ]
        command = [browser, *flags, f"--print-to-pdf={to.resolve()}", source.as_uri()]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
