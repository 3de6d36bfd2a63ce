// The campaign and what it earns: seven masks, card backs and tables. Nothing is bought: every back is a mask beaten, a
// lesson or puzzle done, games played, or a season.
import { collection, gamesIn, SEASONS, winsOver, type Season } from "../../core/collection.svelte";
import { settings } from "../../core/settings.svelte";
import type { BackName } from "../../graphics/backs";
import type { Ground } from "../../graphics/grounds";
import { faceOf } from "../../graphics/masks/faces";
import { progress } from "../learn/progress.svelte";
import { puzzleStats } from "../learn/rating.svelte";

/** An opponent of the campaign: the wins that earn its back, its rules, and the deck that can be copied. */
export interface Stage {
  level: string;
  wins: number;
  regulation: string;
  deck: { frame: string; text: string };
}
const ENTRY = "SA S2 S3 S4 S5 HA H8 H9 H10 HJ DA D3 D7 D10 DQ CA C5 C6 C10 CK JK";
const whole = (trumps: string): string =>
  ["S", "H", "D", "C"].map((suit) => `${suit} A 2 3 4 5 6 7 8 9 10 J Q K`).join("\n") + `\nJK JK2\ntrumps: ${trumps}`;
export const STAGES: Stage[] = [
  { level: "tanuki", wins: 1, regulation: "lite+entry", deck: { frame: "constructed40", text: ENTRY } },
  { level: "easy", wins: 5, regulation: "lite+entry", deck: { frame: "constructed40", text: ENTRY } },
  {
    level: "casual",
    wins: 5,
    regulation: "standard+full",
    deck: {
      frame: "constructed40",
      text: "S A 2 3 4 5 6 7 8 9 10\nH A 2 3 4 5 6 7 8 9 10\nD A 2 3 4 5 6 7 8 9\nC A 2 3 4 5 6 7 8 9\nJK JK2",
    },
  },
  {
    level: "normal",
    wins: 3,
    regulation: "pro+full",
    deck: {
      frame: "constructed40",
      text: "S A 5 6 7 8 9 10 J Q K\nH A 5 6 7 8 9 10 J Q K\nD A 5 7 8 9 10 J Q K\nC A 5 7 8 9 10 J Q K\nJK JK2",
    },
  },
  { level: "strong", wins: 3, regulation: "extra+regular", deck: { frame: "regular", text: whole("SA S2") } },
  { level: "master", wins: 2, regulation: "extra+regular", deck: { frame: "regular", text: whole("DA C9") } },
  { level: "god", wins: 1, regulation: "extra+regular", deck: { frame: "regular", text: whole("H2 C7") } },
];
export const beaten = ({ level, wins }: Stage): boolean => winsOver(level) >= wins;

/** A back or table with its way there. */
export interface Reward<Id extends string> {
  id: Id;
  way: "start" | "mask" | "lessons" | "puzzles" | "games" | "streak" | "season";
  have: number;
  need: number;
  /** the mask or season */
  of?: string;
}
export const earned = (one: Reward<string>): boolean => one.have >= one.need;
const LESSONS = 18;
const SEASON_GAMES = 20;
const played = (): number => settings.replays.filter((one) => one.seat).length;

export function backs(): Reward<BackName>[] {
  const start = (id: BackName): Reward<BackName> => ({ id, way: "start", have: 1, need: 1 });
  return [
    start("lacquer"),
    start("indigo"),
    ...STAGES.map(({ level, wins }): Reward<BackName> => ({
      id: faceOf(level).back,
      way: "mask",
      have: winsOver(level),
      need: wins,
      of: level,
    })),
    { id: "bamboo", way: "lessons", have: progress.done.length, need: 3 },
    { id: "chrysanthemum", way: "lessons", have: progress.done.length, need: LESSONS },
    { id: "jade", way: "puzzles", have: puzzleStats.solved.length, need: 30 },
    { id: "tide", way: "streak", have: puzzleStats.best, need: 7 },
    { id: "mirror", way: "games", have: played(), need: 30 },
    ...SEASONS.map((of): Reward<BackName> => ({ id: of, way: "season", have: gamesIn(of), need: SEASON_GAMES, of })),
  ];
}
/** The tables: the lacquer and the bare wood are the two appearances of the page. */
export type TableName = "lacquer" | "wood" | Exclude<Ground, "">;
export function tables(): Reward<TableName>[] {
  return [
    { id: "lacquer", way: "start", have: 1, need: 1 },
    { id: "wood", way: "start", have: 1, need: 1 },
    { id: "tatami", way: "games", have: played(), need: 10 },
    { id: "moon", way: "mask", have: winsOver("master"), need: 2, of: "master" },
    { id: "leaves", way: "season", have: gamesIn("autumn" satisfies Season), need: SEASON_GAMES, of: "autumn" },
  ];
}
export function tableNow(): TableName {
  if (settings.table === "light") return "wood";
  return (collection.ground || "lacquer") as TableName;
}
