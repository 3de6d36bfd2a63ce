// The number of the life is vermilion from a third on.
import { expect, test } from "vitest";
import type { SideView } from "../src/core/protocol";
import { isLow } from "../src/table/low_life";

/** Return a side of Lite+Entry, 21 cards, with this life. */
const side = (life: number | "10+", hand = 7): SideView =>
  ({
    life,
    hand: { count: hand },
    grave: { count: 21 - hand - 3 - (life === "10+" ? 11 : life) },
    soldiers: [{ cards: ["S5", "H3"] }],
    bulwarks: [{}],
  }) as unknown as SideView;

test.each([
  ["10+", false],
  [9, false],
  [5, false],
  [4, true],
  [0, true],
] as const)("a life of %s of thirteen: %s", (life, low) => {
  expect(isLow(side(life))).toBe(low);
});
