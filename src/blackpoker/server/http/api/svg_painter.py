"""Paint the deck's drawings with Pillow, for pictures of links. It covers the part of SVG the drawings use: paths,
circles and rectangles with fills, strokes, linear gradients, transforms and uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, cos, hypot, pi, radians, sin, sqrt
from typing import Final
from xml.etree import ElementTree

from PIL import Image, ImageChops, ImageDraw

from blackpoker.printing.drawings import deck
from blackpoker.server.admission import cached

Colour = tuple[int, int, int]
Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]

IDENTITY: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
#: painted at this multiple of the size and reduced, for smooth edges
SMOOTH: Final = 2
#: the frame of a back, the only clip path of the drawings
CLIP: Final = (6.5, 6.5, 93.5, 133.5)
_COMMAND: Final = re.compile(r"([MLHVCSQTAZmlhvcsqtaz])([^MLHVCSQTAZmlhvcsqtaz]*)")
_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
_TRANSFORM: Final = re.compile(r"(translate|scale|rotate)\(([^)]*)\)")
_GRADIENT: Final = re.compile(r'id="([\w-]+)" x1="0" y1="0" x2="([\d.]+)" y2="([\d.]+)"')
_STOP: Final = re.compile(r'offset="([\d.]+)" stop-color="(#[0-9a-f]{6})"')
#: numbers of a path command
_ARGUMENTS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}


def numbers(text: str) -> list[float]:
    return [float(number) for number in _NUMBER.findall(text)]


def multiply(m: Matrix, n: Matrix) -> Matrix:
    """Return the transform that applies ``n`` first."""
    return (
        m[0] * n[0] + m[2] * n[1],
        m[1] * n[0] + m[3] * n[1],
        m[0] * n[2] + m[2] * n[3],
        m[1] * n[2] + m[3] * n[3],
        m[0] * n[4] + m[2] * n[5] + m[4],
        m[1] * n[4] + m[3] * n[5] + m[5],
    )


def transform(text: str) -> Matrix:
    out = IDENTITY
    for name, arguments in _TRANSFORM.findall(text):
        values = numbers(arguments)
        if name == "translate":
            step: Matrix = (1.0, 0.0, 0.0, 1.0, values[0], values[1] if len(values) > 1 else 0.0)
        elif name == "scale":
            step = (values[0], 0.0, 0.0, values[-1], 0.0, 0.0)
        else:
            angle, (x, y) = radians(values[0]), (values[1], values[2]) if len(values) == 3 else (0.0, 0.0)
            turn: Matrix = (cos(angle), sin(angle), -sin(angle), cos(angle), 0.0, 0.0)
            step = multiply(multiply((1.0, 0.0, 0.0, 1.0, x, y), turn), (1.0, 0.0, 0.0, 1.0, -x, -y))
        out = multiply(out, step)
    return out


# -- paths -------------------------------------------------------------------------------------------------------------


def bezier(points: list[Point], parts: int = 10) -> list[Point]:
    """Return a quadratic or cubic curve as points, without its start."""
    out = []
    for part in range(1, parts + 1):
        left, t = points, part / parts
        while len(left) > 1:
            left = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for a, b in pairwise(left)]
        out.append(left[0])
    return out


def arc(start: Point, rx: float, ry: float, turn: float, large: bool, sweep: bool, end: Point) -> list[Point]:
    """Return an arc of an ellipse as points, without its start (SVG 1.1, F.6.5)."""
    if start == end or not rx or not ry:
        return [end]
    c, s = cos(radians(turn)), sin(radians(turn))
    dx, dy = (start[0] - end[0]) / 2, (start[1] - end[1]) / 2
    x, y = c * dx + s * dy, -s * dx + c * dy
    grow = sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    over = (rx * ry) ** 2 - (rx * y) ** 2 - (ry * x) ** 2
    k = sqrt(max(0.0, over / ((rx * y) ** 2 + (ry * x) ** 2))) * (-1 if large == sweep else 1)
    cx, cy = k * rx * y / ry, -k * ry * x / rx
    middle = (c * cx - s * cy + (start[0] + end[0]) / 2, s * cx + c * cy + (start[1] + end[1]) / 2)
    first = atan2((y - cy) / ry, (x - cx) / rx)
    span = atan2((-y - cy) / ry, (-x - cx) / rx) - first
    if sweep and span < 0:
        span += 2 * pi
    elif not sweep and span > 0:
        span -= 2 * pi
    parts = max(2, round(abs(span) / (pi / 20)))
    angles = [first + span * n / parts for n in range(1, parts + 1)]
    return [
        (middle[0] + c * rx * cos(a) - s * ry * sin(a), middle[1] + s * rx * cos(a) + c * ry * sin(a)) for a in angles
    ]


@cached("outlines of drawings", 1000)
def outlines(path: str) -> tuple[tuple[tuple[Point, ...], bool], ...]:
    """Return the parts of a path as points, and whether each is closed."""
    out: list[tuple[tuple[Point, ...], bool]] = []
    points: list[Point] = []
    at: Point = (0.0, 0.0)
    control: Point | None = None
    kind = ""

    def end(closed: bool) -> None:
        if len(points) > 1:
            out.append((tuple(points), closed))

    for letter, text in _COMMAND.findall(path):
        name, relative = letter.upper(), letter.islower()
        if name == "Z":
            end(True)
            at = points[0] if points else at
            points = [at]
            continue
        values, size = numbers(text), _ARGUMENTS[name]
        for place in range(0, len(values), size):
            v = values[place : place + size]
            base = at if relative else (0.0, 0.0)
            if name == "H":
                goal = (base[0] + v[0], at[1])
            elif name == "V":
                goal = (at[0], base[1] + v[0])
            else:
                goal = (base[0] + v[-2], base[1] + v[-1])
            mirrored = (2 * at[0] - control[0], 2 * at[1] - control[1]) if control else at
            pairs = [(base[0] + v[n], base[1] + v[n + 1]) for n in range(0, len(v) - 1, 2)] if name != "A" else []
            drawn: list[Point] = [goal]
            control = None
            if name == "M" and place == 0:
                end(False)
                points, drawn = [], [goal]
            elif name in "CQ":
                drawn, control = bezier([at, *pairs]), pairs[-2]
            elif name == "S":
                drawn, control = bezier([at, mirrored if kind in "CS" else at, *pairs]), pairs[0]
            elif name == "T":
                control = mirrored if kind in "QT" else at
                drawn = bezier([at, control, goal])
            elif name == "A":
                drawn = arc(at, v[0], v[1], v[2], bool(v[3]), bool(v[4]), goal)
            points += drawn
            at, kind = goal, name
    end(False)
    return tuple(out)


def area(points: Sequence[Point]) -> float:
    """Return twice the area of a polygon; its sign is the direction it turns."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, (*points[1:], points[0]), strict=True))


def ellipse(x: float, y: float, radius: float) -> tuple[Point, ...]:
    return tuple((x + radius * cos(n * pi / 32), y + radius * sin(n * pi / 32)) for n in range(64))


def rectangle(x: float, y: float, w: float, h: float, r: float) -> tuple[Point, ...]:
    out: list[Point] = []
    for cx, cy, first in (
        (x + w - r, y + r, -0.5),
        (x + w - r, y + h - r, 0.0),
        (x + r, y + h - r, 0.5),
        (x + r, y + r, 1.0),
    ):
        out += [(cx + r * cos((first + n / 16) * pi), cy + r * sin((first + n / 16) * pi)) for n in range(9)]
    return tuple(out)


# -- painting ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Style:
    """What an element inherits."""

    ink: Colour
    fill: str = "currentColor"
    stroke: str = "none"
    width: float = 1.0
    opacity: float = 1.0
    stroke_opacity: float = 1.0
    stroke_first: bool = False
    clipped: bool = False

    def of(self, element: ElementTree.Element) -> Style:
        get = element.get
        return replace(
            self,
            fill=get("fill", self.fill),
            stroke=get("stroke", self.stroke),
            width=float(get("stroke-width", self.width)),
            opacity=self.opacity * float(get("opacity", 1)),
            stroke_opacity=float(get("stroke-opacity", self.stroke_opacity)),
            stroke_first=self.stroke_first or get("paint-order") == "stroke",
            clipped=self.clipped or get("clip-path") is not None,
        )


def colour(text: str) -> Colour:
    digits = text.lstrip("#")
    digits = digits if len(digits) == 6 else "".join(2 * digit for digit in digits)
    return (int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16))


@cached("gradients", 1)
def gradients() -> dict[str, tuple[Point, tuple[tuple[float, Colour], ...]]]:
    """Return the end point and the stops of each gradient, whose start is the upper left corner."""
    out = {}
    for text in deck().gradients:
        found = _GRADIENT.search(text)
        assert found is not None
        stops = tuple((float(at), colour(value)) for at, value in _STOP.findall(text))
        out[found[1]] = (float(found[2]), float(found[3])), stops
    return out


def gradient_image(id: str, size: tuple[int, int]) -> Image.Image:
    """Return a gradient over a box of this size."""
    (x2, y2), stops = gradients()[id]
    cells = 24
    small = Image.new("RGB", (cells, cells))
    for row in range(cells):
        for column in range(cells):
            t = ((column + 0.5) * x2 + (row + 0.5) * y2) / cells / (x2 * x2 + y2 * y2)
            lower = max((stop for stop in stops if stop[0] <= t), default=stops[0])
            upper = next((stop for stop in stops if stop[0] > t), stops[-1])
            k = (t - lower[0]) / (upper[0] - lower[0]) if upper[0] > lower[0] else 0.0
            a, b = lower[1], upper[1]
            small.putpixel((column, row), tuple(round(a[n] + (b[n] - a[n]) * min(1.0, max(0.0, k))) for n in range(3)))
    return small.resize(size, Image.Resampling.BICUBIC)


class Painter:
    """An image that SVG is painted on."""

    def __init__(self, width: int, height: int) -> None:
        self.image: Image.Image = Image.new("RGBA", (width, height))

    def svg(self, text: str, matrix: Matrix, style: Style) -> None:
        self.element(ElementTree.fromstring(f"<g>{text}</g>"), matrix, style)

    def element(self, element: ElementTree.Element, matrix: Matrix, style: Style) -> None:
        style = style.of(element)
        moved = element.get("transform")
        if moved:
            matrix = multiply(matrix, transform(moved))

        def number(name: str, missing: float = 0.0) -> float:
            return float(element.get(name, missing))

        if element.tag == "g":
            for child in element:
                self.element(child, matrix, style)
        elif element.tag == "use":
            self.use(element.get("href", "")[1:], tuple(map(number, ("x", "y", "width", "height"))), matrix, style)
        elif element.tag == "path":
            self.shape(outlines(element.get("d", "")), matrix, style)
        elif element.tag == "circle":
            self.shape(((ellipse(number("cx"), number("cy"), number("r")), True),), matrix, style)
        elif element.tag == "rect":
            x, y, w, h, r = map(number, ("x", "y", "width", "height", "rx"))
            self.shape(((rectangle(x, y, w, h, r), True),), matrix, style)

    def use(self, id: str, box: tuple[float, ...], matrix: Matrix, style: Style) -> None:
        """Paint a symbol inside a box: in the middle, or ranks at the upper left."""
        symbol = deck().symbols[id]
        _, _, wide, high = numbers(symbol.box)
        x, y, w, h = box
        scale = min(w / wide, h / high)
        free = (0.0, 0.0) if id.startswith("i-") else ((w - wide * scale) / 2, (h - high * scale) / 2)
        self.svg(symbol.drawn, multiply(matrix, (scale, 0.0, 0.0, scale, x + free[0], y + free[1])), style)

    def shape(self, parts: tuple[tuple[tuple[Point, ...], bool], ...], matrix: Matrix, style: Style) -> None:
        a, b, c, d, e, f = matrix
        placed = [([(a * x + c * y + e, b * x + d * y + f) for x, y in points], closed) for points, closed in parts]
        steps = (self.stroke, self.fill) if style.stroke_first else (self.fill, self.stroke)
        for step in steps:
            step(placed, matrix, style)

    def fill(self, parts: list[tuple[list[Point], bool]], matrix: Matrix, style: Style) -> None:
        if style.fill == "none" or not parts:
            return
        turning = [Image.new("1", self.image.size) for _ in range(2)]
        for points, _ in parts:
            ImageDraw.Draw(turning[area(points) > 0]).polygon(points, 1)
        # a hole turns the other way than the shape around it; parts that turn the same way may overlap
        mask = ImageChops.logical_xor(*turning)
        self.apply_paint(mask.convert("L"), style.fill, style, style.opacity, matrix)

    def stroke(self, parts: list[tuple[list[Point], bool]], matrix: Matrix, style: Style) -> None:
        if style.stroke == "none":
            return
        width = max(1, round(style.width * sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))))
        mask = Image.new("L", self.image.size)
        draw = ImageDraw.Draw(mask)
        for points, closed in parts:
            line = [*points, points[0], points[1]] if closed else points
            draw.line(line, 255, width, "curve" if width > 2 else None)
            if width > 3 and not closed and hypot(points[0][0] - points[-1][0], points[0][1] - points[-1][1]) > 1:
                for x, y in (points[0], points[-1]):
                    r = width / 2 - 0.5
                    draw.ellipse((x - r, y - r, x + r, y + r), 255)
        self.apply_paint(mask, style.stroke, style, style.opacity * style.stroke_opacity, matrix)

    def apply_paint(self, mask: Image.Image, paint: str, style: Style, opacity: float, matrix: Matrix) -> None:
        box = mask.getbbox()
        if box is None:
            return
        if style.clipped:
            x, y, right, low = CLIP
            frame = Image.new("L", mask.size)
            a, d, e, f = matrix[0], matrix[3], matrix[4], matrix[5]
            ImageDraw.Draw(frame).rectangle((a * x + e, d * y + f, a * right + e, d * low + f), 255)
            mask = ImageChops.multiply(mask, frame)
        if opacity < 1:
            mask = mask.point([round(value * opacity) for value in range(256)])
        if paint.startswith("url("):
            size = (box[2] - box[0], box[3] - box[1])
            layer = gradient_image(paint[5:-1], size).convert("RGBA")
        else:
            ink = style.ink if paint == "currentColor" else colour(paint)
            layer = Image.new("RGBA", (box[2] - box[0], box[3] - box[1]), (*ink, 255))
        layer.putalpha(mask.crop(box))
        self.image.alpha_composite(layer, box[:2])


def painted(svg: str, width: int, height: int, units: float, ink: Colour) -> Image.Image:
    """Return a drawing that is ``units`` wide, painted at this size."""
    painter = Painter(width * SMOOTH, height * SMOOTH)
    scale = width * SMOOTH / units
    painter.svg(svg, (scale, 0.0, 0.0, scale, 0.0, 0.0), Style(ink))
    return painter.image.resize((width, height), Image.Resampling.LANCZOS)


def ink_of(card: str) -> Colour:
    return colour(deck().colours["suit-j" if card.startswith("JK") else f"suit-{card[0].lower()}"])


@cached("painted cards", 60)
def card_image(name: str, width: int) -> Image.Image:
    """Return a face, or a back: ``near`` or ``far``."""
    ink = (0, 0, 0) if name in ("near", "far") else ink_of(name)
    return painted(deck().cards[name], width, round(width * 1.4), 100, ink)


@cached("painted masks", 14)
def mask_image(level: str, width: int) -> Image.Image:
    masks = deck().masks
    return painted(masks.get(level, masks[""]), width, width, 100, (0, 0, 0))


@cached("painted signs", 40)
def symbol_image(id: str, width: int, ink: Colour) -> Image.Image:
    """Return a square symbol in one colour, e.g. a suit or the emblem."""
    return painted(f'<use href="#{id}" width="100" height="100"/>', width, width, 100, ink)
