// A timeline that can be sped up and cut short. All waits and animations of a scene run on it.
export const EASE = {
  out: "cubic-bezier(0.16, 0.84, 0.3, 1)",
  in: "cubic-bezier(0.6, 0, 0.9, 0.4)",
  both: "cubic-bezier(0.6, 0, 0.2, 1)",
  strike: "cubic-bezier(0.7, -0.35, 0.9, 0.6)",
  settle: "cubic-bezier(0.2, 1.35, 0.4, 1)",
  even: "linear", // for text: fades quickly and stays readable in between
} as const;
export type Ease = keyof typeof EASE;

/** Return the keyframe without movement, for reduced motion. */
function still(frame: Keyframe): Keyframe {
  return frame.opacity === undefined ? {} : { opacity: frame.opacity, offset: frame.offset ?? null };
}

export class Timeline {
  /** speed factor */
  rate = 1;
  reduced = false;
  /** all remaining animations take no time */
  cut = false;
  private live = new Set<Animation>();
  private sleepers = new Set<() => void>();

  /** Play an animation of transforms and opacity. */
  async play(
    element: Element | null | undefined,
    frames: Keyframe[],
    ms: number,
    ease: Ease = "out",
    delay = 0,
    fill: FillMode = "backwards",
  ): Promise<void> {
    if (this.cut || !element?.isConnected) return;
    const shown = this.reduced ? frames.map(still) : frames;
    if (shown.every((frame) => Object.keys(frame).length === 0)) return;
    const animation = element.animate(shown, {
      duration: ms / this.rate,
      delay: delay / this.rate,
      easing: EASE[ease],
      fill,
    });
    this.live.add(animation);
    try {
      await animation.finished;
    } catch {
      // cancelled because the element was removed
    }
    this.live.delete(animation);
  }

  wait(ms: number): Promise<void> {
    if (this.cut || ms <= 0) return Promise.resolve();
    return new Promise((done) => {
      const end = (): void => {
        clearTimeout(timer);
        this.sleepers.delete(end);
        done();
      };
      const timer = setTimeout(end, ms / this.rate);
      this.sleepers.add(end);
    });
  }

  finish(): void {
    this.cut = true;
    for (const animation of this.live) {
      try {
        animation.finish();
      } catch {
        animation.cancel();
      }
    }
    for (const end of [...this.sleepers]) end();
  }
}
