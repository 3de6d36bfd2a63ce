// Damage animation. From five cards on, the lost cards fan out across the middle before they are swept to the grave.
// The owner sees the faces and the best card among them, all others see backs and the top card (R-213, R-215; the event
// contains only what the seat may know). Time, shake and sound grow with the damage.
import { mount, unmount } from "svelte";
import Card from "../ui/Card.svelte";
import { t } from "../core/i18n.svelte";
import { rankOf, spokenCard } from "../core/names";
import type { SeatName } from "../core/names";
import type { Actors, Box } from "./dom_actors";
import type { Timeline } from "./timeline";

/** damage from this number of cards on is shown as a fan */
export const DAMAGE_MS = 5;
/** from this number of cards on a prompt may wait longer than MOST_WAIT */
export const HEAVY = 10;

/** Return the approximate length in ms. */
export function damageLength(many: number): number {
  return many * stepOf(many) + FLIGHT + holdOf(many) + SWEEP + many * 12;
}
const FLIGHT = 320;
const SWEEP = 360;
/** visible part of an overlapped card's width; its index is drawn to fit */
const INDEX = 0.32;
const stepOf = (many: number): number => Math.max(34, 62 - many * 1.5);
const holdOf = (many: number): number => Math.min(900, 340 + many * 26);
/** 0 for the lightest fan, 1 for damage that would end a game */
const weight = (many: number): number => Math.min(1, (many - DAMAGE_MS) / 15);

const WORTH = ["JK", "A", "K", "Q", "J"];
/** Return the index of the best visible card: Joker before ace before king; -1 for numbers only. */
function best(cards: readonly (string | null)[]): number {
  let found = -1;
  let least = WORTH.length;
  cards.forEach((card, n) => {
    const worth = card ? WORTH.indexOf(rankOf(card)) : -1;
    if (worth >= 0 && worth < least) [found, least] = [n, worth];
  });
  return found;
}

/** Shake the table; the amplitude and length grow with the damage. */
export function shake(timeline: Timeline, actors: Actors, many: number): void {
  const wide = 4 + 9 * weight(many);
  const frames = Array.from({ length: 9 }, (_, n) => {
    const left = (1 - n / 8) * wide * (n % 2 ? -1 : 1);
    return { translate: `${left.toFixed(1)}px ${(left * -0.45).toFixed(1)}px` };
  });
  void timeline.play(actors.root.querySelector(".board"), frames, 200 + 260 * weight(many), "out");
}

export interface Blow {
  timeline: Timeline;
  actors: Actors;
  seat: SeatName;
  /** the lost cards, first to last; null for a hidden one */
  cards: (string | null)[];
  /** the last of these cards is the last card of the life */
  last: boolean;
  /** called with the number of cards that have left the pile */
  left: (gone: number) => void;
  sound: (name: "taiko" | "thud" | "riffle" | "bell", pitch?: number) => void;
}

interface Fallen {
  node: HTMLElement;
  drop: () => void;
}
/** Create a card of the fan. The style sheet paints backs, so that hidden cards need no pictures. */
function fallen(actors: Actors, seat: SeatName, card: string | null, at: Box, seen: number): Fallen {
  const side = seat === actors.near ? "near" : "far";
  const node = actors.put(`ghost fallen ${side}`, at);
  node.style.width = `${at.width}px`;
  node.style.marginLeft = `${-at.width / 2}px`;
  node.style.marginTop = `${-at.width * 0.7}px`;
  const back = document.createElement("i");
  node.append(back);
  let shown: object | null = null;
  if (card) {
    const face = document.createElement("span");
    node.append(face);
    shown = mount(Card, { target: face, props: { card, side, seen } });
  }
  return {
    node,
    drop: () => {
      if (shown) void unmount(shown);
      node.remove();
    },
  };
}

/** Return the place of the n-th card in the fan: on an arc through the middle of the table. */
function slot(middle: Box, wide: number, many: number, n: number, width: number): Box & { turn: number } {
  const k = many > 1 ? n / (many - 1) - 0.5 : 0;
  const step = Math.min(width * 0.82, (wide - width) / Math.max(1, many - 1));
  return {
    x: middle.x + k * step * (many - 1),
    y: middle.y + k * k * width * 0.5,
    width,
    turn: k * Math.min(26, many * 2.4),
  };
}

/** Return the shift of the fan that keeps the life total visible; the pile itself may be covered. */
function aside(life: Box, middle: Box, felt: DOMRect, wide: number, width: number): number {
  if (Math.abs(life.y - middle.y) > width * 1.4 || life.x < middle.x) return 0;
  const over = middle.x + wide / 2 + width * 0.15 - (life.x + life.width / 2);
  return Math.max(0, Math.min(over, middle.x - wide / 2 - felt.left));
}

type Spot = Box & { turn: number };

/** Move a card from the life pile to its place in the fan and turn it face up. */
function fly(timeline: Timeline, one: Fallen, from: Box, spot: Spot, width: number, ms: number): Promise<void>[] {
  const [dx, dy] = [spot.x - from.x, spot.y - from.y];
  const flights = [
    timeline.play(
      one.node,
      [
        { translate: "0px 0px", scale: String(from.width / width), rotate: "0deg" },
        {
          translate: `${dx * 0.55}px ${dy * 0.55 - width * 0.4}px`,
          scale: "1.12",
          rotate: `${spot.turn * 0.5}deg`,
          offset: 0.55,
        },
        { translate: `${dx}px ${dy}px`, scale: "1", rotate: `${spot.turn}deg` },
      ],
      ms,
      "out",
      0,
      "both",
    ),
  ];
  const face = one.node.querySelector("span");
  if (face) {
    const back = [{ scale: "1 1" }, { scale: "0 1", offset: 0.4 }, { scale: "0 1" }];
    flights.push(timeline.play(one.node.querySelector("i"), back, ms, "both", 0, "both"));
    flights.push(
      timeline.play(
        face,
        [{ scale: "0 1" }, { scale: "0 1", offset: 0.4 }, { scale: "1 1", offset: 0.8 }, { scale: "1 1" }],
        ms,
        "both",
        0,
        "both",
      ),
    );
  }
  return flights;
}

/** Show a flash and the damage number; the rest is dimmed while the cards lie open. */
function announce(
  timeline: Timeline,
  actors: Actors,
  seat: SeatName,
  many: number,
  at: { x: number; y: number },
  size: number,
): { numeral: HTMLElement; dim: HTMLElement } {
  const heavy = weight(many);
  const flash = actors.put(`flash ${seat === actors.near ? "near" : "far"}`, { x: 0, y: 0 });
  const light = [{ opacity: 0 }, { opacity: 0.35 + 0.65 * heavy, offset: 0.12 }, { opacity: 0 }];
  void timeline.play(flash, light, 420 + 500 * heavy, "out", 0, "both").then(() => flash.remove());
  const numeral = actors.put("words hit blow", at);
  numeral.textContent = `−${many}`;
  numeral.style.fontSize = `${size}px`;
  const dim = actors.put("dim", { x: 0, y: 0 });
  void timeline.play(dim, [{ opacity: 0 }, { opacity: 0.35 + 0.4 * heavy }], 260, "out", 0, "both");
  const fade = [{ opacity: 0 }, { opacity: 1 }];
  const pop = [
    { scale: "2.6", opacity: 0 },
    { scale: "0.92", opacity: 1, offset: 0.6 },
    { scale: "1", opacity: 1 },
  ];
  void timeline.play(numeral, timeline.reduced ? fade : pop, 300, "out", 0, "both");
  return { numeral, dim };
}

/** Lift the best lost card out of the fan. */
function raise(timeline: Timeline, one: Fallen, from: Box, spot: Spot, width: number): void {
  const [dx, dy] = [spot.x - from.x, spot.y - from.y];
  one.node.classList.add("best");
  const there = { translate: `${dx}px ${dy}px`, rotate: `${spot.turn}deg`, scale: "1" };
  const above = { translate: `${dx}px ${dy - width * 0.35}px`, rotate: `${spot.turn * 0.4}deg`, scale: "1.22" };
  void timeline.play(one.node, [there, above], 220, "out", 0, "both");
}

/** Return the table and the middle of its free part. */
function middleOf(actors: Actors): { felt: DOMRect; middle: Box } {
  const felt = (actors.root.querySelector(".board") ?? actors.root).getBoundingClientRect();
  return { felt, middle: { ...actors.middle(), y: felt.top + felt.height * (felt.height > felt.width ? 0.33 : 0.45) } };
}

/** Show the name of the best lost card. */
function mourn(timeline: Timeline, actors: Actors, card: string, at: { x: number; y: number }): HTMLElement {
  const named = actors.put("words lost", at);
  named.textContent = t("lost_best", spokenCard(card));
  void timeline.play(
    named,
    [
      { scale: "0.7", opacity: 0 },
      { scale: "1", opacity: 1 },
    ],
    240,
    "settle",
    0,
    "both",
  );
  return named;
}

export async function playDamage({ timeline, actors, seat, cards, last, left, sound }: Blow): Promise<void> {
  const many = cards.length;
  const from = actors.box(actors.life(seat));
  const to = actors.box(actors.grave(seat));
  const { felt, middle } = middleOf(actors);
  const heavy = weight(many);

  sound("taiko", 0);
  shake(timeline, actors, many);
  void actors.burst(timeline, from, 1.4 + heavy);
  // the more cards, the smaller they are, so that every index stays readable
  const most = felt.width * 0.94;
  const width = Math.min(
    Math.max(from?.width ?? 0, middle.width),
    felt.width / 4.2,
    felt.height * 0.21,
    most / (1 + INDEX * (many - 1)),
  );
  const size = Math.min(felt.height * 0.2, Math.max(54, Math.min(92, felt.width / 9)) * (1 + heavy * 0.6));
  const { numeral, dim } = announce(
    timeline,
    actors,
    seat,
    many,
    { x: middle.x, y: Math.max(size * 0.55, middle.y - width * 0.78 - size * 0.5) },
    size,
  );
  /** nodes above the fan until the cards are swept away */
  const over = [numeral, dim];
  const gone = (): void => {
    for (const node of over) node.remove();
  };
  if (timeline.cut || timeline.reduced || !from || !to) {
    left(many);
    await timeline.wait(600 + 500 * heavy);
    gone();
    return;
  }
  const wide = Math.min(most, Math.max(felt.width * 0.5, width * Math.max(5, 1 + INDEX * (many - 1))));
  const at = { ...middle, x: middle.x - aside(from, middle, felt, wide, width) };
  const spots = cards.map((_, n) => slot(at, wide, many, n, width));
  const lost = best(cards);
  const seen = (n: number): number => (n === lost || n === many - 1 ? 1 : (spots[n + 1]!.x - spots[n]!.x) / width);
  const fan: Fallen[] = [];
  const flights: Promise<void>[] = [];
  await timeline.wait(60 + 80 * heavy); // a short pause on impact, before anything moves
  for (const [n, card] of cards.entries()) {
    if (timeline.cut) break;
    const spot = spots[n]!;
    const slow = last && n === many - 1;
    const one = fallen(actors, seat, card, { ...from, width }, seen(n));
    fan.push(one);
    const ms = slow ? 900 : FLIGHT;
    flights.push(...fly(timeline, one, from, spot, width, ms));
    left(n + 1);
    sound("thud", n);
    await timeline.wait(slow ? 620 : stepOf(many));
  }
  await Promise.all(flights);

  const [gravest, spot] = [fan[lost], spots[lost]];
  if (gravest && spot && seat === actors.near && !timeline.cut) {
    sound("bell", -4);
    raise(timeline, gravest, from, spot, width);
    over.push(mourn(timeline, actors, cards[lost]!, { x: middle.x, y: middle.y + width * 1.2 }));
  }
  await timeline.wait(holdOf(many) + (lost >= 0 ? 260 : 0));

  sound("riffle");
  await Promise.all(
    fan.map((one, n) => {
      const [dx, dy, turn] = [spots[n]!.x - from.x, spots[n]!.y - from.y, spots[n]!.turn];
      const there = { translate: `${dx}px ${dy}px`, rotate: `${turn}deg`, scale: "1", opacity: 1 };
      const grave = {
        translate: `${to.x - from.x}px ${to.y - from.y}px`,
        rotate: `${(n % 5) * 7 - 14}deg`,
        scale: String(to.width / width),
        opacity: 1,
      };
      return timeline.play(one.node, [there, grave], SWEEP, "in", n * 12, "forwards");
    }),
  );
  void timeline.play(dim, [{ opacity: 0.35 + 0.4 * heavy }, { opacity: 0 }], 220, "in", 0, "both");
  for (const node of over.slice(2)) node.remove();
  void timeline.play(numeral, [{ opacity: 1 }, { opacity: 0 }], 220, "in", 0, "both").then(gone);
  sound("thud", -8);
  for (const one of fan) one.drop();
}
