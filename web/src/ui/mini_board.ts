// Layout of a mini board. Only what the view contains is drawn, so a public view reveals nothing.
import { brush, type Point } from "../graphics/brush";
import { other, type SeatName } from "../core/names";
import type { BulwarkView, SideView, SoldierView, View } from "../core/protocol";

export type Half = "near" | "far";
/** A unit, a trump, a request (without cards: a disc) or a card of a hand: centre and width of its card. */
export interface Thing {
  key: string;
  x: number;
  y: number;
  w: number;
  /** in degrees */
  turn: number;
  /** top one first; empty: a back */
  cards: string[];
  back: boolean;
  half: Half;
  ring: "" | "attack" | "block" | "mine" | "theirs";
  driven: boolean;
  number?: number;
  plate: boolean;
}
export interface Small {
  things: Thing[];
  lives: { half: Half; life: number | "10+"; x: number; y: number; w: number }[];
  strokes: { path: string; tone: "blow" | "aim" }[];
}

interface Row {
  from: number;
  to: number;
  y: number;
  /** largest width of a card */
  most: number;
  /** end the row is aligned to */
  to_life: "left" | "right" | "middle";
}
const GAP = 0.16;

interface Piece {
  thing: Omit<Thing, "x" | "y" | "w" | "turn">;
  span: number;
}

/** Return the pieces in a row at the largest size that fits; below half of it they overlap. */
function lay(pieces: Piece[], row: Row): Thing[] {
  const spans = pieces.reduce((sum, one) => sum + one.span, 0) + GAP * Math.max(0, pieces.length - 1);
  const room = row.to - row.from;
  const w = Math.max(row.most * 0.5, Math.min(row.most, room / Math.max(1, spans)));
  const squeeze = Math.min(1, room / (spans * w));
  const whole = spans * w * squeeze;
  let x =
    row.to_life === "left" ? row.from : row.to_life === "right" ? row.to - whole : (row.from + row.to - whole) / 2;
  return pieces.map(({ thing, span }) => {
    const middle = x + (span * w * squeeze) / 2;
    x += (span + GAP) * w * squeeze;
    return { ...thing, x: middle, y: row.y, w, turn: thing.driven ? 90 : 0 };
  });
}

function soldier(one: SoldierView, half: Half, plate: boolean): Piece {
  return {
    span: one.driven ? 1.4 : one.cards.length > 1 ? 1.4 : 1,
    thing: {
      key: `u${one.id}`,
      cards: one.cards,
      back: false,
      half,
      driven: one.driven,
      number: one.number,
      plate,
      ring: one.role === "attacker" ? "attack" : one.role === "blocker" ? "block" : "",
    },
  };
}
function bulwark(one: BulwarkView, half: Half, plate: boolean): Piece {
  return {
    span: one.driven ? 1.4 : 1,
    thing: {
      key: `u${one.id}`,
      cards: one.card ? [one.card] : [],
      back: true,
      half,
      driven: one.driven,
      plate,
      ring: one.role === "blocker" ? "block" : "",
    },
  };
}

export interface Asked {
  view: View;
  /** the near seat */
  near: SeatName;
  wide: number;
  high: number;
  /** numbers under the units */
  plates: boolean;
  /** hands along the edges, as far as the view has them */
  hands: boolean;
}

export function small({ view, near, wide: W, high: H, plates, hands }: Asked): Small {
  const far = other(near);
  const things: Thing[] = [];
  const lives: Small["lives"] = [];
  const unit = H * (plates ? 0.15 : 0.16); // a plate extends below its card
  const wall = H * 0.155;
  const pile = H * 0.15;
  const edge = H * 0.06;
  const numeral = H * 0.36; // beside the pile
  const staged = view.stage.length ? unit * (1 + view.stage.length * 0.45) : 0; // the stage is left of the soldiers
  for (const [seat, half] of [
    [far, "far"],
    [near, "near"],
  ] as const) {
    const side: SideView = view[seat];
    const up = half === "far";
    const x = up ? edge : W - edge - pile;
    lives.push({ half, life: side.life, x, y: up ? edge : H - edge - pile * 1.4 - H * 0.05, w: pile });
    const front: Row = {
      from: W * 0.09 + staged + (staged && view[far].trumps.length ? pile * 1.1 : 0),
      to: W * 0.91 - pile * 0.6,
      y: H * (up ? (plates ? 0.385 : 0.395) : plates ? 0.62 : 0.64),
      most: unit,
      to_life: "middle",
    };
    // beside the pile the row leaves space for hands and names
    const behind: Row = up
      ? { from: edge + pile + numeral, to: hands ? W * 0.7 : W - edge, y: H * 0.165, most: wall, to_life: "left" }
      : { from: hands ? W * 0.34 : edge, to: W - edge - pile - numeral, y: H * 0.86, most: wall, to_life: "right" };
    things.push(
      ...lay(
        side.soldiers.map((one) => soldier(one, half, plates)),
        front,
      ),
    );
    things.push(
      ...lay(
        side.bulwarks.map((one) => bulwark(one, half, plates)),
        behind,
      ),
    );
    // trumps are beside the life, towards the middle
    side.trumps.forEach((one, n) => {
      const w = pile * 0.52;
      things.push({
        key: `${seat}${one.name}`,
        cards: one.card ? [one.card] : [],
        back: !one.open,
        half,
        ring: "",
        driven: false,
        plate: false,
        x: x + w / 2 + n * w * 0.86,
        y: up ? H * 0.445 : H * 0.58,
        w,
        turn: 0,
      });
    });
    if (hands) things.push(...fan(side, half, W, H));
  }
  const strokes = blows(view, things, lives, near);
  view.stage.forEach((request, n) => {
    const mine = request.controller === near;
    const keys = request.keys.length ? request.keys : request.virtual_keys;
    const w = unit * 0.9;
    const thing: Thing = {
      key: `r${request.id}`,
      cards: keys,
      back: false,
      half: mine ? "near" : "far",
      ring: mine ? "mine" : "theirs",
      driven: false,
      plate: false,
      x:
        W * 0.04 +
        unit * (0.5 + n * 0.45) +
        w * 0.4 * Math.max(0, keys.length - 1) +
        (view[far].trumps.length ? pile * 1.1 : 0),
      y: H * 0.52 - n * unit * 0.16,
      w,
      turn: 0,
    };
    things.push(thing);
    const top = n === view.stage.length - 1;
    const aim =
      top && request.target
        ? whereOf(request.target.kind, request.target.player, request.target.name, view, things, lives, near)
        : null;
    if (!aim) return;
    const [from, to] = [rim(thing, aim), rim(aim, thing)];
    strokes.push({ path: stroke(from, to, H * 0.7), tone: "aim" });
  });
  return { things, lives, strokes };
}

/** Return the hand: faces where the view has them, otherwise backs; whole cards inside the board. */
function fan(side: SideView, half: Half, W: number, H: number): Thing[] {
  const up = half === "far";
  const known: (string | null)[] = side.hand.cards ?? Array.from({ length: side.hand.count }, () => null);
  const w = H * 0.15;
  const room = W * 0.26;
  const step = Math.min(w * 0.72, (room - w) / Math.max(1, known.length - 1));
  const from = up ? W * 0.97 - w / 2 - step * (known.length - 1) : W * 0.03 + w / 2;
  return known.map((card, n) => ({
    key: `${half}h${card ?? ""}${n}`,
    cards: card ? [card] : [],
    back: !card,
    half,
    ring: "",
    driven: false,
    plate: false,
    x: from + n * step,
    y: up ? H * 0.12 : H * 0.88,
    w,
    turn: (n - (known.length - 1) / 2) * 2,
  }));
}

type Lives = Small["lives"];
function lifeAt(lives: Lives, half: Half): Point {
  const found = lives.find((one) => one.half === half)!;
  return [found.x + found.w / 2, found.y + (half === "far" ? found.w * 1.5 : 0)];
}

type Spot = Pick<Thing, "x" | "y" | "w" | "driven">;
/** Return the position of a request's target; null for another request, because an arrow to it would be unreadable. */
function whereOf(
  kind: string,
  player: SeatName | null,
  name: string,
  view: View,
  things: Thing[],
  lives: Lives,
  near: SeatName,
): Spot | undefined {
  if (kind === "player") {
    const [x, y] = lifeAt(lives, name === near ? "near" : "far");
    return { x, y, w: 0, driven: false };
  }
  if (kind === "trump" && player) return things.find((one) => one.key === player + name);
  if (kind !== "unit" || !player) return undefined;
  const side = view[player];
  const id =
    side.bulwarks.find((one) => one.name === name)?.id ?? side.soldiers.find((one) => one.cards.includes(name))?.id;
  return things.find((one) => one.key === `u${id}`);
}
/** Return the point where the line to `other` leaves a card, so that a stroke covers neither number nor suit. */
function rim(one: Spot, { x, y }: { x: number; y: number }): Point {
  const [dx, dy] = [x - one.x, y - one.y];
  const [half, high] = one.driven ? [0.74, 0.54] : [0.54, 0.74];
  const k = one.w / Math.max(one.w, Math.abs(dx) / half, Math.abs(dy) / high);
  return [one.x + dx * k, one.y + dy * k];
}

function blows(view: View, things: Thing[], lives: Lives, near: SeatName): Small["strokes"] {
  const out: Small["strokes"] = [];
  for (const seat of ["p1", "p2"] as const) {
    const half: Half = seat === near ? "near" : "far";
    const rival = view[other(seat)];
    for (const one of view[seat].soldiers.filter((each) => each.role === "attacker")) {
      const from = things.find((thing) => thing.key === `u${one.id}`);
      if (!from) continue;
      const start: Point = [from.x, from.y + (half === "near" ? -1 : 1) * from.w * (one.driven ? 0.5 : 0.7)];
      const stops = [...rival.soldiers, ...rival.bulwarks].filter((each) => each.blocks === one.id);
      const ends = stops.length
        ? stops
            .map((each) => things.find((thing) => thing.key === `u${each.id}`))
            .map((each) => each && rim(each, from))
        : [lifeAt(lives, half === "near" ? "far" : "near")];
      for (const end of ends) if (end) out.push({ path: stroke(start, end, from.w * 3), tone: "blow" });
    }
  }
  return out;
}

function stroke(from: Point, to: Point, size: number): string {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const head = Math.min(size * 0.16, Math.hypot(dx, dy) * 0.5);
  return brush(from, [from[0] + dx * 0.08, from[1] + dy * 0.5], [from[0] + dx * 0.6, to[1] - dy * 0.06], to, {
    thin: size * 0.02,
    broad: size * 0.055,
    head,
  });
}
