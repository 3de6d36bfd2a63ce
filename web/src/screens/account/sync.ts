// Synchronisation of the browser's data (decks, progress, puzzles, settings) with the account.
import { get, post, ApiError } from "../../core/http";
import { me } from "../../core/identity.svelte";
import type { Kept, KeptVersion } from "../../core/protocol";
import { hex, sha256, utf8 } from "../../core/sha256";
import { readStorage, writeStorage, merge, SYNCED } from "../../core/progress_file";

const EVERY = 20_000;

/** the last synchronised state */
interface Synced {
  id: string;
  version: number;
  hash: string;
}
const read = (): Synced => ({
  id: "",
  version: 0,
  hash: "",
  ...(JSON.parse(localStorage.getItem(SYNCED) ?? "{}") as Partial<Synced>),
});
const note = (version: number, data: Record<string, unknown>): void =>
  localStorage.setItem(SYNCED, JSON.stringify({ id: me.id, version, hash: hashOf(data) }));
const hashOf = (data: Record<string, unknown>): string =>
  hex(sha256(utf8(JSON.stringify(Object.entries(data).sort(([one], [two]) => (one < two ? -1 : 1))))));

/** Upload the local data after merging changes of other devices. Return true if local data changed. */
export async function sync(): Promise<boolean> {
  const known = read();
  const here = readStorage();
  const mine = known.id === me.id;
  const there = await get<Kept>("/api/account/kept");
  let data = here;
  let changed = false;
  if (there.data && !(mine && there.version === known.version)) {
    // without local changes the remote data is used as it is, so that deletions elsewhere are kept
    data = mine && hashOf(here) === known.hash ? there.data : (merge(here, there.data) as Record<string, unknown>);
    changed = hashOf(data) !== hashOf(here);
    if (changed) writeStorage(data);
  }
  if (there.data && hashOf(data) === hashOf(there.data)) note(there.version, data);
  else note((await post<KeptVersion>("/api/account/kept", { version: there.version, data })).version, data);
  return changed;
}

/** Synchronise repeatedly while the page is open. Remote changes are shown when the page is next opened. */
export function keepInSync(): void {
  let busy = false;
  async function now(first = false): Promise<void> {
    if (busy || !me.account || (!first && read().id === me.id && hashOf(readStorage()) === read().hash)) return;
    busy = true;
    try {
      if ((await sync()) && first) location.reload();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the next attempt may succeed
    }
    busy = false;
  }
  void now(true);
  setInterval(() => void now(), EVERY);
  document.addEventListener("visibilitychange", () => void (document.hidden && now()));
}
