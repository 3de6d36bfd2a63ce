// Types of a view, from the generated protocol, and the view that an update leads to.
import type { SideView, Update, View } from "./protocol";

export type { BulwarkView, Location, RequestView, SideView, SoldierView, TrumpView, View } from "./protocol";

/** Return the whole view after an update: its own, or the last one with its changes. */
export function wholeView(update: Update, last: View | null): View | null {
  if (update.view || !update.view_changes || !last) return update.view ?? null;
  const changed: View & Record<string, unknown> = { ...last };
  for (const [path, value] of Object.entries(update.view_changes)) {
    const [side, field] = path.split(".");
    if (field && (side === "p1" || side === "p2")) changed[side] = { ...changed[side], [field]: value } as SideView;
    else changed[path] = value;
  }
  return changed;
}
