"""Build the packages of a release into dist/: the sdist with the built page, a plain Python wheel, and a compiled
wheel.

    python tools/dist.py                 all three
    python tools/dist.py --plain         without the compiled wheel: cibuildwheel makes those, from the sdist
    python tools/dist.py --pyodide       also the wheel for Pyodide, with the rules as WebAssembly
    python tools/dist.py --sbom          also the list of components of the plain wheel with its extras (CycloneDX)
    python tools/dist.py --address URL   with links to this repository; without it the packages name none
    python tools/dist.py --tag v1.0.0    only check that a tag matches the version of the source

The only place of the version is ``src/blackpoker/__init__.py``. Two builds of one commit are equal byte for byte: every
time in them is SOURCE_DATE_EPOCH, by default that of the commit.
"""

from __future__ import annotations

import argparse
import ast
import base64
import gzip
import hashlib
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "dist"
PAGE = Path("src/blackpoker/server/static")
#: earlier times cannot be stored in a wheel
LEAST_EPOCH = 315532800
SBOM = "cyclonedx-bom==7.1.0"
#: platform of the Pyodide that the static page uses; the library inside is opened by ctypes and needs no ABI of Python
PYODIDE_TAG = "py3-none-pyemscripten_2026_0_wasm32"
#: links of the package's page, below the address of the repository
URLS = {
    "Homepage": "",
    "Source": "",
    "Documentation": "/blob/main/docs/guide/api.md",
    "Changelog": "/blob/main/CHANGELOG.md",
    "Issues": "/issues",
    "Security": "/security/policy",
}


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


def epoch() -> int:
    """Return SOURCE_DATE_EPOCH, or the time of the commit; of a source without git, that of the changelog."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not given:
        command = ["git", "log", "-1", "--format=%ct"]
        given = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return max(int(given or (ROOT / "CHANGELOG.md").stat().st_mtime), LEAST_EPOCH)


def with_urls(pyproject: str, address: str) -> str:
    """Return pyproject.toml with the links of the package's page."""
    lines = "".join(f'{name} = "{address}{path}"\n' for name, path in URLS.items())
    return pyproject.replace("[project.scripts]", f"[project.urls]\n{lines}\n[project.scripts]", 1)


def absolute_links(text: str, address: str) -> str:
    """Return a document with absolute links and pictures: the package's page has no other files."""

    def link(match: re.Match[str]) -> str:
        kind = "raw" if match[1] == "!" else "blob"
        return f"{match[1]}[{match[2]}]({address}/{kind}/main/{match[3]})"

    return re.sub(r"(!?)\[([^\]]*)\]\((?!https?:|#|mailto:)([^)\s]+)\)", link, text)


def repack(sdist: Path, seconds: int) -> None:
    """Write the sdist again with its files sorted, and without their times, owners and umask."""
    with tarfile.open(sdist) as archive:
        members = sorted(archive.getmembers(), key=lambda member: member.name)
        contents = {each.name: archive.extractfile(each).read() for each in members if each.isfile()}  # type: ignore[union-attr]
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for member in members:
            member.mtime, member.uid, member.gid, member.uname, member.gname = seconds, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            archive.addfile(member, io.BytesIO(contents[member.name]) if member.isfile() else None)
    with open(sdist, "wb") as out, gzip.GzipFile("", "wb", fileobj=out, mtime=seconds) as packed:
        packed.write(made.getvalue())


def pyodide_wheel(plain: Path, seconds: int) -> Path:
    """Make the wheel for Pyodide from the plain one: the same modules, and the rules as WebAssembly."""
    static = runpy.run_path(str(ROOT / "web" / "static.py"))
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(plain) as archive:
        for name in archive.namelist():
            files[name] = archive.read(name)
    files["blackpoker/native/rules.native.so"] = static["library"]().read_bytes()
    info = next(name.rpartition("/")[0] for name in files if name.endswith(".dist-info/WHEEL"))
    text = files[f"{info}/WHEEL"].decode()
    text = re.sub(r"^Tag: .*$", f"Tag: {PYODIDE_TAG}", text, flags=re.MULTILINE)
    files[f"{info}/WHEEL"] = re.sub(
        r"^Root-Is-Purelib: .*$", "Root-Is-Purelib: false", text, flags=re.MULTILINE
    ).encode()
    del files[f"{info}/RECORD"]
    lines = []
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    files[f"{info}/RECORD"] = "".join([*lines, f"{info}/RECORD,,\n"]).encode()
    target = OUT / plain.name.replace("py3-none-any", PYODIDE_TAG)
    when = time.gmtime(seconds)[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items(), key=lambda item: (item[0].startswith(info), item[0])):
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1e6:.1f} MB", flush=True)
    return target


def write_sbom(plain: Path, seconds: int) -> None:
    """Write the components of the wheel and its extras, installed in an empty environment."""
    with tempfile.TemporaryDirectory() as folder:
        tools, inside = Path(folder, "tools"), Path(folder, "inside")
        for place, packages in ((tools, [SBOM]), (inside, [f"{plain}[cli,server,lab,scale]"])):
            subprocess.run([sys.executable, "-m", "venv", place], check=True)
            pip = [str(place / "bin" / "python"), "-m", "pip"]
            subprocess.run([*pip, "install", "-qq", "--disable-pip-version-check", *packages], check=True)
        subprocess.run([*pip, "uninstall", "-qq", "-y", "pip", "setuptools"], check=True)
        command = [str(tools / "bin" / "cyclonedx-py"), "environment", str(inside / "bin" / "python")]
        command += ["--output-reproducible", "--pyproject", str(ROOT / "pyproject.toml")]
        command += ["--of", "JSON", "--mc-type", "library"]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    bom = json.loads(done.stdout)
    for component in bom["components"]:  # the place where it was built
        component.pop("externalReferences", None) if component.get("name") == "blackpoker" else None
    target = OUT / "blackpoker-sbom.cdx.json"
    target.write_text(json.dumps(bom, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"{target.relative_to(ROOT)}  {len(bom['components'])} components", flush=True)


def build(source: Path, what: str, pure: bool = False, seconds: int = LEAST_EPOCH) -> Path:
    """Build one package of the source in a folder, in an isolated environment with the requirements of
    pyproject.toml."""
    start = time.monotonic()
    env = {key: value for key, value in os.environ.items() if key != "BLACKPOKER_PURE"}
    # Equal bytes: fixed times (setup.py leaves paths out of the compiled modules), one order of sets, one umask.
    env |= {"SOURCE_DATE_EPOCH": str(seconds), "PYTHONHASHSEED": "0"}
    if pure:
        env["BLACKPOKER_PURE"] = "1"
    with tempfile.TemporaryDirectory() as made:
        command = [sys.executable, "-m", "build", f"--{what}", "--outdir", made, str(source)]
        done = subprocess.run(
            command,
            env=env,
            umask=0o022,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
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
    parser.add_argument("--pyodide", action="store_true", help="also the wheel for Pyodide")
    parser.add_argument("--sbom", action="store_true", help="also the list of components")
    parser.add_argument("--address", help="the repository's address, for the links of the package's page")
    parser.add_argument("--tag", help="only compare a tag with the version")
    args = parser.parse_args()
    if args.tag is not None:
        if args.tag != f"v{version()}":
            raise SystemExit(f"the tag is {args.tag}, the source is v{version()}")
        return 0
    seconds = epoch()
    for old in (*OUT.glob("blackpoker-*.tar.gz"), *OUT.glob("blackpoker-*.whl"), *OUT.glob("blackpoker-*.json")):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        # A copy: the file list left by an editable install must not affect the package.
        copy = Path(folder, "source")
        for path in files():
            (copy / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, copy / path)
        if args.address:
            for name, linked in (("README.md", absolute_links), ("pyproject.toml", with_urls)):
                text = (copy / name).read_text(encoding="utf-8")
                (copy / name).write_text(linked(text, args.address), encoding="utf-8")
        sdist = build(copy, "sdist", seconds=seconds)
        repack(sdist, seconds)
        with tarfile.open(sdist) as archive:
            archive.extractall(folder, filter="data")
        unpacked = Path(folder, sdist.name.removesuffix(".tar.gz"))
        plain = build(unpacked, "wheel", pure=True, seconds=seconds)
        if not args.plain:
            build(unpacked, "wheel", seconds=seconds)
        if args.pyodide:
            pyodide_wheel(plain, seconds)
        if args.sbom:
            write_sbom(plain, seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
