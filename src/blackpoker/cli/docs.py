"""``python -m blackpoker.cli.docs``: write docs/rules/ from the definitions; with ``--check`` only compare."""

from __future__ import annotations

import sys
from pathlib import Path

from blackpoker.cli.common import NOTICE
from blackpoker.cli.reference import KINDS, pages
from blackpoker.texts.rulebook import LANGUAGES, Lang, Page, say

FOLDER = Path("docs", "rules")
FILES = {"actions": ("action",), "characters": ("character",), "trumps": ("trump",), "regulations": KINDS[3:]}
TITLES = {
    "actions": ("アクション", "Actions"),
    "characters": ("キャラクター", "Characters"),
    "trumps": ("切札", "Trumps"),
    "regulations": ("レギュレーション", "Regulations"),
}
GENERATED = (
    "定義から作られたファイルです。直さずに `python -m blackpoker.cli.docs` で作り直してください。",
    "Generated from the definitions: do not edit, run `python -m blackpoker.cli.docs`.",
)


def files() -> dict[Path, str]:
    """Every file of docs/rules/ and its text."""
    out: dict[Path, str] = {}
    index = ["# Rules / ルール", "", f"{GENERATED[1]}", "", NOTICE, ""]
    for which, lang in enumerate(LANGUAGES):
        everything = list(pages(lang))
        for name, kinds in FILES.items():
            chosen = [page for page in everything if page.kind in kinds]
            if not chosen:
                continue
            path = Path(lang, f"{name}.md")
            out[path] = _file(TITLES[name][which], chosen, lang)
            index.append(f"- [{TITLES[name][which]}]({path.as_posix()}) ({len(chosen)})")
    out[Path("README.md")] = "\n".join(index) + "\n"
    return out


def _file(title: str, chosen: list[Page], lang: Lang) -> str:
    lines = [f"# {title}", "", GENERATED[0 if lang == "ja" else 1], "", NOTICE, ""]
    groups = list(dict.fromkeys(page.group for page in chosen))
    for group in groups:
        if len(groups) > 1:
            lines += [f"## {group}", ""]
        for page in chosen:
            if page.group == group:
                lines += _entry(page, lang, "###" if len(groups) > 1 else "##")
    return "\n".join(lines).rstrip() + "\n"


def _entry(page: Page, lang: Lang, heading: str) -> list[str]:
    lines = [f"{heading} {page.title} / {page.other}", "", f"`{page.id}`", ""]
    lines += [f"- **{label}** {text}" for label, text in page.facts]
    lines += [f"- ※ {note}" for note in page.notes] + [""]
    if len(page.clauses) == 1:
        lines += [page.clauses[0], ""]
    elif page.clauses:
        lines += [f"{number}. {clause}" for number, clause in enumerate(page.clauses, 1)] + [""]
    if page.rulings:
        lines += [f"{say('rulings', lang)}: {', '.join(page.rulings)}", ""]
    return lines


def stale(folder: Path) -> list[str]:
    """Files that are missing, out of step or left over."""
    wanted = files()
    found = {path.relative_to(folder) for path in folder.rglob("*.md")}
    bad = [path for path, text in wanted.items() if not _same(folder / path, text)]
    return sorted(str(path) for path in {*bad, *(found - set(wanted))})


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def write(folder: Path) -> None:
    for old in stale(folder):
        (folder / old).unlink(missing_ok=True)
    for path, text in files().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def main() -> int:
    if not FOLDER.parent.is_dir():
        print(f"blackpoker: run this in the repository: there is no folder {FOLDER.parent}", file=sys.stderr)
        return 2
    if "--check" in sys.argv[1:]:
        bad = stale(FOLDER)
        print("\n".join(f"{FOLDER / path} is out of step" for path in bad) or f"{FOLDER} is in step")
        return 1 if bad else 0
    write(FOLDER)
    print(f"wrote {len(files())} files to {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
