"""Compare the definitions of an edition with the facts of the authors' lists, field by field; or two of their editions.

    python tools/rules_facts.py check                   every playable edition against its table in tools/facts
    python tools/rules_facts.py check 9 --tag v9.1.2    … edition 9 against a checkout of the authors' repository
    python tools/rules_facts.py changes v9.0 v9.1.2     the fields that changed between two tags, and our definitions
    python tools/rules_facts.py read v9.1.2             how much of a tag can be read, and what cannot
    python tools/rules_facts.py write v9.1.2 9          write the table of an edition

The environment variable BLACKPOKER_SOURCES names the git directory of the authors' repository. A table has one entry
per line: names, numbers, cards and words of a closed vocabulary, no sentence of the authors. Of an effect only numbers
and cards are kept, and a hash that shows a changed wording; a difference in them is no error, for our wording is ours.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from blackpoker.definitions.model import Action, Character, Format, Key, Target, UnitType, Whose, Zone
from blackpoker.engine.cards import VALUE, members, parse_card_range
from blackpoker.ruleset import Edition, editions
from blackpoker.text.rulebook import Book

TABLES: Final = Path(__file__).parent / "facts"
FOLDER: Final = "tools/actionlist/original/"
FORMATS: Final = ("lite", "std", "pro", "mast")
OUR_FORMATS: Final = {"lite": "lite", "standard": "std", "pro": "pro", "master": "mast"}
LISTS: Final = ("actions", "characters", "trumps", "fogs", "frames")
#: fields that are no rule, and those that only hint at one
_UNCOMPARED: Final = ("name", "id")
#: from this number on, entries with the same difference share a line
MANY: Final = 8
HINTS: Final = ("effect numbers", "effect cards", "wording")

Entry = dict[str, Any]


@dataclass
class Facts:
    """The facts of an edition: by list, the fields of each entry by its Japanese name."""

    lists: dict[str, dict[str, Entry]] = field(default_factory=lambda: {name: {} for name in LISTS})
    unread: Counter[str] = field(default_factory=Counter)

    def add(self, group: str, entry: Entry) -> None:
        name = entry["name"]
        if name in self.lists[group]:
            raise ValueError(f"{group}: {name} is there twice")
        self.lists[group][name] = entry


@dataclass(frozen=True)
class Difference:
    """A field that differs; ``field`` is empty for an entry that one side lacks."""

    group: str
    name: str
    field: str
    first: object
    second: object

    @property
    def is_hint(self) -> bool:
        return self.field in HINTS

    @property
    def text(self) -> str:
        if self.field == "wording":
            return "changed wording"
        if not self.field:
            return "only in the first" if self.second is None else "only in the second"
        return f"{self.field}: {self.first!r} | {self.second!r}"


def compare(first: Facts, second: Facts) -> Iterator[Difference]:
    """Yield every difference. Fields that only one side has in all its entries are not compared."""
    for group in LISTS:
        ours, theirs = first.lists[group], second.lists[group]
        if not ours or not theirs:
            continue  # an edition without fogs or frames
        for name in dict.fromkeys((*ours, *theirs)):
            if name not in ours or name not in theirs:
                yield Difference(group, name, "", ours.get(name), theirs.get(name))
                continue
            for key in compared_keys(ours[name], theirs[name]):
                if ours[name][key] != theirs[name][key]:
                    yield Difference(group, name, key, ours[name][key], theirs[name][key])


def compared_keys(first: Entry, second: Entry) -> list[str]:
    """Return the fields that both entries have, except for names."""
    return [key for key in first if key in second and key not in _UNCOMPARED]


def compared_fields(first: Facts, second: Facts) -> Counter[str]:
    """Return how often each field is compared."""
    found: Counter[str] = Counter()
    for group in LISTS:
        for name in first.lists[group].keys() & second.lists[group].keys():
            keys = compared_keys(first.lists[group][name], second.lists[group][name])
            found.update(f"{group} {key}" for key in keys)
    return found


# -- the tables --------------------------------------------------------------------------------------------------------


def read_table(edition: str, folder: Path = TABLES) -> Facts:
    """Return the committed facts of an edition."""
    facts = Facts()
    for line in (folder / f"{edition}.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        facts.add(entry.pop("list"), entry)
    return facts


def write_table(facts: Facts, edition: str, folder: Path = TABLES) -> Path:
    """Write the table of an edition and return its path."""
    path = folder / f"{edition}.jsonl"
    lines = [
        json.dumps({"list": group, **entry}, ensure_ascii=False)
        for group in LISTS
        for entry in facts.lists[group].values()
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# -- the authors' lists ------------------------------------------------------------------------------------------------


def folded(text: object) -> str:
    """Return a text of the lists without differences of width, dashes and spaces."""
    form = unicodedata.normalize("NFKC", str(text or ""))
    return re.sub(r"\s+", "", re.sub("[〜～]", "-", form).replace("~", "-"))


_RANGE: Final = r"(?:[♠♡♢♣])?(?:Joker|(?:10|[2-9AJQK])(?:-(?:10|[2-9AJQK]))?)"
_WHOLE: Final = {
    "同じスートのAとJ": "whole A J",
    "同じスートのA,10-Kを5枚": "whole A 10 J Q K",
    "同じスートのA,10,J,Q,Kの5枚": "whole A 10 J Q K",
    "同じスート2枚": "same_suit",
    "同じスートを2枚": "same_suit",
    "同じ数字2枚": "same_number",
    "同じ数字を2枚": "same_number",
    "レアカード1枚": "one rare card",
}
_TARGETS: Final = {
    "兵士1体": "soldier",
    "キャラクター1体": "character",
    "防壁1体": "bulwark",
    "対戦相手1人": "opponent",
    "プレイヤー1人": "player",
    "自分の場のキャラクター1体": "own character",
    "自分の場にいるキャラクター1体": "own character",
    "自分のキャラクター1体": "own character",
    "自分の場にいる兵士1体": "own soldier",
    "自分の場にいるキーカードと同じスートの兵士1体Jokerは対象にできない": "own soldier of the key's suit",
    "キーカードとスートが等しい自分の兵士1体": "own soldier of the key's suit",
    "自分の場にいる♢2-10のカードを含んだ兵士1体": "own soldier with ♢2-10",
    "ドライブ状態のキャラクター1体": "driven character",
    "キーカードが1枚または2枚の": "request with 1-2 keys",
    "キーカードが1枚または2枚": "request with 1-2 keys",
    "キーカードがある": "request with keys",
    "対象が指定されている": "request with a target",
    "ダメージ判定": "request ダメージ判定",
    "アタック": "request アタック",
    "切札1枚": "trump",
    "表切札1枚": "open trump",
    "カード1枚": "",  # the card of a trigger
}
#: notes and conditions of activation, and the field that each sets; a part in parentheses is its value
_CONDITIONS: Final = {
    r"プレイヤーは、?1ターンに1回(?:しか|まで)このアクションを起こすことができ(?:る|ない)": "per turn",
    r"プレイヤーはこのアクションを直接起こすことができない": "not direct",
    r"ターンを持っていない時しかこのアクションを起こすことができない": "opponent's turn only",
    r"このアクションはカウンターアクションの対象にならない": "not for counter",
    r"コストの支払によって誘発したアクションより先にアクションの解決を行う": "before triggers of its cost",
    r"コストを\$([BLDS]+)とすればタイミングをクイックとして起こすことができる": "quick cost",
    r"パックが開封済みでない場合のみこのアクションを起こすことができる": "unopened",
    r"プレイヤーのライフが(\d+)以下の場合にしかこのアクションを起こすことができない": "most life",
    r"自分の表切札に「(.+?)」があ(?:る|り、?)(?:かつ)?": "open trump",
    r"このアクションが起こされた時、キーカード\(レアカード\)はステージ上に置かれ完全公開となる": "key is shown",
}
#: conditions that actions of every edition are compared by, and those that came with edition 9
_FLAGS: Final = ("per turn", "opponent's turn only", "not for counter", "before triggers of its cost", "quick cost")
_LATER_FLAGS: Final = ("unopened", "most life", "open trump", "key is shown")
_SIZES: Final = {
    "ユニットカードの数字": "card",
    "ユニットカードがJなら11,Qなら12,Kなら13": "card",
    "ユニットカードの数字の合計": "sum",
}
_UNITS: Final = {"兵士": "soldier", "防壁": "bulwark"}
_CHARACTER_CARDS: Final = {"全て(裏向き)": "any", "好きなカード1枚(裏向き)": "any", "同じスートを2枚以上": "suit"}


class Sources:
    """The authors' lists at one tag of their repository. What its small grammars cannot read is in ``unread``."""

    def __init__(self, repository: str, tag: str) -> None:
        self.repository = repository
        self.tag = tag
        self.facts = Facts()
        self.ninth = self.load("act-frame.yaml")  # since the ninth edition
        base = self.load("act.yaml") or self.load("v6-act.yaml")
        if base is None:
            raise SystemExit(f"{tag}: no action lists in {repository or 'the empty BLACKPOKER_SOURCES'}")
        self.read_group(base, "", "base")
        if self.ninth:
            self.read_frame_lists(self.ninth)
            self.read_frames(self.load("frame.yaml"))
        else:
            self.read_extra(self.load("v6-extra.yaml"))

    def load(self, name: str) -> Any:
        import yaml

        command = ["git", "-C", self.repository, "show", f"{self.tag}:{FOLDER}{name}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return yaml.safe_load(done.stdout) if done.returncode == 0 else None

    def unread(self, what: str, text: str) -> str:
        self.facts.unread[f"{what}: {text}"] += 1
        return f"? {text}"

    def read_group(self, lists: dict[str, Any], trump: str, where: str) -> None:
        for group in lists["actList"]:
            for given in group["acts"]:
                self.add_action(given, trump, where)
        for group in lists.get("charList") or []:
            for given in group["chars"]:
                self.add_character(given, where)
        for group in lists.get("fogList") or []:
            for given in group["fogs"]:
                cards = folded(given["fogKey"]).removesuffix("を2枚")
                self.facts.add("fogs", {"name": folded(given["fogName"]), "cards": cards})

    def read_frame_lists(self, lists: dict[str, Any]) -> None:
        for group in lists["actList"]:
            card = re.match(r"(?:切札)?([♠♡♢♣](?:10|[2-9AJQK]))", str(group["type"]))
            for given in group["acts"]:
                self.add_action(given, card[1] if card else "", "frame")
        self.read_group({**lists, "actList": []}, "", "frame")
        for group in lists.get("trumpList") or []:
            for given in group["trumps"]:
                if re.match(r"[♠♡♢♣]", given["trumpKey"]):
                    ability = folded(given.get("trumpAbility")) != "なし"
                    name, card_name = folded(given["trumpName"]), folded(given["trumpKey"])
                    self.facts.add("trumps", {"name": name, "card": card_name, "ability": ability})

    def read_extra(self, lists: dict[str, Any]) -> None:
        """Read the list of Extra, a format of the sixth edition."""
        signs = {"s": "♠", "h": "♡", "d": "♢", "c": "♣"}
        for given in lists["abiList"]:
            if given.get("output") == "●":
                card = signs[given["suit"]] + str(given["num"])
                self.facts.add("trumps", {"name": folded(given["name"]), "card": card})
                for action in given.get("acts") or []:
                    self.add_action(action, card, "extra")
                for character in given.get("chars") or []:
                    self.add_character(character, "extra")
        for group in lists["actList"]:
            for action in group["acts"]:
                self.add_action(action, "", "extra")

    def read_frames(self, lists: dict[str, Any]) -> None:
        heirs = {given["name"]: given.get("inherits", "") for given in lists["frames"]}
        for given in lists["frames"]:
            deck = str(given.get("deck") or "")
            named = re.findall(r"([♠♡♢♣])([^\n♠♡♢♣]+)", deck)
            cards = sorted(suit + rank.strip() for suit, ranks in named for rank in ranks.split(",") if rank.strip())
            least = re.findall(r"(\d+)枚以上", deck)
            formats = [name for name in FORMATS if name in given["format"]]
            entry = {"formats": formats, "cards": cards, "least": int(least[0]) if least else 0}
            self.facts.add("frames", {"name": given["name"], "id": given["frameId"], **entry})
        # a frame has the actions of the one it inherits from
        for action in self.facts.lists["actions"].values():
            frames: set[str] = set(action["frames"])
            for name in heirs:
                if heirs[name] in frames:
                    frames.add(name)
            action["frames"] = [name for name in heirs if name in frames]

    def add_action(self, given: dict[str, Any], trump: str, where: str) -> None:
        conditions = self.conditions(given)
        if "actTrigger" in given:
            direct, immediate = given["actTrigger"] == "直接", given["actSpeed"] == "即時"
        else:  # the sixth edition marks what is immediate, and states in a note what no player requests
            direct = "not direct" not in conditions and given["actType"] != "誘発"
            immediate = bool(given.get("actS"))
        entry = {
            "name": folded(given["actName"]),
            "id": given.get("actId") or "",
            "kind": given["actType"],
            "trigger": "direct" if direct else "triggered",
            "speed": "immediate" if immediate else "normal",
            "timing": {"メイン": "main", "クイック": "quick"}[given["actTime"]],
            "cost": str(given.get("actCost") or ""),
            "key": self.key(given.get("actKey")),
            "target": self.target(given.get("actTarget")),
            "trump": trump,
            **{flag: conditions.get(flag, "") for flag in _FLAGS},
        }
        entry["formats"] = [name for name in FORMATS if name in re.split(r"[,\s]+", str(given.get("format", "")))]
        if where != "base":
            del entry["formats"]
        if self.ninth:
            entry["unit"] = self.key_unit(given.get("actUnit"))
            entry["frames"] = re.findall(r"・\s*(\S+)", str(given.get("frame") or ""))
            entry |= {flag: conditions.get(flag, "") for flag in _LATER_FLAGS}
        entry["wording"] = digest(given)
        self.facts.add("actions", entry | effect_facts(given.get("actEffect")))

    def add_character(self, given: dict[str, Any], where: str) -> None:
        cards = folded(given["charKey"])
        entry = {
            "name": folded(given["charName"]),
            "id": given.get("charId") or "",
            "type": _UNITS[given["charType"]],
            "cards": _CHARACTER_CARDS.get(cards, cards),
        }
        if where == "base":
            entry["formats"] = [name for name in FORMATS if name in str(given.get("format", ""))]
        if self.ninth:
            labels = [folded(label) for label in re.split(r"[,、]", str(given.get("charLabel") or ""))]
            haste = next((label for label in labels if label.startswith("速攻")), "")
            entry["attacks"] = "攻撃" in labels
            entry["haste"] = "with A" if "Aが含まれる" in haste else "always" if haste else ""
            size = folded(given.get("charSize"))
            entry["size"] = _SIZES.get(size, size)
        self.facts.add("characters", entry)

    def key(self, text: object) -> str:
        given = folded(text)
        if not given or given in _WHOLE:
            return _WHOLE.get(given, "")
        if re.fullmatch(_RANGE, given):
            return f"one {given}"
        if found := re.fullmatch(rf"({_RANGE})を?2枚", given):
            return f"two {found[1]}"
        if found := re.fullmatch(rf"({_RANGE})と({_RANGE})", given):
            return "each " + " ".join(sorted((found[1], found[2])))
        return self.unread("key", given)

    def target(self, text: object) -> str:
        given = folded(text).replace("。", "").replace("を対象とする", "").removesuffix("のリクエスト")
        given = given.removesuffix("リクエスト").removesuffix("アクション")
        if not given or given in _TARGETS:
            return _TARGETS.get(given, "")
        return self.unread("target", given)

    def key_unit(self, text: object) -> str:
        given = folded(text)
        if found := re.fullmatch(r"<(.+)>を持つ(兵士|防壁)1体", given):
            return f"label {found[1]} on {_UNITS[found[2]]}"
        if found := re.fullmatch(r"「(.+)」1体", given):
            return f"character {found[1]}"
        return self.unread("unit", given) if given else ""

    def conditions(self, given: dict[str, Any]) -> dict[str, str]:
        found = {}
        rest = folded(given.get("actNote")) + "。" + folded(given.get("actActCond"))
        for pattern, name in _CONDITIONS.items():
            if match := re.search(pattern, rest):
                found[name] = match[1] if match.groups() else "yes"
                rest = rest.replace(match[0], "")
        rest = re.sub(r"[※。、]", "", rest)
        if rest:
            self.unread("condition", rest)
        return found


def digest(given: dict[str, Any]) -> str:
    """Return a hash of the sentences of an action, which are not kept: it shows that one of them has changed."""
    texts = [folded(given.get(name)) for name in ("actEffect", "actTriggerCond", "actActCond", "actNote", "actTarget")]
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]


def effect_facts(text: object) -> Entry:
    """Return the numbers and cards in an effect, without the numbers of its steps."""
    form = unicodedata.normalize("NFKC", str(text or ""))
    form = re.sub(r"(?m)(^|[。\n])\s*-*[0-9A-Z][.、]", r"\1", form)
    cards = set(re.findall(r"[♠♡♢♣](?:10|[2-9AJQK])(?![0-9])", form))
    bare = re.sub(r"[♠♡♢♣](?:10|[2-9AJQK])(?:[〜~-](?:10|[2-9AJQK]))?", " ", form)
    return {"effect numbers": sorted(set(re.findall(r"\d+", bare)), key=int), "effect cards": sorted(cards)}


# -- our definitions ---------------------------------------------------------------------------------------------------


def definition_facts(edition: Edition) -> Facts:
    """Return the facts of our definitions in the form of a table. Local options are not in the authors' lists."""
    facts = Facts()
    for action in edition.actions:
        if action.since is not Format.OPTION or action.group:
            facts.add("actions", action_facts(action, edition))
    for character in edition.characters:
        facts.add("characters", character_facts(character))
    for trump in edition.trumps:
        facts.add(
            "trumps", {"name": folded(trump.ja), "id": trump.id, "card": trump.card, "ability": bool(trump.abilities)}
        )
    for fog in edition.fogs:
        facts.add("fogs", {"name": folded(fog.ja), "id": fog.id, "cards": fog.cards})
    for frame in edition.frames:
        formats = [OUR_FORMATS.get(one.id, "") for one in edition.formats if frame.id in one.recommended]
        cards = sorted(card.translate(str.maketrans("SHDC", "♠♡♢♣")) for card in frame.cards.split())
        entry = {"formats": formats, "cards": cards, "least": frame.least}
        facts.add("frames", {"name": folded(frame.ja), "id": frame.id, **entry})
    return facts


def action_facts(action: Action, edition: Edition) -> Entry:
    bringing = action.group
    brought = [frame.ja for frame in edition.frames if bringing and bringing in frame.brings]
    givers = [trump for trump in edition.trumps if action.permission and action.permission in trump.allows]
    most_life = action.most_life
    is_base = not bringing and action.since.id in OUR_FORMATS
    entry: Entry = {
        "name": folded(action.ja),
        "id": action.id,
        "kind": action.kind.ja,
        "trigger": "direct" if action.direct else "triggered",
        "speed": "immediate" if action.immediate else "normal",
        "timing": action.timing.en,
        "cost": action.cost,
        "key": key_facts(action.key),
        "target": target_facts(action.target, edition),
        "trump": "" if is_base else trump_of(action, edition),
        "per turn": "yes" if action.per_turn else "",
        "opponent's turn only": "yes" if action.opponent_turn_only else "",
        "not for counter": "" if action.counterable else "yes",
        "before triggers of its cost": "yes" if action.late_triggers else "",
        "quick cost": action.quick_cost,
        "unit": unit_facts(action, edition),
        "frames": brought,
        "unopened": "yes" if action.unopened else "",
        "most life": "" if most_life is None else str(most_life),
        "open trump": "・".join(trump.ja for trump in givers),
    }
    if is_base:
        entry["formats"] = list(FORMATS[FORMATS.index(OUR_FORMATS[action.since.id]) :])
    return entry | effect_facts("\n".join(clause.ja for clause in action.effect))


def key_facts(key: Key | None) -> str:
    if key is None:
        return ""
    if key.zone is Zone.RARE:
        return "one rare card"
    ranges = tuple(part.replace("JK", "Joker") for part in key.ranges)
    if key.form == "whole":
        return "whole " + re.sub("[♠♡♢♣]", "", ranges[0])
    return " ".join((key.form, *(sorted(ranges) if key.form == "each" else ranges)))


def target_facts(target: Target | None, edition: Edition) -> str:
    if target is None:
        return ""
    if target.aim in ("opponent", "player"):
        return target.aim
    if target.aim == "trump":
        return "open trump" if target.open else "trump"
    if target.aim == "request":
        if target.action:
            return f"request {edition.find(target.action, 'actions').ja}"
        if target.targeted:
            return "request with a target"
        return "request with 1-2 keys" if target.keys == (1, 2) else "request with keys"
    words = [{Whose.ANY: "", Whose.MINE: "own", Whose.THEIRS: "their"}[target.whose], target.state]
    words.append({UnitType.ANY: "character", UnitType.SOLDIER: "soldier", UnitType.BULWARK: "bulwark"}[target.type])
    words.append("of the key's suit" if target.key_suit else f"with {target.contains}" if target.contains else "")
    return " ".join(filter(None, words))


def unit_facts(action: Action, edition: Edition) -> str:
    """Return the character driven for the action: one with the label of its trump, or one that permits it."""
    if not action.source:
        return ""
    if action.source == "self":
        return "・".join(f"character {one.ja}" for one in edition.characters if action.permission in one.permissions)
    label = "・".join(trump.ja for trump in edition.trumps if action.permission in trump.allows)
    return f"label {label} on {'bulwark' if action.source == 'bulwark' else 'soldier'}"


def trump_of(action: Action, edition: Edition) -> str:
    """Return the card of the trump under which the lists have an action: it allows or triggers the action, becomes the
    character that does, or allows an action that requests it."""
    cards = [
        t.card for t in edition.trumps if action.id == t.raises or (action.permission and action.permission in t.allows)
    ]
    for character in edition.characters:
        leaves = character.leaves.action if character.leaves is not None else ""
        if character.pair and (action.id in (leaves, character.at_end) or action.permission in character.permissions):
            cards.append(character.pair[0])
    if not cards:
        raised = Book(edition, "en").raised
        cards = [trump_of(other, edition) for other in edition.actions if action.id in raised[other.id] - {other.id}]
    return cards[0] if len(set(cards)) == 1 else ""


def character_facts(character: Character) -> Entry:
    if character.bulwark:
        cards, size = "any", ""
    elif character.made_by:
        cards = character.made_by.replace("JK", "Joker")
        values = {VALUE[card] for part in character.made_by.split() for card in members(parse_card_range(part))}
        size = str(*values) if len(values) == 1 else "card"
    else:
        cards = "と".join(character.pair) if character.pair else "suit"
        size = "sum" if character.number is None else str(character.number)
    entry: Entry = {
        "name": folded(character.ja),
        "id": character.id,
        "type": "bulwark" if character.bulwark else "soldier",
        "cards": cards,
        "attacks": not character.bulwark,
        "haste": "always" if character.haste else "with A" if character.haste_with == "A" else character.haste_with,
        "size": size,
    }
    if character.since.id in OUR_FORMATS and not character.group:
        entry["formats"] = list(FORMATS[FORMATS.index(OUR_FORMATS[character.since.id]) :])
    return entry


# -- commands ----------------------------------------------------------------------------------------------------------


def definition_ids() -> dict[tuple[str, str], str]:
    """Return our id of each definition by list and Japanese name; the newest edition that has it counts."""
    return {
        (group, name): entry["id"]
        for edition in editions().values()
        for group, entries in definition_facts(edition).lists.items()
        for name, entry in entries.items()
    }


def check(edition: Edition, facts: Facts) -> list[Difference]:
    """Print the differences between an edition and these facts; return those that are no hints."""
    ours = definition_facts(edition)
    ids = {(group, name): entry["id"] for group in LISTS for name, entry in ours.lists[group].items()}
    found = [*compare(facts, ours)]
    show(found, ids)
    hard = [difference for difference in found if not difference.is_hint]
    compared = sum(compared_fields(facts, ours).values())
    print(f"edition {edition.id}: {compared} fields compared, {len(hard)} differences, {len(found) - len(hard)} hints")
    return hard


def named(difference: Difference, ids: dict[tuple[str, str], str]) -> str:
    """Return the name of the entry, with our id if we have it."""
    id = ids.get((difference.group, difference.name), "")
    return difference.name + (f" ({id})" if id else "")


def show(differences: list[Difference], ids: dict[tuple[str, str], str]) -> None:
    """Print one line per entry with all its differences, and one line for a difference that many entries have."""
    alike = Counter((each.group, each.text) for each in differences)
    by_entry: dict[str, list[str]] = {}
    for each in differences:
        if alike[each.group, each.text] < MANY:
            place = f"{each.group} {named(each, ids)}"
            by_entry.setdefault(place, []).append(("hint: " if each.is_hint else "") + each.text)
    for place, texts in by_entry.items():
        print(f"{place}: {'; '.join(texts)}")
    for (group, text), times in alike.items():
        if times >= MANY:
            names = [named(each, ids) for each in differences if (each.group, each.text) == (group, text)]
            print(f"{times} {group}: {text}: {' '.join(names)}")


def changes(first: Sources, second: Sources) -> list[Difference]:
    """Print what changed between two tags, each with our definition."""
    found = [*compare(first.facts, second.facts)]
    show(found, definition_ids())
    print(f"{first.tag} to {second.tag}: {len(found)} changed fields and entries")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check")
    checking.add_argument("edition", nargs="?", choices=tuple(editions()), help="without it: every one")
    checking.add_argument("--tag", default="", help="read a tag of the checkout instead of the table")
    changing = commands.add_parser("changes")
    changing.add_argument("first")
    changing.add_argument("second")
    reading = commands.add_parser("read")
    reading.add_argument("tag")
    writing = commands.add_parser("write")
    writing.add_argument("tag")
    writing.add_argument("edition")
    given = parser.parse_args()
    repository = os.environ.get("BLACKPOKER_SOURCES", "")
    if given.command == "check":
        chosen = [given.edition] if given.edition else list(editions())
        if given.tag and len(chosen) > 1:
            parser.error("name the edition that the tag belongs to")
        tables = {id: Sources(repository, given.tag).facts if given.tag else read_table(id) for id in chosen}
        return 1 if sum(len(check(editions()[id], tables[id])) for id in chosen) else 0
    if given.command == "changes":
        changes(Sources(repository, given.first), Sources(repository, given.second))
        return 0
    sources = Sources(repository, given.tag)
    if given.command == "write":
        print(f"wrote {write_table(sources.facts, given.edition)}")
    for group, entries in sources.facts.lists.items():
        print(f"{len(entries)} {group}")
    for text, times in sources.facts.unread.items():
        print(f"not read: {text} ({times})")
    return 1 if sources.facts.unread else 0


if __name__ == "__main__":
    sys.exit(main())
