// The engine of a static page: the server's Python in the worker of one tab. Other tabs send their messages there; when
// that tab closes, another one starts the engine, and all return to their stored games.
import { at, buildInfo, name } from "./build_info";
import { tabOf, type FromEngine, type ToEngine } from "./messages";
import { engine } from "./state.svelte";

/** ms without a message before the start counts as failed */
const PATIENCE = 30_000;
const PLAYED = /^\/api\/(rooms|positions|records|school|puzzles\/[^b])/;
type PendingRequest = { message: Extract<ToEngine, { op: "ask" }>; to: string; done: (answer: Response) => void };
/** Callbacks of a transport. */
export interface TransportListener {
  ready(): void;
  message(text: string): void;
  closed(): void;
}

export const TAB = Math.random().toString(36).slice(2, 12);
let number = 0;
export const newId = (): string => `${TAB}.${++number}`;

let worker: Worker | null = null;
let channel: BroadcastChannel | null = null;
let started = false;
let isLeader = false;
/** the id of the current engine */
let engineId = "";
let timer = 0;
const pending = new Map<string, PendingRequest>();
const listeners = new Map<string, TransportListener>();

/** Start the engine, once. */
export function start(): void {
  if (started) return;
  started = true;
  channel = new BroadcastChannel(name());
  channel.onmessage = (event) => receive(event.data as FromEngine);
  const forever = new Promise<void>(() => {});
  if (!navigator.locks) {
    becomeLeader(); // insecure origin: every tab runs its own engine, and the store accepts one move per number
    return;
  }
  // The engine notices a closed tab by its lock, so nothing is sent before this tab holds it.
  void navigator.locks.request(`${name()} tab ${TAB}`, () => {
    void navigator.locks.request(`${name()} engine`, () => {
      becomeLeader();
      return forever;
    });
    if (!isLeader) becomeFollower();
    return forever;
  });
}

function becomeFollower(): void {
  watch();
  channel?.postMessage({ op: "hello", tab: TAB } satisfies ToEngine);
}

function becomeLeader(): void {
  isLeader = true;
  worker?.terminate();
  const made = new Worker(at(buildInfo().worker), { type: "module" });
  worker = made;
  made.onmessage = (event) => receive(event.data as FromEngine);
  made.onerror = (event) => worker === made && fail(event.message);
  made.postMessage({ op: "start", engine: at(buildInfo().engine), name: name() } satisfies ToEngine);
  watch();
}

/** Start again after a failure. */
export function restart(): void {
  if (isLeader) becomeLeader();
  else becomeFollower();
}

function watch(): void {
  if (engine.phase !== "ready") engine.phase = "loading";
  clearTimeout(timer);
  timer = window.setTimeout(() => engine.phase === "loading" && fail("30 s"), PATIENCE);
}

function fail(why: string): void {
  clearTimeout(timer);
  engine.phase = "failed";
  engine.why = why;
  engineId = "";
  for (const line of [...listeners.values()]) line.closed();
}

function receive(told: FromEngine): void {
  if ("id" in told && tabOf(told.id) !== TAB) return; // for another tab
  switch (told.op) {
    case "loading":
      engine.done = told.done;
      watch();
      break;
    case "ready":
      ready(told.engineId);
      break;
    case "failed":
      fail(told.why);
      break;
    case "answer":
      settle(told.id, new Response(told.text, { status: told.status, headers: { "content-type": told.media } }));
      break;
    case "message":
      listeners.get(told.id)?.message(told.text);
      break;
    case "closed":
      listeners.get(told.id)?.closed();
      break;
  }
}

function ready(which: string): void {
  clearTimeout(timer);
  engine.phase = "ready";
  engine.done = 1;
  if (which === engineId) return;
  const before = engineId;
  engineId = which;
  for (const [id, one] of pending) {
    if (one.to && one.message.method !== "GET")
      settle(id, new Response(JSON.stringify(LOST), { status: 503 })); // the previous engine may have processed it
    else forward(one);
  }
  for (const line of [...listeners.values()]) if (before) line.closed();
  for (const line of listeners.values()) line.ready();
}

const LOST = {
  code: "offline",
  ja: "ゲームを動かしていたタブが閉じられました。もう一度お試しください。",
  en: "The tab that ran the game was closed. Try again.",
};

function settle(id: string, answer: Response): void {
  const one = pending.get(id);
  if (!one) return;
  pending.delete(id);
  updateWanted();
  one.done(answer);
}

/** Update whether a user waits for a game; other requests can wait silently. */
function updateWanted(): void {
  const played = [...pending.values()].some((one) => one.message.method === "POST" && PLAYED.test(one.message.path));
  engine.wanted = played || listeners.size > 0;
}

function forward(one: PendingRequest): void {
  one.to = engineId;
  postToEngine(one.message);
}

export function postToEngine(message: ToEngine): void {
  if (worker) worker.postMessage(message);
  else channel?.postMessage(message);
}

export const isReady = (): boolean => engine.phase === "ready";

export function listen(id: string, listener: TransportListener): void {
  start();
  listeners.set(id, listener);
  updateWanted();
}

export function unlisten(id: string): void {
  listeners.delete(id);
  updateWanted();
}

/** Send a request to the engine; answers prepared by the build are read from files. */
export async function requestEngine(method: string, path: string, body: string): Promise<Response> {
  const file = method === "GET" ? buildInfo().prepared[path] : undefined;
  if (file) {
    const found = await fetch(at(file)).catch(() => null);
    if (found?.ok) return found;
  }
  start();
  return new Promise((done) => {
    const id = newId();
    const one: PendingRequest = { message: { op: "ask", id, method, path, body }, to: "", done };
    pending.set(id, one);
    updateWanted();
    if (isReady()) forward(one);
  });
}
