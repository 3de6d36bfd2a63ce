// Data written into the page by the build: address of the engine, and answers available as files.
import { BASE } from "../core/base_path";

interface BuildInfo {
  version: string;
  worker: string;
  engine: string;
  prepared: Record<string, string>;
}

let found: BuildInfo | null = null;

export function buildInfo(): BuildInfo {
  found ??= JSON.parse(document.getElementById("static")?.textContent ?? "{}") as BuildInfo;
  return found;
}

/** Return the address of a file of the build. */
export const at = (file: string): string => new URL(`${BASE}/${file}`, location.origin).href;

/** Return a storage name that separates copies of the page on one host. */
export const name = (): string => `blackpoker${BASE}`;
