// Messages between a tab and the engine. Requests and transports have ids of the form "tab.number".
export type ToEngine =
  | { op: "start"; engine: string; name: string }
  | { op: "hello"; tab: string }
  | { op: "ask"; id: string; method: string; path: string; body: string }
  | { op: "dial"; id: string }
  | { op: "say"; id: string; text: string }
  | { op: "hang_up"; id: string };

/** `engineId` changes when the engine restarts without its transports. `done`: progress from 0 to 1. */
export type FromEngine =
  | { op: "loading"; done: number }
  | { op: "ready"; engineId: string }
  | { op: "failed"; why: string }
  | { op: "answer"; id: string; status: number; media: string; text: string }
  | { op: "message"; id: string; text: string }
  | { op: "closed"; id: string; code: number; why: string };

export const tabOf = (id: string): string => id.slice(0, id.indexOf("."));
