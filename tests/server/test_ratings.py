"""Ratings of accounts: each game once, in a reproducible order; only games between accounts; matchmaking by rating."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import Mock, patch

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, func, inspect, select

from blackpoker import Game, cli
from blackpoker.cli.admin import opened
from blackpoker.client import Client, Refused
from blackpoker.players.rating import Rating, updated_ratings
from blackpoker.protocol import messages as p
from blackpoker.server import matchmaking
from blackpoker.server.cluster.bus import QueueEntry
from blackpoker.server.http.api.ratings import counted_actions, current_streak, longest_streak
from blackpoker.server.matchmaking import (
    ANY_RATING_AFTER,
    RANGE_PER_SECOND,
    RATED_PREFIX,
    RATING_RANGE,
    can_pair,
    pair_entries,
)
from blackpoker.server.rooms.seats import FinishedGame, RoomClient, Seats, player_id
from blackpoker.server.storage import accounts, ratings
from blackpoker.server.storage.database import MIGRATIONS, make_engine, migrate
from blackpoker.server.storage.interface import StoreUnavailable
from blackpoker.server.storage.ratings import (
    DAY,
    MIN_RANKED_GAMES,
    MIN_SEASON_SIGMA,
    PlayerStanding,
    is_rated,
    points,
    recompute,
    uses_of,
)
from blackpoker.server.storage.schema import META, PLAYED, RECORDS
from blackpoker.server.storage.schema import RATED as RATED_GAMES
from blackpoker.server.storage.schema import RATINGS as STANDINGS
from blackpoker.server.tournaments.commands import enter
from blackpoker.server.tournaments.events import TournamentAnnounced, TournamentRules, Withdrew
from blackpoker.server.tournaments.service import is_rated_table
from blackpoker.server.tournaments.state import Entrant, Tournament, replay
from tests.long.matchmaking import evenings
from tests.long.quick_match import Caller, stranded
from tests.server.live import Live, wait_until_playing
from tests.server.virtual_time import make_room_manager, run_virtually

FIRST, SECOND, THIRD, GONE = (player_id(name) for name in ("one", "two", "three", "four"))
FORMATS = ("lite+entry", "master+full", "extra+regular+preset2")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    found = make_engine(str(tmp_path / "ratings.db"))
    with found.begin() as connection:
        migrate(connection)
        for number, name in enumerate(("one", "two", "three", "four")):
            row = accounts.AccountRow(
                name, player_id(name), name.title(), "SA", 1.0, 0.0, 0.0, 0.0, "", 0.0, 0.0, float(number)
            )
            device = accounts.DeviceRow(f"token {name}", name, name, "desk", "", 1.0, 1.0, 0.0, 1.0)
            accounts.create_account(connection, row, [name], device)
    yield found
    found.dispose()


def finished(number: int, pair: tuple[str, str], winner: str, **changes: Any) -> FinishedGame:
    meta = {
        "regulation": "lite+entry",
        "names": ["One", "Two"],
        "levels": ["", ""],
        "bots": ["", ""],
        "queue": True,
        "players": list(pair),
        "rated": True,
        "winner": winner,
        "reason": "life",
        "turns": 9,
        "practice": False,
        "at": float(number) * DAY,  # a pair's games count three times a day
        "part": 1,
        **changes,
    }
    return FinishedGame(
        number, 1, f"record{number}", f"regulation: lite\nturn 1 p1\np1: counter C2\np2: t{number}\n", meta
    )


def store_games(engine: Engine, *games: FinishedGame) -> None:
    """Store the games in one commit, as the store does."""
    with engine.begin() as connection:
        for done in games:
            row = {
                "id": done.record_id,
                "room": "r",
                "game": 1,
                "part": 1,
                "text": done.record,
                "created": 1.0,
                "meta": json.dumps(done.meta),
            }
            if connection.execute(select(RECORDS.c.id).where(RECORDS.c.id == done.record_id)).first() is None:
                connection.execute(RECORDS.insert().values(row))
        accounts.insert_played(connection, games)
        ratings.rate_people(connection, games)


def all_figures(engine: Engine) -> tuple[list[Any], list[Any]]:
    """Return all figures with full precision."""
    with engine.connect() as connection:
        games = connection.execute(select(RATED_GAMES).order_by(RATED_GAMES.c.number)).all()
        people = connection.execute(
            select(STANDINGS).order_by(STANDINGS.c.player, STANDINGS.c.format, STANDINGS.c.season)
        ).all()
    return [tuple(row) for row in games], [tuple(row) for row in people]


def standing(engine: Engine, player: str, format: str = "lite", season: int = 0) -> PlayerStanding:
    with engine.connect() as connection:
        return ratings.standing_in(connection, player, format, season)


# -- the figures -------------------------------------------------------------------------------------------------------


def test_games_are_rated_in_their_order_and_once(engine: Engine) -> None:
    one, two = Rating(), Rating()
    for number, (winner, place) in enumerate((("p1", 0), ("p1", 0), ("draw", None), ("p2", 1)), 1):
        game = finished(number, (FIRST, SECOND), winner)
        store_games(engine, game)
        store_games(engine, game)  # a commit that is retried
        one, two = updated_ratings(one, two, place)
    first, second = standing(engine, FIRST), standing(engine, SECOND)
    assert (first.rating, second.rating) == (one, two)
    assert (first.games, first.won, first.drawn, first.streak, first.longest) == (4, 2, 1, 0, 2)
    assert (second.games, second.won, second.drawn, second.streak, second.longest) == (4, 1, 1, 1, 1)
    assert first.played == 4.0 * DAY
    assert not first.ranked
    assert standing(engine, FIRST, "master").rating == Rating(), "each format has its own"
    assert points(Rating()) == 1000


def test_all_of_it_again_gives_the_same_to_the_last_digit(engine: Engine) -> None:
    """400 games of four players in three formats and three seasons; one player leaves in the middle."""
    chosen = random.Random(32)
    people = [FIRST, SECOND, THIRD, GONE]
    for number in range(1, 401):
        if number in (120, 260):
            with engine.begin() as connection:
                ratings.begin_season(connection, f"第{number}期", f"Season {number}", float(number), 0.0)
        if number == 300:
            with engine.begin() as connection:
                accounts.delete_account(connection, "four", 300.0)
            people.remove(GONE)
        one, two = chosen.sample(people, 2)
        winner = chosen.choice(("p1", "p1", "p2", "draw"))
        late = 30.0 * (chosen.random() < 0.1)  # a process with a slow clock: a game of the previous season
        game = finished(number, (one, two), winner, regulation=chosen.choice(FORMATS), at=(number - late) * DAY)
        store_games(engine, game)
    before = all_figures(engine)
    assert len(before[0]) == 400
    assert {row[3] for row in before[0]} == {0, 1, 2}
    with engine.begin() as connection:
        again = recompute(connection)
    assert again == (400, len(before[1]), 0, [], 0)
    assert all_figures(engine) == before
    with engine.begin() as connection:  # corrupted figures are found and corrected
        connection.execute(STANDINGS.update().where(STANDINGS.c.player == FIRST).values(mu=99.0))
        connection.execute(RATED_GAMES.update().where(RATED_GAMES.c.number == 7).values(mu1=0.5))
        connection.execute(STANDINGS.insert().values({**before_row(before[1][0]), "player": "nobody"}))
    with engine.begin() as connection:
        assert recompute(connection).changed > 2
    assert all_figures(engine) == before


def before_row(row: Any) -> dict[str, Any]:
    return dict(zip((column.name for column in STANDINGS.columns), row, strict=True))


def test_the_record_has_the_winner(engine: Engine) -> None:
    store_games(engine, finished(1, (FIRST, SECOND), "p1"), finished(2, (FIRST, THIRD), "p1"))
    with engine.begin() as connection:
        connection.execute(RATED_GAMES.update().where(RATED_GAMES.c.number == 1).values(winner="p2"))
    with engine.begin() as connection:
        assert recompute(connection).differing_records == ["record1"]
    assert standing(engine, FIRST).won == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"practice": True},
        {"rated": False},
        {"players": [FIRST, ""]},
        {"players": [FIRST, FIRST]},
        {"winner": "draw", "reason": "abandoned"},
        {"reason": "resigned", "turns": 5},
        {"reason": "time", "turns": 0},
        {"reason": "abandoned", "turns": 5},
    ],
)
def test_games_that_are_not_rated(changes: dict[str, Any]) -> None:
    """Rewound or started in the middle; unrated; a guest, a program or a computer; left by both; not really played.

    Regression: first place was bought in 48 seconds with games resigned before any move."""
    assert is_rated(finished(1, (FIRST, SECOND), "p1"))
    assert is_rated(finished(1, (FIRST, SECOND), "p1", reason="resigned", turns=6))
    assert is_rated(finished(1, (FIRST, SECOND), "p1", turns=2)), "a short game played to its end"
    assert not is_rated(finished(1, (FIRST, SECOND), changes.pop("winner", "p1"), **changes))


def test_a_new_season_begins_where_the_last_one_ended_and_is_less_sure(engine: Engine) -> None:
    for number in range(1, 41):
        store_games(engine, finished(number, (FIRST, SECOND), "p1" if number % 3 else "p2"))
    last = standing(engine, FIRST)
    assert last.rating.sigma < MIN_SEASON_SIGMA
    with engine.begin() as connection:
        ratings.begin_season(connection, "秋", "Autumn", 100.0, 0.0)
    fresh = standing(engine, FIRST, season=1)
    assert fresh == PlayerStanding(FIRST, "lite", 1, Rating(last.rating.mu, MIN_SEASON_SIGMA))
    store_games(engine, finished(101, (FIRST, SECOND), "p2"))
    assert standing(engine, FIRST, season=1).games == 1
    assert standing(engine, FIRST) == last, "what was stays"
    with engine.begin() as connection, pytest.raises(ValueError, match="after the one before"):
        ratings.begin_season(connection, "冬", "Winter", 100.0, 0.0)


def test_a_deleted_account_leaves_the_ladder_and_changes_no_other_rating(engine: Engine) -> None:
    for number in range(1, 13):
        store_games(engine, finished(number, (FIRST, SECOND), "p1"))
    before = standing(engine, SECOND)
    with engine.begin() as connection:
        accounts.delete_account(connection, "one", 20.0)
    games, people = all_figures(engine)
    assert FIRST not in str(games) + str(people)
    assert standing(engine, SECOND) == before
    with engine.connect() as connection:
        found = ratings.leaderboard(connection, "lite", 0, 30.0, 10, 5)
        assert [line.name for line in found] == ["Two"], "who is gone stands in no ladder"
    store_games(engine, finished(13, (FIRST, SECOND), "p1"))
    assert len(all_figures(engine)[0]) == 12, "nor is he rated any more"


def test_the_ladder_has_players_with_enough_games(engine: Engine) -> None:
    for number in range(1, MIN_RANKED_GAMES):
        store_games(engine, finished(number, (FIRST, SECOND), "p1"))
    with engine.connect() as connection:
        assert ratings.leaderboard(connection, "lite", 0, 30.0, 10, 5) == []
        assert ratings.rank_of(connection, ratings.standing_in(connection, FIRST, "lite", 0), 30.0) == 0
    store_games(engine, finished(MIN_RANKED_GAMES, (FIRST, THIRD), "p2"))
    store_games(engine, finished(MIN_RANKED_GAMES + 1, (SECOND, THIRD), "p1"))
    with engine.connect() as connection:
        lines = ratings.leaderboard(connection, "lite", 0, 30.0, 10, 3)
        assert [(line.name, line.rank) for line in lines] == [("One", 1), ("Two", 2)]
        assert len(lines[0].curve) == 3
        assert lines[0].curve[-1] == points(lines[0].standing.rating)
        for line in lines:
            assert ratings.rank_of(connection, line.standing, 30.0) == line.rank
    with engine.begin() as connection:
        accounts.update_account(connection, "one", 40.0, banned=100.0)
    with engine.connect() as connection:
        assert [line.name for line in ratings.leaderboard(connection, "lite", 0, 50.0, 10, 0)] == ["Two"]


# -- actions that won games
# ----------------------------------------------------------------------------------------------


def test_used_actions_are_read_from_the_record() -> None:
    game = Game("extra+full", seed=3)
    chosen = random.Random(1)
    while game.outcome() is None:
        game.push(chosen.choice(list(game.options)))
    text = game.record()
    first, second = uses_of(text)
    assert (first.trumps, second.trumps) == (["S8", "DJ"], ["JK2", "CQ"]), "R-100"
    for use, name in ((first, "p1"), (second, "p2")):
        assert use.actions == sorted(set(use.actions))
        assert use.actions, "somebody did something"
        for action in use.actions:
            assert f"\n{name}: {action}" in text
        assert counted_actions().intersection(use.actions)
    assert uses_of("no record at all") == (([], []), ([], []))


def test_games_of_before_are_looked_into(engine: Engine) -> None:
    store_games(engine, finished(1, (FIRST, SECOND), "p1"))
    with engine.begin() as connection:
        connection.execute(PLAYED.update().values(regulation="", result="", used=""))
        connection.execute(PLAYED.insert().values(record="lost", seat=0, player=FIRST, at=1.0))
    with engine.begin() as connection:
        assert recompute(connection).filled_in == 3
        assert recompute_again(connection) == 0
        (game,) = ratings.rated_games(connection, FIRST, 10)
    assert (game.regulation, game.result, game.use.actions) == ("lite+entry", "won", ["counter"])


def recompute_again(connection: Any) -> int:
    return ratings.fill_in_uses(connection)


# -- matchmaking
# ---------------------------------------------------------------------------------------------------------


def waiting_entry(guest: str, rating: float, since: float, network: str = "") -> QueueEntry:
    return QueueEntry(f"{RATED_PREFIX}lite+entry", f"room {guest}", guest, network or guest, since, "here", rating)


def test_the_nearest_meet_and_the_range_widens() -> None:
    strong, weak, middle = waiting_entry("a", 2000, 0.0), waiting_entry("b", 1500, 1.0), waiting_entry("c", 1960, 2.0)
    assert [(one.guest, two.guest) for one, two in pair_entries([strong, weak, middle], 3.0)] == [("a", "c")]
    assert pair_entries([strong, weak], 3.0) == []
    enough = (500 - RATING_RANGE) / RANGE_PER_SECOND
    assert not can_pair(strong, weak, 1.0 + enough - 0.1), "both must have waited long enough"
    assert can_pair(strong, weak, 1.0 + enough)
    far = waiting_entry("d", 0.0, 0.0), waiting_entry("e", 9000.0, 0.0)
    assert not can_pair(*far, ANY_RATING_AFTER - 0.1)
    assert can_pair(*far, ANY_RATING_AFTER), "after a while anybody will do"
    assert not can_pair(waiting_entry("a", 1, 0.0, "10.0.0.1"), waiting_entry("b", 1, 0.0, "10.0.0.1"), 9.0), (
        "perhaps one person"
    )


@pytest.mark.parametrize("first", range(1000, 1080, 20))
def test_two_waiting_players_of_one_strength_are_paired(first: int) -> None:
    """The schedules of ``tests.long.quick_match``, all rated: within five seconds of being in range."""
    assert [found for number in range(first, first + 20) for found in stranded(number, rated=True)] == []


def test_a_rating_that_cannot_be_read_is_waited_for() -> None:
    async def story() -> None:
        room_manager = make_room_manager()
        room_manager.spawn(room_manager.matchmaker.run_loop())
        away = [True]

        async def rating(player: str, format: str, now: float) -> float:
            assert (player, format) in {(player_id("one"), "lite"), (player_id("two"), "lite")}
            if away[0]:
                raise StoreUnavailable("gone")
            return 1500.0

        room_manager.store.rating = rating  # type: ignore[method-assign]
        people = [Caller(room_manager, name, "honest", random.Random(1), rated=True) for name in ("one", "two")]
        for number, one in enumerate(people):
            one.regulation, one.opponent, one.identity = (
                "lite+entry",
                "human",
                one.identity._replace(network=f"10.0.0.{number}"),
            )
            await one.call()
        await asyncio.sleep(9)
        assert not any(one.playing for one in people)
        away[0] = False
        await asyncio.sleep(5)
        assert all(one.playing for one in people)
        for task in list(room_manager.tasks):
            task.cancel()

    run_virtually(story)


def test_guests_are_not_rated() -> None:
    async def story() -> None:
        room_manager = make_room_manager()
        room_manager.spawn(room_manager.matchmaker.run_loop())
        one = Caller(room_manager, "one", "honest", random.Random(1), rated=True)
        one.identity = one.identity._replace(device="")
        await one.call()
        await asyncio.sleep(2)
        assert one.ready_for
        assert not room_manager.matchmaker.entries
        for task in list(room_manager.tasks):
            task.cancel()

    run_virtually(story)


def test_a_pair_is_rated_three_times_a_day(engine: Engine) -> None:
    for number in range(10):
        store_games(engine, finished(number + 1, (FIRST, SECOND), "p1", at=1000.0 + number))
    assert standing(engine, FIRST).games == 3
    store_games(engine, finished(20, (SECOND, FIRST), "p1", at=2000.0))
    assert standing(engine, FIRST).games == 3, "whichever seats they take"
    store_games(engine, finished(21, (SECOND, FIRST), "p1", at=2000.0 + DAY))
    assert standing(engine, FIRST).games == 4


def test_an_operator_voids_a_game(engine: Engine) -> None:
    games = [finished(number, (FIRST, SECOND), "p1") for number in (1, 2, 3)]
    store_games(engine, *games)
    with engine.begin() as connection:
        assert ratings.delete_rated_game(connection, "record2")
    with engine.begin() as connection:
        assert not ratings.delete_rated_game(connection, "record2")
    assert (standing(engine, FIRST).games, standing(engine, FIRST).won) == (2, 2)
    one, two = updated_ratings(*updated_ratings(Rating(), Rating(), 0), 0)
    assert standing(engine, FIRST).rating == one
    assert standing(engine, SECOND).rating == two
    store_games(engine, games[2])
    assert standing(engine, FIRST).games == 2, "a repeated commit changes nothing"


def rated_tournament(*, breaks: int = 0, origins: tuple[str, ...] = ("a", "b", "c", "d")) -> Tournament:
    rules = TournamentRules("T", accounts=True, rated=True)
    tournament = replay("t", [TournamentAnnounced(1.0, "host", "Host", rules)])
    for number, origin in enumerate(origins):
        newcomer = Entrant("", f"g{number}", f"Name {number}", f"player{number}", origin=origin)
        for event in enter(tournament, newcomer, True, 2.0):
            tournament.apply(event)
    for entrant in list(tournament.entrants.values())[len(origins) - breaks :]:
        tournament.apply(Withdrew(3.0, entrant.id))
    return tournament


def test_tournament_games_are_rated_between_active_entrants() -> None:
    """Regression: two accounts on a break made a field of four out of two helpers."""

    def rated(tournament: Tournament) -> bool:
        first, second, *_ = tournament.entrants.values()
        return is_rated_table(tournament, first, second)

    assert rated(rated_tournament())
    assert not rated(rated_tournament(breaks=2))
    assert not rated(rated_tournament(origins=("a", "a", "c", "d"))), "one network"
    assert rated(rated_tournament(origins=("", "", "", ""))), "on the server's own machine"


def test_a_client_cannot_opt_out_of_a_rated_game() -> None:
    """Regression: a client that joined with `detail: "bot"` was a program, and its game was not rated."""
    for detail in ("full", "lean", "bot"):
        seats = Seats(p.RoomSettings(rated=True))
        client = RoomClient("k", "guest", "Name", device="token", detail=detail, seat=0)
        seats.add_client(client, 0.0)
        assert seats[0].player_id


# -- over the network --------------------------------------------------------------------------------------------------


async def meet(one: Client, two: Client) -> str:
    """Let two accounts play a rated game that the second resigns; return its record."""
    rooms = [(await client.request("POST", "/api/quick", {"rated": True}))["room"] for client in (one, two)]
    async with one.join(rooms[0], detail="full") as first, two.join(rooms[1], detail="full") as second:
        await first.ready()
        await second.ready()
        await asyncio.gather(wait_until_playing(first), wait_until_playing(second))
        assert first.info is not None
        assert first.info.settings.rated
        await second.resign()
        while first.result is None:
            await first.receive()
        return first.result.record_id


def run_admin(*given: str) -> object:
    with pytest.raises(SystemExit) as left:
        cli.main(["admin", *given])
    return left.value.code


def test_two_people_are_rated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings, "MIN_RATED_TURNS", 0)  # the second resigns at once
    path = tmp_path / "games.db"
    with Live(path) as live:

        async def story() -> tuple[dict[str, Any], dict[str, Any]]:
            async with Client(live.url, "A") as one, Client(live.url, "B") as two:
                with pytest.raises(Refused) as refused:
                    await one.request("POST", "/api/quick", {"rated": True})
                assert refused.value.code == "no_account"
                for client, name in ((one, "First Fox"), (two, "Second Fox")):
                    await client.request("POST", "/api/account", {"name": name, "crest": "SA"})
                with pytest.raises(Refused):
                    await one.request("POST", "/api/quick", {"rated": True, "opponent": "bot"})
                record = await meet(one, two)
                mine = (await one.request("GET", "/api/account"))["player"]
                ladder = await two.request("GET", "/api/ratings?format=lite&regulation=lite%2Bentry")
                page = await two.request("GET", f"/api/players/{mine}")
                assert page["games"][0]["record"] == record
                with pytest.raises(Refused):
                    await one.request("GET", "/api/players/0000000000000000")
                with pytest.raises(Refused):
                    await one.request("GET", "/api/ratings?format=nothing")
                return ladder, page

        ladder, page = asyncio.run(story())
    one, two = updated_ratings(Rating(), Rating(), 0)
    assert ladder["lines"] == [], "nobody is placed after one game"
    assert ladder["mine"]["points"] == points(two)
    assert ladder["mine"]["change"] == points(two) - 1000, "also of the first game"
    assert ladder["mine"]["place"] == 0
    assert isinstance(ladder["wait"], int)
    (format,) = page["formats"]
    assert (format["format"], format["points"], format["won"], format["lost"]) == ("lite", points(one), 1, 0)
    assert format["frames"] == [{"frame": "entry", "games": 1, "won": 1, "drawn": 0}]
    assert (format["streak"], format["placed"], len(format["curve"])) == (1, False, 1)
    (game,) = page["games"]
    assert (game["result"], game["opponent"], game["change"]) == ("won", "Second Fox", points(one) - 1000)
    assert run_admin("ratings", "--again", "--database", str(path), "--lang", "en") == 0
    assert "2 ratings computed again from 1 rated games; figures that were other before: 0" in capsys.readouterr().out
    assert run_admin("season", "--name", "秋", "--name-en", "Autumn", "--days", "90", "-d", str(path)) == 0
    capsys.readouterr()
    assert run_admin("season", "-d", str(path), "--lang", "en") == 0
    assert "秋 / Autumn" in capsys.readouterr().out
    assert run_admin("season", "--name", "x" * 41, "-d", str(path)) == 2
    assert run_admin("season", "--days", "-1", "-d", str(path)) == 2
    with opened(str(path)) as engine, engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(RATED_GAMES)).scalar_one() == 1


# -- older databases
# -----------------------------------------------------------------------------------------------------


def test_a_database_of_the_release_before_gets_the_tables(tmp_path: Path) -> None:
    """Accounts and their games are kept; the tables match the code."""
    engine = make_engine(str(tmp_path / "before.db"))
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.set_main_option("path_separator", "os")
        config.attributes["connection"] = connection
        command.upgrade(config, "0004")
        connection.exec_driver_sql("INSERT INTO played (record, seat, player, at) VALUES ('r', 1, 'p', 2.5)")
    with engine.begin() as connection:
        migrate(connection)
        stored = connection.exec_driver_sql("SELECT record, seat, player, at, regulation, result, used FROM played")
        assert tuple(stored.one()) == ("r", 1, "p", 2.5, "", "", "")
    known = inspect(engine)
    for table in META.tables.values():
        found = [
            (one["name"], str(one["type"]).replace("DOUBLE PRECISION", "FLOAT"), one["nullable"])
            for one in known.get_columns(table.name)
        ]
        wanted = [(one.name, one.type.compile(engine.dialect), one.nullable) for one in table.columns]
        assert sorted(found) == sorted(wanted), table.name
        assert {one["name"] for one in known.get_indexes(table.name) if not one["unique"]} == {
            str(one.name) for one in table.indexes
        }, table.name
    engine.dispose()


def test_five_hundred_would_meet_their_like() -> None:
    """``tests.long.matchmaking`` measures the waiting time of 500 players; here 120 of them for ten minutes."""
    found = run_virtually(partial(evenings, 120, 2.0, 10.0, 1))
    assert len(found) > 60
    assert median(one.wait for one in found) < ANY_RATING_AFTER
    with patch.object(matchmaking, "RATING_RANGE", math.inf):
        blind = run_virtually(partial(evenings, 120, 2.0, 10.0, 1))
    assert median(one.apart for one in found) < median(one.apart for one in blind), "the range is worth its wait"


def test_a_row_of_wins_does_not_end_with_a_season() -> None:
    """Regression: the current streak was reported as longer than the longest one."""
    games = [Mock(result=result) for result in ("won", "won", "won", "lost", "won", "draw", "won", "won")]
    assert (current_streak(games), longest_streak(games), longest_streak([]), longest_streak(games[4:])) == (3, 3, 0, 2)
