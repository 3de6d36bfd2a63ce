// Everything the page itself says. Names and texts of rules are not here: they come from the server.
import { en } from "./en";
import { ja, type Text } from "./ja";
import { settings } from "./settings.svelte";

export type { Text };

const CATALOGUE = { ja, en };

export function t(text: Text, ...values: (string | number)[]): string {
  const found: string = CATALOGUE[settings.lang][text] ?? text;
  if (!values.length) return found;
  // {0} [card|cards]: one, or several
  const agreed = found.replace(/\[(\w*)\|(\w*)\]/g, (_, one: string, many: string) => (Number(values[0]) === 1 ? one : many));
  return agreed.replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)] ?? ""));
}

/** A text that may not be in the catalogue, e.g. a name the server gave. */
export function maybe(key: string, fallback: string): string {
  return key in ja ? t(key as Text) : fallback;
}
