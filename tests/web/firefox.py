"""A real Firefox, controlled by WebDriver BiDi, because Playwright only supports its own Firefox build."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

#: timeout in seconds: only a fault takes that long
PATIENCE = 900
#: disables all network access of its own
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "en-US",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


def firefox() -> str:
    return next((path for name in ("firefox-esr", "firefox") if (path := shutil.which(name))), "")


class Failed(Exception):
    pass


class Firefox:
    """One tab."""

    def __init__(self, line: Any) -> None:
        self.line = line
        self.numbers = itertools.count(1)
        self.problems: list[str] = []
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["log.entryAdded"])
        self.tab = self.ask("browsingContext.getTree")["contexts"][0]["context"]

    def ask(self, method: str, **given: Any) -> Any:
        number = next(self.numbers)
        self.line.send(json.dumps({"id": number, "method": method, "params": given}))
        while True:
            message = json.loads(self.line.recv(timeout=PATIENCE))
            if message["type"] == "event":
                if message["params"].get("level") == "error":
                    self.problems.append(str(message["params"].get("text")))
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise Failed(message["message"])
                return message["result"]

    def go(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self.tab, url=url, wait="complete")

    def evaluate(self, script: str, given: Any = None) -> Any:
        """Evaluate an expression, or a function of JSON; await its promise and return the result."""
        expression = f"(async () => JSON.stringify(await ({script})({json.dumps(given)})))()"
        target = {"context": self.tab}
        found = self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        if found["type"] == "exception":
            raise Failed(found["exceptionDetails"]["text"])
        value = found["result"].get("value")
        return None if value is None else json.loads(value)

    def wait(self, script: str) -> Any:
        """Wait until a function returns a true value; return that value."""
        end = time.monotonic() + PATIENCE
        while not (found := self.evaluate(script)):
            if time.monotonic() > end:
                raise Failed(f"it does not come: {script}")
            time.sleep(0.1)
        return found


@contextmanager
def running() -> Iterator[Firefox]:
    from websockets.sync.client import connect

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (Path(folder) / "user.js").write_text("\n".join(lines), encoding="utf-8")
        command = [firefox(), "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port=0"]
        log = Path(folder) / "told"
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output)
        try:
            with connect(f"{line_of(process, log)}/session", max_size=None, open_timeout=PATIENCE) as line:
                yield Firefox(line)
        finally:
            process.terminate()
            process.wait(30)


def line_of(process: subprocess.Popen[bytes], log: Path) -> str:
    """Return the address Firefox listens on, once it reports one; raise `Failed` if it does not."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text(errors="replace")):
            return found[1]
        time.sleep(0.2)
    raise Failed("Firefox does not listen: " + log.read_text(errors="replace")[-500:])
