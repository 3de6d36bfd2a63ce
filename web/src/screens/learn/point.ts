import { layout } from "../../core/layout.svelte";

const kindOf = (place: string): string => place.split(":")[0] ?? "";

// Return the selector of a place in a lesson: "life:p1", "card:S7", "unit:p1:b1", "do:end", "stage".
export function selectorOf(place: string): string {
  const rest = place.slice(place.indexOf(":") + 1);
  switch (kindOf(place)) {
    case "life":
      return `[data-pile="${rest}:life"]${layout.tall || layout.low ? " .art" : ""}`; // on a phone the life total is beside other numbers
    case "grave":
      return `[data-pile="${rest}:grave"]`;
    case "card":
      return `[data-zone="hand"] [data-card="${rest}"]`;
    case "unit":
      return `[data-place="${place}"], [data-place="${place}"] :is(.plate, .seal)`; // tags extend beyond the card's edge
    case "bulwarks":
    case "soldiers":
      return `[data-zone="${rest}-${kindOf(place)}"] > *`;
    case "trumps":
    case "pack":
      return `[data-zone="${rest}-piles"] .extras`;
    case "do":
      return `.dock [data-do="${rest}"]`;
    case "dock":
      return ".dock";
    case "hand":
      return '[data-zone="hand"] [data-place]';
    default:
      return '[data-zone="stage"] .item, [data-zone="stage"] .item .state';
  }
}

/** Return the bounding box of a place in window pixels, or null if it is not visible. */
export function boxOf(place: string): { x: number; y: number; width: number; height: number } | null {
  if (place === "hand" && document.querySelector('[data-zone="hand"] [aria-pressed="true"]')) return null; // a card is selected
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const element of document.querySelectorAll(selectorOf(place))) {
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    left = Math.min(left, box.left);
    top = Math.min(top, box.top);
    right = Math.max(right, box.right);
    bottom = Math.max(bottom, box.bottom);
  }
  // on a phone the sheet covers the lower part of the hand
  const sheet =
    layout.tall && ["hand", "card"].includes(kindOf(place))
      ? document.querySelector(".palette")?.getBoundingClientRect().top
      : undefined;
  if (sheet !== undefined && top < sheet - 20) bottom = Math.min(bottom, sheet - 8);
  return right > left ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}
