// The outlines everything on a card is made of, on a square of 100. Colours come from the page: currentColor is the
// suit's, --washi the paper, --foil the gold.
import type { Suit } from "../lib/names";

export type Plain = Exclude<Suit, "J">;

/** numbers as short as the eye allows */
export const n = (value: number): string => String(Math.round(value * 100) / 100);

const COMMA = "M50 46C40 44 31 36 32 24C33 12 44 4 56 5C75 7 90 22 94 44C85 31 75 25 69 26C70 38 62 47 50 46Z";

/** A shape several times round the middle. */
export function ring(many: number, shape: string, first = 0): string {
  let out = "";
  for (let i = 0; i < many; i++) out += `<g transform="rotate(${n(first + (360 / many) * i)} 50 50)">${shape}</g>`;
  return out;
}

export const SUITS: Record<Suit, string> = {
  S: '<path d="M50 2C58 23 93 40 93 65C93 80 82 88 70 88C63 88 57 85 54 80C55 88 59 94 67 99H33C41 94 45 88 46 80C43 85 37 88 30 88C18 88 7 80 7 65C7 40 42 23 50 2Z"/>',
  H: '<path d="M50 96C19 69 4 53 4 33C4 17 15 6 29 6C39 6 46 12 50 21C54 12 61 6 71 6C85 6 96 17 96 33C96 53 81 69 50 96Z"/>',
  D: '<path d="M50 0C60 21 72 37 89 50C72 63 60 79 50 100C40 79 28 63 11 50C28 37 40 21 50 0Z"/>',
  C: '<path d="M50 3A22.500 22.500 0 0 1 70 36A22.500 22.500 0 1 1 57 70C58 83 61 92 69 98H31C39 92 42 83 43 70A22.500 22.500 0 1 1 30 36A22.500 22.500 0 0 1 50 3Z"/>',
  J: ring(3, `<path d="${COMMA}"/>`), // 三つ巴: three commas chasing each other
};

/** A suit's mark in the sprite, by its middle. */
export function mark(suit: Suit, x: number, y: number, size: number, turn = 0): string {
  const turned = turn ? ` transform="rotate(${n(turn)} ${n(x)} ${n(y)})"` : "";
  return `<use href="#s-${suit}" x="${n(x - size / 2)}" y="${n(y - size / 2)}" width="${n(size)}" height="${n(size)}"${turned}/>`;
}

/** J: what the four suits fight with (sword, arrow, spear, mace). */
export const ARMS: Record<Plain, string> = {
  S: '<path d="M50 1L56 13L55 60H45L44 13Z"/><rect x="36" y="60" width="28" height="6" rx="3"/><rect x="46.500" y="66" width="7" height="24"/><circle cx="50" cy="93" r="5.500"/>',
  H: '<path d="M50 0C63 11 63 23 55 29L50 26L45 29C37 23 37 11 50 0Z"/><rect x="47.800" y="20" width="4.400" height="76"/><path d="M53.500 68L64 59V84L53.500 93ZM46.500 68L36 59V84L46.500 93Z"/>',
  D: '<path d="M50 0L60 20L50 43L40 20Z"/><rect x="47.500" y="40" width="5" height="59"/><rect x="39" y="44" width="22" height="5.500" rx="2.700"/><path d="M44 90H56V99H44Z"/>',
  C: '<circle cx="50" cy="11" r="10.500"/><circle cx="38.500" cy="27" r="10.500"/><circle cx="61.500" cy="27" r="10.500"/><rect x="46.800" y="26" width="6.400" height="70"/><rect x="42" y="88" width="16" height="6" rx="3"/>',
};

/** Q: their flowers (bellflower 5, cherry 5, 花菱 4, 片喰 3): how many petals, a petal, what stands between them. */
export const FLOWERS: Record<Plain, { petals: number; petal: string; between: string; core: number }> = {
  S: {
    petals: 5,
    petal: '<path d="M50 49C33 41 29 24 50 4C71 24 67 41 50 49Z"/><path d="M50 46V17" stroke="currentColor" stroke-width="2.200" fill="none"/>',
    between: ring(5, '<path d="M50 47L47.500 12L50 8L52.500 12Z"/>', 36),
    core: 7,
  },
  H: {
    petals: 5,
    petal:
      '<path d="M50 49C31 42 25 20 36 8C41 4 48 6 50 14C52 6 59 4 64 8C75 20 69 42 50 49Z"/><path d="M50 44V25M44 42L42 31M56 42L58 31" stroke="currentColor" stroke-width="2" stroke-linecap="round" fill="none"/>',
    between: ring(5, '<circle cx="50" cy="9" r="3.400"/>', 36),
    core: 6,
  },
  D: {
    petals: 4,
    petal:
      '<path d="M50 45C46 37 38 33 33 25C42 23 47 14 50 3C53 14 58 23 67 25C62 33 54 37 50 45Z"/><path d="M50 38C48 33 45 30 43 27C47 25 49 21 50 17C51 21 53 25 57 27C55 30 52 33 50 38Z" fill="currentColor"/>',
    between: ring(4, '<path d="M50 44C45 36 46 26 50 16C54 26 55 36 50 44Z"/>', 45),
    core: 5.5,
  },
  C: {
    petals: 3,
    petal:
      '<path d="M50 48C42 39 22 35 24 17C26 5 43 2 50 15C57 2 74 5 76 17C78 35 58 39 50 48Z"/><path d="M50 44V22M50 36L40 24M50 36L60 24" stroke="currentColor" stroke-width="2.200" stroke-linecap="round" fill="none"/>',
    between: ring(3, '<path d="M50 46L46 16L50 6L54 16Z"/>', 60),
    core: 6,
  },
};

/** K: the horns of their helmets. */
export const HORNS: Record<Plain, string> = {
  S: '<path d="M44 41L13 8L18 4L47 31ZM56 41L87 8L82 4L53 31Z"/>',
  H: '<path d="M43 42C24 36 12 22 20 8C24 2 33 2 36 8C38 13 34 18 29 16C26 23 34 32 47 34ZM57 42C76 36 88 22 80 8C76 2 67 2 64 8C62 13 66 18 71 16C74 23 66 32 53 34Z"/>',
  D: '<path d="M44 42L26 33L28 22L13 18L17 3L24 10L38 15L36 26L48 33ZM56 42L74 33L72 22L87 18L83 3L76 10L62 15L64 26L52 33Z"/>',
  C: '<path d="M44 42C28 37 19 27 17 14L23 13C24 18 26 22 29 25C30 20 30 14 28 8L34 6C37 14 36 22 35 29C39 32 43 34 47 34ZM56 42C72 37 81 27 83 14L77 13C76 18 74 22 71 25C70 20 70 14 72 8L66 6C63 14 64 22 65 29C61 32 57 34 53 34Z"/><circle cx="20" cy="12" r="5"/><circle cx="31" cy="6.500" r="5"/><circle cx="80" cy="12" r="5"/><circle cx="69" cy="6.500" r="5"/>',
};
/** … and the rest of the helmet: bowl and neck guard, its ribs, the mask under it. */
export const HELMET = {
  bowl: "M24 57C24 40 36 31 50 31C64 31 76 40 76 57ZM17 59.500H83L75 67.500H25ZM17 57C7 53 3 62 9 71L23 70ZM83 57C93 53 97 62 91 71L77 70ZM24 70.500H38L36.500 78H20ZM76 70.500H62L63.500 78H80ZM19 80.500H36L35 88.500C28 88 22 87 16 85ZM81 80.500H64L65 88.500C72 88 78 87 84 85Z",
  ribs: "M39 57C39 46 41 39 44 33M61 57C61 46 59 39 56 33M31 57C31 48 33 43 36 38M69 57C69 48 67 43 64 38",
  mask: "M40 73C44 77 47 77.500 49 76.500V80C45.500 81 41.500 79 40 73ZM60 73C56 77 53 77.500 51 76.500V80C54.500 81 58.500 79 60 73ZM42.500 86C45 84 55 84 57.500 86C56 92 53.500 95 50 96C46.500 95 44 92 42.500 86Z",
};

/** A: the halo round one great suit (rays, petals, lozenges, pearls). */
export const HALOS: Record<Plain, string> = {
  S: ring(16, '<path d="M50 2.500L53.200 17H46.800Z"/>'),
  H: ring(12, '<path d="M50 17C43 13 43 5 50 3C57 5 57 13 50 17Z"/>'),
  D: ring(12, '<path d="M50 2.500L54.500 9.700L50 17L45.500 9.700Z"/>'),
  C: ring(12, '<circle cx="50" cy="9.500" r="5.200"/>'),
};

/** The Jokers are foxes, one by day and one by night. */
export const FOX = {
  head: "M50 92C42 88 36 78 30 69C21 61 15 51 15 40C12 26 14 13 18 3C28 9 35 18 39 28C46 25.500 54 25.500 61 28C65 18 72 9 82 3C86 13 88 26 85 40C85 51 79 61 70 69C64 78 58 88 50 92Z",
  ears: "M21 12C22 22 26 30 32 35C25 34 20 25 21 12ZM79 12C78 22 74 30 68 35C75 34 80 25 79 12Z",
  eyes: "M25 46C33 43 42 47 46 55C37 57 29 54 25 46ZM75 46C67 43 58 47 54 55C63 57 71 54 75 46Z",
  brow: "M50 29C53.500 34 53.500 39 50 44C46.500 39 46.500 34 50 29ZM42 32C44 36 44 39 42.500 42C40 39 40 35 42 32ZM58 32C56 36 56 39 57.500 42C60 39 60 35 58 32Z",
  nose: "M44.500 79C48 77 52 77 55.500 79L50 85Z",
  whiskers: "M18 56L30 59M20 64L31 64M82 56L70 59M80 64L69 64",
};
