import { expect, test } from "vitest";
import type { EventView as GameEvent } from "../src/core/protocol";
import type { View } from "../src/core/view";
import { reduceEvent } from "../src/animation/reducer";
import { VIEW } from "./line";

const view = VIEW as unknown as View;
const after = (event: Partial<GameEvent>, before: View = view): View =>
  reduceEvent(before, [{ player: "p1", ...event } as GameEvent], 0, view);

test("a card is drawn from life to the hand", () => {
  const found = after({ event: "drew", count: 1, cards: ["D9"] }).p1;
  expect([found.life, found.hand.count, found.hand.cards]).toEqual([13, 3, ["H3", "S6", "D9"]]);
});
test("damage goes to the grave, its last card on top", () => {
  const found = after({ event: "damaged", count: 2, cards: ["D9", "D8"], top: "D8" }).p1;
  expect([found.life, found.grave.count, found.grave.top]).toEqual([12, 2, "D8"]);
});
test("a unit enters with a name, drives, and is buried", () => {
  const entered = after({ event: "entered", kind: "common_soldier", unit: 7, cards: ["S6"], count: 1 });
  expect(entered.p1.soldiers.map((one) => [one.name, one.number])).toEqual([["S6", 6]]);
  const drove = after({ event: "drove", unit: 7 }, entered);
  expect(drove.p1.soldiers[0]?.driven).toBe(true);
  const buried = after({ event: "buried", unit: 7, cards: ["S6"], count: 1 }, drove);
  expect([buried.p1.soldiers.length, buried.p1.grave.count]).toEqual([0, 1]);
});
test("what it does not know it leaves alone", () => {
  expect(after({ event: "shuffled" })).toEqual(view);
});
