// Playback of the sounds. The recipes are fetched and drawn while the page is idle, the touch first, so that a touch is
// answered at once; the audio context is opened inside the first gesture, as browsers require.
import { settings } from "../core/settings.svelte";
import type { SoundName } from "./recipes";

export type { SoundName } from "./recipes";

type Recipes = typeof import("./recipes");

const MOST_VOICES = 24;
/** seconds between two sounds of one name: closer ones share one voice */
const LEAST_GAP = 0.012;
const LOUDEST = 2;
const RATE = 32_000;
const TOUCH: SoundName[] = ["lift", "snap", "confirm", "click", "drag", "refuse", "paper"];
/** sounds that are always heard */
const IMPORTANT = new Set<SoundName>(["call", "win", "lose", "lethal", "solved", "counter"]);

let audio: AudioContext | null = null;
let out: GainNode | null = null;
let tone: GainNode | null = null;
let recipes: Recipes | null = null;
let fetching = false;
const buffers = new Map<string, AudioBuffer>();
const turns = new Map<SoundName, number>();
const last = new Map<SoundName, number>();
let voices = 0;

function toBuffer(data: Float32Array<ArrayBuffer>): AudioBuffer {
  const made = new AudioBuffer({ length: data.length, sampleRate: RATE, numberOfChannels: 1 });
  made.copyToChannel(data, 0);
  return made;
}

/** Return a rendering of a sound, drawn now if it is not ready. */
function rendering(found: Recipes, name: SoundName, turn: number): AudioBuffer {
  const key = `${name}/${turn}`;
  let made = buffers.get(key);
  if (!made) buffers.set(key, (made = toBuffer(found.render(name, turn))));
  return made;
}

const whenIdle = (what: () => void): void => {
  if (typeof requestIdleCallback === "function") requestIdleCallback(what);
  else setTimeout(what, 60);
};

/** Fetch the recipes and draw one rendering at a time while the page has nothing to do. */
function prepare(): void {
  if (fetching || !settings.sound) return;
  fetching = true;
  import("./recipes").then(
    (found) => {
      recipes = found;
      const names = [...TOUCH, ...found.SOUNDS.filter((name) => !TOUCH.includes(name))];
      const rest = names.flatMap((name) =>
        Array.from({ length: found.renderingsOf(name) }, (_, turn) => [name, turn] as const),
      );
      const next = (): void => {
        const one = rest.shift();
        if (!one) return;
        rendering(found, ...one);
        whenIdle(next);
      };
      next();
      bed();
    },
    () => (fetching = false), // failed: the next gesture tries again
  );
}

function begin(): void {
  // pointerdown of a touch and the Escape key do not count as gestures
  if (!settings.sound || navigator.userActivation?.isActive === false) return;
  if (!audio) {
    audio = new AudioContext({ latencyHint: "interactive" });
    out = audio.createGain();
    const press = audio.createDynamicsCompressor();
    press.threshold.value = -8;
    out.connect(press).connect(audio.destination);
    bed();
  }
  if (audio.state === "suspended") void audio.resume();
  prepare();
}
// without Web Audio the page is silent
if (typeof AudioContext === "function" && typeof AudioBuffer === "function") {
  for (const gesture of ["pointerdown", "pointerup", "keydown"])
    addEventListener(gesture, begin, { capture: true, passive: true });
  if (document.readyState === "complete") whenIdle(prepare);
  else addEventListener("load", () => whenIdle(prepare), { once: true });
}

/** Play a sound; `pitch` in steps of its scale; `pan` from left (−1) to right (1). */
export function sound(name: SoundName, pitch = 0, pan = 0): void {
  if (!settings.sound || settings.volume <= 0 || (document.hidden && name !== "call")) return;
  if (!audio || !out || !recipes) return;
  const now = audio.currentTime;
  if (now - (last.get(name) ?? -1) < LEAST_GAP) return;
  if (voices >= MOST_VOICES && !IMPORTANT.has(name)) return;
  last.set(name, now);
  const turn = turns.get(name) ?? 0;
  turns.set(name, turn + 1);
  out.gain.setTargetAtTime(settings.volume * LOUDEST, now, 0.001);
  const source = audio.createBufferSource();
  source.buffer = rendering(recipes, name, turn % recipes.renderingsOf(name));
  source.playbackRate.value = recipes.pitchRate(name, pitch);
  const side = audio.createStereoPanner();
  side.pan.value = pan;
  source.connect(side).connect(out);
  voices++;
  source.onended = () => voices--;
  source.start();
}

/** Silence everything for a moment, the room as well. */
export function hush(seconds: number): void {
  if (!audio || !out) return;
  const now = audio.currentTime;
  for (const gain of [out.gain, ...(tone ? [tone.gain] : [])]) {
    const level = gain.value;
    gain.cancelScheduledValues(now);
    gain.setTargetAtTime(0, now, 0.006);
    gain.setTargetAtTime(level, now + seconds, 0.004);
  }
}

/** Play the tone of the room, if it is switched on. */
export function bed(): void {
  const volume = settings.sound && settings.ambience ? settings.volume : 0;
  if (!audio || !recipes || (!tone && !volume)) return;
  if (!tone) {
    const source = audio.createBufferSource();
    source.buffer = toBuffer(recipes.roomTone());
    source.loop = true;
    tone = audio.createGain();
    tone.gain.value = 0;
    source.connect(tone).connect(audio.destination);
    source.start();
  }
  tone.gain.setTargetAtTime(volume * LOUDEST, audio.currentTime, 0.8);
}
