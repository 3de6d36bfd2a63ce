// The part of the animation player (animation/player) that a room and its screens use.
import type { SeatName } from "./names";
import type { EventView as GameEvent } from "./protocol";
import type { View } from "./view";

/** Events to show, with the view they lead to. */
export interface Batch {
  events: GameEvent[];
  /** the engine's view afterwards */
  view: View | null;
  /** a prompt for this client follows: it must not be delayed for long */
  due: boolean;
  /** the last move that was known before these events */
  since: number;
  /** the beginning of a game: the board before the deal is shown first */
  opening?: boolean;
  /** shows what belongs to the last position: the prompt, the log, the result */
  done: () => void;
}

export interface BoardPlayer {
  /** the board on screen */
  readonly view: View | null;
  readonly busy: boolean;
  /** the last blow of the game is playing: no prompt is shown any more */
  readonly ending: boolean;
  /** life totals on screen while cards are leaving */
  readonly life: Partial<Record<SeatName, number | "10+">>;
  /** the first move whose events were not shown, or null */
  missed: number | null;
  /** actions of the opponent that have been shown, where the first sight of each pauses; null: without pauses */
  sights: Set<string> | null;
  attach(root: HTMLElement, near: SeatName): () => void;
  push(batch: Batch): void;
  finish(): void;
  clear(): void;
}
