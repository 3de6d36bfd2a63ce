// Parts of a draft, and how long a new prompt ignores taps.
import type { SeatName } from "./names";
import type { Prompt, ForecastClash, PreviewResult, TextSpan, Option, RichText } from "./protocol";

export type DraftMode = "wait" | "action" | "draft" | "attack" | "block" | "choice";
/** A token of a draft. */
export interface DraftToken {
  word: string;
  /** text of its chip, with owner and card as the server names them */
  label: RichText;
  /** place of the thing it names */
  place: string;
  kind: string;
  /** added automatically, not tapped */
  auto: boolean;
  /** the alternatives to this token */
  others: Option[];
}
/** Projected result of one attacker blocked by one unit, or by the units chosen for it. */
export interface Preview {
  option: Option;
  clash: ForecastClash | undefined;
}

/** What a preview is asked for: tokens with a selection, or a fight with the tap on an own unit. */
export type DraftQuery = { tokens: string[]; picks?: string[]; complete?: boolean };
export type FightQuery = { tokens?: string[]; blocks?: Record<string, string[]>; attacker?: string; tap: string };

/** N-140: cards of one pick of a draft */
export const MINI_PACK = 3;
export const PAYMENT = new Set(["bulwark", "discard", "sacrifice", "source"]);
/** taps this soon after a new prompt were meant for the previous one */
export const DEAD_MS = 700;
/** kinds of prompts that one tap answers */
export const SINGLE_TAP = new Set(["yes_no", "state", "form", "count", "end", "price", "trigger", "deck", "option"]);

/** Return the place an option names; an option without one has a place of its own. */
export function placeOf(option: Option): string {
  return option.location ?? `word:${option.token}`;
}

/** Return the place of a card of a hand. */
export function cardPlace(seat: SeatName, card: string): string {
  return `card:${seat}:${card}`;
}
/** Return the card at a place; "" if it is not a card. */
export function cardAt(place: string): string {
  return place.startsWith("card:") ? (place.split(":")[2] ?? "") : "";
}

export function labelOf(option: Option): RichText {
  return { text: option.label ?? option.token, spans: option.spans ?? [] };
}

export function tokenOf(option: Option, kind: string, others: Option[]): DraftToken {
  return { word: option.token, label: labelOf(option), place: placeOf(option), kind, auto: false, others };
}

/**
 * Return the tokens of the server's answer. A request lists them with their alternatives; the tokens of a choice are
 * options of the prompt.
 */
export function tokensIn(drafted: PreviewResult, ask: Prompt, title: (option: Option) => string): DraftToken[] {
  if (ask.kind !== "chance") {
    return drafted.tokens.flatMap((word, n) => {
      const option = word === "done" ? undefined : ask.options.find((one) => one.token === word);
      const step = drafted.steps?.[n]; // a consequence of the choice, e.g. which card is revealed
      if (option) return [tokenOf(option, ask.kind, ask.options)];
      return step && word !== "done"
        ? [{ word, label: step.text, place: "", kind: step.kind, auto: false, others: [] }]
        : [];
    });
  }
  const action = ask.options.find((option) => option.token === drafted.tokens[0]);
  if (!action) return [];
  const first = { ...tokenOf(action, "chance", []), label: { text: title(action), marks: [] } };
  const rest = (drafted.steps ?? []).map((step) => {
    const option = step.options?.find((one) => one.token === step.token);
    return {
      word: step.token,
      label: step.text,
      place: option ? placeOf(option) : "",
      kind: step.kind,
      auto: step.automatic ?? false,
      others: step.options ?? [],
    };
  });
  return [first, ...rest];
}

/** Return a text with the players' names filled in. */
export function plainText(found: RichText | undefined, names: Record<SeatName, string>): string {
  let text = found?.text ?? "";
  for (const { start: at, end: to, ref: what } of [...(found?.spans ?? [])].reverse()) {
    const seat = what === "seat:p1" ? "p1" : what === "seat:p2" ? "p2" : null;
    if (seat) text = text.slice(0, at) + names[seat] + text.slice(to);
  }
  return text;
}

/** Return the texts as one, with shifted spans. */
export function joinTexts(texts: (RichText | undefined)[], between: string): RichText {
  const marks: TextSpan[] = [];
  let text = "";
  for (const one of texts) {
    if (!one?.text) continue;
    if (text) text += between;
    marks.push(
      ...(one.spans ?? []).map((mark) => ({ ...mark, start: mark.start + text.length, end: mark.end + text.length })),
    );
    text += one.text;
  }
  return { text, spans: marks };
}
