"""Accounts: what belongs to an owner stays with the owner; attempts of others are refused."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from blackpoker.cli.admin import opened
from blackpoker.cli.console import UsageError
from blackpoker.cli.moderation import moderate
from blackpoker.client import Client, Refused
from blackpoker.protocol import messages as p
from blackpoker.server.accounts import recovery_code, service
from blackpoker.server.accounts.name_rules import parse_name
from blackpoker.server.http.endpoint import HttpProblem
from blackpoker.server.http.sessions import COOKIE
from blackpoker.server.storage.schema import META
from tests.server.authenticator import Authenticator
from tests.server.live import PATIENCE, Live, play_seat, post, wait_until


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("accounts") / "games.db") as found:
        found.url = found.url.replace("127.0.0.1", "localhost")  # a passkey needs a host name
        yield found


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while Device.here:
        Device.here.pop().http.close()


class Device:
    """A browser."""

    here: ClassVar[list[Device]] = []

    def __init__(self, live: Live, cookie: str = "") -> None:
        self.url = live.url
        self.http = httpx.Client(base_url=live.url, timeout=PATIENCE, headers={"user-agent": "Firefox/1 Windows"})
        self.here.append(self)
        if cookie:
            self.http.cookies.set(COOKIE, cookie, domain="localhost.local")
        else:
            self.get("/api/me")

    @property
    def cookie(self) -> str:
        return str(self.http.cookies[COOKIE])

    def get(self, path: str, status: int = 200) -> Any:
        answer = self.http.get(path)
        assert answer.status_code == status, (path, answer.status_code, answer.text)
        return answer.json()

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        answer = self.http.post(path) if body is None else self.http.post(path, json=body)
        assert answer.status_code == status, (path, answer.status_code, answer.text)
        return answer.json()

    def sign_up(self, name: str) -> list[str]:
        return list(self.post("/api/account", {"name": name, "crest": "SK"}, 201)["code"])

    def passkey(self, key: Authenticator) -> None:
        options = self.post("/api/account/passkeys/options")["options"]
        self.post("/api/account/passkeys", {"credential": key.make(options)})

    def sign_in_options(self) -> dict[str, Any]:
        return dict(self.post("/api/sign-in/passkey/options")["options"])


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["Aki", "千鶴", "Maximilian-Alexander", "宮本 千鶴", "D'Arcy 2", "Renée", "ジョン・スミス"]
)
def test_a_name(name: str) -> None:
    assert parse_name(f" {name}\u200b ")[0] == name


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Al", "name_length"),
        ("蓮", "name_length"),
        ("A" * 21, "name_length"),
        ("   ", "name_length"),
        ("☆☆☆☆", "name_letters"),
        ("a<b>c", "name_letters"),
        ("...a", "name_letters"),
        ("a/b/c", "name_letters"),
        ("admin", "name_reserved"),
        ("Аdmin", "name_reserved"),
        ("ADM1N", "name_reserved"),
        ("運営", "name_reserved"),
        ("BlackPoker", "name_reserved"),
        ("AI Easy", "name_reserved"),
        ("Guest 12", "name_reserved"),
        ("ゲスト1234", "name_reserved"),
        ("Тom", "name_script"),
        ("Τom", "name_script"),
        ("Akiим", "name_script"),
    ],
)
def test_no_name(name: str, code: str) -> None:
    with pytest.raises(HttpProblem) as refused:
        parse_name(name)
    assert refused.value.problem.code == code


def test_a_name_belongs_to_one(live: Live) -> None:
    one, two = Device(live), Device(live)
    one.sign_up("Modern Peter")
    for alike in ("modern peter", "Modem Peter", "ＭＯＤＥＲＮ　ＰＥＴＥＲ", "Modern-Peter"):
        assert two.post("/api/account", {"name": alike}, 409)["code"] == "name_taken", alike
        assert two.http.get("/api/names", params={"name": alike}).json()["code"] == "name_taken", alike
        assert two.post("/api/me", {"name": alike}, 409)["code"] == "name_taken", alike
    assert one.get("/api/names?name=modern+peter") == {"name": "modern peter"}, "its owner may write it otherwise"
    assert one.post("/api/me", {"name": "Other"}, 409)["code"] == "has_account"
    assert one.post("/api/account", {"name": "Second"}, 409)["code"] == "has_account"


def test_two_simultaneous_claims_of_one_name(live: Live) -> None:
    devices = [Device(live) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        body = {"name": "Everyone wants it", "crest": "JK"}
        found = list(pool.map(lambda one: one.http.post("/api/account", json=body).status_code, devices))
    assert sorted(found) == [201] + [409] * 7


def test_another_name_after_thirty_days_and_the_old_one_stays(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = Device(live), Device(live)
    one.sign_up("Before")
    assert one.post("/api/account/change", {"name": "After"})["names"] == ["Before"]
    assert one.post("/api/account/change", {"name": "Later"}, 409)["code"] == "too_soon"
    assert two.post("/api/account", {"name": "before"}, 409)["code"] == "name_taken"
    assert one.get("/api/me")["name"] == "After"
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 31 * 86_400)
    assert one.post("/api/account/change", {"name": "Before", "crest": "HQ"})["names"] == ["After"]


# -- from guest to account ---------------------------------------------------------------------------------------------


def test_a_guest_keeps_everything_and_its_old_cookie_opens_nothing(live: Live) -> None:
    device = Device(live)
    before, guest = device.cookie, device.get("/api/me")
    code = device.sign_up("Keeper")
    assert len(set(code)) == 12
    me = device.get("/api/me")
    assert (me["id"], me["name"], me["account"], me["crest"]) == (guest["id"], "Keeper", True, "SK")
    assert Device(live, before).get("/api/me")["id"] != guest["id"], "a guest's cookie of before is nobody's"
    mine = device.get("/api/account")
    assert [(one["label"], one["here"]) for one in mine["devices"]] == [("Firefox · Windows", True)]
    assert device.get("/api/account/kept") == {"version": 0, "data": None}
    assert device.post("/api/account/kept", {"version": 0, "data": {"blackpoker": {"shelf": [1]}}})["version"] == 1
    assert device.post("/api/account/kept", {"version": 0, "data": {}}, 409)["code"] == "version"
    assert device.get("/api/account/kept") == {"version": 1, "data": {"blackpoker": {"shelf": [1]}}}
    Device(live).post("/api/account/kept", {"version": 0, "data": {}}, 401)


def test_a_guest_with_a_name_taken_later_is_distinguished(live: Live) -> None:
    async def named() -> str:
        async with Client(live.url, "Copycat") as client:
            room = await client.create_room(opponent="easy")
            await asyncio.to_thread(lambda: Device(live).sign_up("Copycat"))
            async with client.join(room.id, "any", "lean") as seat:
                assert seat.info is not None
                return next(one.name for one in (seat.info.p1, seat.info.p2) if one.kind == "human")

    assert asyncio.run(named()).startswith("Guest ")


# -- twelve cards ------------------------------------------------------------------------------------------------------


def test_twelve_cards_are_read_as_people_write_them() -> None:
    code = recovery_code.new_code()
    assert recovery_code.parse_code("-".join(code)) == code
    assert (
        recovery_code.parse_code("s7 ♡k, C2 d9-hA C10 sq d4 joker h6 cj S3")
        == "S7 HK C2 D9 HA C10 SQ D4 JK H6 CJ S3".split()
    )
    assert recovery_code.matches_hash(code, recovery_code.hash_code(code))
    assert not recovery_code.matches_hash(code[::-1], recovery_code.hash_code(code)), "their order counts"


def test_signing_in_by_twelve_cards(live: Live) -> None:
    one, two = Device(live), Device(live)
    code = one.sign_up("Recovered")
    wrong = code[1:] + code[:1]
    assert two.post("/api/sign-in/code", {"name": "Recovered", "cards": " ".join(wrong)}, 403)["code"] == "wrong_code"
    assert two.post("/api/sign-in/code", {"name": "Nobody here", "cards": " ".join(code)}, 403)["code"] == "wrong_code"
    assert two.post("/api/sign-in/code", {"name": "Recovered", "cards": "S7"}, 403)["code"] == "wrong_code"
    assert two.post("/api/sign-in/code", {"name": "recovered", "cards": "-".join(code)})["name"] == "Recovered"
    assert two.get("/api/me")["id"] == one.get("/api/me")["id"]
    fresh = two.post("/api/account/code")["code"]
    assert fresh != code
    assert live.state is not None
    live.state.ledger.tokens.buckets.clear()
    three = Device(live)
    three.post("/api/sign-in/code", {"name": "Recovered", "cards": " ".join(code)}, 403)
    three.post("/api/sign-in/code", {"name": "Recovered", "cards": " ".join(fresh)})


def test_guesses_are_limited_by_address_and_lock_no_owner_out(live: Live) -> None:
    """Ten guesses of an address are checked, then one a minute. Strangers cannot use up the attempts of the owner."""
    device = Device(live)
    code = device.sign_up("Guessed")

    def guess(address: str, cards: list[str]) -> httpx.Response:
        body = {"name": "Guessed", "cards": " ".join(cards)}
        return post(f"{live.url}/api/sign-in/code", json=body, headers={"X-Forwarded-For": address})

    one = [guess("10.1.2.3", recovery_code.new_code()) for _ in range(13)]
    assert [answer.status_code for answer in one] == [403] * 10 + [429] * 3
    assert 0 < int(one[-1].headers["retry-after"]) <= 60
    many = [guess(f"10.2.{number}.1", recovery_code.new_code()).status_code for number in range(25)]
    assert many == [403] * 25
    assert guess("10.3.0.1", code).json()["name"] == "Guessed"


def test_signing_in_by_a_passkey(live: Live) -> None:
    one, two, key = Device(live), Device(live), Authenticator(live.url)
    one.sign_up("Passkeys")
    one.passkey(key)
    assert len(one.get("/api/account")["passkeys"]) == 1
    answer = key.sign(two.sign_in_options())
    assert two.post("/api/sign-in/passkey", {"credential": answer})["name"] == "Passkeys"
    assert two.get("/api/me")["id"] == one.get("/api/me")["id"]
    assert Device(live).post("/api/sign-in/passkey", {"credential": answer}, 403)["code"] == "bad_passkey", "replayed"
    id = one.get("/api/account")["passkeys"][0]["id"]
    one.post("/api/account/passkeys/remove", {"id": id})
    one.post("/api/account/passkeys/remove", {"id": id}, 404)
    signed = key.sign(two.sign_in_options())
    assert Device(live).post("/api/sign-in/passkey", {"credential": signed}, 403)["code"] == "no_passkey"


def test_answers_that_do_not_hold(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, key = Device(live), Device(live), Authenticator(live.url)
    one.sign_up("Challenged")
    two.sign_up("Challenger")
    one.passkey(key)
    options = two.post("/api/account/passkeys/options")["options"]
    made = Authenticator(live.url).make(options)
    one.post("/api/account/passkeys", {"credential": made}, 403)  # given to another account, which consumes it
    two.post("/api/account/passkeys", {"credential": made}, 403)
    for origin, flags in (("https://evil.example", 5), (live.url, 1), (live.url, 4)):  # origin; unverified; absent
        bad = Authenticator(origin, flags).make(two.post("/api/account/passkeys/options")["options"])
        two.post("/api/account/passkeys", {"credential": bad}, 403)
    registering = two.post("/api/account/passkeys/options")["options"]
    challenge = {"rpId": "localhost", "challenge": registering["challenge"]}
    Device(live).post(
        "/api/sign-in/passkey", {"credential": key.sign(challenge)}, 403
    )  # a challenge of another question
    invented = {"rpId": "localhost", "challenge": "A" * 43}
    Device(live).post("/api/sign-in/passkey", {"credential": key.sign(invented)}, 403)
    forged = key.sign(two.sign_in_options())
    forged["response"]["signature"] = Authenticator(live.url).sign(two.sign_in_options())["response"]["signature"]
    Device(live).post("/api/sign-in/passkey", {"credential": forged}, 403)
    copied = Device(live)
    copied.post("/api/sign-in/passkey", {"credential": key.sign(copied.sign_in_options())})
    key.signs = 0
    copied.post("/api/sign-in/passkey", {"credential": key.sign(copied.sign_in_options())}, 403)  # counter went back
    key.signs = 10
    nonsense: dict[str, Any]
    for nonsense in ({}, {"response": {}}, {"id": 5, "response": {"clientDataJSON": "?"}}):
        Device(live).post("/api/sign-in/passkey", {"credential": nonsense}, 403)
    late = copied.sign_in_options()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + service.CHALLENGE_SECONDS + 1)
    Device(live).post("/api/sign-in/passkey", {"credential": key.sign(late)}, 403)  # too late


# -- links, devices ----------------------------------------------------------------------------------------------------


def test_a_link_signs_one_device_in(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = Device(live), Device(live)
    one.sign_up("Linked")
    token = one.post("/api/account/link")["path"].partition("#")[2]
    assert two.post("/api/sign-in/link/whose", {"token": token}) == {"name": "Linked"}
    assert two.post("/api/sign-in/link", {"token": token})["name"] == "Linked"
    assert Device(live).post("/api/sign-in/link", {"token": token}, 403)["code"] == "bad_link", "once"
    assert Device(live).post("/api/sign-in/link/whose", {"token": token}, 403)["code"] == "bad_link"
    late = one.post("/api/account/link")["path"].partition("#")[2]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + service.CHALLENGE_SECONDS + 1)
    Device(live).post("/api/sign-in/link", {"token": late}, 403)


def test_a_stolen_cookie_after_signing_out_there(live: Live) -> None:
    one, two = Device(live), Device(live)
    code = one.sign_up("Stolen")
    two.post("/api/sign-in/code", {"name": "Stolen", "cards": " ".join(code)})
    thief = Device(live, two.cookie)
    mine = thief.get("/api/me")["id"]
    assert thief.get("/api/account")["name"] == "Stolen"

    async def at_a_table() -> None:
        async with Client(live.url, cookie=two.cookie) as client:
            room = await client.create_room(opponent="easy")
            async with client.join(room.id, "any", "lean") as seat:
                there = next(one["id"] for one in one_account["devices"] if not one["here"])
                await asyncio.to_thread(one.post, "/api/account/devices/out", {"id": there})
                assert live.state is not None
                room_manager = live.state.room_manager
                await wait_until(
                    lambda: all(line.identity.guest != mine for line in room_manager.connections.values()),
                    "the socket is closed",
                )
                assert seat is not None

    one_account = one.get("/api/account")
    asyncio.run(at_a_table())
    assert len(one.get("/api/account")["devices"]) == 1
    for path in ("/api/account", "/api/account/export", "/api/account/kept"):
        thief.get(path, 401)
    thief.post("/api/account/code", None, 401)
    thief.post("/api/account/passkeys/options", None, 401)
    assert Device(live, two.cookie).get("/api/me")["id"] != mine
    one.post("/api/account/devices/out", {"id": "0" * 12}, 404)
    last = one.cookie
    one.post("/api/account/out")
    Device(live, last).get("/api/account", 401)
    assert not one.get("/api/me")["account"]


def test_a_process_receives_changes_of_another(live: Live, tmp_path: Path) -> None:
    """Two processes share a database: a device that signed in at one is known to the other when its cookie arrives."""
    with Live(live.database) as other:
        other.url = other.url.replace("127.0.0.1", "localhost")
        one = Device(live)
        one.sign_up("Two Places")
        there = Device(other, one.cookie)
        assert there.get("/api/account")["name"] == "Two Places"
        one.post("/api/account/out")
        there.get("/api/account", 401)  # its own store has the change before the notification


# -- export and deletion
# -------------------------------------------------------------------------------------------------


def test_export_and_deletion(live: Live) -> None:
    one = Device(live)
    one.sign_up("Leaver")
    one.post("/api/account/kept", {"version": 0, "data": {"blackpoker-puzzles": {"rating": 1500}}})

    async def play() -> str:
        async with Client(live.url, cookie=one.cookie) as mine, Client(live.url, "Stays") as other:
            room = await mine.create_room(window_ms=0)
            seats = await asyncio.gather(play_seat(mine, room.id, 1, detail="full"), play_seat(other, room.id, 2))
            assert seats[0].result is not None
            return str(seats[0].result.record_id)

    record = asyncio.run(play())
    file = one.get("/api/account/export")
    assert file["account"]["name"] == "Leaver"
    assert [game["id"] for game in file["records"]] == [record]
    assert file["kept"]["data"] == {"blackpoker-puzzles": {"rating": 1500}}
    assert "Leaver" in file["records"][0]["text"]
    assert one.get("/api/account")["games"] == 1
    assert one.post("/api/account/delete", {"name": "leaver"}, 422)["code"] == "name_differs"
    cookie = one.cookie
    one.post("/api/account/delete", {"name": "Leaver"})
    Device(live, cookie).get("/api/account", 401)
    anonymised = one.get(f"/api/records/{record}")
    assert "Leaver" not in anonymised["text"]
    assert "" in anonymised["meta"]["names"]
    assert "Stays" in anonymised["meta"]["names"]
    assert one.get(f"/api/records/{record}/replay")["frames"]
    Device(live).sign_up("Leaver")


def test_nothing_secret_is_kept_or_written_down(live: Live, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="blackpoker")  # another test may have configured it
    one, two, key = Device(live), Device(live), Authenticator(live.url)
    code = one.sign_up("Secretive")
    one.passkey(key)
    token = one.post("/api/account/link")["path"].partition("#")[2]
    two.post("/api/sign-in/code", {"name": "Secretive", "cards": " ".join(code)})
    Device(live).post("/api/sign-in/passkey", {"credential": key.sign(one.sign_in_options())})
    assert live.state is not None
    session = live.state.sessions.verify(one.cookie)  # type: ignore[attr-defined]
    with live.state.accounts.store.engine.connect() as connection:
        stored = "\n".join(str(row) for table in META.sorted_tables for row in connection.execute(table.select()))
    assert session.device in stored, "the hash of what the cookie holds is there"
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("blackpoker", "uvicorn"))]
    assert any("request" in line for line in ours)
    written = "\n".join(
        [stored, *ours, *(str(record.__dict__) for record in caplog.records if record.name.startswith("blackpoker"))]
    )
    for secret in ("-".join(code), " ".join(code), token, one.cookie, two.cookie, *(one.cookie.split(".")[:1])):
        assert secret not in written
    assert "scrypt:16384:8:1:" in stored


# -- operators ---------------------------------------------------------------------------------------------------------


def test_an_operator(live: Live) -> None:
    one = Device(live)
    one.sign_up("Rude Name")
    assert live.state is not None
    directory = live.state.accounts.directory
    id = one.get("/api/me")["id"]

    def run_moderation(what: str, target: str, name: str = "", days: int = 0) -> str:
        with opened(live.database) as engine:
            return moderate(engine, what, target, name, days, "en")

    async def chat_result() -> str:
        """Return the result for a player who joins a table and sends a chat line."""
        async with Client(live.url, "Host") as host, Client(live.url, cookie=one.cookie) as client:
            room = await host.create_room(opponent="easy")
            try:
                async with client.join(room.id, "any", "lean") as seat:
                    await seat.send(p.Chat(7, "hello"))
                    while True:
                        message = await seat.receive()
                        if isinstance(message, p.Error | p.ChatLine):
                            return getattr(message, "code", "said")
            except Refused as refused:
                return refused.code
            except ConnectionClosed as closed:
                return closed.rcvd.reason if closed.rcvd else ""

    async def wait_for(what: Any) -> None:
        await wait_until(what, "the server hears of it")

    assert run_moderation("rename", "rude name", "Polite") == "Rude Name is called Polite now"
    asyncio.run(wait_for(lambda: directory.accounts[id].name == "Polite"))
    assert one.get("/api/me")["name"] == "Polite"
    assert Device(live).post("/api/account", {"name": "Rude Name"}, 409)["code"] == "name_taken"
    assert one.post("/api/account/change", {"name": "Rude Name"}, 403)["code"] == "name_given"
    run_moderation("mute", "Polite", days=3)
    asyncio.run(wait_for(lambda: directory.accounts[id].muted > time.time()))
    assert asyncio.run(chat_result()) == "muted"
    run_moderation("ban", "Polite")
    asyncio.run(wait_for(lambda: directory.accounts[id].banned > time.time()))
    assert asyncio.run(chat_result()) == "banned"
    assert one.get("/api/account/export")["account"]["name"] == "Polite", "what is somebody's stays his"
    run_moderation("lift", "Polite")
    asyncio.run(wait_for(lambda: directory.accounts[id].banned == 0.0))
    assert asyncio.run(chat_result()) == "said"
    for what, target, name, days in (
        ("mute", "", "", 0),
        ("ban", "Nobody", "", 0),
        ("ban", "Polite", "", -1),
        ("rename", "Polite", "", 0),
        ("rename", "Polite", "admin", 0),
    ):
        with pytest.raises(UsageError):
            run_moderation(what, target, name, days)
