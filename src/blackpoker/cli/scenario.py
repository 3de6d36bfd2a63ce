"""``blackpoker scenario``: run scenario files and report the results."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from blackpoker.cli.console import UsageError, load_edition, read_text
from blackpoker.errors import BlackPokerError
from blackpoker.ruleset import Edition
from blackpoker.scenario.scenario import VariantResult, read_scenario, run_scenario

PLAYERS = ("p1", "p2")
NO_SCENARIOS = ("{0} にシナリオファイルがありません", "there are no scenario files in {0}")
NO_FILE = ("{0} というファイルはありません", "there is no file {0}")


def files_of(paths: Iterable[str | Path]) -> list[Path]:
    """Return the files themselves, and the scenario files in folders."""
    out: list[Path] = []
    for path in map(Path, paths):
        out += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return out


def run_file(path: Path, edition: Edition | None = None) -> list[VariantResult]:
    """Return the results of one file; an unreadable file is one failed result."""
    try:
        return run_scenario(read_scenario(read_text(path, "en")), edition)
    except UsageError as problem:
        return [VariantResult(path.name, "", error=problem.text("en"))]
    except BlackPokerError as error:
        return [VariantResult(path.name, "", error=error.en)]


def scenario(files: list[Path], packages: list[Path] | None, lang: str | None) -> int:
    """Run scenario files; return exit code 1 if one fails."""
    for file in files:
        if not file.exists():
            raise UsageError(NO_FILE, file)
    if not files_of(files):
        raise UsageError(NO_SCENARIOS, ", ".join(map(str, files)))
    return run(files, edition=load_edition(packages) if packages else None)


def run(
    paths: Iterable[str | Path], out: TextIO | None = None, quiet: bool = False, edition: Edition | None = None
) -> int:
    """Run the files, or all ``.toml`` files of folders. Return 0 if everything holds, 1 if not, 2 if there are no
    files."""
    stream = out if out is not None else sys.stdout
    files = files_of(paths)
    if not files:
        print("no scenario files", file=stream)
        return 2
    passed = failed = 0
    for path in files:
        results = run_file(path, edition)
        bad = [result for result in results if not result.ok]
        passed += len(results) - len(bad)
        failed += len(bad)
        if bad or not quiet:
            count = f"{len(results)} variant{'s' if len(results) != 1 else ''}"
            print(f"{'FAIL' if bad else 'ok  '}  {path}  ({count})", file=stream)
        for result in bad:
            name = f"[{result.variant}] " if result.variant else ""
            where = f"line {result.line}: {result.text}" if result.line else result.text
            print(f"        {name}{where}\n        → {result.error}", file=stream)
    print(f"{passed} held, {failed} failed, {len(files)} files", file=stream)
    return 1 if failed else 0
