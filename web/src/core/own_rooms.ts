// Rooms this browser asked for, so that whoever comes by a link is received as a guest, and whoever made it as the host.
const KEY = "blackpoker-hosted";

function all(): string[] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as string[];
  } catch {
    return [];
  }
}

export function rememberOwnRoom(room: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([room, ...all()].slice(0, 20)));
  } catch {
    // a browser that keeps nothing shows the letter to its writer too
  }
}

export function isOwnRoom(room: string): boolean {
  return all().includes(room);
}
