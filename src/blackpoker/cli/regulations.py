"""``blackpoker regulations``: list every legal regulation, or explain one or the table cell that forbids it."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape
from rich.table import Table

from blackpoker.cli.console import UsageError, language, load_edition
from blackpoker.cli.rules import print_page
from blackpoker.cli.terminal import console
from blackpoker.ruleset import Regulation, RegulationError, all_regulations
from blackpoker.ruleset.reference import pages
from blackpoker.text.resources import in_lang, text_of
from blackpoker.text.rulebook import find_pages

TOTAL = ("合計 {0}（{1}）", "{0} regulations ({1})")


def parse(text: str, packages: list[Path] | None = None) -> Regulation:
    """Return the regulation of a text in the edition of these packages; raise `UsageError` if it is not legal."""
    try:
        return Regulation.parse(text, load_edition(packages))
    except RegulationError as error:
        raise UsageError((error.ja, error.en)) from None


def regulations(text: str | None, packages: list[Path] | None, lang: str | None) -> None:
    """List every legal regulation, or explain one."""
    tongue = language(lang)
    out = console()
    if text is not None:
        regulation = parse(text, packages)
        out.print(
            f"[bold]{escape(regulation.text)}[/bold]  {escape(regulation.text_ja)} / {escape(regulation.text_en)}"
        )
        everything = list(pages(tongue, regulation.edition))
        for kind, entry in [
            ("format", regulation.format),
            ("frame", regulation.frame),
            *(("option", o) for o in regulation.options),
        ]:
            for page in find_pages(everything, entry.id):
                if page.kind == kind:
                    out.print()
                    print_page(out, page, tongue)
        return
    edition = load_edition(packages)
    legal = all_regulations(edition)
    if out.is_terminal:
        table = Table.grid(padding=(0, 3))
        for regulation in legal:
            table.add_row(
                f"[cyan]{escape(regulation.text)}[/cyan]", in_lang((regulation.text_ja, regulation.text_en), tongue)
            )
        out.print(table)
        counts = [f"{text_of(entry, tongue)} {sum(r.format is entry for r in legal)}" for entry in edition.formats]
        out.print(in_lang(TOTAL, tongue).format(len(legal), ", ".join(counts)))
    else:  # one per line, for other programs
        for regulation in legal:
            print(regulation.text)
