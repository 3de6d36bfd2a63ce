// Whether the server can be reached. Doubt comes from the browser or from a request that failed; the server's health decides,
// and what it last said stays until it says something else.
import { BASE, STATIC } from "./base_path";

export const line = $state({ cut: false });
const AGAIN = 5000;
let asking = 0;

/** Ask for the server's health now, and while it does not answer again and again. */
export async function doubt(): Promise<void> {
  if (STATIC || asking === -1) return; // a static page asks nobody
  clearTimeout(asking);
  asking = -1;
  line.cut = !(await fetch(`${BASE}/api/health`).then(
    (answer) => answer.ok,
    () => false,
  ));
  asking = line.cut ? window.setTimeout(doubt, AGAIN) : 0;
}

addEventListener("offline", () => void doubt());
addEventListener("online", () => void doubt());
if (!navigator.onLine) void doubt();
