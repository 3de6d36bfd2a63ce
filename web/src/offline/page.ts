// What a static page does besides what every page does: it says how its engine is, has it come while nobody waits, keeps
// itself for days without a network.
import { mount } from "svelte";
import { replaceServer } from "../core/http";
import { replaceTransport } from "../core/transport";
import { openEngineTransport } from "./transport";
import { requestEngine, start } from "./worker_client";
import { at } from "./build_info";
import Notice from "./Notice.svelte";
import { engine } from "./state.svelte";

/** The service worker keeps all files of one version; the next one waits until somebody wants it. */
async function registerServiceWorker(): Promise<void> {
  const kept = await navigator.serviceWorker.register(at("sw.js"));
  const offer = (waiting: ServiceWorker | null): void => {
    if (!waiting || !navigator.serviceWorker.controller) return;
    engine.update = () => {
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

/** Let the page use its own engine instead of a server. */
export function connectEngine(): void {
  replaceServer(requestEngine);
  replaceTransport(openEngineTransport);
}

export function startOffline(): void {
  mount(Notice, { target: document.body });
  const later = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1000));
  addEventListener("load", () =>
    later(() => {
      start();
      if ("serviceWorker" in navigator) void registerServiceWorker().catch(() => {}); // no secure address: nothing is kept
    }),
  );
}
