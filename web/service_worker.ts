// Adds the service worker of a server's page to a build: the files of this version, named in web/static/served.js.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

const SOURCE = join(import.meta.dirname, "static", "served.js");
// of public/, which is not part of the bundle
const PUBLIC = ["icon.svg", "icon-192.png", "icon-512.png", "manifest.webmanifest"];

/** Return the text of the worker for these files. */
export function workerText(files: string[]): string {
  const source = readFileSync(SOURCE, "utf8");
  const wanted = ["./", ...PUBLIC, ...files.filter((name) => name.startsWith("assets/"))].sort();
  const version = createHash("sha256").update(source).update(wanted.join("\n")).digest("hex").slice(0, 12);
  return source.replace('"VERSION"', JSON.stringify(version)).replace('["FILES"]', JSON.stringify(wanted));
}

export function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle(_, bundle) {
      this.emitFile({ type: "asset", fileName: "sw.js", source: workerText(Object.keys(bundle)) });
    },
  };
}
