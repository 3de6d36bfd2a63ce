// Where the page lies. On a server every path is the page's own; as a static page it lies in a folder of some host, and
// whoever came by a link to a room is brought here with the room in `go` (404.html, the service worker).
export const STATIC = import.meta.env.MODE === "static";

function arrive(): string {
  if (!STATIC) return "";
  const base = location.pathname.replace(/\/[^/]*$/, "");
  // what is named from here is still meant from here when the path has changed
  for (const link of document.querySelectorAll<HTMLLinkElement>("link[href]")) link.href = String(link.href);
  const asked = new URLSearchParams(location.search).get("go");
  if (asked?.startsWith("/")) history.replaceState(history.state, "", base + asked + location.hash);
  else if (location.pathname.endsWith("/index.html")) history.replaceState(history.state, "", `${base}/${location.search}${location.hash}`);
  return base;
}

/** What stands before every path: "" on a server and at the root of a host. */
export const BASE = arrive();

/** The path of a room, without what stands before it. */
export function within(path: string): string {
  return BASE && path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path;
}
