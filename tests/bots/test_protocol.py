"""A local bot receives the same messages as one on the server, for the same game."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from blackpoker import EventView, Game, Player
from blackpoker.game.assistant import Assistant
from blackpoker.players.bots.bot_names import Bot
from blackpoker.players.bots.player import BotPlayer, choices, preview_draft, refusals
from blackpoker.players.errors import Fault
from blackpoker.players.player_view import PlayerView
from blackpoker.players.prior_knowledge import prior_knowledge
from blackpoker.protocol import bot as w
from blackpoker.protocol import messages as p
from blackpoker.protocol import questions


def plain(message: object) -> Any:
    return msgspec.json.decode(w.encode(message))


def test_an_event_leaves_out_what_is_empty() -> None:
    event = EventView("damaged", Player.P2)
    assert plain(w.compact_events([event])) == [{"event": "damaged", "player": "p2"}]
    assert msgspec.convert(plain(w.compact_events([event])), list[EventView]) == [event]


@pytest.mark.parametrize("regulation", ["lite+entry", "master+full", "extra+full"])
def test_the_same_words_as_the_server(regulation: str) -> None:
    """Every question, every partial draft of a move, the view and the events of a whole game."""
    game = Game(regulation, seed=4)
    chance = Random(4)
    known = prior_knowledge(game.regulation)
    players = [BotPlayer(Bot("b", ("b",)), game.regulation, seat, 1) for seat in (0, 1)]
    prompts = 0
    received: list[list[Any]] = [[], []]
    for player in players:
        player.attend(game)
    while game.outcome() is None and prompts < 60:
        decision = game.decision
        assert decision is not None
        at = game.player
        seat = PlayerView(game, int(at), known)
        ask = plain(players[at].ask(seat, seat.decision, "bot"))
        theirs = plain(questions.prompt_message(decision, 0, "en", True, "", None))
        for name in ("kind", "options"):
            assert ask[name] == theirs[name]
        assert ask.get("multiple", False) == theirs.get("multiple", False)
        assert ask["view"] == plain(game.view(at))
        received[at] += ask.get("events", [])
        assert msgspec.convert(received[at], list[EventView]) == game.event_views(at)
        words: list[str] = []
        options = decision.words
        while True:
            words.append(chance.choice(options))
            mine = plain(preview_draft(seat, p.PreviewMove(tokens=words), 7))
            draft = game.draft(words)
            assert mine == plain(questions.preview_result(draft, 0, 7, "en", True))
            if mine["complete"]:
                break
            options = [option["token"] for option in mine["options"]]
        free = choices(seat, p.SubmitMove(seq=7, tokens=words))
        options_of_text = choices(seat, p.SubmitMove(seq=7, text=mine["text"]))
        assert free == options_of_text
        assert set(free) <= set(draft.options)
        assert plain(refusals(seat, 3)) == plain(p.Refusals(3, Assistant(game).refused(int(at))))
        for option in draft.options:
            game.push(option)
        prompts += 1
    assert prompts > 20


def test_bot_replies_are_accepted_by_the_server() -> None:
    """A join has the same fields in both protocols; the other messages are one class."""
    for message in (w.BotJoin("bot"), w.BotJoin("lean")):
        assert isinstance(p.decode(w.encode(message)), p.Join)
    for sent in (p.SubmitMove(seq=3, tokens=["pass"]), p.PreviewMove(seq=3, text="attack"), p.RequestRefusals(4)):
        assert w.decode(p.encode(sent)) == p.decode(p.encode(sent)) == sent


def test_a_sentence_without_a_translation() -> None:
    game = Game("lite+entry", seed=7)
    seat = PlayerView(game, int(game.player), prior_knowledge(game.regulation))
    for move, error in (
        (p.SubmitMove(seq=1, tokens=["summon_ace"]), "sent ['summon_ace']: the sentence is not complete"),
        (p.SubmitMove(seq=1, tokens=["pass", "pass"]), "sent ['pass', 'pass']"),
        (p.SubmitMove(seq=1, tokens=[]), "sent []"),
        (p.SubmitMove(seq=1), "neither words nor text"),
        (p.SubmitMove(seq=1, text="summon_ace HK"), "sent 'summon_ace HK'"),
    ):
        with pytest.raises(Fault) as caught:
            choices(seat, move)
        assert error in str(caught.value)
