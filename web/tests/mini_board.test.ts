// The mini board: hands are inside it, at every proportion.
import { expect, test } from "vitest";
import type { SideView, View } from "../src/core/protocol";
import { small } from "../src/ui/mini_board";

const side = (cards: string[] | null, count: number): SideView =>
  ({ life: 12, hand: { cards, count }, soldiers: [], bulwarks: [], trumps: [], grave: [] }) as unknown as SideView;

test.each([
  [1.2, 1],
  [1.36, 7],
  [1.7, 3],
  [2.3, 14],
])("no card of a hand is cut off (proportion %d, %d cards)", (ratio, count) => {
  const cards = Array.from({ length: count }, (_, n) => `S${(n % 9) + 2}`);
  const view = { p1: side(cards, count), p2: side(null, count), stage: [] } as unknown as View;
  const [W, H] = [ratio * 400, 400];
  const { things } = small({ view, near: "p1", wide: W, high: H, plates: true, hands: true });
  expect(things.length).toBe(2 * count);
  for (const one of things) {
    const turn = (Math.abs(one.turn) * Math.PI) / 180;
    const [wide, high] = [one.w, one.w * 1.4];
    const x = (wide * Math.cos(turn) + high * Math.sin(turn)) / 2;
    const y = (wide * Math.sin(turn) + high * Math.cos(turn)) / 2;
    expect(one.y + y).toBeLessThanOrEqual(H);
    expect(one.y - y).toBeGreaterThanOrEqual(0);
    expect(one.x + x).toBeLessThanOrEqual(W);
    expect(one.x - x).toBeGreaterThanOrEqual(0);
  }
});
