"""Rules for account names: allowed characters and lengths, reserved names, lookalikes."""

from __future__ import annotations

import unicodedata
from typing import Final

from blackpoker.server.admission import cached
from blackpoker.server.confusables import SEPARATORS, is_one_script, reserved_form
from blackpoker.server.confusables import reserved_forms as forms_of
from blackpoker.server.http.endpoint import HttpProblem
from blackpoker.server.identity import cleaned_name, reserved_skeletons

MIN_WIDTH: Final = 3
MAX_LENGTH: Final = 20
#: seconds between two name changes
RENAME_INTERVAL: Final = 30 * 86_400.0
#: names of no one or of staff
RESERVED: Final = (
    "admin",
    "administrator",
    "moderator",
    "mod",
    "operator",
    "owner",
    "staff",
    "system",
    "server",
    "support",
    "help",
    "official",
    "blackpoker",
    "black poker",
    "judge",
    "referee",
    "everyone",
    "everybody",
    "nobody",
    "anonymous",
    "null",
    "undefined",
    "deleted",
    "unknown",
    "computer",
    "bot",
    "robot",
    "watch",
    "p1",
    "p2",
    "運営",
    "管理人",
    "管理者",
    "公式",
    "ブラックポーカー",
    "審判",
    "全員",
    "名無し",
    "匿名",
    "コンピューター",
    "ボット",
    "観戦者",
    "退会済み",
)
#: prefixes of default names
GUEST_PREFIXES: Final = ("guest", "ゲスト")


@cached("reserved names", 1)
def reserved_forms() -> frozenset[str]:
    return frozenset(map(reserved_form, RESERVED)) | reserved_skeletons()


def display_width(name: str) -> int:
    """Return the display width: full-width characters count 2, so that two kanji or kana reach the minimum length."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in name)


def is_name_character(letter: str) -> bool:
    return letter in SEPARATORS or unicodedata.category(letter)[0] in "LNM"


def parse_name(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a name as it is displayed, and the forms under which it is reserved; raise `HttpProblem` if it is not
    allowed."""
    name = cleaned_name(text)
    if display_width(name) < MIN_WIDTH or len(name) > MAX_LENGTH:
        raise HttpProblem(
            422,
            "name_length",
            f"a name has {MIN_WIDTH} to {MAX_LENGTH} characters",
            f"名前は{MIN_WIDTH}～{MAX_LENGTH}文字です（漢字・かなは2文字から）",
        )
    if not all(map(is_name_character, name)):
        raise HttpProblem(
            422,
            "name_letters",
            "a name has letters, digits, spaces and - _ . '",
            "名前に使えるのは文字と数字、空白、- _ . ' ・ です",
        )
    forms = forms_of(name)
    if sum(unicodedata.category(letter)[0] in "LN" for letter in name) < 2:
        raise HttpProblem(
            422, "name_letters", "a name needs two letters or digits", "名前には文字か数字が2つ以上要ります"
        )
    prefixes = tuple(map(reserved_form, GUEST_PREFIXES))
    if any(form in reserved_forms() or form.startswith(prefixes) for form in forms):
        raise HttpProblem(409, "name_reserved", "that name is nobody's", "その名前は使えません")
    if not is_one_script(name):
        raise HttpProblem(
            422,
            "name_script",
            "a name has the letters of one script; Latin and Japanese letters go together",
            "1つの名前に使える文字の種類は1つです（英字と日本語は組み合わせられます）",
        )
    return name, forms


def name_taken() -> HttpProblem:
    return HttpProblem(
        409,
        "name_taken",
        "somebody has that name, or one that looks like it",
        "その名前か、よく似た名前がすでに使われています",
    )
