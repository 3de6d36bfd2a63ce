// The text of a deck is read and written again without a loss.
import { expect, test } from "vitest";
import { formatDeck, parseDeck } from "../src/core/deck_text";

test("the plans of a deck of edition 9 are no cards of it, and are kept", () => {
  const text = "name: Nine\nS2 S3 H4 JK\ntrumps: S2\nscenario: S3\nrare: JK";
  const deck = parseDeck(text, 1);
  expect(deck.decks).toEqual([["S2", "S3", "H4", "JK"]]);
  expect(formatDeck(deck)).toBe(text);
});
