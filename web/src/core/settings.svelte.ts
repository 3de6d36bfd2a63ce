// Settings stored by the browser. They are never sent to an opponent.
import type { SetAssist } from "./protocol";
import { editionOf, FIRST_REGULATION, type EditionId } from "./regulation";

export type Lang = "ja" | "en";
export type Mode = NonNullable<SetAssist["mode"]>;
export type Stop = NonNullable<SetAssist["stops"]>[number];
export const STOPS: Stop[] = ["summon", "magic", "attack", "block", "judgement", "end"];
export const MODES: Mode[] = ["auto", "firm", "full"];

/** A game played or watched here; entries of old versions only have a text. */
export interface SavedReplay {
  id: string;
  text: string;
  at?: number;
  rival?: string;
  /** the seat played here */
  seat?: "p1" | "p2" | null;
  result?: "won" | "lost" | "draw" | "other";
  regulation?: string;
}

/**
 * A deck on the shelf; `edition`: none for the default one; `format`: the format it was built for; `results`: games won,
 * lost and drawn.
 */
export interface SavedDeck {
  id: string;
  name: string;
  edition?: EditionId;
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
  /** buttons on the left side */
  leftHanded: boolean;
  motion: "full" | "reduced";
  /** speed of animations */
  speed: "instant" | "fast" | "normal" | "slow";
  sound: boolean;
  /** 0 to 1 */
  volume: number;
  /** quiet ambience under the sounds */
  ambience: boolean;
  /** the masks of computer players comment now and then */
  talk: boolean;
  hints: boolean;
  /** single letters and digits are shortcuts at the table */
  shortcuts: boolean;
  level: string;
  temper: Temper;
  /** of the next game; its edition is that of every screen */
  regulation: string;
  /** the last one of each other edition */
  regulations: Partial<Record<EditionId, string>>;
  /** for games between people: minutes on the clock, and the minimum time to respond */
  minutes: number;
  windowMs: number;
  /** rooms with an own seat, latest first */
  rooms: string[];
  /** a game was started here before */
  played: boolean;
  decks: Record<string, string>;
  /** named decks */
  shelf: SavedDeck[];
  seen: string[];
  replays: SavedReplay[];
  /** running tournaments this player entered, latest first */
  tournaments: string[];
}

/** style of a computer player that searches ahead; "": none */
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
    motion: "full", // the system's setting applies as well: animation/player
    speed: "normal",
    sound: true,
    volume: 0.4,
    ambience: false,
    talk: true,
    hints: true,
    shortcuts: true,
    level: "easy",
    temper: "",
    regulation: FIRST_REGULATION["6"],
    regulations: {},
    minutes: 0,
    windowMs: 1200,
    rooms: [],
    played: false,
    decks: {},
    shelf: [],
    seen: [],
    replays: [],
    tournaments: [],
  };
  try {
    return { ...base, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return base;
  }
}

export const settings = $state<Settings>(loadSettings());

/** Store the settings; the other tabs receive them if anything has changed. */
export function saveSettings(): void {
  try {
    const sorted = Object.entries(settings).sort(([one], [other]) => (one < other ? -1 : 1)); // equal in every tab
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(sorted)));
  } catch {
    // without storage the page still works
  }
}

/** Choose the edition of every screen, with its last regulation, and remember it. */
export function chooseEdition(edition: EditionId): void {
  const now = editionOf(settings.regulation);
  if (now === edition) return;
  settings.regulations = { ...settings.regulations, [now]: settings.regulation };
  settings.regulation = settings.regulations[edition] ?? FIRST_REGULATION[edition];
  saveSettings();
}

/** Take over settings that were changed in another tab. */
export function receiveSettings(event: { key: string | null; newValue: string | null }): void {
  if (event.key !== KEY || !event.newValue) return;
  const changed = JSON.parse(event.newValue) as Partial<Settings>;
  const own = settings as unknown as Record<string, unknown>;
  for (const [name, value] of Object.entries(changed))
    if (JSON.stringify(own[name]) !== JSON.stringify(value)) own[name] = value;
}
addEventListener("storage", receiveSettings);

/** Return how long a computer's request stays on the stage before it resolves, in ms. */
export function thinkingMs(): number {
  return { instant: 0, fast: 350, normal: 700, slow: 1100 }[settings.speed];
}
