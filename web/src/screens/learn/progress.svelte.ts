// Progress in the school, stored by the browser: current lesson, finished tasks, shown remarks.
const KEY = "blackpoker-school";

interface Progress {
  /** finished lessons */
  done: string[];
  /** finished tasks as lesson/number, and those finished without a hint */
  passed: string[];
  clean: string[];
  /** current lesson and task, with its moves so far */
  at: { lesson: string; task: number; moves: string[] } | null;
  /** the guided game, and how often each remark was shown */
  room: string;
  remarks: Record<string, number>;
  /** explained marks */
  marks: string[];
  /** the guided game was finished */
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

/** Record a finished task; `alone`: without a hint or mistake. */
export function completeTask(lesson: string, task: number, alone: boolean): void {
  const name = `${lesson}/${task}`;
  if (!progress.passed.includes(name)) progress.passed = [...progress.passed, name];
  if (alone && !progress.clean.includes(name)) progress.clean = [...progress.clean, name];
}

/** Return the number of finished tasks of a lesson. */
export function passedOf(lesson: string, tasks: number): number {
  if (progress.done.includes(lesson)) return tasks;
  return Array.from({ length: tasks }, (_, n) => n).filter((n) => progress.passed.includes(`${lesson}/${n}`)).length;
}
