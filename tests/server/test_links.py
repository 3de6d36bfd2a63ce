"""Shared links: the preview text, its picture, and what neither may reveal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image

import blackpoker as bp
from blackpoker.learn.puzzles.model import all_puzzles
from blackpoker.server.app import STATIC
from blackpoker.server.http.api import previews
from blackpoker.server.http.api.preview_image import ImageContent, draw_image
from tests.server.live import Live, get

ATTACK = """format = "master"
turn_number = 9
[p1]
life = 20
field = "S10 H9"
bulwarks = "D4"
[p2]
life = 24
hand = "D5"
"""


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with Live(tmp_path_factory.mktemp("links") / "links.db") as found:
        yield found


def fetch(live: Live, path: str, lang: str = "en") -> tuple[str, bytes]:
    answer = get(live.url + path, headers={"accept-language": lang})
    assert answer.status_code == 200
    return str(answer.headers["content-type"]), answer.content


def head(live: Live, path: str, lang: str = "en") -> dict[str, str]:
    _, page = fetch(live, path, lang)
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)" />', page.decode()))


def size(data: bytes) -> tuple[int, int]:
    found: tuple[int, int] = Image.open(BytesIO(data)).size
    return found


def test_the_decisive_moment_is_the_board_before_the_largest_blow() -> None:
    game = bp.Game.from_position(ATTACK, seed=1)
    for text in ("attack", "pass", "pass", "S10 H9"):
        game.push_text(text)
    while game.turn_number == 9:
        decision = game.decision
        assert decision is not None
        chance = [word for word in ("end", "pass") if word in decision.words]
        game.push_text(chance[0] if chance else decision.words[-1])
    view, blow = previews.decisive_moment(game)
    assert blow == 19
    assert [unit.role for unit in view.p1.soldiers] == ["attacker", "attacker"]
    assert view.p2.life == 24


def test_a_picture_of_a_crowd_and_of_names_nobody_can_draw() -> None:
    crowd = " ".join(f"{suit}{rank}" for suit in "SH" for rank in "2 3 4 5 6 7 8 9 10".split())
    game = bp.Game.from_position(f'format = "master"\n[p1]\nlife = 9\nfield = "{crowd}"\n[p2]\nlife = 9\n', seed=1)
    shot = ImageContent(
        game.view(bp.Audience.JUDGE), (9, 9), ("𓀀" * 30, "x" * 300), "y" * 500, "z" * 90, 0, ("JK", "DA")
    )
    assert size(draw_image(shot)) == (1200, 630)


@pytest.mark.skipif(not (STATIC / "index.html").exists(), reason="the page is not built")
def test_a_replay_and_a_puzzle_have_a_picture(live: Live) -> None:
    shown = json.loads(fetch(live, "/api/lobby")[1])["shown"][0]["path"]
    puzzle = all_puzzles()[0].id
    for path, name in ((shown, "Master – Master"), (f"/puzzles/{puzzle}", "No. 1:")):
        found = head(live, path)
        assert found["og:title"].startswith(name)
        assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
        assert found["og:image"].startswith(live.url)
        media, data = fetch(live, found["og:image"].removeprefix(live.url))
        assert media == "image/png"
        assert size(data) == (1200, 630)
        assert len(data) < 300_000


@pytest.mark.skipif(not (STATIC / "index.html").exists(), reason="the page is not built")
@pytest.mark.parametrize(
    "path", ["/", "/room/nothing", "/replay/nothing", "/replay/a/../b", "/puzzles/nothing", "/rules"]
)
def test_any_other_link_says_what_this_is(live: Live, path: str) -> None:
    assert head(live, path)["og:title"] == "BlackPoker"
    assert head(live, path, "ja")["og:description"] == previews.DESCRIPTION["ja"]
    media, data = fetch(live, head(live, path)["og:image"].removeprefix(live.url))
    assert media == "image/png"
    assert size(data) == (1200, 630)


def test_an_invitation_names_its_sender_and_a_game_that_goes_on_nobody() -> None:
    from blackpoker.protocol import messages as p
    from blackpoker.server.rooms.room import Room
    from blackpoker.server.rooms.seats import RoomClient

    room = Room("room", p.RoomSettings(regulation="lite+entry", window_ms=0), 0.0)
    room.join(RoomClient("a", "ga", '<"A">'), p.Join(room="room"), 0.0)
    name, description = previews.invitation_text(room.info(), "en")
    assert name == '<"A"> invites you to a duel'
    assert "Lite+Entry" in description
    assert b"<A" not in previews.meta_tags("http://here", name, description, "")
    assert b"&lt;&quot;A&quot;&gt; invites" in previews.meta_tags("http://here", name, description, "")
    room.join(RoomClient("b", "gb", "B"), p.Join(room="room"), 0.0)
    for key in "ab":
        room.receive(key, p.Ready(salt=key), 0.0)
    assert room.phase == "playing"
    assert previews.invitation_text(room.info(), "en") == ("", "")


def test_a_record_that_is_not_there_has_no_picture(live: Live) -> None:
    for path in ("/api/records/nothing/picture.png", "/api/puzzles/nothing/picture.png"):
        assert get(live.url + path).status_code == 404
