"""The page's files. Each is read and compressed once, and sent again only after it has changed."""

from __future__ import annotations

from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from blackpoker.server.net.http import Prepared

#: for files named by a hash of their content: the content of a name never changes
FOREVER: Final = "public, max-age=31536000, immutable"
#: for other files: the browser revalidates each time
ASK: Final = "no-cache"
#: formats that are already compressed
PACKED: Final = frozenset((".png", ".woff2"))


def file_in(folder: Path, name: str, kept: str = ASK) -> Prepared | None:
    """Return a file of the page as it is now; None if there is none of that name."""
    path = folder / name
    if Path(name).name != name or not path.is_file():  # no path outside the folder, whatever the name contains
        return None
    return prepared(path, path.stat().st_mtime_ns, kept)


@lru_cache(256)
def prepared(path: Path, changed: int, kept: str) -> Prepared:
    """Return the file's cached response. ``mtime`` is part of the cache key, so that a rebuilt page is read again."""
    media = guess_type(path.name)[0] or "application/octet-stream"
    return Prepared(path.read_bytes(), media, kept, packs=path.suffix not in PACKED)
