"""Write the downloads of a release into dist/: the documents, and the static page with one command that opens it.

    python tools/download.py

The page (``make static``) and the documents (``make docs``) must be built. Two builds of one commit are equal byte for
byte.
"""

from __future__ import annotations

import runpy
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "dist"
DIST = runpy.run_path(str(ROOT / "tools" / "dist.py"))

PLAY = '''"""Open the game in the browser: python3 play.py [PORT]. Ctrl-C ends it. Your games stay in the browser."""

import functools
import http.server
import sys
import webbrowser
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "page"


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
        ".js": "text/javascript",
    }

    def log_message(self, *words):
        pass


def main():
    # Always the same port: the browser keeps the games of each address apart.
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8765
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=str(FOLDER)))
    except OSError as error:
        sys.exit(f"port {port} is not free ({error.strerror}); name another: python3 play.py 8766")
    address = f"http://127.0.0.1:{port}/"
    print(f"BlackPoker: {address}  (Ctrl-C ends it)")
    webbrowser.open(address)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


main()
'''
READ_ME = """BlackPoker as files: the whole game against the computer, without a network.

Open it with Python 3:      python3 play.py
Or put the folder page/ on any web server.

A browser cannot run it from the files alone (file://), because it loads no program code from there.
Unofficial and fan-made. BlackPoker and its rules are the work of their authors.
"""


def write_zip(target: Path, files: dict[str, bytes], seconds: int) -> None:
    when = time.gmtime(seconds)[:6]
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    print(f"{target.relative_to(ROOT)}  {target.stat().st_size / 1e6:.1f} MB", flush=True)


def tree(folder: Path, prefix: str, command: str) -> dict[str, bytes]:
    """Return the files of a built folder by their names in the archive."""
    if not (folder / "index.html").exists():
        raise SystemExit(f"{folder.relative_to(ROOT)} is not built: {command}")
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {f"{prefix}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}


def main() -> int:
    seconds = DIST["epoch"]()
    name = f"blackpoker-{DIST['version']()}"
    page = tree(OUT / "static", f"{name}-page/page", "make static")
    page |= {f"{name}-page/play.py": PLAY.encode(), f"{name}-page/README.txt": READ_ME.encode()}
    write_zip(OUT / f"{name}-page.zip", page, seconds)
    write_zip(OUT / f"{name}-docs.zip", tree(ROOT / "build" / "site", f"{name}-docs", "make docs"), seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
