// How the engine is: nobody has called it, it is on its way, it is here, or it has failed.
// `wanted`: somebody waits for it to play; `fresh`: a new version lies ready.
interface Engine {
  phase: "resting" | "loading" | "ready" | "failed";
  done: number;
  why: string;
  wanted: boolean;
  update: (() => void) | null;
}

export const engine = $state<Engine>({ phase: "resting", done: 0, why: "", wanted: false, update: null });
