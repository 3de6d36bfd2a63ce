// A hidden SVG with all shared drawings: suits, ranks, crests, backs, icons. Built by code when the page opens: smaller
// to transfer than the picture, and correct before any font has loaded.
import { crest, EMBLEM, MARKS } from "./crests";
import { GLYPHS } from "./glyphs";
import { ICONS } from "./icons";
import { n } from "./shapes";

export const CARDS = [
  ...["S", "H", "D", "C"].flatMap((suit) =>
    ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"].map((rank) => suit + rank),
  ),
  "JK",
  "JK2",
];

/** Return the hemp-leaf lattice (麻の葉) as one path. */
export function hempLeaf(x0: number, y0: number, x1: number, y1: number, r: number): string {
  const h = (r * Math.sqrt(3)) / 2;
  let path = "";
  let row = 0;
  for (let y = y0 - h; y <= y1 + 2 * h; y += h, row++) {
    for (let x = x0 - r + (row % 2 ? r / 2 : 0); x <= x1 + r; x += r) {
      const up = [
        [x, y],
        [x + r, y],
        [x + r / 2, y + h],
      ] as const;
      const down = [
        [x + r / 2, y + h],
        [x + 1.5 * r, y + h],
        [x + r, y],
      ] as const;
      for (const corners of [up, down]) {
        const cx = (corners[0][0] + corners[1][0] + corners[2][0]) / 3;
        const cy = (corners[0][1] + corners[1][1] + corners[2][1]) / 3;
        path += corners.map(([a, b], i) => `${i ? "L" : "M"}${n(a)} ${n(b)}`).join("") + "Z";
        for (const [a, b] of corners) path += `M${n(cx)} ${n(cy)}L${n(a)} ${n(b)}`;
      }
    }
  }
  return path;
}

function gradient(id: string, x2: number, y2: number, ...stops: [number, string][]): string {
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${x2}" y2="${y2}">${stops.map(([at, colour]) => `<stop offset="${at}" stop-color="${colour}"/>`).join("")}</linearGradient>`;
}

/** The fills of papers and backs. */
export const GRADIENTS: readonly string[] = [
  gradient("g-washi", 0.35, 1, [0, "#fffaf0"], [0.55, "#f8f0de"], [1, "#eadfc5"]),
  gradient("g-foil", 1, 1, [0, "#fbe9b4"], [0.35, "#dcb35c"], [0.62, "#a87a2c"], [0.8, "#e9cc80"], [1, "#b98a38"]),
  gradient("g-near", 0.5, 1, [0, "#7c2417"], [0.5, "#52140d"], [1, "#340b07"]),
  gradient("g-far", 0.5, 1, [0, "#2f5488"], [0.5, "#1c3559"], [1, "#101f38"]),
];

/** A drawing of the sprite: its view box, and its content as SVG. */
export interface Symbol {
  box: string;
  drawn: string;
}
const symbol = (box: string, drawn: string): Symbol => ({ box, drawn });

function back(who: "near" | "far"): Symbol {
  return symbol(
    "0 0 100 140",
    `<rect width="100" height="140" rx="9" fill="url(#g-${who})"/><use href="#lattice" width="100" height="140" opacity=".3"/><rect x="6.500" y="6.500" width="87" height="127" rx="5" fill="none" stroke="var(--foil)" stroke-width="1.600"/><rect x=".7" y=".7" width="98.600" height="138.600" rx="8.400" fill="none" stroke="#000" stroke-opacity=".5"/><circle cx="50" cy="70" r="31" fill="url(#g-${who})"/><use href="#emblem" x="20" y="40" width="60" height="60"/>`,
  );
}

/**
 * Every drawing of the deck by id. Print, pictures of links and the icon use the same ones: make_symbols.mjs writes them
 * to printing/symbols.json.
 */
export function symbols(): Record<string, Symbol> {
  const out: Record<string, Symbol> = {};
  for (const [suit, shape] of Object.entries(MARKS)) out[`s-${suit}`] = symbol("0 0 100 100", shape);
  for (const [rank, [width, height, path]] of Object.entries(GLYPHS))
    out[`i-${rank}`] = symbol(`0 0 ${width} ${height}`, `<path d="${path}"/>`);
  out["emblem"] = symbol("0 0 100 100", EMBLEM);
  out["face"] = symbol(
    "0 0 100 140",
    '<rect width="100" height="140" rx="9" fill="url(#g-washi)"/><rect x=".6" y=".6" width="98.800" height="138.800" rx="8.500" fill="none" stroke="#8c6f3c" stroke-opacity=".55" stroke-width="1.200"/>',
  );
  out["court"] = symbol(
    "0 0 100 140",
    '<rect x="4" y="4" width="92" height="132" rx="6.500" fill="none" stroke="var(--foil-line)" stroke-width="1.100"/>',
  );
  out["lattice"] = symbol(
    "0 0 100 140",
    `<path d="${hempLeaf(6, 6, 94, 134, 22)}" fill="none" stroke="var(--foil)" stroke-width=".8" clip-path="url(#c-back)"/>`,
  );
  out["back-near"] = back("near");
  out["back-far"] = back("far");
  for (const card of CARDS) out[`m-${card}`] = symbol("0 0 100 100", crest(card));
  return out;
}

function element(id: string, { box, drawn }: Symbol): string {
  const corner = id.startsWith("i-") ? ' preserveAspectRatio="xMinYMin meet"' : "";
  return `<symbol id="${id}" viewBox="${box}"${corner}>${drawn}</symbol>`;
}

export function sprite(): string {
  const parts = [
    "<defs>",
    ...GRADIENTS,
    gradient("g-flag-near", 0, 1, [0, "#a5331a"], [1, "#4f150b"]),
    gradient("g-flag-far", 0, 1, [0, "#2b5490"], [1, "#132645"]),
    gradient("g-blow", 0, 1, [0, "#ff6a42"], [0.5, "#ff5a32"], [1, "#ff9a72"]),
    '<clipPath id="c-back"><rect x="6.500" y="6.500" width="87" height="127" rx="5"/></clipPath>',
    "</defs>",
    ...Object.entries(symbols()).map(([id, one]) => element(id, one)),
  ];
  for (const [name, drawn] of Object.entries(ICONS)) {
    parts.push(
      element(
        `ic-${name}`,
        symbol(
          "0 0 24 24",
          `<g fill="none" stroke="currentColor" stroke-width="1.900" stroke-linecap="round" stroke-linejoin="round">${drawn}</g>`,
        ),
      ),
    );
  }
  return parts.join("");
}

/** Return the lattice of the table as a CSS image. */
export function latticeImage(r: number): string {
  const h = r * Math.sqrt(3);
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='${r}' height='${n(h)}' viewBox='0 0 ${r} ${n(h)}'><path d='${hempLeaf(0, 0, r, h, r)}' fill='none' stroke='#e9c67c' stroke-width='.9'/></svg>`;
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`;
}

/** Return sprinkled gold (蒔絵): a few hundred specks of three sizes, always the same. */
export function specks(width: number, height: number): string {
  let seed = 7;
  const random = (): number => (seed = (seed * 1664525 + 1013904223) >>> 0) / 4294967296;
  const around = (): number => (random() + random() + random() - 1.5) / 1.5;
  const sizes: [number, number, string][] = [
    [1.1, 0.5, ""],
    [2, 0.34, ""],
    [3.2, 0.24, ""],
  ];
  const band = (x: number, y: number, long: number, slope: number, wide: number, many: number): void => {
    for (let i = 0; i < many; i++) {
      const t = around();
      const which = random();
      const size = sizes[which < 0.66 ? 0 : which < 0.9 ? 1 : 2];
      if (size)
        size[2] += `M${Math.round(x * width + long * t + around() * wide)} ${Math.round(y * height + slope * t + around() * wide * 0.55)}h0`;
    }
  };
  band(0.82, 0.28, 330, -60, 120, 230);
  band(0.21, 0.71, 330, -70, 130, 200);
  band(0.53, 0.47, 420, -20, 60, 90);
  return sizes.map(([size, seen, path]) => `<path d="${path}" stroke-width="${size}" opacity="${seen}"/>`).join("");
}

/** Insert the sprite once, and set the lattice as a CSS property. */
export function install(): void {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("width", "0");
  svg.setAttribute("height", "0");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("focusable", "false");
  svg.style.position = "absolute";
  svg.innerHTML = sprite();
  document.body.prepend(svg);
  document.documentElement.style.setProperty("--lattice", latticeImage(58));
}
