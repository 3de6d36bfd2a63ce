// How the decks of the shelf fare.
import { saveSettings, settings } from "./settings.svelte";

/** Counted when a game ends that was played with a deck from the shelf: won, lost, drawn. */
export function countResult(text: string, result: "won" | "lost" | "draw" | "other"): void {
  const at = ["won", "lost", "draw"].indexOf(result);
  if (!text || at < 0) return;
  settings.shelf = settings.shelf.map((deck) => {
    return deck.text === text ? { ...deck, results: [0, 1, 2].map((n) => (deck.results?.[n] ?? 0) + Number(n === at)) } : deck;
  });
  saveSettings();
}
