// What the page keeps for fairness: only ever extended, counted across rooms, and kept in memory if storage is refused.
import { beforeEach, expect, test, vi } from "vitest";
import * as fair from "../src/core/fair";
import { checkReceipt, verdictOf } from "../src/core/fair_check";
import type { EventView, GameOver, RoomInfo, Update } from "../src/core/protocol";

let number = 0;
const info = (room: string, game: number, seal: string, commitment = "c"): RoomInfo =>
  ({
    id: room,
    phase: "waiting",
    settings: { regulation: "lite+entry" },
    p1: { kind: "human", name: "A", connected: true, ready: true, seal },
    p2: { kind: "ai", level: "easy", name: "B", connected: true, ready: true },
    game,
    spectators: 0,
    commitment,
    start_hash: "deal",
  }) as unknown as RoomInfo;
const drew = (...cards: string[]): EventView =>
  ({ event: "drew", player: "p1", count: cards.length, cards }) as EventView;
const update = (seq: number, since: number, events: EventView[], more: Partial<Update> = {}): Update =>
  ({ type: "update", game: 1, seq, since, events, ...more }) as Update;

function touch(): void {
  const event = new Event_("keydown");
  Object.defineProperty(event, "isTrusted", { value: true });
  dispatchEvent(event);
}
const Event_ = globalThis.Event;

/** Open a salt in a new room; return the room. */
function opened(game = 0): string {
  touch();
  const room = `room${++number}`;
  const made = info(room, game, fair.seal(room, game + 1, "p1", ""));
  expect(fair.openSalt(made, "p1", () => {})).toHaveProperty("salt");
  return room;
}
const receipt = (room: string): fair.Receipt => fair.latest(room, "p1")!;
const over = (room: string): void =>
  void fair.rememberResult(room, "p1", {
    game: 1,
    winner: "p1",
    reason: "life",
    match_over: true,
    record_hash: "h",
  } as GameOver);

beforeEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

test("a whole update that repeats what was sent changes nothing", () => {
  const room = opened();
  fair.rememberUpdate(room, "p1", update(0, -1, [drew("S2", "S3")]));
  fair.rememberUpdate(room, "p1", update(1, 0, [drew("S4")]));
  const before = receipt(room).parts;
  fair.rememberUpdate(room, "p1", update(1, -1, [drew("S2", "S3"), drew("S4")]));
  expect(receipt(room).parts).toEqual(before);
  expect(receipt(room).alarms).toEqual([]);
  expect(before[0]!.length).toBe(2);
});

test.each([
  ["other cards", update(1, -1, [drew("H9", "S3"), drew("S4")])],
  ["a silent take-back", update(2, -1, [drew("S2", "S3")])],
])("%s in a whole update are an alarm", (_, second) => {
  const room = opened();
  fair.rememberUpdate(room, "p1", update(0, -1, [drew("S2", "S3")]));
  fair.rememberUpdate(room, "p1", update(1, 0, [drew("S4")]));
  fair.rememberUpdate(room, "p1", second);
  expect(receipt(room).alarms).toEqual(["rewritten"]);
  expect(verdictOf(checkReceipt(receipt(room)))).toBe("broken");
});

test("practice and an early result do not end the notes", () => {
  const room = opened();
  fair.rememberUpdate(room, "p1", update(0, -1, [drew("S2")], { practice: true }));
  expect(receipt(room).parts[0]!.length).toBe(1);
  over(room);
  fair.rememberUpdate(room, "p1", update(1, 0, [drew("S4")]));
  expect(receipt(room).alarms).toEqual(["after_end"]);
});

test("deals that did not finish are counted across rooms and numbers until one finishes", () => {
  opened();
  opened(3);
  const third = opened();
  expect(receipt(third).tries).toBe(2);
  fair.rememberUpdate(third, "p1", update(0, -1, [drew("S2")]));
  over(third);
  expect(receipt(opened()).tries).toBe(0);
});

test("no second salt is opened without a touch, and none for another commitment", () => {
  const room = opened();
  const salt = receipt(room).salt;
  let again = 0;
  const seal = fair.seal("unattended", 1, "p1", "");
  const next = info("unattended", 0, seal);
  expect(fair.openSalt(next, "p1", () => (again += 1))).toBe("touch");
  touch();
  expect(again).toBe(1);
  expect(fair.openSalt(next, "p1", () => {})).toHaveProperty("salt");
  expect(fair.openSalt(info("unattended", 0, seal, "d"), "p1", () => {})).toBeNull();
  expect(salt).not.toBe(receipt("unattended").salt);
});

test("storage that is refused keeps the receipt in memory", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new Error("refused");
  });
  vi.spyOn(Storage.prototype, "getItem").mockImplementation(() => {
    throw new Error("refused");
  });
  const room = opened();
  fair.rememberUpdate(room, "p1", update(0, -1, [drew("S2")]));
  expect(receipt(room).parts[0]!.length).toBe(1);
});

test("a game that begins without the salt is an alarm", () => {
  const room = `room${++number}`;
  fair.noteMissingReveal(info(room, 0, fair.seal(room, 1, "p1", "")), "p1");
  expect(receipt(room).alarms).toEqual(["skipped"]);
  const other = `room${++number}`;
  fair.seal(other, 1, "p1", "");
  fair.noteMissingReveal(info(other, 0, "the seal of another device"), "p1");
  expect(fair.latest(other, "p1")).toBeNull();
});

test("nothing compared is no proof", () => {
  expect(verdictOf([])).toBe("consistent");
  expect(verdictOf([{ name: "withheld", good: null, count: 0 }])).toBe("consistent");
});
