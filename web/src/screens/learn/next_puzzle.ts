// Choice of the next puzzle.
import type { PuzzleInfo } from "../../core/protocol";

/**
 * Return the next puzzle: an untried one with the level nearest to `level`, else a failed one, else any. Those in
 * `shown`, the last one at the end, are not repeated before all others were shown.
 */
export function chooseNext(
  all: PuzzleInfo[],
  level: number,
  tried: string[],
  failed: string[],
  shown: string[],
): PuzzleInfo | undefined {
  const nearest = (some: PuzzleInfo[]): PuzzleInfo | undefined =>
    [...some].sort((a, b) => Math.abs(a.level - level) - Math.abs(b.level - level))[0];
  const others = all.filter((one) => !shown.includes(one.id));
  return (
    nearest(others.filter((one) => !tried.includes(one.id))) ??
    nearest(others.filter((one) => failed.includes(one.id))) ??
    nearest(others) ??
    all.find((one) => one.id === shown[0])
  );
}
