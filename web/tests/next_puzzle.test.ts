// The next puzzle: none is repeated before all others were shown.
import { expect, test } from "vitest";
import type { PuzzleInfo } from "../src/core/protocol";
import { chooseNext } from "../src/screens/learn/next_puzzle";

const puzzle = (id: string, level: number): PuzzleInfo => ({ id, level }) as PuzzleInfo;
const ALL = [puzzle("a", 1), puzzle("b", 2), puzzle("c", 3), puzzle("d", 4)];

/** Return the puzzles seen by a player who presses "next" this many times from `a`. */
function walk(steps: number, tried: string[], failed: string[] = []): string[] {
  const shown = ["a"];
  for (let n = 0; n < steps; n++) {
    const next = chooseNext(ALL, 2, tried, failed, shown)!.id;
    shown.splice(0, shown.length, ...shown.filter((one) => one !== next), next);
    shown.splice(0, Math.max(0, shown.length - ALL.length));
  }
  return shown;
}

test("skipped puzzles do not alternate", () => {
  expect(walk(3, [])).toEqual(["a", "b", "c", "d"]);
});
test("after all were tried, the failed ones come first, then all others", () => {
  expect(walk(1, ["a", "b", "c", "d"], ["d"]).at(-1)).toBe("d");
  expect(new Set(walk(3, ["a", "b", "c", "d"], ["d"])).size).toBe(4);
});
test("a level near the rating first", () => {
  expect(chooseNext(ALL, 4, [], [], ["a"])?.id).toBe("d");
});
