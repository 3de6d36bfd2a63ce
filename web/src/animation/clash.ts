// Judgement: attackers meet their blockers, with numbers; unblocked attackers hit the life pile.
import { other } from "../core/names";
import type { Box } from "./dom_actors";
import type { Scene } from "./scene";

/** rest at impact, in ms */
const HIT_STOP = 70;

function chip(left: number, right: number | null): string {
  if (right === null) return String(left);
  return `${left} ${left < right ? "<" : left > right ? ">" : "="} ${right}`;
}

export async function clash({ timeline, actors, view, sound }: Scene): Promise<void> {
  const striker = (["p1", "p2"] as const).find((seat) => view[seat].soldiers.some((one) => one.role === "attacker"));
  if (!striker) return;
  const struck = view[other(striker)];
  const pile = actors.box(actors.life(other(striker)));
  const fights = view[striker].soldiers.filter((one) => one.role === "attacker");
  const gap = Math.min(170, 900 / fights.length);
  await Promise.all(
    fights.map(async (attacker, n) => {
      const element = actors.unit(attacker.id);
      const from = actors.box(element);
      if (!from) return;
      const soldiers = struck.soldiers.filter((one) => one.blocks === attacker.id);
      const walls = struck.bulwarks.filter((one) => one.blocks === attacker.id);
      const met = [...soldiers, ...walls];
      await timeline.wait(n * gap);
      if (!met.length) {
        if (!pile) return;
        const reach = (k: number): string => `${(pile.x - from.x) * k}px ${(pile.y - from.y) * k}px`;
        // the attacker rests on the pile at impact, recoils, and returns while its effect plays and the cards fall
        const there = { translate: reach(0.86), scale: "1.1" };
        const lunge = [
          { translate: "0px 0px" },
          { translate: reach(-0.06), offset: 0.45, easing: "cubic-bezier(0.7, 0, 1, 0.6)" },
          there,
        ];
        await Promise.all([timeline.play(element, lunge, 375, "both"), timeline.wait(375)]);
        sound("strike", n, other(striker));
        void actors.burst(timeline, { ...pile, width: pile.width * 0.8 }, 1);
        void actors.words(timeline, pile, "hit", String(attacker.number), 420);
        void timeline.play(
          element,
          [
            there,
            { ...there, offset: HIT_STOP / 315 },
            { translate: reach(0.7), scale: "1.02", offset: 0.5 },
            { translate: "0px 0px", scale: "1" },
          ],
          315,
          "both",
        );
        const back = `${Math.sign(pile.x - from.x) * 8}px ${Math.sign(pile.y - from.y) * 10}px`;
        await timeline.wait(HIT_STOP);
        await timeline.play(
          actors.life(other(striker)),
          [{ translate: "0px 0px" }, { translate: back, offset: 0.3 }, { translate: "0px 0px" }],
          180,
          "out",
        );
        return;
      }
      const others = met.map((one) => actors.unit(one.id));
      const facing = others.map((one) => actors.box(one)).filter((one): one is Box => one !== null);
      const first = facing[0];
      if (!first) return;
      const middle: Box = { x: (from.x + first.x) / 2, y: (from.y + first.y) / 2, width: from.width };
      const toward = (box: Box, k: number): string => `${(middle.x - box.x) * k}px ${(middle.y - box.y) * k}px`;
      const hit = (box: Box): Keyframe[] => [
        { translate: "0px 0px" },
        { translate: toward(box, -0.16), offset: 0.35 },
        { translate: toward(box, 0.5), offset: 0.51 },
        { translate: toward(box, 0.5), offset: 0.64 }, // HIT_STOP of 530 ms
        { translate: toward(box, 0.2), offset: 0.74 },
        { translate: "0px 0px" },
      ];
      const sum = soldiers.length ? soldiers.reduce((all, one) => all + one.number, 0) : null;
      const meet = Promise.all([
        timeline.play(element, hit(from), 530, "both"),
        ...others.map((one, k) => timeline.play(one, hit(facing[k] ?? first), 530, "both")),
      ]);
      await timeline.wait(270);
      sound(walls.length ? "shield" : "metal");
      void actors.burst(timeline, middle, 1.1);
      void actors.words(timeline, middle, "clash", chip(attacker.number, sum), 900);
      await meet;
      await timeline.wait(sum === null ? 0 : 60); // every unit that falls does so at once
    }),
  );
}
