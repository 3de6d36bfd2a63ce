// Ignores taps on a new prompt for a moment: they were meant for what was there before.
import type { Draft } from "./draft.svelte";
import { DEAD_MS } from "./draft_types";

const NO_TAP = { x: -999, y: -999, at: -DEAD_MS };
/** taps closer than this have the same target */
const NEAR = 60;

function near(one: { x: number; y: number }, other: { x: number; y: number }): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) < NEAR;
}
function stop(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}

export class TapGuard {
  private last = NO_TAP;
  /** the last tap before the current prompt; reset by a tap elsewhere, which shows that the prompt was seen */
  private tapBeforePrompt = NO_TAP;
  /** a tap that skipped an animation has no other effect */
  private skipped = false;

  constructor(readonly draft: Draft) {}

  press = (event: PointerEvent): void => {
    const { player } = this.draft.room;
    const target = event.target as Element;
    this.skipped = player.busy && target.closest(".board") !== null && target.closest(".top") === null;
    if (this.skipped) player.finish();
    if (this.last.at <= this.draft.shownAt) this.tapBeforePrompt = this.last;
    else if (!near(this.last, this.tapBeforePrompt)) this.tapBeforePrompt = NO_TAP;
    this.last = { x: event.clientX, y: event.clientY, at: performance.now() };
  };

  guard = (event: MouseEvent): void => {
    if (event.detail === 0) return; // keyboard
    if (this.skipped) {
      this.skipped = false;
      return stop(event);
    }
    const button = (event.target as Element).closest(".dock button, .palette button");
    const { shownAt } = this.draft;
    if (
      button &&
      near(this.last, this.tapBeforePrompt) &&
      this.tapBeforePrompt.at <= shownAt &&
      performance.now() - shownAt < DEAD_MS
    )
      stop(event);
  };
}
