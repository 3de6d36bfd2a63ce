// Paths of the page; the server returns the same document for each.
import { BASE, withoutBase } from "./base_path";

export const route = $state<{ path: string }>({ path: withoutBase(location.pathname) });

/** State of an entry in the browser's history: number of entries of this page before it, and scroll position. */
interface Entry {
  behind: number;
  scrolled?: number;
}
const entry = (): Entry => (history.state as Entry | null) ?? { behind: 0 };

addEventListener("popstate", () => {
  route.path = withoutBase(location.pathname);
  const scrolled = entry().scrolled ?? 0;
  // wait for the content: some screens are fetched
  if (scrolled) for (const wait of [0, 60, 250]) setTimeout(() => scrollTo(0, scrolled), wait);
});

export function go(path: string): void {
  if (path !== withoutBase(location.pathname) + location.search) {
    history.replaceState({ ...entry(), scrolled: scrollY }, "");
    history.pushState({ behind: entry().behind + 1 }, "", BASE + path);
  }
  route.path = withoutBase(location.pathname);
  scrollTo(0, 0);
}

/** Go back in history; without one go to `otherwise`. */
export function goBack(otherwise: string): void {
  if (entry().behind > 0) history.back();
  else go(otherwise);
}

/**
 * Add the base folder to links before they are copied or opened elsewhere; `navigate` handles those that are followed.
 */
export function addBaseToLinks(): void {
  if (!BASE) return;
  const place = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const path = link?.getAttribute("href") ?? "";
    if (path.startsWith("/") && !path.startsWith(`${BASE}/`)) link?.setAttribute("href", BASE + path);
  };
  for (const kind of ["pointerdown", "focusin", "contextmenu"]) document.addEventListener(kind, place, true);
}

/** Click handler of links; clicks with a modifier key are left to the browser. */
export function navigate(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement).closest("a");
  if (
    !link ||
    link.origin !== location.origin ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.button !== 0
  )
    return;
  event.preventDefault();
  go(withoutBase(link.pathname) + link.search);
}
