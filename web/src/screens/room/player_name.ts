// Names of the two players at a table.
import { computerName } from "../../graphics/masks/faces";
import { t } from "../../core/i18n.svelte";
import type { SeatName } from "../../core/names";
import type { Room } from "../../core/room.svelte";
import { settings } from "../../core/settings.svelte";

/** the kind of game: a lesson, one person at both seats, or an ordinary game */
export type TableKind = "lesson" | "shared" | "game";

/** Return the name of a seat; `small`: a short one for a phone. */
export function playerName(room: Room, seat: SeatName, kind: TableKind, small: boolean): string {
  if (kind === "lesson") return t(seat === room.you ? "you" : "rival");
  if (kind === "shared") return t(seat === "p1" ? "seat_p1" : "seat_p2");
  if (seat === room.you && settings.lang === "ja") return t("you"); // "you" would need another verb form in English
  const found = room.info?.[seat];
  if (!found || found.kind === "open") return t(seat === "p1" ? "seat_p1" : "seat_p2");
  if (found.kind === "ai") return computerName(found.level ?? "", small);
  return found.name || (seat === "p1" ? "P1" : "P2");
}
