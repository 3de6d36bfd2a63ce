// Fair shuffles, as far as a page can check them: it draws its own salt, keeps what it was told before the game, and
// compares when the secret is opened. `blackpoker verify` computes every shuffle again.
import type { Over, RoomInfo } from "./protocol";
import type { SeatName } from "./names";

/** What was known before the game began. */
export interface Kept {
  salt: string;
  commitment: string;
  seals: [string, string];
}

export interface Check {
  /** the opened secret is the one the server had promised */
  secret: boolean;
  /** this page's own salt went into the shuffles */
  own: boolean;
  /** the other salt is the one that was sealed before ours was opened; null: the computer has none */
  other: boolean | null;
}

const STORE = "blackpoker.fair";
const MOST = 30;
type All = [string, Kept][];

function all(): All {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? "[]") as All;
  } catch {
    return []; // private windows may refuse: then there is nothing to compare later
  }
}

/** Kept by room, game and seat, for all tabs of this browser: they are one player, who may hold both seats. */
export function remember(room: string, game: number, seat: SeatName, kept: Kept): void {
  const id = `${room}:${game}:${seat}`;
  const others = all().filter(([other]) => other !== id);
  try {
    localStorage.setItem(STORE, JSON.stringify([...others.slice(1 - MOST), [id, kept]]));
  } catch {
    // as above
  }
}

export function recall(room: string, game: number, seat: SeatName): Kept | null {
  return all().find(([id]) => id === `${room}:${game}:${seat}`)?.[1] ?? null;
}

export function newSalt(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const sealOf = (salt: string): string => sha256(`blackpoker salt 1\n${salt}`);

/** The seals of both seats as the room shows them. */
export const sealsOf = (info: RoomInfo): [string, string] => [info.p1.seal ?? "", info.p2.seal ?? ""];

export function check(over: Over, you: SeatName, kept: Kept): Check {
  const mine = you === "p1" ? 0 : 1;
  const salts = over.salts ?? ["", ""];
  const bytes = (over.secret ?? "").match(/../g)?.map((pair) => parseInt(pair, 16)) ?? [];
  const head = [...new TextEncoder().encode("blackpoker commitment 1\n")];
  const sealed = kept.seals[1 - mine] ?? "";
  return {
    secret: over.commitment === kept.commitment && hash([...head, ...bytes]) === kept.commitment,
    own: salts[mine] === kept.salt,
    other: sealed ? sealOf(salts[1 - mine] ?? "") === sealed : null,
  };
}

export const sha256 = (text: string): string => hash([...new TextEncoder().encode(text)]);

/** SHA-256; the browser's own is missing where the page comes over plain http, as in a home network. */
function hash(data: number[]): string {
  const roots = primes(64);
  const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0;
  const constants = roots.map((prime) => fraction(Math.cbrt(prime)));
  const state = roots.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  const bytes = [...data, 0x80];
  while (bytes.length % 64 !== 56) bytes.push(0);
  for (let shift = 56; shift >= 0; shift -= 8) bytes.push(Math.floor((data.length * 8) / 2 ** shift) % 256);
  const turn = (value: number, by: number): number => (value >>> by) | (value << (32 - by));
  for (let start = 0; start < bytes.length; start += 64) {
    const w: number[] = [];
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        const at = start + i * 4;
        w.push((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!);
      } else {
        const a = w[i - 15]!;
        const b = w[i - 2]!;
        const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
        const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
        w.push((w[i - 16]! + low + w[i - 7]! + high) | 0);
      }
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((value, i) => (state[i] = (state[i]! + value) | 0));
  }
  return state.map((value) => (value >>> 0).toString(16).padStart(8, "0")).join("");
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}
