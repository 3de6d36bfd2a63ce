// Address of the online features. A server has them on its own pages; a static page has none, or those of the server
// named in static.json.
import { BASE, STATIC } from "./base_path";

const origin = $state({ server: "" });

/** Return the path of an online screen, or "" if there is none. */
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
    .catch(() => {}); // no online features
}
