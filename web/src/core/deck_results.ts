// Results of the decks on the shelf.
import { saveSettings, settings } from "./settings.svelte";

/** Count the result of a game for the shelf deck it was played with. */
export function countResult(text: string, result: "won" | "lost" | "draw" | "other"): void {
  const at = ["won", "lost", "draw"].indexOf(result);
  if (!text || at < 0) return;
  settings.shelf = settings.shelf.map((deck) => {
    return deck.text === text
      ? { ...deck, results: [0, 1, 2].map((n) => (deck.results?.[n] ?? 0) + Number(n === at)) }
      : deck;
  });
  saveSettings();
}
