// The parts a draft is made of, and how long a new prompt is dead to taps.
import type { SeatName } from "./names";
import type { Ask, Clash, Drafted, Mark, OfferedWord, Told } from "./protocol";

export type DraftMode = "wait" | "action" | "draft" | "attack" | "block" | "choice";
/** A word of what is being put together. */
export interface DraftToken {
  word: string;
  /** as it stands on a chip; the server says whose and which */
  label: Told;
  /** where the thing it names lies */
  place: string;
  kind: string;
  /** put there for the player: nobody has tapped it */
  auto: boolean;
  /** what could have stood here instead */
  others: OfferedWord[];
}
/** What blocking one attacker with one unit, or with those chosen for it, would come to. */
export interface Preview {
  option: OfferedWord;
  clash: Clash | undefined;
}

export const PAYMENT = new Set(["bulwark", "discard", "sacrifice", "source"]);
/** a tap as quick as this after something new was asked was meant for what stood there before */
export const DEAD_MS = 700;
/** one tap is the whole answer */
export const SINGLE_TAP = new Set(["yes_no", "state", "form", "count", "end", "price", "trigger", "deck", "option"]);

/** Where the thing lies that an option names; a mere word has a place of its own. */
export function placeOf(option: OfferedWord): string {
  return option.place ?? `word:${option.word}`;
}

/** A card of a hand, as a place. */
export function cardPlace(seat: SeatName, card: string): string {
  return `card:${seat}:${card}`;
}
/** The card that lies at a place; empty where it is something else. */
export function cardAt(place: string): string {
  return place.startsWith("card:") ? (place.split(":")[2] ?? "") : "";
}

export function labelOf(option: OfferedWord): Told {
  return { text: option.label ?? option.word, marks: option.marks ?? [] };
}

export function tokenOf(option: OfferedWord, kind: string, others: OfferedWord[]): DraftToken {
  return { word: option.word, label: labelOf(option), place: placeOf(option), kind, auto: false, others };
}

/** The words of an answer of the server. Of a request it says itself what stands where; a choice names what was offered. */
export function tokensIn(drafted: Drafted, ask: Ask, title: (option: OfferedWord) => string): DraftToken[] {
  if (ask.kind !== "chance") {
    return drafted.words.flatMap((word, n) => {
      const option = word === "done" ? undefined : ask.options.find((one) => one.word === word);
      const step = drafted.steps?.[n]; // what follows from the choice: which of the cards is seen
      if (option) return [tokenOf(option, ask.kind, ask.options)];
      return step && word !== "done" ? [{ word, label: step.told, place: "", kind: step.kind, auto: false, others: [] }] : [];
    });
  }
  const action = ask.options.find((option) => option.word === drafted.words[0]);
  if (!action) return [];
  const first = { ...tokenOf(action, "chance", []), label: { text: title(action), marks: [] } };
  const rest = (drafted.steps ?? []).map((step) => {
    const option = step.options?.find((one) => one.word === step.word);
    return { word: step.word, label: step.told, place: option ? placeOf(option) : "", kind: step.kind, auto: step.auto ?? false, others: step.options ?? [] };
  });
  return [first, ...rest];
}

/** A text with the players' names in it. */
export function plainText(found: Told | undefined, names: Record<SeatName, string>): string {
  let text = found?.text ?? "";
  for (const { at, to, what } of [...(found?.marks ?? [])].reverse()) {
    const seat = what === "seat:p1" ? "p1" : what === "seat:p2" ? "p2" : null;
    if (seat) text = text.slice(0, at) + names[seat] + text.slice(to);
  }
  return text;
}

/** Several texts as one, the marks moved along. */
export function joinTexts(texts: (Told | undefined)[], between: string): Told {
  const marks: Mark[] = [];
  let text = "";
  for (const one of texts) {
    if (!one?.text) continue;
    if (text) text += between;
    marks.push(...(one.marks ?? []).map((mark) => ({ ...mark, at: mark.at + text.length, to: mark.to + text.length })));
    text += one.text;
  }
  return { text, marks };
}
