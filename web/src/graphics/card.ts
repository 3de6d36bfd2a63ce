// The composition of a card from the drawings of the sprite, 100 × 140: its face; its back in the colour of its side; or
// its back with a corner turned up, for a card only its owner knows.
import { rankOf, suitOf } from "../core/names";

type Place = readonly [x: number, y: number, width: number, height: number];
/** position of the rank on a face */
const INDEX: Record<string, Place> = {
  A: [6, 8, 48, 47],
  "6": [8, 8, 44, 46],
  "9": [8, 8, 44, 46],
  "10": [7, 8, 50, 50],
  J: [9, 8, 40, 50],
  Q: [7, 8, 50, 55],
  K: [7, 8, 48, 47],
  JK: [7, 8, 52, 48],
};
/** … and in a turned-up corner */
const CORNER: Record<string, Place> = {
  A: [5, 7, 37, 35],
  "10": [6, 7, 40, 37],
  J: [8, 7, 30, 38],
  Q: [6, 7, 36, 40],
  K: [6, 7, 36, 35],
  JK: [6, 7, 38, 37],
};

const use = (id: string, [x, y, width, height]: Place): string =>
  `<use href="#${id}" x="${x}" y="${y}" width="${width}" height="${height}"/>`;
const whole = (id: string): string => `<use href="#${id}" width="100" height="140"/>`;
/** a bar distinguishes 6 and 9 on a rotated card */
const turns = (rank: string): boolean => rank === "6" || rank === "9";

export function back(side: "near" | "far"): string {
  return whole(`back-${side}`);
}

/** `seen`: visible part of its width; index and suit are drawn to fit */
export function face(card: string, seen = 1): string {
  const rank = rankOf(card);
  const court = "AJQK".includes(rank) || rank === "JK";
  const small = Math.min(1, Math.max(0.4, (seen * 100 - 9) / 51));
  const index =
    use(`i-${rank}`, INDEX[rank] ?? [8, 8, 44, 50]) +
    (turns(rank) ? '<rect x="10.500" y="56.200" width="29" height="3.300" rx="1.600"/>' : "") +
    use(`s-${suitOf(card)}`, [8, 63, 23, 23]);
  const fitted = small < 1 ? `<g transform="translate(6 8) scale(${small}) translate(-6 -8)">${index}</g>` : index;
  return (
    whole("face") +
    (court ? whole("court") : "") +
    fitted +
    use(`m-${card}`, court ? [27, 65, 67, 67] : [29, 67, 65, 65])
  );
}

/** `lying`: rotated below its neighbour, with an upright index */
export function corner(card: string, side: "near" | "far", lying: boolean): string {
  const rank = rankOf(card);
  return (
    back(side) +
    `<g${lying ? ' transform="translate(0 140) rotate(-90)"' : ""}>` +
    '<path d="M0 9A9 9 0 0 1 9 0H91L0 97Z" fill="#000" opacity=".35"/>' +
    '<path d="M0 9A9 9 0 0 1 9 0H86L0 92Z" fill="url(#g-washi)"/>' +
    '<path d="M86 0L0 92L5 94C36 80 70 42 88 3Z" fill="url(#g-foil)"/>' +
    use(`i-${rank}`, CORNER[rank] ?? [7, 7, 34, 38]) +
    (turns(rank) ? '<rect x="9" y="46" width="22" height="2.800" rx="1.400"/>' : "") +
    use(`s-${suitOf(card)}`, [7, 51, 19, 19]) +
    "</g>"
  );
}
