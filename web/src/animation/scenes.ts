// Animation and sound of each kind of event. A scene shows the event and updates the board at the right moment.
import { t } from "../core/i18n.svelte";
import { other, sign, type SeatName } from "../core/names";
import type { Event as GameEvent } from "../core/protocol";
import { rules } from "../core/rules.svelte";
import type { View } from "../core/view";
import type { SoundName } from "../sound/sound";
import type { Actors, Box } from "./dom_actors";
import { clash } from "./clash";
import { lifeAfter } from "./reducer";
import { EASE, type Timeline } from "./timeline";
import { shake, playDamage, DAMAGE_MS, damageLength } from "./damage_scene";
import { loseTrump, setTrumps, turnTrump } from "./trumps";

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
type Kind = GameEvent["event"];

/** Kinds of events that play together with neighbours of the same kind. */
export const TOGETHER = new Set<Kind>(["attacked", "blocked", "bonus", "buried", "charged", "dealt", "discarded", "drew", "drove", "entered", "flipped", "keys_spent", "shuffled", "trump_set", "turned"]);

/**
 * Approximate length of a kind in ms: [first event, each further one]. Used for the backlog; scenes set their own
 * times.
 */
const LENGTH: Partial<Record<Kind, [number, number]>> = {
  attacked: [520, 90], attached: [320, 320], blocked: [400, 60], bonus: [300, 0], buried: [340, 40], charged: [300, 20], closed: [700, 700], damaged: [500, 0],
  dealt: [280, 60], declared: [140, 140], discarded: [320, 60], drew: [320, 80], dropped: [420, 420], drove: [240, 20], entered: [380, 60], fizzled: [420, 420], flipped: [1100, 0],
  keys_returned: [320, 320], keys_spent: [260, 0], looked: [420, 420], milled: [700, 700], negated: [640, 640], opened: [1500, 1500], pack_opened: [460, 460],
  raised: [100, 100], reordered: [460, 460], resolving: [260, 260], retargeted: [340, 340], returned: [360, 360], revealed: [700, 700], shuffled: [480, 0],
  staged: [240, 240], sunk: [360, 360], took: [900, 900], topped: [360, 360], trump_lost: [800, 800], trump_set: [480, 80], turn: [700, 700], turned: [400, 0], won: [1300, 0],
};
export function lengthOf(events: GameEvent[]): number {
  const first = events[0];
  const [one, more] = (first && LENGTH[first.event]) ?? [0, 0];
  const fallen = (many: number): number => (many >= DAMAGE_MS ? damageLength(many) : many * 90);
  const cards = first?.event === "damaged" ? events.reduce((sum, event) => sum + fallen(event.count ?? 0), 0) : 0;
  return one + more * (events.length - 1) + cards;
}

const MOVE = 280;
/** Hide an element until its card has arrived. */
function unseen(timeline: Timeline, element: Element | null | undefined, ms: number): void {
  void (timeline.reduced ? timeline.play(element, [{ opacity: 0 }, { opacity: 1 }], 160) : timeline.play(element, [{ opacity: 0 }, { opacity: 0 }], ms));
}
const all = (list: Promise<void>[]): Promise<void> => Promise.all(list).then(() => undefined);

async function draw({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const from = new Map(events.map((event) => [event.player, actors.box(actors.life(event.player))]));
  const gap = events.length > 5 ? 55 : 80;
  await apply();
  const flights: Promise<void>[] = [];
  let n = 0;
  for (const event of events) {
    for (let k = 0; k < (event.count ?? 1); k++) {
      const card = event.cards?.[k] ?? null;
      const slot = event.player === actors.near && card ? actors.card(card) : null;
      const delay = n++ * gap;
      unseen(timeline, slot, MOVE + delay);
      sound("paper", n, event.player);
      const to = actors.box(slot) ?? actors.box(actors.hand(event.player), 60);
      flights.push(actors.fly(timeline, slot ? card : null, event.player, from.get(event.player) ?? null, to, { ms: MOVE, delay, flip: slot !== null, lift: 30, fade: !slot }));
    }
  }
  await all(flights);
}

async function damage({ timeline, actors, events, rest, paid, view, goal, apply, count, sound }: Scene): Promise<void> {
  const event = events[0];
  if (!event) return;
  const seat = event.player;
  const many = event.count ?? 0;
  const [from, to] = [actors.box(actors.life(seat)), actors.box(actors.grave(seat))];
  const after = lifeAfter(view[seat].life, seat, many, rest, goal);
  const last = after === 0 && goal.over !== null && goal.over.winner !== seat; // a game can also end by a later effect
  const seen = (n: number): string | null => event.cards?.[n] ?? (n === many - 1 ? (event.top ?? null) : null);
  /** the life total follows the cards that have left */
  const left = (gone: number): void => {
    const now = typeof after === "number" ? after + many - gone : after;
    count(seat, typeof now === "number" && now >= 10 && typeof view[seat].life === "string" ? "10+" : now);
  };
  if (many >= DAMAGE_MS && !paid) {
    await playDamage({ timeline, actors, seat, cards: Array.from({ length: many }, (_, n) => seen(n)), last, left, sound: (name, pitch) => sound(name, pitch, seat) });
  } else {
    if (!paid && many) {
      void actors.words(timeline, from, "hit", `−${many}`, 900);
      void actors.burst(timeline, from);
      sound("taiko", 4, seat);
      if (many > 2) shake(timeline, actors, many);
    }
    const flights: Promise<void>[] = [];
    for (let n = 0; n < many; n++) {
      const slow = last && n === many - 1;
      flights.push(actors.fly(timeline, seen(n), seat, from, to, { ms: slow ? 620 : 240, ease: "in", turn: (n % 3) * 9 - 9, flip: seen(n) !== null, lift: slow ? 70 : 18 }));
      left(n + 1);
      sound("thud", paid ? -6 : -n, seat);
      if (!timeline.reduced) await timeline.wait(slow ? 620 : 90);
    }
    if (timeline.reduced) await timeline.wait(160);
    await all(flights);
  }
  await apply();
  count(seat, null);
  if (last && !paid) {
    sound("taiko");
    await actors.words(timeline, from, "lethal", t("lethal"), 900);
  }
}

async function discard({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const starts = events.map((event) => (event.cards ?? []).map((card) => actors.box(actors.card(card))));
  const hands = events.map((event) => actors.box(actors.hand(event.player), 60));
  await apply();
  const flights: Promise<void>[] = [];
  events.forEach((event, n) => {
    for (let k = 0; k < (event.count ?? 0); k++) {
      const card = event.cards?.[k] ?? (k === 0 ? (event.top ?? null) : null);
      flights.push(actors.fly(timeline, card, event.player, starts[n]?.[k] ?? hands[n] ?? null, actors.box(actors.grave(event.player)), { ms: MOVE, ease: "in", delay: k * 50, turn: 12 }));
      sound("paper", -3, event.player);
    }
  });
  await all(flights);
}

async function stage({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const event = events[0];
  if (!event) return;
  const cards = event.cards ?? [];
  const starts = cards.map((card) => actors.box(actors.card(card)) ?? actors.box(actors.hand(event.player), 60));
  await apply();
  const item = actors.request(event.request);
  if (!cards.length) {
    void timeline.play(item, [{ opacity: 0, translate: "-14px 0px" }, { opacity: 1, translate: "0px 0px" }], 180);
    sound("wood", -4);
    await timeline.wait(80);
    return;
  }
  sound("pluck", event.player === actors.near ? 2 : -2);
  const keys = [...(item?.querySelectorAll(".key") ?? [])];
  await all([
    ...cards.map((card, n) => {
      unseen(timeline, keys[n], MOVE);
      return actors.fly(timeline, card, event.player, starts[n] ?? null, actors.box(keys[n] ?? item, 44), { ms: MOVE, lift: 26, flip: event.player !== actors.near });
    }),
    timeline.play(item, [{ opacity: 0, scale: "1 0.6" }, { opacity: 1, scale: "1 1" }], MOVE, "settle"),
  ]);
  sound("wood");
  await timeline.wait(60);
}

async function raise({ timeline, actors, events, goal, apply, sound }: Scene): Promise<void> {
  const event = events[0];
  await apply();
  const found = [...goal.stage, ...(goal.resolving ? [goal.resolving] : [])].find((one) => one.id === event?.request);
  const source = found?.source ? actors.place(found.source.text.includes(".") ? found.source.text : `${found.controller}.${found.source.text}`) : null;
  if (!source) return;
  sound("bell");
  const from = actors.box(source);
  void actors.ring(timeline, from, "gold", 320);
  await actors.stroke(timeline, from, actors.box(actors.stage()), "gold", 220);
}

function targetBox(actors: Actors, view: View, id: number | null | undefined): Box | null {
  const target = [...view.stage, ...(view.resolving ? [view.resolving] : [])].find((one) => one.id === id)?.target;
  if (!target) return null;
  if (target.kind === "player") return actors.box(actors.life(target.text as SeatName));
  if (target.kind === "request") return actors.box(actors.request(view.stage[Number(target.name) - 1]?.id));
  return actors.box(actors.place(`${target.player ?? ""}.${target.name}`));
}

async function resolve(scene: Scene): Promise<void> {
  const { timeline, actors, events, apply, sound } = scene;
  const event = events[0];
  if (!event) return;
  await apply();
  const item = actors.request(event.request);
  if (event.action && rules.stepOf(event.action) === "judgement") {
    await clash(scene);
    return;
  }
  const aimed = targetBox(actors, scene.view, event.request);
  const swell = timeline.play(item, [{ scale: "1" }, { scale: "1.06" }, { scale: "1" }], 320);
  if (!aimed && !event.cards?.length) {
    await timeline.wait(60); // the automatic draw of a turn
    return;
  }
  sound("pluck", event.player === actors.near ? 5 : -5);
  if (aimed) {
    void actors.stroke(timeline, actors.box(item, 60), aimed, event.player === actors.near ? "gold" : "ai", 260, 60);
    void actors.ring(timeline, aimed, event.player === actors.near ? "gold" : "ai", 420, 180);
  }
  await swell;
  await timeline.wait(120);
}

async function keys({ timeline, actors, events, apply, sound }: Scene, to: (event: GameEvent) => Box | null): Promise<void> {
  const starts = events.map((event) => {
    const item = actors.request(event.request);
    const shown = [...(item?.querySelectorAll(".key") ?? [])];
    return (event.cards ?? []).map((_, n) => actors.box(shown[n] ?? item ?? actors.stage(), 44));
  });
  await apply();
  sound("paper");
  await all(events.flatMap((event, n) => (event.cards ?? []).map((card, k) => actors.fly(timeline, card, event.player, starts[n]?.[k] ?? null, to(event), { ms: 220, ease: "in" }))));
}

async function negate({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const item = actors.request(events[0]?.request);
  const r = item?.getBoundingClientRect();
  sound("tear");
  if (!item || !r?.width || timeline.reduced || timeline.cut) {
    await timeline.play(item, [{ opacity: 1 }, { opacity: 0 }], 320);
    await apply();
    return;
  }
  const at = { x: r.left + r.width / 2, y: r.top + r.height / 2 };
  const cut = actors.put("cut", at);
  cut.style.width = `${r.width * 1.3}px`;
  const halves = ["polygon(0 0,100% 0,0 100%)", "polygon(100% 0,100% 100%,0 100%)"].map((path) => {
    const node = actors.put("half", { x: r.left, y: r.top });
    const copy = item.cloneNode(true) as HTMLElement;
    for (const one of [copy, ...copy.querySelectorAll<HTMLElement>("*")]) for (const name of ["data-request", "data-stage", "data-action", "data-place", "id"]) one.removeAttribute(name);
    // at its position on the table, independent of the stage layout
    Object.assign(copy.style, { margin: "0", width: `${r.width}px`, height: `${r.height}px`, padding: getComputedStyle(item).padding, overflow: "hidden", clipPath: path });
    copy.inert = true;
    node.append(copy);
    return node;
  });
  await timeline.play(cut, [{ scale: "0 1", opacity: 1 }, { scale: "1 1", opacity: 1 }], 110, "in", 0, "both");
  cut.remove();
  void timeline.play(item, [{ opacity: 0 }, { opacity: 0 }], 420, "even", 0, "both");
  await all(halves.map((half, n) => timeline.play(half, [{ translate: "0px 0px", opacity: 1 }, { translate: n ? "18px 22px" : "-18px -14px", rotate: n ? "4deg" : "-4deg", opacity: 0 }], 420, "in", 0, "both")));
  await apply(); // the gap on the stage closes when the request is gone
  for (const half of halves) half.remove();
}

async function fizzle({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const item = actors.request(events[0]?.request);
  sound("wood", -9);
  void actors.words(timeline, actors.box(item ?? actors.stage(), 60), "plain", t(events[0]?.event === "dropped" ? "stage_not_empty" : "no_target_left"), 800);
  await timeline.play(item, [{ opacity: 1, translate: "0px 0px" }, { opacity: 0.1, translate: "0px 16px" }], 320, "in");
  await apply();
}

async function enter({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const starts = events.map((event) => (event.kind === "bulwark" ? null : actors.box(actors.root.querySelector(".stage .key") ?? actors.root.querySelector(".stage .item"), 50)) ?? actors.box(actors.life(event.player)));
  await apply();
  await all(
    events.map(async (event, n) => {
      const unit = actors.unit(event.unit);
      const [from, to] = [starts[n], actors.box(unit)];
      const hero = ["J", "Q", "K", "A"].some((rank) => event.cards?.[0]?.endsWith(rank));
      sound(event.kind === "bulwark" ? "stone" : hero ? "chord" : "wood", 0, event.player);
      if (from && to && !timeline.reduced) {
        await timeline.play(
          unit,
          [{ translate: `${from.x - to.x}px ${from.y - to.y}px`, scale: String(from.width / to.width), opacity: 0.4 }, { translate: "0px -18px", scale: "1.12", opacity: 1, offset: 0.7 }, { translate: "0px 0px", scale: "1", opacity: 1 }],
          MOVE + 60,
          "out",
          n * 60,
        );
      } else await timeline.play(unit, [{ opacity: 0 }, { opacity: 1 }], 160);
      if (event.kind !== "bulwark") void actors.ring(timeline, to, "gold");
    }),
  );
}

async function leave({ timeline, actors, events, apply, sound }: Scene, to: (event: GameEvent) => Box | null, fall = false): Promise<void> {
  const units = events.map((event) => actors.unit(event.unit));
  const boxes = events.map((event, n) => actors.box(units[n]) ?? actors.box(actors.hand(event.player), 60));
  const how = fall ? ({ ms: 240, ease: "in", turn: 14 } as const) : ({ ms: 320, ease: "out", lift: 24 } as const);
  const go = (): Promise<void> => all(events.map((event, n) => actors.fly(timeline, event.cards?.[0] ?? event.top ?? null, event.player, boxes[n] ?? null, to(event), how)));
  sound(fall ? "low" : "paper");
  if (fall) {
    await all(units.map((unit, n) => timeline.play(unit, [{ rotate: "0deg", opacity: 1 }, { rotate: "14deg", translate: "0px 10px", opacity: 0.2 }], 220, "in", n * 40, "both")));
    await go(); // the grave shows the card once it has arrived
  }
  await apply();
  for (const unit of units) for (const animation of unit?.getAnimations() ?? []) animation.cancel();
  if (!fall) await go();
}

/** Show attackers that turn and step forward; their `drove` events are in the same group. */
async function attack({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  await apply();
  await all(
    events.filter((event) => event.event === "attacked").map(async (event, n) => {
      await timeline.wait(n * 90);
      sound("drum", n, event.player);
      const from = actors.box(actors.unit(event.unit));
      await actors.stroke(timeline, from, actors.box(actors.life(other(event.player))), "shu", 240);
    }),
  );
}

async function block({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  await apply();
  await all(
    events.map(async (event, n) => {
      await timeline.wait(n * 60);
      sound("shield", 0, event.player);
      const [a, b] = [actors.box(actors.unit(event.attacker)), actors.box(actors.unit(event.unit))];
      void actors.ring(timeline, b, "ai", 320);
      await actors.stroke(timeline, a, b, "shu", 240);
    }),
  );
}

/** Show cards next to a pile. */
async function show({ timeline, actors, events, apply, sound }: Scene, onward: (event: GameEvent) => Box | null): Promise<void> {
  const event = events[0];
  if (!event) return;
  const unit = actors.unit(event.unit);
  const from = actors.box(unit ?? actors.life(event.player));
  const cards = event.cards ?? (event.top ? [event.top] : []);
  const middle = actors.middle();
  const shown = (n: number): Box | null => (unit ? from && { ...from, width: from.width * 1.15 } : { ...middle, x: middle.x + (n - (cards.length - 1) / 2) * middle.width * 1.05 });
  sound("paper");
  if (timeline.reduced) await actors.words(timeline, from, "plain", cards.map(sign).join(" "), 600);
  await all(
    cards.map(async (card, n) => {
      unseen(timeline, unit, 760);
      await actors.fly(timeline, card, event.player, from, shown(n), { ms: 260, ease: "both", flip: true, delay: n * 60 });
      await actors.fly(timeline, card, event.player, shown(n), shown(n), { ms: 480 });
      const to = onward(event);
      if (to) await actors.fly(timeline, card, event.player, shown(n), to, { ms: 220, ease: "in" });
    }),
  );
  await apply();
}

async function take({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const event = events[0];
  if (!event) return;
  const from = actors.box(event.zone === "grave" ? actors.grave(event.player) : actors.life(event.player));
  const card = event.cards?.[0] ?? null;
  const middle = actors.middle();
  sound("bell");
  await actors.fly(timeline, card, event.player, from, middle, { ms: MOVE, flip: card !== null });
  await actors.fly(timeline, card, event.player, middle, middle, { ms: 420 });
  await apply();
  const slot = card ? actors.card(card) : null;
  unseen(timeline, slot, MOVE);
  await actors.fly(timeline, card, event.player, middle, actors.box(slot) ?? actors.box(actors.hand(event.player), 60), { ms: MOVE });
}

async function shuffle({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  sound("riffle");
  await apply();
  await all(
    events.flatMap((event) => {
      const at = actors.box(actors.life(event.player));
      return [-1, 1, -0.5].map((k, n) => actors.fly(timeline, null, event.player, at, at && { ...at, x: at.x + k * at.width * 0.8 }, { ms: 240, ease: "both", delay: n * 90, turn: k * 8, fade: true }));
    }),
  );
}

async function turn({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const event = events[0];
  if (!event) return;
  await apply();
  sound("taiko");
  const mine = event.player === actors.near;
  const middle = actors.middle();
  const node = actors.put(`banner ${mine ? "near" : "far"}`, { x: middle.x, y: middle.y });
  const [word, number] = [document.createElement("b"), document.createElement("i")];
  word.textContent = t(mine ? "banner_mine" : "banner_theirs");
  number.textContent = String(event.turn_number ?? "");
  node.append(word, number);
  const shown = timeline
    .play(
      node,
      timeline.reduced
        ? [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }]
        : [{ translate: "0px -46px", scale: "0.9 1", opacity: 0, easing: EASE.out }, { translate: "0px 0px", scale: "1 1", opacity: 1, offset: 0.22 }, { translate: "0px 0px", opacity: 1, offset: 0.78 }, { translate: "0px -30px", opacity: 0 }],
      760,
      "even",
      0,
      "both",
    )
    .then(() => node.remove());
  void shown;
  await timeline.wait(620); // the end of the banner overlaps the start of the turn
}

async function flipFirst({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const middle = actors.middle();
  const spots = events.map((_, n) => ({ ...middle, x: middle.x + (n - (events.length - 1) / 2) * middle.width * 1.5 }));
  sound("clap");
  await all(events.map((event, n) => actors.fly(timeline, event.cards?.[0] ?? null, event.player, actors.box(actors.life(event.player)), spots[n] ?? middle, { ms: 420, flip: true })));
  await all(events.map((event, n) => actors.fly(timeline, event.cards?.[0] ?? null, event.player, spots[n] ?? middle, spots[n] ?? middle, { ms: 520 })));
  await apply();
  await all(events.map((event, n) => actors.fly(timeline, event.cards?.[0] ?? null, event.player, spots[n] ?? middle, actors.box(actors.life(event.player)), { ms: 240, ease: "in" })));
}

async function gather({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const event = events[0];
  if (!event) return;
  const row = [...actors.root.querySelectorAll(`[data-zone="${event.player}-bulwarks"] [data-unit]`)];
  const boxes = row.map((one) => actors.box(one));
  const x = boxes.reduce((sum, box) => sum + (box?.x ?? 0), 0) / Math.max(1, boxes.length);
  sound("riffle");
  await all(row.map((one, n) => timeline.play(one, [{ translate: "0px 0px" }, { translate: `${x - (boxes[n]?.x ?? x)}px 0px` }], 200, "both", 0, "both")));
  for (const one of row) for (const animation of one.getAnimations()) animation.cancel();
  await apply();
  const after = [...actors.root.querySelectorAll(`[data-zone="${event.player}-bulwarks"] [data-unit]`)];
  await all(after.map((one) => timeline.play(one, [{ translate: `${x - (actors.box(one)?.x ?? x)}px 0px` }, { translate: "0px 0px" }], 220, "both")));
}

async function won({ timeline, actors, goal, apply, sound }: Scene): Promise<void> {
  await apply();
  const winner = goal.over?.winner;
  const mine = winner === actors.near;
  sound(winner === "draw" ? "gong" : mine ? "win" : "lose");
  const veil = actors.put("veil", { x: 0, y: 0 });
  const rays = actors.put("rays", actors.middle());
  const word = actors.put(`verdict ${mine ? "near" : "far"}`, actors.middle());
  word.textContent = goal.you === null || winner === "draw" ? t(winner === "draw" ? "draw" : "game_over") : t(mine ? "you_win" : "you_lose");
  await all([
    timeline.play(veil, [{ opacity: 0 }, { opacity: 1, offset: 0.4 }, { opacity: 1 }], 1200, "out", 0, "both"),
    timeline.play(rays, [{ scale: "0.2", rotate: "-20deg", opacity: 0 }, { opacity: mine ? 0.8 : 0.25, offset: 0.5 }, { scale: "1.2", rotate: "20deg", opacity: 0 }], 1200, "out", 0, "both"),
    timeline.play(word, [{ scale: "1.6", opacity: 0 }, { scale: "1", opacity: 1, offset: 0.35 }, { scale: "1", opacity: 1 }], 1200, "out", 0, "both"),
  ]);
  // the table stays dark until the result is shown
  for (const node of [veil, word, rays]) void timeline.play(node, [{ opacity: node === rays ? 0 : 1 }, { opacity: 0 }], 240, "in", 0, "both").then(() => node.remove());
}

async function turnOver({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  sound("flip");
  await all(events.map((event) => timeline.play(actors.unit(event.unit), [{ scale: "1 1" }, { scale: "0 1" }], 180, "in")));
  await apply();
  await all(events.map((event) => timeline.play(actors.unit(event.unit), [{ scale: "0 1" }, { scale: "1 1" }], 180, "out")));
}

const life = (actors: Actors) => (event: GameEvent): Box | null => actors.box(actors.life(event.player));
const grave = (actors: Actors) => (event: GameEvent): Box | null => actors.box(actors.grave(event.player));
const hand = (actors: Actors) => (event: GameEvent): Box | null => actors.box(event.cards?.[0] ? actors.card(event.cards[0]) : null) ?? actors.box(actors.hand(event.player), 60);

const SCENES: Record<Kind, (scene: Scene) => Promise<void>> = {
  attached: async ({ timeline, actors, events, apply, sound }) => {
    const event = events[0];
    const from = actors.box(actors.root.querySelector(".stage .key") ?? actors.stage(), 50);
    await actors.fly(timeline, event?.cards?.at(-1) ?? null, event?.player ?? "p1", from, actors.box(actors.unit(event?.unit)), { ms: MOVE, ease: "settle" });
    sound("metal", 4);
    await apply();
    void actors.ring(timeline, actors.box(actors.unit(event?.unit)), "gold", 320);
    await timeline.wait(60);
  },
  attacked: attack,
  blocked: block,
  bonus: async ({ timeline, actors, events, view, apply, sound }) => {
    await apply();
    for (const event of events) {
      const amount = event.amount ?? 0;
      sound("pluck", amount > 0 ? 7 : -7);
      const units = (event.unit ?? -1) >= 0 ? [event.unit] : view[event.player].soldiers.map((one) => one.id);
      for (const unit of units) void actors.words(timeline, actors.box(actors.unit(unit)), amount > 0 ? "good" : "hit", `${amount > 0 ? "+" : "−"}${Math.abs(amount)}`, 700);
    }
    await timeline.wait(220);
  },
  buried: (scene) => leave(scene, grave(scene.actors), true),
  charged: async ({ timeline, actors, events, apply, sound }) => {
    await apply();
    sound("glass");
    for (const [n, event] of events.entries()) void actors.ring(timeline, actors.box(actors.unit(event.unit)), "jade", 420, n * 40);
    await timeline.wait(260);
  },
  closed: (scene) => turnTrump(scene, false),
  damaged: damage,
  dealt: draw,
  declared: async ({ timeline, actors, events, apply }) => {
    const cards = events[0]?.cards ?? [];
    await apply();
    if (!cards.length || events[0]?.player !== actors.near) return;
    await all(cards.map((card) => timeline.play(actors.card(card), [{ translate: "0px 0px" }, { translate: "0px -34px" }], 140)));
  },
  discarded: discard,
  drew: draw,
  dropped: fizzle,
  drove: async ({ timeline, apply, sound }) => {
    sound("click");
    await apply();
    await timeline.wait(220);
  },
  entered: enter,
  fizzled: fizzle,
  flipped: flipFirst,
  keys_returned: (scene) => keys(scene, hand(scene.actors)),
  keys_spent: (scene) => keys(scene, grave(scene.actors)),
  looked: async ({ timeline, actors, events, apply, sound }) => {
    const seat = events[0]?.player ?? "p1";
    await apply();
    sound("breath");
    void actors.words(timeline, actors.box(actors.hand(seat), 60), "plain", t("hand_seen"), 900);
    await timeline.play(actors.hand(seat), [{ translate: "0px 0px" }, { translate: seat === actors.near ? "0px -16px" : "0px 12px" }, { translate: "0px 0px" }], 360, "both");
  },
  milled: (scene) => show(scene, grave(scene.actors)),
  negated: negate,
  opened: (scene) => turnTrump(scene, true),
  pack_opened: async ({ timeline, actors, events, apply, sound }) => {
    sound("tear");
    await apply();
    const at = actors.box(actors.life(events[0]?.player ?? "p1"));
    void actors.ring(timeline, at, "gold", 420);
    await actors.words(timeline, at, "plain", t("pack"), 520);
  },
  passed: async ({ timeline, actors, events, apply }) => {
    const seat = events[0]?.player;
    await apply();
    if (seat && seat !== actors.near) {
      const at = actors.box(actors.person(seat), 40);
      void actors.words(timeline, at && { ...at, y: at.y + 34 }, "bubble", t("passed_word"), 620);
    }
  },
  raised: raise,
  reordered: gather,
  resolving: resolve,
  retargeted: async ({ timeline, actors, events, apply, sound }) => {
    await apply();
    sound("whoosh");
    const item = actors.box(actors.request(events[0]?.request) ?? actors.stage(), 60);
    const target = events[0]?.target;
    const to = target ? actors.box(target.kind === "player" ? actors.life(target.text as SeatName) : actors.place(`${target.player ?? ""}.${target.name}`)) : null;
    await actors.stroke(timeline, item, to, "gold", 280);
  },
  returned: (scene) => leave(scene, hand(scene.actors)),
  revealed: (scene) => show(scene, () => null),
  shuffled: shuffle,
  staged: stage,
  sunk: (scene) => leave(scene, life(scene.actors)),
  took: take,
  topped: (scene) => leave(scene, life(scene.actors)),
  trump_lost: loseTrump,
  trump_set: setTrumps,
  turn,
  turned: turnOver,
  won,
};

export function play(scene: Scene): Promise<void> {
  const kind = scene.events[0]?.event;
  return kind ? SCENES[kind](scene) : Promise.resolve();
}
