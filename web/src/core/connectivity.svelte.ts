// Reachability of the server. The browser or a failed request triggers a check; the health endpoint decides, and the
// state stays until the next check.
import { BASE, STATIC } from "./base_path";

export const connection = $state({ cut: false });
const RETRY_MS = 5000;
let timer = 0;

/** Check the server's health now, and repeat the check while it fails. */
export async function checkConnection(): Promise<void> {
  if (STATIC || timer === -1) return; // a static page has no server
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
