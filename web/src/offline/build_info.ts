// What the build has written into the page: where the engine lies, and which answers are files already.
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

/** The address of a file of the build. */
export const at = (file: string): string => new URL(`${BASE}/${file}`, location.origin).href;

/** Two copies of the page on one host have nothing to do with each other. */
export const name = (): string => `blackpoker${BASE}`;
