// Brush strokes as filled outlines: thin at the start, broad at the end, with a head. A glow is a wider, fainter stroke
// below; no filters.
export type Point = readonly [number, number];

interface Stroke {
  thin: number;
  broad: number;
  head: number;
}

/** Return the outline of a stroke along a cubic curve. */
export function brush(a: Point, b: Point, c: Point, d: Point, { thin, broad, head }: Stroke): string {
  const at = (t: number, k: 0 | 1): number =>
    (1 - t) ** 3 * a[k] + 3 * (1 - t) ** 2 * t * b[k] + 3 * (1 - t) * t * t * c[k] + t ** 3 * d[k];
  const along = (t: number, k: 0 | 1): number =>
    3 * (1 - t) ** 2 * (b[k] - a[k]) + 6 * (1 - t) * t * (c[k] - b[k]) + 3 * t * t * (d[k] - c[k]);
  const length = Math.hypot(d[0] - a[0], d[1] - a[1]) || 1;
  const end = Math.max(0.55, 1 - head / (length * 1.08));
  const left: string[] = [];
  const right: string[] = [];
  const point = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  for (let i = 0; i <= 24; i++) {
    const t = (i / 24) * end;
    const [x, y, dx, dy] = [at(t, 0), at(t, 1), along(t, 0), along(t, 1)];
    const whole = Math.hypot(dx, dy) || 1;
    const w = (thin + (broad - thin) * Math.sin((t / end) * Math.PI * 0.5)) / 2;
    left.push(point(x - (dy / whole) * w, y + (dx / whole) * w));
    right.unshift(point(x + (dy / whole) * w, y - (dx / whole) * w));
  }
  const [x, y] = [at(end, 0), at(end, 1)];
  const angle = Math.atan2(d[1] - y, d[0] - x);
  const wing = (side: number): string =>
    point(
      x + Math.cos(angle + side) * head * 0.5 - Math.cos(angle) * head * 0.22,
      y + Math.sin(angle + side) * head * 0.5 - Math.sin(angle) * head * 0.22,
    );
  return `M${left.join("L")}L${wing(Math.PI / 2)}L${point(d[0], d[1])}L${wing(-Math.PI / 2)}L${right.join("L")}Z`;
}
