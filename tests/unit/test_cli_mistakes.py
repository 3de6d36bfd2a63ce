"""Every mistake of the caller gives one line and exit code 2, on every terminal and output."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blackpoker.cli import run
from blackpoker.cli.commands import COMMANDS
from blackpoker.game.game import Game
from blackpoker.ruleset.regulation import Regulation, RegulationError

CALLER_TEXT = re.compile("ライト|遊ぶ|１|🂡")  # text of the caller
HERE = "{here}"  # a folder with the files below

MISTAKES: tuple[tuple[str, ...], ...] = (
    # the command itself
    ("bogus",),
    ("pley",),
    ("",),
    (" ",),
    ("♠",),
    ("遊ぶ",),
    ("--bogus",),
    ("-x",),
    ("--local=yes",),
    ("--lang",),
    ("--lang", "de"),
    ("--port", "x"),
    ("--local", "extra"),
    ("--lang", "ja", "bogus"),
    ("-",),
    # rules, regulations, completion
    ("rules", "nothing_like_this"),
    ("rules", "countr"),
    ("rules", ""),
    ("rules", "zzz", "qqq"),
    ("rules", "up", "--lang", "fr"),
    ("rules", "--json"),
    ("rules", "🂡"),
    ("rules", "a\nb"),
    ("regulations", "entry"),
    ("regulations", ""),
    ("regulations", "lite+full+preset2"),
    ("regulations", "ライト+"),
    ("regulations", "+" * 5000),
    ("completion",),
    ("completion", "csh"),
    # play
    ("play", "--regulation", "lite"),
    ("play", "--regulation"),
    ("play", "--seed", "x"),
    ("play", "--seed", "-1"),
    ("play", "--seed", "9" * 400),
    ("play", "--seed", "1.5"),
    ("play", "--seed", "１"),
    ("play", "--seed="),
    ("play", "--opponent", "nobody"),
    ("play", "--resume", f"{HERE}/none"),
    ("play", "--resume", HERE),
    ("play", "--resume", f"{HERE}/empty"),
    ("play", "--resume", f"{HERE}/binary"),
    ("play", "--resume", f"{HERE}/brace"),
    ("play", "--resume", f"{HERE}/list"),
    ("play", "--resume", f"{HERE}/half"),
    ("play", "--resume", f"{HERE}/deep"),
    ("play", "--resume", "a" * 5000),
    ("play", "--resume", f"{HERE}/locked"),
    ("play", "-r", "lite+regular", "--deck", f"{HERE}/text"),
    ("play", "--deck", f"{HERE}/none"),
    ("play", "now"),
    # scenario, analyse, verify
    ("scenario",),
    ("scenario", f"{HERE}/none.toml"),
    ("scenario", "a.toml", "--jobs", "2"),
    ("scenario", f"{HERE}/no_scenarios"),
    ("analyse",),
    ("analyse", HERE),
    ("analyse", f"{HERE}/text"),
    ("analyse", f"{HERE}/binary"),
    ("analyse", f"{HERE}/half"),
    ("analyse", f"{HERE}/game", "--playouts", "1"),
    ("analyse", f"{HERE}/game", "--lines", "0"),
    ("analyse", f"{HERE}/game", "--seat=p1"),
    ("verify",),
    ("verify", f"{HERE}/none"),
    ("verify", f"{HERE}/binary"),
    ("verify", f"{HERE}/game", "again"),
    # simulate, arena, bench
    ("simulate",),
    ("simulate", "lite+entr"),
    ("simulate", "lite+entry", "--games", "0"),
    ("simulate", "lite+entry", "--games", "many"),
    ("simulate", "lite+entry", "--jobs", "-3"),
    ("simulate", "lite+entry", "-n"),
    ("simulate", "lite+entry", "--gamse", "3"),
    ("arena",),
    ("arena", "-p", "easy"),
    ("arena", "-p", "easy,easy"),
    ("arena", "-p", "easy,nobody"),
    ("arena", "-p", "easy,"),
    ("arena", "-p", "easy,random:x"),
    ("arena", "-p", "easy,random", "-r", "none"),
    ("arena", "-p", "easy,random", "-o", f"{HERE}/text"),
    ("arena", "-p", "easy,random", "-o", HERE),
    ("arena", "-p", "easy,random", "-o", f"{HERE}/none/results"),
    ("bench", "--json=1"),
    ("bench", "fast"),
    # serve
    ("serve", "--port", "99999"),
    ("serve", "--port", "http"),
    ("serve", "--processes", "0"),
    ("serve", "--log-level", "loud"),
    ("serve", "--open=yes"),
    ("serve", "--processes", "2"),
    ("serve", "--origin"),
    ("serve", "--host", ""),
    # admin, bot
    ("admin",),
    ("admin", "count"),
    ("admin", "stats"),
    ("admin", "stats", "-d", f"{HERE}/none"),
    ("admin", "export", "-d", f"{HERE}/empty"),
    ("admin", "export", "-d", f"{HERE}/empty", "--to", f"{HERE}/text"),
    ("admin", "stats", "-d", f"{HERE}/binary"),
    ("admin", "stats", "-d", HERE),
    ("admin", "stats", "-d", "mysql://x"),
    ("admin", "stats", "-d", "://"),
    ("bot",),
    ("bot", "leave", "http://localhost", "-b", "exec:cat"),
    ("bot", "join", "http://localhost"),
    ("bot", "join", "localhost", "-b", "exec:cat"),
    ("bot", "join", "http://[", "-b", "exec:cat"),
    ("bot", "join", "http://localhost:99999", "-b", "exec:cat"),
    ("bot", "join", "http://localhost:x", "-b", "exec:cat"),
    ("bot", "join", "http://localhost", "-b", "easy"),
    ("bot", "join", "http://localhost", "-b", f"{HERE}/none.py:Bot"),
    ("bot", "join", "http://localhost", "-b", "exec:cat", "-r", "none"),
    # puzzles, local rules, the lab
    ("puzzles", "solve"),
    ("puzzles", "show"),
    ("puzzles", "show", "none"),
    ("puzzles", "make", "-n", "0"),
    ("puzzles", "make", "-o", HERE),
    ("puzzles", "make", "-o", f"{HERE}/none/made"),
    ("rules", "new"),
    ("rules", "new", "UPPER"),
    ("rules", "new", f"{HERE}/text"),
    ("rules", "new", f"{HERE}/text/in"),
    ("rules", "check"),
    ("rules", "check", f"{HERE}/none"),
    ("rules", "check", f"{HERE}/text"),
    ("rules", "diff", f"{HERE}/none"),
    ("rules", "docs", f"{HERE}/none"),
    ("lab", "nowhere"),
    ("lab", "run", f"{HERE}/none"),
    ("lab", "run", f"{HERE}/binary"),
    ("lab", "run", HERE),
    ("lab", "run", "-r", "none"),
    ("lab", "run", "-p", "easy,easy,easy"),
    ("lab", "run", "-n", "2", "-o", HERE),
    ("lab", "run", "-n", "2", "-o", f"{HERE}/none/x.lab"),
    ("lab", "run", "-n", "2", "-o", f"{HERE}/text"),
    ("lab", "run", "--deck", f"{HERE}/none"),
    ("lab", "report"),
    ("lab", "report", f"{HERE}/none"),
    ("lab", "report", HERE),
    ("lab", "report", f"{HERE}/text"),
)

LOOP = """
import json, sys
from pathlib import Path
from blackpoker.cli import main
for words in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
    try:
        main(words)
        code = None
    except SystemExit as leave:
        code = leave.code
    sys.stderr.flush()
    sys.stderr.write(f"exit {code}\\n")
"""


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Path]:
    game = Game("lite+entry", seed=7)
    game.push(game.options[0])
    contents = {
        "empty": b"",
        "binary": b"\xff\xfe\x00\x01",
        "brace": b"{",
        "list": b"[1, 2]",
        "half": b'{"blackpoker": 1}',
        "text": b"no record\n" * 3,
        "deep": b'{"blackpoker": ' + b"[" * 100_000,
        "game": game.record().encode(),
        "locked": b"{}",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "no_scenarios").mkdir()
    (tmp_path / "locked").chmod(0)
    yield tmp_path
    (tmp_path / "locked").chmod(0o600)


def written(words: tuple[str, ...], here: Path) -> list[str]:
    return [word.replace(HERE, str(here)) for word in words]


def environment(here: Path, **more: str) -> dict[str, str]:
    return {**os.environ, "XDG_DATA_HOME": str(here / "data"), "PYTHONWARNINGS": "error", **more}


def check_line(line: str) -> None:
    assert line.startswith("blackpoker: "), line
    assert len(line) < 6000
    for own_words in (
        "Traceback",
        "Errno",
        "Error:",
        "invalid literal",
        "codec",
        "argument ",
        "expected",
        "NoneType",
        "<class",
    ):
        assert own_words not in line.replace("one argument too many", ""), line


def test_there_are_enough_of_them() -> None:
    assert len(set(MISTAKES)) == len(MISTAKES) >= 60


@pytest.mark.parametrize("words", MISTAKES, ids=lambda words: " ".join(words)[:40].encode("ascii", "replace").decode())
def test_one_line(
    words: tuple[str, ...], here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(here / "data"))
    for lang in ("en", "ja"):
        monkeypatch.setenv("BLACKPOKER_LANG", lang)
        assert run(written(words, here)) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.count("\n") == 1
        check_line(output.err)
        if "--lang" not in words:
            assert any(sign > "\u3000" for sign in CALLER_TEXT.sub("", output.err)) == (lang == "ja"), output.err


@pytest.mark.parametrize(("kind", "lang"), [("cp1252", "en"), ("cp932", "ja"), ("closed", "ja"), ("full", "ja")])
def test_on_poor_terminals(kind: str, lang: str, here: Path) -> None:
    """As a subprocess: encodings without card signs, a closed output, a full disk."""
    file = here / "mistakes.json"
    file.write_text(json.dumps([written(words, here) for words in MISTAKES]), encoding="utf-8")
    encoding = kind if kind.startswith("cp") else "utf-8"
    reading, writing = os.pipe()
    os.close(reading)
    out = {"closed": writing, "full": os.open("/dev/full", os.O_WRONLY)}.get(kind, subprocess.PIPE)
    done = subprocess.run(
        [sys.executable, "-c", LOOP, str(file)],
        stdin=subprocess.DEVNULL,
        stdout=out,
        stderr=subprocess.PIPE,
        check=False,
        timeout=120,
        env=environment(here, PYTHONIOENCODING=encoding, BLACKPOKER_LANG=lang),
    )
    os.close(writing)
    assert not done.stdout
    assert done.returncode == 0
    lines = done.stderr.decode(encoding).splitlines()
    assert lines[1::2] == ["exit 2"] * len(MISTAKES)
    for line in lines[::2]:
        check_line(line)


GOOD = (
    ("--version",),
    ("--help",),
    ("rules", "counter"),
    ("regulations",),
    ("simulate", "lite+entry", "-n", "3", "--json"),
)


@pytest.mark.parametrize("words", GOOD, ids=" ".join)
def test_output_to_a_closed_pipe(words: tuple[str, ...], here: Path) -> None:
    command = [sys.executable, "-m", "blackpoker.cli", *words]
    reading, writing = os.pipe()
    os.close(reading)
    closed = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=environment(here), check=False)
    os.close(writing)
    assert (closed.returncode, closed.stderr) == (0, b"")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, env=environment(here, BLACKPOKER_LANG="en"), check=False
        )
        assert done.returncode == 1
        assert done.stderr == b"blackpoker: cannot write the output: the disk is full\n"
        nowhere = subprocess.run(command, stdout=full, stderr=full, env=environment(here), check=False)
        assert nowhere.returncode == 1
    for encoding, lang in (("cp1252", "en"), ("cp932", "ja")):
        poor = environment(here, PYTHONIOENCODING=encoding, BLACKPOKER_LANG=lang)
        shown = subprocess.run(command, capture_output=True, env=poor, check=False)
        assert (shown.returncode, shown.stderr) == (0, b"")
        assert shown.stdout.decode(encoding)


def test_a_game_on_a_poor_terminal(here: Path) -> None:
    """Cards are written with letters if the encoding has no suit signs."""
    command = [sys.executable, "-m", "blackpoker.cli", "play", "--seed", "7"]
    done = subprocess.run(
        command, input=b"1\nlog\n", capture_output=True, env=environment(here, PYTHONIOENCODING="cp1252"), check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert "S2" in done.stdout.decode("cp1252")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("lite+entri", "entry"), ("ライト+エントリ", "エントリー"), ("mastr+full", "master"), ("lite+fulll", "full")],
)
def test_a_regulation_with_a_typing_error_names_the_one_meant(typed: str, meant: str) -> None:
    with pytest.raises(RegulationError) as refused:
        Regulation.parse(typed)
    assert meant in f"{refused.value.en} {refused.value.ja}"
    assert "known are" not in refused.value.en


def test_every_option_is_described() -> None:
    """A description names the thing that the option sets; it is one sentence, in both languages."""
    for command in COMMANDS.values():
        for parameter in command.parameters:
            for text in parameter.help:
                assert text[-1] in ".。", text
                assert "if not given" not in text
            assert re.match(r"[A-Z0-9]|[a-z]+(, [a-z]+)*: ", parameter.help[1]), parameter.help[1]
            assert not re.match(r"(As|Of|For|Also|Such|Only|What|Who|How|Where)\b", parameter.help[1]), parameter.help[
                1
            ]
