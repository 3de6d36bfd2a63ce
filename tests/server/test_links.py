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
from blackpoker.printing.drawings import deck
from blackpoker.server.app import STATIC
from blackpoker.server.http.api import previews
from blackpoker.server.http.api.preview_image import ImageContent, draw_image
from blackpoker.server.http.api.svg_painter import card_image, ink_of
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
    moment = previews.decisive_moment(game)
    assert moment.damage == len(moment.lost) == 19
    assert moment.struck == 1
    assert moment.strikers == ("S10", "H9")
    assert [unit.role for unit in moment.view.p1.soldiers] == ["attacker", "attacker"]
    assert moment.view.p2.life == 24
    first = previews.decisive_moment(game, 0)  # a shared decision shows its own board and what followed
    assert (first.step, first.damage) == (0, 19)
    assert first.view.p1.soldiers[0].role is None
    last = previews.decisive_moment(game, moment.step + 1)
    assert last.damage == 0


def test_a_picture_of_many_units_and_of_names_without_glyphs() -> None:
    crowd = " ".join(f"{suit}{rank}" for suit in "SH" for rank in "2 3 4 5 6 7 8 9 10".split())
    game = bp.Game.from_position(f'format = "master"\n[p1]\nlife = 9\nfield = "{crowd}"\n[p2]\nlife = 9\n', seed=1)
    view = game.view(bp.Audience.JUDGE)
    words = {"headline": "y" * 500, "names": ("𓀀" * 30, "x" * 300), "question": "q " * 90, "address": "z" * 90}
    for lost in ((), (None, "JK") * 30):
        shot = ImageContent(
            view,
            (9, 9),
            lost=lost,
            score=(9, 0),
            hand=("JK", "DA"),
            caption="♠10, ♥9 " * 40,
            **words,  # type: ignore[arg-type]
        )
        assert size(draw_image(shot)) == (1200, 630)


def test_the_painter_knows_everything_in_the_drawings() -> None:
    drawn = deck()
    assert len(drawn.cards) == 54 + 2
    texts = [*drawn.cards.values(), *drawn.masks.values(), *(symbol.drawn for symbol in drawn.symbols.values())]
    assert {tag for text in texts for tag in re.findall(r"<([a-z]+)", text)} == {"g", "use", "path", "circle", "rect"}
    assert {kind for text in texts for kind in re.findall(r"(\w+)\(", text)} <= {"translate", "rotate", "scale", "url"}
    assert not any("var(" in text for text in texts)


@pytest.mark.parametrize("card", sorted(deck().cards))
def test_a_painted_card_is_the_card_of_the_page(card: str) -> None:
    """Compare the symbols it is painted from, and the paint at places that only the right rank and suit cover."""
    used = set(re.findall(r'href="#([\w-]+)"', deck().cards[card]))
    if card in ("near", "far"):
        assert used == {f"back-{card}"}
        return
    suit = "J" if card.startswith("JK") else card[0]
    rank = "JK" if card.startswith("JK") else card[1:]
    assert used == {"face", f"i-{rank}", f"s-{suit}", f"m-{card}"} | (
        {"court"} if rank in "A J Q K JK".split() else set()
    )
    painted = card_image(card, 200).convert("RGB")
    sign = painted.crop((16, 126, 62, 172))  # below the rank
    assert sum(count for count, ink in sign.getcolors(10_000) or () if ink == ink_of(card)) > 400
    paper = painted.getpixel((150, 60))
    assert isinstance(paper, tuple)
    assert min(paper) > 200


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
def test_any_other_link_has_a_general_preview(live: Live, path: str) -> None:
    assert head(live, path)["og:title"] == "BlackPoker"
    assert head(live, path, "ja")["og:description"] == previews.DESCRIPTION["ja"]
    media, data = fetch(live, head(live, path)["og:image"].removeprefix(live.url))
    assert media == "image/png"
    assert size(data) == (1200, 630)


@pytest.mark.skipif(not (STATIC / "index.html").exists(), reason="the page is not built")
def test_a_shared_decision_shows_its_question_and_board(live: Live) -> None:
    shown = json.loads(fetch(live, "/api/lobby")[1])["shown"][0]["path"]
    found = head(live, f"{shown}?step=3&ask=1")
    assert found["og:title"] == "What would you do?"
    assert found["og:image"].endswith("&amp;step=3")
    path = found["og:image"].removeprefix(live.url).replace("&amp;", "&")
    asked, whole = fetch(live, path)[1], fetch(live, path.split("&")[0])[1]
    assert size(asked) == (1200, 630)
    assert asked != whole
    assert head(live, f"{shown}?step=3")["og:title"] != "What would you do?"


def test_an_invitation_names_its_sender_and_a_running_game_no_player() -> None:
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
