"""Broken packages: each gives one message with file, line and cause, never a traceback."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from blackpoker.ruleset.packages import PackageError, load

TOML = """\
id = "broken"
version = "1.0"
ja = "壊れた"
en = "Broken"
text_ja = "壊れている。"
text_en = "It is broken."
base = "act6.1+ex6.30.1"
"""
HEAD = """\
from blackpoker.define import *

"""
BOLT = """\
BOLT = Action(
    "bolt", "落雷", "Bolt", kind=QUICK_MAGIC, timing=QUICK, since=LITE,
    cost="B", key=Key("one", ("♣A-10",)), target=A_SOLDIER,
    effect=(
        Clause("対象を墓地に移す。", "The target goes to the grave.", (Bury(),)),
    ),
)
edition = base.add(BOLT)
"""
FRAME = """\
SMALL = Frame("small", "小", "Small", FIXED, 1, "小さい。", "A small one.", cards="SA S2", exactly=2, most=2)
edition = base.add(SMALL)
"""


class Broken(NamedTuple):
    """A package made from the valid one by one replacement, and the expected message."""

    name: str
    file: str
    line: int
    says: str  # a part of the message
    rules: str = HEAD + BOLT
    old: str = ""
    new: str = ""
    toml: str = TOML


BROKEN = (
    Broken("syntax", "rules.py", 3, "Python cannot read it", old="(Bury(),)),", new="(Bury(),),"),
    Broken("no rules.toml", "rules.toml", 1, "is missing", toml=""),
    Broken("no rules.py", "rules.py", 1, "is missing", rules=""),
    Broken("no TOML", "rules.toml", 2, "not TOML", toml=TOML.replace('version = "1.0"', "version = 1.0.0")),
    Broken("missing name", "rules.toml", 1, "en is missing", toml=TOML.replace('en = "Broken"\n', "")),
    Broken("unknown key", "rules.toml", 2, "'verison' is unknown", toml=TOML.replace("version", "verison")),
    Broken("bad id", "rules.toml", 1, "is no id", toml=TOML.replace('"broken"', '"My Rules"')),
    Broken("another edition", "rules.toml", 7, "stands on 'act5'", toml=TOML.replace("act6.1+ex6.30.1", "act5")),
    Broken(
        "missing import",
        "rules.py",
        3,
        "import it from blackpoker.define",
        old="from blackpoker.define import *\n",
        new="from blackpoker.define import base\n",
    ),
    Broken("unknown import", "rules.py", 1, "did you mean", old="import *", new="import Brry"),
    Broken(
        "unknown id",
        "rules.py",
        10,
        "did you mean summon_hero",
        old="base.add(",
        new='base.change("summon_heroo", cost="").add(',
    ),
    Broken("unknown step", "rules.py", 7, "did you mean Bury", old="Bury()", new="Burry()"),
    Broken("missing module", "rules.py", 1, "No module named", old="blackpoker.define", new="blackpoker.defines"),
    Broken("missing language", "rules.py", 7, "no English text", old='"The target goes to the grave."', new='""'),
    Broken(
        "same text twice",
        "rules.py",
        7,
        "both languages",
        old='"The target goes to the grave."',
        new='"対象を墓地に移す。"',
    ),
    Broken("no comma", "rules.py", 7, "effect of Action", old=" (Bury(),)),\n    ),", new=" (Bury(),))),"),
    Broken(
        "unknown id",
        "rules.py",
        10,
        "'sumon_hero' is not in",
        old="base.add(BOLT)",
        new='base.change("sumon_hero", cost="BL")',
    ),
    Broken(
        "unknown field",
        "rules.py",
        10,
        "there is no price",
        old="base.add(BOLT)",
        new='base.change("summon_hero", price="BL")',
    ),
    Broken("doubled id", "rules.py", 10, "up is there already", old='"bolt"', new='"up"'),
    Broken("bad cost", "rules.py", 5, "letters B L D S", old='cost="B"', new='cost="BX"'),
    Broken("bad cards", "rules.py", 5, "not a range of cards", old="♣A-10", new="♣A-15"),
    Broken("bad key", "rules.py", 5, "'three' is no form of a key", old='"one"', new='"three"'),
    Broken(
        "unbound name", "rules.py", 7, "'chosen' is used but nothing binds it", old="Bury()", new='Bury(Ref("chosen"))'
    ),
    Broken("unknown action", "rules.py", 7, "'thunder' is not an action", old="Bury()", new='Raise(action("thunder"))'),
    Broken("wrong value", "rules.py", 3, "cost of Action is text in quotes", old='cost="B"', new="cost=2"),
    Broken(
        "too many actions",
        "rules.py",
        11,
        "there may be",
        old="edition = base.add(BOLT)",
        new="from dataclasses import replace\nedition = base.add(*(replace(BOLT, id=f'b{n}', ja=f'雷{n}', en=f'B {n}') for n in range(99)))",
    ),
    Broken("too long", "rules.py", 3, "steps; there may be", old="(Bury(),)", new="(Bury(),) * 40"),
    Broken(
        "endless loop", "rules.py", 10, "does not come to an end", old="edition =", new="while True: pass\nedition ="
    ),
    Broken("no edition", "rules.py", 1, "it must make an edition", old="edition =", new="house ="),
    Broken(
        "ends the program", "rules.py", 10, "it ends the program", old="edition =", new="raise SystemExit\nedition ="
    ),
    Broken("its own failure", "rules.py", 10, "ZeroDivisionError", old="edition =", new="1 / 0\nedition ="),
    Broken("removed but needed", "rules.py", 10, "'draw'", old="base.add(BOLT)", new='base.remove("draw")'),
    Broken("bad frame", "rules.py", 3, "'S1' is no card", rules=HEAD + FRAME, old="SA S2", new="S1 S2"),
    Broken("frame too small", "rules.py", 3, "needs at least 10", rules=HEAD + FRAME),
    Broken("a word of the notation", "rules.py", 3, "means something else", old='"bolt"', new='"pass"'),
    Broken("a name taken", "rules.py", 4, "up is called 'アップ'", old='"落雷"', new='"アップ"'),
    Broken(
        "a card made twice",
        "rules.py",
        10,
        "makes 'hero' already",
        old="base.add(BOLT)",
        new='base.change("ace", made_by="A K")',
    ),
    Broken(
        "a card made never",
        "rules.py",
        10,
        "nothing is made of S2",
        old="base.add(BOLT)",
        new='base.remove("common_soldier")',
    ),
    Broken(
        "no bulwark",
        "rules.py",
        10,
        "needs one character that is a bulwark",
        old="base.add(BOLT)",
        new='base.remove("bulwark")',
    ),
    Broken(
        "a trump twice",
        "rules.py",
        10,
        "is the trump",
        old="base.add(BOLT)",
        new='base.change("civil_war", among="trumps", card="♠3")',
    ),
    Broken(
        "nothing to play",
        "rules.py",
        10,
        "no format goes with any frame",
        old="base.add(BOLT)",
        new='base.remove("lite", "standard", "pro", "master", "extra")',
    ),
)


def written(broken: Broken, folder: Path) -> Path:
    path = folder / "broken"
    path.mkdir()
    assert broken.old in broken.rules, "the replacement must hit something"
    if broken.toml:
        (path / "rules.toml").write_text(broken.toml, encoding="utf-8")
    if broken.rules:
        (path / "rules.py").write_text(broken.rules.replace(broken.old, broken.new), encoding="utf-8")
    return path


def test_there_are_enough() -> None:
    assert len(BROKEN) >= 25


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_one_message_with_file_and_line(broken: Broken, tmp_path: Path) -> None:
    path = written(broken, tmp_path)
    with pytest.raises(PackageError) as caught:
        load([path])
    error = caught.value
    assert (error.file.name, error.line) == (broken.file, broken.line), str(error)
    assert str(error).startswith(f"{path / broken.file}:{broken.line}: ")
    assert broken.says in str(error)
    assert "\n" not in str(error)
    assert error.ja.startswith(f"{path / broken.file}:{broken.line}: ")


def test_a_mistake_in_another_file_of_the_package_is_found_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(Broken("files", "", 0, "", old="BOLT = Action", new="from .more import X\nBOLT = Action"), tmp_path)
    monkeypatch.chdir(tmp_path)  # the folder as it was named, not as it was resolved
    for text, message in (("\nX = Y\n", "name 'Y' is not defined"), ("\nX = (\n", "Python cannot read it")):
        (tmp_path / "broken" / "more.py").write_text(text)
        with pytest.raises(PackageError, match=message) as caught:
            load(["broken"])
        assert str(caught.value).startswith("broken/more.py:2: ")


def test_broken_packages_are_sound_without_their_error(tmp_path: Path) -> None:
    load([written(Broken("sound", "", 0, ""), tmp_path)])


@pytest.mark.parametrize("command", ["play", "rules check", "simulate lite+entry", "scenario x.toml", "serve"])
def test_commands_report_it_in_one_line(command: str, tmp_path: Path) -> None:
    path = written(next(broken for broken in BROKEN if broken.name == "unknown step"), tmp_path)
    (tmp_path / "x.toml").write_text("")
    words = command.split()
    given = [str(path)] if command == "rules check" else ["--rules", str(path)]
    done = subprocess.run(
        [sys.executable, "-m", "blackpoker.cli", *words, *given],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
    )
    assert done.returncode == 2
    assert re.fullmatch(r"blackpoker: \S+rules\.py:7: .*did you mean Bury or BuryAll\?\n", done.stderr), done.stderr
