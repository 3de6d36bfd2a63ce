// Results in puzzles, stored on this device only.
import { before, dayOf } from "./day";

const KEY = "blackpoker-puzzles";
const START = 1200;
/** largest rating change of an answer */
const STEP = 32;

interface PuzzleStats {
  rating: number;
  /** puzzles solved without help, and all that were tried */
  solved: string[];
  tried: string[];
  /** day of the last solved daily puzzle, and the streak */
  day: string;
  streak: number;
  best: number;
  /** recent days with a solved daily puzzle */
  days: string[];
  /** history of the rating: time and value */
  curve: [number, number][];
}
/** number of answers before the rating is shown */
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

/** Return the rating of a puzzle by its level. */
function worth(level: number): number {
  return 900 + 180 * (level || 2);
}

/**
 * Record the first answer to a puzzle; with a hint or after a mistake it counts as failed. Return the rating change, or
 * null.
 */
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

/** Return the level that matches a rating. */
export function levelOf(rating: number): number {
  return Math.max(1, Math.min(5, Math.round((rating - 900) / 180)));
}

/** Return the puzzles tried but not solved without help, the last one first. */
export function failedPuzzles(): string[] {
  return puzzleStats.tried.filter((id) => !puzzleStats.solved.includes(id)).reverse();
}

/** Return the rating change of the last seven days. */
export function week(now: Date): number {
  const then = puzzleStats.curve.filter(([at]) => at < now.getTime() - 7 * DAY).at(-1);
  return puzzleStats.rating - (then?.[1] ?? START);
}

/** Return the last seven days, with true for a solved daily puzzle. */
export function lastDays(now: Date): { day: Date; solved: boolean }[] {
  const row = Array.from({ length: puzzleStats.streak }, (_, n) =>
    dayOf(before(new Date(`${puzzleStats.day}T12:00`), n)),
  );
  return Array.from({ length: 7 }, (_, n) => {
    const day = before(now, 6 - n);
    return { day, solved: puzzleStats.days.includes(dayOf(day)) || row.includes(dayOf(day)) };
  });
}

/** Record a solved daily puzzle and update the streak. */
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

/** Return the current streak: a missed day ends it. */
export function streakOf(now: Date): number {
  const yesterday = dayOf(before(now, 1));
  return puzzleStats.day === dayOf(now) || puzzleStats.day === yesterday ? puzzleStats.streak : 0;
}
