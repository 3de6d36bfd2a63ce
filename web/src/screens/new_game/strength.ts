/** Wins in 100 games of each level against the one below, by edition: the mean over the five regulations of
 * docs/opponents.md. Written by `python -m benchmarks.strength`. */
export const BEATS: Record<string, Record<string, number>> = {
  6: { casual: 70, normal: 73, strong: 74, master: 74, god: 69 },
  9: { casual: 66, normal: 68, strong: 70, master: 80, god: 72 },
};
