// Rooms created in this browser session. Their creator sees the host's view, visitors the invitation.
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
    // without session storage the host sees the invitation too
  }
}

export function isOwnRoom(room: string): boolean {
  return all().includes(room);
}
