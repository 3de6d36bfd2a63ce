// What the browser remembers of the school: where one is, what is done, what the guide has said.
const KEY = "blackpoker-school";

interface Progress {
  /** lessons passed */
  done: string[];
  /** tasks passed, as lesson/number, and those of them that were done without a hint */
  passed: string[];
  clean: string[];
  /** where one is: a lesson, its task, what has been said in it */
  at: { lesson: string; task: number; said: string[] } | null;
  /** the guided game, and how often each remark was made */
  room: string;
  remarks: Record<string, number>;
  /** marks that have been explained */
  marks: string[];
  /** the guided game has been played to its end */
  guided: boolean;
}

function start(): Progress {
  const base: Progress = { done: [], passed: [], clean: [], at: null, room: "", remarks: {}, marks: [], guided: false };
  try {
    return { ...base, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Progress>) };
  } catch {
    return base;
  }
}

export const progress = $state<Progress>(start());

export function saveProgress(): void {
  localStorage.setItem(KEY, JSON.stringify(progress));
}

/** A task is done; `alone`: without a hint and without going astray. */
export function completeTask(lesson: string, task: number, alone: boolean): void {
  const name = `${lesson}/${task}`;
  if (!progress.passed.includes(name)) progress.passed = [...progress.passed, name];
  if (alone && !progress.clean.includes(name)) progress.clean = [...progress.clean, name];
}

/** How many tasks of a lesson are done; of one that is passed, all. */
export function passedOf(lesson: string, tasks: number): number {
  if (progress.done.includes(lesson)) return tasks;
  return Array.from({ length: tasks }, (_, n) => n).filter((n) => progress.passed.includes(`${lesson}/${n}`)).length;
}
