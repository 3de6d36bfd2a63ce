import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { serviceWorker } from "./service_worker.ts";

// The Python package serves the built files. As a static page (static.py) they are in a folder of any host, together with the
// worker that runs the engine.
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), ...(mode === "static" ? [] : [serviceWorker()])],
  base: "./", // relative: the server and static hosts both use path prefixes
  build: {
    outDir: mode === "static" ? "../dist/static" : "../src/blackpoker/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: true,
    manifest: mode === "static",
    rolldownOptions: {
      checks: { pluginTimings: false },
      ...(mode === "static" ? { input: ["index.html", "src/offline/worker.ts"] } : {}),
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/ws": { target: "ws://127.0.0.1:8080", ws: true } } },
}));
