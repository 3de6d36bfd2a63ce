// Trump animations: a band with card, name and effect crosses the table when a trump opens, a curtain falls when it closes, and a
// destroyed trump is cut in two. Table.svelte shows the colour while it is in force.
import { brush } from "../graphics/brush";
import { rules } from "../core/rules.svelte";
import { t } from "../core/i18n.svelte";
import { rankOf, sign, spokenCard, suitOf } from "../core/names";
import { DISCS, EMBLEMS } from "../graphics/emblems";
import type { EventView as GameEvent } from "../core/protocol";
import type { View } from "../core/view";
import type { Actors } from "./dom_actors";
import type { Timeline } from "./timeline";
import type { Scene } from "./scene";

export function trumpOf(actors: Actors, view: View, event: GameEvent): HTMLElement | null {
  const trumps = view[event.player].trumps;
  const found =
    trumps.find((one) => one.card && one.card === event.cards?.[0]) ?? trumps.find((one) => !one.open) ?? trumps.at(-1);
  return found ? actors.place(`${event.player}.${found.name}`) : null;
}
const titleOf = (card: string): string => rules.trumpOf(card)?.title ?? spokenCard(card);

/** Show the name on a brush stroke across the table. It is decorative: the log contains it too. */
async function proclaim(timeline: Timeline, actors: Actors, card: string, how: "closes" | "falls"): Promise<void> {
  if (timeline.cut) return;
  const felt = (actors.root.querySelector(".board") ?? actors.root).getBoundingClientRect();
  const [wide, high] = [Math.min(felt.width * 0.94, 900), Math.max(64, Math.min(150, felt.height * 0.16))];
  const middle = actors.middle();
  const node = actors.put(`edict ${how} suit-${suitOf(card).toLowerCase()}`, {
    x: middle.x - wide / 2,
    y: middle.y - high / 2,
  });
  node.style.width = `${wide}px`;
  node.style.height = `${high}px`;
  // a broad stroke with single bristles at both ends
  const bristle = (y: number, from: number, to: number, broad: number): string =>
    `<path d="${brush([wide * from, high * (y + 0.06)], [wide * 0.3, high * (y - 0.1)], [wide * 0.66, high * (y + 0.14)], [wide * to, high * y], { thin: high * broad * 0.3, broad: high * broad, head: high * broad })}"/>`;
  const strokes =
    bristle(0.5, 0.05, 0.93, 0.56) +
    bristle(0.24, 0.12, 0.88, 0.16) +
    bristle(0.78, 0.02, 0.97, 0.18) +
    bristle(0.36, 0, 0.8, 0.12) +
    bristle(0.66, 0.2, 1, 0.14);
  node.innerHTML = `<svg viewBox="0 0 ${wide} ${high}" width="${wide}" height="${high}" aria-hidden="true">${strokes}</svg>`;
  const name = document.createElement("b");
  name.textContent = titleOf(card);
  const letters = [...titleOf(card)].reduce((sum, letter) => sum + (letter > "\u2000" ? 1 : 0.62), 0);
  name.style.fontSize = `${Math.min(high * 0.74, (wide * 0.86) / Math.max(3, letters))}px`;
  node.append(name);
  const svg = node.querySelector("svg");
  if (timeline.reduced) {
    await timeline.play(
      node,
      [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }],
      900,
      "even",
      0,
      "both",
    );
    node.remove();
    return;
  }
  if (how === "closes") {
    void timeline.play(
      name,
      [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.6 }, { opacity: 0 }],
      620,
      "even",
      0,
      "both",
    );
    await timeline.play(
      svg,
      [
        { scale: "1 1", opacity: 0.9 },
        { scale: "1 1", opacity: 0.9, offset: 0.4 },
        { scale: "1 0", opacity: 0.6 },
      ],
      620,
      "both",
      0,
      "both",
    );
  } else {
    const other = node.cloneNode(true) as HTMLElement;
    node.style.clipPath = "polygon(0 0,100% 0,100% 30%,0 70%)";
    other.style.clipPath = "polygon(0 70%,100% 30%,100% 100%,0 100%)";
    actors.layer.append(other);
    await timeline.play(node, [{ opacity: 0 }, { opacity: 1 }], 140, "out", 0, "both");
    await timeline.wait(180);
    await Promise.all([
      timeline.play(
        node,
        [
          { translate: "0px 0px", opacity: 1 },
          { translate: "30px -40px", rotate: "-2deg", opacity: 0 },
        ],
        460,
        "in",
        0,
        "both",
      ),
      timeline.play(
        other,
        [
          { translate: "0px 0px", opacity: 1 },
          { translate: "-30px 46px", rotate: "2deg", opacity: 0 },
        ],
        460,
        "in",
        0,
        "both",
      ),
    ]);
    other.remove();
  }
  node.remove();
}

/** rays behind the band, in a square of 200 */
const RAYS = Array.from(
  { length: 24 },
  (_, n) =>
    `<path d="M99 ${n % 2 ? 22 : 8}L101 ${n % 2 ? 22 : 8}L100.6 66H99.4Z" transform="rotate(${n * 15} 100 100)"/>`,
).join("");

/** Show the trump on a band across the table: its card, name and effect. It is decorative: the log contains it too. */
async function proclaimOpening(timeline: Timeline, actors: Actors, card: string): Promise<void> {
  if (timeline.cut) return;
  const page = rules.trumpOf(card);
  const suit = suitOf(card);
  const node = actors.put(`proclaimed suit-${suit.toLowerCase()}`, { x: 0, y: 0 });
  const face = `<svg viewBox="0 0 100 140"><use href="#face" width="100" height="140"/><use href="#court" width="100" height="140"/><use href="#i-${rankOf(card)}" x="8" y="8" width="40" height="42"/><use href="#s-${suit}" x="9" y="55" width="17" height="17"/><circle cx="60" cy="86" r="31" fill="${DISCS[suit] ?? ""}"/><g fill="#f8f0de" style="--e:#f8f0de;--d:${DISCS[suit] ?? ""}" transform="translate(60 86) scale(.47) translate(-50 -50)">${EMBLEMS[page?.id ?? ""] ?? ""}</g></svg>`;
  node.innerHTML = `<i class="shade"></i><svg class="beams" viewBox="0 0 200 200">${RAYS}</svg><i class="band"></i><span class="face">${face}</span>`;
  const text = document.createElement("div");
  for (const [kind, words] of [
    ["kind", t("trump_opens", sign(card))],
    ["name", titleOf(card)],
    ["does", page ? page.short || (page.clauses[0] ?? "") : ""],
  ] as const) {
    const line = document.createElement("p");
    line.className = kind;
    line.textContent = words;
    text.append(line);
  }
  text.className = "text";
  node.append(text);
  const part = (name: string): Element | null => node.querySelector(`.${name}`);
  if (timeline.reduced) {
    const fade = [{ opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1, offset: 0.85 }, { opacity: 0 }];
    await timeline.play(node, fade, 1200, "even", 0, "both");
    node.remove();
    return;
  }
  const appear = (from: string): Keyframe[] => [
    { translate: from, opacity: 0 },
    { translate: "0px 0px", opacity: 1 },
  ];
  void timeline.play(part("shade"), [{ opacity: 0 }, { opacity: 1 }], 180, "out", 0, "both");
  void timeline.play(part("band"), [{ scale: "0 1" }, { scale: "1 1" }], 240, "out", 0, "both");
  void timeline.play(
    part("beams"),
    [
      { scale: "0.5", opacity: 0 },
      { scale: "1", opacity: 0.8, offset: 0.3 },
      { scale: "1.06", opacity: 0.6 },
    ],
    1300,
    "out",
    60,
    "both",
  );
  void timeline.play(part("face"), appear("-120px 20px"), 320, "settle", 60, "both");
  await timeline.play(text, appear("60px 0px"), 320, "out", 120, "both");
  await timeline.wait(640);
  await timeline.play(node, [{ opacity: 1 }, { opacity: 0 }], 220, "in", 0, "both");
  node.remove();
}

export async function turnTrump(scene: Scene, opens: boolean): Promise<void> {
  const { timeline, actors, events, apply, sound } = scene;
  const event = events[0];
  if (!event) return;
  const before = trumpOf(actors, scene.view, event);
  const card = before?.querySelector(".small") ?? before;
  await timeline.play(card, [{ scale: "1 1" }, { scale: "0 1" }], 160, "in");
  await apply();
  const after = trumpOf(actors, scene.view, event) ?? before;
  sound("gong", opens ? 0 : -5);
  const named = event.cards?.[0];
  const announcement = !named
    ? Promise.resolve()
    : opens
      ? proclaimOpening(timeline, actors, named)
      : proclaim(timeline, actors, named, "closes");
  if (opens) {
    void actors.ring(timeline, actors.box(after), "gold", 600);
    void timeline.play(after, [{ scale: "1" }, { scale: "1.12" }, { scale: "1" }], 420, "settle");
  }
  await timeline.play(after?.querySelector(".small") ?? after, [{ scale: "0 1" }, { scale: "1 1" }], 200, "out");
  await announcement;
}

export async function loseTrump(scene: Scene): Promise<void> {
  const { timeline, actors, events, apply, sound, view } = scene;
  const event = events[0];
  const from = event ? actors.box(trumpOf(actors, view, event)) : null;
  sound("tear");
  await apply();
  if (!event) return;
  const card = event.cards?.[0];
  void actors.fly(timeline, card ?? null, event.player, from, actors.box(actors.grave(event.player)), {
    ms: 420,
    ease: "both",
    turn: 20,
  });
  if (card) await proclaim(timeline, actors, card, "falls");
}

export async function setTrumps({ timeline, actors, apply, sound }: Scene): Promise<void> {
  const before = new Set([...actors.root.querySelectorAll(".trump")]);
  await apply();
  sound("gong", -3);
  const fresh = [...actors.root.querySelectorAll(".trump")].filter((one) => !before.has(one));
  await Promise.all(
    fresh.map((one, n) =>
      timeline.play(
        one,
        [
          { opacity: 0, translate: "0px -30px" },
          { opacity: 1, translate: "0px 0px" },
        ],
        360,
        "settle",
        n * 80,
      ),
    ),
  );
}
