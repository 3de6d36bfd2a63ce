"""Rule pages, derived from the definitions in both languages.

``Book`` makes the page of an action, a character or a trump. Texts that are in no definition are in ``catalogue``;
``prompts`` makes questions and labels, ``log`` the log lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Protocol

from blackpoker.definitions.model import (
    TRUMP_GROUP,
    Action,
    Character,
    Fog,
    Format,
    If,
    Key,
    Lists,
    Steps,
    Timing,
    Trump,
    Zone,
)
from blackpoker.definitions.values import ActionName
from blackpoker.engine.cards import NAMES, VALUE, members, parse_card, parse_card_range
from blackpoker.engine.state import FORCE_FOG
from blackpoker.engine.step import Step
from blackpoker.text.catalogue import COST_NAMES, COST_UNITS, FORMAT_NAMES, NUMERALS, OPPONENT_TEXTS, PAGE_WORDS
from blackpoker.text.resources import Lang, in_lang, text_of


def phrase(name: str, lang: Lang, *values: object) -> str:
    """Return the text of that name in ``PAGE_WORDS``."""
    return in_lang(PAGE_WORDS[name], lang).format(*values)


def cards_text(ranges: str, lang: Lang) -> str:
    """Return a card range in readable form: ``"♡A-10"`` as ``"♡A–10"`` or ``"♡A〜10"``, ``"JK"`` as ``"Joker"``."""
    dash = "〜" if lang == "ja" else "–"
    parts = [part.replace("-", dash).replace("JK", "Joker") for part in ranges.split()]
    return "・".join(parts)


def key_text(key: Key, lang: Lang) -> str:
    """Return the key cards in words."""
    if key.zone is Zone.RARE:
        return phrase("key_rare", lang)
    if key.form == "one":
        return phrase("key_one", lang, cards_text(" ".join(key.ranges), lang))
    if key.form == "two":
        return phrase("key_two", lang, cards_text(" ".join(key.ranges), lang))
    if key.form == "each":
        return phrase("key_each", lang, phrase("key_and", lang).join(cards_text(r, lang) for r in key.ranges))
    if key.form in ("same_suit", "same_number"):
        return phrase(f"key_{key.form}", lang)
    ranks = {(", " if lang == "en" else "・").join(card[1:] for card in whole.split()) for whole in key.ranges}
    if len(ranks) == 1 and len(key.ranges) == 4:
        return phrase("key_whole", lang, *ranks)
    return phrase("or", lang).join(key.ranges)


def cost_text(cost: str, lang: Lang) -> str:
    """Return a cost with the meaning of its letters: ``$BL (drive one …, take one damage)``."""
    words = cost_words(cost, lang)
    return words if not cost else f"${cost} ({words})" if lang == "en" else f"${cost}（{words}）"


def cost_kinds(edition: Lists) -> list[str]:
    """Return the letters that the costs of an edition have."""
    return [letter for letter in COST_NAMES if any(letter in action.cost for action in edition.actions)]


def cost_words(cost: str, lang: Lang) -> str:
    """Return the meaning of the letters of a cost."""
    if not cost:
        return phrase("none", lang)
    parts: list[str] = []
    for letter in dict.fromkeys(cost):
        n = cost.count(letter)
        unit = in_lang(COST_UNITS[letter], lang)
        if lang == "ja":
            amount = f"{n}{unit}"
        else:
            amount = str(n) if letter == "L" else NUMERALS[n] + unit + ("s" if unit and n > 1 else "")
        parts.append(in_lang(COST_NAMES[letter], lang).format(n=amount))
    if lang == "ja":
        return "、".join([*map(_continuative, parts[:-1]), parts[-1]])
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _continuative(text: str) -> str:
    """Return the continuative form of a Japanese verb: ドライブし for ドライブする, 捨て for 捨てる."""
    return (
        text.removesuffix("る")
        if text.endswith(("ける", "てる"))
        else text.removesuffix("する").removesuffix("す") + "し"
    )


def trigger_notation(action: Action, lang: Lang) -> str:
    """Return trigger, speed and timing in the notation of the rulebook: ``@direct-normal-main`` (E-43)."""
    trigger = phrase("direct" if action.direct else "triggered", lang)
    speed = phrase("immediate" if action.immediate else "normal", lang)
    return f"@{trigger}-{speed}-{text_of(action.timing, lang)}"


def timing_text(action: Action, lang: Lang) -> str:
    """Return trigger, speed and timing in words."""
    if not action.direct:
        when = phrase("when_raised", lang)
    else:
        when = phrase("when_main" if action.timing is Timing.MAIN else "when_quick", lang)
    return phrase("sentence", lang, when, phrase("how_immediate" if action.immediate else "how_normal", lang))


def request_window(action: Action) -> str:
    """Return the window in which a player may request the action, or "raised" if only the rules raise it."""
    if not action.direct:
        return "raised"
    return "main" if action.timing is Timing.MAIN else "quick"


def costs_of(action: Action) -> tuple[str, ...]:
    """Return the letters of each alternative cost; a driven soldier is listed separately."""
    return tuple(cost for cost in (action.cost, action.quick_cost) if cost and not action.source)


def short_text(action: Action, lang: Lang) -> str:
    """Return name, cost and key on one line, as on a button: ``Summon Soldier $BL ★2–10``."""
    parts = [text_of(action, lang)]
    if action.cost:
        parts.append("$" + action.cost + (f"/{action.quick_cost}" if action.quick_cost else ""))
    if action.key is not None:
        parts.append("★" + key_sign(action.key, lang))
    return " ".join(parts)


def key_sign(key: Key, lang: Lang) -> str:
    """Return the key cards in the short form of the action lists."""
    if key.zone is Zone.RARE:
        return phrase("sign_rare", lang)
    if key.form == "one":
        return cards_text(" ".join(key.ranges), lang)
    if key.form == "two":
        return cards_text(" ".join(key.ranges), lang) + "×2"
    if key.form == "each":
        return "+".join(r.removesuffix("A-K") for r in key.ranges)
    if key.form in ("same_suit", "same_number"):
        return phrase(f"sign_{key.form}", lang)
    return "+".join(card[1:] for card in key.ranges[0].split())


def cards_of(ranges: str) -> int:
    """Return the set of the cards of these ranges."""
    found = 0
    for part in ranges.split():
        found |= parse_card_range(part)
    return found


def card_names(ranges: str) -> list[str]:
    """Return the cards of these ranges in the notation."""
    return [NAMES[card] for card in members(cards_of(ranges))]


class BringsGroups(Protocol):
    """A frame, as far as rule pages need it."""

    @property
    def id(self) -> str: ...
    @property
    def ja(self) -> str: ...
    @property
    def en(self) -> str: ...
    @property
    def brings(self) -> tuple[str, ...]: ...


class HasNames(Protocol):
    """An object with an id and a name in both languages."""

    @property
    def id(self) -> str: ...
    @property
    def ja(self) -> str: ...
    @property
    def en(self) -> str: ...


# -- pages -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ActionPart:
    """An action shown in full on another page: an action that a trump allows or raises."""

    id: str
    title: str
    costs: tuple[str, ...]
    key: str  # in the short form of the lists
    when: str  # "main", "quick", or "raised"
    source: str  # the soldier driven for it, in words
    target: str
    clauses: tuple[str, ...]
    notes: tuple[str, ...]  # its limits, except for costs and timing


@dataclass(frozen=True)
class Page:
    """One entry of the rulebook: ordered facts, prose, remarks, numbered clauses, rulings."""

    kind: str  # "section" "ruling" "action" "character" "trump" "fog" "format" "frame" "option"
    id: str
    title: str
    other_title: str  # the name in the other language
    group: str  # the heading of its group in an index
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()  # paragraphs; lines beginning with "- " are list items
    rows: tuple[tuple[str, ...], ...] = ()  # a table, its head first
    words: str = ""  # further search words
    cards: int = 0  # the set of cards it is about
    plain: tuple[tuple[str, str], ...] = ()  # facts for readers without notation; empty: they come as data
    costs: tuple[str, ...] = ()  # of an action: the letters of each alternative cost
    card: str = ""  # of a trump: its card
    short: str = ""  # its effect in a few words
    allows: tuple[str, ...] = ()  # of a trump: the actions it allows or raises
    parts: tuple[ActionPart, ...] = ()  # the same actions in full
    partner: str = ""  # of a trump that joins another card: that card, as the lists write it
    since: str = ""  # the first format that has it, or the first frame that brings it
    when: str = ""  # of an action: "main", "quick", or "raised"
    key: Key | None = None  # of an action
    asks: str = ""  # of a ruling: its title as a question
    opponent_text: str = ""  # of an action: its first clause for the opponent, if that differs


class Book:
    """The rule pages of an edition in one language."""

    def __init__(self, edition: Lists, lang: Lang) -> None:
        self.edition = edition
        self.lang: Lang = lang
        self.actions: dict[str, Action] = {action.id: action for action in edition.actions}
        self.characters: dict[str, Character] = {character.id: character for character in edition.characters}
        self.trumps: dict[str, Trump] = {trump.id: trump for trump in edition.trumps}
        #: the actions raised by the effect of each action, by id
        self.raised: dict[str, set[str]] = {action.id: set(_raised_actions(action)) for action in edition.actions}

    def phrase(self, name: str, *values: object) -> str:
        return phrase(name, self.lang, *values)

    def join(self, names: list[str]) -> str:
        return ("・" if self.lang == "ja" else ", ").join(names)

    def action_name(self, id: str) -> str:
        """Return the name of an action."""
        return text_of(self.actions[id], self.lang)

    def pages(self) -> Iterator[Page]:
        for action in self.edition.actions:
            yield self.action(action)
        for character in self.edition.characters:
            yield self.character(character)
        for trump in self.edition.trumps:
            yield self.trump(trump)
        for fog in self.edition.fogs:
            yield self.fog(fog)

    # -- actions

    def action(self, action: Action) -> Page:
        lang = self.lang
        plain = [(self.phrase("when"), timing_text(action, lang))]
        facts = [
            (self.phrase("type"), text_of(action.kind, lang)),
            (self.phrase("since"), self.since(action)),
            (self.phrase("when"), f"{trigger_notation(action, lang)}  {timing_text(action, lang)}"),
        ]
        if action.source:
            facts.append((self.phrase("cost"), self.source_text(action)))
        elif action.direct:
            facts.append((self.phrase("cost"), cost_text(action.cost, lang)))
            plain.append((self.phrase("cost"), "" if action.cost else cost_words("", lang)))
        if action.key is not None:
            facts.append((self.phrase("key"), key_text(action.key, lang)))
        if action.target is not None:
            facts.append((self.phrase("target"), self.target(action)))
        if action.trigger is not None:
            facts.append((self.phrase("triggered_when"), text_of(action.trigger, lang)))
        raised = self.raised_by(action)
        if raised:
            facts.append((self.phrase("raised_by"), self.join(raised)))
        given = self.given_by(action)
        if given:
            facts.append((self.phrase("given_by"), self.join(given)))
        return Page(
            "action",
            action.id,
            text_of(action, lang),
            text_of(action, _other(lang)),
            text_of(action.kind, lang),
            tuple(facts),
            tuple(self.notes(action)),
            tuple(text_of(clause, lang) for clause in action.effect),
            action.rulings,
            cards=cards_of(" ".join(action.key.ranges)) if action.key is not None else 0,
            plain=tuple(plain),
            costs=costs_of(action),
            short=" ".join(text_of(clause, lang) for clause in action.effect[:1]),
            since=self.first_of(action),
            when=request_window(action),
            key=action.key,
            opponent_text=in_lang(OPPONENT_TEXTS.get(action.id, ("", "")), lang),
        )

    def part(self, action: Action) -> ActionPart:
        lang = self.lang
        return ActionPart(
            action.id,
            text_of(action, lang),
            costs_of(action),
            "" if action.key is None else key_sign(action.key, lang),
            request_window(action),
            self.source_text(action) if action.source else "",
            self.target(action),
            tuple(text_of(clause, lang) for clause in action.effect),
            tuple(self.notes(replace(action, direct=True, quick_cost="", opponent_turn_only=False, notes=()))),
        )

    def target(self, action: Action) -> str:
        return "" if action.target is None else text_of(action.target, self.lang)

    def since(self, definition: Action | Character | Fog) -> str:
        """Return the formats that have it, or the frames that bring it (N-121)."""
        if definition.group:
            return self.join([text_of(frame, self.lang) for frame in self.frames(definition.group)])
        format = Format.LITE if isinstance(definition, Fog) else definition.since
        name = in_lang(FORMAT_NAMES[format], self.lang)
        return self.phrase("only" if format >= Format.EXTRA else "from_on", name)

    def since_trumps(self) -> str:
        frames = self.frames(TRUMP_GROUP)
        names = [text_of(frame, self.lang) for frame in frames]
        return self.join(names) if frames else self.phrase("only", in_lang(FORMAT_NAMES[Format.EXTRA], self.lang))

    def frames(self, group: str) -> list[BringsGroups]:
        """Return the frames that bring a group of definitions."""
        frames: Iterable[BringsGroups] = getattr(self.edition, "frames", ())
        return [frame for frame in frames if group in frame.brings]

    def first_of(self, definition: Action | Character | Fog) -> str:
        """Return the id of the first format that has it, or of the first frame that brings it."""
        if definition.group:
            return self.frames(definition.group)[0].id
        return Format.LITE.id if isinstance(definition, Fog) else definition.since.id

    def source_text(self, action: Action) -> str:
        if action.source in ("self", "bulwark"):
            return self.phrase(f"source_{action.source}")
        return self.phrase("source_suit", "・".join(action.source))

    def notes(self, action: Action) -> list[str]:
        """Return the remarks that follow from the fields, then those of the definition."""
        notes: list[str] = []
        if not action.direct:
            notes.append(self.phrase("not_direct"))
        if action.quick_cost:
            notes.append(self.phrase("quick_cost", cost_text(action.quick_cost, self.lang)))
        for flag in ("per_turn", "per_game", "opponent_turn_only", "late_triggers"):
            if getattr(action, flag):
                notes.append(self.phrase(flag))
        if action.most_life is not None:
            notes.append(self.phrase("most_life", action.most_life))
        if action.unopened:
            notes.append(self.phrase("unopened"))
        if action.empty_stage and action.timing is Timing.QUICK:
            notes.append(self.phrase("empty_stage"))
        if not action.counterable:
            notes += [
                self.phrase("not_counterable", text_of(other, self.lang))
                for other in self.edition.actions
                if other.target is not None and other.target.counterable
            ]
        notes += [text_of(note, self.lang) for note in action.notes]
        return list(dict.fromkeys(notes))

    def raised_by(self, action: Action) -> list[str]:
        """Return the sources that raise the action: effects, characters that leave or act at the end of a turn,
        trumps."""
        found = [text_of(other, self.lang) for other in self.edition.actions if action.id in self.raised[other.id]]
        for character in self.edition.characters:
            leaves = character.leaves.action if character.leaves is not None else ""
            if action.id in (leaves, character.at_end):
                found.append(text_of(character, self.lang))
        found += [self.trump_name(trump) for trump in self.edition.trumps if trump.raises == action.id]
        return found

    def given_by(self, action: Action) -> list[str]:
        if not action.permission:
            return []
        found = [self.trump_name(trump) for trump in self.edition.trumps if action.permission in trump.allows]
        return found + [
            text_of(character, self.lang)
            for character in self.edition.characters
            if action.permission in character.permissions
        ]

    # -- characters and trumps

    def character(self, character: Character) -> Page:
        lang = self.lang
        type = self.phrase("bulwark" if character.bulwark else "soldier")
        if character.bulwark:
            number = self.phrase("number_none")
        elif character.number is not None:
            number = str(character.number)
        else:
            values = {VALUE[card] for part in character.made_by.split() for card in members(parse_card_range(part))}
            number = str(*values) if len(values) == 1 else self.phrase("number_card" if values else "number_sum")
        facts = (
            (self.phrase("type"), type),
            (self.phrase("since"), self.since(character)),
            (self.phrase("cards"), self.character_cards(character)),
            (self.phrase("number"), number),
        )
        abilities = [text_of(ability, lang) for ability in character.abilities]
        cards = cards_of(character.made_by or " ".join(character.pair or ()))
        return Page(
            "character",
            character.id,
            text_of(character, lang),
            text_of(character, _other(lang)),
            self.phrase("character"),
            facts,
            (),
            tuple(abilities),
            character.rulings,
            cards=cards,
            since=self.first_of(character),
        )

    def character_cards(self, character: Character) -> str:
        if character.made_by:
            return self.phrase("key_one", cards_text(character.made_by, self.lang))
        ja, _, en = character.cards.partition(" / ")
        if en:
            return in_lang((ja, en), self.lang)
        return " + ".join(cards_text(part, self.lang) for part in ja.split(" + "))

    def trump_name(self, trump: Trump) -> str:
        return f"{trump.card} {text_of(trump, self.lang)}"

    def trump(self, trump: Trump) -> Page:
        lang = self.lang
        allowed = [action for action in self.edition.actions if action.permission and action.permission in trump.allows]
        abilities = [text_of(ability, lang) for ability in trump.abilities]
        short = in_lang((trump.short_ja, trump.short_en), lang)
        if allowed and not abilities:
            names = self.join([text_of(action, lang) for action in allowed])
            abilities.append(self.phrase("may_use", names))
        if trump.on and trump.raises in self.actions and not trump.abilities:
            ends = next((text_of(a, lang) for a in self.edition.actions if a.ends_turn), "")
            abilities.append(self.phrase(f"makes_{trump.on}", self.action_name(trump.raises), ends))
        facts = [(self.phrase("cards"), trump.card), (self.phrase("since"), self.since_trumps())]
        given = [*allowed, *([self.actions[trump.raises]] if trump.raises in self.actions else [])]
        return Page(
            "trump",
            trump.id,
            text_of(trump, lang),
            text_of(trump, _other(lang)),
            self.phrase("trump"),
            tuple(facts),
            (),
            tuple(abilities),
            trump.rulings,
            cards=cards_of(trump.card),
            card=NAMES[parse_card(trump.card)],
            short=short or (abilities[0] if abilities else ""),
            allows=tuple(action.id for action in given),
            parts=tuple(self.part(action) for action in given),
            partner=self.partner(trump),
            since=next((frame.id for frame in self.frames(TRUMP_GROUP)), Format.EXTRA.id),
        )

    def fog(self, fog: Fog) -> Page:
        lang = self.lang
        cards = ("key_two" if fog.number == FORCE_FOG else "key_one", cards_text(fog.cards, lang))
        return Page(
            "fog",
            fog.id,
            text_of(fog, lang),
            text_of(fog, _other(lang)),
            self.phrase("fog"),
            ((self.phrase("since"), self.since(fog)), (self.phrase("cards"), self.phrase(*cards))),
            (),
            (in_lang((fog.text_ja, fog.text_en), lang),),
            fog.rulings,
            cards=cards_of(fog.cards),
            since=self.first_of(fog),
        )

    def partner(self, trump: Trump) -> str:
        """Return the card or cards that make a character together with the trump."""
        pairs = [character.pair for character in self.edition.characters if character.pair]
        return next((cards_text(other, self.lang) for card, other in pairs if card == trump.card), "")


def join_names(things: Iterable[HasNames], lang: Lang) -> str:
    """Return several names in a row."""
    return ("・" if lang == "ja" else ", ").join(text_of(thing, lang) for thing in things)


def entry_page(
    kind: str, entry: HasNames, lang: Lang, facts: list[tuple[str, str]], clauses: tuple[str, ...] = ()
) -> Page:
    """Return the page of a format, a frame or an option; the labels of ``facts`` are keys of ``PAGE_WORDS``."""
    title, other = text_of(entry, lang), text_of(entry, _other(lang))
    labelled = tuple((phrase(label, lang), text) for label, text in facts if text)
    return Page(kind, entry.id, title, other, phrase(kind, lang), labelled, (), clauses)


def _other(lang: Lang) -> Lang:
    return "en" if lang == "ja" else "ja"


def _steps(steps: Steps) -> Iterator[Step | If]:
    for step in steps:
        yield step
        if isinstance(step, If):
            yield from _steps(step.then)
            yield from _steps(step.otherwise)


def _raised_actions(action: Action) -> Iterator[str]:
    """Yield the actions that its steps raise."""
    for clause in action.effect:
        for step in _steps(clause.steps):
            action_name = getattr(step, "action", None)
            if isinstance(action_name, ActionName):
                yield action_name.id


_PREFIXES: Final = {"act.": "action", "char.": "character", "trump.": "trump"}


def find_pages(pages: Iterable[Page], id: str) -> list[Page]:
    """Return the pages with this id or name in either language. An action and a trump may share an id; the prefixes
    ``act.``, ``char.`` and ``trump.`` select one."""
    wanted = id.strip().casefold()
    prefix = next((prefix for prefix in _PREFIXES if wanted.startswith(prefix)), "")
    wanted = _folded(wanted.removeprefix(prefix))
    return [
        page
        for page in pages
        if wanted in (_folded(name) for name in _names(page)) and (not prefix or page.kind == _PREFIXES[prefix])
    ]


def _names(page: Page) -> tuple[str, ...]:
    """Return the names of a page. Chapters and rulings have only their id, because their titles repeat those of other
    pages."""
    return (page.id,) if page.kind in ("section", "ruling") else (page.id, page.title, page.other_title)


def _folded(name: str) -> str:
    return "".join(c for c in name.casefold() if c not in " _-・")


# -- rendering ---------------------------------------------------------------------------------------------------------


def page_text(page: Page, lang: Lang) -> str:
    """Return a page as plain text."""
    width = max((_display_width(label) for label, _ in page.facts), default=0)
    lines = [f"{page.title} / {page.other_title}  [{page.id}]"]
    lines += [f"  {label}{' ' * (width - _display_width(label))}  {text}" for label, text in page.facts]
    lines += [f"  ※ {note}" for note in page.notes]
    lines += [f"  {number}. {clause}" for number, clause in enumerate(page.clauses, 1)]
    if page.rulings:
        lines.append(f"  {phrase('rulings', lang)}: {', '.join(page.rulings)}")
    return "\n".join(lines)


def _display_width(text: str) -> int:
    """Return the width of the text in a terminal; Japanese characters take two columns."""
    return sum(2 if ord(c) > 0x2E80 else 1 for c in text)
