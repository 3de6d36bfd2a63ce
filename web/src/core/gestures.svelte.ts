// Pointer gestures on the table: hold or hover to inspect, drag as a shortcut for two taps.

const HOVER_MS = 350;
const HOLD_MS = 400;
/** a pointer that moved this far is dragging */
const SLIP = 12;

export interface Drag {
  from: string;
  x0: number;
  y0: number;
  x: number;
  y: number;
  /** the place under the pointer */
  over: string;
}

function placeAt(element: Element | null): string {
  const found = element?.closest<HTMLElement>("[data-place], [data-stage], [data-action]");
  if (!found) return "";
  return (
    found.dataset.place ??
    (found.dataset.stage ? `stage:${found.dataset.stage}` : `action:${(found.dataset.action ?? "").replace(/@$/, "")}`)
  );
}

export class Gestures {
  drag = $state.raw<Drag | null>(null);
  /** the place inspected while the mouse rests on it */
  hover = $state("");
  private timer = 0;
  private down: { place: string; x: number; y: number; id: number } | null = null;
  private swallow = false;

  constructor(
    readonly onzoom: (place: string) => void,
    readonly ondrop: (from: string, to: string) => void,
    readonly canDrag: (place: string) => boolean,
  ) {}

  /** Add the listeners; return a function that removes them. */
  attach(root: HTMLElement): () => void {
    const on = (name: string, what: (event: PointerEvent) => void): (() => void) => {
      root.addEventListener(name, what as EventListener);
      return () => root.removeEventListener(name, what as EventListener);
    };
    const click = (event: MouseEvent): void => {
      if (!this.swallow) return;
      this.swallow = false;
      event.stopPropagation();
      event.preventDefault();
    };
    root.addEventListener("click", click, true);
    const menu = (event: Event): void => {
      if (this.down) event.preventDefault();
    };
    root.addEventListener("contextmenu", menu);
    const stops = [
      on("pointerdown", this.press),
      on("pointermove", this.move),
      on("pointerup", this.lift),
      on("pointercancel", this.drop),
      on("pointerleave", this.leave),
    ];
    return () => {
      clearTimeout(this.timer);
      stops.forEach((stop) => stop());
      root.removeEventListener("click", click, true);
      root.removeEventListener("contextmenu", menu);
    };
  }

  private press = (event: PointerEvent): void => {
    this.swallow = false;
    clearTimeout(this.timer);
    if (event.button !== 0 || !event.isPrimary) return;
    const place = placeAt(event.target as Element);
    if (!place) return;
    this.down = { place, x: event.clientX, y: event.clientY, id: event.pointerId };
    if (event.pointerType === "mouse") return;
    // On a busy phone the timer can fire before earlier movements are delivered with the next frame, so the hold is
    // checked after that frame.
    const down = this.down;
    this.timer = window.setTimeout(
      () =>
        requestAnimationFrame(() => {
          if (this.down !== down || this.drag) return;
          this.swallow = true; // the hold inspected the place: ignore the click that follows
          this.down = null;
          this.onzoom(place);
        }),
      HOLD_MS,
    );
  };

  private move = (event: PointerEvent): void => {
    const down = this.down;
    if (down) {
      if (!this.drag) {
        if (Math.hypot(event.clientX - down.x, event.clientY - down.y) < SLIP) return;
        clearTimeout(this.timer);
        if (!this.canDrag(down.place)) {
          this.down = null;
          return;
        }
        (event.currentTarget as HTMLElement).setPointerCapture(down.id);
      }
      const over = placeAt(document.elementFromPoint(event.clientX, event.clientY));
      this.drag = { from: down.place, x0: down.x, y0: down.y, x: event.clientX, y: event.clientY, over };
      return;
    }
    if (event.pointerType !== "mouse") return;
    const place = placeAt(event.target as Element);
    if (place === this.hover) return;
    clearTimeout(this.timer);
    if (!place) this.timer = window.setTimeout(() => (this.hover = ""), 250);
    else this.timer = window.setTimeout(() => (this.hover = place), HOVER_MS);
  };

  private lift = (event: PointerEvent): void => {
    clearTimeout(this.timer);
    const drag = this.drag;
    this.down = null;
    this.drag = null;
    if (!drag) return;
    this.swallow = true;
    const over = placeAt(document.elementFromPoint(event.clientX, event.clientY));
    if (over !== drag.from) this.ondrop(drag.from, over);
    setTimeout(() => (this.swallow = false), 50);
  };

  private drop = (): void => {
    clearTimeout(this.timer);
    this.down = null;
    this.drag = null;
  };

  private leave = (): void => {
    clearTimeout(this.timer);
    this.hover = "";
  };
}
