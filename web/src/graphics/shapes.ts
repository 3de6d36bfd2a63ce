// Outlines of everything on a card, 100 × 100. Colours come from the page: currentColor is the suit's, --washi the
// paper, --foil the gold.
import type { Suit } from "../core/names";

export type Plain = Exclude<Suit, "J">;

/** as few digits as possible */
export const n = (value: number): string => String(Math.round(value * 100) / 100);

const COMMA = "M50 47A20.500 20.500 0 1 1 50 6C75 6 92 25 95 48C85 35 76 29 69.500 29.500A20 20 0 0 1 50 47Z";

/** Return a shape repeated around the middle. */
export function ring(many: number, shape: string, first = 0): string {
  let out = "";
  for (let i = 0; i < many; i++) out += `<g transform="rotate(${n(first + (360 / many) * i)} 50 50)">${shape}</g>`;
  return out;
}

export const SUITS: Record<Suit, string> = {
  S: '<path d="M50 3C58 21 92 39 92 64A20 20 0 0 1 55 76C56 87 60 94 67 98H33C40 94 44 87 45 76A20 20 0 0 1 8 64C8 39 42 21 50 3Z"/>',
  H: '<path d="M50 95C33 80 5 59 5 34A23 23 0 0 1 50 25A23 23 0 0 1 95 34C95 59 67 80 50 95Z"/>',
  D: '<path d="M50 1Q64 31 89 50Q64 69 50 99Q36 69 11 50Q36 31 50 1Z"/>',
  C: '<circle cx="50" cy="25" r="22"/><circle cx="26.500" cy="59" r="22"/><circle cx="73.500" cy="59" r="22"/><path d="M43 42H57C55 70 59 88 69 98H31C41 88 45 70 43 42Z"/>',
  J: ring(3, `<path d="${COMMA}"/>`), // 三つ巴: three commas in a circle
};

/** Return a suit's mark from the sprite, centred. */
export function mark(suit: Suit, x: number, y: number, size: number, turn = 0): string {
  const turned = turn ? ` transform="rotate(${n(turn)} ${n(x)} ${n(y)})"` : "";
  return `<use href="#s-${suit}" x="${n(x - size / 2)}" y="${n(y - size / 2)}" width="${n(size)}" height="${n(size)}"${turned}/>`;
}

/** J: the weapons of the suits (sword, arrow, cross-bladed spear, studded club). */
export const ARMS: Record<Plain, string> = {
  S: '<path d="M50 1L57.500 13V57H42.500V13Z"/><path d="M31 59Q50 52 69 59V66Q50 60 31 66Z"/><path d="M46 65H54V86H46ZM50 84L57 91L50 98L43 91Z"/>',
  H: '<path d="M50 1L64 23H54.500V31H45.500V23H36Z"/><path d="M47.300 28H52.700V96H47.300Z"/><path d="M50 65L65 54V65L50 76L35 65V54ZM50 81L65 70V81L50 92L35 81V70Z"/>',
  D: '<path d="M50 0L57 15L72 20L57 26L55 41H45L43 26L28 20L43 15Z"/><path d="M46.800 38H53.200V98H46.800Z"/><path d="M41.500 47H58.500V53H41.500ZM43 90H57V96H43Z"/>',
  C: '<path d="M43 3H57L63 49L55.500 60H44.500L37 49Z"/><path d="M46 58H54V90H46Z"/><circle cx="50" cy="93" r="6"/><g fill="currentColor"><circle cx="50" cy="13" r="2.800"/><circle cx="45" cy="26" r="2.800"/><circle cx="55" cy="26" r="2.800"/><circle cx="50" cy="39" r="2.800"/></g>',
};

/**
 * Q: the flowers of the suits (bellflower, plum, lozenge flower, wood sorrel): number of petals, petal, shape between
 * petals.
 */
export const FLOWERS: Record<Plain, { petals: number; petal: string; between: string; core: number }> = {
  S: {
    petals: 5,
    petal:
      '<path d="M50 50L32 29Q35 13 50 4Q65 13 68 29Z"/><path d="M50 44V14M50 34L42 24M50 34L58 24" stroke="currentColor" stroke-width="1.900" fill="none"/>',
    between: ring(5, '<path d="M48.600 40H51.400V9H48.600Z"/>', 36),
    core: 6.5,
  },
  H: {
    petals: 5,
    petal:
      '<circle cx="50" cy="22.500" r="17.500"/><path d="M50 42V24M46 42L42 28M54 42L58 28" stroke="currentColor" stroke-width="1.800" stroke-linecap="round" fill="none"/>',
    between: ring(5, '<path d="M50 6L53 11L50 16L47 11Z"/>', 36),
    core: 7,
  },
  D: {
    petals: 4,
    petal:
      '<path d="M50 47L34 33L37 18L50 3L63 18L66 33Z"/><path d="M50 39L42 31L44 22L50 14L56 22L58 31Z" fill="currentColor"/><path d="M50 33L46 29L50 21L54 29Z"/>',
    between: ring(4, '<path d="M50 43L46.500 24L50 14L53.500 24Z"/>', 45),
    core: 5.5,
  },
  C: {
    petals: 3,
    petal:
      '<path d="M50 50C41 40 21 35 23 18A13.800 13.800 0 0 1 50 15A13.800 13.800 0 0 1 77 18C79 35 59 40 50 50Z"/><path d="M50 43Q38 35 34 19M50 43Q62 35 66 19M50 43V24" stroke="currentColor" stroke-width="1.900" stroke-linecap="round" fill="none"/>',
    between: ring(3, '<path d="M50 44L46.500 12Q50 4 53.500 12Z"/>', 60),
    core: 6,
  },
};

/** K: the crests of the helmets (crescent, curved horns, forked blades, fan). */
export const HORNS: Record<Plain, string> = {
  S: '<path d="M13 2C16 26 31 38 50 38C69 38 84 26 87 2C80 17 67 26 50 26C33 26 20 17 13 2Z"/>',
  H: '<path d="M45 42C25 40 11 25 16 2C21 19 31 28 48 32ZM55 42C75 40 89 25 84 2C79 19 69 28 52 32Z"/>',
  D: '<path d="M46 42L28 31V13L18 2H35L37 25L49 33ZM54 42L72 31V13L82 2H65L63 25L51 33Z"/>',
  C: '<path d="M46 38L17 15Q19 5 29 5L47 30ZM54 38L83 15Q81 5 71 5L53 30ZM45 32L41 5Q50 -3 59 5L55 32Z"/>',
};
/** … and the rest of the helmet: bowl, brim, flaps and neck guard, ribs, mask. */
export const HELMET = {
  bowl: "M25 57A25 26 0 0 1 75 57ZM13 59Q50 50 87 59L79 68Q50 60 21 68ZM15 56Q2 59 8 74L21 69ZM85 56Q98 59 92 74L79 69ZM22 72L37 70.500L35.500 79L18 81.500ZM78 72L63 70.500L64.500 79L82 81.500ZM17 85L35 82.500L35.500 91Q25 93.500 14 91ZM83 85L65 82.500L64.500 91Q75 93.500 86 91Z",
  ribs: "M34 57Q35 44 42 35M66 57Q65 44 58 35M43 57V48M57 57V48",
  mask: "M38 71L48.500 75V79L39 76.500ZM62 71L51.500 75V79L61 76.500ZM41 86Q50 81 59 86L55.500 94Q50 98 44.500 94Z",
};

/** A: the halo around a large suit mark (rays, hearts, lozenges, pearls). */
export const HALOS: Record<Plain, string> = {
  S: ring(20, '<path d="M50 3L52.700 17H47.300Z"/>'),
  H: ring(11, '<path d="M50 17Q41.500 11 43.500 6.500Q46 2.500 50 7Q54 2.500 56.500 6.500Q58.500 11 50 17Z"/>'),
  D: ring(15, '<path d="M50 2.500L53.800 9.700L50 17L46.200 9.700Z"/>'),
  C: ring(14, '<circle cx="50" cy="9.700" r="4.500"/>'),
};

/** The Jokers are foxes: one by day, one by night. */
export const FOX = {
  head: "M50 96C39 91 33 79 26 71C15 61 11 48 13.500 35L15 4L38 25Q50 21.500 62 25L85 4L86.500 35C89 48 85 61 74 71C67 79 61 91 50 96Z",
  ears: "M20.500 15L33.500 27Q25 30 22 37ZM79.500 15L66.500 27Q75 30 78 37Z",
  eyes: "M24 49Q36 43 46 57Q33 59 24 49ZM76 49Q64 43 54 57Q67 59 76 49Z",
  brow: "M50 27Q55.500 36.500 50 46Q44.500 36.500 50 27ZM40.500 32Q45 38.500 41.500 45Q37 38.500 40.500 32ZM59.500 32Q55 38.500 58.500 45Q63 38.500 59.500 32Z",
  nose: "M44 79.500Q50 76.500 56 79.500L50 87Z",
  whiskers: "M18 60L30 62.500M20 67.500L31 67M82 60L70 62.500M80 67.500L69 67",
};
