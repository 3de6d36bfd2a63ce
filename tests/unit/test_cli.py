"""The command line: its output, and a single line and exit code 2 for every mistake of the caller."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from blackpoker import __version__, _build
from blackpoker.cli import run
from blackpoker.cli.simulate import GameSums, interval, play_games
from blackpoker.ruleset import Regulation, all_regulations

ROOT = Path(__file__).parents[2]


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 0
    out = capsys.readouterr()
    assert "\x1b" not in out.out
    return out.out


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(list(arguments)) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err.startswith("blackpoker: ")
    assert out.err.count("\n") == 1
    return out.err


# -- version, rules, regulations ---------------------------------------------------------------------------------------


def test_version_names_the_build_and_that_it_is_fan_made(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "--version")
    assert __version__ in text
    assert ("compiled" if _build.compiled() else "plain Python") in text
    assert "非公式・ファンメイド" in text


@pytest.mark.parametrize(("lang", "words"), [("en", "Choose a card in your hand"), ("ja", "手札からカードを1枚選び")])
def test_rules_of_one_entry(capsys: pytest.CaptureFixture[str], lang: str, words: str) -> None:
    text = output(capsys, "rules", "set_bulwark", "--lang", lang)
    assert words in text
    assert "R-150" in text


def test_rules_index_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "rules", "index", "--lang", "en")
    for id in ("summon_soldier", "next_generation", "common_soldier", "lite", "entry", "preset2"):
        assert id in text


def test_rules_of_an_edition(capsys: pytest.CaptureFixture[str]) -> None:
    """``--edition`` names the rulebook; a ruling is found by its number in any."""
    assert "Edition 6 counted by character" in " ".join(output(capsys, "rules", "n-207", "--lang", "en").split())
    assert "N-060" in output(capsys, "rules", "フォグはどこに置く", "--edition", "9").splitlines()[0]
    changed = output(capsys, "rules", "changes.short", "--edition", "9", "--lang", "en")
    assert changed.startswith("What has changed since edition 6")
    listed = output(capsys, "rules", "index", "--edition", "9", "--lang", "en")
    for name in ("changes.trumps", "N-201…N-237", "trap_counter", "R-02…R-314"):
        assert name in listed
    assert "fog" not in output(capsys, "rules", "index", "--lang", "en")


def test_language_of_the_environment(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLACKPOKER_LANG", "ja_JP.UTF-8")
    assert "アップ" in output(capsys, "rules", "up").splitlines()[0].split("/")[0]
    monkeypatch.setenv("BLACKPOKER_LANG", "de")
    assert output(capsys, "rules", "up").startswith("Up")


@pytest.mark.parametrize(
    ("typed", "meant"), [("contre", "counter"), ("summon_solder", "summon_soldier"), ("カウンタア", "counter")]
)
def test_rules_suggests(capsys: pytest.CaptureFixture[str], typed: str, meant: str) -> None:
    assert meant in complaint(capsys, "rules", typed)


def test_regulations(capsys: pytest.CaptureFixture[str]) -> None:
    listed = output(capsys, "regulations").split()
    assert len(listed) == len(set(listed)) == len(all_regulations())
    assert "lite+entry" in listed
    assert "マスター" in output(capsys, "regulations", "master+full", "--lang", "ja")
    assert "Preset 2 does not go with Lite (Table 5.3" in complaint(
        capsys, "regulations", "lite+full+preset2", "--lang", "en"
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["--bogus"],
        ["bogus"],
        ["rules", "up", "--lang", "de"],
        ["rules", "--lang"],
        ["play", "--regulation", "lite"],
        ["play", "--seed", "x"],
        ["play", "--seed", "-1"],
        ["play", "--opponent", "nobody"],
        ["play", "--resume", "/no/such/file"],
        ["simulate"],
        ["simulate", "lite+entr"],
        ["simulate", "lite+entry", "--games", "0"],
        ["simulate", "lite+entry", "--games", "many"],
        ["simulate", "lite+entry", "--jobs", "-3"],
        ["scenario"],
        ["scenario", "/no/such/file.toml"],
        ["regulations", "entry"],
        ["regulations", ""],
    ],
    ids=" ".join,
)
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    complaint(capsys, *arguments)


@pytest.mark.parametrize("content", [b"", b"{", b"{}", b"\xff\xfe\x00", b"[1, 2]", b'{"blackpoker": 1}', b"no record"])
def test_a_broken_save_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken"
    file.write_bytes(content)
    complaint(capsys, "play", "--resume", str(file))


def test_as_a_program_without_traceback() -> None:
    command = [sys.executable, "-m", "blackpoker.cli"]
    bad = subprocess.run([*command, "rules", "nothing_like_this"], capture_output=True, text=True, check=False)
    assert bad.returncode == 2
    assert "Traceback" not in bad.stderr
    ended = subprocess.run([*command, "play", "--seed", "1"], input="1\n", capture_output=True, text=True, check=False)
    assert ended.returncode == 0
    assert ended.stderr == ""
    assert "\x1b" not in ended.stdout


# -- simulate ----------------------------------------------------------------------------------------------------------


def test_simulate_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(output(capsys, "simulate", "lite+entry", "--games", "60", "--seed", "5", "--json"))
    assert data["games"] == 60
    assert data["regulation"] == "lite+entry"
    assert data["stopped"] is False
    low, high = data["first_player"]["interval95"]
    assert low <= data["first_player"]["rate"] <= high
    assert data["actions"]["end"]["games"] <= 60
    again = json.loads(output(capsys, "simulate", "ライト+エントリー", "-n", "60", "-s", "5", "--json", "--jobs", "2"))
    assert again == data


def test_simulate_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert "first player wins" in output(capsys, "simulate", "lite+entry", "-n", "20", "--lang", "en")
    assert "先攻の勝率" in output(capsys, "simulate", "lite+entry", "-n", "20", "--lang", "ja")


def test_simulate_interrupted_keeps_what_there_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []

    def some_games(rules: Regulation, seed: int, n: int) -> GameSums:
        calls.append(seed)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return play_games(rules, seed, n)

    monkeypatch.setattr("blackpoker.cli.simulate.play_games", some_games)
    assert run(["simulate", "lite+entry", "--games", "500", "--json"]) == 130
    data = json.loads(capsys.readouterr().out)
    assert data["stopped"] is True
    assert data["games"] == 50


def test_interval() -> None:
    low, high = interval(50, 100)
    assert (low, high) == (0.4038, 0.5962)  # Wilson's interval, from its published tables
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(0, 10)[0] == 0.0
    assert interval(10, 10)[1] == 1.0
