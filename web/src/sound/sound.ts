// Sounds: asked for by name, made by the synthesiser, which is fetched after the first gesture.
import { settings } from "../lib/settings.svelte";
import type { Synth } from "./synth";

export type SoundName =
  | "bell" | "breath" | "call" | "chord" | "clap" | "click" | "drum" | "flip" | "glass" | "gong" | "lose" | "low" | "metal" | "paper"
  | "pluck" | "riffle" | "shield" | "stone" | "strike" | "taiko" | "tear" | "thud" | "whoosh" | "win" | "wood";

let synth: Synth | null = null;
let fetching = false;

function begin(): void {
  if (fetching || !settings.sound) return;
  fetching = true;
  import("./synth").then(
    (found) => (synth = new found.Synth()),
    () => (fetching = false), // no sound, no harm: the next gesture tries again
  );
}
if (typeof addEventListener === "function") {
  for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, begin, { capture: true, passive: true });
}

/** Play a sound; `pitch` in steps of the scale, up or down. */
export function sound(name: SoundName, pitch = 0): void {
  if (!settings.sound || settings.volume <= 0 || document.hidden && name !== "call") return;
  synth?.play(name, pitch, settings.volume);
}
