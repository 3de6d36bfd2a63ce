"""Spectator delay: whatever a player does or holds, a spectator receives the same until the delay has passed, on every
channel. Casters see both hands where both players have named them, or the host, at least a minute later."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from blackpoker.protocol import messages as p
from blackpoker.server.http.lobby_cache import Lobby
from blackpoker.server.rooms.casters import MAX_REQUESTS
from blackpoker.server.rooms.room import Room
from blackpoker.server.rooms.seats import MessageRefused, RoomClient, handle_of
from blackpoker.server.rooms.spectator_delay import CASTER_LAG
from blackpoker.server.rooms.summary import RoomSummary, summary_of_row
from blackpoker.server.rooms.tournament_seat import ReservedTable
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
    ask_to_cast(driver)
    for client in ("a", "b"):
        driver.send(client, p.NameCaster(1, handle_of("room", "guest-c")))


def ask_to_cast(driver: Driver, key: str = "c", network: str = "") -> RoomClient:
    client = RoomClient(key, f"guest-{key}", key.upper(), network)
    driver.room.join(client, p.Join(1, "room", "caster", "en"), driver.now)
    driver.collect()
    return client


def until(found: list[tuple[float, bytes]], end: float) -> list[tuple[float, bytes]]:
    return [one for one in found if one[0] < end]


@pytest.mark.parametrize("does", [plays, talks, gives_up, leaves, shows])
@pytest.mark.parametrize("lean", [False, True])
def test_times_of_actions_are_published_later(does: Callable[[Driver], None], lean: bool) -> None:
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


def test_holding_is_published_later() -> None:
    """Another secret means other cards; until the delay has passed both worlds send the same."""
    one, two = DelayedWorld(plays, secret=1), DelayedWorld(plays, secret=2)
    for world in (one, two):
        world.pass_time(DELAY + 10)
    assert until(one.received, DELAY) == until(two.received, DELAY)
    assert until(one.public_states, DELAY) == until(two.public_states, DELAY)
    assert one.received != two.received


def test_players_see_the_current_room_and_others_the_delayed_one() -> None:
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


def hands(message: p.AnyServerMessage) -> tuple[bool, bool]:
    assert isinstance(message, p.Update)
    assert message.view is not None
    return message.view.p1.hand.cards is not None, message.view.p2.hand.cards is not None


def updates(driver: Driver, key: str) -> list[p.Update]:
    return [one for one in driver.inbox.get(key, []) if isinstance(one, p.Update)]


def wait(driver: Driver, seconds: float) -> None:
    driver.now += seconds
    driver.room.tick(driver.now)
    driver.collect()


def name(driver: Driver, client: str, key: str = "c", on: bool = True) -> None:
    driver.send(client, p.NameCaster(1, handle_of("room", f"guest-{key}"), on))


def is_casting(driver: Driver, key: str = "c") -> bool:
    return driver.room.seats.clients[key].caster


def shown(driver: Driver, client: str) -> list[p.Caster]:
    """Return the casters as a client was sent them last."""
    return next(one.casters for one in reversed(driver.inbox[client]) if isinstance(one, p.Casters))


def test_a_caster_named_by_both_players_sees_both_hands() -> None:
    driver = Driver("master+full", 1, spectator_delay=DELAY)
    driver.start()
    caster = ask_to_cast(driver)
    other = ask_to_cast(driver, "d")
    wait(driver, 1)
    handle = handle_of("room", "guest-c")
    assert [(one.handle, one.name, one.present, one.named_by) for one in shown(driver, "a")] == [
        (handle, "C", True, []),
        (handle_of("room", "guest-d"), "D", True, []),
    ]
    assert not any(isinstance(one, p.Casters) for one in driver.inbox["w"])
    name(driver, "a")
    assert shown(driver, "b")[0].named_by == ["p1"]
    assert not caster.caster
    name(driver, "b", "d")
    assert not caster.caster, "each player has named another person"
    assert not other.caster
    name(driver, "b")
    assert is_casting(driver)
    assert not other.caster
    welcome = next(one for one in reversed(driver.inbox["c"]) if isinstance(one, p.Welcome))
    assert (welcome.handle, welcome.caster) == (handle, True)
    for _ in range(5):
        driver.step()
    driver.inbox["c"] = []
    wait(driver, DELAY - 2)
    assert not updates(driver, "c")
    wait(driver, 2)
    seen = updates(driver, "c")
    assert seen
    assert all(hands(one) == (True, True) for one in seen)
    assert all(one.prompt is None for one in seen)
    for key in ("w", "d"):
        assert updates(driver, key)
        assert all(hands(one) == (False, False) for one in updates(driver, key)), "spectators who are not named"
    driver.step()
    name(driver, "a", on=False)
    assert not is_casting(driver)
    driver.inbox["c"] = []
    wait(driver, DELAY)
    assert all(hands(one) == (False, False) for one in updates(driver, "c")), "withdrawn"


def casting() -> Driver:
    """Return a game with a caster whom both players have named."""
    driver = Driver("master+full", 1, spectator_delay=DELAY)
    driver.start()
    ask_to_cast(driver)
    for client in ("a", "b"):
        name(driver, client)
    return driver


def test_a_returning_caster_is_still_named() -> None:
    driver = casting()
    driver.room.leave("c", driver.now)
    driver.collect()
    wait(driver, 1)
    assert [(one.name, one.present) for one in shown(driver, "a")] == [("", False)]
    assert ask_to_cast(driver).caster
    assert not ask_to_cast(driver, "e").caster


def test_a_casters_view_lags_by_decisions_as_well() -> None:
    """Regression: a player who thinks longer than the delay could see the opponent's hand before deciding."""
    driver = casting()
    driver.inbox["c"] = []
    wait(driver, 100 * DELAY)  # a long thought
    assert not updates(driver, "c")
    assert driver.room.due() is None or driver.room.due() > driver.now  # type: ignore[operator]
    for number in range(CASTER_LAG):
        assert not updates(driver, "c"), number
        driver.step()
    wait(driver, 0)
    seen = updates(driver, "c")
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


def test_a_caster_that_takes_a_seat_elsewhere_loses_the_view() -> None:
    driver = Driver("master+full", 1, spectator_delay=DELAY)
    driver.start()
    spy = ask_to_cast(driver, "c", "10.0.0.9")
    for client in ("a", "b"):
        name(driver, client)
    assert spy.caster
    driver.room.join(RoomClient("a2", "guest-a", "A", "10.0.0.9"), p.Join(1, "room", "any", "en"), driver.now)
    assert not spy.caster


def test_naming_a_caster_outlives_a_restart_and_not_its_player() -> None:
    driver = Driver("lite+entry", 1, spectator_delay=DELAY)
    ask_to_cast(driver)
    name(driver, "a")
    again = Room.load(driver.room.dump(), driver.room.settings, [], 0.0)
    assert [seat.casters for seat in again.seats] == [[handle_of("room", "guest-c")], []]
    driver.room.leave("a", driver.now)
    driver.join("x")
    assert not any(seat.casters for seat in driver.room.seats)


def test_hands_are_never_shown_sooner() -> None:
    driver = Driver("lite+entry", 1, spectator_delay=59)
    with pytest.raises(MessageRefused, match="60 seconds later"):
        ask_to_cast(driver)
    name(driver, "a")
    assert [one.code for one in driver.errors] == ["no_casting"]


def test_spectators_name_no_caster_and_requests_are_few() -> None:
    driver = Driver("lite+entry", 1, spectator_delay=DELAY)
    for number in range(20):
        ask_to_cast(driver, f"c{number}", f"10.0.0.{number // 10}")
    wait(driver, 1)
    assert [one.name for one in shown(driver, "a")] == ["C0", "C1", "C10", "C11"], "two of an address"
    for number in range(20):
        ask_to_cast(driver, f"d{number}", f"10.0.1.{number}")
    wait(driver, 1)
    assert len(shown(driver, "a")) == MAX_REQUESTS
    name(driver, "w", "c0")
    assert driver.errors[-1].code == "watching"
    name(driver, "a", "nobody")
    assert driver.errors[-1].code == "no_such_person"


def hosted() -> tuple[Driver, RoomClient]:
    """Return a table of a tournament, with a person who asks to cast."""
    driver = Driver("lite+entry", 1, spectator_delay=DELAY)
    guests, entrants = ("guest-a", "guest-b"), ("e1", "e2")
    driver.room.reserved = ReservedTable("t", 1, 1, guests, entrants, ("A", "B"), ("", ""), 60.0, 60.0, host="guest-h")
    driver.start()
    return driver, ask_to_cast(driver)


def test_the_host_names_a_caster_alone() -> None:
    driver, caster = hosted()
    driver.room.join(RoomClient("h", "guest-h", "H", "10.0.0.7"), p.Join(1, "room", "watch", "en"), driver.now)
    driver.collect()
    assert shown(driver, "h")[0].name == "C"
    name(driver, "h")
    assert caster.caster
    assert shown(driver, "a")[0].host
    again = Room.load(driver.room.dump(), driver.room.settings, driver.entries, driver.now)
    assert again.casters.is_named(handle_of("room", "guest-c"))
    name(driver, "a", on=False)
    assert caster.caster, "a player withdraws only what the player has given"
    name(driver, "h", on=False)
    assert not is_casting(driver)


@pytest.mark.parametrize("network", ["10.0.0.7", ""], ids=["address of a player", "player"])
def test_a_playing_host_cannot_name_a_caster_alone(network: str) -> None:
    driver, caster = hosted()
    if network:
        driver.room.join(RoomClient("a2", "guest-a", "A", network), p.Join(1, "room", "any", "en"), driver.now)
        host = RoomClient("h", "guest-h", "H", network)
    else:
        assert driver.room.reserved is not None
        driver.room.reserved.host = "guest-a"
        host = RoomClient("h", "guest-a", "A")
    driver.room.join(host, p.Join(1, "room", "watch", "en"), driver.now)
    driver.collect()
    name(driver, "h")
    assert driver.errors[-1].code == "watching"
    assert not caster.caster
