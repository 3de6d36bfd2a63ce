"""Translate the hot modules to C++ and compile them.

    python -m blackpoker.native.build [--cpp FOLDER] [LIBRARY]     --cpp keeps the C++
    python -m blackpoker.native.build --check                      translate only
    python -m blackpoker.native.build --gpu [--arch sm_90]         for the GPU of this machine (or another), with nvcc
    python -m blackpoker.native.build --made-from                  the fingerprint of a library of this source
    python -m blackpoker.native.build --wasm LIBRARY               for Pyodide, with the compiler of the wheel ziglang

Without a C++ compiler it prints one line and changes nothing.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from blackpoker._native_library import LIBRARY, fingerprint
from blackpoker.native.library import GPU_LIBRARY
from blackpoker.native.translate import translate

#: popcnt for counting cards is present on every such machine of the last fifteen years; the scheduling is tuned for the
#: compiling machine
MACHINE = ("-mpopcnt", "-mtune=native") if platform.machine() in ("x86_64", "AMD64") else ()
FLAGS = (
    "-std=c++17",
    "-O2",
    "-falign-functions=32",
    "-falign-loops=16",
    "-fPIC",
    "-shared",
    "-pthread",
    "-fno-exceptions",
    "-fno-rtti",
    "-ffp-contract=off",
    *MACHINE,
)
GPU_FLAGS = ("-std=c++17", "-O3", "-split-compile=0", "-shared", "-Xcompiler", "-fPIC", "-fmad=false", "-w")

#: flags of a side module as Emscripten builds it: position-independent, with the C library of the interpreter
WASM_FLAGS = (
    "-target",
    "wasm32-wasi",
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-mcpu=generic-extended_const",
    "-fno-exceptions",
    "-fno-rtti",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-stack-protector",
    "-w",
)
WASM_LINK = ("-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "--strip-all", "--gc-sections")


def compiler() -> str | None:
    """Return the C++ compiler, ``CXX`` or one of the usual names; None if there is none."""
    names = [os.environ["CXX"]] if os.environ.get("CXX") else ["c++", "g++", "clang++"]
    return next((name for name in names if shutil.which(name)), None)


def write(folder: Path, root: Path | None = None) -> list[str]:
    """Write the C++ of the package in ``root`` into a folder; return the refusals."""
    text, refusals = translate(root)
    folder.mkdir(parents=True, exist_ok=True)
    first = f'// made from the rules by native/translate.py\n#define MADE_FROM "{fingerprint()}"\n'
    (folder / "rules.h").write_text(first + text, encoding="utf-8")
    for file in Path(__file__).parent.iterdir():
        if file.suffix in (".h", ".cpp", ".cu"):
            shutil.copy(file, folder / file.name)
    return refusals


def build(folder: Path, library: Path = LIBRARY, flags: tuple[str, ...] = FLAGS, root: Path | None = None) -> str:
    """Translate and compile the package in ``root`` (default: this one); return the error, or an empty text."""
    found = compiler()
    if found is None:
        return "no C++ compiler found: many games at a time are played by Python (the same numbers, slower)."
    refusals = write(folder, root)
    return "\n".join(refusals) or run([found, *flags], folder / "library.cpp", library)


def build_gpu(folder: Path, library: Path = GPU_LIBRARY, arch: str = "native") -> str:
    """Do the same as ``build`` for a GPU."""
    if shutil.which("nvcc") is None:
        return "no nvcc found: games are played without a GPU (the same numbers)."
    refusals = write(folder)
    return "\n".join(refusals) or run(["nvcc", *GPU_FLAGS, f"-arch={arch}"], folder / "gpu.cu", library)


def build_wasm(folder: Path, library: Path) -> str:
    """Do the same as ``build`` for WebAssembly: a library that the ``ctypes`` of Pyodide opens."""
    if importlib.util.find_spec("ziglang") is None:
        return "no ziglang found: pip install ziglang brings the compiler for WebAssembly."
    refusals = write(folder)
    if refusals:
        return "\n".join(refusals)
    zig = [sys.executable, "-m", "ziglang"]
    error = run([*zig, "c++", *WASM_FLAGS, "-c"], folder / "wasm.cpp", folder / "wasm.o")
    sources = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.suffix in (".h", ".cpp")]
    exported_names = sorted({name for text in sources for name in re.findall(r"\bblackpoker_\w+", text)})
    exports = [f"--export-if-defined={name}" for name in exported_names]
    return error or run([*zig, "wasm-ld", *WASM_LINK, *exports], folder / "wasm.o", library)


def run(compile_: list[str], source: Path, library: Path) -> str:
    new = library.with_suffix(".new")
    command = [*compile_, "-o", str(new), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        new.unlink(missing_ok=True)
        return f"{compile_[0]} failed on the translated rules:\n{done.stderr[-2000:]}"
    new.replace(library)
    return ""


def check() -> int:
    """Translate only, print the refusals, and return the exit status."""
    text, refusals = translate()
    print("\n".join([*refusals, f"  {text.count(chr(10))} lines of C++, {len(refusals)} refused"]))
    return 1 if refusals else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="blackpoker.native.build", description="Translate and compile the rules.")
    parser.add_argument("library", nargs="?", type=Path, default=LIBRARY)
    parser.add_argument("--cpp", type=Path, metavar="FOLDER", help="keep the C++ there")
    parser.add_argument("--check", action="store_true", help="translate only")
    parser.add_argument("--gpu", action="store_true", help="for a GPU, with nvcc")
    parser.add_argument("--made-from", action="store_true", help="what a library of this source is recognised by")
    parser.add_argument("--wasm", action="store_true", help="for Pyodide, with ziglang")
    parser.add_argument("--arch", default="native", help="of the GPU")
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    if arguments.made_from:
        print(fingerprint())
        return 0
    if arguments.wasm and arguments.library == LIBRARY:
        parser.error("--wasm needs a LIBRARY to write: the one of the package is for this machine")
    with tempfile.TemporaryDirectory() as folder:
        where = arguments.cpp or Path(folder)
        if arguments.wasm:
            error = build_wasm(where, arguments.library)
        else:
            error = build_gpu(where, arch=arguments.arch) if arguments.gpu else build(where, arguments.library)
    if error:
        print(f"blackpoker: {error}", file=sys.stderr)
        return 0 if not arguments.wasm and (shutil.which("nvcc") if arguments.gpu else compiler()) is None else 1
    print(f"· the rules as machine code: {GPU_LIBRARY if arguments.gpu else arguments.library}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
