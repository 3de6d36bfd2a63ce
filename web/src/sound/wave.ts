// Drawing of a short sound, sample by sample: noise through a band, tones, struck metal, plucked strings, a small room.
// It needs no audio hardware, so the page and the loudness table (web/sounds.mjs) make identical samples.

export const RATE = 32_000;

export interface Voice {
  /** start and length in seconds, and amplitude */
  at: number;
  loud: number;
  long: number;
}

/** Return a reproducible source of numbers from 0 to 1. */
export function randomSource(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296;
  };
}

export class Wave {
  readonly data: Float32Array<ArrayBuffer>;

  constructor(
    seconds: number,
    readonly chance: () => number,
  ) {
    this.data = new Float32Array(Math.ceil(seconds * RATE));
  }

  /** Return a factor around 1, for a variation. */
  vary(by: number): number {
    return 1 + (this.chance() * 2 - 1) * by;
  }

  private each({ at, long }: Voice, sample: (n: number, t: number) => number): void {
    const start = Math.round(at * RATE);
    const many = Math.min(Math.round(long * RATE), this.data.length - start);
    for (let n = 0; n < many; n++) this.data[start + n]! += sample(n, n / RATE);
  }

  /** Add noise in a band around `from`, gliding to `to`; the higher `sharp`, the narrower. */
  hiss(voice: Voice, from: number, sharp: number, to = from, attack = 0.002): void {
    const { loud, long } = voice;
    let [low, band] = [0, 0];
    this.each(voice, (_, t) => {
      const g = Math.tan((Math.PI * Math.min(from + ((to - from) * t) / long, RATE * 0.42)) / RATE);
      const k = 1 / sharp;
      const input = this.chance() * 2 - 1;
      const high = (input - low - (g + k) * band) / (1 + g * (g + k));
      const out = band + g * high;
      low += 2 * g * out;
      band = out + g * high;
      return out * k * 3 * loud * envelope(t, long, attack);
    });
  }

  /** Add single fibres giving way: short clicks, dense in the middle. */
  crackle(voice: Voice, pitch: number, many: number): void {
    for (let n = 0; n < many; n++) {
      const t = (this.chance() + this.chance()) / 2;
      const size = 0.3 + 0.7 * this.chance();
      this.hiss(
        { at: voice.at + t * voice.long, loud: voice.loud * size, long: 0.004 + 0.008 * this.chance() },
        pitch * this.vary(0.4),
        1.6,
        pitch,
        0.0004,
      );
    }
  }

  tone(voice: Voice, shape: "sine" | "triangle" | "square", from: number, to = from, attack = 0.002): void {
    const { loud, long } = voice;
    let phase = 0;
    this.each(voice, (_, t) => {
      phase += (from * (to / from) ** (t / long)) / RATE;
      const p = phase % 1;
      const sample =
        shape === "sine"
          ? Math.sin(p * 2 * Math.PI)
          : shape === "triangle"
            ? 4 * Math.abs(p - 0.5) - 1
            : p < 0.5
              ? 0.7
              : -0.7;
      return sample * loud * envelope(t, long, attack);
    });
  }

  /** Add inharmonic partials, the higher the shorter. */
  metal({ at, loud, long }: Voice, base: number, parts: readonly number[] = [1, 1.47, 2.09, 2.76, 3.9]): void {
    for (const [n, part] of parts.entries())
      this.tone({ at, loud: loud / (n + 1), long: long / (1 + n * 0.4) }, "sine", base * part, base * part * 0.996);
  }

  /** Add a plucked string (Karplus-Strong). */
  pluck(voice: Voice, pitch: number, bright = 0.5): void {
    const period = Math.max(2, Math.round(RATE / pitch));
    const string = Float32Array.from({ length: period }, () => this.chance() * 2 - 1);
    let at = 0;
    let last = 0;
    this.each(voice, (_, t) => {
      const out = string[at]!;
      last = last * (1 - bright) + out * bright;
      string[at] = 0.497 * (out + string[(at + 1) % period]!);
      at = (at + 1) % period;
      return last * voice.loud * Math.min(1, (voice.long - t) / 0.04);
    });
  }

  /** Add a vowel: a buzz through two bands, as a mask hums a syllable. */
  hum(voice: Voice, pitch: number, to: number, vowel: readonly [number, number], breath = 0.1): void {
    const { loud, long } = voice;
    const bands = vowel.map((centre) => ({ g: Math.tan((Math.PI * centre) / RATE), low: 0, band: 0 }));
    let phase = 0;
    this.each(voice, (_, t) => {
      const glide = pitch + ((to - pitch) * t) / long;
      phase += (glide * (1 + 0.012 * Math.sin(t * 34))) / RATE;
      const input = 1 - 2 * (phase % 1) + breath * (this.chance() * 2 - 1);
      let out = 0;
      for (const [n, one] of bands.entries()) {
        const k = 0.14;
        const high = (input - one.low - (one.g + k) * one.band) / (1 + one.g * (one.g + k));
        const band = one.band + one.g * high;
        one.low += 2 * one.g * band;
        one.band = band + one.g * high;
        out += band * (n ? 0.5 : 1);
      }
      return out * loud * Math.sin(Math.PI * Math.min(1, t / long)) ** 0.6;
    });
  }

  /** Add the reflections of a small wooden room. */
  room(wet: number): void {
    const dry = this.data.slice();
    for (const [delay, back] of [
      [0.0113, 0.62],
      [0.0171, 0.55],
      [0.0237, 0.48],
      [0.0311, 0.4],
    ] as const) {
      const far = Math.round(delay * RATE);
      const line = new Float32Array(this.data.length);
      let dull = 0;
      for (let n = far; n < line.length; n++) {
        dull = dull * 0.45 + line[n - far]! * 0.55;
        line[n] = dry[n - far]! + dull * back;
        this.data[n]! += line[n]! * wet * 0.3;
      }
    }
  }
}

/** Rise within the attack, then fall to silence. */
function envelope(t: number, long: number, attack: number): number {
  if (t < attack) return t / attack;
  const rest = (t - attack) / Math.max(1e-6, long - attack);
  return Math.exp(-5.2 * rest) * (1 - rest);
}
