"""The terminal game: typed lines in, the seat's view out."""

from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from rich.cells import cell_len
from rich.console import Console
from tests.hidden_cards import permute_hidden

from blackpoker import Player
from blackpoker.cli import run
from blackpoker.cli.board import truncate
from blackpoker.cli.session import Session
from blackpoker.cli.terminal_game import TerminalTable, choices
from blackpoker.engine.cards import members
from blackpoker.engine.flow import CHANCE_KIND, PASS
from blackpoker.engine.shuffler import seeded
from blackpoker.game.assistant import Assistant
from blackpoker.game.game import Game
from blackpoker.text.cards import sign
from blackpoker.text.resources import Lang


def keyboard(monkeypatch: pytest.MonkeyPatch, lines: Iterable[str]) -> None:
    waiting = iter(lines)

    def typed(prompt: str = "") -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", typed)


def played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], lines: Iterable[str], *flags: str
) -> str:
    keyboard(monkeypatch, lines)
    assert run(["play", "--lang", "en", *flags]) == 0
    out = capsys.readouterr()
    assert out.err == ""
    return out.out


def session(regulation: str = "lite+entry", seed: int = 7, people: frozenset[int] = frozenset({0})) -> Session:
    made = Session(Game(regulation, seed=seed), people, Random(seed))
    made.log_opening()
    return made


def test_end_of_input_is_no_error(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    out = played(monkeypatch, capsys, [], "--seed", "7")
    assert "Your turn. What do you do?" in out
    assert "The input has ended" in out


def test_numbers_notation_and_words_of_refusal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = played(monkeypatch, capsys, ["99", "nonsense", "summon_soldier S9", "throw S2 C5"], "--seed", "7")
    assert "Choose a number from 1 to" in out
    assert "nonsense" in out
    assert "You play Throw (♠2 ♣5) on P2." in out


def test_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    lines = [
        "help",
        "help counter",
        "help 2",
        "help nothing",
        "undo",
        "cancel",
        "auto",
        "auto",
        "log",
        "lang ja",
        "lang en",
        "lang xx",
        "save",
        f"save {file}",
        "",
        "quit",
        "",
    ]
    out = played(monkeypatch, capsys, lines, "--seed", "7")
    for words in (
        "back to your choice before",
        "one action on the stage with one or two keys",
        "Set Bulwark / 防壁設置",
        "nothing called 'nothing'",
        "nothing to take back",
        "There is no action to cancel",
        "asked at every chance",
        "flips",
        "あなたのターンです",
        "Type lang ja",
        "Name a file",
        "Saved to",
        "Goodbye",
    ):
        assert words in out, words
    again = played(monkeypatch, capsys, ["quit"], "--resume", str(file))
    assert "Your turn. What do you do?" in again


def test_undo_goes_back_to_the_persons_own_choice() -> None:
    table = session()
    before = table.game.hash()
    table.mark_undo_point()
    table.push("throw S2 C5")
    while table.game.player != Player.P1 or table.automatic() is not None:
        if table.game.player == Player.P1:
            table.push(table.game.options[0])
        else:
            table.play_computer()
    table.mark_undo_point()
    assert table.undo()
    assert table.game.hash() == before
    assert not table.undo()
    assert len(table.log) == 1  # the deal


def test_cancel_drops_the_words_of_a_request() -> None:
    table = session()
    option = next(o for o in table.game.options if o != PASS and "ace" in Assistant(table.game).token(o))
    before = table.game.hash()
    table.push(option)
    assert table.has_draft
    assert table.cancel()
    assert table.game.hash() == before
    assert not table.cancel()


def test_an_action_typed_while_another_is_worded_begins_anew() -> None:
    table = session()
    screen = TerminalTable(table, "en", Console(width=80, height=24))
    screen.viewer = 0
    option = next(o for o in table.game.options if "ace" in Assistant(table.game).token(o))
    table.push(option)
    screen.answer("equip S2")  # not possible: the tokens so far stay
    assert screen.message
    stays = table.has_draft
    assert stays
    screen.answer("throw S2 C5")
    assert not table.has_draft
    assert len(table.game._engine.stage) == 1


def test_no_prompt_where_only_passing_is_possible() -> None:
    """In games played at random, a person is never prompted with a pass as the only option."""
    random = Random(1)
    table = session(people=frozenset({0, 1}))
    prompted = passed = 0
    while table.game.outcome() is None:
        engine = table.game._engine
        automatic = table.automatic()
        if automatic is None:
            assert len(engine.options) > 1
            prompted += 1
            table.push(random.choice(engine.options))
        else:
            option, why = automatic
            assert option in engine.options
            assert why in ("forced", "order") or (engine.kind == CHANCE_KIND and option == PASS)
            passed += 1
            table.push(option)
    assert prompted
    assert passed


def test_asking_everywhere_still_skips_empty_choices() -> None:
    table = session()
    table.ask_everywhere = True
    table.push("throw S2 C5")
    engine = table.game._engine
    assert engine.stage[-1].controller == engine.asked == 0
    assert (table.automatic() is None) == (len(engine.options) > 1)


@pytest.mark.parametrize(("regulation", "lang"), [("master+full", "en"), ("extra+full", "ja")])
@pytest.mark.parametrize("size", [(80, 24), (140, 50)])
def test_every_screen_fits_and_keeps_secrets(regulation: str, lang: Lang, size: tuple[int, int]) -> None:
    """The board fits the screen and does not depend on hidden cards."""
    table = session(regulation, seed=3, people=frozenset({0, 1}))
    random = Random(3)
    for n in range(120):
        if table.game.outcome() is not None:
            break
        seat = int(table.game.player)
        out = Console(width=size[0], height=size[1], file=StringIO())
        screen = TerminalTable(table, lang, out)
        lines = [line.plain for line in screen.draw(seat)]
        assert all(cell_len(line) <= size[0] for line in lines)
        if n % 5 == 0:
            other = table.game.copy()
            permute_hidden(other._engine, seat, seeded(n))
            same = TerminalTable(Session(other, table.people, Random(0)), lang, out)
            assert [line.plain for line in same.draw(seat)] == lines
        screen.show(seat)
        table.push(random.choice(table.game.options))


def test_a_hand_over_comes_before_the_other_hand_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = played(monkeypatch, capsys, ["1"] * 30, "--seed", "7", "--opponent", "hotseat")
    first = out.index("P1, it is your choice")
    second = out.index("P2, it is your choice")
    assert first < out.index("── stage") < second
    sides = Game("lite+entry", seed=7)._engine.sides
    first_hand, second_hand = ("  ".join(sign(card) for card in members(side.hand)) for side in sides)
    assert first_hand in out[first:second]
    assert second_hand not in out[:second]
    assert second_hand in out[second:]


def test_whole_games_from_typed_numbers(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(5)
    lines = [
        str(random.randint(1, 5)) if random.random() < 0.9 else random.choice(["undo", "log", "x"]) for _ in range(900)
    ]
    out = played(monkeypatch, capsys, lines, "--seed", "1")
    assert "wins." in out or "drawn." in out


def test_choices_in_columns() -> None:
    lines = [line.plain for line in choices([f"option {n}" for n in range(1, 8)], 40)]
    assert len(lines) == 3
    assert lines[0].split("  ")[0].strip() == "1 option 1"
    assert truncate("あいうえお", 6) == "あい…"


# -- matches and decks -------------------------------------------------------------------------------------------------


def test_a_match_of_two_decks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    random = Random(2)
    lines = ["nonsense", "deck 2"] + [random.choice("11234") for _ in range(4000)]
    out = played(monkeypatch, capsys, lines, "--seed", "4", "-r", "lite+randomhalf")
    assert "P1: Choose the deck to play." in out
    assert "game 2" in out
    assert "wins the match, " in out or "match is drawn" in out


def test_a_match_is_saved_and_resumed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "match.json"
    out = played(monkeypatch, capsys, ["save " + str(file), "1", "quit", ""], "--seed", "4", "-r", "lite+randomhalf")
    assert "Saved to" in out
    again = played(monkeypatch, capsys, ["2", "quit", str(file), "y"], "--resume", str(file))
    assert "Choose the deck to play." in again
    assert "Your turn" in again or "has passed" in again or "on the stage" in again
    third = played(monkeypatch, capsys, [], "--resume", str(file))
    assert "Choose the deck to play." not in third


def test_own_decks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = tmp_path / "good.deck"
    good.write_text("S A 2 3 4 5 6 7 8 9 10 J Q K\n", encoding="utf-8")
    out = played(monkeypatch, capsys, [], "-r", "lite+regular", "--deck", str(good), "--seed", "1")
    row = next(line for line in out.splitlines() if line.startswith("hand "))
    assert not set("♡♢♣") & set(row)
    bad = tmp_path / "bad.deck"
    bad.write_text("S A A\n", encoding="utf-8")
    assert run(["play", "-r", "lite+regular", "--deck", str(bad)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "♠A is there 2 times" in error
    assert run(["play", "-r", "master+random40", "--deck", str(good)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "made at random" in error
