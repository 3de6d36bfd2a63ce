// How somebody at a seat is called on the first screens.
import { t } from "../lib/i18n.svelte";
import type { Sitting } from "../lib/protocol";
import { rules } from "../lib/rules.svelte";

export function personName(one: Sitting | undefined): string {
  if (!one || one.kind === "open") return t("seat_free");
  if (one.kind === "ai") return t("ai_of", rules.levelName(one.level ?? ""));
  return one.name || t("somebody");
}
