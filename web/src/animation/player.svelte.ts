// The event player: shows events one after the other. The page renders `view`, which is never ahead of the event being
// shown and ends as the engine's own view.
import { tick } from "svelte";
import type { Batch, BoardPlayer } from "../core/board_player";
import type { SeatName } from "../core/names";
import type { EventView as GameEvent } from "../core/protocol";
import { settings } from "../core/settings.svelte";
import type { View } from "../core/view";
import { sound } from "../sound/sound";
import { Actors } from "./dom_actors";
import { beforeDeal, reduceEvent } from "./reducer";
import { Timeline } from "./timeline";
import { lengthOf, play, TOGETHER } from "./scenes";
import { HEAVY } from "./damage_scene";

export type Speed = "instant" | "fast" | "normal" | "slow";
export const SPEEDS: Speed[] = ["instant", "fast", "normal", "slow"];
const RATE: Record<Speed, number> = { instant: Infinity, fast: 1.8, normal: 1, slow: 0.6 };
/** longest delay of a pending answer, unless heavy damage is shown */
export const MOST_WAIT = 1500;
const MOST_BLOW = 3600;
const mostWait = (batches: Batch[]): number =>
  batches.some((batch) => batch.events.some((event) => event.event === "damaged" && (event.count ?? 0) >= HEAVY))
    ? MOST_BLOW
    : MOST_WAIT;
/** longer batches play faster; a longer backlog is not shown in full */
const LONG_BATCH = 2500;
const LONG_BACKLOG = 4000;
/** longer batches are not shown at all; the recap lists their events */
const SKIP_ABOVE_MS = 12_000;
const BEAT = 60;
/** pause at the first sight of an opponent's action, in the guided game */
const FIRST_SIGHT_MS = 1400;
/** a backlog that is too long continues from the last of these events */
const WORTH = new Set<GameEvent["event"]>(["turn", "damaged"]);
const QUIET = new Set<GameEvent["event"]>(["passed", "raised", "staged", "resolving", "declared", "turn"]);

/** Return the events in groups that are shown together. */
function groups(events: GameEvent[]): GameEvent[][] {
  const out: GameEvent[][] = [];
  for (const event of events) {
    const last = out.at(-1);
    const kind = last?.[0]?.event;
    if (
      last &&
      ((kind === event.event && TOGETHER.has(kind)) ||
        (kind === "attacked" && event.event === "drove" && last.at(-1)?.unit === event.unit))
    )
      last.push(event);
    else out.push([event]);
  }
  return out;
}
const wide = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : null;
export const reducedMotion = (): boolean => settings.motion === "reduced" || (wide?.matches ?? false);

/** Return the stereo position of a seat: left, right, or the middle. */
const sideOf = (actors: Actors, seat?: SeatName): number =>
  seat === undefined ? 0 : seat === actors.near ? 0.45 : -0.45;
/** Return true if the batch has anything to show. */
const isVisible = (batch: Batch): boolean => batch.events.length > 0 && batch.view !== null;

export class Player implements BoardPlayer {
  /** the view that the page renders */
  view = $state.raw<View | null>(null);
  busy = $state(false);
  /** the last blow is playing: no prompt is shown any more */
  ending = $state(false);
  /** life totals on screen while cards are leaving */
  life = $state.raw<Partial<Record<SeatName, number | "10+">>>({});
  /** seq of the first move that was not shown, because the page was hidden or too much happened at once */
  missed = $state<number | null>(null);
  /** speed that replaces the setting, e.g. in a replay */
  pace: number | null = null;
  /** actions of the opponent that have been shown, where the first sight of each pauses; null: without pauses */
  sights: Set<string> | null = null;

  private queue: Batch[] = [];
  /** the batch that is playing */
  private now: Batch | null = null;
  private actors: Actors | null = null;
  private timeline: Timeline | null = null;
  private working = false;
  /** number of queued batches, the current one included, that are shown instantly */
  private hurried = 0;
  private deadline = 0;
  /** incremented when the queue is discarded */
  private generation = 0;

  attach(root: HTMLElement, near: SeatName): () => void {
    const actors = new Actors(root);
    actors.near = near;
    this.actors = actors;
    document.addEventListener("visibilitychange", this.onVisibilityChange);
    return () => {
      document.removeEventListener("visibilitychange", this.onVisibilityChange);
      actors.close();
      if (this.actors === actors) {
        this.actors = null;
        this.finish();
      }
    };
  }
  turnTable(near: SeatName): void {
    if (this.actors) this.actors.near = near;
  }

  private onVisibilityChange = (): void => {
    if (document.hidden) this.finish();
  };
  private get speed(): number {
    return this.pace ?? RATE[settings.speed];
  }
  private get instant(): boolean {
    return !this.actors || document.hidden || this.speed === Infinity;
  }

  /** Add a batch to the queue; it is applied at once if there is nothing to show. */
  push(batch: Batch): void {
    const skipped = this.skips(batch);
    if (skipped) this.missed ??= batch.since;
    const deal = batch.opening && isVisible(batch) && !document.hidden && this.speed !== Infinity;
    const hidden = !deal && (skipped || this.instant);
    if (!this.working && (hidden || !isVisible(batch))) {
      this.settle(batch);
      return;
    }
    this.queue.push(batch);
    if (batch.view?.over) this.ending = true;
    const left = this.queue.reduce((sum, one) => sum + this.length(one), 0);
    if (this.timeline) this.timeline.rate = this.rate(this.queue);
    if (batch.due) {
      clearTimeout(this.deadline);
      const waiting = this.queue.concat(this.now ?? []);
      const pauses = waiting.reduce((sum, one) => sum + this.newSights(one).size * FIRST_SIGHT_MS, 0);
      this.deadline = window.setTimeout(() => this.finish(), mostWait(waiting) + pauses);
    } else if (left > LONG_BACKLOG) this.catchUp();
    if (hidden) this.finish();
    if (!this.working) void this.work();
  }
  /** Return true if the page is hidden or the batch is too long to be followed. */
  private skips(batch: Batch): boolean {
    return batch.events.length > 0 && this.actors !== null && (document.hidden || this.length(batch) > SKIP_ABOVE_MS);
  }

  /** Apply everything in the queue at once. */
  finish(): void {
    this.hurried = this.queue.length + (this.working ? 1 : 0);
    this.timeline?.finish();
  }
  /** Discard the queue. */
  clear(): void {
    this.queue = [];
    this.generation++;
    this.finish();
  }
  /** Show a position out of order, e.g. after a jump in a replay. */
  jump(view: View | null): void {
    this.clear();
    this.view = view;
    this.life = {};
  }

  /** Skip a backlog that is too long up to its last important event. */
  private catchUp(): void {
    const last = this.queue.findLastIndex((batch) => batch.due || batch.events.some((event) => WORTH.has(event.event)));
    if (last <= 0) return;
    this.hurried = Math.max(this.hurried, last + (this.working ? 1 : 0));
    this.timeline?.finish();
  }
  private rate(waiting: Batch[]): number {
    const left = waiting.reduce((sum, one) => sum + this.length(one), 0);
    const due = waiting.some((batch) => batch.due);
    const hurry = due ? Math.min(3, Math.max(1, left / (mostWait(waiting) * 0.9))) : left > LONG_BATCH ? 1.6 : 1;
    return this.speed * hurry;
  }
  /** Return the actions that the opponent puts on the stage in a batch for the first time. */
  private newSights(batch: Batch): Set<string> {
    const out = new Set<string>();
    for (const event of batch.events)
      if (this.sights && event.event === "staged" && event.action && event.player !== this.actors?.near)
        if (!this.sights.has(event.action)) out.add(event.action);
    return out;
  }
  /** Pause after the first sight of an action. */
  private async pauseAt(timeline: Timeline, event: GameEvent | undefined): Promise<void> {
    if (event?.event !== "staged" || !event.action || event.player === this.actors?.near) return;
    if (!this.sights || this.sights.has(event.action)) return;
    this.sights.add(event.action);
    if (!timeline.cut) void this.actors?.ring(timeline, this.actors.box(this.actors.request(event.request), 60), "ai");
    await timeline.wait(FIRST_SIGHT_MS * timeline.rate);
  }
  private length(batch: Batch): number {
    return groups(batch.events).reduce((ms, group) => ms + lengthOf(group), 0) / this.speed;
  }

  /** Show the engine's view, with everything that belongs to it. */
  private settle(batch: Batch): void {
    for (const event of batch.events) this.notify(event);
    if (batch.view) this.view = batch.view;
    this.life = {};
    batch.done();
  }
  /** Dispatch a `played` event for listeners at the table. */
  private notify(event: GameEvent): void {
    this.actors?.root.dispatchEvent(new CustomEvent("played", { detail: event, bubbles: true }));
  }

  private async work(): Promise<void> {
    this.working = this.busy = true;
    this.actors?.root.setAttribute("data-playing", "");
    for (let batch = this.queue.shift(); batch; batch = this.queue.shift()) {
      const { generation } = this;
      this.now = batch;
      try {
        await this.playBatch(batch);
      } catch (error) {
        console.error(error); // a failing scene must not stop the game
      }
      if (this.hurried > 0) this.hurried--;
      if (generation !== this.generation) continue; // discarded while it played
      if (batch.due) clearTimeout(this.deadline);
      if (batch.view) this.view = batch.view;
      this.life = {};
      this.busy = this.queue.length > 0;
      batch.done();
    }
    this.timeline = this.now = null;
    this.ending = false;
    this.working = this.busy = false;
    this.actors?.root.removeAttribute("data-playing");
    this.actors?.root.removeAttribute("data-last-blow");
    this.actors?.layer.querySelectorAll(".last-dark").forEach((node) => node.remove());
  }

  private async playBatch(batch: Batch): Promise<void> {
    const goal = batch.view;
    if (!goal) return;
    const timeline = new Timeline();
    this.timeline = timeline;
    timeline.reduced = reducedMotion();
    if (batch.opening && batch.events.length) {
      this.view = beforeDeal(goal, batch.events);
      // the table is mounted after the view is set
      for (let tries = 0; tries < 10 && !this.actors; tries++) await timeline.wait(30 * this.speed);
      await tick();
    }
    const { actors } = this;
    const parts = groups(batch.events);
    timeline.rate = this.rate([batch, ...this.queue]);
    if (this.hurried > 0 || this.instant || !this.view) timeline.cut = true;
    let at = 0;
    let paid = false;
    for (const group of parts) {
      for (const event of group) this.notify(event);
      const first = group[0]?.event;
      if (first === "declared") paid = true;
      else if (first === "staged" || first === "resolving" || first === "turn") paid = false;
      const from = at;
      at += group.length;
      if (timeline.cut || !actors) {
        // no animation: only the final view is shown
        continue;
      }
      let followed = false;
      const player = this;
      const apply = async (): Promise<void> => {
        if (followed) return;
        followed = true;
        await this.applyChange(timeline, actors, (view) =>
          group.reduce((now, _, n) => reduceEvent(now, batch.events, from + n, goal), view),
        );
      };
      await play({
        timeline,
        actors,
        events: group,
        rest: batch.events.slice(at),
        paid,
        get view() {
          return player.view ?? goal;
        },
        goal,
        apply,
        count: (seat, life) => this.count(seat, life),
        sound: (name, pitch = 0, seat) => {
          if (!timeline.cut) sound(name, pitch, sideOf(actors, seat ?? group[0]?.player));
        },
      });
      await apply();
      if (first && !QUIET.has(first)) await timeline.wait(BEAT);
      await this.pauseAt(timeline, group[0]);
    }
  }

  /** Override a life total while cards fly; null removes the override. */
  private count(seat: SeatName, life: number | "10+" | null): void {
    const next = { ...this.life };
    if (life === null) delete next[seat];
    else next[seat] = life;
    this.life = next;
  }

  /** Update the board; elements that moved glide to their new place. */
  private async applyChange(timeline: Timeline, actors: Actors, change: (view: View) => View): Promise<void> {
    if (!this.view) return;
    const next = change(this.view);
    if (next === this.view) return;
    if (timeline.cut) {
      this.view = next;
      return;
    }
    const before = new Map([...actors.named()].map(([name, element]) => [name, element.getBoundingClientRect()]));
    this.view = next;
    await tick();
    if (timeline.reduced) return;
    for (const [name, element] of actors.named()) {
      const old = before.get(name);
      const now = element.getBoundingClientRect();
      if (!old?.width || !now.width) continue;
      const x = old.left + old.width / 2 - now.left - now.width / 2;
      const y = old.top + old.height / 2 - now.top - now.height / 2;
      if (Math.abs(x) + Math.abs(y) > 2)
        void timeline.play(element, [{ translate: `${x}px ${y}px` }, { translate: "0px 0px" }], 240, "both");
    }
  }
}
