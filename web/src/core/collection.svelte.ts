// What was won, and the card back and table in use. Stored on the device and, with an account, with it; entries are ids
// of games, so that the collections of two devices can be merged.
const KEY = "blackpoker-collection";
/** more wins against one opponent, or games in one season, earn nothing */
const MOST = 20;

interface Collection {
  /** the card back in use, and the ground of the table; "": the first one */
  back: string;
  ground: string;
  /** ids of the games won against each opponent */
  won: Record<string, string[]>;
  /** ids of the games played in each season, e.g. "2026-autumn" */
  seasons: Record<string, string[]>;
}

function start(): Collection {
  const base: Collection = { back: "", ground: "", won: {}, seasons: {} };
  try {
    return { ...base, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Collection>) };
  } catch {
    return base;
  }
}

export const collection = $state<Collection>(start());

export function saveCollection(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(collection));
  } catch {
    // without storage the page still works
  }
}

export const SEASONS = ["spring", "summer", "autumn", "winter"] as const;
export type Season = (typeof SEASONS)[number];
/** Return the season of a day: spring is March to May. */
export function seasonAt(day: Date): { year: number; season: Season; ends: Date } {
  const number = Math.floor(((day.getMonth() + 10) % 12) / 3);
  const year = day.getMonth() < 2 ? day.getFullYear() - 1 : day.getFullYear();
  return { year, season: SEASONS[number]!, ends: new Date(year, 2 + 3 * (number + 1), 1) };
}

const added = (list: string[] | undefined, id: string): string[] =>
  (list ?? []).includes(id) || (list ?? []).length >= MOST ? (list ?? []) : [...(list ?? []), id];

/** Record a finished game of this player; `opponent`: the one it was won against, or "". */
export function recordPlayed(id: string, opponent: string, day: Date): void {
  const { year, season } = seasonAt(day);
  const name = `${year}-${season}`;
  collection.seasons[name] = added(collection.seasons[name], id);
  if (opponent) collection.won[opponent] = added(collection.won[opponent], id);
  saveCollection();
}

export const winsOver = (opponent: string): number => collection.won[opponent]?.length ?? 0;
/** Return the largest number of games in one season of that name. */
export function gamesIn(season: Season): number {
  const found = Object.entries(collection.seasons).filter(([name]) => name.endsWith(`-${season}`));
  return Math.max(0, ...found.map(([, games]) => games.length));
}
