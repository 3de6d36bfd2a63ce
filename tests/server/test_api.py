"""The HTTP API against its own OpenAPI document, by Schemathesis."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from blackpoker.players.engine_players import LEVELS
from blackpoker.protocol import messages as p
from tests.server.live import PATIENCE, Live

#: A schema cannot express whether a text is readable as a position, scenario, deck or name: there 422 is correct for a
#: request that fits the schema. Elsewhere every fitting request is accepted. 503 is the answer of a busy machine.
CONFIG = """
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", "503"]

[checks.negative_data_rejection]
expected-statuses = ["400", "403", "404", "405", "406", "413", "415", "422"]

[[operations]]
include-operation-id = ["check_position", "continue_position", "try_scenario", "send_lesson_message", "send_puzzle_message", "send_moment_message", "make_deck_list", "import_record"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "404", "422", "503"]

[[operations]]
include-operation-id = ["check_name", "create_account"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "401", "409", "422", "503"]
"""


def test_all_levels_that_are_offered_exist() -> None:
    assert set(p.LEVELS) <= set(LEVELS)


def test_the_api_keeps_its_description(tmp_path: Path) -> None:
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG)
    with Live(tmp_path / "api.db") as live:
        done = subprocess.run(
            [
                str(Path(sys.executable).with_name("schemathesis")),
                "run",
                f"{live.url}/api/openapi.json",
                "--phases=coverage,fuzzing",
                "--max-examples=4",
                "--seed=1",
                f"--request-timeout={PATIENCE:.0f}",
                "--no-color",
            ],
            capture_output=True,
            text=True,
            timeout=10 * PATIENCE,
            cwd=tmp_path,
        )
    shown = "\n".join(line[:300] for line in done.stdout.splitlines()[-80:])
    assert done.returncode == 0, shown
