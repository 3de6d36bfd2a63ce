"""The preview image of a link: a board of 1200 × 630 with both fields, both life totals, the damage, one line of text
and an address.

It is drawn at twice the size and reduced, for smooth edges. It may show a finished game or a puzzle, never a running
game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFilter, ImageFont, features

from blackpoker import View
from blackpoker.paper.drawings import SUIT_PATHS

WIDTH, HEIGHT, FINE = 1200, 630, 2
FONTS: Final = Path(__file__).parents[1] / "static" / "assets"
#: system fonts with Japanese characters
JAPANESE: Final = (
    "/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Bold.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Bold.ttc",
    "/System/Library/Fonts/ヒラギノ明朝 ProN.ttc",
    "C:/Windows/Fonts/YuGothB.ttc",
)
#: numerals as high as capitals, if the library supports the font feature
LINING: Final = ["lnum"] if features.check("raqm") else None
Colour = tuple[int, int, int]
Point = tuple[float, float]
IVORY: Final = (246, 238, 221)
DIM: Final = (203, 189, 163)
GOLD: Final = (226, 189, 107)
GOLD_HI: Final = (251, 230, 174)
STEEL: Final = (147, 184, 232)
SHU: Final = (232, 74, 38)
INK: Final[dict[str, Colour]] = {"S": (23, 17, 12), "C": (23, 17, 12), "H": (178, 30, 18), "D": (178, 30, 18)}
JOKER: Final = (84, 36, 120)
#: width of a card in a short row, and height relative to width
CARD, TALL = 92, 1.4


@dataclass(frozen=True)
class Shot:
    """The content of an image. ``names`` and ``line`` are left out if no installed font has their characters; ``blow``:
    the damage taken at once; ``hand``: cards of the near side, if everything is open."""

    view: View
    lives: tuple[int, int]
    names: tuple[str, str]
    line: str
    address: str
    blow: int = 0
    hand: tuple[str, ...] = ()


# -- letters -----------------------------------------------------------------------------------------------------------


@cache
def display(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the page's own font for numerals; the library's default if the page has not been built."""
    found = sorted(FONTS.glob("alegreya-sc-800*.woff2"))
    return ImageFont.truetype(str(found[0]), size) if found else ImageFont.load_default(size)


@cache
def japanese(size: int) -> ImageFont.FreeTypeFont | None:
    found = next((path for path in JAPANESE if Path(path).is_file()), "")
    return ImageFont.truetype(found, size) if found else None


def typeface(text: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont | None:
    """Return a font with all characters of the text; None if there is none."""
    return display(size) if all(ord(letter) < 0x180 or letter in "–—−→…’" for letter in text) else japanese(size)


class Easel:
    def __init__(self) -> None:
        self.image: Image.Image = ground().copy()
        self.draw: ImageDraw.ImageDraw = ImageDraw.Draw(self.image)

    def text(self, at: Point, text: str, size: int, colour: Colour, anchor: str = "mm", most: float = 0) -> float:
        """Draw a text and return its width; a text that is too long is reduced, and then cut."""
        face = typeface(text, size * FINE)
        if face is None or not text:
            return 0.0
        if most and self.draw.textlength(text, face, features=LINING) > most * FINE:
            if size > 20:
                return self.text(at, text, size - 2, colour, anchor, most)
            return self.text(at, text[:-2] + "…", size, colour, anchor, most) if len(text) > 3 else 0.0
        self.draw.text((at[0] * FINE, at[1] * FINE), text, colour, face, anchor, features=LINING)
        return self.draw.textlength(text, face, features=LINING) / FINE

    def box(
        self, box: tuple[float, float, float, float], radius: float, fill: Colour, line: Colour, width: float
    ) -> None:
        x, y, w, h = (FINE * one for one in box)
        self.draw.rounded_rectangle(
            (x, y, x + w, y + h), radius * FINE, fill, line, max(1, round(width * FINE))
        )  # fmt: skip

    def suit(self, letter: str, x: float, y: float, size: float, colour: Colour) -> None:
        """``x`` and ``y``: the centre."""
        scale = size * FINE / 100
        left, top = x * FINE - 50 * scale, y * FINE - 50 * scale
        for outline in shape(letter):
            self.draw.polygon([(left + px * scale, top + py * scale) for px, py in outline], colour)

    # -- things on the table -------------------------------------------------------------------------------------------

    def card(self, name: str, x: float, y: float, width: float, attacks: bool = False, dim: bool = False) -> None:
        """``x`` and ``y``: the upper left corner."""
        paper = (205, 196, 178) if dim else IVORY
        self.box(
            (x, y, width, width * TALL), width * 0.08, paper, SHU if attacks else (150, 122, 74), 5 if attacks else 1.5
        )
        if name.startswith("JK"):
            self.text((x + width / 2, y + width * 0.7), "JK", round(width * 0.5), JOKER)
            return
        ink, rank = INK[name[0]], name[1:]
        self.text((x + width * 0.27, y + width * 0.3), rank, round(width * (0.46 if len(rank) < 2 else 0.38)), ink)
        self.suit(name[0], x + width * 0.56, y + width * 0.9, width * 0.56, ink)

    def back(self, x: float, y: float, width: float, far: bool) -> None:
        fill, line = ((22, 44, 80), STEEL) if far else ((88, 22, 14), GOLD)
        self.box((x, y, width, width * TALL), width * 0.08, fill, line, 1.5)
        self.suit("D", x + width / 2, y + width * TALL / 2, width * 0.42, line)

    def chip(self, x: float, y: float, number: int) -> None:
        self.box((x - 25, y - 16, 50, 32), 16, (11, 8, 7), (149, 119, 74), 1.5)
        self.text((x, y - 1), str(number), 26, IVORY)

    def soldiers(self, view: View, player: int, y: float, up: float) -> None:
        """Draw a row in the middle; attackers stand nearer to the other side by ``up``."""
        units = view.side(player).soldiers
        gap = 12.0
        width = min(CARD, (700 - gap * len(units)) / max(1, len(units)))
        left = WIDTH / 2 - (len(units) * (width + gap) - gap) / 2
        for unit in units:
            attacks = unit.role == "attacker"
            top = y + (CARD - width) * TALL / 2 + (up if attacks else 0)
            self.card(unit.cards[0], left, top, width, attacks, unit.driven and not attacks)
            if width > 56:
                self.chip(left + width / 2, top + width * TALL - 2, unit.number)
            left += width + gap

    def hand(self, cards: tuple[str, ...]) -> None:
        step = min(98.0, 640 / max(1, len(cards)))
        left = WIDTH / 2 - (step * (len(cards) - 1) + CARD) / 2
        for place, card in enumerate(cards):
            self.card(card, left + step * place, 406, CARD)

    def bulwarks(self, count: int, x: float, y: float, far: bool) -> None:
        step = min(46.0, 220 / max(1, count))
        for place in range(min(8, count)):
            self.back(x + (step * place if far else -step * place - 40), y, 40, far)

    def life(self, shot: Shot, player: int, x: float, y: float) -> None:
        """Draw the pile and its number."""
        far = player == 1
        for layer in range(4, -1, -1):
            self.back(x + layer * 2, y + layer * 4, 78, far)
        at = x + 178 if far else x - 100
        self.text((at, y + 58), str(shot.lives[player]), 100, STEEL if far else GOLD_HI)

    def side(self, shot: Shot, player: int) -> None:
        far = player == 1
        walls = len(shot.view.side(player).bulwarks)
        self.soldiers(shot.view, player, 58 if far else 226 if shot.hand else 358, 14 if far else -18)
        if far:
            self.life(shot, player, 56, 62)
            self.bulwarks(walls, 56, 236, far)
            self.text((56, 38), shot.names[1], 30, STEEL, "lm", 420)
        else:
            self.life(shot, player, WIDTH - 56 - 88, 330)
            self.bulwarks(walls, WIDTH - 56, 258, far)
            self.text((WIDTH - 56, 524), shot.names[0], 30, GOLD_HI, "rm", 420)
            self.hand(shot.hand)


# -- shapes ------------------------------------------------------------------------------------------------------------


@cache
def shape(letter: str) -> tuple[tuple[Point, ...], ...]:
    """Return the outlines of a suit, in a square of 100."""
    if letter == "C":  # its path has arcs, drawn as three discs and a stem
        stem = outline("M57 70C58 83 61 92 69 98H31C39 92 42 83 43 70Z")
        return disc(50, 25.5), disc(74.5, 58), disc(25.5, 58), ((38, 40), (62, 40), (62, 66), (38, 66)), stem
    return (outline(SUIT_PATHS[letter]),)


def disc(x: float, y: float, radius: float = 22.5) -> tuple[Point, ...]:
    from math import cos, pi, sin

    return tuple((x + radius * cos(n * pi / 24), y + radius * sin(n * pi / 24)) for n in range(48))


def outline(path: str) -> tuple[Point, ...]:
    """Return a path of straight lines and cubic curves as a polygon."""
    out: list[Point] = []
    for command, given in re.findall(r"([MCHZ])([^MCHZ]*)", path):
        numbers = [float(one) for one in re.findall(r"-?[\d.]+", given)]
        if command == "M":
            out.append((numbers[0], numbers[1]))
        elif command == "H":
            out.append((numbers[0], out[-1][1]))
        for place in range(0, len(numbers) - 5, 6) if command == "C" else ():
            out += curve(out[-1], numbers[place : place + 6])
    return tuple(out)


def curve(start: Point, to: list[float], parts: int = 12) -> list[Point]:
    points = [start, (to[0], to[1]), (to[2], to[3]), (to[4], to[5])]
    out: list[Point] = []
    for n in range(1, parts + 1):
        t = n / parts
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        out.append((
            sum(w * x for w, (x, _) in zip(weights, points, strict=True)),
            sum(w * y for w, (_, y) in zip(weights, points, strict=True)),
        ))  # fmt: skip
    return out


@cache
def ground() -> Image.Image:
    """Return the background: a lacquered table, lit from the centre, blue on the far side, red on the near one."""
    small = Image.new("RGB", (120, 63), (16, 11, 9))
    light = Image.new("L", small.size, 0)
    ImageDraw.Draw(light).ellipse((8, -6, 112, 62), 150)
    small.paste((88, 59, 42), (0, 0), light.filter(ImageFilter.GaussianBlur(16)))
    for box, colour in (((-20, -46, 140, 12), (28, 58, 104)), ((-20, 50, 140, 106), (110, 32, 16))):
        half = Image.new("L", small.size, 0)
        ImageDraw.Draw(half).ellipse(box, 150)
        small.paste(colour, (0, 0), half.filter(ImageFilter.GaussianBlur(9)))
    image = small.resize((WIDTH * FINE, HEIGHT * FINE), Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(image)
    edge = 14 * FINE
    draw.rounded_rectangle(
        (edge, edge, WIDTH * FINE - edge, HEIGHT * FINE - edge), 18 * FINE, None, (149, 119, 74), FINE
    )
    return image


def picture(shot: Shot) -> bytes:
    """Return the image as PNG."""
    easel = Easel()
    easel.draw.line((60 * FINE, 556 * FINE, (WIDTH - 60) * FINE, 556 * FINE), (87, 69, 47), FINE)
    for player in (1, 0):
        easel.side(shot, player)
    if shot.blow:
        easel.text((WIDTH / 2, 274), f"−{shot.blow}", 132, (60, 12, 4))
        easel.text((WIDTH / 2, 270), f"−{shot.blow}", 132, SHU)
    name = easel.text((56, 586), "BlackPoker", 34, GOLD_HI, "lm")
    place = easel.text((WIDTH - 56, 586), shot.address, 26, DIM, "rm", 380)
    easel.text((WIDTH / 2, 586), shot.line, 30, IVORY, "mm", max(120.0, WIDTH - 132 - 2 * max(name, place)))
    out = BytesIO()
    easel.image.reduce(FINE).save(out, "PNG", optimize=False)
    return out.getvalue()
