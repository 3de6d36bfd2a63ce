// One attacker and who blocks it, in words: the numbers that meet and what comes of it. Both are the engine's.
import { t } from "./i18n.svelte";
import type { Clash } from "./protocol";

/** a bulwark stands before it: no numbers meet, and nothing comes through */
export function blockedByBulwark(clash: Clash): boolean {
  return !!clash.blockers?.length && (clash.total === undefined || clash.total === null);
}

/** "6 < 7", the engine's numbers; what nobody stops is what it takes, before a bulwark no numbers meet */
export function comparison(clash: Clash): string {
  if (blockedByBulwark(clash)) return "";
  if (clash.total === undefined || clash.total === null) return `−${clash.number}`;
  return `${clash.number} ${clash.number < clash.total ? "<" : clash.number > clash.total ? ">" : "="} ${clash.total}`;
}

/** What comes of it, in words. */
export function combatResult(clash: Clash): string {
  if (!clash.blockers?.length) return t("unblocked");
  const lost = (clash.lost?.length ?? 0) > 0;
  if (blockedByBulwark(clash) && lost && !clash.falls) return t("result_wall");
  const text = t(clash.falls ? (lost ? "result_both" : "result_win") : lost ? "result_loss" : "result_none");
  return blockedByBulwark(clash) ? t("result_walled", text) : text;
}

/** Good or bad for who blocks, as a class. */
export function tone(clash: Clash | undefined): string {
  if (!clash) return "";
  const lost = (clash.lost?.length ?? 0) > 0;
  return clash.falls ? (lost ? "t-even" : "t-good") : lost ? "t-bad" : "";
}
