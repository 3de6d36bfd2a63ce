// Names of cards and places: tokens of the notation, and readable names.
import { isCard } from "./cards";
import { t } from "./i18n.svelte";
import type { Location, View } from "./view";

export type SeatName = "p1" | "p2";
export type Suit = "S" | "H" | "D" | "C" | "J";

export const SIGNS: Record<Suit, string> = { S: "♠", H: "♡", D: "♢", C: "♣", J: "★" };

export function other(seat: SeatName): SeatName {
  return seat === "p1" ? "p2" : "p1";
}

export function suitOf(card: string): Suit {
  return card.startsWith("JK") ? "J" : (card[0] as Suit);
}

export function rankOf(card: string): string {
  return card.startsWith("JK") ? "JK" : card.slice(1);
}

export function sign(card: string): string {
  return card.startsWith("JK") ? "Joker" : SIGNS[suitOf(card)] + rankOf(card);
}

export function spokenCard(card: string): string {
  const suit = suitOf(card);
  if (suit === "J") return t("suit_J");
  return t("spoken_card", t(`suit_${suit}`), rankOf(card));
}

const VERBS: Record<string, string> = { has: "have", is: "are", was: "were", does: "do", goes: "go" };

/**
 * Return the English text that replaces a name in a sentence to that player, and the number of following characters it
 * replaces.
 */
export function inSecondPerson(after: string, first: boolean): { text: string; used: number } {
  const you = first ? "You" : "you";
  if (after.startsWith("'s")) return { text: `${you}r`, used: 2 };
  const verb = /^ ([a-z]{2,}s)\b/.exec(after)?.[1] ?? "";
  if (!verb || !first) return { text: you, used: 0 };
  const plain = VERBS[verb] ?? verb.replace(/(ss|sh|ch|x)es$/, "$1").replace(/([^s])s$/, "$1");
  return { text: `${you} ${plain}`, used: verb.length + 1 };
}

/** Return a possessive phrase. */
export function possessive(name: string, what: string): string {
  return name === t("you") ? t("owned_you", what) : t("owned", name, what);
}

/** Return a key for the card at an index of a list; a deck may contain a card twice, and a match deals it again. */
export function listKey(cards: string[], index: number): string {
  const card = cards[index] ?? "";
  let before = 0;
  for (let n = 0; n < index; n++) if (cards[n] === card) before++;
  return before ? `${card}/${before}` : card;
}

export { isCard };

/** Return the readable name of a place on the board. */
export function nameOfPlace(place: string, view: View | null, names: Record<SeatName, string>, short = false): string {
  const [kind = "", a = "", b = ""] = place.split(":");
  if (kind === "card") return sign(b);
  if (kind === "player") return names[a as SeatName];
  const side = view?.[a as SeatName];
  if (kind === "trump") {
    const card = side?.trumps.find((one) => one.name === b)?.card;
    return card ? sign(card) : t("trump_n", b.slice(1));
  }
  if (kind === "unit") {
    const wall = side?.bulwarks.find((one) => one.name === b);
    if (wall)
      return wall.card ? (short ? sign(wall.card) : `${t("bulwark")} ${sign(wall.card)}`) : t("bulwark_n", b.slice(1));
    const soldier = side?.soldiers.find((one) => one.name === b);
    if (soldier) return [b, ...soldier.cards.filter((card) => card !== b)].map(sign).join("+");
    return isCard(b) ? sign(b) : b;
  }
  return "";
}

/** Return the name of a request's target or source, with its owner. */
export function nameOfTarget(
  target: Location,
  view: View | null,
  names: Record<SeatName, string>,
  you: SeatName | null = null,
): string {
  if (target.kind === "player") return target.name === you ? t("you_there") : names[target.name as SeatName];
  const name = nameOfPlace(`${target.kind}:${target.player ?? ""}:${target.name}`, view, names);
  if (target.player && target.player === you) return t("owned_you", name);
  return target.player ? t("owned", names[target.player], name) : name;
}

/** punctuation that may not start a line */
export const TRAILING = /^[.,:;?!)。、：？）」]+/;
const IN_TEXT = /([♠♡♥♢♦♣])(10|[2-9AJQK](?![A-Za-z]))|\b(Joker)\b/g;
const SUIT_OF: Record<string, Suit> = { "♠": "S", "♡": "H", "♥": "H", "♢": "D", "♦": "D", "♣": "C" };

/** … and the bracket that may not end a line */
export const OPENING = /[(（「]+$/;
/** … with the numbered thing before a bracket: bulwark 1 (♢2) */
const NUMBERED = /(?:[A-Za-z]+ \d+ |[一-龠]+\d+)?[(（「]+$/;

export interface CardPiece {
  text: string;
  suit?: Suit;
  sign?: string;
  before?: string;
  after?: string;
}

/** Return the pieces of a text; a card piece contains its suit and the punctuation that stays on its line. */
export function cardPieces(text: string): CardPiece[] {
  const out: CardPiece[] = [];
  let from = 0;
  for (const found of text.matchAll(IN_TEXT)) {
    const between = text.slice(from, found.index);
    const before = NUMBERED.exec(between)?.[0] ?? "";
    if (between.length > before.length) out.push({ text: between.slice(0, between.length - before.length) });
    const [whole, sign = "", rank = ""] = found;
    from = found.index + whole.length;
    const after = TRAILING.exec(text.slice(from))?.[0] ?? "";
    out.push(
      sign
        ? { text: rank, suit: SUIT_OF[sign] ?? "S", sign, before, after }
        : { text: whole, suit: "J", sign: "", before, after },
    );
    from += after.length;
  }
  if (from < text.length) out.push({ text: text.slice(from) });
  return out;
}

/** Return a piece of a text in words: "9 of spades". */
export function spokenPiece(piece: CardPiece): string {
  if (!piece.suit) return piece.text;
  return spokenCard(piece.suit === "J" ? "JK" : piece.suit + piece.text);
}
