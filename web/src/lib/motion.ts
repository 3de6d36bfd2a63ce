// Cards that can be seen before and after travel between their places.
import { settings } from "./settings.svelte";

type Places = Map<string, DOMRect>;

export function placesNow(root: HTMLElement | null): Places {
  const out: Places = new Map();
  if (!root || settings.motion === "reduced") return out;
  for (const element of root.querySelectorAll<HTMLElement>("[data-move]")) {
    const key = element.dataset.move;
    if (key) out.set(key, element.getBoundingClientRect());
  }
  return out;
}

export function travel(root: HTMLElement | null, before: Places): void {
  if (!root || settings.motion === "reduced") return;
  const piles = new Map<string, DOMRect>();
  for (const pile of root.querySelectorAll<HTMLElement>("[data-pile]")) {
    piles.set(pile.dataset.pile ?? "", pile.getBoundingClientRect());
  }
  const seen = new Set<string>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-move]")) {
    const key = element.dataset.move ?? "";
    if (seen.has(key)) continue;
    seen.add(key);
    const now = element.getBoundingClientRect();
    const from = before.get(key) ?? (before.size ? piles.get(`${key.split(":")[0]}:life`) : undefined);
    if (!from || !now.width || !from.width) continue;
    const x = from.left + from.width / 2 - now.left - now.width / 2;
    const y = from.top + from.height / 2 - now.top - now.height / 2;
    if (Math.abs(x) + Math.abs(y) < 12) continue;
    element.animate(
      [{ transform: `translate(${x}px, ${y}px) scale(${Math.min(2, from.width / now.width)})`, zIndex: 5 }, {}],
      { duration: 260, easing: "cubic-bezier(.2,.7,.2,1)" },
    );
  }
}
