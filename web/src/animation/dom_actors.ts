// Positions on the screen, and cards that fly between them. The board marks elements with data attributes: data-unit
// (id), data-card (a card of the own hand), data-pile (p1:life), data-request (id), data-places (p1.t1).
import { mount, unmount } from "svelte";
import Card from "../ui/Card.svelte";
import type { SeatName } from "../core/names";
import { EASE, type Timeline } from "./timeline";

export interface Box {
  x: number;
  y: number;
  width: number;
}

export class Actors {
  readonly layer: HTMLElement;
  near: SeatName = "p1";

  constructor(readonly root: HTMLElement) {
    this.layer = document.createElement("div");
    this.layer.className = "motion-layer";
    this.layer.setAttribute("aria-hidden", "true");
    root.append(this.layer);
  }
  close(): void {
    this.layer.remove();
  }

  private one(selector: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(selector);
  }
  unit(id: number | null | undefined): HTMLElement | null {
    return id == null ? null : this.one(`[data-unit="${id}"]`);
  }
  card(card: string): HTMLElement | null {
    return this.one(`.hand [data-card="${card}"]`);
  }
  life(seat: SeatName): HTMLElement | null {
    return this.one(`[data-pile="${seat}:life"]`);
  }
  grave(seat: SeatName): HTMLElement | null {
    return this.one(`[data-pile="${seat}:grave"]`);
  }
  request(id: number | null | undefined): HTMLElement | null {
    return id == null ? null : this.one(`[data-request="${id}"]`);
  }
  stage(): HTMLElement | null {
    return this.one(".stage");
  }
  hand(seat: SeatName): HTMLElement | null {
    return this.one(seat === this.near ? ".hand" : ".far-hand");
  }
  place(text: string): HTMLElement | null {
    return this.one(`[data-places~="${text}"]`);
  }
  person(seat: SeatName): HTMLElement | null {
    return this.one(seat === this.near ? ".person.near" : ".person.far");
  }
  /** Return every element that keeps its name while it moves. */
  named(): Map<string, HTMLElement> {
    const out = new Map<string, HTMLElement>();
    for (const element of this.root.querySelectorAll<HTMLElement>("[data-unit], .hand [data-card], [data-request]")) {
      const { unit, card, request } = element.dataset;
      out.set(unit ? `u${unit}` : request ? `r${request}` : `c${card ?? ""}`, element);
    }
    return out;
  }

  /** Return the middle of an element and the width of a card there. */
  box(element: Element | null | undefined, card = 0): Box | null {
    const found = element?.getBoundingClientRect();
    if (!found?.width) return null;
    const art = element?.querySelector(".art, .heap, .small")?.getBoundingClientRect();
    const r = art?.width ? art : found;
    const width = card || (found.height ? Math.min(r.width, r.height / 1.4, innerHeight / 6) : r.width);
    return { x: r.left + r.width / 2, y: r.top + Math.min(r.height / 2, width * 0.75), width };
  }
  middle(): Box {
    const found = (this.one(".board") ?? this.root).getBoundingClientRect();
    return {
      x: found.left + found.width / 2,
      y: found.top + found.height * 0.46,
      width: Math.min(120, found.width / 6),
    };
  }

  /** Add a node to the layer, centred on a point. */
  put(name: string, at: { x: number; y: number }, html = ""): HTMLElement {
    const node = document.createElement("div");
    node.className = `motion-node ${name}`;
    node.style.left = `${at.x}px`;
    node.style.top = `${at.y}px`;
    if (html) node.innerHTML = html;
    this.layer.append(node);
    return node;
  }

  /** Fly a card from one place to another; `flip` is the side it turns from on the way. */
  async fly(
    timeline: Timeline,
    card: string | null,
    owner: SeatName,
    from: Box | null,
    to: Box | null,
    {
      ms = 280,
      ease = "out" as "out" | "in" | "both" | "settle",
      delay = 0,
      turn = 0,
      flip = false,
      fade = false,
      lift = 0,
    } = {},
  ): Promise<void> {
    if (timeline.cut || timeline.reduced || !from || !to) return;
    const width = Math.max(from.width, to.width);
    const node = this.put("ghost", { x: from.x, y: from.y });
    node.style.width = `${width}px`;
    node.style.marginLeft = `${-width / 2}px`;
    node.style.marginTop = `${-width * 0.7}px`;
    const side = owner === this.near ? "near" : "far";
    const faces: { face: HTMLElement; card: object }[] = [];
    const add = (shown: string | null): HTMLElement => {
      const face = document.createElement("span");
      node.append(face);
      faces.push({ face, card: mount(Card, { target: face, props: { card: shown, side } }) });
      return face;
    };
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const [a, b] = [from.width / width, to.width / width];
    const moves = [
      timeline.play(
        node,
        [
          { translate: "0px 0px", scale: String(a), rotate: "0deg", opacity: 1 },
          ...(lift
            ? [{ translate: `${dx / 2}px ${dy / 2 - lift}px`, scale: String(Math.max(a, b)), offset: 0.5 }]
            : []),
          { translate: `${dx}px ${dy}px`, scale: String(b), rotate: `${turn}deg`, opacity: fade ? 0 : 1 },
        ],
        ms,
        ease,
        delay,
        "both",
      ),
    ];
    if (flip && card) {
      const [back, front] = [add(null), add(card)];
      moves.push(
        timeline.play(
          back,
          [{ scale: "1 1" }, { scale: "0 1", offset: 0.5 }, { scale: "0 1" }],
          ms,
          "both",
          delay,
          "both",
        ),
      );
      moves.push(
        timeline.play(
          front,
          [{ scale: "0 1" }, { scale: "0 1", offset: 0.5 }, { scale: "1 1" }],
          ms,
          "both",
          delay,
          "both",
        ),
      );
    } else add(card);
    await Promise.all(moves);
    for (const one of faces) void unmount(one.card);
    node.remove();
  }

  /** Add a card to the layer, centred on a point; the scene moves it and removes it. */
  ghost(card: string, owner: SeatName, at: Box): { node: HTMLElement; remove: () => void } {
    const node = this.put("ghost", at);
    Object.assign(node.style, {
      width: `${at.width}px`,
      marginLeft: `${-at.width / 2}px`,
      marginTop: `${-at.width * 0.7}px`,
    });
    const shown = mount(Card, { target: node, props: { card, side: owner === this.near ? "near" : "far" } });
    return {
      node,
      remove: () => {
        void unmount(shown);
        node.remove();
      },
    };
  }

  /** Show a ring that grows and fades. */
  async ring(timeline: Timeline, at: Box | null, tone: string, ms = 420, delay = 0): Promise<void> {
    if (!at || timeline.cut || timeline.reduced) return;
    const node = this.put(`ring ${tone}`, at);
    node.style.width = node.style.height = `${at.width * 1.7}px`;
    await timeline.play(
      node,
      [
        { scale: "0.4", opacity: 0 },
        { opacity: 1, offset: 0.3 },
        { scale: "1.15", opacity: 0 },
      ],
      ms,
      "out",
      delay,
      "both",
    );
    node.remove();
  }
  /** Show a flash at the point of impact. */
  async burst(timeline: Timeline, at: Box | null, big = 1, delay = 0): Promise<void> {
    if (!at || timeline.cut || timeline.reduced) return;
    const node = this.put("burst", at);
    node.style.width = node.style.height = `${at.width * 2 * big}px`;
    await timeline.play(
      node,
      [
        { scale: "0.2", opacity: 0 },
        { scale: "0.8", opacity: 1, offset: 0.35 },
        { scale: "1.2", opacity: 0 },
      ],
      380,
      "out",
      delay,
      "both",
    );
    node.remove();
  }
  /** Show text that rises from a place and fades. */
  async words(timeline: Timeline, at: Box | null, name: string, text: string, ms = 700, delay = 0): Promise<void> {
    if (!at || timeline.cut) return;
    const node = this.put(`words ${name}`, at);
    node.textContent = text;
    await timeline.play(
      node,
      [
        { translate: "0px 12px", scale: "0.6", opacity: 0, easing: EASE.out },
        { translate: "0px 0px", scale: "1", opacity: 1, offset: 0.25 },
        { translate: "0px -4px", opacity: 1, offset: 0.8 },
        { translate: "0px -22px", scale: "1", opacity: 0 },
      ],
      timeline.reduced ? Math.max(600, ms) : ms,
      "even",
      delay,
      "both",
    );
    node.remove();
  }
  /** Press a stamp on a place: it falls, stays and fades. */
  async stamp(timeline: Timeline, at: Box | null, text: string, ms: number): Promise<void> {
    if (!at || timeline.cut) return;
    const node = this.put("words stamp", at);
    node.textContent = text;
    await timeline.play(
      node,
      [
        { scale: "2.4", opacity: 0, easing: EASE.in },
        { scale: "0.96", opacity: 1, offset: 0.2 },
        { scale: "1", opacity: 1, offset: 0.26 },
        { scale: "1", opacity: 1, offset: 0.86 },
        { scale: "1", opacity: 0 },
      ],
      ms,
      "even",
      0,
      "both",
    );
    node.remove();
  }
  /** Darken the table for the last blow, until `won` takes over. */
  darken(timeline: Timeline): void {
    this.root.setAttribute("data-last-blow", "");
    const node = this.put("dim last-dark", { x: 0, y: 0 });
    void timeline.play(node, [{ opacity: 0 }, { opacity: 0.8 }], 260, "out", 0, "both");
  }

  /** Draw a stroke from one place to another that gets broader towards its end. */
  async stroke(timeline: Timeline, from: Box | null, to: Box | null, tone: string, ms = 320, hold = 0): Promise<void> {
    if (!from || !to || timeline.cut) return;
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const node = this.put(`stroke ${tone}`, from);
    node.style.width = `${Math.hypot(dx, dy)}px`;
    node.style.rotate = `${Math.atan2(dy, dx)}rad`;
    await timeline.play(
      node,
      [
        { scale: "0 1", opacity: 0.9 },
        { scale: "1 1", opacity: 1 },
      ],
      ms,
      "out",
      0,
      "both",
    );
    await timeline.play(node, [{ opacity: 1 }, { opacity: 0 }], (timeline.reduced ? 600 : 200) + hold, "in", 0, "both");
    node.remove();
  }
}
