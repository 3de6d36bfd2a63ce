// Scenes of cards that move between piles.
import type { EventView as GameEvent } from "../core/protocol";
import { t } from "../core/i18n.svelte";
import { sign } from "../core/names";
import { shake, playDamage, DAMAGE_MS } from "./damage_scene";
import type { Box } from "./dom_actors";
import { lifeAfter } from "./reducer";
import { type Scene, MOVE, unseen, all } from "./scene";

export async function draw({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
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
      void timeline.wait(delay).then(() => sound("paper", 0, event.player)); // one for each card
      const to = actors.box(slot) ?? actors.box(actors.hand(event.player), 60);
      flights.push(
        actors.fly(timeline, slot ? card : null, event.player, from.get(event.player) ?? null, to, {
          ms: MOVE,
          delay,
          flip: slot !== null,
          lift: 30,
          fade: !slot,
        }),
      );
    }
  }
  await all(flights);
}

/** Show the number and the impact of light damage. */
function impact({ timeline, actors, events, sound }: Scene, at: Box | null, many: number): void {
  void actors.words(timeline, at, "hit", `−${many}`, 900);
  void actors.burst(timeline, at);
  sound("taiko", 4, events[0]?.player);
  if (many > 2) shake(timeline, actors, many);
}

/** Drop the cards of light damage from the pile to the grave, one after the other. */
async function dropCards(
  { timeline, actors, events, paid, sound }: Scene,
  from: Box | null,
  to: Box | null,
  fallen: { many: number; last: boolean; seen: (n: number) => string | null; left: (gone: number) => void },
): Promise<void> {
  const seat = events[0]?.player ?? "p1";
  const flights: Promise<void>[] = [];
  for (let n = 0; n < fallen.many; n++) {
    const slow = fallen.last && n === fallen.many - 1;
    flights.push(
      actors.fly(timeline, fallen.seen(n), seat, from, to, {
        ms: slow ? 620 : 240,
        ease: "in",
        turn: (n % 3) * 9 - 9,
        flip: fallen.seen(n) !== null,
        lift: slow ? 70 : 18,
      }),
    );
    fallen.left(n + 1);
    sound("thud", paid ? -4 : n, seat);
    if (!timeline.reduced) await timeline.wait(slow ? 620 : 90);
  }
  if (timeline.reduced) await timeline.wait(160);
  await all(flights);
}

export async function damage(scene: Scene): Promise<void> {
  const { timeline, actors, events, rest, paid, view, goal, apply, count, sound } = scene;
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
  if (last && !paid && !timeline.cut) actors.darken(timeline);
  if (many >= DAMAGE_MS && !paid) {
    await playDamage({
      timeline,
      actors,
      seat,
      cards: Array.from({ length: many }, (_, n) => seen(n)),
      last,
      left,
      sound: (name, pitch) => sound(name, pitch, seat),
    });
  } else {
    if (!paid && many) impact(scene, from, many);
    await dropCards(scene, from, to, { many, last, seen, left });
  }
  await apply();
  count(seat, null);
  if (last && !paid) {
    sound("lethal");
    await actors.words(timeline, actors.middle(), "lethal", t("decided"), 1000);
  }
}

export async function discard({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const starts = events.map((event) => (event.cards ?? []).map((card) => actors.box(actors.card(card))));
  const hands = events.map((event) => actors.box(actors.hand(event.player), 60));
  await apply();
  const flights: Promise<void>[] = [];
  events.forEach((event, n) => {
    for (let k = 0; k < (event.count ?? 0); k++) {
      const card = event.cards?.[k] ?? (k === 0 ? (event.top ?? null) : null);
      flights.push(
        actors.fly(
          timeline,
          card,
          event.player,
          starts[n]?.[k] ?? hands[n] ?? null,
          actors.box(actors.grave(event.player)),
          { ms: MOVE, ease: "in", delay: k * 50, turn: 12 },
        ),
      );
      sound("paper", -3, event.player);
    }
  });
  await all(flights);
}

/** Show cards next to a pile. */
export async function show(
  { timeline, actors, events, apply, sound }: Scene,
  onward: (event: GameEvent) => Box | null,
): Promise<void> {
  const event = events[0];
  if (!event) return;
  const unit = actors.unit(event.unit);
  const from = actors.box(unit ?? actors.life(event.player));
  const cards = event.cards ?? (event.top ? [event.top] : []);
  const middle = actors.middle();
  const shown = (n: number): Box | null =>
    unit
      ? from && { ...from, width: from.width * 1.15 }
      : { ...middle, x: middle.x + (n - (cards.length - 1) / 2) * middle.width * 1.05 };
  sound("paper");
  if (timeline.reduced) await actors.words(timeline, from, "plain", cards.map(sign).join(" "), 600);
  await all(
    cards.map(async (card, n) => {
      unseen(timeline, unit, 760);
      await actors.fly(timeline, card, event.player, from, shown(n), {
        ms: 260,
        ease: "both",
        flip: true,
        delay: n * 60,
      });
      await actors.fly(timeline, card, event.player, shown(n), shown(n), { ms: 480 });
      const to = onward(event);
      if (to) await actors.fly(timeline, card, event.player, shown(n), to, { ms: 220, ease: "in" });
    }),
  );
  await apply();
}

export async function take({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
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
  await actors.fly(
    timeline,
    card,
    event.player,
    middle,
    actors.box(slot) ?? actors.box(actors.hand(event.player), 60),
    { ms: MOVE },
  );
}

export async function shuffle({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  sound("riffle");
  await apply();
  await all(
    events.flatMap((event) => {
      const at = actors.box(actors.life(event.player));
      return [-1, 1, -0.5].map((k, n) =>
        actors.fly(timeline, null, event.player, at, at && { ...at, x: at.x + k * at.width * 0.8 }, {
          ms: 240,
          ease: "both",
          delay: n * 90,
          turn: k * 8,
          fade: true,
        }),
      );
    }),
  );
}
