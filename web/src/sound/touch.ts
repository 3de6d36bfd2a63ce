// The answer to a touch: a sound and, where the device can, a vibration, in the handler of the pointer event itself. The
// tilt of a pressed card is in app.css. With reduced motion nothing vibrates.
import { settings } from "../core/settings.svelte";
import { sound, type SoundName } from "./sound";

type Touch = "lift" | "drag" | "snap" | "confirm" | "refuse" | "solved" | "learned" | "click";
/** vibration and pause in ms */
const BUZZ: Record<Touch, number[]> = {
  lift: [8],
  drag: [],
  snap: [14],
  confirm: [10, 30, 16],
  refuse: [28, 40, 28],
  solved: [20, 60, 20, 60, 40],
  learned: [20, 60, 30],
  click: [6],
};
/** a pointer that moved this far is dragging, as in core/gestures; then a rustle every so often */
const SLIP = 12;
const RUSTLE = 110;

const still = (): boolean => settings.motion === "reduced" || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Answer a touch; `pan`: the side of the screen. */
export function touch(kind: Touch, pan = 0): void {
  sound(kind satisfies SoundName, 0, pan);
  if (BUZZ[kind].length && !still() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ[kind]);
}

const sideOf = (x: number): number => Math.max(-0.5, Math.min(0.5, x / innerWidth - 0.5));
const placeAt = (target: EventTarget | null): Element | null =>
  target instanceof Element ? target.closest("[data-place]") : null;

let down: { place: Element; x: number; y: number; moved: number; dragging: boolean } | null = null;

function press(event: PointerEvent): void {
  down = null;
  if (event.button !== 0 || !event.isPrimary || !(event.target instanceof Element)) return;
  const pan = sideOf(event.clientX);
  const place = placeAt(event.target);
  if (place) {
    down = { place, x: event.clientX, y: event.clientY, moved: 0, dragging: false };
    touch("lift", pan);
    return;
  }
  const button = event.target.closest<HTMLButtonElement>("button, a.button");
  if (!button || button.disabled) return;
  touch(button.matches("[data-do=confirm], [data-do=start], .main") ? "confirm" : "click", pan);
}

function move(event: PointerEvent): void {
  if (!down) return;
  const way = Math.hypot(event.clientX - down.x, event.clientY - down.y);
  if (way < (down.dragging ? down.moved + RUSTLE : SLIP)) return;
  down.moved = way;
  down.dragging = true;
  touch("drag", sideOf(event.clientX));
}

function release(event: PointerEvent): void {
  const dropped = down?.dragging ? down.place : null;
  down = null;
  if (!dropped) return;
  const over = placeAt(document.elementFromPoint(event.clientX, event.clientY));
  touch(over && over !== dropped ? "snap" : "lift", sideOf(event.clientX));
}

/** A place that offers nothing now was chosen. */
function choose(event: MouseEvent): void {
  const place = placeAt(event.target);
  if (place?.getAttribute("aria-disabled") === "true") touch("refuse", sideOf(event.clientX));
}

addEventListener("pointerdown", press, { capture: true, passive: true });
addEventListener("pointermove", move, { capture: true, passive: true });
addEventListener("pointerup", release, { capture: true, passive: true });
addEventListener("pointercancel", () => (down = null), { capture: true, passive: true });
addEventListener("click", choose, { passive: true });
