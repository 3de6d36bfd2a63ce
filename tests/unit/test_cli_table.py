"""The table of commands: help, completion, extras, start-up time, and the shape of its JSON."""

import importlib
import importlib.util
import inspect
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from blackpoker import _native_library
from blackpoker.cli import bench, run, usage
from blackpoker.cli.choices import word_list
from blackpoker.cli.commands import COMMANDS, EXTRAS, START, Command
from blackpoker.game.game import Game

ROOT = Path(__file__).parents[2]


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    return capsys.readouterr().out


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err.count("\n") == 1
    return out.err


# -- the table of commands ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [START, *COMMANDS.values()], ids=lambda command: command.name or "(none)")
def test_every_command_matches_its_entry(command: Command) -> None:
    function = getattr(importlib.import_module(command.module), command.function)
    assert list(inspect.signature(function).parameters) == [parameter.name for parameter in command.parameters]
    for text in (command.help, *(parameter.help for parameter in command.parameters)):
        assert len(text) == 2
        assert any(sign > "\u3000" for sign in text[0]), "Japanese comes first"
    flags = [flag for parameter in command.parameters for flag in parameter.flags.split()]
    assert len(flags) == len(set(flags))
    for parameter in command.parameters:
        if parameter.word_list:
            assert list(word_list(parameter.word_list))
        if parameter.restricted and parameter.default is not None:
            assert parameter.default in word_list(parameter.word_list)


def test_extras_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert len(project["dependencies"]) <= 3
    optional = {"httptools", "uvloop"}  # uvicorn works without them
    for extra, modules in EXTRAS.items():
        named = {
            re.split(r"[^a-z0-9_-]", text)[0].replace("-", "_") for text in project["optional-dependencies"][extra]
        }
        imported = {{"pillow": "PIL"}.get(name, name) for name in named - optional}
        assert imported == set(modules), extra


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_follows_the_language(capsys: pytest.CaptureFixture[str], lang: str, command: str) -> None:
    text = output(capsys, *filter(None, [command]), "--help", "--lang", lang)
    assert text.startswith("usage" if lang == "en" else "使い方")
    entry = COMMANDS.get(command, START)
    for parameter in entry.parameters:
        assert parameter.display_name in text
    assert all(usage.width_of(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", ["lab", "rules"])
def test_words_that_commands_share_print_their_help(capsys: pytest.CaptureFixture[str], name: str, lang: str) -> None:
    text = output(capsys, name, "--lang", lang)
    assert text.startswith("usage" if lang == "en" else "使い方")
    for command in COMMANDS:
        if " " in command:
            assert (f"\n  {command} " in text) == command.startswith(f"{name} ")
    assert output(capsys, name, "--help", "--lang", lang) == text
    assert all(usage.width_of(line) <= 80 for line in text.splitlines())


def test_no_words_is_no_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert "needs WORD" in complaint(capsys, "rules", "--rules", str(ROOT / "examples" / "rules" / "house"))
    assert "lab nowhere" not in complaint(capsys, "lab", "nowhere")


def test_version_names_the_build(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    library = tmp_path / "rules.native.so"
    monkeypatch.setattr(_native_library, "LIBRARY", library)
    assert ", no native rules, Python" in output(capsys, "--version")
    library.write_bytes(b"code " + _native_library.fingerprint().encode() + b" code")
    monkeypatch.delenv("BLACKPOKER_NATIVE", raising=False)
    assert ", native rules, Python" in output(capsys, "--version")
    library.write_bytes(b"code " + b"0" * 64 + b" code")
    assert ", no native rules, Python" in output(capsys, "--version")


def test_a_missing_extra_is_one_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name in ("rich", "starlette") else find(name))
    for command in (["rules", "counter"], ["play"], ["simulate", "lite+entry"], ["serve"], []):
        assert "pip install 'blackpoker[" in complaint(capsys, *command)
    assert run(["scenario", str(ROOT / "tests" / "scenarios" / "canon" / "S-001.toml")]) == 0


@pytest.mark.parametrize(
    ("line", "among"),
    [
        (["ru"], "rules"),
        ([""], "simulate"),
        (["--lo"], "--local"),
        (["rules", "summon_s"], "summon_soldier"),
        (["rules", "--lang", ""], "ja"),
        (["play", "-r", "master+f"], "master+full"),
        (["simulate", "lite+"], "lite+entry"),
        (["simulate", "--"], "--games"),
        (["play", "-o", ""], "hotseat"),
        (["arena", "-p", "easy,m"], "easy,master"),
        (["serve", "--log-level", "d"], "debug"),
        (["simulate", "-n", "5", "pro+"], "pro+full"),
        (["completion", ""], "fish"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_completion_knows_the_words(capsys: pytest.CaptureFixture[str], line: list[str], among: str) -> None:
    found = output(capsys, "--complete", *line).split()
    assert among in found
    assert all(word.startswith(line[-1]) for word in found)


def test_completion_offers_nothing_where_a_file_is_meant(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (["scenario", ""], ["play", "--resume", "x"], ["bogus", ""], ["rules", "up", ""]):
        assert output(capsys, "--complete", *line).strip() == ""


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_read_by_their_shells(capsys: pytest.CaptureFixture[str], shell: str) -> None:
    script = output(capsys, "completion", shell)
    assert "blackpoker --complete" in script
    if (program := shutil.which(shell)) is not None:
        assert subprocess.run([program, "-n"], input=script, text=True, check=False).returncode == 0


def test_bash_completes(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    program = tmp_path / "blackpoker"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m blackpoker.cli "$@"\n')
    program.chmod(0o755)
    typed = 'eval "$(blackpoker completion bash)"; COMP_WORDS=(blackpoker rules count); COMP_CWORD=2; _blackpoker; echo "${COMPREPLY[@]}"'
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    shown = subprocess.run([bash, "-c", typed], env=env, capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["counter"]


# -- a command loads only what it needs
# ----------------------------------------------------------------------------------

HEAVY = {
    "rich",
    "starlette",
    "uvicorn",
    "sqlalchemy",
    "msgspec",
    "argparse",
    "asyncio",
    "blackpoker.game.game",
    "blackpoker.players",
}


@pytest.mark.parametrize(
    ("line", "may"),
    [
        (["--version"], set()),
        (["--help"], {"argparse"}),
        (["rules", "counter"], {"argparse", "rich"}),
        (["scenario", "--help"], {"argparse"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_loads_what_it_needs(line: list[str], may: set[str]) -> None:
    script = f"import sys\nfrom blackpoker.cli import run\nrun({line!r})\nprint(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert set(done.stderr.split()) & HEAVY <= may


@pytest.mark.parametrize(("line", "most_ms"), [(["--version"], 80)], ids=["version"])
def test_a_command_starts_at_once(line: list[str], most_ms: float) -> None:
    """Processor time relative to plain Python here and now, so that a busy machine fails no test."""

    def ms(command: list[str]) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

    bare = [sys.executable, "-I", "-c", "import argparse, json, dataclasses, re, textwrap"]
    pairs = [(ms([sys.executable, "-m", "blackpoker.cli", *line]), ms(bare)) for _ in range(7)]
    taken, python = (statistics.median(column) for column in zip(*pairs, strict=True))
    usual = 30.0  # ms of Python with these modules on the machine on which the limits were set
    assert taken <= most_ms * max(1.0, python / usual), f"{taken:.0f} ms; Python alone {python:.0f} ms"


# -- JSON ---------------------------------------------------------------------------------------------------------------


def documented(command: str) -> object:
    """Return the JSON example of the guide for a command."""
    guide = (ROOT / "docs" / "guide" / "cli.md").read_text(encoding="utf-8")
    section = guide.split(f"### `{command} --json`")[1]
    return json.loads(section.split("```json\n")[1].split("```")[0])


def same_shape(documented_value: object, real: object) -> None:
    """Check that every documented name is there with its kind of value, and no other."""
    if isinstance(documented_value, dict):
        assert isinstance(real, dict)
        if "…" in documented_value:  # a table with free keys: its entries are like the one shown
            entry = next(value for key, value in documented_value.items() if key != "…")
            for value in real.values():
                same_shape(entry, value)
            return
        assert set(documented_value) == set(real)
        for key in documented_value:
            same_shape(documented_value[key], real[key])
    elif isinstance(documented_value, list):
        assert isinstance(real, list)
        for value in real if documented_value else ():
            same_shape(documented_value[0], value)
    elif isinstance(documented_value, bool) or isinstance(real, bool):
        assert type(documented_value) is type(real)
    elif isinstance(documented_value, int | float):
        assert isinstance(real, int | float)
    else:
        assert documented_value is None or real is None or isinstance(real, str)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("simulate", ["simulate", "lite+entry", "-n", "20"]),
        ("arena", ["arena", "-p", "random,heuristic", "-n", "2"]),
        ("analyse", ["analyse", "{game}", "-n", "40", "--points", "1"]),
    ],
)
def test_json_is_as_documented(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, line: list[str]
) -> None:
    game = Game("lite+entry", seed=7)
    for _ in range(12):
        game.push(game.options[-1])
    (tmp_path / "game").write_text(game.record(), encoding="utf-8")
    real = json.loads(output(capsys, *(word.replace("{game}", str(tmp_path / "game")) for word in line), "--json"))
    same_shape(documented(command), real)


def test_json_of_bench_is_as_documented(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "RUNS", 1)
    monkeypatch.setattr(bench, "SPAN", 0.01)
    same_shape(documented("bench"), json.loads(output(capsys, "bench", "--json")))


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize(
    "line",
    [
        ["arena", "-p", "heuristic,search:playouts=2/horizon=1", "-n", "2"],
        ["simulate", "lite+entry", "-n", "5"],
        ["regulations"],
        ["regulations", "master+full"],
        ["rules", "index"],
        ["rules", "counter"],
        ["puzzles"],
    ],
    ids=lambda line: line[0],
)
def test_tables_fit_eighty_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: list[str], lang: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = output(capsys, *line, "--lang", lang)
    assert all(usage.width_of(each) <= 80 for each in text.splitlines())
    assert "…" not in text.split("\n", 3)[1], "a heading is cut off"
