"""Hooks of MkDocs for the site (mkdocs.yml): pages made from other files, folders of the navigation, and links that
lead out of docs/, which become plain names there."""

from __future__ import annotations

import ast
import csv
import io
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
#: files beside docs/ that are pages of the site
PAGES = {
    "index.md": "README.md",
    "index.ja.md": "README.ja.md",
    "changelog.md": "CHANGELOG.md",
    "contributing.md": "CONTRIBUTING.md",
    "security.md": "SECURITY.md",
}
#: pages about everything, listed after those that answer
LATER = ("architecture.md", "changelog.md", "contributing.md", "reference.md")
LINK = re.compile(r"(!?)\[((?:[^\]\[]|\[[^\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")


def on_config(config: Any) -> Any:
    """Replace a folder in the navigation by its pages, in their order."""

    def filled(entry: Any) -> list[Any]:
        if isinstance(entry, dict):
            ((title, inside),) = entry.items()
            return [{title: [page for part in inside for page in filled(part)] if isinstance(inside, list) else inside}]
        folder = ROOT / "docs" / str(entry)
        if folder.is_dir():
            return [f"{entry}/{path.name}" for path in sorted(folder.glob("*.md"))]
        return [entry]

    config["nav"] = [made for entry in config["nav"] for made in filled(entry)]
    return config


def on_files(files: Files, config: Any) -> Files:
    for name, source in PAGES.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text(encoding="utf-8")))
    files.append(File.generated(config, "reference.md", content=reference()))
    for name, picture in plots().items():
        files.append(File.generated(config, name, content=picture))
    return files


def reference() -> str:
    """Return the page of all public names, with what mkdocstrings finds at their homes."""
    source = (ROOT / "src" / "blackpoker" / "__init__.py").read_text(encoding="utf-8")
    homes: dict[str, str] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "_HOMES":
            homes = ast.literal_eval(node.value)
    assert homes, "the façade says where its names live"
    names = "\n".join(f"::: {homes[name]}.{name}\n" for name in sorted(homes))
    about = "Every name of `import blackpoker`. How it is used: [the Python interface](guide/api.md)."
    return f"# API reference\n\n{about}\n\n{names}"


# -- plots of the balance ----------------------------------------------------------------------------------------------


PLOTS = """
## Plots

The first player, by regulation:

![first player](regulations.svg)

The holder of a trump:

![trumps](trumps.svg)
"""


def plots() -> dict[str, str]:
    folder = ROOT / "docs" / "balance"
    first = [
        (row["arm"], *map(float, (row["first"], row["first_low"], row["first_high"])))
        for row in rows(folder / "regulations.csv")
    ]
    trump = [
        (row["trump"], *map(float, (row["wins"], row["wins_low"], row["wins_high"])))
        for row in rows(folder / "trumps.csv")
    ]
    return {"balance/regulations.svg": intervals(first), "balance/trumps.svg": intervals(trump)}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def intervals(found: list[Any]) -> str:
    """Return shares with their intervals as a small SVG, the largest first, one line each."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    found = sorted(found, key=lambda one: one[1])
    figure = Figure(figsize=(7, 0.17 * len(found) + 0.8), layout="constrained")
    axes = figure.add_subplot()
    axes.axvline(50, color="#999", linewidth=0.8)
    values = [100 * one[1] for one in found]
    low, high = ([100 * abs(one[1] - one[at]) for one in found] for at in (2, 3))
    axes.errorbar(values, range(len(found)), xerr=[low, high], fmt="o", markersize=2.5, linewidth=1, color="#00695c")
    # a sign of a suit is in every font; Japanese is not
    axes.set_yticks(range(len(found)), [one[0] for one in found], fontsize=6)
    axes.set_ylim(-1, len(found))
    axes.set_xlabel("wins, %", fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    out = io.StringIO()
    with rc_context({"svg.fonttype": "none"}):  # letters stay letters: lighter, and found by a search in the page
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()


# -- links -------------------------------------------------------------------------------------------------------------


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Return a page with its links made to fit the site; in the files they fit the repository."""
    source = page.file.src_uri
    if source in LATER:
        page.meta["search"] = {"boost": 0.4}
    here = "" if source in PAGES else posixpath.join("docs", posixpath.dirname(source))
    above = {file: name for name, file in PAGES.items()}

    def fitted(match: re.Match[str]) -> str:
        sign, text, target, anchor = match[1], match[2], match[3], match[4] or ""
        if not target or re.match(r"[a-z]+:|/", target) or source == "reference.md":
            return match[0]
        found = posixpath.normpath(posixpath.join(here, target))
        assert (ROOT / found).exists(), f"{source}: there is no {found}"
        inside = above.get(found) or (found.removeprefix("docs/") if found.startswith("docs/") else "")
        known = inside and (files.get_file_from_path(inside) or files.get_file_from_path(f"{inside}/README.md"))
        if not known or known.inclusion.is_excluded():
            return f"{text} (`{found}`)" if text.strip("`") != found else f"`{found}`"
        return f"{sign}[{text}]({posixpath.relpath(known.src_uri, posixpath.dirname(source) or '.')}{anchor})"

    text = "".join(
        part if part.startswith("```") else LINK.sub(fitted, part)
        for part in re.split(r"(```.*?```)", markdown, flags=re.DOTALL)
    )
    if source == "balance/README.md":
        text += PLOTS
    return text
