// Additions of a static page: engine status, preloading of the engine, offline cache.
import { mount } from "svelte";
import { replaceServer } from "../core/http";
import { replaceTransport } from "../core/transport";
import { openEngineTransport } from "./transport";
import { requestEngine, start } from "./engine_client";
import { at } from "./build_info";
import Notice from "./Notice.svelte";
import { engine } from "./state.svelte";

/** Register the service worker, which caches one version; a new version waits for the user's consent. */
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
      if ("serviceWorker" in navigator) void registerServiceWorker().catch(() => {}); // insecure origin: no cache
    }),
  );
}
