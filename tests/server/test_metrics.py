"""Metrics of several processes: the sum from any process, never decreasing, and complete after a kill."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blackpoker.server.http.prometheus import render_metrics
from blackpoker.server.metrics import Metrics, ServerMetrics, reset_gauges
from tests.long.metrics import check
from tests.long.scaling import redis


def text_of(metrics: Metrics) -> dict[str, float]:
    found = re.findall(r"^(blackpoker_\S+) (\S+)$", render_metrics(ServerMetrics(metrics)).decode(), re.M)
    return {name: float(value) for name, value in found}


def test_either_process_reports_the_sum(tmp_path: Path) -> None:
    one, two = Metrics(tmp_path / "0.0"), Metrics(tmp_path / "1.0")
    one.games, two.games = 3, 4
    one.connections, two.connections = 10, 20
    one.errors["late"] += 1
    two.errors["late"] += 2
    two.errors["rate"] += 5
    one.observe_stored(0.002)
    two.observe_stored(0.5)
    assert text_of(one) == text_of(two)
    values = text_of(one)
    assert values["blackpoker_games_total"] == 7
    assert values['blackpoker_connections{process="0"}'] == 10
    assert values['blackpoker_connections{process="1"}'] == 20
    assert values['blackpoker_errors_total{code="late"}'] == 3
    assert values['blackpoker_errors_total{code="rate"}'] == 5
    assert values["blackpoker_store_seconds_count"] == 2
    assert values["blackpoker_store_seconds_sum"] == pytest.approx(0.502)


def test_counters_outlive_their_process(tmp_path: Path) -> None:
    one = Metrics(tmp_path / "0.0")
    one.games, one.connections, one.rooms = 5, 7, 2
    reset_gauges(tmp_path / "0.0")
    after = Metrics(tmp_path / "0.1")
    after.games, after.connections = 1, 3
    values = text_of(after)
    assert values["blackpoker_games_total"] == 6
    assert values['blackpoker_connections{process="0"}'] == 3
    assert ServerMetrics(after).by_process("rooms") == {"0": 0}


def test_a_single_process_reports_its_own_metrics() -> None:
    one, two = Metrics(), Metrics()
    one.games = 2
    assert text_of(one)["blackpoker_games_total"] == 2
    assert text_of(two)["blackpoker_games_total"] == 0


def test_words_without_end_have_an_end() -> None:
    one = Metrics()
    for number in range(500):
        one.errors[f"word{number}"] += 1
        one.evicted["a very long reason " * 5] += 1
    counts = dict(one.errors.items())
    assert sum(counts.values()) == 500
    assert counts["other"] > 300
    assert sum(count for _, count in one.evicted.items()) == 500


def test_two_processes_report_the_counts_of_the_database(tmp_path: Path) -> None:
    with redis() as address:
        if not address:
            pytest.skip("needs redis-server")
        found = check(6, tmp_path, address)
    values = found["last"]
    assert values["blackpoker_games_total"] == found["records"] == 6
    assert values["blackpoker_restarts_total"] == 1
    assert found["health"]["processes"] == 2
    assert found["code"] == 0
    log_events = [line["message"] for line in found["log"]]
    assert log_events.count("process started") == 3
    assert log_events.count("process died") == 1
    died = next(line for line in found["log"] if line["message"] == "process died")
    assert (died["signal"], died["level"]) == ("SIGKILL", "error")
    assert log_events[-1] == "process stops" or "server stops" in log_events
    assert "server stops" in log_events
