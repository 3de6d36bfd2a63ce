// A regulation as text, "9:lite+entry16": an edition, which the default one leaves out, a format, a frame, options.
export type EditionId = "6" | "9";
/** the first one is the default */
export const EDITIONS: readonly ["6", "9"] = ["6", "9"];
/** the first game of a newcomer, by edition */
export const FIRST_REGULATION: Record<EditionId, string> = { "6": "lite+entry", "9": "9:lite+entry16" };

export interface RegulationParts {
  edition: EditionId;
  format: string;
  frame: string;
  options: string[];
}

export function partsOf(text: string): RegulationParts {
  const [, prefix = "", rest = ""] = /^(?:(\w+):)?(.*)$/.exec(text) ?? [];
  const [format = "", frame = "", ...options] = rest.split("+");
  return { edition: EDITIONS.find((one) => one === prefix) ?? "6", format, frame, options };
}

export function editionOf(text: string): EditionId {
  return partsOf(text).edition;
}

/** Return the text of these parts; empty ones are left out. */
export function regulationText({ edition, format, frame, options = [] }: Partial<RegulationParts>): string {
  return prefixOf(edition ?? "6") + [format, frame, ...options].filter(Boolean).join("+");
}

export function prefixOf(edition: EditionId): string {
  return edition === EDITIONS[0] ? "" : `${edition}:`;
}
