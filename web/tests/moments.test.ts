// Exercises from one's own games return after some days.
import { beforeEach, expect, test } from "vitest";
import type { TurningPoint } from "../src/core/protocol";
import { addMoments, answerMoment, dropMoment, dueMoments, moments } from "../src/core/moments.svelte";

const DAY = 86_400_000;
const point = (step: number, choice: number, better_move = "pass"): TurningPoint =>
  ({ step, turn: 3, player: "p1", choice, better_move }) as TurningPoint;

beforeEach(() => {
  localStorage.clear();
  moments.all = [];
});

test("choices with a better move are added once, the costliest first", () => {
  addMoments("a", [point(4, -0.12), point(9, -0.4), point(12, -0.5, "")], 0);
  addMoments("a", [point(4, -0.12)], 5);
  expect(dueMoments(0).map((one) => [one.step, one.cost])).toEqual([
    [9, 40],
    [4, 12],
  ]);
  expect(JSON.parse(localStorage.getItem("blackpoker-moments") ?? "")).toHaveLength(2);
});

test("a solved one returns after one, three, seven and 21 days, then no more", () => {
  addMoments("a", [point(4, -0.2)], 0);
  let now = 0;
  for (const days of [1, 3, 7, 21]) {
    answerMoment("a", 4, true, now);
    expect(dueMoments(now + days * DAY - 1)).toEqual([]);
    now += days * DAY;
    expect(dueMoments(now)).toHaveLength(1);
  }
  answerMoment("a", 4, true, now);
  expect(moments.all).toEqual([]);
});

test("a failed one begins again tomorrow", () => {
  addMoments("a", [point(4, -0.2)], 0);
  answerMoment("a", 4, true, 0);
  answerMoment("a", 4, false, DAY);
  expect(moments.all[0]).toMatchObject({ solved: 0, due: 2 * DAY });
  dropMoment("a", 4);
  expect(moments.all).toEqual([]);
});
