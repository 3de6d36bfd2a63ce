// The decks somebody keeps on this device: several with names for every frame, and which of them is played.
import { keep, settings } from "../lib/settings.svelte";

export interface KeptDeck {
  id: string;
  name: string;
  frame: string;
  text: string;
}

export function decksOf(frame: string): KeptDeck[] {
  return settings.shelf.filter((one) => one.frame === frame);
}

/** Put a deck on the shelf, or what it is now in the place of what it was. */
export function put(deck: KeptDeck): void {
  const there = settings.shelf.some((one) => one.id === deck.id);
  settings.shelf = there ? settings.shelf.map((one) => (one.id === deck.id ? deck : one)) : [...settings.shelf, deck];
  keep();
}

export function remove(id: string): void {
  settings.shelf = settings.shelf.filter((one) => one.id !== id);
  keep();
}

export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (n) => n.toString(36)).join("");
}

/** A deck as part of an address, and back. */
export function toLink(regulation: string, text: string): string {
  const bytes = new TextEncoder().encode(text);
  const packed = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
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
