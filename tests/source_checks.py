"""``python -m tests.source_checks``, part of ``make check``: readability limits of the source.

- no function above a cyclomatic complexity of 20, and a mean of at most 4.5;
- no class name used twice, and a module name only if both are the same thing in two places;
- none of the ambiguous verbs outside its one meaning;
- no file above 600 lines;
- at most 8 ``type: ignore``;
- no unused code (vulture, over source, tests and benchmarks), and no page text that is never shown.

KNOWN lists the remaining offenders. It may only shrink: a new offender fails, and an entry that no longer offends is
reported.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from radon.complexity import cc_visit
from vulture.core import Vulture

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "blackpoker"
USERS = ("tests", "tools", "benchmarks", "training", "setup.py", "web/build.py")
MOST_COMPLEX = 20
MOST_COMPLEX_MEAN = 4.5
MOST_LINES = 600
MOST_IGNORES = 8
#: confidence from which vulture's results are useful; the names below are used only at run time
MIN_CONFIDENCE = 60
#: methods called by libraries and names required by an interface: they are not used in our source
CALLED_BY_OTHERS = re.compile(
    r"^(__\w+__|memo|visit_\w+|on_broken_pipe|revision|down_revision|branch_labels|depends_on|upgrade|downgrade|find_spec"
    r"|invalidate_caches|capture_signals|should_exit|f_trace_opcodes"
    r"|value_[A-Z]\w+|write_[A-Z]\w+"  # of the translator, called by the name of the node they translate
    r"|make_py_observer|_legal_actions|_apply_action|_action_to_string|string_from"  # OpenSpiel
    r"|action_masks|possible_agents|_skip_agent_selection"  # MaskablePPO, PettingZoo
    r"|illegal|no_chance"  # lines of scenarios, looked up by name
    r"|HEARTS|DIAMONDS|CLUBS)$"  # suits: the code uses only some of them
)

#: a command, an endpoint and a step are named after what they open, request or do
NAMED_AFTER = ("cli/", "server/api/", "language/steps/", "content/")
#: other repeated module names: cards and their texts, errors and levels of two layers, two vector layouts, a match and
#: a sealed match, players, search in Python and in machine code
SAME_TWICE = frozenset({"cards", "errors", "layout", "levels", "match", "players", "search"})
#: verbs with one meaning and the modules that may use them
VERBS = {"say": ("notation/move_builder.py", "server/offline/bridge.py")}

KNOWN: frozenset[str] = frozenset()


def sources() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if "static" not in path.parts)


def page_files() -> list[Path]:
    """Return the page's own files, without those generated from the messages."""
    found = (path for path in (ROOT / "web" / "src").rglob("*") if path.suffix in (".ts", ".svelte", ".css"))
    return sorted(path for path in found if path.name != "protocol.ts")


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def complex_functions() -> Iterator[str]:
    """Yield the functions that are too complex, and the mean if it is too high."""
    complexities: list[int] = []
    for path in sources():
        for block in cc_visit(path.read_text(encoding="utf-8")):
            if type(block).__name__ != "Function":
                continue  # a class is the sum of its methods, which follow it
            for function in [block, *block.closures]:
                complexities.append(function.complexity)
                if function.complexity > MOST_COMPLEX:
                    name = f"{function.classname}.{function.name}" if function.classname else function.name
                    yield f"{place(path)}: {name} is too complex ({function.complexity})"
    mean = sum(complexities) / len(complexities)
    print(f"  {len(complexities)} functions, mean complexity {mean:.2f}, most {max(complexities)}")
    if mean > MOST_COMPLEX_MEAN:
        yield f"the mean complexity is {mean:.2f}, more than {MOST_COMPLEX_MEAN}"


def classes_twice() -> Iterator[str]:
    """Yield the class names that are used twice."""
    homes: dict[str, list[str]] = {}
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(place(path))
    for name, found in sorted(homes.items()):
        if len(found) > 1:
            yield f"{name} is the name of several classes ({', '.join(found)})"


def modules_twice() -> Iterator[str]:
    homes: dict[str, list[str]] = {}
    for path in sources():
        inside = path.relative_to(SOURCE).as_posix()
        if path.stem not in ("__init__", "__main__") and not inside.startswith(NAMED_AFTER):
            homes.setdefault(path.stem, []).append(inside)
    twice = {name: found for name, found in homes.items() if len(found) > 1}
    for name, found in sorted(twice.items()):
        if name not in SAME_TWICE:
            yield f"{name} is the name of several modules ({', '.join(found)})"
    for name in sorted(SAME_TWICE - set(twice)):
        yield f"{name} is no longer the name of several modules: take it out of SAME_TWICE"


def verbs() -> Iterator[str]:
    for path in sources():
        inside = path.relative_to(SOURCE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and inside not in VERBS.get(
                node.name, (inside,)
            ):
                yield f"{place(path)}: {node.name} means something else already ({VERBS[node.name]})"


def long_files() -> Iterator[str]:
    tests = sorted((ROOT / "tests").rglob("*.py"))
    for path in [*sources(), *tests, *page_files()]:
        code = path.read_text(encoding="utf-8").partition("\n<style>")[0]  # a component, without its style sheet
        lines = len(code.splitlines())
        if lines > MOST_LINES:
            yield f"{place(path)}: is too long ({lines} lines)"


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
            yield f"{place(path)}: nobody uses {item.typ} {item.name}"


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


def offenders() -> Iterator[str]:
    for check in (complex_functions, classes_twice, modules_twice, verbs, long_files, ignores, unused_code, unused_page_texts):
        print(f"· {check.__name__.replace('_', ' ')}", flush=True)
        yield from check()


def key(offence: str) -> str:
    """Return the offence without its figure, which may shrink."""
    return re.sub(r" \([^)]*\)$|\d+ type: ignore.*|\d\.\d\d,.*", "", offence)


def main() -> int:
    found = {key(offence): offence for offence in offenders()}
    new = [offence for name, offence in found.items() if name not in KNOWN]
    resolved = sorted(KNOWN - set(found))
    for offence in new:
        print(f"NEW   {offence}")
    for name in resolved:
        print(f"GONE  {name}: take it out of KNOWN in tests/source_checks.py")
    left = len(found) - len(new)
    print(f"{len(new)} new offenders" + (f", {left} known ones left" if left else ""))
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
