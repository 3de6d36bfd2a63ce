// The page's own texts. Names and texts of the rules come from the server.
import en from "../i18n/en/shared.json";
import ja from "../i18n/ja/shared.json";
import { settings } from "./settings.svelte";

export type Text = keyof typeof ja;
type Values = (string | number)[];

const SHARED: Record<"ja" | "en", Record<Text, string>> = { ja, en };

/** Return a text that all screens share, in the reader's language, with the values filled in. */
export function t(text: Text, ...values: Values): string {
  return fill(SHARED[settings.lang][text] ?? text, values);
}

/** Return the `t` of one screen: its own texts are named `<name>.<key>`, the shared texts by their key alone. They load with the screen. */
export function catalogue<Name extends string, Own extends Record<string, string>>(
  name: Name,
  ja: Own,
  en: { [Key in keyof Own]: string },
) {
  const own = { ja, en };
  const prefix = `${name}.`;
  return (text: Text | `${Name}.${Extract<keyof Own, string>}`, ...values: Values): string =>
    text.startsWith(prefix)
      ? fill(own[settings.lang][text.slice(prefix.length)] ?? text, values)
      : t(text as Text, ...values);
}

function fill(found: string, values: Values): string {
  if (!values.length) return found;
  // {0} [card|cards]: singular or plural by the first value
  const agreed = found.replace(/\[(\w*)\|(\w*)\]/g, (_, singular: string, plural: string) =>
    Number(values[0]) === 1 ? singular : plural,
  );
  return agreed.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ""));
}

/** Return the shared text with this key, or the fallback if there is none, e.g. for a name from the server. */
export function maybe(key: string, fallback: string): string {
  return key in ja ? t(key as Text) : fallback;
}
