// Placement of the action menu beside the tapped thing, without hiding anything important.

/** elements to keep visible, with the weight of hiding them */
const KEEP: [string, number][] = [
  [".chosen, .aimed, .paid", 8],
  [".stage .item.first", 6],
  [".dock", 20],
  ["[data-pile$=':life'] .art", 5],
  [".slot", 3],
  [".unit", 2],
];

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
/** Return the area that two boxes share. */
export function overlap(a: Box, b: Box): number {
  return (
    Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) *
    Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top))
  );
}

/** Return the style that places `box` beside the place, or "" to keep the default position. */
export function placeBeside(board: HTMLElement, box: HTMLElement, anchor: string): string {
  if (anchor.startsWith("card:")) return ""; // cards of the hand use the column at its left
  const thing =
    board.querySelector(`[data-place="${CSS.escape(anchor)}"]`) ??
    board.querySelector(`[data-stage="${anchor.replace("stage:", "")}"]`);
  const home = board.querySelector<HTMLElement>(".left");
  if (!thing || !home) return "";
  const frame = board.getBoundingClientRect();
  const at = thing.getBoundingClientRect();
  const width = home.getBoundingClientRect().width;
  const height = Math.min(box.scrollHeight, frame.height * 0.6);
  const gap = 14;
  const fit = (left: number, top: number): Box => {
    const x = Math.max(frame.left + 4, Math.min(frame.right - width - 4, left));
    const y = Math.max(frame.top + 4, Math.min(frame.bottom - height - 4, top));
    return { left: x, top: y, right: x + width, bottom: y + height };
  };
  const middle = at.top + at.height / 2 - height / 2;
  const tries = [
    fit(at.right + gap, middle),
    fit(at.left - width - gap, middle),
    fit(at.left + at.width / 2 - width / 2, at.top - height - gap),
    fit(at.left + at.width / 2 - width / 2, at.bottom + gap),
  ];
  const keep = KEEP.flatMap(([selector, weight]) =>
    [...board.querySelectorAll(selector)].map((one) => ({ box: one.getBoundingClientRect(), weight })),
  );
  const cost = (one: Box): number =>
    overlap(one, at) * 30 + keep.reduce((sum, { box: other, weight }) => sum + overlap(one, other) * weight, 0);
  const best = tries.reduce((a, b) => (cost(b) < cost(a) ? b : a));
  if (cost(best) > width * height * 1.2) return "";
  const own = home.getBoundingClientRect();
  return `left:${best.left - own.left}px;top:${best.top - own.top}px;width:${width}px;max-height:${frame.height * 0.6}px`;
}
