// Strokes and chips of combat. Numbers and results come from the engine.
import { lifeOf, type Stroke } from "./Strokes.svelte";
import { t } from "../core/i18n.svelte";
import { other, type SeatName } from "../core/names";
import type { ForecastClash } from "../core/protocol";
import { rules } from "../core/rules.svelte";
import type { Location, View } from "../core/view";

/** Return the board place of a request's target. */
export function placeOfTarget(target: Location): string {
  if (target.kind === "player") return lifeOf(target.text as SeatName);
  if (target.kind === "request") return `stage:${target.name}`;
  return `${target.kind}:${target.player ?? ""}:${target.name}`;
}

function chipOf(clash: ForecastClash): Stroke["chip"] {
  const lost = (clash.fallen_blockers?.length ?? 0) > 0;
  const tone = clash.falls ? (lost ? "even" : "win") : lost ? "hit" : "plain";
  const words = t(clash.falls ? (lost ? "chip_both" : "chip_win") : lost ? "chip_loss" : "chip_none");
  if (clash.blockers_total === undefined || clash.blockers_total === null)
    return { left: String(clash.number), words, tone };
  const sign = clash.number < clash.blockers_total ? "<" : clash.number > clash.blockers_total ? ">" : "=";
  return { left: String(clash.number), sign, right: String(clash.blockers_total), words, tone };
}

/** Return the strokes of a drafted attack or block. `seat`: the player who drafts it. */
export function draftStrokes(clashes: ForecastClash[], seat: SeatName, attacking: boolean): Stroke[] {
  const out: Stroke[] = [];
  const [striker, struck] = attacking ? [seat, other(seat)] : [other(seat), seat];
  for (const clash of clashes) {
    const from = `unit:${striker}:${clash.attacker}`;
    if (!clash.blockers?.length) {
      out.push({
        from,
        to: lifeOf(struck),
        tone: "blow",
        chip: { left: String(clash.number), words: t("chip_damage"), tone: "hit" },
      });
      continue;
    }
    clash.blockers.forEach((word, n) => {
      const line: Stroke = { from, to: `unit:${struck}:${word}`, tone: "blow" };
      if (n === 0) line.chip = chipOf(clash);
      out.push(line);
    });
  }
  return out;
}

/** Return the strokes of the current combat: numbers without a result. */
export function combatStrokes(view: View): Stroke[] {
  const out: Stroke[] = [];
  for (const striker of ["p1", "p2"] as const) {
    const struck = other(striker);
    for (const unit of view[striker].soldiers.filter((one) => one.role === "attacker")) {
      const from = `unit:${striker}:${unit.name}`;
      const soldiers = view[struck].soldiers.filter((one) => one.role === "blocker" && one.blocks === unit.id);
      const walls = view[struck].bulwarks.filter((one) => one.role === "blocker" && one.blocks === unit.id);
      if (!soldiers.length && !walls.length) {
        const named = [...view.stage, ...(view.resolving ? [view.resolving] : [])].some(
          (staged) => rules.stepOf(staged.action) === "judgement",
        );
        const line: Stroke = { from, to: lifeOf(struck), tone: "blow" };
        line.chip = { left: String(unit.number), words: named ? t("chip_damage") : t("chip_attack"), tone: "hit" };
        out.push(line);
        continue;
      }
      const places = [
        ...soldiers.map((one) => `unit:${struck}:${one.name}`),
        ...walls.map((one) => `unit:${struck}:${one.name}`),
      ];
      places.forEach((to, n) => {
        const line: Stroke = { from, to, tone: "blow" };
        if (n === 0) {
          line.chip = soldiers.length
            ? {
                left: String(unit.number),
                sign: t("chip_versus"),
                right: soldiers.map((one) => one.number).join("+"),
                tone: "plain",
              }
            : { left: String(unit.number), sign: t("chip_versus"), right: t("bulwark"), tone: "plain", wall: true };
        }
        out.push(line);
      });
    }
  }
  return out;
}

/** Return true while an attack is under way, from its request to its judgement. */
export function attackUnderWay(view: View | null): boolean {
  return (
    !!view &&
    [...view.stage, ...(view.resolving ? [view.resolving] : [])].some((item) =>
      ["attack", "block", "judgement"].includes(rules.stepOf(item.action)),
    )
  );
}
