// Animation and sound of each kind of event. A scene shows the event and updates the board at the right moment.
import type { EventView as GameEvent } from "../core/protocol";
import { t } from "../core/i18n.svelte";
import type { SeatName } from "../core/names";
import { draw, damage, discard, show, take, shuffle } from "./card_scenes";
import { DAMAGE_MS, damageLength } from "./damage_scene";
import type { Actors, Box } from "./dom_actors";
import { stage, raise, resolve, keys, negate, fizzle } from "./request_scenes";
import { type Scene, type Kind, MOVE, all } from "./scene";
import { EASE, type Timeline } from "./timeline";
import { loseTrump, setTrumps, turnTrump } from "./trumps";
import { enter, leave, attack, block, turnOver } from "./unit_scenes";

/** Kinds of events that play together with neighbours of the same kind. */
export const TOGETHER = new Set<Kind>([
  "attacked",
  "blocked",
  "bonus",
  "buried",
  "charged",
  "dealt",
  "discarded",
  "drew",
  "drove",
  "entered",
  "flipped",
  "keys_spent",
  "shuffled",
  "trump_set",
  "turned",
]);

/**
 * Approximate length of a kind in ms: [first event, each further one]. Used for the backlog; scenes set their own
 * times.
 */
const LENGTH: Partial<Record<Kind, [number, number]>> = {
  attacked: [520, 90],
  attached: [320, 320],
  blocked: [400, 60],
  bonus: [300, 0],
  buried: [340, 40],
  charged: [300, 20],
  closed: [700, 700],
  damaged: [500, 0],
  dealt: [280, 60],
  declared: [140, 140],
  discarded: [320, 60],
  drew: [320, 80],
  dropped: [420, 420],
  drove: [240, 20],
  entered: [380, 60],
  fizzled: [420, 420],
  flipped: [1600, 0],
  fogged: [300, 300],
  fogs_cleared: [360, 360],
  keys_returned: [320, 320],
  keys_spent: [260, 0],
  looked: [420, 420],
  milled: [700, 700],
  negated: [640, 640],
  opened: [1500, 1500],
  pack_opened: [460, 460],
  packed: [480, 80],
  raised: [100, 100],
  reordered: [460, 460],
  resolving: [260, 260],
  retargeted: [340, 340],
  returned: [360, 360],
  revealed: [700, 700],
  set_aside: [280, 60],
  shuffled: [480, 0],
  staged: [240, 240],
  sunk: [360, 360],
  took: [900, 900],
  topped: [360, 360],
  trump_lost: [800, 800],
  trump_set: [480, 80],
  turn: [700, 700],
  turned: [400, 0],
  uncovered: [200, 200],
  won: [1300, 0],
};

export function lengthOf(events: GameEvent[]): number {
  const first = events[0];
  const [one, more] = (first && LENGTH[first.event]) ?? [0, 0];
  const fallen = (many: number): number => (many >= DAMAGE_MS ? damageLength(many) : many * 90);
  const cards = first?.event === "damaged" ? events.reduce((sum, event) => sum + fallen(event.count ?? 0), 0) : 0;
  return one + more * (events.length - 1) + cards;
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
        : [
            { translate: "0px -46px", scale: "0.9 1", opacity: 0, easing: EASE.out },
            { translate: "0px 0px", scale: "1 1", opacity: 1, offset: 0.22 },
            { translate: "0px 0px", opacity: 1, offset: 0.78 },
            { translate: "0px -30px", opacity: 0 },
          ],
      760,
      "even",
      0,
      "both",
    )
    .then(() => node.remove());
  void shown;
  await timeline.wait(620); // the end of the banner overlaps the start of the turn
}

/** Return the height of a half's face and card: on a phone the hand and its sheet are below the middle. */
const heightOf = (felt: DOMRect, far: boolean): number =>
  felt.height > felt.width ? (far ? 0.19 : 0.4) : far ? 0.26 : 0.62;

/** Show both players' faces opposite each other; they leave with the returned function. */
function faceEachOther({ timeline, actors }: Scene): () => void {
  const felt = (actors.root.querySelector(".board") ?? actors.root).getBoundingClientRect();
  const size = Math.min(150, felt.width / 4, felt.height / 5);
  const nodes = (["far", "near"] as const).map((half) => {
    const far = half === "far";
    const node = actors.put(`opponent-face ${half}`, {
      x: felt.left + felt.width * (far ? 0.3 : 0.7) - size / 2,
      y: felt.top + felt.height * heightOf(felt, far) - size / 2,
    });
    Object.assign(node.style, { width: `${size}px`, height: `${size}px` });
    const face = actors.root.querySelector(`.person.${half} .avatar svg`)?.cloneNode(true) as SVGElement | undefined;
    if (face) node.append(face);
    const from = { translate: `${far ? -size : size}px 0px`, opacity: 0 };
    void timeline.play(node, [from, { translate: "0px 0px", opacity: 1 }], 320, "out", 0, "both");
    return node;
  });
  return () => {
    for (const node of nodes)
      void timeline.play(node, [{ opacity: 1 }, { opacity: 0 }], 180, "in", 0, "both").then(() => node.remove());
  };
}

/** Each first card flips in its owner's half, between the two faces; a stamp marks the player who begins. */
async function flipFirst(scene: Scene): Promise<void> {
  const { timeline, actors, events, rest, apply, sound } = scene;
  const felt = (actors.root.querySelector(".board") ?? actors.root).getBoundingClientRect();
  const width = Math.min(130, felt.width / 4, felt.height / 5);
  const spots = events.map((event): Box => {
    const near = event.player === actors.near;
    const again = events.filter((one) => one.player === event.player).indexOf(event); // equal numbers: the next card
    return {
      x: felt.left + felt.width * (near ? 0.46 : 0.54) + again * width * 0.5,
      y: felt.top + felt.height * heightOf(felt, !near),
      width,
    };
  });
  const leaves = timeline.reduced || timeline.cut ? () => {} : faceEachOther(scene);
  sound("clap");
  const fly = (n: number, from: Box | null, to: Box | null, how: { ms: number; flip?: boolean }): Promise<void> =>
    actors.fly(timeline, events[n]?.cards?.[0] ?? null, events[n]?.player ?? "p1", from, to, how);
  await all(
    events.map((event, n) => fly(n, actors.box(actors.life(event.player)), spots[n] ?? null, { ms: 420, flip: true })),
  );
  const first = rest.find((event) => event.event === "turn")?.player;
  const winner = events.findLastIndex((event) => event.player === first);
  const stays = all(events.map((_, n) => fly(n, spots[n] ?? null, spots[n] ?? null, { ms: 760 })));
  const spot = spots[winner];
  if (first && spot) {
    await timeline.wait(160);
    sound("taiko", 3, first);
    void actors.stamp(timeline, { ...spot, x: spot.x - width * 0.62, y: spot.y + width * 0.45 }, t("begins"), 760);
  }
  await stays;
  leaves();
  await apply();
  await all(events.map((event, n) => fly(n, spots[n] ?? null, actors.box(actors.life(event.player)), { ms: 240 })));
}

async function gather({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const event = events[0];
  if (!event) return;
  const row = [...actors.root.querySelectorAll(`[data-zone="${event.player}-bulwarks"] [data-unit]`)];
  const boxes = row.map((one) => actors.box(one));
  const x = boxes.reduce((sum, box) => sum + (box?.x ?? 0), 0) / Math.max(1, boxes.length);
  sound("riffle");
  await all(
    row.map((one, n) =>
      timeline.play(
        one,
        [{ translate: "0px 0px" }, { translate: `${x - (boxes[n]?.x ?? x)}px 0px` }],
        200,
        "both",
        0,
        "both",
      ),
    ),
  );
  for (const one of row) for (const animation of one.getAnimations()) animation.cancel();
  await apply();
  const after = [...actors.root.querySelectorAll(`[data-zone="${event.player}-bulwarks"] [data-unit]`)];
  await all(
    after.map((one) =>
      timeline.play(
        one,
        [{ translate: `${x - (actors.box(one)?.x ?? x)}px 0px` }, { translate: "0px 0px" }],
        220,
        "both",
      ),
    ),
  );
}

async function won({ timeline, actors, goal, apply, sound }: Scene): Promise<void> {
  await apply();
  const winner = goal.over?.winner;
  const drawn = winner === null;
  const mine = winner === actors.near;
  sound(drawn ? "gong" : mine ? "win" : "lose");
  const veil = actors.put("veil", { x: 0, y: 0 });
  const rays = actors.put("rays", actors.middle());
  const word = actors.put(`verdict ${mine ? "near" : "far"}`, actors.middle());
  word.textContent = goal.you === null || drawn ? t(drawn ? "draw" : "game_over") : t(mine ? "you_win" : "you_lose");
  await all([
    timeline.play(veil, [{ opacity: 0 }, { opacity: 1, offset: 0.4 }, { opacity: 1 }], 1200, "out", 0, "both"),
    timeline.play(
      rays,
      [
        { scale: "0.2", rotate: "-20deg", opacity: 0 },
        { opacity: mine ? 0.8 : 0.25, offset: 0.5 },
        { scale: "1.2", rotate: "20deg", opacity: 0 },
      ],
      1200,
      "out",
      0,
      "both",
    ),
    timeline.play(
      word,
      [
        { scale: "1.6", opacity: 0 },
        { scale: "1", opacity: 1, offset: 0.35 },
        { scale: "1", opacity: 1 },
      ],
      1200,
      "out",
      0,
      "both",
    ),
  ]);
  rays.remove();
  actors.layer.querySelectorAll(".last-dark").forEach((node) => node.remove()); // the veil covers the table now
  void keepDark(timeline, [veil, word]);
}

/** The longest time a table stays dark without a result card, as in a replay. */
const DARK_MS = 1800;
/** Keep the table dark until the result card is open. */
async function keepDark(timeline: Timeline, nodes: HTMLElement[]): Promise<void> {
  const end = performance.now() + (timeline.cut ? 0 : DARK_MS);
  while (performance.now() < end && !document.querySelector("dialog.end[open]"))
    await new Promise((done) => setTimeout(done, 60));
  await all(nodes.map((node) => timeline.play(node, [{ opacity: 1 }, { opacity: 0 }], 240, "in", 0, "both")));
  for (const node of nodes) node.remove();
}

const life =
  (actors: Actors) =>
  (event: GameEvent): Box | null =>
    actors.box(actors.life(event.player));

const grave =
  (actors: Actors) =>
  (event: GameEvent): Box | null =>
    actors.box(actors.grave(event.player));

const hand =
  (actors: Actors) =>
  (event: GameEvent): Box | null =>
    actors.box(event.cards?.[0] ? actors.card(event.cards[0]) : null) ?? actors.box(actors.hand(event.player), 60);

/** Show an event that has no scene of its own by its result. */
const settle = ({ apply }: Scene): Promise<void> => apply();

const SCENES: Record<Kind, (scene: Scene) => Promise<void>> = {
  attached: async ({ timeline, actors, events, apply, sound }) => {
    const event = events[0];
    const from = actors.box(actors.root.querySelector(".stage .key") ?? actors.stage(), 50);
    await actors.fly(
      timeline,
      event?.cards?.at(-1) ?? null,
      event?.player ?? "p1",
      from,
      actors.box(actors.unit(event?.unit)),
      { ms: MOVE, ease: "settle" },
    );
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
      for (const unit of units)
        void actors.words(
          timeline,
          actors.box(actors.unit(unit)),
          amount > 0 ? "good" : "hit",
          `${amount > 0 ? "+" : "−"}${Math.abs(amount)}`,
          700,
        );
    }
    await timeline.wait(220);
  },
  buried: (scene) => leave(scene, grave(scene.actors), true),
  charged: async ({ timeline, actors, events, apply, sound }) => {
    await apply();
    sound("glass");
    for (const [n, event] of events.entries())
      void actors.ring(timeline, actors.box(actors.unit(event.unit)), "jade", 420, n * 40);
    await timeline.wait(260);
  },
  closed: (scene) => turnTrump(scene, false),
  damaged: damage,
  dealt: draw,
  declared: async ({ timeline, actors, events, apply }) => {
    const cards = events[0]?.cards ?? [];
    await apply();
    if (!cards.length || events[0]?.player !== actors.near) return;
    await all(
      cards.map((card) =>
        timeline.play(actors.card(card), [{ translate: "0px 0px" }, { translate: "0px -34px" }], 140),
      ),
    );
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
  fogged: settle,
  fogs_cleared: settle,
  keys_returned: (scene) => keys(scene, hand(scene.actors)),
  keys_spent: (scene) => keys(scene, grave(scene.actors)),
  looked: async ({ timeline, actors, events, apply, sound }) => {
    const seat = events[0]?.player ?? "p1";
    await apply();
    sound("breath");
    if ((events[0]?.unit ?? -1) >= 0) {
      await actors.ring(timeline, actors.box(actors.unit(events[0]?.unit)), "gold", 420);
      return;
    }
    void actors.words(timeline, actors.box(actors.hand(seat), 60), "plain", t("hand_seen"), 900);
    await timeline.play(
      actors.hand(seat),
      [
        { translate: "0px 0px" },
        { translate: seat === actors.near ? "0px -16px" : "0px 12px" },
        { translate: "0px 0px" },
      ],
      360,
      "both",
    );
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
  packed: settle,
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
    const to = target
      ? actors.box(
          target.kind === "player"
            ? actors.life(target.text as SeatName)
            : actors.place(`${target.player ?? ""}.${target.name}`),
        )
      : null;
    await actors.stroke(timeline, item, to, "gold", 280);
  },
  returned: (scene) => leave(scene, hand(scene.actors)),
  revealed: (scene) => show(scene, () => null),
  set_aside: settle,
  shuffled: shuffle,
  staged: stage,
  sunk: (scene) => leave(scene, life(scene.actors)),
  took: take,
  topped: (scene) => leave(scene, life(scene.actors)),
  trump_lost: loseTrump,
  trump_set: setTrumps,
  turn,
  turned: turnOver,
  uncovered: settle,
  won,
};

export function play(scene: Scene): Promise<void> {
  const kind = scene.events[0]?.event;
  return kind ? SCENES[kind](scene) : Promise.resolve();
}
