"""The server in a folder of a host, behind nginx as in ``deploy/nginx-folder.conf``: ``BLACKPOKER_FOLDER=1 pytest
tests/web``."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
import urllib.request
from pathlib import Path
from typing import Final

from tests.web.browser import ROOT, Site

USE_FOLDER: Final = bool(os.environ.get("BLACKPOKER_FOLDER"))
FOLDER: Final = "/bp"
CONFIG: Final = """daemon off; pid {here}/nginx.pid; error_log {here}/nginx.log;
events {{}}
http {{
  access_log {here}/access.log;
  client_body_temp_path {here}/body; proxy_temp_path {here}/proxy; fastcgi_temp_path {here}/f; uwsgi_temp_path {here}/u; scgi_temp_path {here}/s;
  map $http_upgrade $connection_upgrade {{ default upgrade; "" close; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{ return 404; }}
    {location}
  }}
}}
"""


def nginx() -> str:
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or ""


class Proxied(Site):
    """A site that does not exist outside its folder."""

    def __init__(self, folder: Path, stripped: bool = True) -> None:
        super().__init__(folder, "--root-path", FOLDER)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.front = probe.getsockname()[1]
        self.behind = self.url
        location = (
            (ROOT / "deploy" / "nginx-folder.conf")
            .read_text(encoding="utf-8")
            .replace("127.0.0.1:8080", f"127.0.0.1:{self.port}")
        )
        if not stripped:
            location = location.replace(f":{self.port}/;", f":{self.port};")
        self.config = folder / "nginx.conf"
        self.config.write_text(CONFIG.format(here=folder, port=self.front, location=location), encoding="utf-8")
        self.proxy: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.url = self.behind
        super().start()
        self.url = f"http://127.0.0.1:{self.front}{FOLDER}"
        if self.proxy is None:
            self.proxy = subprocess.Popen([nginx(), "-c", str(self.config)], stderr=subprocess.DEVNULL)
        end = time.monotonic() + 30
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/api/health", timeout=2).close()
                return
            except OSError:
                if time.monotonic() > end or self.proxy.poll() is not None:
                    raise RuntimeError((self.folder / "nginx.log").read_text()[-2000:]) from None
                time.sleep(0.1)

    def leave(self) -> None:
        """Stop server and proxy."""
        self.kill()
        if self.proxy is not None:
            self.proxy.terminate()
            self.proxy.wait(10)
