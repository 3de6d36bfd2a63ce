// Name of a seat on the home and lobby screens.
import { t } from "../../core/i18n.svelte";
import type { Sitting } from "../../core/protocol";
import { rules } from "../../core/rules.svelte";

export function personName(one: Sitting | undefined): string {
  if (!one || one.kind === "open") return t("seat_free");
  if (one.kind === "ai") return t("ai_of", rules.levelName(one.level ?? ""));
  return one.name || t("somebody");
}
