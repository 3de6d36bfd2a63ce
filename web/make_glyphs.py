"""Write web/src/graphics/glyphs.ts: the ranks of the card faces as outlines of the display face (Alegreya SC, OFL).

Outlines need no loaded font, and a missing font cannot replace them.

python web/make_glyphs.py    needs fonttools and brotli
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

WEB = Path(__file__).parent
FONT = WEB / "src" / "fonts" / "alegreya-sc-800.woff2"
TARGET = WEB / "src" / "graphics" / "glyphs.ts"
#: text, horizontal scale and letter spacing of each rank
RANKS = {rank: (rank, 1.0, 0) for rank in "A23456789JQK"} | {"10": ("10", 0.78, 20), "JK": ("JK", 0.74, 22)}


def lining(font: Any) -> dict[str, str]:
    """Return the lining figures for the old-style ones."""
    found: dict[str, str] = {}
    table = font["GSUB"].table
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag != "lnum":
            continue
        for index in record.Feature.LookupListIndex:
            for part in table.LookupList.Lookup[index].SubTable:
                found.update(getattr(getattr(part, "ExtSubTable", part), "mapping", {}))
    return found


def outline(font: Any, text: str, squeeze: float, room: int) -> tuple[str, tuple[float, float, float, float]]:
    """Return the path of a text with its top left corner at 0 0, and its box."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    glyphs, names, lined = font.getGlyphSet(), font.getBestCmap(), lining(font)
    boxes = []
    for letter in text:
        name = lined.get(names[ord(letter)], names[ord(letter)])
        pen = BoundsPen(glyphs)
        glyphs[name].draw(pen)
        boxes.append((name, pen.bounds))
    top = max(box[3] for _, box in boxes)
    low = min(box[1] for _, box in boxes)
    path = SVGPathPen(glyphs, ntos=lambda value: f"{value:.0f}")
    at = 0.0
    for name, box in boxes:
        glyphs[name].draw(TransformPen(path, (squeeze, 0, 0, -1, (at - box[0]) * squeeze, top)))
        at += box[2] - box[0] + room
    return path.getCommands(), (0, 0, round((at - room) * squeeze), round(top - low))


def main() -> int:
    try:
        from fontTools.ttLib import TTFont

        font = TTFont(FONT)
    except ImportError as missing:
        print(f"make_glyphs: {missing}; pip install fonttools brotli", file=sys.stderr)
        return 1
    lines = [
        "// Written by web/make_glyphs.py from the display face; do not edit.",
        "",
        "/** Width, height and outline of what stands in a card's corner. */",
        "export const GLYPHS: Record<string, [number, number, string]> = {",
    ]
    for rank, (text, squeeze, room) in RANKS.items():
        path, (_, _, width, height) = outline(font, text, squeeze, room)
        lines.append(f'  "{rank}": [{width}, {height}, "{path}"],')
    TARGET.write_text("\n".join([*lines, "};", ""]), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
