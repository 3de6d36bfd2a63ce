// Layout of the school's path: rows on a desktop, a winding line on a phone.
export interface Place {
  x: number;
  y: number;
  /** width of the card */
  w: number;
  /** on a phone: the side of the card's text */
  words: "below" | "left" | "right";
}
export interface Laid {
  places: Place[];
  /** position of each group's title */
  heads: { x: number; y: number }[];
  high: number;
  /** lines between stations */
  threads: { path: string; far: boolean }[];
}

const ROW = 272;
const STEP = 128;

function swing(a: Place, b: Place, upright: boolean): string {
  if (upright) return `M${a.x} ${a.y}C${a.x} ${(a.y + b.y) / 2} ${b.x} ${(a.y + b.y) / 2} ${b.x} ${b.y}`;
  return `M${a.x} ${a.y}C${(a.x + b.x) / 2} ${a.y} ${(a.x + b.x) / 2} ${b.y} ${b.x} ${b.y}`;
}

/** Return the layout. `groups`: stations per group; `now`: the current station, with details below it on a phone. */
export function lay(groups: number[], wide: number, now: number, told: number): Laid {
  return wide < 700 ? standing(groups, wide, now, told) : rows(groups, wide, now);
}

function standing(groups: number[], wide: number, now: number, told: number): Laid {
  const laid: Laid = { places: [], heads: [], high: 0, threads: [] };
  let y = 8;
  for (const many of groups) {
    laid.heads.push({ x: 0, y });
    y += 98;
    for (let n = 0; n < many; n++) {
      const at = laid.places.length;
      const left = at % 2 === 0;
      laid.places.push({ x: wide * (left ? 0.27 : 0.73), y, w: at === now ? 84 : 70, words: left ? "right" : "left" });
      y += STEP + (at === now ? told + 16 : 0);
    }
    y -= STEP - 78;
  }
  laid.high = y;
  laid.threads = laid.places.slice(1).map((to, n) => ({ path: swing(laid.places[n]!, to, true), far: false }));
  return laid;
}

function rows(groups: number[], wide: number, now: number): Laid {
  const most = Math.max(4, Math.min(10, Math.floor(wide / 132)));
  const laid: Laid = { places: [], heads: [], high: 0, threads: [] };
  // the first group is a path of its own; the others follow each other
  const [first = 0, ...rest] = groups;
  const lines = [
    ...split(first, most),
    ...split(
      rest.reduce((sum, many) => sum + many, 0),
      most,
    ),
  ];
  const margin = Math.min(86, wide * 0.11);
  const rowOf: number[] = [];
  lines.forEach((many, row) => {
    for (let n = 0; n < many; n++) {
      const at = laid.places.length;
      const x = many === 1 ? margin : margin + (n * (wide - 2 * margin)) / (many - 1);
      laid.places.push({ x, y: row * ROW + 96 + (n % 2 ? 34 : 0), w: at === now ? 92 : 78, words: "below" });
      rowOf.push(row);
    }
  });
  let before = 0;
  for (const many of groups) {
    const at = laid.places[before];
    laid.heads.push({ x: at ? at.x - 44 : 0, y: (rowOf[before] ?? 0) * ROW });
    before += many;
  }
  laid.high = lines.length * ROW;
  laid.threads = laid.places.slice(1).map((to, n) => {
    const from = laid.places[n]!;
    if (rowOf[n] === rowOf[n + 1]) return { path: swing(from, to, false), far: false };
    // around the end of the row to the start of the next one
    const y = (rowOf[n + 1] ?? 0) * ROW - 12;
    return {
      path: `M${from.x} ${from.y}C${wide + 40} ${from.y} ${wide + 34} ${y} ${wide - 90} ${y}L90 ${y}C-10 ${y} -10 ${to.y - 60} ${to.x} ${to.y}`,
      far: true,
    };
  });
  return laid;
}

/** Return the sizes of rows of about the same length. */
function split(many: number, most: number): number[] {
  const lines = Math.ceil(many / most);
  return Array.from({ length: lines }, (_, n) => Math.floor(many / lines) + (n < many % lines ? 1 : 0));
}
