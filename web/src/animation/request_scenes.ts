// Scenes of requests on the stage.
import type { EventView as GameEvent } from "../core/protocol";
import { t } from "../core/i18n.svelte";
import type { SeatName } from "../core/names";
import { rules } from "../core/rules.svelte";
import type { View } from "../core/view";
import { hush } from "../sound/sound";
import { clash } from "./clash";
import { EASE } from "./timeline";
import type { Actors, Box } from "./dom_actors";
import { type Scene, MOVE, unseen, all } from "./scene";

/** ms without a sound, between the cut and its sound */
const SILENCE = 120;

export async function stage({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const event = events[0];
  if (!event) return;
  const cards = event.cards ?? [];
  const starts = cards.map((card) => actors.box(actors.card(card)) ?? actors.box(actors.hand(event.player), 60));
  await apply();
  const item = actors.request(event.request);
  if (!cards.length) {
    void timeline.play(
      item,
      [
        { opacity: 0, translate: "-14px 0px" },
        { opacity: 1, translate: "0px 0px" },
      ],
      180,
    );
    sound("wood", -4);
    await timeline.wait(80);
    return;
  }
  sound(cards.some((card) => card.startsWith("JK")) ? "joker" : "pluck", event.player === actors.near ? 2 : -2);
  const keys = [...(item?.querySelectorAll(".key") ?? [])];
  await all([
    ...cards.map((card, n) => {
      unseen(timeline, keys[n], MOVE);
      return actors.fly(timeline, card, event.player, starts[n] ?? null, actors.box(keys[n] ?? item, 44), {
        ms: MOVE,
        lift: 26,
        flip: event.player !== actors.near,
      });
    }),
    timeline.play(
      item,
      [
        { opacity: 0, scale: "1 0.6" },
        { opacity: 1, scale: "1 1" },
      ],
      MOVE,
      "settle",
    ),
  ]);
  sound("wood");
  await timeline.wait(60);
}

export async function raise({ timeline, actors, events, goal, apply, sound }: Scene): Promise<void> {
  const event = events[0];
  await apply();
  const found = [...goal.stage, ...(goal.resolving ? [goal.resolving] : [])].find((one) => one.id === event?.request);
  const source = found?.source
    ? actors.place(found.source.text.includes(".") ? found.source.text : `${found.controller}.${found.source.text}`)
    : null;
  if (!source) return;
  sound("bell");
  const from = actors.box(source);
  void actors.ring(timeline, from, "gold", 320);
  await actors.stroke(timeline, from, actors.box(actors.stage()), "gold", 220);
}

export function targetBox(actors: Actors, view: View, id: number | null | undefined): Box | null {
  const target = [...view.stage, ...(view.resolving ? [view.resolving] : [])].find((one) => one.id === id)?.target;
  if (!target) return null;
  if (target.kind === "player") return actors.box(actors.life(target.text as SeatName));
  if (target.kind === "request") return actors.box(actors.request(view.stage[Number(target.name) - 1]?.id));
  return actors.box(actors.place(`${target.player ?? ""}.${target.name}`));
}

export async function resolve(scene: Scene): Promise<void> {
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

export async function keys(
  { timeline, actors, events, apply, sound }: Scene,
  to: (event: GameEvent) => Box | null,
): Promise<void> {
  const starts = events.map((event) => {
    const item = actors.request(event.request);
    const shown = [...(item?.querySelectorAll(".key") ?? [])];
    return (event.cards ?? []).map((_, n) => actors.box(shown[n] ?? item ?? actors.stage(), 44));
  });
  await apply();
  sound("paper");
  await all(
    events.flatMap((event, n) =>
      (event.cards ?? []).map((card, k) =>
        actors.fly(timeline, card, event.player, starts[n]?.[k] ?? null, to(event), { ms: 220, ease: "in" }),
      ),
    ),
  );
}

/** The keys of both requests meet in the middle at full size; the answered one is cut in two. */
async function keysMeet({ timeline, actors, events, view, sound }: Scene): Promise<void> {
  const answered = view.stage.find((one) => one.id === events[0]?.request);
  const answer = view.resolving;
  const [lost, won] = [answered?.keys[0] ?? answered?.virtual_keys[0], answer?.keys[0] ?? answer?.virtual_keys[0]];
  if (!answered || !answer || !lost || !won) {
    sound("counter");
    return;
  }
  const felt = (actors.root.querySelector(".board") ?? actors.root).getBoundingClientRect();
  const width = Math.min(190, felt.width / 3, felt.height / 3);
  const middle = { ...actors.middle(), width };
  const shown = ([lost, won] as const).map((card, n) => {
    const owner = n ? answer.controller : answered.controller;
    const from = actors.box(actors.request(n ? answer.id : answered.id)?.querySelector(".key"), 44) ?? middle;
    return { card: actors.ghost(card, owner, { ...from, width }), from, side: n ? 1 : -1 };
  });
  const dim = actors.put("dim", { x: 0, y: 0 });
  void timeline.play(dim, [{ opacity: 0 }, { opacity: 0.7 }], 200, "out", 0, "both");
  const apart = width * 0.62;
  const place = (from: Box, x: number): string => `${middle.x + x - from.x}px ${middle.y - from.y}px`;
  await all(
    shown.map(({ card, from, side }) =>
      timeline.play(
        card.node,
        [
          { translate: "0px 0px", scale: String(from.width / width), easing: EASE.out },
          { translate: place(from, side * apart * 1.5), scale: "1", offset: 0.5, easing: EASE.both },
          { translate: place(from, side * apart * 1.6), scale: "1", rotate: `${side * 6}deg`, offset: 0.72 },
          { translate: place(from, side * apart * 0.5), scale: "1", rotate: "0deg" },
        ],
        520,
        "even",
        0,
        "both",
      ),
    ),
  );
  if (!timeline.cut) hush(SILENCE / 1000);
  void actors.burst(timeline, middle, 1.2);
  const cut = actors.put("cut", middle);
  cut.style.width = `${width * 3}px`;
  await timeline.play(cut, [{ scale: "0 1" }, { scale: "1 1" }], 90, "in", 0, "both");
  await timeline.wait(SILENCE);
  sound("counter");
  cut.remove();
  const [gone, stays] = [shown[0]!, shown[1]!];
  const half = actors.ghost(lost, answered.controller, { ...gone.from, width });
  const there = place(gone.from, -apart * 0.5);
  gone.card.node.style.clipPath = "polygon(0 0,100% 0,100% 30%,0 70%)";
  half.node.style.clipPath = "polygon(0 70%,100% 30%,100% 100%,0 100%)";
  const fall = (node: HTMLElement, x: number, y: number, turn: number): Promise<void> =>
    timeline.play(
      node,
      [
        { translate: there, opacity: 1 },
        {
          translate: `calc(${there.split(" ")[0]} + ${x}px) calc(${there.split(" ")[1]} + ${y}px)`,
          rotate: `${turn}deg`,
          opacity: 0,
        },
      ],
      380,
      "in",
      0,
      "both",
    );
  const here = place(stays.from, apart * 0.5);
  void timeline.play(dim, [{ opacity: 0.7 }, { opacity: 0 }], 380, "in", 0, "both");
  await all([
    fall(gone.card.node, -36, -50, -9),
    fall(half.node, 30, 70, 8),
    timeline.play(
      stays.card.node,
      [
        { translate: here, scale: "1", opacity: 1 },
        { translate: here, scale: "1.08", opacity: 1, offset: 0.5 },
        { translate: here, scale: "1.04", opacity: 0 },
      ],
      420,
      "out",
      0,
      "both",
    ),
  ]);
  for (const one of [gone.card, stays.card, half]) one.remove();
  dim.remove();
}

export async function negate(scene: Scene): Promise<void> {
  const { timeline, actors, events, apply, sound } = scene;
  const item = actors.request(events[0]?.request);
  const r = item?.getBoundingClientRect();
  if (!item || !r?.width || timeline.reduced || timeline.cut) {
    sound("counter");
    await timeline.play(item, [{ opacity: 1 }, { opacity: 0 }], 320);
    await apply();
    return;
  }
  await keysMeet(scene);
  const at = { x: r.left + r.width / 2, y: r.top + r.height / 2 };
  const cut = actors.put("cut", at);
  cut.style.width = `${r.width * 1.3}px`;
  const halves = ["polygon(0 0,100% 0,0 100%)", "polygon(100% 0,100% 100%,0 100%)"].map((path) => {
    const node = actors.put("half", { x: r.left, y: r.top });
    const copy = item.cloneNode(true) as HTMLElement;
    for (const one of [copy, ...copy.querySelectorAll<HTMLElement>("*")])
      for (const name of ["data-request", "data-stage", "data-action", "data-place", "id"]) one.removeAttribute(name);
    // at its position on the table, independent of the stage layout
    Object.assign(copy.style, {
      margin: "0",
      width: `${r.width}px`,
      height: `${r.height}px`,
      padding: getComputedStyle(item).padding,
      overflow: "hidden",
      clipPath: path,
    });
    copy.inert = true;
    node.append(copy);
    return node;
  });
  await timeline.play(
    cut,
    [
      { scale: "0 1", opacity: 1 },
      { scale: "1 1", opacity: 1 },
    ],
    110,
    "in",
    0,
    "both",
  );
  cut.remove();
  void timeline.play(item, [{ opacity: 0 }, { opacity: 0 }], 420, "even", 0, "both");
  await all(
    halves.map((half, n) =>
      timeline.play(
        half,
        [
          { translate: "0px 0px", opacity: 1 },
          { translate: n ? "18px 22px" : "-18px -14px", rotate: n ? "4deg" : "-4deg", opacity: 0 },
        ],
        420,
        "in",
        0,
        "both",
      ),
    ),
  );
  await apply(); // the gap on the stage closes when the request is gone
  for (const half of halves) half.remove();
}

export async function fizzle({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const item = actors.request(events[0]?.request);
  sound("wood", -9);
  void actors.words(
    timeline,
    actors.box(item ?? actors.stage(), 60),
    "plain",
    t(events[0]?.event === "dropped" ? "stage_not_empty" : "no_target_left"),
    800,
  );
  await timeline.play(
    item,
    [
      { opacity: 1, translate: "0px 0px" },
      { opacity: 0.1, translate: "0px 16px" },
    ],
    320,
    "in",
  );
  await apply();
}
