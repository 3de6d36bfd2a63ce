"""Translate the hot modules and compile what comes of it.

    python -m blackpoker.native.build [--cpp FOLDER] [LIBRARY]     --cpp keeps the C++
    python -m blackpoker.native.build --check                      translate only

Without a C++ compiler one line says so, and nothing else changes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from blackpoker.native.door import LIBRARY, fingerprint
from blackpoker.native.translate import translate

FLAGS = ("-std=c++17", "-O3", "-fPIC", "-shared", "-pthread", "-fno-exceptions", "-fno-rtti",
         "-ffp-contract=off")  # fmt: skip


def compiler() -> str | None:
    """The C++ compiler: ``CXX``, or one of the usual names."""
    names = [os.environ["CXX"]] if os.environ.get("CXX") else ["c++", "g++", "clang++"]
    return next((name for name in names if shutil.which(name)), None)


def write(folder: Path, root: Path | None = None) -> list[str]:
    """The C++ of the package in ``root`` into a folder; what was refused."""
    text, refusals = translate(root)
    folder.mkdir(parents=True, exist_ok=True)
    first = f'// made from the rules by native/translate.py\n#define MADE_FROM "{fingerprint()}"\n'
    (folder / "rules.h").write_text(first + text, encoding="utf-8")
    for file in (*Path(__file__).parent.glob("*.h"), *Path(__file__).parent.glob("*.cpp")):
        shutil.copy(file, folder / file.name)
    return refusals


def build(folder: Path, library: Path = LIBRARY, flags: tuple[str, ...] = FLAGS, root: Path | None = None) -> str:
    """Translate and compile (the package in ``root``, if not this one); what went wrong, or an empty text."""
    found = compiler()
    if found is None:
        return "no C++ compiler found: many games at a time are played by Python (the same numbers, slower)."
    refusals = write(folder, root)
    if refusals:
        return "\n".join(refusals)
    new = library.with_suffix(".new")
    command = [found, *flags, "-o", str(new), str(folder / "door.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        new.unlink(missing_ok=True)
        return f"{found} failed on the translated rules:\n{done.stderr[-2000:]}"
    new.replace(library)
    return ""


def check() -> int:
    """Whether everything can be translated."""
    text, refusals = translate()
    print("\n".join([*refusals, f"  {text.count(chr(10))} lines of C++, {len(refusals)} refused"]))
    return 1 if refusals else 0


def main() -> int:
    reader = argparse.ArgumentParser(prog="blackpoker.native.build", description="Translate and compile the rules.")
    reader.add_argument("library", nargs="?", type=Path, default=LIBRARY)
    reader.add_argument("--cpp", type=Path, metavar="FOLDER", help="keep the C++ there")
    reader.add_argument("--check", action="store_true", help="translate only")
    asked = reader.parse_args()
    if asked.check:
        return check()
    with tempfile.TemporaryDirectory() as folder:
        trouble = build(asked.cpp or Path(folder), asked.library)
    if trouble:
        print(f"blackpoker: {trouble}", file=sys.stderr)
        return 0 if compiler() is None else 1
    print(f"· the rules as machine code: {asked.library}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
