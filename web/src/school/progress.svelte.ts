// What the browser remembers of the school: where one is, what is done, what the guide has said.
const KEY = "blackpoker-school";

interface Progress {
  /** lessons passed */
  done: string[];
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
  const base: Progress = { done: [], at: null, room: "", remarks: {}, marks: [], guided: false };
  try {
    return { ...base, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Progress>) };
  } catch {
    return base;
  }
}

export const progress = $state<Progress>(start());

export function keepProgress(): void {
  localStorage.setItem(KEY, JSON.stringify(progress));
}
