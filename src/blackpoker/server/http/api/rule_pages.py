"""All pages of the rulebook as data, in both languages, derived from the definitions."""

from __future__ import annotations

import re
from typing import Any, Literal

from msgspec import Struct

from blackpoker.protocol.messages import PackageInfo, packages_of
from blackpoker.ruleset import (
    Edition,
    all_regulations,
    built_in_decks,
    editions,
    reference,
    write_decks,
)
from blackpoker.ruleset.deck_stats import key_sets
from blackpoker.ruleset.decks import fixed_names
from blackpoker.ruleset.tables import CONSTRUCTED, FIXED, FormatEntry, Frame
from blackpoker.scenario.examples import examples
from blackpoker.server.admission import cached
from blackpoker.text.rulebook import Book, Page, card_names, key_sign, key_text

MAX_QUERY = 200  # characters of a search that are used
MAX_RESULTS = 20


class Fact(Struct):
    """A line of an entry: its name and text, without the signs of the notation."""

    name: str
    text: str


class RulePart(Struct):
    """An action that a trump allows or raises. ``when``: main, quick or raised; ``source``: the driven unit."""

    id: str
    title: str
    costs: list[str]
    key: str
    when: str
    source: str
    target: str
    clauses: list[str]
    notes: list[str]


class RuleKey(Struct):
    """The key of an action, for drawing. ``form``: one, two, each, same_suit, same_number or whole; ``sets``: the
    possible cards of each of its parts, or for "whole" the cards of each alternative."""

    form: str
    count: int
    sign: str
    text: str
    sets: list[list[str]]


class RulePage(Struct):
    """One entry of the rulebook."""

    kind: str
    id: str
    title: str
    other: str
    group: str
    facts: list[Fact]
    notes: list[str]
    clauses: list[str]
    rulings: list[str]
    prose: list[str] = []  # paragraphs; lines of a list begin with "- "
    rows: list[list[str]] = []  # a table, beginning with its head
    example: bool = False  # True if there is a scenario to try it with
    costs: list[str] = []  # of an action: the letters of each cost
    card: str = ""  # of a trump: the card it is
    short: str = ""  # of a trump: its effect in a few words
    allows: list[str] = []  # of a trump: the actions it allows or raises
    parts: list[RulePart] = []  # the same actions in full
    partner: str = ""  # of a trump: the card, or cards, it joins
    since: str = ""  # the first format that includes it
    when: str = ""  # of an action: main, quick, or raised
    key: RuleKey | None = None  # of an action
    asks: str = ""  # of a ruling: its title as a question
    theirs: str = ""  # of an action: its effect from the opponent's view, if the first clause addresses its owner
    near: list[str] = []  # related pages: kind:id
    step: str = ""  # of an action: the step of a turn that it implements
    haste: bool = False  # of a character: it may attack in the turn it came
    haste_with: list[str] = []  # of a character: likewise, if one of these is among its cards


class RuleSearch(Struct):
    """The result of a search, best first. ``sure``: the first page answers; otherwise the first ones are guesses.
    ``answered`` is False if probably no page answers."""

    pages: list[RulePage]
    sure: bool
    answered: bool


class RuleExample(Struct):
    """A scenario that demonstrates a ruling, to be opened in the analysis."""

    ruling: str
    scenario: str
    variant: str
    text: str


class RegulationPart(Struct):
    """A format, frame or option. ``adds``: the entries that a format has in addition to the one below it, or that a
    frame brings. ``pack``, ``rare``, ``scenario``, ``trumps``: the cards a frame lays there at set-up; ``draft``: the
    number of picks."""

    id: str
    ja: str
    en: str
    text_ja: str = ""
    text_en: str = ""
    decks: int = 1
    build: str = ""
    most_trumps: int = 0
    most_cards: int = 54
    exactly: int = 0
    cards: list[str] = []  # of a frame with a fixed deck
    sample: str = ""  # of a frame with constructed decks: a deck to start from
    adds: list[str] = []
    least: int = 0
    pack: int = 0
    rare: int = 0
    scenario: int = 0
    trumps: int = 0
    draft: int = 0


class Regulations(Struct):
    """The playable regulations of the edition ``id``: their parts, and each legal combination as text; ``recommended``:
    some of these, the simplest first."""

    formats: list[RegulationPart]
    frames: list[RegulationPart]
    options: list[RegulationPart]
    legal: list[str]
    edition: str
    packages: list[PackageInfo] = []  # the rule packages of this server
    id: str = ""
    recommended: list[str] = []


def _key(page: Page, lang: Literal["ja", "en"]) -> RuleKey | None:
    key = page.key
    if key is None:
        return None
    return RuleKey(key.form, key.count, key_sign(key, lang), key_text(key, lang), key_sets(key))


def _step(page: Page, edition: Edition) -> str:
    known = (action.step for action in edition.actions if (page.kind, page.id) == ("action", action.id))
    return next(known, "")


def _haste(page: Page, edition: Edition) -> tuple[bool, list[str]]:
    for character in edition.characters if page.kind == "character" else ():
        if character.id == page.id:
            return character.haste, card_names(character.haste_with)
    return False, []


def _rule_page(page: Page, lang: Literal["ja", "en"], edition: Edition) -> RulePage:
    plain = dict(page.plain)
    return RulePage(
        page.kind,
        page.id,
        page.title,
        page.other_title,
        page.group,
        [Fact(name, fact_text) for name, text in page.facts if (fact_text := plain.get(name, text))],
        list(page.notes),
        list(page.clauses),
        list(page.rulings),
        list(page.prose),
        [list(row) for row in page.rows],
        find_example(page.id, edition) is not None,
        list(page.costs),
        page.card,
        page.short,
        list(page.allows),
        [
            RulePart(
                **{**vars(part), "costs": list(part.costs), "clauses": list(part.clauses), "notes": list(part.notes)}
            )
            for part in page.parts
        ],
        page.partner,
        page.since,
        page.when,
        _key(page, lang),
        page.asks,
        page.opponent_text,
        reference.related_pages(page, lang, edition),
        _step(page, edition),
        *_haste(page, edition),
    )


@cached("pages of rules", 4)
def rules(lang: Literal["ja", "en"], edition: Edition) -> list[RulePage]:
    """Return actions, characters, trumps and fogs."""
    return [_rule_page(page, lang, edition) for page in Book(edition, lang).pages()]


@cached("rulebook", 4)
def rulebook(lang: Literal["ja", "en"], edition: Edition) -> list[RulePage]:
    """Return the rest of the rulebook: chapters, rulings, formats, frames and options."""
    return [
        _rule_page(page, lang, edition)
        for page in reference.pages(lang, edition)
        if page.kind not in ("action", "character", "trump", "fog")
    ]


def find_page(lang: Literal["ja", "en"], id: str, edition: Edition) -> RulePage | None:
    """Return the page of that id in the order of the book; None if there is none."""
    found = (_rule_page(page, lang, edition) for page in reference.pages(lang, edition) if page.id == id)
    return next(found, None)


def warm_up_search() -> None:
    """Build the search index, so that the first search does not wait for it."""
    for edition in editions().values():
        search("ja", "1", edition)
        search("en", "1", edition)


def search(lang: Literal["ja", "en"], query: str, edition: Edition) -> RuleSearch:
    """Return the best pages for a question in either language, a name, a card or the number of a ruling."""
    found = reference.search(query[:MAX_QUERY], lang, MAX_RESULTS, edition)
    return RuleSearch([_rule_page(page, lang, edition) for page in found.pages], found.sure, found.answered)


def find_example(id: str, edition: Edition) -> RuleExample | None:
    """Return the example of a ruling, an action, a trump, or an action that a trump allows; None if there is none. In
    another edition than the first one, the example of an entry is one of its rulings' in which it is used."""
    if edition.prefix:
        cited = (name for page in reference.pages("en", edition) if page.id == id for name in page.rulings)
        used = re.compile(rf"\b{re.escape(id)}\b")
        names = [id, *(name for name in cited if name in examples() and used.search(examples()[name].text))]
    else:
        trump_ids = [trump.id for trump in edition.trumps if id in trump.allows or id == trump.raises]
        names = [id, f"act.{id}", f"trump.{id}", *(f"trump.{trump_id}" for trump_id in trump_ids)]
    for name in names:
        found = examples().get(name)
        if found is not None:
            return RuleExample(id, found.scenario, found.variant, found.text)
    return None


def added_entries(entry: FormatEntry, edition: Edition) -> list[str]:
    """Return the entries this format adds to the one below: actions, or the trumps with theirs."""
    if entry.most_trumps:
        return [f"trump:{definition.id}" for definition in edition.trumps]
    return [
        f"action:{definition.id}"
        for definition in edition.actions
        if not definition.group and definition.since == entry.format
    ]


def brought_entries(frame: Frame, edition: Edition) -> list[str]:
    """Return the entries that a frame brings to every format: actions of its groups, and the trumps with theirs."""
    actions = (one for one in edition.actions if one.group in frame.brings and not one.permission)
    return [*(f"action:{one.id}" for one in actions), *(f"trump:{one.id}" for one in edition.trumps if frame.trumps)]


@cached("regulations", 2)
def regulations(edition: Edition) -> Regulations:
    def part(entry: Any) -> RegulationPart:
        setup_cards = entry.setup_cards if isinstance(entry, Frame) else {}
        return RegulationPart(
            entry.id,
            entry.ja,
            entry.en,
            getattr(entry, "text_ja", ""),
            getattr(entry, "text_en", ""),
            getattr(entry, "decks", 1),
            getattr(entry, "build", ""),
            getattr(entry, "most_trumps", 0),
            getattr(entry, "most", 54),
            getattr(entry, "exactly", 0),
            fixed_names(entry) if isinstance(entry, Frame) and entry.build == FIXED else [],
            write_decks(built_in_decks(entry)) if isinstance(entry, Frame) and entry.build == CONSTRUCTED else "",
            added_entries(entry, edition)
            if isinstance(entry, FormatEntry)
            else brought_entries(entry, edition)
            if isinstance(entry, Frame)
            else [],
            getattr(entry, "least", 0),
            **setup_cards,
        )

    return Regulations(
        [part(entry) for entry in edition.formats],
        [part(entry) for entry in edition.frames],
        [part(entry) for entry in edition.options],
        [regulation.text for regulation in all_regulations(edition)],
        edition.name,
        packages_of(edition),
        edition.id,
        [f"{edition.prefix}{entry.id}+{frame}" for entry in edition.formats for frame in entry.recommended],
    )
