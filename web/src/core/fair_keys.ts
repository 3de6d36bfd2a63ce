// Keys with which the page signs what it was sent: one for each room, so that they connect no two rooms. Without a
// secure context the browser has no keys; the page then signs nothing.
import { digest } from "./sha256";
import { read, write } from "./fair_store";

export interface RoomKey {
  public: string;
  sign(data: Uint8Array): Promise<string>;
}

const KEYS = "blackpoker.fair.keys";
const INVITERS = "blackpoker.fair.inviters";
const MOST = 60;
const cached = new Map<string, RoomKey | null>();
const loading = new Map<string, Promise<RoomKey | null>>();

export function encode(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0));
}

function put(key: string, room: string, value: string): void {
  const others = (read<[string, string][]>(key) ?? []).filter(([id]) => id !== room);
  write(key, [...others.slice(1 - MOST), [room, value]]);
}

const find = (key: string, room: string): string =>
  (read<[string, string][]>(key) ?? []).find(([id]) => id === room)?.[1] ?? "";

async function make(room: string): Promise<RoomKey | null> {
  try {
    const stored = find(KEYS, room);
    const secret = stored
      ? await crypto.subtle.importKey("jwk", JSON.parse(stored) as JsonWebKey, "Ed25519", true, ["sign"])
      : ((await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair).privateKey;
    const jwk = await crypto.subtle.exportKey("jwk", secret);
    if (!stored) put(KEYS, room, JSON.stringify(jwk));
    return {
      public: jwk.x ?? "",
      sign: async (data) =>
        encode(new Uint8Array(await crypto.subtle.sign("Ed25519", secret, data as Uint8Array<ArrayBuffer>))),
    };
  } catch {
    return null; // no secure context, or an older browser
  }
}

/** Return the key of a room once it is made. */
export function loadKey(room: string): Promise<RoomKey | null> {
  let wanted = loading.get(room);
  if (!wanted) {
    wanted = make(room).then((key) => {
      cached.set(room, key);
      return key;
    });
    loading.set(room, wanted);
  }
  return wanted;
}

/** Return the key of a room; undefined while it is made. */
export const roomKey = (room: string): RoomKey | null | undefined => cached.get(room);

export function signedText(terms: string, seat: string, part: number, count: number, transcript: string): Uint8Array {
  return digest("blackpoker signature 1", terms, seat, String(part), String(count), transcript);
}

/** Return whether the data is signed by this key; null if the browser cannot check it. */
export async function isSigned(key: string, data: Uint8Array, signature: string): Promise<boolean | null> {
  if (typeof crypto.subtle === "undefined") return null;
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: key };
    const made = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", made, decode(signature), data as Uint8Array<ArrayBuffer>);
  } catch (error) {
    return (error as Error).name === "NotSupportedError" ? null : false;
  }
}

/** Keep the key of the sender of an invitation, from the part of the link that no server receives. */
export function rememberInviter(room: string, hash: string): void {
  const key = /^#k=([A-Za-z0-9_-]{43})$/.exec(hash)?.[1];
  if (key) put(INVITERS, room, key);
}

export const inviterKey = (room: string): string => find(INVITERS, room);
