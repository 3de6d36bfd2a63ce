// Navigation: names of the screens in the bar, and their tab on a phone.
import type { IconName } from "../graphics/icons";
import type { Text } from "../core/i18n.svelte";

export interface NavItem {
  path: string;
  name: Text;
  icon: IconName;
  /** needs other players: a static page may have none */
  others?: true;
  /** the screens below this item */
  holds?: string[];
}

/** Navigation bar of a desktop. */
export const BAR: NavItem[] = [
  { path: "/play", name: "nav_play", icon: "swords", holds: ["room", "both", "campaign"] },
  {
    path: "/lobby",
    name: "nav_lobby",
    icon: "people",
    others: true,
    holds: ["bots", "ladder", "player", "tournament"],
  },
  { path: "/school", name: "nav_school", icon: "cap", holds: ["guide"] },
  { path: "/puzzles", name: "nav_puzzles", icon: "puzzle" },
  { path: "/decks", name: "nav_decks", icon: "copy" },
  { path: "/rules", name: "nav_rules", icon: "book", holds: ["print"] },
  { path: "/replays", name: "nav_replays", icon: "again", holds: ["replay"] },
  { path: "/desk", name: "nav_desk", icon: "board" },
];

/** The five tabs of a phone, and the screens below each. */
export const TABS: NavItem[] = [
  { path: "/", name: "home", icon: "home", holds: [""] },
  { path: "/play", name: "nav_play", icon: "swords", holds: ["play", "room", "both", "campaign"] },
  {
    path: "/school",
    name: "nav_school",
    icon: "cap",
    holds: ["school", "guide", "puzzles", "moment", "rules", "print"],
  },
  {
    path: "/lobby",
    name: "nav_lobby",
    icon: "people",
    others: true,
    holds: ["lobby", "bots", "ladder", "player", "tournament"],
  },
  {
    path: "/me",
    name: "nav_me",
    icon: "person",
    holds: ["me", "account", "settings", "decks", "replays", "replay", "desk"],
  },
];

/** Screens without a tab of their own: shown as links side by side above the content. */
export const BESIDE: NavItem[][] = [
  [
    { path: "/school", name: "nav_school", icon: "cap" },
    { path: "/puzzles", name: "nav_puzzles", icon: "puzzle" },
    { path: "/rules", name: "nav_rules", icon: "book" },
  ],
];

/** Return the screen of a path: its first segment. */
export function screenOf(path: string): string {
  return path.split("/").filter(Boolean)[0] ?? "";
}
