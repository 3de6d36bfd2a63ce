// The engine of a static page: the server's own Python, in a worker of one tab. The other tabs speak to it there; when that
// tab is closed another one starts it again, and everybody comes back to the games as they are kept.
import { at, known, name } from "./build_info";
import { tabOf, type FromEngine, type ToEngine } from "./messages";
import { engine } from "./state.svelte";

/** milliseconds without a sign of life after which somebody is told */
const PATIENCE = 30_000;
const PLAYED = /^\/api\/(rooms|positions|records|school|puzzles\/[^b])/;
type Asked = { message: Extract<ToEngine, { op: "ask" }>; to: string; done: (answer: Response) => void };
/** What a line hears. */
export interface Hearing {
  ready(): void;
  message(text: string): void;
  closed(): void;
}

export const TAB = Math.random().toString(36).slice(2, 12);
let number = 0;
export const fresh = (): string => `${TAB}.${++number}`;

let worker: Worker | null = null;
let channel: BroadcastChannel | null = null;
let begun = false;
let leads = false;
/** the engine we speak to */
let born = "";
let timer = 0;
const asked = new Map<string, Asked>();
const lines = new Map<string, Hearing>();

/** Call the engine, once. */
export function start(): void {
  if (begun) return;
  begun = true;
  channel = new BroadcastChannel(name());
  channel.onmessage = (event) => hear(event.data as FromEngine);
  const forever = new Promise<void>(() => {});
  if (!navigator.locks) {
    lead(); // an insecure address: every tab has its own, and the store sees to it that one sentence is kept per number
    return;
  }
  // The engine hears by the lock of a tab that it is gone: nobody is spoken to before this tab holds it.
  void navigator.locks.request(`${name()} tab ${TAB}`, () => {
    void navigator.locks.request(`${name()} engine`, () => {
      lead();
      return forever;
    });
    if (!leads) follow();
    return forever;
  });
}

function follow(): void {
  watch();
  channel?.postMessage({ op: "hello", tab: TAB } satisfies ToEngine);
}

function lead(): void {
  leads = true;
  worker?.terminate();
  const made = new Worker(at(known().worker), { type: "module" });
  worker = made;
  made.onmessage = (event) => hear(event.data as FromEngine);
  made.onerror = (event) => worker === made && fail(event.message);
  made.postMessage({ op: "start", engine: at(known().engine), name: name() } satisfies ToEngine);
  watch();
}

/** After a failure. */
export function again(): void {
  if (leads) lead();
  else follow();
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
  born = "";
  for (const line of [...lines.values()]) line.closed();
}

function hear(told: FromEngine): void {
  if ("id" in told && tabOf(told.id) !== TAB) return; // of another tab
  switch (told.op) {
    case "loading":
      engine.done = told.done;
      watch();
      break;
    case "ready":
      ready(told.born);
      break;
    case "failed":
      fail(told.why);
      break;
    case "answer":
      answered(told.id, new Response(told.text, { status: told.status, headers: { "content-type": told.media } }));
      break;
    case "message":
      lines.get(told.id)?.message(told.text);
      break;
    case "closed":
      lines.get(told.id)?.closed();
      break;
  }
}

function ready(which: string): void {
  clearTimeout(timer);
  engine.phase = "ready";
  engine.done = 1;
  if (which === born) return;
  const before = born;
  born = which;
  for (const [id, one] of asked) {
    if (one.to && one.message.method !== "GET") answered(id, new Response(JSON.stringify(LOST), { status: 503 })); // perhaps the engine that is gone has done it
    else carry(one);
  }
  for (const line of [...lines.values()]) if (before) line.closed();
  for (const line of lines.values()) line.ready();
}

const LOST = {
  code: "offline",
  ja: "ゲームを動かしていたタブが閉じられました。もう一度お試しください。",
  en: "The tab that ran the game was closed. Try again.",
};

function answered(id: string, answer: Response): void {
  const one = asked.get(id);
  if (!one) return;
  asked.delete(id);
  look();
  one.done(answer);
}

/** Whether somebody waits to play; a home that learns its name a little later is whole all the same. */
function look(): void {
  const played = [...asked.values()].some((one) => one.message.method === "POST" && PLAYED.test(one.message.path));
  engine.wanted = played || lines.size > 0;
}

function carry(one: Asked): void {
  one.to = born;
  tell(one.message);
}

export function tell(message: ToEngine): void {
  if (worker) worker.postMessage(message);
  else channel?.postMessage(message);
}

export const isReady = (): boolean => engine.phase === "ready";

export function listen(id: string, hearing: Hearing): void {
  start();
  lines.set(id, hearing);
  look();
}

export function unlisten(id: string): void {
  lines.delete(id);
  look();
}

/** Ask for something as one would ask a server. What was written when the page was built is a file. */
export async function ask(method: string, path: string, body: string): Promise<Response> {
  const file = method === "GET" ? known().prepared[path] : undefined;
  if (file) {
    const found = await fetch(at(file)).catch(() => null);
    if (found?.ok) return found;
  }
  start();
  return new Promise((done) => {
    const id = fresh();
    const one: Asked = { message: { op: "ask", id, method, path, body }, to: "", done };
    asked.set(id, one);
    look();
    if (isReady()) carry(one);
  });
}
