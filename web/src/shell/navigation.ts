// The rooms of the page: how they are called in the bar, and under which tab of a phone they are found.
import type { IconName } from "../graphics/icons";
import type { Text } from "../core/i18n.svelte";

export interface NavItem {
  path: string;
  name: Text;
  icon: IconName;
  /** others are there: a static page may have none */
  others?: true;
  /** the rooms that are found here */
  holds?: string[];
}

/** The bar of a desk. */
export const BAR: NavItem[] = [
  { path: "/play", name: "nav_play", icon: "swords", holds: ["room", "both"] },
  { path: "/lobby", name: "nav_lobby", icon: "people", others: true, holds: ["bots", "ladder", "player", "tournament"] },
  { path: "/school", name: "nav_school", icon: "cap", holds: ["guide"] },
  { path: "/puzzles", name: "nav_puzzles", icon: "puzzle" },
  { path: "/decks", name: "nav_decks", icon: "copy" },
  { path: "/rules", name: "nav_rules", icon: "book", holds: ["print"] },
  { path: "/replays", name: "nav_replays", icon: "again", holds: ["replay"] },
  { path: "/desk", name: "nav_desk", icon: "board" },
];

/** The five tabs of a phone, and the rooms that are found under each. */
export const TABS: NavItem[] = [
  { path: "/", name: "home", icon: "home", holds: [""] },
  { path: "/play", name: "nav_play", icon: "swords", holds: ["play", "room", "both"] },
  { path: "/school", name: "nav_school", icon: "cap", holds: ["school", "guide", "puzzles", "rules", "print"] },
  { path: "/lobby", name: "nav_lobby", icon: "people", others: true, holds: ["lobby", "bots", "ladder", "player", "tournament"] },
  { path: "/me", name: "nav_me", icon: "person", holds: ["me", "account", "settings", "decks", "replays", "replay", "desk"] },
];

/** Rooms that have no tab of their own on a phone: they stand side by side above what they show. */
export const BESIDE: NavItem[][] = [
  [
    { path: "/school", name: "nav_school", icon: "cap" },
    { path: "/puzzles", name: "nav_puzzles", icon: "puzzle" },
    { path: "/rules", name: "nav_rules", icon: "book" },
  ],
];

/** The room a path leads to: its first word. */
export function screenOf(path: string): string {
  return path.split("/").filter(Boolean)[0] ?? "";
}
