// Export and import of all personal data: games, decks, progress, settings. The file opens on any page of the game,
// with or without a server; unfinished games move only between static pages.
import { STATIC } from "./base_path";
import { get, post } from "./http";
import type { Record as GameRecord, RecordPlace } from "./protocol";
import type { SavedReplay } from "./settings.svelte";

const KIND = "blackpoker keepsake 1";
/** storage keys that belong to this tab or this server */
const EXCLUDED = ["blackpoker-hosted", "blackpoker-synced"];
/** storage key of the settings */
const SETTINGS = "blackpoker";
/** storage key of the last state synchronised with the account */
export const SYNCED = "blackpoker-synced";

interface ProgressFile {
  kind: string;
  kept: Record<string, unknown>;
  records: { id: string; text: string }[];
  /** format of blackpoker/server/local/unfinished.py */
  unfinished?: unknown[];
}

export class NotAProgressFile extends Error {}

/** Return everything the browser stores for its owner. */
export function readStorage(): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith("blackpoker") && !EXCLUDED.includes(name)) kept[name] = withoutLanguage(name, stored(name));
  }
  return kept;
}

function stored(name: string): unknown {
  return JSON.parse(localStorage.getItem(name) ?? "null");
}

/** Return a stored value without the language: it belongs to the device, not to the player's data. */
function withoutLanguage(name: string, value: unknown): unknown {
  if (name !== SETTINGS) return value;
  return { ...(value as object), lang: undefined };
}

function write(name: string, value: unknown): void {
  const here = name === SETTINGS ? { lang: (stored(name) as { lang?: string } | null)?.lang } : null;
  localStorage.setItem(name, JSON.stringify(here ? { ...(value as object), ...here } : value));
}

/** Replace the stored data. */
export function writeStorage(kept: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(kept)) {
    if (name.startsWith("blackpoker") && !EXCLUDED.includes(name)) write(name, value);
  }
}

export async function exportProgress(replays: SavedReplay[]): Promise<string> {
  const kept = readStorage();
  const records: ProgressFile["records"] = [];
  for (const { id } of replays) {
    const found = await get<GameRecord>(`/api/records/${encodeURIComponent(id)}`).catch(() => null); // removed from its server
    if (found) records.push({ id, text: found.text });
  }
  const unfinished = STATIC ? (await get<{ games: unknown[] }>("/api/unfinished")).games : [];
  return JSON.stringify({ kind: KIND, kept, records, unfinished } satisfies ProgressFile);
}

/** Return both values merged; the given one wins where they differ. */
export function merge(here: unknown, given: unknown): unknown {
  if (Array.isArray(here) && Array.isArray(given)) {
    const name = (one: unknown): string =>
      typeof one === "object" && one && "id" in one ? String(one.id) : JSON.stringify(one);
    return [...new Map([...(given as unknown[]), ...(here as unknown[])].map((one) => [name(one), one])).values()];
  }
  if (typeof here === "object" && here && typeof given === "object" && given) {
    const out: Record<string, unknown> = { ...here };
    for (const [key, value] of Object.entries(given))
      out[key] = key in here ? merge((here as Record<string, unknown>)[key], value) : value;
    return out;
  }
  return given;
}

function read(text: string): ProgressFile {
  try {
    const found = JSON.parse(text) as ProgressFile;
    if (found.kind === KIND && typeof found.kept === "object" && Array.isArray(found.records)) return found;
  } catch {
    // raised below
  }
  throw new NotAProgressFile();
}

/** Import a file; return the number of imported games and of those left out. */
export async function importProgress(text: string): Promise<[came: number, left: number]> {
  const given = read(text);
  const games = given.unfinished ?? [];
  const rooms = STATIC && games.length ? (await post<{ rooms: string[] }>("/api/unfinished", { games })).rooms : [];
  const names = new Map<string, string>();
  for (const { id, text } of given.records) {
    const place = await post<RecordPlace>("/api/records", { text }).catch(() => null); // an unreadable record is left out
    if (place) names.set(id, place.id);
  }
  const settings = given.kept.blackpoker as { replays?: SavedReplay[]; rooms?: string[] } | undefined;
  if (settings) {
    settings.replays = (settings.replays ?? [])
      .filter((one) => names.has(one.id))
      .map((one) => ({ ...one, id: names.get(one.id)! }));
    settings.rooms = rooms; // seats on other servers are lost
  }
  for (const [name, value] of Object.entries(given.kept)) {
    if (!name.startsWith("blackpoker")) continue;
    const here = stored(name);
    write(name, here === null ? value : merge(here, value));
  }
  return [names.size + rooms.length, given.records.length - names.size + games.length - rooms.length];
}
