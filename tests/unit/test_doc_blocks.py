"""Every block of code and every command of the documents is run, here or by the test named beside its file.

The fence names the kind of a block (``sh``, ``python``, …); ``text`` is not run. Commands in a sentence or a table
refer to existing things: a readable command line, a Makefile target, a script, a module.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any, get_args

import pytest

from blackpoker.cli.command_line import command_group, find_command, parse
from blackpoker.cli.console import UsageError
from blackpoker.game.game import Game
from blackpoker.notation.move import Move
from blackpoker.protocol import bot
from blackpoker.protocol.messages import schema
from blackpoker.ruleset import parse_decks, standard_edition
from blackpoker.scenario.scenario import read_scenario, run_scenario

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *ROOT.glob("t*/README.md"))
    if "docs/rules/" not in path.as_posix() and "docs/rulings/" not in path.as_posix()
)
#: by document and language: the test that runs these blocks
RUN_BY = {
    ("README.md", "python"): "tests/unit/test_game.py",
    ("README.ja.md", "python"): "tests/unit/test_game.py",
    ("docs/balance/README.md", "sh"): "tests/lab/test_balance.py",
    ("docs/balance/edition9.md", "sh"): "tests/lab/test_balance9.py",
    ("docs/balance/edition9.ja.md", "sh"): "tests/lab/test_balance9.py",
    ("docs/guide/api.md", "python"): "tests/unit/test_game.py",
    ("docs/guide/bots.md", "python"): "tests/bots/test_guide.py",
    ("docs/guide/bots.md", "js"): "tests/bots/test_guide.py",
    ("docs/guide/bots.md", "sh"): "tests/bots/test_guide.py",
    ("docs/guide/cli.md", "json"): "tests/unit/test_cli_table.py",
    ("docs/guide/deploy.md", "sh"): "tests/packaging/test_deploy.py",
    ("docs/guide/envs.md", "python"): "tests/envs/test_guide.py",
    ("docs/guide/lab.md", "sh"): "tests/lab/test_guide.py",
    ("docs/guide/lab.md", "toml"): "tests/lab/test_guide.py",
    ("docs/guide/lab.md", "python"): "tests/lab/test_guide.py",
    ("docs/guide/rules.md", "sh"): "tests/rule_packages/test_guide.py",
    ("docs/guide/rules.md", "toml"): "tests/rule_packages/test_guide.py",
    ("docs/guide/rules.md", "python"): "tests/rule_packages/test_guide.py",
}
RUN_HERE = {
    ("docs/guide/native.md", "python"),
    ("docs/notation.md", "toml"),
    ("docs/opponents.md", "python"),
    *(
        (name, "sh")
        for name in (
            "README.md",
            "README.ja.md",
            "CONTRIBUTING.md",
            "docs/balance/thinkers.md",
            "docs/fairness.md",
            "docs/guide/cli.md",
            "docs/guide/server.md",
            "docs/guide/server.ja.md",
            "docs/guide/bots.ja.md",
        )
    ),
}
#: commands that cannot be run here: servers, or downloads from a registry (`make try-dist` covers those)
LASTING = re.compile(
    r"blackpoker( --\w+)*$|blackpoker serve|(pip|pipx|uvx|make) |blackpoker COMMAND|BLACKPOKER_PURE=1 pip"
)
COMMAND = re.compile(r"(?:make|python3?|blackpoker)(?: |$)")
#: the sign of a shell, and the environment of a checkout
PROMPT = re.compile(r"^\$ |^\.venv/bin/")


SOURCES = [
    path.read_text(encoding="utf-8")
    for folder in ("src", "tests", "web", "tools")
    for path in (ROOT / folder).rglob("*.py")
    if "node_modules" not in path.parts and path.name != Path(__file__).name
]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(name: str, language: str = "") -> list[str]:
    found = re.findall(r"^```(\w*)[^\n]*\n(.*?)^```$", text_of(name), re.MULTILINE | re.DOTALL)
    return [text for kind, text in found if language in ("", kind)]


def test_every_code_block_is_run_by_a_test() -> None:
    for name in DOCUMENTS:
        fences = re.findall(r"^```(.*)$", text_of(name), re.MULTILINE)
        assert len(fences) % 2 == 0, f"{name}: a block without an end"
        for language in {fence.split()[0] if fence else "" for fence in fences[::2]}:
            assert language, f"{name}: a block that does not say what it is"
            assert language == "text" or (name, language) in RUN_HERE or (name, language) in RUN_BY, (name, language)
    for (name, language), test in RUN_BY.items():
        assert blocks(name, language), f"{name} has no {language}"
        assert Path(name).name in text_of(test) or Path(name).parent.name in text_of(test), (name, test)


# -- commands ----------------------------------------------------------------------------------------------------------


def command_lines(name: str) -> list[str]:
    """Return the commands in blocks, sentences and tables, without their comments."""
    text = text_of(name)
    spans = re.findall(r"(?<!`)`([^`\n]+)`(?!`)", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL))
    lines = [line for block in (*blocks(name, "sh"), *blocks(name, "text")) for line in block.splitlines()]
    found = [re.split(r"\s#|\s{2,}", PROMPT.sub("", line.strip()))[0] for line in (*spans, *lines)]
    parts = [part.strip() for line in found for part in line.replace("\\|", "|").split(" && ")]
    return [line for line in parts if COMMAND.match(line)]


def blackpoker_reads(words: list[str]) -> None:
    if not words or command_group(words) or {"--help", "-h", "--version"} & set(words):
        return
    command, left = find_command([word for word in words if word != "&"])
    if all(word.startswith("--") for word in left):  # named only, with an option or without
        assert set(left) <= {flag for parameter in command.parameters for flag in parameter.flags.split()}, words
    else:
        parse(command, left)


def names_something(line: str) -> None:
    first, *words = shlex.split(line)
    if first == "make":
        targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
        assert {word for word in words if "=" not in word} <= targets, line
    elif first == "blackpoker":
        blackpoker_reads(words)
    elif words[:1] == ["-m"] and words[1] not in ("pytest", "pip", "build", "venv"):
        spec = importlib.util.find_spec(words[1])
        assert spec is not None, line
        assert spec.origin is not None, line
        has_options(Path(spec.origin), words)
    elif words and words[0].endswith(".py") and "/" in words[0]:
        has_options(ROOT / words[0], words)


def has_options(script: Path, words: list[str]) -> None:
    """Check that a script has the options it is given: named by it or its folder, as an option or a setting."""
    assert script.exists(), words
    text = "".join(path.read_text(encoding="utf-8") for path in script.parent.glob("*.py"))
    for word in words:
        if word.startswith("--"):
            name = word.strip("-")
            forms = (f'"{word}"', f'"{name}"', f"    {name.replace('-', '_')}: ")
            assert any(form in text for form in forms), (word, script)


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "CHANGELOG.md"])  # describes the past
def test_commands_name_what_exists(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    for line in command_lines(name):
        shape = re.search(r"[\[|…$<(\\]|\b[A-Z]+\b", re.sub(r"'[^']*'|BLACKPOKER_\w+|ARGS=\S+", "", line))
        if (
            shape is None
        ):  # a form with FILE, [--option] or … belongs to the table, covered by tests/unit/test_cli_table.py
            try:
                names_something(line)
            except UsageError as problem:
                pytest.fail(f"{name}: {line}: {problem.text('en')}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a reader's folder: a game, a deck and the programs of the environment."""
    here = tmp_path_factory.mktemp("reader")
    (here / "bin").mkdir()
    (here / "bin" / "blackpoker").write_text(
        f'#!/bin/sh\nexec {sys.executable} -m blackpoker.cli "$@"\n', encoding="utf-8"
    )
    (here / "bin" / "blackpoker").chmod(0o755)
    game = Game("lite+entry", seed=3)
    game.push_text("set_bulwark")
    (here / "RECORD").write_text(game.record(), encoding="utf-8")
    deck = " ".join(f"{suit}{number}" for suit in "SHDC" for number in ("A", *range(2, 11), "J", "Q", "K"))
    (here / "mine.deck").write_text(f"name: mine\nframe: regular\n{deck} JK JK\n", encoding="utf-8")
    return here


COMMANDS = [
    pytest.param(line, id=f"{name}: {line}")
    for name in ("README.md", "README.ja.md", "docs/guide/cli.md", "docs/fairness.md")
    for block in blocks(name, "sh")
    for line in block.splitlines()
    if not LASTING.match(line.split("  #")[0].strip())
]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_runs_in_bash(line: str, folder: Path) -> None:
    """Unchanged, including comments; ten thousand games become fifty."""
    saved = folder / "game.json"
    if "--resume" in line and not saved.exists():
        saved.write_text(Game("lite+entry", seed=3).to_json(), encoding="utf-8")
    env = {
        **os.environ,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "BLACKPOKER_LANG": "en",
        "XDG_DATA_HOME": str(folder),
    }
    done = subprocess.run(
        ["bash", "-ec", line.replace("-n 10000 -j 0", "-n 50")],
        cwd=folder,
        env=env,
        input="quit\n\n",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    proves = "blackpoker verify" in line  # a game without a receipt cannot be proven
    assert done.returncode in ((1, 2) if proves else (0,)), done.stdout[-1000:] + done.stderr
    assert "Traceback" not in done.stderr


def test_an_option_that_is_gone_is_found() -> None:
    names_something("python -m tests.document_counts --write")
    with pytest.raises(AssertionError):
        names_something("python -m tests.document_counts --never")
    with pytest.raises(UsageError):
        names_something("blackpoker serve --never 1")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_variables_of_a_document_are_read_somewhere(name: str) -> None:
    named = set(re.findall(r"\bBLACKPOKER_[A-Z_]+[A-Z]", text_of(name)))
    options = {
        "BLACKPOKER_" + flag.strip("-").upper().replace("-", "_")
        for words in (["serve"], *(["admin", part] for part in ("stats", "purge", "rename")))
        for parameter in find_command(words)[0].parameters
        for flag in parameter.flags.split()
    }
    for variable in sorted(named - options):
        plain = variable.removesuffix("_FILE")
        assert plain in options or any(plain in text for text in SOURCES), variable


def shape(name: str) -> dict[str, int]:
    """Return how many headings, table rows, items, steps, questions and pictures a document has."""
    kinds = {
        "headings": "#",
        "rows": r"\|",
        "items": "- ",
        "steps": r"\d+\. ",
        "questions": r"\*\*[^*]+[?？]\*\*",
        "pictures": "!",
    }
    return {kind: len(re.findall(f"^{start}", text_of(name), re.MULTILINE)) for kind, start in kinds.items()}


@pytest.mark.parametrize("name", ["README", "docs/how-to-play", "docs/faq", "docs/guide/play"])
def test_both_languages_have_the_same_parts(name: str) -> None:
    assert shape(f"{name}.md") == shape(f"{name}.ja.md")


def test_both_languages_show_as_much() -> None:
    assert [len(block.splitlines()) for block in blocks("README.md")] == [
        len(block.splitlines()) for block in blocks("README.ja.md")
    ]
    assert blocks("docs/faq.md") == blocks("docs/faq.ja.md")
    assert blocks("docs/guide/bots.ja.md", "text")[0] in blocks("docs/guide/bots.md", "python")[0]


def test_the_installed_package_has_these_extras() -> None:
    extras = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]
    for name in DOCUMENTS:
        for found in re.findall(r"(?:blackpoker|['\"]\.)\[([\w,]+)\]", text_of(name)):
            assert set(found.split(",")) <= set(extras), (name, found)


# -- Python and notation -----------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
def test_native_and_opponents_run() -> None:
    games, many, shown = blocks("docs/guide/native.md", "python")
    space: dict[str, object] = {}
    for block in (games, many, *blocks("docs/opponents.md", "python")):
        exec(compile(block.replace("10_000", "100").replace("1_000", "20"), "docs", "exec"), space)
    steps = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "src/blackpoker/definitions/steps").glob("*.py")
    )
    assert shown.strip() in steps, "the step in the guide is the step in the source"


def test_notation_is_read() -> None:
    position, scenario, checks, match = blocks("docs/notation.md", "toml")
    Game.from_position(position)
    assert all(result.ok for result in run_scenario(read_scenario(scenario)))
    assert all(result.ok for result in run_scenario(read_scenario(checks)))
    assert all(result.ok for result in run_scenario(read_scenario(f'id = "S-1"\n{match}')))
    deck = next(block for block in blocks("docs/notation.md", "text") if "name: My forty" in block)
    assert parse_decks(re.sub(r"\s{3,}.*", "", deck))


def test_the_moves_of_the_notation_are_read() -> None:
    (block,) = [block for block in blocks("docs/notation.md", "text") if block.startswith("ACTION")]
    lines = [re.split(r"\s{3,}", line)[0] for line in block.splitlines()[1:]]
    assert len(lines) > 4
    assert [Move.from_text(line).text for line in lines] == lines
    actions = {action.id for action in standard_edition().actions}
    assert {Move.from_text(line).action for line in lines} <= actions


# -- messages ----------------------------------------------------------------------------------------------------------

STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def outer_fields(message: str) -> list[str]:
    """Return the names of the outer fields of a message, which may be shortened by ``…``."""
    names, depth, at = [], 0, 0
    while at < len(message):
        found = STRING.match(message, at)
        if found:
            at = found.end()
            if depth == 1 and message[at : at + 1] == ":":
                names.append(found[0].strip('"'))
            continue
        depth += (message[at] in "{[") - (message[at] in "}]")
        at += 1
    return names


def shown_messages(name: str) -> list[tuple[str, str, list[str]]]:
    """Return the messages of a document's sessions: direction, type and outer fields."""
    found = []
    for block in blocks(name, "text"):
        for line in re.findall(r"^[→←] \{.*(?:\n {3}.*)*", block, re.MULTILINE):
            kind = re.search(r'"type":"(\w+)"', line)
            assert kind is not None, line
            found.append((line[0], kind[1], outer_fields(line[2:])))
    return found


def known_fields(way: str) -> dict[str, set[str]]:
    wire = schema()
    parts = [wire["$defs"][part["$ref"].rpartition("/")[2]]["properties"] for part in wire[way]["anyOf"]]
    return {fields["type"]["enum"][0]: set(fields) for fields in parts}


def test_a_shortened_message_is_read() -> None:
    assert outer_fields('{"a":{"b":1,…},"c":["d:",{"e":2}],…"f":"g:\\"h"}') == ["a", "c", "f"]


def bot_fields(*types: Any) -> dict[str, set[str]]:
    return {each.__struct_config__.tag: {"type", *each.__struct_encode_fields__} for each in types}


CLIENT = {"→": known_fields("client"), "←": known_fields("server")}
BOT = {
    "→": bot_fields(*get_args(bot.AnyBotMessage)),
    "←": {**CLIENT["←"], **bot_fields(bot.Hello, bot.BotPrompt, bot.BotGameOver, bot.BotQuit)},
}


@pytest.mark.parametrize(("name", "known", "least"), [("docs/protocol.md", CLIENT, 20), ("docs/guide/bots.md", BOT, 8)])
def test_a_session_has_messages_of_today(name: str, known: dict[str, dict[str, set[str]]], least: int) -> None:
    shown = shown_messages(name)
    assert len(shown) > least
    for way, kind, fields in shown:
        assert kind in known[way], (way, kind)
        assert set(fields) <= known[way][kind], (kind, set(fields) - known[way][kind])
