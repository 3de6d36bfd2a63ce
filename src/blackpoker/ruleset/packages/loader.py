"""``rules.py``: running it, and locating the line of an error."""

from __future__ import annotations

import ast
import difflib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any, Final

from blackpoker.ruleset.edition import Edition, standard_edition
from blackpoker.ruleset.packages.errors import PackageError

NAME: Final = "rules.py"
#: limit for the instructions of a package; the worked example needs two thousand
MAX_INSTRUCTIONS: Final = 3_000_000
_BASE: ContextVar[Edition] = ContextVar("base")
_QUOTED: Final = re.compile(r"'([^']+)'")


def base() -> Edition:
    """Return the base edition of the package being loaded; outside of a package the standard one."""
    return _BASE.get(standard_edition())


class _InstructionLimit(BaseException):
    """Raised when a package exceeds the instruction limit."""


class PackageSource:
    """The Python files of a package."""

    def __init__(self, folder: Path, id: str) -> None:
        self.folder = folder
        self.file: Path = folder / NAME
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
                self.file, self.line_of_name("edition"),
                "it must make an edition: edition = base.change(…)", "edition = base.change(…) が必要です",
            )  # fmt: skip
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
