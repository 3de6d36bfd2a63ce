// Placement of guide texts over the table: never on a life, grave or hand if there is free space.
import { overlap, type Box } from "../../table/popover_position";

/** elements to keep visible, with the weight of hiding them */
const KEEP: [string, number][] = [
  ["[data-pile], [data-zone$='-piles'] .extras", 40],
  ["[data-zone='hand'] [data-place], .far-hand", 40],
  [".dock, .palette, dialog[open]", 60],
  [".stage .item", 12],
  [".top, .me, .flag", 6],
  [".unit", 4],
  [".unit .new, .unit .plate, .unit .seal", 30],
];
/** an explanation avoids a remark, but not vice versa */
const ALSO: [string, number] = ["[data-remark]", 30];
const STEP = 8;

/** Return the shortest line from a box to a thing. */
export function thread(from: Box, to: Box): { x: number; y: number }[] {
  const middle = (a: number, b: number, low: number, high: number): number =>
    Math.max(low, Math.min(high, (a + b) / 2));
  const x = middle(to.left, to.right, from.left + 12, from.right - 12);
  const y = middle(to.top, to.bottom, from.top + 8, from.bottom - 8);
  const aside = to.right < from.left || to.left > from.right;
  const start = aside
    ? { x: to.left > from.right ? from.right : from.left, y }
    : { x, y: to.top >= from.bottom ? from.bottom : from.top };
  return [
    start,
    { x: Math.max(to.left, Math.min(to.right, start.x)), y: Math.max(to.top, Math.min(to.bottom, start.y)) },
  ];
}
/** Return how many of eight points on the line are on an element to keep readable. */
function crossed(from: Box, to: Box, keep: Box[]): number {
  const [a, b] = thread(from, to);
  if (!a || !b) return 0;
  const places = Array.from({ length: 8 }, (_, n) => ({
    x: a.x + ((b.x - a.x) * (n + 0.5)) / 8,
    y: a.y + ((b.y - a.y) * (n + 0.5)) / 8,
  }));
  return places.filter(({ x, y }) => keep.some((one) => x > one.left && x < one.right && y > one.top && y < one.bottom))
    .length;
}

/**
 * Return the corner where a box of this size hides least, the nearest to `near` of those; the current one unless it is
 * clearly worse. `column`: move only vertically.
 */
export function spot(
  box: HTMLElement,
  near: { x: number; y: number },
  column?: number,
  now?: { x: number; y: number },
  thing?: Box,
): { x: number; y: number } {
  const { offsetWidth: width, offsetHeight: height } = box;
  const keep = (box.matches(".callout") ? [...KEEP, ALSO] : KEEP)
    .flatMap(([selector, weight]) =>
      [...document.querySelectorAll(selector)]
        .filter((one) => !one.contains(box) && !box.contains(one))
        .map((one) => ({ at: one.getBoundingClientRect(), weight })),
    )
    .filter(({ at }) => at.width > 0 && at.height > 0);
  const read = keep
    .filter(({ weight }) => weight >= ALSO[1])
    .map(({ at }) => at)
    .filter((at) => !thing || !overlap(at, thing));
  const cost = (x: number, y: number): number => {
    const here = { left: x, top: y, right: x + width, bottom: y + height };
    const away = Math.hypot(x + width / 2 - near.x, y + height / 2 - near.y);
    const crosses = thing ? crossed(here, thing, read) * 2000 : 0;
    return crosses + keep.reduce((sum, { at, weight }) => sum + overlap(here, at) * weight, away * 2);
  };
  let best = { x: column ?? 0, y: 0 };
  let least = Infinity;
  const lefts =
    column === undefined
      ? Array.from({ length: Math.max(1, Math.floor((innerWidth - width - 8) / STEP)) }, (_, n) => 4 + n * STEP)
      : [column];
  for (const x of lefts) {
    for (let y = 4; y + height <= innerHeight - 4; y += STEP) {
      const found = cost(x, y);
      if (found < least) [least, best] = [found, { x, y }];
    }
  }
  return now && now.x >= 0 && now.y + height <= innerHeight && cost(now.x, now.y) < least * 1.1 + 120 ? now : best;
}
