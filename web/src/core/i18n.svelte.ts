// Everything the page itself says. Names and texts of rules are not here: they come from the server.
import { en } from "./en";
import { ja, type Text } from "./ja";
import { settings } from "./settings.svelte";

export type { Text };

const CATALOGUE = { ja, en };

type Values = (string | number)[];

export function t(text: Text, ...values: Values): string {
  return filled(CATALOGUE[settings.lang][text] ?? text, values);
}

/** What one room alone says: it comes with the room, not with the first page. */
export function catalogue<Key extends string>(ja: Record<Key, string>, en: Record<NoInfer<Key>, string>): (text: Key, ...values: Values) => string {
  const both = { ja, en };
  return (text, ...values) => filled(both[settings.lang][text], values);
}

function filled(found: string, values: Values): string {
  if (!values.length) return found;
  // {0} [card|cards]: one, or several
  const agreed = found.replace(/\[(\w*)\|(\w*)\]/g, (_, one: string, many: string) => (Number(values[0]) === 1 ? one : many));
  return agreed.replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)] ?? ""));
}

/** A text that may not be in the catalogue, e.g. a name the server gave. */
export function maybe(key: string, fallback: string): string {
  return key in ja ? t(key as Text) : fallback;
}
