"""The printed sheets, in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final, Literal

from blackpoker.definitions.model import Action, Format
from blackpoker.engine.cards import CARDS, JOKER, NAMES
from blackpoker.printing.drawings import card, cost, document, draw_suits, emblem, rank, suit
from blackpoker.ruleset import DeckList, Edition
from blackpoker.text import quick
from blackpoker.text.resources import Lang
from blackpoker.text.rulebook import ActionPart, Book, Page, cost_kinds, cost_words

SheetLang = Literal["ja", "en", "both"]
PER_SHEET: Final = 9
#: text size of the list of actions, so that it fits one page
POINTS: Final = {Format.LITE: 11, Format.STANDARD: 9.6, Format.PRO: 9, Format.MASTER: 8, Format.EXTRA: 7.6}
#: emblem size (mm) and text size (points) of a card; the first pair that fits is used
SIZES: Final = ((27, 8.4), (21, 8.4), (14, 8.4), (14, 7.6), (10, 7.6), (10, 7), (10, 6.5), (10, 6), (10, 5.6), (8, 5.2))
#: usable line width on a card in millimetres, with a margin for phrases that do not break
WIDTH: Final = 55
WORDS: Final = {
    "title": ("BlackPoker 早見表", "BlackPoker quick reference"),
    "for": ("ふたり用 · ひとり1組のトランプ · {0}", "For two · a pack of cards each · {0}"),
    "to": ("フォーマット：{0}", "format {0}"),
    "here": ("ここまでで遊べる", "enough to play"),
    "more": ("さらに", "and besides"),
    "any_time": ("いつでも", "any time"),
    "their_turn": ("相手のターン", "their turn"),
    "target": ("対象：{0}。", "Target: {0}."),
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


def phrase(name: str, lang: Lang, *values: object) -> str:
    return WORDS[name][0 if lang == "ja" else 1].format(*values)


# -- the quick reference -----------------------------------------------------------------------------------------------


def quick_reference(format: str, lang: Lang, edition: Edition) -> str:
    """Return two pages: the game, and every action of the format."""
    entry = next(one for one in edition.formats if one.id == format)
    name = entry.ja if lang == "ja" else entry.en
    body = first_page(lang, phrase("to", lang, name), edition) + second_page(entry.format, lang, edition)
    return document(f"{phrase('title', lang)} {name}", lang, body)


def first_page(lang: Lang, reach: str, edition: Edition) -> str:
    parts = [
        f"<header><div><h1>{phrase('title', lang)}</h1><p>{phrase('for', lang, reach)}</p></div>"
        f'<div class="fan">{"".join(card(one) for one in ("SJ", "HQ", "DA", "CK", "JK"))}</div></header>'
    ]
    for block in quick.blocks(edition.id):
        items = "".join(item(one, block.id, lang) for one in block.items)
        if block.id == "costs":
            items = "".join(
                f'<div class="it"><span class="co">{letter}</span> {draw_suits(cost_words(letter, lang))}</div>'
                for letter in cost_kinds(edition)
            )
        text = f"<p>{draw_suits(block.text.in_lang(lang))}</p>"
        parts.append(
            f'<section class="{block.id}"><h2>{escape(block.title.in_lang(lang))}</h2>'
            f"{f'<div class=items>{items}</div>' if items else ''}{text}</section>"
        )
    foot = f"<footer><span>{phrase('fan', lang)}</span><span>1／2</span></footer>"
    return f'<article class="a4 first">{"".join(parts)}{foot}</article>'


def item(one: quick.Item, block: str, lang: Lang) -> str:
    drawn = [card(name) for name in one.cards]
    if one.sign:
        drawn.insert(1, f'<b class="sign">{escape(one.sign)}{"−" + one.cards[0][1:] if len(drawn) == 1 else ""}</b>')
    title = f"<b>{escape(one.title.in_lang(lang))}</b>" if one.title.in_lang(lang) else ""
    cards = f'<span class="cards">{"".join(drawn)}</span>' if drawn else ""
    return f'<div class="it">{cards}{title}<span>{draw_suits(one.text.in_lang(lang))}</span></div>'


def second_page(format: Format, lang: Lang, edition: Edition) -> str:
    book = Book(edition, lang)
    parts: list[str] = []
    for entry in edition.formats:
        if entry.format > format:
            break
        rows = [row(action, book) for action in edition.actions if action.since is entry.format and is_listed(action)]
        title = entry.ja if lang == "ja" else entry.en
        note = phrase("here" if not parts else "more", lang)
        parts.append(f"<h2>{escape(title)} <small>{note}</small></h2><table>{''.join(rows)}</table>")
    return (
        f'<article class="a4 second" style="--text:{POINTS[format]}pt">{"".join(parts)}'
        f"<footer><span>{phrase('keys', lang)}</span><span>2／2</span></footer></article>"
    )


def is_listed(action: Action) -> bool:
    """Return whether a player requests the action without a trump; actions of trumps are on their cards."""
    return action.direct and not action.permission and action.source != "self"


def row(action: Action, book: Book) -> str:
    part, lang = book.part(action), book.lang
    when = phrase("their_turn" if action.opponent_turn_only else "any_time", lang) if part.when == "quick" else ""
    if action.quick_cost:
        when = f"{phrase('any_time', lang)} {cost(action.quick_cost)}"
    return (
        f"<tr><th>{escape(part.title)}</th><td class=key>{draw_suits(part.key or '–')}</td>"
        f"<td class=cost>{cost(action.cost) or '–'}</td>"
        f"<td class=does>{effect_text(part, lang)}</td><td class=when>{when}</td></tr>"
    )


def effect_text(part: ActionPart, lang: Lang) -> str:
    """Return target, effect and limits of an action."""
    target = f'<i class="target">{draw_suits(phrase("target", lang, part.target))}</i> ' if part.target else ""
    return target + (draw_suits(("" if lang == "ja" else " ").join((*part.clauses, *part.notes))) or "–")


# -- trumps ------------------------------------------------------------------------------------------------------------


def trump_cards(lang: SheetLang, edition: Edition) -> str:
    """Return sheets of nine cards with cutting lines."""
    languages: list[Lang] = ["ja", "en"] if lang == "both" else [lang]
    books = {language: Book(edition, language) for language in languages}
    pages = [[books[language].trump(trump) for language in languages] for trump in edition.trumps]
    sheets = [pages[n : n + PER_SHEET] for n in range(0, len(pages), PER_SHEET)]
    head = languages[0]
    body = "".join(
        f'<article class="a4 trumps"><div class="cut">{"".join(trump_card(one) for one in sheet)}</div>'
        f"<footer><span>{phrase('trumps', head, number, len(sheets))}</span></footer></article>"
        for number, sheet in enumerate(sheets, 1)
    )
    return document(phrase("trumps", head, 1, len(sheets)).partition(" · ")[0], head, body)


def trump_card(pages: Sequence[Page]) -> str:
    """Return the HTML of a card. The emblem shrinks before the text does."""
    page = pages[0]
    letter = page.card[0]
    text = "".join(card_text(one) for one in pages)
    lines = [line for one in pages for line in _paragraphs(one)]
    size, points = next((one for one in SIZES if _height(lines, one[1]) < 61 - one[0]), SIZES[-1])
    return (
        f'<div class="trump {letter}" style="--emblem:{size}mm;--text:{points}pt"><div class="face">'
        f'<span class="index">{rank(page.card[1:])}{suit(letter)}</span>'
        f"{emblem(page.id, letter)}<h3>{escape(page.title)}</h3><h4>{escape(page.other_title)}</h4>"
        f'<div class="text">{text}</div></div></div>'
    )


def _height(lines: Sequence[str], points: float) -> float:
    """Return an upper estimate of the height of these paragraphs in millimetres at this text size."""
    em = points * 25.4 / 72
    rows = sum(1 + int(sum(1 if _wide(sign) else 0.52 for sign in line) * em / WIDTH) for line in lines)
    return (rows * 1.3 + len(lines) * 0.3) * em


def card_text(page: Page) -> str:
    """Return the page's own lines, except those that only name the action, then every action it allows or raises."""
    lang: Lang = "ja" if _wide(page.title) else "en"
    only_names_action = (
        len(page.parts) == len(page.clauses) == 1 and not page.parts[0].source and page.parts[0].when != "raised"
    )
    out = [] if only_names_action else [f"<p>{draw_suits(line)}</p>" for line in page.clauses]
    for part in page.parts:
        when = {"quick": phrase("any_time", lang), "raised": phrase("raised", lang)}.get(part.when, "")
        key = f" <span class=one>★{draw_suits(part.key)}</span>" if part.key else ""
        costs = f" / <em>{phrase('any_time', lang)}</em> ".join(cost(way) for way in part.costs)
        out.append(f"<p><b>{escape(part.title)}</b> {costs}{key} <em>{when}</em><br>{effect_text(part, lang)}</p>")
    return "".join(out)


def _paragraphs(page: Page) -> list[str]:
    """Return the approximate text of ``card_text``, one item per paragraph."""
    titles = [f"{part.title} {part.key} {'   '.join(part.costs)}" for part in page.parts]
    return [*page.clauses, *titles, *(" ".join((part.target, *part.clauses, *part.notes)) for part in page.parts)]


def _wide(text: str) -> bool:
    return any(ord(sign) > 0x2E80 for sign in text)


# -- a deck ------------------------------------------------------------------------------------------------------------


def card_line(title: str, cards: Sequence[int], first: int, end: int) -> str:
    """Return the cards of a deck with numbers from ``first`` to ``end``, counted and drawn, or "" if there are none."""
    here = [card(NAMES[one]) for one in cards if first <= one < end]
    if not here:
        return ""
    return f'<div class="line"><span class="count">{title} {len(here)}</span>{"".join(here)}</div>'


def deck_list(decks: DeckList, lang: Lang, edition: Edition) -> str:
    """Return a page with every card of one or two decks."""
    book = Book(edition, lang)
    frame = next((one.ja if lang == "ja" else one.en for one in edition.frames if one.id == decks.frame), "")
    names = {page.card: page for page in (book.trump(trump) for trump in edition.trumps)}
    parts = []
    for number, deck in enumerate(decks.decks, 1):
        title = f"{phrase('deck', lang, number)} · " if len(decks.decks) > 1 else ""
        rows = [card_line(suit(letter), deck.cards, 13 * at, 13 * at + 13) for at, letter in enumerate("SHDC")]
        rows.append(card_line("JK", deck.cards, JOKER, CARDS))
        for one in deck.trumps:
            page = names.get(NAMES[one])
            description = (
                f"<span><b>{escape(page.title)}</b> {draw_suits(page.short)}</span>" if page is not None else ""
            )
            rows.append(
                f'<div class="line"><span class="count">{phrase("chosen", lang)}</span>'
                f"{card(NAMES[one])}{description}</div>"
            )
        parts.append(f"<h2>{title}{phrase('many', lang, len(deck.cards))}</h2>{''.join(rows)}")
    head = f"<header><div><h1>{escape(decks.name) or 'BlackPoker'}</h1><p>{escape(frame)}</p></div></header>"
    foot = f"<footer><span>{phrase('fan', lang)}</span></footer>"
    return document(
        decks.name or "BlackPoker", lang, f'<article class="a4 deck">{head}{"".join(parts)}{foot}</article>'
    )
