// A transport that looks like a room's socket but uses HTTP: every message contains the moves so far, and the answer
// contains what a room would have sent. The server stores nothing.
import { post } from "../../core/http";
import type { ClientMessage, PracticeAnswer, ServerMessage } from "../../core/protocol";
import { settings } from "../../core/settings.svelte";
import type { Transport } from "../../core/transport";

export class ExerciseTransport implements Transport {
  readyState = 1;
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  private since = -1;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private path: string,
    private moves: string[],
    private onAnswer: (answer: PracticeAnswer) => void,
  ) {
    queueMicrotask(() => this.onopen?.(new Event("open")));
  }

  /** Send one message at a time, because an answer changes the moves so far. */
  send(text: string): void {
    this.last = this.last.then(() => this.ask(JSON.parse(text) as ClientMessage));
  }

  private async ask(message: ClientMessage): Promise<void> {
    if (this.readyState !== 1) return;
    try {
      const body = { message, moves: this.moves, since: this.since, lang: settings.lang };
      const answer = await post<PracticeAnswer>(this.path, body);
      if (this.readyState !== 1) return;
      this.moves = answer.moves;
      for (const one of answer.messages as ServerMessage[]) {
        if (one.type === "update") this.since = one.seq;
        this.onmessage?.(new MessageEvent("message", { data: JSON.stringify(one) }));
      }
      this.onAnswer(answer);
    } catch {
      if (this.readyState !== 1) return;
      this.readyState = 3;
      this.onclose?.(new CloseEvent("close")); // the room reconnects
    }
  }

  close(): void {
    if (this.readyState !== 1) return;
    this.readyState = 3;
    this.onclose?.(new CloseEvent("close"));
  }
}
