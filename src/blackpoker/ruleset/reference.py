"""All pages of the rulebook: chapters, rulings, actions, characters, trumps, formats, frames, options.

The command line, the server, the page and the docs show these pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple, TypeVar

from blackpoker.definitions.model import Action, Character, Format, Trump
from blackpoker.ruleset.edition import Edition, default_edition, standard_edition
from blackpoker.ruleset.tables import FormatEntry, Frame, Option
from blackpoker.text import handbook, rulings
from blackpoker.text.resources import Lang, in_lang, text_of
from blackpoker.text.rulebook import Book, Page, entry_page, join_names, key_sign, phrase
from blackpoker.text.search import Index

Definition = TypeVar("Definition", Action, Character)
KINDS = ("section", "ruling", "action", "character", "trump", "fog", "format", "frame", "option")
CITED = re.compile(r"[NR]-\d{2,3}")
YES, NO = "○", "×"
#: source documents whose places are ids of definitions
LISTS = ("list", "extra", "list9")


def pages(lang: Lang, edition: Edition | None = None) -> tuple[Page, ...]:
    """Return all pages of an edition (by default the standard one) in that language, in the order of the book."""
    return _pages(lang, default_edition() if edition is None else edition)


@cache
def definitions(lang: Lang, edition: Edition) -> tuple[Page, ...]:
    """Return the pages of all definitions: actions, characters, trumps, formats, frames, options. They need no text
    file."""
    return (*Book(edition, lang).pages(), *regulation_pages(lang, edition))


@cache
def sections(lang: Lang, edition: Edition) -> tuple[Page, ...]:
    """Return the pages of the handbook, after one on the local rules if there are any."""
    pages = tuple(section_page(section, lang, edition) for section in handbook.sections(edition.id).values())
    if not edition.packages:
        return pages
    from blackpoker.ruleset.packages.diff import local_page  # imported here: it compares pages of two editions

    return (local_page(edition, lang), *pages)


@cache
def _pages(lang: Lang, edition: Edition) -> tuple[Page, ...]:
    book = Book(edition, lang)
    defined = definitions(lang, edition)
    return (
        *sections(lang, edition),
        *(ruling_page(ruling, lang, edition, book, defined) for ruling in rulings.rulings(edition.id).values()),
        *defined,
    )


MAX_RELATED = 6


def related_pages(page: Page, lang: Lang, edition: Edition | None = None) -> list[str]:
    """Return the pages that a reader of this one may have meant, most similar first, as ``kind:id``."""
    return _related(lang, default_edition() if edition is None else edition).get((page.kind, page.id), [])


@cache
def _related(lang: Lang, edition: Edition) -> dict[tuple[str, str], list[str]]:
    found = [
        page for page in pages(lang, edition) if page.kind in ("section", "ruling", "action", "character", "trump")
    ]
    cites = [{page.id, *page.rulings} if page.kind == "ruling" else set(page.rulings) for page in found]
    out: dict[tuple[str, str], list[str]] = {}
    for page, mine in zip(found, cites, strict=True):
        scored = [
            (-_similarity(page, other, len(mine & theirs)), at, f"{other.kind}:{other.id}")
            for at, (other, theirs) in enumerate(zip(found, cites, strict=True))
            if other is not page and other.id not in page.rulings
        ]
        out[page.kind, page.id] = [name for score, _, name in sorted(scored) if score < -1][:MAX_RELATED]
    return out


def _similarity(page: Page, other: Page, shared: int) -> int:
    """Return the similarity of two pages: shared rulings, and for the same kind also the same group with the same form
    of key."""
    if page.kind != other.kind:
        return 2 * shared
    alike = (
        page.key is not None and other.key is not None and page.key.form == other.key.form and page.when == other.when
    )
    neighbours = page.kind == "ruling" and page.id[0] == other.id[0] and abs(int(page.id[2:]) - int(other.id[2:])) < 3
    return 2 * shared + 2 * (page.group == other.group and (alike or neighbours))


class SearchResult(NamedTuple):
    """Pages, best first, and whether the first one answers the question; if not, the first few are guesses.
    ``answered`` is False if probably no page answers it."""

    pages: list[Page]
    sure: bool
    answered: bool


def search(query: str, lang: Lang, limit: int = 0, edition: Edition | None = None) -> SearchResult:
    """Return the pages for a question in either language, a name, a card or a ruling number."""
    book = pages(lang, edition)
    places, sure, answered = index(default_edition() if edition is None else edition).search(query)
    return SearchResult([book[place] for place in places[: limit or None]], sure, answered)


@cache
def index(edition: Edition) -> Index:
    """Return the search index of an edition."""
    return Index(pages("ja", edition), pages("en", edition), edition.id)


# -- rulings -----------------------------------------------------------------------------------------------------------


def ruling_page(ruling: rulings.Ruling, lang: Lang, edition: Edition, book: Book, defined: tuple[Page, ...]) -> Page:
    title, other = ruling.title.in_lang(lang), ruling.title.in_lang("en" if lang == "ja" else "ja")
    chapter = next(chapter for chapter in rulings.chapters(edition.id) if chapter.id == ruling.chapter)
    facts = [
        (
            phrase("source", lang),
            ("；" if lang == "ja" else "; ").join(source_text(s, lang, book) for s in ruling.sources),
        ),
        (phrase("ours", lang), ruling.ours.in_lang(lang)),
        (phrase("proof", lang), proof_text(ruling, lang)),
        (phrase("cited_by", lang), book.join([page.title for page in defined if ruling.id in page.rulings])),
    ]
    text = ruling.text.in_lang(lang)
    cited = tuple(dict.fromkeys(id for id in CITED.findall(text) if id != ruling.id))
    return Page(
        "ruling",
        ruling.id,
        title,
        other,
        chapter.title.in_lang(lang),
        tuple(fact for fact in facts if fact[1]),
        rulings=cited,
        prose=paragraphs(text),
        words=ruling.words,
        asks=ruling.asks.in_lang(lang) or title,
    )


def source_text(source: rulings.Origin, lang: Lang, book: Book) -> str:
    """Return document and places in words: ``BlackPoker rules … §3.10.4, Fig. 2.6``."""
    document = rulings.documents()[source.document].in_lang(lang)
    known = {  # a source may name an entry that local rules removed
        **_by_id(Book(standard_edition(), lang)),
        **{fog.id: fog for fog in book.edition.fogs},
        **_by_id(book),
    }
    places = []
    for place in source.places:
        if source.document in LISTS:
            places.append(f"「{text_of(known[place], lang)}」" if lang == "ja" else text_of(known[place], lang))
        elif place.startswith(("fig", "tab")):
            places.append(phrase("figure_sign" if place.startswith("fig") else "table_sign", lang, place[3:]))
        elif source.document == "rule" and place[0].isdigit():
            places.append(phrase("section_sign", lang, place))
        elif source.document == "qa":
            places.append(phrase("question_sign", lang, place))
        elif source.document == "changes5":
            places.append(phrase("change_sign", lang, place))
        else:
            places.append(place)
    joined = ("" if source.document in LISTS and lang == "ja" else ", ").join(places)
    return f"{document} {joined}".strip()


def _by_id(book: Book) -> dict[str, Trump | Character | Action]:
    return {**book.trumps, **book.characters, **book.actions}


def proof_text(ruling: rulings.Ruling, lang: Lang) -> str:
    return ", ".join(dict.fromkeys(proof.scenario for proof in ruling.proof))


def paragraphs(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


# -- sections ----------------------------------------------------------------------------------------------------------


def section_page(section: handbook.Section, lang: Lang, edition: Edition) -> Page:
    title, other = section.title.in_lang(lang), section.title.in_lang("en" if lang == "ja" else "ja")
    chapter = next(chapter for chapter in handbook.chapters(edition.id) if chapter.id == section.chapter)
    rows: tuple[tuple[str, ...], ...] = ()
    if section.table:
        rows = TABLES[section.table](lang, edition)
    elif section.figure:
        rows = flow_rows(lang, edition)
    return Page(
        "section",
        section.key,
        title,
        other,
        chapter.title.in_lang(lang),
        (),
        rulings=section.rulings,
        prose=paragraphs(section.text.in_lang(lang)),
        rows=rows,
        words=section.words,
    )


def flow_rows(lang: Lang, edition: Edition) -> tuple[tuple[str, ...], ...]:
    """Return the figure of the core flow as a table: point, description, successors."""
    rows = [("", in_lang(("すること", "what happens"), lang), in_lang(("次", "then"), lang))]
    for point in handbook.flow(edition.id):
        then = [
            (f"{edge.label.in_lang(lang)} → " if edge.label.in_lang(lang) else "→ ") + point_sign(edge.to)
            for edge in point.edges
        ]
        rows.append((point_sign(point.id), point.text.in_lang(lang).removeprefix("[6] "), "\n".join(then)))
    return tuple(rows)


def point_sign(id: str) -> str:
    return "■" if id == "end" else f"[{id.rstrip('b')}]" + ("′" if id.endswith("b") else "")


def _lite(lang: Lang, edition: Edition) -> tuple[tuple[str, ...], ...]:
    head = (phrase("action", lang), phrase("cost", lang), phrase("key", lang), in_lang(("効果", "effect"), lang))
    rows = [head]
    for action in edition.actions:
        if action.since is Format.LITE and not action.group and action.direct:
            cost = f"${action.cost}" if action.cost else ""
            key = f"★{key_sign(action.key, lang)}" if action.key is not None else ""
            rows.append((text_of(action, lang), cost, key, " ".join(text_of(clause, lang) for clause in action.effect)))
    return tuple(rows)


def _formats(lang: Lang, edition: Edition) -> tuple[tuple[str, ...], ...]:
    head = (phrase("format", lang), *(phrase(kind, lang) for kind in ("action", "character", "trump")))
    rows = [head]
    for entry in edition.formats:
        actions = len(base_definitions(edition.actions, entry))
        characters = len(base_definitions(edition.characters, entry))
        trumps = str(len(edition.trumps)) if entry.format is Format.EXTRA else "–"
        rows.append((text_of(entry, lang), str(actions), str(characters), trumps))
    if not any(entry.format is Format.EXTRA for entry in edition.formats):  # frames bring the trumps
        return tuple(row[:-1] for row in rows)
    return tuple(rows)


def base_definitions(definitions: tuple[Definition, ...], entry: FormatEntry) -> list[Definition]:
    """Return the definitions of a format without those that frames bring."""
    return [one for one in definitions if one.since <= entry.format and not one.group]


def _frames(lang: Lang, edition: Edition) -> tuple[tuple[str, ...], ...]:
    head = (phrase("frame", lang), phrase("build", lang), phrase("match", lang), in_lang(("デッキ", "deck"), lang))
    return (
        head,
        *(
            (
                text_of(frame, lang),
                phrase(frame.build, lang),
                phrase(f"match_{frame.decks}", lang),
                in_lang((frame.text_ja, frame.text_en), lang),
            )
            for frame in edition.frames
        ),
    )


def _frames_by_format(lang: Lang, edition: Edition) -> tuple[tuple[str, ...], ...]:
    head = (phrase("frame", lang), *(text_of(entry, lang) for entry in edition.formats))
    marks = [
        (
            text_of(frame, lang),
            *(YES if is_marked(entry, frame) else NO for entry in edition.formats),
        )
        for frame in edition.frames
    ]
    return (head, *marks)


def is_marked(entry: FormatEntry, frame: Frame) -> bool:
    """Return whether the table of frames marks a combination: the recommended ones, if some are (N-122)."""
    return frame.id in entry.recommended if entry.recommended else entry.allows(frame)


def _options(lang: Lang, edition: Edition) -> tuple[tuple[str, ...], ...]:
    head = (phrase("option", lang), in_lang(("内容", "what it adds"), lang))
    rows = ((text_of(one, lang), in_lang((one.text_ja, one.text_en), lang)) for one in edition.options)
    return (head, *rows)


def _options_by_part(lang: Lang, edition: Edition) -> tuple[tuple[str, ...], ...]:
    head = ("", *(text_of(option, lang) for option in edition.options))
    rows = [head]
    parts: tuple[FormatEntry | Frame, ...] = (*edition.formats, *edition.frames)
    for part in parts:
        marks = (YES if option.goes_with(part) else NO for option in edition.options)
        rows.append((text_of(part, lang), *marks))
    return tuple(rows)


TABLES = {
    "lite": _lite,
    "formats": _formats,
    "frames": _frames,
    "frames_by_format": _frames_by_format,
    "options": _options,
    "options_by_part": _options_by_part,
}


# -- formats, frames, options ------------------------------------------------------------------------------------------


def regulation_pages(lang: Lang, edition: Edition) -> Iterator[Page]:
    for format in edition.formats:
        yield _format(format, lang, edition)
    for frame in edition.frames:
        yield _frame(frame, lang, edition)
    for option in edition.options:
        yield _option(option, lang, edition)


def _format(entry: FormatEntry, lang: Lang, edition: Edition) -> Page:
    actions = base_definitions(edition.actions, entry)
    characters = base_definitions(edition.characters, entry)
    contents = [phrase("n_actions", lang, len(actions)), phrase("n_characters", lang, len(characters))]
    if entry.format is Format.EXTRA:
        contents.append(phrase("n_trumps", lang, len(edition.trumps), entry.most_trumps))
    facts = [
        ("contents", ("・" if lang == "ja" else ", ").join(contents)),
        ("frames", join_names([frame for frame in edition.frames if entry.allows(frame)], lang)),
        ("options", join_names([option for option in edition.options if option.goes_with(entry)], lang)),
    ]
    return entry_page("format", entry, lang, facts)


def _frame(frame: Frame, lang: Lang, edition: Edition) -> Page:
    if frame.least:
        size = phrase("size_least", lang, frame.least, frame.most)
    elif frame.decks > 1:
        size = phrase(f"size_{frame.build}_half", lang)
    else:
        size = phrase("size_exactly", lang, frame.exactly) if frame.exactly else phrase("size_most", lang, frame.most)
    facts = [
        ("build", phrase(frame.build, lang)),
        ("size", size),
        ("match", phrase(f"match_{frame.decks}", lang)),
        ("formats", join_names([entry for entry in edition.formats if entry.allows(frame)], lang)),
        ("options", join_names([option for option in edition.options if option.goes_with(frame)], lang)),
        ("cards", frame.cards.translate(str.maketrans("SHDC", "♠♡♢♣"))),
    ]
    return entry_page("frame", frame, lang, facts, (in_lang((frame.text_ja, frame.text_en), lang),))


def preset_text(n: int, lang: Lang) -> str:
    return phrase("preset_one", lang) if n == 1 else phrase("preset", lang, n)


def _option(option: Option, lang: Lang, edition: Edition) -> Page:
    brings = [action for action in edition.actions if action.id in option.actions]
    excluded = [one for one in edition.options if one.id in option.excludes]
    facts = [
        ("starts_with", preset_text(option.preset // 2, lang) if option.preset else ""),
        ("brings", join_names(brings, lang)),
        ("formats", join_names([entry for entry in edition.formats if option.goes_with(entry)], lang)),
        ("frames", join_names([frame for frame in edition.frames if option.goes_with(frame)], lang)),
        ("excludes", join_names(excluded, lang)),
    ]
    return entry_page("option", option, lang, facts, (in_lang((option.text_ja, option.text_en), lang),))
