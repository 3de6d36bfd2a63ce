// Card backs: a ground, a pattern and the emblem in a ring. A back replaces the drawing `back-near` or `back-far` of the
// sprite, so that every card of that side has it.
import { n } from "./shapes";

type Pattern = "hemp" | "rays" | "waves" | "stripes" | "scales" | "checks" | "arrows";
interface Back {
  /** ground at the top and the bottom */
  ground: readonly [string, string];
  pattern: Pattern;
}

export const BACKS = {
  lacquer: { ground: ["#7c2417", "#340b07"], pattern: "hemp" },
  indigo: { ground: ["#2f5488", "#101f38"], pattern: "hemp" },
  leaf: { ground: ["#5a4a2c", "#2b2212"], pattern: "scales" },
  foxfire: { ground: ["#a85a1c", "#5b2d08"], pattern: "stripes" },
  festival: { ground: ["#24607a", "#0e2a3a"], pattern: "checks" },
  feather: { ground: ["#2f6048", "#12291e"], pattern: "arrows" },
  horns: { ground: ["#96281a", "#480d07"], pattern: "rays" },
  pine: { ground: ["#24302a", "#0c120f"], pattern: "scales" },
  sunrise: { ground: ["#4c2877", "#1d0d33"], pattern: "rays" },
  chrysanthemum: { ground: ["#2a211c", "#0d0908"], pattern: "rays" },
  jade: { ground: ["#17634c", "#07281e"], pattern: "waves" },
  bamboo: { ground: ["#4d6125", "#1d270b"], pattern: "stripes" },
  tide: { ground: ["#1c4a66", "#081c2a"], pattern: "waves" },
  mirror: { ground: ["#575a66", "#22242b"], pattern: "checks" },
  spring: { ground: ["#9c4a68", "#4a1a2d"], pattern: "scales" },
  summer: { ground: ["#1d6d78", "#082d33"], pattern: "waves" },
  autumn: { ground: ["#8a3d12", "#3d1704"], pattern: "arrows" },
  winter: { ground: ["#55708c", "#1d2c3c"], pattern: "hemp" },
} satisfies Record<string, Back>;
export type BackName = keyof typeof BACKS;

/** Return a pattern as one path over 100 × 140, from its corner at 6, 6 to 94, 134. */
function path(pattern: Pattern): string {
  const out: string[] = [];
  if (pattern === "rays")
    for (let k = 0; k < 48; k++) {
      const [a, b] = [(k * Math.PI) / 24, ((k + 0.5) * Math.PI) / 24];
      out.push(
        `M50 70L${n(50 + 110 * Math.cos(a))} ${n(70 + 110 * Math.sin(a))}L${n(50 + 110 * Math.cos(b))} ${n(70 + 110 * Math.sin(b))}Z`,
      );
    }
  else if (pattern === "stripes") for (let x = -140; x < 100; x += 8) out.push(`M${x} 6L${x + 128} 134`);
  else if (pattern === "checks")
    for (let y = 6; y < 134; y += 11)
      for (let x = 6; x < 94; x += 22) out.push(`M${x + ((y - 6) % 22 ? 11 : 0)} ${y}h11v11h-11Z`);
  else if (pattern === "arrows")
    for (let x = 6; x < 94; x += 11)
      for (let y = -6; y < 140; y += 16) out.push(`M${x} ${y + ((x - 6) % 22 ? 8 : 0)}l5.500 7l5.500 -7M${x} ${y}v16`);
  else {
    const [wide, high] = pattern === "waves" ? [16, 8] : [18, 15];
    for (let y = 0, row = 0; y < 150; y += high, row++)
      for (let x = row % 2 ? -wide / 2 : 0; x < 110; x += wide)
        for (const r of pattern === "waves" ? [0.5, 0.34, 0.18] : [0.5])
          out.push(`M${n(x - wide * r + wide / 2)} ${y}a${n(wide * r)} ${n(wide * r)} 0 0 1 ${n(wide * 2 * r)} 0`);
  }
  return out.join("");
}

/** Return the drawing of a back, 100 × 140. `id` makes the gradient's name unique. */
export function drawBack(name: BackName, id: string): string {
  const { ground, pattern }: Back = BACKS[name];
  const drawn =
    pattern === "hemp"
      ? '<use href="#lattice" width="100" height="140" opacity=".3"/>'
      : `<path d="${path(pattern)}" fill="${pattern === "rays" || pattern === "checks" ? "var(--foil)" : "none"}" stroke="${pattern === "rays" || pattern === "checks" ? "none" : "var(--foil)"}" stroke-width=".8" opacity=".34" clip-path="url(#c-back)"/>`;
  return (
    `<linearGradient id="g-${id}" x1="0" y1="0" x2="0.5" y2="1"><stop offset="0" stop-color="${ground[0]}"/><stop offset="1" stop-color="${ground[1]}"/></linearGradient>` +
    `<rect width="100" height="140" rx="9" fill="url(#g-${id})"/>${drawn}` +
    '<rect x="6.500" y="6.500" width="87" height="127" rx="5" fill="none" stroke="var(--foil)" stroke-width="1.600"/><rect x=".7" y=".7" width="98.600" height="138.600" rx="8.400" fill="none" stroke="#000" stroke-opacity=".5"/>' +
    `<circle cx="50" cy="70" r="31" fill="url(#g-${id})"/><use href="#emblem" x="20" y="40" width="60" height="60"/>`
  );
}

const isBack = (name: string): name is BackName => name in BACKS;
let drawnNow: Record<"near" | "far", string> = { near: "", far: "" };

/** Give all cards of one side this back; an unknown name is the side's first one. */
export function showBack(side: "near" | "far", name: string): void {
  const symbol = document.getElementById(`back-${side}`);
  const wanted = isBack(name) ? name : side === "near" ? "lacquer" : "indigo";
  if (!symbol || drawnNow[side] === wanted) return;
  drawnNow = { ...drawnNow, [side]: wanted };
  symbol.innerHTML = drawBack(wanted, `back-${side}`);
}
