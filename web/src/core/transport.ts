// The subset of WebSocket that a room uses.
import { BASE } from "./base_path";

export interface Transport {
  readyState: number;
  onopen: ((event: Event) => unknown) | null;
  onmessage: ((event: MessageEvent) => unknown) | null;
  onclose: ((event: CloseEvent) => unknown) | null;
  send(text: string): void;
  close(): void;
}

let openInstead: (() => Transport) | null = null;
/** Use these transports instead of WebSockets: a static page runs its own engine. */
export function replaceTransport(open: () => Transport): void {
  openInstead = open;
}

/** Return a new transport to a room. */
export function openTransport(room: string): Transport {
  if (openInstead) return openInstead();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}${BASE}/ws?room=${room}`);
}
