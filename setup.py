"""Compile the engine with mypyc if a C compiler exists; everything else is in pyproject.toml.

BLACKPOKER_PURE=1 pip install .          build without compiling
python setup.py build_ext --inplace      compile (again) inside the working tree
python setup.py --compiled-sources       list the files a compiled build depends on (for the Makefile)
"""

from __future__ import annotations

import ast
import os
import re
import runpy
import sys
from collections.abc import Iterable, Iterator
from glob import glob
from pathlib import Path

PACKAGE = "src/blackpoker"
#: reads engine/hot_modules.txt; this module of the package imports nothing of it
READ_LIST = runpy.run_path(f"{PACKAGE}/_native_library.py")["hot_modules"]

GROUP = "blackpoker"  # fixes the name of the shared library: src/blackpoker__mypyc.*.so
PLAIN = "using plain Python (the same game, several times slower)."


def compiled_sources() -> list[str]:
    plain = set(READ_LIST("plain"))
    return sorted(f"{PACKAGE}/{name}" for name in READ_LIST("compiled") if name not in plain)


if sys.argv[1:] == ["--compiled-sources"]:
    # Neighbours in the same folders count too, because their types are compiled into the callers; so does the
    # translator.
    sources = set(compiled_sources())
    folders = {os.path.dirname(path) for path in sources} - {"src/blackpoker"}
    patterns = [f"{folder}/*.py" for folder in (*folders, "src/blackpoker/native")]
    patterns += ["src/blackpoker/native/*.h", "src/blackpoker/native/*.cpp", "src/blackpoker/engine/hot_modules.txt"]
    print("\n".join(sorted(sources.union(*map(glob, patterns)))))
    sys.exit(0)

import subprocess
import sysconfig
import tempfile

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext as _build_ext
from setuptools.command.build_py import build_py as _build_py
from setuptools.errors import BaseError, CCompilerError, SetupError


def log(message: str) -> None:
    print(f"blackpoker: {message}", file=sys.stderr, flush=True)


def drop_extensions(keep: Iterable[str] = ()) -> None:
    """Remove this interpreter's stale extension modules from src/."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
    keep_paths = {Path(path).resolve() for path in keep}
    for path in (*Path("src/blackpoker").rglob("*" + suffix), *Path("src").glob("*__mypyc" + suffix)):
        if path.resolve() not in keep_paths:
            path.unlink()


def c_compiler_works() -> bool:
    """Return whether a Python extension module can be compiled and linked (this needs Python's headers too)."""
    from distutils.ccompiler import new_compiler
    from distutils.sysconfig import customize_compiler

    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "probe.c")
        source.write_text("#include <Python.h>\nPyMODINIT_FUNC PyInit_probe(void) { return NULL; }\n")
        try:
            compiler = new_compiler()
            customize_compiler(compiler)
            include = [sysconfig.get_path("include"), sysconfig.get_path("platinclude")]
            objects = compiler.compile([str(source)], output_dir=folder, include_dirs=include)
            compiler.link_shared_object(objects, str(Path(folder, "probe.so")))
        except Exception:  # toolchains raise many error types
            return False
    return True


def run_module(module: str, *arguments: str) -> str | None:
    """Return the output of a module of this source tree, or None if it fails. It is found by ``sys.path``, because
    pip's build environment uses PYTHONPATH itself."""
    prologue = f"import runpy, sys; sys.path.insert(0, {str(Path('src').resolve())!r}); sys.argv = sys.argv[1:]; "
    run = f"{prologue}runpy.run_module(sys.argv[0], run_name='__main__', alter_sys=True)"
    done = subprocess.run(
        [sys.executable, "-c", run, module, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        encoding="utf-8",
    )
    return None if done.returncode else done.stdout


def build_native(library: Path) -> None:
    """Compile the rules to machine code for batches of games. Without a C++ compiler only print a notice."""
    if run_module("blackpoker.native.build", str(library.resolve())) is None:
        log("the rules could not be translated and compiled: many games at a time are played by Python, slower.")


class build_ext(_build_ext):
    """Build all extension modules or none: the small ones only forward to the shared library."""

    def run(self) -> None:
        in_tree = bool(self.inplace or self.editable_mode)
        extensions = list(self.extensions or [])
        try:
            super().run()
        except (BaseError, CCompilerError, OSError):
            log(f"the C compiler failed on the engine: {PLAIN}")
            self.inplace = False
            for extension in extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.inplace = in_tree
            self.extensions = self.distribution.ext_modules = []
        if in_tree:
            self.inplace = True
            drop_extensions(keep=[self.get_ext_fullpath(extension.name) for extension in self.extensions or []])
        if self.extensions:
            library = Path("src" if in_tree else self.build_lib, "blackpoker/native/rules.native.so")
            library.parent.mkdir(parents=True, exist_ok=True)
            build_native(library)


class build_py(_build_py):
    """Include the page in a wheel. It is built if missing; if that fails, the wheel has no page."""

    def run(self) -> None:
        built = Path("src/blackpoker/server/static/index.html")
        if not self.editable_mode and Path("web/build.py").exists() and not built.exists():
            if subprocess.run([sys.executable, "web/build.py"], check=False).returncode:
                log("the page could not be built; the server will run without it (make web builds it later).")
        super().run()
        if not self.editable_mode:  # a wheel may lack the sources that the library's fingerprint is computed from
            made_from = run_module("blackpoker.native.build", "--made-from")
            if made_from is not None:
                Path(self.build_lib, "blackpoker/native/made_from.txt").write_text(made_from.strip(), encoding="utf-8")
            examples = run_module("blackpoker.scenario.examples")
            if examples is None:
                raise SetupError("the examples of the rulings could not be built from tests/scenarios")
            Path(self.build_lib, "blackpoker/scenario/examples.json").write_text(examples, encoding="utf-8")


def extensions() -> list[Extension]:
    commands = set(sys.argv[1:])
    if not commands & {"build", "build_ext", "bdist_wheel", "editable_wheel", "develop", "install"}:
        return []  # metadata only
    if os.environ.get("BLACKPOKER_PURE"):
        log("BLACKPOKER_PURE is set: plain Python, nothing is compiled.")
    elif not (sources := compiled_sources()):
        log("no engine modules found, nothing is compiled.")
    elif not c_compiler_works():
        log(f"no working C compiler with Python's headers found: {PLAIN}")
    else:
        return compile_to_c(sources)
    if commands & {"build_ext", "editable_wheel", "develop"}:
        drop_extensions()
    return []


def documented(body: Iterable[ast.stmt], *owner: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield classes, methods and functions, each with its docstring."""
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and "overload" not in map(ast.unparse, node.decorator_list):
            yield (*owner, node.name), ast.get_docstring(node) or ""
        if isinstance(node, ast.ClassDef):
            yield from documented(node.body, node.name)


def docstrings(sources: Iterable[str]) -> dict[str, str]:
    """Return docstrings by the C names that mypyc gives their owners: the shortest unambiguous module name, the class
    and the function, joined with ``___``."""
    found: dict[str, str] = {}
    for path in sources:
        module = Path(path).with_suffix("").parts
        for name, text in documented(ast.parse(Path(path).read_text(encoding="utf-8")).body):
            for start in range(1, len(module)):
                found.setdefault("___".join((*module[start:], *name)), text)
    return found


def insert_docstrings(file: Path, docs: dict[str, str]) -> None:
    """Add docstrings to the C code of mypyc, which contains only signatures for ``help()``."""

    def literal(text: str) -> str:
        return "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in text.encode())

    def after_signature(match: re.Match[str]) -> str:
        return f'{match[1]}{literal(docs.get(match["name"], ""))}")'

    def of_property(match: re.Match[str]) -> str:
        text = docs.get(f"{match['owner']}___{match['name']}")
        return f'{match[1]}PyDoc_STR("{literal(text)}"), NULL}}' if text else match[0]

    written = r'PyDoc_STR\("(?:[^"\\]|\\.)*)"\)'
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"(\(PyCFunction\)CPyPy_(?P<name>\w+),\s+[A-Z_ |]+, " + written, after_signature, text)
    text = re.sub(r"(CPyType_(?P<name>\w+)_template_ = \{[^}]*?\.tp_doc = " + written, after_signature, text)
    getter = r"(\(getter\)(?P<owner>\w+?)_get_(?P<name>\w+),[^,]+,\s+)NULL, NULL\}"
    file.write_text(re.sub(getter, of_property, text), encoding="utf-8")


def compile_to_c(sources: list[str]) -> list[Extension]:
    try:
        import mypyc
        from mypyc.build import mypycify
    except ImportError:
        log(f"mypyc is not installed: {PLAIN}")
        return []
    # Strictness is `make check`'s task: a build must not depend on installed packages. pip builds in an empty
    # environment,
    # where imported modules could not find their libraries.
    options = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent", "--no-warn-unused-configs"]
    options += ["--cache-dir=build/mypy"]
    modules: list[Extension] = mypycify(options + sources, opt_level="3", group_name=GROUP)
    docs = docstrings(sources)
    for file in {Path(source) for module in modules for source in module.sources}:
        if file.name.startswith("__native"):
            insert_docstrings(file, docs)
    for module in modules:
        module.depends.append("setup.py")
        # A new compiler's warning must not fail the build.
        module.extra_compile_args = [flag for flag in module.extra_compile_args if flag != "-Werror"]
        # Calls inside the library are direct, because no symbol is replaced. No fused multiply-add: results must be the
        # same
        # on all machines.
        if os.name == "posix":
            module.extra_compile_args += ["-fno-semantic-interposition", "-fvisibility=hidden", "-ffp-contract=off"]
        if os.name == "posix" and os.environ.get("SOURCE_DATE_EPOCH"):
            # A release: equal bytes wherever it is built, so no path of this machine and no debugging information.
            here, library = Path.cwd(), Path(mypyc.__file__).parent
            module.extra_compile_args += ["-g0", f"-ffile-prefix-map={here}=.", f"-ffile-prefix-map={library}=mypyc"]
    return modules


setup(ext_modules=extensions(), cmdclass={"build_ext": build_ext, "build_py": build_py})
