"""Spectator delay: whatever a player does or holds, a spectator receives the same until the delay has passed, on every
channel. Casters see both hands with both players' consent, at least a minute later."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from blackpoker.protocol import messages as p
from blackpoker.server.http.lobby_cache import Lobby
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import MessageRefused, RoomClient
from blackpoker.server.rooms.spectator_delay import CASTER_LAG
from blackpoker.server.rooms.summary import RoomSummary, summary_of_row
from tests.server.room_driver import Driver
from tests.server.virtual_time import make_room_manager, run_virtually

DELAY = 60
#: time at which the players do something that the other world does not
ACTION_TIME = 20.0


class DelayedWorld:
    """A world in which two players play and a spectator watches on every channel. Stores the messages with their times."""

    def __init__(self, action: Callable[[Driver], None], secret: int = 1, lean: bool = False) -> None:
        self.received: list[tuple[float, bytes]] = []
        self.public_states: list[tuple[float, bytes]] = []
        self.driver = Driver("master+full", 1, None, "lean" if lean else "full", spectator_delay=DELAY)
        self.driver.listener = self.record
        steady = p.Join(1, "room", "watch", "en", self.driver.detail)  # kept for a spectator who stays
        self.driver.room.join(RoomClient("v", "guest-v", "V"), steady, 0.0)
        self.driver.room.secret = secret.to_bytes(32, "big")
        self.action = action
        self.done = False

    def record(self, key: str, data: bytes) -> None:
        if key == "w":
            self.received.append((self.driver.now, data))

    def pass_time(self, until: float) -> None:
        """Advance second by second. The spectator leaves, rejoins, looks, pings and chats."""
        driver = self.driver
        room = driver.room
        driver.start()
        while driver.now < until:
            driver.now += 1.0
            room.tick(driver.now)
            driver.collect()
            if driver.now >= ACTION_TIME and not self.done:
                self.done = True
                self.action(driver)
            second = int(driver.now)
            if second % 7 == 0:
                room.leave("w", driver.now)
                driver.collect()
                driver.join("w", game=room.game_number, since=room.room_game.seq)
            if second % 5 == 0:
                driver.send("w", p.RequestResync(second))
                driver.send("w", p.Ping(second))
            if second % 11 == 0:
                driver.send("w", p.Chat(second, f"hm {second}"))
            self.public_states.append((driver.now, p.encode(p.RoomState(room.info_for_guest("somebody", driver.now)))))


def nothing(driver: Driver) -> None:
    pass


def plays(driver: Driver) -> None:
    for _ in range(6):
        driver.step()


def talks(driver: Driver) -> None:
    driver.send("a", p.Chat(1, "nice hand"))
    driver.send("b", p.MakeOffer(2, "draw"))


def gives_up(driver: Driver) -> None:
    driver.send("a", p.Resign(1))
    driver.send("a", p.MakeOffer(2, "rematch"))
    driver.send("b", p.MakeOffer(2, "rematch"))


def leaves(driver: Driver) -> None:
    driver.room.leave("b", driver.now)
    driver.collect()


def shows(driver: Driver) -> None:
    driver.send("a", p.ShowHand(1))
    driver.send("b", p.ShowHand(1))


def until(found: list[tuple[float, bytes]], end: float) -> list[tuple[float, bytes]]:
    return [one for one in found if one[0] < end]


@pytest.mark.parametrize("does", [plays, talks, gives_up, leaves, shows])
@pytest.mark.parametrize("lean", [False, True])
def test_when_somebody_acts_is_told_later(does: Callable[[Driver], None], lean: bool) -> None:
    quiet, busy = DelayedWorld(nothing, lean=lean), DelayedWorld(does, lean=lean)
    for world in (quiet, busy):
        world.pass_time(ACTION_TIME + DELAY + 30)
    end = ACTION_TIME + DELAY
    assert until(quiet.received, end) == until(busy.received, end)
    assert until(quiet.public_states, end) == until(busy.public_states, end)
    assert len(until(busy.received, end)) > 60, "he heard something"
    if does is not shows:
        assert quiet.received != busy.received, "and the rest afterwards"
    assert quiet.public_states != busy.public_states or does in (plays, talks)


def test_what_somebody_holds_is_told_later() -> None:
    """Another secret means other cards; until the delay has passed both worlds send the same."""
    one, two = DelayedWorld(plays, secret=1), DelayedWorld(plays, secret=2)
    for world in (one, two):
        world.pass_time(DELAY + 10)
    assert until(one.received, DELAY) == until(two.received, DELAY)
    assert until(one.public_states, DELAY) == until(two.public_states, DELAY)
    assert one.received != two.received


def test_whoever_plays_knows_the_room_as_it_is() -> None:
    world = DelayedWorld(gives_up)
    world.pass_time(ACTION_TIME + 3)
    room = world.driver.room
    assert room.info_for_guest("guest-a", world.driver.now).game == 1
    assert room.info_for_guest("", world.driver.now).phase == "waiting"
    assert room.info_for_guest("", world.driver.now).game == 0


def test_nothing_is_known_again_after_a_restart() -> None:
    """The public state is not stored: after a restart it is rebuilt with the full delay."""
    world = DelayedWorld(plays)
    world.pass_time(ACTION_TIME + DELAY + 5)
    assert world.driver.room.info_for_guest("", world.driver.now).phase == "playing"
    again = Room.load(world.driver.room.dump(), world.driver.room.settings, world.driver.entries, world.driver.now)
    assert again.info_for_guest("", world.driver.now).phase == "waiting"


def test_the_lobby_knows_of_a_game_later() -> None:
    async def story() -> None:
        lobby = Lobby(make_room_manager())

        def head(id: str, phase: str, since: float, delay: int) -> RoomSummary:
            row = Room(id, p.RoomSettings(spectator_delay=delay), 0.0).dump()
            return summary_of_row({**row, "phase": phase, "since": since})

        def seen(now: float, *rooms: RoomSummary) -> list[str]:
            return [one.id for one in lobby.visible_games(list(rooms), now)]

        plain, later = head("plain", "playing", 10.0, 0), head("later", "playing", 10.0, 60)
        assert seen(11.0, plain, later) == ["plain"]
        assert seen(69.9, plain, later) == ["plain"]
        assert seen(70.0, plain, later) == ["plain", "later"]
        assert seen(80.0) == ["later"], "both are over"
        again = head("later", "playing", 100.0, 60)
        assert seen(101.0, again) == ["later"], "the one before"
        assert seen(139.9, again) == ["later"]
        assert seen(140.0, again) == []
        assert seen(160.0, again) == ["later"], "the one after it"

    run_virtually(story)


# -- casters -----------------------------------------------------------------------------------------------------------


def cast(driver: Driver, key: str = "c") -> None:
    driver.room.join(RoomClient(key, f"guest-{key}", key), p.Join(1, "room", "caster", "en"), driver.now)
    driver.collect()


def hands(message: p.AnyServerMessage) -> tuple[bool, bool]:
    assert isinstance(message, p.Update)
    assert message.view is not None
    return message.view.p1.hand.cards is not None, message.view.p2.hand.cards is not None


def test_both_hands_are_seen_where_both_players_show_them_a_minute_later() -> None:
    driver = Driver("master+full", 1, spectator_delay=DELAY)
    driver.start()
    for client in ("", "a"):
        if client:
            driver.send(client, p.ShowHand(1))
        with pytest.raises(MessageRefused, match="not both"):
            cast(driver)
    driver.send("b", p.ShowHand(1))
    assert driver.room.seats.infos()[1].shows_hand
    cast(driver)
    for _ in range(5):
        driver.step()
    driver.now += DELAY - 1
    driver.room.tick(driver.now)
    driver.collect()
    assert not [one for one in driver.inbox["c"] if isinstance(one, p.Update)]
    driver.now += 1
    driver.room.tick(driver.now)
    driver.collect()
    seen = [one for one in driver.inbox["c"] if isinstance(one, p.Update)]
    assert seen
    assert all(hands(one) == (True, True) for one in seen)
    assert all(one.prompt is None for one in seen)
    watched = [one for one in driver.inbox["w"] if isinstance(one, p.Update)]
    assert watched
    assert all(hands(one) == (False, False) for one in watched), "who only watches does not"
    driver.step()
    driver.send("a", p.ShowHand(2, on=False))
    driver.inbox["c"] = []
    driver.now += DELAY
    driver.room.tick(driver.now)
    driver.collect()
    assert all(hands(one) == (False, False) for one in driver.inbox["c"] if isinstance(one, p.Update)), "no longer"
    with pytest.raises(MessageRefused, match="not both"):
        cast(driver, "d")


def casting() -> Driver:
    """Return a game in which both players show their hands, with a caster who has joined."""
    driver = Driver("master+full", 1, spectator_delay=DELAY)
    driver.start()
    for client in ("a", "b"):
        driver.send(client, p.ShowHand(1))
    cast(driver)
    return driver


def test_a_casters_view_lags_by_decisions_as_well() -> None:
    """Regression: a player who thinks longer than the delay could see the opponent's hand before deciding."""
    driver = casting()
    driver.now += 100 * DELAY  # a long thought
    driver.room.tick(driver.now)
    driver.collect()
    assert not [one for one in driver.inbox["c"] if isinstance(one, p.Update)]
    assert driver.room.due() is None or driver.room.due() > driver.now  # type: ignore[operator]
    for number in range(CASTER_LAG):
        assert not [one for one in driver.inbox["c"] if isinstance(one, p.Update)], number
        driver.step()
    driver.room.tick(driver.now)
    driver.collect()
    seen = [one for one in driver.inbox["c"] if isinstance(one, p.Update)]
    assert seen
    assert max(one.seq for one in seen) <= driver.room.room_game.seq - CASTER_LAG


@pytest.mark.parametrize(
    ("guest", "network", "device"),
    [("ga", "", ""), ("other", "10.0.0.1", ""), ("other", "", "device a")],
    ids=["cookie", "address", "device"],
)
def test_no_player_casts_the_own_game(guest: str, network: str, device: str) -> None:
    """Regression: with two tabs a player saw the opponent's hand after a minute."""
    driver = casting()
    player = RoomClient("a2", "guest-a", "A", "10.0.0.1", "device a")
    driver.room.join(player, p.Join(1, "room", "any", "en"), driver.now)
    spy = RoomClient("spy", "guest-a" if guest == "ga" else guest, "Spy", network, device)
    with pytest.raises(MessageRefused, match="not shown to a player"):
        driver.room.join(spy, p.Join(1, "room", "caster", "en"), driver.now)
    driver.room.leave("a2", driver.now)
    with pytest.raises(MessageRefused, match="not shown to a player"):
        driver.room.join(spy, p.Join(1, "room", "caster", "en"), driver.now)


def test_a_caster_who_takes_a_seat_elsewhere_casts_no_more() -> None:
    driver = Driver("master+full", 1, spectator_delay=DELAY)
    driver.start()
    for client in ("a", "b"):
        driver.send(client, p.ShowHand(1))
    spy = RoomClient("spy", "spy", "Spy", "10.0.0.9")
    driver.room.join(spy, p.Join(1, "room", "caster", "en"), driver.now)
    assert spy.caster
    driver.room.join(RoomClient("a2", "guest-a", "A", "10.0.0.9"), p.Join(1, "room", "any", "en"), driver.now)
    assert not spy.caster


def test_consent_outlives_a_restart_and_not_the_one_who_gave_it() -> None:
    driver = Driver("lite+entry", 1, spectator_delay=DELAY)
    driver.send("a", p.ShowHand(1))
    again = Room.load(driver.room.dump(), driver.room.settings, [], 0.0)
    assert [seat.shows_hand for seat in again.seats] == [True, False]
    driver.room.leave("a", driver.now)
    driver.join("x")
    assert not any(seat.shows_hand for seat in driver.room.seats)


def test_hands_are_never_shown_sooner() -> None:
    driver = Driver("lite+entry", 1, spectator_delay=59)
    driver.send("a", p.ShowHand(1))
    driver.send("b", p.ShowHand(1))
    assert [one.code for one in driver.errors] == ["no_casting", "no_casting"]
    with pytest.raises(MessageRefused, match="60 seconds later"):
        cast(driver)
    with pytest.raises(MessageRefused):
        cast(driver)
    driver.send("w", p.ShowHand(1))
    assert driver.errors[-1].code == "watching"
