// Games stored by this browser: rooms to return to, and finished games.
import { saveSettings, settings } from "./settings.svelte";

const MOST_ROOMS = 12;
const MOST_REPLAYS = 30;
const MOST_TOURNAMENTS = 6;

export function rememberRoom(id: string, over: boolean): void {
  const others = settings.rooms.filter((one) => one !== id);
  const rooms = over ? others : [id, ...others].slice(0, MOST_ROOMS);
  if (rooms.join() === settings.rooms.join()) return;
  settings.rooms = rooms;
  saveSettings();
}

export function rememberReplay(replay: (typeof settings.replays)[number]): void {
  settings.replays = [replay, ...settings.replays.filter((one) => one.id !== replay.id)].slice(0, MOST_REPLAYS);
  saveSettings();
}

/** Follow a tournament on every screen while the player is in it. */
export function rememberTournament(id: string, entered: boolean): void {
  const others = settings.tournaments.filter((one) => one !== id);
  const tournaments = entered ? [id, ...others].slice(0, MOST_TOURNAMENTS) : others;
  if (settings.tournaments.includes(id) === entered) return;
  settings.tournaments = tournaments;
  saveSettings();
}
