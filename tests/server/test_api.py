"""The HTTP API against its own OpenAPI document, by Schemathesis."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.server.live import Live


def test_the_api_keeps_its_description(tmp_path: Path) -> None:
    with Live(tmp_path / "api.db") as live:
        done = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                "run",
                f"{live.url}/api/openapi.json",
                "--phases=coverage,fuzzing",
                "--max-examples=4",
                "--seed=1",
                "--no-color",
                # A regulation, a deck or a position is text: whether it can be read is more than a schema can say.
                "--exclude-checks=positive_data_acceptance",
            ],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=tmp_path,
        )
    shown = "\n".join(line[:300] for line in done.stdout.splitlines()[-80:])
    assert done.returncode == 0, shown
