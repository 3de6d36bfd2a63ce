// The decks saved on this device: named decks for every frame, the one in use for each regulation, and their results.
import { STARTING_HAND, type DeckAnswer, type RegulationPart } from "./protocol";
import { post } from "./http";
import { EDITIONS, partsOf, regulationText, type EditionId } from "./regulation";
import { rules } from "./rules.svelte";
import { saveSettings, settings, type SavedDeck } from "./settings.svelte";
import { parseDeck, type DeckText } from "./deck_text";

export type { SavedDeck };

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const SUITS = ["S", "H", "D", "C"] as const;
export const ALL = [...SUITS.flatMap((suit) => RANKS.map((rank) => suit + rank)), "JK", "JK2"];
const COLOURS = ["red", "blue", "black", "violet", "green"] as const;
export type Colour = (typeof COLOURS)[number];

/** Add a deck to the shelf, or replace the saved version. */
export function saveDeck(deck: SavedDeck): void {
  const old = settings.shelf.find((one) => one.id === deck.id);
  settings.shelf = old ? settings.shelf.map((one) => (one.id === deck.id ? deck : one)) : [...settings.shelf, deck];
  if (old)
    for (const [regulation, text] of Object.entries(settings.decks))
      if (text === old.text) settings.decks[regulation] = deck.text;
  saveSettings();
}

export function deleteDeck(id: string): void {
  const gone = settings.shelf.find((one) => one.id === id);
  settings.shelf = settings.shelf.filter((one) => one.id !== id);
  settings.decks = Object.fromEntries(Object.entries(settings.decks).filter(([, text]) => text !== gone?.text));
  saveSettings();
}

export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (n) => n.toString(36)).join("");
}

export function frameOf(id: string): RegulationPart | undefined {
  return rules.regulations?.frames.find((one) => one.id === id);
}

/** Return the formats that allow a frame. */
export function formatsOf(frame: string): RegulationPart[] {
  const legal = (rules.regulations?.legal ?? []).map(partsOf).filter((one) => one.frame === frame);
  return (rules.regulations?.formats ?? []).filter((one) => legal.some((parts) => parts.format === one.id));
}

/** Return the number of trumps that are chosen with a deck: by its format, or by its frame. */
export function trumpsOf(format: string, frame: string): number {
  return frameOf(frame)?.trumps || (rules.regulations?.formats.find((one) => one.id === format)?.most_trumps ?? 0);
}

/** Return the decks built for this edition. */
export function shelfOf(edition: EditionId): SavedDeck[] {
  return settings.shelf.filter((one) => (one.edition ?? EDITIONS[0]) === edition);
}

/** Return the regulation a deck is built for. */
export function regulationOf(deck: SavedDeck, format = formatOf(deck)): string {
  return regulationText({ edition: deck.edition ?? "6", format, frame: deck.frame });
}

/**
 * Return the format of a deck: the saved one, else the one with the most actions; with trumps, one that allows them.
 */
export function formatOf(deck: SavedDeck): string {
  const all = formatsOf(deck.frame);
  const trumps = hasTrumps(deck);
  const fit = all.filter((one) => frameOf(deck.frame)?.trumps || trumps === (one.most_trumps ?? 0) > 0);
  return fit.some((one) => one.id === deck.format) ? (deck.format ?? "") : ((fit.at(-1) ?? all.at(-1))?.id ?? "master");
}

function hasTrumps(deck: SavedDeck): boolean {
  return parseDeck(deck.text, 1).trumps.some((some) => some.length);
}

export function inUse(deck: SavedDeck): boolean {
  return Object.values(settings.decks).includes(deck.text);
}

/** Use this deck for all regulations with its frame, and preselect it for the next game. */
export function useDeck(deck: SavedDeck): void {
  const format = formatOf(deck);
  const needsTrumps = hasTrumps(deck);
  for (const regulation of rules.regulations?.legal ?? []) {
    const { format: of, frame } = partsOf(regulation);
    if (frame === deck.frame && (trumpsOf(of, frame) > 0 || !needsTrumps)) settings.decks[regulation] = deck.text;
  }
  settings.regulation = regulationOf(deck, format);
  saveSettings();
}

export function colourOf(deck: SavedDeck): Colour {
  const at = settings.shelf.findIndex((one) => one.id === deck.id);
  return (COLOURS as readonly string[]).includes(deck.colour ?? "")
    ? (deck.colour as Colour)
    : (COLOURS[Math.max(0, at) % COLOURS.length] ?? "red");
}

/** Return five cards for the deck's tile: its trumps, the highest card of each suit, a Joker. */
export function coverCards(written: DeckText): string[] {
  const cards = written.decks.flat();
  // another picture card first in each suit, so that the five cards differ
  const PICTURES = { S: "JQKA", H: "QKJA", D: "KJQA", C: "KQJA" };
  const weight = (card: string): number => {
    const picture = PICTURES[card[0] as "S"].indexOf(card.slice(1));
    return picture >= 0 ? picture : 20 - RANKS.indexOf(card.slice(1));
  };
  const best = SUITS.flatMap((suit) =>
    cards
      .filter((card) => card.startsWith(suit))
      .sort((a, b) => weight(a) - weight(b))
      .slice(0, 1),
  );
  const chosen = [
    ...new Set([...written.trumps.flat(), ...best, ...cards.filter((card) => card.startsWith("JK")), ...cards]),
  ];
  return chosen.slice(0, 5).sort((a, b) => ALL.indexOf(a) - ALL.indexOf(b));
}

export const checkDeck = (regulation: string, deck: string): Promise<DeckAnswer> =>
  post<DeckAnswer>("/api/decks/check", { regulation, deck });

/** Return a random starting hand of these cards. */
export function drawHand(cards: string[]): string[] {
  const left = [...cards];
  const out: string[] = [];
  while (out.length < STARTING_HAND && left.length)
    out.push(...left.splice((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % left.length, 1));
  return out.sort((a, b) => RANKS.indexOf(a.slice(1)) - RANKS.indexOf(b.slice(1)));
}

/** Return the path of a link that contains the deck. */
export function toLink(regulation: string, text: string): string {
  const bytes = new TextEncoder().encode(text);
  const packed = btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
  return `/decks?r=${encodeURIComponent(regulation)}&d=${packed}`;
}

export function fromLink(search: string): { regulation: string; text: string } | null {
  const given = new URLSearchParams(search);
  const [regulation, packed] = [given.get("r"), given.get("d")];
  if (!regulation || !packed || packed.length > 4000) return null;
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return { regulation, text: new TextDecoder().decode(bytes) };
  } catch {
    return null;
  }
}
