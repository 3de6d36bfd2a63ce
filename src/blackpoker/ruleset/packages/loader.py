"""Loading a package: ``rules.toml`` (its metadata), ``rules.py`` (run to make the edition, with the line of an error), and
the checks that the edition can be played."""

from __future__ import annotations

import ast
import difflib
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any, Final

from blackpoker.definitions.compiler import DefinitionError
from blackpoker.definitions.literals import cards
from blackpoker.definitions.model import Format
from blackpoker.engine.cards import NAMES, members
from blackpoker.ruleset.edition import NAME_SEPARATOR, Edition, Package, standard_edition
from blackpoker.ruleset.packages.validation import Change, PackageError, changes_between, first_defect, stale_texts
from blackpoker.ruleset.regulation import all_regulations

MANIFEST: Final = "rules.toml"
#: the meaning of each key
KEYS: Final = {
    "id": "a short name such as 'house'",
    "version": "such as '1.0'",
    "ja": "the name in Japanese",
    "en": "the name in English",
    "text_ja": "one line in Japanese on what it changes",
    "text_en": "one line in English on what it changes",
    "base": "the edition it stands on, or the id of the package",
    "authors": "a list of names",
    "licence": "such as 'CC0-1.0'",
}
OPTIONAL_KEYS: Final = ("authors", "licence")
MAX_TEXT: Final = 200
_ID: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_VERSION: Final = re.compile(r"[0-9A-Za-z.]{1,20}")
_TOML_LINE: Final = re.compile(r"line (\d+)")
SOURCE: Final = "rules.py"
#: limit for the instructions of a package; the worked example needs two thousand
MAX_INSTRUCTIONS: Final = 3_000_000
_BASE: ContextVar[Edition] = ContextVar("base")
_QUOTED: Final = re.compile(r"'([^']+)'")


# -- rules.toml --------------------------------------------------------------------------------------------------------


def read_manifest(folder: Path) -> Package:
    """Return the package of a folder; raise `PackageError` if its manifest is invalid."""
    file = folder / MANIFEST
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _missing(folder) from None
    except (OSError, ValueError):
        raise PackageError(file, 1, "cannot be read as text (UTF-8)", "テキスト（UTF-8）として読めません") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _TOML_LINE.search(str(error))
        line = int(found[1]) if found else len(text.splitlines())
        raise PackageError(file, line, f"not TOML: {error}", f"TOMLとして読めません（{error}）") from None
    return _ManifestReader(file, text, data).package()


def _missing(folder: Path) -> PackageError:
    if not folder.is_dir():
        return PackageError(
            folder, 1, "there is no such folder; a package is a folder", "そのようなフォルダーはありません"
        )
    return PackageError(
        folder / MANIFEST,
        1,
        "is missing; `blackpoker rules new` makes one",
        "ありません（blackpoker rules new で作れます）",
    )


class _ManifestReader:
    def __init__(self, file: Path, text: str, data: dict[str, Any]) -> None:
        self.file = file
        self.lines = text.splitlines()
        self.data = data

    def error(self, key: str, en: str, ja: str) -> PackageError:
        line = next((n for n, line in enumerate(self.lines, 1) if line.split("=")[0].strip().strip('"') == key), 1)
        return PackageError(self.file, line, en, ja)

    def package(self) -> Package:
        for key in self.data:
            if key not in KEYS:
                known = ", ".join(KEYS)
                raise self.error(
                    key, f"{key!r} is unknown; known are {known}", f"「{key}」は知らない項目です（{known}）"
                )
        texts = {key: self.one_line(key) for key in KEYS if key != "authors"}
        if not _ID.fullmatch(texts["id"]):
            raise self.error(
                "id",
                f"{texts['id']!r} is no id; one is made of a-z, 0-9, _ and -, and begins with a letter",
                f"「{texts['id']}」はIDになりません（a-z、0-9、_、- を使い、文字で始める）",
            )
        if not _VERSION.fullmatch(texts["version"]):
            raise self.error(
                "version",
                f"{texts['version']!r} is no version; one is such as '1.0'",
                "バージョンは 1.0 のように書きます",
            )
        return Package(**texts, authors=self.authors())

    def one_line(self, key: str) -> str:
        value = self.data.get(key)
        if value is None and key in OPTIONAL_KEYS:
            return ""
        if value is None:
            raise self.error(key, f"{key} is missing: {KEYS[key]}", f"{key} がありません")
        if not isinstance(value, str) or not value.strip() or "\n" in value.strip() or len(value) > MAX_TEXT:
            raise self.error(
                key,
                f"{key} is one line of text in quotes, at most {MAX_TEXT} characters ({KEYS[key]})",
                f"{key} は引用符で囲んだ1行（{MAX_TEXT}字まで）です",
            )
        return value.strip()

    def authors(self) -> tuple[str, ...]:
        value = self.data.get("authors", [])
        if not isinstance(value, list) or not all(isinstance(name, str) and name.strip() for name in value):
            raise self.error("authors", 'authors is a list of names: ["…", "…"]', "authors は名前のリストです")
        return tuple(name.strip() for name in value)


# -- rules.py ----------------------------------------------------------------------------------------------------------


def base() -> Edition:
    """Return the base edition of the package being loaded; outside of a package the standard one."""
    return _BASE.get(standard_edition())


class _InstructionLimit(BaseException):
    """Raised when a package exceeds the instruction limit."""


class PackageSource:
    """The Python files of a package."""

    def __init__(self, folder: Path, id: str) -> None:
        self.folder = folder
        self.file: Path = folder / SOURCE
        self.module: str = f"blackpoker_package_{id.replace('-', '_')}"

    # -- running

    def run(self, edition: Edition) -> Edition:
        """Run ``rules.py`` with this base and return its ``edition``; raise `PackageError` if it fails."""
        code = self.compile_file()
        spec = spec_from_file_location(self.module, self.file, submodule_search_locations=[str(self.folder)])
        assert spec is not None
        module = module_from_spec(spec)
        token = _BASE.set(edition)
        try:
            with self.monitored(module):
                exec(code, vars(module))
        except _InstructionLimit as error:
            line = self.line_of_error(error)
            raise PackageError(
                *line, "it does not come to an end; a package only makes its edition", "終わりません（無限ループ）"
            ) from None
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also SystemExit: every error becomes one line
            raise self.as_package_error(error) from None
        finally:
            _BASE.reset(token)
        made = getattr(module, "edition", None)
        if not isinstance(made, Edition):
            raise PackageError(
                self.file,
                self.line_of_name("edition"),
                "it must make an edition: edition = base.change(…)",
                "edition = base.change(…) が必要です",
            )
        return made

    def compile_file(self) -> CodeType:
        try:
            text = self.file.read_bytes()
        except FileNotFoundError:
            raise PackageError(self.file, 1, "is missing: it makes the edition", "ありません") from None
        except OSError:
            raise PackageError(self.file, 1, "cannot be read", "読めません") from None
        try:
            return compile(text, str(self.file), "exec", dont_inherit=True)
        except SyntaxError as error:
            return self.refuse_syntax(error)
        except ValueError as error:
            raise PackageError(self.file, 1, str(error)) from None

    def refuse_syntax(self, error: SyntaxError) -> CodeType:
        file = Path(error.filename) if error.filename else self.file
        raise PackageError(file, error.lineno or 1, f"{error.msg} (Python cannot read it)", f"文法エラー：{error.msg}")

    @contextmanager
    def monitored(self, module: ModuleType) -> Iterator[None]:
        """Register the module in ``sys.modules`` while it runs, so that relative imports work (``from .x import Y``),
        and raise `_InstructionLimit` in an endless loop. Both are undone at the end."""
        left = MAX_INSTRUCTIONS

        def count(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal left
            left -= event == "opcode"
            if left < 0:
                raise _InstructionLimit
            return count

        def begin(frame: FrameType, event: str, _: Any) -> Any:
            if self.own_file(frame.f_code.co_filename) is None:
                return None
            frame.f_trace_opcodes = True  # a loop on one line causes no line events
            return count

        before, writes = sys.gettrace(), sys.dont_write_bytecode
        sys.modules[self.module] = module
        sys.dont_write_bytecode = True
        sys.settrace(begin)
        try:
            yield
        finally:
            sys.settrace(before)
            sys.dont_write_bytecode = writes
            for name in [name for name in sys.modules if name.split(".")[0] == self.module]:
                del sys.modules[name]

    # -- blame

    def as_package_error(self, error: BaseException) -> PackageError:
        """Return the error of a run as a `PackageError`."""
        wrong = self.own_file(error.filename) if isinstance(error, SyntaxError) and error.filename else None
        if isinstance(error, SyntaxError) and wrong is not None:
            return PackageError(wrong, error.lineno or 1, f"{error.msg} (Python cannot read it)")
        file, line = self.line_of_error(error)
        name = type(error).__name__
        if isinstance(error, SystemExit):
            return PackageError(
                file, line, "it ends the program; a package only makes its edition", "プログラムを終えています"
            )
        if isinstance(error, ImportError):
            return PackageError(file, line, f"{error}{self.suggestions(error)}")
        if isinstance(error, NameError):
            return PackageError(file, line, f"{error}{self.suggestions(error)}")
        if isinstance(error, ValueError) and type(error).__module__.startswith("blackpoker"):
            return PackageError(file, line, str(error))
        return PackageError(file, line, f"{name}: {error}" if str(error) else name)

    def suggestions(self, error: Exception) -> str:
        """Return suggestions for an unknown name, or ""."""
        words: list[str] = list(getattr(sys.modules.get("blackpoker.define"), "__all__", ()))
        wanted = next(iter(_QUOTED.findall(str(error))), "")
        if wanted in words:
            return "; import it from blackpoker.define"
        near = difflib.get_close_matches(wanted, words, n=3, cutoff=0.6)
        return f"; did you mean {' or '.join(near)}?" if near else ""

    def own_file(self, file: str) -> Path | None:
        """Return a file of the package relative to the given folder, or None for any other file."""
        path, folder = Path(file).resolve(), self.folder.resolve()
        return self.folder / path.relative_to(folder) if path.is_relative_to(folder) else None

    def line_of_error(self, error: BaseException) -> tuple[Path, int]:
        """Return the last position of the traceback that is in the package."""
        found = (self.file, 1)
        place: TracebackType | None = error.__traceback__
        while place is not None:
            own = self.own_file(place.tb_frame.f_code.co_filename)
            if own is not None:
                found = (own, place.tb_lineno)
            place = place.tb_next
        return found

    def line_of(self, id: str, message: str = "") -> tuple[Path, int]:
        """Return the position where a definition is made or changed; if possible, the position of a word quoted in the
        message."""
        words = [word for word in _QUOTED.findall(message) if word != id]
        calls = [(file, call) for file, call in self.calls() if _names(call, id)]
        for file, call in calls:
            for word in words:
                for node in ast.walk(call):
                    if isinstance(node, ast.Constant) and node.value == word:
                        return file, node.lineno
        if calls:
            return calls[0][0], calls[0][1].lineno
        for file, call in self.calls():
            for argument in call.args:
                if isinstance(argument, ast.Constant) and argument.value in words:
                    return file, argument.lineno
        return self.file, self.line_of_name("edition")

    def calls(self) -> Iterator[tuple[Path, ast.Call]]:
        """Yield every call in the package's files, definitions before attribute calls."""
        for file in (self.file, *sorted(path for path in self.folder.rglob("*.py") if path != self.file)):
            try:
                tree = ast.parse(file.read_bytes())
            except (SyntaxError, ValueError, OSError):
                continue
            calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
            for call in sorted(calls, key=lambda call: isinstance(call.func, ast.Attribute)):
                yield file, call

    def line_of_name(self, name: str) -> int:
        """Return the line that assigns this name."""
        for node in ast.walk(ast.parse(self.file.read_bytes())):
            if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
                return node.lineno
        return 1


def _names(call: ast.Call, id: str) -> bool:
    """Return whether a call concerns the definition with this id."""
    first = [*call.args[:2], *(keyword.value for keyword in call.keywords if keyword.arg == "id")]
    return any(isinstance(argument, ast.Constant) and argument.value == id for argument in first)


# -- editions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LoadedPackage:
    """A package, its base edition and the edition it makes."""

    package: Package
    source: PackageSource
    base: Edition
    edition: Edition
    changes: tuple[Change, ...]

    def stale_texts(self) -> list[PackageError]:
        """Return an error for every text that no longer fits the changed definitions."""
        return stale_texts(self.changes, self.edition, self.source.line_of)


def load_package(folder: Path, below: list[LoadedPackage]) -> LoadedPackage:
    """Return a package applied on top of those ``below`` it; raise `PackageError` if it cannot be played."""
    package = read_manifest(folder)
    base = below[-1].edition if below else standard_edition()
    _check_base(folder, package, below)
    source = PackageSource(folder, package.id)
    made = source.run(base)
    changes = changes_between(base, made)
    _check_changes(source, package, changes, below)
    edition = replace(
        made, name=NAME_SEPARATOR.join((base.name, package.text)), packages=(*base.packages, package), former_hashes=()
    )
    _check_definitions(source, edition, changes)
    return LoadedPackage(package, source, base, edition, changes)


def _check_base(folder: Path, package: Package, below: list[LoadedPackage]) -> None:
    """Raise `PackageError` if the base edition is missing or the package is loaded twice."""
    ids = [loaded.package.id for loaded in below]
    if package.id in ids:
        raise PackageError(folder / MANIFEST, 1, f"{package.id} is loaded already", f"{package.id} は読み込み済みです")
    standard = standard_edition().name
    if package.base not in (standard, *ids):
        lines = (folder / MANIFEST).read_text(encoding="utf-8").splitlines()
        line = next((n for n, line in enumerate(lines, 1) if line.split("=")[0].strip() == "base"), 1)
        raise PackageError(
            folder / MANIFEST,
            line,
            f"it stands on {package.base!r}, which is not here; here is {standard!r}, a package is named before it",
            f"「{package.base}」の上に立ちますが、ここにありません（ここの版は「{standard}」、土台のパッケージは先に指定）",
        )


def _check_changes(
    source: PackageSource, package: Package, changes: tuple[Change, ...], below: list[LoadedPackage]
) -> None:
    """Raise `PackageError` if a package that is not the base changes the same definition."""
    for other in below:
        if other.package.id == package.base:
            continue
        theirs = {(change.list, change.id) for change in other.changes}
        for change in changes:
            if (change.list, change.id) in theirs:
                file, line = source.line_of(change.id)
                raise PackageError(
                    file,
                    line,
                    f"{change.id!r} is changed by {other.package.id} too; leave one out, or say base = "
                    f"{other.package.id!r} in {MANIFEST}",
                    f"{change.id} は {other.package.id} も変えています（片方をやめるか、{MANIFEST} に base = "
                    f'"{other.package.id}" と書く）',
                )


def _lost_characters(before: Edition, after: Edition) -> Iterator[tuple[str, str]]:
    """Yield formats in which a card no longer makes a character: the format's name and the card."""
    for format in Format:
        old, new = (
            {card for one in edition.characters if one.since <= format for card in members(cards(one.made_by))}
            for edition in (before, after)
        )
        if old - new:
            yield format.id, NAMES[min(old - new)]


def _check_definitions(source: PackageSource, edition: Edition, changes: tuple[Change, ...]) -> None:
    """Raise `PackageError` if a changed definition is malformed or a regulation cannot be played."""
    for change in changes:
        wrong = "" if change.after is None else first_defect(change.after, edition)
        if wrong:
            raise PackageError(*source.line_of(change.id, wrong), f"{change.id}: {wrong}")
    try:
        for regulation in all_regulations(edition):
            regulation.rules()
    except DefinitionError as error:
        raise PackageError(*source.line_of(error.id, str(error)), str(error)) from None
    for format, lost in _lost_characters(standard_edition(), edition):
        gone = next((change.id for change in changes if change.list == "characters"), "")
        raise PackageError(
            *source.line_of(gone),
            f"in {format} nothing is made of {lost} any more; another character must be made_by it",
            f"{format} では {lost} から何も作れません（made_by に書いてください）",
        )
    if not all_regulations(edition):
        raise PackageError(
            source.file,
            source.line_of_name("edition"),
            "no format goes with any frame; one regulation is needed",
            "遊べるレギュレーションがありません",
        )
