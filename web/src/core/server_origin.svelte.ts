// Where others are. A server's page has them here; a static page has nobody, or the server that its static.json names.
import { BASE, STATIC } from "./base_path";

const origin = $state({ server: "" });

/** The way to a room where others are; "" where there is none. */
export function onlinePath(path: string): string {
  if (!STATIC) return path;
  return origin.server && origin.server + path;
}

if (import.meta.env.MODE === "static") {
  fetch(`${BASE}/static.json`)
    .then(async (answer) => {
      const { server } = (await answer.json()) as { server?: unknown };
      if (typeof server === "string" && /^https?:\/\//.test(server)) origin.server = server.replace(/\/+$/, "");
    })
    .catch(() => {}); // nobody, then
}
