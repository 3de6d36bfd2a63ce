// Which answer a key stands for: Y and N to a yes or a no, digits for what is listed, Enter for what is proposed.
import type { SeatName } from "./names";
import type { Ask, OfferedWord } from "./protocol";

/** `enter`: nothing is focused that Enter would press, and nothing has been put together that it would confirm. */
export function optionForKey(key: string, ask: Ask | null, seat: SeatName, enter: boolean): OfferedWord | null {
  if (!ask || ask.kind === "chance" || ask.kind === "attackers" || ask.kind === "blockers") return null;
  const word = (wanted: string | undefined): OfferedWord | null => ask.options.find((one) => one.word === wanted) ?? null;
  if (ask.kind === "yes_no" && /^[yn]$/i.test(key)) return word(/y/i.test(key) ? "yes" : "no");
  if (enter && key === "Enter" && ask.proposal?.length === 1) return word(ask.proposal[0]);
  // cards of the hand have digits of their own
  if (!/^[1-9]$/.test(key) || ask.options.some((one) => one.place?.startsWith(`card:${seat}:`))) return null;
  return ask.options.filter((one) => one.word !== "done")[Number(key) - 1] ?? null;
}
