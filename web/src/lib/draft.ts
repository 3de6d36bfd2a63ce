// The parts a draft is made of, and how long a new prompt is dead to taps.
import type { Clash, Option } from "./protocol";

export type Doing = "wait" | "action" | "draft" | "attack" | "block" | "choice";
export interface Taken {
  word: string;
  label: string;
  kind: string;
  /** put there for the player: payment and whatever has one possibility */
  auto: boolean;
  /** what could have stood here instead */
  others: Option[];
}
/** What blocking one attacker with one unit alone would come to. */
export interface Preview {
  word: string;
  label: string;
  clash: Clash | undefined;
}

export const PAYMENT = new Set(["bulwark", "discard", "sacrifice"]);
/** a tap as quick as this after something new was asked was meant for what stood there before */
export const DEAD_MS = 700;
export const MOST_PREVIEWS = 24;
/** one tap is the whole answer */
export const AT_ONCE = new Set(["yes_no", "state", "form", "count", "end", "price", "trigger", "deck", "option"]);

/** Who blocks whom, in the notation. */
export function blocksText(parts: (readonly [string, readonly string[]])[]): string {
  return parts.map(([attacker, list]) => `${attacker}: ${list.join(" ")}`).join("; ");
}
