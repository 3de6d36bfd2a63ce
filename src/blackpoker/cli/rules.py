"""``blackpoker rules``: the reference, from the definitions."""

from __future__ import annotations

import difflib

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from blackpoker.cli.common import Problem, language
from blackpoker.cli.reference import KINDS, pages
from blackpoker.cli.terminal import console
from blackpoker.texts.rulebook import Lang, Page, find, say

MESSAGES = {
    "unknown": ("「{0}」という項目はありません{1}。", "there is nothing called {0!r}{1}."),
    "like": ("。もしかして：{0}", "; did you mean {0}?"),
    "more": ("1つずつ読むには：blackpoker rules ID", "Read one with: blackpoker rules ID"),
}


def rules(id: str | None, lang: str | None) -> None:
    """Print the rule text of one entry, or an index of all."""
    tongue = language(lang)
    out = console()
    if id is None:
        print_index(out, tongue)
        return
    found = find(pages(tongue), id)
    if not found:
        raise Problem(unknown(id, tongue))
    for number, page in enumerate(found):
        if number:
            out.print()
        print_page(out, page, tongue)


def unknown(id: str, lang: Lang) -> str:
    """What to say about an id nothing has, with suggestions."""
    everything = list(pages(lang))
    by_name = {name.casefold(): page.id for page in everything for name in (page.id, page.title, page.other)}
    wanted = id.strip().casefold()
    near = difflib.get_close_matches(wanted, by_name, n=6, cutoff=0.6)
    near += [name for name in by_name if len(wanted) > 1 and wanted in name]
    ids = list(dict.fromkeys(by_name[name] for name in near))[:5]
    which = 0 if lang == "ja" else 1
    like = MESSAGES["like"][which].format(", ".join(ids)) if ids else ""
    return MESSAGES["unknown"][which].format(id, like).replace("?.", "?")


def print_index(out: Console, lang: Lang) -> None:
    by_kind: dict[str, list[Page]] = {kind: [] for kind in KINDS}
    for page in pages(lang):
        by_kind[page.kind].append(page)
    for kind, entries in by_kind.items():
        groups = dict.fromkeys(page.group for page in entries)
        for group in groups:
            title = say(kind, lang) + (f" · {group}" if len(groups) > 1 else "")
            out.print(f"[bold]{escape(title)}[/bold]")
            table = Table.grid(padding=(0, 2))
            table.add_column(style="cyan", no_wrap=True, min_width=22)
            table.add_column()
            for page in entries:
                if page.group == group:
                    table.add_row(escape(page.id), escape(page.title))
            out.print(Padding(table, (0, 0, 1, 2), expand=False))
    out.print(MESSAGES["more"][0 if lang == "ja" else 1])


def print_page(out: Console, page: Page, lang: Lang) -> None:
    kind = say(page.kind, lang)
    out.print(f"[bold]{escape(page.title)}[/bold] / {escape(page.other)}  [dim]{kind} {escape(page.id)}[/dim]")
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for label, text in page.facts:
        table.add_row(escape(label), escape(text))
    out.print(Padding(table, (0, 0, 0, 2), expand=False))
    marked = [("※", note) for note in page.notes]
    single = len(page.clauses) == 1
    marked += [("•" if single else f"{number}.", clause) for number, clause in enumerate(page.clauses, 1)]
    body = Table.grid(padding=(0, 1))
    body.add_column(justify="right", no_wrap=True)
    body.add_column(overflow="fold")
    for mark, text in marked:
        body.add_row(mark, escape(text))
    out.print(Padding(body, (0, 0, 0, 2), expand=False))
    if page.rulings:
        out.print(f"  [dim]{say('rulings', lang)}: {', '.join(page.rulings)}[/dim]")
