// Scenes of units on the field.
import type { EventView as GameEvent } from "../core/protocol";
import { other } from "../core/names";
import type { Box } from "./dom_actors";
import { type Scene, MOVE, all } from "./scene";

export async function enter({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  const starts = events.map(
    (event) =>
      (event.kind === "bulwark"
        ? null
        : actors.box(actors.root.querySelector(".stage .key") ?? actors.root.querySelector(".stage .item"), 50)) ??
      actors.box(actors.life(event.player)),
  );
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
          [
            { translate: `${from.x - to.x}px ${from.y - to.y}px`, scale: String(from.width / to.width), opacity: 0.4 },
            { translate: "0px -18px", scale: "1.12", opacity: 1, offset: 0.7 },
            { translate: "0px 0px", scale: "1", opacity: 1 },
          ],
          MOVE + 60,
          "out",
          n * 60,
        );
      } else await timeline.play(unit, [{ opacity: 0 }, { opacity: 1 }], 160);
      if (event.kind !== "bulwark") void actors.ring(timeline, to, "gold");
    }),
  );
}

export async function leave(
  { timeline, actors, events, apply, sound }: Scene,
  to: (event: GameEvent) => Box | null,
  fall = false,
): Promise<void> {
  const units = events.map((event) => actors.unit(event.unit));
  const boxes = events.map((event, n) => actors.box(units[n]) ?? actors.box(actors.hand(event.player), 60));
  const how = fall ? ({ ms: 240, ease: "in", turn: 14 } as const) : ({ ms: 320, ease: "out", lift: 24 } as const);
  const go = (): Promise<void> =>
    all(
      events.map((event, n) =>
        actors.fly(timeline, event.cards?.[0] ?? event.top ?? null, event.player, boxes[n] ?? null, to(event), how),
      ),
    );
  sound(fall ? "low" : "paper");
  if (fall) {
    await all(
      units.map((unit, n) =>
        timeline.play(
          unit,
          [
            { rotate: "0deg", opacity: 1 },
            { rotate: "14deg", translate: "0px 10px", opacity: 0.2 },
          ],
          220,
          "in",
          n * 40,
          "both",
        ),
      ),
    );
    await go(); // the grave shows the card once it has arrived
  }
  await apply();
  for (const unit of units) for (const animation of unit?.getAnimations() ?? []) animation.cancel();
  if (!fall) await go();
}

/** Show attackers that turn and step forward; their `drove` events are in the same group. */
export async function attack({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  await apply();
  await all(
    events
      .filter((event) => event.event === "attacked")
      .map(async (event, n) => {
        await timeline.wait(n * 90);
        sound("drum", n, event.player);
        const from = actors.box(actors.unit(event.unit));
        await actors.stroke(timeline, from, actors.box(actors.life(other(event.player))), "shu", 240);
      }),
  );
}

export async function block({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
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

export async function turnOver({ timeline, actors, events, apply, sound }: Scene): Promise<void> {
  sound("flip");
  await all(
    events.map((event) => timeline.play(actors.unit(event.unit), [{ scale: "1 1" }, { scale: "0 1" }], 180, "in")),
  );
  await apply();
  await all(
    events.map((event) => timeline.play(actors.unit(event.unit), [{ scale: "0 1" }, { scale: "1 1" }], 180, "out")),
  );
}
