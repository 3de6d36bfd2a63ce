// A transport to a server that answers when the test sends a message.
import { Player } from "../src/animation/player.svelte";
import type { Prompt, PreviewResult, Option, ServerMessage } from "../src/core/protocol";
import { Room } from "../src/core/room.svelte";
import type { Transport } from "../src/core/transport";

export type Sent = {
  type: string;
  id: number;
  seq?: number;
  tokens?: string[];
  picks?: string[];
  complete?: boolean;
  text?: string;
  tap?: string;
  blocks?: Record<string, string[]>;
  attacker?: string;
  attackers?: string[];
};

export class Line implements Transport {
  readyState = 1;
  onopen: Transport["onopen"] = null;
  onmessage: Transport["onmessage"] = null;
  onclose: Transport["onclose"] = null;
  readonly sent: Sent[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose?.({} as CloseEvent);
  }
  hear(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) } as MessageEvent);
  }
  of(type: string): Sent[] {
    return this.sent.filter((one) => one.type === type);
  }
  /** Return the last message of a type. */
  last(type: string): Sent {
    const found = this.of(type).at(-1);
    if (!found) throw new Error(`no ${type} was sent`);
    return found;
  }
}

const HAND = { count: 2, cards: ["H3", "S6"], known: [] };
const side = {
  life: 14,
  life_known: { top: [], bottom: [] },
  hand: HAND,
  grave: { count: 0, top: null, cards: [], known: [] },
  soldiers: [],
  bulwarks: [],
  trumps: [],
  pack: null,
  aside: [],
  used: [],
};
export const VIEW = {
  you: "p1",
  turn: "p1",
  chance: "p1",
  turn_number: 3,
  passed: [],
  stage: [],
  resolving: null,
  decision: null,
  p1: side,
  p2: side,
  over: null,
};
const SEAT = { kind: "human", name: "A", connected: true, ready: true };

/** Return a room in play, and the transports it opens. */
export function room(): { room: Room; lines: Line[]; line: () => Line } {
  const lines: Line[] = [];
  const made = new Room("test", new Player(), "p1", false, () => {
    const line = new Line();
    lines.push(line);
    return line;
  });
  const line = (): Line => lines.at(-1) as Line;
  return { room: made, lines, line };
}
export function welcome(line: Line, accepted = -1): void {
  line.onopen?.({} as Event);
  const info = {
    id: "test",
    phase: "playing",
    settings: { regulation: "master+full" },
    p1: SEAT,
    p2: SEAT,
    game: 1,
    spectators: 0,
  };
  line.hear({
    type: "welcome",
    version: 2,
    room: info,
    seat: "p1",
    seq: 0,
    last_answered: accepted,
    id: line.last("join").id,
  });
}
export function ask(seq: number, options: Partial<Option>[], more: Partial<Prompt> = {}): Prompt {
  return { seq, kind: "chance", options: options as Option[], ...more };
}
export function update(line: Line, seq: number, asked: Prompt | null, more: Record<string, unknown> = {}): void {
  line.hear({
    type: "update",
    game: 1,
    seq,
    since: seq - 1,
    prompt: asked,
    view: VIEW,
    lines: [{ text: `line ${seq}`, seq }],
    ...more,
  });
}
export function drafted(line: Line, sent: Sent, more: Partial<PreviewResult>): void {
  line.hear({
    type: "preview_result",
    id: sent.id,
    seq: sent.seq,
    tokens: [],
    complete: true,
    picks: sent.picks ?? [],
    ...more,
  } satisfies Partial<ServerMessage>);
}
export const tick = (ms = 0): Promise<void> => new Promise((done) => setTimeout(done, ms));
