// A scene: the animation of one group of events.
import type { EventView as GameEvent } from "../core/protocol";
import type { SeatName } from "../core/names";
import type { View } from "../core/view";
import type { SoundName } from "../sound/sound";
import type { Actors } from "./dom_actors";
import type { Timeline } from "./timeline";

export interface Scene {
  timeline: Timeline;
  actors: Actors;
  /** events of one kind that happen together */
  events: GameEvent[];
  /** the events after these in the same update */
  rest: GameEvent[];
  /** the events are part of the cost of a request */
  paid: boolean;
  /** the board on screen */
  readonly view: View;
  /** the engine's view after the update */
  goal: View;
  /** update the board with these events */
  apply: () => Promise<void>;
  /** override a life total while cards leave; null removes the override */
  count: (seat: SeatName, life: number | "10+" | null) => void;
  /** `seat`: the side the sound comes from */
  sound: (name: SoundName, pitch?: number, seat?: SeatName) => void;
}

export type Kind = GameEvent["event"];

export const MOVE = 280;

/** Hide an element until its card has arrived. */
export function unseen(timeline: Timeline, element: Element | null | undefined, ms: number): void {
  void (timeline.reduced
    ? timeline.play(element, [{ opacity: 0 }, { opacity: 1 }], 160)
    : timeline.play(element, [{ opacity: 0 }, { opacity: 0 }], ms));
}

export const all = (list: Promise<void>[]): Promise<void> => Promise.all(list).then(() => undefined);
