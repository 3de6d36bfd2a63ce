// Sounds by name, from the synthesiser, which is fetched after the first gesture. The audio context is opened inside
// that gesture, as browsers require.
import { settings } from "../core/settings.svelte";
import type { Synth } from "./synth";

export const SOUNDS = [
  "bell",
  "breath",
  "call",
  "chord",
  "clap",
  "click",
  "drum",
  "flip",
  "glass",
  "gong",
  "lose",
  "low",
  "metal",
  "paper",
  "pluck",
  "riffle",
  "shield",
  "stone",
  "strike",
  "taiko",
  "tear",
  "thud",
  "whoosh",
  "win",
  "wood",
] as const;
export type SoundName = (typeof SOUNDS)[number];

let audio: AudioContext | null = null;
let synth: Synth | null = null;
let fetching = false;

function begin(): void {
  // pointerdown of a touch and the Escape key do not count as gestures
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
    () => (fetching = false), // failed: the next gesture tries again
  );
}
if (typeof addEventListener === "function") {
  for (const gesture of ["pointerdown", "pointerup", "keydown"])
    addEventListener(gesture, begin, { capture: true, passive: true });
}

/** Play a sound; `pitch` in steps of the scale; `pan` from left (−1) to right (1). */
export function sound(name: SoundName, pitch = 0, pan = 0): void {
  if (!settings.sound || settings.volume <= 0 || (document.hidden && name !== "call")) return;
  synth?.play(name, pitch, settings.volume, pan);
}
/** Start the ambience, if it is switched on. */
export function bed(): void {
  synth?.bed(settings.sound && settings.ambience ? settings.volume : 0);
}
