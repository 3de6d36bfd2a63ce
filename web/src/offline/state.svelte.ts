// State of the engine. `wanted`: a user waits for it; `update`: activates a new version.
interface Engine {
  phase: "resting" | "loading" | "ready" | "failed";
  done: number;
  why: string;
  wanted: boolean;
  update: (() => void) | null;
}

export const engine = $state<Engine>({ phase: "resting", done: 0, why: "", wanted: false, update: null });
