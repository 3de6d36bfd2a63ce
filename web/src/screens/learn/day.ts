// The local date, and the puzzles with that of the day.
import { get } from "../../core/http";
import type { PuzzleList } from "../../core/protocol";
import { EDITIONS, type EditionId } from "../../core/regulation";

/** Return the local date: a day and its puzzle start at local midnight. */
export function dayOf(now: Date): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
/** Return the date some days earlier, also across clock changes. */
export function before(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12);
}

export const puzzlesOf = (lang: string, edition: EditionId): Promise<PuzzleList> =>
  get<PuzzleList>(
    `/api/puzzles?lang=${lang}&day=${dayOf(new Date())}${edition === EDITIONS[0] ? "" : `&edition=${edition}`}`,
  );
