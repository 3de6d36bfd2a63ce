// How somebody fares in puzzles: kept on this device and nowhere else.
import { before, dayOf } from "./day";

const KEY = "blackpoker-puzzles";
const START = 1200;
/** how much one answer moves the rating */
const STEP = 32;

interface PuzzleStats {
  rating: number;
  /** puzzles solved without help, solved with it, failed at first */
  solved: string[];
  tried: string[];
  /** the last day whose puzzle was solved, and how many in a row */
  day: string;
  streak: number;
  best: number;
  /** the last days whose puzzle was solved */
  days: string[];
  /** how the rating went: when, and what it was then */
  curve: [number, number][];
}
/** answers until a rating says something */
export const SETTLED = 5;
const KEPT = 200;
const DAY = 86_400_000;

function start(): PuzzleStats {
  const base: PuzzleStats = { rating: START, solved: [], tried: [], day: "", streak: 0, best: 0, days: [], curve: [] };
  try {
    return { ...base, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<PuzzleStats>) };
  } catch {
    return base;
  }
}

export const puzzleStats = $state<PuzzleStats>(start());

function keep(): void {
  localStorage.setItem(KEY, JSON.stringify(puzzleStats));
}

/** What a puzzle is worth: by how deep its answer lies. */
function worth(level: number): number {
  return 900 + 180 * (level || 2);
}

/** The first answer to a puzzle counts; with a hint or after a mistake it is a miss. Gives what it changed. */
export function recordAnswer(id: string, level: number, good: boolean): number | null {
  if (good && !puzzleStats.solved.includes(id)) puzzleStats.solved = [...puzzleStats.solved, id];
  let change: number | null = null;
  if (!puzzleStats.tried.includes(id)) {
    puzzleStats.tried = [...puzzleStats.tried, id];
    const expected = 1 / (1 + 10 ** ((worth(level) - puzzleStats.rating) / 400));
    change = Math.round(STEP * ((good ? 1 : 0) - expected));
    puzzleStats.rating += change;
    puzzleStats.curve = [...puzzleStats.curve, [Date.now(), puzzleStats.rating] as [number, number]].slice(-KEPT);
  }
  keep();
  return change;
}

/** The level that fits one's rating. */
export function levelOf(rating: number): number {
  return Math.max(1, Math.min(5, Math.round((rating - 900) / 180)));
}

/** What has been tried and not yet solved without help, the last first. */
export function failedPuzzles(): string[] {
  return puzzleStats.tried.filter((id) => !puzzleStats.solved.includes(id)).reverse();
}

/** By how much the rating has changed in seven days. */
export function week(now: Date): number {
  const then = puzzleStats.curve.filter(([at]) => at < now.getTime() - 7 * DAY).at(-1);
  return puzzleStats.rating - (then?.[1] ?? START);
}

/** The last seven days up to today, and whether their puzzle was solved. */
export function lastDays(now: Date): { day: Date; solved: boolean }[] {
  const row = Array.from({ length: puzzleStats.streak }, (_, n) => dayOf(before(new Date(`${puzzleStats.day}T12:00`), n)));
  return Array.from({ length: 7 }, (_, n) => {
    const day = before(now, 6 - n);
    return { day, solved: puzzleStats.days.includes(dayOf(day)) || row.includes(dayOf(day)) };
  });
}

/** The puzzle of the day is solved: one more in a row, or a new row. */
export function countDay(now: Date): void {
  const today = dayOf(now);
  if (puzzleStats.day === today) return;
  const yesterday = dayOf(before(now, 1));
  puzzleStats.streak = puzzleStats.day === yesterday ? puzzleStats.streak + 1 : 1;
  puzzleStats.best = Math.max(puzzleStats.best, puzzleStats.streak);
  puzzleStats.day = today;
  puzzleStats.days = [...puzzleStats.days, today].slice(-14);
  keep();
}

/** The row as it stands today: a day left out ends it. */
export function streakOf(now: Date): number {
  const yesterday = dayOf(before(now, 1));
  return puzzleStats.day === dayOf(now) || puzzleStats.day === yesterday ? puzzleStats.streak : 0;
}
