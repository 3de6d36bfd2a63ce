// Focus movement on the board with the arrow keys.

/** the zone of the last focus; the element itself may be gone after a tap */
let last = "hand";

/** Move the focus: left and right within a zone, up and down between zones. */
export function moveFocus(element: HTMLElement, key: string, target: HTMLElement): void {
  const zones = [...element.querySelectorAll<HTMLElement>("[data-zone]")].filter((zone) =>
    zone.querySelector("button"),
  );
  const zone = target.closest<HTMLElement>("[data-zone]");
  const buttons = (box: HTMLElement): HTMLElement[] =>
    [...box.querySelectorAll<HTMLElement>("button, summary")].filter((one) => one.offsetParent !== null);
  if (!zone) {
    buttons(zones.find((one) => one.dataset.zone === last) ?? zones[0] ?? element)[0]?.focus();
    return;
  }
  if (key === "ArrowLeft" || key === "ArrowRight") {
    const all = buttons(zone);
    const flip = zone.classList.contains("reverse") ? -1 : 1;
    const at = all.indexOf(target) + (key === "ArrowRight" ? flip : -flip);
    all[(at + all.length) % all.length]?.focus();
    return;
  }
  const sorted = zones.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
  const at = sorted.indexOf(zone) + (key === "ArrowDown" ? 1 : -1);
  const next = sorted[(at + sorted.length) % sorted.length];
  if (!next) return;
  last = next.dataset.zone ?? last;
  buttons(next)[0]?.focus();
}

/**
 * Move the focus to a new prompt. A chance takes it only from a pile, which Enter would open again; a question always,
 * except from an open dialog or a text field.
 */
export function focusPrompt(element: HTMLElement, question: boolean): void {
  const now = document.activeElement;
  if (document.querySelector("dialog[open]") || now?.matches("input, textarea, select")) return;
  if (!question && !now?.closest("[data-pile]")) return;
  element.querySelector<HTMLElement>(".palette")?.focus({ preventScroll: true });
}
