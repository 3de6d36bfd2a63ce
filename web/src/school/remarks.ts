// Which remark of the guide fits: the conditions are read off what the seat is shown and asked.
import type { RemarkPage } from "../lib/protocol";
import type { Room } from "../lib/room.svelte";

const LOW_LIFE = 8;
const PLENTY = 10;
/** life a summon or a second bulwark may be paid from */
const ENOUGH = 3;

export function conditions(room: Room): Set<string> {
  const out = new Set<string>();
  const { ask, view, you } = room;
  if (!view || !you) return out;
  const mine = view[you];
  if (typeof mine.life === "number" && mine.life <= LOW_LIFE) out.add("low_life");
  if (typeof mine.life !== "number" || mine.life > PLENTY) out.add("plenty");
  if (!ask) {
    if (view.turn !== you) out.add("theirs");
    return out;
  }
  if (ask.kind === "blockers" || ask.kind === "attackers") return out.add(ask.kind);
  if (ask.kind !== "chance") return out.add(ask.kind === "yes_no" ? "more" : "choice");
  if (view.stage.length || view.turn !== you) return out.add("answer");
  out.add("mine");
  const words = new Set(ask.options.map((option) => option.word));
  if (!mine.bulwarks.length) out.add("no_bulwark");
  for (const word of words) out.add(word);
  const enough = typeof mine.life !== "number" || mine.life > ENOUGH;
  if (enough && mine.bulwarks.length < 2) out.add("second");
  if (enough && [...words].some((word) => word.startsWith("summon_"))) out.add("can_summon");
  if (ask.options.some((option) => option.word === "attack" && option.useful === 2)) out.add("can_attack");
  if (!ask.options.some((option) => option.useful === 2)) out.add("nothing_left");
  return out;
}

export function remarkFor(room: Room, guide: RemarkPage[], made: Record<string, number>): RemarkPage | undefined {
  const found = conditions(room);
  return guide.find((one) => (made[one.id] ?? 0) < one.times && one.when.every((name) => found.has(name)));
}
