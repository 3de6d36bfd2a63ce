"""What a release is made of: links of the package's page, archives without times, pinned workflows, the download."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DIST: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "dist.py"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


ADDRESS = "https://git.blackpoker.example/blackpoker"


def test_the_packages_page_has_absolute_links() -> None:
    address = ADDRESS
    text = DIST["absolute_links"]((ROOT / "README.md").read_text(encoding="utf-8"), address)
    links = re.findall(r"\[[^\]]*\]\(([^)\s]+)\)", text)
    assert len(links) > 10
    assert [link for link in links if not link.startswith(("https://", "http://", "#"))] == []
    for link in links:
        if link.startswith(address):
            assert (ROOT / link.removeprefix(address).split("/", 3)[3].partition("#")[0]).exists(), link


def test_a_package_names_no_repository_but_that_of_the_release() -> None:
    source = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "urls" not in tomllib.loads(source)["project"], "an address in the source is wrong on every other host"
    assert "repository-code" not in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    project = tomllib.loads(DIST["with_urls"](source, ADDRESS))["project"]
    assert project["urls"]["Source"] == ADDRESS
    assert project["scripts"] == tomllib.loads(source)["project"]["scripts"]
    for address in project["urls"].values():
        assert address.startswith(ADDRESS)
        path = address.removeprefix(ADDRESS)
        assert not path.startswith("/blob/main/") or (ROOT / path.removeprefix("/blob/main/")).exists(), path
    builds = re.findall(r"make dist ARGS=.*", (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8"))
    assert len(builds) == 3
    assert all("--address $GITHUB_SERVER_URL/$GITHUB_REPOSITORY" in build for build in builds)


def test_a_tag_is_the_version() -> None:
    command = [sys.executable, str(ROOT / "tools" / "dist.py"), "--tag"]
    wrong = subprocess.run([*command, "v0.0.0"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "the tag is v0.0.0" in wrong.stderr
    right = subprocess.run([*command, f"v{DIST['version']()}"], capture_output=True, text=True, check=False)
    assert right.returncode == 0, right.stderr


def test_only_the_plain_wheel_is_built_without_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], env: dict[str, str], **_: object) -> SimpleNamespace:
        tag = "py3-none-any" if env.get("BLACKPOKER_PURE") else "cp311-cp311-linux_x86_64"
        Path(command[command.index("--outdir") + 1], f"blackpoker-1.0.0-{tag}.whl").write_text("", encoding="utf-8")
        return SimpleNamespace(returncode=0, stdout="")

    monkeypatch.setitem(DIST["build"].__globals__, "subprocess", SimpleNamespace(run=run, PIPE=-1, STDOUT=-2))
    monkeypatch.setitem(DIST["build"].__globals__, "OUT", tmp_path)
    monkeypatch.setitem(DIST["build"].__globals__, "ROOT", tmp_path)
    for outside in ("", "1"):
        monkeypatch.setenv("BLACKPOKER_PURE", outside)
        assert DIST["build"](tmp_path, "wheel", pure=True).name.endswith("none-any.whl")
        assert DIST["build"](tmp_path, "wheel").name.endswith("linux_x86_64.whl")


def archive(path: Path, names: list[str], when: int) -> None:
    with tarfile.open(path, "w:gz") as out:
        for number, name in enumerate(names):
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uid, member.uname = 3, when + number, number, f"user{number}"
            member.mode = 0o664
            out.addfile(member, io.BytesIO(b"abc"))


def test_an_sdist_does_not_depend_on_time_order_or_owner(tmp_path: Path) -> None:
    first, second = tmp_path / "first.tar.gz", tmp_path / "second.tar.gz"
    archive(first, ["a/one", "a/two"], 1_700_000_000)
    archive(second, ["a/two", "a/one"], 1_800_000_000)
    assert first.read_bytes() != second.read_bytes()
    for path in (first, second):
        DIST["repack"](path, 1_750_000_000)
    assert first.read_bytes() == second.read_bytes()
    with tarfile.open(first) as found:
        assert [(member.name, member.mtime, member.mode) for member in found] == [
            ("a/one", 1_750_000_000, 0o644),
            ("a/two", 1_750_000_000, 0o644),
        ]


def test_the_download_does_not_depend_on_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    download: dict[str, Any] = runpy.run_path(str(ROOT / "tools" / "download.py"))
    files = {"page/index.html": b"<!doctype html>", "play.py": download["PLAY"].encode()}
    monkeypatch.setitem(download["write_zip"].__globals__, "ROOT", tmp_path)
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    download["write_zip"](first, files, 1_750_000_000)
    download["write_zip"](second, dict(reversed(files.items())), 1_750_000_000)
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as found:
        compile(found.read("play.py"), "play.py", "exec")


def test_the_wheel_for_pyodide_is_the_plain_one_with_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tmp_path / "blackpoker-1.0.0-py3-none-any.whl"
    info = "blackpoker-1.0.0.dist-info"
    with zipfile.ZipFile(plain, "w") as out:
        out.writestr("blackpoker/__init__.py", "")
        out.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n\n")
        out.writestr(f"{info}/RECORD", "")
    compiled = tmp_path / "rules.so"
    compiled.write_bytes(b"\0asm")
    names = DIST["pyodide_wheel"].__globals__
    monkeypatch.setitem(names, "runpy", SimpleNamespace(run_path=lambda path: {"library": lambda: compiled}))
    monkeypatch.setitem(names, "OUT", tmp_path)
    monkeypatch.setitem(names, "ROOT", tmp_path)
    made = DIST["pyodide_wheel"](plain, 1_750_000_000)
    assert made.name == "blackpoker-1.0.0-py3-none-pyemscripten_2026_0_wasm32.whl"
    with zipfile.ZipFile(made) as found:
        assert found.read("blackpoker/native/rules.native.so") == b"\0asm"
        assert found.namelist()[-1] == f"{info}/WHEEL", "the metadata comes last"
        wheel = found.read(f"{info}/WHEEL").decode()
        assert "Tag: py3-none-pyemscripten_2026_0_wasm32" in wheel
        assert "Root-Is-Purelib: false" in wheel
        for line in found.read(f"{info}/RECORD").decode().splitlines():
            name, digest, size = line.split(",")
            if digest:
                data = found.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert (digest, size) == (f"sha256={expected}", str(len(data)))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_is_pinned_and_may_little(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}, "nothing unless a job asks for it"
    for used in re.findall(r"uses: (\S+)", text):
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", used), used
    for name, job in workflow["jobs"].items():
        assert "permissions" in job, name
        for step in job["steps"]:
            settings = step.get("with", {})
            if step.get("uses", "").startswith("actions/checkout"):
                assert settings["persist-credentials"] is False
            if step.get("uses", "").startswith("actions/setup-node"):
                assert settings["package-manager-cache"] is False
            assert "cache" not in settings


def test_the_lock_has_every_tool() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [text for group in data["dependency-groups"].values() for text in group if isinstance(text, str)]
    wanted += [text for extra in data["project"]["optional-dependencies"].values() for text in extra]
    names = {re.split(r"[\[>=<;~! ]", text)[0].lower().replace("_", "-") for text in wanted}
    lock = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([a-z0-9.-]+)(?:\[[^]]*\])?==(\S+)", lock, re.M))
    missing = names - set(locked) - {"blackpoker", "torch", "sb3-contrib"}
    assert not missing, "uv pip compile, see the head of the file"
    assert locked["mypy"] == "2.4.1", "the version that compiles"
