// The sounds of the game, all drawn by code. A zone has its material: the hand is paper, life is a wooden box, a bulwark
// is stone, soldiers are drums, the stage is a string, a trump is a gong. Every sound has several renderings, equally
// loud up to its place in the order: touch is quieter, what decides the game is louder.
import { loudness } from "./loudness";
import { randomSource, RATE, Wave } from "./wave";

/** loudness of an ordinary event, in LUFS */
export const LEVEL = -25;

interface Recipe {
  /** length in seconds */
  long: number;
  /** LU above the ordinary event */
  lift?: number;
  /** number of renderings */
  many?: number;
  /** semitones of one step of pitch, or "scale" for the five notes of the strings */
  step?: number | "scale";
  /** share of the room */
  wet?: number;
  draw: (wave: Wave, vary: number) => void;
}

const SCALE = [0, 2, 5, 7, 9]; // D E G A B
const D4 = 293.66;
/** Return the playback rate of a pitch. */
export function rateOf(pitch: number, step: number | "scale" = 0.5): number {
  if (step !== "scale") return 2 ** ((pitch * step) / 12);
  const octave = Math.floor(pitch / SCALE.length);
  return 2 ** (octave + (SCALE[((pitch % SCALE.length) + SCALE.length) % SCALE.length] ?? 0) / 12);
}
const noteOf = (pitch: number): number => D4 * rateOf(pitch, "scale");

/** Draw a sheet of paper: a rustle, its fibres, and the edge that lands. */
function paper(wave: Wave, at: number, long: number, loud: number, pitch: number): void {
  const centre = pitch * wave.vary(0.22);
  wave.hiss({ at, loud, long }, centre, 0.8, centre * wave.vary(0.3), 0.006);
  wave.crackle({ at, loud: loud * 0.9, long: long * 0.8 }, centre * 1.5, 4 + Math.floor(wave.chance() * 5));
  wave.hiss(
    { at: at + long * (0.62 + 0.2 * wave.chance()), loud: loud * 0.8, long: 0.018 },
    1500 * wave.vary(0.2),
    1.4,
  );
}
function knock(wave: Wave, at: number, loud: number, pitch: number): void {
  wave.hiss({ at, loud, long: 0.02 }, pitch, 0.9, pitch, 0.0006);
}
/** loudness, length, and the factors of the pitch between which a tone glides */
type Tone = readonly [loud: number, long: number, from: number, to: number];
/** Draw a struck body: its fundamental and one overtone. */
function body(wave: Wave, at: number, pitch: number, low: Tone, high: Tone): void {
  for (const [shape, [loud, long, from, to]] of [
    ["sine", low],
    ["triangle", high],
  ] as const)
    wave.tone({ at, loud, long }, shape, pitch * from, pitch * to);
}
interface Speech {
  pitch: number;
  vowels: readonly (readonly [number, number])[];
  /** syllables a second, and the change of pitch over the phrase */
  pace: number;
  fall: number;
  breath?: number;
}
const [A, I, U, E, O] = [
  [760, 1250],
  [300, 2250],
  [330, 1000],
  [470, 1900],
  [480, 850],
] as const;
/** Draw the voice of a mask: a few syllables without words. */
function voice({ pitch, vowels, pace, fall, breath = 0.12 }: Speech): Recipe {
  const long = vowels.length / pace + 0.25;
  return {
    long,
    many: 4,
    step: 1,
    wet: 0.5,
    draw: (wave) => {
      for (const [n, vowel] of vowels.entries()) {
        const here = pitch * (1 + (fall * n) / vowels.length) * wave.vary(0.05);
        wave.hum({ at: n / pace, loud: 0.5, long: 0.92 / pace }, here, here * wave.vary(0.08), vowel, breath);
      }
    },
  };
}

export const RECIPES = {
  // cards and zones
  paper: { long: 0.16, many: 6, step: 0.7, draw: (w) => paper(w, 0, 0.11 * w.vary(0.25), 0.5, 3100) },
  riffle: {
    long: 0.6,
    many: 4,
    draw: (w) => {
      for (let n = 0; n < 11; n++) paper(w, n * 0.038 * w.vary(0.05), 0.045, 0.34, 3000 + n * 110);
    },
  },
  flip: {
    long: 0.26,
    many: 4,
    draw: (w) => {
      paper(w, 0, 0.07, 0.36, 3600);
      paper(w, 0.085 * w.vary(0.1), 0.09, 0.5, 2300);
    },
  },
  tear: {
    long: 0.45,
    lift: 2,
    many: 4,
    wet: 0.4,
    draw: (w) => {
      w.crackle({ at: 0, loud: 0.8, long: 0.3 }, 4300, 46);
      w.hiss({ at: 0, loud: 0.6, long: 0.3 }, 4400 * w.vary(0.1), 0.5, 1100);
    },
  },
  wood: {
    long: 0.28,
    many: 4,
    step: 0.7,
    wet: 0.4,
    draw: (w) => {
      knock(w, 0, 0.5, 2100);
      body(w, 0, 640 * w.vary(0.06), [0.5, 0.12, 1, 0.8], [0.4, 0.07, 2.42, 2.1]);
    },
  },
  stone: {
    long: 0.3,
    many: 4,
    wet: 0.3,
    draw: (w) => {
      knock(w, 0, 0.7, 1700 * w.vary(0.1));
      w.hiss({ at: 0.004, loud: 0.6, long: 0.09 }, 620 * w.vary(0.1), 1.6);
      w.crackle({ at: 0.02, loud: 0.3, long: 0.12 }, 2100, 9);
      w.tone({ at: 0, loud: 0.4, long: 0.1 }, "sine", 400, 290);
    },
  },
  click: {
    long: 0.12,
    many: 4,
    draw: (w) => {
      knock(w, 0, 0.5, 2700 * w.vary(0.08));
      w.tone({ at: 0, loud: 0.4, long: 0.04 }, "triangle", 2050 * w.vary(0.05), 1700);
    },
  },
  /** a card leaves life: the lid of a wooden box */
  thud: {
    long: 0.3,
    many: 5,
    step: 0.8,
    wet: 0.3,
    draw: (w) => {
      knock(w, 0, 0.5, 1500 * w.vary(0.1));
      w.hiss({ at: 0, loud: 0.4, long: 0.08 }, 900, 1);
      body(w, 0, 215 * w.vary(0.05), [0.6, 0.14, 1, 0.6], [0.3, 0.06, 3.4, 2.6]);
    },
  },
  low: {
    long: 0.4,
    many: 4,
    wet: 0.4,
    draw: (w) => {
      knock(w, 0, 0.3, 1200);
      w.tone({ at: 0, loud: 0.5, long: 0.24 }, "triangle", 300 * w.vary(0.05), 120);
      w.hiss({ at: 0.03, loud: 0.3, long: 0.2 }, 500, 0.8, 240);
    },
  },
  // the stage
  pluck: { long: 0.7, many: 4, step: "scale", wet: 0.5, draw: (w) => w.pluck({ at: 0, loud: 0.8, long: 0.62 }, D4) },
  chord: {
    long: 1,
    many: 4,
    step: "scale",
    wet: 0.5,
    draw: (w) => {
      for (const [n, step] of [0, 2, 4].entries())
        w.pluck({ at: n * 0.045 * w.vary(0.2), loud: 0.6, long: 0.8 }, noteOf(step));
    },
  },
  bell: {
    long: 0.9,
    many: 4,
    step: "scale",
    wet: 0.4,
    draw: (w) => {
      knock(w, 0, 0.15, 2400);
      w.metal({ at: 0, loud: 0.4, long: 0.8 }, 1320 * w.vary(0.004));
    },
  },
  glass: { long: 0.5, many: 4, draw: (w) => w.metal({ at: 0, loud: 0.4, long: 0.42 }, 2100 * w.vary(0.02)) },
  breath: { long: 0.5, many: 4, draw: (w) => w.hiss({ at: 0, loud: 0.5, long: 0.45 }, 900, 0.8, 480, 0.12) },
  whoosh: { long: 0.34, many: 4, draw: (w) => w.hiss({ at: 0, loud: 0.6, long: 0.28 }, 480, 1.2, 2600, 0.09) },
  gong: {
    long: 1.7,
    lift: 3,
    many: 3,
    step: 0.7,
    wet: 0.5,
    draw: (w) => {
      knock(w, 0, 0.3, 900);
      w.metal({ at: 0, loud: 0.6, long: 1.6 }, 196 * w.vary(0.01), [1, 1.52, 2.03, 2.61, 3.37, 4.2]);
    },
  },
  // combat
  drum: {
    long: 0.36,
    lift: 1,
    many: 4,
    step: 1,
    wet: 0.4,
    draw: (w) => {
      knock(w, 0, 0.6, 1450);
      const f = 128 * w.vary(0.05);
      w.tone({ at: 0, loud: 0.5, long: 0.16 }, "triangle", f * 4.6, f * 3.8);
      w.tone({ at: 0, loud: 0.7, long: 0.24 }, "sine", f, f * 0.6);
    },
  },
  taiko: {
    long: 0.6,
    lift: 4,
    many: 4,
    step: 0.7,
    wet: 0.5,
    draw: (w) => {
      knock(w, 0, 0.8, 1250);
      w.hiss({ at: 0, loud: 0.5, long: 0.16 }, 860 * w.vary(0.1), 0.8);
      const f = 98 * w.vary(0.04);
      w.tone({ at: 0, loud: 0.5, long: 0.2 }, "triangle", f * 6.2, f * 4.8);
      w.tone({ at: 0, loud: 1, long: 0.46 }, "sine", f, f * 0.55);
    },
  },
  strike: {
    long: 0.5,
    lift: 4,
    many: 5,
    step: 1,
    wet: 0.4,
    draw: (w) => {
      knock(w, 0, 1, 1700 * w.vary(0.1));
      w.hiss({ at: 0, loud: 0.8, long: 0.13 }, 1400, 0.7, 560);
      w.metal({ at: 0, loud: 0.16, long: 0.32 }, 1150 * w.vary(0.05));
      w.tone({ at: 0, loud: 0.8, long: 0.22 }, "sine", 168, 60);
    },
  },
  shield: {
    long: 0.42,
    lift: 1,
    many: 4,
    wet: 0.4,
    draw: (w) => {
      knock(w, 0, 0.6, 1500);
      w.tone({ at: 0, loud: 0.4, long: 0.12 }, "square", 210 * w.vary(0.05), 130);
      w.metal({ at: 0, loud: 0.3, long: 0.34 }, 640 * w.vary(0.03));
    },
  },
  metal: {
    long: 0.7,
    lift: 1,
    many: 4,
    step: 0.7,
    wet: 0.4,
    draw: (w) => {
      knock(w, 0, 0.5, 2800);
      w.metal({ at: 0, loud: 0.5, long: 0.6 }, 880 * w.vary(0.04));
    },
  },
  clap: {
    long: 0.5,
    lift: 2,
    many: 4,
    wet: 0.5,
    draw: (w) => {
      for (const at of [0, 0.16 * w.vary(0.06)]) {
        knock(w, at, 0.8, 1900);
        w.tone({ at, loud: 0.7, long: 0.09 }, "triangle", 1240 * w.vary(0.03), 1080);
      }
    },
  },
  /** a request is cut in two; the table is silent before it */
  counter: {
    long: 0.9,
    lift: 4,
    many: 3,
    wet: 0.5,
    draw: (w) => {
      w.hiss({ at: 0, loud: 0.9, long: 0.09 }, 5200, 0.7, 1500, 0.001);
      w.metal({ at: 0.012, loud: 0.5, long: 0.7 }, 1560 * w.vary(0.02), [1, 1.34, 2.41, 3.3]);
      w.tone({ at: 0.012, loud: 0.8, long: 0.3 }, "sine", 120, 48);
    },
  },
  // motifs
  joker: {
    long: 1.1,
    lift: 3,
    many: 2,
    wet: 0.6,
    draw: (w) => {
      for (const [n, f] of [587.3, 830.6, 622.3, 1174.7].entries())
        w.metal({ at: n * 0.11, loud: 0.4, long: 0.6 }, f, [1, 2.76, 5.4]);
      w.hiss({ at: 0.33, loud: 0.3, long: 0.5 }, 5200, 2, 1800, 0.02);
    },
  },
  lethal: {
    long: 1.3,
    lift: 4,
    many: 2,
    wet: 0.5,
    draw: (w) => {
      for (const [at, f] of [
        [0, 73.4],
        [0.34, 77.8],
      ] as const) {
        knock(w, at, 0.5, 1100);
        body(w, at, f, [1, 0.6, 1, 0.94], [0.4, 0.5, 4, 3.9]);
      }
      w.pluck({ at: 0.34, loud: 0.4, long: 0.9 }, noteOf(-5), 0.3);
    },
  },
  call: {
    long: 1,
    lift: 2,
    many: 2,
    wet: 0.4,
    draw: (w) => {
      w.pluck({ at: 0, loud: 0.8, long: 0.5 }, noteOf(5));
      w.pluck({ at: 0.14, loud: 0.8, long: 0.75 }, noteOf(7));
    },
  },
  win: {
    long: 2.8,
    lift: 5,
    many: 2,
    wet: 0.5,
    draw: (w) => {
      for (const [n, step] of [0, 2, 3, 5, 7, 10].entries())
        w.pluck({ at: n * 0.11, loud: 0.7, long: 1.4 }, noteOf(step));
      w.metal({ at: 0.7, loud: 0.3, long: 1.8 }, D4);
    },
  },
  lose: {
    long: 1.4,
    lift: 4,
    many: 2,
    wet: 0.5,
    draw: (w) => {
      knock(w, 0, 0.5, 1100);
      w.tone({ at: 0, loud: 0.5, long: 0.5 }, "triangle", 620, 430);
      w.tone({ at: 0, loud: 0.8, long: 0.7 }, "sine", 88, 44);
      w.tone({ at: 0.5, loud: 0.9, long: 0.8 }, "sine", 76, 40);
      w.pluck({ at: 0.5, loud: 0.4, long: 0.8 }, noteOf(-6), 0.3);
    },
  },
  // touch
  lift: { long: 0.09, lift: -4, many: 6, draw: (w) => paper(w, 0, 0.06, 0.5, 3800) },
  drag: {
    long: 0.11,
    lift: -6,
    many: 5,
    draw: (w) => w.hiss({ at: 0, loud: 0.5, long: 0.1 }, 2600 * w.vary(0.2), 0.9, 3400, 0.02),
  },
  snap: {
    long: 0.14,
    lift: -2,
    many: 5,
    draw: (w) => {
      paper(w, 0, 0.04, 0.4, 2600);
      knock(w, 0.006, 0.7, 1500 * w.vary(0.1));
      w.tone({ at: 0.006, loud: 0.5, long: 0.06 }, "sine", 420 * w.vary(0.06), 260);
    },
  },
  confirm: {
    long: 0.4,
    lift: -2,
    many: 4,
    wet: 0.3,
    draw: (w) => {
      knock(w, 0, 0.4, 2300);
      w.pluck({ at: 0, loud: 0.7, long: 0.3 }, noteOf(5));
      w.tone({ at: 0, loud: 0.4, long: 0.08 }, "sine", 520 * w.vary(0.02), 500);
    },
  },
  refuse: {
    long: 0.26,
    lift: -2,
    many: 4,
    draw: (w) => {
      for (const at of [0, 0.09]) {
        knock(w, at, 0.3, 900);
        w.tone({ at, loud: 0.6, long: 0.08 }, "triangle", 196 * w.vary(0.03), 150);
      }
    },
  },
  solved: {
    long: 1.4,
    lift: 3,
    many: 2,
    wet: 0.5,
    draw: (w) => {
      for (const [n, step] of [2, 5, 7, 9].entries()) w.pluck({ at: n * 0.09, loud: 0.7, long: 0.9 }, noteOf(step));
      w.metal({ at: 0.36, loud: 0.2, long: 0.9 }, noteOf(12));
    },
  },
  learned: {
    long: 1.1,
    lift: 2,
    many: 2,
    wet: 0.5,
    draw: (w) => {
      for (const [n, step] of [0, 4, 5].entries()) w.pluck({ at: n * 0.13, loud: 0.7, long: 0.8 }, noteOf(step));
    },
  },
  // voices of the masks
  voice_tanuki: voice({ pitch: 220, vowels: [O, O, A], pace: 6, fall: 0.2 }),
  voice_fox: voice({ pitch: 420, vowels: [I, A, I, I], pace: 9, fall: 0.3 }),
  voice_jester: voice({ pitch: 260, vowels: [O, I, A, O, E], pace: 8, fall: -0.15, breath: 0.2 }),
  voice_soldier: voice({ pitch: 150, vowels: [A, O], pace: 4.5, fall: -0.2 }),
  voice_hannya: voice({ pitch: 105, vowels: [U, A, E], pace: 3.6, fall: -0.25, breath: 0.5 }),
  voice_elder: voice({ pitch: 125, vowels: [O, U, O, O], pace: 3.4, fall: -0.1, breath: 0.3 }),
  voice_sun: voice({ pitch: 310, vowels: [A, E, O], pace: 2.6, fall: 0.05, breath: 0.04 }),
  voice_puppet: voice({ pitch: 190, vowels: [E, E, E, E], pace: 11, fall: 0, breath: 0 }),
} satisfies Record<string, Recipe>;

export type SoundName = keyof typeof RECIPES;
export const SOUNDS = Object.keys(RECIPES) as SoundName[];
const recipeOf = (name: SoundName): Recipe => RECIPES[name];

export const renderingsOf = (name: SoundName): number => recipeOf(name).many ?? 1;
export const pitchRate = (name: SoundName, pitch: number): number => rateOf(pitch, recipeOf(name).step);
export const levelOf = (name: SoundName): number => LEVEL + (recipeOf(name).lift ?? 0);

/** Return one rendering of a sound, as loud as its recipe wants it. */
export function render(name: SoundName, turn: number): Float32Array<ArrayBuffer> {
  const { long, draw, wet = 0.15 } = recipeOf(name);
  const wave = new Wave(long, randomSource(1 + SOUNDS.indexOf(name) * 64 + turn));
  draw(wave, turn);
  wave.room(wet);
  fit(wave.data, levelOf(name));
  return wave.data;
}

/** Scale the samples to a loudness, and bend the few peaks above it. */
function fit(data: Float32Array, level: number): void {
  for (let pass = 0; pass < 3; pass++) {
    const gain = 10 ** ((level - loudness(data, RATE)) / 20);
    for (let n = 0; n < data.length; n++) {
      const sample = data[n]! * gain;
      data[n] =
        Math.abs(sample) < 0.8 ? sample : Math.sign(sample) * (0.8 + 0.19 * Math.tanh((Math.abs(sample) - 0.8) / 0.19));
    }
  }
}

/** Return the tone of the room: a loop of wind behind paper walls, and now and then a beam. */
export function roomTone(seconds = 8): Float32Array<ArrayBuffer> {
  const wave = new Wave(seconds, randomSource(7));
  const turns = 5;
  for (let n = 0; n < turns; n++)
    wave.hiss(
      { at: (n * seconds) / turns, loud: 0.5, long: (seconds / turns) * 1.9 },
      300 * wave.vary(0.2),
      0.6,
      420,
      seconds / turns,
    );
  wave.crackle({ at: 0.6, loud: 0.08, long: seconds - 1 }, 1500, 5);
  const fade = Math.round(RATE * 0.5);
  const { data } = wave;
  for (let n = 0; n < fade; n++) {
    data[n]! *= n / fade; // the loop closes in silence
    data[data.length - 1 - n]! *= n / fade;
  }
  fit(data, LEVEL - 18);
  return data;
}
