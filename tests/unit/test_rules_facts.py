"""The facts of the authors' lists: our definitions have them, every single broken field is found, and what changed
between two versions of the lists is named."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tools.rules_facts import (
    HINTS,
    Entry,
    Facts,
    Sources,
    action_facts,
    changes,
    character_facts,
    check,
    compare,
    compared_fields,
    compared_keys,
    definition_facts,
    read_table,
    write_table,
)

from blackpoker.definitions.model import Action, Key
from blackpoker.ruleset import Edition, editions

EDITIONS = list(editions())
#: the least number of fields compared for an edition
FIELDS = {"6": 1_000, "9": 1_900}


@pytest.mark.parametrize("id", EDITIONS)
def test_our_definitions_have_every_fact_of_the_lists(id: str) -> None:
    facts = read_table(id)
    assert check(editions()[id], facts) == []
    compared = compared_fields(facts, definition_facts(editions()[id]))
    assert sum(compared.values()) >= FIELDS[id]
    assert not [entry for entries in facts.lists.values() for entry in entries.values() if "?" in str(entry)]


@pytest.mark.parametrize("id", EDITIONS)
def test_every_fact_of_a_table_is_compared(id: str) -> None:
    """A changed field of the table is one more difference, and a missing entry is one, too."""
    facts, ours = read_table(id), definition_facts(editions()[id])
    count = 0
    for group, entries in facts.lists.items():
        for name, entry in entries.items():
            if name not in ours.lists[group]:
                continue
            for key in compared_keys(entry, ours.lists[group][name]):
                broken = {**entry, key: ["another"]}
                count += 1
                assert [each.field for each in differences_of(group, broken, ours)] == [key]
            assert [each.field for each in differences_of(group, None, ours, name)] == [""]
    assert count >= FIELDS[id]


def differences_of(group: str, entry: Entry | None, ours: Facts, name: str = "") -> list[Any]:
    """Return the hard differences of one entry of a table; without an entry, of its absence."""
    one, other = Facts(), Facts()
    wanted = name if entry is None else entry["name"]
    one.lists[group] = {"": {"name": ""}} if entry is None else {wanted: entry}
    other.lists[group] = {wanted: ours.lists[group][wanted]}
    found = [each for each in compare(one, other) if each.name == wanted]
    own = [each for each in found if each.is_hint and entry is not None and entry[each.field] != ["another"]]
    return [each for each in found if each not in own]


def broken_actions(action: Action, edition: Edition, entry: Entry) -> Iterator[tuple[str, Action]]:
    """Yield the action with one field broken at a time."""
    kinds, timings = list(type(action.kind)), list(type(action.timing))
    another_target = next(
        one.target
        for one in edition.actions
        if one.target is not None and one.target.aim != getattr(action.target, "aim", "")
    )
    changes: dict[str, object] = {
        "ja": action.ja + "。",
        "kind": next(kind for kind in kinds if kind is not action.kind),
        "timing": next(timing for timing in timings if timing is not action.timing),
        "cost": action.cost + "L",
        "key": None if action.key else Key("one", ("♠7",)),
        "target": None if action.target else another_target,
        "immediate": not action.immediate,
        "direct": not action.direct,
        "per_turn": not action.per_turn,
        "counterable": not action.counterable,
        "opponent_turn_only": not action.opponent_turn_only,
        "quick_cost": "" if action.quick_cost else "DD",
    }
    if "frames" in entry:  # fields that came with edition 9
        changes |= {
            "group": "" if action.group else "pack",
            "source": "" if action.source else "♠",
            "permission": ""
            if action.permission in allowed_by_trumps(edition)
            else next(iter(allowed_by_trumps(edition))),
            "most_life": None if action.most_life else 9,
            "unopened": not action.unopened,
        }
    for name, value in changes.items():
        yield name, replace(action, **{name: value})  # type: ignore[arg-type]
    for other in edition.formats:
        if other.format is not action.since and "formats" in entry:
            yield f"since {other.id}", replace(action, since=other.format)


def allowed_by_trumps(edition: Edition) -> dict[str, None]:
    return {id: None for trump in edition.trumps for id in trump.allows}


def broken_editions(edition: Edition) -> Iterator[tuple[str, Edition]]:
    """Yield the edition with one field of a trump, a fog, or a frame broken at a time."""
    for trump in edition.trumps:
        yield f"{trump.id}: card", edition.change(trump.id, among="trumps", card="♣3")
        yield f"{trump.id}: ja", edition.change(trump.id, among="trumps", ja="別の名前")
    for fog in edition.fogs:
        yield f"{fog.id}: cards", edition.change(fog.id, among="fogs", cards="♣3")
        yield f"{fog.id}: ja", edition.change(fog.id, among="fogs", ja="別の名前")
    for frame in edition.frames if edition.fogs else ():
        yield f"{frame.id}: ja", edition.change(frame.id, among="frames", ja="別の名前")
        yield f"{frame.id}: least", edition.change(frame.id, among="frames", least=39)
        yield f"{frame.id}: cards", edition.change(frame.id, among="frames", cards="SA")
        yield f"{frame.id}: brings", edition.change(frame.id, among="frames", brings=() if frame.brings else ("pack",))
    for entry in edition.formats if edition.fogs else ():
        yield (
            f"{entry.id}: recommended",
            edition.change(entry.id, among="formats", recommended=("draft", "pack", "entry16")),
        )


@pytest.mark.parametrize("id", EDITIONS)
def test_every_broken_trump_fog_and_frame_is_found(id: str) -> None:
    facts, edition = read_table(id), editions()[id]
    broken = list(broken_editions(edition))
    found = [not all(each.is_hint for each in compare(facts, definition_facts(other))) for _, other in broken]
    assert [name for (name, _), is_found in zip(broken, found, strict=True) if not is_found] == []
    assert len(broken) >= 60


@pytest.mark.parametrize("id", EDITIONS)
def test_every_broken_field_of_a_definition_is_found(id: str) -> None:
    edition, facts = editions()[id], read_table(id)
    ours = definition_facts(edition)
    missed, made = [], 0
    for action in edition.actions:
        entry = facts.lists["actions"].get(ours_name(ours, action.id))
        if entry is None:
            continue  # a local option
        for name, broken in broken_actions(action, edition, entry):
            made += 1
            if not is_found(entry, action_facts(broken, edition)):
                missed.append(f"{action.id}: {name}")
    for character in edition.characters:
        entry = facts.lists["characters"][character.ja]
        for name, change in (("ja", character.ja + "。"), ("bulwark", not character.bulwark), ("number", 99)):
            if name == "number" and (character.made_by or character.bulwark or "size" not in entry):
                continue
            made += 1
            if not is_found(entry, character_facts(replace(character, **{name: change}))):  # type: ignore[arg-type]
                missed.append(f"{character.id}: {name}")
    assert missed == []
    assert made >= 900


def ours_name(ours: Facts, id: str) -> str:
    return next((name for name, entry in ours.lists["actions"].items() if entry["id"] == id), "")


def is_found(entry: Entry, broken: Entry) -> bool:
    keys = [key for key in compared_keys(entry, broken) if key not in HINTS]
    return (
        entry["name"] != broken["name"]
        or entry.keys() & {"formats"} != broken.keys() & {"formats"}
        or any(entry[key] != broken[key] for key in keys)
    )


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    facts = read_table("6")
    write_table(facts, "6", tmp_path)
    assert read_table("6", tmp_path).lists == facts.lists


# -- a repository of lists, made for the test ----------------------------------------------------------------------------

BASE = """
actList:
  - acts:
      - {actName: 引く, actId: pull, actType: 基本, format: lite std pro mast, actTrigger: 直接, actSpeed: SPEED,
         actTime: メイン, actCost: COST, actKey: '♡A-10', actTarget: 兵士1体を対象とする。, actEffect: 2枚引く。}
charList:
  - chars: [{charName: 兵, charId: one, charType: 兵士, charKey: 2-10, charSize: ユニットカードの数字, charLabel: '攻撃,防御', format: lite}]
fogList:
  - fogs: [{fogName: 印, fogKey: ♡A-10}]
"""
FRAME_LISTS = """
actList:
  - type: ♠2 切
    acts:
      - {actName: 横にする, actId: drive, actType: 兵士起因, frame: '・ 大きい枠', actTrigger: 直接, actSpeed: 即時, actTime: クイック,
         actCost: C, actUnit: <切>を持つ兵士1体, actActCond: 自分の表切札に「切」がある。, actEffect: 横。}
charList: []
trumpList:
  - trumps: [{trumpKey: ♠2, trumpName: 切, trumpAbility: なし}]
"""
FRAMES = """
frames:
  - {name: 大きい枠, frameId: big, format: [mast], inherits: '', deck: 40枚以上, start: ''}
  - {name: もっと大きい枠, frameId: bigger, format: [mast], inherits: 大きい枠, deck: 40枚以上, start: ''}
"""


def commit(folder: Path, tag: str, speed: str, cost: str) -> None:
    lists = folder / "tools" / "actionlist" / "original"
    lists.mkdir(parents=True, exist_ok=True)
    (lists / "act.yaml").write_text(BASE.replace("SPEED", speed).replace("COST", cost), encoding="utf-8")
    (lists / "act-frame.yaml").write_text(FRAME_LISTS, encoding="utf-8")
    (lists / "frame.yaml").write_text(FRAMES, encoding="utf-8")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", tag], ["tag", tag]):
        who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
        subprocess.run(["git", "-C", str(folder), *who, *command], check=True)


def test_lists_are_read_and_changes_between_two_tags_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(tmp_path, "v1", "通常", "BL")
    commit(tmp_path, "v2", "即時", "L")
    first, second = (Sources(str(tmp_path / ".git"), tag) for tag in ("v1", "v2"))
    pull = first.facts.lists["actions"]["引く"]
    assert not first.facts.unread
    assert (pull["cost"], pull["key"], pull["target"], pull["formats"]) == (
        "BL",
        "one ♡A-10",
        "soldier",
        ["lite", "std", "pro", "mast"],
    )
    drive = first.facts.lists["actions"]["横にする"]
    assert (drive["trump"], drive["unit"], drive["open trump"]) == ("♠2", "label 切 on soldier", "切")
    assert drive["frames"] == ["大きい枠", "もっと大きい枠"]
    assert {(each.name, each.field) for each in changes(first, second)} == {("引く", "speed"), ("引く", "cost")}
    assert "引く: speed: 'normal' | 'immediate'; cost: 'BL' | 'L'" in capsys.readouterr().out


def test_unreadable_text_is_reported(tmp_path: Path) -> None:
    commit(tmp_path, "v1", "通常", "BL, actNote: 満月の夜だけ起こせる")
    assert list(Sources(str(tmp_path / ".git"), "v1").facts.unread) == ["condition: 満月の夜だけ起こせる"]
