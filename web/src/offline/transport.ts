// A line to a room of the engine, as a room knows lines.
import type { Wire } from "../core/transport";
import { fresh, isReady, listen, tell, unlisten } from "./worker_client";

class LocalLine implements Wire {
  readyState: number = WebSocket.CONNECTING;
  onopen: Wire["onopen"] = null;
  onmessage: Wire["onmessage"] = null;
  onclose: Wire["onclose"] = null;
  private readonly id = fresh();

  constructor() {
    listen(this.id, {
      ready: () => this.open(),
      message: (text) => this.onmessage?.(new MessageEvent("message", { data: text })),
      closed: () => this.closed(),
    });
    if (isReady()) queueMicrotask(() => this.open());
  }

  private open(): void {
    if (this.readyState !== WebSocket.CONNECTING) return;
    this.readyState = WebSocket.OPEN;
    tell({ op: "dial", id: this.id });
    void navigator.storage?.persist?.().catch(() => false); // somebody plays: what is kept shall stay
    this.onopen?.(new Event("open"));
  }

  private closed(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    unlisten(this.id);
    setTimeout(() => this.onclose?.(new CloseEvent("close")));
  }

  send(text: string): void {
    tell({ op: "say", id: this.id, text });
  }

  close(): void {
    if (this.readyState === WebSocket.OPEN) tell({ op: "hang_up", id: this.id });
    this.closed();
  }
}

export const dial = (): Wire => new LocalLine();
