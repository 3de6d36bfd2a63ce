"""Check that numbers in the documents match the data. Each is read from the sentence that states it.

python -m tests.document_counts            list the wrong ones
python -m tests.document_counts --write    correct them
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

from blackpoker.learn.lessons import lessons
from blackpoker.players.engine_players import USER_LEVELS
from blackpoker.ruleset import all_regulations, edition_named, standard_edition
from blackpoker.text.rulings import rulings

ROOT = Path(__file__).parents[1]
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
EDITION = standard_edition()
NINTH = edition_named("9")
#: of edition 9; the others carry over from edition 6
NEW_RULINGS = sum(id.startswith("N-") for id in rulings("9"))
FIRST_LESSONS = sum(lesson.format == EDITION.formats[0].id for lesson in lessons())


class Count(NamedTuple):
    """An expected number; it is the first group of the pattern ``sentence``."""

    file: str
    sentence: str
    number: int


COUNTS = (
    Count("README.md", r"against (\w+) computer opponents", len(USER_LEVELS)),
    Count("README.md", r"first of (\w+) formats", len(EDITION.formats)),
    Count("README.md", r"Extra adds (\d+) trumps", len(EDITION.trumps)),
    Count("README.md", r"(\d+) lessons of edition 6", len(lessons())),
    Count("README.md", r"(\d+) of edition 9 on real boards", len(lessons("9"))),
    Count("README.md", r"(\d+) numbered rulings of edition 6", len(rulings())),
    Count("README.md", r"and (\d+) of edition 9, in Japanese", NEW_RULINGS),
    Count("README.md", r"(\w+) levels, from Easy", len(USER_LEVELS)),
    Count("docs/faq.md", r"(\w+) formats, seven", len(EDITION.formats)),
    Count("docs/faq.md", r"formats, (\w+) frames", len(EDITION.frames)),
    Count("docs/faq.md", r"frames and (\w+) options", len(EDITION.options)),
    Count("docs/faq.md", r"options make (\d+) legal", len(all_regulations())),
    Count("docs/faq.md", r"has (\d+)\. `blackpoker regulations`", len(all_regulations(NINTH))),
    Count("docs/faq.ja.md", r"第9版は(\d+)通り", len(all_regulations(NINTH))),
    Count("docs/faq.ja.md", r"(\d+)つのフォーマット", len(EDITION.formats)),
    Count("docs/faq.ja.md", r"(\d+)つのフレーム", len(EDITION.frames)),
    Count("docs/faq.ja.md", r"(\d+)つのオプション", len(EDITION.options)),
    Count("docs/faq.ja.md", r"レギュレーションは(\d+)通り", len(all_regulations())),
    Count("docs/how-to-play.md", r"(\w+) of its lessons", FIRST_LESSONS),
    Count("docs/how-to-play.md", r"two of (\d+) \*\*trumps", len(EDITION.trumps)),
    Count("docs/how-to-play.ja.md", r"最初の(\d+)つの", FIRST_LESSONS),
    Count("docs/how-to-play.ja.md", r"(\d+)枚の\*\*切札", len(EDITION.trumps)),
    Count("docs/guide/cli.md", r"computer player of (\w+) levels", len(USER_LEVELS)),
    Count("web/src/i18n/en/shared.json", r"(\w+) short lessons", FIRST_LESSONS),
    Count("web/src/i18n/ja/learn.json", r"(\d+)枚の切札", len(EDITION.trumps)),
    Count("web/src/i18n/en/learn.json", r"(\d+) trumps, each", len(EDITION.trumps)),
    Count("README.ja.md", r"(\d+)段階のコンピューター", len(USER_LEVELS)),
    Count("README.ja.md", r"までの(\d+)段階", len(USER_LEVELS)),
    Count("README.ja.md", r"(\d+)つのフォーマット", len(EDITION.formats)),
    Count("README.ja.md", r"(\d+)枚の切札", len(EDITION.trumps)),
    Count("README.ja.md", r"レッスンは第6版が(\d+)", len(lessons())),
    Count("README.ja.md", r"第9版が(\d+)。", len(lessons("9"))),
    Count("README.ja.md", r"第6版の(\d+)の裁定", len(rulings())),
    Count("README.ja.md", r"第9版の(\d+)の裁定", NEW_RULINGS),
)


def number(text: str) -> int:
    return WORDS.index(text.lower()) if text.isalpha() else int(text.replace(",", ""))


def written(as_before: str, number: int) -> str:
    """Return the number as text: in words if it was in words before and a word exists, else in digits."""
    if not as_before.isalpha() or number >= len(WORDS):
        return str(number)
    return WORDS[number].capitalize() if as_before[0].isupper() else WORDS[number]


def find_number(count: Count) -> re.Match[str]:
    found = re.search(count.sentence, (ROOT / count.file).read_text(encoding="utf-8"))
    assert found is not None, f"{count.file} no longer says {count.sentence}"
    return found


def main() -> int:
    wrong = [count for count in COUNTS if number(find_number(count)[1]) != count.number]
    for count in wrong:
        found = find_number(count)
        print(f"{count.file}: {found[0]!r} should say {count.number}")
        if "--write" in sys.argv:
            begin, end = found.span(1)
            new = found.string[:begin] + written(found[1], count.number) + found.string[end:]
            (ROOT / count.file).write_text(new, encoding="utf-8")
    return 1 if wrong and "--write" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
