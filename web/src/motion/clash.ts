// The judgement: attackers and those who block them meet, numbers and all; who is not blocked strikes the pile.
import { other } from "../lib/names";
import type { Box } from "./actors";
import type { Scene } from "./scenes";

function chip(left: number, right: number | null): string {
  if (right === null) return String(left);
  return `${left} ${left < right ? "<" : left > right ? ">" : "="} ${right}`;
}

export async function clash({ run, actors, view, sound }: Scene): Promise<void> {
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
      await run.wait(n * gap);
      if (!met.length) {
        if (!pile) return;
        const reach = (k: number): string => `${(pile.x - from.x) * k}px ${(pile.y - from.y) * k}px`;
        sound("taiko", 3);
        void actors.words(run, { ...from, y: from.y - from.width * 0.3 }, "hit", String(attacker.number), 620);
        await run.play(element, [{ translate: "0px 0px" }, { translate: reach(-0.04), offset: 0.3 }, { translate: reach(0.78), scale: "1.06", offset: 0.72 }, { translate: "0px 0px", scale: "1" }], 460, "strike");
        return;
      }
      const others = met.map((one) => actors.unit(one.id));
      const facing = others.map((one) => actors.box(one)).filter((one): one is Box => one !== null);
      const first = facing[0];
      if (!first) return;
      const middle: Box = { x: (from.x + first.x) / 2, y: (from.y + first.y) / 2, width: from.width };
      const toward = (box: Box, k: number): string => `${(middle.x - box.x) * k}px ${(middle.y - box.y) * k}px`;
      const hit = (box: Box): Keyframe[] => [{ translate: "0px 0px" }, { translate: toward(box, -0.16), offset: 0.35 }, { translate: toward(box, 0.5), offset: 0.6 }, { translate: "0px 0px" }];
      const sum = soldiers.length ? soldiers.reduce((all, one) => all + one.number, 0) : null;
      void run.wait(240).then(() => {
        sound(walls.length ? "shield" : "metal");
        void actors.burst(run, middle, 1.1);
        void actors.words(run, middle, "clash", chip(attacker.number, sum), 860);
      });
      await Promise.all([run.play(element, hit(from), 420, "both"), ...others.map((one, k) => run.play(one, hit(facing[k] ?? first), 420, "both"))]);
      await run.wait(sum === null ? 60 : 260);
    }),
  );
}
