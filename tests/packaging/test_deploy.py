"""The files of deploy/ are accepted by their programs if installed; the guide's backups are made and restored."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from blackpoker.cli.command_line import parse, variable_of
from blackpoker.cli.commands import COMMANDS
from blackpoker.cli.console import UsageError
from blackpoker.server.http.prometheus import render_metrics
from blackpoker.server.metrics import Metrics, ServerMetrics
from blackpoker.server.serve import ServeOptions, described
from blackpoker.server.storage.database import make_engine, migrate
from blackpoker.server.storage.schema import META
from tests.long.scaling import postgres

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
GUIDE = (ROOT / "docs" / "guide" / "deploy.md").read_text(encoding="utf-8")


def block(name: str) -> str:
    found = re.findall(rf"```sh {name}\n(.*?)```", GUIDE, re.S)
    assert len(found) == 1, name
    return str(found[0])


def fill(database: str) -> None:
    """Insert rows into every table."""
    engine = make_engine(database)
    with engine.begin() as connection:
        migrate(connection)
        for table in META.tables.values():
            for number in range(3):
                row: dict[str, Any] = {}
                for column in table.columns:
                    kind = column.type.python_type
                    row[column.name] = {str: f"t{number}", int: number, float: number / 2, bytes: bytes([number])}[kind]
                connection.execute(table.insert(), row)
    engine.dispose()


def rows(database: str) -> dict[str, list[tuple[Any, ...]]]:
    engine = make_engine(database)
    with engine.connect() as connection:
        found = {
            name: sorted(tuple(row) for row in connection.execute(select(table))) for name, table in META.tables.items()
        }
    engine.dispose()
    return found


def wipe(database: str) -> None:
    engine = make_engine(database)
    with engine.begin() as connection:
        for table in META.tables.values():
            connection.execute(table.delete())
    engine.dispose()


def sh(commands: str, folder: Path, **environment: str) -> None:
    subprocess.run(["sh", "-e", "-c", commands], cwd=folder, env={**os.environ, **environment}, check=True)


def test_backup_and_restore_sqlite(tmp_path: Path) -> None:
    if shutil.which("sqlite3") is None:
        pytest.skip("needs sqlite3")
    database = str(tmp_path / "games.db")
    fill(database)
    before = rows(database)
    sh(block("backup sqlite"), tmp_path)
    wipe(database)
    assert rows(database) != before
    sh(block("restore sqlite"), tmp_path)
    assert rows(database) == before
    assert all(len(found) >= 3 for found in before.values())


def test_a_roll_back_is_the_old_version_and_the_backup(tmp_path: Path) -> None:
    """After a newer version migrated the database, ours refuses it and opens the backup."""
    if shutil.which("sqlite3") is None:
        pytest.skip("needs sqlite3")
    database = str(tmp_path / "games.db")
    fill(database)
    before = rows(database)
    sh(block("backup sqlite"), tmp_path)
    sh(
        "sqlite3 games.db \"update alembic_version set version_num = '9999'; alter table records add column later text\"",
        tmp_path,
    )
    serve = [sys.executable, "-m", "blackpoker.cli", "serve", "--no-qr", "--port", "0", "--database", database]
    refused = subprocess.run(serve, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert refused.returncode == 3
    assert "9999" in refused.stderr
    sh(block("restore sqlite"), tmp_path)
    engine = make_engine(database)
    with engine.begin() as connection:
        migrate(connection)
    engine.dispose()
    assert rows(database) == before


def test_backup_and_restore_postgresql(tmp_path: Path) -> None:
    if shutil.which("pg_dump") is None:
        pytest.skip("needs pg_dump")
    with postgres() as address:
        if not address:
            pytest.skip("needs PostgreSQL")
        fill(address)
        before = rows(address)
        sh(block("backup postgresql"), tmp_path, DATABASE=address)
        wipe(address)
        assert rows(address) != before
        sh(block("restore postgresql"), tmp_path, DATABASE=address)
        assert rows(address) == before


def test_nginx_reads_its_example(tmp_path: Path) -> None:
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if nginx is None or shutil.which("openssl") is None:
        pytest.skip("needs nginx and openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "cert.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=play.example.org", "-days", "1"]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"ssl_certificate [^;]+", f"ssl_certificate {certificate}", text)
    text = re.sub(r"ssl_certificate_key [^;]+", f"ssl_certificate_key {key}", text)
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{text}\n}}\n")
    done = subprocess.run(
        [nginx, "-t", "-c", str(whole), "-p", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_systemd_reads_its_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze")
    unit = tmp_path / "blackpoker.service"
    unit.write_text((DEPLOY / "blackpoker.service").read_text().replace("/opt/blackpoker/bin/blackpoker", "/bin/true"))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    wrong = [line for line in done.stderr.splitlines() if "blackpoker.service" in line]
    assert wrong == []


def test_dashboard_and_alerts_use_existing_metrics() -> None:
    exposed = render_metrics(ServerMetrics(Metrics())).decode()
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    expressions += re.findall(r"expr: (.+)", (DEPLOY / "alerts.yaml").read_text())
    names = {name for text in expressions for name in re.findall(r"blackpoker_\w+", text)}
    assert len(names) >= 8
    for name in names:
        assert re.search(rf"^# HELP {name}\b", exposed, re.M) or f"\n{name}" in exposed, name


def test_the_container_installs_extras_that_exist() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    text = (DEPLOY / "Containerfile").read_text() + (DEPLOY / "blackpoker.service").read_text()
    named = {name for found in re.findall(r"\[([a-z,]+)\]'", text) for name in found.split(",")}
    assert named == {"server", "scale"}
    assert named <= set(extras)
    assert re.search(r"^USER 10001$", text, re.M)


def test_compose_is_consistent() -> None:
    """Every service that is named exists, every file is there, every variable is an option, no password is in a command."""
    import yaml

    path = DEPLOY / "compose.yaml"
    services = yaml.safe_load(path.read_text(encoding="utf-8"))["services"]
    for service in services.values():
        waits = service.get("depends_on", {})
        assert set(waits) <= set(services)
        conditions = waits.values() if isinstance(waits, dict) else ()
        for name, wait in zip(waits, conditions, strict=False):
            assert wait["condition"] != "service_healthy" or "healthcheck" in services[name]
        assert "PASSWORD" not in json.dumps(service.get("command", []))
        for volume in service.get("volumes", ()):
            place = volume.split(":")[0]
            assert not place.startswith(".") or (DEPLOY / place).exists(), place
    (server,) = [service for service in services.values() if "build" in service]
    assert (DEPLOY / server["build"]["context"] / server["build"]["dockerfile"]).exists()
    options = {variable_of(parameter) for parameter in COMMANDS["serve"].parameters}
    assert {name for name in server["environment"] if name.startswith("BLACKPOKER_")} <= options
    text = (DEPLOY / "Containerfile").read_text() + (DEPLOY / "blackpoker.service").read_text()
    assert set(re.findall(r"(?:ENV|Environment=)\s*(BLACKPOKER_\w+)=", text)) == {"BLACKPOKER_DATABASE"} <= options
    docker = shutil.which("docker")
    if (
        docker is not None
        and subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode == 0
    ):
        command = [docker, "compose", "-f", str(path), "config", "--quiet"]
        env = {**os.environ, "HOST": "play.example.org", "POSTGRES_PASSWORD": "secret"}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_recipe_has_ten_steps() -> None:
    recipe = GUIDE.partition("## Ten steps")[2].partition("## Settings")[0]
    assert [int(number) for number in re.findall(r"^(\d+)\. ", recipe, re.M)] == list(range(1, 11))
    for name in re.findall(r"deploy/(\w+\.\w+)", recipe):
        assert (DEPLOY / name).exists(), name


# -- settings from the environment ----------------------------------------------------------------------------------------


def serve_options(*words: str) -> dict[str, Any]:
    return parse(COMMANDS["serve"], list(words))


def test_options_are_variables_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = tmp_path / "database"
    secret.write_text("postgresql://bp:secret@db/bp\n", encoding="utf-8")
    monkeypatch.setenv("BLACKPOKER_DATABASE_FILE", str(secret))
    monkeypatch.setenv("BLACKPOKER_PORT", "9000")
    monkeypatch.setenv("BLACKPOKER_ALLOW_HOST", "play.example.org, www.example.org")
    monkeypatch.setenv("BLACKPOKER_EXACT_PORT", "yes")
    monkeypatch.setenv("BLACKPOKER_NO_QR", "1")
    monkeypatch.setenv("BLACKPOKER_OPEN_METRICS", "off")
    monkeypatch.setenv("BLACKPOKER_METRICS_TOKEN_FILE", "/run/secrets/token")
    found = serve_options()
    assert found["database"] == "postgresql://bp:secret@db/bp"
    assert (found["port"], found["exact"], found["qr"], found["open_metrics"]) == (9000, True, False, False)
    assert found["allow_host"] == ["play.example.org", "www.example.org"]
    assert found["metrics_token"] == Path("/run/secrets/token")
    assert parse(COMMANDS["admin"], ["stats"])["database"] == "postgresql://bp:secret@db/bp"
    assert serve_options("--port", "80")["port"] == 80, "the command line wins"
    assert parse(COMMANDS["bot"], ["join", "http://x", "--bot", "y"])["regulation"] == "lite+entry"


@pytest.mark.parametrize(
    ("variable", "value", "message"),
    [
        ("BLACKPOKER_PORT", "http", "BLACKPOKER_PORT is a whole number, not 'http'"),
        ("BLACKPOKER_LOG_LEVEL", "loud", "BLACKPOKER_LOG_LEVEL is one of"),
        ("BLACKPOKER_EXACT_PORT", "perhaps", "BLACKPOKER_EXACT_PORT is one of 1, true"),
        ("BLACKPOKER_REDIS_FILE", "/no/such/file", "the file of BLACKPOKER_REDIS_FILE cannot be read"),
    ],
)
def test_a_wrong_variable_is_named(variable: str, value: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(UsageError) as error:
        serve_options()
    assert message in error.value.text("en")


def test_a_variable_and_its_file_are_not_both_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLACKPOKER_DATABASE", "games.db")
    monkeypatch.setenv("BLACKPOKER_DATABASE_FILE", "/run/secrets/database")
    with pytest.raises(UsageError) as error:
        serve_options()
    assert error.value.text("en") == "BLACKPOKER_DATABASE and BLACKPOKER_DATABASE_FILE are both set"


@pytest.mark.parametrize(
    ("database", "shown"),
    [
        ("/var/lib/blackpoker/games.db", "/var/lib/blackpoker/games.db"),
        ("postgresql://bp:se:cr@et@db:5432/bp?sslpassword=x", "postgresql://bp@db:5432/bp"),
        ("postgresql://db/bp", "postgresql://db/bp"),
    ],
)
def test_the_start_line_has_no_password(database: str, shown: str) -> None:
    version, edition, named, root = described(ServeOptions(database=database, root="/bp"))
    assert (named, root) == (shown, "/bp")
    assert version
    assert edition.startswith("act6")
