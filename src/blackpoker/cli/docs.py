"""``python -m blackpoker.cli.docs``, part of ``make docs``: write docs/rules/ and docs/rulings/.

The pages are not in the repository. The sources are the definitions, the rulebook's texts and tests/scenarios.
"""

from __future__ import annotations

import html
import sys
from pathlib import Path

from blackpoker.cli.console import NOTICE
from blackpoker.ruleset.reference import CITED, pages, point_sign
from blackpoker.scenario.scenario import read_scenario
from blackpoker.text import handbook, rulings
from blackpoker.text.resources import LANGUAGES, Lang
from blackpoker.text.rulebook import Page, phrase

RULES = Path("docs", "rules")
RULINGS = Path("docs", "rulings")
SCENARIOS = Path("tests", "scenarios")

LISTS = {"actions": ("action",), "characters": ("character",), "trumps": ("trump",)}
REGULATIONS = ("format", "frame", "option")
TITLES = {
    "actions": ("アクション", "Actions"),
    "characters": ("キャラクター", "Characters"),
    "trumps": ("切札", "Trumps"),
    "regulations": ("レギュレーション", "Regulations"),
    "rulings": ("裁定", "Rulings"),
}
GENERATED = (
    "ルールのデータから作られたファイルです。直さずに `python -m blackpoker.cli.docs` で作り直してください。",
    "Generated from the rulebook's data: do not edit, run `python -m blackpoker.cli.docs`.",
)


def files(root: Path) -> dict[Path, str]:
    """Return every generated file with its text."""
    return {**_rules(), **_rulings(_scenario_files(root / SCENARIOS))}


# -- docs/rules --------------------------------------------------------------------------------------------------------


def _rules() -> dict[Path, str]:
    out: dict[Path, str] = {}
    index = ["# Rules / ルール", "", GENERATED[1], "", NOTICE, ""]
    for which, lang in enumerate(LANGUAGES):
        for chapter in handbook.chapters():
            chosen = [page for page in pages(lang) if page.id.startswith(f"{chapter.id}.") and page.kind == "section"]
            if chapter.id == "regulations":
                chosen += [page for page in pages(lang) if page.kind in REGULATIONS]
            path = RULES / lang / f"{chapter.id}.md"
            out[path] = _file(chapter.title.in_lang(lang), chosen, lang)
            index.append(f"- [{chapter.title.in_lang(lang)}]({path.relative_to(RULES).as_posix()})")
        for name, kinds in LISTS.items():
            chosen = [page for page in pages(lang) if page.kind in kinds]
            path = RULES / lang / f"{name}.md"
            out[path] = _file(TITLES[name][which], chosen, lang)
            index.append(f"- [{TITLES[name][which]}]({path.relative_to(RULES).as_posix()}) ({len(chosen)})")
        index.append(f"- [{TITLES['rulings'][which]}](../rulings/README.md) ({len(rulings.rulings())})")
    out[RULES / "README.md"] = "\n".join(index) + "\n"
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


def page_file(title: str, chosen: list[Page], lang: Lang, edition: str) -> str:
    """Return a self-contained file of pages, as for local rules: rulings are named, not linked."""
    lines = [f"# {title}", "", edition, "", NOTICE, ""]
    for page in chosen:
        lines += _entry(page, lang, "##", linked=False)
    return "\n".join(lines).rstrip() + "\n"


def _entry(page: Page, lang: Lang, heading: str, linked: bool = True) -> list[str]:
    if page.kind == "section":
        lines = [f"{heading} {page.title}", "", *_prose(page.prose)]
        lines += _flow(lang) if page.id == "core.flow" else []
        lines += _table(page.rows)
    else:
        lines = [f"{heading} {page.title} / {page.other_title}", "", f"`{page.id}`", ""]
        lines += [f"- **{label}** {text}" for label, text in page.facts]
        lines += [f"- ※ {note}" for note in page.notes] + [""]
    if len(page.clauses) == 1:
        lines += [page.clauses[0], ""]
    elif page.clauses:
        lines += [f"{number}. {clause}" for number, clause in enumerate(page.clauses, 1)] + [""]
    if page.rulings:
        links = ", ".join(_link(id, lang, "../../rulings") if linked else id for id in page.rulings)
        lines += [f"{phrase('rulings', lang)}: {links}", ""]
    return lines


def _prose(lines: tuple[str, ...]) -> list[str]:
    """Return paragraphs separated by blank lines, and list items without."""
    out: list[str] = []
    for line in lines:
        in_list = line.startswith("- ") or line[:3].rstrip(" ").rstrip(".").isdigit()
        if in_list and out and out[-1] == "" and len(out) > 1 and out[-2].startswith(("- ", *"123456789")):
            out.pop()
        out += [line, ""]
    return out


def _table(rows: tuple[tuple[str, ...], ...]) -> list[str]:
    if not rows:
        return []
    cells = [[cell.replace("\n", "<br>") or " " for cell in row] for row in rows]
    return [
        *(f"| {' | '.join(row)} |" for row in cells[:1]),
        "|" + "---|" * len(cells[0]),
        *(f"| {' | '.join(row)} |" for row in cells[1:]),
        "",
    ]


def _flow(lang: Lang) -> list[str]:
    """Return the points of the core flow and their successors."""
    rows = [("段階", "次") if lang == "ja" else ("point", "then")]
    for point in handbook.flow():
        what = f"{point_sign(point.id)} {point.text.in_lang(lang).removeprefix('[6] ')}"
        steps = [(edge.label.in_lang(lang), point_sign(edge.to)) for edge in point.edges]
        rows.append((what, "<br>".join(f"{label} → {to}" if label else f"→ {to}" for label, to in steps)))
    return _table(tuple(rows))


# -- docs/rulings ------------------------------------------------------------------------------------------------------


def _rulings(found: dict[str, Path]) -> dict[Path, str]:
    out: dict[Path, str] = {}
    index = ["# Rulings / 裁定", "", GENERATED[1], "", NOTICE, "", *INTRODUCTION, ""]
    for lang in LANGUAGES:
        index += [f"## {'日本語' if lang == 'ja' else 'English'}", ""]
        by_id = {page.id: page for page in pages(lang) if page.kind == "ruling"}
        for chapter in rulings.chapters():
            path = RULINGS / lang / f"{chapter.id}.md"
            lines = [f"# {chapter.title.in_lang(lang)}", "", GENERATED[0 if lang == "ja" else 1], "", NOTICE, ""]
            for ruling in chapter.rulings:
                lines += _ruling(by_id[ruling.id], ruling, lang, found)
            out[path] = "\n".join(lines).rstrip() + "\n"
            first, last = chapter.rulings[0].id, chapter.rulings[-1].id
            index.append(f"- [{chapter.title.in_lang(lang)}]({path.relative_to(RULINGS).as_posix()}) ({first}–{last})")
        index.append("")
    out[RULINGS / "README.md"] = "\n".join(index).rstrip() + "\n"
    return out


INTRODUCTION = (
    "Every reading of the rules has a number. R-01…R-225 settle what the sources say, leave open or contradict; from",
    "R-301 on they settle what a program must decide and a table of people need not. Each says where it comes from,",
    "what of it is our own reading and why, and which scenarios (tests/scenarios) prove it. The wording is ours.",
    "",
    "ルールの読み方には番号があります。R-01〜R-225 は資料にあること、書かれていないこと、食い違うことを定め、",
    "R-301 からはプログラムとして決める必要のあることを定めます。それぞれに、出典、私たちの読みとその理由、",
    "それを確かめるシナリオを示します。文章はすべて私たちのものです。",
)


def _ruling(page: Page, ruling: rulings.Ruling, lang: Lang, found: dict[str, Path]) -> list[str]:
    lines = [f'<a id="{page.id}"></a>', "", f"## {page.id} {page.title}", ""]
    lines += [_linked(line, lang, page.id) for line in _prose(page.prose)]
    for label, text in page.facts:
        if label == phrase("proof", lang) and ruling.proof:
            text = ", ".join(_scenario_link(proof, found) for proof in ruling.proof)
        lines.append(f"- **{label}** {_linked(text, lang, page.id) if label == phrase('ours', lang) else text}")
    search_words = [word for word in ruling.words.split() if word.isascii() == (lang == "en")]
    if search_words:  # only for the search of the site
        lines += ["", f"<p hidden>{html.escape(' '.join(search_words))}</p>"]
    return [*lines, ""]


def _scenario_link(proof: rulings.Proof, found: dict[str, Path]) -> str:
    link = f"[{proof.scenario}](../../../{found[proof.scenario].as_posix()})"
    return f"{link} ({proof.variant})" if proof.variant else link


def _linked(text: str, lang: Lang, own: str) -> str:
    return CITED.sub(lambda match: match[0] if match[0] == own else _link(match[0], lang, ".."), text)


def _link(id: str, lang: Lang, folder: str) -> str:
    ruling = rulings.rulings()[id]
    return f"[{id}]({folder}/{lang}/{ruling.chapter}.md#{id})"


def _scenario_files(folder: Path) -> dict[str, Path]:
    """Return the scenario files by id, relative to the repository."""
    out: dict[str, Path] = {}
    for path in sorted(folder.rglob("*.toml")):
        out[read_scenario(path.read_text(encoding="utf-8")).id] = SCENARIOS / path.relative_to(folder)
    return out


# -- comparing and writing ---------------------------------------------------------------------------------------------


def outdated(root: Path, wanted: dict[Path, str]) -> list[str]:
    """Return files that are missing, outdated or left over."""
    found = {path.relative_to(root) for folder in (RULES, RULINGS) for path in (root / folder).rglob("*.md")}
    bad = [path for path, text in wanted.items() if not _same(root / path, text)]
    return sorted(path.as_posix() for path in {*bad, *(found - set(wanted))})


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def write(root: Path, wanted: dict[Path, str]) -> int:
    """Write outdated files and remove left-over ones; return the number of files."""
    for name in outdated(root, wanted):
        path = root / name
        if Path(name) in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[Path(name)], encoding="utf-8")
        else:
            path.unlink()
    return len(wanted)


def main() -> int:
    root = Path()
    if not RULES.parent.is_dir() or not SCENARIOS.is_dir():
        print("blackpoker: run this in the repository: there are no folders docs and tests/scenarios", file=sys.stderr)
        return 2
    print(f"wrote {write(root, files(root))} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
