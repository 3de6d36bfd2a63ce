// The instruments, all made on the spot: paper and wood, a plucked string, a drum, metal. Never more than a few voices.
import type { SoundName } from "./sound";

const SCALE = [0, 2, 5, 7, 9]; // D E G A B
const MOST_VOICES = 4;
const LEAST_GAP = 0.028;

function note(pitch: number, base = 293.66): number {
  const octave = Math.floor(pitch / SCALE.length);
  const step = SCALE[((pitch % SCALE.length) + SCALE.length) % SCALE.length] ?? 0;
  return base * 2 ** (octave + step / 12);
}

interface Voice {
  at: number;
  loud: number;
  long: number;
}

export class Synth {
  private readonly audio = new AudioContext();
  private readonly out = this.audio.createGain();
  private readonly noise: AudioBuffer;
  private readonly strings = new Map<number, AudioBuffer>();
  private ends: number[] = [];
  private last = new Map<SoundName, number>();

  constructor() {
    const press = this.audio.createDynamicsCompressor();
    this.out.connect(press).connect(this.audio.destination);
    this.noise = this.audio.createBuffer(1, this.audio.sampleRate, this.audio.sampleRate);
    const data = this.noise.getChannelData(0);
    for (let n = 0; n < data.length; n++) data[n] = Math.random() * 2 - 1;
  }

  play(name: SoundName, pitch: number, volume: number): void {
    if (this.audio.state === "suspended") void this.audio.resume();
    const now = this.audio.currentTime;
    if (now - (this.last.get(name) ?? -1) < LEAST_GAP) return; // ticks of a kind share one voice
    this.ends = this.ends.filter((end) => end > now);
    if (this.ends.length >= MOST_VOICES && name !== "call" && name !== "win" && name !== "lose") return;
    this.last.set(name, now);
    this.out.gain.value = volume;
    this.ends.push(now + this.make(name, pitch, now));
  }

  /** Start a sound and say how long its voice is taken. */
  private make(name: SoundName, pitch: number, at: number): number {
    switch (name) {
      case "paper":
        return this.hiss({ at, loud: 0.32, long: 0.085 }, 2600 + pitch * 60, 0.9);
      case "riffle":
        for (let n = 0; n < 9; n++) this.hiss({ at: at + n * 0.045, loud: 0.22, long: 0.04 }, 3000 + n * 120, 1.4);
        return 0.3;
      case "flip":
        this.hiss({ at, loud: 0.28, long: 0.05 }, 3400, 1.2);
        return this.hiss({ at: at + 0.09, loud: 0.3, long: 0.07 }, 2200, 1);
      case "tear":
        return this.hiss({ at, loud: 0.5, long: 0.22 }, 4200, 0.5, 900);
      case "breath":
        return this.hiss({ at, loud: 0.18, long: 0.4 }, 900, 0.8, 500);
      case "whoosh":
        return this.hiss({ at, loud: 0.3, long: 0.24 }, 500, 1.2, 2600);
      case "wood":
        return this.tone({ at, loud: 0.4, long: 0.06 }, "triangle", 1500 + pitch * 70, 1300);
      case "click":
        return this.tone({ at, loud: 0.25, long: 0.035 }, "triangle", 2100, 1700);
      case "clap":
        this.tone({ at, loud: 0.6, long: 0.07 }, "triangle", 1250, 1100);
        return this.tone({ at: at + 0.16, loud: 0.6, long: 0.09 }, "triangle", 1250, 1050);
      case "low":
        return this.tone({ at, loud: 0.5, long: 0.16 }, "triangle", 240, 120);
      case "stone":
        this.hiss({ at, loud: 0.25, long: 0.04 }, 700, 2);
        return this.tone({ at, loud: 0.35, long: 0.07 }, "sine", 420, 300);
      case "thud":
        return this.tone({ at, loud: pitch < -5 ? 0.3 : 0.5, long: 0.09 }, "sine", Math.max(70, 170 + pitch * 6), 70);
      case "taiko":
        this.hiss({ at, loud: 0.25, long: 0.03 }, 500, 0.7);
        return this.tone({ at, loud: 1, long: 0.34 }, "sine", 95 + pitch * 4, 52);
      case "strike":
        this.hiss({ at, loud: 0.5, long: 0.05 }, 1600, 0.7);
        return this.tone({ at, loud: 0.9, long: 0.2 }, "sine", 150 + pitch * 9, 60);
      case "drum":
        return this.tone({ at, loud: 0.7, long: 0.16 }, "sine", 110 + pitch * 9, 70);
      case "shield":
        this.tone({ at, loud: 0.4, long: 0.1 }, "square", 190, 120);
        return this.metal({ at, loud: 0.1, long: 0.22 }, 620);
      case "metal":
        return this.metal({ at, loud: 0.3, long: 0.5 }, 880 + pitch * 40);
      case "glass":
        return this.metal({ at, loud: 0.09, long: 0.35 }, 2100);
      case "bell":
        return this.metal({ at, loud: 0.16, long: 0.7 }, 1320);
      case "gong":
        return this.metal({ at, loud: pitch < 0 ? 0.18 : 0.42, long: pitch < 0 ? 0.5 : 1.4 }, 196);
      case "pluck":
        return this.pluck({ at, loud: 0.7, long: 0.5 }, pitch);
      case "chord":
        for (const [n, step] of [0, 2, 4].entries()) this.pluck({ at: at + n * 0.04, loud: 0.5, long: 0.8 }, step);
        return 0.5;
      case "call":
        this.pluck({ at, loud: 0.8, long: 0.5 }, 5);
        return this.pluck({ at: at + 0.14, loud: 0.8, long: 0.7 }, 7);
      case "win":
        for (const [n, step] of [0, 2, 3, 5, 7, 10].entries()) this.pluck({ at: at + n * 0.11, loud: 0.7, long: 1.4 }, step);
        return this.metal({ at: at + 0.7, loud: 0.3, long: 1.8 }, 294);
      case "lose":
        this.tone({ at: at + 0.5, loud: 0.8, long: 0.7 }, "sine", 70, 40);
        return this.tone({ at, loud: 1, long: 0.6 }, "sine", 80, 44);
    }
  }

  private shape({ at, loud, long }: Voice): GainNode {
    const gain = this.audio.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.linearRampToValueAtTime(loud, at + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0005, at + long);
    gain.connect(this.out);
    return gain;
  }
  private hiss(voice: Voice, pitch: number, sharp: number, to = pitch): number {
    const source = this.audio.createBufferSource();
    source.buffer = this.noise;
    const filter = this.audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.Q.value = sharp;
    filter.frequency.setValueAtTime(pitch, voice.at);
    filter.frequency.linearRampToValueAtTime(to, voice.at + voice.long);
    source.connect(filter).connect(this.shape(voice));
    source.start(voice.at, Math.random() * 0.5, voice.long + 0.02);
    return voice.at + voice.long - this.audio.currentTime;
  }
  private tone(voice: Voice, type: OscillatorType, from: number, to: number): number {
    const tone = this.audio.createOscillator();
    tone.type = type;
    tone.frequency.setValueAtTime(from, voice.at);
    tone.frequency.exponentialRampToValueAtTime(Math.max(20, to), voice.at + voice.long);
    tone.connect(this.shape(voice));
    tone.start(voice.at);
    tone.stop(voice.at + voice.long + 0.02);
    return voice.at + voice.long - this.audio.currentTime;
  }
  /** Partials that do not fit together, the higher the shorter. */
  private metal(voice: Voice, base: number): number {
    for (const [n, part] of [1, 1.47, 2.09, 2.76].entries()) {
      this.tone({ at: voice.at, loud: voice.loud / (n + 1), long: voice.long / (1 + n * 0.4) }, "sine", base * part, base * part * 0.995);
    }
    return voice.long;
  }
  /** A plucked string (Karplus and Strong), made once for each pitch. */
  private pluck(voice: Voice, pitch: number): number {
    let buffer = this.strings.get(pitch);
    if (!buffer) {
      const rate = this.audio.sampleRate;
      const period = Math.round(rate / note(pitch));
      buffer = this.audio.createBuffer(1, Math.round(rate * 1.2), rate);
      const data = buffer.getChannelData(0);
      for (let n = 0; n < data.length; n++) {
        data[n] = n < period ? Math.random() * 2 - 1 : 0.498 * ((data[n - period] ?? 0) + (data[n - period - 1] ?? 0));
      }
      this.strings.set(pitch, buffer);
    }
    const source = this.audio.createBufferSource();
    source.buffer = buffer;
    source.connect(this.shape(voice));
    source.start(voice.at);
    source.stop(voice.at + voice.long + 0.02);
    return voice.at + voice.long - this.audio.currentTime;
  }
}
