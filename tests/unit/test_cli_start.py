"""``blackpoker`` without a command serves the page and opens it, or reports why it cannot."""

from pathlib import Path

import pytest

from blackpoker.cli import run
from blackpoker.server import app
from blackpoker.server import serve as running


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Replace the server by one that only announces port 8123; return the opened addresses."""
    opened: list[str] = []

    def pretend(plan: running.ServeOptions, announce: object) -> int:
        assert callable(announce)
        announce(plan, 8123)
        return 0

    class AtOnce:
        def __init__(self, target: object, args: tuple[str, ...], daemon: bool) -> None:
            assert callable(target)
            self.start = lambda: target(*args)

    def opens(url: str) -> bool:
        opened.append(url)
        return True

    monkeypatch.setattr(running, "serve", pretend)
    monkeypatch.setattr("threading.Thread", AtOnce)
    monkeypatch.setattr("webbrowser.open", opens)
    monkeypatch.setattr(app, "STATIC", tmp_path)
    (tmp_path / "index.html").touch()
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return opened


def test_the_page_is_opened(
    announced: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    assert run([]) == 0
    assert announced == ["http://127.0.0.1:8123/"]
    assert "http://127.0.0.1:8123/" in capsys.readouterr().out


def test_without_a_screen_the_address_is_enough(announced: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 0
    assert announced == []
    out = capsys.readouterr().out
    assert "http://127.0.0.1:8123/" in out
    assert "no browser can be opened" in out


def test_a_browser_that_does_not_open(
    announced: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BROWSER", "nothing")
    monkeypatch.setattr("webbrowser.open", lambda url: False)
    assert run([]) == 0
    assert "no browser could be opened" in capsys.readouterr().out


def test_without_a_page(announced: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (app.STATIC / "index.html").unlink()
    assert run([]) == 0
    assert announced == []
    assert "make web" in capsys.readouterr().out


def test_serve_opens_no_browser_by_default(
    announced: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    assert run(["serve"]) == 0
    assert announced == []
    assert run(["serve", "--open", "--host", "::1"]) == 0
    assert announced == ["http://[::1]:8123/"]


def test_a_port_may_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plans: list[running.ServeOptions] = []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def note(plan: running.ServeOptions, announce: object) -> int:
        plans.append(plan)
        return 0

    monkeypatch.setattr(running, "serve", note)
    assert run(["--local", "--port", "9100"]) == 0
    assert run(["--local"]) == 0
    assert run([]) == 0
    assert [(plan.host, plan.port) for plan in plans] == [("127.0.0.1", 9100), ("127.0.0.1", 8080), ("0.0.0.0", 8080)]
