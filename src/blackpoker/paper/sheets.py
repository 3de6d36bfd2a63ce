"""The sheets: what stands on each, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, Literal

from blackpoker.language.model import Action, Format
from blackpoker.paper.drawings import card, cost, document, emblem, said, suit
from blackpoker.regulation import DeckList, Edition, default_edition
from blackpoker.rules.cards import CARDS, JOKER, NAMES
from blackpoker.texts import quick
from blackpoker.texts.catalogue import COST_NAMES
from blackpoker.texts.rulebook import Book, Lang, Page, cost_words, key_sign, of, when_of

Tongue = Literal["ja", "en", "both"]
PER_SHEET: Final = 9
#: how large emblem and text of a card are, by how much text there is
SIZES: Final = (("xxs", 900), ("xs", 680), ("s", 480), ("m", 330), ("l", -1))
WORDS: Final = {
    "title": ("BlackPoker 早見表", "BlackPoker quick reference"),
    "for": ("ふたり用 · ひとり1組のトランプ · {0}", "For two · a pack of cards each · {0}"),
    "to": ("{0}まで", "up to {0}"),
    "here": ("ここまでで遊べる", "enough to play"),
    "more": ("さらに", "and besides"),
    "any_time": ("いつでも", "any time"),
    "keys": (
        "キーカードは手札から出し、使ったら墓地へ。コストとは別に払う。",
        "Keys come from the hand and go to the grave; they are not part of the cost.",
    ),
    "fan": (
        "非公式・ファンメイド。BlackPoker とそのルールの権利は原作者にあります。",
        "Unofficial, fan-made. BlackPoker and its rules are the work of its authors.",
    ),
    "trumps": (
        "BlackPoker 切札 {0}／{1} · 100% で印刷 · 63 × 88 mm · 非公式・ファンメイド",
        "BlackPoker trumps, sheet {0} of {1} · print at 100 % · 63 × 88 mm · unofficial, fan-made",
    ),
    "raised": ("自動", "by itself"),
    "deck": ("デッキ{0}", "Deck {0}"),
    "many": ("{0}枚", "{0} cards"),
    "chosen": ("切札", "Trumps"),
    "frame": ("フレーム", "Frame"),
}


def word(name: str, lang: Lang, *values: object) -> str:
    return WORDS[name][0 if lang == "ja" else 1].format(*values)


# -- the quick reference -----------------------------------------------------------------------------------------------


def quick_reference(format: str, lang: Lang, edition: Edition | None = None) -> str:
    """Two pages: the game, and every action of the format."""
    edition = edition or default_edition()
    entry = next(one for one in edition.formats if one.id == format)
    name = entry.ja if lang == "ja" else entry.en
    body = first_page(lang, word("to", lang, name)) + second_page(entry.format, lang, edition)
    return document(f"{word('title', lang)} {name}", lang, body)


def first_page(lang: Lang, reach: str) -> str:
    parts = [
        f"<header><div><h1>{word('title', lang)}</h1><p>{word('for', lang, reach)}</p></div>"
        f'<div class="fan">{"".join(card(one) for one in ("SJ", "HQ", "DA", "CK", "JK"))}</div></header>'
    ]
    for block in quick.blocks():
        items = "".join(item(one, block.id, lang) for one in block.items)
        if block.id == "costs":
            items = "".join(
                f'<div class="it"><span class="co">{letter}</span> {said(cost_words(letter, lang))}</div>'
                for letter in COST_NAMES
            )
        text = f"<p>{said(block.text.in_lang(lang))}</p>"
        parts.append(
            f'<section class="{block.id}"><h2>{escape(block.title.in_lang(lang))}</h2>'
            f"{f'<div class=items>{items}</div>' if items else ''}{text}</section>"
        )
    foot = f"<footer><span>{word('fan', lang)}</span><span>1／2</span></footer>"
    return f'<article class="a4 first">{"".join(parts)}{foot}</article>'


def item(one: quick.Item, block: str, lang: Lang) -> str:
    drawn = [card(name) for name in one.cards]
    if one.sign:
        drawn.insert(1, f'<b class="sign">{escape(one.sign)}{"−" + one.cards[0][1:] if len(drawn) == 1 else ""}</b>')
    title = f"<b>{escape(one.title.in_lang(lang))}</b>" if one.title.in_lang(lang) else ""
    cards = f'<span class="cards">{"".join(drawn)}</span>' if drawn else ""
    return f'<div class="it">{cards}{title}<span>{said(one.text.in_lang(lang))}</span></div>'


def second_page(format: Format, lang: Lang, edition: Edition) -> str:
    parts: list[str] = []
    for entry in edition.formats:
        if entry.format > format:
            break
        rows = [row(action, lang) for action in edition.actions if action.since is entry.format and listed(action)]
        title = entry.ja if lang == "ja" else entry.en
        note = word("here" if not parts else "more", lang)
        parts.append(f"<h2>{escape(title)} <small>{note}</small></h2><table>{''.join(rows)}</table>")
    dense = "" if format < Format.PRO else " dense" if format < Format.EXTRA else " dense densest"
    return (
        f'<article class="a4 second{dense}">{"".join(parts)}'
        f"<footer><span>{word('keys', lang)}</span><span>2／2</span></footer></article>"
    )


def listed(action: Action) -> bool:
    """What one requests oneself; what a trump allows stands on its card."""
    return action.direct and not action.permission and action.source != "self"


def row(action: Action, lang: Lang) -> str:
    key = key_sign(action.key, lang) if action.key is not None else "–"
    does = " ".join(of(clause, lang) for clause in action.effect) or "–"
    quick_sign = word("any_time", lang) if when_of(action) == "quick" else ""
    return (
        f"<tr><th>{escape(of(action, lang))}</th><td class=key>{said(key)}</td>"
        f"<td class=cost>{cost(action.cost) or '–'}</td>"
        f"<td class=does>{said(does)}</td><td class=when>{quick_sign}</td></tr>"
    )


# -- trumps ------------------------------------------------------------------------------------------------------------


def trump_cards(lang: Tongue, edition: Edition | None = None) -> str:
    """Nine cards a sheet, with lines to cut along."""
    edition = edition or default_edition()
    tongues: list[Lang] = ["ja", "en"] if lang == "both" else [lang]
    books = {tongue: Book(edition, tongue) for tongue in tongues}
    pages = [[books[tongue].trump(trump) for tongue in tongues] for trump in edition.trumps]
    sheets = [pages[n : n + PER_SHEET] for n in range(0, len(pages), PER_SHEET)]
    head = tongues[0]
    body = "".join(
        f'<article class="a4 trumps"><div class="cut">{"".join(trump_card(one) for one in sheet)}</div>'
        f"<footer><span>{word('trumps', head, number, len(sheets))}</span></footer></article>"
        for number, sheet in enumerate(sheets, 1)
    )
    return document(word("trumps", head, 1, len(sheets)).partition(" · ")[0], head, body)


def trump_card(pages: Sequence[Page]) -> str:
    """The emblem gives way before the text does."""
    page = pages[0]
    letter, rank = page.card[0], page.card[1:]
    text = "".join(whole(one) for one in pages)
    # a line of its own for every name and every paragraph that ends before its line does
    length = sum(40 + len(line) * (2 if _wide(line) else 1) for one in pages for line in _lines(one))
    size = next(size for size, least in SIZES if length > least)
    return (
        f'<div class="trump {size} {letter}"><div class="face"><span class="index">{rank}{suit(letter)}</span>'
        f"{emblem(page.id, letter)}<h3>{escape(page.title)}</h3><h4>{escape(page.other)}</h4>"
        f'<div class="text">{text}</div></div></div>'
    )


def whole(page: Page) -> str:
    """Its own lines but for those that only name the action, then every action it allows or raises."""
    lang: Lang = "ja" if _wide(page.title) else "en"
    named = len(page.parts) == len(page.clauses) == 1 and not page.parts[0].source and page.parts[0].when != "raised"
    out = [] if named else [f"<p>{said(line)}</p>" for line in page.clauses]
    for part in page.parts:
        when = {"quick": word("any_time", lang), "raised": word("raised", lang)}.get(part.when, "")
        key = f" ★{said(part.key)}" if part.key else ""
        costs = "/".join(cost(way) for way in part.costs)
        out.append(f"<p><b>{escape(part.title)}</b> {costs}{key} <em>{when}</em><br>{said(' '.join(part.clauses))}</p>")
    return "".join(out)


def _lines(page: Page) -> list[str]:
    return [*page.clauses, *(part.title for part in page.parts), *(" ".join(part.clauses) for part in page.parts)]


def _wide(text: str) -> bool:
    return any(ord(sign) > 0x2E80 for sign in text)


# -- a deck ------------------------------------------------------------------------------------------------------------


def card_line(title: str, cards: Sequence[int], first: int, end: int) -> str:
    """The cards of a deck from one number up to another, counted and drawn."""
    here = [card(NAMES[one]) for one in cards if first <= one < end]
    return f'<div class="line"><span class="count">{title} {len(here)}</span>{"".join(here)}</div>'


def deck_list(decks: DeckList, lang: Lang, edition: Edition | None = None) -> str:
    """A page with every card of a deck, or of two."""
    edition = edition or default_edition()
    book = Book(edition, lang)
    frame = next((one.ja if lang == "ja" else one.en for one in edition.frames if one.id == decks.frame), "")
    names = {page.card: page for page in (book.trump(trump) for trump in edition.trumps)}
    parts = []
    for number, deck in enumerate(decks.decks, 1):
        title = f"{word('deck', lang, number)} · " if len(decks.decks) > 1 else ""
        rows = [card_line(suit(letter), deck.cards, 13 * at, 13 * at + 13) for at, letter in enumerate("SHDC")]
        rows.append(card_line("JK", deck.cards, JOKER, CARDS))
        for one in deck.trumps:
            page = names.get(NAMES[one])
            told = f"<b>{escape(page.title)}</b> {said(page.short)}" if page is not None else ""
            rows.append(
                f'<div class="line"><span class="count">{word("chosen", lang)}</span>{card(NAMES[one])} {told}</div>'
            )
        parts.append(f"<h2>{title}{word('many', lang, len(deck.cards))}</h2>{''.join(rows)}")
    head = f"<header><div><h1>{escape(decks.name) or 'BlackPoker'}</h1><p>{escape(frame)}</p></div></header>"
    foot = f"<footer><span>{word('fan', lang)}</span></footer>"
    return document(
        decks.name or "BlackPoker", lang, f'<article class="a4 deck">{head}{"".join(parts)}{foot}</article>'
    )
