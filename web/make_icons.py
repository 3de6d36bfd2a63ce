"""Write the icon's pixels, web/public/icon-192.png and icon-512.png, from icon.svg with an installed Chromium.

python web/make_icons.py    needs playwright and Chromium
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

PUBLIC = Path(__file__).parent / "public"
SIZES = (192, 512)


def main() -> int:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as missing:
        print(f"make_icons: {missing}; pip install playwright", file=sys.stderr)
        return 1
    found = next(
        (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), ""
    )
    if not found:
        print("make_icons: no Chromium is installed", file=sys.stderr)
        return 1
    svg = (PUBLIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>*{{margin:0}}svg{{display:block;width:{size}px}}</style>{svg}")
            page.screenshot(path=PUBLIC / f"icon-{size}.png", omit_background=True)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
