"""``python -m tests.source_checks``, part of ``make check``: vocabulary, prose and dead code of the source.

- names of modules, classes and functions outside ``engine/``, ``definitions/`` and ``content/`` consist of the words of
  ``tests/vocabulary.txt``, and no name contains one of its forbidden words: a new word is added there by hand;
- comments and docstrings are plain (``LIMITS``, per 1,000 words), and so are the English documents, command line texts
  and dictionaries (``STYLE``, sentence by sentence);
- at most 8 ``type: ignore``;
- no unused code (vulture, over source, tests and benchmarks), and no page text that is never shown.

Complexity and length are printed as a trend and never fail.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from statistics import mean, quantiles
from typing import NamedTuple

from radon.complexity import cc_visit
from vulture.core import Vulture

from blackpoker.cli.commands import COMMANDS
from tests.git_files import known_to_git

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "blackpoker"
USERS = ("tests", "tools", "benchmarks", "training", "setup.py", "web/build.py")
MOST_IGNORES = 8
#: confidence from which vulture's results are useful; the names below are used only at run time
MIN_CONFIDENCE = 60
#: methods called by libraries and names required by an interface: they are not used in our source
CALLED_BY_OTHERS = re.compile(
    r"^(__\w+__|memo|visit_\w+|on_broken_pipe|revision|down_revision|branch_labels|depends_on|upgrade|downgrade|find_spec"
    r"|invalidate_caches|should_exit|force_exit|f_trace_opcodes"
    r"|value_[A-Z]\w+|write_[A-Z]\w+"  # of the translator, called by the name of the node they translate
    r"|make_py_observer|_legal_actions|_apply_action|_action_to_string|string_from"  # OpenSpiel
    r"|action_masks|possible_agents|_skip_agent_selection"  # MaskablePPO, PettingZoo
    r"|_repr_html_"  # notebooks
    r"|illegal|no_chance"  # lines of scenarios, looked up by name
    r"|HEARTS|DIAMONDS|CLUBS)$"  # suits: the code uses only some of them
)

#: folders with names from the rulebook and the engine's own terms
OWN_TERMS = ("engine/", "definitions/", "content/")
VOCABULARY = ROOT / "tests" / "vocabulary.txt"


class Limit(NamedTuple):
    """A limit of the prose: hits of ``pattern`` per 1,000 words, at most or at least."""

    name: str
    pattern: re.Pattern[str]
    most: float
    least: float = 0.0


LIMITS = (
    Limit(
        "speech verbs",
        re.compile(r"\b(says?|said|saying|tells?|told|telling|hears?|heard|hearing|speaks?|spoken?|speaking)\b", re.I),
        1.0,
    ),
    Limit("he/him/his", re.compile(r"\b(he|him|his)\b", re.I), 0.0),
    Limit(
        "somebody/nobody/whoever/whom",
        re.compile(r"\b(somebody|nobody|everybody|anybody|whoever|whom|whose)\b", re.I),
        0.5,
    ),
    Limit("returns/raises", re.compile(r"\b(returns?|raises?|yields?)\b", re.I), 1000.0, least=4.0),
)
#: share of comments that begin with a question word
FRAGMENT = re.compile(r"(What|Whether|Who|Whom|Whose|Which|How|Where|When|Why)\b")
MOST_FRAGMENTS = 0.02
#: trees of measured prose, each on its own
PROSE = ("src", "web/src", "tests", "tools", "benchmarks", "training", "examples")


def sources() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if "static" not in path.parts)


def page_files() -> list[Path]:
    """Return the page's own files, without those generated from the messages."""
    found = (path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".svelte", ".css"))
    return sorted(path for path in found if path.name != "protocol.ts")


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# -- trend ---------------------------------------------------------------------------------------------------------------


def print_trend() -> None:
    """Print mean, 90th percentile and maximum of complexity and length; a rise is a reason to look, not a failure."""
    complexities: list[tuple[int, str]] = []
    for path in sources():
        for block in cc_visit(path.read_text(encoding="utf-8")):
            if type(block).__name__ == "Function":  # a class is the sum of its methods, which follow it
                complexities += [(each.complexity, f"{place(path)}: {each.name}") for each in (block, *block.closures)]
    print_figures("complexity of functions", complexities)
    tests = sorted((ROOT / "tests").rglob("*.py"))
    for name, paths in (
        ("lines of source files", sources()),
        ("of test files", tests),
        ("of page files", page_files()),
    ):
        # a component is counted without its style sheet
        texts = ((path, path.read_text(encoding="utf-8").partition("\n<style>")[0]) for path in paths)
        print_figures(name, [(text.count("\n"), place(path)) for path, text in texts])


def print_figures(name: str, figures: list[tuple[int, str]]) -> None:
    values = [value for value, _ in figures]
    most, where = max(figures)
    print(f"  {name}: mean {mean(values):.1f}, 90 % ≤ {quantiles(values, n=10)[-1]:.0f}, largest {most} ({where})")


# -- vocabulary ----------------------------------------------------------------------------------------------------------


@cache
def vocabulary() -> tuple[frozenset[str], frozenset[str]]:
    """Return the allowed and the forbidden words of ``tests/vocabulary.txt``."""
    found: dict[str, set[str]] = {"allowed": set(), "forbidden": set()}
    section = ""
    for line in VOCABULARY.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif section and not line.startswith("#"):
            found[section].update(line.split())
    return frozenset(found["allowed"]), frozenset(found["forbidden"])


def words_of(name: str) -> list[str]:
    """Return the words of an identifier in lower case: ``PlayerView`` and ``player_view`` are player, view."""
    parts = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)).lower()
    return [word for word in re.split(r"[_\d]+", parts) if word]


def stems_of(word: str) -> Iterator[str]:
    """Yield the word, and its forms without an ending: ``matches`` → ``match``, ``stored`` → ``store``."""
    yield word
    for ending, instead in (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("d", ""), ("ing", ""), ("ing", "e")):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            yield word[: -len(ending)] + instead


def names_of(path: Path) -> Iterator[str]:
    """Yield the names of a module, its classes and its functions."""
    yield path.stem
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def unknown_words() -> Iterator[str]:
    """Yield the names with a forbidden word, and those with a word that is not in the vocabulary."""
    allowed, forbidden = vocabulary()
    for path in sources():
        if path.relative_to(SOURCE).as_posix().startswith(OWN_TERMS):
            continue
        for name in names_of(path):
            words = [] if name.startswith("__") else words_of(name)
            if wrong := [word for word in words if not forbidden.isdisjoint(stems_of(word))]:
                yield f"{place(path)}: {name} contains the forbidden word {wrong[0]}"
            elif new := [word for word in words if allowed.isdisjoint(stems_of(word))]:
                yield f"{place(path)}: {name} contains {new[0]}, which is not in tests/vocabulary.txt"


def print_unused_words() -> None:
    """Print the allowed words that no name uses any more."""
    used = {
        stem
        for path in sources()
        if not path.relative_to(SOURCE).as_posix().startswith(OWN_TERMS)
        for name in names_of(path)
        for word in words_of(name)
        for stem in stems_of(word)
    }
    if unused := sorted(vocabulary()[0] - used):
        print(f"  of tests/vocabulary.txt no name uses: {' '.join(unused)}")


# -- prose ---------------------------------------------------------------------------------------------------------------


def prose_of(path: Path) -> list[str]:
    """Return the comments and docstrings of a Python, TypeScript or Svelte file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        found = [token.string.lstrip("#: ") for token in tokens if token.type == tokenize.COMMENT]
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found += filter(None, [ast.get_docstring(node)])
        return found
    blocks = re.findall(r"/\*\*?(.*?)\*/", text, re.S) + re.findall(r"<!--(.*?)-->", text, re.S)
    lines: list[str] = re.findall(r"(?m)(?:^|\s)//\s?(.*)$", text)
    return [re.sub(r"\s*\n\s*\*?\s*", " ", block).strip() for block in blocks] + lines


def prose() -> Iterator[str]:
    """Yield the limits of ``LIMITS`` that a tree exceeds."""
    for tree in PROSE:
        files = [path for path in (ROOT / tree).rglob("*") if path.suffix in (".py", ".ts", ".svelte")]
        yield from prose_defects(tree, [piece for path in sorted(files) for piece in prose_of(path)])


def prose_defects(tree: str, pieces: list[str]) -> Iterator[str]:
    words = max(1, sum(len(piece.split()) for piece in pieces))
    figures: list[str] = []
    for limit in LIMITS:
        rate = 1000 * sum(len(limit.pattern.findall(piece)) for piece in pieces) / words
        figures.append(f"{limit.name} {rate:.1f}")
        if not limit.least <= rate <= limit.most:
            yield f"{tree}: {limit.name} ({rate:.2f} per 1,000 words, limits {limit.least} to {limit.most})"
    share = sum(bool(FRAGMENT.match(piece)) for piece in pieces) / max(1, len(pieces))
    print(f"  {tree}: {words} words; {', '.join(figures)}; question words {share:.1%}")
    if share > MOST_FRAGMENTS:
        yield f"{tree}: comments begin with a question word ({share:.1%}, limit {MOST_FRAGMENTS:.0%})"


# -- texts for readers ---------------------------------------------------------------------------------------------------


class Style(NamedTuple):
    """A pattern that no English text for readers contains, and the advice to its author."""

    advice: str
    pattern: re.Pattern[str]


STYLE = (
    Style("write “they” or name the role", re.compile(r"\b(he|him|his|she|her|hers)\b", re.I)),
    Style("write “someone” or name the role", re.compile(r"\b(somebody|whoever|whosoever|whomever)\b", re.I)),
    Style(
        "begin the sentence with its subject, not with what or who",
        re.compile(r"(?:^|(?<=[.:;!?|] ))(?:What|Who) [^?.!|]*[.!](?=\s|$)"),
    ),
    Style("split the sentence", re.compile(r"(?:^|(?<=[.:;!?|] ))(?:[^\s.:;!?|]+ ){60}")),
)
#: parts of a document that are not prose: code, comments, targets of links
NOT_PROSE = re.compile(r"```.*?```|<!--.*?-->|`[^`]*`|\]\([^)]*\)", re.S)
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def paragraphs_of(text: str) -> list[str]:
    """Return the paragraphs of a document, each on one line, without code."""
    blocks = re.split(r"\n\s*\n|\n(?=[-|] |\d+\. )", NOT_PROSE.sub("", text))
    return [" ".join(line.strip() for line in block.splitlines()) for block in blocks]


def english_leaves(data: object, name: str = "en") -> Iterator[str]:
    """Yield the English texts of a dictionary: values of keys that end with ``en``."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from english_leaves(value, key)
    elif isinstance(data, list):
        for value in data:
            yield from english_leaves(value, name)
    elif isinstance(data, str) and name.endswith("en") and not JAPANESE.search(data):
        yield from paragraphs_of(data)


def reader_texts() -> Iterator[tuple[str, str]]:
    """Yield place and text of every English document, command line text and dictionary."""
    for name in sorted(name for name in known_to_git() if name.endswith(".md") and not name.endswith(".ja.md")):
        yield from ((name, text) for text in paragraphs_of((ROOT / name).read_text(encoding="utf-8")))
    for path in sorted((ROOT / "web" / "src" / "i18n" / "en").glob("*.json")):
        for key, text in json.loads(path.read_text(encoding="utf-8")).items():
            yield f"{place(path)}: {key}", text
    for folder in ("text", "learn", "players"):
        for path in sorted((SOURCE / folder).rglob("*.toml")):
            if "questions" not in path.parts and "terms" not in path.parts:  # words of players, forbidden words
                for text in english_leaves(tomllib.loads(path.read_text(encoding="utf-8"))):
                    yield place(path), text
    for name, command in COMMANDS.items():
        for pair in (command.help, *(parameter.help for parameter in command.parameters)):
            yield f"blackpoker {name}", pair[1]


def style_defects(where: str, text: str) -> Iterator[str]:
    for style in STYLE:
        if found := style.pattern.search(text):
            yield f"{where}: {style.advice}: {found[0][:90]}"


def reader_prose() -> Iterator[str]:
    """Yield the texts for readers that are not plain."""
    texts = list(reader_texts())
    print(f"  {len(texts)} texts, {sum(len(text.split()) for _, text in texts)} words")
    for where, text in texts:
        yield from style_defects(where, text)


# -- the rest ------------------------------------------------------------------------------------------------------------


def ignores() -> Iterator[str]:
    found = [
        f"{place(path)}:{number}"
        for path in sources()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"#\s*type:\s*ignore", line)
    ]
    print(f"  {len(found)} type: ignore")
    if len(found) > MOST_IGNORES:
        yield f"{len(found)} type: ignore, more than {MOST_IGNORES}: {', '.join(found)}"


def unused_code() -> Iterator[str]:
    # The page reads the fields of messages; the command table names functions.
    texts = [
        *(ROOT / "web" / "src").rglob("*.ts"),
        *(ROOT / "web" / "src").rglob("*.svelte"),
        SOURCE / "cli" / "commands.py",
    ]
    elsewhere = {word for path in texts for word in re.findall(r"\w+", path.read_text(encoding="utf-8"))}
    finder = Vulture()
    finder.scavenge([str(SOURCE), *(str(ROOT / name) for name in USERS if (ROOT / name).exists())])
    for item in finder.get_unused_code(min_confidence=MIN_CONFIDENCE):
        path = Path(item.filename)
        if path.is_relative_to(SOURCE) and not CALLED_BY_OTHERS.match(item.name) and item.name not in elsewhere:
            yield f"{place(path)}: unused {item.typ} {item.name}"


#: the literal start of a text name that is composed with a value, as in ``t(`mode_${mode}`)``
PAGE_BEGINNING = re.compile(r"`((?:[a-z_]+\.)?(?:[a-z_]+_)?)\$\{")


def unused_page_texts() -> Iterator[str]:
    """Yield texts of web/src/i18n that the page never shows. A screen's own text is named ``<catalogue>.<key>``."""
    rest = "\n".join(path.read_text(encoding="utf-8") for path in page_files() if path.suffix != ".css")
    named = set(re.findall(r"[\"'`]([\w.-]+)[\"'`]", rest))
    prefixes = tuple(beginning for beginning in PAGE_BEGINNING.findall(rest) if beginning)
    for path in sorted((ROOT / "web" / "src" / "i18n").rglob("*.json")):
        prefix = "" if path.stem == "shared" else f"{path.stem}."
        for name in json.loads(path.read_text(encoding="utf-8")):
            if prefix + name not in named and not (prefix + name).startswith(prefixes):
                yield f"{place(path)}: the page never shows {name}"


CHECKS = (unknown_words, prose, reader_prose, ignores, unused_code, unused_page_texts)


def main() -> int:
    print("· trend of complexity and length")
    print_trend()
    print_unused_words()
    found: list[str] = []
    for check in CHECKS:
        print(f"· {check.__name__.replace('_', ' ')}", flush=True)
        found += check()
    for offence in found:
        print(f"WRONG {offence}")
    print(f"{len(found)} offences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
