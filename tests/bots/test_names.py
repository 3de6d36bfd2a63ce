"""Names of bots."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from blackpoker.players.bots.bot_names import Bot, bot_of, split_names
from blackpoker.players.engine_players import BotLevel, level_of
from blackpoker.players.errors import PlayersError


def test_a_list_of_names() -> None:
    assert split_names("easy,strong") == ["easy", "strong"]
    assert split_names('mybot.py:Bot, exec:"node bot.js a,b",easy') == [
        "mybot.py:Bot",
        'exec:"node bot.js a,b"',
        "easy",
    ]


def test_a_class(tmp_path: Path) -> None:
    path = tmp_path / "mybot.py"
    path.write_text("")
    bot = bot_of(f"{path}:Bot:seconds=2.5/memory=256")
    assert bot is not None
    assert bot.command[-2:] == (str(path), "Bot")
    assert (bot.seconds, bot.memory, bot.start) == (2.5, 256, 20.0)
    assert bot.short == "mybot.py:Bot:seconds=2.5/memory=256"
    level = level_of(f"{path}:Bot")
    assert isinstance(level, BotLevel)
    assert level.bot == Bot(f"{path}:Bot", bot.command)


@pytest.mark.parametrize("text", ["exec:{0} bot.js", 'exec:"{0} bot.js"', "exec:'{0} bot.js'"])
def test_a_program(text: str) -> None:
    bot = bot_of(text.format(sys.executable))
    assert bot is not None
    assert bot.command == (sys.executable, "bot.js")


def test_a_program_with_settings_and_quoted_words() -> None:
    bot = bot_of(f"exec:\"{sys.executable} 'my bot.py' --deep=1\":seconds=1")
    assert bot is not None
    assert bot.command == (sys.executable, "my bot.py", "--deep=1")
    assert bot.seconds == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nowhere.py:Bot", "there is no file nowhere.py"),
        ("exec:", 'exec:"node bot.js"'),
        ('exec:"no-such-program bot"', "there is no program 'no-such-program'"),
        ("exec:python3 'bot", "a quotation mark is missing"),
        (f'exec:"{sys.executable} x":luck=3', "no setting 'luck'"),
        (f'exec:"{sys.executable} x":seconds=0', "seconds is a number above 0, not '0'"),
        (f'exec:"{sys.executable} x":memory=much', "memory is a number above 0, not 'much'"),
        ("mybot", "there is no player 'mybot'"),
    ],
)
def test_mistakes_are_reported(name: str, told: str) -> None:
    with pytest.raises(PlayersError) as caught:
        level_of(name)
    assert told in caught.value.en
    assert caught.value.ja != caught.value.en


def test_levels_are_no_bots() -> None:
    for name in ("easy", "strong:playouts=20", "search:playouts=20/horizon=3"):
        assert bot_of(name) is None
