"""Tournaments that cannot be blocked or stuck: places, addresses, lost rooms, an operator's commands."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from blackpoker import cli
from blackpoker.client import Client
from blackpoker.server.rooms.seats import MessageRefused
from blackpoker.server.storage.database import make_engine
from blackpoker.server.storage.schema import ROOMS
from blackpoker.server.tournaments import service
from blackpoker.server.tournaments.commands import enter, remove_entrant, withdraw
from blackpoker.server.tournaments.events import TournamentAnnounced, TournamentRules
from blackpoker.server.tournaments.state import Entrant, Tournament, replay
from tests.server.live import Live, get, wait_until


def announced(**rules: Any) -> Tournament:
    return replay("t", [TournamentAnnounced(1.0, "host", "Host", TournamentRules("T", **rules))])


def come(tournament: Tournament, name: str, origin: str = "", player: str = "") -> None:
    for event in enter(tournament, Entrant("", f"guest {name}", name, player, origin=origin), bool(player), 2.0):
        tournament.apply(event)


def test_leaving_frees_a_place() -> None:
    """Regression: entrants on a break and removed ones kept their places, so a few guests filled a tournament."""
    tournament = announced(most=2)
    come(tournament, "One")
    come(tournament, "Two")
    one, two = tournament.entrants.values()
    with pytest.raises(MessageRefused, match="full"):
        come(tournament, "Three")
    for event in (*withdraw(tournament, one, 3.0), *remove_entrant(tournament, two.id, 3.0)):
        tournament.apply(event)
    come(tournament, "Three")
    come(tournament, "Four")
    with pytest.raises(MessageRefused, match="full"):
        come(tournament, "One")


def test_an_address_has_some_places_and_not_all() -> None:
    tournament = announced(per_address=3)
    for number in range(3):
        come(tournament, f"Spam {number}", "origin")
    with pytest.raises(MessageRefused, match="this address"):
        come(tournament, "Spam 4", "origin")
    come(tournament, "Real", "elsewhere")
    hall = announced(per_address=200)
    for number in range(100):
        come(hall, f"Name {number}", "origin")


def test_an_account_is_not_refused_for_a_guest_of_its_name() -> None:
    tournament = announced()
    come(tournament, "Aki")
    with pytest.raises(MessageRefused, match="name"):
        come(tournament, "AKI ")
    come(tournament, "Aki", player="player")


async def entered(live: Live, count: int, **rules: Any) -> tuple[list[Client], str]:
    people = [await Client(live.url, f"Name {number}x").__aenter__() for number in range(count)]
    body = {"name": "T", "clock": {"bank": 60}, "pause": 0, **rules}
    id = str((await people[0].request("POST", "/api/tournaments", body))["id"])
    for client in people:
        await client.request("POST", f"/api/tournaments/{id}/enter", {})
    return people, id


@pytest.mark.parametrize("phase", ["waiting", "playing"])
def test_a_table_without_a_room_counts_as_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phase: str) -> None:
    """Regression: after an outage of 25 hours the rooms had expired, and the tournament was stuck for ever."""
    monkeypatch.setattr(service, "LOST_SECONDS", 0.0)

    async def story(live: Live) -> dict[str, Any]:
        people, id = await entered(live, 4, wait=1)
        await people[0].request("POST", f"/api/tournaments/{id}/pair")
        engine = make_engine(live.database)
        with engine.begin() as connection:
            if phase == "waiting":
                connection.execute(delete(ROOMS))
            else:  # the row is there and cannot be loaded
                connection.exec_driver_sql(
                    "UPDATE rooms SET phase = 'playing', data = replace(data, 'lite+entry', 'gone')"
                )
        engine.dispose()
        assert live.state is not None
        live.state.room_manager.rooms.clear()
        page: dict[str, Any] = {}

        def over() -> bool:
            nonlocal page
            page = get(f"{live.url}/api/tournaments/{id}").json()
            return bool(page["live"]["phase"] == "over")

        await wait_until(over, "it goes on")
        return page

    with Live(tmp_path / "games.db") as live:
        page = asyncio.run(story(live))
    assert {table["why"] for table in page["results"]} == {"missed"}


def test_an_operator_renames_closes_and_deletes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"

    def admin(*given: str) -> str:
        with pytest.raises(SystemExit) as left:
            cli.main(["admin", *given, "-d", str(path), "--lang", "en"])
        assert left.value.code == 0
        return capsys.readouterr().out

    async def story(live: Live) -> None:
        _, id = await entered(live, 2, name="A Rude Name")
        assert "A Rude Name" in admin("tournaments")
        admin("tournaments", "--id", id, "--name", "A Fine Name")
        url = f"{live.url}/api/tournaments/{id}"
        await wait_until(lambda: get(url).json()["rules"]["name"] == "A Fine Name", "it is renamed")
        assert "A Rude Name" not in get(f"{live.url}/api/tournaments").text
        admin("close", "--id", id)
        await wait_until(lambda: get(url).json()["live"]["phase"] == "over", "it is closed")
        admin("tournaments", "--id", id, "--yes")
        await wait_until(lambda: get(url).status_code == 404, "it is deleted")
        assert "no tournaments" in admin("tournaments")

    with Live(path) as live:
        asyncio.run(story(live))


def test_a_record_is_deleted_by_an_operator(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    with Live(path) as live:
        assert live.state is not None
    engine = make_engine(str(path))
    with engine.begin() as connection:
        values = ("r1", "", 0, 1, "BlackPoker record 3\n", "{}", time.time())
        connection.exec_driver_sql("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", values)
    engine.dispose()

    def admin(*given: str) -> str:
        with pytest.raises(SystemExit):
            cli.main(["admin", "records", *given, "-d", str(path), "--lang", "en"])
        return capsys.readouterr().out

    assert "r1" in admin()
    assert "--yes" in admin("--id", "r1")
    assert "is deleted" in admin("--id", "r1", "--yes")
    assert "no record" in admin("--id", "r1", "--yes")
    assert "no records" in admin()
