// Whether the server can be reached. Doubt comes from the browser or from a request that failed; the server's health decides,
// and what it last said stays until it says something else.
import { BASE, STATIC } from "./base_path";

export const connection = $state({ cut: false });
const RETRY_MS = 5000;
let timer = 0;

/** Ask for the server's health now, and while it does not answer again and again. */
export async function checkConnection(): Promise<void> {
  if (STATIC || timer === -1) return; // a static page asks nobody
  clearTimeout(timer);
  timer = -1;
  connection.cut = !(await fetch(`${BASE}/api/health`).then(
    (answer) => answer.ok,
    () => false,
  ));
  timer = connection.cut ? window.setTimeout(checkConnection, RETRY_MS) : 0;
}

addEventListener("offline", () => void checkConnection());
addEventListener("online", () => void checkConnection());
if (!navigator.onLine) void checkConnection();
