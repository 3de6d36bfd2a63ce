// The page of a server without a network: rules, lessons, puzzles and the records that were read.
import { at } from "./build_info";

/** Read by everybody sooner or later, in both languages. */
const READ_FIRST = ["regulations", "levels", "puzzles"];
const READ_IN_BOTH = ["rules", "rulebook", "school"];

/** Return the paths that are stored for reading later. */
export function pathsToKeep(lessons: string[]): string[] {
  const both = (path: string): string[] => ["ja", "en"].map((lang) => `api/${path}?lang=${lang}`);
  return [
    ...READ_FIRST.map((path) => `api/${path}`),
    ...READ_IN_BOTH.flatMap(both),
    ...lessons.flatMap((id) => both(`school/${id}`)),
  ];
}

/** Register the service worker. Only over HTTPS: a server without it is on this machine or in this house. */
export async function keepForReading(): Promise<void> {
  if (location.protocol !== "https:" || !("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(at("sw.js"));
  const { active } = await navigator.serviceWorker.ready;
  const school = await fetch(at("api/school?lang=ja"));
  const { lessons } = (await school.json()) as { lessons: { id: string }[] };
  active?.postMessage(pathsToKeep(lessons.map((lesson) => lesson.id)));
}

/** Remove what was read, when somebody signs out of this browser. */
export function forgetReading(): void {
  void navigator.serviceWorker?.getRegistration().then((kept) => kept?.active?.postMessage("forget"));
}
