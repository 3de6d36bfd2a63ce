// Choices of one's own games to be tried again, spaced over days; stored on this device only.
import type { TurningPoint } from "./protocol";

const KEY = "blackpoker-moments";
const DAY = 86_400_000;
/** days until a solved exercise is shown again; after the last one it is done */
const DAYS = [1, 3, 7, 21];
const KEPT = 100;

export interface Moment {
  record: string;
  step: number;
  turn: number;
  /** points of the chance that the choice cost */
  cost: number;
  /** number of times it was solved in a row */
  solved: number;
  /** time from which it is due */
  due: number;
}

function stored(): Moment[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? (found as Moment[]) : [];
  } catch {
    return [];
  }
}

export const moments = $state<{ all: Moment[] }>({ all: stored() });

function store(all: Moment[]): void {
  moments.all = all;
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // without storage they last until the page is closed
  }
}

const same = (one: Moment, record: string, step: number): boolean => one.record === record && one.step === step;

/** Add the choices of a finished game that have a better move; those known already stay as they are. */
export function addMoments(record: string, points: TurningPoint[], now = Date.now()): void {
  const added = points
    .filter((point) => point.better_move && !moments.all.some((one) => same(one, record, point.step)))
    .map((point) => ({
      record,
      step: point.step,
      turn: point.turn,
      cost: Math.round(-100 * (point.choice ?? 0)),
      solved: 0,
      due: now,
    }));
  if (added.length) store([...moments.all, ...added].slice(-KEPT));
}

/** Record an answer: a solved exercise returns after some days and then no more, a failed one tomorrow. */
export function answerMoment(record: string, step: number, solved: boolean, now = Date.now()): void {
  store(
    moments.all.flatMap((one) => {
      if (!same(one, record, step)) return [one];
      if (!solved) return [{ ...one, solved: 0, due: now + DAY }];
      const days = DAYS[one.solved];
      return days === undefined ? [] : [{ ...one, solved: one.solved + 1, due: now + days * DAY }];
    }),
  );
}

/** Return the exercises that are due, the costliest first. */
export function dueMoments(now = Date.now()): Moment[] {
  return moments.all.filter((one) => one.due <= now).sort((a, b) => b.cost - a.cost);
}

/** Remove an exercise, e.g. because its game was deleted. */
export function dropMoment(record: string, step: number): void {
  store(moments.all.filter((one) => !same(one, record, step)));
}
