// Text of a deck file, as far as the editor needs it; the engine decides on legality.
import { isCard } from "./names";

export interface DeckText {
  name: string;
  decks: string[][];
  trumps: string[][];
  /** lines that plan the set-up of edition 9, kept as they are: scenario hand and rare card */
  plans: string[];
  /** size of the first of two random decks; 0: half of the cards */
  split: number;
}

export function parseDeck(source: string, count: number): DeckText {
  const out: DeckText = { name: "", decks: [[]], trumps: [[]], plans: [], split: 0 };
  for (const raw of source.split("\n")) {
    const line = raw.trim();
    const [head = "", ...rest] = line.split(":");
    if (head === "name") out.name = rest.join(":").trim();
    else if (head === "split") out.split = Number(rest[0]) || 0;
    else if (head === "scenario" || head === "rare") out.plans.push(line);
    else if (/^deck( \d)?$/.test(line)) {
      if (out.decks.at(-1)?.length) {
        out.decks.push([]);
        out.trumps.push([]);
      }
    } else if (head !== "frame") {
      const into = head === "trumps" ? out.trumps : out.decks;
      into.at(-1)?.push(...cardsOf(head === "trumps" ? rest.join(":") : line));
    }
  }
  while (out.decks.length < count) {
    out.decks.push([]);
    out.trumps.push([]);
  }
  return out;
}

const SIGNS: Record<string, string> = { "♠": "S", "♡": "H", "♢": "D", "♣": "C" };

/** Return the cards of a line such as "S5 ♡10" or "♠ A 2 3". */
function cardsOf(line: string): string[] {
  const out: string[] = [];
  let suit = "";
  for (const token of line.replace(/[♠♡♢♣]/g, (sign) => SIGNS[sign] ?? "").split(/\s+/)) {
    if (/^[SHDC]$/.test(token)) suit = token;
    else if (isCard(token)) out.push(token);
    else if (isCard(suit + token)) out.push(suit + token);
  }
  return out;
}

export function formatDeck({ name, decks, trumps, plans, split }: DeckText): string {
  const parts = decks.map((cards, n) =>
    [
      decks.length > 1 ? `deck ${n + 1}` : "",
      cards.join(" "),
      trumps[n]?.length ? `trumps: ${trumps[n].join(" ")}` : "",
    ]
      .filter(Boolean)
      .join("\n"),
  );
  return [name ? `name: ${name}` : "", split ? `split: ${split}` : "", ...(split ? [] : [...parts, ...plans])]
    .filter(Boolean)
    .join("\n");
}
