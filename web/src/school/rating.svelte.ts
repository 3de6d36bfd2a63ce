// How somebody fares in puzzles: kept on this device and nowhere else.
const KEY = "blackpoker-puzzles";
const START = 1200;
/** how much one answer moves the rating */
const STEP = 32;

interface Record_ {
  rating: number;
  /** puzzles solved without help, solved with it, failed at first */
  solved: string[];
  tried: string[];
  /** the last day whose puzzle was solved, and how many in a row */
  day: string;
  streak: number;
  best: number;
}

function start(): Record_ {
  const base: Record_ = { rating: START, solved: [], tried: [], day: "", streak: 0, best: 0 };
  try {
    return { ...base, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Record_>) };
  } catch {
    return base;
  }
}

export const fare = $state<Record_>(start());

function keep(): void {
  localStorage.setItem(KEY, JSON.stringify(fare));
}

/** What a puzzle is worth: by how deep its answer lies. */
function worth(level: number): number {
  return 900 + 180 * (level || 2);
}

/** The first answer to a puzzle counts; with a hint or after a mistake it is a miss. */
export function count(id: string, level: number, good: boolean): void {
  if (good && !fare.solved.includes(id)) fare.solved = [...fare.solved, id];
  if (!fare.tried.includes(id)) {
    fare.tried = [...fare.tried, id];
    const expected = 1 / (1 + 10 ** ((worth(level) - fare.rating) / 400));
    fare.rating = Math.round(fare.rating + STEP * ((good ? 1 : 0) - expected));
  }
  keep();
}

export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}

/** The puzzle of the day is solved: one more in a row, or a new row. */
export function countDay(now: Date): void {
  const today = dayOf(now);
  if (fare.day === today) return;
  const yesterday = dayOf(new Date(now.getTime() - 86_400_000));
  fare.streak = fare.day === yesterday ? fare.streak + 1 : 1;
  fare.best = Math.max(fare.best, fare.streak);
  fare.day = today;
  keep();
}

/** The row as it stands today: a day left out ends it. */
export function streakOf(now: Date): number {
  const yesterday = dayOf(new Date(now.getTime() - 86_400_000));
  return fare.day === dayOf(now) || fare.day === yesterday ? fare.streak : 0;
}
