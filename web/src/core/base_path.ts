// Where the page lies: at the root of a host or in a folder of it, which its own code knows by where it was loaded from. A
// static page brings whoever came by a link to a room here, with the room in `go` (404.html, the service worker).
export const STATIC = import.meta.env.MODE === "static";

function findBase(): string {
  const code = import.meta.url; // …/assets/index-….js
  const base = import.meta.env.PROD ? new URL("..", code).pathname.replace(/\/$/, "") : "";
  if (!STATIC) return base;
  // what is named from here is still meant from here when the path has changed
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[href]")) link.href = String(link.href);
  const target = new URLSearchParams(location.search).get("go");
  if (target?.startsWith("/")) history.replaceState(history.state, "", base + target + location.hash);
  else if (location.pathname.endsWith("/index.html")) history.replaceState(history.state, "", `${base}/${location.search}${location.hash}`);
  return base;
}

/** What stands before every path: "" at the root of a host. */
export const BASE = findBase();

/** What stands before the path of a room in a link that leaves the page. */
export const ORIGIN = location.origin + BASE;

/** The path of a room, without what stands before it. */
export function withoutBase(path: string): string {
  return BASE && path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path;
}
