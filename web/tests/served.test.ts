// The service worker of a server's page, run with a cache and a network of the test.
import { describe, expect, test, vi } from "vitest";
import { workerText } from "../service_worker";
import { pathsToKeep } from "../src/offline/served";

type Handler = (event: unknown) => void;
const SCOPE = "https://play.example.org/bp/";

class FakeCache {
  kept = new Map<string, Response>();
  private key = (request: RequestInfo | URL): string =>
    new URL(request instanceof Request ? request.url : String(request), SCOPE).href;
  match = async (request: RequestInfo): Promise<Response | undefined> => this.kept.get(this.key(request))?.clone();
  put = async (request: RequestInfo, answer: Response): Promise<void> => void this.kept.set(this.key(request), answer);
  delete = async (request: RequestInfo): Promise<boolean> => this.kept.delete(this.key(request));
  keys = async (): Promise<Request[]> => [...this.kept.keys()].map((url) => new Request(url));
}

class World {
  stores = new Map<string, FakeCache>();
  online = true;
  version = "one";
  asked: string[] = [];
  handlers: Record<string, Handler> = {};

  constructor(files: string[]) {
    const fetch = async (request: RequestInfo): Promise<Response> => {
      const url = new URL(request instanceof Request ? request.url : request, SCOPE);
      if (!this.online) throw new TypeError("no network");
      this.asked.push(url.pathname);
      return new Response(`${this.version} ${url.pathname}`);
    };
    const open = async (name: string): Promise<FakeCache> => {
      const found = this.stores.get(name) ?? new FakeCache();
      Object.assign(found, {
        addAll: async (all: Request[]) => Promise.all(all.map(async (one) => found.put(one, await fetch(one)))),
      });
      this.stores.set(name, found);
      return found;
    };
    const caches = {
      open,
      keys: async () => [...this.stores.keys()],
      delete: async (name: string) => this.stores.delete(name),
    };
    const listen = (kind: string, handler: Handler): void => void (this.handlers[kind] = handler);
    class Relative extends Request {
      constructor(path: string, init?: RequestInit) {
        super(new URL(path, SCOPE), init);
      }
    }
    const given = { registration: { scope: SCOPE }, caches, fetch, addEventListener: listen, location: new URL(SCOPE) };
    const clients = { claim: async () => undefined };
    new Function(...Object.keys(given), "clients", "Request", workerText(files))(
      ...Object.values(given),
      clients,
      Relative,
    );
  }

  /** Send an event and wait for what it promised. */
  async send(kind: string, event: object = {}): Promise<void> {
    const waits: Promise<unknown>[] = [];
    this.handlers[kind]!({ ...event, waitUntil: (one: Promise<unknown>) => waits.push(one) });
    await Promise.all(waits);
  }

  /** Return the text of an answer; null if the worker leaves the request alone. */
  async get(path: string, mode = "cors", method = "GET"): Promise<string | null> {
    let answer: Promise<Response> | null = null;
    const request = { url: new URL(path, SCOPE).href, method, mode };
    const real = Object.assign(new Request(request.url, { method }), {});
    Object.defineProperty(real, "mode", { value: mode });
    this.handlers["fetch"]!({ request: real, respondWith: (one: Promise<Response>) => (answer = one) });
    return answer && (await (await (answer as Promise<Response>)).text());
  }
}

async function installed(): Promise<World> {
  const world = new World(["assets/index-1.js"]);
  await world.send("install");
  await world.send("activate");
  return world;
}

describe("the page of a server without a network", () => {
  test("shows itself and what was read, and nothing of a game", async () => {
    const world = await installed();
    await world.send("message", { data: pathsToKeep(["life"], ["p1"], "ja") });
    expect(await world.get("api/records/abc")).toContain("/api/records/abc");
    world.online = false;
    expect(await world.get("rules", "navigate")).toBe("one /bp/");
    expect(await world.get("assets/index-1.js")).toBe("one /bp/assets/index-1.js");
    expect(await world.get("api/rules?lang=ja")).toBe("one /bp/api/rules");
    expect(await world.get("api/school/life?lang=en")).toBe("one /bp/api/school/life");
    expect(await world.get("api/quick-start?lang=ja&edition=6")).toBe("one /bp/api/quick-start");
    expect(await world.get("api/records/abc")).toBe("one /bp/api/records/abc");
    expect(await world.get("api/puzzles/p1?lang=ja")).toBe("one /bp/api/puzzles/p1");
    expect(await world.get("api/puzzles?lang=en&day=2026-01-31"), "on any day").toBe("one /bp/api/puzzles");
    for (const path of ["api/lobby", "api/account", "api/rooms/x", "ws", "metrics"])
      expect(await world.get(path)).toBeNull();
    expect(await world.get("api/rules/check", "cors", "POST")).toBeNull();
    await expect(world.get("api/records/other")).rejects.toThrow("no network");
  });

  test("asks the network first, so that a new version of the server is seen at once", async () => {
    const world = await installed();
    await world.get("api/puzzles");
    world.version = "two";
    expect(await world.get("room/x", "navigate")).toBe("two /bp/room/x");
    expect(await world.get("api/puzzles")).toBe("two /bp/api/puzzles");
    expect(await world.get("assets/index-1.js"), "a file of this version never changes").toContain("one");
  });

  test("answers from the store when the network takes too long", async () => {
    const world = await installed();
    await world.get("api/levels");
    vi.useFakeTimers();
    const open = world.get("api/levels");
    await vi.advanceTimersByTimeAsync(5000);
    expect(await open).toContain("/api/levels");
    vi.useRealTimers();
  });

  test("keeps the files of an old version until its last tab is closed, and forgets what was read on request", async () => {
    const world = await installed();
    const [old] = [...world.stores.keys()];
    expect(workerText([])).not.toContain("skipWaiting");
    world.stores.set("blackpoker server /bp/ older", new FakeCache());
    await world.send("activate");
    expect([...world.stores.keys()]).toEqual([old]);
    await world.get("api/records/abc");
    await world.send("message", { data: "forget" });
    world.online = false;
    await expect(world.get("api/records/abc")).rejects.toThrow();
  });

  test("stores no more answers than it says", async () => {
    const world = await installed();
    for (let number = 0; number < 410; number += 1) await world.get(`api/records/${number}`);
    expect(world.stores.get("blackpoker reading /bp/")!.kept.size).toBe(400);
  });
});

test("a version of the worker is one list of files", () => {
  expect(workerText(["assets/a.js"])).toBe(workerText(["assets/a.js", "index.html"]));
  expect(workerText(["assets/a.js"])).not.toBe(workerText(["assets/b.js"]));
});
