"""``python -m blackpoker.cli.docs``, part of ``make docs``: write docs/rules/ and docs/rulings/.

The pages are not in the repository. The sources are the definitions, the rulebook's texts and tests/scenarios.
"""

from __future__ import annotations

import html
import sys
from pathlib import Path

from blackpoker.cli.console import NOTICE
from blackpoker.ruleset import Edition, editions
from blackpoker.ruleset.reference import CITED, pages, point_sign
from blackpoker.scenario.scenario import read_scenario
from blackpoker.text import handbook, rulings
from blackpoker.text.resources import FIRST_EDITION, LANGUAGES, Lang
from blackpoker.text.rulebook import Page, phrase

RULES = Path("docs", "rules")
RULINGS = Path("docs", "rulings")
SCENARIOS = Path("tests", "scenarios")

LISTS = {"actions": ("action",), "characters": ("character",), "trumps": ("trump",), "fogs": ("fog",)}
REGULATIONS = ("format", "frame", "option")
TITLES = {
    "actions": ("アクション", "Actions"),
    "characters": ("キャラクター", "Characters"),
    "trumps": ("切札", "Trumps"),
    "fogs": ("フォグ", "Fogs"),
    "regulations": ("レギュレーション", "Regulations"),
    "rulings": ("裁定", "Rulings"),
}
GENERATED = (
    "ルールのデータから作られたファイルです。直さずに `python -m blackpoker.cli.docs` で作り直してください。",
    "Generated from the rulebook's data: do not edit, run `python -m blackpoker.cli.docs`.",
)


def files(root: Path) -> dict[Path, str]:
    """Return every generated file with its text."""
    out: dict[Path, str] = {}
    scenarios = _scenario_files(root / SCENARIOS)
    for edition in editions().values():
        out |= {**_rules(edition), **_rulings(edition, scenarios)}
    return out


def _folder(name: Path, edition: Edition) -> Path:
    """Return the folder of an edition: that of the first one holds those of the others."""
    return name if edition.id == FIRST_EDITION else name / edition.id


# -- docs/rules --------------------------------------------------------------------------------------------------------


def _rules(edition: Edition) -> dict[Path, str]:
    out: dict[Path, str] = {}
    folder = _folder(RULES, edition)
    up = ".." if edition.id == FIRST_EDITION else "../.."
    index = ["# Rules / ルール", "", GENERATED[1], "", NOTICE, ""]
    for which, lang in enumerate(LANGUAGES):
        for chapter in handbook.chapters(edition.id):
            chosen = [
                page for page in pages(lang, edition) if page.id.startswith(f"{chapter.id}.") and page.kind == "section"
            ]
            if chapter.id == "regulations":
                chosen += [page for page in pages(lang, edition) if page.kind in REGULATIONS]
            path = folder / lang / f"{chapter.id}.md"
            out[path] = _file(chapter.title.in_lang(lang), chosen, lang, edition)
            index.append(f"- [{chapter.title.in_lang(lang)}]({path.relative_to(folder).as_posix()})")
        for name, kinds in LISTS.items():
            chosen = [page for page in pages(lang, edition) if page.kind in kinds]
            if not chosen:
                continue  # an edition without fogs
            path = folder / lang / f"{name}.md"
            out[path] = _file(TITLES[name][which], chosen, lang, edition)
            index.append(f"- [{TITLES[name][which]}]({path.relative_to(folder).as_posix()}) ({len(chosen)})")
        index.append(
            f"- [{TITLES['rulings'][which]}]({up}/{rulings_index(edition)}) ({len(rulings.rulings(edition.id))})"
        )
    out[folder / "README.md"] = "\n".join(index) + "\n"
    return out


def rulings_index(edition: Edition) -> str:
    """Return the index of the rulings of an edition, from the folder ``docs``."""
    return (_folder(RULINGS, edition) / "README.md").relative_to(RULINGS.parent).as_posix()


def _file(title: str, chosen: list[Page], lang: Lang, edition: Edition) -> str:
    lines = [f"# {title}", "", GENERATED[0 if lang == "ja" else 1], "", NOTICE, ""]
    groups = list(dict.fromkeys(page.group for page in chosen))
    for group in groups:
        if len(groups) > 1:
            lines += [f"## {group}", ""]
        for page in chosen:
            if page.group == group:
                lines += _entry(page, lang, "###" if len(groups) > 1 else "##", edition)
    return "\n".join(lines).rstrip() + "\n"


def page_file(title: str, chosen: list[Page], lang: Lang, edition: str) -> str:
    """Return a self-contained file of pages, as for local rules: rulings are named, not linked."""
    lines = [f"# {title}", "", edition, "", NOTICE, ""]
    for page in chosen:
        lines += _entry(page, lang, "##", None)
    return "\n".join(lines).rstrip() + "\n"


def _entry(page: Page, lang: Lang, heading: str, edition: Edition | None) -> list[str]:
    """Return the lines of a page; its rulings are links to the files of that edition, if one is given."""
    if page.kind == "section":
        lines = [f"{heading} {page.title}", "", *_prose(page.prose)]
        lines += _flow(lang, edition) if page.id == "core.flow" and edition is not None else []
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
        up = (
            ""
            if edition is None
            else "../../rulings"
            if edition.id == FIRST_EDITION
            else f"../../../rulings/{edition.id}"
        )
        links = ", ".join(id if edition is None else _link(id, lang, up, edition) for id in page.rulings)
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


def _flow(lang: Lang, edition: Edition) -> list[str]:
    """Return the points of the core flow and their successors."""
    rows = [("段階", "次") if lang == "ja" else ("point", "then")]
    for point in handbook.flow(edition.id):
        what = f"{point_sign(point.id)} {point.text.in_lang(lang).removeprefix('[6] ')}"
        steps = [(edge.label.in_lang(lang), point_sign(edge.to)) for edge in point.edges]
        rows.append((what, "<br>".join(f"{label} → {to}" if label else f"→ {to}" for label, to in steps)))
    return _table(tuple(rows))


# -- docs/rulings ------------------------------------------------------------------------------------------------------


def _rulings(edition: Edition, found: dict[str, Path]) -> dict[Path, str]:
    out: dict[Path, str] = {}
    folder = _folder(RULINGS, edition)
    index = ["# Rulings / 裁定", "", GENERATED[1], "", NOTICE, "", *INTRODUCTION[edition.id], ""]
    for lang in LANGUAGES:
        index += [f"## {'日本語' if lang == 'ja' else 'English'}", ""]
        by_id = {page.id: page for page in pages(lang, edition) if page.kind == "ruling"}
        for chapter in rulings.chapters(edition.id):
            path = folder / lang / f"{chapter.id}.md"
            lines = [f"# {chapter.title.in_lang(lang)}", "", GENERATED[0 if lang == "ja" else 1], "", NOTICE, ""]
            for ruling in chapter.rulings:
                lines += _ruling(by_id[ruling.id], ruling, lang, edition, found)
            out[path] = "\n".join(lines).rstrip() + "\n"
            first, last = chapter.rulings[0].id, chapter.rulings[-1].id
            index.append(f"- [{chapter.title.in_lang(lang)}]({path.relative_to(folder).as_posix()}) ({first}–{last})")
        index.append("")
    out[folder / "README.md"] = "\n".join(index).rstrip() + "\n"
    return out


SIXTH = (
    "Every reading of the rules has a number. R-01…R-225 settle what the sources say, leave open or contradict; from",
    "R-301 on they settle what a program must decide and a table of people need not. Each says where it comes from,",
    "what of it is our own reading and why, and which scenarios (tests/scenarios) prove it. The wording is ours.",
    "",
    "ルールの読み方には番号があります。R-01〜R-225 は資料にあること、書かれていないこと、食い違うことを定め、",
    "R-301 からはプログラムとして決める必要のあることを定めます。それぞれに、出典、私たちの読みとその理由、",
    "それを確かめるシナリオを示します。文章はすべて私たちのものです。",
)
NINTH = (
    "The rulings of edition 9 have the letter N: N-001…N-140 the course of a game, N-201…N-299 its 98 actions,",
    "N-301…N-370 characters, fogs, trumps and matches, from N-401 on what the sources leave open. What edition 9",
    "takes over unchanged keeps its R-number of edition 6. The wording is ours.",
    "",
    "第九版の裁定の番号は N で始まります。N-001〜N-140 はゲームの進み方、N-201〜N-299 は98のアクション、",
    "N-301〜N-370 はキャラクター・フォグ・切札・対戦、N-401 からは資料に決まりのないことです。第六版から変わらない",
    "決まりは R の番号のままです。文章はすべて私たちのものです。",
)
#: the meaning of the numbers of an edition's rulings
INTRODUCTION = {"6": SIXTH, "9": NINTH}


def _ruling(page: Page, ruling: rulings.Ruling, lang: Lang, edition: Edition, found: dict[str, Path]) -> list[str]:
    lines = [f'<a id="{page.id}"></a>', "", f"## {page.id} {page.title}", ""]
    lines += [_linked(line, lang, page.id, edition) for line in _prose(page.prose)]
    for label, text in page.facts:
        if label == phrase("proof", lang) and ruling.proof:
            text = ", ".join(_scenario_link(proof, found, edition) for proof in ruling.proof)
        lines.append(
            f"- **{label}** {_linked(text, lang, page.id, edition) if label == phrase('ours', lang) else text}"
        )
    search_words = [word for word in ruling.words.split() if word.isascii() == (lang == "en")]
    if search_words:  # only for the search of the site
        lines += ["", f"<p hidden>{html.escape(' '.join(search_words))}</p>"]
    return [*lines, ""]


def _scenario_link(proof: rulings.Proof, found: dict[str, Path], edition: Edition) -> str:
    up = "../../.." if edition.id == FIRST_EDITION else "../../../.."
    link = f"[{proof.scenario}]({up}/{found[proof.scenario].as_posix()})"
    return f"{link} ({proof.variant})" if proof.variant else link


def _linked(text: str, lang: Lang, own: str, edition: Edition) -> str:
    return CITED.sub(lambda match: match[0] if match[0] == own else _link(match[0], lang, "..", edition), text)


def _link(id: str, lang: Lang, folder: str, edition: Edition) -> str:
    ruling = rulings.rulings(edition.id)[id]
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
