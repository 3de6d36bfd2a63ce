"""The picture of a link, 1200 × 630: on the left the lost cards or the board, on the right a headline, the score and a
question.

Cards, backs and masks are painted from the page's own drawings (`svg_painter`). It is drawn at twice the size and
reduced, for smooth edges. It may show a finished game or a puzzle, never a running game.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont, features

from blackpoker import View
from blackpoker.printing.drawings import LETTERS
from blackpoker.server.admission import cached
from blackpoker.server.http.api.svg_painter import Colour, Point, card_image, mask_image, symbol_image

WIDTH, HEIGHT, SCALE = 1200, 630, 2
#: width of the table on the left
TABLE: Final = 800
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
WHITE: Final = (255, 255, 255)
IVORY: Final = (246, 238, 221)
DIM: Final = (203, 189, 163)
GOLD: Final = (226, 189, 107)
GOLD_HI: Final = (251, 230, 174)
GOLD_INK: Final = (36, 23, 3)
STEEL: Final = (147, 184, 232)
SHU: Final = (255, 90, 50)
SHU_HI: Final = (255, 180, 157)
SHU_DEEP: Final = (150, 38, 16)
#: fewer lost cards are not worth a fan: the board is shown
LEAST_FAN: Final = 5
#: at most this many lost cards are drawn
MOST_FAN: Final = 20


@dataclass(frozen=True)
class ImageContent:
    """The content of a picture. A text is left out if no installed font has its characters.

    ``view``: the board before the damage; ``lost``: its cards, first to last, None for a hidden one; ``caption``: the
    line below them; ``score``: the life at the end; ``levels``: of computer players, None for others; ``hand``: the
    near side's cards, if everything is open; ``question``: on the button."""

    view: View
    lives: tuple[int, int]
    headline: str
    lines: tuple[str, ...] = ()
    names: tuple[str, str] = ("", "")
    levels: tuple[str | None, str | None] = (None, None)
    score: tuple[int, int] | None = None
    damage: int = 0
    lost: tuple[str | None, ...] = ()
    struck: int = 1
    caption: str = ""
    hand: tuple[str, ...] = ()
    question: str = ""
    address: str = ""


# -- letters -----------------------------------------------------------------------------------------------------------


@cached("numerals", 60)
def numeral_font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the page's own font for numerals; the library's default if the page has not been built."""
    found = sorted(FONTS.glob("alegreya-sc-800*.woff2"))
    return ImageFont.truetype(str(found[0]), size) if found else ImageFont.load_default(size)


@cached("letters", 60)
def japanese_font(size: int) -> ImageFont.FreeTypeFont | None:
    found = next((path for path in JAPANESE if Path(path).is_file()), "")
    return ImageFont.truetype(found, size) if found else None


def font_for(text: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont | None:
    """Return a font with all characters of the text; None if there is none."""
    return (
        numeral_font(size) if all(ord(letter) < 0x180 or letter in "–—−…’" for letter in text) else japanese_font(size)
    )


class BoardCanvas:
    def __init__(self) -> None:
        self.image: Image.Image = background().copy()
        self.draw: ImageDraw.ImageDraw = ImageDraw.Draw(self.image)

    def measure(self, text: str, size: int) -> float:
        """Return the width of a text with drawn suits, or 0 if no font has it."""
        width = 0.0
        for part in re.split(f"([{''.join(LETTERS)}])", text):
            if part in LETTERS:
                width += size * 0.8
            elif part:
                font = font_for(part, size * SCALE)
                if font is None:
                    return 0.0
                width += self.draw.textlength(part, font, features=LINING) / SCALE
        return width

    def text(self, at: Point, text: str, size: int, colour: Colour, anchor: str = "lm", max_width: float = 0) -> float:
        """Draw a line of text with drawn suits and return its width; a line that is too long is reduced, and then cut.
        ``anchor``: l, m or r, then m."""
        width = self.measure(text, size)
        if not width:
            return 0.0
        if max_width and width > max_width:
            if size > 20:
                return self.text(at, text, size - 2, colour, anchor, max_width)
            return self.text(at, text[:-2] + "…", size, colour, anchor, max_width) if len(text) > 3 else 0.0
        x = at[0] - {"l": 0.0, "m": width / 2, "r": width}[anchor[0]]
        for part in re.split(f"([{''.join(LETTERS)}])", text):
            if part in LETTERS:
                self.sign(f"s-{LETTERS[part]}", x + size * 0.04, at[1] - size * 0.34, round(size * 0.7), colour)
                x += size * 0.8
            elif part:
                font = font_for(part, size * SCALE)
                if font is not None:
                    self.draw.text((x * SCALE, at[1] * SCALE), part, colour, font, "lm", features=LINING)
                    x += self.draw.textlength(part, font, features=LINING) / SCALE
        return width

    def paragraph(self, x: float, y: float, text: str, size: int, colour: Colour, width: float, most: int) -> float:
        """Draw a text in at most this many lines, smaller if needed, and return the y below it."""
        lines = self.broken(text, size, width)
        while len(lines) > most and size > 22:
            size -= 2
            lines = self.broken(text, size, width)
        for line in lines[:most]:
            self.text((x, y + size * 0.6), line, size, colour, "lm", width)
            y += size * 1.24
        return y

    def broken(self, text: str, size: int, width: float) -> list[str]:
        """Return a text in lines: broken at spaces, or anywhere in a text without spaces."""
        words = text.split(" ") if " " in text else list(text)
        glue = " " if " " in text else ""
        out: list[str] = []
        for word in words:
            longer = out[-1] + glue + word if out else word
            if out and self.measure(longer, size) <= width:
                out[-1] = longer
            elif out and word in "。、」？！":  # never at the start of a line
                out[-1] += word
            else:
                out.append(word)
        return out

    def box(
        self, box: tuple[float, float, float, float], radius: float, fill: Colour, line: Colour, width: float
    ) -> None:
        x, y, w, h = (SCALE * value for value in box)
        self.draw.rounded_rectangle((x, y, x + w, y + h), radius * SCALE, fill, line, max(1, round(width * SCALE)))

    def paste(self, image: Image.Image, x: float, y: float) -> None:
        self.image.paste(image, (round(x * SCALE), round(y * SCALE)), image)

    def sign(self, id: str, x: float, y: float, size: int, colour: Colour) -> None:
        self.paste(symbol_image(id, size * SCALE, colour), x, y)

    # -- things on the table -------------------------------------------------------------------------------------------

    def card(
        self,
        name: str,
        x: float,
        y: float,
        width: float,
        turn: float = 0,
        dim: bool = False,
        glow: Colour | None = None,
    ) -> None:
        """Draw a card, or a back named ``near`` or ``far``, around its middle; ``turn`` is in degrees, clockwise."""
        drawn = card_image(name, round(width * SCALE))
        if dim:
            grey = Image.new("RGB", drawn.size, (176, 168, 150))
            drawn = Image.merge(
                "RGBA", (*ImageChops.multiply(drawn.convert("RGB"), grey).split(), drawn.getchannel("A"))
            )
        margin = round(width * 0.22 * SCALE)
        shape = Image.new("L", (drawn.width + 2 * margin, drawn.height + 2 * margin))
        shape.paste(drawn.getchannel("A"), (margin, margin))
        blur = ImageFilter.GaussianBlur(width * (0.07 if glow is None else 0.055) * SCALE)
        shade = Image.new("RGBA", shape.size, (*(glow or (0, 0, 0)), 255))
        shade.putalpha(
            shape.filter(blur).point([min(255, round(value * (0.75 if glow is None else 1.6))) for value in range(256)])
        )
        shade.alpha_composite(drawn, (margin, margin))
        whole = shade.rotate(-turn, Image.Resampling.BICUBIC, expand=True) if turn else shade
        self.paste(whole, x - whole.width / SCALE / 2, y - whole.height / SCALE / 2)

    def chip(self, x: float, y: float, label: int) -> None:
        self.box((x - 23, y - 15, 46, 30), 15, (11, 8, 7), (149, 119, 74), 1.5)
        self.text((x, y - 1), str(label), 24, IVORY, "mm")

    def soldiers(self, view: View, player: int, y: float, up: float, most: float) -> None:
        """Draw a row in the middle; attackers stand nearer to the other side by ``up``."""
        units = view.side(player).soldiers
        gap = 14.0
        spans = sum(1.4 if unit.driven else 1.0 for unit in units)
        width = min(most, (TABLE - 120 - gap * len(units)) / max(1.0, spans))
        left = TABLE / 2 - (spans * width + gap * (len(units) - 1)) / 2
        for unit in units:
            attacks = unit.role == "attacker"
            wide = width * (1.4 if unit.driven else 1.0)
            middle, top = left + wide / 2, y + (up if attacks else 0)
            glow = SHU if attacks else None
            self.card(unit.cards[0], middle, top, width, 90 if unit.driven else 0, unit.driven and not attacks, glow)
            if width > 50:
                self.chip(middle, top + width * (0.5 if unit.driven else 0.7), unit.number)
            left += wide + gap

    def bulwarks(self, view: View, player: int, y: float) -> None:
        far = player == 1
        units = view.side(player).bulwarks
        step = min(62.0, 400 / max(1, len(units)))
        for position, unit in enumerate(units[:12]):
            x = 270 + step * position if far else TABLE - 290 - step * position
            self.card("far" if far else "near", x, y, 44, 90 if unit.driven else 0, unit.driven)

    def life_pile(self, life: int, player: int) -> None:
        """Draw the pile and its number at the side's corner of the table."""
        far = player == 1
        x, y = (76.0, 92.0) if far else (TABLE - 76.0, HEIGHT - 104.0)
        for layer in range(min(5, max(1, life // 4)), -1, -1):
            self.card("far" if far else "near", x, y + layer * 4, 78)
        self.text((x + 60 if far else x - 60, y), str(life), 84, STEEL if far else GOLD_HI, "lm" if far else "rm")

    def board(self, content: ImageContent) -> None:
        near_up = bool(content.hand)
        for player in (1, 0):
            self.life_pile(content.lives[player], player)
            self.bulwarks(content.view, player, 76 if player else (HEIGHT - 250 if near_up else HEIGHT - 84))
        self.soldiers(content.view, 1, 216, 14, 92)
        self.soldiers(content.view, 0, 346 if near_up else 400, -16, 92 if near_up else 100)
        step = min(84.0, 520 / max(1, len(content.hand)))
        for position, card in enumerate(content.hand):
            k = position - (len(content.hand) - 1) / 2
            self.card(card, 300 + step * k, HEIGHT - 92 + abs(k) * 3, 96, k * 2)

    def fan(self, content: ImageContent) -> None:
        """Draw the lost cards in a fan below the damage; the last one glows."""
        lost = content.lost[-MOST_FAN:]
        width = 128.0 if len(lost) <= 12 else 104.0
        step = min(width * 0.82, (TABLE - 80 - width) / max(1, len(lost) - 1))
        back = "far" if content.struck else "near"
        for position, card in enumerate(lost):
            k = position - (len(lost) - 1) / 2
            part = k / max(1, len(lost) - 1)
            glow = SHU if position == len(lost) - 1 else None
            self.card(card or back, TABLE / 2 + k * step, 330 + part * part * 110, width, part * 28, glow=glow)
        self.number(250, 130, f"−{content.damage}")
        if content.caption:
            self.paragraph(44, 512, content.caption, 30, SHU_HI, TABLE - 80, 2)

    def number(self, x: float, y: float, text: str) -> None:
        """Draw the damage, with a glow and a dark edge."""
        glow = Image.new("L", self.image.size)
        font = font_for(text, 150 * SCALE)
        if font is None:
            return
        ImageDraw.Draw(glow).text((x * SCALE, y * SCALE), text, 255, font, "mm", features=LINING)
        wide = glow.filter(ImageFilter.GaussianBlur(16 * SCALE)).point([min(255, value * 2) for value in range(256)])
        self.image.paste(SHU_DEEP, (0, 0), wide)
        self.draw.text((x * SCALE, (y + 6) * SCALE), text, SHU_DEEP, font, "mm", features=LINING)
        self.draw.text((x * SCALE, y * SCALE), text, WHITE, font, "mm", features=LINING)

    # -- the words -----------------------------------------------------------------------------------------------------

    def panel(self, content: ImageContent) -> None:
        left, width = 820.0, WIDTH - 820.0 - 40
        self.paste(symbol_image("emblem", 34 * SCALE, IVORY), left, 56)
        self.text((left + 46, 73), "BlackPoker", 26, GOLD_HI)
        y = self.paragraph(left, 128, content.headline, 46, IVORY, width, 3)
        y += 8
        for line in content.lines:
            y = self.paragraph(left, y, line, 23, DIM, width, 3) + 2
        if content.score is not None:
            self.players(content, left, max(376.0, y + 10), width)
        if content.question:
            self.button(content.question, left, 512, 326)
        self.text((WIDTH - 40, 614), content.address, 20, DIM, "rm", 330)

    def players(self, content: ImageContent, left: float, y: float, width: float) -> None:
        """Draw both faces with the final life between them, and the names below."""
        assert content.score is not None
        size = 84
        for place, x in ((0, left), (1, left + width - size)):
            level = content.levels[place]
            if level is not None:
                self.paste(mask_image(level, size * SCALE), x, y)
            else:
                tone = STEEL if place else GOLD
                self.box((x, y, size, size), size / 2, (20, 14, 11), tone, 2)
                self.paste(symbol_image("emblem", 60 * SCALE, tone), x + 12, y + 12)
            anchor = "rm" if place else "lm"
            at = left + width if place else left
            self.text((at, y + size + 18), content.names[place], 20, DIM, anchor, width / 2 - 8)
        self.text((left + width / 2, y + size / 2), f"{content.score[0]} – {content.score[1]}", 40, GOLD_HI, "mm")

    def button(self, text: str, left: float, y: float, width: float) -> None:
        fill = Image.linear_gradient("L").resize((round(width * SCALE), 74 * SCALE))
        high, low = Image.new("RGB", fill.size, (251, 231, 176)), Image.new("RGB", fill.size, (198, 150, 61))
        mask = Image.new("L", fill.size)
        ImageDraw.Draw(mask).rounded_rectangle((0, 0, fill.width - 1, fill.height - 1), 14 * SCALE, 255)
        self.image.paste(Image.composite(low, high, fill), (round(left * SCALE), round(y * SCALE)), mask)
        ImageDraw.Draw(self.image).polygon(
            [((left + dx) * SCALE, (y + dy) * SCALE) for dx, dy in ((30, 26), (48, 37), (30, 48))], GOLD_INK
        )
        self.text((left + 62, y + 36), text, 27, GOLD_INK, "lm", width - 80)


@cached("background", 1)
def background() -> Image.Image:
    """Return the background: the lacquered table with blue on the far side and red on the near one, and the dark panel
    of the words."""
    small = Image.new("RGB", (120, 63), (22, 15, 12))
    light = Image.new("L", small.size, 0)
    ImageDraw.Draw(light).ellipse((-6, -6, 96, 66), 120)
    small.paste((60, 40, 29), (0, 0), light.filter(ImageFilter.GaussianBlur(16)))
    for box, colour in (((-20, -46, 100, 14), (28, 58, 104)), ((-20, 46, 100, 106), (96, 28, 14))):
        half = Image.new("L", small.size, 0)
        ImageDraw.Draw(half).ellipse(box, 150)
        small.paste(colour, (0, 0), half.filter(ImageFilter.GaussianBlur(9)))
    panel = Image.new("L", small.size, 0)
    ImageDraw.Draw(panel).rectangle((81, -10, 130, 80), 255)
    small.paste((11, 8, 7), (0, 0), panel.filter(ImageFilter.GaussianBlur(1.6)))
    return small.resize((WIDTH * SCALE, HEIGHT * SCALE), Image.Resampling.BICUBIC)


def draw_image(content: ImageContent) -> bytes:
    """Return the picture as PNG."""
    canvas = BoardCanvas()
    if len(content.lost) >= LEAST_FAN:
        canvas.fan(content)
    else:
        canvas.board(content)
    canvas.panel(content)
    out = BytesIO()
    canvas.image.reduce(SCALE).save(out, "PNG", optimize=False)
    return out.getvalue()
