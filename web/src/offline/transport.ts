// A transport to a room of the engine in the worker.
import type { Transport } from "../core/transport";
import { newId, isReady, listen, postToEngine, unlisten } from "./engine_client";

class WorkerTransport implements Transport {
  readyState: number = WebSocket.CONNECTING;
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  private readonly id = newId();

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
    postToEngine({ op: "dial", id: this.id });
    void navigator.storage?.persist?.().catch(() => false); // ask for persistent storage when a game is played
    this.onopen?.(new Event("open"));
  }

  private closed(): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    unlisten(this.id);
    setTimeout(() => this.onclose?.(new CloseEvent("close")));
  }

  send(text: string): void {
    postToEngine({ op: "say", id: this.id, text });
  }

  close(): void {
    if (this.readyState === WebSocket.OPEN) postToEngine({ op: "hang_up", id: this.id });
    this.closed();
  }
}

export const openEngineTransport = (): Transport => new WorkerTransport();
