// What a static page does besides what every page does: it says how its engine is, has it come while nobody waits, keeps
// itself for days without a network, and leads links into the folder it lies in.
import { mount } from "svelte";
import { BASE } from "../lib/base";
import { start } from "./engine";
import { at } from "./known";
import Notice from "./Notice.svelte";
import { engine } from "./state.svelte";

/** A link that somebody copies, or opens elsewhere, has to name the folder; one that is followed is the router's. */
function placeLinks(): void {
  if (!BASE) return;
  const place = (event: Event): void => {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    const path = link?.getAttribute("href") ?? "";
    if (path.startsWith("/") && !path.startsWith(`${BASE}/`)) link?.setAttribute("href", BASE + path);
  };
  for (const kind of ["pointerdown", "focusin", "contextmenu"]) document.addEventListener(kind, place, true);
}

/** The service worker keeps all files of one version; the next one waits until somebody wants it. */
async function keepItself(): Promise<void> {
  const kept = await navigator.serviceWorker.register(at("sw.js"));
  const offer = (waiting: ServiceWorker | null): void => {
    if (!waiting || !navigator.serviceWorker.controller) return;
    engine.fresh = () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
      waiting.postMessage("now");
    };
  };
  offer(kept.waiting);
  kept.addEventListener("updatefound", () => {
    const coming = kept.installing;
    coming?.addEventListener("statechange", () => coming.state === "installed" && offer(coming));
  });
}

export function run(): void {
  mount(Notice, { target: document.body });
  placeLinks();
  const later = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1000));
  addEventListener("load", () =>
    later(() => {
      start();
      if ("serviceWorker" in navigator) void keepItself().catch(() => {}); // no secure address: nothing is kept
    }),
  );
}
