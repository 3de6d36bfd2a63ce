// The crest at the lower right of a face: a ring of pips for numbers; a disc with arms, a flower, a helmet, a halo or a
// fox for the others, so that they are recognisable at 56 px.
import { ARMS, FLOWERS, FOX, HALOS, HELMET, HORNS, mark, ring, SUITS, type Plain } from "./shapes";

const PAPER = 'fill="var(--washi)"';
const INK = 'fill="currentColor"';
const GOLD = 'fill="var(--foil)"';
const circle = (r: number, how: string): string => `<circle cx="50" cy="50" r="${r}" ${how}/>`;
const DISC = circle(50, INK) + circle(47, 'fill="none" stroke="var(--foil)" stroke-width="1.300"');

/** number of pips in the ring, its radius, their size, and the size of a pip in the middle */
const PIPS: Record<number, [number, number, number, number]> = {
  2: [2, 27, 46, 0],
  3: [3, 28, 43, 0],
  4: [4, 31, 40, 0],
  5: [5, 34, 36, 0],
  6: [6, 37, 31, 0],
  7: [6, 37, 30, 30],
  8: [7, 38, 27.5, 27],
  9: [8, 39.5, 25, 28],
  10: [9, 40.5, 23, 27],
};

function pips(suit: Plain, number: number): string {
  const [many, out, size, middle] = PIPS[number] ?? [0, 0, 0, 0];
  let drawn = middle ? mark(suit, 50, 50, middle) : "";
  for (let i = 0; i < many; i++) {
    const angle = (2 * Math.PI * i) / many - Math.PI / 2;
    drawn += mark(suit, 50 + out * Math.cos(angle), 50 + out * Math.sin(angle), size, (360 / many) * i);
  }
  return drawn;
}
function jack(suit: Plain): string {
  const arm = `<g transform="translate(50 52) scale(.86) translate(-50 -50)">${ARMS[suit]}</g>`;
  const sides = suit === "C" ? mark(suit, 17, 52, 15) + mark(suit, 83, 52, 15) : mark(suit, 50, 19, 19);
  return `${DISC}<g ${PAPER}><g transform="rotate(42 50 52)">${arm}</g><g stroke="currentColor" stroke-width="3.500" paint-order="stroke" transform="rotate(-42 50 52)">${arm}</g></g><g ${GOLD}>${sides}${mark(suit, 50, 85, 15, suit === "C" ? 0 : 180)}</g>`;
}
function queen(suit: Plain): string {
  const { petals, petal, between, core } = FLOWERS[suit];
  return `${DISC}<g ${PAPER}>${between}</g><g ${PAPER} stroke="currentColor" stroke-width="1.800">${ring(petals, petal)}</g>${circle(core + 3, INK)}${circle(core, GOLD)}`;
}
function king(suit: Plain): string {
  return `${DISC}<g transform="translate(50 53) scale(.84) translate(-50 -48)"><g ${PAPER}>${HORNS[suit]}<path d="${HELMET.bowl}"/></g><path d="${HELMET.ribs}" fill="none" stroke="currentColor" stroke-width="2.200"/><circle cx="50" cy="42" r="13.500" ${INK}/><g ${GOLD}>${mark(suit, 50, 42, 20)}</g><path d="${HELMET.mask}" ${PAPER}/></g>`;
}
function ace(suit: Plain): string {
  return `${circle(50, INK)}<g ${GOLD}>${HALOS[suit]}</g>${circle(31.5, PAPER)}${circle(31.5, 'fill="none" stroke="var(--foil)" stroke-width="1.300"')}<g ${INK}>${mark(suit, 50, suit === "H" ? 52 : 50, 44)}</g>`;
}
function fox(day: boolean): string {
  const [ground, face, dark, warm] = day ? [INK, PAPER, INK, "var(--shu-ink)"] : [GOLD, INK, PAPER, "var(--foil-hi)"];
  const sky = day
    ? `<g ${GOLD}>${ring(24, '<path d="M50 1.500L51.800 9H48.200Z"/>')}</g>`
    : circle(47, 'fill="none" stroke="currentColor" stroke-width="1.300"');
  return `${circle(50, ground)}${sky}<g transform="translate(50 51) scale(.82) translate(-50 -49)"><path d="${FOX.head}" ${face}/><path d="${FOX.ears}${FOX.brow}" fill="${warm}"/><path d="${FOX.eyes}${FOX.nose}" ${dark}/><path d="${FOX.whiskers}" fill="none" stroke="${warm}" stroke-width="2.600" stroke-linecap="round"/></g>`;
}

export function crest(card: string): string {
  if (card.startsWith("JK")) return fox(card === "JK");
  const suit = card[0] as Plain;
  switch (card.slice(1)) {
    case "A":
      return ace(suit);
    case "J":
      return jack(suit);
    case "Q":
      return queen(suit);
    case "K":
      return king(suit);
    default:
      return pips(suit, Number(card.slice(1)));
  }
}

/** The page's emblem: the four suits around a diamond. */
export const EMBLEM =
  circle(47, 'fill="none" stroke="var(--foil)" stroke-width="2.400"') +
  circle(42.5, 'fill="none" stroke="var(--foil)" stroke-width=".9"') +
  `<g ${GOLD}>${mark("S", 50, 26, 27)}${mark("C", 74, 50, 27, 90)}${mark("H", 50, 74, 27)}${mark("D", 26, 50, 27, 90)}<path d="M50 42L58 50L50 58L42 50Z"/></g>`;

export const MARKS = SUITS;
