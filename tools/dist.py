"""Build the packages of a release into dist/: the sdist with the built page, a plain Python wheel, and a compiled
wheel.

    python tools/dist.py                 all three
    python tools/dist.py --plain         without the compiled wheel: cibuildwheel makes those, from the sdist
    python tools/dist.py --tag v1.0.0    only check that a tag matches the version of the source

The only place of the version is ``src/blackpoker/__init__.py``.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "dist"
PAGE = Path("src/blackpoker/server/static")


def version() -> str:
    source = (ROOT / "src" / "blackpoker" / "__init__.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__version__":
            return str(ast.literal_eval(node.value))
    raise SystemExit("the package does not say its version")


def files() -> list[Path]:
    """Return the source files: those git tracks, or all of an unpacked sdist; and the built page."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False).stdout.decode()
    if listed:
        source = [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]
    else:
        source = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
        source = [path for path in source if path.parts[0] not in (".venv", "build", "dist")]
    page = [path.relative_to(ROOT) for path in (ROOT / PAGE).rglob("*") if path.is_file()]
    if not page:
        raise SystemExit("the page is not built, and a package without it is none: make web")
    return sorted({*source, *page})


def build(source: Path, what: str, pure: bool = False) -> Path:
    """Build one package of the source in a folder, in an isolated environment with the requirements of
    pyproject.toml."""
    start = time.monotonic()
    env = {key: value for key, value in os.environ.items() if key != "BLACKPOKER_PURE"}
    if pure:
        env["BLACKPOKER_PURE"] = "1"
    with tempfile.TemporaryDirectory() as made:
        command = [sys.executable, "-m", "build", f"--{what}", "--outdir", made, str(source)]
        done = subprocess.run(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{done.stdout[-4000:]}\nthe {what} could not be built")
        (package,) = Path(made).iterdir()
        if what == "wheel" and pure != package.name.endswith("-none-any.whl"):
            raise SystemExit(f"{package.name} is not what was asked for\n{done.stdout[-2000:]}")
        OUT.mkdir(exist_ok=True)
        target = Path(shutil.move(package, OUT / package.name))
    print(
        f"{target.relative_to(ROOT)}  {target.stat().st_size / 1e6:.1f} MB  {time.monotonic() - start:.0f} s",
        flush=True,
    )
    return target


def main() -> int:
    parser = argparse.ArgumentParser(description="the packages of a release")
    parser.add_argument("--plain", action="store_true", help="no compiled wheel")
    parser.add_argument("--tag", help="only compare a tag with the version")
    args = parser.parse_args()
    if args.tag is not None:
        if args.tag != f"v{version()}":
            raise SystemExit(f"the tag is {args.tag}, the source is v{version()}")
        return 0
    for old in (*OUT.glob("blackpoker-*.tar.gz"), *OUT.glob("blackpoker-*.whl")):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        # A copy: the file list left by an editable install must not affect the package.
        copy = Path(folder, "source")
        for path in files():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, copy / path)
        sdist = build(copy, "sdist")
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        unpacked = Path(folder, sdist.name.removesuffix(".tar.gz"))
        build(unpacked, "wheel", pure=True)
        if not args.plain:
            build(unpacked, "wheel")
    return 0


if __name__ == "__main__":
    sys.exit(main())
