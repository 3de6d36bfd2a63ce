// The base path: the page is served from the root of a host or from a folder, which it derives from the address of its
// own script. On a static page a link to a room arrives in the query parameter `go` (404.html, the service worker).
export const STATIC = import.meta.env.MODE === "static";

function findBase(): string {
  const code = import.meta.url; // …/assets/index-….js
  const base = import.meta.env.PROD ? new URL("..", code).pathname.replace(/\/$/, "") : "";
  if (!STATIC) return base;
  // make relative links absolute before the path changes
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[href]")) link.href = String(link.href);
  const target = new URLSearchParams(location.search).get("go");
  if (target?.startsWith("/")) history.replaceState(history.state, "", base + target + location.hash);
  else if (location.pathname.endsWith("/index.html"))
    history.replaceState(history.state, "", `${base}/${location.search}${location.hash}`);
  return base;
}

/** Prefix of every path: "" at the root of a host. */
export const BASE = findBase();

/** Prefix of a path in a link that leaves the page. */
export const ORIGIN = location.origin + BASE;

/** Return a path without the base. */
export function withoutBase(path: string): string {
  return BASE && path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path;
}
