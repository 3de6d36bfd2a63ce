// Keyboard answers: Y and N for yes or no, digits for listed options, Enter for the proposal.
import type { SeatName } from "./names";
import type { Prompt, Option } from "./protocol";

/** Return the option a key selects, or null. `enter`: no focused element and no draft uses the Enter key. */
export function optionForKey(key: string, ask: Prompt | null, seat: SeatName, enter: boolean): Option | null {
  if (!ask || ask.kind === "chance" || ask.kind === "attackers" || ask.kind === "blockers") return null;
  const word = (wanted: string | undefined): Option | null => ask.options.find((one) => one.token === wanted) ?? null;
  if (ask.kind === "yes_no" && /^[yn]$/i.test(key)) return word(/y/i.test(key) ? "yes" : "no");
  if (enter && key === "Enter" && ask.proposal?.length === 1) return word(ask.proposal[0]);
  // digits select cards of the hand instead
  if (!/^[1-9]$/.test(key) || ask.options.some((one) => one.location?.startsWith(`card:${seat}:`))) return null;
  return ask.options.filter((one) => one.token !== "done")[Number(key) - 1] ?? null;
}
