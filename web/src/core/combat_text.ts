// Text for one attacker and its blockers: the compared numbers and the result, both from the engine.
import { t } from "./i18n.svelte";
import type { ForecastClash } from "./protocol";

/** Return true if a bulwark blocks: no numbers are compared, and no damage passes. */
export function blockedByBulwark(clash: ForecastClash): boolean {
  return !!clash.blockers?.length && (clash.blockers_total === undefined || clash.blockers_total === null);
}

/** Return "6 < 7" with the engine's numbers; for an unblocked attacker its damage, for a bulwark "". */
export function comparison(clash: ForecastClash): string {
  if (blockedByBulwark(clash)) return "";
  if (clash.blockers_total === undefined || clash.blockers_total === null) return `−${clash.number}`;
  return `${clash.number} ${clash.number < clash.blockers_total ? "<" : clash.number > clash.blockers_total ? ">" : "="} ${clash.blockers_total}`;
}

/** Return the result in words. */
export function combatResult(clash: ForecastClash): string {
  if (!clash.blockers?.length) return t("unblocked");
  const lost = (clash.fallen_blockers?.length ?? 0) > 0;
  if (blockedByBulwark(clash) && lost && !clash.falls) return t("result_wall");
  const text = t(clash.falls ? (lost ? "result_both" : "result_win") : lost ? "result_loss" : "result_none");
  return blockedByBulwark(clash) ? t("result_walled", text) : text;
}

/** Return the class for a result that is good or bad for the blocking side. */
export function tone(clash: ForecastClash | undefined): string {
  if (!clash) return "";
  const lost = (clash.fallen_blockers?.length ?? 0) > 0;
  return clash.falls ? (lost ? "t-even" : "t-good") : lost ? "t-bad" : "";
}
