// The day where the player is, and the puzzles with the one of that day.
import { get } from "../../core/http";
import type { PuzzleList } from "../../core/protocol";

/** The date where one is: a day begins at midnight there, and so does its puzzle. */
export function dayOf(now: Date): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}
/** Some days before this one, whatever the clocks were put to meanwhile. */
export function before(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 12);
}

export const puzzlesOf = (lang: string): Promise<PuzzleList> => get<PuzzleList>(`/api/puzzles?lang=${lang}&day=${dayOf(new Date())}`);
