// Why a game ended, said to who sits here: whose life ran out, who resigned, whose time was over.
import { maybe, t } from "../../core/i18n.svelte";
import { other, type SeatName } from "../../core/names";
import type { Over } from "../../core/protocol";
import { say } from "./words";

/** `you`: the one seat of who reads it, if there is one. */
export function ended(final: Pick<Over, "winner" | "reason">, names: Record<SeatName, string>, you: SeatName | null): string {
  const { winner, reason } = final;
  if (winner !== "draw") {
    const beaten = other(winner);
    const mine = you === beaten;
    if (reason === "life") return mine ? t("reason_life_you") : t("reason_life_of", names[beaten]);
    if (reason === "resigned" || reason === "time" || reason === "abandoned") return mine ? say(`end_${reason}_you`) : say(`end_${reason}`, names[beaten]);
  }
  return maybe(`reason_${reason}`, reason);
}
