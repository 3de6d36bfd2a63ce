// What the browser keeps, left with the account for its other devices: decks, progress, puzzles, settings.
import { get, post, ApiError } from "../../core/http";
import { me } from "../../core/identity.svelte";
import type { Kept, KeptVersion } from "../../core/protocol";
import { hex, sha256, utf8 } from "../../core/sha256";
import { readStorage, writeStorage, merge, SYNCED } from "../../core/progress_file";

const EVERY = 20_000;

/** what was last the same here and there */
interface Synced {
  id: string;
  version: number;
  hash: string;
}
const read = (): Synced => ({ id: "", version: 0, hash: "", ...(JSON.parse(localStorage.getItem(SYNCED) ?? "{}") as Partial<Synced>) });
const note = (version: number, data: Record<string, unknown>): void => localStorage.setItem(SYNCED, JSON.stringify({ id: me.id, version, hash: hashOf(data) }));
const hashOf = (data: Record<string, unknown>): string => hex(sha256(utf8(JSON.stringify(Object.entries(data).sort(([one], [two]) => (one < two ? -1 : 1))))));

/** Leave what is here with the account; what another device has left since is brought in first. Whether that changed anything here. */
export async function sync(): Promise<boolean> {
  const known = read();
  const here = readStorage();
  const mine = known.id === me.id;
  const there = await get<Kept>("/api/account/kept");
  let data = here;
  let changed = false;
  if (there.data && !(mine && there.version === known.version)) {
    // who has changed nothing takes what is there as it is: what was thrown away elsewhere stays away
    data = mine && hashOf(here) === known.hash ? there.data : (merge(here, there.data) as Record<string, unknown>);
    changed = hashOf(data) !== hashOf(here);
    if (changed) writeStorage(data);
  }
  if (there.data && hashOf(data) === hashOf(there.data)) note(there.version, data);
  else note((await post<KeptVersion>("/api/account/kept", { version: there.version, data })).version, data);
  return changed;
}

/** Again and again while the page is open. What comes from elsewhere is shown when the page is next opened. */
export function keepInSync(): void {
  let busy = false;
  async function now(first = false): Promise<void> {
    if (busy || !me.account || (!first && read().id === me.id && hashOf(readStorage()) === read().hash)) return;
    busy = true;
    try {
      if ((await sync()) && first) location.reload();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the next one tries again
    }
    busy = false;
  }
  void now(true);
  setInterval(() => void now(), EVERY);
  document.addEventListener("visibilitychange", () => void (document.hidden && now()));
}
