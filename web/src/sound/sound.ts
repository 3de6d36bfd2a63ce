// Sounds: asked for by name, made by the synthesiser, which is fetched after the first gesture. The audio itself is
// opened inside that gesture: browsers let it speak only then.
import { settings } from "../core/settings.svelte";
import type { Synth } from "./synth";

export const SOUNDS = [
  "bell", "breath", "call", "chord", "clap", "click", "drum", "flip", "glass", "gong", "lose", "low", "metal", "paper",
  "pluck", "riffle", "shield", "stone", "strike", "taiko", "tear", "thud", "whoosh", "win", "wood",
] as const;
export type SoundName = (typeof SOUNDS)[number];

let audio: AudioContext | null = null;
let synth: Synth | null = null;
let fetching = false;

function begin(): void {
  // a finger that has only come down is no gesture yet, nor is Escape
  if (!settings.sound || navigator.userActivation?.isActive === false) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  if (fetching) return;
  fetching = true;
  const opened = audio;
  import("./synth").then(
    (found) => {
      synth = new found.Synth(opened);
      synth.bed(settings.ambience ? settings.volume : 0);
    },
    () => (fetching = false), // no sound, no harm: the next gesture tries again
  );
}
if (typeof addEventListener === "function") {
  for (const gesture of ["pointerdown", "pointerup", "keydown"]) addEventListener(gesture, begin, { capture: true, passive: true });
}

/** Play a sound; `pitch` in steps of the scale, up or down; `pan` from the left (−1) to the right (1). */
export function sound(name: SoundName, pitch = 0, pan = 0): void {
  if (!settings.sound || settings.volume <= 0 || document.hidden && name !== "call") return;
  synth?.play(name, pitch, settings.volume, pan);
}
/** The quiet bed under everything, where it is switched on. */
export function bed(): void {
  synth?.bed(settings.sound && settings.ambience ? settings.volume : 0);
}
