// Choice of the guide's remark, by conditions on the seat's view and prompt.
import type { Option, RemarkPage, SideView } from "../../core/protocol";
import type { Room } from "../../core/room.svelte";

const LOW_LIFE = 8;
const PLENTY = 10;
/** with a life of one card its payment would be the last card */
const LAST = 1;
/** least life for a recommended summon or second bulwark */
const ENOUGH = 3;

export function conditions(room: Room): Set<string> {
  const { ask, view, you } = room;
  if (!view || !you) return new Set();
  const out = ofLife(view[you].life);
  if (!ask) return view.turn === you ? out : out.add("theirs");
  if (ask.kind === "blockers" || ask.kind === "attackers") return out.add(ask.kind);
  if (ask.kind !== "chance") return out.add(ask.kind === "yes_no" ? "more" : "choice");
  const top = view.stage.at(-1);
  if (top?.controller === you) return out.add("own");
  if (top || view.turn !== you) return out.add("answer");
  return new Set([...out, ...ofTurn(view[you], ask.options)]);
}

/** Return the conditions on a life; ten and more are hidden. */
function ofLife(life: SideView["life"]): Set<string> {
  if (typeof life !== "number") return new Set(["plenty"]);
  return new Set([...(life <= LOW_LIFE ? ["low_life"] : []), ...(life > PLENTY ? ["plenty"] : [])]);
}

/** Return the conditions on the options of the own turn. */
function ofTurn(mine: SideView, options: Option[]): string[] {
  const enough = typeof mine.life !== "number" || mine.life > ENOUGH;
  const words = options.flatMap((option) => (option.action && !option.usefulness ? [] : [option.token]));
  const found: [string, boolean][] = [
    ["mine", true],
    ["no_bulwark", mine.life !== LAST && !mine.bulwarks.length],
    ["second", enough && mine.bulwarks.length === 1],
    ["no_soldier", !mine.soldiers.length],
    ["can_summon", enough && words.some((word) => word.startsWith("summon_"))],
    ["can_attack", options.some((option) => option.token === "attack" && option.usefulness === 2)],
    ["nothing_left", !options.some((option) => option.usefulness === 2)],
  ];
  return [...words, ...found.filter(([, holds]) => holds).map(([name]) => name)];
}

export function remarkFor(room: Room, guide: RemarkPage[], made: Record<string, number>): RemarkPage | undefined {
  const found = conditions(room);
  return guide.find((one) => (made[one.id] ?? 0) < one.times && one.when.every((name) => found.has(name)));
}
