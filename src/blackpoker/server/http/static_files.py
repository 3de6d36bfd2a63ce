"""The page's files. Each is read and compressed once, and sent again only after it has changed."""

from __future__ import annotations

from mimetypes import guess_type
from pathlib import Path
from typing import Final

from blackpoker.server.admission import cached
from blackpoker.server.http.endpoint import CachedResponse

#: for files named by a hash of their content: the content of a name never changes
IMMUTABLE: Final = "public, max-age=31536000, immutable"
#: for other files: the browser revalidates each time
REVALIDATE: Final = "no-cache"
#: formats that are already compressed
COMPRESSED_SUFFIXES: Final = frozenset((".png", ".woff2"))


def find_file(folder: Path, name: str, cache_control: str = REVALIDATE) -> CachedResponse | None:
    """Return a file of the page as it is now; None if there is none of that name."""
    path = folder / name
    if Path(name).name != name or not path.is_file():  # no path outside the folder, whatever the name contains
        return None
    return load_file(path, path.stat().st_mtime_ns, cache_control)


@cached("files of the page", 256, "known")
def load_file(path: Path, _mtime: int, cache_control: str) -> CachedResponse:
    """Return the file's cached response. ``_mtime`` is part of the cache key, so that a rebuilt page is read again."""
    media_type = guess_type(path.name)[0] or "application/octet-stream"
    return CachedResponse(
        path.read_bytes(), media_type, cache_control, compressible=path.suffix not in COMPRESSED_SUFFIXES
    )
