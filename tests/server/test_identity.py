"""One identity on every surface: look-alike names, invisible characters, parallel renames, bans, deletion, export."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from blackpoker.cli.admin import opened
from blackpoker.cli.moderation import moderate
from blackpoker.client import COOKIE, Client
from blackpoker.protocol import messages as p
from blackpoker.server.accounts.name_rules import parse_name
from blackpoker.server.confusables import is_one_script, look_alike, reserved_forms
from blackpoker.server.identity import cleaned_name, display_name
from blackpoker.server.storage import accounts as rows
from blackpoker.server.storage.schema import META
from tests.server.live import PATIENCE, Live, play_seat, wait_until


@contextmanager
def visitor(live: Live, name: str = "") -> Iterator[httpx.Client]:
    """Yield a guest, or a player with an account of that name."""
    with httpx.Client(base_url=live.url, timeout=PATIENCE) as client:
        client.get("/api/me")
        if name:
            assert client.post("/api/account", json={"name": name}).status_code == 201
        yield client


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with Live(tmp_path / "games.db") as running:
        yield running


# -- names -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Tom", "Тom"),  # a Cyrillic Т
        ("Tom", "Τom"),  # a Greek Tau
        ("Tom", "ТОМ"),
        ("ТОМ", "том"),
        ("へいわ", "ヘいわ"),
        ("ベル", "べル"),
        ("ペン", "ぺン"),
        ("ピッコロ", "ピツコロ"),
        ("八木", "ハ木"),
        ("ローマ", "ロ一マ"),
    ],
)
def test_names_that_look_alike_share_a_form(one: str, two: str) -> None:
    """Regression: the case was folded first, and a small т resembles no t; three accounts were called Tom."""
    assert look_alike(one, two)
    assert set(reserved_forms(one)) & set(reserved_forms(two))


@pytest.mark.parametrize(("one", "two"), [("van", "nan"), ("さくら", "さくろ"), ("ВОВА", "ВАВО"), ("のぞみ", "のそみ")])
def test_other_names_do_not(one: str, two: str) -> None:
    assert not look_alike(one, two)
    assert not set(reserved_forms(one)) & set(reserved_forms(two))


def test_a_name_has_one_script() -> None:
    assert is_one_script("宮本 Aki カナひら々ー3")
    assert is_one_script("Владимир")
    assert not is_one_script("Aki Вася")
    assert not is_one_script("アレкс")
    assert display_name("Тom") == ""


def test_a_name_is_tidied_before_it_is_checked() -> None:
    for hidden in "\u3164\u115f\u200b\u2060\u00ad\ufeff\u034f\ufe0f":
        assert cleaned_name(f"A{hidden}ki{hidden}") in ("Aki", "A ki"), hex(ord(hidden))
        assert parse_name(f"Aki{hidden}")[0] == "Aki"


def test_three_accounts_are_not_called_alike(live: Live) -> None:
    with visitor(live, "Tom"), visitor(live) as two:
        for name in ("Тom", "Τom", "ТОМ", "T0m", "tom", "To\u3164m"):
            assert two.post("/api/account", json={"name": name}).status_code in (409, 422), name


def test_a_guest_has_no_accounts_name_on_any_surface(live: Live) -> None:
    """Regression: a guest `Aki` + U+3164 hosted and entered as "Aki", and the real Aki was refused."""
    with visitor(live) as false, visitor(live) as early:
        assert early.post("/api/me", json={"name": "Aki"}).status_code == 200  # before there is such an account
        with visitor(live, "Aki") as real:
            for name in ("Aki\u3164", "Aki", "Аki", "AKI"):
                answer = false.post("/api/me", json={"name": name})
                assert answer.status_code == 409 or answer.json()["name"].startswith("Guest"), name
            for impostor in (false, early):
                id = impostor.post("/api/tournaments", json={"name": "T"}).json()["id"]
                assert impostor.post(f"/api/tournaments/{id}/enter", json={}).status_code == 200
                page = real.get(f"/api/tournaments/{id}").json()
                assert page["host"].startswith("Guest")
                assert [entrant["name"] for entrant in page["entrants"]] == [page["host"]]
                assert real.post(f"/api/tournaments/{id}/enter", json={}).status_code == 200
                room = impostor.post("/api/rooms", json={}).json()["room"]["id"]
                cookie = impostor.cookies[COOKIE]

                async def names(room: str = room, cookie: str = cookie) -> list[str]:
                    async with Client(live.url, cookie=cookie) as client, client.join(room) as seat:
                        assert seat.info is not None
                        return [seat.info.p1.name, seat.info.p2.name]

                assert not any(look_alike(name, "Aki") for name in asyncio.run(names()))


def test_parallel_renames_give_one_name(live: Live) -> None:
    """Regression: five names were owned at once."""
    with visitor(live, "Original") as one:
        cookie = one.cookies[COOKIE]

        def rename(number: int) -> int:
            with httpx.Client(base_url=live.url, cookies={COOKIE: cookie}, timeout=PATIENCE) as client:
                return client.post("/api/account/change", json={"name": f"Another {number}x"}).status_code

        with ThreadPoolExecutor(8) as pool:
            codes = list(pool.map(rename, range(8)))
        assert codes.count(200) == 1
        assert codes.count(409) == 7
        assert len(one.get("/api/account").json()["names"]) == 1


# -- operators ---------------------------------------------------------------------------------------------------------------


def test_a_renamed_offender_stays_marked(live: Live) -> None:
    """Regression: the offender took the old name again."""
    with visitor(live, "Rude Name") as one, visitor(live) as guest:
        with opened(live.database) as engine:
            moderate(engine, "rename", "Rude Name", "Player Seven", 0, "en")
        assert live.state is not None
        directory = live.state.accounts.directory
        asyncio.run(wait_until(lambda: directory.is_name_taken("Rude Name"), "it is known"))
        asyncio.run(wait_until(lambda: one.get("/api/me").json()["name"] == "Player Seven", "it has another name"))
        for name in ("Rude Name", "RUDE NAME", "Rude-Name", "Something Else"):
            assert one.post("/api/account/change", json={"name": name}).status_code in (403, 409), name
        assert guest.post("/api/me", json={"name": "Rude Name"}).status_code == 409, "nor does a guest"
        with opened(live.database) as engine:
            moderate(engine, "lift", "Player Seven", "", 0, "en")
        assert one.post("/api/account/change", json={"name": "Rude Name"}).status_code == 409


def test_a_banned_account_does_nothing(live: Live) -> None:
    """Regression: it hosted tournaments."""
    with visitor(live, "Banned One") as one:
        id = one.post("/api/tournaments", json={"name": "Before"}).json()["id"]
        with opened(live.database) as engine:
            moderate(engine, "ban", "Banned One", "", 3, "en")
        assert live.state is not None
        directory = live.state.accounts.directory
        asyncio.run(wait_until(lambda: any(one.banned for one in directory.accounts.values()), "it is known"))
        for path, body in (
            ("/api/tournaments", {"name": "T"}),
            (f"/api/tournaments/{id}/pair", {}),
            ("/api/rooms", {}),
            ("/api/account/change", {"crest": "SA"}),
            ("/api/quick", {}),
        ):
            answer = one.post(path, json=body)
            assert (answer.status_code, answer.json()["code"]) == (403, "banned"), path
        assert one.get("/api/account").status_code == 200
        assert one.get("/api/account/export").status_code == 200
        assert one.post("/api/account/out").status_code == 200


def test_a_ban_is_noticed_whatever_the_clocks_show(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: a ban by a machine whose clock was minutes late was never noticed by the others."""
    with visitor(live, "Banned Two") as one:
        now = time.time() - 86_400
        monkeypatch.setattr("blackpoker.cli.moderation.time.time", lambda: now)
        with opened(live.database) as engine:
            moderate(engine, "ban", "Banned Two", "", 3, "en")
        monkeypatch.undo()
        asyncio.run(wait_until(lambda: one.post("/api/rooms", json={}).status_code == 403, "it is known"))


# -- deletion and export -------------------------------------------------------------------------------------------------------


def everything(database: str) -> str:
    """Return all stored text."""
    with opened(database) as engine, engine.connect() as connection:
        return "\n".join(str(row) for table in META.sorted_tables for row in connection.execute(select(table)))


def test_export_is_complete_and_deletion_leaves_no_name(tmp_path: Path) -> None:
    """Regression: the name stayed in records of games played as a guest, in rooms, tournaments and reports; the export
    lacked tournaments, reports and games played before signing up."""
    name = "Zanzibar Quux"

    async def game(live: Live, cookie: str) -> None:
        async with Client(live.url, cookie=cookie) as one, Client(live.url, "Other Guest") as two:
            room = await one.create_room(window_ms=0)
            await asyncio.gather(play_seat(one, room.id, 3, detail="full"), play_seat(two, room.id, 4))
            async with one.join(room.id) as first, two.join(room.id) as second:
                await first.send(p.Chat(1, "a word"))
                while True:
                    line = await second.receive()
                    if isinstance(line, p.ChatLine):
                        break
                await second.send(p.ReportPlayer(2, line.handle, "chat", "rude"))
                await second.send(p.Chat(3, "an answer"))
                while True:
                    line = await first.receive()
                    if isinstance(line, p.ChatLine) and line.name == "Other Guest":
                        break
                await first.send(p.ReportPlayer(4, line.handle, "chat", "very rude"))
                await asyncio.sleep(0.3)

    with Live(tmp_path / "games.db") as live, visitor(live) as one:
        assert one.post("/api/me", json={"name": name}).status_code == 200
        asyncio.run(game(live, one.cookies[COOKIE]))
        assert one.post("/api/account", json={"name": name}).status_code == 201
        asyncio.run(game(live, one.cookies[COOKIE]))
        id = one.post("/api/tournaments", json={"name": "T"}).json()["id"]
        one.post(f"/api/tournaments/{id}/enter", json={})
        export = one.get("/api/account/export").json()
        assert len(export["records"]) == 2, "one of them was played as a guest"
        assert {item["act"] for item in export["tournaments"]} == {"announced", "entered"}
        assert [item["words"] for item in export["reports"]] == ["very rude"] * 2
        assert name in json.dumps(export, ensure_ascii=False)
        assert one.post("/api/account/delete", json={"name": name}).status_code == 200
        assert name not in everything(live.database)
        page: Any = one.get(f"/api/tournaments/{id}").json()
        assert page["host"] == page["entrants"][0]["name"] == ""
    assert name not in everything(str(tmp_path / "games.db"))


def test_an_export_has_no_hidden_deck_of_a_running_tournament(tmp_path: Path) -> None:
    """Regression: the own export contained the record of a game whose decks are hidden until the tournament is over."""
    with Live(tmp_path / "games.db") as live, visitor(live, "Deck Owner") as one:
        player = one.get("/api/me").json()["player"]
        id = one.post("/api/tournaments", json={"name": "T"}).json()["id"]
        meta = {"names": ["Deck Owner", "B"], "players": [player, ""], "tournament": {"id": id, "hidden": True}}
        with opened(live.database) as engine, engine.begin() as connection:
            record = ("r1", "room", 1, 1, "BlackPoker record 3\n", json.dumps(meta), 1.0)
            connection.exec_driver_sql("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", record)
            connection.exec_driver_sql(
                "INSERT INTO played VALUES (?, ?, ?, ?, ?, ?, ?)", ("r1", 0, player, 1.0, "lite", "won", "")
            )
        assert [record["text"] for record in one.get("/api/account/export").json()["records"]] == [""]
        assert one.post(f"/api/tournaments/{id}/close", json={}).status_code == 200
        assert "record 3" in one.get("/api/account/export").json()["records"][0]["text"]


def test_deletion_writes_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: deleting an account with 5,000 games stopped all writes for four seconds."""
    with Live(tmp_path / "games.db") as live, visitor(live, "Busy Player") as one:
        player = one.get("/api/me").json()["player"]
        meta = json.dumps({"names": ["Busy Player", "B"], "players": [player, ""]})
        with opened(live.database) as engine, engine.begin() as connection:
            text = "BlackPoker record 3\np1: Busy Player\n"
            records = [(f"r{number}", "room", 1, 1, text, meta, 1.0) for number in range(1000)]
            played = [(f"r{number}", 0, player, 1.0, "lite", "won", "") for number in range(1000)]
            connection.exec_driver_sql("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)", records)
            connection.exec_driver_sql("INSERT INTO played VALUES (?, ?, ?, ?, ?, ?, ?)", played)
        longest = 0
        forget = rows.forget_records

        def counted(connection: Any, player: str, most: int = rows.RECORD_BATCH) -> int:
            nonlocal longest
            count = forget(connection, player, most)
            longest = max(longest, count)
            return count

        monkeypatch.setattr(rows, "forget_records", counted)
        assert one.post("/api/account/delete", json={"name": "Busy Player"}).status_code == 200
        assert 0 < longest <= 200, "records of one transaction"
        assert "Busy Player" not in everything(live.database)
