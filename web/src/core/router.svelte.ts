// Paths of the page; the server answers each of them with the same document.
import { BASE, withoutBase } from "./base_path";

export const route = $state<{ path: string }>({ path: withoutBase(location.pathname) });

/** Where an entry of the browser's history stands: how many rooms of ours lie behind it, and how far it was scrolled. */
interface Entry {
  behind: number;
  scrolled?: number;
}
const entry = (): Entry => (history.state as Entry | null) ?? { behind: 0 };

addEventListener("popstate", () => {
  route.path = withoutBase(location.pathname);
  const scrolled = entry().scrolled ?? 0;
  // what was there has to come first: some rooms are fetched
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

/** To where one came from; who came by a link goes to `otherwise`. */
export function goBack(otherwise: string): void {
  if (entry().behind > 0) history.back();
  else go(otherwise);
}

/** A link that somebody copies, or opens elsewhere, has to name the folder the page lies in; one that is followed is ours. */
export function addBaseToLinks(): void {
  if (!BASE) return;
  const place = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const path = link?.getAttribute("href") ?? "";
    if (path.startsWith("/") && !path.startsWith(`${BASE}/`)) link?.setAttribute("href", BASE + path);
  };
  for (const kind of ["pointerdown", "focusin", "contextmenu"]) document.addEventListener(kind, place, true);
}

/** For links: let the browser do what it does with a modifier key held. */
export function navigate(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement).closest("a");
  if (!link || link.origin !== location.origin || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(withoutBase(link.pathname) + link.search);
}
