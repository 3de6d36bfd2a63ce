// Focus on the board: arrow keys within and between zones, one tab stop per zone of cards.

/** the zone of the last focus; the element itself may be gone after a tap */
let last = "hand";

function controls(zone: HTMLElement): HTMLElement[] {
  return [...zone.querySelectorAll<HTMLElement>("button, summary")].filter(
    (one) => one.offsetParent !== null && !(one as HTMLButtonElement).disabled,
  );
}
function zonesOf(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>("[data-zone]")].filter((zone) => controls(zone).length > 0);
}
/** Return the control of a zone that had the focus last. */
function entryOf(zone: HTMLElement): HTMLElement | undefined {
  const all = controls(zone);
  return all.find((one) => one.tabIndex === 0) ?? all[0];
}

/** Move the focus: left and right within a zone, up and down between zones, Home and End to the ends of a zone. */
export function moveFocus(element: HTMLElement, key: string, target: HTMLElement): void {
  const zones = zonesOf(element);
  const zone = target.closest<HTMLElement>("[data-zone]");
  if (!zone) {
    const back = zones.find((one) => one.dataset.zone === last) ?? zones[0];
    if (back) entryOf(back)?.focus();
    return;
  }
  if (key !== "ArrowUp" && key !== "ArrowDown") {
    const all = controls(zone);
    const flip = zone.classList.contains("reverse") ? -1 : 1;
    const step = key === "ArrowRight" ? flip : -flip;
    const from = all.indexOf(target);
    const to = key === "Home" ? 0 : key === "End" ? all.length - 1 : from < 0 ? (step > 0 ? 0 : -1) : from + step;
    all[(to + all.length) % all.length]?.focus();
    return;
  }
  const sorted = zones.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top);
  const at = sorted.indexOf(zone) + (key === "ArrowDown" ? 1 : -1);
  const next = sorted[(at + sorted.length) % sorted.length];
  if (!next) return;
  last = next.dataset.zone ?? last;
  entryOf(next)?.focus();
}

/** Move the focus to the first of these zones that has a control, from its last one to the next if it is there already. */
export function focusZone(element: HTMLElement, names: string[]): void {
  const zones = names.flatMap((name) => zonesOf(element).filter((zone) => zone.dataset.zone === name));
  const at = zones.findIndex((zone) => zone.contains(document.activeElement));
  const zone = zones[(at + 1) % zones.length];
  if (!zone) return;
  last = zone.dataset.zone ?? last;
  entryOf(zone)?.focus();
}

/**
 * Keep one tab stop in every toolbar of the element, the control that had the focus last. The options and the main
 * buttons are no toolbar: Tab and Enter alone are enough to play.
 */
export function roving(element: HTMLElement): () => void {
  const update = (): void => {
    for (const zone of element.querySelectorAll<HTMLElement>("[role=toolbar][data-zone]")) {
      const all = controls(zone);
      const focused = all.find((one) => one === document.activeElement);
      const stop = focused ?? all.find((one) => one.getAttribute("tabindex") === "0") ?? all[0];
      for (const one of all) {
        const wanted = one === stop ? "0" : "-1";
        if (one.getAttribute("tabindex") !== wanted) one.setAttribute("tabindex", wanted);
      }
    }
  };
  const watch = new MutationObserver(update);
  watch.observe(element, { childList: true, subtree: true });
  element.addEventListener("focusin", update);
  update();
  return () => {
    watch.disconnect();
    element.removeEventListener("focusin", update);
  };
}

/**
 * Move the focus to a new prompt. A chance takes it only from a pile, which Enter would open again, and from an element
 * that is gone; a question always, except from an open dialog or a text field.
 */
export function focusPrompt(element: HTMLElement, question: boolean): void {
  const now = document.activeElement;
  if (document.querySelector("dialog[open]") || now?.matches("input, textarea, select")) return;
  if (!question && now !== document.body && !now?.closest("[data-pile]")) return;
  element.querySelector<HTMLElement>(".palette")?.focus({ preventScroll: true });
}
