// Decorations of the table in play: marks, strokes, pending damage.
import type { Stroke } from "./Strokes.svelte";
import type { Marks } from "./marks";
import type { Draft } from "../core/draft.svelte";
import { draftStrokes, combatStrokes, placeOfTarget } from "./fight";
import { t } from "../core/i18n.svelte";
import type { SeatName } from "../core/names";
import type { RequestView, View } from "../core/view";

export function marksOf(draft: Draft, view: View | null): Marks {
  const aimed = new Set<string>();
  if (draft.aimed) aimed.add(draft.aimed);
  for (const one of [...(view?.stage ?? []), ...(view?.resolving ? [view.resolving] : [])]) {
    if (one.target) aimed.add(placeOfTarget(one.target).replace(/^life:/, "player:"));
  }
  return { offered: draft.offered, chosen: draft.chosen, paid: draft.paid, uses: usesOf(draft), aimed };
}

/** Return the use of every offered place in words, for its name. */
function usesOf(draft: Draft): Map<string, string> {
  const uses = new Map<string, string>();
  for (const place of draft.offered) {
    if (draft.doing === "attack" || (draft.doing === "action" && draft.canAttack && draft.upright.includes(place)))
      uses.set(place, t("can_attack"));
    else if (draft.doing === "block") {
      if (!place.startsWith(`unit:${draft.rival}:`)) uses.set(place, t("can_block"));
    } else if (draft.doing !== "wait") uses.set(place, t(draft.doing === "action" ? "can_use" : "can_choose"));
  }
  return uses;
}

/** Return the strokes of the current or drafted combat and of requests' targets. */
export function strokesOf(draft: Draft, view: View | null): Stroke[] {
  if (!view) return [];
  const out = fightOf(draft, view);
  // requests overlap: a targeted request is crossed out, because an arrow to it would be unreadable
  const aim = (from: string, one: RequestView, tone: "aim" | "later"): void => {
    if (one.target && one.target.kind !== "request") out.push({ from, to: placeOfTarget(one.target), tone });
  };
  view.stage.forEach((one, n) =>
    aim(`stage:${n + 1}`, one, n === view.stage.length - 1 && !view.resolving ? "aim" : "later"),
  );
  if (view.resolving) aim("stage:0", view.resolving, "aim");
  const key = draft.taken.find((one) => one.kind === "key");
  if (draft.aimed && key) out.push({ from: key.place, to: draft.aimed.replace(/^player:/, "life:"), tone: "plan" });
  return out;
}

function fightOf(draft: Draft, view: View): Stroke[] {
  const { attackers, clashes } = draft.battle;
  if (draft.doing === "attack") return draftStrokes(attackers.length ? clashes : [], draft.you, true);
  return draft.doing === "block" ? draftStrokes(clashes, draft.you, false) : combatStrokes(view);
}

/** Return the pending damage, as far as it may be known. */
export function pendingOf(draft: Draft, view: View | null): Partial<Record<SeatName, number>> {
  if (draft.doing === "block") return { [draft.you]: draft.battle.damage[draft.you] ?? 0 };
  const hurt = (draft.room.ask?.results ?? []).find((one) => one.kind === "damage");
  if (hurt) return { [hurt.location.slice(7)]: hurt.number ?? 0 };
  if (draft.doing === "attack" && draft.battle.attackers.length && typeof view?.[draft.rival].life === "number")
    return { [draft.rival]: draft.battle.damage[draft.rival] ?? 0 };
  return {};
}
