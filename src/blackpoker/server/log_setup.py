"""Structured logs: one JSON object per line, without hidden information, cookies or names."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any, Final

_STANDARD_FIELDS: Final = frozenset(vars(logging.makeLogRecord({}))) | {
    "message",
    "asctime",
    "taskName",
    "color_message",
}


def short_id(id: str) -> str:
    """Return a prefix of a room's or record's id, enough to follow it in the log; the whole id grants access to it."""
    return id if len(id) <= 4 else id[:4] + "…"


def short_path(path: str) -> str:
    return "/".join(short_id(part) if len(part) > 10 and not part.isalpha() else part for part in path[:200].split("/"))


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        out: dict[str, Any] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage()[:1000],
        }
        out.update({name: value for name, value in vars(record).items() if name not in _STANDARD_FIELDS})
        if record.exc_info and not isinstance(record.exc_info[1], UnicodeError):  # a client sent invalid text
            out["trace"] = self.formatException(record.exc_info)[-4000:]
        return json.dumps(out, ensure_ascii=False, default=str)


def configure(level: str) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # With debug output, libraries log whole messages and headers, including cookies, salts and room ids.
    root.setLevel(logging.WARNING)
    logging.getLogger("blackpoker").setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "alembic"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
        logger.setLevel(logging.WARNING)
