"""The page's files: each is read and packed once, and a browser that has it is not sent it again."""

from __future__ import annotations

from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from blackpoker.server.net.http import Prepared

#: of files that are named by what is in them: what the name means never changes
FOREVER: Final = "public, max-age=31536000, immutable"
#: of the others: ask each time whether it has changed
ASK: Final = "no-cache"
#: pictures and fonts are packed already
PACKED: Final = frozenset((".png", ".woff2"))


def file_in(folder: Path, name: str, kept: str = ASK) -> Prepared | None:
    """A file of the page as it is now; None where there is none of that name."""
    path = folder / name
    if Path(name).name != name or not path.is_file():  # nothing above or below the folder, however it is written
        return None
    return prepared(path, path.stat().st_mtime_ns, kept)


@lru_cache(256)
def prepared(path: Path, changed: int, kept: str) -> Prepared:
    """``changed``: a page that was built anew is read anew."""
    media = guess_type(path.name)[0] or "application/octet-stream"
    return Prepared(path.read_bytes(), media, kept, packs=path.suffix not in PACKED)
