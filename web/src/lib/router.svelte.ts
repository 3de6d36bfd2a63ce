// Paths of the page; the server answers each of them with the same document.
export const route = $state<{ path: string }>({ path: location.pathname });

addEventListener("popstate", () => {
  route.path = location.pathname;
});

export function go(path: string): void {
  if (path !== location.pathname + location.search) history.pushState(null, "", path);
  route.path = location.pathname;
  scrollTo(0, 0);
}

/** For links: let the browser do what it does with a modifier key held. */
export function follow(event: MouseEvent): void {
  const link = (event.currentTarget as HTMLElement).closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
