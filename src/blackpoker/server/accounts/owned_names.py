"""Rules for account names: allowed characters and lengths, reserved names, lookalikes."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Final

from blackpoker.server.looks import BETWEEN, folded
from blackpoker.server.net.guests import taken
from blackpoker.server.net.http import HttpProblem
from blackpoker.server.rooms.letters import visible

LEAST: Final = 3
MOST: Final = 20
#: seconds between two name changes
PAUSE: Final = 30 * 86_400.0
#: names of no one or of staff
RESERVED: Final = (
    "admin", "administrator", "moderator", "mod", "operator", "owner", "staff", "system", "server", "support", "help",
    "official", "blackpoker", "black poker", "judge", "referee", "everyone", "everybody", "nobody", "anonymous", "null",
    "undefined", "deleted", "unknown", "computer", "bot", "robot", "watch", "p1", "p2",
    "運営", "管理人", "管理者", "公式", "ブラックポーカー", "審判", "全員", "名無し", "匿名",
    "コンピューター", "ボット", "観戦者", "退会済み",
)  # fmt: skip
#: prefixes of default names
GUEST: Final = ("guest", "ゲスト")


@cache
def reserved() -> frozenset[str]:
    return frozenset(map(folded, RESERVED)) | taken()


def width(name: str) -> int:
    """Return the display width: full-width characters count 2, so that two kanji or kana reach the minimum length."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name)


def fits_a_name(letter: str) -> bool:
    return letter in BETWEEN or unicodedata.category(letter)[0] in "LNM"


def read_name(text: str) -> tuple[str, str]:
    """Return a name in its public form, and its folded form; raise `HttpProblem` if it is not allowed."""
    name = visible(unicodedata.normalize("NFKC", text))
    if width(name) < LEAST or len(name) > MOST:
        raise HttpProblem(
            422, "name_length", f"a name has {LEAST} to {MOST} characters",
            f"名前は{LEAST}～{MOST}文字です（漢字・かなは2文字から）",
        )  # fmt: skip
    if not all(map(fits_a_name, name)):
        raise HttpProblem(
            422, "name_letters", "a name has letters, digits, spaces and - _ . '",
            "名前に使えるのは文字と数字、空白、- _ . ' ・ です",
        )  # fmt: skip
    looks = folded(name)
    if sum(unicodedata.category(letter)[0] in "LN" for letter in name) < 2:
        raise HttpProblem(
            422, "name_letters", "a name needs two letters or digits", "名前には文字か数字が2つ以上要ります"
        )
    if looks in reserved() or looks.startswith(tuple(map(folded, GUEST))):
        raise HttpProblem(409, "name_reserved", "that name is nobody's", "その名前は使えません")
    return name, looks


def name_taken() -> HttpProblem:
    return HttpProblem(
        409, "name_taken", "somebody has that name, or one that looks like it",
        "その名前か、よく似た名前がすでに使われています",
    )  # fmt: skip
