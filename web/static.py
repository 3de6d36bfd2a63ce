"""Build the whole game as one static page: dist/static, for any file server (docs/guide/static.md).

python web/static.py              build
python web/static.py --sizes      print the download sizes
python web/static.py --serve 8000 serve the existing build as a static host would
python web/static.py --verifier   build the verifier of games into the server's page (docs/fairness.md)
python web/static.py --compiler   only install the compiler of the rules to WebAssembly

The page is the server's page. The server's Python code runs in a worker of the browser: Pyodide, the package as
bytecode, the rules and players as WebAssembly (``native.build --wasm``).
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import base64
import gzip
import hashlib
import http.server
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

WEB = Path(__file__).resolve().parent
ROOT = WEB.parent
OUT = ROOT / "dist" / "static"
WORK = ROOT / "build" / "static"
ZIG = ROOT / "build" / "zig"
PYODIDE = WEB / "node_modules" / "pyodide"
PACKAGE = ROOT / "src" / "blackpoker"
sys.path[:0] = [str(WEB), str(ROOT / "src")]

from build import build_environment, fetch_modules, log, packaged_node, system_node  # noqa: E402

#: entry point of the engine; only modules it imports are included
BEGINS = "blackpoker.server.offline.bridge"
#: entry point of the verifier of games
VERIFIER = "blackpoker.server.fairness.page_verifier"
VERIFIER_OUT = PACKAGE / "server" / "static" / "verifier"
#: the verifier as one file
KEPT_VERIFIER = "blackpoker-verifier.html"
#: data of the package that no page needs
NOT_DATA = re.compile(
    r"(cli|client|lab|envs|trials)/|server/(static|store)/|.*\.(py|h|cpp|cu|so|pyc|pyi)$|.*__pycache__"
)
#: responses served from files, before the engine is loaded
PREPARED = ("/api/regulations", "/api/levels", "/api/lobby")
PREPARED_IN_BOTH = ("/api/rules", "/api/rulebook", "/api/school")
#: files with a content hash in their name
HASHED = re.compile(r"^(assets|engine|data)/")


def short(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:12]


# -- the engine --------------------------------------------------------------------------------------------------------


def ziglang() -> None:
    """Install the compiler in a folder of its own unless it is installed."""
    if importlib.util.find_spec("ziglang") is None and not (ZIG / "ziglang").exists():
        log("installing the compiler for WebAssembly from the Python package registry (ziglang, 400 MB)")
        pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*pip, "--target", str(ZIG), "ziglang"], check=True)


def library() -> Path:
    """Return the rules and players as WebAssembly, recompiled if their source has changed."""
    from blackpoker.native.library import fingerprint

    made = WORK / f"rules-{fingerprint()}.so"
    if not made.exists():
        ziglang()
        log("compiling the rules to WebAssembly")
        WORK.mkdir(parents=True, exist_ok=True)
        env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ZIG), str(ROOT / "src")))}
        command = [sys.executable, "-m", "blackpoker.native.build", "--wasm", str(made)]
        subprocess.run(command, env=env, check=True)
    return made


def wheels() -> list[Path]:
    """Return the wheels of the required libraries, for Pyodide."""
    folder = WORK / "wheels"
    if not list(folder.glob("msgspec*")):
        log("fetching msgspec for Pyodide")
        target = ["--only-binary=:all:", "--platform", "pyemscripten_2026_0_wasm32", "--python-version", "3.14"]
        pip = [sys.executable, "-m", "pip", "download", "-qq", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "-d", str(folder), *target, "msgspec", "mypy_extensions"], check=True)
    return sorted(folder.glob("*.whl"))


def imports(path: Path) -> Iterator[str]:
    """Yield every name a module imports, also inside functions; imports for type checkers are skipped."""

    def look(node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)
        for child in ast.iter_child_nodes(node):
            yield from look(child)

    yield from look(ast.parse(path.read_text(encoding="utf-8")))


def file_of(module: str) -> Path | None:
    place = ROOT / "src" / module.replace(".", "/")
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def reached(begins: str = BEGINS) -> tuple[list[Path], set[str]]:
    """Return the modules of the package that a module imports, and the names of all other modules."""
    from blackpoker import _HOMES

    waiting, found, others = [begins, *_HOMES.values()], dict[Path, None](), set[str]()
    while waiting:
        module = waiting.pop()
        if module.partition(".")[0] != "blackpoker":
            others.add(module)
            continue
        names = module.split(".")
        for path in filter(None, (file_of(".".join(names[:end])) for end in range(1, len(names) + 1))):
            if path not in found:
                found[path] = None
                waiting += imports(path)
    return sorted(found), others


def package_files(every: bool = False, begins: str = BEGINS) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the engine: the modules of the package reached from ``begins``, or every one; its data and its
    dependencies, and its library unless it is the verifier, which does not search."""
    from blackpoker.native.library import fingerprint
    from blackpoker.scenario.examples import examples_json

    modules, others = reached(begins)
    if every:
        modules = sorted(PACKAGE.rglob("*.py"))
    data = [
        path
        for path in PACKAGE.rglob("*")
        if path.is_file() and not NOT_DATA.match(path.relative_to(PACKAGE).as_posix())
    ]
    for path in sorted([*modules, *data]):
        yield path.relative_to(ROOT / "src").as_posix(), path.read_bytes()
    yield "blackpoker/scenario/examples.json", examples_json().encode()
    if begins != VERIFIER:
        yield "blackpoker/native/made_from.txt", fingerprint().encode()
        yield "blackpoker/native/rules.native.so", library().read_bytes()
    for wheel in wheels():
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if not name.endswith("/") and ".dist-info/" not in name and not name.endswith(".pyi"):
                    yield name, archive.read(name)
    yield "imported.json", json.dumps(sorted(others)).encode()


def archive(files: Iterable[tuple[str, bytes]]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        for name, data in files:
            out.writestr(zipfile.ZipInfo(name), data)
    return made.getvalue()


def build_engine(node: list[str]) -> str:
    """Build the engine into a folder named by its content hash; return its path."""
    WORK.mkdir(parents=True, exist_ok=True)
    given, made = WORK / "package.zip", WORK / "engine"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    compile_engine(node, archive(package_files()), given, made)
    whole = short(b"".join(path.read_bytes() for path in sorted(made.iterdir())))
    shutil.copytree(made, OUT / "engine" / whole)
    return f"engine/{whole}/"


def build_verifier(node: list[str]) -> None:
    """Build the verifier of games into the server's page, which must be built before."""
    WORK.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(VERIFIER_OUT, ignore_errors=True)
    VERIFIER_OUT.mkdir(parents=True)
    compile_engine(node, archive(package_files(begins=VERIFIER)), WORK / "verifier.zip", VERIFIER_OUT)
    log(f"{sum(map(weight, VERIFIER_OUT.iterdir())) / 1000:.0f} kB")
    write_kept_verifier()


def write_kept_verifier() -> None:
    """Write the verifier as one file that can be kept and opened without the server, and print its hash."""
    parts = {path.name: path.read_bytes() for path in sorted(VERIFIER_OUT.iterdir())}
    parts["blackpoker.zip"] = gzip.decompress(parts.pop("blackpoker.pack"))
    packed = {name: base64.b64encode(gzip.compress(data, 9, mtime=0)).decode() for name, data in parts.items()}
    texts = json.loads((WEB / "static" / "verifier.json").read_text(encoding="utf-8"))
    page = (WEB / "static" / "verifier.html").read_text(encoding="utf-8")
    for name, data in (("TEXTS", texts), ("PARTS", packed)):
        page = page.replace(f">{name}<", f">{json.dumps(data, ensure_ascii=False)}<", 1)
    path = VERIFIER_OUT / KEPT_VERIFIER
    path.write_text(page, encoding="utf-8")
    log(f"{path.relative_to(ROOT)}: {len(page) / 1e6:.1f} MB, SHA-256 {hashlib.sha256(page.encode()).hexdigest()}")


def compile_engine(node: list[str], package: bytes, given: Path, made: Path) -> None:
    """Write an engine: a package as bytecode, and Pyodide."""
    given.write_bytes(package)
    log("compiling Python for the page")
    subprocess.run([*node, str(WEB / "compile_engine.mjs"), str(PYODIDE), str(given), str(made)], check=True)
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"):
        shutil.copy(PYODIDE / name, made / name)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text(encoding="utf-8"))
    lock["packages"] = {}  # no other packages are needed
    (made / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


# -- answers that are files --------------------------------------------------------------------------------------------


async def prepared() -> dict[str, str]:
    """Return the responses for the first view of home, rules and school, by path."""
    from blackpoker.server.offline.site import LocalSite
    from blackpoker.server.offline.store import MemoryRows

    site = await LocalSite.open(MemoryRows())
    wanted = [*PREPARED, *(f"{path}?lang={lang}" for path in PREPARED_IN_BOTH for lang in ("ja", "en"))]
    found = {path: (await site.answer("GET", path)).text for path in wanted}
    for lang in ("ja", "en"):
        for lesson in json.loads(found[f"/api/school?lang={lang}"])["lessons"]:
            path = f"/api/school/{lesson['id']}?lang={lang}"
            found[path] = (await site.answer("GET", path)).text
    await site.close()
    return found


def write_prepared() -> dict[str, str]:
    """Write the prepared responses; return the file of each path."""
    (OUT / "data").mkdir()
    files: dict[str, str] = {}
    for path, text in asyncio.run(prepared()).items():
        name = re.sub(r"[^a-z0-9]+", "-", path.removeprefix("/api/").lower()).strip("-")
        files[path] = f"data/{name}-{short(text.encode())}.json"
        (OUT / files[path]).write_text(text, encoding="utf-8")
    return files


# -- the page ----------------------------------------------------------------------------------------------------------


def build_page(node: list[str], env: dict[str, str]) -> str:
    """Build the page; return the path of its worker."""
    log("building the page")
    vite = [*node, str(WEB / "node_modules" / "vite" / "bin" / "vite.js"), "build", "--mode", "static"]
    subprocess.run([*vite, "--logLevel", "warn"], cwd=WEB, env=env, check=True)
    manifest = OUT / ".vite" / "manifest.json"
    files = json.loads(manifest.read_text(encoding="utf-8"))
    shutil.rmtree(manifest.parent)
    return str(files["src/offline/worker.ts"]["file"])


def write_frame(worker: str, engine: str, files: dict[str, str]) -> None:
    """Write the files around the page: paths, deep links, the manifest, the service worker."""
    manifest = json.loads((OUT / "manifest.webmanifest").read_text(encoding="utf-8"))
    manifest |= {"start_url": "./", "scope": "./", "id": "./"}
    manifest["icons"] = [{**icon, "src": icon["src"].lstrip("/")} for icon in manifest["icons"]]
    (OUT / "manifest.webmanifest").write_text(json.dumps(manifest, ensure_ascii=False, indent=1), encoding="utf-8")
    shutil.copy(WEB / "static" / "404.html", OUT)
    shutil.copy(WEB / "static" / "static.json", OUT)
    known: dict[str, Any] = {"version": "", "worker": worker, "engine": engine, "prepared": files}
    index = (OUT / "index.html").read_text(encoding="utf-8")
    known["version"] = version = short(b"".join(path.read_bytes() for path in sorted(built())))
    old = (WEB / "static" / "old.js").read_text(encoding="utf-8")
    frame = f'<script type="application/json" id="static">{json.dumps(known)}</script>\n    <script>\n{old}</script>\n'
    (OUT / "index.html").write_text(index.replace("  </body>", f"    {frame}  </body>"), encoding="utf-8")
    names = [path.relative_to(OUT).as_posix() for path in built()]
    kept = ["./" if name == "index.html" else name for name in names if name != "404.html"]
    script = (WEB / "static" / "sw.js").read_text(encoding="utf-8")
    script = script.replace('"VERSION"', json.dumps(version)).replace('["FILES"]', json.dumps(sorted(kept)))
    (OUT / "sw.js").write_text(script, encoding="utf-8")


def built() -> list[Path]:
    return sorted(path for path in OUT.rglob("*") if path.is_file())


def announce_downloads() -> None:
    """Print what the first build downloads, before it does."""
    needed = []
    if importlib.util.find_spec("ziglang") is None and not (ZIG / "ziglang").exists():
        needed.append("a compiler for WebAssembly (400 MB)")
    if not PYODIDE.exists():
        needed.append("the tools of the page (200 MB)")
    if not list((WORK / "wheels").glob("msgspec*")):
        needed.append("a library for Pyodide (1 MB)")
    if needed:
        log(f"the first build downloads {', '.join(needed)} into build/ and web/node_modules; Ctrl-C stops it")


def build() -> None:
    announce_downloads()
    node, npm = system_node() or packaged_node()
    env = build_environment(node)
    fetch_modules(npm, env)
    worker = build_page(node, env)
    engine = build_engine(node)
    write_frame(worker, engine, write_prepared())
    sizes()


# -- what it weighs ----------------------------------------------------------------------------------------------------


def weight(path: Path) -> int:
    """Return the bytes of a download; hosts compress files that are not compressed already."""
    data = path.read_bytes()
    return len(data) if path.suffix in (".pack", ".zip", ".png", ".woff2") else len(gzip.compress(data, 9, mtime=0))


def sizes() -> dict[str, int]:
    """Return kB by part; ``home`` is the download until the first screen is complete."""
    parts: dict[str, int] = {}
    for path in built():
        name = path.relative_to(OUT).as_posix()
        kind = name.split("/")[0] if HASHED.match(name) else "frame"
        parts[kind] = parts.get(kind, 0) + weight(path)
    index = (OUT / "index.html").read_text(encoding="utf-8")
    first = {OUT / name for name in re.findall(r'(?:src|href)="\./([^"]+)"', index) if not name.endswith(".png")}
    known = json.loads(re.search(r'id="static">(.*?)</script>', index)[1])  # type: ignore[index]
    wanted = ("/api/rules?lang=ja", "/api/regulations", "/api/levels", "/api/school?lang=ja", "/api/lobby")
    first |= {OUT / "index.html", *(OUT / known["prepared"][path] for path in wanted)}
    parts["home"] = sum(weight(path) for path in first)
    parts["all"] = sum(size for kind, size in parts.items() if kind not in ("home", "all"))
    for kind, size in parts.items():
        log(f"{kind:8} {size / 1000:8.1f} kB")
    return parts


# -- as a static host would serve it -----------------------------------------------------------------------------------


class Host(http.server.SimpleHTTPRequestHandler):
    """Files under a path prefix of the host, and 404.html for missing ones."""

    protocol_version = "HTTP/1.1"
    extensions_map: ClassVar[dict[str, str]] = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }
    prefix = "/"

    def translate_path(self, path: str) -> str:
        inside = path.partition("?")[0].partition("#")[0]
        if not inside.startswith(self.prefix):
            return str(OUT / "nowhere")
        return super().translate_path("/" + inside.removeprefix(self.prefix))

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        missing = OUT / "404.html"
        if code != 404 or not missing.exists():
            super().send_error(code, message, explain)
            return
        data = missing.read_bytes()
        self.send_response(404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def host(port: int, prefix: str = "/") -> http.server.ThreadingHTTPServer:
    """Return a host that serves the page under a path prefix; the caller starts and stops it."""
    handler = type("HostAt", (Host,), {"prefix": prefix})

    def make(*given: Any) -> Any:
        return handler(*given, directory=str(OUT))

    return http.server.ThreadingHTTPServer(("127.0.0.1", port), make)


def main() -> int:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--sizes", action="store_true")
    reader.add_argument("--compiler", action="store_true")
    reader.add_argument("--verifier", action="store_true")
    reader.add_argument("--serve", type=int, metavar="PORT")
    reader.add_argument("--at", default="/", metavar="/FOLDER/")
    asked = reader.parse_args()
    if asked.compiler:
        ziglang()
        return 0
    if asked.verifier:
        node, npm = system_node() or packaged_node()
        fetch_modules(npm, build_environment(node))
        build_verifier(node)
        return 0
    if asked.sizes or asked.serve is not None:
        if not (OUT / "sw.js").exists():
            log("there is no static page yet: make static")
            return 1
        if asked.sizes:
            sizes()
        else:
            log(f"http://127.0.0.1:{asked.serve}{asked.at}")
            host(asked.serve, asked.at).serve_forever()
        return 0
    build()
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (subprocess.CalledProcessError, OSError) as error:
        log(f"the static page could not be built: {error}")
        sys.exit(1)
