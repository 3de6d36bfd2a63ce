// What the browser remembers. Nothing here is ever sent to an opponent.
import type { SetAssist } from "./protocol";

export type Lang = "ja" | "en";
export type Mode = NonNullable<SetAssist["mode"]>;
export type Stop = NonNullable<SetAssist["stops"]>[number];
export const STOPS: Stop[] = ["summon", "magic", "attack", "block", "judgement", "end"];
export const MODES: Mode[] = ["auto", "firm", "full"];

/** A game that was played or watched here; what earlier pages kept has only a text. */
export interface SavedReplay {
  id: string;
  text: string;
  at?: number;
  rival?: string;
  /** where one sat oneself */
  seat?: "p1" | "p2" | null;
  result?: "won" | "lost" | "draw" | "other";
  regulation?: string;
}

/** A deck on the shelf; `format`: which one it was built for, `results`: games won, lost and drawn with it. */
export interface SavedDeck {
  id: string;
  name: string;
  frame: string;
  text: string;
  format?: string;
  colour?: string;
  results?: number[];
}

interface Settings {
  lang: Lang;
  mode: Mode;
  stops: Stop[];
  fourColours: boolean;
  table: "dark" | "light";
  /** the buttons lie under the left thumb */
  leftHanded: boolean;
  motion: "full" | "reduced";
  /** how fast events are shown */
  speed: "instant" | "fast" | "normal" | "slow";
  sound: boolean;
  /** from 0 to 1 */
  volume: number;
  /** a quiet bed under the sounds */
  ambience: boolean;
  /** the computer's masks say a word now and then */
  talk: boolean;
  hints: boolean;
  level: string;
  temper: Temper;
  regulation: string;
  /** of a game with somebody: minutes on the clock, and the least time to answer */
  minutes: number;
  windowMs: number;
  /** rooms one has a seat in, the latest first */
  rooms: string[];
  /** somebody has begun a game here before */
  played: boolean;
  decks: Record<string, string>;
  /** decks with names, whatever is played */
  shelf: SavedDeck[];
  seen: string[];
  replays: SavedReplay[];
}

/** how a computer that thinks ahead likes to play; "" has no preference */
export type Temper = "" | "attacking" | "patient";

const KEY = "blackpoker";

function loadSettings(): Settings {
  const base: Settings = {
    lang: navigator.language.toLowerCase().startsWith("ja") ? "ja" : "en",
    mode: "auto",
    stops: [],
    fourColours: false,
    table: "dark",
    leftHanded: false,
    motion: "full", // what the system asks for holds besides: motion/player
    speed: "normal",
    sound: true,
    volume: 0.4,
    ambience: false,
    talk: true,
    hints: true,
    level: "easy",
    temper: "",
    regulation: "lite+entry",
    minutes: 0,
    windowMs: 1200,
    rooms: [],
    played: false,
    decks: {},
    shelf: [],
    seen: [],
    replays: [],
  };
  try {
    return { ...base, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return base;
  }
}

export const settings = $state<Settings>(loadSettings());

export function saveSettings(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // a browser that keeps nothing still plays
  }
}

/** How long a computer's request lies on the stage before it takes effect: so that one sees what it does, and no longer
 *  than one wants to look. */
export function thinkingMs(): number {
  return { instant: 0, fast: 350, normal: 700, slow: 1100 }[settings.speed];
}
