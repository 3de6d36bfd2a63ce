// The deck as data for everything outside the page: print, pictures of links, the icon. tests/symbols.test.ts writes it
// to printing/symbols.json and keeps the file equal to the drawings of the page.
import { back, face } from "./card";
import { DISCS } from "./emblems";
import { faceOf } from "./masks/faces";
import { mask } from "./masks/drawings";
import { CARDS, GRADIENTS, symbols, type Symbol } from "./sprite";

/** colours of the drawings, as custom properties */
const COLOURS = ["washi", "foil", "foil-hi", "foil-line", "shu-ink", "suit-s", "suit-h", "suit-d", "suit-c", "suit-j"];
/** levels with a mask of their own; "" is the mask of all others */
const LEVELS = ["", "easy", "casual", "normal", "strong", "master", "god"];

export interface Deck {
  colours: Record<string, string>;
  gradients: readonly string[];
  symbols: Record<string, Symbol>;
  /** content of a card, 100 × 140, by name; "near" and "far" are the backs */
  cards: Record<string, string>;
  /** the mask on its disc by level, 100 × 100 */
  masks: Record<string, string>;
  /** the disc behind a trump's emblem, by suit */
  discs: Record<string, string>;
}

/** `tokens`: the text of tokens.css, whose first value of each colour is the dark table's */
export function deck(tokens: string): Deck {
  const colours: Record<string, string> = {};
  for (const name of COLOURS) {
    const value = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(tokens)?.[1];
    if (!value) throw new Error(`tokens.css has no --${name}`);
    colours[name] = value;
  }
  return {
    colours,
    gradients: GRADIENTS,
    symbols: symbols(),
    cards: {
      near: back("near"),
      far: back("far"),
      ...Object.fromEntries(CARDS.map((card) => [card, face(card)])),
    },
    masks: Object.fromEntries(LEVELS.map((level) => [level, mask(faceOf(level).mask)])),
    discs: DISCS,
  };
}

/** Return the icon: the fox on a disc of gold. Self-contained; `safe`: nothing outside the circle that systems cut. */
export function icon({ colours, gradients, symbols: drawings, cards }: Deck): string {
  const used = ["face", "court", "i-JK", "s-J", "m-JK"].map((id) => {
    const { box, drawn } = drawings[id]!;
    return `<symbol id="${id}" viewBox="${box}"${id.startsWith("i-") ? ' preserveAspectRatio="xMinYMin meet"' : ""}>${drawn}</symbol>`;
  });
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">' +
    `<defs>${gradients.slice(0, 2).join("")}${used.join("")}</defs>` +
    '<rect width="512" height="512" rx="96" fill="#0b0807"/><circle cx="256" cy="256" r="200" fill="#1d1714"/>' +
    '<circle cx="256" cy="256" r="176" fill="#dcb35c"/>' +
    '<g transform="rotate(6 264 256) translate(153 100) scale(2.22)">' +
    '<rect x="-2" y="3" width="106" height="143" rx="11" fill="#000" opacity=".35"/>' +
    `<g fill="${colours["suit-j"]}" color="${colours["suit-j"]}">${cards["JK"]}</g></g></svg>\n`;
  return svg.replace(/var\(--([a-z-]+)\)/g, (_, name: string) => colours[name] ?? "");
}
