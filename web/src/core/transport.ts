// What a room needs of its line: as much of a WebSocket as it uses.
import { BASE } from "./base_path";
import { dial as dialLocal } from "../offline/transport";

export interface Wire {
  readyState: number;
  onopen: ((event: Event) => unknown) | null;
  onmessage: ((event: MessageEvent) => unknown) | null;
  onclose: ((event: CloseEvent) => unknown) | null;
  send(text: string): void;
  close(): void;
}

/** A line to a room: of the server, or of the engine a static page has with it. */
export function dial(room: string): Wire {
  if (import.meta.env.MODE === "static") return dialLocal();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  return new WebSocket(`${scheme}://${location.host}${BASE}/ws?room=${room}`);
}
