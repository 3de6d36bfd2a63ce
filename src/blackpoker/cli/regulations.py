"""``blackpoker regulations``: list every legal regulation, or explain one or the table cell that forbids it."""

from __future__ import annotations

from pathlib import Path

from rich.markup import escape
from rich.table import Table

from blackpoker.cli.common import Mistake, edition_of, language
from blackpoker.cli.rules import print_page
from blackpoker.cli.terminal import console
from blackpoker.regulation import Regulation, RegulationError, all_regulations
from blackpoker.regulation.reference import pages
from blackpoker.texts.rulebook import find, of_pair

TOTAL = ("合計 {0}（{1}）", "{0} regulations ({1})")


def parse(text: str, packages: list[Path] | None = None) -> Regulation:
    """Return the regulation of a text in the edition of these packages; raise `UsageError` if it is not legal."""
    try:
        return Regulation.parse(text, edition_of(packages))
    except RegulationError as error:
        raise Mistake((error.ja, error.en)) from None


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
            ("format", regulation.format), ("frame", regulation.frame), *(("option", o) for o in regulation.options),
        ]:  # fmt: skip
            for page in find(everything, entry.id):
                if page.kind == kind:
                    out.print()
                    print_page(out, page, tongue)
        return
    edition = edition_of(packages)
    legal = all_regulations(edition)
    if out.is_terminal:
        table = Table.grid(padding=(0, 3))
        for regulation in legal:
            table.add_row(
                f"[cyan]{escape(regulation.text)}[/cyan]", of_pair(regulation.text_ja, regulation.text_en, tongue)
            )
        out.print(table)
        counts = [
            f"{of_pair(entry.ja, entry.en, tongue)} {sum(r.format is entry for r in legal)}"
            for entry in edition.formats
        ]
        out.print(of_pair(*TOTAL, tongue).format(len(legal), ", ".join(counts)))
    else:  # one per line, for other programs
        for regulation in legal:
            print(regulation.text)
