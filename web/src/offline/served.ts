// The page of a server without a network: rules, lessons, puzzles, own records and others that were read.
import { get } from "../core/http";
import type { PuzzleList, Replay, SchoolPage } from "../core/protocol";
import { CHUNK, replayPath } from "../core/replay_path";
import { settings } from "../core/settings.svelte";
import { at } from "./build_info";

/** Read by everybody sooner or later, in both languages. */
const READ_FIRST = ["regulations", "levels"];
const READ_IN_BOTH = ["rules", "rulebook", "school", "puzzles"];
/** More puzzles than this are stored only when they are opened. */
const MOST_PUZZLES = 30;

/** Return the paths that are stored for reading later. */
export function pathsToKeep(lessons: string[], puzzles: string[], lang: string): string[] {
  const both = (path: string, more = ""): string[] => ["ja", "en"].map((one) => `api/${path}?lang=${one}${more}`);
  return [
    ...READ_FIRST.map((path) => `api/${path}`),
    ...READ_IN_BOTH.flatMap((path) => both(path)),
    ...both("quick-start", "&edition=6"),
    ...lessons.flatMap((id) => both(`school/${id}`)),
    ...puzzles.slice(0, MOST_PUZZLES).map((id) => `api/puzzles/${id}?lang=${lang}`),
  ];
}

/** Register the service worker. Only over HTTPS: a server without it is on this machine or in this house. */
export async function keepForReading(): Promise<void> {
  if (location.protocol !== "https:" || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(at("sw.js"));
  const { active } = await navigator.serviceWorker.ready;
  const [school, list] = await Promise.all([
    get<SchoolPage>("/api/school?lang=ja"),
    get<PuzzleList>("/api/puzzles?lang=ja"),
  ]);
  const ids = (all: { id: string }[]): string[] => all.map((one) => one.id);
  active?.postMessage(pathsToKeep(ids(school.lessons), ids(list.puzzles), settings.lang));
}

/** Read the replay of a game that was just finished, all of it: the service worker stores what is read. */
export async function keepGame(id: string): Promise<void> {
  if (!navigator.serviceWorker?.controller) return;
  for (let first = 0, steps = 0; first <= steps; first += CHUNK)
    ({ steps } = await get<Replay>(replayPath(id, "both", settings.lang, first)));
}

/** Remove what was read, when somebody signs out of this browser. */
export function forgetReading(): void {
  void navigator.serviceWorker?.getRegistration().then((kept) => kept?.active?.postMessage("forget"));
}
