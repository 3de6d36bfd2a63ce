// The engine's worker: Pyodide, the Python package, its rows in IndexedDB. Requests go through PageDoor of
// blackpoker/server/local/page.py.
import { tabOf, type FromEngine, type ToEngine } from "./messages";
import { openDatabase } from "./idb";

/** The part of Pyodide that is used. */
interface Python {
  unpackArchive(data: ArrayBuffer, format: string, options: { extractDir: string }): void;
  runPython(code: string): unknown;
  pyimport(name: string): Record<string, { open(rows: unknown, post: unknown): Promise<Bridge> } & (() => unknown)>;
}
interface Bridge {
  ask(id: string, method: string, path: string, body: string): void;
  dial(id: string): void;
  say(id: string, text: string): void;
  hang_up(id: string): void;
  warm_up(): void;
}

/** ms without requests before the engine warms up its caches */
const IDLE = 2500;
const engineId = Math.random().toString(36).slice(2);
let bridge: Bridge | null = null;
let channel: BroadcastChannel | null = null;
let done = 0;
let idle = 0;
let database = "";
/** transports of other tabs; the own tab ends together with the worker */
const others = new Map<string, Set<string>>();
const post = postMessage as (message: FromEngine) => void;

/** Send a message to its tab, or to all tabs. */
function reply(message: FromEngine): void {
  if (!("id" in message)) {
    post(message);
    channel?.postMessage(message);
  } else if (others.has(tabOf(message.id))) channel?.postMessage(message);
  else post(message);
}

function onEngineMessage(op: string, id: string, ...scheduleWarmUp: (string | number)[]): void {
  const [first, second, third] = scheduleWarmUp;
  if (op === "answer") reply({ op, id, status: Number(first), media: String(second), text: String(third) });
  else if (op === "message") reply({ op, id, text: String(first) });
  else if (op === "closed") reply({ op, id, code: Number(first), why: String(second) });
}

function reportProgress(share: number): void {
  done = share;
  reply({ op: "loading", done });
}

async function boot(engine: string): Promise<void> {
  reportProgress(0.05);
  const archive = fetch(`${engine}blackpoker.pack`).then(async (answer) => {
    if (!answer.ok || !answer.body) throw new Error(`${answer.status} blackpoker.pack`);
    return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  });
  archive.catch(() => {}); // awaited below
  const { loadPyodide } = (await import(/* @vite-ignore */ `${engine}pyodide.mjs`)) as {
    loadPyodide: (options: { indexURL: string }) => Promise<Python>;
  };
  reportProgress(0.2);
  const python = await loadPyodide({ indexURL: engine });
  reportProgress(0.6);
  const site = python.runPython("import sysconfig; sysconfig.get_path('purelib')") as string;
  python.unpackArchive(await archive, "zip", { extractDir: site });
  reportProgress(0.7);
  const { PageDoor } = python.pyimport("blackpoker.server.offline.bridge");
  reportProgress(0.9);
  const rows = await openDatabase(database).catch(() =>
    python.pyimport("blackpoker.server.offline.store").MemoryRows!(),
  );
  bridge = await PageDoor!.open(rows, onEngineMessage);
  done = 1;
  reply({ op: "ready", engineId });
  scheduleWarmUp();
}

/** Warm up after a pause without requests. */
function scheduleWarmUp(): void {
  clearTimeout(idle);
  idle = setTimeout(() => bridge?.warm_up(), IDLE) as unknown as number;
}

function forward(message: ToEngine): void {
  if (!bridge) return; // requests before the start are repeated by their tab
  if (idle) {
    clearTimeout(idle);
    idle = 0;
  }
  try {
    if (message.op === "ask") bridge.ask(message.id, message.method, message.path, message.body);
    else if (message.op === "dial") bridge.dial(message.id);
    else if (message.op === "say") bridge.say(message.id, message.text);
    else if (message.op === "hang_up") bridge.hang_up(message.id);
  } catch (problem) {
    reply({ op: "failed", why: String((problem as Error).message).slice(-300) });
  }
}

/** Watch another tab: its lock is released when it closes. */
function trackTab(tab: string): void {
  if (others.has(tab)) return;
  others.set(tab, new Set());
  void navigator.locks?.request(`${database} tab ${tab}`, () => {
    for (const line of others.get(tab) ?? []) bridge?.hang_up(line);
    others.delete(tab);
  });
}

function onOtherTab(message: ToEngine | FromEngine): void {
  if (message.op === "hello") {
    trackTab(message.tab);
    reply(bridge ? { op: "ready", engineId } : { op: "loading", done });
  } else if (message.op === "ask" || message.op === "dial" || message.op === "say" || message.op === "hang_up") {
    const tab = tabOf(message.id);
    trackTab(tab);
    if (message.op === "dial") others.get(tab)?.add(message.id);
    if (message.op === "hang_up") others.get(tab)?.delete(message.id);
    forward(message);
  }
}

addEventListener("message", (event: MessageEvent<ToEngine>) => {
  const message = event.data;
  if (message.op !== "start") {
    forward(message);
    return;
  }
  database = message.name;
  channel = new BroadcastChannel(message.name);
  channel.onmessage = (event) => onOtherTab(event.data as ToEngine);
  boot(message.engine).catch((problem: Error) =>
    reply({ op: "failed", why: String(problem.message ?? problem).slice(-300) }),
  );
});
