// Where others are. A server's page has them here; a static page has nobody, or the server that its static.json names.
import { BASE, STATIC } from "./base_path";

const served = $state({ server: "" });

/** The way to a room where others are; "" where there is none. */
export function reach(path: string): string {
  if (!STATIC) return path;
  return served.server && served.server + path;
}

if (import.meta.env.MODE === "static") {
  fetch(`${BASE}/static.json`)
    .then(async (answer) => {
      const { server } = (await answer.json()) as { server?: unknown };
      if (typeof server === "string" && /^https?:\/\//.test(server)) served.server = server.replace(/\/+$/, "");
    })
    .catch(() => {}); // nobody, then
}
