// The instruments, all synthesised. A sound has layers: an attack between 1 and 3 kHz, audible on a phone's speaker, a
// body below it, and a short reverb. Each has three variations in turn.
import type { SoundName } from "./sound";

const SCALE = [0, 2, 5, 7, 9]; // D E G A B
const MOST_VOICES = 6;
const LEAST_GAP = 0.028;
const VARIATIONS = [1, 0.962, 1.043];
const ROOM = 0.34; // decay in seconds

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
  private readonly out: GainNode;
  private readonly room: ConvolverNode;
  private readonly noise: AudioBuffer;
  private readonly strings = new Map<number, AudioBuffer>();
  private ends: number[] = [];
  private last = new Map<SoundName, number>();
  private turns = new Map<SoundName, number>();
  private wind: GainNode | null = null;
  /** target of the sound being made, and its variation */
  private to: AudioNode;
  private varied = 1;

  /** `chance`: source of white noise */
  constructor(
    private readonly audio: BaseAudioContext,
    private readonly chance: () => number = Math.random,
  ) {
    this.out = audio.createGain();
    const press = audio.createDynamicsCompressor();
    this.out.connect(press).connect(audio.destination);
    this.noise = this.buffer(1, () => this.chance() * 2 - 1);
    this.room = audio.createConvolver();
    this.room.buffer = this.buffer(ROOM, (n, rate) => (this.chance() * 2 - 1) * (1 - n / (ROOM * rate)) ** 3);
    const wet = audio.createGain();
    wet.gain.value = 0.2;
    this.room.connect(wet).connect(this.out);
    this.to = this.out;
  }

  play(name: SoundName, pitch: number, volume: number, pan = 0): void {
    const now = this.audio.currentTime;
    if (now - (this.last.get(name) ?? -1) < LEAST_GAP) return; // repeated ticks share one voice
    this.ends = this.ends.filter((end) => end > now);
    if (this.ends.length >= MOST_VOICES && name !== "call" && name !== "win" && name !== "lose") return;
    this.last.set(name, now);
    this.out.gain.value = volume;
    const turn = this.turns.get(name) ?? 0;
    this.turns.set(name, turn + 1);
    this.varied = VARIATIONS[turn % VARIATIONS.length] ?? 1;
    const side = this.audio.createStereoPanner();
    side.pan.value = pan;
    side.connect(this.out);
    side.connect(this.room);
    this.to = side;
    this.ends.push(now + this.sounds[name](now, pitch));
  }

  /** Play the ambience: very quiet wind, rising and falling. */
  bed(volume: number): void {
    if (!this.wind) {
      if (!volume) return;
      const source = this.audio.createBufferSource();
      source.buffer = this.noise;
      source.loop = true;
      const filter = this.audio.createBiquadFilter();
      filter.type = "bandpass";
      filter.frequency.value = 320;
      filter.Q.value = 0.6;
      const swell = this.audio.createOscillator();
      const depth = this.audio.createGain();
      swell.frequency.value = 0.07;
      depth.gain.value = 140;
      swell.connect(depth).connect(filter.frequency);
      this.wind = this.audio.createGain();
      source.connect(filter).connect(this.wind).connect(this.audio.destination);
      source.start();
      swell.start();
    }
    this.wind.gain.setTargetAtTime(volume * 0.05, this.audio.currentTime, 0.8);
  }

  /** Each starts a sound and returns the time its voice is used. */
  private readonly sounds: Record<SoundName, (at: number, pitch: number) => number> = {
    paper: (at, pitch) => {
      this.strike(at, 0.1, 2900);
      return this.hiss({ at, loud: 0.34, long: 0.085 }, 2600 + pitch * 60, 0.9);
    },
    riffle: (at) => {
      for (let n = 0; n < 9; n++) this.hiss({ at: at + n * 0.045, loud: 0.24, long: 0.04 }, 3000 + n * 120, 1.4);
      return 0.3;
    },
    flip: (at) => {
      this.hiss({ at, loud: 0.3, long: 0.05 }, 3400, 1.2);
      return this.hiss({ at: at + 0.09, loud: 0.34, long: 0.07 }, 2200, 1);
    },
    tear: (at) => {
      this.strike(at, 0.3, 2600);
      return this.hiss({ at, loud: 0.55, long: 0.24 }, 4200, 0.5, 900);
    },
    breath: (at) => this.hiss({ at, loud: 0.26, long: 0.4 }, 900, 0.8, 500),
    whoosh: (at) => this.hiss({ at, loud: 0.4, long: 0.24 }, 500, 1.2, 2600),
    wood: (at, pitch) => {
      this.strike(at, 0.18, 2100);
      this.tone({ at, loud: 0.14, long: 0.09 }, "sine", 620, 480);
      return this.tone({ at, loud: 0.36, long: 0.06 }, "triangle", 1500 + pitch * 70, 1300);
    },
    click: (at) => {
      this.strike(at, 0.14, 2700);
      return this.tone({ at, loud: 0.26, long: 0.035 }, "triangle", 2100, 1700);
    },
    clap: (at) => {
      this.strike(at, 0.3, 1900);
      this.strike(at + 0.16, 0.34, 1900);
      this.tone({ at, loud: 0.5, long: 0.07 }, "triangle", 1250, 1100);
      return this.tone({ at: at + 0.16, loud: 0.5, long: 0.09 }, "triangle", 1250, 1050);
    },
    low: (at) => {
      this.strike(at, 0.22, 1300);
      this.tone({ at, loud: 0.26, long: 0.12 }, "triangle", 560, 300);
      return this.tone({ at, loud: 0.4, long: 0.18 }, "triangle", 240, 120);
    },
    stone: (at) => {
      this.strike(at, 0.3, 1700);
      this.hiss({ at, loud: 0.3, long: 0.05 }, 900, 2);
      return this.tone({ at, loud: 0.3, long: 0.08 }, "sine", 420, 300);
    },
    thud: (at, pitch) => {
      const quiet = pitch < -5 ? 0.7 : 1;
      this.strike(at, 0.34 * quiet, 1500 + pitch * 12);
      this.hiss({ at, loud: 0.3 * quiet, long: 0.07 }, 950, 1);
      this.tone({ at, loud: 0.2 * quiet, long: 0.05 }, "triangle", 760, 540);
      return this.tone({ at, loud: 0.2 * quiet, long: 0.08 }, "sine", Math.max(90, 210 + pitch * 5), 80);
    },
    taiko: (at, pitch) => {
      this.strike(at, 0.7, 1250);
      this.hiss({ at, loud: 0.7, long: 0.14 }, 860, 0.8);
      this.tone({ at, loud: 0.7, long: 0.2 }, "triangle", 620 + pitch * 8, 480);
      return this.tone({ at, loud: 0.36, long: 0.32 }, "sine", 98 + pitch * 4, 52);
    },
    strike: (at, pitch) => {
      this.strike(at, 0.8, 1700);
      this.hiss({ at, loud: 0.5, long: 0.09 }, 1300, 0.7, 600);
      this.metal({ at, loud: 0.08, long: 0.25 }, 1150);
      this.tone({ at, loud: 0.4, long: 0.1 }, "triangle", 900, 520);
      return this.tone({ at, loud: 0.4, long: 0.18 }, "sine", 160 + pitch * 9, 60);
    },
    drum: (at, pitch) => {
      this.strike(at, 0.45, 1450);
      this.hiss({ at, loud: 0.32, long: 0.07 }, 820, 1);
      this.tone({ at, loud: 0.4, long: 0.13 }, "triangle", 640 + pitch * 14, 500);
      return this.tone({ at, loud: 0.3, long: 0.16 }, "sine", 118 + pitch * 9, 70);
    },
    shield: (at) => {
      this.strike(at, 0.4, 1500);
      this.tone({ at, loud: 0.26, long: 0.1 }, "square", 210, 130);
      return this.metal({ at, loud: 0.14, long: 0.24 }, 640);
    },
    metal: (at, pitch) => {
      this.strike(at, 0.4, 2800);
      return this.metal({ at, loud: 0.32, long: 0.5 }, 880 + pitch * 40);
    },
    glass: (at) => this.metal({ at, loud: 0.14, long: 0.35 }, 2100),
    bell: (at, pitch) => {
      this.strike(at, 0.08, 2400);
      return this.metal({ at, loud: 0.2, long: 0.7 }, 1320 + pitch * 90);
    },
    gong: (at, pitch) => {
      this.strike(at, pitch < 0 ? 0.12 : 0.3, 1100);
      this.metal({ at, loud: pitch < 0 ? 0.06 : 0.14, long: 0.9 }, 620);
      return this.metal({ at, loud: pitch < 0 ? 0.18 : 0.4, long: pitch < 0 ? 0.5 : 1.4 }, 196);
    },
    pluck: (at, pitch) => this.pluck({ at, loud: 0.7, long: 0.5 }, pitch),
    chord: (at) => {
      for (const [n, step] of [0, 2, 4].entries()) this.pluck({ at: at + n * 0.04, loud: 0.5, long: 0.8 }, step);
      return 0.5;
    },
    call: (at) => {
      this.pluck({ at, loud: 0.8, long: 0.5 }, 5);
      return this.pluck({ at: at + 0.14, loud: 0.8, long: 0.7 }, 7);
    },
    win: (at) => {
      for (const [n, step] of [0, 2, 3, 5, 7, 10].entries())
        this.pluck({ at: at + n * 0.11, loud: 0.7, long: 1.4 }, step);
      return this.metal({ at: at + 0.7, loud: 0.3, long: 1.8 }, 294);
    },
    lose: (at) => {
      this.strike(at, 0.4, 1100);
      this.tone({ at, loud: 0.45, long: 0.5 }, "triangle", 620, 440);
      this.tone({ at: at + 0.5, loud: 0.7, long: 0.7 }, "sine", 74, 40);
      return this.tone({ at, loud: 0.55, long: 0.6 }, "sine", 86, 44);
    },
  };

  private buffer(seconds: number, value: (n: number, rate: number) => number): AudioBuffer {
    const rate = this.audio.sampleRate;
    const made = this.audio.createBuffer(1, Math.round(rate * seconds), rate);
    const data = made.getChannelData(0);
    for (let n = 0; n < data.length; n++) data[n] = value(n, rate);
    return made;
  }
  private shape({ at, loud, long }: Voice): GainNode {
    const gain = this.audio.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.linearRampToValueAtTime(loud, at + 0.003);
    gain.gain.exponentialRampToValueAtTime(0.0005, at + long);
    gain.connect(this.to);
    return gain;
  }
  /** Play an attack: a short noise in the range of every speaker. */
  private strike(at: number, loud: number, pitch: number): void {
    this.hiss({ at, loud, long: 0.022 }, pitch, 0.9);
  }
  private hiss(voice: Voice, pitch: number, sharp: number, to = pitch): number {
    const source = this.audio.createBufferSource();
    source.buffer = this.noise;
    const filter = this.audio.createBiquadFilter();
    filter.type = "bandpass";
    filter.Q.value = sharp;
    filter.frequency.setValueAtTime(pitch * this.varied, voice.at);
    filter.frequency.linearRampToValueAtTime(to * this.varied, voice.at + voice.long);
    source.connect(filter).connect(this.shape({ ...voice, loud: voice.loud * 3.4 })); // a band is a part of the noise
    source.start(voice.at, this.chance() * 0.5, voice.long + 0.02);
    return voice.at + voice.long - this.audio.currentTime;
  }
  private tone(voice: Voice, type: OscillatorType, from: number, to: number): number {
    const tone = this.audio.createOscillator();
    tone.type = type;
    tone.frequency.setValueAtTime(from * this.varied, voice.at);
    tone.frequency.exponentialRampToValueAtTime(Math.max(20, to * this.varied), voice.at + voice.long);
    tone.connect(this.shape(voice));
    tone.start(voice.at);
    tone.stop(voice.at + voice.long + 0.02);
    return voice.at + voice.long - this.audio.currentTime;
  }
  /** Play inharmonic partials, the higher the shorter. */
  private metal(voice: Voice, base: number): number {
    for (const [n, part] of [1, 1.47, 2.09, 2.76].entries()) {
      this.tone(
        { at: voice.at, loud: voice.loud / (n + 1), long: voice.long / (1 + n * 0.4) },
        "sine",
        base * part,
        base * part * 0.995,
      );
    }
    return voice.long;
  }
  /** Play a plucked string (Karplus-Strong), made once per pitch. */
  private pluck(voice: Voice, pitch: number): number {
    let buffer = this.strings.get(pitch);
    if (!buffer) {
      const rate = this.audio.sampleRate;
      const period = Math.round(rate / note(pitch));
      buffer = this.audio.createBuffer(1, Math.round(rate * 1.2), rate);
      const data = buffer.getChannelData(0);
      for (let n = 0; n < data.length; n++) {
        data[n] = n < period ? this.chance() * 2 - 1 : 0.498 * ((data[n - period] ?? 0) + (data[n - period - 1] ?? 0));
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
