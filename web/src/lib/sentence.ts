// The parts a draft is made of, and how long a new prompt is dead to taps.
import { nameOfPlace, type SeatName } from "./names";
import { t } from "./i18n.svelte";
import type { Ask, Clash, Drafted, Mark, Option, Result } from "./protocol";
import { rules } from "./rules.svelte";
import type { View } from "./view";

export type Doing = "wait" | "action" | "draft" | "attack" | "block" | "choice";
export interface Taken {
  word: string;
  label: string;
  marks: Mark[];
  /** where the thing it names lies */
  place: string;
  kind: string;
  /** put there for the player: payment and whatever has one possibility */
  auto: boolean;
  /** what could have stood here instead */
  others: Option[];
}
/** What blocking one attacker with one unit alone would come to. */
export interface Preview {
  option: Option;
  clash: Clash | undefined;
}

export const PAYMENT = new Set(["bulwark", "discard", "sacrifice"]);
/** a tap as quick as this after something new was asked was meant for what stood there before */
export const DEAD_MS = 700;
const MOST_PREVIEWS = 24;
/** one tap is the whole answer */
export const AT_ONCE = new Set(["yes_no", "state", "form", "count", "end", "price", "trigger", "deck", "option"]);

/** Where the thing lies that an option names; a mere word has a place of its own. */
export function placeOf(option: Option): string {
  return option.place ?? `word:${option.word}`;
}

export function takenOf(option: Option, kind: string, others: Option[]): Taken {
  return { word: option.word, label: option.label ?? option.word, marks: option.marks ?? [], place: placeOf(option), kind, auto: false, others };
}

/** What a word names, as people call it: the thing on the table, or the label with the players' names in it. */
export function textOf(one: { place: string; label: string; marks: Mark[] }, view: View | null, names: Record<SeatName, string>, short = false): string {
  const staged = one.place.startsWith("stage:") ? view?.stage[Number(one.place.slice(6)) - 1] : undefined;
  const name = staged ? rules.title(staged.action) : one.place.startsWith("stage:") ? "" : nameOfPlace(one.place, view, names, short);
  if (name) return name;
  let text = one.label;
  for (const { at, to, what } of [...one.marks].reverse()) {
    const seat = what === "seat:p1" ? "p1" : what === "seat:p2" ? "p2" : null;
    if (seat) text = text.slice(0, at) + names[seat] + text.slice(to);
  }
  return text;
}

/** What a request does, in words. */
export function resultText({ kind, place, number = 0, was = 0 }: Result, view: View | null, names: Record<SeatName, string>, you: SeatName | null): string {
  if (place === `player:${you ?? ""}` && kind === "damage") {
    const life = view?.[you ?? "p1"].life;
    return typeof life === "number" ? `${t("your_damage", number)}${t("list_and")}${t("life_to", life, Math.max(0, life - number))}` : t("your_damage", number);
  }
  const staged = place.startsWith("stage:") ? view?.stage[Number(place.slice(6)) - 1] : undefined;
  return t(`does_${kind}`, staged ? rules.title(staged.action) : nameOfPlace(place, view, names), was, number);
}

/** Who blocks whom, in the notation. */
function blocksText(parts: (readonly [string, readonly string[]])[]): string {
  return parts.map(([attacker, list]) => `${attacker}: ${list.join(" ")}`).join("; ");
}

/** The answer to who attacks or who blocks, in the notation. */
export function fightText(ask: Ask, attackers: string[], blocks: Record<string, string[]>): string {
  const parts = ask.kind === "blockers" ? Object.entries(blocks).filter(([, list]) => list.length) : [];
  if (parts.length) return blocksText(parts);
  const order = ask.kind === "attackers" ? ask.options.map((option) => option.word) : [];
  return order.filter((word) => attackers.includes(word)).join(" ") || "done";
}

/** What each of these blockers alone would do to an attacker, the other blocks as they are; null where it is no longer
 *  asked (`wanted`). */
export async function previews(
  room: { draft(words: string[], text: string): Promise<Drafted> },
  options: Option[],
  blocks: Record<string, string[]>,
  attacker: string,
  wanted: () => boolean,
): Promise<Preview[] | null> {
  const found: Preview[] = [];
  for (const option of options.filter((one) => one.word !== "done").slice(0, MOST_PREVIEWS)) {
    const rest = Object.entries(blocks).map(([of, list]) => [of, list.filter((word) => word !== option.word)] as const);
    const parts = [...rest.filter(([of, list]) => of !== attacker && list.length), [attacker, [option.word]] as const];
    const drafted = await room.draft([], blocksText(parts)).catch(() => null);
    if (!wanted()) return null;
    if (drafted) found.push({ option, clash: drafted.clashes?.find((one) => one.attacker === attacker) });
  }
  return found;
}
