"""``blackpoker rules``: the rulebook. A page by name or number, pages for everyday words, an index."""

from __future__ import annotations

import re
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from blackpoker.cli.console import UsageError, language, load_edition
from blackpoker.cli.terminal import console
from blackpoker.ruleset import Edition, editions
from blackpoker.ruleset.reference import KINDS, SearchResult, definitions, pages, search, sections
from blackpoker.text import rulings
from blackpoker.text.resources import Lang
from blackpoker.text.rulebook import Page, find_pages, phrase
from blackpoker.text.search import GUESSES

MESSAGES = {
    "unknown": ("「{0}」という項目はありません{1}。", "there is nothing called {0!r}{1}."),
    "like": ("。もしかして：{0}", "; did you mean {0}?"),
    "more": (
        "読むには：blackpoker rules 名前・番号・カード・言葉（例：rules 負け、rules R-154、rules ♢5）",
        "Read one with: blackpoker rules NAME, NUMBER, CARD or WORDS (rules lose, rules R-154, rules ♢5)",
    ),
    "also": ("ほかに", "See also"),
    "no_answer": ("答えるルールが見つかりません。近い項目：", "No rule seems to answer this. The nearest pages:"),
    "guesses": ("これでしたか？ ちがうときは：", "Was this it? If not:"),
}
JAPANESE = re.compile(r"[぀-ヿ㐀-鿿]")  # a query in Japanese gets an answer in Japanese
LIKE, TYPING_ERROR = 0.6, 0.75  # likeness of a suggested name, and of a name with a typing error
TYPING_LENGTH = 2  # a query longer than a name by more is a question about it, not a typing error
MAX_FURTHER_PAGES = 8  # number of further pages listed below the best one


def rules(words: list[str], packages: list[Path] | None, edition: str | None, lang: str | None) -> None:
    """Print the page of that name, or the search results. A ruling is found by its number in any edition."""
    query = " ".join(words).replace("\u3000", " ")  # the space of a Japanese keyboard
    asked_in = "ja" if lang is None and JAPANESE.search(query) else lang
    tongue = language(asked_in)
    out = console()
    book = rules_of_edition(packages, edition)
    if edition is None and not packages:
        book = next((one for one in editions().values() if query.upper() in rulings.rulings(one.id)), book)
    best = find_pages(definitions(tongue, book), query) or find_pages(pages(tongue, book), query)
    asks = not best and query.isprintable()
    hits, sure, answered = search(query, tongue, edition=book) if asks else SearchResult([], True, True)
    typing_error = not sure and is_near_name(query, tongue, book)
    if hits and not answered and not typing_error:
        print_list(out, "no_answer", hits[:GUESSES], tongue)
        return
    best = best or hits[:1]
    if not best or typing_error:
        raise UsageError(unknown_page_text(query, tongue, book))
    for number, page in enumerate(best):
        if number:
            out.print()
        print_page(out, page, tongue)
    others = [page for page in hits if page not in best][: MAX_FURTHER_PAGES if sure else GUESSES - 1]
    if others:
        out.print()
        print_list(out, "also" if sure else "guesses", others, tongue)


def print_list(out: Console, heading: str, listed: list[Page], lang: Lang) -> None:
    """Print ids and titles of pages below a heading."""
    out.print(f"[dim]{MESSAGES[heading][0 if lang == 'ja' else 1]}[/dim]")
    table = Table.grid(padding=(0, 2))
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for page in listed:
        table.add_row(escape(page.id), escape(page.title))
    out.print(Padding(table, (0, 0, 0, 2), expand=False))


def index(packages: list[Path] | None, edition: str | None, lang: str | None) -> None:
    """Print the index of the rulebook."""
    print_index(console(), language(lang), rules_of_edition(packages, edition))


def rules_of_edition(packages: list[Path] | None, edition: str | None) -> Edition:
    """Return the edition of local rules, or the one of this id."""
    return load_edition(packages) if packages or edition is None else editions()[edition]


def similar_names(name: str, lang: Lang, edition: Edition, least: float) -> dict[str, str]:
    """Return the names like this one, from 0.0 (nothing in common) to 1.0 (equal), with the ids of their pages."""
    by_name = {
        name.casefold(): page.id for page in pages(lang, edition) for name in (page.id, page.title, page.other_title)
    }
    import difflib

    near = difflib.get_close_matches(name.strip().casefold(), by_name, n=6, cutoff=least)
    return {each: by_name[each] for each in near}


def is_near_name(query: str, lang: Lang, edition: Edition) -> bool:
    """Return whether the query is a name with a typing error, and not a question about one."""
    return any(len(query) - len(name) <= TYPING_LENGTH for name in similar_names(query, lang, edition, TYPING_ERROR))


def unknown_page_text(id: str, lang: Lang, edition: Edition) -> str:
    """Return the error for an unknown id, with suggestions."""
    ids = list(dict.fromkeys(similar_names(id, lang, edition, LIKE).values()))[:5]
    which = 0 if lang == "ja" else 1
    like = MESSAGES["like"][which].format(", ".join(ids)) if ids else ""
    return MESSAGES["unknown"][which].format(id, like).replace("?.", "?")


def print_index(out: Console, lang: Lang, edition: Edition) -> None:
    for package in edition.packages:
        name, text = (package.ja, package.text_ja) if lang == "ja" else (package.en, package.text_en)
        out.print(f"[bold]{escape(name)}[/bold] {escape(package.version)}: {escape(text)}\n")
    # only the chapters of the rulings are listed
    by_kind: dict[str, list[Page]] = {kind: [] for kind in KINDS if kind != "ruling"}
    for page in (*sections(lang, edition), *definitions(lang, edition)):
        by_kind[page.kind].append(page)
    for kind, entries in by_kind.items():
        groups = dict.fromkeys(page.group for page in entries)
        for group in groups:
            title = phrase(kind, lang) + (f" · {group}" if len(groups) > 1 else "")
            lines = [(page.id, page.title) for page in entries if page.group == group]
            _print_list(out, title, lines)
        if kind == "section":
            chapters = [
                (f"{each.first}…{each.last}", each.title.in_lang(lang)) for each in rulings.headings(edition.id)
            ]
            _print_list(out, phrase("rulings", lang), chapters)
    out.print(MESSAGES["more"][0 if lang == "ja" else 1])


def _print_list(out: Console, title: str, lines: list[tuple[str, str]]) -> None:
    """Print ids and names in two columns. A table of rich would take ten times as long."""
    wide = max(22, *(cell_len(id) for id, _ in lines))
    rows = [f"  [cyan]{escape(id)}[/cyan]{' ' * (wide - cell_len(id))}  {escape(name)}" for id, name in lines]
    out.print("\n".join([f"[bold]{escape(title)}[/bold]", *rows, ""]), highlight=False)


def print_page(out: Console, page: Page, lang: Lang) -> None:
    kind = phrase(page.kind, lang)
    out.print(f"[bold]{escape(page.title)}[/bold] / {escape(page.other_title)}  [dim]{kind} {escape(page.id)}[/dim]")
    for line in page.prose:
        item = line.startswith("- ")
        # rich breaks lines at spaces: in Japanese a sign would be left alone
        text = f"・{line[2:]}" if item and lang == "ja" else line
        out.print(Padding(escape(text), (0, 0, 0, 4 if item else 2), expand=False))
    if page.rows:
        _print_rows(out, page)
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
        out.print(f"  [dim]{phrase('rulings', lang)}: {', '.join(page.rulings)}[/dim]")


def _print_rows(out: Console, page: Page) -> None:
    head, *rows = page.rows
    table = Table(*(escape(cell) for cell in head), show_edge=False, pad_edge=False, header_style="cyan")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    out.print(Padding(table, (0, 0, 0, 2), expand=False))
