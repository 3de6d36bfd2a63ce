// SHA-256 in JavaScript: the browser's own is missing on pages over plain http, as in a home network.

const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

const ROOTS = primes(64);
const CONSTANTS = ROOTS.map((prime) => fraction(Math.cbrt(prime)));
const BEGIN = ROOTS.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const hex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text: string): Uint8Array =>
  new Uint8Array((text.match(/../g) ?? []).map((pair) => parseInt(pair, 16)));

export function sha256(data: Uint8Array): Uint8Array {
  const size = ((data.length + 72) >> 6) << 6;
  const bytes = new Uint8Array(size);
  bytes.set(data);
  bytes[data.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(size - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(size - 4, (data.length << 3) >>> 0);
  const state = [...BEGIN];
  const w = new Int32Array(64);
  const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
  for (let start = 0; start < size; start += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(start + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15]!;
      const b = w[i - 2]!;
      const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
      const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
      w[i] = (w[i - 16]! + low + w[i - 7]! + high) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + CONSTANTS[i]! + w[i]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i]! + value) | 0));
  }
  const out = new Uint8Array(32);
  const written = new DataView(out.buffer);
  state.forEach((value, i) => written.setInt32(4 * i, value));
  return out;
}

/** Return the hash of several texts, unambiguous about their boundaries. */
export function digest(...parts: string[]): Uint8Array {
  const pieces = parts.map(utf8).map((part) => [utf8(`${part.length}:`), part] as const);
  const out: number[] = [];
  pieces.forEach(([head, part], place) => {
    if (place) out.push(10);
    for (const byte of head) out.push(byte);
    for (const byte of part) out.push(byte);
  });
  return sha256(new Uint8Array(out));
}
