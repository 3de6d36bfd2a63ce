import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The built files go into the Python package, which serves them. As a static page (static.py) they lie in a folder of any
// host, with the worker in which the engine runs.
export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  base: "./", // wherever it lies: the server and a static host both put it into folders
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
      ...(mode === "static" ? { input: ["index.html", "src/local/worker.ts"] } : {}),
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8080", "/ws": { target: "ws://127.0.0.1:8080", ws: true } } },
}));
