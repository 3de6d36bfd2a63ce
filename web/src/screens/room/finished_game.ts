// Record of finished games in this browser.
import { recordPlayed } from "../../core/collection.svelte";
import { countResult } from "../../core/deck_results";
import { other, type SeatName } from "../../core/names";
import type { GameOver } from "../../core/protocol";
import { rememberReplay } from "../../core/local_history";
import type { Room } from "../../core/room.svelte";
import { rules } from "../../core/rules.svelte";
import { keepGame } from "../../offline/served";

/** Add a finished game to the replays, and its result to the deck it was played with and to the collection. */
export function recordGame(room: Room, final: GameOver, names: Record<SeatName, string>, guided = false): void {
  if (!final.record_id) return;
  const regulation = room.info?.settings.regulation ?? "";
  const result = !room.you ? "other" : final.winner === "draw" ? "draw" : final.winner === room.you ? "won" : "lost";
  rememberReplay({
    id: final.record_id,
    text: `${rules.regulation(regulation)} · ${names.p1} – ${names.p2}`,
    at: Date.now(),
    rival: room.you ? names[other(room.you)] : "",
    seat: room.you,
    result,
    regulation,
  });
  if (room.you)
    recordPlayed(final.record_id, result === "won" ? (guided ? "tanuki" : opponentOf(room)) : "", new Date());
  countResult(room.submittedDeck ?? "", result);
  void keepGame(final.record_id).catch(() => {}); // the server is away
}

/** Return the level of the computer player this game was played against, or "". */
function opponentOf(room: Room): string {
  const rival = room.you ? room.info?.[other(room.you)] : undefined;
  return rival?.kind === "ai" ? (rival.level ?? "") : "";
}
