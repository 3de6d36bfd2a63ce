"""The preview image of a link: a board of 1200 × 630 with both fields, both life totals, the damage, one line of text
and an address.

It is drawn at twice the size and reduced, for smooth edges. It may show a finished game or a puzzle, never a running
game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFilter, ImageFont, features

from blackpoker import View
from blackpoker.printing.drawings import SUIT_PATHS
from blackpoker.server.admission import cached

WIDTH, HEIGHT, SCALE = 1200, 630, 2
FONTS: Final = Path(__file__).parents[2] / "static" / "assets"
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
CARD_WIDTH, CARD_RATIO = 92, 1.4


@dataclass(frozen=True)
class ImageContent:
    """The content of an image. ``names`` and ``line`` are left out if no installed font has their characters; ``blow``:
    the damage taken at once; ``hand``: cards of the near side, if everything is open."""

    view: View
    lives: tuple[int, int]
    names: tuple[str, str]
    line: str
    address: str
    damage: int = 0
    hand: tuple[str, ...] = ()


# -- letters -----------------------------------------------------------------------------------------------------------


@cached("numerals", 40)
def numeral_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the page's own font for numerals; the library's default if the page has not been built."""
    found = sorted(FONTS.glob("alegreya-sc-800*.woff2"))
    return ImageFont.truetype(str(found[0]), size) if found else ImageFont.load_default(size)


@cached("letters", 40)
def japanese_font(size: int) -> ImageFont.FreeTypeFont | None:
    found = next((path for path in JAPANESE if Path(path).is_file()), "")
    return ImageFont.truetype(found, size) if found else None


def font_for(text: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont | None:
    """Return a font with all characters of the text; None if there is none."""
    return (
        numeral_font(size) if all(ord(letter) < 0x180 or letter in "–—−→…’" for letter in text) else japanese_font(size)
    )


class BoardCanvas:
    def __init__(self) -> None:
        self.image: Image.Image = background().copy()
        self.draw: ImageDraw.ImageDraw = ImageDraw.Draw(self.image)

    def text(self, at: Point, text: str, size: int, colour: Colour, anchor: str = "mm", max_width: float = 0) -> float:
        """Draw a text and return its width; a text that is too long is reduced, and then cut."""
        font = font_for(text, size * SCALE)
        if font is None or not text:
            return 0.0
        if max_width and self.draw.textlength(text, font, features=LINING) > max_width * SCALE:
            if size > 20:
                return self.text(at, text, size - 2, colour, anchor, max_width)
            return self.text(at, text[:-2] + "…", size, colour, anchor, max_width) if len(text) > 3 else 0.0
        self.draw.text((at[0] * SCALE, at[1] * SCALE), text, colour, font, anchor, features=LINING)
        return self.draw.textlength(text, font, features=LINING) / SCALE

    def box(
        self, box: tuple[float, float, float, float], radius: float, fill: Colour, line: Colour, width: float
    ) -> None:
        x, y, w, h = (SCALE * value for value in box)
        self.draw.rounded_rectangle((x, y, x + w, y + h), radius * SCALE, fill, line, max(1, round(width * SCALE)))

    def suit(self, letter: str, x: float, y: float, size: float, colour: Colour) -> None:
        """``x`` and ``y``: the centre."""
        scale = size * SCALE / 100
        left, top = x * SCALE - 50 * scale, y * SCALE - 50 * scale
        for outline in suit_outlines(letter):
            self.draw.polygon([(left + px * scale, top + py * scale) for px, py in outline], colour)

    # -- things on the table -------------------------------------------------------------------------------------------

    def card(self, name: str, x: float, y: float, width: float, attacks: bool = False, dim: bool = False) -> None:
        """``x`` and ``y``: the upper left corner."""
        paper = (205, 196, 178) if dim else IVORY
        self.box(
            (x, y, width, width * CARD_RATIO),
            width * 0.08,
            paper,
            SHU if attacks else (150, 122, 74),
            5 if attacks else 1.5,
        )
        if name.startswith("JK"):
            self.text((x + width / 2, y + width * 0.7), "JK", round(width * 0.5), JOKER)
            return
        ink, rank = INK[name[0]], name[1:]
        self.text((x + width * 0.27, y + width * 0.3), rank, round(width * (0.46 if len(rank) < 2 else 0.38)), ink)
        self.suit(name[0], x + width * 0.56, y + width * 0.9, width * 0.56, ink)

    def back(self, x: float, y: float, width: float, far: bool) -> None:
        fill, line = ((22, 44, 80), STEEL) if far else ((88, 22, 14), GOLD)
        self.box((x, y, width, width * CARD_RATIO), width * 0.08, fill, line, 1.5)
        self.suit("D", x + width / 2, y + width * CARD_RATIO / 2, width * 0.42, line)

    def chip(self, x: float, y: float, label: int) -> None:
        self.box((x - 25, y - 16, 50, 32), 16, (11, 8, 7), (149, 119, 74), 1.5)
        self.text((x, y - 1), str(label), 26, IVORY)

    def soldiers(self, view: View, player: int, y: float, up: float) -> None:
        """Draw a row in the middle; attackers stand nearer to the other side by ``up``."""
        units = view.side(player).soldiers
        gap = 12.0
        width = min(CARD_WIDTH, (700 - gap * len(units)) / max(1, len(units)))
        left = WIDTH / 2 - (len(units) * (width + gap) - gap) / 2
        for unit in units:
            attacks = unit.role == "attacker"
            top = y + (CARD_WIDTH - width) * CARD_RATIO / 2 + (up if attacks else 0)
            self.card(unit.cards[0], left, top, width, attacks, unit.driven and not attacks)
            if width > 56:
                self.chip(left + width / 2, top + width * CARD_RATIO - 2, unit.number)
            left += width + gap

    def hand(self, cards: tuple[str, ...]) -> None:
        step = min(98.0, 640 / max(1, len(cards)))
        left = WIDTH / 2 - (step * (len(cards) - 1) + CARD_WIDTH) / 2
        for position, card in enumerate(cards):
            self.card(card, left + step * position, 406, CARD_WIDTH)

    def bulwarks(self, count: int, x: float, y: float, far: bool) -> None:
        step = min(46.0, 220 / max(1, count))
        for position in range(min(8, count)):
            self.back(x + (step * position if far else -step * position - 40), y, 40, far)

    def life_pile(self, content: ImageContent, player: int, x: float, y: float) -> None:
        """Draw the pile and its number."""
        far = player == 1
        for layer in range(4, -1, -1):
            self.back(x + layer * 2, y + layer * 4, 78, far)
        at = x + 178 if far else x - 100
        self.text((at, y + 58), str(content.lives[player]), 100, STEEL if far else GOLD_HI)

    def side(self, content: ImageContent, player: int) -> None:
        far = player == 1
        walls = len(content.view.side(player).bulwarks)
        self.soldiers(content.view, player, 58 if far else 226 if content.hand else 358, 14 if far else -18)
        if far:
            self.life_pile(content, player, 56, 62)
            self.bulwarks(walls, 56, 236, far)
            self.text((56, 38), content.names[1], 30, STEEL, "lm", 420)
        else:
            self.life_pile(content, player, WIDTH - 56 - 88, 330)
            self.bulwarks(walls, WIDTH - 56, 258, far)
            self.text((WIDTH - 56, 524), content.names[0], 30, GOLD_HI, "rm", 420)
            self.hand(content.hand)


# -- shapes ------------------------------------------------------------------------------------------------------------


@cached("suits", 4)
def suit_outlines(letter: str) -> tuple[tuple[Point, ...], ...]:
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
    for command, arguments in re.findall(r"([MCHZ])([^MCHZ]*)", path):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", arguments)]
        if command == "M":
            out.append((numbers[0], numbers[1]))
        elif command == "H":
            out.append((numbers[0], out[-1][1]))
        for start in range(0, len(numbers) - 5, 6) if command == "C" else ():
            out += curve(out[-1], numbers[start : start + 6])
    return tuple(out)


def curve(start: Point, to: list[float], parts: int = 12) -> list[Point]:
    points = [start, (to[0], to[1]), (to[2], to[3]), (to[4], to[5])]
    out: list[Point] = []
    for n in range(1, parts + 1):
        t = n / parts
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        out.append(
            (
                sum(w * x for w, (x, _) in zip(weights, points, strict=True)),
                sum(w * y for w, (_, y) in zip(weights, points, strict=True)),
            )
        )
    return out


@cached("background", 1)
def background() -> Image.Image:
    """Return the background: a lacquered table, lit from the centre, blue on the far side, red on the near one."""
    small = Image.new("RGB", (120, 63), (16, 11, 9))
    light = Image.new("L", small.size, 0)
    ImageDraw.Draw(light).ellipse((8, -6, 112, 62), 150)
    small.paste((88, 59, 42), (0, 0), light.filter(ImageFilter.GaussianBlur(16)))
    for box, colour in (((-20, -46, 140, 12), (28, 58, 104)), ((-20, 50, 140, 106), (110, 32, 16))):
        half = Image.new("L", small.size, 0)
        ImageDraw.Draw(half).ellipse(box, 150)
        small.paste(colour, (0, 0), half.filter(ImageFilter.GaussianBlur(9)))
    image = small.resize((WIDTH * SCALE, HEIGHT * SCALE), Image.Resampling.BICUBIC)
    draw = ImageDraw.Draw(image)
    edge = 14 * SCALE
    draw.rounded_rectangle(
        (edge, edge, WIDTH * SCALE - edge, HEIGHT * SCALE - edge), 18 * SCALE, None, (149, 119, 74), SCALE
    )
    return image


def draw_image(content: ImageContent) -> bytes:
    """Return the image as PNG."""
    canvas = BoardCanvas()
    canvas.draw.line((60 * SCALE, 556 * SCALE, (WIDTH - 60) * SCALE, 556 * SCALE), (87, 69, 47), SCALE)
    for player in (1, 0):
        canvas.side(content, player)
    if content.damage:
        canvas.text((WIDTH / 2, 274), f"−{content.damage}", 132, (60, 12, 4))
        canvas.text((WIDTH / 2, 270), f"−{content.damage}", 132, SHU)
    title_width = canvas.text((56, 586), "BlackPoker", 34, GOLD_HI, "lm")
    address_width = canvas.text((WIDTH - 56, 586), content.address, 26, DIM, "rm", 380)
    canvas.text(
        (WIDTH / 2, 586), content.line, 30, IVORY, "mm", max(120.0, WIDTH - 132 - 2 * max(title_width, address_width))
    )
    out = BytesIO()
    canvas.image.reduce(SCALE).save(out, "PNG", optimize=False)
    return out.getvalue()
