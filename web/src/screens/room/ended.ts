// Text of the reason a game ended, worded for the reader.
import { maybe } from "../../core/i18n.svelte";
import { other, type SeatName } from "../../core/names";
import type { GameOver, ResultView } from "../../core/protocol";
import { t } from "../../i18n/room";

/** Return the text; `you`: the reader's seat, if there is one. */
export function ended(
  final: ResultView | Pick<GameOver, "winner" | "reason">,
  names: Record<SeatName, string>,
  you: SeatName | null,
): string {
  const { winner, reason } = final;
  if (winner !== null && winner !== "draw") {
    const beaten = other(winner);
    const mine = you === beaten;
    if (reason === "life") return mine ? t("reason_life_you") : t("reason_life_of", names[beaten]);
    if (reason === "resigned" || reason === "time" || reason === "abandoned")
      return mine ? t(`room.end_${reason}_you`) : t(`room.end_${reason}`, names[beaten]);
  }
  return maybe(`reason_${reason}`, reason);
}
