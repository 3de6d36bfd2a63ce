// Small sounds made on the spot; off unless switched on.
import { settings } from "./settings.svelte";

let audio: AudioContext | null = null;
const NOTES = { card: [440], turn: [523, 659], ask: [587], hit: [196, 147], win: [523, 659, 784], lose: [330, 262] };

export function sound(name: keyof typeof NOTES): void {
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  try {
    audio ??= new AudioContext();
    NOTES[name].forEach((pitch, index) => {
      const at = audio!.currentTime + index * 0.12;
      const tone = audio!.createOscillator();
      const loud = audio!.createGain();
      tone.type = "triangle";
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(0.3 * settings.volume, at);
      loud.gain.exponentialRampToValueAtTime(0.001, at + 0.16);
      tone.connect(loud).connect(audio!.destination);
      tone.start(at);
      tone.stop(at + 0.18);
    });
  } catch {
    // no sound, no harm
  }
}
