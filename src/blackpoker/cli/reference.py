"""All pages of the reference: actions, characters, trumps, formats, frames and options."""

from __future__ import annotations

from collections.abc import Iterator

from blackpoker.language.model import Format
from blackpoker.regulation import EDITION, FORMATS, FRAMES, OPTIONS, Option
from blackpoker.regulation.tables import FRAMES_OF_FORMAT, OPTION_FORMATS, OPTION_FRAMES, FormatEntry, Frame
from blackpoker.texts.rulebook import Book, Lang, Page, entry_page, names, of_pair, say

KINDS = ("action", "character", "trump", "format", "frame", "option")


def pages(lang: Lang) -> Iterator[Page]:
    yield from Book(EDITION, lang).pages()
    for format in FORMATS:
        yield _format(format, lang)
    for frame in FRAMES:
        yield _frame(frame, lang)
    for option in OPTIONS:
        yield _option(option, lang)


def _format(entry: FormatEntry, lang: Lang) -> Page:
    actions = [action for action in EDITION.actions if action.since <= entry.format]
    characters = [character for character in EDITION.characters if character.since <= entry.format]
    contents = [say("n_actions", lang, len(actions)), say("n_characters", lang, len(characters))]
    if entry.format is Format.EXTRA:
        contents.append(say("n_trumps", lang, len(EDITION.trumps), entry.most_trumps))
    facts = [
        ("contents", ("・" if lang == "ja" else ", ").join(contents)),
        ("frames", names([frame for frame in FRAMES if frame.id in FRAMES_OF_FORMAT[entry.id]], lang)),
        ("options", names([option for option in OPTIONS if entry.id in OPTION_FORMATS[option.id]], lang)),
    ]
    return entry_page("format", entry, lang, facts)


def _frame(frame: Frame, lang: Lang) -> Page:
    size = say("size_exactly", lang, frame.exactly) if frame.exactly else say("size_most", lang, frame.most)
    facts = [
        ("build", say(frame.build, lang)),
        ("size", size),
        ("match", say("match_decks", lang, frame.decks)),
        ("formats", names([entry for entry in FORMATS if frame.id in FRAMES_OF_FORMAT[entry.id]], lang)),
        ("options", names([option for option in OPTIONS if frame.id in OPTION_FRAMES[option.id]], lang)),
        ("cards", frame.cards.translate(str.maketrans("SHDC", "♠♡♢♣"))),
    ]
    return entry_page("frame", frame, lang, facts, (of_pair(frame.text_ja, frame.text_en, lang),))


def _option(option: Option, lang: Lang) -> Page:
    brings = [action for action in EDITION.actions if action.id in option.actions]
    facts = [
        ("starts_with", say("preset", lang, option.preset // 2) if option.preset else ""),
        ("brings", names(brings, lang)),
        ("formats", names([entry for entry in FORMATS if entry.id in OPTION_FORMATS[option.id]], lang)),
        ("frames", names([frame for frame in FRAMES if frame.id in OPTION_FRAMES[option.id]], lang)),
    ]
    return entry_page("option", option, lang, facts, (of_pair(option.text_ja, option.text_en, lang),))
