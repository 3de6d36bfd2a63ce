// The set of sounds, drawn without audio hardware: loudness, variations, pitch, and that each can be told by ear.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { loudness } from "../src/sound/loudness";
import { pitchRate, render, renderingsOf, roomTone, SOUNDS } from "../src/sound/recipes";
import { RATE } from "../src/sound/wave";

const drawn = new Map(
  SOUNDS.map((name) => [name, Array.from({ length: renderingsOf(name) }, (_, turn) => render(name, turn))]),
);
const all = [...drawn.values()].flat();

/** Return features of a sound: share of energy in five octave bands, and its length until −30 dB. */
function features(data: Float32Array): number[] {
  const size = 2048;
  const bands = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at + size <= data.length + size; at += size) {
    for (let band = 0; band < bands.length; band++) {
      const centre = 110 * 2 ** (band * 1.25);
      let [re, im] = [0, 0];
      for (let n = 0; n < size && at + n < data.length; n++) {
        const angle = (2 * Math.PI * centre * n) / RATE;
        re += data[at + n]! * Math.cos(angle);
        im += data[at + n]! * Math.sin(angle);
      }
      bands[band]! += Math.hypot(re, im);
    }
  }
  const whole = bands.reduce((sum, one) => sum + one, 0);
  const peak = data.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const end = data.findLastIndex((one) => Math.abs(one) > peak * 0.03) / RATE;
  return [...bands.map((one) => one / whole), Math.log2(end + 0.02) / 4];
}

describe("the set of sounds", () => {
  it("measures loudness as BS.1770 does", () => {
    // a full-scale sine of 997 Hz in one channel has −3.01 LUFS
    const sine = Float32Array.from({ length: 2 * RATE }, (_, n) => Math.sin((2 * Math.PI * 997 * n) / RATE));
    expect(loudness(sine, RATE)).toBeCloseTo(-3.01, 1);
    expect(loudness(new Float32Array(RATE), RATE)).toBe(-Infinity);
  });

  it("has events within 6 LU of each other, and a room far below them", () => {
    const levels = all.map((data) => loudness(data, RATE));
    expect((Math.max(...levels) - Math.min(...levels)) / 2).toBeLessThanOrEqual(6);
    expect(loudness(roomTone(), RATE)).toBeLessThan(Math.min(...levels) - 6);
    for (const data of all) expect(data.every((one) => Math.abs(one) <= 1)).toBe(true);
  });

  it("varies: paper four to six times, and no rendering occurs twice", () => {
    expect(drawn.get("paper")!.length).toBeGreaterThanOrEqual(4);
    expect(drawn.get("paper")!.length).toBeLessThanOrEqual(6);
    const prints = new Set(all.map((data) => data.slice(0, 2000).join()));
    expect(prints.size).toBe(all.length);
  });

  it("rises with each attacker and each lost card", () => {
    for (const name of ["drum", "strike", "thud"] as const) {
      const rates = [0, 1, 2, 3, 7].map((n) => pitchRate(name, n));
      expect(rates).toEqual([...rates].sort((a, b) => a - b));
      expect(new Set(rates).size).toBe(rates.length);
    }
  });

  it("can be told by ear: zones, kinds of events and voices differ from each other", () => {
    const kinds = [
      "paper",
      "thud",
      "low",
      "stone",
      "drum",
      "pluck",
      "gong",
      "bell",
      "metal",
      "counter",
      "tear",
      "refuse",
    ];
    const voices = SOUNDS.filter((name) => name.startsWith("voice_"));
    expect(voices.length).toBe(8);
    for (const group of [kinds, voices]) {
      const found = group.map((name) => features(drawn.get(name as never)![0]!));
      for (const [n, one] of found.entries())
        for (const [k, other] of found.entries()) {
          if (k <= n) continue;
          const apart = Math.hypot(...one.map((value, band) => value - other[band]!));
          expect(apart, `${group[n]} and ${group[k]}`).toBeGreaterThan(0.06);
        }
    }
  });

  it("starts at once and is small", () => {
    for (const [name, list] of drawn) {
      if (/^(voice|breath|whoosh|drag)/.test(name)) continue; // these swell
      for (const data of list) {
        const peak = data.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
        expect(data.findIndex((one) => Math.abs(one) > peak * 0.1) / RATE, name).toBeLessThan(0.01);
      }
    }
    const folder = join(import.meta.dirname, "../src/sound");
    const source = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    expect(gzipSync(Buffer.concat(source)).length).toBeLessThan(250_000);
  });
});
